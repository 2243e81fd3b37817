/* Checks the ends of an interval with runs there, against the parabola predicted by its derivatives.
 *
 * If the misfit rises less than predicted, the interval is widened with runs to where it has risen; if a run there
 * fits the record better than the result, the search has not ended. (Q9) */
#include <math.h>
#include <string.h>

#include "studies/fit_solver.h"

#define LEAST_PART 1e-8 /* of a value: a smaller distance of an end from the value is not resolved */

enum { DOUBLINGS = 14, HALVINGS = 5, SCANNED = 16 };

/* A direction from the result: to `part` of an interval's end. */
typedef struct way {
    size_t k;
    double sign, promised, risen; /* of the misfit at the end: from the derivatives, and from a run */
    double values[FM_FIT_PARAMETERS];
    bool made;
} way;

/* The values at a fraction of the direction; whether they are within their bounds. */
static bool values_at(const fm_fit_solver *s, size_t k, double sign, double part, double *values)
{
    bool inside = true;
    for (size_t j = 0; j < s->p; j++) {
        const fm_fit_parameter *q = &s->fit->parameters[j];
        values[j] = q->value + sign * part * s->reach[k][j];
        inside &= isnan(q->low) || (values[j] > q->low && values[j] < q->high);
    }
    return inside;
}

/* The prediction of the derivatives: 2 e·Jd + |Jd|². The columns of J were scaled to length 1. */
static double promise(const fm_fit_solver *s, size_t k, double sign)
{
    double along = 0, square = 0;
    for (size_t i = 0; i < s->n; i++) {
        double change = 0;
        for (size_t j = 0; j < s->p; j++)
            change += sign * s->jacobian[j * s->n + i] * s->length[j] * s->reach[k][j];
        along += s->residual[i] * change;
        square += change * change;
    }
    for (size_t j = 0; j < s->p; j++) { /* what is known before */
        const fm_fit_parameter *q = &s->fit->parameters[j];
        const double change = isnan(q->prior) ? 0 : sign * s->reach[k][j] / q->prior;
        along += fm_fit_prior_residual(s->fit, j, q->value) * change;
        square += change * change;
    }
    return 2 * along + square;
}

/* By how much values are further from what is known before than the result is. */
static double prior_rise(const fm_fit_solver *s, const double *values)
{
    double sum = 0;
    for (size_t j = 0; j < s->p; j++) {
        const double there = fm_fit_prior_residual(s->fit, j, values[j]),
                     here = fm_fit_prior_residual(s->fit, j, s->fit->parameters[j].value);
        sum += there * there - here * here;
    }
    return sum;
}

/* Runs `count` directions at a fraction of their length. */
static fm_status go(fm_fit_solver *s, way *ways, size_t count, double part)
{
    fm_fit_trial *trials = s->trials + 1 + s->m;
    double found = fm_fit_product(s->residual, s->residual, s->n);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        ways[i].made = values_at(s, ways[i].k, ways[i].sign, part, ways[i].values);
        if (!ways[i].made)
            continue;
        memcpy(trials[made].values, ways[i].values, s->p * sizeof(double));
        trials[made++].nudged = -1;
    }
    s->has_jacobian = false;
    fm_status status = made ? fm_fit_try(s, 1 + s->m, made) : FM_OK;
    for (size_t i = 0, at = 0; i < count && status == FM_OK; i++) {
        ways[i].risen = HUGE_VAL; /* a run that is refused or diverges */
        if (ways[i].made && trials[at++].failure.status == FM_OK) {
            fm_fit_residuals_of(s, trials[at - 1].said, s->other);
            ways[i].risen = fm_fit_product(s->other, s->other, s->n) - found + prior_rise(s, ways[i].values);
        }
    }
    return status;
}

/* Whether its run fits the record better than the result. */
static bool is_better(const way *w)
{
    return w->made && w->risen < fmin(0, w->promised) - 0.1 * fabs(w->promised);
}

/* Moves an end to where the misfit has risen by the definition of the interval: doubles, then bisects. Stops early if a
 * run fits the record better than the result. */
