/* Dead reckoning after IEEE 1278.1, algorithms 1 to 9: the state of a body some seconds after its last update. Sender,
 * receiver and the vehicles that represent foreign entities all use this one. World axes are north-east-down (or any
 * that do not rotate), body axes forward-starboard-down. Equations: docs/theory/network.md. */
#ifndef FM_PHYSICS_DEAD_RECKONING_H
#define FM_PHYSICS_DEAD_RECKONING_H

#include "physics/posture.h"

/* The standard's numbers and names: attitude Fixed or Rotating, constant Position rate (velocity) or Velocity rate
 * (acceleration), linear motion in World or Body axes. */
enum fm_reckon_algorithm {
    FM_RECKON_STATIC = 1,
    FM_RECKON_FPW,
    FM_RECKON_RPW,
    FM_RECKON_RVW,
    FM_RECKON_FVW,
    FM_RECKON_FPB,
    FM_RECKON_RPB,
    FM_RECKON_RVB,
    FM_RECKON_FVB
};

/* What is said of a body once. */
typedef struct fm_reckon_track {
    fm_real position[3];     /* m, world */
    fm_real attitude[4];     /* quaternion (w, x, y, z), body → world */
    fm_real velocity[3];     /* m/s, world axes; body axes with algorithms 6 to 9 */
    fm_real acceleration[3]; /* m/s², the rate of change of these three numbers */
    fm_real rates[3];        /* rad/s, body axes */
} fm_reckon_track;

/* What is thought of it later. */
typedef struct fm_reckoned {
    fm_real position[3]; /* m, world */
    fm_real attitude[4]; /* body → world */
    fm_real velocity[6]; /* m/s and rad/s, body axes */
} fm_reckoned;

FM_FN int fm_reckon_turns(int algorithm)
{
    return algorithm == FM_RECKON_RPW || algorithm == FM_RECKON_RVW || algorithm == FM_RECKON_RPB ||
           algorithm == FM_RECKON_RVB;
}

FM_FN int fm_reckon_speeds_up(int algorithm)
{
    return algorithm == FM_RECKON_RVW || algorithm == FM_RECKON_FVW || algorithm == FM_RECKON_RVB ||
           algorithm == FM_RECKON_FVB;
}

FM_FN int fm_reckon_in_body(int algorithm)
{
    return algorithm >= FM_RECKON_FPB;
}

/* (N1) Displacement at constant acceleration, m: in the axes of the two. */
FM_FN void fm_reckon_straight(const fm_reckon_track *track, int speeds_up, fm_real t, fm_real out[3])
{
    fm_real half = fm_const(0.5) * t * t;
    for (int i = 0; i < 3; i++)
        out[i] = track->velocity[i] * t + (speeds_up ? track->acceleration[i] * half : fm_const(0));
}

/* (N2) Attitude after turning at constant body rates: q ⊗ (cos ½wt, ω/w sin ½wt). */
FM_FN void fm_reckon_turn(const fm_real attitude[4], const fm_real rates[3], fm_real t, fm_real out[4])
{
    fm_real w = fm_norm(rates), turn[4], axis[3];
    fm_mask still = w < fm_const(1e-12);
    for (int i = 0; i < 3; i++)
        axis[i] = rates[i] / fm_select(still, fm_const(1), w);
    fm_quat_from_axis(axis, w * t, turn);
    fm_quat_mul(attitude, turn, out);
    fm_quat_normalise(out);
}

/* The three factors of a matrix a I + b ωωᵀ + c [ω]×. */
typedef struct fm_reckon_matrix {
    fm_real a, b, c;
} fm_reckon_matrix;

FM_FN void fm_reckon_add(fm_reckon_matrix m, const fm_real w[3], const fm_real v[3], fm_real out[3])
{
    fm_real across[3], along = fm_dot(w, v);
    fm_cross(w, v, across);
    for (int i = 0; i < 3; i++)
        out[i] += m.a * v[i] + m.b * along * w[i] + m.c * across[i];
}

