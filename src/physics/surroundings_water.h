/* The water and the air around a vehicle of a batch: currents that vary in space or time, waves, water of variable
 * density, and force terms. The kernel of vehicles that have any of these samples the water through it, at each stage
 * of its integrator, as a world does. */
#ifndef FM_PHYSICS_SURROUNDINGS_WATER_H
#define FM_PHYSICS_SURROUNDINGS_WATER_H

#include <string.h>

#include "physics/flat.h"
#include "physics/hull_waves.h"

/* --- records of physics/flat.h --- */

/* One component of the current. */
typedef struct fm_current_part {
    int32_t kind;         /* fm_current_kind */
    int32_t first, count; /* of its section, or of the levels */
    union {
        fm_var uniform[3];
        fm_current_gauss_markov gauss_markov;
        fm_var numbers[4];
    };
} fm_current_part;

static_assert(offsetof(fm_current_part, numbers) + 4 * sizeof(fm_var) == sizeof(fm_current_part) &&
                  sizeof(fm_tide_constituent) == 5 * sizeof(fm_var) &&
                  offsetof(fm_current_vortex, centre) + 7 * sizeof(fm_var) == sizeof(fm_current_vortex) &&
                  sizeof(fm_current_jet) == 7 * sizeof(fm_var) && sizeof(fm_vortex_street) == 12 * sizeof(fm_var),
              "records of currents: integers first, numbers next to each other");
/* The waves; the components themselves are each vehicle's own. */
typedef struct fm_batch_sea {
    int32_t count, deep; /* components; 1: no bottom */
    fm_var depth;        /* m, of the water */
} fm_batch_sea;

static_assert(offsetof(fm_batch_sea, depth) + sizeof(fm_var) == sizeof(fm_batch_sea), "the same of waves");
static_assert(offsetof(fm_batch_water, temperature) + FM_BATCH_WATER_NUMBERS * sizeof(fm_var) ==
                      sizeof(fm_batch_water) &&
                  sizeof(fm_spot) == 7 * sizeof(fm_var),
              "the same of water");

struct fm_force_term; /* forces/force_terms.h */
struct fm_wall_table; /* flow/flow_wall.h */

/* --- as a step reads it --- */

typedef struct fm_surroundings {
    const fm_stream *fixed; /* the uniform current */
    const fm_current_part *currents;
    const fm_tide_constituent *tides;
    const fm_current_vortex *vortices;
    const fm_current_jet *jets;
    const fm_vortex_street *streets;
    const fm_batch_water *water; /* NULL: nominal density everywhere */
    const fm_spot *spots;
    const struct fm_force_term *terms;
    const fm_par *levels;
    int32_t current_count, term_count;
    fm_real *drift;  /* of random currents, FM_DRIFT_NUMBERS a component */
    fm_real *gained; /* [7] where a nose near walls is pushed: the acceleration over the last step, m/s², rad/s²,
                            and 1 once only a world knew the wall; else NULL */
    fm_real time;    /* s, at the start of the step */
    fm_par moment;   /* the same of the first of them */
    double dt;       /* s of a step */
    const fm_batch_sea *sea; /* NULL: no waves */
    const fm_par *waves;     /* FM_WAVE_NUMBERS of each component, from one to the next `stride` numbers on */
    size_t stride;
    fm_real trough;                    /* m, the greatest depth of the surface */
    const struct fm_wall_table *walls; /* for a nose near walls */
    fm_ground_craft ground;
} fm_surroundings;

enum {
    FM_SURROUNDINGS_DRIFTS = 8,
    FM_SURROUNDINGS_KEPT = FM_DRIFT_NUMBERS * FM_SURROUNDINGS_DRIFTS + 7
}; /* random components of a current at most */

