/* A hull that may break the surface: vertical columns of the hull, each cut by the water plane.
 *
 * A box, cylinder or ellipsoid is divided at load time into columns parallel to the body's z axis (Gauss points over
 * the plan form); a column's submerged length is exact at any roll and pitch. Columns of <float> bear the body; those
 * of other hulls only tell how much of it is under water, and <buoyancy> fades with them. docs/theory/rigid-body.md */
#ifndef FM_PHYSICS_FLOATING_H
#define FM_PHYSICS_FLOATING_H

#include "physics/hull_waves.h"
#include "physics/rigid_body.h"

typedef struct fm_column_element {
    fm_var x, y;        /* m, body */
    fm_var top, bottom; /* body z of the column's ends, m; top < bottom */
    fm_var area;        /* m²; where the columns do not bear: such that their volumes sum to 1 */
} fm_column_element;

typedef struct fm_floating_hull {
    const fm_column_element *columns;
    int32_t count;    /* 0: the hull is always treated as wholly submerged */
    int32_t bears;    /* not 0: the columns hold the buoyancy, volumes in m³; 0: shares of that of fm_mass */
    int32_t substeps; /* that a step at the surface is divided into, so that it makes no energy; ≥ 1 */
    int32_t spare;
    fm_var weight_density; /* ρ g of the water, N/m³ */
    fm_var volume;         /* of all columns */
    fm_var moment[3];      /* of that volume about the origin, body axes */
    fm_var holds;          /* volume under water from which on the coefficients hold in full */
    fm_var reach;          /* m, from the origin to the farthest point */
    fm_var flooded;        /* N: what free-flood water in the hull weighs in air */
    fm_var gravity;        /* m/s², of these weights */
} fm_floating_hull;

enum { FM_HULL_NUMBERS = 9 }; /* from weight_density on */
#define FM_HULL_DIVES 0.9     /* a hull of which less is in the water at rest floats, and does not dive */

/* The part of a hull that is under water. */
typedef struct fm_submersion {
    fm_real volume;    /* as fm_floating_hull's */
    fm_real moment[3]; /* about the origin */
} fm_submersion;

FM_FN fm_submersion fm_submersion_whole(const fm_floating_hull *hull)
{
    fm_submersion s = {fm_real_wide(hull->volume),
                       {fm_real_wide(hull->moment[0]), fm_real_wide(hull->moment[1]), fm_real_wide(hull->moment[2])}};
    return s;
}

FM_FN fm_real fm_floating_tilt(const fm_real down[3])
{
    return fm_select(fm_abs(down[2]) < fm_const(1e-3), fm_const(1e-3), down[2]);
}

/* What of a column whose z = 0 is `above` deep is under water. */
FM_FN void fm_submersion_add(const fm_column_element *e, fm_real above, fm_real tilt, fm_submersion *s)
{
    fm_real zero = fm_const(0), cut = zero - above / tilt; /* body z where the column meets the surface */
    fm_real low = fm_select(tilt > zero, fm_clamp(cut, zero + e->top, zero + e->bottom), zero + e->top);
    fm_real high = fm_select(tilt > zero, zero + e->bottom, fm_clamp(cut, zero + e->top, zero + e->bottom));
    fm_real part = e->area * (high - low);
    s->volume += part;
    s->moment[0] += part * e->x;
    s->moment[1] += part * e->y;
    s->moment[2] += part * fm_const(0.5) * (high + low);
}

/* Of a hull whose origin is `depth` below the surface. Depth of the body-fixed point r: depth + down·r. */
FM_FN fm_submersion fm_submersion_at(const fm_floating_hull *hull, fm_real depth, const fm_real down[3])
{
    fm_real zero = fm_const(0), tilt = fm_floating_tilt(down);
    fm_submersion s = {zero, {zero, zero, zero}};
    for (int i = 0; i < hull->count; i++) {
        const fm_column_element *e = &hull->columns[i];
        fm_submersion_add(e, depth + e->x * down[0] + e->y * down[1], tilt, &s);
    }
    return s;
}

