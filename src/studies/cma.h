/* Minimises a function by evolution of a normal distribution: CMA-ES (N. Hansen, "The CMA Evolution Strategy: A
 * Tutorial", 2016), (G1)–(G7).
 *
 * The caller requests a generation, evaluates it in any order and on any number of threads, and returns the values.
 * Random numbers depend only on the seed, the generation and the index in it, so that the same seed gives the same
 * bits. */
#ifndef FM_STUDIES_CMA_H
#define FM_STUDIES_CMA_H

#include <stdint.h>

#include "base/memory.h"

enum { FM_CMA_MOST = 32 };

typedef struct fm_cma {
    size_t n, lambda, mu; /* dimensions, points per generation, those with weights */
    uint64_t seed;
    uint64_t generation;
    double weights[2 * FM_CMA_MOST]; /* of the best mu points: (G1) */
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double sigma; /* size of the steps */
    double mean[FM_CMA_MOST];
    double path_sigma[FM_CMA_MOST], path_c[FM_CMA_MOST];
    double covariance[FM_CMA_MOST * FM_CMA_MOST];
    double axes[FM_CMA_MOST * FM_CMA_MOST], lengths[FM_CMA_MOST]; /* C = B D² Bᵀ */
    double best[FM_CMA_MOST], best_value;                         /* of all points so far */
    size_t evaluations;
} fm_cma;

/* Begins at a point with an initial step size; `lambda` 0: 4 + 3 ln n points per generation. n at most FM_CMA_MOST,
 * lambda at most 4 FM_CMA_MOST. */
void fm_cma_begin(fm_cma *search, size_t n, const double *start, double sigma, size_t lambda, uint64_t seed);
/* The points of the next generation, [point][dimension]. */
void fm_cma_ask(fm_cma *search, double *points);
/* Their values; NaN and infinity rank last. */
void fm_cma_tell(fm_cma *search, const double *points, const double *values);
/* Bounds: a coordinate y, free, means low + (high - low) (1 + sin(π (y - ½)))/2, (G7); and back. */
double fm_cma_bounded(double y, double low, double high);
double fm_cma_free(double x, double low, double high);
/* The longest axis of the distribution, in units of the coordinates. */
double fm_cma_width(const fm_cma *search);

#endif
