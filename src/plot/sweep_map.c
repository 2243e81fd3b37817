/* Sweeps over two inputs, and over inputs that were drawn. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/sweep_parts.h"

/* --- cells --- */

enum { FINE = 600 };

typedef struct edges {
    double at[FM_SWEEP_LEVELS + 1]; /* between the cells, halfway from value to value */
    size_t count;                   /* cells */
    bool even;
} edges;

static edges edges_of(const double *values, size_t count, double factor)
{
    edges e = {.count = count, .even = true};
    for (size_t i = 1; i < count; i++)
        e.at[i] = 0.5 * factor * (values[i - 1] + values[i]);
    double first = count > 1 ? factor * (values[1] - values[0]) : 1;
    double last = count > 1 ? factor * (values[count - 1] - values[count - 2]) : 1;
    e.at[0] = factor * values[0] - 0.5 * first;
    e.at[count] = factor * values[count - 1] + 0.5 * last;
    for (size_t i = 0; i < count; i++)
        e.even &= fabs(e.at[i + 1] - e.at[i] - first) < 1e-6 * fabs(first);
    if (!e.even && values[0] > 0)
        e.at[0] = fmax(e.at[0], 0); /* no noise below zero */
    return e;
}

/* The cell in which part k + 1/2 of `parts` of the whole axis lies. */
static size_t cell_at(const edges *e, size_t k, size_t parts)
{
    double x = e->at[0] + (e->at[e->count] - e->at[0]) * ((double)k + 0.5) / (double)parts;
    size_t i = 0;
    while (i + 1 < e->count && x > e->at[i + 1])
        i++;
    return i;
}

/* Cells that are not alike are drawn by many that are. */
static fm_status draw_cells(fm_axes *axes, const edges *x, const edges *y, const double *values,
                            const fm_heat_style *style, fm_error *error)
{
    size_t columns = x->even ? x->count : FINE, rows = y->even ? y->count : FINE;
    double *fine = fm_alloc(columns * rows * sizeof *fine);
    if (!fine)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a map");
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            fine[r * columns + c] = values[cell_at(y, r, rows) * x->count + cell_at(x, c, columns)];
    fm_axes_heat(axes, (fm_extent){x->at[0], x->at[x->count], y->at[0], y->at[y->count]}, fine, columns, rows, style);
    fm_free(fine);
    return FM_OK;
}