/* Numbers of random currents that are kept from step to step. */
FM_FN uint32_t fm_flat_drifts(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    const fm_current_part *parts = (const fm_current_part *)(const void *)(block + flat->at[FM_FLAT_CURRENTS]);
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < flat->count[FM_FLAT_CURRENTS]; i++)
        numbers += parts[i].kind == FM_CURRENT_GAUSS_MARKOV ? (uint32_t)FM_DRIFT_NUMBERS : 0;
    return numbers;
}

/* All state of the environment. */
FM_FN uint32_t fm_flat_surroundings_rows(const fm_flat *flat)
{
    return fm_flat_drifts(flat) + (flat->nears ? 7 : 0);
}

/* Rows of numbers of its waves. */
FM_FN uint32_t fm_flat_wave_rows(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    const int32_t *count = (const int32_t *)(const void *)(block + flat->at[FM_FLAT_SEA]);
    return flat->count[FM_FLAT_SEA] ? FM_WAVE_NUMBERS * (uint32_t)*count : 0;
}

/* That of a block of this build; the uniform current, the room for what is kept, and the table of walls are the
 * caller's. */
FM_FN fm_surroundings fm_flat_surroundings(const fm_flat *flat, const fm_stream *fixed, fm_real *kept,
                                           const struct fm_wall_table *walls)
{
    const char *block = (const char *)flat;
    const uint32_t *at = flat->at;
    fm_surroundings h;
    h.fixed = fixed;
    h.currents = (const fm_current_part *)(const void *)(block + at[FM_FLAT_CURRENTS]);
    h.tides = (const fm_tide_constituent *)(const void *)(block + at[FM_FLAT_TIDES]);
    h.vortices = (const fm_current_vortex *)(const void *)(block + at[FM_FLAT_VORTICES]);
    h.jets = (const fm_current_jet *)(const void *)(block + at[FM_FLAT_JETS]);
    h.streets = (const fm_vortex_street *)(const void *)(block + at[FM_FLAT_STREETS]);
    h.water = (const fm_batch_water *)(const void *)(block + at[FM_FLAT_WATER]);
    h.spots = (const fm_spot *)(const void *)(block + at[FM_FLAT_SPOTS]);
    h.terms = (const struct fm_force_term *)(const void *)(block + at[FM_FLAT_FORCE_TERMS]);
    h.levels = (const fm_par *)(const void *)(block + at[FM_FLAT_LEVELS]);
    h.current_count = (int32_t)flat->count[FM_FLAT_CURRENTS];
    h.term_count = (int32_t)flat->count[FM_FLAT_FORCE_TERMS];
    h.drift = kept;
    h.gained = flat->nears ? kept + fm_flat_drifts(flat) : NULL;
    h.time = h.trough = fm_const(0);
    h.moment = 0;
    h.dt = flat->step_s;
    h.sea = flat->count[FM_FLAT_SEA] ? (const fm_batch_sea *)(const void *)(block + at[FM_FLAT_SEA]) : NULL;
    h.waves = NULL;
    h.stride = 0;
    h.walls = walls;
    h.ground = fm_flat_ground(flat);
    if (!flat->count[FM_FLAT_WATER])
        h.water = NULL;
    return h;
}

/* --- currents --- */

FM_FN void fm_surroundings_add_part(const fm_surroundings *h, const fm_current_part *c, const fm_real *drift, fm_real t,
                                    const fm_real position[3], fm_real out[3])
{
    const fm_par *levels = h->levels + c->first;
    switch (c->kind) {
    case FM_CURRENT_UNIFORM:
        for (int i = 0; i < 3; i++)
            out[i] += c->uniform[i];
        break;
    case FM_CURRENT_PROFILE:
        fm_current_add_profile(levels, (const fm_par(*)[3])(const void *)(levels + c->count), c->count, position[2],
                               out);
        break;
    case FM_CURRENT_GAUSS_MARKOV: fm_current_add_drift(drift, t - h->time, out); break;
    case FM_CURRENT_TIDE:
        for (int i = 0; i < c->count; i++)
            fm_current_add_tide(&h->tides[c->first + i], t, out);
        break;
    case FM_CURRENT_VORTEX: fm_current_add_vortex(&h->vortices[c->first], t, position, out); break;
    case FM_CURRENT_JET: fm_current_add_jet(&h->jets[c->first], position, out); break;
    case FM_CURRENT_STREET: fm_vortex_street_add(&h->streets[c->first], t, position, out); break;
    default: break;
    }
}

