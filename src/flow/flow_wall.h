/* Exact ideal flow around a sphere that moves near a plane wall, evaluated on the sphere (W1)–(W4).
 *
 * Unit sphere, d = distance centre–wall over radius, z towards the wall, x = cos θ = u·z. The potential on the sphere
 * is Vn Σ S0_n P_n(x) + (Vt·p) Σ S1_n Q_n(x),   Q_n = P_n', R_n = P_n'', p = u − x z with coefficients S(gap) that
 * flow/wall_table.c tabulates over log(gap). The gradient along the sphere is written here without angles, so that
 * nothing is singular on the axis: v = (V·u) u − Vn Σ S0 Q (x u − z) + Vt Σ S1 Q − (Vt·p) [p Σ S1 (Q + x R) + z Σ S1 (x
 * Q − (1 − x²) R)]
 *
 * Gaps above the table fade to the isolated sphere as d⁻³, the law of the leading term; gaps below it (and contact and
 * penetration) are taken as the smallest gap of the table: the solution grows without limit only at the touching point,
 * and no sensor of finite size resolves that. */
#ifndef FM_FLOW_FLOW_WALL_H
#define FM_FLOW_FLOW_WALL_H

#include "flow/flow_dipole.h"

#define FM_WALL_ORDER 96     /* most terms in a series */
#define FM_WALL_ROWS 256     /* gaps in the table */
#define FM_WALL_GAP_MIN 0.01 /* in radii */
#define FM_WALL_GAP_MAX 60.0 /* in radii */

/* Built at load by fm_wall_table_fill; plain numbers, read-only afterwards, shared by all vehicles. */
typedef struct fm_wall_table {
    double log_min;                           /* log of the smallest gap */
    double step;                              /* of log(gap) between rows */
    int32_t terms[FM_WALL_ROWS];              /* terms that matter at a row (to 1e-9 of the speed) */
    double s[FM_WALL_ROWS][FM_WALL_ORDER][4]; /* S0_n, dS0_n/dlog(gap), S1_n, dS1_n/dlog(gap), n = 1 … */
} fm_wall_table;

/* The coefficients at one gap. */
typedef struct fm_wall_series {
    int terms;
    fm_real s0[FM_WALL_ORDER], s1[FM_WALL_ORDER];
} fm_wall_series;

/* Added-mass coefficients of the sphere (times displaced mass) and their derivatives with the gap in radii. */
typedef struct fm_wall_mass {
    fm_real normal, parallel;
    fm_real normal_slope, parallel_slope; /* per radius of gap; negative */
} fm_wall_mass;

#if defined(FM_LANES)
FM_FN int fm_wall_lane_row(fm_real position, int lane)
{
    return (int)position[lane];
}
FM_FN int fm_wall_terms(const fm_wall_table *table, fm_real position)
{
    int most = 0;
    for (int i = 0; i < FM_LANES; i++) {
        int terms = table->terms[fm_wall_lane_row(position, i)];
        most = terms > most ? terms : most;
    }
    return most;
}
FM_FN fm_real fm_wall_entry(const fm_wall_table *table, fm_real position, int next, int n, int column)
{
    fm_real value = fm_const(0);
    for (int i = 0; i < FM_LANES; i++)
        value[i] = (fm_par)table->s[fm_wall_lane_row(position, i) + next][n][column];
    return value;
}
/* A coefficient of a term that another lane needs and this one has not. */
FM_FN fm_real fm_wall_own(const fm_wall_table *table, fm_real position, int n, fm_real value)
{
    for (int i = 0; i < FM_LANES; i++)
        value[i] = n < table->terms[fm_wall_lane_row(position, i)] ? value[i] : 0;
    return value;
}
FM_FN fm_real fm_wall_floor(fm_real a)
{
    for (int i = 0; i < FM_LANES; i++)
        a[i] = (fm_par)(int)a[i];
    return a;
}
#else
FM_FN int fm_wall_terms(const fm_wall_table *table, fm_real position)
{
    return table->terms[(int)position];
}
FM_FN fm_real fm_wall_entry(const fm_wall_table *table, fm_real position, int next, int n, int column)
{
    return (fm_real)table->s[(int)position + next][n][column];
}
FM_FN fm_real fm_wall_own(const fm_wall_table *table, fm_real position, int n, fm_real value)
{
    (void)table, (void)position, (void)n;
    return value;
}
FM_FN fm_real fm_wall_floor(fm_real a)
{
    return (fm_real)(int)a;
}
#endif

