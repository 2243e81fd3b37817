/* One vehicle a thread: the vehicle kernel over the table of a batch. Compiled by nvcc, in double and with FM_FLOAT in
 * float, for any type, and with FM_CHAIN for those with a chain (physics/chain.h) or in water that differs from place
 * to place (physics/habitat.h), with FM_FISH too for robotic fish (physics/fish_flat.h); and at run time by NVRTC for
 * one type alone, whose numbers are constants then (FM_BAKED).
 */
#ifdef FM_BAKED
#define FM_DEEP /* nobody comes near the surface here: such vehicles are left to the kernel for any type */
#endif
#include "base/random.h"
#include "batch/lanes.h"
#ifdef FM_CHAIN
#include "physics/chain.h"
#include "physics/stirred.h"
#endif
#ifdef FM_FISH
#include "physics/fish_flat.h"
#endif
#ifndef FM_BAKED
#include "physics/flat.h"
#endif
#include "physics/vehicle.h"

#ifdef FM_BAKED
#include "baked.h"
enum { FM_THREAD_ACTUATORS = FM_BAKED_ACTUATORS + 1 };
#else
enum { FM_THREAD_ACTUATORS = 64 };
#endif

typedef struct fm_thread_state {
    fm_body_state body;
    fm_body_input input;
    fm_actuator_state actuators[FM_THREAD_ACTUATORS];
    fm_actuator_fault faults[FM_THREAD_ACTUATORS];
    fm_real charge, power, bad;
    fm_stream water;
    fm_tally tally;
} fm_thread_state;

#define FM_AT(row) numbers[(size_t)(row)*job.stride + i]

/* Its vehicle. */
static __device__ __forceinline__ size_t fm_thread_number()
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

#ifdef FM_BAKED

/* Whether it cannot reach the surface within a step. */
static __device__ bool fm_thread_is_deep(const fm_craft &craft, const fm_body_state &body)
{
    fm_real speed = fm_abs(body.velocity[0]) + fm_abs(body.velocity[1]) + fm_abs(body.velocity[2]);
    return body.position[2] > craft.body.hull.reach + 4 * craft.step_s * (speed + 1);
}

/* Blocks of 128 threads that share the registers of a multiprocessor: as measured on an H200. */
enum { FM_FAST_BLOCKS = sizeof(fm_real) == 4 ? 5 : 4 };

/* Steps as long as the surface cannot be reached within one; the rest is left in `rest` for the kernel for any type. */
extern "C" __global__ void __launch_bounds__(128, FM_FAST_BLOCKS)
    fm_cuda_fast(fm_lanes_job job, size_t count, uint32_t *rest)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    const fm_craft craft = fm_baked_craft();
    fm_thread_state g;
    fm_thread_load(job, i, &g);
    fm_thread_load_actuators(job, i, FM_BAKED_ACTUATORS, &g);
    fm_craft_state state = {&g.body, &g.input, g.actuators, g.faults, &g.charge, &g.power};
    const int settles = !craft.has_dynamics && !craft.has_battery;
    fm_body_problem problem = {&craft.body, craft.mass, &g.input, &g.water, NULL, NULL};
    uint32_t k = 0;
    if (settles && job.steps > 0 && fm_thread_is_deep(craft, g.body)) {
        fm_craft_actuate(&craft, &state);
        fm_thread_store_actuators(job, i, FM_BAKED_ACTUATORS, &g); /* so that they need no registers from here on */
    }
    for (; k < job.steps && fm_thread_is_deep(craft, g.body); k++) {
        fm_real before[3] = {g.body.position[0], g.body.position[1], g.body.position[2]};
        if (!settles) {
            if (craft.has_battery)
                (void)fm_craft_draw(&craft, &state);
            fm_craft_actuate(&craft, &state);
        }
        fm_body_step_once((enum fm_integrator)FM_BAKED_INTEGRATOR, &problem, 0, craft.step_s, &g.body);
        if (!fm_tally_add(&g.tally, &craft.body, &g.body, before))
            g.bad = 1;
    }
    rest[i] = (uint32_t)job.steps - k;
    fm_thread_store(job, i, &g);
    if (!settles)
        fm_thread_store_actuators(job, i, FM_BAKED_ACTUATORS, &g);
    job.ages[i] += k;
}

