/* Figures of a fish's abilities: the behaviours of its library, and swimming up and down. */
#include <math.h>
#include <string.h>

#include "figures/fish.h"

static const fm_track *fish_named(const fm_track *track, const char *name)
{
    while (track && strcmp(fm_track_name(track), name) != 0)
        track = fm_track_next(track);
    return track;
}

/* Speeds of some fish over time. */
static void draw_speeds(fm_axes *a, const fm_track *track, const char *const *names)
{
    fm_axes_x(a, &(fm_axis_style){.label = "time", .unit = "s", .min = 0, .max = 60});
    fm_axes_y(a, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0, .max = 0.45});
    for (; *names; names++) {
        const fm_track *each = fish_named(track, *names);
        fm_axes_line(a, fm_track_column(each, "t"), fm_track_column(each, "water-speed"), fm_track_rows(each),
                     &(fm_line_style){.label = *names});
    }
}

/* Ways of some fish from where each began. */
static void draw_ways(fm_sheet *sheet, fm_axes *a, const fm_track *track, const char *const *names)
{
    fm_axes_equal(a);
    fm_axes_x(a, &(fm_axis_style){.label = "east of the start", .unit = "m"});
    fm_axes_y(a, &(fm_axis_style){.label = "north of the start", .unit = "m"});
    for (; *names; names++) {
        const fm_track *each = fish_named(track, *names);
        size_t n = fm_track_rows(each);
        const double *x = fm_track_column(each, "x"), *y = fm_track_column(each, "y");
        double *north = fm_sheet_reals(sheet, n), *east = fm_sheet_reals(sheet, n);
        for (size_t i = 0; i < n; i++) {
            north[i] = x[i] - x[0];
            east[i] = y[i] - y[0];
        }
        fm_axes_line(a, east, north, n, &(fm_line_style){.label = *names});
    }
}

static void check_behaviours(fm_sheet *sheet, const fm_track *track)
{
    const fm_track *quick = fish_named(track, "accelerating"), *slow = fish_named(track, "decelerating"),
                   *round = fish_named(track, "turning"), *avoiding = fish_named(track, "avoiding");
    fm_sheet_check_near(sheet, "speed gained in 20 s of accelerating at 0.01 m/s²", NULL, "m/s",
                        fm_track_at(quick, "water-speed", 20) - 0.1, 0.2, 2e-3, "a t");
    fm_sheet_check_near(sheet, "speed lost in 20 s of decelerating at 0.005 m/s²", NULL, "m/s",
                        0.3 - fm_track_at(slow, "water-speed", 20), 0.1, 2e-3, "a t");
    fm_sheet_check_near(sheet, "speed of the constant swim after a minute", NULL, "m/s",
                        fm_track_at(fish_named(track, "constant"), "water-speed", 60), 0.2, 1e-6, "0.2 m/s chosen");
    fm_sheet_check_near(sheet, "turn rate of the turning fish", NULL, "rad/s", fm_track_at(round, "r", 30), 0.4, 1e-6,
                        "0.4 rad/s chosen");
    fm_sheet_check_near(sheet, "beat of the hovering fish", NULL, "Hz",
                        fm_track_at(fish_named(track, "hovering"), "frequency", 30), 0, 1e-9, "its tail rests");
    fm_sheet_check_near(sheet, "contacts of the avoiding fish with the column ahead", NULL, "",
                        fm_track_metric(avoiding, "contacts"), 0, 0, "");
    fm_sheet_check_near(sheet, "mean distance of the pursuing fish to the ball", NULL, "m",
                        fm_track_metric(fish_named(track, "pursuing"), "pursuit_distance"), 0.5, 0.05,
                        "distance asked for");
}

fm_status fm_fish_draw_behaviours(fm_sheet *sheet, fm_error *error)
{
    static const char *const speeds[] = {"constant", "accelerating", "decelerating", "hovering", "several", NULL};
    static const char *const ways[] = {"turning", "avoiding", "pursuing", NULL};
    const fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "fish-behaviours", .all = true}, error);
    if (!track)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 100);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    draw_speeds(a, track, speeds);
    draw_ways(sheet, b, track, ways);
    check_behaviours(sheet, track);
    fm_sheet_note(sheet,
                  "Each fish was given one behaviour (scenarios/fish-behaviours.xml); \"several\" accelerates, "
                  "swims on, turns to both sides, decelerates and hovers, ten seconds each. A fish has no brake: "
                  "decelerating and hovering are coasting. The column stands 4 m ahead of the avoiding fish. "
                  "Rates and speeds are ours.");
    return FM_OK;
}

fm_status fm_fish_draw_depth(fm_sheet *sheet, fm_error *error)
{
    static const double from[3] = {0, 40, 80}, to[3] = {40, 80, 120}, ordered[3] = {1.6, 0.8, 1.2};
    const fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "fish-depth", .all = true}, error);
    if (!track)
        return error->status;
    const fm_track *fish = fish_named(track, "straight");
    size_t n = fm_track_rows(fish);
    const double *t = fm_track_column(fish, "t"), *theta = fm_track_column(fish, "theta"),
                 *fin = fm_track_column(fish, "starboard-fin");
    double *pitch = fm_sheet_reals(sheet, n), *angle = fm_sheet_reals(sheet, n), steepest = 0;
    for (size_t i = 0; i < n; i++) {
        pitch[i] = theta[i] / FM_DEGREE;
        angle[i] = fin[i] / FM_DEGREE;
        steepest = fmax(steepest, fabs(pitch[i]));
    }
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    fm_figure_share_x(figure);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0.6, .max = 1.8, .reversed = true});
    fm_axes_line(a, t, fm_track_column(fish, "z"), n, &(fm_line_style){.label = "the fish"});
    for (int i = 0; i < 3; i++)
        fm_axes_line(
            a, (double[]){from[i], to[i]}, (double[]){ordered[i], ordered[i]}, 2,
            &(fm_line_style){.label = i ? NULL : "ordered", .colour = fm_colour_hex(0x9aa0a6), .dash = FM_DASH_DASHED});
    fm_axes_x(b, &(fm_axis_style){.label = "time", .unit = "s", .min = 0, .max = 120});
    fm_axes_y(b, &(fm_axis_style){.label = "angle", .unit = "°"});
    fm_axes_line(b, t, pitch, n, &(fm_line_style){.label = "pitch"});
    fm_axes_line(b, t, angle, n, &(fm_line_style){.label = "pectoral fin"});
    for (int i = 0; i < 3; i++) {
        static const char *const texts[3] = {"depth 40 s after 1.6 m was ordered", "depth 40 s after 0.8 m was ordered",
                                             "depth 40 s after 1.2 m was ordered"};
        fm_sheet_check_near(sheet, texts[i], NULL, "m", fm_track_at(fish, "z", to[i] - 0.1), ordered[i], 0.02, "");
    }
    fm_sheet_check_range(sheet, "steepest pitch", NULL, "°", steepest, -INFINITY, 0.35 / FM_DEGREE + 3,
                         "0.35 rad is what the depth law asks for at most");
    fm_sheet_note(sheet,
                  "The lift, balance and depth laws are ours (F1)–(F4), chosen and not measured; the paper has no "
                  "model of up-down motion.");
    return FM_OK;
}
