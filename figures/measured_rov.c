/* BlueROV2 Heavy: speeds along single axes, the resulting attitude, and the free decay of pitch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/measured.h"

/* --- speeds --- */

enum { SURGE, SWAY, HEAVE, YAW, AXES, MOST_POINTS = 9, LINE = 17 };

static const char *const axis_names[AXES] = {"surge", "sway", "heave (down)", "yaw"};
/* command to each thruster for a command of 1: front-port, front-starboard, rear-port, rear-starboard, four verticals
 */
static const double mix[AXES][8] = {{1, 1, -1, -1}, {1, -1, 1, -1}, {0, 0, 0, 0, -1, -1, -1, -1}, {1, -1, -1, 1}};
static const char *const thrusters[8] = {"front-port",         "front-starboard",        "rear-port",
                                         "rear-starboard",     "front-port-vertical",    "front-starboard-vertical",
                                         "rear-port-vertical", "rear-starboard-vertical"};

/* Command, final speed (m/s, rad/s), standard deviation, and length of the pulses, s. All were used in the fit, with
 * the series of four of the six runs. */
typedef struct pulse {
    fm_measured_point point;
    double seconds;
} pulse;
#define PULSE(command, speed, spread, seconds)                                                                         \
    {                                                                                                                  \
        {command, speed, spread, 0, true}, seconds                                                                     \
    }
/* clang-format off */
static const pulse record[AXES][MOST_POINTS] = {
    {PULSE(-0.625, -0.856, 0.047, 2.6), PULSE(-0.5, -0.711, 0.018, 2.3), PULSE(-0.25, -0.397, 0.016, 4.7),
     PULSE(-0.125, -0.162, 0.006, 9.8), PULSE(0.125, 0.141, 0.005, 6.8), PULSE(0.25, 0.370, 0.027, 3.5),
     PULSE(0.5, 0.697, 0.024, 3.0), PULSE(0.625, 0.796, 0.046, 2.9), PULSE(0.75, 0.975, 0, 3.1)},
    {PULSE(-0.75, -0.721, 0, 2.8), PULSE(-0.625, -0.626, 0.006, 3.3), PULSE(-0.5, -0.526, 0.041, 2.5),
     PULSE(-0.25, -0.300, 0.007, 7.0), PULSE(-0.125, -0.099, 0.001, 13.1), PULSE(0.25, 0.296, 0.009, 4.5),
     PULSE(0.5, 0.555, 0.016, 3.0), PULSE(0.625, 0.653, 0, 5.3)},
    {PULSE(-0.75, -0.826, 0, 2.2), PULSE(-0.625, -0.624, 0, 2.2), PULSE(-0.5, -0.548, 0, 2.7),
     PULSE(-0.25, -0.319, 0.030, 3.7), PULSE(0.125, 0.118, 0.003, 10.5), PULSE(0.25, 0.317, 0.022, 3.0),
     PULSE(0.5, 0.607, 0, 2.2)},
    {PULSE(-0.625, -2.949, 0, 2.1), PULSE(-0.25, -1.300, 0, 2.7), PULSE(0.25, 1.402, 0, 7.1),
     PULSE(0.625, 3.050, 0, 2.2)},
};
/* clang-format on */

static size_t count_of(int axis)
{
    size_t n = 0;
    while (n < MOST_POINTS && record[axis][n].seconds > 0)
        n++;
    return n;
}

static void add_vehicle(FILE *text, int number, int axis, double command)
{
    fprintf(text, "<vehicle name='rov-%d' model='bluerov2-heavy' position='0 %d 30 m'>", number, 50 * number);
    for (int k = 0; k < 8; k++)
        fprintf(text, "<thruster name='%s' orders='command'/>", thrusters[k]);
    fprintf(text, "<orders><at t='0 s'");
    for (int k = 0; k < 8; k++)
        fprintf(text, " %s='%.6g'", thrusters[k], mix[axis][k] * command);
    fprintf(text, "/></orders></vehicle>");
}

static double line_command(int i)
{
    return 0.1 * (i - LINE / 2);
}

/* All pulses of the record, and steady speeds for a curve, as vehicles of one world. */
static fm_track *run_pulses(fm_sheet *sheet, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    int number = 0;
    fprintf(text, "<fathom version='1'><world dt='0.01 s' duration='13.2 s'><water density='1000 kg/m3'/></world>");
    for (int axis = 0; axis < AXES; axis++) {
        for (size_t i = 0; i < count_of(axis); i++)
            add_vehicle(text, number++, axis, record[axis][i].point.input);
        for (int i = 0; i < LINE; i++)
            add_vehicle(text, number++, axis, line_command(i));
    }
    fprintf(text, "</fathom>");
    return fm_measured_run(sheet, 0.05, error);
}

static double speed_at(const fm_track *track, int axis, double t)
{
    static const char *const columns[AXES] = {"u", "v", "w", "r"};
    return fm_track_at(track, columns[axis], t);
}

