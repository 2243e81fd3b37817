/* Bodies that move through the water near the nose, and what the rigid nose makes of the flow that falls on it.
 *
 * By superposition the flow near a nose that moves with V and a body that moves with U is that of the nose beside the
 * body at rest (mirror, wall, sources) and that of the moving body beside the nose at rest, which is here. All vectors
 * are in one Cartesian frame of the caller's choice; lengths in m, velocities in m/s. */
#ifndef FM_FLOW_FLOW_BODIES_H
#define FM_FLOW_FLOW_BODIES_H

#include "flow/flow_dipole.h"

#define FM_FLOW_LEAST 1e-6 /* m/s: what does less to the nose is left out */

/* Gauss–Legendre on −1 … 1: the i-th of eight places, and its weight. */
enum { FM_FLOW_NODES = 8 };
FM_FN fm_par fm_flow_node(int i)
{
    const fm_par nodes[FM_FLOW_NODES] = {(fm_par)-0.960289856497536232, (fm_par)-0.796666477413626740,
                                         (fm_par)-0.525532409916328986, (fm_par)-0.183434642495649805,
                                         (fm_par)0.183434642495649805,  (fm_par)0.525532409916328986,
                                         (fm_par)0.796666477413626740,  (fm_par)0.960289856497536232};
    return nodes[i];
}
FM_FN fm_par fm_flow_weight(int i)
{
    const fm_par weights[FM_FLOW_NODES / 2] = {(fm_par)0.101228536290376259, (fm_par)0.222381034453374471,
                                               (fm_par)0.313706645877887287, (fm_par)0.362683783378361983};
    return weights[i < FM_FLOW_NODES / 2 ? i : FM_FLOW_NODES - 1 - i];
}

/* --- spheroids --- */

/* A spheroid as dipoles between its foci ±c along its axis, with a density in proportion to c² − ξ², whose moment in
 * all is that of the body and the water it carries, 𝒱 (1 + k) U/4π (D2). Made by fm_flow_form_make
 * (flow/moving_bodies.h). */
typedef struct fm_flow_form {
    fm_var focus;         /* m, c; 0: a sphere */
    fm_var core;          /* m, from a focus to the tip: no nearer to a dipole is outside */
    fm_var scale;         /* of a sphere of radius `core` with the same moment */
    fm_var along, across; /* 1 + k of motion along and across the axis */
} fm_flow_form;

/* One in motion. */
typedef struct fm_flow_line {
    fm_real centre[3], axis[3]; /* m, unit */
    fm_var focus, core;         /* m, of its form */
    fm_real strength[3];        /* m/s, of a sphere of radius `core` with the same moment: see fm_flow_dipole_add */
} fm_flow_line;

FM_FN fm_flow_line fm_flow_form_move(const fm_flow_form *form, const fm_real centre[3], const fm_real axis[3],
                                     const fm_real velocity[3])
{
    fm_flow_line line;
    fm_real along = fm_dot(velocity, axis);
    line.focus = form->focus, line.core = form->core;
    for (int k = 0; k < 3; k++) {
        line.centre[k] = centre[k], line.axis[k] = axis[k];
        line.strength[k] =
            form->scale * (form->along * along * axis[k] + form->across * (velocity[k] - along * axis[k]));
    }
    return line;
}

/* What it does to a nose at `centre`, at most, m/s. */
FM_FN fm_real fm_flow_line_effect(const fm_flow_line *line, const fm_real centre[3], fm_var radius)
{
    fm_real away[3], core = fm_real_wide(line->core);
    for (int k = 0; k < 3; k++)
        away[k] = line->centre[k] - centre[k];
    fm_real gap = fm_norm(away) - radius - line->focus, ratio = core / fm_max(gap, core);
    return fm_const(1.5) * ratio * ratio * ratio * fm_norm(line->strength);
}

FM_FN void fm_flow_line_add_part(const fm_flow_line *line, fm_real node, fm_real share, const fm_real x[3],
                                 fm_real v[3])
{
    fm_real r[3], part[3];
    for (int k = 0; k < 3; k++) {
        r[k] = x[k] - line->centre[k] - line->focus * node * line->axis[k];
        part[k] = share * line->strength[k];
    }
    fm_flow_dipole_add(r, part, line->core, v);
}

