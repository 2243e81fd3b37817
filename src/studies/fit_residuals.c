/* Residuals of a fit and their derivatives, without the part explained by other starts of the segments. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "studies/fit_solver.h"

double fm_fit_residual(const fm_fit_solver *s, const double *said, size_t row)
{
    const fm_fit_channel *c = &s->fit->channels[s->channel[row]];
    return fm_fit_difference(c, said[row], s->fit->y[row]) * fm_fit_weight(s, row);
}

/* Rows of one segment are consecutive in `index`. */
static size_t segment_end(const fm_fit_solver *s, size_t first)
{
    size_t end = first;
    while (end < s->n && s->fit->group[s->index[end]] == s->fit->group[s->index[first]])
        end++;
    return end;
}

/* Removes from a column the part explained by other starts of the segments: (Q5). */
static void project(const fm_fit_solver *s, double *column)
{
    for (size_t first = 0, end; s->m && first < s->n; first = end) {
        end = segment_end(s, first);
        for (size_t k = 0; k < s->m; k++) {
            const double *q = s->nudged + k * s->n;
            double part = fm_fit_product(q + first, column + first, end - first);
            for (size_t i = first; i < end; i++)
                column[i] -= part * q[i];
        }
    }
}

/* Gram–Schmidt, twice; a start that the others explain is ignored. */
static void straighten(fm_fit_solver *s, size_t first, size_t end)
{
    for (size_t k = 0; k < s->m; k++) {
        double *q = s->nudged + k * s->n + first, size = sqrt(fm_fit_product(q, q, end - first));
        for (int twice = 0; twice < 2; twice++)
            for (size_t j = 0; j < k; j++) {
                const double *other = s->nudged + j * s->n + first;
                double part = fm_fit_product(other, q, end - first);
                for (size_t i = 0; i < end - first; i++)
                    q[i] -= part * other[i];
            }
        double left = sqrt(fm_fit_product(q, q, end - first));
        bool counts = left > 1e-6 * size && size > fm_fit_least_effect(s, k);
        for (size_t i = 0; i < end - first; i++)
            q[i] = counts ? q[i] / left : 0;
        s->nudges += counts;
    }
}

static void find_nudges(fm_fit_solver *s)
{
    s->nudges = 0;
    for (size_t k = 0; k < s->m; k++)
        for (size_t i = 0; i < s->n; i++) {
            size_t row = s->index[i];
            const fm_fit_channel *c = &s->fit->channels[s->channel[row]];
            s->nudged[k * s->n + i] = fm_fit_difference(c, s->trials[1 + k].said[row], s->trials[0].said[row]) *
                                      fm_fit_weight(s, row) / FM_FIT_NUDGE;
        }
    for (size_t first = 0, end; s->m && first < s->n; first = end) {
        end = segment_end(s, first);
        straighten(s, first, end);
    }
}

fm_status fm_fit_try(fm_fit_solver *s, size_t first, size_t count)
{
    fm_fit *f = s->fit;
    fm_status status = fm_fit_fly(f, s->trials + first, count, &s->error);
    if (status == FM_OK && atomic_load(&f->stop))
        status = fm_fail(&s->error, FM_ERR_CANCELLED, "interrupted");
    return status;
}

static fm_status check_values(fm_fit_solver *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!isfinite(s->trials[0].said[s->index[i]]))
            return fm_fail(&s->error, FM_ERR_STATE, "the run has no '%s' at %g s",
                           s->fit->channels[s->channel[s->index[i]]].link.ours, s->fit->t[s->index[i]]);
    return FM_OK;
}

fm_status fm_fit_evaluate(fm_fit_solver *s, const double *x)
{
    if (s->has_x && memcmp(s->x, x, s->p * sizeof *x) == 0)
        return FM_OK;
    s->has_x = s->has_jacobian = false;
    for (size_t k = 0; k < 1 + s->m; k++) {
        memcpy(s->trials[k].values, x, s->p * sizeof *x);
        s->trials[k].nudged = (int)k - 1;
    }
    fm_status status = fm_fit_try(s, 0, 1 + s->m);
    if (status != FM_OK)
        return status;
    for (size_t k = 0; k < 1 + s->m; k++)
        if (s->trials[k].failure.status != FM_OK) {
            s->error = s->trials[k].failure;
            return FM_ERR_RANGE;
        }
    if ((status = check_values(s)) != FM_OK)
        return status;
    memcpy(s->x, x, s->p * sizeof *x);
    s->has_x = true;
    return FM_OK;
}

void fm_fit_residuals_of(const fm_fit_solver *s, const double *said, double *residual)
{
    for (size_t i = 0; i < s->n; i++)
        residual[i] = fm_fit_residual(s, said, s->index[i]);
    project(s, residual);
}

void fm_fit_find_residuals(fm_fit_solver *s)
{
    find_nudges(s);
    fm_fit_residuals_of(s, s->trials[0].said, s->residual);
}

fm_status fm_fit_find_jacobian(fm_fit_solver *s, const double *x)
{
    fm_fit_trial *around = s->trials + 1 + s->m;
    fm_status status = fm_fit_evaluate(s, x);
    for (size_t k = 0; k < 2 * s->p && !s->has_jacobian; k++) {
        memcpy(around[k].values, x, s->p * sizeof *x);
        around[k].values[k / 2] += k % 2 ? -s->step[k / 2] : s->step[k / 2];
        around[k].nudged = -1;
    }
    if (status == FM_OK && !s->has_jacobian) {
        status = fm_fit_try(s, 1 + s->m, 2 * s->p);
        s->has_jacobian = status == FM_OK;
    }
    if (status == FM_OK)
        fm_fit_find_residuals(s);
    for (size_t k = 0; k < s->p && status == FM_OK; k++) {
        const fm_fit_trial *side[2] = {&around[2 * k], &around[2 * k + 1]};
        double width = 2 * s->step[k], *column = s->jacobian + k * s->n;
        if (side[0]->failure.status != FM_OK && side[1]->failure.status != FM_OK)
            return fm_fail(&s->error, FM_ERR_STATE, "%s: %s", s->fit->parameters[k].path, side[0]->failure.text);
        for (int i = 0; i < 2; i++)
            if (side[i]->failure.status != FM_OK) {
                side[i] = &s->trials[0];
                width *= 0.5;
            }
        for (size_t i = 0; i < s->n; i++) {
            const fm_fit_channel *c = &s->fit->channels[s->channel[s->index[i]]];
            column[i] = fm_fit_difference(c, side[0]->said[s->index[i]], side[1]->said[s->index[i]]) *
                        fm_fit_weight(s, s->index[i]) / width;
        }
        project(s, column);
    }
    return status;
}
