/* One step of the vehicles of a batch, written once: lanes/kernel.c and cuda/kernel.h compile it. A member is the unit
 * that one pass of the kernel moves: FM_LANES adjacent vehicles in lanes, one vehicle on a GPU.
 *
 *   FM_CHAIN     what steers vehicles (physics/chain.h), in water that differs from place to place
 * (physics/habitat.h)
 *   FM_OWN_BODY  with it: vehicles whose kind has a body of its own (physics/own_body.h)
 *   FM_FEELS     1 or 0 where all vehicles feel walls (physics/feeler.h), or none; without it the type says so */
#ifndef FM_BATCH_MEMBER_H
#define FM_BATCH_MEMBER_H

#include "base/random.h"
#include "batch/lanes.h"
#include "physics/flat.h"
#ifdef FM_CHAIN
#include "batch/laws.h"
#include "physics/chain.h"
#include "physics/stirred.h"
#endif
#ifdef FM_OWN_BODY
#include "physics/own_body.h"
#define FM_FEELS 0
#endif
#include "physics/vehicle.h"

#ifdef __CUDACC__
#define FM_MEMBER_FN static __device__ __forceinline__
#define FM_MEMBER_WHOLE static __device__ __noinline__
#define FM_MEMBER_WIDTH 1
#else
#define FM_MEMBER_FN static __attribute__((unused))
#define FM_MEMBER_WHOLE static __attribute__((noinline, unused))
#define FM_MEMBER_WIDTH FM_LANES
#endif

enum { FM_MEMBER_ACTUATORS = 64 };

typedef struct fm_member {
    const fm_flat *flat; /* its type, in numbers of this build */
    size_t number;       /* of this member */
    fm_craft craft;
    fm_body_state body;
    fm_body_input input;
    fm_actuator_state actuators[FM_MEMBER_ACTUATORS];
    fm_actuator_fault faults[FM_MEMBER_ACTUATORS];
    fm_real charge, power, bad;
    fm_stream water;
    fm_tally tally;
    fm_mass mass;
#ifdef FM_LANES
    fm_sparse_terms sparse;
#endif
#ifdef FM_CHAIN
    fm_chain_state chain;
    fm_real laws[FM_LAW_KEPT]; /* what laws keep */
    fm_habitat habitat;
    fm_real drift[FM_HABITAT_KEPT], here[3]; /* stored data of the habitat; m/s, NED: the water at the body */
#endif
#if !defined(FM_FEELS) || FM_FEELS
#ifdef FM_CHAIN
    fm_stirred_craft stirred;
#else
    fm_feeler_craft feeler;
#endif
    fm_feeler_state felt;
#endif
#ifdef FM_OWN_BODY
    fm_own_body own;
#endif
} fm_member;

FM_MEMBER_FN fm_craft_state fm_member_view(fm_member *m)
{
    fm_craft_state state = {&m->body, &m->input, m->actuators, m->faults, &m->charge, &m->power};
    return state;
}

FM_MEMBER_FN int fm_member_feels(const fm_member *m)
{
#ifdef FM_FEELS
    (void)m;
    return FM_FEELS;
#else
    return m->flat->count[FM_FLAT_FEELER] > 0;
#endif
}

/* --- columns of the table --- */

FM_FN fm_par *fm_member_at(const fm_lanes_job *job, size_t row, size_t number)
{
    return (fm_par *)job->numbers + row * job->stride + number * FM_MEMBER_WIDTH;
}

FM_FN fm_real fm_member_get(const fm_lanes_job *job, size_t row, size_t number)
{
#ifdef FM_LANES
    fm_real r;
    memcpy(&r, fm_member_at(job, row, number), sizeof r);
    return r;
#else
    return *fm_member_at(job, row, number);
#endif
}

FM_FN void fm_member_put(const fm_lanes_job *job, size_t row, size_t number, fm_real value)
{
#ifdef FM_LANES
    memcpy(fm_member_at(job, row, number), &value, sizeof value);
#else
    *fm_member_at(job, row, number) = value;
#endif
}

/* Loads consecutive rows from one on into consecutive numbers, and stores them. */
FM_MEMBER_FN void fm_member_load_rows(const fm_lanes_job *job, size_t row, size_t number, void *to, size_t count)
{
    fm_real *numbers = (fm_real *)to;
    for (size_t i = 0; i < count; i++)
        numbers[i] = fm_member_get(job, row + i, number);
}

