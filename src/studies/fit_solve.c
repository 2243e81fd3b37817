/* Levenberg–Marquardt least squares from GSL (trust region, Moré scaling), repeated with updated noise and starts. */
#include <math.h>

#include "base/error.h"
#include "studies/fit_solver.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "physics/real.h"
#include "studies/loss.h"

enum { ROUNDS = 6, ROBUST_ROUNDS = 30, FIRST_ITERATIONS = 8 };

/* --- bounds: x = low + (high - low) (1 + sin θ)/2, (Q4); without them x = scale θ --- */

static double bounded_value(const fm_fit_parameter *p, double theta)
{
    return isnan(p->low) ? p->scale * theta : p->low + (p->high - p->low) * 0.5 * (1 + fm_sin(theta));
}

static double bounded_slope(const fm_fit_parameter *p, double theta)
{
    return isnan(p->low) ? p->scale : (p->high - p->low) * 0.5 * fm_cos(theta);
}

static double bounded_angle(const fm_fit_parameter *p, double x)
{
    if (isnan(p->low))
        return x / p->scale;
    return fm_asin(fmax(-0.998, fmin(2 * (x - p->low) / (p->high - p->low) - 1, 0.998)));
}

/* --- GSL --- */

static void values_of(const fm_fit_solver *s, const gsl_vector *theta, double *x)
{
    for (size_t k = 0; k < s->p; k++)
        x[k] = bounded_value(&s->fit->parameters[k], gsl_vector_get(theta, k));
}

static int give_residuals(const gsl_vector *theta, void *user, gsl_vector *f)
{
    fm_fit_solver *s = user;
    double x[FM_FIT_PARAMETERS];
    values_of(s, theta, x);
    fm_status status = fm_fit_evaluate(s, x);
    if (status != FM_OK && status != FM_ERR_RANGE)
        return GSL_EFAILED;
    if (status == FM_OK)
        fm_fit_find_residuals(s);
    for (size_t i = 0; i < s->n; i++)
        gsl_vector_set(f, i, status == FM_OK ? s->residual[i] : 1e9); /* refused: no step there */
    for (size_t i = 0; i < s->q; i++)
        gsl_vector_set(f, s->n + i, fm_fit_prior_residual(s->fit, s->known[i], x[s->known[i]]));
    return GSL_SUCCESS;
}

static int give_jacobian(const gsl_vector *theta, void *user, gsl_matrix *j)
{
    fm_fit_solver *s = user;
    double x[FM_FIT_PARAMETERS];
    values_of(s, theta, x);
    if (fm_fit_find_jacobian(s, x) != FM_OK)
        return GSL_EFAILED;
    for (size_t k = 0; k < s->p; k++) {
        double slope = bounded_slope(&s->fit->parameters[k], gsl_vector_get(theta, k));
        for (size_t i = 0; i < s->n; i++)
            gsl_matrix_set(j, i, k, s->jacobian[k * s->n + i] * slope);
        for (size_t i = 0; i < s->q; i++)
            gsl_matrix_set(j, s->n + i, k, s->known[i] == k ? slope / s->fit->parameters[k].prior : 0);
    }
    return GSL_SUCCESS;
}

static void tell(const size_t iteration, void *user, const gsl_multifit_nlinear_workspace *w)
{
    fm_fit_solver *s = user;
    double x[FM_FIT_PARAMETERS], size = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
    values_of(s, gsl_multifit_nlinear_position(w), x);
    if (iteration)
        s->fit->iterations++;
    if (s->fit->options.told &&
        s->fit->options.told(s->fit->options.user, s->fit->iterations, size * size / (double)s->n, x))
        atomic_store(&s->fit->stop, 1);
}

static fm_status iterate(fm_fit_solver *s, int round, gsl_multifit_nlinear_workspace *w)
{
    fm_fit *f = s->fit;
    gsl_multifit_nlinear_fdf problem = {
        .f = give_residuals, .df = give_jacobian, .n = s->n + s->q, .p = s->p, .params = s};
    double start[FM_FIT_PARAMETERS];
    int info = 0;
    for (size_t k = 0; k < s->p; k++)
        start[k] = bounded_angle(&f->parameters[k], f->parameters[k].value);
    gsl_vector_view view = gsl_vector_view_array(start, s->p);
    int code = gsl_multifit_nlinear_init(&view.vector, &problem, w);
    size_t most = f->options.iterations > 0 ? (size_t)f->options.iterations : 50;
    if (s->m && round == 0 && most > FIRST_ITERATIONS)
        most = FIRST_ITERATIONS; /* the starts are still those of the record */
    if (code == GSL_SUCCESS)
        code = gsl_multifit_nlinear_driver(most, 1e-6, 1e-9, 0, tell, s, &info, w);
    if (code == GSL_EMAXITER && gsl_multifit_nlinear_niter(w) < most)
        code = GSL_ENOPROG; /* GSL reports this for a start without a descent step */
    values_of(s, gsl_multifit_nlinear_position(w), start);
    for (size_t k = 0; k < s->p; k++)
        f->parameters[k].value = start[k];
    f->converged = code == GSL_SUCCESS || code == GSL_ENOPROG;
    f->ended = code == GSL_SUCCESS    ? (info == 1 ? "the last step was small" : "no direction leads down")
               : code == GSL_ENOPROG  ? "no step leads further down"
               : code == GSL_EMAXITER ? "all iterations were made"
                                      : "it failed";
    return code == GSL_SUCCESS || code == GSL_ENOPROG || code == GSL_EMAXITER || s->error.status == FM_OK
               ? FM_OK
               : s->error.status;
}