/* Velocity of the water beyond the uniform current, m/s, with vortex streets or without them. */
FM_WHOLE void fm_surroundings_field(const fm_surroundings *h, int streets, fm_real t, const fm_real position[3],
                                    fm_real out[3])
{
    const fm_real *drift = h->drift;
    out[0] = out[1] = out[2] = fm_const(0);
    for (int i = 0; i < h->current_count; i++) {
        if (streets || h->currents[i].kind != FM_CURRENT_STREET)
            fm_surroundings_add_part(h, &h->currents[i], drift, t, position, out);
        drift += h->currents[i].kind == FM_CURRENT_GAUSS_MARKOV ? FM_DRIFT_NUMBERS : 0;
    }
}

FM_FN void fm_surroundings_current(const fm_surroundings *h, fm_real t, const fm_real position[3], fm_real out[3])
{
    fm_surroundings_field(h, 1, t, position, out);
}

FM_FN void fm_surroundings_smooth(const fm_surroundings *h, fm_real t, const fm_real position[3], fm_real out[3])
{
    fm_surroundings_field(h, 0, t, position, out);
}

#define FM_SLOPE_TYPE fm_surroundings
#define FM_SLOPE_VELOCITY fm_surroundings_current
#define FM_SLOPE_SMOOTH fm_surroundings_smooth
#include "physics/current_slope.h"

FM_FN int fm_surroundings_swirls(const fm_surroundings *h)
{
    int found = 0;
    for (int i = 0; i < h->current_count; i++)
        found |= h->currents[i].kind == FM_CURRENT_VORTEX || h->currents[i].kind == FM_CURRENT_STREET;
    return found;
}

/* Adds the velocity of its vortices and vortex streets alone, at the start of the step. */
FM_WHOLE void fm_surroundings_add_swirls(const fm_surroundings *h, const fm_real position[3], fm_real v[3])
{
    for (int i = 0; i < h->current_count; i++)
        if (h->currents[i].kind == FM_CURRENT_VORTEX || h->currents[i].kind == FM_CURRENT_STREET)
            fm_surroundings_add_part(h, &h->currents[i], NULL, h->time, position, v);
}

/* --- waves --- */

FM_FN fm_real fm_surroundings_wave_number(const fm_surroundings *h, int i, int which)
{
    fm_real number;
    memcpy((void *)&number, h->waves + (size_t)(FM_WAVE_NUMBERS * i + which) * h->stride, sizeof number);
    return number;
}

FM_FN fm_wave_component fm_surroundings_wave(const fm_surroundings *h, int i)
{
    fm_wave_component w;
    w.amplitude = fm_surroundings_wave_number(h, i, 0);
    w.frequency = fm_surroundings_wave_number(h, i, 1);
    w.number = fm_surroundings_wave_number(h, i, 2);
    w.north = fm_surroundings_wave_number(h, i, 3);
    w.east = fm_surroundings_wave_number(h, i, 4);
    w.phase = fm_surroundings_wave_number(h, i, 5);
    w.echo = fm_surroundings_wave_number(h, i, 6);
    return w;
}

/* The numbers of the waves of these vehicles: rows from `waves` on, `stride` numbers apart. */
FM_FN void fm_surroundings_take_waves(fm_surroundings *h, const fm_par *waves, size_t stride)
{
    h->waves = waves;
    h->stride = stride;
    for (int i = 0; h->sea && i < h->sea->count; i++)
        h->trough += fm_abs(fm_surroundings_wave_number(h, i, 0));
}

