/* The least-squares inverse, by Householder QR.
 *
 * The matrix is A stacked on ridge times the unit matrix. Column k of the lower part begins with one number, and
 * reflections 0 .. k-1 have filled the rows above it; so reflection k touches the rows k .. m + k only, m + 1 of
 * them. Reflections are applied two at a time and to a few columns at a time, which stay in the cache. */
#include <math.h>
#include <string.h>

#include "base/dense.h"

enum { GROUP = 4, TILE = 8 };
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

typedef struct factors {
    size_t m, n, rows; /* rows = m + n */
    double *a;         /* reflection k: v in the rows k .. m + k of column k; above it R */
    double *diagonal;  /* n: of R */
    double *weight;    /* n: reflection k is 1 - weight v v' */
    double *both;      /* n: v of reflection k times v of reflection k + 1, for even k */
} factors;

static inline pair load(const double *x)
{
    pair v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store(pair v, double *x)
{
    memcpy(x, &v, sizeof v);
}

/* Eight sums side by side. */
static double dot_of(size_t count, const double *x, const double *y)
{
    pair a = {0}, b = {0}, c = {0}, d = {0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        a += load(x + i) * load(y + i);
        b += load(x + i + 2) * load(y + i + 2);
        c += load(x + i + 4) * load(y + i + 4);
        d += load(x + i + 6) * load(y + i + 6);
    }
    a = (a + b) + (c + d);
    double sum = a[0] + a[1];
    for (; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Columns are `stride` apart. */
typedef struct group {
    double *c[GROUP];
} group;

static group group_at(double *columns, size_t stride)
{
    return (group){{columns, columns + stride, columns + 2 * stride, columns + 3 * stride}};
}

/* of_v[g] += v . c[g] and of_w[g] += w . c[g]; each is two sums side by side. */
static void dot_group(size_t count, const double *v, const double *w, group u, double *of_v, double *of_w)
{
    const double *c0 = u.c[0], *c1 = u.c[1], *c2 = u.c[2], *c3 = u.c[3];
    pair v0 = {0}, v1 = {0}, v2 = {0}, v3 = {0}, w0 = {0}, w1 = {0}, w2 = {0}, w3 = {0};
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const pair x = load(v + i), y = load(w + i);
        pair c = load(c0 + i);
        v0 += x * c, w0 += y * c, c = load(c1 + i);
        v1 += x * c, w1 += y * c, c = load(c2 + i);
        v2 += x * c, w2 += y * c, c = load(c3 + i);
        v3 += x * c, w3 += y * c;
    }
    const pair sums_v[GROUP] = {v0, v1, v2, v3}, sums_w[GROUP] = {w0, w1, w2, w3};
    for (size_t g = 0; g < GROUP; g++) {
        of_v[g] += sums_v[g][0] + sums_v[g][1];
        of_w[g] += sums_w[g][0] + sums_w[g][1];
        for (size_t k = i; k < count; k++) {
            of_v[g] += v[k] * u.c[g][k];
            of_w[g] += w[k] * u.c[g][k];
        }
    }
}

/* c[g] -= p[g] v + q[g] w */
static void take_group(size_t count, const double *v, const double *p, const double *w, const double *q, group u)
{
    double *c0 = u.c[0], *c1 = u.c[1], *c2 = u.c[2], *c3 = u.c[3];
    const double p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3], q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const pair x = load(v + i), y = load(w + i);
        store(load(c0 + i) - (p0 * x + q0 * y), c0 + i);
        store(load(c1 + i) - (p1 * x + q1 * y), c1 + i);
        store(load(c2 + i) - (p2 * x + q2 * y), c2 + i);
        store(load(c3 + i) - (p3 * x + q3 * y), c3 + i);
    }
    for (; i < count; i++)
        for (size_t g = 0; g < GROUP; g++)
            u.c[g][i] -= p[g] * v[i] + q[g] * w[i];
}

/* Reflections k and k + 1 of TILE columns, k + 1 first if `backwards`. v: reflection k, which has one more row at the
 * top; w: reflection k + 1, which has one more row at the bottom, where v has a zero. */
static void reflect_twice(const factors *f, size_t k, int backwards, double *columns)
{
    const double *v = f->a + k * f->rows + k, *w = f->a + (k + 1) * f->rows + k;
    for (size_t t = 0; t < TILE; t += GROUP) {
        group c = group_at(columns + t * f->rows + k, f->rows), rest = group_at(c.c[0] + 1, f->rows);
        double p[GROUP], q[GROUP] = {0};
        for (size_t g = 0; g < GROUP; g++)
            p[g] = v[0] * c.c[g][0];
        dot_group(f->m + 1, v + 1, w + 1, rest, p, q);
        for (size_t g = 0; g < GROUP; g++) {
            if (backwards) {
                q[g] *= f->weight[k + 1];
                p[g] = f->weight[k] * (p[g] - q[g] * f->both[k]);
            } else {
                p[g] *= f->weight[k];
                q[g] = f->weight[k + 1] * (q[g] - p[g] * f->both[k]);
            }
            c.c[g][0] -= p[g] * v[0];
        }
        take_group(f->m + 1, v + 1, p, w + 1, q, rest);
    }
}

