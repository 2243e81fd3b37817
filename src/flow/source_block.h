/* One body as a set of point sources inside it (method of fundamental solutions) (M1).
 *
 * The strengths q that give a wanted normal velocity on the surface points follow from one matrix, found once by least
 * squares. Everything is in the body's own frame and unit of length (its radius), so spheres of all sizes share a
 * block: v(x) = Σ q_j (x − y_j)/|x − y_j|³,  q in m/s. */
#ifndef FM_FLOW_SOURCE_BLOCK_H
#define FM_FLOW_SOURCE_BLOCK_H

#include <fathom/status.h>

#include "base/memory.h"

typedef struct fm_source_block {
    int sources, points;
    int padded; /* points rounded up to a multiple of 4; the rest repeats the last with normal 0 */
    double *source[3];
    double *point[3], *normal[3];
    double *inverse; /* points × sources: column i holds what normal velocity 1 at point i adds to the strengths */
} fm_source_block;

/* Sources spread evenly at `depth` (below 1) of the radius. */
fm_status fm_sphere_block(int sources, int points, double depth, fm_arena *arena, fm_source_block *block,
                          fm_error *error);

/* An infinite cylinder, unit radius, axis along z; x points to where the disturbance is. */
typedef struct fm_cylinder_grid {
    int around, along; /* sources */
    int points_around, points_along;
    double depth;    /* radius of the sources, below 1 */
    double bunching; /* 0 … 0.95: crowds azimuths towards +x; spacing there is (1 − bunching) of the mean */
    double spacing;  /* of the sources along the axis at z = 0 */
    double reach;    /* half length of the part that carries sources; spacing grows as sinh */
} fm_cylinder_grid;
fm_status fm_cylinder_block(const fm_cylinder_grid *grid, fm_arena *arena, fm_source_block *block, fm_error *error);

/* From the local coordinates of one body to those of another: x' = m x + t; directions turn by `turn`. */
typedef struct fm_source_pose {
    double m[9], t[3], turn[9]; /* by row */
} fm_source_pose;

/* q = inverse · wanted */
void fm_block_strengths(const fm_source_block *block, const double *wanted, double *q);

/* out_i += weight · normal velocity at the points of `target` from the sources of `block`. */
void fm_block_flux(const fm_source_block *block, const double *q, const fm_source_pose *from_target,
                   const fm_source_block *target, double weight, double *out);

/* Velocity at one local point; v is overwritten. */
void fm_block_velocity(const fm_source_block *block, const double *q, const double x[3], double v[3]);

/* Monopole, dipole and quadrupole of the sources about the origin (M2). */
typedef struct fm_moments {
    double q, p[3], s[6]; /* s: xx yy zz xy xz yz, traceless */
} fm_moments;
void fm_block_moments(const fm_source_block *block, const double *q, fm_moments *moments);
void fm_moments_velocity(const fm_moments *moments, const double x[3], double v[3]);
void fm_moments_flux(const fm_moments *moments, const fm_source_pose *from_target, const fm_source_block *target,
                     double weight, double *out);

#endif
