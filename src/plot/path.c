/* Long lines, cheaply: of all points that fall into one column of paper (1/300 inch) only the first, the lowest, the
 * highest and the last are kept, which draws the same ink; what lies far outside the plot is cut off, because cairo's
 * coordinates are small fixed-point numbers. */
#include <math.h>
#include <string.h>

#include "plot/parts.h"

#define COLUMN (72 / 300.0) /* pt */
#define BEYOND 30.0         /* pt around the plot that is still drawn, to be clipped there */

void fm_path_begin(fm_path *path, cairo_t *cr, fm_box plot)
{
    *path = (fm_path){.cr = cr,
                      .pen = {NAN, NAN},
                      .clip = {plot.x - BEYOND, plot.y - BEYOND, plot.width + 2 * BEYOND, plot.height + 2 * BEYOND}};
}

/* Liang and Barsky: the part of a → b with low <= coordinate <= high, as parameters. */
static bool clip_axis(double a, double b, double low, double high, double *from, double *to)
{
    double d = b - a;
    if (d == 0)
        return a >= low && a <= high;
    double t0 = (low - a) / d, t1 = (high - a) / d;
    *from = fmax(*from, fmin(t0, t1));
    *to = fmin(*to, fmax(t0, t1));
    return *from <= *to;
}

static void segment(fm_path *path, const double a[2], const double b[2])
{
    const fm_box *c = &path->clip;
    double from = 0, to = 1;
    if (!clip_axis(a[0], b[0], c->x, c->x + c->width, &from, &to) ||
        !clip_axis(a[1], b[1], c->y, c->y + c->height, &from, &to))
        return;
    double start[2] = {a[0] + from * (b[0] - a[0]), a[1] + from * (b[1] - a[1])};
    double end[2] = {to < 1 ? a[0] + to * (b[0] - a[0]) : b[0], to < 1 ? a[1] + to * (b[1] - a[1]) : b[1]};
    if (start[0] != path->pen[0] || start[1] != path->pen[1])
        cairo_move_to(path->cr, start[0], start[1]);
    cairo_line_to(path->cr, end[0], end[1]);
    memcpy(path->pen, end, sizeof end);
}

static void emit(fm_path *path, const double point[2])
{
    if (path->begun && (point[0] != path->at[0] || point[1] != path->at[1]))
        segment(path, path->at, point);
    memcpy(path->at, point, sizeof path->at);
    path->begun = true;
}

static void flush_column(fm_path *path)
{
    if (path->count == 0)
        return;
    emit(path, path->first);
    bool low_first = path->low_at < path->high_at;
    if (path->count > 2) {
        emit(path, low_first ? path->low : path->high);
        emit(path, low_first ? path->high : path->low);
    }
    if (path->count > 1)
        emit(path, path->last);
    path->count = 0;
}

void fm_path_add(fm_path *path, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        flush_column(path);
        path->begun = false;
        return;
    }
    double point[2] = {x, y}, column = floor(x / COLUMN);
    if (path->count > 0 && column != path->column)
        flush_column(path);
    if (path->count == 0) {
        path->column = column;
        memcpy(path->first, point, sizeof point);
        path->low_at = path->high_at = 0;
    }
    if (path->count == 0 || y < path->low[1]) {
        memcpy(path->low, point, sizeof point);
        path->low_at = path->count;
    }
    if (path->count == 0 || y > path->high[1]) {
        memcpy(path->high, point, sizeof point);
        path->high_at = path->count;
    }
    memcpy(path->last, point, sizeof point);
    path->count++;
}

void fm_path_end(fm_path *path)
{
    flush_column(path);
}
