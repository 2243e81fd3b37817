/* Surface craft: Otter and Heron, two catamarans; KVLCC2, a tanker. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "figures/measured.h"

/* --- Otter --- */

enum { OTTER_RUNS = 4, OTTER_LINE = 10 };

/* Thrust of both propellers (N), speed (m/s) and its spread; fitted is the second but last one. */
static const fm_measured_point otter_record[OTTER_RUNS] = {
    {48, 1.19, 0.15, 0, false}, {60, 1.35, 0.03, 0, false}, {102, 1.53, 0.07, 0, true}, {212, 1.93, 0.09, 0, false}};

/* Shaft speed (rad/s) of one of two propellers that give this thrust at rest. */
static double otter_shaft(double thrust)
{
    return sqrt(thrust / 2 / 0.01108);
}

static void add_otter(fm_text *text, const char *name, int place, double port, double starboard)
{
    fm_text_add(text,
                "<vehicle name='%s' model='otter' position='0 %d 0 m' attitude='0 0 1 deg'><orders><at t='0 s' "
                "port-propeller='%.8g rad/s' starboard-propeller='%.8g rad/s'/></orders></vehicle>",
                name, 400 * place, port, starboard);
}

static fm_track *run_otters(fm_sheet *sheet, fm_error *error)
{
    fm_text text = {0};
    char name[32];
    int n = 0;
    fm_text_add(&text, "<fathom version='1'><world dt='0.02 s' duration='60 s'/>");
    for (int i = 0; i < OTTER_RUNS + OTTER_LINE; i++) {
        double thrust = i < OTTER_RUNS ? otter_record[i].input : 24 * (i - OTTER_RUNS + 1);
        snprintf(name, sizeof name, "ahead-%d", i);
        add_otter(&text, name, n++, otter_shaft(thrust), otter_shaft(thrust));
    }
    add_otter(&text, "turn", n++, 1115 * 3.14159265358979 / 30, 0);
    add_otter(&text, "slow-turn", n++, 60, 30);
    add_otter(&text, "spot", n++, 89.2, -116.9); /* 88 N each way */
    fm_text_add(&text, "</fathom>");
    return fm_measured_run(sheet, &text, 0.5, error);
}

static double end_of(const fm_track *track, const char *column)
{
    return fm_track_at(track, column, 60);
}

/* Rates of turning: the record's are ranges, of which 30 % are let pass at either end. */
static void check_turns(fm_sheet *sheet, const fm_track *turn)
{
    const fm_track *slow = fm_track_next(turn), *spot = fm_track_next(slow);
    const double moment = 0.01108 * (60.0 * 60 - 30 * 30) * 0.395;
    fm_measured_check(sheet, "port 1115 rpm, starboard stopped: turn rate", "°/s", end_of(turn, "r") / FM_DEGREE, 6,
                      0.3, true, "Oslo fjord");
    fm_sheet_check_near(sheet, "the same: speed", "1.75 m/s", "m/s", end_of(turn, "u"), 1.75, 0.175,
                        "Oslo fjord; not used in the fit");
    fm_sheet_check_range(sheet, "turning at 1.2 m/s", "0.0015 to 0.003 (rad/s)/(N m)", "10⁻³/(N m s)",
                         1e3 * end_of(slow, "r") / moment, 0.7 * 1.5, 1.3 * 3, "Oslo fjord; not used in the fit");
    fm_sheet_check_range(sheet, "on the spot: turn rate", "28 to 41 °/s", "°/s", end_of(spot, "r") / FM_DEGREE, 28, 41,
                         "the model is fitted to it");
}

fm_status fm_measured_draw_otter(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = run_otters(sheet, error);
    if (!track)
        return error->status;
    double x[OTTER_LINE], y[OTTER_LINE], course = 0;
    for (int i = 0; i < OTTER_RUNS; i++, track = fm_track_next(track)) {
        char quantity[64];
        snprintf(quantity, sizeof quantity, "speed at %g N", otter_record[i].input);
        fm_measured_check(sheet, quantity, "m/s", end_of(track, "u"), otter_record[i].value, 0.1,
                          otter_record[i].is_fitted, "Oslo fjord, wind and current unknown");
        course = fabs(end_of(track, "psi") / FM_DEGREE - 1);
    }
    for (int i = 0; i < OTTER_LINE; i++, track = fm_track_next(track)) {
        x[i] = 24 * (i + 1);
        y[i] = end_of(track, "u");
    }
    fm_sheet_check_range(sheet, "change of course in 60 s at 212 N", "runs straight", "°", course, 0, 3,
                         "from rest, no rudder");
    check_turns(sheet, track);
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 120, 85), 0, 0, 1, 1);
    fm_axes_line(axes, x, y, OTTER_LINE,
                 &(fm_line_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_measured_scatter(axes, otter_record, OTTER_RUNS, "measured");
    fm_axes_x(axes, &(fm_axis_style){.label = "thrust of both propellers at rest", .unit = "N", .min = 0, .max = 250});
    fm_axes_y(axes, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0, .max = 2.4});
    fm_sheet_note(sheet,
                  "Drag grows with the cube of the speed: waves. One number is fitted, at 102 N. The common model's "
                  "drag is linear: half as fast at 48 N, 1.4 times too fast at 212 N.");
    return FM_OK;
}

