/* The 6-DOF body: posture, rigid body and hydrodynamics put together, and its integrators.
 *
 *     M ν̇_r = −C(ν_r)ν_r + terms(ν_r, fins) + cross flow(ν_r) + restoring + actuators
 *
 * with ν_r relative to the water; near the surface the added mass in M and all forces of the water fade with the
 * submerged fraction of the hull. The state holds velocity over ground. Water that accelerates pushes by its
 * pressure and by the added mass, (ρV + A) Du/Dt (J2), whatever the body weighs. Waves differ along the hull: they
 * turn it too, and their surface cuts each column where it is there (physics/hull_waves.h). */
#ifndef FM_PHYSICS_BODY_H
#define FM_PHYSICS_BODY_H

#include "physics/floating.h"
#include "physics/hydrodynamics.h"
#if !defined(FM_LANES) && !defined(__CUDACC__)
#define FM_HAS_APPENDAGES
#include "physics/appendages.h"
#endif

enum fm_integrator { FM_EULER, FM_HEUN, FM_RK4, FM_TEXT, FM_MIDPOINT };

typedef struct fm_body {
    fm_hydro hydro;
    fm_floating_hull hull;
    const fm_real *added_mass;  /* 6×6 by column */
    const fm_real *fading_mass; /* 6×6 by column: the added mass that fades as the hull leaves the water */
    const fm_wave_grid *grid;   /* how waves are summed over the hull; NULL: they are taken at the origin */
    int32_t euler;              /* posture="euler": integrate the angles by (6.22) */
    int32_t full_coriolis;      /* the momentum of fm_mass is that of M in full */
#ifdef FM_HAS_APPENDAGES
    const fm_appendages *appendages; /* NULL: none */
#endif
#ifdef FM_LANES    /* common to all vehicles, determined before the steps; 0: not, or unknown */
    int32_t apart; /* M⁻¹ and the momentum couple (u, w, q) and (v, p, r) each among themselves */
    int32_t still; /* the water is at rest throughout */
#endif
} fm_body;

typedef struct fm_body_state {
    fm_real position[3]; /* m, NED */
    fm_real attitude[4]; /* quaternion body → world, or Euler angles (phi, theta, psi, 0), rad */
    fm_real velocity[6]; /* over ground, body axes: m/s, rad/s */
} fm_body_state;

/* External forces and inputs, held over a step. */
typedef struct fm_body_input {
    fm_real force[6];             /* thrusters, tethers, contact …: N, N·m at the origin, body axes */
    fm_real fin[1 + 2 * FM_FINS]; /* 1, deflections (rad), their squares; two numbers of a foil or a propeller */
    fm_real density_ratio;        /* local over nominal water density, times the expansion of the hull (V7) */
} fm_body_input;

/* The water where the body is, at one moment. */
typedef struct fm_stream {
    fm_real velocity[3];        /* m/s, NED */
    fm_real acceleration[3];    /* Du/Dt of the water itself where the body is, m/s², NED */
    fm_real turn[2];            /* turning of the water along the hull: ∂w/∂x (as −q) and ∂v/∂x, 1/s, body */
    fm_real surface;            /* depth of the surface above the body (negative: a crest), m */
    const fm_hull_water *along; /* differences of waves along the hull; NULL: none */
    struct fm_cut_memory *memory; /* with it: what was found of the hull last */
    int32_t near;                 /* with it: not 0 where the surface may be at the hull */
} fm_stream;

/* What of the hull is under water, for the depth of its origin, `down` and the rises of the surface it was found for:
 * the start of a step and the first stage of its integrator ask for the same. */
typedef struct fm_cut_memory {
    int32_t known;
    fm_real at[4 + FM_HULL_RISES - 1];
    fm_submersion cut;
} fm_cut_memory;

/* Room for a sample of the water. */
typedef struct fm_stream_room {
    fm_stream stream;
    fm_hull_hold held;
    fm_cut_memory memory;
} fm_stream_room;

