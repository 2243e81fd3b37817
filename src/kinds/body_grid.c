/* The hull for waves (physics/hull_waves.h): its volume and its water plane along each axis. */
#include <math.h>
#include <string.h>

#include "kinds/body.h"
#include "kinds/body_elements.h"
#include "world/model.h"

enum { ORDER = FM_GRID_ORDER, NODES = FM_GRID_NODES, HALF = FM_GRID_HALF };
enum { MOMENTS = NODES + ORDER - 1 }; /* of s⁰ … for a node's polynomial times one of the functions */

/* Exact for a node's polynomial times one of the two functions of z. */
enum { LEVELS = 5 };
static const double gauss_x[LEVELS] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                       0.9061798459386640};
static const double gauss_w[LEVELS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                       0.1184634425280945};

/* --- what is under water at rest --- */

/* Body z of the surface over the level hull at rest; above the hull where it dives. */
static double water_line(const fm_type *type)
{
    static const double level[3] = {0, 0, 1};
    const fm_floating_hull *hull = &type->body.hull;
    double lift = hull->bears ? hull->weight_density : type->mass.buoyancy, low = -hull->reach, high = hull->reach;
    double rest = lift > 0 ? type->mass.weight / lift : hull->volume;
    if (rest >= FM_HULL_DIVES * hull->volume)
        return -hull->reach;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (fm_submersion_at(hull, middle, level).volume < rest)
            low = middle;
        else
            high = middle;
    }
    return -high;
}

/* --- measures --- */

/* Along one axis, over s = (x − centre)/half: moments of a mass of 1. */
typedef struct measure {
    double centre, half;
    double moment[MOMENTS];
} measure;

static void measure_add(measure *m, double x, double weight)
{
    double s = m->half > 0 ? (x - m->centre) / m->half : 0, power = weight;
    for (int i = 0; i < MOMENTS; i++, power *= s)
        m->moment[i] += power;
}

static void measure_finish(measure *m)
{
    double mass = m->moment[0];
    for (int i = 0; i < MOMENTS; i++)
        m->moment[i] = mass > 0 ? m->moment[i] / mass : i == 0;
}

static void measure_span(measure *m, double low, double high)
{
    *m = (measure){.centre = 0.5 * (low + high), .half = 0.5 * (high - low)};
}

typedef struct hull_measures {
    measure volume[3], plane[2];
} hull_measures;

