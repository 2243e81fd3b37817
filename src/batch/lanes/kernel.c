/* One build of the vehicle kernel for a batch: cmake/Lanes.cmake compiles this file several times and defines FM_LANES,
 * FM_LANES_SET, FM_LANES_BUILD and, where it applies, FM_FLOAT and FM_ONE_TYPE, or FM_CHAIN: vehicles with what steers
 * them (physics/chain.h); with FM_FISH too, these are robotic fish. docs/design.md, "Batches". */
#include <string.h>

#include "base/random.h"
#include "batch/lanes.h"
#include "physics/flat.h"
#ifdef FM_CHAIN
#include "control/allocation.h"
#include "physics/chain.h"
#include "physics/stirred.h"
#endif
#ifdef FM_FISH
#include "physics/fish_flat.h"
#endif
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
#ifdef FM_CHAIN
    fm_chain_state chain;
    fm_habitat habitat;
    fm_real drift[FM_HABITAT_KEPT], here[3]; /* what is kept of the habitat; m/s, NED: the water at the body */
    fm_stirred_craft stirred;
#else
    fm_feeler_craft feeler;
#endif
    fm_feeler_state felt;
#ifdef FM_FISH
    fm_fish_craft fish;
    fm_fish_elongated_params theory; /* room of the craft */
    fm_fish_words words;
#endif
} group_state;

