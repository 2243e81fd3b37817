/* One build of the vehicle kernel for a batch. The file that includes it defines FM_LANES, FM_LANES_SET and, where it
 * applies, FM_FLOAT and FM_ONE_TYPE; docs/design.md, "Batches". */
#include <string.h>

#include "base/random.h"
#include "batch/lanes.h"
#include "physics/flat.h"
#include "physics/vehicle.h"

enum { ACTUATORS_MOST = 64 };

/* --- columns of the table --- */

static inline fm_par *row_at(const fm_lanes_job *job, size_t row, size_t group)
{
    return (fm_par *)job->numbers + row * job->stride + group * FM_LANES;
}

static inline fm_real load_row(const fm_lanes_job *job, size_t row, size_t group)
{
    fm_real r;
    memcpy(&r, row_at(job, row, group), sizeof r);
    return r;
}

static inline void store_row(const fm_lanes_job *job, size_t row, size_t group, fm_real value)
{
    memcpy(row_at(job, row, group), &value, sizeof value);
}

static void load_rows(const fm_lanes_job *job, size_t row, size_t group, void *to, size_t count)
{
    fm_real *numbers = to;
    for (size_t i = 0; i < count; i++)
        numbers[i] = load_row(job, row + i, group);
}

static void store_rows(const fm_lanes_job *job, size_t row, size_t group, const void *from, size_t count)
{
    const fm_real *numbers = from;
    for (size_t i = 0; i < count; i++)
        store_row(job, row + i, group, numbers[i]);
}

/* --- one group --- */

typedef struct group_state {
    fm_craft craft;
    fm_body_state body;
    fm_body_input input;
    fm_actuator_state actuators[ACTUATORS_MOST];
    fm_actuator_fault faults[ACTUATORS_MOST];
    fm_real charge, power, bad;
    fm_stream water;
    fm_tally tally;
    fm_mass mass;
    fm_sparse_terms sparse;
} group_state;

