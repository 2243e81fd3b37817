/* Fins given by their size, in the water that they meet: lift of a finite span, stall, profile and induced drag.
 *
 * The angle of attack is that of the local flow (motion of the body, current, slipstream) and the deflection. Attached
 * and separated flow are blended by w = 1/(1 + (sin α/sin α_s)⁸):
 *
 *     C_L = w a sin α sgn(cos α) + (1 − w) C_n sin α cos α                                                    (U1)
 *     C_D = C_D0 + w k (a sin α)² + (1 − w) C_n sin² α                                                        (U2) */
#ifndef FM_PHYSICS_FOIL_H
#define FM_PHYSICS_FOIL_H

#include "physics/real.h"

typedef struct fm_foil {
    int32_t input;            /* of its two numbers in the input: sine and 1 − cosine of the deflection */
    int32_t screw;            /* in whose slipstream it lies, from 1; 0: none */
    fm_var position[3];       /* where the force acts, m */
    fm_var chord[3], lift[3]; /* unit vectors: ahead, and the direction of the lift for positive deflection */
    fm_var half_area;         /* ρ/2 A, kg/m */
    fm_var slope;             /* a: of the finite span, 1/rad */
    fm_var stall_squared;     /* sin² α_s */
    fm_var profile;           /* C_D0 */
    fm_var induced;           /* k = 1/(π e Λ) */
    fm_var separated;         /* C_n */
    fm_var covered;           /* part of the slipstream's speed that it meets, 0 … 1 */
} fm_foil;

/* (U3) Lift slope of a wing of this aspect ratio (Helmbold), 1/rad. */
static inline double fm_foil_slope(double aspect)
{
    return 2 * FM_PI * aspect / (2 + __builtin_sqrt(4 + aspect * aspect));
}

/* Force on a foil that moves through the water with v (m/s, body axes); `sine` and `cosine` of its deflection. Adds to
 * f: force and moment about the body origin. */
FM_FN void fm_foil_add(const fm_foil *foil, const fm_real v[3], fm_real sine, fm_real cosine, fm_real f[6])
{
    fm_real one = fm_const(1), zero = fm_const(0), a = zero, l = zero;
    for (int i = 0; i < 3; i++) {
        a += foil->chord[i] * v[i];
        l += foil->lift[i] * v[i];
    }
    fm_real square = a * a + l * l, inverse = one / fm_sqrt(square + fm_const(FM_TINY));
    fm_real sin_a = (a * sine - l * cosine) * inverse, cos_a = (a * cosine + l * sine) * inverse, ss = sin_a * sin_a;
    fm_real beyond = ss / foil->stall_squared, fourth = beyond * beyond;
    fm_real attached = one / (one + fourth * fourth), apart = one - attached;
    fm_real lift = foil->slope * sin_a;
    fm_real c_l = attached * fm_select(cos_a < zero, zero - lift, lift) + apart * foil->separated * sin_a * cos_a;
    fm_real c_d = foil->profile + attached * foil->induced * lift * lift + apart * foil->separated * ss;
    fm_real q = foil->half_area * square * inverse; /* times the motion is force */
    fm_real along = zero - q * (c_d * a + c_l * l), across = q * (c_l * a - c_d * l), force[3];
    for (int i = 0; i < 3; i++) {
        force[i] = foil->chord[i] * along + foil->lift[i] * across;
        f[i] += force[i];
    }
    f[3] += foil->position[1] * force[2] - foil->position[2] * force[1];
    f[4] += foil->position[2] * force[0] - foil->position[0] * force[2];
    f[5] += foil->position[0] * force[1] - foil->position[1] * force[0];
}

#endif
