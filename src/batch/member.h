/* Vehicles of a batch: lanes/kernel.c and cuda/kernel.h compile it. A member is what one pass of the kernel moves:
 * FM_LANES vehicles next to each other in lanes, one vehicle on a GPU. Its step is that of physics/advance.h.
 *
 *   FM_CHAIN     what steers vehicles (control/chain.h), in water that varies in space (forces/surroundings.h)
 *   FM_OWN_BODY  with it: vehicles whose kind has a body of its own (physics/own_body.h)
 *   FM_FEELS     1 or 0 where all vehicles feel walls (control/feeler.h), or none; without it the type says so */
#ifndef FM_BATCH_MEMBER_H
#define FM_BATCH_MEMBER_H

#include "base/random.h"
#include "batch/lanes.h"
#include "control/due.h"
#include "physics/flat.h"
#ifdef FM_CHAIN
#include "control/chain.h"
#include "control/feeler_flow.h"
#endif
#ifdef FM_OWN_BODY
#include "physics/own_body.h"
#define FM_FEELS 0
#endif
#if !defined(FM_FEELS) || FM_FEELS
#include "control/feeler.h"
#endif
#if defined(FM_CHAIN) || !defined(FM_FEELS) || FM_FEELS
#define FM_MEMBER_DECIDES /* it has parts that decide, and may touch something */
#include "physics/touch.h"
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
    int rests; /* the actuators are where they were ordered to be */
    fm_stream water;
    fm_tally tally;
    fm_mass mass;
#ifdef FM_MEMBER_DECIDES
    fm_ground_craft around; /* p NULL: nothing */
    fm_touch_kept touch;
#endif
#ifdef FM_LANES
    fm_sparse_terms sparse;
#endif
#ifdef FM_CHAIN
    fm_chain_state chain;
    fm_surroundings surroundings;
    fm_real drift[FM_SURROUNDINGS_KEPT], here[3]; /* what is kept of the habitat; m/s, NED: the water at the body */
    fm_real velocity[6]; /* m/s, rad/s: at the start of the step, where a nose near walls is pushed */
#endif
#if !defined(FM_FEELS) || FM_FEELS
#ifdef FM_CHAIN
    fm_feeler_flow_craft feeler_flow;
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
    m->rests = 0;
#ifdef FM_MEMBER_DECIDES
    m->around = fm_flat_ground(flat);
#endif
#ifdef FM_CHAIN
    m->chain.craft = fm_flat_chain(flat);
    m->surroundings = fm_flat_surroundings(flat, &m->water, m->drift, job->walls);
    fm_surroundings_take_waves(&m->surroundings, fm_member_at(job, r->waves, number), job->stride);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
#ifdef FM_CHAIN
        m->feeler_flow = fm_flat_feeler_flow(flat, job->walls);
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
#ifdef FM_MEMBER_DECIDES
    memset((void *)&m->touch, 0, sizeof m->touch);
    fm_member_load_rows(job, r->touch, number, &m->touch, r->drift - r->touch);
#endif
#ifdef FM_OWN_BODY
    fm_member_load_rows(job, r->own, number, &m->own.words, FM_OWN_WORDS);
#endif
#ifdef FM_CHAIN
    memset((void *)&m->chain.kept, 0, sizeof m->chain.kept);
    fm_member_load_rows(job, r->chain, number, &m->chain.kept, r->suite - r->chain);
    fm_member_load_rows(job, r->suite, number, &m->chain.suite, r->laws - r->suite);
    fm_member_load_rows(job, r->laws, number, m->chain.laws, r->touch - r->laws);
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
#ifdef FM_MEMBER_DECIDES
    fm_member_store_rows(job, r->touch, number, &m->touch, r->drift - r->touch);
#endif
#ifdef FM_OWN_BODY
    fm_member_store_rows(job, r->own, number, &m->own.words, FM_OWN_WORDS);
#endif
#ifdef FM_CHAIN
    fm_member_store_rows(job, r->chain, number, &m->chain.kept, r->suite - r->chain);
    fm_member_store_rows(job, r->suite, number, &m->chain.suite, r->laws - r->suite);
    fm_member_store_rows(job, r->laws, number, m->chain.laws, r->touch - r->laws);
    fm_member_store_rows(job, r->drift, number, m->drift, r->count - r->drift);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    if (fm_member_feels(m))
        fm_member_store_felt(job, m);
