/* The 6-DOF body: posture, rigid body and hydrodynamics put together, and its integrators.
 *
 *     M ν̇_r = −C(ν_r)ν_r + terms(ν_r, fins) + cross flow(ν_r) + restoring + actuators
 *
 * with ν_r relative to the water. The state holds velocity over ground; the water's own acceleration enters through
 * d(Rᵀ c)/dt = −ω × Rᵀ c + Rᵀ ċ. */
#ifndef FM_PHYSICS_BODY_H
#define FM_PHYSICS_BODY_H

#include "physics/floating.h"
#include "physics/hydrodynamics.h"

enum fm_integrator { FM_EULER, FM_HEUN, FM_RK4, FM_TEXT };

typedef struct fm_body {
    fm_hydro hydro;
    fm_floating_hull hull;
    int32_t euler; /* posture="euler": integrate the angles by (6.22) */
    int32_t spare;
} fm_body;

typedef struct fm_body_state {
    fm_real position[3]; /* m, NED */
    fm_real attitude[4]; /* quaternion body → world, or Euler angles (phi, theta, psi, 0), rad */
    fm_real velocity[6]; /* over ground, body axes: m/s, rad/s */
} fm_body_state;

/* What acts on the body from outside, held over a step. */
typedef struct fm_body_input {
    fm_real force[6];             /* thrusters, tethers, contact …: N, N·m at the origin, body axes */
    fm_real fin[1 + 2 * FM_FINS]; /* 1, deflections (rad), their squares */
    fm_real density_ratio;        /* local over nominal water density */
} fm_body_input;

/* The water where the body is, at one moment. */
typedef struct fm_stream {
    fm_real velocity[3];     /* m/s, NED */
    fm_real acceleration[3]; /* of the water that the body meets, m/s², NED */
    fm_real turn[2];         /* turning of the water along the hull: ∂w/∂x (as −q) and ∂v/∂x, 1/s, body */
    fm_real surface;         /* depth of the surface above the body (negative: a crest), m */
} fm_stream;

FM_FN void fm_body_matrix(const fm_body *body, const fm_real attitude[4], fm_real R[9])
{
    if (body->euler)
        fm_euler_matrix(attitude, R);
    else
        fm_quat_matrix(attitude, R);
}

/* Generalised force on the body, all terms. nu is relative to the water. */
FM_FN void fm_body_force(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_stream *water,
                         const fm_real nu[6], fm_real depth, const fm_real down[3], fm_real f[6])
{
    for (int i = 0; i < 6; i++)
        f[i] = input->force[i];
    fm_body_add_coriolis(mass, nu, f);
    fm_hydro_add_terms(&body->hydro, nu, input->fin, f);
    if (body->hydro.strip_count) {
        fm_real turn[2] = {nu[4] + water->turn[0], nu[5] - water->turn[1]};
        fm_hydro_add_cross_flow(&body->hydro, nu, turn, f);
    }
    if (body->hull.count)
        fm_floating_add(&body->hull, mass, depth, water->surface, input->density_ratio, down, f);
    else
        fm_body_add_restoring(mass, fm_buoyancy_at(mass, depth, input->density_ratio), down, f);
}

/* Rate of change of the whole state. */
FM_FN void fm_body_rate(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_stream *water,
                        const fm_body_state *state, fm_body_state *rate)
{
    fm_real R[9], stream[3], pushed[3], nu[6], f[6], turned[3];
    fm_body_matrix(body, state->attitude, R);
    fm_vector_to_body(R, water->velocity, stream);
    fm_vector_to_body(R, water->acceleration, pushed);
    for (int i = 0; i < 3; i++) {
        nu[i] = state->velocity[i] - stream[i];
        nu[3 + i] = state->velocity[3 + i];
    }
    fm_body_force(body, mass, input, water, nu, state->position[2], R + 6, f);
    fm_matrix6_mul(mass->inverse, f, rate->velocity);
    fm_cross(nu + 3, stream, turned);
    for (int i = 0; i < 3; i++)
        rate->velocity[i] += pushed[i] - turned[i];
    fm_vector_to_world(R, state->velocity, rate->position);
    if (body->euler) {
        fm_euler_rate(state->attitude, R, nu + 3, rate->attitude);
        rate->attitude[3] = fm_const(0);
    } else {
        fm_quat_rate(state->attitude, nu + 3, rate->attitude);
    }
}

/* out = a + h b, the attitude not yet normalised */
FM_FN void fm_body_advance(const fm_body_state *a, fm_par h, const fm_body_state *b, fm_body_state *out)
{
    for (int i = 0; i < 3; i++)
        out->position[i] = a->position[i] + h * b->position[i];
    for (int i = 0; i < 4; i++)
        out->attitude[i] = a->attitude[i] + h * b->attitude[i];
    for (int i = 0; i < 6; i++)
        out->velocity[i] = a->velocity[i] + h * b->velocity[i];
}

FM_FN void fm_body_finish(const fm_body *body, fm_body_state *state)
{
    if (!body->euler)
        fm_quat_normalise(state->attitude);
}

#endif
