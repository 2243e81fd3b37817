/* Plane walls by mirror images (M3).
 *
 * Walls must be parallel or at right angles to each other: only then do the images of a point fill a lattice and all
 * walls hold at once. One wall on an axis gives two images (the point and its mirror), two facing walls at distance L
 * an infinite row with period 2L; rows of different axes multiply.
 *
 * Convergence: an image at distance D adds about 1.5 V (a/D)³ on the sphere. The images of one cell (four for two
 * pairs of walls) have dipoles that cancel in the directions across the walls, so the truncation error is of the
 * order of the first image left out, not of their sum; only motion along all walls keeps equal signs, and its rest
 * is π a³/(area·reach) of the speed in a shaft of that cross-section. */
#ifndef FM_FLOW_IMAGE_LATTICE_H
#define FM_FLOW_IMAGE_LATTICE_H

#include <fathom/status.h>

#include "base/memory.h"

typedef struct fm_flow_plane {
    double point[3];  /* m, any point of the wall, world frame */
    double normal[3]; /* unit, into the water */
} fm_flow_plane;

/* x' = g x + h, an isometry; [0] of a lattice is the identity. */
typedef struct fm_image {
    double g[9], h[3]; /* by row */
} fm_image;

typedef struct fm_image_lattice {
    fm_image *images;
    int count;
} fm_image_lattice;

/* All images whose distance from their original may be below `reach` [m] for some point between the walls. */
fm_status fm_image_lattice_make(const fm_flow_plane *walls, int count, double reach, fm_arena *arena,
                                fm_image_lattice *lattice, fm_error *error);

/* x' = image of x; and back. */
void fm_image_map(const fm_image *image, const double x[3], double out[3]);
void fm_image_unmap(const fm_image *image, const double x[3], double out[3]);

#endif