/* --- Heron --- */

enum { HERON_COMMANDS = 21 };

/* Measured force of one thruster, N, at commands −1 … 1. */
static const double heron_thrust[HERON_COMMANDS] = {-6.1, -5.8, -4.8, -3.9, -3.3, -2.7, -2.1, -1.9, -1.7, 0,   0,
                                                    0.3,  1.1,  4.1,  7.4,  10.5, 14.4, 19.7, 20.6, 20.7, 20.3};

static void add_heron(fm_text *text, const char *name, int place, double port, double starboard)
{
    fm_text_add(text,
                "<vehicle name='%s' model='heron' position='0 %d 0 m'><thruster name='port-thruster' orders='command'/>"
                "<thruster name='starboard-thruster' orders='command'/><orders><at t='0 s' port-thruster='%.4g' "
                "starboard-thruster='%.4g'/></orders></vehicle>",
                name, 200 * place, port, starboard);
}

static fm_track *run_herons(fm_sheet *sheet, fm_error *error)
{
    fm_text text = {0};
    char name[32];
    fm_text_add(&text, "<fathom version='1'><world dt='0.02 s' duration='60 s'><water density='1000 kg/m3'/></world>");
    for (int i = 0; i < HERON_COMMANDS; i++) {
        snprintf(name, sizeof name, "heron-%d", i);
        add_heron(&text, name, i, 0.1 * (i - 10), 0.1 * (i - 10));
    }
    add_heron(&text, "turn", HERON_COMMANDS, 0.671, 0); /* 18.2 N at 0.44 m */
    fm_text_add(&text, "</fathom>");
    return fm_measured_run(sheet, &text, 0.5, error);
}

