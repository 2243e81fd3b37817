/* First contact of two moving convex shapes.
 *
 * Along a unit normal n the gap between the shapes is g(s) = min_a n·p − max_b n·p. Every point's n·p is a straight
 * line plus a sinusoid, so that over an interval h the gap is nowhere smaller than the lesser of its ends by more
 * than the bend of both motions times h². A gap that this proves open is passed in one stride; otherwise the
 * interval shrinks. No step is assumed to be open and no step limit ends the search with a miss: a gap that is not
 * proved open is a touch. */
#ifndef FM_GEOMETRY_SWEEP_H
#define FM_GEOMETRY_SWEEP_H

#include "geometry/distance.h"
#include "geometry/motion.h"

/* One side of a pair. */
typedef struct fm_sweep_side {
    const fm_shape *shape;   /* in the axes of its motion */
    const fm_motion *motion; /* NULL: it is fixed, and the shape is in the world */
    const double *face;      /* for a fixed flat piece: its unit normal, NED. NULL: a solid */
    bool ground;             /* a flat piece with ground below: what crosses it leaves upwards */
} fm_sweep_side;

/* Where the side's shape is at s. */
fm_shape fm_sweep_shape(const fm_sweep_side *side, double s);
/* A box that contains it from s = 0 to `end`. */
void fm_sweep_aabb(const fm_sweep_side *side, double end, fm_aabb *out);

/* Separation of a shape in the world from a fixed one, including flat pieces. */
void fm_sweep_separation(const fm_shape *a, const fm_sweep_side *b, fm_separation *out);
/* The same for contact: the normal is sharpened close to round shapes, and the distance is the gap along it. */
void fm_sweep_gap(const fm_shape *a, const fm_sweep_side *b, fm_separation *out);
/* The gap of two shapes along a unit normal from b to a, m. −∞ along any but the normal of a plane. */
double fm_shape_gap(const fm_shape *a, const fm_shape *b, const double normal[3]);

/* Normals (unit, NED, from b to a) along which a gap is likely to stay open: tried first, and collected. Starts as
 * {0}. */
enum { FM_SWEEP_AXES = 8 };
typedef struct fm_sweep_axes {
    double normal[FM_SWEEP_AXES][3];
    int count;
} fm_sweep_axes;

typedef struct fm_sweep_result {
    double s;         /* where it ended */
    fm_separation at; /* there, where they touch */
    double first_gap; /* m, along a normal at the start; no less than `touch` where it is open at once */
} fm_sweep_result;

/* Searches the first s in start … end from which on a and b come closer than `touch` (m), or deeper into each other if
 * they are already closer. True: found. Until then they are never closer than half of it. axes: may be NULL. */
bool fm_sweep_touch(const fm_sweep_side *a, const fm_sweep_side *b, double touch, fm_sweep_axes *axes, double start,
                    double end, fm_sweep_result *out);

#endif