/* Where a gap lies in the table: row (whole number), the weights of cubic Hermite interpolation, and the fading of
 * what lies beyond the last row. */
typedef struct fm_wall_cell {
    fm_real row;
    fm_real h[4];     /* value, slope at row; value, slope at row + 1 */
    fm_real slope[4]; /* the same for the derivative with log(gap) */
    fm_real fade;     /* 1 within the table */
    fm_real gap;      /* clamped, in radii */
} fm_wall_cell;

FM_FN fm_wall_cell fm_wall_locate(const fm_wall_table *table, fm_real gap)
{
    fm_wall_cell p;
    fm_real low = fm_const(FM_WALL_GAP_MIN), high = fm_const(FM_WALL_GAP_MAX);
    p.gap = fm_max(fm_select(gap == gap, gap, high), low);
    fm_real ratio = (high + fm_const(1)) / (fm_max(p.gap, high) + fm_const(1));
    p.fade = ratio * ratio * ratio;
    fm_par step = (fm_par)table->step;
    fm_real x = (fm_log(fm_min(p.gap, high)) - (fm_par)table->log_min) / step;
    x = fm_clamp(x, fm_const(0), fm_const(FM_WALL_ROWS - 1.0));
    p.row = fm_min(fm_wall_floor(x), fm_const(FM_WALL_ROWS - 2.0));
    fm_real t = x - p.row, s = fm_const(1) - t;
    p.h[0] = s * s * (fm_const(1) + fm_const(2) * t), p.h[1] = step * t * s * s;
    p.h[2] = t * t * (fm_const(3) - fm_const(2) * t), p.h[3] = -step * t * t * s;
    p.slope[0] = fm_const(-6) * t * s / step, p.slope[2] = fm_const(6) * t * s / step;
    p.slope[1] = s * (fm_const(1) - fm_const(3) * t), p.slope[3] = t * (fm_const(3) * t - fm_const(2));
    return p;
}

FM_FN fm_real fm_wall_weigh(const fm_wall_table *table, const fm_wall_cell *p, const fm_real w[4], int n, int column)
{
    return w[0] * fm_wall_entry(table, p->row, 0, n, column) + w[1] * fm_wall_entry(table, p->row, 0, n, column + 1) +
           w[2] * fm_wall_entry(table, p->row, 1, n, column) + w[3] * fm_wall_entry(table, p->row, 1, n, column + 1);
}

/* The series at a gap (distance from the sphere's surface to the wall, in radii). Once per step, for all sensors. */
FM_FN void fm_wall_series_at(const fm_wall_table *table, fm_real gap, fm_wall_series *series)
{
    fm_wall_cell p = fm_wall_locate(table, gap);
    series->terms = fm_wall_terms(table, p.row);
    for (int n = 0; n < series->terms; n++) {
        series->s0[n] = fm_wall_own(table, p.row, n, p.fade * fm_wall_weigh(table, &p, p.h, n, 0));
        series->s1[n] = fm_wall_own(table, p.row, n, p.fade * fm_wall_weigh(table, &p, p.h, n, 2));
    }
    fm_real rest = fm_const(-0.5) * (fm_const(1) - p.fade);
    series->s0[0] = series->s0[0] + rest;
    series->s1[0] = series->s1[0] + rest;
}