/* Adds the motion of the waves at a place and time, in the order of the components. */
FM_WHOLE void fm_surroundings_add_waves(const fm_surroundings *h, fm_real t, const fm_real position[3],
                                        fm_wave_motion *out)
{
    const fm_real depth = fm_real_wide(h->sea->depth);
    fm_real z = fm_max(position[2], fm_const(0));
    if (!h->sea->deep)
        z = fm_min(z, depth);
    for (int i = 0; i < h->sea->count; i++) {
        const fm_wave_component w = fm_surroundings_wave(h, i);
        const fm_mask felt = w.number * z < fm_const(FM_WAVE_FELT);
        if (!fm_any(felt))
            continue;
        const fm_real angle = fm_wave_angle(&w, t, position[0], position[1]);
        const fm_wave_decay d = fm_wave_decay_at(&w, h->sea->deep, depth, z);
        const fm_wave_motion m = fm_wave_move(&w, &d, fm_cos(angle), fm_sin(angle));
        for (int k = 0; k < 3; k++) {
            out->velocity[k] = fm_select(felt, out->velocity[k] + m.velocity[k], out->velocity[k]);
            out->acceleration[k] = fm_select(felt, out->acceleration[k] + m.acceleration[k], out->acceleration[k]);
        }
        for (int k = 0; k < FM_WAVE_GRADIENT; k++)
            out->gradient[k] = fm_select(felt, out->gradient[k] + m.gradient[k], out->gradient[k]);
    }
}

/* Height of the surface above its mean, m. */
FM_WHOLE fm_real fm_surroundings_elevation(const fm_surroundings *h, fm_real t, const fm_real position[3])
{
    fm_real height = fm_const(0);
    for (int i = 0; i < h->sea->count; i++) {
        const fm_wave_component w = fm_surroundings_wave(h, i);
        height += w.amplitude * fm_cos(fm_wave_angle(&w, t, position[0], position[1]));
    }
    return height;
}

/* --- all of it --- */

/* Velocity of the water (m/s, NED) at a place, at the start of the step. */
FM_FN void fm_surroundings_water(const fm_surroundings *h, const fm_real position[3], fm_real out[3])
{
    fm_real velocity[3];
    for (int i = 0; i < 3; i++)
        out[i] = h->fixed->velocity[i];
    if (h->current_count) {
        fm_surroundings_current(h, h->time, position, velocity);
        for (int i = 0; i < 3; i++)
            out[i] += velocity[i];
    }
    if (!h->sea)
        return;
    fm_wave_motion sum;
    for (int i = 0; i < 3; i++)
        sum.velocity[i] = out[i], sum.acceleration[i] = fm_const(0);
    for (int i = 0; i < FM_WAVE_GRADIENT; i++)
        sum.gradient[i] = fm_const(0);
    fm_surroundings_add_waves(h, h->time, position, &sum);
    for (int i = 0; i < 3; i++)
        out[i] = sum.velocity[i];
}

/* --- what the integrators sample --- */

/* The surface above a hull deeper than the lowest trough plus its own extent is never needed. */
FM_FN void fm_surroundings_meet_waves(const fm_surroundings *h, fm_real t, const fm_body *body,
                                      const fm_real position[3], fm_stream *out, fm_real gradient[9])
{
    const fm_real zero = fm_const(0);
    fm_mask near = position[2] - h->trough < fm_real_wide(body->hull.reach);
    fm_wave_motion wave;
    for (int i = 0; i < 3; i++)
        wave.velocity[i] = wave.acceleration[i] = zero;
    for (int i = 0; i < FM_WAVE_GRADIENT; i++)
        wave.gradient[i] = zero;
    fm_surroundings_add_waves(h, t, position, &wave);
    for (int i = 0; i < 3; i++) {
        out->velocity[i] += wave.velocity[i];
        out->acceleration[i] += wave.acceleration[i];
    }
    fm_wave_add_gradient(wave.gradient, gradient);
    if (fm_any(near))
        out->surface -= fm_select(near, fm_surroundings_elevation(h, t, position), zero);
}

