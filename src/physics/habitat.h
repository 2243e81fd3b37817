/* The water and the air around a vehicle of a batch: currents that differ from place to place or in time, water whose
 * density does, and force terms. The kernel of vehicles that have any of it samples the water through it, at each stage
 * of its integrator, as a world does. */
#ifndef FM_PHYSICS_HABITAT_H
#define FM_PHYSICS_HABITAT_H

#include "physics/flat.h"

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
static_assert(offsetof(fm_batch_water, temperature) + FM_BATCH_WATER_NUMBERS * sizeof(fm_var) ==
                      sizeof(fm_batch_water) &&
                  sizeof(fm_spot) == 7 * sizeof(fm_var) &&
                  offsetof(fm_push, numbers) + FM_PUSH_NUMBERS * sizeof(fm_var) == sizeof(fm_push) &&
                  sizeof(fm_mmg_hull) == FM_PUSH_NUMBERS * sizeof(fm_var),
              "the same of water and force terms");

/* --- as a step reads it --- */

typedef struct fm_habitat {
    const fm_stream *fixed; /* the uniform current */
    const fm_current_part *currents;
    const fm_tide_constituent *tides;
    const fm_current_vortex *vortices;
    const fm_current_jet *jets;
    const fm_vortex_street *streets;
    const fm_batch_water *water; /* NULL: of the nominal density, and nobody asks for it */
    const fm_spot *spots;
    const fm_push *pushes;
    const fm_par *levels;
    int32_t current_count, push_count;
    fm_real *drift; /* m/s: of random currents, three a component */
    fm_real time;   /* s, at the start of the step */
    double dt;      /* s of a step */
} fm_habitat;

enum { FM_HABITAT_DRIFTS = 8 }; /* random components of a current at most */

/* Numbers of random currents that are kept from step to step. */
FM_FN uint32_t fm_flat_drifts(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    const fm_current_part *parts = (const fm_current_part *)(const void *)(block + flat->at[FM_FLAT_CURRENTS]);
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < flat->count[FM_FLAT_CURRENTS]; i++)
        numbers += parts[i].kind == FM_CURRENT_GAUSS_MARKOV ? 3 : 0;
    return numbers;
}

/* That of a block of this build; the uniform current and the room for random ones are the caller's. */
FM_FN fm_habitat fm_flat_habitat(const fm_flat *flat, const fm_stream *fixed, fm_real *drift)
{
    const char *block = (const char *)flat;
    const uint32_t *at = flat->at;
    fm_habitat h;
    h.fixed = fixed;
    h.currents = (const fm_current_part *)(const void *)(block + at[FM_FLAT_CURRENTS]);
    h.tides = (const fm_tide_constituent *)(const void *)(block + at[FM_FLAT_TIDES]);
    h.vortices = (const fm_current_vortex *)(const void *)(block + at[FM_FLAT_VORTICES]);
    h.jets = (const fm_current_jet *)(const void *)(block + at[FM_FLAT_JETS]);
    h.streets = (const fm_vortex_street *)(const void *)(block + at[FM_FLAT_STREETS]);
    h.water = (const fm_batch_water *)(const void *)(block + at[FM_FLAT_WATER]);
    h.spots = (const fm_spot *)(const void *)(block + at[FM_FLAT_SPOTS]);
    h.pushes = (const fm_push *)(const void *)(block + at[FM_FLAT_PUSHES]);
    h.levels = (const fm_par *)(const void *)(block + at[FM_FLAT_LEVELS]);
    h.current_count = (int32_t)flat->count[FM_FLAT_CURRENTS];
    h.push_count = (int32_t)flat->count[FM_FLAT_PUSHES];
    h.drift = drift;
    h.time = fm_const(0);
    h.dt = flat->step_s;
    if (!flat->count[FM_FLAT_WATER])
        h.water = NULL;
    return h;
}

/* --- currents --- */