static fm_craft_state view(group_state *g)
{
    return (fm_craft_state){&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
}

static const fm_flat *flat_of(const fm_lanes_job *job, size_t group)
{
    return (const fm_flat *)(const void *)((const char *)job->types + group * job->type_bytes);
}

static int feels(const fm_lanes_job *job, size_t group)
{
#ifdef FM_FISH /* no fish does */
    (void)job, (void)group;
    return 0;
#else
    return flat_of(job, group)->count[FM_FLAT_FEELER] > 0;
#endif
}

/* Sensors of one that feels walls. */
static int sensors_of(const fm_lanes_job *job, size_t group)
{
    return (int)flat_of(job, group)->count[FM_FLAT_SENSORS];
}

static void open_group(const fm_lanes_job *job, size_t group, group_state *g)
{
    const fm_batch_rows *r = &job->rows;
    g->craft = fm_flat_open(flat_of(job, group));
#ifdef FM_CHAIN
    g->chain.craft = fm_flat_chain(flat_of(job, group));
    g->chain.craft.pilot.thrusters.solve = fm_allocation_solve;
    g->habitat = fm_flat_habitat(flat_of(job, group), &g->water, g->drift, job->walls);
    fm_habitat_take_waves(&g->habitat, row_at(job, r->waves, group), job->stride);
    if (feels(job, group))
        g->stirred = fm_flat_stirred(flat_of(job, group), job->walls);
#else
    if (feels(job, group))
        g->feeler = fm_flat_feeler(flat_of(job, group), job->walls);
#endif
#ifdef FM_FISH
    g->fish = fm_flat_fish(flat_of(job, group), &g->theory);
#endif
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
#ifdef FM_FISH
    load_rows(job, r->fish, group, &g->words, FM_FISH_WORDS);
#endif
#ifdef FM_CHAIN
    memset((void *)&g->chain.kept, 0, sizeof g->chain.kept);
    load_rows(job, r->chain, group, &g->chain.kept, r->navigated - r->chain);
    load_rows(job, r->navigated, group, &g->chain.navigated, r->drift - r->navigated);
    load_rows(job, r->drift, group, g->drift, r->count - r->drift);
#endif
    if (feels(job, group)) {
        uint32_t row = r->feeler;
#define LOAD(x) (x) = load_row(job, row++, group)
        FM_FEELER_EACH(&g->felt, sensors_of(job, group), LOAD);
#undef LOAD
    }
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
#ifdef FM_FISH
    store_rows(job, r->fish, group, &g->words, FM_FISH_WORDS);
#endif
#ifdef FM_CHAIN
    store_rows(job, r->chain, group, &g->chain.kept, r->navigated - r->chain);
    store_rows(job, r->navigated, group, &g->chain.navigated, r->drift - r->navigated);
    store_rows(job, r->drift, group, g->drift, r->count - r->drift);
#endif
    if (feels(job, group)) {
        uint32_t row = r->feeler;
#define STORE(x) store_row(job, row++, group, x)
        FM_FEELER_EACH(&g->felt, sensors_of(job, group), STORE);
#undef STORE
    }
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
#ifdef FM_CHAIN
    memset((void *)g.drift, 0, sizeof g.drift);
    fm_habitat_water(&g.habitat, g.body.position, g.here);
#endif
#ifdef FM_FISH
    memset((void *)&g.words, 0, sizeof g.words);
    fm_fish_begin(&g.fish, g.here, g.actuators, &g.words, &g.body);
#endif
    g.tally.distance = g.tally.max_speed_squared = g.bad = fm_const(0);
    g.tally.max_depth = g.body.position[2];
    g.tally.peak_sine_pitch = fm_body_sine_pitch(&g.craft.body, g.body.attitude);
    g.mass = *g.craft.mass;
#ifdef FM_CHAIN
    load_rows(job, job->rows.chain, group, &g.chain.kept, job->rows.navigated - job->rows.chain);
    fm_chain_begin(&g.chain, &g.craft.body, &g.body, g.here);
    if (feels(job, group))
        fm_stirred_begin(&g.stirred, &g.habitat, &g.craft.body, &g.body, g.here, &g.felt);
#else
    if (feels(job, group))
        fm_feeler_begin(&g.feeler, &g.craft.body, &g.body, g.water.velocity, &g.felt);
#endif
    store_group(job, group, &g);
    store_rows(job, job->rows.faults, group, g.faults, 3 * (size_t)job->rows.actuators);
    observe(job, group, &g);
}

/* --- steps --- */

/* Runs that have ended keep what they ended with. */
typedef struct ended_state {
    fm_body_state body;
    fm_tally tally;
    fm_real charge, power, bad;
    fm_actuator_state actuators[ACTUATORS_MOST];
    fm_mass mass;
#ifdef FM_CHAIN
    fm_chain_kept kept;
    fm_navigated_kept navigated;
#endif
    fm_feeler_state felt;
#ifdef FM_FISH
    fm_fish_words words;
#endif
} ended_state;

static __attribute__((noinline)) void keep_ended(const fm_lanes_job *job, size_t group, const group_state *g,
                                                 ended_state *kept)
{
    kept->body = g->body;
    kept->tally = g->tally;
    kept->charge = g->charge, kept->power = g->power, kept->bad = g->bad;
    memcpy((void *)kept->actuators, (const void *)g->actuators, sizeof kept->actuators);
    if (g->craft.moving_count)
        kept->mass = g->mass;
#ifdef FM_CHAIN
    kept->kept = g->chain.kept;
    if (g->chain.craft.navigated.p)
        kept->navigated = g->chain.navigated;
#endif
#ifdef FM_FISH
    kept->words = g->words;
#endif
    if (feels(job, group))
        kept->felt = g->felt;
}

/* One that feels walls. */
static void restore_felt(fm_mask ended, int sensors, const fm_feeler_state *kept, fm_feeler_state *felt)
{
    fm_real numbers[FM_FEELER_NUMBERS_MOST];
    int n = 0;
#define TAKE(x) numbers[n++] = (x)
    FM_FEELER_EACH(kept, sensors, TAKE);
#undef TAKE
    n = 0;
#define GIVE(x) (x) = fm_select(ended, numbers[n], (x)), n++
    FM_FEELER_EACH(felt, sensors, GIVE);
#undef GIVE
}

static void restore_numbers(fm_mask ended, const void *kept, void *to, size_t count)
{
    const fm_real *from = kept;
    fm_real *numbers = to;
    for (size_t i = 0; i < count; i++)
        numbers[i] = fm_select(ended, from[i], numbers[i]);
}

static __attribute__((noinline)) void restore_ended(const fm_lanes_job *job, size_t group, fm_mask ended,
                                                    const ended_state *kept, group_state *g)
{
    const uint32_t actuators = job->rows.actuators;
    fm_body_select(ended, &kept->body, &g->body);
    restore_numbers(ended, &kept->tally, &g->tally, sizeof g->tally / sizeof(fm_real));
    restore_numbers(ended, kept->actuators, g->actuators, actuators * (sizeof *g->actuators / sizeof(fm_real)));
    g->charge = fm_select(ended, kept->charge, g->charge);
    g->power = fm_select(ended, kept->power, g->power);
    g->bad = fm_select(ended, kept->bad, g->bad);
    if (g->craft.moving_count)
        restore_numbers(ended, &kept->mass, &g->mass, FM_MASS_NUMBERS);
#ifdef FM_FISH
    restore_numbers(ended, &kept->words, &g->words, FM_FISH_WORDS);
#endif
#ifdef FM_CHAIN
    restore_numbers(ended, &kept->kept, &g->chain.kept, FM_CHAIN_KEPT);
    restore_numbers(ended, &kept->navigated, &g->chain.navigated, fm_flat_navigated_rows(flat_of(job, group)));
#endif
    if (feels(job, group))
        restore_felt(ended, sensors_of(job, group), &kept->felt, &g->felt);
}

/* Battery, actuators and mass, hull or fish, and what is kept of its way. */
static void move_group(const fm_lanes_job *job, group_state *g, int actuates)
{
    (void)job;
    fm_craft_state state = view(g);
    const fm_craft *c = &g->craft;
    fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
    if (actuates) {
        if (c->has_battery)
            (void)fm_craft_draw(c, &state);
        fm_craft_actuate(c, &state);
        if (c->body.hydro.sparse)
            fm_sparse_fold(&g->sparse, g->input.fin);
        if (c->moving_count)
            fm_craft_weigh(c, g->actuators, &g->mass);
    }
#if defined(FM_FISH)
    fm_stream_room room;
    fm_stream_room_clear(&room);
    fm_fish_move(&g->fish, g->actuators, g->faults, fm_habitat_at(&g->habitat, &c->body, 0, &g->body, &room)->velocity,
                 c->step_s, &g->words, &g->body);
#elif defined(FM_CHAIN)
    if (g->chain.craft.diver)
        fm_diver_step(g->chain.craft.diver, g->input.fin[1], g->charge, &g->habitat, &c->body, c->substeps, c->step_s,
                      &g->chain.kept.words, &g->body);
    else
        (void)fm_habitat_integrate(&g->habitat, c, c->moving_count ? &g->mass : c->mass, &state);
#else
    (void)fm_craft_integrate(c, c->moving_count ? &g->mass : c->mass, &g->input, NULL, &g->water, &g->body);
#endif
    fm_mask sound = fm_tally_add(&g->tally, &c->body, &g->body, before);
    if (c->body.euler)
        sound = sound & fm_body_posture_sound(g->body.attitude);
    g->bad = fm_select(sound, g->bad, fm_const(1));
#ifdef FM_CHAIN
    if (g->habitat.gained) /* only a world knows the wall that pushes it */
        g->bad = fm_select(g->habitat.gained[6] > fm_const(0), fm_const(1), g->bad);
#endif
}

static fm_real *over_of(const fm_lanes_job *job, size_t group, group_state *g)
{
#ifdef FM_CHAIN
    return feels(job, group) ? &g->felt.touch.over : &g->chain.kept.touch.over;
#else
    (void)job, (void)group;
    return &g->felt.touch.over;
#endif
}

#ifdef FM_CHAIN
/* One that feels walls, where more than walls act. */
static __attribute__((noinline)) void step_stirred(const fm_lanes_job *job, group_state *g, const fm_real before[3],
                                                   const fm_feeler_moment *now)
{
    fm_stirred_step(&g->stirred, &g->habitat, &g->craft.body, &g->body, g->here, now, &g->felt, g->actuators);
    move_group(job, g, 1);
    fm_feeler_conclude(&g->stirred.feeler, &g->craft.body, before, &g->body, now->tick, &g->felt);
}
#endif

/* Senses, decides and measures, moves, and sees what it came near. */
static void step_whole(const fm_lanes_job *job, size_t group, group_state *g, const fm_feeler_moment *now)
{
    const fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
#ifdef FM_CHAIN
    fm_habitat_begin_step(&g->habitat, now->seeds, now->ages);
    fm_habitat_water(&g->habitat, g->body.position, g->here);
    if (feels(job, group)) {
        step_stirred(job, g, before, now);
        return;
    }
    fm_chain_step(&g->chain, &g->craft.body, &g->body, g->here, now, g->actuators);
    move_group(job, g, 1);
    fm_chain_conclude(&g->chain, &g->craft.body, before, &g->body, now->tick);
#else
    (void)group;
    fm_feeler_step(&g->feeler, &g->craft.body, &g->body, g->water.velocity, now, &g->felt, g->actuators);
    move_group(job, g, 1);
    fm_feeler_conclude(&g->feeler, &g->craft.body, before, &g->body, now->tick, &g->felt);
#endif
}

/* Vehicles with what steers them; runs that have ended stay as they are. */
static __attribute__((noinline)) void step_runs(const fm_lanes_job *job, size_t group, group_state *g)
{
    uint64_t *ages = job->ages + group * FM_LANES;
    fm_feeler_moment now = {job->seeds + group * FM_LANES, ages, 0};
    ended_state kept;
    for (uint64_t k = 0; k < job->steps; k++) {
        fm_mask over = *over_of(job, group, g) > fm_const(0.5);
        int any = fm_any(over);
        if (any)
            keep_ended(job, group, g, &kept);
        now.tick = ages[0];
        if (!any || fm_any(over == 0))
            step_whole(job, group, g, &now);
        if (any)
            restore_ended(job, group, over, &kept, g);
        for (int i = 0; i < FM_LANES; i++)
            ages[i]++;
    }
}

#ifndef FM_CHAIN
/* Actuators without dynamics are where they were ordered to be after the first step; only the hull moves then. */
static void step_plainly(const fm_lanes_job *job, size_t group, group_state *g)
{
    const fm_craft *c = &g->craft;
    int settles = !c->has_dynamics && !c->has_battery && !c->moving_count;
    for (uint64_t k = 0; k < job->steps; k++)
        move_group(job, g, k == 0 || !settles);
    for (int i = 0; i < FM_LANES; i++)
        job->ages[group * FM_LANES + (size_t)i] += job->steps;
}
#endif

static void step_group(const fm_lanes_job *job, size_t group)
{
    group_state g;
    load_group(job, group, &g);
#ifndef FM_FISH
    if (!g.craft.moving_count)
        fm_body_know(&g.craft.body, g.craft.mass, &g.water);
#ifdef FM_CHAIN
    if (fm_habitat_varies(&g.habitat))
        g.craft.body.still = 0;
#endif
    g.craft.body.hydro.strip_count = fm_hydro_strips(&g.craft.body.hydro);
    if (fm_sparse_fill(&g.craft.body.hydro, &g.sparse))
        g.craft.body.hydro.sparse = &g.sparse;
#endif
#ifdef FM_CHAIN
    step_runs(job, group, &g);
#else
    if (feels(job, group))
        step_runs(job, group, &g);
    else
        step_plainly(job, group, &g);
#endif
    store_group(job, group, &g);
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
#if defined(FM_FISH)
                                       .kernel = FM_LANES_FISH,
#elif defined(FM_CHAIN)
                                       .kernel = FM_LANES_CHAIN,
#endif
                                       .head = make_head,
                                       .fill = fill_block,
                                       .begin = begin_group,
                                       .step = step_group};
