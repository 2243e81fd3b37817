/* Between the parts of a fit: what it tries, and what came of it. */
#ifndef FM_BATCH_FIT_SOLVER_H
#define FM_BATCH_FIT_SOLVER_H

#include "batch/fit.h"

typedef struct fm_fit_solver {
    fm_fit *fit;
    fm_arena arena;
    size_t n, p, m;       /* rows fitted, parameters, starts of a segment */
    size_t *index;        /* row of each that is fitted */
    size_t *channel;      /* of each row */
    fm_fit_trial *trials; /* the values themselves, one a nudged start, two a parameter */
    double x[FM_FIT_PARAMETERS];
    bool has_x, has_jacobian;    /* the first 1 + m trials are of x; the others too */
    double *nudged;              /* [start][n]: derivatives after the starts, made orthonormal within each segment */
    size_t nudges;               /* of those, that count */
    double *residual, *jacobian; /* [n], [parameter][n]: without what other starts would explain */
    fm_error error;
} fm_fit_solver;

static inline double fm_fit_product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Residuals and derivatives (fit_residuals.c). */
/* Of one row, over the noise of its channel. */
double fm_fit_residual(const fm_fit_solver *s, const double *said, size_t row);
/* Makes some of the trials. */
fm_status fm_fit_try(fm_fit_solver *s, size_t first, size_t count);
/* Runs of x itself and with moved starts. FM_ERR_RANGE: x is refused or its motion runs away. */
fm_status fm_fit_look_at(fm_fit_solver *s, const double *x);
/* Of the runs that were looked at. */
void fm_fit_find_residuals(fm_fit_solver *s);
/* Derivatives after the parameters, by differences to both sides, or to one where the other is refused. */
fm_status fm_fit_find_jacobian(fm_fit_solver *s, const double *x);

/* Intervals, correlations and condition of the parameters, from the residuals and derivatives at the values found; the
 * derivatives are scaled by it. student: the quantile of Student's distribution, of a probability and the degrees of
 * freedom. */
void fm_fit_find_intervals(fm_fit_solver *s, double (*student)(double probability, double freedom));

#endif