/* --- under waves --- */

/* Even and odd columns are summed apart, as strips are (hydrodynamics.h): side by side, or one after the other. */
#ifdef FM_PAIRS
typedef fm_pair fm_side;
typedef __typeof__((fm_pair){0} < (fm_pair){0}) fm_side_mask;
#define fm_side_const fm_pair_const
FM_FN fm_side fm_side_clamp(fm_side a, fm_side low, fm_side high)
{
    fm_side_mask over = a > low;
    a = (fm_side)(((fm_side_mask)a & over) | ((fm_side_mask)low & ~over));
    fm_side_mask under = a < high;
    return (fm_side)(((fm_side_mask)a & under) | ((fm_side_mask)high & ~under));
}
#else
typedef fm_real fm_side;
#define fm_side_const(x) (x)
#define fm_side_clamp fm_clamp
#endif

/* `end`: of the column, that which is under water. */
typedef struct fm_side_column {
    fm_side x, y, top, bottom, end, area;
} fm_side_column;

/* A surface of which the depth above a body-fixed point is a polynomial; `over`: −1 by the slope along z. */
typedef struct fm_side_surface {
    fm_side depth, x, xx, xxx, y, xy, over, sign;
} fm_side_surface;

typedef struct fm_side_sums {
    fm_side volume, x, y, z;
} fm_side_sums;

FM_FN void fm_side_add(const fm_side_column *e, const fm_side_surface *p, fm_side_sums *s)
{
    fm_side above = p->depth + e->x * (p->x + e->x * (p->xx + e->x * p->xxx)) + e->y * (p->y + e->x * p->xy);
    fm_side cut = fm_side_clamp(above * p->over, e->top, e->bottom); /* body z where the column meets the surface */
    fm_side part = e->area * (p->sign * (e->end - cut));
    s->volume += part;
    s->x += part * e->x;
    s->y += part * e->y;
    s->z += part * (e->end + cut);
}

/* The sums of even and of odd columns; upright: z points down. */
FM_FN fm_submersion fm_side_sum(const fm_floating_hull *hull, fm_mask upright, const fm_side_surface *surface)
{
    const fm_column_element *e = hull->columns;
#ifdef FM_PAIRS
    fm_side_sums s = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < hull->count; i += 2) {
        const int pair = i + 1 < hull->count;
        const fm_column_element *a = &e[i], *b = &e[i + pair];
        fm_side_column both = {{a->x, b->x},
                               {a->y, b->y},
                               {a->top, b->top},
                               {a->bottom, b->bottom},
                               {upright ? a->bottom : a->top, upright ? b->bottom : b->top},
                               {a->area, pair ? b->area : 0}};
        fm_side_add(&both, surface, &s);
    }
    fm_submersion all = {s.volume[0] + s.volume[1],
                         {s.x[0] + s.x[1], s.y[0] + s.y[1], (s.z[0] + s.z[1]) * fm_const(0.5)}};
#else
    fm_real zero = fm_const(0);
    fm_side_sums s[2] = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    for (int i = 0; i < hull->count; i++) {
        fm_real top = fm_real_wide(e[i].top), bottom = fm_real_wide(e[i].bottom);
        fm_side_column one = {
            fm_real_wide(e[i].x),   fm_real_wide(e[i].y), top, bottom, fm_select(upright, bottom, top),
            fm_real_wide(e[i].area)};
        fm_side_add(&one, surface, &s[i & 1]);
    }
    fm_submersion all = {s[0].volume + s[1].volume,
                         {s[0].x + s[1].x, s[0].y + s[1].y, (s[0].z + s[1].z) * fm_const(0.5)}};
#endif
    return all;
}

