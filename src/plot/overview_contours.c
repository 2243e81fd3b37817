/* Depth contours of the bottom below a track seen from above. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "plot/overview_page.h"

enum { NODES = 161, LEVELS = 9, LABELS_MOST = 2 };

typedef struct contour_lines {
    double *east, *north; /* pairs of points, a NaN after each */
    size_t count, room;
    bool failed;
} contour_lines;

static void add_point(contour_lines *l, double east, double north)
{
    if (l->count == l->room) {
        size_t room = 2 * l->room + 512;
        double *x = fm_realloc(l->east, room * sizeof *x);
        l->east = x ? x : l->east;
        double *y = x ? fm_realloc(l->north, room * sizeof *y) : NULL;
        l->north = y ? y : l->north;
        l->failed |= !y;
        l->room = y ? room : l->room;
    }
    if (l->failed)
        return;
    l->east[l->count] = east;
    l->north[l->count++] = north;
}

/* Depths on an even grid over a box: west, east, south, north. */
typedef struct depth_grid {
    double box[4], depth[NODES][NODES]; /* [north][east] */
    double low, high;
} depth_grid;

static void read_grid(depth_grid *g, const fm_run_data *run, const double box[4])
{
    g->low = HUGE_VAL;
    g->high = -HUGE_VAL;
    for (int i = 0; i < 4; i++)
        g->box[i] = box[i];
    for (int j = 0; j < NODES; j++)
        for (int i = 0; i < NODES; i++) {
            double east = box[0] + (box[1] - box[0]) * i / (NODES - 1),
                   north = box[2] + (box[3] - box[2]) * j / (NODES - 1);
            double depth = g->depth[j][i] = fm_run_data_bottom(run, north, east);
            g->low = isfinite(depth) ? fmin(g->low, depth) : g->low;
            g->high = isfinite(depth) ? fmax(g->high, depth) : g->high;
        }
}

/* Where the level crosses the side between two corners of a cell: 0 … 1; -1: it does not. */
static double crossing(double a, double b, double level)
{
    return (a < level) != (b < level) ? (level - a) / (b - a) : -1;
}

/* The pieces of a level in one cell: straight lines between the sides that it crosses. */
static void trace_cell(const depth_grid *g, int i, int j, double level, contour_lines *out)
{
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double east[4], north[4];
    int found = 0;
    for (int k = 0; k < 4; k++) {
        const int *a = corner[k], *b = corner[(k + 1) % 4];
        double da = g->depth[j + a[1]][i + a[0]], db = g->depth[j + b[1]][i + b[0]], at = crossing(da, db, level);
        if (!isfinite(da + db) || at < 0)
            continue;
        double u = i + a[0] + at * (b[0] - a[0]), v = j + a[1] + at * (b[1] - a[1]);
        east[found] = g->box[0] + (g->box[1] - g->box[0]) * u / (NODES - 1);
        north[found++] = g->box[2] + (g->box[3] - g->box[2]) * v / (NODES - 1);
    }
    for (int k = 0; k + 1 < found; k += 2) {
        add_point(out, east[k], north[k]);
        add_point(out, east[k + 1], north[k + 1]);
        add_point(out, NAN, NAN);
    }
}

static void trace_level(const depth_grid *g, double level, contour_lines *out)
{
    out->count = 0;
    for (int j = 0; j + 1 < NODES; j++)
        for (int i = 0; i + 1 < NODES; i++)
            trace_cell(g, i, j, level, out);
}

double fm_overview_contour_step(double low, double high)
{
    double step = (high - low) / LEVELS, power = pow(10, floor(log10(step)));
    return power * (step / power > 5 ? 10 : step / power > 2 ? 5 : step / power > 1 ? 2 : 1);
}

/* The number of a level, on its line, a third and two thirds along. */
static void label_level(fm_axes *axes, const contour_lines *l, double level, fm_colour colour)
{
    char text[24];
    snprintf(text, sizeof text, "%g", level);
    for (size_t k = 1; k <= LABELS_MOST && l->count > 60; k++) {
        size_t at = l->count * k / (LABELS_MOST + 1) / 3 * 3;
        fm_axes_text(axes, l->east[at], l->north[at], text,
                     &(fm_text_style){.colour = colour, .size = 6, .across = 0.5, .up = 0.5});
    }
}

void fm_overview_contours(fm_overview_page *p, fm_axes *axes, const double box[4])
{
    fm_colour colour = fm_colour_hex(p->theme == FM_THEME_DARK ? 0x7d6a4e : 0xb09a78); /* sand */
    contour_lines lines = {0};
    char name[64];
    depth_grid *grid = fm_alloc(sizeof *grid);
    if (!grid)
        return;
    const double wide = fmax(box[1] - box[0], 1.6 * (box[3] - box[2])), middle = 0.5 * (box[0] + box[1]);
    read_grid(grid, p->runs[0], (const double[4]){middle - wide / 2, middle + wide / 2, box[2], box[3]});
    double step = grid->high - grid->low > 0.05 ? fm_overview_contour_step(grid->low, grid->high) : 0;
    snprintf(name, sizeof name, "depth contours, %g m apart", step);
    for (double level = ceil(grid->low / step) * step; step > 0 && level <= grid->high; level += step) {
        trace_level(grid, level, &lines);
        if (lines.failed || !lines.count)
            continue;
        fm_axes_line(axes, lines.east, lines.north, lines.count,
                     &(fm_line_style){.colour = colour, .width = 0.6, .label = name[0] ? name : NULL});
        name[0] = 0;
        label_level(axes, &lines, level, colour);
    }
    fm_free(lines.east);
    fm_free(lines.north);
    fm_free(grid);
}
