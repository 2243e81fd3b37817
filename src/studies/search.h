/* Minimises a function by evolution of a normal distribution: CMA-ES (N. Hansen, "The CMA Evolution Strategy: A
 * Tutorial", 2016), (G1)–(G7).
 *
 * The caller requests a generation, evaluates it in any order and on any number of threads, and returns the values.
 * Random numbers depend only on the seed, the generation and the index in it, so that the same seed gives the same
 * bits. */
#ifndef FM_STUDIES_SEARCH_H
#define FM_STUDIES_SEARCH_H

#include <stdint.h>

#include "base/memory.h"

enum { FM_SEARCH_MOST = 32 };

typedef struct fm_search {
    size_t n, lambda, mu; /* dimensions, points per generation, those with weights */
    uint64_t seed;
    uint64_t generation;
    double weights[2 * FM_SEARCH_MOST]; /* of the best mu points: (G1) */
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double sigma; /* size of the steps */
    double mean[FM_SEARCH_MOST];
    double path_sigma[FM_SEARCH_MOST], path_c[FM_SEARCH_MOST];
    double covariance[FM_SEARCH_MOST * FM_SEARCH_MOST];
    double axes[FM_SEARCH_MOST * FM_SEARCH_MOST], lengths[FM_SEARCH_MOST]; /* C = B D² Bᵀ */
    double best[FM_SEARCH_MOST], best_value;                               /* of all points so far */
    size_t evaluations;
} fm_search;

/* Begins at a point with an initial step size; `lambda` 0: 4 + 3 ln n points per generation. n at most FM_SEARCH_MOST,
 * lambda at most 4 FM_SEARCH_MOST. */
void fm_search_begin(fm_search *search, size_t n, const double *start, double sigma, size_t lambda, uint64_t seed);
/* The points of the next generation, [point][dimension]. */
void fm_search_ask(fm_search *search, double *points);
/* Their values; NaN and infinity rank last. */
void fm_search_tell(fm_search *search, const double *points, const double *values);
/* Bounds: a coordinate y, free, means low + (high - low) (1 + sin(π (y - ½)))/2, (G7); and back. */
double fm_search_bounded(double y, double low, double high);
double fm_search_free(double x, double low, double high);
/* The longest axis of the distribution, in units of the coordinates. */
double fm_search_width(const fm_search *search);

#endif
