#include "control/error_filter.h"

#include <string.h>

#include "base/dense.h"

enum { N = FM_ERROR_STATES, M = FM_ERROR_MEASURED_MOST };

/* Rows of the transition that differ from the unit matrix: the position, by heading, biases and current. */
static void transition(const fm_reckoning *r, double f[N * N])
{
    memset(f, 0, N * N * sizeof *f);
    for (int i = 0; i < N; i++)
        f[i * N + i] = 1;
    f[FM_ERROR_NORTH * N + FM_ERROR_HEADING] = r->dt * r->velocity[1];
    f[FM_ERROR_EAST * N + FM_ERROR_HEADING] = -r->dt * r->velocity[0];
    for (int i = 0; i < 3; i++) {
        f[i * N + FM_ERROR_AHEAD] = -r->dt * r->rotation[3 * i];
        f[i * N + FM_ERROR_STARBOARD] = -r->dt * r->rotation[3 * i + 1];
    }
    if (r->through_water) {
        f[FM_ERROR_NORTH * N + FM_ERROR_CURRENT_NORTH] = r->dt;
        f[FM_ERROR_EAST * N + FM_ERROR_CURRENT_EAST] = r->dt;
    }
}

void fm_reckoning_noise(const fm_reckoning *r, double q[9])
{
    const double across[3] = {r->velocity[1], -r->velocity[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = across[i] * across[j] * r->heading_pd;
            for (int k = 0; k < 3; k++)
                sum += r->rotation[3 * i + k] * r->rotation[3 * j + k] * r->velocity_pd[k];
            q[3 * i + j] = sum * r->dt;
        }
}

/* Adds what a step makes uncertain. */
static void add_noise(const fm_reckoning *r, double p[N * N])
{
    const double walks[N] = {[FM_ERROR_HEADING] = r->heading_walk,
                             [FM_ERROR_AHEAD] = r->velocity_walk,
                             [FM_ERROR_STARBOARD] = r->velocity_walk,
                             [FM_ERROR_CURRENT_NORTH] = r->current_walk,
                             [FM_ERROR_CURRENT_EAST] = r->current_walk};
    double q[9];
    fm_reckoning_noise(r, q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p[i * N + j] += q[3 * i + j];
    for (int i = FM_ERROR_HEADING; i < N; i++)
        p[i * N + i] += walks[i] * walks[i] * r->dt;
}

/* p ← f p fᵀ, symmetric to the last bit. */
static void sandwich(const double f[N * N], double p[N * N])
{
    double fp[N * N];
    fm_dense_multiply(N, f, p, fp);
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += fp[i * N + k] * f[j * N + k];
            p[i * N + j] = p[j * N + i] = sum;
        }
}

void fm_error_filter_predict(fm_error_filter *filter, const fm_reckoning *r)
{
    double f[N * N];
    transition(r, f);
    sandwich(f, filter->p);
    add_noise(r, filter->p);
}

/* C = (P − W) Hᵀ (N x count) and S = H C + R (count x count). */
static void project(const double p[N * N], int count, const double *h, const double *noise, const double *since,
                    double *c, double *s)
{
    for (int i = 0; i < N; i++)
        for (int m = 0; m < count; m++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += p[i * N + k] * h[m * N + k];
            for (int k = 0; since && i < 3 && k < 3; k++)
                sum -= since[3 * i + k] * h[m * N + k];
            c[i * count + m] = sum;
        }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            double sum = noise[a * count + b];
            for (int k = 0; k < N; k++)
                sum += h[a * N + k] * c[k * count + b];
            s[a * count + b] = sum;
        }
}

/* x = S⁻¹ b; 0 where S is not positive definite. */
static int solve(int count, const double *s, const double *b, double *x)
{
    double a[M * M];
    memcpy(a, s, (size_t)(count * count) * sizeof *a);
    memcpy(x, b, (size_t)count * sizeof *x);
    return fm_dense_solve_positive((size_t)count, a, x) == 0;
}

/* P ← P − K Cᵀ, symmetric to the last bit. */
static void shrink(double p[N * N], int count, const double *c, const double *gain)
{
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            for (int m = 0; m < count; m++)
                p[i * N + j] -= gain[i * count + m] * c[j * count + m];
            p[j * N + i] = p[i * N + j];
        }
}

double fm_error_filter_correct(fm_error_filter *filter, int count, const double *h, const double *noise,
                               const double since[9], const double *innovation, double gate,
                               double correction[FM_ERROR_STATES])
{
    double c[N * M], s[M * M], gain[N * M], weighted[M], distance = 0;
    memset(correction, 0, N * sizeof *correction);
    project(filter->p, count, h, noise, since, c, s);
    if (!solve(count, s, innovation, weighted))
        return -1;
    for (int m = 0; m < count; m++)
        distance += innovation[m] * weighted[m];
    if (distance > gate * gate)
        return distance;
    for (int i = 0; i < N; i++) {
        solve(count, s, &c[i * count], &gain[i * count]);
        for (int m = 0; m < count; m++)
            correction[i] += gain[i * count + m] * innovation[m];
    }
    shrink(filter->p, count, c, gain);
    return distance;
}

double fm_error_filter_consistency(const fm_error_filter *filter, const double error[3])
{
    double s[9], x[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s[3 * i + j] = filter->p[i * N + j];
    if (!solve(3, s, error, x))
        return 0;
    return error[0] * x[0] + error[1] * x[1] + error[2] * x[2];
}
