/* The Earth as a rotating ellipsoid (WGS 84), and its effect on inertial instruments. Latitudes are geodetic, rad;
 * vectors north-east-down at the place. Equations: docs/theory/instruments.md. */
#ifndef FM_PHYSICS_EARTH_H
#define FM_PHYSICS_EARTH_H

#include "physics/vector.h"

#define FM_EARTH_RADIUS 6378137.0                                         /* m: semi-major axis a */
#define FM_EARTH_FLATTENING (1 / 298.257223563)                           /* f */
#define FM_EARTH_SQUARE (FM_EARTH_FLATTENING * (2 - FM_EARTH_FLATTENING)) /* e²: first eccentricity squared */
#define FM_EARTH_OMEGA 7.292115e-5                                        /* rad/s: Ω */

/* (I10) Radii of curvature, m: along the meridian and across it. */
FM_FN void fm_earth_radii(fm_real latitude, fm_real *meridian, fm_real *across)
{
    fm_real a = fm_const(FM_EARTH_RADIUS), one = fm_const(1), square = fm_const(FM_EARTH_SQUARE);
    fm_real s = fm_sin(latitude), w = fm_sqrt(one - square * s * s);
    *meridian = a * (one - square) / (w * w * w);
    *across = a / w;
}

/* (I11) Rate at which the Earth turns, rad/s. */
FM_FN void fm_earth_rate(fm_real latitude, fm_real rate[3])
{
    fm_real turn = fm_const(FM_EARTH_OMEGA);
    rate[0] = turn * fm_cos(latitude);
    rate[1] = fm_const(0);
    rate[2] = fm_const(0) - turn * fm_sin(latitude);
}

/* (I12) Rate at which north-east-down turns against the Earth under a vehicle that goes over it, rad/s: v in m/s NED,
 * height in m above the ellipsoid. */
FM_FN void fm_transport_rate(fm_real latitude, fm_real height, const fm_real v[3], fm_real rate[3])
{
    fm_real meridian, across;
    fm_earth_radii(latitude, &meridian, &across);
    rate[0] = v[1] / (across + height);
    rate[1] = fm_const(0) - v[0] / (meridian + height);
    rate[2] = fm_const(0) - rate[0] * fm_sin(latitude) / fm_cos(latitude);
}

#endif
