/* The functions of fathom/frames.h. docs/theory/instruments.md (I10), (I13)-(I15) */
#include <fathom/frames.h>
#include <math.h>

#include "physics/earth.h"
#include "physics/posture.h"

void fm_frames_to_world(const double euler[3], const double body[6], double world[6])
{
    if (!euler || !body || !world)
        return;
    fm_velocity_to_world(euler, body, world);
}

void fm_frames_to_body(const double euler[3], const double world[6], double body[6])
{
    if (!euler || !world || !body)
        return;
    fm_velocity_to_body(euler, world, body);
}

/* (I13) x = (N + h) cos φ cos λ, y = (N + h) cos φ sin λ, z = ((1 − e²) N + h) sin φ. */
void fm_geodetic_to_geocentric(const fm_geodetic *position, double xyz[3])
{
    if (!position || !xyz)
        return;
    double meridian, across, level;
    fm_earth_radii(position->latitude, &meridian, &across);
    level = (across + position->height) * fm_cos(position->latitude);
    xyz[0] = level * fm_cos(position->longitude);
    xyz[1] = level * fm_sin(position->longitude);
    xyz[2] = ((1 - FM_EARTH_SQUARE) * across + position->height) * fm_sin(position->latitude);
}

/* (I14) Bowring's rule for the latitude, repeated with the parametric latitude of the last answer: the third changes
 * nothing within 100 km of the surface. */
fm_geodetic fm_geodetic_from_geocentric(const double xyz[3])
{
    if (!xyz)
        return (fm_geodetic){NAN, NAN, NAN};
    enum { TIMES = 4 };
    const double a = FM_EARTH_RADIUS, b = a * (1 - FM_EARTH_FLATTENING), e2 = FM_EARTH_SQUARE;
    double p = sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1]), z = xyz[2];
    double beta = fm_atan2(z, p * (1 - FM_EARTH_FLATTENING)), phi = beta;
    for (int i = 0; i < TIMES; i++) {
        double s = fm_sin(beta), c = fm_cos(beta);
        phi = fm_atan2(z + e2 / (1 - e2) * b * s * s * s, p - e2 * a * c * c * c);
        beta = fm_atan2((1 - FM_EARTH_FLATTENING) * fm_sin(phi), fm_cos(phi));
    }
    double s = fm_sin(phi);
    return (fm_geodetic){phi, fm_atan2(xyz[1], xyz[0]), p * fm_cos(phi) + z * s - a * sqrt(1 - e2 * s * s)};
}

void fm_geodetic_axes(const fm_geodetic *position, double rotation[9])
{
    if (!position || !rotation)
        return;
    double s = fm_sin(position->latitude), c = fm_cos(position->latitude);
    double sl = fm_sin(position->longitude), cl = fm_cos(position->longitude);
    const double columns[9] = {-s * cl, -sl, -c * cl, -s * sl, cl, -c * sl, c, 0, -s};
    for (int i = 0; i < 9; i++)
        rotation[i] = columns[i];
}

/* The difference between π and its double, rad; twice that is worth 1.6e-9 m on the ground. */
#define PI_BEYOND 1.2246467991473532e-16

/* In (−π, π]. */
static double wrap(double longitude)
{
    return longitude > FM_PI     ? longitude - 2 * FM_PI - 2 * PI_BEYOND
           : longitude <= -FM_PI ? longitude + 2 * FM_PI + 2 * PI_BEYOND
                                 : longitude;
}

/* The shorter difference of two longitudes, rad; across ±π from their distances to it, which are exact. */
static double turn_between(double from, double to)
{
    if (to - from > FM_PI)
        return (to - FM_PI) - (from + FM_PI) - 2 * PI_BEYOND;
    return to - from < -FM_PI ? (to + FM_PI) - (from - FM_PI) + 2 * PI_BEYOND : to - from;
}