#else

static __device__ __forceinline__ const fm_flat *fm_thread_type(const fm_lanes_job &job, const uint32_t *variants,
                                                                size_t i)
{
    const char *types = (const char *)job.types + (variants ? variants[i] * job.type_bytes : 0);
    return (const fm_flat *)(const void *)types;
}

static __device__ __forceinline__ void fm_thread_take(const fm_lanes_job &job, size_t i, int actuators,
                                                      fm_thread_state *g)
{
    fm_thread_load(job, i, g);
    fm_thread_load_actuators(job, i, actuators, g);
}

static __device__ __forceinline__ void fm_thread_give(const fm_lanes_job &job, size_t i, int actuators,
                                                      const fm_thread_state *g)
{
    fm_thread_store(job, i, g);
    fm_thread_store_actuators(job, i, actuators, g);
}

/* Rows from one on as numbers one after the other, and back. */
static __device__ __forceinline__ void fm_thread_read(const fm_lanes_job &job, size_t i, uint32_t row, uint32_t count,
                                                      void *to)
{
    const fm_real *numbers = (const fm_real *)job.numbers;
    for (uint32_t k = 0; k < count; k++)
        ((fm_real *)to)[k] = FM_AT(row + k);
}

static __device__ __forceinline__ void fm_thread_write(const fm_lanes_job &job, size_t i, uint32_t row, uint32_t count,
                                                       const void *from)
{
    fm_real *numbers = (fm_real *)job.numbers;
    for (uint32_t k = 0; k < count; k++)
        FM_AT(row + k) = ((const fm_real *)from)[k];
}

#ifndef FM_FISH

/* What is kept of a body's way from `before` (m, NED), and whether it can go on. */
static __device__ __forceinline__ void fm_thread_note(const fm_craft &craft, const fm_real before[3],
                                                      fm_thread_state *g)
{
    if (!fm_tally_add(&g->tally, &craft.body, &g->body, before) ||
        (craft.body.euler && !fm_body_posture_sound(g->body.attitude)))
        g->bad = 1;
}

#endif

#ifdef FM_CHAIN

/* What is around it. */
static __device__ fm_habitat fm_thread_habitat(const fm_lanes_job &job, size_t i, const fm_flat *flat,
                                               const fm_stream *fixed, fm_real *kept)
{
    fm_habitat h = fm_flat_habitat(flat, fixed, kept, job.walls);
    fm_habitat_take_waves(&h, (const fm_real *)job.numbers + job.rows.waves * job.stride + i, job.stride);
    return h;
}

#ifdef FM_FISH

