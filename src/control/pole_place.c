#include "control/pole_place.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"

enum { SQUARE_MAX = FM_POLES_MAX * FM_POLES_MAX };

/* The controllability matrix [b, Ab, A2b, ..], transposed: row i is A^i b. */
static void controllability_rows(size_t n, const double *a, const double *b, double *rows)
{
    memcpy(rows, b, n * sizeof *b);
    for (size_t i = 1; i < n; i++)
        fm_dense_apply(n, n, a, &rows[(i - 1) * n], &rows[i * n]);
}

/* The row vector r.(A - p1 I)(A - p2 I).. in place: Ackermann's characteristic polynomial without forming it. */
static void apply_polynomial(size_t n, const double *a, const double *poles, double *r)
{
    double next[FM_POLES_MAX];
    for (size_t p = 0; p < n; p++) {
        for (size_t j = 0; j < n; j++) {
            next[j] = -poles[p] * r[j];
            for (size_t i = 0; i < n; i++)
                next[j] += r[i] * a[i * n + j];
        }
        memcpy(r, next, n * sizeof *r);
    }
}

fm_status fm_poles_assign(size_t n, const double *a, const double *b, const double *poles, double *k, fm_error *error)
{
    double rows[SQUARE_MAX];
    if (n == 0 || n > FM_POLES_MAX)
        return fm_fail(error, FM_ERR_ARGUMENT, "pole placement for %zu states: must be 1 to %d", n, FM_POLES_MAX);
    controllability_rows(n, a, b, rows);
    /* k = [0 .. 0 1] C^-1 p(A): with C^T = rows, the row vector r = [0 .. 0 1] C^-1 solves rows r = e_n. */
    memset(k, 0, n * sizeof *k);
    k[n - 1] = 1;
    if (fm_dense_solve(n, rows, k) != 0)
        return fm_fail(error, FM_ERR_MODEL, "pole placement: the input does not control all %zu states", n);
    apply_polynomial(n, a, poles, k);
    return FM_OK;
}

/* s.a = 0 with s[n-1] = 1: n equations for n-1 unknowns, solved by least squares; the residual must vanish. */
fm_status fm_dense_left_null(size_t n, const double *a, double *s, fm_error *error)
{
    if (n < 2 || n > FM_POLES_MAX)
        return fm_fail(error, FM_ERR_ARGUMENT, "null vector of %zu states: must be 2 to %d", n, FM_POLES_MAX);
    double normal[SQUARE_MAX], right[FM_POLES_MAX], scale = 0;
    const size_t m = n - 1;
    /* Least squares: unknown rows 0..n-2 of a weighted by s, right-hand side minus the last row. */
    for (size_t i = 0; i < m; i++) {
        right[i] = 0;
        for (size_t c = 0; c < n; c++)
            right[i] -= a[i * n + c] * a[m * n + c];
        for (size_t j = 0; j < m; j++) {
            normal[i * m + j] = 0;
            for (size_t c = 0; c < n; c++)
                normal[i * m + j] += a[i * n + c] * a[j * n + c];
        }
    }
    if (fm_dense_solve(m, normal, right) != 0)
        return fm_fail(error, FM_ERR_MODEL, "sliding surface: more than one direction belongs to the pole at zero");
    memcpy(s, right, m * sizeof *s);
    s[m] = 1;
    for (size_t i = 0; i < n * n; i++)
        scale = fmax(scale, fabs(a[i]) * fmax(1, fabs(s[i / n])));
    for (size_t c = 0; c < n; c++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += s[i] * a[i * n + c];
        if (!(fabs(sum) <= 1e-9 * scale))
            return fm_fail(error, FM_ERR_MODEL, "sliding surface: the closed loop has no pole at zero, residual %g",
                           sum);
    }
    return FM_OK;
}

void fm_diving_linear(const fm_diving_model *model, double a[16], double b[4], double d[4])
{
    memset(a, 0, 16 * sizeof *a);
    memset(b, 0, 4 * sizeof *b);
    memset(d, 0, 4 * sizeof *d);
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 3; k++)
            a[4 * i + k] = model->a[i][k];
        b[i] = model->b[i];
        d[i] = model->d[i];
    }
    a[4 * 2 + 1] = 1;
    a[4 * 3 + 0] = 1;
    a[4 * 3 + 2] = -model->speed;
}

fm_status fm_diving_trim(const fm_diving_model *model, double *w, double *theta, double *delta, fm_error *error)
{
    double a[9] = {model->a[0][0],
                   model->a[0][2],
                   model->b[0], /* wd = 0 */
                   model->a[1][0],
                   model->a[1][2],
                   model->b[1], /* qd = 0 */
                   1,
                   -model->speed,
                   0}; /* Zd = 0 */
    double x[3] = {-model->d[0], -model->d[1], 0};
    if (fm_dense_solve(3, a, x) != 0)
        return fm_fail(error, FM_ERR_MODEL, "no plane angle holds the depth at %g m/s", model->speed);
    *w = x[0];
    *theta = x[1];
    *delta = x[2];
    return FM_OK;
}

static fm_status check_design(const fm_sliding_design *design, fm_error *error)
{
    if (!(design->phi > 0))
        return fm_fail(error, FM_ERR_RANGE, "boundary layer %g m: must be more than 0", design->phi);
    if (!(design->limit > 0) || !(design->rate > 0))
        return fm_fail(error, FM_ERR_RANGE, "plane limit %g rad and sliding rate %g m/s: must be more than 0",
                       design->limit, design->rate);
    for (size_t i = 0; i < 3; i++)
        if (!(design->poles[i] < 0))
            return fm_fail(error, FM_ERR_RANGE, "pole %g 1/s: must be less than 0", design->poles[i]);
    return FM_OK;
}

fm_status fm_sliding_gains(const fm_diving_model *model, const fm_sliding_design *design, fm_sliding_params *gains,
                           fm_error *error)
{
    double a[16], b[4], d[4], reach = 0;
    const double poles[4] = {design->poles[0], design->poles[1], design->poles[2], 0};
    fm_status status = check_design(design, error);
    if (status != FM_OK)
        return status;
    fm_diving_linear(model, a, b, d);
    memset(gains, 0, sizeof *gains);
    if ((status = fm_poles_assign(4, a, b, poles, gains->k, error)) != FM_OK)
        return status;
    gains->k[3] =
        0; /* A has a zero column for Z, so that the pole at zero needs no feedback of Z; rounding leaves 1e-17 */
    for (size_t i = 0; i < 16; i++)
        a[i] -= b[i / 4] * gains->k[i % 4];
    if ((status = fm_dense_left_null(4, a, gains->s, error)) != FM_OK)
        return status;
    for (size_t i = 0; i < 4; i++)
        reach += gains->s[i] * b[i];
    if (!(fabs(reach) > 1e-9))
        return fm_fail(error, FM_ERR_MODEL, "the plane cannot move the vehicle across the sliding surface, s.b = %g",
                       reach);
    gains->eta = design->rate / reach;
    gains->phi = design->phi;
    gains->limit = design->limit;
    return design->trimmed ? fm_diving_trim(model, &gains->trim_w, &gains->trim_theta, &gains->trim_delta, error)
                           : FM_OK;
}
