/* The progress of a search of `fathom optimise`: costs, and the values that were tried. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "optimise.h"
#include "plot/figure.h"

enum { DRAWN_MOST = 6 };

static void draw_costs(fm_axes *axes, const cli_optimise_case *c, const double *x, fm_theme theme)
{
    double *at = fm_alloc((2 * c->generations + 1) * sizeof *at);
    if (!at)
        return;
    for (size_t g = 0; g < c->generations; g++)
        at[g] = (double)((g + 1) * c->search.lambda);
    fm_axes_scatter(axes, x, c->costs, c->count,
                    &(fm_scatter_style){.label = "tried", .size = 2, .colour = fm_colour_series(theme, 0)});
    fm_axes_line(axes, at, c->best, c->generations,
                 &(fm_line_style){.label = "least so far", .colour = fm_colour_series(theme, 1), .step = true});
    fm_axes_level(axes, c->start_cost, "at the start", &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_y(axes, &(fm_axis_style){.label = "cost"});
    fm_axes_legend(axes, FM_LEGEND_FIGURE);
    fm_free(at);
}

/* Over the evaluations; for a single parameter also the cost over it. */
static void draw_axis(fm_axes *axes, const cli_optimise_case *c, size_t i, const double *x, double *y, fm_theme theme)
{
    const cli_optimise_axis *a = &c->axes[i];
    for (size_t k = 0; k < c->count; k++)
        y[k] = c->points[k * c->axis_count + i];
    fm_axes_title(axes, a->path);
    fm_axes_scatter(axes, x, y, c->count, &(fm_scatter_style){.size = 2, .colour = fm_colour_series(theme, 0)});
    fm_axes_level(axes, fm_cma_bounded(c->search.best[i], a->low, a->high), "best",
                  &(fm_line_style){.colour = fm_colour_series(theme, 1)});
    fm_axes_level(axes, a->start, "start", &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_y(axes, &(fm_axis_style){.label = "value", .unit = a->unit[0] ? a->unit : NULL});
}

static void draw_curve(fm_axes *axes, const cli_optimise_case *c, fm_theme theme)
{
    const cli_optimise_axis *a = &c->axes[0];
    char number[40];
    fm_axes_scatter(axes, c->points, c->costs, c->count,
                    &(fm_scatter_style){.size = 2.4, .colour = fm_colour_series(theme, 0)});
    snprintf(number, sizeof number, "start %.4g", a->start);
    fm_axes_event(axes, a->start, number, &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_x(axes, &(fm_axis_style){.label = a->path, .unit = a->unit[0] ? a->unit : NULL});
    fm_axes_y(axes, &(fm_axis_style){.label = "cost"});
}

fm_status cli_optimise_draw(const cli_optimise_options *o, const cli_optimise_case *c, fm_error *error)
{
    size_t drawn = c->axis_count < DRAWN_MOST ? c->axis_count : DRAWN_MOST;
    fm_theme theme = o->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
    bool curve = c->axis_count == 1;
    double *x = fm_alloc((2 * c->count + 1) * sizeof *x);
    if (!x)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the figure");
    for (size_t k = 0; k < c->count; k++)
        x[k] = (double)(k + 1);
    fm_figure *figure = fm_figure_create(160, 70 + 45 * (double)(drawn + curve), theme);
    if (o->title)
        fm_figure_title(figure, o->title);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(axes, &(fm_axis_style){.label = ""});
    draw_costs(axes, c, x, theme);
    for (size_t i = 0; i < drawn; i++) {
        axes = fm_figure_axes(figure, 1 + i, 0, 1, 1);
        fm_axes_x(axes, &(fm_axis_style){.label = i + 1 == drawn ? "evaluation" : ""});
        draw_axis(axes, c, i, x, x + c->count, theme);
    }
    if (curve)
        draw_curve(fm_figure_axes(figure, 1 + drawn, 0, 1, 1), c, theme);
    fm_status status = fm_figure_write(figure, o->out, error);
    fm_figure_destroy(figure);
    fm_free(x);
    return status;
}