/* The same under a surface that rises from column to column (fm_hull_water). */
FM_WHOLE fm_submersion fm_submersion_under(const fm_floating_hull *hull, fm_real depth, const fm_real down[3],
                                           const fm_real rise[FM_HULL_RISES - 1])
{
    fm_real tilt = fm_floating_tilt(down), one = fm_const(1), whole = fm_real_wide(hull->volume);
    fm_mask upright = tilt > fm_const(0);
    fm_side_surface surface = {fm_side_const(depth),
                               fm_side_const(down[0] + rise[0]),
                               fm_side_const(rise[1]),
                               fm_side_const(rise[2]),
                               fm_side_const(down[1] + rise[3]),
                               fm_side_const(rise[4]),
                               fm_side_const(-one / tilt),
                               fm_side_const(fm_select(upright, one, -one))};
    fm_submersion s = fm_side_sum(hull, upright, &surface);
    s.volume = fm_select(s.volume > fm_const(1 - 1e-12) * whole, whole, s.volume); /* the order of the sums aside */
    return s;
}

/* How far the coefficients of the hull hold: 1 as it lies in the water and deeper, 0 in the air. */
FM_FN fm_real fm_submersion_part(const fm_floating_hull *hull, const fm_submersion *s)
{
    return fm_clamp(s->volume / hull->holds, fm_const(0), fm_const(1));
}

/* Weight (N) at the centre of gravity and the buoyancy of what is under water; down = third row of R. Adds to f. */
FM_FN void fm_floating_restore(const fm_mass *mass, fm_real weight, fm_real lift, const fm_submersion *s,
                               const fm_real down[3], fm_real f[6])
{
    fm_real g[3];
    for (int i = 0; i < 3; i++) {
        f[i] += (weight - lift * s->volume) * down[i];
        g[i] = mass->gravity_centre[i] * weight - lift * s->moment[i];
    }
    f[3] += g[1] * down[2] - g[2] * down[1];
    f[4] += g[2] * down[0] - g[0] * down[2];
    f[5] += g[0] * down[1] - g[1] * down[0];
}

/* Buoyancy (N) of a volume of 1. */
FM_FN fm_real fm_floating_lift(const fm_floating_hull *hull, const fm_mass *mass, fm_real z, fm_real density_ratio)
{
    return hull->bears ? hull->weight_density * density_ratio : fm_buoyancy_at(mass, z, density_ratio);
}

/* The same with the centre of buoyancy of fm_mass where the columns do not bear: that of the wholly submerged hull. */
FM_FN fm_submersion fm_floating_centred(const fm_floating_hull *hull, const fm_mass *mass, const fm_submersion *cut)
{
    fm_submersion s = *cut;
    for (int i = 0; i < 3 && !hull->bears; i++)
        s.moment[i] += s.volume * (mass->buoyancy_centre[i] - hull->moment[i]);
    return s;
}

/* Weight and buoyancy of a hull that may be cut by the surface. Adds to f. */
FM_FN void fm_floating_add_cut(const fm_floating_hull *hull, const fm_mass *mass, fm_real z, fm_real density_ratio,
                               const fm_submersion *cut, const fm_real down[3], fm_real f[6])
{
    fm_submersion s = fm_floating_centred(hull, mass, cut);
    fm_real dry = fm_const(1) - fm_submersion_part(hull, cut);
    fm_floating_restore(mass, mass->weight + dry * hull->flooded, fm_floating_lift(hull, mass, z, density_ratio), &s,
                        down, f);
}

/* The same from the depth of the origin, z, and that of the surface above it. */
FM_FN void fm_floating_add(const fm_floating_hull *hull, const fm_mass *mass, fm_real z, fm_real surface,
                           fm_real density_ratio, const fm_real down[3], fm_real f[6])
{
    fm_submersion cut = fm_submersion_at(hull, z - surface, down);
    fm_floating_add_cut(hull, mass, z, density_ratio, &cut, down, f);
}

#endif
