/* Integrators of the 6-DOF body. Actuators are held over a step; the water is sampled at each stage. */
#ifndef FM_PHYSICS_INTEGRATE_H
#define FM_PHYSICS_INTEGRATE_H

#include "physics/body.h"

/* Where the water's motion comes from, fixed when an engine is compiled: FM_WATER_TYPE is its type,
 * FM_WATER_SAMPLE(water, body, ahead, state, room) the stream that the body meets `ahead` seconds after the start of
 * the step, in `room` where it is made for the occasion. Without them: one stream for everyone and the whole step. */
#ifndef FM_WATER_TYPE
#define FM_WATER_TYPE fm_stream
#define FM_WATER_SAMPLE fm_stream_everywhere
FM_FN const fm_stream *fm_stream_everywhere(const fm_stream *water, const fm_body *body, fm_par ahead,
                                            const fm_body_state *state, fm_stream *room)
{
    (void)body, (void)ahead, (void)state, (void)room;
    return water;
}
#endif

/* Everything a stage needs beside the state. */
typedef struct fm_body_problem {
    const fm_body *body;
    const fm_mass *mass;
    const fm_body_input *input;
    const FM_WATER_TYPE *water;
} fm_body_problem;

/* Rate at `ahead` seconds after the start of the step. */
FM_FN void fm_body_stage(const fm_body_problem *p, fm_par ahead, const fm_body_state *state, fm_body_state *rate)
{
    fm_stream room;
    fm_body_rate(p->body, p->mass, p->input, FM_WATER_SAMPLE(p->water, p->body, ahead, state, &room), state, rate);
}

FM_FN void fm_body_step_euler(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_state k;
    fm_body_stage(p, t0, state, &k);
    fm_body_advance(state, h, &k, state);
    fm_body_finish(p->body, state);
}

FM_FN void fm_body_step_heun(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_state k1, k2, guess;
    fm_body_stage(p, t0, state, &k1);
    fm_body_advance(state, h, &k1, &guess);
    fm_body_finish(p->body, &guess);
    fm_body_stage(p, t0 + h, &guess, &k2);
    fm_body_advance(state, h / 2, &k1, state);
    fm_body_advance(state, h / 2, &k2, state);
    fm_body_finish(p->body, state);
}

FM_FN void fm_body_step_rk4(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_state k1, k2, k3, k4, guess;
    fm_body_stage(p, t0, state, &k1);
    fm_body_advance(state, h / 2, &k1, &guess);
    fm_body_stage(p, t0 + h / 2, &guess, &k2);
    fm_body_advance(state, h / 2, &k2, &guess);
    fm_body_stage(p, t0 + h / 2, &guess, &k3);
    fm_body_advance(state, h, &k3, &guess);
    fm_body_stage(p, t0 + h, &guess, &k4);
    fm_body_advance(state, h / 6, &k1, state);
    fm_body_advance(state, h / 3, &k2, state);
    fm_body_advance(state, h / 3, &k3, state);
    fm_body_advance(state, h / 6, &k4, state);
    fm_body_finish(p->body, state);
}

/* The dissertation's scheme: Heun on the velocities (6.36)(6.37) at the posture of the step's start, then Euler on
 * the posture with the new velocities (Fig. 6.5; (6.38) prints the old ones). */
FM_FN void fm_body_step_text(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_state k1, k2, guess = *state;
    fm_body_stage(p, t0, state, &k1);
    for (int i = 0; i < 6; i++)
        guess.velocity[i] = state->velocity[i] + h * k1.velocity[i];
    fm_body_stage(p, t0 + h, &guess, &k2);
    for (int i = 0; i < 6; i++)
        guess.velocity[i] = state->velocity[i] + (h / 2) * (k1.velocity[i] + k2.velocity[i]);
    fm_real R[9], moved[3], turned[4];
    fm_body_matrix(p->body, state->attitude, R);
    fm_vector_to_world(R, guess.velocity, moved);
    turned[3] = fm_const(0);
    if (p->body->euler)
        fm_euler_rate(state->attitude, R, guess.velocity + 3, turned);
    else
        fm_quat_rate(state->attitude, guess.velocity + 3, turned);
    for (int i = 0; i < 6; i++)
        state->velocity[i] = guess.velocity[i];
    for (int i = 0; i < 3; i++)
        state->position[i] += h * moved[i];
    for (int i = 0; i < 4; i++)
        state->attitude[i] += h * turned[i];
    fm_body_finish(p->body, state);
}