static size_t index_of(const double *levels, size_t count, double value)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (levels[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The mean of each cell; NaN where no run has an answer. */
static fm_status find_means(const fm_sweep_request *r, const fm_sweep_question *q, const double *x, size_t columns,
                            const double *y, size_t rows, double *means, fm_error *error)
{
    double *counts = fm_alloc(columns * rows * sizeof *counts);
    if (!counts)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a map");
    for (size_t run = 0; run < r->result->runs; run++) {
        double answer = fm_sweep_answer(r->result, q, run);
        if (isnan(answer))
            continue;
        size_t cell = index_of(y, rows, r->y->values[run]) * columns + index_of(x, columns, r->x->values[run]);
        counts[cell]++;
        means[cell] += (answer - means[cell]) / counts[cell];
    }
    for (size_t i = 0; i < columns * rows; i++)
        means[i] = counts[i] > 0 ? fm_sweep_factor(q) * means[i] : NAN;
    fm_free(counts);
    return FM_OK;
}

static fm_status draw_listed(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    double x[FM_SWEEP_LEVELS], y[FM_SWEEP_LEVELS];
    size_t columns = fm_sweep_levels(r->result, r->x, x, FM_SWEEP_LEVELS);
    size_t rows = fm_sweep_levels(r->result, r->y, y, FM_SWEEP_LEVELS);
    char name[200];
    double *means = fm_alloc(columns * rows * sizeof *means);
    if (!means)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a map");
    fm_status status = find_means(r, q, x, columns, y, rows, means, error);
    fm_sweep_name_question(q, name, sizeof name);
    fm_heat_style style = {.value_label = name, .value_unit = fm_sweep_unit(q), .max = q->relation[0] ? 1 : 0};
    edges across = edges_of(x, columns, fm_sweep_scale_of(r->x).factor);
    edges up = edges_of(y, rows, fm_sweep_scale_of(r->y).factor);
    if (status == FM_OK)
        status = draw_cells(axes, &across, &up, means, &style, error);
    fm_free(means);
    return status;
}

/* --- points --- */

typedef struct point {
    double x, y, value;
} point;

/* The results of all runs with their inputs, in displayed units; *count of them. */
static point *find_points(const fm_sweep_request *r, const fm_sweep_question *q, size_t *count)
{
    point *points = fm_alloc((r->result->runs + 1) * sizeof *points);
    *count = 0;
    for (size_t run = 0; run < r->result->runs && points; run++) {
        double answer = fm_sweep_answer(r->result, q, run);
        if (!isnan(answer))
            points[(*count)++] =
                (point){r->x->values[run] * fm_sweep_scale_of(r->x).factor,
                        r->y ? r->y->values[run] * fm_sweep_scale_of(r->y).factor : 0, answer * fm_sweep_factor(q)};
    }
    return points;
}

static fm_status scatter(fm_axes *axes, const point *points, size_t count, bool map, fm_scatter_style *style,
                         fm_error *error)
{
    double *all = fm_alloc((3 * count + 1) * sizeof *all);
    if (!all)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu points", count);
    for (size_t i = 0; i < count; i++) {
        all[i] = points[i].x;
        all[count + i] = map ? points[i].y : points[i].value;
        all[2 * count + i] = points[i].value;
    }
    style->values = map ? all + 2 * count : NULL;
    style->size = count > 300 ? 2 : map ? 5 : 3.5;
    fm_axes_scatter(axes, all, all + count, count, style);
    fm_free(all);
    return FM_OK;
}

fm_status fm_sweep_draw_map(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    fm_sweep_style_input(axes, r->x, NULL, 0, fm_axes_x);
    fm_sweep_style_input(axes, r->y, NULL, 0, fm_axes_y);
    if (!fm_sweep_is_scattered(r->result, r->x) && !fm_sweep_is_scattered(r->result, r->y))
        return draw_listed(axes, r, q, error);
    size_t count;
    char name[200];
    point *points = find_points(r, q, &count);
    if (!points)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu points", r->result->runs);
    fm_sweep_name_question(q, name, sizeof name);
    fm_scatter_style style = {.value_label = name, .value_unit = fm_sweep_unit(q), .max = q->relation[0] ? 1 : 0};
    fm_status status = scatter(axes, points, count, true, &style, error);
    fm_free(points);
    return status;
}

/* --- a probability over an input that was drawn --- */

enum { BINS_MOST = 20 };

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    int by_x = (p->x > q->x) - (p->x < q->x);
    return by_x ? by_x : (p->value > q->value) - (p->value < q->value);
}

static void draw_course(fm_axes *axes, const fm_sweep_request *r, point *points, size_t count)
{
    double x[BINS_MOST], mean[BINS_MOST], low[BINS_MOST], high[BINS_MOST];
    size_t bins = (size_t)fmin(BINS_MOST, fmax(1, sqrt((double)count)));
    qsort(points, count, sizeof *points, compare_points);
    for (size_t b = 0; b < bins; b++) {
        size_t first = b * count / bins, end = (b + 1) * count / bins;
        double n = (double)(end - first), held = 0, interval[2];
        x[b] = 0;
        for (size_t i = first; i < end; i++) {
            x[b] += points[i].x / n;
            held += points[i].value;
        }
        fm_wilson_interval(held, n, interval);
        mean[b] = held / n, low[b] = interval[0], high[b] = interval[1];
    }
    fm_colour colour = fm_colour_series(r->theme, 0);
    fm_axes_band(axes, x, low, high, bins, &(fm_area_style){.colour = colour, .opacity = 0.25});
    fm_axes_line(axes, x, mean, bins, &(fm_line_style){.colour = colour, .marker = FM_MARKER_DISC});
}

fm_status fm_sweep_draw_points(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    size_t count;
    fm_status status = FM_OK;
    point *points = find_points(r, q, &count);
    if (!points)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu points", r->result->runs);
    fm_sweep_style_input(axes, r->x, NULL, 0, fm_axes_x);
    fm_sweep_style_answer(axes, q);
    if (q->relation[0] && count)
        draw_course(axes, r, points, count);
    else
        status = scatter(axes, points, count, false, &(fm_scatter_style){0}, error);
    fm_free(points);
    return status;
}