/* Water velocity [m/s] at the surface point centre + a·u. z: unit vector from the centre to the wall. */
FM_FN void fm_wall_velocity(const fm_wall_series *series, const fm_real u[3], const fm_real z[3],
                            const fm_real velocity[3], fm_real v[3])
{
    fm_real x = fm_clamp(fm_dot(u, z), fm_const(-1), fm_const(1));
    fm_real normal = fm_dot(velocity, z), outward = fm_dot(velocity, u);
    fm_real q = fm_const(1), before = fm_const(0);   /* Q_n, Q_(n−1) */
    fm_real r = fm_const(0), r_before = fm_const(0); /* R_n, R_(n−1) */
    fm_real sum0 = fm_const(0), sum1 = fm_const(0), sum_r = fm_const(0);
    for (int n = 1; n <= series->terms; n++) {
        sum0 = sum0 + series->s0[n - 1] * q;
        sum1 = sum1 + series->s1[n - 1] * q;
        sum_r = sum_r + series->s1[n - 1] * r;
        fm_real q_next = (fm_const(2 * n + 1) * x * q - fm_const(n + 1) * before) / fm_const(n);
        fm_real r_next = r_before + fm_const(2 * n + 1) * q;
        before = q, q = q_next;
        r_before = r, r = r_next;
    }
    fm_real across = outward - normal * x; /* Vt·p */
    fm_real along_p = across * (sum1 + x * sum_r);
    fm_real along_z = across * (x * sum1 - (fm_const(1) - x * x) * sum_r);
    for (int k = 0; k < 3; k++)
        v[k] = outward * u[k] - normal * sum0 * (x * u[k] - z[k]) + sum1 * (velocity[k] - normal * z[k]) -
               along_p * (u[k] - x * z[k]) - along_z * z[k];
}

/* Added mass of the sphere near the wall (W4): k = −S_1. Times the displaced mass 4/3 π ρ a³. */
FM_FN fm_wall_mass fm_wall_added_mass(const fm_wall_table *table, fm_real gap)
{
    fm_wall_cell p = fm_wall_locate(table, gap);
    fm_wall_mass k;
    fm_real half = fm_const(0.5);
    fm_real normal = -fm_wall_weigh(table, &p, p.h, 0, 0) - half,
            parallel = -fm_wall_weigh(table, &p, p.h, 0, 2) - half;
    fm_mask beyond = p.gap > fm_const(FM_WALL_GAP_MAX), below = p.gap > gap;
    fm_real fall = fm_const(-3) * p.fade / (p.gap + fm_const(1));
    k.normal = half + p.fade * normal;
    k.parallel = half + p.fade * parallel;
    k.normal_slope = fm_select(beyond, fall * normal, -fm_wall_weigh(table, &p, p.slope, 0, 0) / p.gap);
    k.parallel_slope = fm_select(beyond, fall * parallel, -fm_wall_weigh(table, &p, p.slope, 0, 2) / p.gap);
    k.normal_slope = fm_select(below, fm_const(0), k.normal_slope);
    k.parallel_slope = fm_select(below, fm_const(0), k.parallel_slope);
    return k;
}

/* Force of the water on the sphere [N] from the change of added mass with the gap (W5); the part without
 * accelerations. From the kinetic energy T = m/2 (k_n Vn² + k_t Vt²) of the water and Lagrange's equations, with the
 * gap closing at Vn:  F_z = m/(2a) (k_n' Vn² − k_t' Vt²),  F_t = m/a k_t' Vn Vt.
 * Motion along the wall is drawn to it, motion towards or from it is pushed away.
 * mass: displaced mass [kg]; a: radius [m]; z towards the wall. The accelerations meet m k_n and m k_t. */
FM_FN void fm_wall_force(const fm_wall_mass *k, const fm_real z[3], const fm_real velocity[3], fm_real mass, fm_var a,
                         fm_real force[3])
{
    fm_real scale = mass / a;
    fm_real normal = fm_dot(velocity, z);
    fm_real across2 = fm_dot(velocity, velocity) - normal * normal;
    fm_real push = fm_const(0.5) * scale * (k->normal_slope * normal * normal - k->parallel_slope * across2);
    fm_real drag = scale * k->parallel_slope * normal;
    for (int i = 0; i < 3; i++)
        force[i] = push * z[i] + drag * (velocity[i] - normal * z[i]);
}

#endif
