/* Buoyancy of a hull that may break the surface: vertical columns of the hull, each cut by the water plane.
 *
 * A box, cylinder or ellipsoid is divided at load time into columns parallel to the body's z axis (Gauss points over
 * the plan form); a column's submerged length is exact at any roll and pitch. */
#ifndef FM_PHYSICS_FLOATING_H
#define FM_PHYSICS_FLOATING_H

#include "physics/rigid_body.h"

typedef struct fm_column_element {
    fm_var x, y;        /* m, body */
    fm_var top, bottom; /* body z of the column's ends, m; top < bottom */
    fm_var area;        /* m² */
} fm_column_element;

typedef struct fm_floating_hull {
    const fm_column_element *columns;
    int32_t count;         /* 0: the hull is always treated as wholly submerged */
    fm_var weight_density; /* ρ g of the water, N/m³ */
} fm_floating_hull;

/* Depth of the body-fixed point (x, y, 0) for a body at depth z: z + down·r. */
FM_FN void fm_floating_add(const fm_floating_hull *hull, const fm_mass *mass, fm_real z, fm_real surface,
                           fm_real density_ratio, const fm_real down[3], fm_real f[6])
{
    fm_real zero = fm_const(0), tilt = fm_select(fm_abs(down[2]) < fm_const(1e-3), fm_const(1e-3), down[2]);
    fm_real volume = zero, mx = zero, my = zero, mz = zero;
    for (int i = 0; i < hull->count; i++) {
        const fm_column_element *e = &hull->columns[i];
        fm_real depth = z - surface + e->x * down[0] + e->y * down[1]; /* of the column's z = 0 */
        fm_real cut = zero - depth / tilt;                             /* body z where the column meets the surface */
        fm_real low = fm_select(tilt > zero, fm_clamp(cut, zero + e->top, zero + e->bottom), zero + e->top);
        fm_real high = fm_select(tilt > zero, zero + e->bottom, fm_clamp(cut, zero + e->top, zero + e->bottom));
        fm_real part = e->area * (high - low);
        volume += part;
        mx += part * e->x;
        my += part * e->y;
        mz += part * fm_const(0.5) * (high + low);
    }
    fm_real b = hull->weight_density * density_ratio;
    for (int i = 0; i < 3; i++)
        f[i] += (mass->weight - b * volume) * down[i];
    fm_real g[3] = {mass->gravity_centre[0] * mass->weight - b * mx, mass->gravity_centre[1] * mass->weight - b * my,
                    mass->gravity_centre[2] * mass->weight - b * mz};
    f[3] += g[1] * down[2] - g[2] * down[1];
    f[4] += g[2] * down[0] - g[0] * down[2];
    f[5] += g[0] * down[1] - g[1] * down[0];
}

#endif