FM_MEMBER_FN void fm_member_store_rows(const fm_lanes_job *job, size_t row, size_t number, const void *from,
                                       size_t count)
{
    const fm_real *numbers = (const fm_real *)from;
    for (size_t i = 0; i < count; i++)
        fm_member_put(job, row + i, number, numbers[i]);
}

#if !defined(FM_FEELS) || FM_FEELS
FM_MEMBER_WHOLE void fm_member_load_felt(const fm_lanes_job *job, fm_member *m)
{
    uint32_t row = job->rows.feeler;
#define FM_MEMBER_TAKE(x) (x) = fm_member_get(job, row++, m->number)
    FM_FEELER_EACH(&m->felt, (int)m->flat->count[FM_FLAT_SENSORS], FM_MEMBER_TAKE);
#undef FM_MEMBER_TAKE
}

FM_MEMBER_WHOLE void fm_member_store_felt(const fm_lanes_job *job, const fm_member *m)
{
    uint32_t row = job->rows.feeler;
#define FM_MEMBER_GIVE(x) fm_member_put(job, row++, m->number, x)
    FM_FEELER_EACH(&m->felt, (int)m->flat->count[FM_FLAT_SENSORS], FM_MEMBER_GIVE);
#undef FM_MEMBER_GIVE
}
#endif

/* The type, pose and water of a member; the rest is loaded, or initialised. */
FM_MEMBER_FN void fm_member_open(const fm_lanes_job *job, const fm_flat *flat, size_t number, fm_member *m)
{
    const fm_batch_rows *r = &job->rows;
    m->flat = flat;
    m->number = number;
    m->craft = fm_flat_open(flat);
#ifdef FM_CHAIN
    m->chain.craft = fm_flat_chain(flat);
    m->habitat = fm_flat_habitat(flat, &m->water, m->drift, job->walls);
    fm_habitat_take_waves(&m->habitat, fm_member_at(job, r->waves, number), job->stride);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
#ifdef FM_CHAIN
        m->stirred = fm_flat_stirred(flat, job->walls);
#else
        m->feeler = fm_flat_feeler(flat, job->walls);
#endif
#endif
#ifdef FM_OWN_BODY
    fm_own_open(flat, &m->own);
#endif
    fm_member_load_rows(job, r->state, number, &m->body, 13);
    memset((void *)&m->water, 0, sizeof m->water);
    fm_member_load_rows(job, r->current, number, m->water.velocity, 3);
    for (int i = 0; i <= 2 * FM_FINS; i++)
        m->input.fin[i] = fm_const(i == 0);
    m->input.density_ratio = fm_const(1);
}

FM_MEMBER_FN void fm_member_load(const fm_lanes_job *job, fm_member *m)
{
    const fm_batch_rows *r = &job->rows;
    const size_t number = m->number;
    fm_member_load_rows(job, r->tally, number, &m->tally, 4);
    m->bad = fm_member_get(job, r->bad, number);
    m->charge = fm_member_get(job, r->charge, number);
    m->power = fm_member_get(job, r->power, number);
    for (uint32_t a = 0; a < r->actuators; a++) {
        m->actuators[a].order = fm_member_get(job, r->orders + a, number);
        m->actuators[a].value = fm_member_get(job, r->values + a, number);
        m->actuators[a].rate = fm_member_get(job, r->rates + a, number);
        m->actuators[a].force = fm_member_get(job, r->forces + a, number);
    }
    fm_member_load_rows(job, r->faults, number, m->faults, 3 * (size_t)r->actuators);
    if (m->craft.moving_count)
        fm_member_load_rows(job, r->mass, number, &m->mass, FM_MASS_NUMBERS);
#ifdef FM_OWN_BODY
    fm_member_load_rows(job, r->own, number, &m->own.words, FM_OWN_WORDS);
#endif
#ifdef FM_CHAIN
    memset((void *)&m->chain.kept, 0, sizeof m->chain.kept);
    fm_member_load_rows(job, r->chain, number, &m->chain.kept, r->navigated - r->chain);
    fm_member_load_rows(job, r->navigated, number, &m->chain.navigated, r->laws - r->navigated);
    fm_member_load_rows(job, r->laws, number, m->laws, r->drift - r->laws);
    fm_member_load_rows(job, r->drift, number, m->drift, r->count - r->drift);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
        fm_member_load_felt(job, m);
#endif
}

