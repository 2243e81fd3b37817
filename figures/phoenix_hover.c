/* Phoenix: thrusters, one propeller, released from an angle. */
#include <math.h>

#include "figures/phoenix.h"

/* --- tunnel thrusters --- */

enum { RUNS = 4 };

static const struct thruster_run {
    const char *title, *orders, *column, *label, *unit;
    int angular;
} runs[RUNS] = {
    {"both vertical", "vertical-thrusters='24 V'", "w", "heave", "ft/s", 0},
    {"bow vertical alone", "bow-vertical='24 V'", "theta", "pitch", "°", 1},
    {"lateral, opposed", "bow-lateral='24 V' stern-lateral='-24 V'", "r", "yaw rate", "°/s", 1},
    {"both lateral", "lateral-thrusters='24 V'", "v", "sway", "ft/s", 0},
};

static void check_thrusters(fm_sheet *sheet, fm_track *const tracks[RUNS])
{
    const char *r = fm_phoenix_reference;
    fm_sheet_check_near(
        sheet, "both vertical: heave after 60 s", NULL, "ft/s", fm_track_at(tracks[0], "w", 60) / FM_FOOT,
        0.8405196687943264, 0.005,
        "(6.50) prints a minus, against the sign convention stated with (6.45); an independent program with plus");
    fm_sheet_check_near(sheet, "both vertical: pitch after 60 s", NULL, "°",
                        fm_track_at(tracks[0], "theta", 60) / FM_DEGREE, -0.9296859613834023, 0.05, r);
    fm_sheet_check_near(sheet, "bow vertical: heave after 5 s", NULL, "ft/s", fm_track_at(tracks[1], "w", 5) / FM_FOOT,
                        0.1939625295759522, 0.003, r);
    fm_sheet_check_near(sheet, "bow vertical: pitch after 5 s", NULL, "°",
                        fm_track_at(tracks[1], "theta", 5) / FM_DEGREE, -7.249034432348239, 0.1, r);
    fm_sheet_check_near(
        sheet, "lateral, opposed: yaw rate after 60 s", NULL, "°/s", fm_track_at(tracks[2], "r", 60) / FM_DEGREE,
        13.34112673750597, 0.05,
        "an independent program. The author's program text quotes 16 °/s, chapter VI has no number; without cross-flow "
        "drag the model turns at 14.6");
    fm_sheet_check_near(sheet, "both lateral: sway after 20 s", NULL, "ft/s", fm_track_at(tracks[3], "v", 20) / FM_FOOT,
                        0.9518412440216116, 0.01, r);
    fm_sheet_check_near(sheet, "both lateral: yaw rate after 5 s", NULL, "°/s",
                        fm_track_at(tracks[3], "r", 5) / FM_DEGREE, -2.186898856726137, 0.05, r);
}

fm_status fm_phoenix_draw_hover(fm_sheet *sheet, fm_error *error)
{
    fm_track *tracks[RUNS];
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    for (size_t i = 0; i < RUNS; i++) {
        tracks[i] =
            fm_phoenix_run(sheet, &(fm_phoenix_case){.attributes = "", .orders = runs[i].orders, .dt = 0.02}, error);
        if (!tracks[i])
            return error->status;
        fm_axes *a = fm_figure_axes(figure, i / 2, i % 2, 1, 1);
        fm_axes_title(a, runs[i].title);
        fm_axes_x(a, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
        fm_axes_y(a, &(fm_axis_style){.label = runs[i].label, .unit = runs[i].unit});
        fm_axes_line(a, fm_track_column(tracks[i], "t"),
                     fm_phoenix_column(sheet, tracks[i], runs[i].column, runs[i].angular ? FM_DEGREE : FM_FOOT),
                     fm_track_rows(tracks[i]), NULL);
        if (i == 2)
            fm_axes_level(a, 16, "16 °/s: the author's program, not chapter VI",
                          &(fm_line_style){.dash = FM_DASH_DOTTED});
    }
    check_thrusters(sheet, tracks);
    return FM_OK;
}

/* --- one propeller --- */

fm_status fm_phoenix_draw_port(fm_sheet *sheet, fm_error *error)
{
    static const char *const names[2] = {"port propeller", "starboard propeller"}, *const orders[2] = {
                                                                                       "port-propeller='700 rpm'",
                                                                                       "starboard-propeller='700 rpm'"};
    fm_track *tracks[2];
    fm_figure *figure = fm_sheet_figure(sheet, 170, 85);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "ft"});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "ft"});
    fm_axes_equal(a);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "yaw rate", .unit = "°/s"});
    for (size_t i = 0; i < 2; i++) {
        tracks[i] = fm_phoenix_run(sheet, &(fm_phoenix_case){.attributes = "", .orders = orders[i]}, error);
        if (!tracks[i])
            return error->status;
        size_t n = fm_track_rows(tracks[i]);
        fm_axes_line(a, fm_phoenix_column(sheet, tracks[i], "y", FM_FOOT),
                     fm_phoenix_column(sheet, tracks[i], "x", FM_FOOT), n, &(fm_line_style){.label = names[i]});
        fm_axes_line(b, fm_track_column(tracks[i], "t"), fm_phoenix_column(sheet, tracks[i], "r", FM_DEGREE), n, NULL);
    }
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    fm_sheet_check_near(sheet, "port alone: speed after 60 s", NULL, "ft/s", fm_track_at(tracks[0], "u", 60) / FM_FOOT,
                        1.3821674710312772, 0.002, "half the thrust gives 1/√2 of the speed, less the drift");
    fm_sheet_check_near(sheet, "port alone: yaw rate after 60 s", NULL, "°/s",
                        fm_track_at(tracks[0], "r", 60) / FM_DEGREE, 0.7638705846955359, 0.005, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "port alone: heading after 60 s", NULL, "°",
                        fm_track_at(tracks[0], "psi", 60) / FM_DEGREE, 55.93921102092404, 0.3, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "starboard mirrors port: sum of the yaw rates", NULL, "°/s",
                        (fm_track_at(tracks[0], "r", 60) + fm_track_at(tracks[1], "r", 60)) / FM_DEGREE, 0, 1e-9,
                        "symmetry");
    return FM_OK;
}

