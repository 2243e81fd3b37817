/* The progress of a search of `fathom optimise`: costs, and the values that were tried; or a Pareto front. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "optimise.h"
#include "plot/figure.h"

enum { DRAWN_MOST = 6 };

/* A column of the points or of the values. */
static void copy_column(const double *from, size_t width, size_t column, size_t count, double *to)
{
    for (size_t k = 0; k < count; k++)
        to[k] = from[k * width + column];
}

static void draw_costs(fm_axes *axes, const fm_search *s, const double *x, double *y, fm_theme theme)
{
    double *at = fm_alloc((2 * s->generation_count + 1) * sizeof *at), *best = at + s->generation_count;
    if (!at)
        return;
    for (size_t g = 0; g < s->generation_count; g++) {
        at[g] = (double)(s->generations[g].first + s->generations[g].count);
        best[g] = s->generations[g].best;
    }
    copy_column(s->values, s->objectives + s->limits, 0, s->count, y);
    fm_axes_scatter(axes, x, y, s->count,
                    &(fm_scatter_style){.label = "tried", .size = 2, .colour = fm_colour_series(theme, 0)});
    fm_axes_line(axes, at, best, s->generation_count,
                 &(fm_line_style){.label = "least so far", .colour = fm_colour_series(theme, 1), .step = true});
    fm_axes_level(axes, s->start_values[0], "at the start", &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_y(axes, &(fm_axis_style){.label = "cost"});
    fm_axes_legend(axes, FM_LEGEND_FIGURE);
    fm_free(at);
}

/* Over the evaluations; for a single parameter also the cost over it. */
static void draw_axis(fm_axes *axes, const fm_search *s, size_t i, const double *x, double *y, fm_theme theme)
{
    const fm_search_axis *a = &s->axes[i];
    copy_column(s->points, s->axis_count, i, s->count, y);
    fm_axes_title(axes, a->path);
    fm_axes_scatter(axes, x, y, s->count, &(fm_scatter_style){.size = 2, .colour = fm_colour_series(theme, 0)});
    fm_axes_level(axes, s->points[s->best * s->axis_count + i], "best",
                  &(fm_line_style){.colour = fm_colour_series(theme, 1)});
    fm_axes_level(axes, a->start, "start", &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_y(axes, &(fm_axis_style){.label = "value", .unit = a->unit[0] ? a->unit : NULL});
}

static void draw_curve(fm_axes *axes, const fm_search *s, double *y, fm_theme theme)
{
    const fm_search_axis *a = &s->axes[0];
    char number[40];
    copy_column(s->values, s->objectives + s->limits, 0, s->count, y);
    fm_axes_scatter(axes, s->points, y, s->count,
                    &(fm_scatter_style){.size = 2.4, .colour = fm_colour_series(theme, 0)});
    snprintf(number, sizeof number, "start %.4g", a->start);
    fm_axes_event(axes, a->start, number, &(fm_line_style){.dash = FM_DASH_DASHED});
    fm_axes_x(axes, &(fm_axis_style){.label = a->path, .unit = a->unit[0] ? a->unit : NULL});
    fm_axes_y(axes, &(fm_axis_style){.label = "cost"});
}

static void draw_progress(fm_figure *figure, const fm_search *s, size_t drawn, double *x, double *y, fm_theme theme)
{
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(axes, &(fm_axis_style){.label = ""});
    draw_costs(axes, s, x, y, theme);
    for (size_t i = 0; i < drawn; i++) {
        axes = fm_figure_axes(figure, 1 + i, 0, 1, 1);
        fm_axes_x(axes, &(fm_axis_style){.label = i + 1 == drawn ? "evaluation" : ""});
        draw_axis(axes, s, i, x, y, theme);
    }
    if (s->axis_count == 1)
        draw_curve(fm_figure_axes(figure, 1 + drawn, 0, 1, 1), s, y, theme);
}

/* The other objectives over the first one: all points, and the front. */
static void draw_fronts(fm_figure *figure, const fm_search *s, double *x, double *y, fm_theme theme)
{
    const size_t width = s->objectives + s->limits;
    for (size_t i = 1; i < s->objectives; i++) {
        fm_axes *axes = fm_figure_axes(figure, i - 1, 0, 1, 1);
        copy_column(s->values, width, 0, s->count, x);
        copy_column(s->values, width, i, s->count, y);
        fm_axes_scatter(axes, x, y, s->count,
                        &(fm_scatter_style){.label = "tried", .size = 2, .colour = fm_colour_series(theme, 0)});
        for (size_t k = 0; k < s->front_count; k++) {
            x[k] = s->values[s->front_points[k] * width];
            y[k] = s->values[s->front_points[k] * width + i];
        }
        fm_axes_scatter(axes, x, y, s->front_count,
                        &(fm_scatter_style){.label = "front", .size = 3, .colour = fm_colour_series(theme, 1)});
        fm_axes_x(axes, &(fm_axis_style){.label = fm_search_value_name(s, 0)});
        fm_axes_y(axes, &(fm_axis_style){.label = fm_search_value_name(s, i)});
        if (i == 1)
            fm_axes_legend(axes, FM_LEGEND_FIGURE);
    }
}

fm_status cli_optimise_draw(const cli_optimise_options *o, const fm_search *s, fm_error *error)
{
    const size_t drawn = s->axis_count < DRAWN_MOST ? s->axis_count : DRAWN_MOST;
    const fm_theme theme = o->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
    const bool front = s->objectives > 1;
    double *x = fm_alloc((2 * s->count + 1) * sizeof *x);
    if (!x)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the figure");
    for (size_t k = 0; k < s->count; k++)
        x[k] = (double)(k + 1);
    const double rows = front ? (double)(s->objectives - 1) : (double)(drawn + (s->axis_count == 1));
    fm_figure *figure = fm_figure_create(160, (front ? 40 : 70) + (front ? 80 : 45) * rows, theme);
    if (o->title)
        fm_figure_title(figure, o->title);
    if (front)
        draw_fronts(figure, s, x, x + s->count, theme);
    else
        draw_progress(figure, s, drawn, x, x + s->count, theme);
    fm_status status = fm_figure_write(figure, o->out, error);
    fm_figure_destroy(figure);
    fm_free(x);
    return status;
}
