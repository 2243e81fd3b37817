/* A step of the diving model (physics/diver.h) in water that may differ from place to place and in time: FM_WATER_TYPE
 * of physics/integrate.h. One source for the live engine (kinds/diving.c), for vehicles in lanes and on a GPU. */
#ifndef FM_PHYSICS_DIVER_STEP_H
#define FM_PHYSICS_DIVER_STEP_H

#include "physics/diver.h"
#include "physics/integrate.h"

/* Velocity of the water (m/s, NED) that the vehicle meets `later` seconds from the step's start, `h` from now: at the
 * place to which its present velocity brings it. */
FM_FN void fm_diver_meet(const FM_WATER_TYPE *water, const fm_body *body, const fm_body_state *now, fm_par later,
                         fm_par h, fm_real out[3])
{
    fm_stream_room room;
    fm_body_state then = *now;
    fm_stream_room_clear(&room);
    if (FM_WATER_VARIES(water)) {
        fm_real R[9], over_ground[3];
        fm_quat_matrix(now->attitude, R);
        fm_vector_to_world(R, now->velocity, over_ground);
        for (int i = 0; i < 3; i++)
            then.position[i] += h * over_ground[i];
    }
    const fm_stream *met = FM_WATER_SAMPLE(water, body, later, &then, &room);
    for (int i = 0; i < 3; i++)
        out[i] = met->velocity[i];
}

/* A step of dt. The water is taken half-way through each sub-step (midpoint rule), and at the end for the velocity over
 * ground. delta [rad]: of the stern planes. */
FM_FN void fm_diver_move(const fm_diving_model *m, int rk4, fm_real delta, const FM_WATER_TYPE *water,
                         const fm_body *body, int substeps, fm_par dt, fm_diver_words *words, fm_body_state *state)
{
    const fm_par h = dt / (fm_par)substeps;
    fm_real current[3];
    for (int i = 0; i < substeps; i++) {
        fm_diver_meet(water, body, state, ((fm_par)i + (fm_par)0.5) * h, h / 2, current);
        fm_diver_sub_step(m, rk4, delta, current, h, words, state);
    }
    if (!FM_WATER_VARIES(water))
        return;
    fm_diver_meet(water, body, state, dt, 0, current);
    fm_diver_pose(m, words, state->velocity[4], current, state);
}

/* The same with an empty battery. */
FM_FN void fm_diver_drift_in(const FM_WATER_TYPE *water, const fm_body *body, fm_par dt, fm_diver_words *words,
                             fm_body_state *state)
{
    fm_real current[3];
    fm_diver_meet(water, body, state, dt / 2, dt / 2, current);
    fm_diver_drift(current, dt, words, state);
}

/* --- in a batch --- */

/* A step of dt; an empty vehicle drifts. */
FM_WHOLE void fm_diver_step(const fm_diver *p, fm_real delta, fm_real charge, const FM_WATER_TYPE *water,
                            const fm_body *body, int substeps, fm_par dt, fm_diver_words *words, fm_body_state *state)
{
    fm_diving_model m;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            m.a[i][k] = p->a[i][k];
        m.b[i] = p->b[i], m.d[i] = p->d[i];
    }
    m.speed = p->speed, m.large_angle_statics = p->large_angle;
    fm_mask empty = fm_const(p->has_battery) > fm_const(0);
    empty = empty & (charge <= fm_const(0));
    fm_diver_words own = *words;
    fm_body_state drifting = *state;
    fm_diver_move(&m, p->rk4, delta, water, body, substeps, dt, words, state);
    if (!fm_any(empty))
        return;
    fm_diver_drift_in(water, body, dt, &own, &drifting);
    fm_real *moved = state->position; /* 13 numbers: position, attitude, velocity */
    const fm_real *drifted = drifting.position;
    for (int i = 0; i < 13; i++)
        moved[i] = fm_select(empty, drifted[i], moved[i]);
    words->theta = fm_select(empty, own.theta, words->theta);
    words->w = fm_select(empty, own.w, words->w);
}

#endif
