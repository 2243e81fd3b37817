/* One build of the vehicle kernel for a batch: cmake/Lanes.cmake compiles this file several times and defines FM_LANES,
 * FM_LANES_SET, FM_LANES_BUILD and, where it applies, FM_FLOAT and FM_ONE_TYPE, or FM_CHAIN and FM_OWN_BODY (member.h).
 * docs/design.md, "Batches". */
#include <string.h>

#include "batch/member.h"
#ifdef FM_CHAIN
#include "control/allocation.h"
#endif

static const fm_flat *flat_of(const fm_lanes_job *job, size_t group)
{
    return (const fm_flat *)(const void *)((const char *)job->types + group * job->type_bytes);
}

static void open_group(const fm_lanes_job *job, size_t group, fm_member *g)
{
    fm_member_open(job, flat_of(job, group), group, g);
#ifdef FM_CHAIN
    g->chain.craft.pilot.thrusters.solve = fm_allocation_solve;
#endif
}

/* --- what a batch calls --- */

static __attribute__((noinline)) void begin_group(const fm_lanes_job *job, size_t group)
{
    fm_member g;
    open_group(job, group, &g);
    fm_craft_state state = fm_member_view(&g);
    fm_craft_begin(&g.craft, &state);
#ifdef FM_CHAIN
    memset((void *)g.drift, 0, sizeof g.drift);
    fm_surroundings_water(&g.surroundings, g.body.position, g.here);
#endif
#ifdef FM_OWN_BODY
    fm_own_begin(&g.own, g.here, g.actuators, &g.body);
#endif
    g.tally.distance = g.tally.max_speed_squared = g.bad = fm_const(0);
    g.tally.max_depth = g.body.position[2];
    g.tally.peak_sine_pitch = fm_body_sine_pitch(&g.craft.body, g.body.attitude);
    g.mass = *g.craft.mass;
#ifdef FM_CHAIN
    fm_member_load_rows(job, job->rows.chain, group, &g.chain.kept, job->rows.suite - job->rows.chain);
    fm_chain_begin(&g.chain, &g.craft.body, &g.body, g.here);
#endif
    fm_touch_begin(&g.around, &g.craft.body, &g.body, &g.touch);
#ifndef FM_FEELS
    if (fm_member_feels(&g))
#ifdef FM_CHAIN
        fm_feeler_flow_begin(&g.feeler_flow, &g.surroundings, &g.craft.body, &g.body, g.here, &g.felt);
#else
        fm_feeler_begin(&g.feeler, &g.craft.body, &g.body, g.water.velocity, &g.felt);
#endif
#endif
    fm_member_store(job, &g);
    fm_member_store_rows(job, job->rows.faults, group, g.faults, 3 * (size_t)job->rows.actuators);
    fm_member_observe(job, g.flat, group);
}

/* --- steps --- */

/* Runs that have ended keep their final values. */
typedef struct ended_state {
    fm_body_state body;
    fm_tally tally;
    fm_real charge, power, bad;
    fm_actuator_state actuators[FM_MEMBER_ACTUATORS];
    fm_mass mass;
    fm_touch_kept touch;
#ifdef FM_CHAIN
    fm_chain_kept kept;
    fm_suite_kept suite;
    fm_real laws[FM_LAW_KEPT];
#endif
#ifndef FM_FEELS
    fm_feeler_state felt;
#endif
#ifdef FM_OWN_BODY
    fm_real words[FM_OWN_WORDS];
#endif
} ended_state;

static __attribute__((noinline)) void keep_ended(const fm_member *g, ended_state *kept)
{
    kept->body = g->body;
    kept->tally = g->tally;
    kept->charge = g->charge, kept->power = g->power, kept->bad = g->bad;
    memcpy((void *)kept->actuators, (const void *)g->actuators, sizeof kept->actuators);
    if (g->craft.moving_count)
        kept->mass = g->mass;
    kept->touch = g->touch;
#ifdef FM_CHAIN
    kept->kept = g->chain.kept;
    if (g->chain.craft.suite.p)
        kept->suite = g->chain.suite;
    memcpy((void *)kept->laws, (const void *)g->chain.laws, sizeof kept->laws);
#endif
#ifdef FM_OWN_BODY
    memcpy((void *)kept->words, (const void *)&g->own.words, sizeof kept->words);
#endif
#ifndef FM_FEELS
    if (fm_member_feels(g))
        kept->felt = g->felt;
#endif
}

#ifndef FM_FEELS
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
#endif

static void restore_numbers(fm_mask ended, const void *kept, void *to, size_t count)
{
    const fm_real *from = kept;
    fm_real *numbers = to;
    for (size_t i = 0; i < count; i++)
        numbers[i] = fm_select(ended, from[i], numbers[i]);
}

