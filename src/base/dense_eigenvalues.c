/* Eigenvalues of a small real matrix: complex QR iteration with Wilkinson's shift on a Hessenberg matrix. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "base/dense.h"

typedef double complex number;
typedef number matrix[FM_DENSE_EIGEN_MOST][FM_DENSE_EIGEN_MOST];

static double square_of(number z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static double size_of(number z)
{
    return sqrt(square_of(z));
}

/* The root with a real part of 0 or more. */
static number root_of(number z)
{
    double larger = sqrt(0.5 * (size_of(z) + fabs(creal(z))));
    if (larger == 0)
        return 0;
    double smaller = fabs(cimag(z)) / (2 * larger), sign = cimag(z) < 0 ? -1 : 1;
    return creal(z) >= 0 ? larger + sign * smaller * I : smaller + sign * larger * I;
}

/* Rotates rows (then columns) i and k so that `low` of (high, low) vanishes: a unitary similarity of two rows. */
static void turn(size_t n, matrix h, size_t i, size_t k, number high, number low)
{
    double size = sqrt(square_of(high) + square_of(low));
    if (size == 0)
        return;
    number c = high / size, s = low / size;
    for (size_t m = 0; m < n; m++) {
        number a = h[i][m], b = h[k][m];
        h[i][m] = conj(c) * a + conj(s) * b;
        h[k][m] = c * b - s * a;
    }
    for (size_t m = 0; m < n; m++) {
        number a = h[m][i], b = h[m][k];
        h[m][i] = c * a + s * b;
        h[m][k] = conj(c) * b - conj(s) * a;
    }
}

static void to_hessenberg(size_t n, matrix h)
{
    for (size_t column = 0; column + 2 < n; column++)
        for (size_t row = column + 2; row < n; row++)
            turn(n, h, column + 1, row, h[column + 1][column], h[row][column]);
}

/* The eigenvalue of the last two rows up to `end` that is closer to the last element. */
static number shift_of(matrix h, size_t end)
{
    number a = h[end - 1][end - 1], b = h[end - 1][end], c = h[end][end - 1], d = h[end][end];
    number half = (a - d) / 2, root = root_of(half * half + b * c);
    number first = d + half + root, second = d + half - root;
    return size_of(first - d) < size_of(second - d) ? first : second;
}

/* One QR step on rows start … end: chases the bulge of a shifted first column. */
static void sweep(size_t n, matrix h, size_t start, size_t end, number shift)
{
    number high = h[start][start] - shift, low = h[start + 1][start];
    for (size_t i = start; i < end; i++) {
        turn(n, h, i, i + 1, high, low);
        if (i + 2 <= end)
            high = h[i + 1][i], low = h[i + 2][i];
    }
}

static int is_small(matrix h, size_t i)
{
    return size_of(h[i][i - 1]) <= DBL_EPSILON * (size_of(h[i][i]) + size_of(h[i - 1][i - 1]));
}

static void sort(size_t n, double *re, double *im)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && (re[k] > re[k - 1] || (re[k] == re[k - 1] && im[k] > im[k - 1])); k--) {
            double r = re[k], m = im[k];
            re[k] = re[k - 1], im[k] = im[k - 1];
            re[k - 1] = r, im[k - 1] = m;
        }
}

void fm_dense_eigenvalues(size_t n, const double *a, double *re, double *im)
{
    matrix h;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            h[i][k] = a[i * n + k];
    to_hessenberg(n, h);
    size_t end = n ? n - 1 : 0;
    for (int tries = 0; end > 0 && tries < 1000; tries++) {
        if (is_small(h, end)) {
            end--;
            continue;
        }
        size_t start = end - 1;
        while (start > 0 && !is_small(h, start))
            start--;
        number shift = tries % 11 == 10 ? h[end][end] + size_of(h[end][end - 1]) : shift_of(h, end);
        sweep(n, h, start, end, shift);
    }
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, size_of(h[i][i]));
    for (size_t i = 0; i < n; i++) {
        re[i] = creal(h[i][i]);
        im[i] = fabs(cimag(h[i][i])) < 1e-9 * size ? 0 : cimag(h[i][i]);
    }
    sort(n, re, im);
}
