/* Rigid body in water: virtual mass, Coriolis and centripetal terms, weight and buoyancy.
 *
 * Velocities ν = (u, v, w, p, q, r): m/s and rad/s, body axes, relative to the water. Generalised force
 * (X, Y, Z, K, M, N): N and N·m at the body origin. */
#ifndef FM_PHYSICS_RIGID_BODY_H
#define FM_PHYSICS_RIGID_BODY_H

#include "physics/posture.h"

/* Properties that weight, ballast and moving masses change. Matrices by column. */
typedef struct fm_mass {
    fm_real virtual_mass[36]; /* M: rigid body and added mass; kg, kg·m, kg·m² (6.54) */
    fm_real inverse[36];      /* M⁻¹ */
    fm_real momentum[36]; /* the mass whose momentum turns with the body: rigid body alone, or M in full (S12)(S13) */
    fm_real weight;       /* W, N */
    fm_real buoyancy;     /* B of the whole hull in water of nominal density at the surface, N */
    fm_real gravity_centre[3];  /* m, body */
    fm_real buoyancy_centre[3]; /* m, body */
    fm_real compression;        /* part of B lost per metre of depth, 1/m */
    fm_real expansion;          /* part of B gained per kelvin above `warmth`, 1/K */
    fm_real warmth;             /* °C, of the water in which the hull has B */
} fm_mass;

/* Lower Cholesky factor l of m. Returns 0, or the order of the first minor that is not positive; l then means nothing.
 */
FM_FN fm_real fm_matrix6_factor(const fm_real m[36], fm_real l[36])
{
    fm_real zero = fm_const(0), bad = zero;
    for (int i = 0; i < 36; i++)
        l[i] = zero;
    for (int c = 0; c < 6; c++)
        for (int r = c; r < 6; r++) {
            fm_real sum = m[6 * c + r];
            for (int k = 0; k < c; k++)
                sum -= l[6 * k + r] * l[6 * k + c];
            if (r == c) {
                bad = fm_select(sum > zero, bad, fm_select(bad == zero, fm_const(c + 1), bad));
                l[6 * c + r] = fm_sqrt(fm_select(sum > zero, sum, fm_const(1)));
            } else { /* a zero, of which most masses have many, need not wait for the root */
                l[6 * c + r] = fm_any(sum != zero) ? sum / l[7 * c] : sum;
            }
        }
    return bad;
}

/* Solves l lᵀ x = b in place, by forward and backward substitution. */
FM_FN void fm_matrix6_solve(const fm_real l[36], fm_real x[6])
{
    for (int r = 0; r < 6; r++) {
        for (int k = 0; k < r; k++)
            x[r] -= l[6 * k + r] * x[k];
        x[r] /= l[7 * r];
    }
    for (int r = 5; r >= 0; r--) {
        for (int k = r + 1; k < 6; k++)
            x[r] -= l[6 * r + k] * x[k];
        x[r] /= l[7 * r];
    }
}

/* Force − ω×P and moment − ω×L − V×P of the momentum p = (P, L): the terms −C(ν)ν of (6.48)–(6.53) and of
 * (S12)(S13). Adds to f. */
FM_FN void fm_body_turn_momentum(const fm_real p[6], const fm_real nu[6], fm_real f[6])
{
    fm_real a[3], b[3], c[3];
    fm_cross(nu + 3, p, a);
    fm_cross(nu + 3, p + 3, b);
    fm_cross(nu, p, c);
    for (int i = 0; i < 3; i++) {
        f[i] -= a[i];
        f[3 + i] -= b[i] + c[i];
    }
}

FM_FN void fm_body_add_turning(const fm_real m[36], const fm_real nu[6], fm_real f[6])
{
    fm_real p[6];
    fm_matrix6_mul(m, nu, p);
    fm_body_turn_momentum(p, nu, f);
}

FM_FN void fm_body_add_coriolis(const fm_mass *mass, const fm_real nu[6], fm_real f[6])
{
    fm_body_add_turning(mass->momentum, nu, f);
}

/* Weight and buoyancy; down = third row of R, so nothing is singular. `buoyancy` N. Adds to f. */
FM_FN void fm_body_add_restoring(const fm_mass *mass, fm_real buoyancy, const fm_real down[3], fm_real f[6])
{
    fm_real g[3];
    for (int i = 0; i < 3; i++) {
        f[i] += (mass->weight - buoyancy) * down[i];
        g[i] = mass->gravity_centre[i] * mass->weight - mass->buoyancy_centre[i] * buoyancy;
    }
    f[3] += g[1] * down[2] - g[2] * down[1];
    f[4] += g[2] * down[0] - g[0] * down[2];
    f[5] += g[0] * down[1] - g[1] * down[0];
}

/* (V7) By what the buoyancy of a submerged hull in water of this temperature (°C) differs from that in water of nominal
 * density at the surface, but for compression: the density ratio, and how far the hull has expanded. */
FM_FN fm_real fm_buoyancy_ratio(const fm_mass *mass, fm_real density_ratio, fm_real temperature)
{
    return density_ratio * (fm_const(1) + mass->expansion * (temperature - mass->warmth));
}

/* Buoyancy of a wholly submerged hull at depth z (m); density_ratio as of fm_buoyancy_ratio. */
FM_FN fm_real fm_buoyancy_at(const fm_mass *mass, fm_real z, fm_real density_ratio)
{
    fm_real kept = fm_const(1) - mass->compression * fm_max(z, fm_const(0));
    return mass->buoyancy * density_ratio * fm_max(kept, fm_const(0));
}

#endif