FM_FN void fm_stream_room_clear(fm_stream_room *room)
{
    room->held.waves = room->memory.known = 0;
}

/* Adds the waves that are held, `ahead` seconds after the start of the step, but for (u·∇)u. */
FM_FN void fm_stream_add_waves(fm_stream_room *room, fm_par ahead, fm_stream *out)
{
    fm_hull_hold *held = &room->held;
    fm_hull_state now;
    fm_hull_hold_at(held, ahead, &now);
    for (int i = 0; i < 3; i++) {
        out->velocity[i] += now.velocity[i];
        out->acceleration[i] += now.acceleration[i];
    }
    out->surface -= now.surface;
    held->now = now.along;
    out->along = &held->now;
    out->memory = &room->memory;
    out->near = held->near;
}

/* (O5.8) From ∂u/∂t to Du/Dt: adds ∇u·v for the gradient ∇u (1/s) and the whole velocity v of the water. */
FM_FN void fm_stream_convect(const fm_real gradient[9], fm_stream *out)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->acceleration[i] += gradient[3 * i + k] * out->velocity[k];
}

FM_FN void fm_body_matrix(const fm_body *body, const fm_real attitude[4], fm_real R[9])
{
    if (body->euler)
        fm_euler_matrix(attitude, R);
    else
        fm_quat_matrix(attitude, R);
}

/* --- force --- */

/* out = m x, where m is a matrix of this body's mass. */
FM_FN void fm_body_mass_mul(const fm_body *body, const fm_real m[36], const fm_real x[6], fm_real out[6])
{
#ifdef FM_LANES
    if (body->apart) {
        fm_matrix6_mul_apart(m, x, out);
        return;
    }
#endif
    (void)body;
    fm_matrix6_mul(m, x, out);
}

FM_FN fm_strip_sums fm_body_cross_flow(const fm_body *body, const fm_stream *water, const fm_real nu[6])
{
    fm_real turn[2] = {nu[4] + water->turn[0], nu[5] - water->turn[1]};
    if (water->along)
        return fm_hydro_cross_flow_in(&body->hydro, nu, turn, water->along);
    return fm_hydro_cross_flow(&body->hydro, nu, turn);
}

