/* One vehicle per thread, all of one type whose numbers are constants: compiled for it at run time (cuda/blocks.c
 * writes baked.h). Its loops are unrolled, coefficients that are 0 generate no code, and its state stays in
 * registers. */
#define FM_DEEP /* no vehicle near the surface is handled here: it is left to cuda/kernel.h */
#include "base/random.h"
#include "batch/lanes.h"
#include "physics/vehicle.h"
/* in numbers of the types above */
#include "baked.h"

enum { FM_THREAD_ACTUATORS = FM_BAKED_ACTUATORS + 1 };

typedef struct fm_thread_state {
    fm_body_state body;
    fm_body_input input;
    fm_actuator_state actuators[FM_THREAD_ACTUATORS];
    fm_actuator_fault faults[FM_THREAD_ACTUATORS];
    fm_real charge, power, bad;
    fm_stream water;
    fm_tally tally;
    fm_craft craft; /* constants */
    int rests;      /* the actuators are where they were ordered to be */
} fm_thread_state;

#define FM_AT(row) numbers[(size_t)(row)*job.stride + i]

/* Its vehicle. */
static __device__ __forceinline__ size_t fm_fast_number()
{
    return blockIdx.x * (size_t)blockDim.x + threadIdx.x;
}

static __device__ void fm_thread_load(const fm_lanes_job &job, size_t i, fm_thread_state *g)
{
    const fm_real *numbers = (const fm_real *)job.numbers;
    const fm_batch_rows &r = job.rows;
    for (int k = 0; k < 3; k++) {
        g->body.position[k] = FM_AT(r.state + k);
        g->water.velocity[k] = FM_AT(r.current + k);
        g->water.acceleration[k] = 0;
    }
    for (int k = 0; k < 4; k++)
        g->body.attitude[k] = FM_AT(r.state + 3 + k);
    for (int k = 0; k < 6; k++)
        g->body.velocity[k] = FM_AT(r.state + 7 + k);
    g->water.turn[0] = g->water.turn[1] = g->water.surface = 0;
    g->water.along = NULL;
    g->water.memory = NULL;
    g->water.near = 0;
    g->tally.distance = FM_AT(r.tally);
    g->tally.max_depth = FM_AT(r.tally + 1);
    g->tally.max_speed_squared = FM_AT(r.tally + 2);
    g->tally.peak_sine_pitch = FM_AT(r.tally + 3);
    g->bad = FM_AT(r.bad);
    g->charge = FM_AT(r.charge);
    g->power = FM_AT(r.power);
    FM_UNROLL for (int k = 0; k <= 2 * FM_FINS; k++) g->input.fin[k] = k == 0;
    g->input.density_ratio = 1;
}

static __device__ void fm_thread_load_actuators(const fm_lanes_job &job, size_t i, int actuators, fm_thread_state *g)
{
    const fm_real *numbers = (const fm_real *)job.numbers;
    const fm_batch_rows &r = job.rows;
    FM_UNROLL for (int a = 0; a < actuators; a++)
    {
        g->actuators[a].order = FM_AT(r.orders + a);
        g->actuators[a].value = FM_AT(r.values + a);
        g->actuators[a].rate = FM_AT(r.rates + a);
        g->actuators[a].force = FM_AT(r.forces + a);
        g->faults[a].efficiency = FM_AT(r.faults + 3 * a);
        g->faults[a].stuck = FM_AT(r.faults + 3 * a + 1);
        g->faults[a].reversed = FM_AT(r.faults + 3 * a + 2);
    }
}

static __device__ void fm_thread_store(const fm_lanes_job &job, size_t i, const fm_thread_state *g)
{
    fm_real *numbers = (fm_real *)job.numbers;
    const fm_batch_rows &r = job.rows;
    for (int k = 0; k < 3; k++)
        FM_AT(r.state + k) = g->body.position[k];
    for (int k = 0; k < 4; k++)
        FM_AT(r.state + 3 + k) = g->body.attitude[k];
    for (int k = 0; k < 6; k++)
        FM_AT(r.state + 7 + k) = g->body.velocity[k];
    FM_AT(r.tally) = g->tally.distance;
    FM_AT(r.tally + 1) = g->tally.max_depth;
    FM_AT(r.tally + 2) = g->tally.max_speed_squared;
    FM_AT(r.tally + 3) = g->tally.peak_sine_pitch;
    FM_AT(r.bad) = g->bad;
    FM_AT(r.charge) = g->charge;
    FM_AT(r.power) = g->power;
}

