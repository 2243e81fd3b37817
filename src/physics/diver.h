/* The vertical-plane diving model (physics/diving.h) as a body in the world: pose and velocity over ground, heading
 * constant. One source for the live engine (kinds/diving.c), for vehicles in lanes and on a GPU. */
#ifndef FM_PHYSICS_DIVER_H
#define FM_PHYSICS_DIVER_H

#include "physics/body.h"
#include "physics/diving.h"
#include "physics/posture.h"

/* Its own state: pitch is kept as an angle, so that it may pass the vertical. */
typedef struct fm_diver_words {
    fm_real theta;   /* rad */
    fm_real w;       /* m/s through the water */
    fm_real heading; /* rad */
} fm_diver_words;

/* Attitude, and velocity over ground in water that moves at `current` (m/s, NED). */
FM_FN void fm_diver_pose(const fm_diving_model *m, const fm_diver_words *words, fm_real q, const fm_real current[3],
                         fm_body_state *body)
{
    fm_real euler[3] = {fm_const(0), words->theta, words->heading}, R[9], stream[3];
    fm_quat_from_euler(euler, body->attitude);
    fm_quat_matrix(body->attitude, R);
    fm_vector_to_body(R, current, stream);
    body->velocity[0] = m->speed + stream[0];
    body->velocity[1] = stream[1];
    body->velocity[2] = words->w + stream[2];
    body->velocity[3] = body->velocity[5] = fm_const(0);
    body->velocity[4] = q;
}

/* (R1), (R2) over h seconds with this current, which carries the vehicle along: heave and pitch are those through the
 * water. delta [rad]: of the stern planes. */
FM_FN void fm_diver_sub_step(const fm_diving_model *m, int rk4, fm_real delta, const fm_real current[3], fm_par h,
                             fm_diver_words *words, fm_body_state *body)
{
    fm_real c = fm_cos(words->heading), s = fm_sin(words->heading);
    fm_diving_input input;
    input.delta = delta;
    input.current_x = c * current[0] + s * current[1];
    input.current_z = current[2];
    fm_diving_state state;
    state.w = words->w, state.q = body->velocity[4], state.theta = words->theta;
    state.x = fm_const(0), state.z = body->position[2];
    fm_real side = -s * current[0] + c * current[1];
    if (rk4)
        fm_diving_step_rk4(m, &state, &input, h);
    else
        fm_diving_step_heun(m, &state, &input, h);
    words->w = state.w;
    words->theta = state.theta;
    body->position[0] += c * state.x - s * side * h;
    body->position[1] += s * state.x + c * side * h;
    body->position[2] = state.z;
    fm_diver_pose(m, words, state.q, current, body);
}

/* With an empty battery the vehicle cannot fly, and the model has no other motion: the water carries the vehicle. */
FM_FN void fm_diver_drift(const fm_real current[3], fm_par dt, fm_diver_words *words, fm_body_state *body)
{
    fm_real R[9];
    words->w = fm_const(0);
    fm_quat_matrix(body->attitude, R);
    for (int i = 3; i < 6; i++)
        body->velocity[i] = fm_const(0);
    fm_vector_to_body(R, current, body->velocity);
    for (int i = 0; i < 3; i++)
        body->position[i] += current[i] * dt;
}

/* A record of physics/flat.h: numbers of fm_diving_model. */
typedef struct fm_diver {
    int32_t rk4, large_angle, has_battery;
    fm_var a[2][3], b[2], d[2], speed;
} fm_diver;

#endif
