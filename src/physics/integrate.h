/* Integrators of the 6-DOF body. Actuators are held over a step; the water is sampled at each stage. */
#ifndef FM_PHYSICS_INTEGRATE_H
#define FM_PHYSICS_INTEGRATE_H

#include "physics/body.h"

/* Where the water's motion comes from, fixed when an engine is compiled: FM_WATER_TYPE is its type,
 * FM_WATER_SAMPLE(water, body, ahead, state, room) the stream that the body meets `ahead` seconds after the start of
 * the step, in `room` where it is made for the occasion, with the waves that are held there; FM_WATER_HOLD(water, body,
 * ahead, state, held) the waves about the hull in this state at that time, FM_WATER_WAVES(water, body) whether there
 * are any to hold, FM_WATER_LEVEL(water) the depth of the surface without them, FM_WATER_TROUGH(water) the greatest
 * depth that the surface has anywhere, FM_WATER_VARIES(water) whether it differs from place to place or within the
 * step. Without them: one stream for all vehicles and the whole step. */
#ifndef FM_WATER_TYPE
#define FM_WATER_TYPE fm_stream
#define FM_WATER_SAMPLE fm_stream_everywhere
FM_FN const fm_stream *fm_stream_everywhere(const fm_stream *water, const fm_body *body, fm_par ahead,
                                            const fm_body_state *state, fm_stream_room *room)
{
    (void)body, (void)ahead, (void)state, (void)room;
    return water;
}
#define FM_WATER_HOLD(water, body, ahead, state, held) ((void)(ahead), (void)(held))
#define FM_WATER_WAVES(water, body) ((void)(water), (void)(body), 0)
#define FM_WATER_LEVEL(water) ((water)->surface)
#define FM_WATER_TROUGH fm_stream_trough
FM_FN fm_real fm_stream_trough(const fm_stream *water)
{
    return water->surface;
}
#define FM_WATER_VARIES(water) ((void)(water), 0)
#endif

/* Everything a stage needs beside the state. */
typedef struct fm_body_problem {
    const fm_body *body;
    const fm_mass *mass;
    const fm_body_input *input;
    const FM_WATER_TYPE *water;
    const fm_real *thrust; /* the part of the input's force that needs water; NULL: all of it */
    fm_stream_room
        *room; /* where the water is sampled, and waves are held over a step; NULL: it is the same everywhere */
} fm_body_problem;

