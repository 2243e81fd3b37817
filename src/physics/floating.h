/* A hull that may break the surface: vertical columns of the hull, each cut by the water plane; boxes that the plane
 * cuts through their sides alone, or not at all, in closed form.
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
    int32_t bears;    /* not 0: the columns hold the buoyancy, volumes in m³ (fm_floating_bears); 0: shares of that of
                         fm_mass */
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

/* A box is FM_BOX_SIDE² columns, Gauss points of its plan form: the first and the last are its corners. */
enum fm_floating_bears { FM_BEARS_NOTHING, FM_BEARS_COLUMNS, FM_BEARS_BOXES };
enum { FM_BOX_SIDE = 8, FM_BOX_COLUMNS = FM_BOX_SIDE * FM_BOX_SIDE };
#define FM_BOX_POINT 0.9602898564975363 /* the outermost Gauss point of (−1, 1), and its weight */
#define FM_BOX_WEIGHT 0.1012285362903763

/* A surface: its depth above a body-fixed point is a polynomial in x and y of the body; `over`: −1 by the slope along
 * z.
 */
typedef struct fm_floating_surface {
    fm_real depth, x, xx, xxx, y, xy, over, sign; /* sign: 1 where z points down */
} fm_floating_surface;

FM_WHOLE fm_submersion fm_submersion_boxes(const fm_floating_hull *hull, const fm_floating_surface *surface);

/* Of a hull whose origin is `depth` below the surface. Depth of the body-fixed point r: depth + down·r. */
FM_FN fm_submersion fm_submersion_at(const fm_floating_hull *hull, fm_real depth, const fm_real down[3])
{
    fm_real zero = fm_const(0), one = fm_const(1), tilt = fm_floating_tilt(down);
    fm_submersion s = {zero, {zero, zero, zero}};
    if (hull->bears == FM_BEARS_BOXES) {
        const fm_floating_surface level = {depth,   down[0], zero,        zero,
                                           down[1], zero,    -one / tilt, fm_select(tilt > zero, one, -one)};
        return fm_submersion_boxes(hull, &level);
    }
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

/* The sums of even and of odd columns. */
FM_FN fm_submersion fm_side_sum(const fm_column_element *e, int count, const fm_floating_surface *from)
{
    const fm_side_surface surface = {fm_side_const(from->depth), fm_side_const(from->x),   fm_side_const(from->xx),
                                     fm_side_const(from->xxx),   fm_side_const(from->y),   fm_side_const(from->xy),
                                     fm_side_const(from->over),  fm_side_const(from->sign)};
    const fm_mask upright = from->sign > fm_const(0);
#ifdef FM_PAIRS
    fm_side_sums s = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < count; i += 2) {
        const int pair = i + 1 < count;
        const fm_column_element *a = &e[i], *b = &e[i + pair];
        fm_side_column both = {{a->x, b->x},
                               {a->y, b->y},
                               {a->top, b->top},
                               {a->bottom, b->bottom},
                               {upright ? a->bottom : a->top, upright ? b->bottom : b->top},
                               {a->area, pair ? b->area : 0}};
        fm_side_add(&both, &surface, &s);
    }
    fm_submersion all = {s.volume[0] + s.volume[1],
                         {s.x[0] + s.x[1], s.y[0] + s.y[1], (s.z[0] + s.z[1]) * fm_const(0.5)}};
#else
    fm_real zero = fm_const(0);
    fm_side_sums s[2] = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    for (int i = 0; i < count; i++) {
        fm_real top = fm_real_wide(e[i].top), bottom = fm_real_wide(e[i].bottom);
        fm_side_column one = {
            fm_real_wide(e[i].x),   fm_real_wide(e[i].y), top, bottom, fm_select(upright, bottom, top),
            fm_real_wide(e[i].area)};
        fm_side_add(&one, &surface, &s[i & 1]);
    }
    fm_submersion all = {s[0].volume + s[1].volume,
                         {s[0].x + s[1].x, s[0].y + s[1].y, (s[0].z + s[1].z) * fm_const(0.5)}};
#endif
    return all;
}

/* Where a surface cuts a box, as a polynomial about the middle of its plan form: z of the body. */
typedef struct fm_box_cut {
    fm_real at, x, xx, xxx, y, xy;
} fm_box_cut;

/* Of the box whose columns these are: sums of Gauss are exact for these polynomials, so that the columns give the same.
 * Where the surface meets top or bottom within the plan form, the columns do. */
