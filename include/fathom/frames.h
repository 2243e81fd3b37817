/* Frames: converts velocities between body and world axes, and positions between the world's axes, latitude and
 * longitude, and geocentric coordinates. For programs that exchange poses, fixes and rates. SI and radians; the
 * ellipsoid is WGS 84. The functions keep no state: any thread may call them. Equations: docs/theory/rigid-body.md,
 * docs/theory/instruments.md. */
#ifndef FATHOM_FRAMES_H
#define FATHOM_FRAMES_H

#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- velocities; euler: roll, pitch, heading --- */

/* Converts body velocities u, v, w (m/s) and rates p, q, r (rad/s) to the rates of north, east, down and of the three
 * angles. Not finite at a pitch of ±90 degrees. */
FM_API void fm_frames_to_world(const double euler[3], const double body[6], double world[6]);
/* The inverse of fm_frames_to_world; never singular. */
FM_API void fm_frames_to_body(const double euler[3], const double world[6], double body[6]);

/* --- positions --- */

/* A position on or near the Earth. */
typedef struct fm_geodetic {
    double latitude, longitude; /* rad, north and east; longitude in (−π, π] */
    double height;              /* m above the ellipsoid */
} fm_geodetic;

/* Converts to geocentric coordinates, m: x through the equator at Greenwich, y at 90 degrees east, z through the North
 * Pole. */
FM_API void fm_geodetic_to_geocentric(const fm_geodetic *position, double xyz[3]);
/* The inverse of fm_geodetic_to_geocentric; valid down to 6000 km below the surface. */
FM_API fm_geodetic fm_geodetic_from_geocentric(const double xyz[3]);

/* Converts to local coordinates, m: north, east, down in the plane tangent at `origin`. No
 * coordinates of the size of the Earth's radius are subtracted, so near the origin the result is exact to the
 * resolution of a radian, 1e-9 m. */
FM_API void fm_geodetic_to_local(const fm_geodetic *origin, const fm_geodetic *position, double ned[3]);
/* The inverse of fm_geodetic_to_local, with the same precision. */
FM_API fm_geodetic fm_geodetic_from_local(const fm_geodetic *origin, const double ned[3]);

/* Returns the position at sea level (height 0) for a local north and east, m. This is how the flat sea of a world maps
 * to the Earth, and what its GPS reports. fm_geodetic_to_local is the inverse. */
FM_API fm_geodetic fm_geodetic_from_chart(const fm_geodetic *origin, double north, double east);

/* Writes the matrix that rotates local vectors at a position to geocentric axes, by row. */
FM_API void fm_geodetic_axes(const fm_geodetic *position, double rotation[9]);

#ifdef __cplusplus
}
#endif

#endif
