/* Distance between the cores of two convex shapes by the algorithm of Gilbert, Johnson and Keerthi (1988). */
#ifndef FM_GEOMETRY_GJK_H
#define FM_GEOMETRY_GJK_H

#include "geometry/shape.h"

typedef struct fm_gjk_result {
    double distance;        /* m, between the cores (margins not subtracted); 0: they overlap */
    fm_d3 difference;       /* m, point_a − point_b */
    fm_d3 point_a, point_b; /* m, world: a closest pair */
    int iterations;
} fm_gjk_result;

/* Allocates nothing. Not for planes. */
void fm_gjk(const fm_shape *a, const fm_shape *b, fm_gjk_result *result);

#endif