static fm_status widen(fm_fit_solver *s, way *w)
{
    fm_fit_parameter *q = &s->fit->parameters[w->k];
    double low = 1, high = 1;
    fm_status status = FM_OK;
    for (int i = 0; i < DOUBLINGS && w->risen < w->promised && w->made && status == FM_OK; i++) {
        low = high;
        high *= 2;
        status = go(s, w, 1, high);
        if (status == FM_OK && is_better(w))
            return status;
    }
    if (status == FM_OK && !(w->risen >= w->promised) && w->made)
        q->open = true; /* no end was found */
    for (int i = 0; i < HALVINGS && status == FM_OK && high > low; i++) {
        double middle = 0.5 * (low + high);
        status = go(s, w, 1, middle);
        *(w->risen < w->promised ? &low : &high) = middle;
    }
    if (status == FM_OK && w->sign < 0)
        q->least = q->value - high * s->reach[w->k][w->k];
    else if (status == FM_OK)
        q->most = q->value + high * s->reach[w->k][w->k];
    q->by_runs = true;
    return status;
}

/* Adopts the values of the direction whose run fits the record best, if it is better than the result. */
static bool adopt_better(fm_fit_solver *s, const way *ways, size_t count)
{
    const way *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (is_better(&ways[i]) && (!best || ways[i].risen < best->risen))
            best = &ways[i];
    for (size_t k = 0; best && k < s->p; k++)
        s->fit->parameters[k].value = best->values[k];
    return best != NULL;
}

static size_t list_ways(const fm_fit_solver *s, way *ways)
{
    size_t count = 0;
    for (size_t k = 0; k < s->p; k++) {
        const fm_fit_parameter *q = &s->fit->parameters[k];
        double half = s->reach[k][k];
        double size = fmax(fabs(q->value), q->scale);
        if (q->at_bound || !(half > LEAST_PART * size && half < size)) /* or the record does not determine it */
            continue;
        for (int side = -1; side <= 1; side += 2)
            ways[count++] = (way){.k = k, .sign = side, .promised = promise(s, k, side)};
    }
    return count;
}

/* With a staircase a misfit may fall again beyond an end: makes runs at equal distances out to four times the interval.
 * Ends are set after the last run that has not risen enough. */
static fm_status scan(fm_fit_solver *s, way *w, bool *better)
{
    fm_fit_parameter *q = &s->fit->parameters[w->k];
    const double most = w->promised;
    double part = 1;
    fm_status status = FM_OK;
    for (int i = 1; i <= SCANNED && status == FM_OK && !*better; i++) {
        status = go(s, w, 1, i * 4.0 / SCANNED);
        *better = status == FM_OK && adopt_better(s, w, 1);
        if (status == FM_OK && w->made && w->risen < most)
            part = fmax(part, (i + 1) * 4.0 / SCANNED);
    }
    q->by_runs |= part > 1;
    if (w->sign < 0)
        q->least = fmin(q->least, q->value - part * s->reach[w->k][w->k]);
    else
        q->most = fmax(q->most, q->value + part * s->reach[w->k][w->k]);
    return status;
}

fm_status fm_fit_check_ends(fm_fit_solver *s, bool *better)
{
    way ways[2 * FM_FIT_PARAMETERS];
    size_t count = list_ways(s, ways);
    fm_status status = go(s, ways, count, 1);
    *better = status == FM_OK && adopt_better(s, ways, count);
    for (size_t i = 0; s->fit->stairs && i < count && status == FM_OK && !*better; i++)
        status = scan(s, &(way){.k = ways[i].k, .sign = ways[i].sign, .promised = ways[i].promised}, better);
    for (size_t i = 0; i < count && status == FM_OK && !*better; i++) {
        way *w = &ways[i];
        s->fit->parameters[w->k].rise[w->sign > 0] = w->made ? w->risen / w->promised : NAN;
        if (!w->made || !(w->promised > 0) || w->risen >= 0.5 * w->promised)
            continue;
        status = widen(s, w);
        *better = status == FM_OK && adopt_better(s, w, 1);
    }
    return status;
}