fm_status fm_measured_draw_heron(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = run_herons(sheet, error);
    if (!track)
        return error->status;
    double command[HERON_COMMANDS], speed[HERON_COMMANDS], off = 0;
    for (int i = 0; i < HERON_COMMANDS; i++, track = fm_track_next(track)) {
        command[i] = 0.1 * (i - 10);
        speed[i] = end_of(track, "u");
        const double force = 2 * heron_thrust[i], want = copysign(sqrt(fabs(force) / 16.9), force);
        off = fmax(off, fabs(speed[i] - want));
    }
    const double rate = end_of(track, "r");
    static const char identified[] = "NPS; the published drag was identified there, so this is no prediction";
    fm_figure *figure = fm_sheet_figure(sheet, 150, 80);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_line(a, command, heron_thrust, HERON_COMMANDS,
                 &(fm_line_style){.marker = FM_MARKER_DISC, .colour = fm_colour_series(FM_THEME_LIGHT, 0)});
    fm_axes_x(a, &(fm_axis_style){.label = "command", .min = -1.05, .max = 1.05});
    fm_axes_y(a, &(fm_axis_style){.label = "measured thrust of one", .unit = "N"});
    fm_axes_line(b, command, speed, HERON_COMMANDS,
                 &(fm_line_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_x(b, &(fm_axis_style){.label = "command to both", .min = -1.05, .max = 1.05});
    fm_axes_y(b, &(fm_axis_style){.label = "speed", .unit = "m/s"});
    fm_axes_legend(b, FM_LEGEND_FIGURE);
    fm_axes_scatter(
        b, (const double[]){0.9}, (const double[]){1.5}, 1,
        &(fm_scatter_style){.label = "measured, about 40 N", .colour = fm_colour_series(FM_THEME_LIGHT, 0), .size = 5});
    fm_sheet_check_near(sheet, "speed at 40 N", "1.5 m/s", "m/s", speed[19], 1.5, 0.15, identified);
    fm_sheet_check_near(sheet, "greatest difference from thrust = 16.9 u|u|", NULL, "m/s", off, 0, 0.03,
                        "the published drag, by hand");
    fm_sheet_check_near(sheet, "turn rate at 8 N m", "0.25 rad/s", "rad/s", rate, 0.25, 0.0375, identified);
    fm_sheet_note(sheet, "Nothing is fitted by us, and nothing predicted: thrust is the measured curve, and the drag "
                         "of surge and yaw is "
                         "what the same people identified from their runs, these two presumably among them.");
    return FM_OK;
}

/* --- KVLCC2 --- */

#define SHIP 7.0 /* m, length */

static const char circles[] =
    "<fathom version='1'><world dt='0.05 s' duration='260 s'><water density='1000 kg/m3'/></world>"
    "<vehicle name='starboard' model='kvlcc2' velocity='1.179 0 0 m/s'><turning-circle from='20 s'/><orders>"
    "<at t='0 s' screw='74.47 rad/s'/><at t='20 s' rudder='35 deg'/></orders></vehicle>"
    "<vehicle name='port' model='kvlcc2' position='0 500 0 m' velocity='1.179 0 0 m/s'><turning-circle from='20 "
    "s'/><orders>"
    "<at t='0 s' screw='74.47 rad/s'/><at t='20 s' rudder='-35 deg'/></orders></vehicle></fathom>";

fm_status fm_measured_draw_kvlcc2_circle(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.text = circles, .all = true, .every = 0.5}, error);
    if (!track)
        return error->status;
    const fm_track *port = fm_track_next(track);
    const double advance = fm_track_metric(track, "advance") / SHIP,
                 diameter = fm_track_metric(track, "tactical_diameter") / SHIP, u = fm_track_at(track, "u", 259),
                 v = fm_track_at(track, "v", 259);
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 130, 90), 0, 0, 1, 1);
    for (int side = 0; side < 2; side++) {
        const fm_track *t = side ? port : track;
        const size_t n = fm_track_rows(t);
        double *x = fm_sheet_reals(sheet, n), *y = fm_sheet_reals(sheet, n);
        if (!x || !y)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
        const double from = fm_track_at(t, "x", 20), east = fm_track_column(t, "y")[0];
        for (size_t i = 0; i < n; i++) {
            x[i] = (fm_track_column(t, "y")[i] - east) / SHIP;
            y[i] = (fm_track_column(t, "x")[i] - from) / SHIP;
        }
        fm_axes_line(axes, x, y, n,
                     &(fm_line_style){.label = side ? "rudder 35° to port" : "rudder 35° to starboard",
                                      .colour = fm_colour_series(FM_THEME_LIGHT, (size_t)side)});
    }
    const fm_line_style measured = {.label = "measured advance and tactical diameters",
                                    .dash = FM_DASH_DASHED,
                                    .colour = fm_colour_series(FM_THEME_LIGHT, 2)};
    fm_line_style more = measured;
    more.label = NULL;
    fm_axes_line(axes, (const double[]){-3.6, 3.6}, (const double[]){3.01, 3.01}, 2, &measured);
    fm_axes_line(axes, (const double[]){3.06, 3.06}, (const double[]){0.4, 3.2}, 2, &more);
    fm_axes_line(axes, (const double[]){-3.33, -3.33}, (const double[]){0.4, 3.2}, 2, &more);
    fm_axes_equal(axes);
    fm_axes_x(axes, &(fm_axis_style){.label = "east", .unit = "ship lengths", .min = -4, .max = 4});
    fm_axes_y(axes, &(fm_axis_style){.label = "north", .unit = "ship lengths", .min = -1, .max = 3.6});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    fm_sheet_check_near(sheet, "advance", "3.01 L measured", "L", advance, 2.98, 0.12, "the published MMG model");
    fm_sheet_check_near(sheet, "tactical diameter", "3.06 L measured", "L", diameter, 2.97, 0.12,
                        "the published MMG model");
    fm_sheet_check_near(sheet, "steady turn rate", "2.88 °/s measured", "°/s", fm_track_at(track, "r", 259) / FM_DEGREE,
                        3.34, 0.25, "the published MMG model");
    fm_sheet_check_near(sheet, "speed in the turn", "0.431 m/s measured", "m/s", sqrt(u * u + v * v), 0.428, 0.03,
                        "the published MMG model");
    fm_measured_check(sheet, "tactical diameter to port", "L", fm_track_metric(port, "tactical_diameter") / SHIP, 3.33,
                      0.1, false, "MARIN");
    fm_sheet_note(sheet, "Nothing is fitted: all numbers of the model are those of Yasukawa and Yoshimura (2015).");
    return FM_OK;
}