FM_FN int fm_surroundings_has_waves(const fm_surroundings *h, const fm_body *body)
{
    return h->sea && body->grid;
}

/* Sums over the hull: components by fours, one after the other of each four, then the four sums by twos. */
FM_WHOLE void fm_surroundings_add_up_hull(const fm_surroundings *h, const fm_wave_grid *grid, int near,
                                          const fm_wave_pose *pose, fm_hull_sums *value, fm_hull_sums *rate)
{
    fm_hull_sums sums[2][2];
    for (int i = 0; i < 4; i++) {
        fm_hull_sums *to = sums[i & 1];
        fm_hull_sums_clear(&to[0]);
        fm_hull_sums_clear(&to[1]);
        for (int k = i; k < h->sea->count; k += 4) {
            const fm_wave_component w = fm_surroundings_wave(h, k);
            fm_hull_wave(grid, &w, h->sea->deep, fm_real_wide(h->sea->depth), near, pose, &to[0], &to[1]);
        }
        if (i == 1) {
            *value = sums[0][0], *rate = sums[0][1];
            fm_hull_sums_add(&sums[1][0], value);
            fm_hull_sums_add(&sums[1][1], rate);
        }
    }
    fm_hull_sums_add(&sums[1][0], &sums[0][0]);
    fm_hull_sums_add(&sums[1][1], &sums[0][1]);
    fm_hull_sums_add(&sums[0][0], value);
    fm_hull_sums_add(&sums[0][1], rate);
}

FM_WHOLE void fm_surroundings_hold(const fm_surroundings *h, const fm_body *body, fm_par ahead,
                                   const fm_body_state *state, fm_hull_hold *held)
{
    fm_hull_sums value, rate;
    fm_wave_pose pose;
    fm_real R[9], zero = fm_const(0);
    fm_mask near = state->position[2] - h->trough < fm_real_wide(body->hull.reach);
    fm_body_matrix(body, state->attitude, R);
    pose.time = h->time + fm_const(ahead);
    fm_wave_pose_at(body->grid, h->sea->deep, fm_real_wide(h->sea->depth), state->position, R, state->velocity, &pose);
    held->waves = 1;
    held->near = fm_any(near);
    held->middle = ahead;
    fm_surroundings_add_up_hull(h, body->grid, held->near, &pose, &value, &rate);
    for (int i = 0; i < FM_HULL_RISES; i++) {
        value.rise[i] = fm_select(near, value.rise[i], zero);
        rate.rise[i] = fm_select(near, rate.rise[i], zero);
    }
    fm_hull_settle(body->grid, &pose, &value, &rate, held);
    fm_hull_place(&pose, state->position, state->velocity, held);
}

FM_WHOLE void fm_surroundings_sample(const fm_surroundings *h, const fm_body *body, fm_par ahead,
                                     const fm_body_state *state, fm_stream_room *room)
{
    const fm_real t = h->time + fm_const(ahead);
    fm_real gradient[9];
    fm_stream *out = &room->stream;
    *out = *h->fixed;
    for (int i = 0; i < 9; i++)
        gradient[i] = fm_const(0);
    if (room->held.waves) {
        fm_stream_add_waves(room, ahead, out);
        fm_hull_shift(&room->held, ahead, state->position, out->velocity, out->acceleration, gradient);
    } else if (h->sea) {
        fm_surroundings_meet_waves(h, t, body, state->position, out, gradient);
    }
    if (h->current_count) {
        fm_real R[9], over_ground[3];
        fm_body_matrix(body, state->attitude, R);
        fm_vector_to_world(R, state->velocity, over_ground);
        fm_slope_meet(h, t, body, state->position, over_ground, R, out);
    }
    fm_stream_convect(gradient, out);
}

