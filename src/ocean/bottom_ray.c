/* Rays against the sea floor. */
#include <math.h>

#include "ocean/bottom.h"
#include "physics/solid.h"

/* A ray in progress: height above the ground at distance t. */
typedef struct march {
    const fm_bottom *bottom;
    const double *origin, *direction;
} march;

static double height_at(const march *m, double t)
{
    double x = m->origin[0] + t * m->direction[0], y = m->origin[1] + t * m->direction[1];
    return fm_bottom_depth(m->bottom, x, y) - m->origin[2] - t * m->direction[2];
}

static double steepest_of(const double *depths, size_t count, size_t stride, double step)
{
    double most = 0;
    for (size_t i = 0; i + 1 < count; i++)
        most = fmax(most, fabs(depths[(i + 1) * stride] - depths[i * stride]) / step);
    return most;
}

void fm_bottom_measure(fm_bottom *b)
{
    double x = 0, y = 0, mounds = 0;
    if (b->kind == FM_BOTTOM_NODES)
        x = steepest_of(b->depths, b->nx, 1, b->dx);
    for (size_t j = 0; b->kind == FM_BOTTOM_GRID && j < b->ny; j++)
        x = fmax(x, steepest_of(b->depths + j, b->nx, b->ny, b->dx));
    for (size_t i = 0; b->kind == FM_BOTTOM_GRID && i < b->nx; i++)
        y = fmax(y, steepest_of(b->depths + i * b->ny, b->ny, 1, b->dy));
    if (b->kind == FM_BOTTOM_PLANE) {
        x = b->slope_x;
        y = b->slope_y;
    }
    /* the steepest place of h exp(−r²) is at r = 1/√2: h √2 e^(−1/2) */
    for (size_t i = 0; i < b->mound_count; i++)
        mounds += fabs(b->mounds[i].height) * 0.857763884960707 * fmax(b->mounds[i].alpha, b->mounds[i].beta);
    b->steepness = sqrt(x * x + y * y) + mounds;
}

/* Halves [low, high] until the crossing is known to the last bits. */
static double bisect(const march *m, double low, double high)
{
    for (int i = 0; i < 60 && high - low > 1e-10; i++) {
        double middle = 0.5 * (low + high);
        if (height_at(m, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Distance to the plane D0 − up + D1 x + D2 y; infinite when the ray does not come down to it. */
static double to_plane(const march *m, double up)
{
    const fm_bottom *b = m->bottom;
    const double *o = m->origin, *d = m->direction;
    double height = b->depth - up + b->slope_x * o[0] + b->slope_y * o[1] - o[2];
    double nearing = d[2] - b->slope_x * d[0] - b->slope_y * d[1];
    return fm_plane_reach(height, nearing);
}

/* Maximum height by which the mounds lift the floor above its base. */
static double highest(const fm_bottom *b)
{
    double up = 0;
    for (size_t i = 0; i < b->mound_count; i++)
        up += fmax(-b->mounds[i].height, 0);
    return up;
}

/* The height changes by no more than `rate` per metre of way, so a step of height / rate cannot pass the ground. */
static double march_on(const march *m, double t, double limit)
{
    const double *d = m->direction;
    double rate = fabs(d[2]) + m->bottom->steepness * sqrt(d[0] * d[0] + d[1] * d[1]), before = t;
    if (!(rate > 0))
        return HUGE_VAL;
    while (t <= limit) {
        double height = height_at(m, t);
        if (height <= 0)
            return bisect(m, before, t);
        before = t;
        t += fmax(height / rate, 1e-3 + 5e-4 * t);
    }
    return height_at(m, limit) <= 0 ? bisect(m, before, limit) : HUGE_VAL;
}

/* From node to node: the height is linear between them. */
static double walk_nodes(const march *m, double limit)
{
    const fm_bottom *b = m->bottom;
    double dx = m->direction[0], t = 0, height = height_at(m, 0);
    double at = (m->origin[0] - b->x0) / b->dx, last = (double)(b->nx - 1);
    double node = dx > 0 ? fmax(floor(at) + 1, 0) : fmin(ceil(at) - 1, last);
    while (t < limit) {
        int more = dx != 0 && node >= 0 && node <= last;
        double next = more ? (b->x0 + node * b->dx - m->origin[0]) / dx : fmin(limit, 1e7);
        next = fmin(fmax(next, t), limit);
        double after = height_at(m, next);
        if (after <= 0)
            return height == after ? t : t + (next - t) * height / (height - after);
        if (!more)
            break;
        t = next;
        height = after;
        node += dx > 0 ? 1 : -1;
    }
    return HUGE_VAL;
}

int fm_bottom_ray(const fm_bottom *b, const double origin[3], const double direction[3], double limit, double *distance,
                  double normal[3])
{
    march m = {b, origin, direction};
    double t = 0;
    if (height_at(&m, 0) > 0) {
        if (b->kind == FM_BOTTOM_PLANE && b->mound_count == 0)
            t = to_plane(&m, 0);
        else if (b->kind == FM_BOTTOM_NODES && b->mound_count == 0)
            t = walk_nodes(&m, limit);
        else
            t = march_on(&m, b->kind == FM_BOTTOM_PLANE ? fmin(to_plane(&m, highest(b)), limit) : 0, limit);
    }
    if (!(t <= limit) || t == HUGE_VAL)
        return 0;
    *distance = t;
    fm_bottom_normal(b, origin[0] + t * direction[0], origin[1] + t * direction[1], normal);
    return 1;
}
