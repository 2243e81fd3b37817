/* Finds where the ray from the inside of the Minkowski difference of two overlapping convex shapes through the origin
 * leaves it. */
#ifndef FM_GEOMETRY_PORTAL_H
#define FM_GEOMETRY_PORTAL_H

#include "geometry/d3.h"
#include "geometry/shape.h"

typedef struct fm_portal {
    fm_d3 normal; /* unit: from b to a, a way out of b for a */
    fm_d3 point;  /* m, world: inside of both */
} fm_portal;

/* Minkowski portal refinement (Snethen 2008) of {p_b − p_a}. False: the shapes do not overlap. */
bool fm_portal_find(const fm_shape *a, const fm_shape *b, fm_portal *out);

#endif
