/* Minimises several functions at once: NSGA-II (K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A Fast and Elitist
 * Multiobjective Genetic Algorithm: NSGA-II", 2002), (G10)–(G12).
 *
 * Used like fm_cma: the caller requests a generation, evaluates it and returns the values. Coordinates are 0 … 1.
 * Random numbers depend only on the seed, the generation and the index in it. */
#ifndef FM_STUDIES_FRONT_H
#define FM_STUDIES_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct fm_front {
    size_t n, m, k, size; /* coordinates, objectives, constraints, points per generation: even */
    uint64_t seed, generation;
    fm_arena arena;
    double *points, *values; /* [2 size][n], [2 size][m + k]: parents, then their offspring */
    double *violation;       /* [2 size]: summed, each constraint over its largest; HUGE_VAL: failed */
    double *crowding;        /* [2 size] */
    size_t *layer;           /* [2 size]: 0: not dominated */
    size_t *order;           /* [2 size] */
    double *kept;            /* [size][n + m + k] */
} fm_front;

/* The first generation contains `start`; the other points are a Latin hypercube. False: no memory. */
bool fm_front_begin(fm_front *front, size_t n, size_t m, size_t k, const double *start, size_t size, uint64_t seed);
void fm_front_free(fm_front *front);
/* The points of the next generation, [point][coordinate]. */
void fm_front_ask(fm_front *front, double *points);
/* Their objectives and constraints, [point][m + k]; a constraint is fulfilled at most 0. NaN: the point failed. */
void fm_front_tell(fm_front *front, const double *points, const double *values);
/* Whether a is nowhere greater than b, and somewhere less. */
bool fm_front_dominates(const double *a, const double *b, size_t m);

#endif
