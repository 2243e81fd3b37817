#include "plot/fixes.h"

#include <math.h>
#include <stdio.h>

#include "plot/overview.h"

enum { ELLIPSES_DRAWN = 16, LABEL = 160 };

typedef struct fix_map {
    const fm_run_data *run;
    fm_axes *above, *off; /* the map; distance from the truth */
    fm_theme theme;
    size_t believers; /* vehicles that believe something */
    size_t colours;   /* given so far */
    fm_colour own;    /* of the drawn vehicle: with several vehicles, all of them */
} fix_map;

static int believes(const fm_run_vehicle *v)
{
    return v->fix_count + v->estimate_count > 0;
}

/* "estimate (navigation)", with the vehicle's name where there are several. */
static const char *label_of(const fix_map *m, const fm_run_vehicle *v, const char *what, const char *part,
                            char text[LABEL])
{
    char whose[60] = "";
    if (m->believers > 1)
        snprintf(whose, sizeof whose, "%.50s: ", v->name);
    snprintf(text, LABEL, part ? "%s%s (%.60s)" : "%s%s", whose, what, part);
    return text;
}

static void draw_error(const fix_map *m, const fm_run_vehicle *v, const fm_run_estimate *e, fm_colour colour, int fix)
{
    char text[LABEL];
    const fm_run_series *s = &e->error;
    const char *label = label_of(m, v, fix ? "fixes" : "estimate", e->name, text);
    if (fix && s->count)
        fm_axes_scatter(m->off, s->t, s->y, s->count,
                        &(fm_scatter_style){.colour = colour, .marker = FM_MARKER_CROSS, .size = 3.5, .label = label});
    else
        fm_axes_line(m->off, s->t, s->y, s->count, &(fm_line_style){.colour = colour, .width = 1, .label = label});
    if (e->spread.count)
        fm_axes_line(m->off, e->spread.t, e->spread.y, e->spread.count,
                     &(fm_line_style){.colour = colour,
                                      .width = 0.8,
                                      .dash = FM_DASH_DOTTED,
                                      .label = m->believers > 1 ? NULL
                                               : fix            ? "their standard deviation"
                                                                : "its standard deviation"});
}

/* After all colours they repeat, paler. */
static fm_colour next_colour(fix_map *m)
{
    const size_t i = m->colours++;
    const fm_colour colour = fm_colour_series(m->theme, i);
    return i < FM_SERIES_COLOURS ? colour : fm_colour_faded(colour, 0.55);
}

static void draw_belief(fix_map *m, const fm_run_vehicle *v, const fm_run_estimate *e, int fix)
{
    char text[LABEL];
    fm_colour colour = m->believers > 1 ? m->own : next_colour(m);
    const double *x = e->track.position[1], *y = e->track.position[0];
    const char *label = label_of(m, v, fix ? "fixes" : "estimate", e->name, text);
    fm_overview_ellipses(m->above, e, fix ? FM_RUN_ELLIPSES : ELLIPSES_DRAWN, colour, NULL);
    if (fix)
        fm_axes_scatter(m->above, x, y, e->track.count,
                        &(fm_scatter_style){.colour = colour, .marker = FM_MARKER_CROSS, .size = 3.5, .label = label});
    else
        fm_axes_line(m->above, x, y, e->track.count,
                     &(fm_line_style){.colour = colour, .width = 1, .dash = FM_DASH_DASH_DOT, .label = label});
    draw_error(m, v, e, colour, fix);
}

static void draw_believer(fix_map *m, const fm_run_vehicle *v)
{
    char text[LABEL];
    fm_colour colour = m->own = next_colour(m);
    const double *x = v->track.position[1], *y = v->track.position[0];
    fm_axes_line(m->above, x, y, v->track.count,
                 &(fm_line_style){.colour = colour, .label = label_of(m, v, "true", NULL, text)});
    if (v->track.count)
        fm_axes_scatter(m->above, x, y, 1, &(fm_scatter_style){.colour = colour, .marker = FM_MARKER_RING, .size = 5});
    for (size_t k = 0; k < v->fix_count; k++)
        draw_belief(m, v, &v->fixes[k], 1);
    for (size_t k = 0; k < v->estimate_count; k++)
        draw_belief(m, v, &v->estimates[k], 0);
}

/* Beacons and other vehicles: track and name. */
static void draw_other(fix_map *m, const fm_run_vehicle *v)
{
    fm_theme_colours colours = fm_theme_colours_of(m->theme);
    const double *x = v->track.position[1], *y = v->track.position[0];
    size_t last = v->track.count - 1;
    if (!v->track.count)
        return;
    fm_axes_line(m->above, x, y, v->track.count, &(fm_line_style){.colour = colours.soft_ink, .width = 0.7});
    fm_axes_scatter(m->above, x + last, y + last, 1,
                    &(fm_scatter_style){.colour = colours.ink, .marker = FM_MARKER_TRIANGLE, .size = 5});
    fm_axes_text(m->above, x[last], y[last], v->name,
                 &(fm_text_style){.colour = colours.ink, .size = 7, .beside = true});
}

static void draw_all(fix_map *m)
{
    for (size_t i = 0; i < m->run->vehicle_count; i++)
        if (!believes(&m->run->vehicles[i]))
            draw_other(m, &m->run->vehicles[i]);
    for (size_t i = 0; i < m->run->vehicle_count; i++)
        if (believes(&m->run->vehicles[i]))
            draw_believer(m, &m->run->vehicles[i]);
}

fm_figure *fm_fixes_draw(const fm_run_data *run, fm_theme theme, fm_error *error)
{
    fix_map m = {.run = run, .theme = theme};
    for (size_t i = 0; i < run->vehicle_count; i++)
        m.believers += (size_t)believes(&run->vehicles[i]);
    if (!m.believers)
        return fm_fail(
                   error, FM_ERR_MISSING,
                   "no fix and no estimate in this log: no vehicle publishes geometry_msgs/PoseWithCovarianceStamped "
                   "(<lbl>) or where it believes to be (<navigation>)"),
               NULL;
    fm_figure *figure = fm_figure_create(190, 190, theme);
    if (!figure)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the figure"), NULL;
    m.above = fm_figure_axes(figure, 0, 0, 1, 1);
    m.off = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_figure_row_height(figure, 0, 2.8);
    fm_figure_title(figure, run->title && run->title[0] ? run->title : "Fixes and estimates");
    fm_axes_title(m.above, "From above");
    fm_axes_x(m.above, &(fm_axis_style){.label = "east", .unit = "m"});
    fm_axes_y(m.above, &(fm_axis_style){.label = "north", .unit = "m"});
    fm_axes_equal(m.above);
    fm_axes_title(m.off, "Distance from the truth");
    fm_axes_x(m.off, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(m.off, &(fm_axis_style){.label = "distance", .unit = "m", .min = 0, .max = NAN});
    draw_all(&m);
    fm_figure_note(figure, "○ start; ellipses: two standard deviations, of some of the places");
    return figure;
}