/* Rate at `ahead` seconds after the start of the step. */
FM_FN void fm_body_stage(const fm_body_problem *p, fm_par ahead, const fm_body_state *state, fm_body_state *rate)
{
    fm_body_rate_by(p->body, p->mass, p->input, p->thrust ? p->thrust : p->input->force,
                    FM_WATER_SAMPLE(p->water, p->body, ahead, state, p->room), state, rate);
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

FM_FN void fm_body_select(fm_mask mask, const fm_body_state *a, fm_body_state *out)
{
    for (int i = 0; i < 3; i++)
        out->position[i] = fm_select(mask, a->position[i], out->position[i]);
    for (int i = 0; i < 4; i++)
        out->attitude[i] = fm_select(mask, a->attitude[i], out->attitude[i]);
    for (int i = 0; i < 6; i++)
        out->velocity[i] = fm_select(mask, a->velocity[i], out->velocity[i]);
}

/* The implicit midpoint rule, y₁ = y₀ + h f((y₀ + y₁)/2), which is symmetric in time and keeps the energy of an
 * undamped body. Solved by iteration, for each vehicle until two iterates differ by no more than FM_MIDPOINT_CLOSE. */
enum { FM_MIDPOINT_MOST = 64 };
#ifdef FM_FLOAT
#define FM_MIDPOINT_CLOSE 1e-6
#else
#define FM_MIDPOINT_CLOSE 1e-14
#endif
FM_FN void fm_body_step_midpoint(const fm_body_problem *p, fm_par t0, fm_par h, fm_body_state *state)
{
    fm_body_state k, middle = *state, there, next, found = *state;
    fm_mask open = fm_const(0) < fm_const(1);
    for (int i = 0; i < FM_MIDPOINT_MOST && fm_any(open); i++) {
        there = middle;
        fm_body_finish(p->body, &there);
        fm_body_stage(p, t0 + h / 2, &there, &k);
        fm_body_advance(state, h / 2, &k, &next);
        fm_mask far = fm_body_difference(&next, &middle) > fm_const(FM_MIDPOINT_CLOSE);
        middle = next;
        fm_body_advance(state, h, &k, &next);
        fm_body_select(open, &next, &found);
        open = open & far;
    }
    *state = found;
    fm_body_finish(p->body, state);
}

/* Those that the surface may reach within a step. */
FM_FN fm_mask fm_body_near(const fm_body_problem *p, const fm_body_state *state)
{
    return state->position[2] - FM_WATER_TROUGH(p->water) < fm_real_wide(p->body->hull.reach);
}

FM_FN void fm_body_step_once(enum fm_integrator integrator, const fm_body_problem *p, fm_par t0, fm_par h,
                             fm_body_state *state)
{
    switch (integrator) {
    case FM_EULER: fm_body_step_euler(p, t0, h, state); break;
    case FM_HEUN: fm_body_step_heun(p, t0, h, state); break;
    case FM_RK4: fm_body_step_rk4(p, t0, h, state); break;
    case FM_TEXT: fm_body_step_text(p, t0, h, state); break;
    case FM_MIDPOINT: fm_body_step_midpoint(p, t0, h, state); break;
    }
}

/* The sub-steps `from` … `to` − 1 of h seconds after t0, the first in any case, then as long as no vehicle is near the
 * surface. Returns the next one. */
FM_FN int fm_body_steps(enum fm_integrator integrator, const fm_body_problem *p, fm_par t0, fm_par h, int from, int to,
                        fm_body_state *state)
{
    int i = from;
    do
        fm_body_step_once(integrator, p, t0 + (fm_par)i * h, h, state);
    while (++i < to && !fm_any(fm_body_near(p, state)));
    return i;
}

/* Each integrator whole and by itself: inlined into one function they would cost registers. Without the loop gcc would
 * keep vectors of three and six in memory. */
FM_WHOLE int fm_body_steps_euler(const fm_body_problem *p, fm_par t0, fm_par h, int from, int to, fm_body_state *state)
{
    return fm_body_steps(FM_EULER, p, t0, h, from, to, state);
}
FM_WHOLE int fm_body_steps_heun(const fm_body_problem *p, fm_par t0, fm_par h, int from, int to, fm_body_state *state)
{
    return fm_body_steps(FM_HEUN, p, t0, h, from, to, state);
}
FM_WHOLE int fm_body_steps_rk4(const fm_body_problem *p, fm_par t0, fm_par h, int from, int to, fm_body_state *state)
{
    return fm_body_steps(FM_RK4, p, t0, h, from, to, state);
}
FM_WHOLE int fm_body_steps_text(const fm_body_problem *p, fm_par t0, fm_par h, int from, int to, fm_body_state *state)
{
    return fm_body_steps(FM_TEXT, p, t0, h, from, to, state);
}
FM_WHOLE int fm_body_steps_midpoint(const fm_body_problem *p, fm_par t0, fm_par h, int from, int to,
                                    fm_body_state *state)
{
    return fm_body_steps(FM_MIDPOINT, p, t0, h, from, to, state);
}

FM_FN int fm_body_steps_as(enum fm_integrator integrator, const fm_body_problem *p, fm_par t0, fm_par h, int from,
                           int to, fm_body_state *state)
{
    switch (integrator) {
    case FM_EULER: return fm_body_steps_euler(p, t0, h, from, to, state);
    case FM_HEUN: return fm_body_steps_heun(p, t0, h, from, to, state);
    case FM_RK4: return fm_body_steps_rk4(p, t0, h, from, to, state);
    case FM_TEXT: return fm_body_steps_text(p, t0, h, from, to, state);
    case FM_MIDPOINT: return fm_body_steps_midpoint(p, t0, h, from, to, state);
    }
    return to;
}

/* --- at the surface --- */

/* Euler's rule adds energy to every oscillation, in sub-steps too: Heun's replaces it at the surface. */
FM_FN enum fm_integrator fm_body_surface_integrator(enum fm_integrator integrator)
{
    return integrator == FM_EULER ? FM_HEUN : integrator;
}

/* What of the hull is under water `ahead` seconds after the start of the step. */
FM_FN fm_submersion fm_body_submersion(const fm_body_problem *p, fm_par ahead, const fm_body_state *state)
{
    fm_real R[9];
    fm_body_matrix(p->body, state->attitude, R);
    fm_stream above;
    for (int i = 0; i < 3; i++)
        above.velocity[i] = above.acceleration[i] = fm_const(0);
    above.surface = FM_WATER_LEVEL(p->water);
    above.along = NULL;
    if (p->room && p->room->held.waves)
        fm_stream_add_waves(p->room, ahead, &above);
    return fm_body_submerged(p->body, &above, state->position[2], R + 6);
}

/* The water that a hull takes along where it enters has its speed from the hull's momentum (von Kármán's impact):
 * M(after) ν = M(before) ν_before through the water. Water that a hull leaves keeps its own. */
FM_FN void fm_body_slam(const fm_body_problem *p, fm_par ahead, fm_real part, fm_real entered, fm_body_state *state)
{
    fm_body_flow flow;
    fm_real m[36], l[36], taken[6];
    fm_body_meet(p->body, FM_WATER_SAMPLE(p->water, p->body, ahead, state, p->room), state, &flow);
    fm_body_wet_mass(p->body, p->mass, part, m);
    fm_matrix6_mul(p->body->fading_mass, flow.nu, taken);
    for (int i = 0; i < 6; i++)
        taken[i] *= entered;
    (void)fm_matrix6_factor(m, l);
    fm_matrix6_solve(l, taken);
    for (int i = 0; i < 6; i++)
        state->velocity[i] -= taken[i];
}

/* One step and the impact of what enters; returns the part of the hull that is under water then. */
FM_FN fm_real fm_body_step_slamming(enum fm_integrator integrator, const fm_body_problem *p, fm_par t0, fm_par h,
                                    fm_body_state *state)
{
    fm_submersion before = fm_body_submersion(p, t0, state);
    (void)fm_body_steps_as(integrator, p, t0, h, 0, 1, state);
    fm_submersion after = fm_body_submersion(p, t0 + h, state);
    fm_real part = fm_submersion_part(&p->body->hull, &after);
    fm_real entered = fm_max(part - fm_submersion_part(&p->body->hull, &before), fm_const(0));
    if (fm_any(entered > fm_const(0)))
        fm_body_slam(p, t0 + h, part, entered, state);
    return after.volume / p->body->hull.volume;
}

/* A step of those that are `near` the surface, as finely divided as their floating needs; the others take it whole. */
FM_WHOLE fm_real fm_body_step_at_surface(enum fm_integrator integrator, const fm_body_problem *p, fm_mask near,
                                         fm_par t0, fm_par h, fm_body_state *state)
{
    int count = p->body->hull.substeps;
    enum fm_integrator fine = fm_body_surface_integrator(integrator);
    fm_body_state whole = *state;
    fm_real wet = fm_const(1), far_wet = fm_const(1);
    fm_mask far = near == 0;
    int apart = (count > 1 || fine != integrator) && fm_any(far);
    if (apart)
        far_wet = fm_body_step_slamming(integrator, p, t0, h, &whole);
    for (int i = 0; i < count; i++)
        wet = fm_body_step_slamming(fine, p, t0 + (fm_par)i * (h / (fm_par)count), h / (fm_par)count, state);
    if (apart) {
        fm_body_select(far, &whole, state);
        wet = fm_select(far, far_wet, wet);
    }
    return wet;
}

/* Holds the waves about the hull where its present motion brings it in the middle of the h seconds after t0. */
FM_WHOLE void fm_body_hold(const fm_body_problem *p, fm_par t0, fm_par h, const fm_body_state *state)
{
    fm_body_state rate, middle;
    fm_real R[9];
    fm_body_matrix(p->body, state->attitude, R);
    fm_vector_to_world(R, state->velocity, rate.position);
    rate.attitude[3] = fm_const(0);
    if (p->body->euler)
        fm_euler_rate(state->attitude, R, state->velocity + 3, rate.attitude);
    else
        fm_quat_rate(state->attitude, state->velocity + 3, rate.attitude);
    for (int i = 0; i < 6; i++)
        rate.velocity[i] = fm_const(0);
    fm_body_advance(state, h / 2, &rate, &middle);
    fm_body_finish(p->body, &middle);
    p->room->memory.known = 0;
    FM_WATER_HOLD(p->water, p->body, t0 + h / 2, &middle, &p->room->held);
}

/* `count` equal sub-steps over dt. Returns the part of the hull that is under water then, 0 … 1. */
FM_FN fm_real fm_body_step_divided(enum fm_integrator integrator, const fm_body_problem *p, fm_par dt, int count,
                                   fm_body_state *state)
{
    fm_par h = dt / (fm_par)count;
    fm_real wet = fm_const(1);
    const int waves = FM_WATER_WAVES(p->water, p->body);
    for (int i = 0; i < count;) {
        fm_mask near = fm_body_near(p, state);
        if (waves)
            fm_body_hold(p, (fm_par)i * h, h, state);
        if (fm_any(near)) {
            wet = fm_body_step_at_surface(integrator, p, near, (fm_par)i * h, h, state);
            i++;
        } else {
            wet = fm_const(1);
            i = fm_body_steps_as(integrator, p, 0, h, i, waves ? i + 1 : count, state);
        }
    }
    return wet;
}

enum { FM_SUBSTEPS_MOST = 1024 };

/* Sub-steps by error control: their number doubles until doubling it once more changes the result by no more than
 * `tolerance` (fm_body_difference), for each vehicle by itself. */
FM_FN fm_real fm_body_step_controlled(enum fm_integrator integrator, const fm_body_problem *p, fm_par dt,
                                      fm_par tolerance, fm_body_state *state)
{
    fm_real wet, finest;
    fm_body_state coarse = *state, fine, found = *state;
    fm_mask open = fm_const(0) < fm_const(1);
    wet = fm_body_step_divided(integrator, p, dt, 1, &coarse);
    for (int count = 2; count <= FM_SUBSTEPS_MOST && fm_any(open); count *= 2) {
        fine = *state;
        finest = fm_body_step_divided(integrator, p, dt, count, &fine);
        fm_body_select(open, &fine, &found);
        wet = fm_select(open, finest, wet);
        open = open & (fm_body_difference(&fine, &coarse) > fm_const(tolerance));
        coarse = fine;
    }
    *state = found;
    return wet;
}

#endif
