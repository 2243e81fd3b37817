/* Random numbers and shapes for the geometry tests: splitmix64, seeded by each test. */
#ifndef GEOMETRY_RANDOM_H
#define GEOMETRY_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "geometry/shape.h"

typedef struct dice {
    uint64_t state;
} dice;

__attribute__((unused)) static double roll(dice *d, double low, double high)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

__attribute__((unused)) static void roll_point(dice *d, double reach, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = roll(d, -reach, reach);
}

__attribute__((unused)) static void roll_direction(dice *d, double out[3])
{
    double n;
    do {
        roll_point(d, 1, out);
        n = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    } while (n > 1 || n < 0.1);
    for (int i = 0; i < 3; i++)
        out[i] /= n;
}

__attribute__((unused)) static void roll_pose(dice *d, fm_shape *shape, double reach)
{
    double p[3], q[4] = {roll(d, -1, 1), roll(d, -1, 1), roll(d, -1, 1), roll(d, -1, 1)};
    roll_point(d, reach, p);
    fm_shape_place(shape, p, q);
}

static const double HULL_POINTS[][3] = {{1, 0, 0},       {-0.8, 0.3, 0.1}, {0.2, 1.1, -0.2}, {0.1, -0.9, 0.3},
                                        {0.3, 0.2, 1.2}, {-0.1, 0.1, -1},  {0.5, 0.5, 0.5},  {-0.4, -0.5, -0.3}};

/* Any shape but a plane. */
__attribute__((unused)) static fm_shape roll_shape(dice *d, double reach)
{
    fm_shape shape;
    double a = roll(d, 0.2, 1.5), b = roll(d, 0.2, 1.5), c = roll(d, 0.2, 1.5);
    int axis = (int)roll(d, 0, 2.999);
    switch ((int)roll(d, 0, 5.999)) {
    case 0: shape = fm_shape_sphere(a); break;
    case 1: shape = fm_shape_box(a, b, c); break;
    case 2: shape = fm_shape_cylinder(a, b, axis); break;
    case 3: shape = fm_shape_capsule(a, b, axis); break;
    case 4: shape = fm_shape_ellipsoid(a, b, c); break;
    default: shape = fm_shape_hull(HULL_POINTS, sizeof HULL_POINTS / sizeof HULL_POINTS[0]); break;
    }
    roll_pose(d, &shape, reach);
    return shape;
}

#endif
