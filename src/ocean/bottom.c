#include "ocean/bottom.h"

#include <math.h>

#include "physics/ground.h"

/* Depth and its slopes at one place. */
typedef struct level {
    double depth, by_x, by_y;
} level;

/* The cell of an even axis and the place in it; beyond the ends the slope is zero. */
typedef struct cell {
    size_t low, high;
    double fraction, per_metre; /* per_metre: of the difference high − low */
} cell;

static cell find(double x, double x0, double dx, size_t count)
{
    double u = (x - x0) / dx;
    if (!(u > 0))
        return (cell){0, 0, 0, 0};
    if (u >= (double)(count - 1))
        return (cell){count - 1, count - 1, 0, 0};
    size_t low = (size_t)u;
    return (cell){low, low + 1, u - (double)low, 1 / dx};
}

static level nodes_at(const fm_bottom *b, double x)
{
    cell p = find(x, b->x0, b->dx, b->nx);
    double low = b->depths[p.low], high = b->depths[p.high];
    return (level){fm_ground_between(low, high, p.fraction), p.per_metre * (high - low), 0};
}

static level grid_at(const fm_bottom *b, double x, double y)
{
    cell p = find(x, b->x0, b->dx, b->nx), q = find(y, b->y0, b->dy, b->ny);
    const double *low = b->depths + p.low * b->ny, *high = b->depths + p.high * b->ny;
    double a = low[q.low], d = low[q.high] - a, c = high[q.low], e = high[q.high] - c; /* along y at both x nodes */
    double near = a + q.fraction * d, far = c + q.fraction * e;
    return (level){near + p.fraction * (far - near), p.per_metre * (far - near),
                   q.per_metre * (d + p.fraction * (e - d))};
}

static level sample_at(const fm_bottom *b, double x, double y)
{
    double depth, normal[3];
    if (!b->sample(b->user, x, y, &depth, normal))
        return (level){HUGE_VAL, 0, 0};
    return (level){depth, -normal[0] / normal[2], -normal[1] / normal[2]};
}

static level base_at(const fm_bottom *b, double x, double y)
{
    switch (b->kind) {
    case FM_BOTTOM_PLANE:
        return (level){fm_ground_plane(b->depth, b->slope_x, b->slope_y, x, y), b->slope_x, b->slope_y};
    case FM_BOTTOM_NODES: return nodes_at(b, x);
    case FM_BOTTOM_GRID: return grid_at(b, x, y);
    case FM_BOTTOM_SAMPLED: return sample_at(b, x, y);
    }
    return (level){NAN, NAN, NAN};
}

/* The ground as it is, above the surface too. */
static level ground_at(const fm_bottom *b, double x, double y)
{
    level l = base_at(b, x, y);
    for (size_t i = 0; i < b->mound_count; i++) {
        const fm_mound *m = &b->mounds[i];
        double dx = x - m->centre[0], dy = y - m->centre[1];
        double a2 = m->alpha * m->alpha, b2 = m->beta * m->beta;
        double exponent = fm_mound_exponent(m->alpha, m->beta, dx, dy);
        if (exponent > FM_MOUND_END)
            continue;
        double h = m->height * fm_exp(-exponent);
        l.depth += h;
        l.by_x -= 2 * a2 * dx * h;
        l.by_y -= 2 * b2 * dy * h;
    }
    return l;
}

static level level_at(const fm_bottom *b, double x, double y)
{
    level l = ground_at(b, x, y);
    return l.depth < 0 ? (level){0, 0, 0} : l;
}

double fm_bottom_ground(const fm_bottom *bottom, double x, double y)
{
    return ground_at(bottom, x, y).depth;
}

double fm_bottom_depth(const fm_bottom *bottom, double x, double y)
{
    return level_at(bottom, x, y).depth;
}

void fm_bottom_normal(const fm_bottom *bottom, double x, double y, double out[3])
{
    level l = level_at(bottom, x, y);
    double length = fm_sqrt(1 + l.by_x * l.by_x + l.by_y * l.by_y);
    out[0] = l.by_x / length;
    out[1] = l.by_y / length;
    out[2] = -1 / length;
}

void fm_bottom_rise(double *depths, size_t count, double x0, double spacing, double x, double before, double after)
{
    double first = (x - x0) / spacing - 1e-9; /* a node at x but for rounding is at x */
    for (size_t i = 0; i < count; i++)
        depths[i] = (double)i < first ? before : after;
}

static fm_status check_depths(const fm_bottom *b, size_t count, fm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!(b->depths[i] >= -9000 && b->depths[i] <= 12000))
            return fm_fail(error, FM_ERR_RANGE, "bottom: depth number %zu is %g m: must be -9000 … 12000 m", i + 1,
                           b->depths[i]);
    return FM_OK;
}

fm_status fm_bottom_check(const fm_bottom *b, fm_error *error)
{
    for (size_t i = 0; i < b->mound_count; i++) {
        const fm_mound *m = &b->mounds[i];
        if (!isfinite(m->height + m->centre[0] + m->centre[1] + m->alpha + m->beta))
            return fm_fail(error, FM_ERR_RANGE, "bottom: mound %zu holds a number that is not finite", i + 1);
    }
    if (b->kind == FM_BOTTOM_PLANE) {
        if (isfinite(b->depth + b->slope_x + b->slope_y))
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE, "bottom: plane %g + %g x + %g y must be finite", b->depth, b->slope_x,
                       b->slope_y);
    }
    if (b->kind == FM_BOTTOM_SAMPLED)
        return b->sample ? FM_OK : fm_fail(error, FM_ERR_ARGUMENT, "bottom: a sampled bottom needs a sample function");
    if (!(b->dx > 0) || !b->depths || b->nx < 1)
        return fm_fail(error, FM_ERR_RANGE,
                       "bottom: %zu nodes every %g m along x: must be at least 1 and a spacing above 0", b->nx, b->dx);
    if (b->kind == FM_BOTTOM_NODES)
        return check_depths(b, b->nx, error);
    if (!(b->dy > 0) || b->ny < 1)
        return fm_fail(error, FM_ERR_RANGE,
                       "bottom: %zu nodes every %g m along y: must be at least 1 and a spacing above 0", b->ny, b->dy);
    return check_depths(b, b->nx * b->ny, error);
}
