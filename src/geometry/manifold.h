/* Contact patch of two convex shapes that almost touch: the corners of the overlap of their faces. */
#ifndef FM_GEOMETRY_MANIFOLD_H
#define FM_GEOMETRY_MANIFOLD_H

#include "geometry/shape.h"

enum { FM_MANIFOLD = 16 };

typedef struct fm_manifold_point {
    double point[3]; /* m, NED, on the side of b */
    double gap;      /* m along the normal; below 0: overlap */
} fm_manifold_point;

/* Points of the patch with a gap up to `reach` (m) along the unit normal from b to a; returns how many, 0 where the
 * shapes meet at a corner or an edge, or b has no face that way: then their nearest points are all there is.
 * Rims of cylinders count as octagons. */
size_t fm_shape_manifold(const fm_shape *a, const fm_shape *b, const double normal[3], double reach,
                         fm_manifold_point out[FM_MANIFOLD]);

#endif