/* Adds the velocity of a sphere at x; within its core that at its rim. */
FM_FN void fm_flow_ball_add(const fm_flow_line *line, const fm_real x[3], fm_real v[3])
{
    fm_flow_line_add_part(line, fm_const(0), fm_const(1), x, v);
}

/* The same of a spheroid with foci. */
FM_FN void fm_flow_foci_add(const fm_flow_line *line, const fm_real x[3], fm_real v[3])
{
    for (int i = 0; i < FM_FLOW_NODES; i++) {
        const fm_par node = fm_flow_node(i);
        fm_flow_line_add_part(line, fm_const(node), fm_const((fm_par)0.75 * fm_flow_weight(i) * (1 - node * node)), x,
                              v);
    }
}

/* --- columns --- */

/* What an endless cylinder that moves across its axis does to a nose, at most, m/s; less than 0: the nose is beyond one
 * of its ends. */
FM_FN fm_real fm_flow_cylinder_effect(const fm_real offset[3], const fm_real axis[3], const fm_real velocity[3],
                                      fm_var radius, fm_var half)
{
    fm_real along = fm_dot(offset, axis), own = fm_real_wide(radius) * radius;
    fm_real square = fm_max(fm_dot(offset, offset) - along * along, own);
    fm_real effect = fm_const(1.5) * radius * radius / square * fm_norm(velocity);
    return fm_select(fm_abs(along) > fm_real_wide(half), fm_const(-1), effect);
}

/* Adds its velocity (D3): R²/ρ² [2 (U·ρ̂) ρ̂ − U]. offset: from any point of the axis. */
FM_FN void fm_flow_cylinder_add(const fm_real offset[3], const fm_real axis[3], const fm_real velocity[3],
                                fm_var radius, fm_real v[3])
{
    fm_real along = fm_dot(offset, axis), with = fm_dot(velocity, axis), own = fm_real_wide(radius) * radius, rho[3],
            u[3];
    for (int k = 0; k < 3; k++) {
        rho[k] = offset[k] - along * axis[k];
        u[k] = velocity[k] - with * axis[k];
    }
    fm_real square = fm_dot(rho, rho), scale = own / fm_max(square, own);
    fm_real out = fm_const(2) * fm_dot(u, rho) / fm_max(square, fm_const(FM_TINY));
    for (int k = 0; k < 3; k++)
        v[k] += scale * (out * rho[k] - u[k]);
}

/* --- the answer of the nose ---
 *
 * What the water does at the surface point centre + a u of a rigid sphere at rest in a flow w that is irrotational
 * inside it (D4):  v = 2 w(a u) − ∫₀¹ s w(s a u) ds, the part along the surface. Each harmonic of degree n is amplified
 * (2n+1)/(n+1), a uniform flow 3/2 (Weiss's sphere theorem). The flow is asked at nine places: the surface point, and
 * eight below it. */
enum { FM_FLOW_ASKED = 1 + FM_FLOW_NODES };

FM_FN fm_par fm_flow_asked_part(int i) /* s, 0 … 1 */
{
    return i ? (fm_par)0.5 * (1 + fm_flow_node(i - 1)) : 1;
}

/* The i-th place. */
FM_FN void fm_flow_asked_point(int i, const fm_real centre[3], fm_var a, const fm_real u[3], fm_real x[3])
{
    const fm_var depth = i ? fm_flow_asked_part(i) * a : a;
    for (int k = 0; k < 3; k++)
        x[k] = centre[k] + depth * u[k];
}

/* Takes the flow w at the i-th place into the sum; the first sets it. */
FM_FN void fm_flow_asked_take(int i, const fm_real w[3], fm_real sum[3])
{
    const fm_par s = fm_flow_asked_part(i), share = i ? (fm_par)0.5 * fm_flow_weight(i - 1) * s : 0;
    for (int k = 0; k < 3; k++)
        sum[k] = i ? sum[k] - share * w[k] : fm_const(2) * w[k];
}

/* Adds the answer to v. */
FM_FN void fm_flow_asked_answer(const fm_real sum[3], const fm_real u[3], fm_real v[3])
{
    fm_real outward = fm_dot(sum, u);
    for (int k = 0; k < 3; k++)
        v[k] += sum[k] - outward * u[k];
}

#endif