FM_MEMBER_FN void fm_member_store_actuators(const fm_lanes_job *job, const fm_member *m)
{
    const fm_batch_rows *r = &job->rows;
    for (uint32_t a = 0; a < r->actuators; a++) {
        fm_member_put(job, r->orders + a, m->number, m->actuators[a].order);
        fm_member_put(job, r->values + a, m->number, m->actuators[a].value);
        fm_member_put(job, r->rates + a, m->number, m->actuators[a].rate);
        fm_member_put(job, r->forces + a, m->number, m->actuators[a].force);
    }
}

FM_MEMBER_FN void fm_member_store(const fm_lanes_job *job, const fm_member *m)
{
    const fm_batch_rows *r = &job->rows;
    const size_t number = m->number;
    fm_member_store_rows(job, r->state, number, &m->body, 13);
    fm_member_store_rows(job, r->tally, number, &m->tally, 4);
    fm_member_put(job, r->bad, number, m->bad);
    fm_member_put(job, r->charge, number, m->charge);
    fm_member_put(job, r->power, number, m->power);
    fm_member_store_actuators(job, m);
    if (m->craft.moving_count)
        fm_member_store_rows(job, r->mass, number, &m->mass, FM_MASS_NUMBERS);
#ifdef FM_OWN_BODY
    fm_member_store_rows(job, r->own, number, &m->own.words, FM_OWN_WORDS);
#endif
#ifdef FM_CHAIN
    fm_member_store_rows(job, r->chain, number, &m->chain.kept, r->navigated - r->chain);
    fm_member_store_rows(job, r->navigated, number, &m->chain.navigated, r->laws - r->navigated);
    fm_member_store_rows(job, r->laws, number, m->laws, r->drift - r->laws);
    fm_member_store_rows(job, r->drift, number, m->drift, r->count - r->drift);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
        fm_member_store_felt(job, m);
#endif
}

/* --- a step --- */

/* Advances the body, or its kind's replacement, by one step. */
FM_MEMBER_FN void fm_member_integrate(fm_member *m)
{
    fm_craft_state state = fm_member_view(m);
    const fm_craft *c = &m->craft;
#if defined(FM_OWN_BODY)
    (void)state;
    fm_own_move(&m->own, &m->habitat, &c->body, m->actuators, m->faults, c->step_s, &m->body);
#elif defined(FM_CHAIN)
    if (fm_chain_moves(&m->chain))
        fm_chain_move(&m->chain, &m->habitat, c, m->input.fin, m->charge, &m->body);
    else
        (void)fm_habitat_integrate(&m->habitat, c, c->moving_count ? &m->mass : c->mass, &state);
#else
    (void)fm_craft_integrate(c, c->moving_count ? &m->mass : c->mass, state.input, NULL, &m->water, state.body);
#endif
}

/* Battery, actuators and mass, the body, and the statistics of its track. `actuates` 0: the actuators are at their
 * orders. */
#ifdef __CUDACC__
FM_MEMBER_WHOLE
#else
FM_MEMBER_FN
#endif
void fm_member_move(fm_member *m, int actuates)
{
    fm_craft_state state = fm_member_view(m);
    const fm_craft *c = &m->craft;
    const fm_real before[3] = {m->body.position[0], m->body.position[1], m->body.position[2]};
    if (actuates) {
        if (c->has_battery)
            (void)fm_craft_draw(c, &state);
        fm_craft_actuate(c, &state);
#ifdef FM_LANES
        if (c->body.hydro.sparse)
            fm_sparse_fold(&m->sparse, m->input.fin);
#endif
        if (c->moving_count)
            fm_craft_weigh(c, m->actuators, &m->mass);
    }
    fm_member_integrate(m);
    fm_mask sound = fm_tally_add(&m->tally, &c->body, &m->body, before);
    if (c->body.euler)
        sound = sound & fm_body_posture_sound(m->body.attitude);
    m->bad = fm_select(sound, m->bad, fm_const(1));
#ifdef FM_CHAIN
    if (m->habitat.gained) /* only a world knows the wall that pushes it */
        m->bad = fm_select(m->habitat.gained[6] > fm_const(0), fm_const(1), m->bad);
#endif
}

