/* Three doubles: small vector helpers of the geometry code. Always double, never fm_real: geometry is not computed in
 * lanes. */
#ifndef FM_GEOMETRY_D3_H
#define FM_GEOMETRY_D3_H

#include <math.h>

typedef struct fm_d3 {
    double x, y, z;
} fm_d3;

static inline fm_d3 fm_d3_of(const double a[3])
{
    return (fm_d3){a[0], a[1], a[2]};
}
static inline void fm_d3_store(fm_d3 a, double out[3])
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}
static inline fm_d3 fm_d3_add(fm_d3 a, fm_d3 b)
{
    return (fm_d3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline fm_d3 fm_d3_sub(fm_d3 a, fm_d3 b)
{
    return (fm_d3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline fm_d3 fm_d3_scale(fm_d3 a, double s)
{
    return (fm_d3){a.x * s, a.y * s, a.z * s};
}
static inline fm_d3 fm_d3_add_scaled(fm_d3 a, double s, fm_d3 b) /* a + s b */
{
    return (fm_d3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double fm_d3_dot(fm_d3 a, fm_d3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline fm_d3 fm_d3_cross(fm_d3 a, fm_d3 b)
{
    return (fm_d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double fm_d3_norm(fm_d3 a)
{
    return sqrt(fm_d3_dot(a, a));
}
/* a / |a|, or `fallback` where a is zero. */
static inline fm_d3 fm_d3_unit(fm_d3 a, fm_d3 fallback)
{
    double n = fm_d3_norm(a);
    return n > 0 ? fm_d3_scale(a, 1 / n) : fallback;
}
/* R a and Rᵀ a with R row by row. */
static inline fm_d3 fm_d3_rotate(const double r[9], fm_d3 a)
{
    return (fm_d3){r[0] * a.x + r[1] * a.y + r[2] * a.z, r[3] * a.x + r[4] * a.y + r[5] * a.z,
                   r[6] * a.x + r[7] * a.y + r[8] * a.z};
}
static inline fm_d3 fm_d3_rotate_back(const double r[9], fm_d3 a)
{
    return (fm_d3){r[0] * a.x + r[3] * a.y + r[6] * a.z, r[1] * a.x + r[4] * a.y + r[7] * a.z,
                   r[2] * a.x + r[5] * a.y + r[8] * a.z};
}

#endif