FM_FN void fm_habitat_add_part(const fm_habitat *h, const fm_current_part *c, const fm_real *drift, fm_real t,
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
    case FM_CURRENT_GAUSS_MARKOV: fm_current_add_scaled(fm_const(1), drift, out); break;
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

/* Velocity of the water beyond the uniform current, m/s. */
FM_WHOLE void fm_habitat_current(const fm_habitat *h, fm_real t, const fm_real position[3], fm_real out[3])
{
    const fm_real *drift = h->drift;
    out[0] = out[1] = out[2] = fm_const(0);
    for (int i = 0; i < h->current_count; i++) {
        fm_habitat_add_part(h, &h->currents[i], drift, t, position, out);
        drift += h->currents[i].kind == FM_CURRENT_GAUSS_MARKOV ? 3 : 0;
    }
}

#define FM_SLOPE_TYPE fm_habitat
#define FM_SLOPE_VELOCITY fm_habitat_current
#include "physics/current_slope.h"

FM_FN int fm_habitat_swirls(const fm_habitat *h)
{
    int found = 0;
    for (int i = 0; i < h->current_count; i++)
        found |= h->currents[i].kind == FM_CURRENT_VORTEX || h->currents[i].kind == FM_CURRENT_STREET;
    return found;
}

/* Adds the velocity of its vortices and vortex streets alone, at the start of the step. */
FM_WHOLE void fm_habitat_add_swirls(const fm_habitat *h, const fm_real position[3], fm_real v[3])
{
    for (int i = 0; i < h->current_count; i++)
        if (h->currents[i].kind == FM_CURRENT_VORTEX || h->currents[i].kind == FM_CURRENT_STREET)
            fm_habitat_add_part(h, &h->currents[i], NULL, h->time, position, v);
}

/* Velocity of the water (m/s, NED) at a place, at the start of the step. */
FM_FN void fm_habitat_water(const fm_habitat *h, const fm_real position[3], fm_real out[3])
{
    fm_real velocity[3];
    for (int i = 0; i < 3; i++)
        out[i] = h->fixed->velocity[i];
    if (!h->current_count)
        return;
    fm_habitat_current(h, h->time, position, velocity);
    for (int i = 0; i < 3; i++)
        out[i] += velocity[i];
}

/* --- what the integrators sample --- */

FM_WHOLE void fm_habitat_sample(const fm_habitat *h, const fm_body *body, fm_par ahead, const fm_body_state *state,
                                fm_stream *out)
{
    fm_real R[9], over_ground[3];
    *out = *h->fixed;
    fm_body_matrix(body, state->attitude, R);
    fm_vector_to_world(R, state->velocity, over_ground);
    fm_slope_meet(h, h->time + fm_const(ahead), state->position, over_ground, R, out);
}

FM_FN const fm_stream *fm_habitat_at(const fm_habitat *h, const fm_body *body, fm_par ahead, const fm_body_state *state,
                                     fm_stream *room)
{
    if (!h->current_count)
        return h->fixed;
    fm_habitat_sample(h, body, ahead, state, room);
    return room;
}

FM_FN fm_real fm_habitat_surface(const fm_habitat *h, fm_par ahead, const fm_body_state *state)
{
    (void)ahead, (void)state;
    return h->fixed->surface;
}

FM_FN fm_real fm_habitat_trough(const fm_habitat *h)
{
    return h->fixed->surface;
}

#define FM_WATER_TYPE fm_habitat
#define FM_WATER_SAMPLE fm_habitat_at
#define FM_WATER_SURFACE fm_habitat_surface
#define FM_WATER_TROUGH fm_habitat_trough
#include "physics/vehicle.h"

/* --- the start of a step --- */

/* A normal number for each vehicle, by its seed and its age. */
FM_FN fm_real fm_habitat_normal(const uint64_t *seeds, const uint64_t *ages, uint32_t channel, uint32_t index)
{
#if defined(FM_LANES) && !defined(__CUDACC__)
    fm_real u = fm_const(0), v = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        fm_random_key key = {seeds[i], FM_CURRENT_ENTITY, channel};
        uint32_t bits[4];
        fm_random_block_at(key, ages[i], index >> 1, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, index & 1u);
#else
    fm_random_key key = {seeds[0], FM_CURRENT_ENTITY, channel};
    return fm_random_normal(key, ages[0], index);
#endif
}

/* Random currents: drawn at the first step, one step further at each other. */
FM_WHOLE void fm_habitat_drift(const fm_habitat *h, const uint64_t *seeds, const uint64_t *ages)
{
    fm_real *drift = h->drift;
    uint32_t channel = FM_CURRENT_CHANNEL;
    for (int i = 0; i < h->current_count; i++) {
        if (h->currents[i].kind != FM_CURRENT_GAUSS_MARKOV)
            continue;
        fm_real normal[3], first[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            normal[axis] = fm_habitat_normal(seeds, ages, channel, axis);
        fm_gauss_markov_begin(&h->currents[i].gauss_markov, normal, first);
        fm_gauss_markov_advance(&h->currents[i].gauss_markov, (fm_par)h->dt, normal, drift);
        for (int axis = 0; axis < 3; axis++)
            drift[axis] = fm_select(h->time == fm_const(0), first[axis], drift[axis]);
        drift += 3;
        channel++;
    }
}

/* Time and random currents of vehicles of these ages (steps). */
FM_FN void fm_habitat_begin_step(fm_habitat *h, const uint64_t *seeds, const uint64_t *ages)
{
    if (!h->current_count)
        return;
#if defined(FM_LANES) && !defined(__CUDACC__)
    for (int i = 0; i < FM_LANES; i++)
        h->time[i] = (fm_par)((double)ages[i] * h->dt);
#else
    h->time = (fm_real)((double)ages[0] * h->dt);
#endif
    fm_habitat_drift(h, seeds, ages);
}

/* --- force terms --- */

FM_FN fm_mmg_actuator fm_habitat_actuator(const fm_craft_state *s, int32_t number)
{
    fm_mmg_actuator a;
    a.value = s->actuators[number].value;
    a.efficiency = s->faults[number].efficiency;
    return a;
}

FM_WHOLE void fm_habitat_push(const fm_habitat *h, const fm_push *p, const fm_craft_state *s, const fm_push_moment *now,
                              fm_real force[6], fm_real air_force[6])
{
    const fm_push *screw = &h->pushes[p->propeller];
    const fm_mmg_hull *ship = &h->pushes[p->hull].ship;
    fm_reynolds_rows rows;
    switch (p->kind) {
    case FM_PUSH_REYNOLDS:
        rows.reynolds = h->levels + p->first;
        rows.log_re = rows.reynolds + p->count;
        rows.cd = rows.log_re + p->count;
        rows.count = p->count;
        fm_reynolds_push(&p->reynolds, p->actuator, &rows, now, force);
        break;
    case FM_PUSH_WIND: fm_wind_add(&p->wind, now, air_force); break;
    case FM_PUSH_HULL: fm_mmg_push_hull(&p->ship, now, force); break;
    case FM_PUSH_PROPELLER:
        fm_mmg_push_propeller(&p->screw, ship, fm_habitat_actuator(s, p->actuator), now, force);
        break;
    case FM_PUSH_RUDDER:
        fm_mmg_push_rudder(&p->rudder, &screw->screw, ship, fm_habitat_actuator(s, screw->actuator),
                           fm_habitat_actuator(s, p->actuator), now, force);
        break;
    default: break;
    }
}

/* Adds all force terms to the input; `thrust`: the part of it that needs water. */
FM_FN void fm_habitat_add_forces(const fm_habitat *h, const fm_craft *c, const fm_craft_state *s, fm_real density,
                                 fm_real thrust[6])
{
    fm_real R[9], water[3], air[6], zero = fm_const(0), *force = s->input->force;
    fm_push_moment now;
    fm_body_matrix(&c->body, s->body->attitude, R);
    fm_habitat_water(h, s->body->position, water);
    now.depth = s->body->position[2];
    now.R = R;
    now.velocity = s->body->velocity;
    now.water = water;
    now.density = density;
    for (int i = 0; i < 6; i++)
        air[i] = zero;
    for (int i = 0; i < h->push_count; i++)
        fm_habitat_push(h, &h->pushes[i], s, &now, force, air);
    for (int i = 0; i < 6; i++) {
        thrust[i] = force[i];
        force[i] = fm_select(air[i] != zero, force[i] + air[i], force[i]);
        force[i] += zero; /* what pulls from outside in a world: no -0 is left */
    }
}

/* --- the step --- */

/* As fm_craft_integrate, in this water and under these forces. */
FM_FN fm_real fm_habitat_integrate(const fm_habitat *h, const fm_craft *c, const fm_mass *mass, const fm_craft_state *s)
{
    fm_real density = fm_const(0), thrust[6];
    if (h->water) {
        density = fm_batch_water_density(h->water, h->spots, h->levels, s->body->position);
        s->input->density_ratio = density / h->water->nominal;
    }
    if (!h->push_count)
        return fm_craft_integrate(c, mass, s->input, NULL, h, s->body);
    fm_body_input held = *s->input;
    fm_habitat_add_forces(h, c, s, density, thrust);
    fm_real wet = fm_craft_integrate(c, mass, s->input, thrust, h, s->body);
    *s->input = held;
    return wet;
}

#endif
