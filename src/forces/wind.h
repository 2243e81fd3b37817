/* Wind and its load on everything above the water. */
#ifndef FM_FORCES_WIND_H
#define FM_FORCES_WIND_H

#include "physics/real.h"

typedef struct fm_wind {
    fm_var velocity[2]; /* m/s at 10 m height, north and east, of the moving air (where it blows to) */
    fm_var density;     /* kg/m³ of the air; 1.225 at 15 °C */
    fm_var exponent;    /* of the power-law profile; 1/7 over open water, 0: the same at all heights */
} fm_wind;

/* What the wind acts on. */
typedef struct fm_wind_area {
    fm_var frontal, lateral; /* m², projected areas above the water seen from ahead and abeam */
    fm_var length;           /* m, overall */
    fm_var height;           /* m, of the areas' centre above the water */
    fm_var cx, cy, cn;       /* load coefficients; a drag on a buoy is cx = cy = Cd, cn = 0 */
} fm_wind_area;

/* (O6.1) Air velocity, m/s, north and east, at a height in m above the water. */
FM_FN void fm_wind_at(const fm_wind *wind, fm_real height, fm_real out[2])
{
    fm_real factor = fm_const(1), zero = fm_const(0), exponent = fm_real_wide(wind->exponent);
    if (fm_any(exponent != zero)) {
        fm_real power = fm_select(height > zero, fm_pow(height / fm_const(10), exponent), zero);
        factor = fm_select(exponent != zero, power, factor);
    }
    out[0] = factor * wind->velocity[0];
    out[1] = factor * wind->velocity[1];
}

/* (O6.2) Force surge X, sway Y in N and yaw moment N in N m, body frame; `relative` is the craft's velocity less
 * the air's, in body axes, m/s.
 *
 * With the angle of attack γ = −atan2(v, u): V² cos γ = V u, V² sin γ = −V v, V² sin 2γ = −2 u v. */
FM_FN void fm_wind_load(const fm_wind_area *area, fm_real air_density, const fm_real relative[2], fm_real out[3])
{
    fm_real u = relative[0], v = relative[1], speed = fm_sqrt(u * u + v * v);
    out[0] = fm_const(-0.5) * air_density * area->cx * area->frontal * speed * u;
    out[1] = fm_const(-0.5) * air_density * area->cy * area->lateral * speed * v;
    out[2] = -air_density * area->cn * area->lateral * area->length * u * v;
}

#endif