/* --- released --- */

static size_t lowest_row(const double *x, size_t n)
{
    size_t least = 0;
    for (size_t i = 0; i < n; i++)
        least = x[i] < x[least] ? i : least;
    return least;
}

/* Mean time between two crossings of zero, twice: the period. */
static double period_of(const double *t, const double *x, size_t n)
{
    double first = NAN, last = NAN;
    int count = 0;
    for (size_t i = 1; i < n; i++)
        if ((x[i] > 0) != (x[i - 1] > 0)) {
            last = t[i - 1] + (t[i] - t[i - 1]) * x[i - 1] / (x[i - 1] - x[i]);
            first = count++ ? first : last;
        }
    return count > 1 ? 2 * (last - first) / (count - 1) : NAN;
}

static void check_release(fm_sheet *sheet, const fm_track *roll, const double *phi, const fm_track *pitch,
                          const double *theta)
{
    size_t low = lowest_row(phi, fm_track_rows(roll));
    fm_sheet_check_near(sheet, "roll after 1 s", NULL, "°", fm_track_at(roll, "phi", 1) / FM_DEGREE, 4.654833371964654,
                        0.05, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "furthest roll to the other side", NULL, "°", phi[low], -0.2902018927890242, 0.02,
                        fm_phoenix_reference);
    fm_sheet_check_near(sheet, "its time", NULL, "s", fm_track_column(roll, "t")[low], 3.195, 0.03,
                        fm_phoenix_reference);
    low = lowest_row(theta, fm_track_rows(pitch));
    fm_sheet_check_near(sheet, "furthest pitch to the other side", NULL, "°", theta[low], -7.422851092732888, 0.1,
                        fm_phoenix_reference);
    fm_sheet_check_near(sheet, "period of pitch", NULL, "s",
                        period_of(fm_track_column(pitch, "t"), theta, fm_track_rows(pitch)), 13.03875, 0.1,
                        fm_phoenix_reference);
}

fm_status fm_phoenix_draw_release(fm_sheet *sheet, fm_error *error)
{
    fm_track *roll = fm_phoenix_run(sheet,
                                    &(fm_phoenix_case){.attributes = "position='0 0 10 ft' attitude='10 0 0 deg'",
                                                       .orders = "propellers='0 rpm'",
                                                       .dt = 0.005,
                                                       .duration = 10},
                                    error);
    fm_track *pitch =
        roll ? fm_phoenix_run(sheet,
                              &(fm_phoenix_case){.attributes = "position='0 0 10 ft' attitude='0 10 0 deg'",
                                                 .orders = "propellers='0 rpm'",
                                                 .dt = 0.01,
                                                 .duration = 60},
                              error)
             : NULL;
    if (!pitch)
        return error->status;
    double *phi = fm_phoenix_column(sheet, roll, "phi", FM_DEGREE),
           *theta = fm_phoenix_column(sheet, pitch, "theta", FM_DEGREE);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 75);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(a, &(fm_axis_style){.label = "roll", .unit = "°"});
    fm_axes_line(a, fm_track_column(roll, "t"), phi, fm_track_rows(roll), NULL);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "pitch", .unit = "°"});
    fm_axes_line(b, fm_track_column(pitch, "t"), theta, fm_track_rows(pitch), NULL);
    check_release(sheet, roll, phi, pitch, theta);
    return FM_OK;
}