/* The box that contains all columns below the line. */
static void find_spans(const fm_floating_hull *hull, double line, hull_measures *out)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < hull->count; i++) {
        const fm_column_element *e = &hull->columns[i];
        const double from[3] = {e->x, e->y, fm_max(e->top, line)}, to[3] = {e->x, e->y, e->bottom};
        for (int k = 0; k < 3 && to[2] > from[2]; k++) {
            low[k] = fm_min(low[k], from[k]);
            high[k] = fm_max(high[k], to[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        measure_span(&out->volume[k], low[k] <= high[k] ? low[k] : 0, low[k] <= high[k] ? high[k] : 0);
    for (int k = 0; k < 2; k++)
        measure_span(&out->plane[k], out->volume[k].centre - out->volume[k].half,
                     out->volume[k].centre + out->volume[k].half);
}

static void add_column(const fm_column_element *e, double line, int everywhere, hull_measures *out)
{
    double top = fm_max(e->top, line), length = e->bottom - top;
    if (length <= 0)
        return;
    measure_add(&out->volume[0], e->x, e->area * length);
    measure_add(&out->volume[1], e->y, e->area * length);
    for (int i = 0; i < LEVELS; i++)
        measure_add(&out->volume[2], top + 0.5 * length * (1 + gauss_x[i]), e->area * length * gauss_w[i]);
    if (e->top < line || everywhere) {
        measure_add(&out->plane[0], e->x, e->area);
        measure_add(&out->plane[1], e->y, e->area);
    }
}

/* A hull that the surface does not cut at rest counts with its whole plan form. */
static void measure_hull(const fm_floating_hull *hull, double line, hull_measures *out)
{
    int cut = 0;
    find_spans(hull, line, out);
    for (int i = 0; i < hull->count; i++)
        cut |= hull->columns[i].top < line && hull->columns[i].bottom > line;
    for (int i = 0; i < hull->count; i++)
        add_column(&hull->columns[i], line, !cut, out);
    for (int k = 0; k < 3; k++)
        measure_finish(&out->volume[k]);
    for (int k = 0; k < 2; k++)
        measure_finish(&out->plane[k]);
}

/* --- functions and weights --- */

static double product(const measure *m, const double *a, int a_count, const double *b, int b_count)
{
    double sum = 0;
    for (int i = 0; i < a_count; i++)
        for (int k = 0; k < b_count; k++)
            sum += a[i] * b[k] * m->moment[i + k];
    return sum;
}

/* Orthonormal polynomials of s over the measure, by Gram–Schmidt; 0 if it has too few points. */
static void find_functions(const measure *m, double out[ORDER][ORDER])
{
    memset(out, 0, ORDER * sizeof *out);
    for (int p = 0; p < ORDER; p++) {
        out[p][p] = 1;
        for (int pass = 0; pass < 2; pass++)
            for (int q = 0; q < p; q++) {
                double along = product(m, out[p], ORDER, out[q], ORDER);
                for (int i = 0; i < ORDER; i++)
                    out[p][i] -= along * out[q][i];
            }
        double norm = product(m, out[p], ORDER, out[p], ORDER), scale = norm > 1e-10 ? 1 / sqrt(norm) : 0;
        for (int i = 0; i < ORDER; i++)
            out[p][i] *= scale;
    }
}

static double node_at(int i)
{
    static const double nodes[HALF] = {2, 7, 12, 15};
    return (i < HALF ? nodes[i] : -nodes[i - HALF]) / FM_GRID_REACH;
}

/* The polynomial that is 1 at node i and 0 at the others. */
static void find_node(int node, double out[NODES])
{
    int degree = 0;
    memset(out, 0, NODES * sizeof *out);
    out[0] = 1;
    for (int i = 0; i < NODES; i++) {
        if (i == node)
            continue;
        double root = node_at(i), scale = 1 / (node_at(node) - root);
        for (int k = ++degree; k > 0; k--)
            out[k] = (out[k - 1] - root * out[k]) * scale;
        out[0] *= -root * scale;
    }
}

/* Σ weights f(node) is the mean of f times the function over the measure. */
static void find_weights(const measure *m, double functions[ORDER][ORDER], int count, fm_var out[][NODES])
{
    double at[NODES];
    for (int i = 0; i < NODES; i++) {
        find_node(i, at);
        for (int p = 0; p < count; p++)
            out[p][i] = product(m, functions[p], ORDER, at, NODES);
    }
}

static void fold_weights(int count, fm_var weights[][NODES])
{
    for (int p = 0; p < count; p++)
        for (int i = 0; i < HALF; i++) {
            double above = weights[p][i], below = weights[p][HALF + i];
            weights[p][i] = above + below;
            weights[p][HALF + i] = above - below;
        }
}

/* A polynomial of s as one of x. */
static void unscale(const measure *m, const double of_s[ORDER], fm_var of_x[ORDER])
{
    double factor = m->half > 0 ? 1 / m->half : 0, shift = -m->centre * factor, power[ORDER] = {1}, sum[ORDER] = {0};
    for (int p = 0; p < ORDER; p++) {
        for (int i = 0; i < ORDER; i++)
            sum[i] += of_s[p] * power[i];
        for (int i = ORDER - 1; i > 0; i--)
            power[i] = power[i] * shift + power[i - 1] * factor;
        power[0] *= shift;
    }
    for (int i = 0; i < ORDER; i++)
        of_x[i] = sum[i];
}

static void build_grid(const hull_measures *m, fm_wave_grid *grid)
{
    double functions[ORDER][ORDER];
    fm_var beam[ORDER];
    for (int k = 0; k < 3; k++) {
        const measure *v = &m->volume[k];
        double wide = v->moment[2] - v->moment[1] * v->moment[1];
        grid->centre[k] = v->centre;
        grid->half[k] = v->half;
        grid->unit[k] = v->half / FM_GRID_REACH;
        grid->mean[k] = v->centre + v->half * v->moment[1];
        grid->spread[k] = wide > 1e-10 ? v->half * sqrt(wide) : 0;
    }
    find_functions(&m->volume[2], functions);
    find_weights(&m->volume[2], functions, 2, grid->through);
    find_functions(&m->volume[1], functions);
    find_weights(&m->volume[1], functions, 2, grid->across);
    find_functions(&m->volume[0], functions);
    find_weights(&m->volume[0], functions, ORDER, grid->along);
    for (int p = 0; p < ORDER; p++)
        unscale(&m->volume[0], functions[p], grid->volume_at[p]);
    find_functions(&m->plane[0], functions);
    find_weights(&m->plane[0], functions, ORDER, grid->plane);
    for (int p = 0; p < ORDER; p++)
        unscale(&m->plane[0], functions[p], grid->plane_at[p]);
    find_functions(&m->plane[1], functions);
    find_weights(&m->plane[1], functions, 2, grid->beam);
    unscale(&m->plane[1], functions[1], beam);
    grid->beam_at[0] = beam[0], grid->beam_at[1] = beam[1];
    fold_weights(ORDER, grid->plane);
    fold_weights(2, grid->beam);
}

fm_status fm_body_build_grid(fm_part_load *load, fm_type *type)
{
    fm_wave_grid *grid = fm_load_alloc(load, sizeof *grid);
    hull_measures measures;
    if (!grid)
        return FM_ERR_MEMORY;
    measure_hull(&type->body.hull, water_line(type), &measures);
    build_grid(&measures, grid);
    type->body.grid = grid;
    return FM_OK;
}
