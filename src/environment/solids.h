/* What stands in the sea and can be touched: obstacles, and the bottom as its planes or triangles. Found by trees of
 * boxes in double, without allocation: contact feeds the state, so that its bits are the same on every computer. */
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

/* Obstacles that stand still, and the bottom; called when both are known. */
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

/* A distance (m) from a point within which nothing stands; `limit` at most. */
double fm_solids_clearance(const fm_environment *environment, const double point[3], double limit);

/* What stands nearest to a shape, within `reach` (m): the separation from it and its body; false: nothing. */
bool fm_solids_nearest(const fm_environment *environment, const fm_shape *shape, double reach, fm_separation *out,
                       uint32_t *body);

/* How far below the bottom a point lies, m; 0: it does not. Of a mesh: below its lowest triangle there, or between two
 * that turn their backs to it. */
double fm_solids_burial(const fm_environment *environment, const double point[3]);

/* ground.c: the same questions to a bottom by numbers (not sampled). */
void fm_ground_visit(const fm_bottom *bottom, const fm_aabb *box, fm_solid_visitor *visit, void *user);
double fm_ground_clearance(const fm_bottom *bottom, const double point[3], double limit);

/* Sets the face of three or more points that lie in a plane, in order: the unit normal, turned up where it is ground.
 */
void fm_solid_face(const double (*points)[3], bool ground, double face[3]);

#endif
