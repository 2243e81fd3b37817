/* The density of sea water by depth: temperature and salinity of the place, and EOS-80.
 *
 * Temperature in °C on ITS-90, salinity on the practical scale of 1978 (no unit), pressure in dbar above the
 * atmosphere. World frame: x north, y east, z depth in m. Equation ids refer to docs/theory/ocean.md. */
#ifndef FM_PHYSICS_WATER_H
#define FM_PHYSICS_WATER_H

#include "physics/axis.h"

#define FM_T68_PER_T90 1.00024 /* IPTS-68 temperature per ITS-90 temperature */
#define FM_PASCALS_PER_DECIBAR 1e4

/* a + b x + … by Horner's rule */
FM_FN fm_real fm_water_cubic(fm_real x, double a, double b, double c, double d)
{
    return ((fm_const(d) * x + fm_const(c)) * x + fm_const(b)) * x + fm_const(a);
}
FM_FN fm_real fm_water_square(fm_real x, double a, double b, double c)
{
    return (fm_const(c) * x + fm_const(b)) * x + fm_const(a);
}

/* Density at surface pressure, kg/m³; t on IPTS-68, root = √S. */
FM_FN fm_real fm_seawater_surface_density(fm_real s, fm_real root, fm_real t)
{
    fm_real water =
        ((fm_water_cubic(t, -9.095290e-3, 1.001685e-4, -1.120083e-6, 6.536332e-9)) * t + fm_const(6.793952e-2)) * t +
        fm_const(999.842594);
    fm_real linear = fm_water_cubic(t, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9) * t + fm_const(0.824493);
    fm_real power = fm_water_square(t, -5.72466e-3, 1.0227e-4, -1.6546e-6);
    return water + s * (linear + power * root + fm_const(4.8314e-4) * s);
}

/* Secant bulk modulus, bar; p in bar. */
FM_FN fm_real fm_seawater_bulk_modulus(fm_real s, fm_real root, fm_real t, fm_real p)
{
    fm_real k = fm_water_cubic(t, 148.4206, -2.327105, 1.360477e-2, -5.155288e-5) * t + fm_const(19652.21) +
                s * (fm_water_cubic(t, 54.6746, -0.603459, 1.09987e-2, -6.1670e-5) +
                     root * fm_water_square(t, 7.944e-2, 1.6483e-2, -5.3009e-4));
    fm_real a = fm_water_cubic(t, 3.239908, 1.43713e-3, 1.16092e-4, -5.77905e-7) +
                s * (fm_water_square(t, 2.2838e-3, -1.0981e-5, -1.6078e-6) + fm_const(1.91075e-4) * root);
    fm_real b = fm_water_square(t, 8.50935e-5, -6.12293e-6, 5.2787e-8) +
                s * fm_water_square(t, -9.9348e-7, 2.0816e-8, 9.1697e-10);
    return k + p * (a + p * b);
}

/* (O2.3) Density, kg/m³ (EOS-80). */
FM_FN fm_real fm_seawater_density(fm_real salinity, fm_real temperature, fm_real pressure)
{
    fm_real t = fm_const(FM_T68_PER_T90) * temperature, root = fm_sqrt(salinity), p = pressure / fm_const(10);
    return fm_seawater_surface_density(salinity, root, t) /
           (fm_const(1) - p / fm_seawater_bulk_modulus(salinity, root, t, p));
}

/* --- what varies with the place --- */

/* (O3.1) Constant down to z1, then two straight segments. */
typedef struct fm_segments {
    fm_var surface;        /* value for z ≤ z1 */
    fm_var z1, z2;         /* m, 0 ≤ z1 ≤ z2 */
    fm_var slope1, slope2; /* per m, from z1 to z2 and below z2 */
} fm_segments;

FM_FN fm_real fm_segments_at(const fm_segments *s, fm_real z)
{
    fm_real surface = fm_real_wide(s->surface), z1 = fm_real_wide(s->z1), z2 = fm_real_wide(s->z2);
    fm_real first = surface + s->slope1 * (z - z1);
    fm_real second = surface + s->slope1 * (z2 - z1) + s->slope2 * (z - z2);
    return fm_select(z <= z1, surface, fm_select(z <= z2, first, second));
}

/* (O3.2) amplitude · exp(−[α²Δx² + β²Δy² + γ²Δz²]); α = 1/(σ√2). */
typedef struct fm_spot {
    fm_var amplitude;          /* in the unit of what it adds to */
    fm_var centre[3];          /* m */
    fm_var alpha, beta, gamma; /* 1/m along x, y, z; 0: no decay that way */
} fm_spot;

FM_FN fm_real fm_spots_at(const fm_spot *spots, size_t count, fm_real x, fm_real y, fm_real z)
{
    fm_real sum = fm_const(0);
    for (size_t i = 0; i < count; i++) {
        const fm_spot *s = &spots[i];
        fm_real a = s->alpha * (x - s->centre[0]), b = s->beta * (y - s->centre[1]), c = s->gamma * (z - s->centre[2]);
        fm_real exponent = a * a + b * b + c * c; /* beyond 700 less than 1e-304 of the amplitude */
        fm_mask near = exponent < fm_const(700);
        if (fm_any(near))
            sum = fm_select(near, sum + s->amplitude * fm_exp(-exponent), sum);
    }
    return sum;
}