/* Motion through the water as the coefficients have it: waves turn the water along the hull. */
FM_FN void fm_body_damped(const fm_stream *water, const fm_real nu[6], fm_real out[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = nu[i];
    for (int i = 0; i < 3 && water->along; i++)
        out[3 + i] -= water->along->spin[i];
}

/* Coefficient terms and cross flow; nu is relative to the water. Adds to f. */
FM_FN void fm_body_add_flow(const fm_body *body, const fm_body_input *input, const fm_stream *water,
                            const fm_strip_sums *strips, const fm_real nu[6], fm_real f[6])
{
    if (water->along) {
        fm_real damped[6];
        fm_body_damped(water, nu, damped);
        fm_hydro_add_terms(&body->hydro, damped, input->fin, f);
    } else {
        fm_hydro_add_terms(&body->hydro, nu, input->fin, f);
    }
    if (body->hydro.strip_count)
        fm_hydro_add_cross_flow(strips, f);
}

#ifdef FM_HAS_APPENDAGES
FM_FN fm_appendage_flow fm_body_appendage_flow(const fm_stream *water, const fm_real nu[6], fm_real depth,
                                               const fm_real down[3])
{
    fm_appendage_flow flow = {{nu[0], nu[1], nu[2], nu[3], nu[4] + water->turn[0], nu[5] - water->turn[1]},
                              depth - water->surface,
                              {down[0], down[1], down[2]},
                              water->along};
    for (int i = 0; i < 3 && water->along; i++)
        flow.nu[3 + i] -= water->along->spin[i];
    return flow;
}

/* Fins add to `wet`, which fades with the hull that leaves the water; propellers, which see to that, to f. */
FM_WHOLE void fm_body_add_appendages(const fm_body *body, const fm_body_input *input, const fm_stream *water,
                                     const fm_real nu[6], fm_real depth, const fm_real down[3], fm_real f[6],
                                     fm_real wet[6])
{
    fm_appendage_flow flow = fm_body_appendage_flow(water, nu, depth, down);
    fm_appendages_add_screws(body->appendages, &flow, input->fin, f);
    fm_appendages_add_foils(body->appendages, &flow, input->fin, wet);
}
#endif

/* Generalised force on a wholly submerged body, all terms. nu is relative to the water. */
FM_FN void fm_body_force(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_stream *water,
                         const fm_real nu[6], fm_real depth, const fm_real down[3], fm_real f[6])
{
    fm_strip_sums strips =
        fm_body_cross_flow(body, water, nu); /* first: its roots take long, and f waits for them last */
    fm_real momentum[6];
    for (int i = 0; i < 6; i++)
        f[i] = input->force[i];
    fm_body_mass_mul(body, mass->momentum, nu, momentum);
    fm_body_turn_momentum(momentum, nu, f);
    fm_body_add_flow(body, input, water, &strips, nu, f);
#ifdef FM_HAS_APPENDAGES
    if (body->appendages)
        fm_body_add_appendages(body, input, water, nu, depth, down, f, f);
#endif
    if (body->hull.bears) {
        fm_submersion whole = fm_submersion_whole(&body->hull);
        fm_floating_restore(mass, mass->weight, fm_floating_lift(&body->hull, mass, depth, input->density_ratio),
                            &whole, down, f);
    } else {
        fm_body_add_restoring(mass, fm_buoyancy_at(mass, depth, input->density_ratio), down, f);
    }
}

/* --- rate of change --- */

/* The pose as a matrix, the water in body axes and the velocity through it. */
typedef struct fm_body_flow {
    fm_real R[9], nu[6];
    fm_real stream[3], pushed[3]; /* where the water carries anybody */
    int carries;
} fm_body_flow;

/* If the water is at rest and the body is not, everything that it carries along is ±0, which is added to nonzero
 * numbers: leaving it out changes no bit of the state and avoids waiting for the pose. */
FM_FN int fm_stream_carries(const fm_body *body, const fm_stream *water, const fm_real velocity[3])
{
    fm_real zero = fm_const(0);
    fm_mask rests = (velocity[0] == zero) | (velocity[1] == zero) | (velocity[2] == zero);
#ifdef FM_LANES
    if (body->still)
        return fm_any(rests);
#endif
    (void)body;
    fm_mask moves = (water->velocity[0] != zero) | (water->velocity[1] != zero) | (water->velocity[2] != zero) |
                    (water->acceleration[0] != zero) | (water->acceleration[1] != zero) |
                    (water->acceleration[2] != zero);
    return fm_any(moves | rests);
}

FM_FN void fm_body_meet(const fm_body *body, const fm_stream *water, const fm_body_state *state, fm_body_flow *flow)
{
    fm_body_matrix(body, state->attitude, flow->R);
    for (int i = 0; i < 6; i++)
        flow->nu[i] = state->velocity[i];
    flow->carries = fm_stream_carries(body, water, state->velocity);
    if (flow->carries) {
        fm_vector_to_body(flow->R, water->velocity, flow->stream);
        fm_vector_to_body(flow->R, water->acceleration, flow->pushed);
        for (int i = 0; i < 3; i++)
            flow->nu[i] -= flow->stream[i];
    } else {
        for (int i = 0; i < 3; i++)
            flow->stream[i] = flow->pushed[i] = fm_const(0);
    }
}

/* Rate of the velocity over ground from M⁻¹ f: the axes turn under the velocity of the water. */
FM_FN void fm_body_carry(const fm_body_flow *flow, fm_real rate[6])
{
    fm_real turned[3];
    if (!flow->carries)
        return;
    fm_cross(flow->nu + 3, flow->stream, turned);
    for (int i = 0; i < 3; i++)
        rate[i] -= turned[i];
}

/* (J2) Force of water that accelerates by flow->pushed: its pressure on what the hull displaces, which weighs `lift`
 * (N) for each unit of s->volume, and the added mass without the part `dry` of what fades. Water that floods the hull
 * counts as displaced, at the centre of gravity. Adds to f. */
FM_FN void fm_body_add_loads(const fm_body *body, const fm_mass *mass, fm_real lift, const fm_submersion *s,
                             fm_real dry, const fm_body_flow *flow, fm_real f[6])
{
    const fm_real *a = flow->pushed, zero = fm_const(0), g = fm_real_wide(body->hull.gravity);
    fm_mask terms = (a[0] != zero) | (a[1] != zero) | (a[2] != zero);
    if (!flow->carries || !fm_any(terms))
        return;
    fm_real unit = lift / g, flood = (fm_const(1) - dry) * (body->hull.flooded / g);
    fm_real displaced = unit * s->volume + flood, arm[3], w[6];
    for (int i = 0; i < 3; i++) {
        arm[i] = unit * s->moment[i] + flood * mass->gravity_centre[i];
        w[i] = displaced * a[i];
    }
    fm_cross(arm, a, w + 3);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++)
            w[i] += (body->added_mass[6 * k + i] - dry * body->fading_mass[6 * k + i]) * a[k];
        f[i] = fm_select(terms, f[i] + w[i], f[i]);
    }
}

