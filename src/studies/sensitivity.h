/* How much an answer depends on each input: Sobol indices from a Saltelli design, elementary effects from a Morris
 * design (plan.h). Theory: docs/theory/fitting.md#sensitivity. */
#ifndef FM_STUDIES_SENSITIVITY_H
#define FM_STUDIES_SENSITIVITY_H

#include <stddef.h>

#include "base/error.h"

/* An estimate and its 95 % interval. */
typedef struct fm_index_estimate {
    double value, low, high;
} fm_index_estimate;

/* Parts of the variance of the answer, no dimension. */
typedef struct fm_sobol_index {
    fm_index_estimate first; /* that this input causes alone */
    fm_index_estimate total; /* that vanishes if it is fixed: with everything that it causes together with others */
} fm_sobol_index;

/* `answers` of the runs of a Saltelli design, in its order: pairs · (inputs + 2); NaN: none, then its pair is left out.
 * *used: pairs that are complete. The intervals are those of 1000 resamplings of the pairs (percentiles). */
fm_status fm_sobol_indices(const double *answers, size_t pairs, size_t inputs, fm_sobol_index *indices, size_t *used,
                           fm_error *error);

/* The effect of an input when it moves through its whole range, in the unit of the answer. */
typedef struct fm_morris_effect {
    fm_index_estimate magnitude; /* mean of the magnitudes of its effects, µ* */
    double mean;                 /* of the effects, µ; near ±µ*: monotonous */
    double deviation;            /* of the effects, σ; large: it acts differently elsewhere, or together with others */
    size_t count;                /* effects that were seen */
} fm_morris_effect;

/* `answers` of the runs of a Morris design, paths · (inputs + 1); `values`: of each input in each run,
 * values[input][run], which say what moved and whereto. */
fm_status fm_morris_effects(const double *answers, const double *const *values, size_t paths, size_t inputs,
                            fm_morris_effect *effects, fm_error *error);

/* Places of the inputs in order of falling total index, or of falling magnitude; NaN last. */
void fm_sobol_rank(const fm_sobol_index *indices, size_t inputs, size_t *order);
void fm_morris_rank(const fm_morris_effect *effects, size_t inputs, size_t *order);

#endif