FM_FN int fm_surroundings_varies(const fm_surroundings *h)
{
    return h->current_count || h->sea;
}

FM_FN const fm_stream *fm_surroundings_at(const fm_surroundings *h, const fm_body *body, fm_par ahead,
                                          const fm_body_state *state, fm_stream_room *room)
{
    if (!fm_surroundings_varies(h))
        return h->fixed;
    fm_surroundings_sample(h, body, ahead, state, room);
    return &room->stream;
}

FM_FN fm_real fm_surroundings_level(const fm_surroundings *h)
{
    return h->fixed->surface;
}

FM_FN fm_real fm_surroundings_trough(const fm_surroundings *h)
{
    return h->sea ? h->trough : h->fixed->surface;
}

#define FM_WATER_TYPE fm_surroundings
#define FM_WATER_SAMPLE fm_surroundings_at
#define FM_WATER_HOLD fm_surroundings_hold
#define FM_WATER_WAVES fm_surroundings_has_waves
#define FM_WATER_LEVEL fm_surroundings_level
#define FM_WATER_TROUGH fm_surroundings_trough
#define FM_WATER_VARIES fm_surroundings_varies
#include "physics/diver_step.h"
#include "physics/vehicle.h"

/* --- the start of a step --- */

/* A normal number for each vehicle, from its seed and its age plus this number of steps. */
FM_FN fm_real fm_surroundings_normal(const uint64_t *seeds, const uint64_t *ages, uint64_t later, uint32_t channel,
                                     uint32_t index)
{
#if defined(FM_LANES) && !defined(__CUDACC__)
    fm_real u = fm_const(0), v = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        fm_random_key key = {seeds[i], FM_CURRENT_ENTITY, channel};
        uint32_t bits[4];
        fm_random_block_at(key, ages[i] + later, index >> 1, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, index & 1u);
#else
    fm_random_key key = {seeds[0], FM_CURRENT_ENTITY, channel};
    return fm_random_normal(key, ages[0] + later, index);
#endif
}

/* Random currents: drawn at the first step, one step further at each other. */
FM_WHOLE void fm_surroundings_drift(const fm_surroundings *h, const uint64_t *seeds, const uint64_t *ages)
{
    fm_real *drift = h->drift;
    uint32_t channel = FM_CURRENT_CHANNEL;
    for (int i = 0; i < h->current_count; i++) {
        if (h->currents[i].kind != FM_CURRENT_GAUSS_MARKOV)
            continue;
        fm_real normal[3], next[3], first[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            normal[axis] = fm_surroundings_normal(seeds, ages, 0, channel, axis);
            next[axis] = fm_surroundings_normal(seeds, ages, 1, channel, axis);
        }
        fm_gauss_markov_begin(&h->currents[i].gauss_markov, normal, first);
        fm_gauss_markov_advance(&h->currents[i].gauss_markov, (fm_par)h->dt, normal, drift);
        for (int axis = 0; axis < 3; axis++)
            drift[axis] = fm_select(h->time == fm_const(0), first[axis], drift[axis]);
        fm_gauss_markov_lead(&h->currents[i].gauss_markov, (fm_par)h->dt, next, drift);
        drift += FM_DRIFT_NUMBERS;
        channel++;
    }
}

/* Time and random currents of vehicles of these ages (steps). */
FM_FN void fm_surroundings_begin_step(fm_surroundings *h, const uint64_t *seeds, const uint64_t *ages)
{
    h->moment = (fm_par)((double)ages[0] * h->dt);
    if (!fm_surroundings_varies(h))
        return;
#if defined(FM_LANES) && !defined(__CUDACC__)
    for (int i = 0; i < FM_LANES; i++)
        h->time[i] = (fm_par)((double)ages[i] * h->dt);
#else
    h->time = (fm_real)((double)ages[0] * h->dt);
#endif
    fm_surroundings_drift(h, seeds, ages);
}

#endif