static fm_craft_state view(group_state *g)
{
    return (fm_craft_state){&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
}

static void open_group(const fm_lanes_job *job, size_t group, group_state *g)
{
    const fm_batch_rows *r = &job->rows;
    g->craft = fm_flat_open((const fm_flat *)(const void *)((const char *)job->types + group * job->type_bytes));
    load_rows(job, r->state, group, &g->body, 13);
    memset((void *)&g->water, 0, sizeof g->water);
    load_rows(job, r->current, group, g->water.velocity, 3);
    for (int i = 0; i <= 2 * FM_FINS; i++)
        g->input.fin[i] = fm_const(i == 0);
    g->input.density_ratio = fm_const(1);
}

static void load_group(const fm_lanes_job *job, size_t group, group_state *g)
{
    const fm_batch_rows *r = &job->rows;
    open_group(job, group, g);
    load_rows(job, r->tally, group, &g->tally, 4);
    g->bad = load_row(job, r->bad, group);
    g->charge = load_row(job, r->charge, group);
    g->power = load_row(job, r->power, group);
    for (uint32_t a = 0; a < r->actuators; a++) {
        g->actuators[a].order = load_row(job, r->orders + a, group);
        g->actuators[a].value = load_row(job, r->values + a, group);
        g->actuators[a].rate = load_row(job, r->rates + a, group);
        g->actuators[a].force = load_row(job, r->forces + a, group);
    }
    load_rows(job, r->faults, group, g->faults, 3 * (size_t)r->actuators);
    if (g->craft.moving_count)
        load_rows(job, r->mass, group, &g->mass, FM_MASS_NUMBERS);
}

static void store_actuators(const fm_lanes_job *job, size_t group, const group_state *g)
{
    const fm_batch_rows *r = &job->rows;
    for (uint32_t a = 0; a < r->actuators; a++) {
        store_row(job, r->orders + a, group, g->actuators[a].order);
        store_row(job, r->values + a, group, g->actuators[a].value);
        store_row(job, r->rates + a, group, g->actuators[a].rate);
        store_row(job, r->forces + a, group, g->actuators[a].force);
    }
}

static void store_group(const fm_lanes_job *job, size_t group, const group_state *g)
{
    const fm_batch_rows *r = &job->rows;
    store_rows(job, r->state, group, &g->body, 13);
    store_rows(job, r->tally, group, &g->tally, 4);
    store_row(job, r->bad, group, g->bad);
    store_row(job, r->charge, group, g->charge);
    store_row(job, r->power, group, g->power);
    store_actuators(job, group, g);
    if (g->craft.moving_count)
        store_rows(job, r->mass, group, &g->mass, FM_MASS_NUMBERS);
}

/* --- observations --- */

/* A normal number for each lane: by its seed, its age and the row. */
static fm_real draw_noise(const fm_lanes_job *job, size_t group, uint32_t row)
{
    fm_real u = fm_const(0), v = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        size_t vehicle = group * FM_LANES + (size_t)i;
        fm_random_key key = {job->seeds[vehicle], 0, row};
        uint32_t bits[4];
        fm_random_block_at(key, job->ages[vehicle], 0, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, 0);
}

static void observe(const fm_lanes_job *job, size_t group, const group_state *g)
{
    fm_real R[9], euler[3], seen[FM_BATCH_POSE + ACTUATORS_MOST];
    fm_body_matrix(&g->craft.body, g->body.attitude, R);
    fm_euler_from_matrix(R, euler);
    for (int i = 0; i < 3; i++) {
        seen[i] = g->body.position[i];
        seen[3 + i] = euler[i];
    }
    for (int i = 0; i < 6; i++)
        seen[6 + i] = g->body.velocity[i];
    for (uint32_t a = 0; a < job->rows.actuators; a++)
        seen[FM_BATCH_POSE + a] = g->actuators[a].value;
    for (uint32_t i = 0; i < FM_BATCH_POSE + job->rows.actuators; i++) {
        if (job->noise && job->noise[i] > 0)
            seen[i] += fm_const(job->noise[i]) * draw_noise(job, group, i);
        store_row(job, job->rows.observation + i, group, seen[i]);
    }
}

/* --- what a batch calls --- */

static void begin_group(const fm_lanes_job *job, size_t group)
{
    group_state g;
    open_group(job, group, &g);
    fm_craft_state state = view(&g);
    fm_craft_begin(&g.craft, &state);
    g.tally.distance = g.tally.max_speed_squared = g.bad = fm_const(0);
    g.tally.max_depth = g.body.position[2];
    g.tally.peak_sine_pitch = fm_body_sine_pitch(&g.craft.body, g.body.attitude);
    g.mass = *g.craft.mass;
    store_group(job, group, &g);
    store_rows(job, job->rows.faults, group, g.faults, 3 * (size_t)job->rows.actuators);
    observe(job, group, &g);
}

/* Actuators without dynamics are where they were ordered to be after the first step; only the hull moves then. */
static void step_group(const fm_lanes_job *job, size_t group)
{
    group_state g;
    load_group(job, group, &g);
    if (fm_sparse_fill(&g.craft.body.hydro, &g.sparse))
        g.craft.body.hydro.sparse = &g.sparse;
    fm_craft_state state = view(&g);
    const fm_craft *c = &g.craft;
    int settles = !c->has_dynamics && !c->has_battery && !c->moving_count;
    for (uint64_t k = 0; k < job->steps; k++) {
        fm_real before[3] = {g.body.position[0], g.body.position[1], g.body.position[2]};
        if (k == 0 || !settles) {
            if (c->has_battery)
                (void)fm_craft_draw(c, &state);
            fm_craft_actuate(c, &state);
            if (c->moving_count)
                fm_craft_weigh(c, g.actuators, &g.mass);
        }
        (void)fm_craft_integrate(c, c->moving_count ? &g.mass : c->mass, &g.input, NULL, &g.water, &g.body);
        fm_mask sound = fm_tally_add(&g.tally, &c->body, &g.body, before);
        g.bad = fm_select(sound, g.bad, fm_const(1));
    }
    store_group(job, group, &g);
    for (int i = 0; i < FM_LANES; i++)
        job->ages[group * FM_LANES + (size_t)i] += job->steps;
    observe(job, group, &g);
}

static void make_head(const fm_flat *doubles, fm_flat *head)
{
    *head = fm_flat_head(doubles);
}

static void fill_block(fm_flat *block, int lane, const fm_flat *doubles)
{
    fm_flat_fill(block, lane, doubles);
}

#define FM_LANES_TEXT_2(x) #x
#define FM_LANES_TEXT(x) FM_LANES_TEXT_2(x)
extern const fm_lanes_build FM_LANES_BUILD;
const fm_lanes_build FM_LANES_BUILD = {.set = FM_LANES_TEXT(FM_LANES_SET),
                                       .lanes = FM_LANES,
                                       .single = sizeof(fm_par) == 4,
#ifdef FM_ONE_TYPE
                                       .one_type = 1,
#endif
                                       .head = make_head,
                                       .fill = fill_block,
                                       .begin = begin_group,
                                       .step = step_group};
