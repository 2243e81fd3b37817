/* REMUS: over a sill and around the pier on it, in both planes at once, from the scenario remus-both-planes. */
#include <math.h>

#include "figures/remus.h"

/* As in the scenario, m: from and to along the way, from port to starboard, depth of the top. */
static const double sill[5] = {95, 105, -80, 80, 17.4}, pier[5] = {96, 104, -3.5, 6.5, 0};

static void draw_box(fm_axes *axes, const double low[2], const double high[2], uint32_t colour, const char *label)
{
    const double x[4] = {low[0], high[0], high[0], low[0]}, y[4] = {low[1], low[1], high[1], high[1]};
    fm_axes_polygon(axes, x, y, 4, &(fm_area_style){.colour = fm_colour_hex(colour), .opacity = 0.45, .label = label});
}

static void draw_way(fm_axes *axes, const fm_track *track, const char *column, const char *label, size_t series)
{
    fm_axes_line(axes, fm_track_column(track, "x"), fm_track_column(track, column), fm_track_rows(track),
                 &(fm_line_style){.label = label, .colour = fm_colour_series(FM_THEME_LIGHT, series), .width = 1.5});
}

static void draw_ways(fm_figure *figure, fm_track *const tracks[3])
{
    static const char *const names[3] = {"both planes", "steering alone (gain 0)", "climbing alone (empty map)"};
    fm_axes *plan = fm_figure_axes(figure, 0, 0, 1, 1), *section = fm_figure_axes(figure, 1, 0, 1, 1);
    draw_box(plan, (double[]){sill[0], -30}, (double[]){sill[1], 30}, 0x8a7355, NULL);
    draw_box(plan, (double[]){pier[0], pier[2]}, (double[]){pier[1], pier[3]}, 0x4a4540, NULL);
    draw_box(section, (double[]){40, 20}, (double[]){210, 21}, 0x8a7355, NULL);
    draw_box(section, (double[]){sill[0], sill[4]}, (double[]){sill[1], 20}, 0x8a7355, NULL);
    draw_box(section, (double[]){pier[0], pier[4]}, (double[]){pier[1], sill[4]}, 0x4a4540, NULL);
    for (size_t i = 3; i-- > 0;) {
        draw_way(plan, tracks[i], "y", names[i], i);
        draw_way(section, tracks[i], "z", NULL, i);
    }
    fm_axes_x(plan, &(fm_axis_style){.unit = "m", .min = 40, .max = 210});
    fm_axes_x(section, &(fm_axis_style){.unit = "m", .min = 40, .max = 210});
    fm_axes_title(plan, "from above: the sill across the way, the pier on it");
    fm_axes_title(section, "from the side");
    fm_axes_y(plan, &(fm_axis_style){.label = "east", .unit = "m", .min = -30, .max = 30, .reversed = true});
    fm_axes_y(section, &(fm_axis_style){.label = "depth", .unit = "m", .min = 10, .max = 21, .reversed = true});
    fm_axes_legend(plan, FM_LEGEND_ABOVE);
}

/* Ordered climb and turn over the way, and for how long both are ordered at once, s. */
static double draw_orders(fm_sheet *sheet, fm_figure *figure, const fm_track *track)
{
    const size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"),
                 *altitude = fm_track_column(track, "avoid.altitude"),
                 *heading = fm_track_column(track, "planner.heading");
    double *raised = fm_sheet_reals(sheet, n), *turned = fm_sheet_reals(sheet, n), both = 0;
    fm_axes *climb = fm_figure_axes(figure, 2, 0, 1, 1), *turn = fm_figure_axes(figure, 3, 0, 1, 1);
    for (size_t i = 0; raised && turned && i < n; i++) {
        raised[i] = i ? altitude[i] - 3 : 0;
        turned[i] = i ? remainder(heading[i], 2 * M_PI) / FM_DEGREE : 0;
        both += i && raised[i] > 1 && fabs(turned[i]) > 10 ? t[i] - t[i - 1] : 0;
    }
    fm_axes_y(climb, &(fm_axis_style){.label = "raised by", .unit = "m", .min = 0, .max = 18});
    fm_axes_y(turn, &(fm_axis_style){.label = "heading", .unit = "°", .min = -50, .max = 50});
    if (raised && turned) {
        fm_axes_line(climb, x, raised, n,
                     &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 3), .step = true});
        fm_axes_line(turn, x, turned, n, &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 4), .step = true});
    }
    fm_axes_x(climb, &(fm_axis_style){.unit = "m", .min = 40, .max = 210});
    fm_axes_title(climb, "ordered altitude above 3 m");
    fm_axes_title(turn, "ordered heading");
    fm_axes_x(turn, &(fm_axis_style){.label = "north", .unit = "m", .min = 40, .max = 210});
    return both;
}

static void check_planes(fm_sheet *sheet, fm_track *const tracks[3], double both)
{
    const fm_track *t = tracks[0];
    const double *y = fm_track_column(t, "y"), *z = fm_track_column(t, "z");
    double aside = 0, climb = 0;
    for (size_t i = 0; i < fm_track_rows(t); i++) {
        aside = fmax(aside, fabs(y[i]));
        climb = fmax(climb, 17 - z[i]);
    }
    fm_sheet_check_near(sheet, "contacts", NULL, "", fm_track_metric(t, "contacts"), 0, 0, "counted by the world");
    fm_sheet_check_range(sheet, "least clearance", NULL, "m", fm_track_metric(t, "min_clearance"), 1.5, INFINITY,
                         "of the hull to sill, pier and bottom");
    fm_sheet_check_range(sheet, "climbed", NULL, "m", climb, 1.5, INFINITY,
                         "over the sill, whose top is 0.4 m below the way");
    fm_sheet_check_range(sheet, "steered aside", NULL, "m", aside, 8, INFINITY, "around the pier, 3.5 m to port");
    fm_sheet_check_range(sheet, "time in which both a climb and a turn are ordered", NULL, "s", both, 3, INFINITY,
                         "more than 1 m and more than 10°");
    fm_sheet_check_range(sheet, "steering alone: contacts", NULL, "", fm_track_metric(tracks[1], "contacts"), 1,
                         INFINITY, "with the sill");
    fm_sheet_check_range(sheet, "climbing alone: contacts", NULL, "", fm_track_metric(tracks[2], "contacts"), 1,
                         INFINITY, "with the pier");
}

fm_status fm_remus_draw_planes(fm_sheet *sheet, fm_error *error)
{
    static const char *const sets[3][3] = {{NULL},
                                           {"/remus/avoid/gain=0", "/remus/contact/ends=true", NULL},
                                           {"/remus/planner/hits=255", "/remus/contact/ends=true", NULL}};
    fm_track *tracks[3];
    for (size_t i = 0; i < 3; i++) {
        tracks[i] = fm_sheet_run(
            sheet,
            &(fm_run_request){.scenario = "remus-both-planes", .vehicle = "remus", .sets = sets[i], .every = 0.2},
            error);
        if (!tracks[i])
            return error->status;
    }
    fm_figure *figure = fm_sheet_figure(sheet, 170, 190);
    fm_figure_share_x(figure);
    fm_figure_row_height(figure, 0, 1.4);
    fm_figure_row_height(figure, 1, 1.2);
    draw_ways(figure, tracks);
    check_planes(sheet, tracks, draw_orders(sheet, figure, tracks[0]));
    fm_sheet_note(sheet, "An upright fan of rays raises the altitude, a level one draws the map by which the planner "
                         "steers. The runs that strike sill or pier end there.");
    return FM_OK;
}