/* (I15) Differences of sines and cosines are products, so that nothing of the Earth's radius is lost from metres. */
void fm_geodetic_to_local(const fm_geodetic *origin, const fm_geodetic *position, double ned[3])
{
    if (!origin || !position || !ned)
        return;
    const double e2 = FM_EARTH_SQUARE;
    double meridian, across[2], s0 = fm_sin(origin->latitude), c0 = fm_cos(origin->latitude);
    double s = fm_sin(position->latitude), c = fm_cos(position->latitude);
    double middle = 0.5 * (position->latitude + origin->latitude);
    double half = fm_sin(0.5 * (position->latitude - origin->latitude));
    double ds = 2 * fm_cos(middle) * half, dc = -2 * fm_sin(middle) * half, dh = position->height - origin->height;
    fm_earth_radii(origin->latitude, &meridian, &across[0]);
    fm_earth_radii(position->latitude, &meridian, &across[1]);
    double w0 = FM_EARTH_RADIUS / across[0], w = FM_EARTH_RADIUS / across[1];
    double dn = FM_EARTH_RADIUS * e2 * ds * (s + s0) / (w * w0 * (w + w0)); /* N − N₀ */
    double level = (across[1] + position->height) * c, turn = turn_between(origin->longitude, position->longitude);
    double back = fm_sin(0.5 * turn);
    double dx = dn * c + (across[0] + origin->height) * dc + dh * c - 2 * level * back * back;
    double dz = (1 - e2) * (dn * s + across[0] * ds) + dh * s + origin->height * ds;
    ned[0] = c0 * dz - s0 * dx;
    ned[1] = level * fm_sin(turn);
    ned[2] = -(c0 * dx + s0 * dz);
}

/* The place that lies `off` (local at the origin, m) from where it was thought to be. */
static void correct(const fm_geodetic *origin, const double off[3], fm_geodetic *position)
{
    double here[9], there[9], xyz[3], ned[3], meridian, across;
    fm_geodetic_axes(origin, here);
    fm_geodetic_axes(position, there);
    fm_vector_to_world(here, off, xyz);
    fm_vector_to_body(there, xyz, ned);
    fm_earth_radii(position->latitude, &meridian, &across);
    double level = (across + position->height) * fm_cos(position->latitude);
    position->latitude += ned[0] / (meridian + position->height);
    position->longitude = wrap(position->longitude + (level > 1 ? ned[1] / level : 0)); /* at a pole it means nothing */
    position->height -= ned[2];
}

/* (I15) Through the Earth's centre, then Newton's method on fm_geodetic_to_local for the lost digits. */
fm_geodetic fm_geodetic_from_local(const fm_geodetic *origin, const double ned[3])
{
    if (!origin || !ned)
        return (fm_geodetic){NAN, NAN, NAN};
    double axes[9], xyz[3], offset[3], found[3], off[3];
    fm_geodetic_to_geocentric(origin, xyz);
    fm_geodetic_axes(origin, axes);
    fm_vector_to_world(axes, ned, offset);
    for (int i = 0; i < 3; i++)
        xyz[i] += offset[i];
    fm_geodetic position = fm_geodetic_from_geocentric(xyz);
    for (int times = 0; times < 2; times++) {
        fm_geodetic_to_local(origin, &position, found);
        for (int i = 0; i < 3; i++)
            off[i] = ned[i] - found[i];
        correct(origin, off, &position);
    }
    return position;
}

fm_geodetic fm_geodetic_from_chart(const fm_geodetic *origin, double north, double east)
{
    if (!origin)
        return (fm_geodetic){NAN, NAN, NAN};
    double ned[3] = {north, east, origin->height};
    fm_geodetic position = fm_geodetic_from_local(origin, ned);
    for (int times = 0; times < 2; times++) {
        ned[2] += position.height;
        position = fm_geodetic_from_local(origin, ned);
    }
    position.height = 0;
    return position;
}
