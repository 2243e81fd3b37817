/* How sure the values of a fit are. */
#include "studies/fit_solver.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "studies/loss.h"

enum { LAGS_MOST = 2000 };
#define FINEST 1e-9 /* of a value: the resolution of a search in double precision, however small the noise */

/* Sum over lags of the products of derivatives, weighted with the correlation of the residuals: (Q7). */
static void add_channel(const fm_fit_solver *s, size_t c, double *b, double *memory)
{
    size_t p = s->p, most = s->fit->channels[c].count[0] / 4, seen = 0;
    double zero = 0, t[2] = {HUGE_VAL, -HUGE_VAL};
    const fm_fit *f = s->fit;
    for (size_t i = 0; i < s->n; i++)
        if (s->channel[s->index[i]] == c) {
            zero += s->residual[i] * s->residual[i];
            seen++;
            t[0] = fmin(t[0], f->t[s->index[i]]), t[1] = fmax(t[1], f->t[s->index[i]]);
        }
    double level = 2 / sqrt((double)seen);
    size_t lag = 0;
    for (; lag <= most && lag < LAGS_MOST; lag++) {
        double sum = 0;
        for (size_t i = 0; i + lag < s->n; i++)
            if (s->channel[s->index[i]] == c && s->channel[s->index[i + lag]] == c &&
                f->group[s->index[i]] == f->group[s->index[i + lag]])
                sum += s->residual[i] * s->residual[i + lag];
        if (lag && !(sum > level * zero))
            break;
        double weight = sum / (double)seen;
        for (size_t i = 0; i + lag < s->n; i++) {
            if (s->channel[s->index[i]] != c || s->channel[s->index[i + lag]] != c ||
                f->group[s->index[i]] != f->group[s->index[i + lag]])
                continue;
            for (size_t j = 0; j < p; j++)
                for (size_t k = 0; k < p; k++) {
                    double here = s->jacobian[j * s->n + i] * s->jacobian[k * s->n + i + lag];
                    b[j * p + k] += lag ? weight * (here + s->jacobian[k * s->n + i] * s->jacobian[j * s->n + i + lag])
                                        : weight * here;
                }
        }
    }
    *memory = lag > 1 && seen > 1 ? (double)(lag - 1) * (t[1] - t[0]) / (double)(seen - 1) : 0;
}

/* The inverse of a symmetric matrix by its eigenvectors; *condition is the root of the ratio of the extreme values. */
static void invert(size_t p, const double *a, double *inverse, double *condition)
{
    double work[FM_FIT_PARAMETERS * FM_FIT_PARAMETERS], v[FM_FIT_PARAMETERS * FM_FIT_PARAMETERS],
        values[FM_FIT_PARAMETERS], low = HUGE_VAL, high = 0;
    memcpy(work, a, p * p * sizeof *a);
    fm_dense_eigen_symmetric(p, work, values, v);
    for (size_t i = 0; i < p; i++)
        low = fmin(low, values[i]), high = fmax(high, values[i]);
    *condition = sqrt(high / fmax(low, 1e-30 * high));
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) {
            inverse[i * p + j] = 0;
            for (size_t k = 0; k < p; k++)
                inverse[i * p + j] += v[i * p + k] * v[j * p + k] / fmax(values[k], 1e-15 * high);
        }
}

/* A parameter at its bound has no effect. Columns are scaled to length 1. */
static void scale_columns(fm_fit_solver *s, double *size)
{
    for (size_t k = 0; k < s->p; k++) {
        fm_fit_parameter *q = &s->fit->parameters[k];
        double *column = s->jacobian + k * s->n, width = q->high - q->low;
        q->at_bound = !isnan(q->low) && fmin(q->value - q->low, q->high - q->value) < 1e-4 * width;
        size[k] = sqrt(fm_fit_product(column, column, s->n));
        for (size_t i = 0; i < s->n; i++)
            column[i] = q->at_bound || !(size[k] > 0) ? 0 : column[i] / size[k];
    }
}

/* Of the covariance, where rows have weights: (Q11). */
static double robust_factor(const fm_fit_solver *s)
{
    const fm_fit_loss loss = s->fit->options.loss;
    double weights = 0, squares = 0, slopes = 0, n = (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        const double root = s->fit->weight[s->index[i]], u = s->residual[i] / root;
        weights += root * root;
        squares += fm_loss_weight(loss, u) * u * fm_loss_weight(loss, u) * u;
        slopes += fm_loss_slope(loss, u);
    }
    slopes = fmax(slopes / n, 0.05);
    return weights / n * (squares / s->fit->freedom) / (slopes * slopes);
}

/* Covariance (Q6), and its form for correlated residuals (Q7); the wider of both is used. */
void fm_fit_find_intervals(fm_fit_solver *s)
{
    enum { MOST = FM_FIT_PARAMETERS * FM_FIT_PARAMETERS };
    fm_fit *f = s->fit;
    size_t p = s->p;
    double known[FM_FIT_PARAMETERS], a[MOST], b[MOST] = {0}, inverse[MOST], half[MOST], both[MOST], *size = s->length;
    double square = fm_fit_product(s->residual, s->residual, s->n);
    bool given = true;
    f->widened = 1;
    scale_columns(s, size);
    for (size_t k = 0; k < p; k++) {
        const fm_fit_parameter *q = &f->parameters[k];
        known[k] = !isnan(q->prior) && !q->at_bound && size[k] > 0 ? 1 / (q->prior * q->prior * size[k] * size[k]) : 0;
    }
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++)
            a[j * p + k] =
                (j == k ? known[k] : 0) + (f->parameters[j].at_bound && j == k
                                               ? 1
                                               : fm_fit_product(s->jacobian + j * s->n, s->jacobian + k * s->n, s->n));
    invert(p, a, inverse, &f->condition);
    f->freedom = fmax(1, (double)s->n - (double)p - (double)s->nudges);
    f->misfit = square / f->freedom;
    for (size_t c = 0; c < f->options.channel_count; c++) {
        add_channel(s, c, b, &f->channels[c].memory);
        given &= f->channels[c].link.sigma > 0;
    }
    for (size_t k = 0; k < p; k++)
        b[k * p + k] += known[k];
    fm_dense_multiply(p, inverse, b, half);
    fm_dense_multiply(p, half, inverse, both);
    double factor = f->options.loss != FM_FIT_SQUARE                    ? robust_factor(s)
                    : given && f->misfit < 1 + 3 * sqrt(2 / f->freedom) ? 1
                                                                        : f->misfit,
           t = fm_fit_student(0.975, f->freedom);
    for (size_t k = 0; k < p; k++) {
        fm_fit_parameter *q = &f->parameters[k];
        double plain = sqrt(factor * inverse[k * p + k]), wide = sqrt(fmax(both[k * p + k], 0));
        f->widened = fmax(f->widened, wide / plain);
        q->deviation = q->at_bound ? NAN : fmax(fmax(plain, wide) / size[k], FINEST * fmax(fabs(q->value), q->scale));
        q->least = q->value - t * q->deviation;
        q->most = q->value + t * q->deviation;
        for (size_t j = 0; j < p; j++)
            s->reach[k][j] =
                t * q->deviation * inverse[j * p + k] * size[k] / (inverse[k * p + k] * (size[j] > 0 ? size[j] : 1));
        for (size_t j = 0; j < p; j++)
            f->correlation[j][k] = inverse[j * p + k] / sqrt(inverse[j * p + j] * inverse[k * p + k]);
    }
}
