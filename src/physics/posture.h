/* Posture: where a body is and how it is turned (Brutzman's posture; see docs/theory/rigid-body.md).
 *
 * World axes North-East-Down, body axes forward-starboard-down. The attitude is a quaternion w + ix + jy + kz (6.61) of
 * unit length, <w, x, y, z> (6.62), that turns body vectors into world vectors, or, with posture="euler", the Euler
 * angles (phi, theta, psi, -) themselves. */
#ifndef FM_PHYSICS_POSTURE_H
#define FM_PHYSICS_POSTURE_H

#include "physics/angle.h"
#include "physics/vector.h"

/* Hamilton product out = a b; (6.64) with the signs of its j and k rows put right. */
FM_FN void fm_quat_mul(const fm_real a[4], const fm_real b[4], fm_real out[4])
{
    fm_real w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    fm_real x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    fm_real y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    fm_real z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

FM_FN void fm_quat_normalise(fm_real q[4])
{
    fm_real scale = fm_over_root(fm_const(1), q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* The unit quaternion of a turn by `angle` (rad) about an axis of unit length; (6.63), the axis by its direction
 * cosines. */
FM_FN void fm_quat_from_axis(const fm_real axis[3], fm_real angle, fm_real q[4])
{
    fm_real half = angle * fm_const(0.5), s = fm_sin(half);
    q[0] = fm_cos(half);
    for (int i = 0; i < 3; i++)
        q[1 + i] = axis[i] * s;
}

/* Rotation matrix body → world of a unit quaternion, by row: R[3 * row + column]. It is in no equation of the chapter;
 * (6.66)-(6.68) take the angles from its first column and last row. */
FM_FN void fm_quat_matrix(const fm_real q[4], fm_real R[9])
{
    fm_real xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    fm_real xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    fm_real wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    fm_real two = fm_const(2), one = fm_const(1);
    R[0] = one - two * (yy + zz);
    R[1] = two * (xy - wz);
    R[2] = two * (xz + wy);
    R[3] = two * (xy + wz);
    R[4] = one - two * (xx + zz);
    R[5] = two * (yz - wx);
    R[6] = two * (xz - wy);
    R[7] = two * (yz + wx);
    R[8] = one - two * (xx + yy);
}

/* out = R v (body → world); (6.7) */
FM_FN void fm_vector_to_world(const fm_real R[9], const fm_real v[3], fm_real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

/* out = Rᵀ v (world → body); (6.8), since R⁻¹ = Rᵀ (6.6) */
FM_FN void fm_vector_to_body(const fm_real R[9], const fm_real v[3], fm_real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

/* Rate of the quaternion for body rates w (rad/s): q̇ = ½ q ⊗ (0, w); (6.65) */
FM_FN void fm_quat_rate(const fm_real q[4], const fm_real w[3], fm_real out[4])
{
    fm_real half = fm_const(0.5);
    out[0] = half * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    out[1] = half * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] = half * (q[0] * w[1] - q[1] * w[2] + q[3] * w[0]);
    out[3] = half * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/* Body rates (rad/s) from a unit quaternion and its rate, (6.65) turned round: (0, w) = 2 q* ⊗ q̇. A part of the rate
 * along q itself, which would change its length, is left out. */
FM_FN void fm_rates_from_quat(const fm_real q[4], const fm_real rate[4], fm_real w[3])
{
    fm_real two = fm_const(2);
    w[0] = two * (q[0] * rate[1] - q[1] * rate[0] - q[2] * rate[3] + q[3] * rate[2]);
    w[1] = two * (q[0] * rate[2] + q[1] * rate[3] - q[2] * rate[0] - q[3] * rate[1]);
    w[2] = two * (q[0] * rate[3] - q[1] * rate[2] + q[2] * rate[1] - q[3] * rate[0]);
}

/* Euler angles (phi, theta, psi), rad → quaternion: the turns (6.63) about z, y and x multiplied by (6.64). */
FM_FN void fm_quat_from_euler(const fm_real e[3], fm_real q[4])
{
    fm_real half = fm_const(0.5);
    fm_real c1 = fm_cos(e[0] * half), s1 = fm_sin(e[0] * half);
    fm_real c2 = fm_cos(e[1] * half), s2 = fm_sin(e[1] * half);
    fm_real c3 = fm_cos(e[2] * half), s3 = fm_sin(e[2] * half);
    q[0] = c1 * c2 * c3 + s1 * s2 * s3;
    q[1] = s1 * c2 * c3 - c1 * s2 * s3;
    q[2] = c1 * s2 * c3 + s1 * c2 * s3;
    q[3] = c1 * c2 * s3 - s1 * s2 * c3;
}

/* Rotation matrix → Euler angles: theta in [−π/2, π/2] (6.66), psi in [0, 2π) (6.67), phi in (−π, π] (6.68); the last
 * two by atan2 in place of a signed arc cosine. Straight up or down, where only phi − psi (up) or phi + psi (down) is
 * defined, the roll is taken as 0. */
FM_FN void fm_euler_from_matrix(const fm_real R[9], fm_real e[3])
{
    fm_real zero = fm_const(0), tiny = fm_const(1e-12);
    fm_real level = R[0] * R[0] + R[3] * R[3];
    fm_real psi = fm_atan2(fm_select(level > tiny, R[3], zero - R[1]), fm_select(level > tiny, R[0], R[4]));
    e[0] = fm_select(level > tiny, fm_atan2(R[7], R[8]), zero);
    e[1] = fm_asin(fm_clamp(zero - R[6], fm_const(-1), fm_const(1)));
    e[2] = fm_angle_positive(psi);
}

/* Rotation matrix from Euler angles, body → world; (6.4), (6.5) */
FM_FN void fm_euler_matrix(const fm_real e[3], fm_real R[9])
{
    fm_real cf = fm_cos(e[0]), sf = fm_sin(e[0]);
    fm_real ct = fm_cos(e[1]), st = fm_sin(e[1]);
    fm_real cp = fm_cos(e[2]), sp = fm_sin(e[2]);
    R[0] = cp * ct;
    R[1] = cp * st * sf - sp * cf;
    R[2] = cp * st * cf + sp * sf;
    R[3] = sp * ct;
    R[4] = sp * st * sf + cp * cf;
    R[5] = sp * st * cf - cp * sf;
    R[6] = fm_const(0) - st;
    R[7] = ct * sf;
    R[8] = ct * cf;
}

/* Rates of the Euler angles from body rates (rad/s): phi (6.9), theta (6.10), psi (6.11), the rows of [T] (6.12),
 * (6.13). Singular at theta = ±90°. R is fm_euler_matrix of the angles. */
FM_FN void fm_euler_rate(const fm_real e[3], const fm_real R[9], const fm_real w[3], fm_real out[3])
{
    fm_real ct = fm_cos(e[1]), sf = fm_sin(e[0]), cf = fm_cos(e[0]);
    fm_real turn = (w[1] * sf + w[2] * cf) / ct; /* ψ̇ */
    out[0] = w[0] - R[6] * turn;                 /* R[6] = −sin θ */
    out[1] = w[1] * cf - w[2] * sf;
    out[2] = turn;
}

/* Body rates (rad/s) from the rates of the Euler angles: p (6.15), q (6.16), r (6.17), the rows of [T]⁻¹ (6.18),
 * (6.19), which is not [T]ᵀ (6.14). Never singular. R is fm_euler_matrix of the angles. */
FM_FN void fm_rates_from_euler(const fm_real e[3], const fm_real R[9], const fm_real rate[3], fm_real w[3])
{
    fm_real sf = fm_sin(e[0]), cf = fm_cos(e[0]);
    w[0] = rate[0] + R[6] * rate[2];      /* R[6] = −sin θ */
    w[1] = rate[1] * cf + R[7] * rate[2]; /* R[7] = sin φ cos θ */
    w[2] = R[8] * rate[2] - rate[1] * sf; /* R[8] = cos φ cos θ */
}

/* [V]body (6.20): u, v, w, p, q, r → [V]world (6.21): rates of x, y, z, phi, theta, psi; (6.22). */
FM_FN void fm_velocity_to_world(const fm_real e[3], const fm_real body[6], fm_real world[6])
{
    fm_real R[9], rates[3];
    fm_euler_matrix(e, R);
    fm_euler_rate(e, R, body + 3, rates);
    fm_vector_to_world(R, body, world);
    for (int i = 0; i < 3; i++)
        world[3 + i] = rates[i];
}

/* [V]world → [V]body; (6.23). */
FM_FN void fm_velocity_to_body(const fm_real e[3], const fm_real world[6], fm_real body[6])
{
    fm_real R[9], rates[3];
    fm_euler_matrix(e, R);
    fm_rates_from_euler(e, R, world + 3, rates);
    fm_vector_to_body(R, world, body);
    for (int i = 0; i < 3; i++)
        body[3 + i] = rates[i];
}

#endif
