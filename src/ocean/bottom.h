/* The sea floor as a water depth over the plane: a base (plane, nodes along x, or height grid) plus Gaussian features.
 *
 * World frame: x north, y east, z down; depths in m below the mean surface. A feature of positive height adds water: it
 * is a hole; a negative one is a mound. Equation ids refer to docs/theory/ocean.md. No libm transcendental. */
#ifndef FM_OCEAN_BOTTOM_H
#define FM_OCEAN_BOTTOM_H

#include <stddef.h>

#include "base/error.h"

typedef enum fm_bottom_kind { FM_BOTTOM_PLANE, FM_BOTTOM_NODES, FM_BOTTOM_GRID, FM_BOTTOM_SAMPLED } fm_bottom_kind;

/* (O7.1) height · exp(−[α²Δx² + β²Δy²]) added to the water depth: > 0 a hole, < 0 a mound. */
typedef struct fm_mound {
    double height;      /* m of water depth */
    double centre[2];   /* m */
    double alpha, beta; /* 1/m along x, y; α = 1/(σ√2) */
} fm_mound;

typedef struct fm_bottom {
    fm_bottom_kind kind;
    double depth, slope_x, slope_y; /* plane: D0 + D1 x + D2 y, m and m per m */
    /* nodes: depths at x0 + i spacing, piecewise linear in x, the end nodes hold beyond; spacing in dx
     * grid: depths at (x0 + i dx, y0 + j dy), y fastest, bilinear, the edge holds beyond */
    double x0, y0, dx, dy;  /* m */
    size_t nx, ny;          /* of nodes; ny only for a grid */
    const double *depths;   /* m, nx or nx · ny of them */
    const fm_mound *mounds; /* for every kind */
    size_t mound_count;
    /* sampled: depth and upward unit normal at a place, from a callback (a mesh); 0 without a bottom */
    int (*sample)(const void *user, double x, double y, double *depth, double normal[3]);
    const void *user;
    double steepness; /* m per m: no slope of nodes, grid and mounds is larger (fm_bottom_measure) */
} fm_bottom;

fm_status fm_bottom_check(const fm_bottom *bottom, fm_error *error);

/* Sets steepness, for fm_bottom_ray. */
void fm_bottom_measure(fm_bottom *bottom);

/* Where a ray from `origin` along the unit `direction` first meets the ground within `limit` (m): its distance and the
 * ground's normal; 0: nowhere. An origin in the ground gives distance 0. Exact for planes and nodes; with mounds and on
 * grids to 1e-9 m, but features thinner than 1e-3 m + 5e-4 of the distance may be missed. Not for sampled bottoms. */
int fm_bottom_ray(const fm_bottom *bottom, const double origin[3], const double direction[3], double limit,
                  double *distance, double normal[3]);

/* Water depth, m; not less than 0 (land is at the surface); a sampled bottom is infinitely deep where it has none. */
double fm_bottom_depth(const fm_bottom *bottom, double x, double y);
/* The same without that limit: land has its true height (m, NED: below 0). */
double fm_bottom_ground(const fm_bottom *bottom, double x, double y);
/* Unit normal out of the ground, into the water (its z is negative). */
void fm_bottom_normal(const fm_bottom *bottom, double x, double y, double out[3]);

/* (O7.2) Fills node depths with `after` from the first node at or beyond x on and `before` ahead of it: the floor
 * rises (or falls) over the one interval that ends there. */
void fm_bottom_rise(double *depths, size_t count, double x0, double spacing, double x, double before, double after);

#endif
