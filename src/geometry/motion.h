/* A moving rigid body: a point of it, the pivot, moves in a straight line, and it rotates uniformly about an axis
 * through that point which is fixed in the body and in the world. A pose is position (m, NED) and quaternion (w x y z):
 * seven numbers. */
#ifndef FM_GEOMETRY_MOTION_H
#define FM_GEOMETRY_MOTION_H

#include "geometry/shape.h"

enum { FM_POSE = 7 };

/* From a pose at s = 0 to one at s = 1. */
typedef struct fm_motion {
    double start[FM_POSE];
    double pivot[3];               /* m, body axes */
    double way[3];                 /* m, NED, of the pivot */
    double axis[3], world_axis[3]; /* unit, body axes and NED */
    double angle;                  /* rad, 0 or more: the turn about it */
} fm_motion;

/* The body at rest in a pose. */
void fm_motion_rest(const double start[FM_POSE], fm_motion *out);
/* The motion at a velocity (m/s and rad/s, body axes) over a time (s), with the given pivot. */
void fm_motion_drift(const double start[FM_POSE], const double velocity[6], double time, const double pivot[3],
                     fm_motion *out);
/* Along `way` (m, NED) while turning by the vector `turn` (rad, body axes) about the origin. */
void fm_motion_set(const double start[FM_POSE], const double way[3], const double turn[3], fm_motion *out);
/* Between two poses, the pivot at the origin. turn: the integral of the body's rates, rad, body axes: it gives the
 * direction and number of turns, which the poses leave open. */
void fm_motion_between(const double from[FM_POSE], const double to[FM_POSE], const double turn[3], fm_motion *out);
void fm_motion_at(const fm_motion *motion, double s, double pose[FM_POSE]);

/* Largest distance of a point of the core of a shape (body axes) from the motion's axis, m. */
double fm_motion_lever(const fm_motion *motion, const fm_shape *shape);
/* Upper limit, divided by h² (m), of how much any point with that lever may exceed the straight line between s and s +
 * h along n. */
double fm_motion_bend(const fm_motion *motion, double lever, fm_d3 n);

#endif