#endif
}

/* --- a step --- */

FM_MEMBER_FN const fm_craft *fm_member_craft(const fm_member *m)
{
    return &m->craft;
}

FM_MEMBER_FN void fm_member_emptied(const fm_member *m, fm_mask where)
{
    (void)m, (void)where; /* reports nothing */
}

FM_MEMBER_FN int fm_member_rests(const fm_member *m)
{
    return m->rests;
}

FM_MEMBER_FN void fm_member_order(const fm_member *m)
{
    (void)m; /* orders have no delay here */
}

FM_MEMBER_FN void fm_member_actuated(fm_member *m)
{
#ifdef FM_LANES
    if (m->craft.body.hydro.sparse)
        fm_sparse_fold(&m->sparse, m->input.fin);
#else
    (void)m;
#endif
}

FM_MEMBER_FN const fm_mass *fm_member_weigh(fm_member *m)
{
    fm_craft_weigh(&m->craft, m->actuators, &m->mass);
    return &m->mass;
}

#if defined(FM_CHAIN) && !defined(FM_OWN_BODY)

FM_MEMBER_FN int fm_member_layered(const fm_member *m)
{
    return m->surroundings.water != NULL;
}

FM_MEMBER_FN fm_real fm_member_density(const fm_member *m)
{
    return fm_batch_water_density(m->surroundings.water, m->surroundings.spots, m->surroundings.levels,
                                  m->body.position);
}

FM_MEMBER_FN fm_var fm_member_nominal(const fm_member *m)
{
    return m->surroundings.water->nominal;
}

FM_MEMBER_FN fm_real fm_member_temperature(const fm_member *m)
{
    return fm_surroundings_temperature(&m->surroundings, m->body.position);
}

FM_MEMBER_FN int fm_member_pushed(const fm_member *m)
{
    return m->surroundings.term_count;
}

FM_MEMBER_FN void fm_member_push(fm_member *m, fm_real density, fm_real force[6], fm_real air[6])
{
    const fm_craft_state state = fm_member_view(m);
    for (int i = 0; i < 6 && m->surroundings.gained; i++)
        m->velocity[i] = m->body.velocity[i];
    fm_surroundings_add_forces(&m->surroundings, &m->craft, &state, density, force, air);
}

FM_MEMBER_FN void fm_member_pull(const fm_member *m, fm_real force[6])
{
    (void)m;
    for (int i = 0; i < 6; i++)
        force[i] += fm_const(0); /* what pulls in a world: no -0 is left */
}

/* The body, or what its kind has in place of one. */
FM_MEMBER_FN fm_real fm_member_integrate(fm_member *m, const fm_mass *mass, const fm_real *thrust)
{
    if (!fm_chain_moves(&m->chain))
        return fm_craft_integrate(&m->craft, mass, &m->input, thrust, &m->surroundings, &m->body);
    fm_chain_move(&m->chain, &m->surroundings, &m->craft, m->input.fin, m->charge, &m->body);
    return fm_const(1);
}

#else /* in water of one density, without force terms */

FM_MEMBER_FN int fm_member_layered(const fm_member *m)
{
    (void)m;
    return 0;
}
#define fm_member_density(m) fm_const(0)
#define fm_member_nominal(m) fm_const(1)
#define fm_member_temperature(m) fm_const(0)

FM_MEMBER_FN int fm_member_pushed(const fm_member *m)
{
    (void)m;
    return 0;
}
#define fm_member_push(m, density, force, air) (void)(density), (void)(air)
#define fm_member_pull(m, force) (void)0

FM_MEMBER_FN fm_real fm_member_integrate(fm_member *m, const fm_mass *mass, const fm_real *thrust)
{
#ifdef FM_OWN_BODY
    (void)mass, (void)thrust;
    fm_own_move(&m->own, &m->surroundings, &m->craft.body, m->actuators, m->faults, m->craft.step_s, &m->body);
    return fm_const(1);
#else
    return fm_craft_integrate(&m->craft, mass, &m->input, thrust, &m->water, &m->body);
#endif
}