static __device__ void fm_thread_store_actuators(const fm_lanes_job &job, size_t i, int actuators,
                                                 const fm_thread_state *g)
{
    fm_real *numbers = (fm_real *)job.numbers;
    const fm_batch_rows &r = job.rows;
    FM_UNROLL for (int a = 0; a < actuators; a++)
    {
        FM_AT(r.orders + a) = g->actuators[a].order;
        FM_AT(r.values + a) = g->actuators[a].value;
        FM_AT(r.rates + a) = g->actuators[a].rate;
        FM_AT(r.forces + a) = g->actuators[a].force;
    }
}

/* --- the policy of physics/advance.h: in water of one density, without force terms --- */

FM_FN const fm_craft *fm_thread_craft(const fm_thread_state *g)
{
    return &g->craft;
}

FM_FN fm_craft_state fm_thread_view(fm_thread_state *g)
{
    return fm_craft_state{&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
}

FM_FN int fm_thread_rests(const fm_thread_state *g)
{
    return g->rests;
}

FM_FN fm_real fm_thread_integrate(fm_thread_state *g, const fm_mass *mass, const fm_real *thrust)
{
    const fm_body_problem problem = {&g->craft.body, mass, &g->input, &g->water, thrust, NULL};
    fm_body_step_once((enum fm_integrator)FM_BAKED_INTEGRATOR, &problem, 0, g->craft.step_s, &g->body);
    return 1;
}

FM_FN fm_tally fm_thread_tally(const fm_thread_state *g)
{
    return g->tally;
}

FM_FN void fm_thread_conclude(fm_thread_state *g, fm_real, bool sound, const fm_tally *tally)
{
    g->tally = *tally;
    if (!sound)
        g->bad = 1;
}

#define fm_thread_emptied(g, where) (void)(where)
#define fm_thread_order(g) (void)0
#define fm_thread_actuated(g) (void)0
#define fm_thread_weigh(g) (g)->craft.mass
#define fm_thread_layered(g) 0
#define fm_thread_density(g) 0
#define fm_thread_nominal(g) 1
#define fm_thread_temperature(g) 0
#define fm_thread_pushed(g) 0
#define fm_thread_push(g, density, force, air) (void)(density), (void)(air)
#define fm_thread_pull(g, force) (void)0

#define FM_POLICY_TYPE fm_thread_state
#define FM_POLICY(name) fm_thread_##name
#include "physics/advance.h"

/* Whether it cannot reach the surface within a step. */
static __device__ bool fm_thread_is_deep(const fm_craft &craft, const fm_body_state &body)
{
    fm_real speed = fm_abs(body.velocity[0]) + fm_abs(body.velocity[1]) + fm_abs(body.velocity[2]);
    return body.position[2] > craft.body.hull.reach + 4 * craft.step_s * (speed + 1);
}

/* Blocks of 128 threads that share the registers of a multiprocessor: measured optimum on an H200. */
enum { FM_FAST_BLOCKS = sizeof(fm_real) == 4 ? 5 : 4 };

/* Steps until the surface can be reached within one; the remaining number goes to `rest` for the general kernel. */
extern "C" __global__ void __launch_bounds__(128, FM_FAST_BLOCKS)
    fm_cuda_fast(fm_lanes_job job, size_t count, uint32_t *rest)
{
    const size_t i = fm_fast_number();
    if (i >= count)
        return;
    fm_thread_state g;
    g.craft = fm_baked_craft();
    fm_thread_load(job, i, &g);
    fm_thread_load_actuators(job, i, FM_BAKED_ACTUATORS, &g);
    const int settles = !g.craft.has_dynamics && !g.craft.has_battery;
    uint32_t k = 0;
    if (settles && job.steps > 0 && fm_thread_is_deep(g.craft, g.body)) {
        const fm_craft_state state = fm_thread_view(&g);
        fm_craft_actuate(&g.craft, &state);
        fm_thread_store_actuators(job, i, FM_BAKED_ACTUATORS, &g); /* so that they need no registers from here on */
    }
    g.rests = settles;
    for (; k < job.steps && fm_thread_is_deep(g.craft, g.body); k++)
        fm_mover_advance(&g);
    rest[i] = (uint32_t)job.steps - k;
    fm_thread_store(job, i, &g);
    if (!settles)
        fm_thread_store_actuators(job, i, FM_BAKED_ACTUATORS, &g);
    job.ages[i] += k;
}
