/* Frames: velocities between body and world, and places between the world's axes, latitude and longitude, and the
 * Earth's centre. For programs that read poses, fixes and rates, or send them to others. SI and radians; the ellipsoid
 * is WGS 84. Equations: docs/theory/rigid-body.md, docs/theory/instruments.md. */
#ifndef FATHOM_FRAMES_H
#define FATHOM_FRAMES_H

#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- velocities; euler: roll, pitch, heading --- */

/* Body velocities u, v, w (m/s) and rates p, q, r (rad/s) → rates of north, east, down and of the three angles; not
 * finite at a pitch of ±90 degrees. */
FM_API void fm_frames_to_world(const double euler[3], const double body[6], double world[6]);
/* The inverse; never singular. */
FM_API void fm_frames_to_body(const double euler[3], const double world[6], double body[6]);

/* --- places --- */

typedef struct fm_geodetic {
    double latitude, longitude; /* rad, north and east; longitude in (−π, π] */
    double height;              /* m above the ellipsoid */
} fm_geodetic;

/* Geocentric: x through the equator at Greenwich, y at 90 degrees east, z through the North Pole, m. The way back holds
 * down to 6000 km below the surface. */
FM_API void fm_geodetic_to_geocentric(const fm_geodetic *place, double xyz[3]);
FM_API fm_geodetic fm_geodetic_from_geocentric(const double xyz[3]);

/* Local: north, east, down in the plane that touches at `origin`, m. Both keep differences of places apart from the
 * Earth's radius: near the origin they agree to what a radian can hold, 1e-9 m. */
FM_API void fm_geodetic_to_local(const fm_geodetic *origin, const fm_geodetic *place, double ned[3]);
FM_API fm_geodetic fm_geodetic_from_local(const fm_geodetic *origin, const double ned[3]);

/* The place at sea level (height 0) of a local north and east, m: how the flat sea of a world lies on the Earth, and
 * what its GPS tells. fm_geodetic_to_local leads back to them. */
FM_API fm_geodetic fm_geodetic_from_chart(const fm_geodetic *origin, double north, double east);

/* Matrix that turns local vectors at a place into geocentric ones, by row. */
FM_API void fm_geodetic_axes(const fm_geodetic *place, double rotation[9]);

#ifdef __cplusplus
}
#endif

#endif