#if !defined(FM_FEELS) || FM_FEELS
/* One that feels walls. */
FM_MEMBER_WHOLE void fm_member_step_felt(fm_member *m, const fm_real before[3], const fm_feeler_moment *now)
{
#ifdef FM_CHAIN
    fm_stirred_step(&m->stirred, &m->habitat, &m->craft.body, &m->body, m->here, now, &m->felt, m->actuators);
    fm_member_move(m, 1);
    fm_feeler_conclude(&m->stirred.feeler, &m->craft.body, before, &m->body, now->tick, &m->felt);
#else
    fm_feeler_step(&m->feeler, &m->craft.body, &m->body, m->water.velocity, now, &m->felt, m->actuators);
    fm_member_move(m, 1);
    fm_feeler_conclude(&m->feeler, &m->craft.body, before, &m->body, now->tick, &m->felt);
#endif
}
#endif

#ifdef FM_CHAIN
FM_MEMBER_WHOLE void fm_member_step_laws(fm_member *m, int early, uint64_t tick)
{
    fm_laws_step(m->flat, early, &m->craft.body, &m->body, tick, m->craft.step_s, m->laws, m->actuators);
}
#endif

/* Senses, decides, measures and moves, then records contacts and clearance. */
FM_MEMBER_FN void fm_member_step(fm_member *m, const fm_feeler_moment *now)
{
    const fm_real before[3] = {m->body.position[0], m->body.position[1], m->body.position[2]};
#ifdef FM_CHAIN
    fm_habitat_begin_step(&m->habitat, now->seeds, now->ages);
    fm_habitat_water(&m->habitat, m->body.position, m->here);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m)) {
        fm_member_step_felt(m, before, now);
        return;
    }
#endif
#ifdef FM_CHAIN
    if (m->flat->count[FM_FLAT_LAWS])
        fm_member_step_laws(m, 1, now->tick);
    fm_chain_step(&m->chain, &m->craft.body, &m->body, m->here, now, m->actuators);
    if (m->flat->count[FM_FLAT_LAWS])
        fm_member_step_laws(m, 0, now->tick);
    fm_member_move(m, 1);
    fm_chain_conclude(&m->chain, &m->craft.body, before, &m->body, now->tick);
#else
    (void)before;
    fm_member_move(m, 1);
#endif
}

/* Where runs have ended: above 0.5. */
FM_MEMBER_FN fm_real fm_member_over(const fm_member *m)
{
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
        return m->felt.touch.over;
#endif
#ifdef FM_CHAIN
    return m->chain.kept.touch.over;
#else
    (void)m;
    return fm_const(0);
#endif
}

/* --- what is seen of it --- */

FM_MEMBER_FN fm_real fm_member_noise(const fm_lanes_job *job, size_t number, uint32_t row)
{
#ifdef FM_LANES
    fm_real u = fm_const(0), v = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        size_t vehicle = number * FM_LANES + (size_t)i;
        fm_random_key key = {job->seeds[vehicle], job->episodes ? job->episodes[vehicle] : 0, row};
        uint32_t bits[4];
        fm_random_block_at(key, job->ages[vehicle], 0, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, 0);
#else
    fm_random_key key = {job->seeds[number], job->episodes ? job->episodes[number] : 0, row};
    return fm_random_normal(key, job->ages[number], 0);
#endif
}

/* Position, Euler angles, velocity, and the values of the actuators, as in the table. */
FM_MEMBER_FN void fm_member_observe(const fm_lanes_job *job, const fm_flat *flat, size_t number)
{
    fm_body_state state;
    fm_real R[9], euler[3];
    fm_body body;
    body.euler = flat->euler;
    fm_member_load_rows(job, job->rows.state, number, &state, 13);
    fm_body_matrix(&body, state.attitude, R);
    fm_euler_from_matrix(R, euler);
    for (uint32_t k = 0; k < FM_BATCH_POSE + job->rows.actuators; k++) {
        fm_real seen = k < 3    ? state.position[k]
                       : k < 6  ? euler[k - 3]
                       : k < 12 ? state.velocity[k - 6]
                                : fm_member_get(job, job->rows.values + k - 12, number);
        if (job->noise && job->noise[k] > 0)
            seen += fm_const(job->noise[k]) * fm_member_noise(job, number, k);
        fm_member_put(job, job->rows.observation + k, number, seen);
    }
}

#endif