/* Ours and the record's, each the mean over both directions, at each size of command. */
static void check_axis(fm_sheet *sheet, int axis, const fm_measured_point *points, size_t count)
{
    static const double sizes[] = {0.125, 0.25, 0.5, 0.625, 0.75};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double ours = 0, theirs = 0, n = 0;
        for (size_t i = 0; i < count; i++)
            if (fabs(fabs(points[i].input) - sizes[k]) < 1e-9) {
                ours +=
                    copysign(points[i].ours, points[i].ours * points[i].value); /* the wrong way counts against it */
                theirs += fabs(points[i].value);
                n++;
            }
        char quantity[80];
        snprintf(quantity, sizeof quantity, "%s at command %g", axis_names[axis], sizes[k]);
        if (n > 0)
            fm_measured_check(sheet, quantity, axis == YAW ? "rad/s" : "m/s", ours / n, theirs / n, 0.1, true,
                              "mean of both directions");
    }
}

/* The largest difference of one direction alone, relative to the measured speed. */
static double worst_point(const fm_measured_point *points, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(points[i].ours / points[i].value - 1));
    return most;
}

fm_status fm_measured_draw_bluerov2_speeds(fm_sheet *sheet, fm_error *error)
{
    double worst = 0;
    fm_track *track = run_pulses(sheet, error);
    if (!track)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 130);
    for (int axis = 0; axis < AXES; axis++) {
        fm_axes *axes = fm_figure_axes(figure, (size_t)axis / 2, (size_t)axis % 2, 1, 1);
        fm_measured_point points[MOST_POINTS];
        double x[LINE], y[LINE];
        size_t count = count_of(axis);
        for (size_t i = 0; i < count; i++, track = fm_track_next(track)) {
            points[i] = record[axis][i].point;
            points[i].ours = speed_at(track, axis, record[axis][i].seconds);
        }
        for (int i = 0; i < LINE; i++, track = fm_track_next(track)) {
            x[i] = line_command(i);
            y[i] = speed_at(track, axis, 6);
        }
        fm_axes_line(axes, x, y, LINE,
                     &(fm_line_style){.label = "ours, after 6 s", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
        fm_measured_scatter(axes, points, count, "measured");
        fm_axes_x(axes, &(fm_axis_style){.label = "command", .min = -0.85, .max = 0.85});
        fm_axes_y(axes, &(fm_axis_style){.label = axis_names[axis], .unit = axis == YAW ? "rad/s" : "m/s"});
        fm_axes_legend(axes, axis ? FM_LEGEND_NONE : FM_LEGEND_FIGURE);
        check_axis(sheet, axis, points, count);
        worst = fmax(worst, worst_point(points, count));
    }
    fm_sheet_check_range(sheet, "greatest difference of one direction, command and axis", NULL, "%", 100 * worst, 0, 10,
                         "of 28 numbers");
    fm_sheet_fails(sheet, "the real vehicle is not alike in both directions of an axis; the mean of both is followed");
    fm_sheet_note(sheet, "Thrust is a part of that of the T200's table at 16.3 V, identified together with drag and "
                         "inertia from the motion in four of the runs; the end speeds had a part in the fit. The "
                         "tether's drag is in it. Below 0.2 m/s the record is slower than the model.");
    return FM_OK;
}

/* --- attitude --- */

/* What the record shows at the end of pulses of about 3 s: mean over their last 40 %, from least to greatest. */
enum { PITCH, ROLL, TURNING, ANGLES };
typedef struct posture {
    int angle;
    double command, least, most; /* degrees; of TURNING rad/s */
} posture;
static const posture postures[] = {{PITCH, 0.5, 4.5, 8},         {PITCH, 0.625, 9, 12},    {PITCH, -0.625, 5.67, 6.93},
                                   {ROLL, 0.5, 7.7, 9.4},        {ROLL, -0.5, -9.4, -7.7}, {TURNING, 0.5, 0.28, 0.47},
                                   {TURNING, -0.5, -0.47, -0.28}};
enum { POSTURES = sizeof postures / sizeof *postures };
static const char *const angle_columns[ANGLES] = {"theta", "phi", "r"};
static const char *const angle_names[ANGLES] = {"pitch", "roll", "yaw rate"};
static const char *const angle_units[ANGLES] = {"°", "°", "rad/s"};

static fm_track *run_postures(fm_sheet *sheet, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    int number = 0;
    fprintf(text, "<fathom version='1'><world dt='0.01 s' duration='3 s'><water density='1000 kg/m3'/></world>");
    for (int i = 0; i < POSTURES; i++)
        add_vehicle(text, number++, postures[i].angle == PITCH ? SURGE : SWAY, postures[i].command);
    for (int angle = 0; angle < ANGLES; angle++)
        for (int i = 0; i < LINE; i++)
            add_vehicle(text, number++, angle == PITCH ? SURGE : SWAY, line_command(i));
    fprintf(text, "</fathom>");
    return fm_measured_run(sheet, 0.05, error);
}

/* Mean from 1.8 to 3 s. */
static double posture_of(const fm_track *track, int angle)
{
    double sum = 0;
    for (int i = 0; i <= 24; i++)
        sum += fm_track_at(track, angle_columns[angle], 1.8 + 0.05 * i) / 25;
    return angle == TURNING ? sum : sum / FM_DEGREE;
}

static void check_posture(fm_sheet *sheet, const posture *p, double ours)
{
    char quantity[64], range[64];
    snprintf(quantity, sizeof quantity, "%s at %s command %g", angle_names[p->angle],
             p->angle == PITCH ? "surge" : "sway", p->command);
    snprintf(range, sizeof range, "%g to %g", p->least, p->most);
    fm_sheet_check_stated(sheet, quantity, range, angle_units[p->angle], ours, p->least, p->most,
                          "the model is fitted to it");
}

static void draw_angle(fm_axes *axes, int angle, const fm_measured_point *points, size_t count, const fm_track **track)
{
    double x[LINE], y[LINE];
    for (int i = 0; i < LINE; i++, *track = fm_track_next(*track)) {
        x[i] = line_command(i);
        y[i] = posture_of(*track, angle);
    }
    fm_axes_line(axes, x, y, LINE, &(fm_line_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_measured_scatter(axes, points, count, "measured");
    fm_axes_x(axes,
              &(fm_axis_style){.label = angle == PITCH ? "surge command" : "sway command", .min = -0.85, .max = 0.85});
    fm_axes_y(axes, &(fm_axis_style){.label = angle_names[angle], .unit = angle == TURNING ? "rad/s" : "deg"});
    fm_axes_legend(axes, angle ? FM_LEGEND_NONE : FM_LEGEND_FIGURE);
}

fm_status fm_measured_draw_bluerov2_attitude(fm_sheet *sheet, fm_error *error)
{
    const fm_track *track = run_postures(sheet, error);
    if (!track)
        return error->status;
    fm_measured_point points[ANGLES][POSTURES] = {0};
    size_t counts[ANGLES] = {0};
    for (int i = 0; i < POSTURES; i++, track = fm_track_next(track)) {
        const posture *p = &postures[i];
        check_posture(sheet, p, posture_of(track, p->angle));
        points[p->angle][counts[p->angle]++] =
            (fm_measured_point){p->command, 0.5 * (p->least + p->most), 0.5 * (p->most - p->least), 0, true};
    }
    fm_figure *figure = fm_sheet_figure(sheet, 170, 65);
    for (int angle = 0; angle < ANGLES; angle++)
        draw_angle(fm_figure_axes(figure, 0, (size_t)angle, 1, 1), angle, points[angle], counts[angle], &track);
    fm_sheet_note(sheet,
                  "Ahead the nose rises by the arm of the thrust and by the square of the speed, astern by the "
                  "square alone; sway rolls the vehicle to the side it moves to and turns it that way. Of the pitch "
                  "astern one number is known; its range here is a tenth either way.");
    return FM_OK;
}

/* --- pitch --- */

static const char decay[] =
    "<fathom version='1'><world dt='0.005 s' duration='8 s'><water density='1000 kg/m3'/></world>"
    "<vehicle name='rov' model='bluerov2-heavy' position='0 0 10 m' attitude='0 20 0 deg'/></fathom>";

typedef struct swing {
    double period;    /* s */
    double left;      /* after half a period, part of the swing */
    double crests[8]; /* s, moments of the extremes */
    int count;
} swing;

/* From the extremes of an angle. */
static swing swing_of(const double *t, const double *angle, size_t n)
{
    swing s = {0};
    double heights[8] = {0};
    for (size_t i = 1; i + 1 < n && s.count < 8; i++)
        if ((angle[i] - angle[i - 1]) * (angle[i + 1] - angle[i]) < 0) {
            s.crests[s.count] = t[i];
            heights[s.count++] = fabs(angle[i]);
        }
    if (s.count >= 3) {
        s.period = s.crests[2] - s.crests[0];
        s.left = heights[1] / heights[0];
    }
    return s;
}

fm_status fm_measured_draw_bluerov2_pitch(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.text = decay}, error);
    if (!track)
        return error->status;
    const size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *theta = fm_track_column(track, "theta");
    const swing s = swing_of(t, theta, n);
    double *degrees = fm_sheet_reals(sheet, n), *envelope = fm_sheet_reals(sheet, n);
    if (!degrees || !envelope)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
    for (size_t i = 0; i < n; i++) {
        degrees[i] = theta[i] / FM_DEGREE;
        envelope[i] = 20 * pow(0.5, t[i] / 1.15);
    }
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 130, 80), 0, 0, 1, 1);
    fm_axes_line(axes, t, envelope, n,
                 &(fm_line_style){.label = "measured: envelope, half after 1.15 s",
                                  .colour = fm_colour_series(FM_THEME_LIGHT, 0),
                                  .dash = FM_DASH_DASHED});
    fm_axes_line(axes, t, degrees, n, &(fm_line_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    for (int i = 1; i <= 3; i++)
        fm_axes_mark(axes, 1.15 * i, i == 1 ? "half periods of 1.15 s" : "");
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(axes, &(fm_axis_style){.label = "pitch", .unit = "deg"});
    fm_measured_check(sheet, "period", "s", s.period, 2.3, 0.1, true, "free decay");
    fm_measured_check(sheet, "left after half a period", "", s.left, 0.5, 0.1, true, "free decay");
    return FM_OK;
}