#endif

FM_MEMBER_FN fm_tally fm_member_tally(const fm_member *m)
{
    return m->tally;
}

FM_MEMBER_FN void fm_member_conclude(fm_member *m, fm_real wet, fm_mask sound, const fm_tally *tally)
{
    (void)wet;
    m->tally = *tally;
    if (m->craft.body.euler)
        sound = sound & fm_body_posture_sound(m->body.attitude);
    m->bad = fm_select(sound, m->bad, fm_const(1));
#ifdef FM_CHAIN
    for (int i = 0; i < 6 && m->surroundings.gained; i++)
        m->surroundings.gained[i] = (m->body.velocity[i] - m->velocity[i]) / m->craft.step_s;
    if (m->surroundings.gained) /* only a world knows the wall that pushes it */
        m->bad = fm_select(m->surroundings.gained[6] > fm_const(0), fm_const(1), m->bad);
#endif
}

#define FM_POLICY_TYPE fm_member
#define FM_POLICY(name) fm_member_##name
#include "physics/advance.h"

#ifdef __CUDACC__
FM_MEMBER_WHOLE
#else
FM_MEMBER_FN
#endif
void fm_member_move(fm_member *m)
{
    fm_mover_advance(m);
}

/* Its parts sense, then decide, in file order. */
#ifdef FM_MEMBER_DECIDES
FM_MEMBER_WHOLE void fm_member_decide(fm_member *m, const fm_step_moment *now)
{
    const uint32_t count = m->flat->count[FM_FLAT_LINKS];
    const fm_link *links = fm_flat_links(m->flat);
#ifdef FM_CHAIN
    fm_chain_view view;
    if (count)
        fm_chain_look(&m->chain, &m->craft.body, &m->body, m->here, now, &m->touch.doubt, &view);
#endif
#if !defined(FM_FEELS) || FM_FEELS
    const int feels = fm_member_feels(m);
    fm_feeler_view felt;
#ifdef FM_CHAIN
    const fm_feeler_craft *feeler = &m->feeler_flow.feeler;
    if (feels)
        fm_feeler_flow_sense(&m->feeler_flow, &m->surroundings, &m->craft.body, &m->body, m->here, now, &m->felt,
                             &m->touch.doubt, &felt);
#else
    const fm_feeler_craft *feeler = &m->feeler;
    if (feels)
        fm_feeler_sense(feeler, &m->craft.body, &m->body, m->water.velocity, now, &m->felt, &m->touch.doubt, &felt);
#endif
#endif
    for (uint32_t i = 0; i < count; i++) {
        if (!fm_part_is_due(links[i].period, now->tick))
            continue;
#if !defined(FM_FEELS) || FM_FEELS
        if (feels && fm_feeler_run(feeler, &links[i], &m->body, &felt, &m->felt, m->actuators))
            continue;
#endif
#ifdef FM_CHAIN
        fm_chain_run(&m->chain, &links[i], &view, m->actuators);
#endif
    }
}
#endif

/* Senses and decides, moves, and sees what it came near. */
FM_MEMBER_FN void fm_member_step(fm_member *m, const fm_step_moment *now)
{
    const fm_real before[3] = {m->body.position[0], m->body.position[1], m->body.position[2]};
#ifdef FM_CHAIN
    fm_surroundings_begin_step(&m->surroundings, now->seeds, now->ages);
    fm_surroundings_water(&m->surroundings, m->body.position, m->here);
#endif
#ifdef FM_MEMBER_DECIDES
    fm_member_decide(m, now);
    fm_member_move(m);
    if (m->around.p)
        fm_touch_conclude(&m->around, &m->craft.body, before, &m->body, now->tick, &m->touch);
#else
    (void)before, (void)now;
    fm_member_move(m);
#endif
}

/* Where runs have ended: above 0.5. */
FM_MEMBER_FN fm_real fm_member_over(const fm_member *m)
{
#ifdef FM_MEMBER_DECIDES
    return m->touch.over;
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
        fm_random_key key = {job->seeds[vehicle], 0, row};
        uint32_t bits[4];
        fm_random_block_at(key, job->ages[vehicle], 0, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, 0);
#else
    fm_random_key key = {job->seeds[number], 0, row};
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
