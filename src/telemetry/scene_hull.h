/* The surface of a convex hull of points, for drawing. */
#ifndef FM_TELEMETRY_SCENE_HULL_H
#define FM_TELEMETRY_SCENE_HULL_H

#include "geometry/shape.h"
#include "telemetry/message.h"

/* Triangles around the points, in forward-port-up of the shape's local frame. 0 when out of memory. */
int fm_scene_hull(const fm_shape *shape, fm_arena *arena, fm_msg_scene_mesh *mesh);

#endif
