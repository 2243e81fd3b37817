#include "studies/cma.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/random.h"
#include "physics/real.h"

enum { SEARCH = 0x636d6165u }; /* entity of its random numbers */

/* --- constants --- */

/* Weights of the better half, (G1), and learning rates, (G2). */
static void choose_constants(fm_cma *s)
{
    double sum = 0, squares = 0, n = (double)s->n;
    for (size_t i = 0; i < s->mu; i++) {
        s->weights[i] = fm_log((double)s->lambda / 2 + 0.5) - fm_log((double)(i + 1));
        sum += s->weights[i];
    }
    for (size_t i = 0; i < s->mu; i++) {
        s->weights[i] /= sum;
        squares += s->weights[i] * s->weights[i];
    }
    s->mu_eff = 1 / squares;
    s->c_sigma = (s->mu_eff + 2) / (n + s->mu_eff + 5);
    s->d_sigma = 1 + 2 * fmax(0, sqrt((s->mu_eff - 1) / (n + 1)) - 1) + s->c_sigma;
    s->c_c = (4 + s->mu_eff / n) / (n + 4 + 2 * s->mu_eff / n);
    s->c_1 = 2 / ((n + 1.3) * (n + 1.3) + s->mu_eff);
    s->c_mu = fmin(1 - s->c_1, 2 * (s->mu_eff - 2 + 1 / s->mu_eff) / ((n + 2) * (n + 2) + s->mu_eff));
    s->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)); /* length of a normal vector */
}

void fm_cma_begin(fm_cma *s, size_t n, const double *start, double sigma, size_t lambda, uint64_t seed)
{
    *s = (fm_cma){.n = n, .seed = seed, .sigma = sigma, .best_value = HUGE_VAL};
    s->lambda = lambda ? lambda : 4 + (size_t)(3 * fm_log((double)n));
    s->mu = s->lambda / 2;
    choose_constants(s);
    for (size_t i = 0; i < n; i++) {
        s->mean[i] = s->best[i] = start[i];
        s->covariance[i * n + i] = s->axes[i * n + i] = s->lengths[i] = 1;
    }
}

/* --- a generation --- */

/* x = m + σ B D z, (G3). */
void fm_cma_ask(fm_cma *s, double *points)
{
    size_t n = s->n;
    for (size_t k = 0; k < s->lambda; k++) {
        double z[FM_CMA_MOST];
        for (size_t i = 0; i < n; i++)
            z[i] = s->lengths[i] *
                   fm_random_normal((fm_random_key){s->seed, SEARCH, (uint32_t)k}, s->generation, (uint32_t)i);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += s->axes[i * n + j] * z[j];
            points[k * n + i] = s->mean[i] + s->sigma * sum;
        }
    }
}

/* The indices of the points in order of their values, the best first; among equals the first. */
static void sort_points(const fm_cma *s, const double *values, size_t *order)
{
    for (size_t k = 0; k < s->lambda; k++) {
        double value = isnan(values[k]) ? HUGE_VAL : values[k];
        size_t at = k;
        for (; at > 0 && value < (isnan(values[order[at - 1]]) ? HUGE_VAL : values[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* The path of the mean in the metric of the distribution, (G4), and from its length the step size, (G5). Returns
 * whether the other path may grow. */
static int change_size(fm_cma *s, const double *step)
{
    size_t n = s->n;
    double length = 0, turned[FM_CMA_MOST], keep = 1 - s->c_sigma,
           gain = sqrt(s->c_sigma * (2 - s->c_sigma) * s->mu_eff);
    for (size_t j = 0; j < n; j++) {
        turned[j] = 0;
        for (size_t i = 0; i < n; i++)
            turned[j] += s->axes[i * n + j] * step[i];
        turned[j] /= s->lengths[j];
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += s->axes[i * n + j] * turned[j];
        s->path_sigma[i] = keep * s->path_sigma[i] + gain * sum;
        length += s->path_sigma[i] * s->path_sigma[i];
    }
    length = sqrt(length);
    s->sigma *= fm_exp(fmin(1, s->c_sigma / s->d_sigma * (length / s->chi - 1)));
    double settled = sqrt(1 - fm_pow(keep, 2 * (double)(s->generation + 1)));
    return length / settled < (1.4 + 2 / ((double)n + 1)) * s->chi;
}

/* Updates C from the path of the mean (rank one) and from the better points (rank μ), (G6). */
static void change_shape(fm_cma *s, const double *step, const double *steps, const size_t *order, int grows)
{
    size_t n = s->n;
    double gain = sqrt(s->c_c * (2 - s->c_c) * s->mu_eff);
    for (size_t i = 0; i < n; i++)
        s->path_c[i] = (1 - s->c_c) * s->path_c[i] + (grows ? gain * step[i] : 0);
    double keep = 1 - s->c_1 - s->c_mu + (grows ? 0 : s->c_1 * s->c_c * (2 - s->c_c));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < s->mu; k++)
                sum += s->weights[k] * steps[order[k] * n + i] * steps[order[k] * n + j];
            double c = keep * s->covariance[i * n + j] + s->c_1 * s->path_c[i] * s->path_c[j] + s->c_mu * sum;
            s->covariance[i * n + j] = s->covariance[j * n + i] = c;
        }
    double work[FM_CMA_MOST * FM_CMA_MOST], values[FM_CMA_MOST];
    memcpy(work, s->covariance, n * n * sizeof *work);
    fm_dense_eigen_symmetric(n, work, values, s->axes);
    for (size_t i = 0; i < n; i++)
        s->lengths[i] = sqrt(fmax(values[i], 1e-28));
}

void fm_cma_tell(fm_cma *s, const double *points, const double *values)
{
    size_t n = s->n, order[4 * FM_CMA_MOST];
    double step[FM_CMA_MOST] = {0}, steps[4 * FM_CMA_MOST * FM_CMA_MOST];
    sort_points(s, values, order);
    for (size_t k = 0; k < s->lambda; k++)
        for (size_t i = 0; i < n; i++)
            steps[k * n + i] = (points[k * n + i] - s->mean[i]) / s->sigma;
    for (size_t k = 0; k < s->mu; k++)
        for (size_t i = 0; i < n; i++)
            step[i] += s->weights[k] * steps[order[k] * n + i];
    if (values[order[0]] < s->best_value) {
        s->best_value = values[order[0]];
        memcpy(s->best, points + order[0] * n, n * sizeof *points);
    }
    for (size_t i = 0; i < n; i++)
        s->mean[i] += s->sigma * step[i];
    change_shape(s, step, steps, order, change_size(s, step));
    s->evaluations += s->lambda;
    s->generation++;
}

double fm_cma_bounded(double y, double low, double high)
{
    return fmax(low, fmin(low + (high - low) * 0.5 * (1 + fm_sin(FM_PI * (y - 0.5))), high));
}

double fm_cma_free(double x, double low, double high)
{
    double part = fmax(-0.99, fmin(2 * (x - low) / (high - low) - 1, 0.99)); /* not where the slope is 0 */
    return 0.5 + fm_asin(part) / FM_PI;
}

double fm_cma_width(const fm_cma *s)
{
    double longest = 0;
    for (size_t i = 0; i < s->n; i++)
        longest = fmax(longest, s->lengths[i]);
    return s->sigma * longest;
}
