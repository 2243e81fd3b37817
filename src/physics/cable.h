/* A lumped-mass cable: straight elastic pieces between nodes that carry mass, weight and drag. docs/theory/tether.md
 *
 * Tension of a piece of natural length l stretched to d: T = EA (d − l)/l + c ḋ, never a push (T1). Nodes feel gravity
 * less buoyancy (T2), Morison drag along and across the piece (T3), and added mass across, taken on all axes (T4).
 * World axes NED. */
#ifndef FM_PHYSICS_CABLE_H
#define FM_PHYSICS_CABLE_H

#include "physics/vector.h"

typedef struct fm_cable {
    fm_var stiffness;               /* EA, N */
    fm_var damping;                 /* N per (m/s) of a piece of 1 m: c = damping / l */
    fm_var diameter;                /* m */
    fm_var mass;                    /* kg/m in air */
    fm_var wet_mass;                /* kg/m less that of the water it displaces */
    fm_var water_density;           /* kg/m³ */
    fm_var drag_across, drag_along; /* coefficients */
    int pieces;                     /* ≥ 2 */
    int substeps;                   /* per step, for stability */
} fm_cable;

/* Tension vector (N) that a piece pulls its first end with, towards the second. */
FM_FN void fm_cable_pull(const fm_cable *c, fm_real length, const fm_real a[3], const fm_real b[3], const fm_real va[3],
                         const fm_real vb[3], fm_real out[3])
{
    fm_real d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    fm_real rate[3] = {vb[0] - va[0], vb[1] - va[1], vb[2] - va[2]};
    fm_real size = fm_max(fm_norm(d), fm_const(1e-9));
    fm_real stretch = (size - length) / length;
    fm_real tension = c->stiffness * stretch + (c->damping / length) * (fm_dot(d, rate) / size);
    tension = fm_select(stretch > fm_const(0), fm_max(tension, fm_const(0)), fm_const(0));
    for (int i = 0; i < 3; i++)
        out[i] = tension * d[i] / size;
}

/* Morison drag (N) on one piece that moves at v through the water, half of which each end carries. */
FM_FN void fm_cable_drag(const fm_cable *c, const fm_real a[3], const fm_real b[3], const fm_real v[3], fm_real out[3])
{
    fm_real d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, t[3], across[3];
    fm_real size = fm_max(fm_norm(d), fm_const(1e-9));
    for (int i = 0; i < 3; i++)
        t[i] = d[i] / size;
    fm_real along = fm_dot(v, t);
    for (int i = 0; i < 3; i++)
        across[i] = v[i] - along * t[i];
    fm_real area = fm_const(0.5) * c->water_density * c->diameter * size, speed = fm_norm(across);
    for (int i = 0; i < 3; i++)
        out[i] = fm_const(0) - area * (c->drag_across * speed * across[i] +
                                       (c->drag_along * (fm_par)FM_PI) * fm_abs(along) * along * t[i]);
}

#endif
