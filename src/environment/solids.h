/* Fixed objects of the sea that can be touched: obstacles, and the bottom as its planes or triangles. Uses trees of
 * boxes in double, without allocation: contact affects the state, so its bits are the same on every computer. */
#ifndef FM_ENVIRONMENT_SOLIDS_H
#define FM_ENVIRONMENT_SOLIDS_H

#include "environment/environment.h"
#include "geometry/sweep.h"

/* A convex solid, or a flat piece of the bottom. */
typedef struct fm_solid {
    fm_sweep_side side; /* it stands */
    uint32_t body;      /* FM_BODY_OBSTACLE + index, or FM_BODY_BOTTOM */
} fm_solid;

typedef void fm_solid_visitor(void *user, const fm_solid *solid);

/* Obstacles that are fixed, and the bottom; called when both are known. */
fm_status fm_solids_build(fm_environment *environment, fm_error *error);
void fm_solids_free(fm_environment *environment);

/* Visits all that meets *box, and some more. The solid lives as long as the call; the visitor may make *box smaller.
 *
 * Planes and obstacles come as they are. Triangles of a mesh are sheets with two sides; a height map, nodes and what
 * mounds make of a plane are ground, solid below. Mounds are cut into triangles that are off by FM_GROUND_ERROR at
 * most.
 */
void fm_solids_visit(const fm_environment *environment, const fm_aabb *box, fm_solid_visitor *visit, void *user);
#define FM_GROUND_ERROR 5e-4 /* m */

/* A distance (m) from a point within which no object is; `limit` at most. */
double fm_solids_clearance(const fm_environment *environment, const double point[3], double limit);

/* The object nearest to a shape, within `reach` (m): its distance and its body; false: none. */
bool fm_solids_nearest(const fm_environment *environment, const fm_shape *shape, double reach, fm_separation *out,
                       uint32_t *body);

/* How far below the bottom a point is, m; 0: it is not. For a mesh: below its lowest triangle there, or between two
 * triangles back to back. */
double fm_solids_burial(const fm_environment *environment, const double point[3]);

/* ground.c: the same queries to a bottom defined by numbers (not sampled). */
void fm_ground_visit(const fm_bottom *bottom, const fm_aabb *box, fm_solid_visitor *visit, void *user);
double fm_ground_clearance(const fm_bottom *bottom, const double point[3], double limit);

/* Sets the face of three or more coplanar points, in order: the unit normal, turned up if it is ground. */
void fm_solid_face(const double (*points)[3], bool ground, double face[3]);

#endif
