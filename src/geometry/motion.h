/* A rigid body on its way: straight on, and turning evenly about an axis that is fixed in the body and in the world. A
 * pose is position (m, NED) and quaternion (w x y z): seven numbers. */
#ifndef FM_GEOMETRY_MOTION_H
#define FM_GEOMETRY_MOTION_H

#include "geometry/shape.h"

enum { FM_POSE = 7 };

/* From a pose at s = 0 to one at s = 1. */
typedef struct fm_motion {
    double start[FM_POSE];
    double way[3];                 /* m, NED */
    double axis[3], world_axis[3]; /* unit, body axes and NED */
    double angle;                  /* rad, 0 or more: the turn about it */
} fm_motion;

/* Along `way` (m, NED) while turning by the vector `turn` (rad, body axes). */
void fm_motion_set(const double start[FM_POSE], const double way[3], const double turn[3], fm_motion *out);
/* Between two poses. turn: what the body's rates give over it, rad, body axes: tells which way round and how often it
 * turned, which the poses leave open. */
void fm_motion_between(const double from[FM_POSE], const double to[FM_POSE], const double turn[3], fm_motion *out);
void fm_motion_at(const fm_motion *motion, double s, double pose[FM_POSE]);

/* Farthest that a point of the core of a shape (body axes) lies from the motion's axis, m. */
double fm_motion_lever(const fm_motion *motion, const fm_shape *shape);
/* How much nearer than the straight line between s and s + h any point with that lever may come along n, over h² (m).
 */
double fm_motion_bend(const fm_motion *motion, double lever, fm_d3 n);

#endif
