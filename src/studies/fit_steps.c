/* The step sizes of the derivatives of a fit.
 *
 * The outputs of a run may be a staircase over a parameter: a controller switches at a tick, and the tick changes by
 * one when the parameter passes some value. Between two stairs the derivatives do not show them, and across one they
 * are far too steep; a step over several stairs gives the slope that a search can follow. (Q8) */
#include <math.h>
#include <string.h>

#include "studies/fit_solver.h"

#define AGREE 0.1 /* of their length: derivatives this close count as equal */

/* Parts of the size of a parameter. */
static const double parts[] = {1e-4, 1e-2, 5e-2};

/* The smallest step is relative to the initial size of the parameter. */
static double step_of(const fm_fit_parameter *p, double x, int level)
{
    return parts[level] * (level ? fmax(p->scale, fabs(x)) : p->scale);
}

/* The distance of two columns divided by the length of the second. */
static double distance(const double *a, const double *b, size_t count)
{
    double off = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return size > 0 ? sqrt(off / size) : off > 0 ? HUGE_VAL : 0;
}

static fm_status derive(fm_fit_solver *s, const double *x, int level)
{
    for (size_t k = 0; k < s->p; k++)
        s->step[k] = step_of(&s->fit->parameters[k], x[k], level);
    s->has_jacobian = false;
    return fm_fit_find_jacobian(s, x);
}

void fm_fit_fine_steps(fm_fit_solver *s)
{
    for (size_t k = 0; k < s->p; k++)
        s->step[k] = step_of(&s->fit->parameters[k], 0, 0);
    s->has_jacobian = false;
}

/* Distance of the derivatives of each parameter from those of `other`; whether all agree. */
static bool compare(const fm_fit_solver *s, double *off)
{
    bool agree = true;
    for (size_t k = 0; k < s->p; k++) {
        off[k] = distance(s->jacobian + k * s->n, s->other + k * s->n, s->n);
        agree &= off[k] < AGREE;
    }
    return agree;
}

/* If runs at a large step are refused or diverge, the smallest one is used. */
fm_status fm_fit_choose_steps(fm_fit_solver *s, const double *x)
{
    fm_fit_parameter *q = s->fit->parameters;
    double off[2][FM_FIT_PARAMETERS] = {0};
    bool reaches = derive(s, x, 1) == FM_OK;
    memcpy(s->other, s->jacobian, s->p * s->n * sizeof *s->other);
    s->error = (fm_error){0};
    fm_status status = derive(s, x, 0);
    bool smooth = !reaches || status != FM_OK || compare(s, off[0]);
    for (size_t k = 0; k < s->p; k++)
        q[k].rough = q[k].rough_wide = off[0][k];
    if (smooth)
        return status;
    bool wide = derive(s, x, 2) == FM_OK;
    s->error = (fm_error){0};
    compare(s, off[1]);
    for (size_t k = 0; k < s->p; k++) {
        int level = off[0][k] < AGREE || !wide || off[1][k] > off[0][k] ? 0 : off[1][k] < AGREE ? 1 : 2;
        q[k].rough_wide = level ? off[1][k] : off[0][k];
        s->step[k] = step_of(&q[k], x[k], level);
        s->fit->stairs |= level > 0;
    }
    s->has_jacobian = false;
    return status;
}

/* --- resolution within a stair --- */

enum { POINTS = 5 };

/* The length of the derivatives by a parameter from the smallest step, at one point; NaN: runs fail there. */
static fm_status slope_at(fm_fit_solver *s, size_t k, double x, double *length)
{
    fm_fit_trial *side = s->trials + 1 + s->m;
    const double step = step_of(&s->fit->parameters[k], 0, 0);
    double *first = s->other, *second = s->other + s->n, square = 0;
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < s->p; j++)
            side[i].values[j] = s->fit->parameters[j].value;
        side[i].values[k] = x + (i ? -step : step);
        side[i].nudged = -1;
    }
    s->has_jacobian = false;
    *length = NAN;
    fm_status status = fm_fit_try(s, 1 + s->m, 2);
    if (status != FM_OK || side[0].failure.status != FM_OK || side[1].failure.status != FM_OK)
        return status;
    fm_fit_residuals_of(s, side[0].said, first);
    fm_fit_residuals_of(s, side[1].said, second);
    for (size_t i = 0; i < s->n; i++)
        square += (first[i] - second[i]) * (first[i] - second[i]);
    *length = sqrt(square) / (2 * step);
    return status;
}

static double median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && values[k] < values[k - 1]; k--) {
            double held = values[k];
            values[k] = values[k - 1];
            values[k - 1] = held;
        }
    return count ? values[count / 2] : NAN;
}

fm_status fm_fit_widen_over_stairs(fm_fit_solver *s)
{
    fm_status status = FM_OK;
    for (size_t k = 0; k < s->p && s->fit->stairs && status == FM_OK; k++) {
        fm_fit_parameter *q = &s->fit->parameters[k];
        double lengths[POINTS], length;
        size_t count = 0;
        for (int i = 0; i < POINTS && status == FM_OK && !q->at_bound; i++) {
            status = slope_at(s, k, q->value + 0.5 * (i - POINTS / 2) * s->reach[k][k], &length);
            if (status == FM_OK && length > 0)
                lengths[count++] = length;
        }
        double factor = count ? fmax(1, fmin(s->length[k] / median(lengths, count), 10)) : 1;
        q->deviation *= factor;
        for (size_t j = 0; j < s->p; j++)
            s->reach[k][j] *= factor;
        q->least = q->value - s->reach[k][k];
        q->most = q->value + s->reach[k][k];
    }
    return status;
}