/* Each integrator whole and by itself: inlined into one function they would cost registers. */
#ifdef __CUDACC__
#define FM_WHOLE FM_FN
#else
#define FM_WHOLE static __attribute__((noinline, unused))
#endif
FM_WHOLE void fm_body_whole_euler(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_step_euler(p, t0, h, state);
}
FM_WHOLE void fm_body_whole_heun(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_step_heun(p, t0, h, state);
}
FM_WHOLE void fm_body_whole_rk4(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_step_rk4(p, t0, h, state);
}
FM_WHOLE void fm_body_whole_text(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_step_text(p, t0, h, state);
}

FM_FN void fm_body_step(enum fm_integrator integrator, const fm_body_problem *p, fm_par t0, fm_par h,
                        fm_body_state *state)
{
    switch (integrator) {
    case FM_EULER: fm_body_whole_euler(p, t0, h, state); break;
    case FM_HEUN: fm_body_whole_heun(p, t0, h, state); break;
    case FM_RK4: fm_body_whole_rk4(p, t0, h, state); break;
    case FM_TEXT: fm_body_whole_text(p, t0, h, state); break;
    }
}

/* `count` equal sub-steps over dt. */
FM_FN void fm_body_step_divided(enum fm_integrator integrator, const fm_body_problem *p, fm_par dt, int count,
                                fm_body_state *state)
{
    fm_par h = dt / (fm_par)count;
    for (int i = 0; i < count; i++)
        fm_body_step(integrator, p, (fm_par)i * h, h, state);
}

/* Largest difference of two states: metres, quaternion components or radians, m/s and rad/s alike. */
FM_FN fm_real fm_body_difference(const fm_body_state *a, const fm_body_state *b)
{
    fm_real worst = fm_const(0);
    for (int i = 0; i < 3; i++)
        worst = fm_max(worst, fm_abs(a->position[i] - b->position[i]));
    for (int i = 0; i < 4; i++)
        worst = fm_max(worst, fm_abs(a->attitude[i] - b->attitude[i]));
    for (int i = 0; i < 6; i++)
        worst = fm_max(worst, fm_abs(a->velocity[i] - b->velocity[i]));
    return worst;
}

enum { FM_SUBSTEPS_MOST = 1024 };

FM_FN void fm_body_select(fm_mask mask, const fm_body_state *a, fm_body_state *out)
{
    for (int i = 0; i < 3; i++)
        out->position[i] = fm_select(mask, a->position[i], out->position[i]);
    for (int i = 0; i < 4; i++)
        out->attitude[i] = fm_select(mask, a->attitude[i], out->attitude[i]);
    for (int i = 0; i < 6; i++)
        out->velocity[i] = fm_select(mask, a->velocity[i], out->velocity[i]);
}

/* Sub-steps by error control: their number doubles until doubling it once more changes the result by no more than
 * `tolerance` (fm_body_difference), for each vehicle by itself. */
FM_FN void fm_body_step_controlled(enum fm_integrator integrator, const fm_body_problem *p, fm_par dt, fm_par tolerance,
                                   fm_body_state *state)
{
    fm_body_state coarse = *state, fine, found = *state;
    fm_mask open = fm_const(0) < fm_const(1);
    fm_body_step_divided(integrator, p, dt, 1, &coarse);
    for (int count = 2; count <= FM_SUBSTEPS_MOST && fm_any(open); count *= 2) {
        fine = *state;
        fm_body_step_divided(integrator, p, dt, count, &fine);
        fm_body_select(open, &fine, &found);
        open = open & (fm_body_difference(&fine, &coarse) > fm_const(tolerance));
        coarse = fine;
    }
    *state = found;
}

#endif