static __attribute__((noinline)) void restore_ended(uint32_t actuators, fm_mask ended, const ended_state *kept,
                                                    fm_member *g)
{
    fm_body_select(ended, &kept->body, &g->body);
    restore_numbers(ended, &kept->tally, &g->tally, sizeof g->tally / sizeof(fm_real));
    restore_numbers(ended, kept->actuators, g->actuators, actuators * (sizeof *g->actuators / sizeof(fm_real)));
    g->charge = fm_select(ended, kept->charge, g->charge);
    g->power = fm_select(ended, kept->power, g->power);
    g->bad = fm_select(ended, kept->bad, g->bad);
    if (g->craft.moving_count)
        restore_numbers(ended, &kept->mass, &g->mass, FM_MASS_NUMBERS);
    restore_numbers(ended, &kept->touch, &g->touch, FM_TOUCH_KEPT);
#ifdef FM_OWN_BODY
    restore_numbers(ended, kept->words, &g->own.words, FM_OWN_WORDS);
#endif
#ifdef FM_CHAIN
    restore_numbers(ended, &kept->kept, &g->chain.kept, FM_CHAIN_KEPT);
    restore_numbers(ended, &kept->suite, &g->chain.suite, fm_flat_suite_rows(g->flat));
    restore_numbers(ended, kept->laws, g->chain.laws, FM_LAW_KEPT);
#endif
#ifndef FM_FEELS
    if (fm_member_feels(g))
        restore_felt(ended, (int)g->flat->count[FM_FLAT_SENSORS], &kept->felt, &g->felt);
#endif
}

/* Vehicles with everything that steers them; runs that have ended stay as they are. */
static __attribute__((noinline)) void step_runs(const fm_lanes_job *job, fm_member *g)
{
    uint64_t *ages = job->ages + g->number * FM_LANES;
    fm_step_moment now = {job->seeds + g->number * FM_LANES, ages, 0};
    ended_state kept;
    for (uint64_t k = 0; k < job->steps; k++) {
        fm_mask over = fm_member_over(g) > fm_const(0.5);
        int any = fm_any(over);
        if (any)
            keep_ended(g, &kept);
        now.tick = ages[0];
        if (!any || fm_any(over == 0))
            fm_member_step(g, &now);
        if (any)
            restore_ended(job->rows.actuators, over, &kept, g);
        for (int i = 0; i < FM_LANES; i++)
            ages[i]++;
    }
}

#ifndef FM_CHAIN
/* Actuators without dynamics are at their orders after the first step; from then on only the hull moves. */
static void step_plainly(const fm_lanes_job *job, fm_member *g)
{
    const fm_craft *c = &g->craft;
    int settles = !c->has_dynamics && !c->has_battery && !c->moving_count;
    for (uint64_t k = 0; k < job->steps; k++) {
        g->rests = k > 0 && settles;
        fm_member_move(g);
    }
    for (int i = 0; i < FM_LANES; i++)
        job->ages[g->number * FM_LANES + (size_t)i] += job->steps;
}
#endif

/* Determined before the steps: terms that are not 0, water that does not change. */
static void prepare_group(fm_member *g)
{
#ifdef FM_OWN_BODY
    (void)g;
#else
    if (!g->craft.moving_count)
        fm_body_know(&g->craft.body, g->craft.mass, &g->water);
#ifdef FM_CHAIN
    if (fm_surroundings_varies(&g->surroundings))
        g->craft.body.still = 0;
#endif
    g->craft.body.hydro.strip_count = fm_hydro_strips(&g->craft.body.hydro);
    if (fm_sparse_fill(&g->craft.body.hydro, &g->sparse))
        g->craft.body.hydro.sparse = &g->sparse;
#endif
}

static __attribute__((noinline)) void step_group(const fm_lanes_job *job, size_t group)
{
    fm_member g;
    open_group(job, group, &g);
    fm_member_load(job, &g);
    prepare_group(&g);
#ifdef FM_CHAIN
    step_runs(job, &g);
#else
    if (fm_member_feels(&g))
        step_runs(job, &g);
    else
        step_plainly(job, &g);
#endif
    fm_member_store(job, &g);
    fm_member_observe(job, g.flat, group);
}

/* Numbers below the least normal float count as 0 in float: a processor takes several times as long for them, and an
 * idle vehicle has many. Double keeps the bits of a world. Returns the mode of the processor before. */
#if defined(FM_FLOAT) && defined(__SSE__)
static uint64_t enter_kernel(void)
{
    const unsigned mode = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode | 0x8040u); /* flush to zero, denormals are zero */
    return mode;
}

static void leave_kernel(uint64_t mode)
{
    __builtin_ia32_ldmxcsr((unsigned)mode);
}
#elif defined(FM_FLOAT) && defined(__aarch64__)
static uint64_t enter_kernel(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | UINT64_C(1) << 24)); /* FZ */
    return mode;
}

static void leave_kernel(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}
#else
static uint64_t enter_kernel(void)
{
    return 0;
}

static void leave_kernel(uint64_t mode)
{
    (void)mode;
}
#endif

static void begin(const fm_lanes_job *job, size_t group)
{
    const uint64_t mode = enter_kernel();
    begin_group(job, group);
    leave_kernel(mode);
}

static void step(const fm_lanes_job *job, size_t group)
{
    const uint64_t mode = enter_kernel();
    step_group(job, group);
    leave_kernel(mode);
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
#if defined(FM_OWN_BODY)
                                       .kernel = FM_LANES_OWN,
#elif defined(FM_CHAIN)
                                       .kernel = FM_LANES_CHAIN,
#endif
                                       .head = make_head,
                                       .fill = fill_block,
                                       .begin = begin,
                                       .step = step};
