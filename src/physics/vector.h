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

/* out = m x, m 6×6 by column */
FM_FN void fm_matrix6_mul(const fm_real *m, const fm_real x[6], fm_real out[6])
{
    for (int r = 0; r < 6; r++)
        out[r] = m[r] * x[0];
    for (int c = 1; c < 6; c++)
        for (int r = 0; r < 6; r++)
            out[r] += m[6 * c + r] * x[c];
}

#endif