/* (J2) The same where the water turns along the hull, by `swing` (rad/s², body axes): (ρJ + A) times the acceleration
 * of the water as one, with the inertia J of what is displaced. Adds to f. */
FM_WHOLE void fm_body_add_swing(const fm_body *body, const fm_mass *mass, fm_real lift, const fm_submersion *s,
                                fm_real dry, const fm_real swing[3], fm_real f[6])
{
    fm_real g = fm_real_wide(body->hull.gravity), arm[3], turned[3], lifted[3], square[3];
    fm_real unit = lift / g, flood = (fm_const(1) - dry) * (body->hull.flooded / g);
    fm_real displaced = unit * s->volume + flood;
    for (int i = 0; i < 3; i++) {
        arm[i] = unit * s->moment[i] + flood * mass->gravity_centre[i];
        square[i] = fm_real_wide(body->grid->spread[i] * body->grid->spread[i]);
    }
    fm_cross(swing, arm, turned);
    fm_cross(arm, turned, lifted);
    for (int i = 0; i < 3; i++) {
        f[i] += turned[i];
        f[3 + i] += lifted[i] / (displaced + fm_const(FM_TINY)) +
                    displaced * (square[(i + 1) % 3] + square[(i + 2) % 3]) * swing[i];
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            f[i] += (body->added_mass[6 * (3 + k) + i] - dry * body->fading_mass[6 * (3 + k) + i]) * swing[k];
}

/* Both of a wholly submerged body, at the depth z (m). */
FM_FN void fm_body_add_loads_under(const fm_body *body, const fm_mass *mass, fm_real density_ratio, fm_real z,
                                   const fm_stream *water, const fm_body_flow *flow, fm_real f[6])
{
    fm_submersion s = fm_submersion_whole(&body->hull);
    if (!flow->carries)
        return;
    s.volume = body->hull.bears ? s.volume : fm_const(1);
    for (int i = 0; i < 3; i++)
        s.moment[i] = body->hull.bears ? s.moment[i] : mass->buoyancy_centre[i];
    fm_real lift = fm_floating_lift(&body->hull, mass, z, density_ratio);
    fm_body_add_loads(body, mass, lift, &s, fm_const(0), flow, f);
    if (water->along)
        fm_body_add_swing(body, mass, lift, &s, fm_const(0), water->along->swing, f);
}

/* Rate of position and attitude; R: the attitude's matrix. */
FM_FN void fm_body_rate_pose(const fm_body *body, const fm_real R[9], const fm_body_state *state, fm_body_state *rate)
{
    fm_vector_to_world(R, state->velocity, rate->position);
    if (body->euler) {
        fm_euler_rate(state->attitude, R, state->velocity + 3, rate->attitude);
        rate->attitude[3] = fm_const(0);
    } else {
        fm_quat_rate(state->attitude, state->velocity + 3, rate->attitude);
    }
}

/* Rate of the whole state of a wholly submerged body. */
FM_FN void fm_body_rate_under(const fm_body *body, const fm_mass *mass, const fm_body_input *input,
                              const fm_stream *water, const fm_body_state *state, fm_body_state *rate)
{
    fm_body_flow flow;
    fm_real f[6];
    fm_body_meet(body, water, state, &flow);
    fm_body_force(body, mass, input, water, flow.nu, state->position[2], flow.R + 6, f);
    fm_body_add_loads_under(body, mass, input->density_ratio, state->position[2], water, &flow, f);
    fm_body_mass_mul(body, mass->inverse, f, rate->velocity);
    fm_body_carry(&flow, rate->velocity);
    fm_body_rate_pose(body, flow.R, state, rate);
}

/* Mass of a body of which `part` is wet: rigid body and that part of the added mass. */
FM_FN void fm_body_wet_mass(const fm_body *body, const fm_mass *mass, fm_real part, fm_real m[36])
{
    fm_real dry = fm_const(1) - part;
    for (int i = 0; i < 36; i++)
        m[i] = mass->virtual_mass[i] - dry * body->fading_mass[i];
}

/* Rate of the velocity of a body that the surface cuts: added mass, all forces of the water, and `thrust`, the part of
 * the input's force that needs water, fade with the submerged part of the hull (docs/theory/rigid-body.md). */
FM_FN void fm_body_rate_cut(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_real *thrust,
                            const fm_stream *water, const fm_body_state *state, const fm_submersion *cut,
                            fm_real rate[6])
{
    fm_body_flow flow;
    fm_body_meet(body, water, state, &flow);
    const fm_real *down = flow.R + 6, z = state->position[2];
    fm_real part = fm_submersion_part(&body->hull, cut), m[36], l[36], wet[6];
    fm_body_wet_mass(body, mass, part, m);
    for (int i = 0; i < 6; i++) {
        rate[i] = input->force[i] - thrust[i];
        wet[i] = thrust[i];
    }
    fm_strip_sums strips = fm_body_cross_flow(body, water, flow.nu);
    fm_body_add_flow(body, input, water, &strips, flow.nu, wet);
#ifdef FM_HAS_APPENDAGES
    if (body->appendages)
        fm_body_add_appendages(body, input, water, flow.nu, z, down, rate, wet);
#endif
    for (int i = 0; i < 6; i++)
        rate[i] += part * wet[i];
    fm_body_add_turning(body->full_coriolis ? m : mass->momentum, flow.nu, rate);
    fm_floating_add_cut(&body->hull, mass, z, input->density_ratio, cut, down, rate);
    fm_submersion held = fm_floating_centred(&body->hull, mass, cut);
    fm_real lift = fm_floating_lift(&body->hull, mass, z, input->density_ratio);
    fm_body_add_loads(body, mass, lift, &held, fm_const(1) - part, &flow, rate);
    if (water->along)
        fm_body_add_swing(body, mass, lift, &held, fm_const(1) - part, water->along->swing, rate);
    (void)fm_matrix6_factor(m, l);
    fm_matrix6_solve(l, rate);
    fm_body_carry(&flow, rate);
}

/* The same as was found last, or found now. */
FM_FN fm_submersion fm_cut_recall(const fm_floating_hull *hull, fm_real depth, const fm_real down[3],
                                  const fm_real rise[FM_HULL_RISES - 1], fm_cut_memory *memory)
{
    fm_real at[4 + FM_HULL_RISES - 1] = {depth, down[0], down[1], down[2], rise[0], rise[1], rise[2], rise[3], rise[4]};
    fm_mask other = fm_const(memory->known) == fm_const(0);
    for (int i = 0; i < 4 + FM_HULL_RISES - 1 && memory->known; i++)
        other = other | (at[i] != memory->at[i]);
    if (fm_any(other)) {
        memory->cut = fm_submersion_under(hull, depth, down, rise);
        for (int i = 0; i < 4 + FM_HULL_RISES - 1; i++)
            memory->at[i] = at[i];
        memory->known = 1;
    }
    return memory->cut;
}

/* What of a hull whose origin is at the depth z is under water. */
FM_FN fm_submersion fm_body_submerged(const fm_body *body, const fm_stream *water, fm_real z, const fm_real down[3])
{
    if (water->along)
        return fm_cut_recall(&body->hull, z - water->surface, down, water->along->rise, water->memory);
    return fm_submersion_at(&body->hull, z - water->surface, down);
}

/* Those that the surface may cut. */
FM_FN fm_mask fm_body_may_cut(const fm_body *body, const fm_stream *water, fm_real z)
{
    fm_mask close = z - water->surface < fm_real_wide(body->hull.reach);
    return water->along ? close | (fm_const(water->near) > fm_const(0)) : close;
}

/* Rate of the whole state of a body that is near enough to the surface to be cut by it; a fully submerged body has the
 * same bits as far below. */
FM_WHOLE void fm_body_rate_near(const fm_body *body, const fm_mass *mass, const fm_body_input *input,
                                const fm_real *thrust, const fm_stream *water, const fm_body_state *state,
                                fm_body_state *rate)
{
    fm_real R[9], cut_rate[6], z = state->position[2];
    fm_body_matrix(body, state->attitude, R);
    fm_submersion left = fm_body_submerged(body, water, z, R + 6);
    fm_mask cut = fm_body_may_cut(body, water, z) & (left.volume < fm_real_wide(body->hull.volume));
    if (!fm_any(cut == 0)) {
        fm_body_rate_pose(body, R, state, rate);
        fm_body_rate_cut(body, mass, input, thrust, water, state, &left, rate->velocity);
        return;
    }
    fm_body_rate_under(body, mass, input, water, state, rate);
    if (!fm_any(cut))
        return;
    fm_body_rate_cut(body, mass, input, thrust, water, state, &left, cut_rate);
    for (int i = 0; i < 6; i++)
        rate->velocity[i] = fm_select(cut, cut_rate[i], rate->velocity[i]);
}

/* Rate of change of the whole state. `thrust`: the part of the input's force that needs water. */
FM_FN void fm_body_rate_by(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_real *thrust,
                           const fm_stream *water, const fm_body_state *state, fm_body_state *rate)
{
#ifdef FM_DEEP /* the caller ensures that no vehicle comes near the surface */
    (void)thrust;
    fm_body_rate_under(body, mass, input, water, state, rate);
#else
    if (fm_any(fm_body_may_cut(body, water, state->position[2])))
        fm_body_rate_near(body, mass, input, thrust, water, state, rate);
    else
        fm_body_rate_under(body, mass, input, water, state, rate);
#endif
}

/* The same where all of the input's force needs water. */
FM_FN void fm_body_rate(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_stream *water,
                        const fm_body_state *state, fm_body_state *rate)
{
    fm_body_rate_by(body, mass, input, input->force, water, state, rate);
}

#ifdef FM_LANES
/* Records what is common to all as long as this mass and this water are used. */
FM_FN void fm_body_know(fm_body *body, const fm_mass *mass, const fm_stream *water)
{
    fm_mask moves = fm_const(0) > fm_const(0);
    for (int i = 0; i < 3; i++)
        moves = moves | (water->velocity[i] != fm_const(0)) | (water->acceleration[i] != fm_const(0));
    body->still = !fm_any(moves);
    body->apart = fm_matrix6_is_apart(mass->inverse) && fm_matrix6_is_apart(mass->momentum);
}
#endif

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
