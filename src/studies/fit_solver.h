/* Shared by the parts of a fit: its trials and their results. */
#ifndef FM_STUDIES_FIT_SOLVER_H
#define FM_STUDIES_FIT_SOLVER_H

#include <math.h>

#include "studies/fit.h"

typedef struct fm_fit_solver {
    fm_fit *fit;
    fm_arena arena;
    size_t n, p, m;                     /* rows fitted, parameters, starts of a segment */
    size_t q, known[FM_FIT_PARAMETERS]; /* parameters of which something is known before (Q12) */
    size_t *index;                      /* row of each that is fitted */
    size_t *channel;                    /* of each row */
    fm_fit_trial *trials;               /* the values themselves, one per nudged start, two per parameter */
    double x[FM_FIT_PARAMETERS];
    bool has_x, has_jacobian;       /* the first 1 + m trials are of x; the others too */
    double *nudged;                 /* [start][n]: derivatives by the starts, orthonormal within each segment */
    size_t nudges;                  /* of those, that count */
    double *residual, *jacobian;    /* [n], [parameter][n]: without the part explained by other starts */
    double *other;                  /* [parameter + 1][n]: derivatives from another step, or columns of residuals */
    double step[FM_FIT_PARAMETERS]; /* to either side for derivatives, in the unit of the parameter */
    double reach[FM_FIT_PARAMETERS][FM_FIT_PARAMETERS]; /* [k]: from the values to the end of the interval of k */
    double length[FM_FIT_PARAMETERS]; /* of the columns of `jacobian` before fm_fit_find_intervals scaled them */
    fm_error error;
} fm_fit_solver;

static inline double fm_fit_product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Below this length of its column a start is ignored: an unrecorded start must be determined to 1/30 m, rad, m/s or
 * rad/s. */
static inline double fm_fit_least_effect(const fm_fit_solver *s, size_t start)
{
    return s->fit->starts[start].channel < FM_FIT_LINKS ? 0 : 30;
}

/* Residuals and derivatives (fit_residuals.c). */
/* What is known of parameter k before, as a residual of the value x; 0: nothing. (Q12) */
static inline double fm_fit_prior_residual(const fm_fit *f, size_t k, double x)
{
    const fm_fit_parameter *p = &f->parameters[k];
    return isnan(p->prior) ? 0 : (x - p->mean) / p->prior;
}
/* How much a row counts, over its noise: root of the weight by sigma. */
static inline double fm_fit_weight(const fm_fit_solver *s, size_t row)
{
    return s->fit->weight[row] / s->fit->channels[s->channel[row]].sigma;
}
/* Of one row, divided by the noise of its channel. */
double fm_fit_residual(const fm_fit_solver *s, const double *said, size_t row);
/* Makes some of the trials. */
fm_status fm_fit_try(fm_fit_solver *s, size_t first, size_t count);
/* Runs of x itself and with moved starts. FM_ERR_RANGE: x is refused or its motion diverges. */
fm_status fm_fit_evaluate(fm_fit_solver *s, const double *x);
/* Of the runs that were looked at. */
void fm_fit_find_residuals(fm_fit_solver *s);
/* Residuals of any run, one row per fitted row, without the part explained by other starts of its segments. */
void fm_fit_residuals_of(const fm_fit_solver *s, const double *said, double *residual);
/* Derivatives by the parameters, from differences to both sides, or to one if the other is refused. */
fm_status fm_fit_find_jacobian(fm_fit_solver *s, const double *x);
/* Chooses the steps of the derivatives at x (fit_steps.c): (Q8). */
fm_status fm_fit_choose_steps(fm_fit_solver *s, const double *x);
/* The smallest ones. */
void fm_fit_fine_steps(fm_fit_solver *s);
/* If the runs contain switching, an interval is at least as wide as the record's noise within a stair, since noise
 * decides which stair it is. Call after fm_fit_find_intervals. (Q8) */
fm_status fm_fit_widen_over_stairs(fm_fit_solver *s);

/* One descent from the values of the parameters; also estimates the noise and the starts (fit_solve.c). */
fm_status fm_fit_descend(fm_fit_solver *s);
/* FM_ERR_MISSING in a build without GSL. */
fm_status fm_fit_can_descend(fm_error *error);
/* Outputs of the fitted run, and its residuals. */
void fm_fit_keep_run(fm_fit_solver *s);
/* The quantile of Student's distribution. */
double fm_fit_student(double probability, double freedom);
/* Runs at the ends of the intervals (fit_ends.c): (Q9). *better: a run there fits the record better than the result;
 * the values of the parameters are then its values. */
fm_status fm_fit_check_ends(fm_fit_solver *s, bool *better);

/* Intervals, correlations and condition of the parameters, from the residuals and derivatives at the result; scales the
 * derivatives. */
void fm_fit_find_intervals(fm_fit_solver *s);

#endif
