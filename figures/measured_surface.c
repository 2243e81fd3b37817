/* Surface craft: Otter and Heron, two catamarans. */
#include <math.h>
#include <stdio.h>

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

static void add_otter(FILE *text, const char *name, int index, double port, double starboard)
{
    fprintf(text,
            "<vehicle name='%s' model='otter' position='0 %d 0 m' attitude='0 0 1 deg'><orders><at t='0 s' "
            "port-propeller='%.8g rad/s' starboard-propeller='%.8g rad/s'/></orders></vehicle>",
            name, 400 * index, port, starboard);
}

static fm_track *run_otters(fm_sheet *sheet, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    char name[32];
    int n = 0;
    fprintf(text, "<fathom version='1'><world dt='0.02 s' duration='60 s'/>");
    for (int i = 0; i < OTTER_RUNS + OTTER_LINE; i++) {
        double thrust = i < OTTER_RUNS ? otter_record[i].input : 24 * (i - OTTER_RUNS + 1);
        snprintf(name, sizeof name, "ahead-%d", i);
        add_otter(text, name, n++, otter_shaft(thrust), otter_shaft(thrust));
    }
    add_otter(text, "turn", n++, 1115 * 3.14159265358979 / 30, 0);
    add_otter(text, "slow-turn", n++, 60, 30);
    add_otter(text, "spot", n++, 79.26, -103.93); /* 69.6 N each way, the most astern */
    fprintf(text, "</fathom>");
    return fm_measured_run(sheet, 0.5, error);
}

static double end_of(const fm_track *track, const char *column)
{
    return fm_track_at(track, column, 60);
}

/* Rates of turning, to starboard. */
static void check_turns(fm_sheet *sheet, const fm_track *turn)
{
    const fm_track *slow = fm_track_next(turn), *spot = fm_track_next(slow);
    const double moment = 0.01108 * (60.0 * 60 - 30 * 30) * 0.395;
    fm_measured_check(sheet, "port 1115 rpm, starboard stopped: turn rate", "°/s", end_of(turn, "r") / FM_DEGREE, 6,
                      0.1, true, "Oslo fjord");
    fm_measured_check(sheet, "the same: speed", "m/s", end_of(turn, "u"), 1.75, 0.1, false, "Oslo fjord");
    fm_sheet_check_stated(sheet, "turning at 1.2 m/s", "0.0015 to 0.003 (rad/s)/(N m)", "10⁻³/(N m s)",
                          1e3 * end_of(slow, "r") / moment, 1.5, 3, "Oslo fjord; not used in the fit");
    fm_sheet_check_stated(sheet, "on the spot: turn rate", "28 to 41 °/s", "°/s", end_of(spot, "r") / FM_DEGREE, 28, 41,
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
        course = end_of(track, "psi") / FM_DEGREE - 1;
    }
    for (int i = 0; i < OTTER_LINE; i++, track = fm_track_next(track)) {
        x[i] = 24 * (i + 1);
        y[i] = end_of(track, "u");
    }
    fm_sheet_check_near(sheet, "change of course in 60 s at 212 N", "runs straight", "°", course, 0, 0.1,
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
    fm_sheet_note(
        sheet,
        "Yaw damping with |u| is fitted to the steady turn. Ten runs of 23 April 2024 were held against it in 144 "
        "windows of 10 s above 0.8 m/s and without an order astern, each from the recorded speed and rate with the "
        "recorded shaft speeds. The wind was not recorded, but its moment is plain in them: 4 N m + 9 N m × "
        "cos(heading). Without it no damping follows the heading better than a constant rate does (8.9° rms; 9.1° "
        "to 9.4° for 330 to 230 N m s²/m/rad). With such a moment, fitted to half of the runs together with a damping "
        "of 230 N m s²/m/rad, the "
        "other half is followed to 7.0°.");
    return FM_OK;
}

/* --- Heron --- */

enum { HERON_COMMANDS = 21 };

/* Measured force of one thruster, N, at commands −1 … 1. */
static const double heron_thrust[HERON_COMMANDS] = {-6.1, -5.8, -4.8, -3.9, -3.3, -2.7, -2.1, -1.9, -1.7, 0,   0,
                                                    0.3,  1.1,  4.1,  7.4,  10.5, 14.4, 19.7, 20.6, 20.7, 20.3};

static void add_heron(FILE *text, const char *name, int index, double port, double starboard)
{
    fprintf(text,
            "<vehicle name='%s' model='heron' position='0 %d 0 m'><thruster name='port-thruster' orders='command'/>"
            "<thruster name='starboard-thruster' orders='command'/><orders><at t='0 s' port-thruster='%.4g' "
            "starboard-thruster='%.4g'/></orders></vehicle>",
            name, 200 * index, port, starboard);
}

static fm_track *run_herons(fm_sheet *sheet, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    char name[32];
    fprintf(text, "<fathom version='1'><world dt='0.02 s' duration='60 s'><water density='1000 kg/m3'/></world>");
    for (int i = 0; i < HERON_COMMANDS; i++) {
        snprintf(name, sizeof name, "heron-%d", i);
        add_heron(text, name, i, 0.1 * (i - 10), 0.1 * (i - 10));
    }
    add_heron(text, "turn", HERON_COMMANDS, 0.671, 0); /* 18.2 N at 0.44 m */
    fprintf(text, "</fathom>");
    return fm_measured_run(sheet, 0.5, error);
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
    fm_sheet_check_near(sheet, "turn rate at 8 N m", "0.25 rad/s", "rad/s", rate, 0.25, 0.025, identified);
    fm_sheet_note(sheet, "Nothing is fitted by us, and nothing predicted: thrust is the measured curve, and the drag "
                         "of surge and yaw is "
                         "what the same people identified from their runs, these two presumably among them.");
    return FM_OK;
}
