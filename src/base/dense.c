#include "base/dense.h"

#include <math.h>
#include <string.h>

#include "base/positive.h"

static double largest(size_t count, const double *a)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

static void swap_numbers(size_t count, double *x, double *y)
{
    for (size_t k = 0; k < count; k++) {
        const double keep = x[k];
        x[k] = y[k];
        y[k] = keep;
    }
}

static size_t pivot_row(size_t n, const double *a, size_t column)
{
    size_t best = column;
    for (size_t i = column + 1; i < n; i++)
        if (fabs(a[i * n + column]) > fabs(a[best * n + column]))
            best = i;
    return best;
}

/* Subtracts `factor` times the row x from y. */
static void take_row(size_t count, double factor, const double *restrict x, double *restrict y)
{
    for (size_t k = 0; k < count; k++)
        y[k] -= factor * x[k];
}

int fm_dense_factor(size_t n, double *a, size_t *pivots)
{
    const double tiny = 1e-13 * largest(n * n, a);
    for (size_t c = 0; c < n; c++) {
        double *row = a + c * n;
        pivots[c] = pivot_row(n, a, c);
        if (pivots[c] != c)
            swap_numbers(n, row, a + pivots[c] * n);
        if (!(fabs(row[c]) > tiny))
            return -1;
        for (size_t i = c + 1; i < n; i++) {
            a[i * n + c] /= row[c];
            take_row(n - c - 1, a[i * n + c], row + c + 1, a + i * n + c + 1);
        }
    }
    return 0;
}

void fm_dense_solve_factored(size_t n, const double *a, const size_t *pivots, double *b)
{
    for (size_t i = 0; i < n; i++)
        if (pivots[i] != i)
            swap_numbers(1, &b[i], &b[pivots[i]]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
}

int fm_dense_solve(size_t n, double *a, double *b)
{
    size_t pivots[FM_DENSE_SMALL];
    if (n > FM_DENSE_SMALL || fm_dense_factor(n, a, pivots) != 0)
        return -1;
    fm_dense_solve_factored(n, a, pivots, b);
    return 0;
}

void fm_dense_apply(size_t rows, size_t columns, const double *a, const double *x, double *y)
{
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t k = 0; k < columns; k++)
            sum += a[i * columns + k] * x[k];
        y[i] = sum;
    }
}

void fm_dense_multiply(size_t n, const double *a, const double *b, double *c)
{
    memset(c, 0, n * n * sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void rotate_pair(double *x, double *y, double c, double s)
{
    const double keep = *x;
    *x = c * keep - s * *y;
    *y = s * keep + c * *y;
}

/* Annihilates a[p][q] by a plane rotation, applied to both sides of a and to the columns of v. */
static void jacobi_rotate(size_t n, double *a, double *v, size_t p, size_t q)
{
    if (a[p * n + q] == 0)
        return;
    const double half = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (half >= 0 ? 1 : -1) / (fabs(half) + sqrt(half * half + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (size_t k = 0; k < n; k++)
        rotate_pair(&a[k * n + p], &a[k * n + q], c, s);
    for (size_t k = 0; k < n; k++)
        rotate_pair(&a[p * n + k], &a[q * n + k], c, s);
    for (size_t k = 0; k < n; k++)
        rotate_pair(&v[k * n + p], &v[k * n + q], c, s);
}

void fm_dense_eigen_symmetric(size_t n, double *a, double *values, double *v)
{
    enum { SWEEPS = 30 };
    memset(v, 0, n * n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t p = 0; p + 1 < n; p++)
            for (size_t q = p + 1; q < n; q++)
                jacobi_rotate(n, a, v, p, q);
    for (size_t i = 0; i < n; i++)
        values[i] = a[i * n + i];
}

int fm_dense_solve_positive(size_t n, double *a, double *b)
{
    return fm_positive_solve(n, a, b);
}