static const char zigzags[] =
    "<fathom version='1'><world dt='0.05 s' duration='200 s'><water density='1000 kg/m3'/></world>"
    "<vehicle name='ten' model='kvlcc2' velocity='1.179 0 0 m/s'><zigzag-test angle='10 deg' from='10 s'/><orders>"
    "<at t='0 s' screw='74.47 rad/s'/></orders></vehicle>"
    "<vehicle name='twenty' model='kvlcc2' position='0 500 0 m' velocity='1.179 0 0 m/s'><zigzag-test angle='20 deg' "
    "side='port' from='10 s'/><orders><at t='0 s' screw='74.47 rad/s'/></orders></vehicle></fathom>";

static fm_status draw_zigzag(fm_sheet *sheet, const fm_track *track, fm_axes *axes, fm_error *error)
{
    const size_t n = fm_track_rows(track);
    double *psi = fm_sheet_reals(sheet, n), *rudder = fm_sheet_reals(sheet, n);
    if (!psi || !rudder)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
    for (size_t i = 0; i < n; i++) {
        psi[i] = remainder(fm_track_column(track, "psi")[i] / FM_DEGREE, 360);
        rudder[i] = fm_track_column(track, "rudder")[i] / FM_DEGREE;
    }
    fm_axes_line(axes, fm_track_column(track, "t"), rudder, n,
                 &(fm_line_style){.label = "rudder", .colour = fm_colour_series(FM_THEME_LIGHT, 2), .width = 0.8});
    fm_axes_line(axes, fm_track_column(track, "t"), psi, n,
                 &(fm_line_style){.label = "heading, ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    return FM_OK;
}

/* Overshoots are the record's greatest headings less the heading at which the rudder was reversed. */
fm_status fm_measured_draw_kvlcc2_zigzag(fm_sheet *sheet, fm_error *error)
{
    static const double measured[2][2] = {{19.3, 25.2}, {35.7, 32.7}}, theirs[2][2] = {{17.9, 24.6}, {38.4, 35.1}};
    static const char *const metrics[2] = {"first_overshoot", "second_overshoot"}, *const order[2] = {"first",
                                                                                                      "second"};
    static const int first[2] = {1, -1};
    fm_figure *figure = fm_sheet_figure(sheet, 150, 110);
    const fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.text = zigzags, .all = true, .every = 0.25}, error);
    for (int k = 0; k < 2; k++, track = fm_track_next(track)) {
        const double angle = k ? 20 : 10;
        fm_axes *axes = fm_figure_axes(figure, (size_t)k, 0, 1, 1);
        if (!track || draw_zigzag(sheet, track, axes, error) != FM_OK)
            return error->status;
        for (int i = 0; i < 2; i++) {
            char quantity[64], paper[64], remark[120];
            const double level = (i ? -1 : 1) * first[k] * measured[k][i];
            fm_axes_line(axes, (const double[]){0, 200}, (const double[]){level, level}, 2,
                         &(fm_line_style){.label = i ? NULL : "greatest headings of the first two swings, measured",
                                          .dash = FM_DASH_DASHED,
                                          .colour = fm_colour_series(FM_THEME_LIGHT, 0),
                                          .width = 1});
            snprintf(quantity, sizeof quantity, "%g/%g: %s overshoot", angle, angle, order[i]);
            snprintf(paper, sizeof paper, "%.3g° measured", measured[k][i] - angle);
            snprintf(remark, sizeof remark, "measured; another program of the published MMG model: %.3g°",
                     theirs[k][i] - angle);
            fm_sheet_check_near(sheet, quantity, paper, "°", fm_track_metric(track, metrics[i]) / FM_DEGREE,
                                measured[k][i] - angle, 5, remark);
        }
        fm_axes_y(axes, &(fm_axis_style){.label = k ? "20/20" : "10/10", .unit = "deg"});
        fm_axes_legend(axes, k ? FM_LEGEND_NONE : FM_LEGEND_FIGURE);
    }
    fm_sheet_note(
        sheet,
        "The record does not tell to which side the rudder was put first: 10/10 begins to starboard here, 20/20 to "
        "port, which gives its order of swings. Another program of the same model comes nearer at 10/10 and "
        "less near at 20/20; a third one, written from the paper alone, agrees with ours to 0.1°.");
    return FM_OK;
}
