/* Distance of two convex shapes, or their penetration depth. Nothing here allocates. */
#ifndef FM_GEOMETRY_DISTANCE_H
#define FM_GEOMETRY_DISTANCE_H

#include "geometry/shape.h"

/* Separation of shape a from shape b. */
typedef struct fm_separation {
    double distance;   /* m; below 0: the depth of penetration with the sign turned */
    double normal[3];  /* unit, world, from b to a: moving a by −distance along it brings them just into touch */
    double point_a[3]; /* m, world: the point of a nearest to b, or deepest in it */
    double point_b[3]; /* m, world: the point of b; point_a − point_b = distance · normal */
} fm_separation;

/* Closed forms for planes against anything, and for spheres, capsules and sphere–box; otherwise GJK, and for
 * overlapping cores a portal (portal.h), made exact along its normal and improved (see penetration.c). Two planes never
 * touch: their distance is infinite. */
void fm_shape_separation(const fm_shape *a, const fm_shape *b, fm_separation *out);

/* The same, but only the distance, 0 if they overlap: cheaper when the depth does not matter. */
double fm_shape_distance(const fm_shape *a, const fm_shape *b);

/* Penetration of two shapes whose cores overlap. Writes distance ≤ 0, normal and points. */
void fm_shape_penetration(const fm_shape *a, const fm_shape *b, fm_separation *out);

#endif