/* (N3) Displacement (m, axes of the body as it was) at constant body rates of body-axis velocity v + a t: R1 v + R2 a,
 * R1 and R2 being the integrals over t of E(t) and t E(t), E turning the body's axes back into those it had. Below a
 * turn of 0.01 rad by their series. */
FM_FN void fm_reckon_curved(const fm_reckon_track *track, int speeds_up, fm_real t, fm_real out[3])
{
    fm_real one = fm_const(1), half = fm_const(0.5), w = fm_norm(track->rates), x = w * t, xx = x * x;
    fm_mask small = fm_abs(x) < fm_const(0.01);
    fm_real s = fm_sin(x), c = fm_cos(x), u = fm_select(small, one, w), u2 = u * u, u3 = u2 * u, t2 = t * t;
    fm_reckon_matrix first = {fm_select(small, t * (one - xx / fm_const(6)), s / u),
                              fm_select(small, t2 * t / fm_const(6) * (one - xx / fm_const(20)), (x - s) / u3),
                              fm_select(small, half * t2 * (one - xx / fm_const(12)), (one - c) / u2)};
    fm_reckon_matrix second = {
        fm_select(small, half * t2 * (one - xx / fm_const(4)), (c + x * s - one) / u2),
        fm_select(small, t2 * t2 / fm_const(8) * (one - xx / fm_const(18)), (half * xx - c - x * s + one) / (u2 * u2)),
        fm_select(small, t2 * t / fm_const(3) * (one - xx / fm_const(10)), (s - x * c) / u3)};
    for (int i = 0; i < 3; i++)
        out[i] = fm_const(0);
    fm_reckon_add(first, track->rates, track->velocity, out);
    if (speeds_up)
        fm_reckon_add(second, track->rates, track->acceleration, out);
}

FM_FN void fm_reckon_position(const fm_reckon_track *track, int algorithm, fm_real t, fm_real out[3])
{
    fm_real moved[3] = {fm_const(0), fm_const(0), fm_const(0)}, R[9], step[3];
    if (fm_reckon_in_body(algorithm)) {
        if (fm_reckon_turns(algorithm))
            fm_reckon_curved(track, fm_reckon_speeds_up(algorithm), t, step);
        else
            fm_reckon_straight(track, fm_reckon_speeds_up(algorithm), t, step);
        fm_quat_matrix(track->attitude, R);
        fm_vector_to_world(R, step, moved);
    } else if (algorithm != FM_RECKON_STATIC) {
        fm_reckon_straight(track, fm_reckon_speeds_up(algorithm), t, moved);
    }
    for (int i = 0; i < 3; i++)
        out[i] = track->position[i] + moved[i];
}

/* (N4) The velocity that goes with it, body axes. */
FM_FN void fm_reckon_velocity(const fm_reckon_track *track, int algorithm, fm_real t, const fm_real attitude[4],
                              fm_real out[6])
{
    fm_real now[3], R[9];
    for (int i = 0; i < 3; i++) {
        out[3 + i] = fm_reckon_turns(algorithm) ? track->rates[i] : fm_const(0);
        now[i] = algorithm == FM_RECKON_STATIC    ? fm_const(0)
                 : fm_reckon_speeds_up(algorithm) ? track->velocity[i] + track->acceleration[i] * t
                                                  : track->velocity[i];
    }
    fm_quat_matrix(attitude, R);
    if (fm_reckon_in_body(algorithm))
        for (int i = 0; i < 3; i++)
            out[i] = now[i];
    else
        fm_vector_to_body(R, now, out);
}

/* Where it is `t` seconds later by one of the algorithms 1 to 9. */
FM_FN void fm_track_reckon(const fm_reckon_track *track, int algorithm, fm_real t, fm_reckoned *out)
{
    fm_reckon_position(track, algorithm, t, out->position);
    for (int i = 0; i < 4; i++)
        out->attitude[i] = track->attitude[i];
    if (fm_reckon_turns(algorithm))
        fm_reckon_turn(track->attitude, track->rates, t, out->attitude);
    fm_reckon_velocity(track, algorithm, t, out->attitude, out->velocity);
}

#endif