static fm_status solve_once(fm_fit_solver *s, int round)
{
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    how.solver = gsl_multifit_nlinear_solver_qr;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, s->n + s->q, s->p);
    fm_status status = w ? iterate(s, round, w) : fm_fail(&s->error, FM_ERR_MEMORY, "no memory for %zu rows", s->n);
    gsl_multifit_nlinear_free(w);
    gsl_set_error_handler(before);
    return status;
}

/* --- the noise --- */

/* Of the residuals of a channel over its noise: from their median, which outliers hardly move. */
static double spread_of(fm_fit_solver *s, size_t c)
{
    double *sizes = s->other; /* free between derivatives */
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->channel[s->index[i]] == c && s->fit->weight[s->index[i]] > 0)
            sizes[count++] = fabs(s->residual[i]) / s->fit->weight[s->index[i]];
    return fm_loss_median(sizes, count) / FM_NORMAL_MEDIAN;
}

/* Weights of the rows from their residuals; whether one changed by much. (Q11) */
static bool discount(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    bool changed = false;
    for (size_t i = 0; i < s->n && f->options.loss != FM_FIT_SQUARE; i++) {
        double *weight = &f->weight[s->index[i]], before = *weight;
        *weight = fmax(1e-6, sqrt(fm_loss_weight(f->options.loss, s->residual[i] / before)));
        changed |= fabs(*weight - before) > 0.01;
    }
    return changed;
}

/* Updates weights from the residuals, with the share of each channel in the degrees of freedom. Returns whether a
 * weight changed by much. */
static bool weigh(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    bool changed = false;
    double spent = (double)(s->p + s->nudges) / (double)s->n;
    for (size_t c = 0; c < f->options.channel_count; c++) {
        double sum = 0;
        for (size_t i = 0; i < s->n; i++)
            sum += s->channel[s->index[i]] == c ? s->residual[i] * s->residual[i] : 0;
        double by = f->options.loss == FM_FIT_SQUARE ? sqrt(sum / ((double)f->channels[c].count[0] * (1 - spent)))
                                                     : spread_of(s, c) / sqrt(1 - spent);
        if (f->channels[c].link.sigma > 0 || !(by > 1e-12))
            continue;
        changed |= fabs(by - 1) > 0.02;
        f->channels[c].sigma = fmax(f->channels[c].sigma * by, f->channels[c].floor);
    }
    return changed;
}

/* --- outputs of the fitted run --- */

/* Rows of a segment, fitted or kept: its starts are moved to the optimum of its fitted rows, or if it has none of its
 * own rows. */
static void move_starts(fm_fit_solver *s, uint32_t group, double *moves)
{
    enum { MOST = FM_DENSE_SMALL };
    const fm_fit *f = s->fit;
    double a[MOST * MOST] = {0}, b[MOST] = {0}, column[MOST];
    size_t m = s->m < MOST ? s->m : MOST;
    bool fitted = false;
    for (size_t i = 0; i < f->rows; i++)
        fitted |= f->group[i] == group && !f->kept[i];
    for (size_t i = 0; i < f->rows; i++) {
        if (f->group[i] != group || (fitted && f->kept[i]))
            continue;
        const fm_fit_channel *c = &f->channels[s->channel[i]];
        for (size_t k = 0; k < m; k++)
            column[k] = fm_fit_difference(c, s->trials[1 + k].said[i], s->trials[0].said[i]) * fm_fit_weight(s, i) /
                        FM_FIT_NUDGE;
        for (size_t j = 0; j < m; j++) {
            b[j] -= column[j] * fm_fit_residual(s, s->trials[0].said, i);
            for (size_t k = 0; k < m; k++)
                a[j * m + k] += column[j] * column[k];
        }
    }
    for (size_t k = 0; k < m; k++) {
        double least = fm_fit_least_effect(s, k);
        bool counts = a[k * m + k] > least * least;
        for (size_t j = 0; j < m && !counts; j++)
            a[k * m + j] = a[j * m + k] = b[k] = 0;
        a[k * m + k] = counts ? a[k * m + k] * (1 + 1e-9) + least : 1;
    }
    memset(moves, 0, s->m * sizeof *moves);
    if (m && fm_dense_solve_positive(m, a, b) == 0)
        memcpy(moves, b, m * sizeof *moves);
}