/* Battery, actuators, the fish in its water, and what is kept of its way. */
static __device__ __noinline__ void fm_thread_swim(const fm_craft &craft, const fm_fish_craft &fish,
                                                   const fm_habitat &habitat, fm_thread_state *g, fm_fish_words *words)
{
    fm_craft_state state = {&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
    fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
    fm_stream_room room;
    fm_stream_room_clear(&room);
    if (craft.has_battery)
        (void)fm_craft_draw(&craft, &state);
    fm_craft_actuate(&craft, &state);
    const fm_stream *water = fm_habitat_at(&habitat, &craft.body, 0, &g->body, &room);
    fm_fish_move(&fish, g->actuators, g->faults, water->velocity, craft.step_s, words, &g->body);
    if (!fm_tally_add(&g->tally, &craft.body, &g->body, before))
        g->bad = 1;
}

#else

/* Battery, actuators, the diving model in place of a body, and what is kept of its way. */
static __device__ __noinline__ void fm_thread_dive(const fm_craft &craft, const fm_habitat &habitat,
                                                   const fm_diver *diver, fm_thread_state *g, fm_diver_words *words)
{
    fm_craft_state state = {&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
    fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
    if (craft.has_battery)
        (void)fm_craft_draw(&craft, &state);
    fm_craft_actuate(&craft, &state);
    fm_diver_step(diver, g->input.fin[1], g->charge, &habitat, &craft.body, craft.substeps, craft.step_s, words,
                  &g->body);
    if (!fm_tally_add(&g->tally, &craft.body, &g->body, before))
        g->bad = 1;
}

/* Battery, actuators and mass, hull in its water and under its forces, and what is kept of its way. */
static __device__ __noinline__ void fm_thread_move_in(const fm_craft &craft, const fm_habitat &habitat,
                                                      fm_thread_state *g, fm_mass *mass)
{
    fm_craft_state state = {&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
    fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
    if (craft.has_battery)
        (void)fm_craft_draw(&craft, &state);
    fm_craft_actuate(&craft, &state);
    if (craft.moving_count)
        fm_craft_weigh(&craft, g->actuators, mass);
    (void)fm_habitat_integrate(&habitat, &craft, craft.moving_count ? mass : craft.mass, &state);
    fm_thread_note(craft, before, g);
    if (habitat.gained && habitat.gained[6] > 0) /* only a world knows the wall that pushes it */
        g->bad = 1;
}

/* What one that feels walls keeps, of its rows and into them. */
static __device__ __noinline__ void fm_thread_read_felt(const fm_lanes_job &job, size_t i, int sensors,
                                                        fm_feeler_state *felt)
{
    const fm_real *numbers = (const fm_real *)job.numbers;
    uint32_t row = job.rows.feeler;
#define FM_LOAD(x) (x) = FM_AT(row), row++
    FM_FEELER_EACH(felt, sensors, FM_LOAD);
#undef FM_LOAD
}

static __device__ __noinline__ void fm_thread_write_felt(const fm_lanes_job &job, size_t i, int sensors,
                                                         fm_feeler_state *felt)
{
    fm_real *numbers = (fm_real *)job.numbers;
    uint32_t row = job.rows.feeler;
#define FM_STORE(x) FM_AT(row) = (x), row++
    FM_FEELER_EACH(felt, sensors, FM_STORE);
#undef FM_STORE
}

#endif

/* Vehicles with what physics/chain.h has: they sense, decide and measure before they move. */
static __global__ void __launch_bounds__(128) fm_cuda_chain(fm_lanes_job job, const uint32_t *variants, size_t count)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    const fm_flat *flat = fm_thread_type(job, variants, i);
    fm_craft craft = fm_flat_open(flat);
    fm_thread_state g;
    fm_chain_state chain;
    fm_mass mass;
    fm_real drift[FM_HABITAT_KEPT], here[3];
    const fm_batch_rows &r = job.rows;
    fm_habitat habitat = fm_thread_habitat(job, i, flat, &g.water, drift);
    uint64_t age = job.ages[i];
    fm_chain_moment now = {&job.seeds[i], &age, 0};
    chain.craft = fm_flat_chain(flat);
    fm_thread_take(job, i, craft.actuator_count, &g);
    chain.kept.touch.over = 0;
    fm_thread_read(job, i, r.chain, r.navigated - r.chain, &chain.kept);
    fm_thread_read(job, i, r.navigated, r.drift - r.navigated, &chain.navigated);
    fm_thread_read(job, i, r.drift, r.count - r.drift, drift);
    fm_thread_read(job, i, job.rows.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
#ifdef FM_FISH
    fm_fish_elongated_params theory;
    const fm_fish_craft fish = fm_flat_fish(flat, &theory);
    fm_fish_words words;
    fm_thread_read(job, i, r.fish, FM_FISH_WORDS, &words);
#endif
    for (uint64_t k = 0; k < job.steps && !(chain.kept.touch.over > 0); k++, age++) {
        const fm_real before[3] = {g.body.position[0], g.body.position[1], g.body.position[2]};
        now.tick = age;
        fm_habitat_begin_step(&habitat, &job.seeds[i], &age);
        fm_habitat_water(&habitat, g.body.position, here);
        fm_chain_step(&chain, &craft.body, &g.body, here, &now, g.actuators);
#ifdef FM_FISH
        fm_thread_swim(craft, fish, habitat, &g, &words);
#else
        if (chain.craft.diver)
            fm_thread_dive(craft, habitat, chain.craft.diver, &g, &chain.kept.words);
        else
            fm_thread_move_in(craft, habitat, &g, &mass);
#endif
        fm_chain_conclude(&chain, &craft.body, before, &g.body, age);
    }
    fm_thread_give(job, i, craft.actuator_count, &g);
    fm_thread_write(job, i, r.chain, r.navigated - r.chain, &chain.kept);
    fm_thread_write(job, i, r.navigated, r.drift - r.navigated, &chain.navigated);
    fm_thread_write(job, i, r.drift, r.count - r.drift, drift);
#ifdef FM_FISH
    fm_thread_write(job, i, r.fish, FM_FISH_WORDS, &words);
#endif
    fm_thread_write(job, i, job.rows.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
    job.ages[i] = age;
}

#ifndef FM_FISH

/* Vehicles that feel walls in water that is not the same everywhere, or under forces (physics/stirred.h). */
static __global__ void __launch_bounds__(128) fm_cuda_stirred(fm_lanes_job job, const uint32_t *variants, size_t count)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    const fm_flat *flat = fm_thread_type(job, variants, i);
    const fm_stirred_craft stirred = fm_flat_stirred(flat, job.walls);
    const int sensors = stirred.feeler.p->sensors;
    const fm_batch_rows &r = job.rows;
    fm_craft craft = fm_flat_open(flat);
    fm_thread_state g;
    fm_feeler_state felt;
    fm_mass mass;
    fm_real drift[FM_HABITAT_KEPT], here[3];
    fm_habitat habitat = fm_thread_habitat(job, i, flat, &g.water, drift);
    uint64_t age = job.ages[i];
    fm_feeler_moment now = {&job.seeds[i], &age, 0};
    fm_thread_take(job, i, craft.actuator_count, &g);
    fm_thread_read_felt(job, i, sensors, &felt);
    fm_thread_read(job, i, r.drift, r.count - r.drift, drift);
    fm_thread_read(job, i, r.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
    for (uint64_t k = 0; k < job.steps && !(felt.touch.over > 0); k++, age++) {
        const fm_real before[3] = {g.body.position[0], g.body.position[1], g.body.position[2]};
        now.tick = age;
        fm_habitat_begin_step(&habitat, &job.seeds[i], &age);
        fm_habitat_water(&habitat, g.body.position, here);
        fm_stirred_step(&stirred, &habitat, &craft.body, &g.body, here, &now, &felt, g.actuators);
        fm_thread_move_in(craft, habitat, &g, &mass);
        fm_feeler_conclude(&stirred.feeler, &craft.body, before, &g.body, age, &felt);
    }
    fm_thread_give(job, i, craft.actuator_count, &g);
    fm_thread_write_felt(job, i, sensors, &felt);
    fm_thread_write(job, i, r.drift, r.count - r.drift, drift);
    fm_thread_write(job, i, r.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
    job.ages[i] = age;
}

#endif

#else

static __device__ __noinline__ void fm_thread_move(const fm_craft &craft, uint64_t steps, fm_thread_state *g,
                                                   fm_mass *mass)
{
    fm_craft_state state = {&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
    for (uint64_t k = 0; k < steps; k++) {
        fm_real before[3] = {g->body.position[0], g->body.position[1], g->body.position[2]};
        (void)fm_craft_step(&craft, &state, &g->water, mass);
        fm_thread_note(craft, before, g);
    }
}

/* Vehicles that feel walls sense and decide before they move; runs that have ended stay as they are. */
static __global__ void __launch_bounds__(128) fm_cuda_feel(fm_lanes_job job, const uint32_t *variants, size_t count)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    const fm_flat *flat = fm_thread_type(job, variants, i);
    fm_craft craft = fm_flat_open(flat);
    fm_feeler_craft feeler = fm_flat_feeler(flat, job.walls);
    fm_real *numbers = (fm_real *)job.numbers;
    fm_thread_state g;
    fm_feeler_state felt;
    uint64_t age = job.ages[i];
    fm_feeler_moment now = {&job.seeds[i], &age, 0};
    uint32_t row = job.rows.feeler;
    fm_thread_take(job, i, craft.actuator_count, &g);
#define FM_LOAD(x) (x) = FM_AT(row), row++
    FM_FEELER_EACH(&felt, feeler.p->sensors, FM_LOAD);
#undef FM_LOAD
    for (uint64_t k = 0; k < job.steps && !(felt.touch.over > 0); k++, age++) {
        const fm_real before[3] = {g.body.position[0], g.body.position[1], g.body.position[2]};
        now.tick = age;
        fm_feeler_step(&feeler, &craft.body, &g.body, g.water.velocity, &now, &felt, g.actuators);
        fm_thread_move(craft, 1, &g, NULL);
        fm_feeler_conclude(&feeler, &craft.body, before, &g.body, age, &felt);
    }
    fm_thread_give(job, i, craft.actuator_count, &g);
    row = job.rows.feeler;
#define FM_STORE(x) FM_AT(row) = (x), row++
    FM_FEELER_EACH(&felt, feeler.p->sensors, FM_STORE);
#undef FM_STORE
    job.ages[i] = age;
}

/* The steps that are left (`rest`; NULL: all), by whatever type. */
static __global__ void fm_cuda_any(fm_lanes_job job, const uint32_t *variants, size_t count, const uint32_t *rest)
{
    const size_t i = fm_thread_number();
    uint64_t steps = i < count ? (rest ? rest[i] : job.steps) : 0;
    if (i >= count || (steps == 0 && rest))
        return;
    fm_craft craft = fm_flat_open(fm_thread_type(job, variants, i));
    fm_thread_state g;
    fm_mass mass;
    fm_thread_take(job, i, craft.actuator_count, &g);
    fm_thread_read(job, i, job.rows.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
    fm_thread_move(craft, steps, &g, &mass);
    fm_thread_give(job, i, craft.actuator_count, &g);
    fm_thread_write(job, i, job.rows.mass, craft.moving_count ? FM_MASS_NUMBERS : 0, &mass);
    job.ages[i] += steps;
}

static __device__ void fm_thread_see(const fm_lanes_job &job, size_t i, int row, fm_real value)
{
    fm_real *numbers = (fm_real *)job.numbers;
    if (job.noise && job.noise[row] > 0) {
        fm_random_key key = {job.seeds[i], 0, (uint32_t)row};
        value += (fm_real)job.noise[row] * fm_random_normal(key, job.ages[i], 0);
    }
    FM_AT(job.rows.observation + row) = value;
}

/* What is seen of vehicles after their steps. */
static __global__ void fm_cuda_observe(fm_lanes_job job, const uint32_t *variants, size_t count)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    const fm_flat *flat = fm_thread_type(job, variants, i);
    const fm_real *numbers = (const fm_real *)job.numbers;
    fm_real R[9], euler[3], attitude[4];
    fm_body body;
    body.euler = flat->euler;
    for (int k = 0; k < 4; k++)
        attitude[k] = FM_AT(job.rows.state + 3 + k);
    fm_body_matrix(&body, attitude, R);
    fm_euler_from_matrix(R, euler);
    for (int k = 0; k < FM_BATCH_POSE + (int)job.rows.actuators; k++) {
        fm_real value = k < 3    ? FM_AT(job.rows.state + k)
                        : k < 6  ? (k == 3   ? euler[0]
                                    : k == 4 ? euler[1]
                                             : euler[2])
                        : k < 12 ? FM_AT(job.rows.state + 1 + k)
                                 : FM_AT(job.rows.values + k - 12);
        fm_thread_see(job, i, k, value);
    }
}

static __global__ void fm_cuda_begin(fm_lanes_job job, const uint32_t *variants, const unsigned char *mask,
                                     const fm_real *starts, size_t variant_count, size_t count, int whole)
{
    const size_t i = fm_thread_number();
    fm_real *numbers = (fm_real *)job.numbers;
    if (i >= count || (mask && !mask[i]))
        return;
    uint32_t variant = variants[i] < variant_count ? variants[i] : 0;
    for (uint32_t row = 0; row < job.rows.count; row++)
        if (whole || row < job.rows.current || row >= job.rows.current + 3)
            FM_AT(row) = starts[row * variant_count + variant];
    job.ages[i] = 0;
}

#endif

#endif