/* Levels of a measured profile: depth (m, increasing), temperature, salinity. */
typedef struct fm_water_levels {
    const fm_par *depth, *temperature, *salinity;
    int32_t count; /* 0: none */
} fm_water_levels;

/* Temperature and salinity at a depth: of the levels, or by segments; without spots. */
FM_FN void fm_water_levels_at(const fm_water_levels *levels, fm_real z, fm_real *temperature, fm_real *salinity)
{
    fm_axis_cell cell = fm_axis_find(levels->depth, levels->count, z);
    *temperature = fm_axis_mix(cell, levels->temperature);
    *salinity = fm_axis_mix(cell, levels->salinity);
}

/* What varies in a water column whose salinity is given. */
typedef struct fm_water_state {
    const fm_segments *temperature_profile, *salinity_profile;
    fm_water_levels levels; /* in place of the segments where there are any */
    const fm_spot *temperature_spots, *salinity_spots;
    size_t temperature_spot_count, salinity_spot_count;
} fm_water_state;

/* z ≥ 0 */
FM_FN void fm_water_state_at(const fm_water_state *w, fm_real x, fm_real y, fm_real z, fm_real *temperature,
                             fm_real *salinity)
{
    if (w->levels.count) {
        fm_water_levels_at(&w->levels, z, temperature, salinity);
    } else {
        *temperature = fm_segments_at(w->temperature_profile, z);
        *salinity = fm_segments_at(w->salinity_profile, z);
    }
    *temperature = *temperature + fm_spots_at(w->temperature_spots, w->temperature_spot_count, x, y, z);
    *salinity = *salinity + fm_spots_at(w->salinity_spots, w->salinity_spot_count, x, y, z);
    *salinity = fm_max(*salinity, fm_const(0));
}

/* (O3.4) Absolute pressure, Pa, at depth z of a column P0 + P1 z + P2 z²; above the surface that of the surface. */
FM_FN fm_real fm_gauge_pressure(const fm_real p[3], fm_real z)
{
    z = fm_max(z, fm_const(0));
    return p[0] + z * (p[1] + z * p[2]);
}

/* Gauge pressure in dbar, as the formulas take it. */
FM_FN fm_real fm_water_decibar_at(const fm_var p[3], fm_real z)
{
    const fm_real wide[3] = {fm_real_wide(p[0]), fm_real_wide(p[1]), fm_real_wide(p[2])};
    return (fm_gauge_pressure(wide, z) - wide[0]) / fm_const(FM_PASCALS_PER_DECIBAR);
}

/* --- in a batch --- */

/* A record of physics/flat.h: the water of a vehicle whose density counts. */
typedef struct fm_batch_water {
    int32_t first, count;                                /* levels: where, and how many */
    int32_t temperature_spot_count, salinity_spot_count; /* the first of all spots are those of the temperature */
    fm_segments temperature, salinity;
    fm_var pressure[3]; /* Pa, Pa/m, Pa/m² */
    fm_var nominal;     /* kg/m³, of the density ratio 1 */
    fm_var everywhere;  /* kg/m³ at all places; 0: by the equation of state */
} fm_batch_water;
enum { FM_BATCH_WATER_INTEGERS = 4, FM_BATCH_WATER_NUMBERS = 15 };

/* Temperature (°C) and salinity at a place. */
FM_FN void fm_batch_water_at(const fm_batch_water *p, const fm_spot *spots, const fm_par *levels,
                             const fm_real position[3], fm_real *temperature, fm_real *salinity)
{
    fm_water_state state;
    state.temperature_profile = &p->temperature;
    state.salinity_profile = &p->salinity;
    state.levels.depth = levels + p->first;
    state.levels.temperature = state.levels.depth + p->count;
    state.levels.salinity = state.levels.temperature + p->count;
    state.levels.count = p->count;
    state.temperature_spots = spots;
    state.salinity_spots = spots + p->temperature_spot_count;
    state.temperature_spot_count = (size_t)p->temperature_spot_count;
    state.salinity_spot_count = (size_t)p->salinity_spot_count;
    fm_water_state_at(&state, position[0], position[1], fm_max(position[2], fm_const(0)), temperature, salinity);
}

/* Density at a place by the equation of state, kg/m³. */
FM_FN fm_real fm_batch_water_state(const fm_batch_water *p, const fm_spot *spots, const fm_par *levels,
                                   const fm_real position[3])
{
    fm_real temperature, salinity, z = fm_max(position[2], fm_const(0));
    fm_batch_water_at(p, spots, levels, position, &temperature, &salinity);
    return fm_seawater_density(salinity, temperature, fm_water_decibar_at(p->pressure, z));
}

/* Density at a place, kg/m³. */
FM_FN fm_real fm_batch_water_density(const fm_batch_water *p, const fm_spot *spots, const fm_par *levels,
                                     const fm_real position[3])
{
    fm_real everywhere = fm_real_wide(p->everywhere);
    fm_mask by_state = everywhere == fm_const(0);
    return fm_any(by_state) ? fm_select(by_state, fm_batch_water_state(p, spots, levels, position), everywhere)
                            : everywhere;
}

#endif