FM_FN fm_submersion fm_submersion_box(const fm_column_element *e, const fm_floating_surface *p)
{
    const fm_column_element *o = e + FM_BOX_COLUMNS - 1;
    const fm_real zero = fm_const(0), half = fm_const(0.5), top = zero + e->top, bottom = zero + e->bottom;
    const fm_real x = half * (e->x + o->x), y = half * (e->y + o->y), a = half * (o->x - e->x),
                  b = half * (o->y - e->y);
    const fm_real lean = p->y + x * p->xy;
    fm_box_cut c = {(p->depth + x * (p->x + x * (p->xx + x * p->xxx)) + y * lean) * p->over,
                    (p->x + x * (fm_const(2) * p->xx + fm_const(3) * x * p->xxx) + y * p->xy) * p->over,
                    (p->xx + fm_const(3) * x * p->xxx) * p->over,
                    p->xxx * p->over,
                    lean * p->over,
                    p->xy * p->over};
    const fm_real reach =
        a * (fm_abs(c.x) + a * (fm_abs(c.xx) + a * fm_abs(c.xxx)) + b * fm_abs(c.xy)) + b * fm_abs(c.y);
    const fm_mask over = c.at + reach <= top, under = c.at - reach >= bottom, whole = over | under;
    const fm_mask closed = whole | ((c.at - reach >= top) & (c.at + reach <= bottom));
    c.at = fm_select(over, top, fm_select(under, bottom, c.at));
    fm_real *slopes = &c.x;
    for (int i = 0; i < 5; i++)
        slopes[i] = fm_select(whole, zero, slopes[i]);
    const fm_real end = fm_select(p->sign > zero, bottom, top);
    const fm_real area = p->sign * (e->area * fm_const(4 / (FM_BOX_WEIGHT * FM_BOX_WEIGHT)));
    const fm_real aa = a * a * fm_const(1 / (FM_BOX_POINT * FM_BOX_POINT)),
                  bb = b * b * fm_const(1 / (FM_BOX_POINT * FM_BOX_POINT));
    const fm_real x2 = aa * fm_const(1.0 / 3), x4 = aa * aa * fm_const(0.2), x6 = aa * aa * aa * fm_const(1.0 / 7),
                  y2 = bb * fm_const(1.0 / 3); /* means over the plan form */
    const fm_real bend = c.xx * x2, volume = area * (end - c.at - bend);
    const fm_real square = c.x * c.x * x2 + c.xx * c.xx * x4 + c.xxx * c.xxx * x6 +
                           fm_const(2) * (c.at * bend + c.x * c.xxx * x4) + c.y * c.y * y2 + c.xy * c.xy * x2 * y2;
    fm_submersion s = {volume,
                       {x * volume - area * (c.x * x2 + c.xxx * x4), y * volume - area * (c.y * y2),
                        half * area * ((end - c.at) * (end + c.at) - square)}};
    if (fm_any(closed == (zero > fm_const(1)))) {
        const fm_submersion cut = fm_side_sum(e, FM_BOX_COLUMNS, p);
        s.volume = fm_select(closed, s.volume, cut.volume);
        for (int i = 0; i < 3; i++)
            s.moment[i] = fm_select(closed, s.moment[i], cut.moment[i]);
    }
    return s;
}

FM_WHOLE fm_submersion fm_submersion_boxes(const fm_floating_hull *hull, const fm_floating_surface *surface)
{
    fm_real zero = fm_const(0);
    fm_submersion s = {zero, {zero, zero, zero}};
    for (int i = 0; i < hull->count; i += FM_BOX_COLUMNS) {
        const fm_submersion box = fm_submersion_box(hull->columns + i, surface);
        s.volume += box.volume;
        for (int k = 0; k < 3; k++)
            s.moment[k] += box.moment[k];
    }
    return s;
}

/* The same under a surface that rises from column to column (fm_hull_water). */
FM_WHOLE fm_submersion fm_submersion_under(const fm_floating_hull *hull, fm_real depth, const fm_real down[3],
                                           const fm_real rise[FM_HULL_RISES - 1])
{
    fm_real tilt = fm_floating_tilt(down), one = fm_const(1), whole = fm_real_wide(hull->volume);
    const fm_floating_surface surface = {depth,
                                         down[0] + rise[0],
                                         rise[1],
                                         rise[2],
                                         down[1] + rise[3],
                                         rise[4],
                                         -one / tilt,
                                         fm_select(tilt > fm_const(0), one, -one)};
    fm_submersion s = hull->bears == FM_BEARS_BOXES ? fm_submersion_boxes(hull, &surface)
                                                    : fm_side_sum(hull->columns, hull->count, &surface);
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
