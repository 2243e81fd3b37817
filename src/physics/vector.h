/* Small vectors and 6×6 products on fm_real. Plain arrays: [3] and [6]; matrices are stored by column,
 * m[6 * column + row]. */
#ifndef FM_PHYSICS_VECTOR_H
#define FM_PHYSICS_VECTOR_H

#include "physics/real.h"

FM_FN void fm_cross(const fm_real a[3], const fm_real b[3], fm_real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

FM_FN fm_real fm_dot(const fm_real a[3], const fm_real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

FM_FN fm_real fm_norm(const fm_real a[3])
{
    return fm_sqrt(fm_dot(a, a));
}

/* Two numbers of one vehicle side by side; lanes and threads take them one after the other. */
#if !defined(FM_LANES) && !defined(__CUDACC__)
#define FM_PAIRS
typedef fm_par fm_pair __attribute__((vector_size(2 * FM_BYTES)));
FM_FN fm_pair fm_pair_at(const fm_par *x)
{
    return (fm_pair){x[0], x[1]};
}
FM_FN fm_pair fm_pair_const(fm_par x)
{
    return x - (fm_pair){0};
}
FM_FN fm_pair fm_pair_sqrt(fm_pair a)
{
    return (fm_pair){FM_BUILTIN(sqrt)(a[0]), FM_BUILTIN(sqrt)(a[1])};
}
FM_FN fm_pair fm_pair_over_root(fm_pair a, fm_pair b)
{
    return a / fm_pair_sqrt(b);
}
#endif

/* Six numbers of one vehicle, as pairs where there are any. */
typedef struct fm_six {
#ifdef FM_PAIRS
    fm_pair a, b, c;
#else
    fm_real x[6];
#endif
} fm_six;

FM_FN fm_six fm_six_at(const fm_real x[6])
{
#ifdef FM_PAIRS
    return (fm_six){fm_pair_at(x), fm_pair_at(x + 2), fm_pair_at(x + 4)};
#else
    fm_six s = {{x[0], x[1], x[2], x[3], x[4], x[5]}};
    return s;
#endif
}

/* s += column · by */
FM_FN void fm_six_add(fm_six *s, const fm_var column[6], fm_real by)
{
#ifdef FM_PAIRS
    fm_pair both = fm_pair_const(by);
    s->a += fm_pair_at(column) * both;
    s->b += fm_pair_at(column + 2) * both;
    s->c += fm_pair_at(column + 4) * both;
#else
    FM_UNROLL for (int i = 0; i < 6; i++) if (!fm_baked_zero(column[i])) s->x[i] += column[i] * by;
#endif
}

FM_FN void fm_six_put(const fm_six *s, fm_real out[6])
{
#ifdef FM_PAIRS
    out[0] = s->a[0], out[1] = s->a[1], out[2] = s->b[0], out[3] = s->b[1], out[4] = s->c[0], out[5] = s->c[1];
#else
    for (int i = 0; i < 6; i++)
        out[i] = s->x[i];
#endif
}

/* out = m x, m 6×6 by column */
FM_FN void fm_matrix6_mul(const fm_real *m, const fm_real x[6], fm_real out[6])
{
#ifdef FM_PAIRS
    fm_pair first = fm_pair_const(x[0]);
    fm_six sum = {fm_pair_at(m) * first, fm_pair_at(m + 2) * first, fm_pair_at(m + 4) * first};
    for (int c = 1; c < 6; c++)
        fm_six_add(&sum, m + 6 * c, x[c]);
    fm_six_put(&sum, out);
#else
    FM_UNROLL for (int r = 0; r < 6; r++) out[r] = m[r] * x[0];
    FM_UNROLL for (int c = 1; c < 6; c++) FM_UNROLL for (int r = 0; r < 6; r++) if (!fm_baked_zero(m[6 * c + r]))
        out[r] += m[6 * c + r] * x[c];
#endif
}

#ifdef FM_LANES
/* The same of a matrix that couples components 0, 2, 4 and 1, 3, 5 each among themselves. */
FM_FN void fm_matrix6_mul_apart(const fm_real *m, const fm_real x[6], fm_real out[6])
{
    for (int r = 0; r < 6; r++) {
        int c = r % 2;
        out[r] = m[6 * c + r] * x[c];
        for (c += 2; c < 6; c += 2)
            out[r] += m[6 * c + r] * x[c];
    }
}

/* Whether m is such a matrix, for all. */
FM_FN int fm_matrix6_is_apart(const fm_real *m)
{
    fm_mask coupled = fm_const(0) > fm_const(0);
    for (int c = 0; c < 6; c++)
        for (int r = 1 - c % 2; r < 6; r += 2)
            coupled = coupled | (m[6 * c + r] != fm_const(0));
    return !fm_any(coupled);
}
#endif

#endif