/* Reflection k of `count` columns, one by one. */
static void reflect_each(const factors *f, size_t k, size_t count, double *columns)
{
    const double *v = f->a + k * f->rows + k;
    for (size_t j = 0; j < count; j++) {
        double *c = columns + j * f->rows + k;
        const double dot = f->weight[k] * dot_of(f->m + 1, v, c);
        for (size_t i = 0; i <= f->m; i++)
            c[i] -= dot * v[i];
    }
}

/* Makes reflection k of column k, which is in `column`. */
static void make_reflection(factors *f, size_t k, double *column)
{
    double *v = column + k;
    const double length = sqrt(dot_of(f->m + 1, v, v));
    f->weight[k] = 1 / (length * (length + fabs(v[0])));
    f->diagonal[k] = v[0] > 0 ? -length : length;
    v[0] -= f->diagonal[k];
    memcpy(f->a + k * f->rows + k, v, (f->m + 1) * sizeof *v);
    if (k % 2 == 1)
        f->both[k - 1] = dot_of(f->m, v, f->a + (k - 1) * f->rows + k);
}

/* Factors the columns `first` .. in a copy, padded with zeros to a whole tile. */
static void factor_tile(factors *f, size_t first, double *tile)
{
    const size_t count = f->n - first < TILE ? f->n - first : TILE;
    memset(tile, 0, TILE * f->rows * sizeof *tile);
    memcpy(tile, f->a + first * f->rows, count * f->rows * sizeof *tile);
    for (size_t k = 0; k < first; k += 2)
        reflect_twice(f, k, 0, tile);
    for (size_t j = 0; j < count; j++) {
        double *column = tile + j * f->rows;
        make_reflection(f, first + j, column);
        memcpy(f->a + (first + j) * f->rows, column, (first + j) * sizeof *tile); /* R above the diagonal */
        reflect_each(f, first + j, count - j - 1, column + f->rows);
    }
}

/* Columns `first` .. of Q, into the rows of x. */
static void unfold_tile(const factors *f, size_t first, double *tile, double *x)
{
    const size_t count = f->n - first < TILE ? f->n - first : TILE;
    size_t k = first + count;
    memset(tile, 0, TILE * f->rows * sizeof *tile);
    for (size_t j = 0; j < count; j++)
        tile[j * f->rows + first + j] = 1;
    if (k % 2 == 1)
        reflect_each(f, --k, count, tile);
    for (; k > 0; k -= 2)
        reflect_twice(f, k - 2, 1, tile);
    for (size_t i = 0; i < f->m; i++)
        for (size_t j = 0; j < count; j++)
            x[i * f->n + first + j] = tile[j * f->rows + i];
}

/* R x = q for GROUP columns of x, from below; two unknowns at a time. */
static void back_substitute(const factors *f, double *columns)
{
    group x = group_at(columns, f->n);
    size_t j = f->n;
    for (; j > 1; j -= 2) {
        const double *v = f->a + (j - 2) * f->rows, *w = f->a + (j - 1) * f->rows;
        double p[GROUP], q[GROUP];
        for (size_t g = 0; g < GROUP; g++) {
            q[g] = x.c[g][j - 1] /= f->diagonal[j - 1];
            p[g] = x.c[g][j - 2] = (x.c[g][j - 2] - q[g] * w[j - 2]) / f->diagonal[j - 2];
        }
        take_group(j - 2, v, p, w, q, x);
    }
    for (size_t g = 0; j == 1 && g < GROUP; g++)
        x.c[g][0] /= f->diagonal[0];
}

static void back_substitute_one(const factors *f, double *x)
{
    for (size_t j = f->n; j-- > 0;) {
        x[j] /= f->diagonal[j];
        for (size_t i = 0; i < j; i++)
            x[i] -= x[j] * f->a[j * f->rows + i];
    }
}

size_t fm_dense_inverse_work(size_t m, size_t n)
{
    return TILE * (m + n) + 3 * n;
}

void fm_dense_inverse(size_t m, size_t n, double *a, double ridge, double *x, double *work)
{
    factors f = {.m = m, .n = n, .rows = m + n, .a = a, .diagonal = work, .weight = work + n, .both = work + 2 * n};
    double *tile = work + 3 * n;
    for (size_t j = 0; j < n; j++) {
        memset(a + j * f.rows + m, 0, n * sizeof *a);
        a[j * f.rows + m + j] = ridge;
    }
    for (size_t j = 0; j < n; j += TILE)
        factor_tile(&f, j, tile);
    for (size_t j = 0; j < n; j += TILE)
        unfold_tile(&f, j, tile, x);
    size_t i = 0;
    for (; i + GROUP <= m; i += GROUP)
        back_substitute(&f, x + i * n);
    for (; i < m; i++)
        back_substitute_one(&f, x + i * n);
}