/* Applies starts; returns whether one moved by more than a fraction of its noise. */
static bool adopt_starts(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    bool moved = false;
    for (uint32_t g = 0; s->m && g < f->groups; g++) {
        double moves[FM_FIT_LINKS];
        move_starts(s, g, moves);
        for (size_t k = 0; k < s->m; k++) {
            f->moves[g * s->m + k] += moves[k];
            moved |=
                fabs(moves[k]) > (f->starts[k].channel < FM_FIT_LINKS ? 0.1 * f->channels[f->starts[k].channel].sigma
                                                                      : 10 * FM_FIT_NUDGE);
        }
    }
    s->has_x = s->has_x && !s->m;
    return moved;
}

/* Adds the rows of one channel of one source: residuals, and those of a constant forecast. */
static void add_scores(const fm_fit *f, const fm_fit_block *block, fm_fit_channel *c)
{
    double first = 0;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        int k = f->kept[i];
        if (i == block->first || f->group[i] != f->group[i - 1])
            first = f->y[i];
        double off = fm_fit_difference(c, f->said[i], f->y[i]), stays = fm_fit_difference(c, first, f->y[i]);
        c->rms[k] += off * off / (double)c->count[k];
        c->bias[k] += off / (double)c->count[k];
        c->constant[k] += stays * stays / (double)c->count[k];
    }
}

static void score(fm_fit *f)
{
    size_t channels = f->options.channel_count;
    for (size_t k = 0; k < f->options.source_count * channels; k++)
        add_scores(f, &f->blocks[k], &f->channels[k % channels]);
    for (size_t c = 0; c < channels; c++)
        for (int k = 0; k < 2; k++) {
            fm_fit_channel *channel = &f->channels[c];
            channel->rms[k] = channel->count[k] ? sqrt(channel->rms[k]) : NAN;
            channel->constant[k] = channel->count[k] ? sqrt(channel->constant[k]) : NAN;
        }
}

void fm_fit_keep_run(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    double moves[FM_FIT_LINKS] = {0};
    for (size_t c = 0; c < f->options.channel_count; c++)
        for (int k = 0; k < 2; k++)
            f->channels[c].rms[k] = f->channels[c].bias[k] = f->channels[c].constant[k] = 0;
    memcpy(f->said, s->trials[0].said, f->rows * sizeof *f->said);
    for (uint32_t g = 0; s->m && g < f->groups; g++) {
        move_starts(s, g, moves);
        for (size_t i = 0; i < f->rows; i++)
            for (size_t k = 0; k < s->m && f->group[i] == g; k++)
                f->said[i] +=
                    moves[k] *
                    fm_fit_difference(&f->channels[s->channel[i]], s->trials[1 + k].said[i], s->trials[0].said[i]) /
                    FM_FIT_NUDGE;
    }
    score(f);
}

/* --- one descent --- */

static void read_values(const fm_fit_solver *s, double *x)
{
    for (size_t k = 0; k < s->p; k++)
        x[k] = s->fit->parameters[k].value;
}

/* Repeats with the noise and starts of the previous round until they converge. fine: the step sizes of the derivatives
 * are kept. */
static fm_status go_down(fm_fit_solver *s, bool fine)
{
    double x[FM_FIT_PARAMETERS];
    fm_status status = FM_OK;
    const int rounds = s->fit->options.loss == FM_FIT_SQUARE ? ROUNDS : ROBUST_ROUNDS;
    for (int round = 0; round < rounds && status == FM_OK; round++) {
        read_values(s, x);
        if (s->fit->stairs && !fine)
            status = fm_fit_choose_steps(s, x);
        if (status == FM_OK)
            status = solve_once(s, round);
        read_values(s, x);
        if (status == FM_OK)
            status = fm_fit_find_jacobian(s, x);
        if (status != FM_OK)
            break;
        bool moved = adopt_starts(s), weighed = weigh(s), discounted = discount(s);
        if (!moved && !weighed && !discounted)
            break;
        if (discounted && round + 1 == rounds) {
            s->fit->converged = false;
            s->fit->ended = "the weights of the loss do not settle";
        }
    }
    return status;
}

/* On the stair where a search has ended, the runs are smooth: descends to its lowest point. The large steps have shown
 * that the search has ended. */
static fm_status polish(fm_fit_solver *s, double *x)
{
    const bool converged = s->fit->converged;
    const char *ended = s->fit->ended;
    fm_fit_fine_steps(s);
    fm_status status = go_down(s, true);
    s->fit->converged = converged;
    s->fit->ended = ended;
    read_values(s, x);
    return status == FM_OK ? fm_fit_choose_steps(s, x) : status;
}

fm_status fm_fit_descend(fm_fit_solver *s)
{
    double x[FM_FIT_PARAMETERS];
    bool stairs = s->fit->stairs;
    read_values(s, x);
    fm_status status = fm_fit_choose_steps(s, x);
    if (status == FM_OK)
        status = go_down(s, false);
    read_values(s, x);
    if (status == FM_OK)
        status = fm_fit_choose_steps(s, x);
    if (status == FM_OK && s->fit->stairs && !stairs)
        status = go_down(s, false);
    if (status == FM_OK && s->fit->stairs)
        status = polish(s, x);
    return status == FM_OK ? fm_fit_find_jacobian(s, x) : status; /* with the last weights */
}

double fm_fit_student(double probability, double freedom)
{
    return gsl_cdf_tdist_Pinv(probability, freedom);
}
