/* A fish that finds a colour with its cameras (scenarios/fish-target.xml): its way from above, and what it sees. */
#include <math.h>

#include "figures/fish.h"

static const struct column {
    double north, east; /* m, of fish-target.xml */
    uint32_t colour;
} columns[4] = {{1.9, 1.7, 0xc0392b}, {5.2, 1.3, 0x3a9d4b}, {3.4, 3.9, 0x3455c9}, {1.3, 3.7, 0xd4b80e}};
static const double radius = 0.15, size = 20 * FM_DEGREE; /* of the columns, m; apparent width asked for */

static void draw_way(fm_axes *a, const fm_track *fish)
{
    fm_axes_equal(a);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -0.2, .max = 5.2});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -0.2, .max = 7.2});
    fm_axes_line(a, (double[]){0, 0, 5, 5, 0}, (double[]){0, 7, 7, 0, 0}, 5,
                 &(fm_line_style){.colour = fm_colour_hex(0x555b63)});
    for (int c = 0; c < 4; c++) {
        double north[33], east[33];
        for (int i = 0; i < 33; i++) {
            north[i] = columns[c].north + radius * cos(2 * M_PI * i / 32);
            east[i] = columns[c].east + radius * sin(2 * M_PI * i / 32);
        }
        fm_axes_polygon(a, east, north, 33, &(fm_area_style){.colour = fm_colour_hex(columns[c].colour), .opacity = 1});
    }
    const double *x = fm_track_column(fish, "x"), *y = fm_track_column(fish, "y");
    double psi = fm_track_at(fish, "psi", 0);
    fm_axes_line(a, y, x, fm_track_rows(fish), &(fm_line_style){.label = "the fish"});
    fm_axes_arrows(a, y, x, (double[]){sin(psi)}, (double[]){cos(psi)}, 1,
                   &(fm_arrow_style){.colour = fm_colour_hex(0x202124), .length = 14});
}

static const double *in_degrees(fm_sheet *sheet, const fm_track *fish, const char *name)
{
    size_t n = fm_track_rows(fish);
    const double *from = fm_track_column(fish, name);
    double *to = fm_sheet_reals(sheet, n);
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] / FM_DEGREE;
    return to;
}

/* Mean distance from the red column over the last `last` seconds, and the angle gone round it, rad. */
static double circle(const fm_track *fish, double last, double *round)
{
    const double *t = fm_track_column(fish, "t"), *x = fm_track_column(fish, "x"), *y = fm_track_column(fish, "y");
    size_t n = fm_track_rows(fish), counted = 0;
    double sum = 0, before = NAN;
    *round = 0;
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - columns[0].north, dy = y[i] - columns[0].east, at = atan2(dy, dx);
        if (t[i] < t[n - 1] - last)
            continue;
        *round += counted ? remainder(at - before, 2 * M_PI) : 0;
        before = at;
        sum += hypot(dx, dy);
        counted++;
    }
    return sum / (double)counted;
}

fm_status fm_fish_draw_target(fm_sheet *sheet, fm_error *error)
{
    const fm_track *fish = fm_sheet_run(sheet, &(fm_run_request){.scenario = "fish-target"}, error);
    if (!fish)
        return error->status;
    size_t n = fm_track_rows(fish);
    const double *t = fm_track_column(fish, "t");
    fm_figure *figure = fm_sheet_figure(sheet, 170, 105);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 2, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1),
            *c = fm_figure_axes(figure, 1, 1, 1, 1);
    draw_way(a, fish);
    fm_axes_y(b, &(fm_axis_style){.label = "bearing in the pictures", .unit = "°"});
    fm_axes_line(b, t, in_degrees(sheet, fish, "fish-brain.target_bearing"), n, NULL);
    fm_axes_x(c, &(fm_axis_style){.label = "time", .unit = "s", .min = 0, .max = 120});
    fm_axes_y(c, &(fm_axis_style){.label = "width in the pictures", .unit = "°", .min = 0, .max = 40});
    fm_axes_line(c, t, in_degrees(sheet, fish, "fish-brain.target_width"), n, NULL);
    fm_axes_line(c, (double[]){0, 120}, (double[]){size / FM_DEGREE, size / FM_DEGREE}, 2,
                 &(fm_line_style){.label = "asked for", .colour = fm_colour_hex(0x9aa0a6), .dash = FM_DASH_DASHED});
    double round, distance = circle(fish, 60, &round);
    fm_sheet_check_near(sheet, "distance of the circle from the red column's axis", NULL, "m", distance,
                        radius / sin(0.5 * size), 0.1 * radius / sin(0.5 * size),
                        "radius/sin of half the width asked for");
    fm_sheet_check_range(sheet, "way round the column in the last minute", NULL, "rad", fabs(round), 2 * M_PI, INFINITY,
                         "");
    fm_sheet_check_near(sheet, "contacts", NULL, "", fm_track_metric(fish, "contacts"), 0, 0, "");
    fm_sheet_note(sheet,
                  "The task is ours. The fish begins with the red column out of sight (arrow); gaps: it is not in "
                  "the pictures. What it knows of the column is bearing and width in the pictures.");
    return FM_OK;
}
