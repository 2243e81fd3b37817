/* The robotic fish of Liu and Hu: speed and turn rate, three fish from above, servo table, tail beat, pursuit. */
#include <fathom/fish.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/fish.h"
#include "figures/sets.h"
#include "plot/sheet.h"

static const char reference[] = "an independent program of (H2)–(H9)";

/* --- orders in stages, one after the other --- */

typedef struct stages {
    const char *actuator;
    double first, step, seconds;
    const char *const *vehicles;
} stages;

static void order_stage(void *user, fm_world *world)
{
    const stages *s = user;
    double stage = floor(fm_world_time(world) / s->seconds + 1e-9);
    if (fabs(fm_world_time(world) - stage * s->seconds) > 1e-6)
        return;
    for (int i = 0; s->vehicles[i]; i++)
        fm_world_order(world, s->vehicles[i], s->actuator, s->first + stage * s->step, NULL);
}

/* Mean of a column over the last `last` seconds before t. */
static double mean_before(const fm_track *track, const char *name, double t, double last)
{
    const double *time = fm_track_column(track, "t"), *value = fm_track_column(track, name);
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < fm_track_rows(track); i++)
        if (time[i] > t - last && time[i] <= t + 1e-9) {
            sum += value[i];
            n++;
        }
    return n ? sum / (double)n : NAN;
}

static fm_track *run_stages(fm_sheet *sheet, const char *vehicles, stages *s, double duration, fm_error *error)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='%g s'><water density='1000 kg/m3'/></world>%s</fathom>",
             duration, vehicles);
    return fm_sheet_run(sheet, &(fm_run_request){.text = text, .all = true, .watch = order_stage, .user = s}, error);
}

/* --- Fig. 9 --- */

enum { SPEEDS = 9 };

static fm_status draw_speed(fm_sheet *sheet, fm_error *error)
{
    static const char *const names[] = {"paper", "theory", NULL};
    stages s = {"frequency", 0.5, 0.25, 60, names};
    fm_track *paper = run_stages(
        sheet,
        "<vehicle name='paper' model='robotic-fish'/>"
        "<vehicle name='theory' model='robotic-fish' position='0 50 0 m'><fish thrust='elongated-body'/></vehicle>",
        &s, 60 * SPEEDS, error);
    if (!paper)
        return error->status;
    double f[SPEEDS], u[SPEEDS], w[SPEEDS];
    for (int i = 0; i < SPEEDS; i++) {
        f[i] = 0.5 + 0.25 * i;
        u[i] = mean_before(paper, "water-speed", 60.0 * (i + 1), 4);
        w[i] = mean_before(fm_track_next(paper), "water-speed", 60.0 * (i + 1), 4);
    }
    fm_figure *figure = fm_sheet_figure(sheet, 140, 95);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "frequency of the tail beat", .unit = "Hz", .min = 0, .max = 2.6});
    fm_axes_y(a, &(fm_axis_style){.label = "top speed", .unit = "m/s", .min = 0, .max = 0.5});
    fm_axes_line(a, f, u, SPEEDS, &(fm_line_style){.label = "the paper's (H6)–(H8), St = 0.3"});
    fm_axes_scatter(
        a, f, w, SPEEDS,
        &(fm_scatter_style){.label = "elongated-body theory with recoil", .marker = FM_MARKER_RING, .size = 6});
    fm_sheet_check_near(sheet, "speed at 1 Hz", NULL, "m/s", u[2], 0.16, 1e-3, reference);
    fm_sheet_check_near(sheet, "speed at 2 Hz", NULL, "m/s", u[6], 0.32, 1e-3, reference);
    fm_sheet_check_near(sheet, "elongated body at 1 Hz", NULL, "m/s", w[2], 0.141, 0.05 * 0.141, reference);
    fm_sheet_check_near(sheet, "elongated body at 2 Hz", NULL, "m/s", w[6], 0.319, 0.05 * 0.319, reference);
    fm_sheet_note(sheet,
                  "The captions of Figs. 9 and 10 are exchanged in the paper. Its measured curves are not available in "
                  "numbers; no agreement with them "
                  "is claimed. Wave and mass were chosen so that 2 Hz give 0.32 m/s: calibration, not validation.");
    return FM_OK;
}

/* --- Fig. 10 --- */

enum { TURNS = 26 };

static fm_status draw_turn(fm_sheet *sheet, fm_error *error)
{
    static const char *const names[] = {"slow", "fast", NULL};
    stages s = {"deflection", 0, 2 * FM_DEGREE, 5, names};
    fm_track *slow = run_stages(
        sheet,
        "<vehicle name='slow' model='robotic-fish'><fish><wave frequency='1 Hz'/></fish></vehicle>"
        "<vehicle name='fast' model='robotic-fish' position='0 50 0 m'><fish><wave frequency='2 Hz'/></fish></vehicle>",
        &s, 5 * TURNS, error);
    if (!slow)
        return error->status;
    double d[TURNS], one[TURNS], two[TURNS];
    for (int i = 0; i < TURNS; i++) {
        d[i] = 2 * i;
        one[i] = mean_before(slow, "r", 5.0 * (i + 1), 1);
        two[i] = mean_before(fm_track_next(slow), "r", 5.0 * (i + 1), 1);
    }
    fm_figure *figure = fm_sheet_figure(sheet, 140, 95);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "deflection of the tail", .unit = "°", .min = 0, .max = 52});
    fm_axes_y(a, &(fm_axis_style){.label = "turn rate", .unit = "rad/s", .min = 0, .max = 2});
    fm_axes_line(a, d, two, TURNS, &(fm_line_style){.label = "2 Hz"});
    fm_axes_line(a, d, one, TURNS, &(fm_line_style){.label = "1 Hz"});
    fm_sheet_check_near(sheet, "turn rate at 30° and 2 Hz", NULL, "rad/s", two[15], 1.2, 1e-3, reference);
    fm_sheet_check_near(sheet, "turn rate at 50° and 1 Hz", NULL, "rad/s", one[25], 0.919, 1e-3, reference);
    return FM_OK;
}

/* --- Fig. 12 --- */

static void draw_pool(fm_axes *a, const char *title)
{
    fm_axes_title(a, title);
    fm_axes_equal(a);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -0.2, .max = 4.2});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -0.2, .max = 6.2});
    fm_axes_line(a, (double[]){0, 0, 4, 4, 0}, (double[]){0, 6, 6, 0, 0}, 5,
                 &(fm_line_style){.colour = fm_colour_hex(0x555b63)});
    static const double column[2][2] = {{2.0, 1.4}, {4.0, 2.6}}; /* north, east */
    for (int c = 0; c < 2; c++) {
        double north[33], east[33];
        for (int i = 0; i < 33; i++) {
            north[i] = column[c][0] + 0.2 * cos(2 * M_PI * i / 32);
            east[i] = column[c][1] + 0.2 * sin(2 * M_PI * i / 32);
        }
        fm_axes_polygon(a, east, north, 33, &(fm_area_style){.colour = fm_colour_hex(0x9aa0a6), .opacity = 0.9});
    }
}

/* The last seconds of a fish's way, and itself: nose, joints, tip from its recorded joints. */
static void draw_fish(fm_axes *a, const fm_track *track, const fm_tail *tail, double t, bool legend, fm_colour colour,
                      fm_sheet *sheet)
{
    const double *time = fm_track_column(track, "t"), *px = fm_track_column(track, "x"),
                 *py = fm_track_column(track, "y"); /* north, east */
    size_t end = 0, first = 0, n = fm_track_rows(track);
    while (end + 1 < n && time[end] < t - 1e-9)
        end++;
    while (first < end && time[first] < t - 15)
        first++;
    fm_axes_line(a, py + first, px + first, end - first + 1,
                 &(fm_line_style){.label = legend ? fm_track_name(track) : NULL, .colour = colour, .width = 0.8});
    double psi = fm_track_at(track, "psi", t), angle[4], body[6][2] = {{tail->head, 0}};
    static const char *const joint[4] = {"joint1", "joint2", "joint3", "joint4"};
    for (int j = 0; j < 4; j++)
        angle[j] = fm_track_column(track, joint[j])[end];
    fm_tail_points(tail, angle, body + 1);
    double *north = fm_sheet_reals(sheet, 6), *east = fm_sheet_reals(sheet, 6);
    for (int i = 0; i < 6; i++) {
        north[i] = px[end] + cos(psi) * body[i][0] - sin(psi) * body[i][1];
        east[i] = py[end] + sin(psi) * body[i][0] + cos(psi) * body[i][1];
    }
    fm_axes_line(a, east, north, 6, &(fm_line_style){.colour = colour, .width = 2.8});
    fm_axes_arrows(a, &east[0], &north[0], (double[]){sin(psi)}, (double[]){cos(psi)}, 1,
                   &(fm_arrow_style){.colour = fm_colour_hex(0x202124), .length = 12});
}

static fm_status draw_three(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(
        sheet, &(fm_run_request){.scenario = "fish-pool", .all = true, .duration = FM_FISH_FRAME_B}, error);
    fm_tail tail;
    if (!track || fm_fish_find_tail(sheet, &tail, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 125);
    static const double moments[2] = {FM_FISH_FRAME_A, FM_FISH_FRAME_B};
    for (size_t m = 0; m < 2; m++) {
        char title[40];
        snprintf(title, sizeof title, "t = %g s", moments[m]);
        fm_axes *a = fm_figure_axes(figure, 0, m, 1, 1);
        draw_pool(a, title);
        size_t i = 0;
        for (fm_track *each = track; each; each = fm_track_next(each), i++) {
            fm_colour colour;
            if (!fm_colour_named(FM_THEME_LIGHT, fm_track_name(each), &colour))
                colour = fm_colour_series(FM_THEME_LIGHT, i);
            draw_fish(a, each, &tail, moments[m], m == 0, colour, sheet);
        }
        fm_axes_legend(a, m == 0 ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    }
    fm_figure_note(figure, "Thin: the last 15 s of the way. Thick: the body from nose to tip; the arrow shows where it "
                           "heads. Grey: columns.");
    fm_sheet_note(
        sheet, "Fish A, B and C of the paper are drawn green, blue and red. Its frames are not dated; ours are where "
               "Fig. 11 shows something. The fish decide by their own sonars; pool, places and sonars are ours.");
    double contacts = 0, least = INFINITY;
    for (fm_track *each = track; each; each = fm_track_next(each)) {
        contacts += fm_track_metric(each, "contacts") + fm_track_metric(each, "vehicle_contacts");
        least = fmin(least, fm_track_metric(each, "min_clearance"));
    }
    fm_sheet_check_near(sheet, "contacts of three fish in nine minutes", NULL, "", contacts, 0, 0,
                        "the fish are to touch nothing");
    fm_sheet_check_range(sheet, "least clearance to walls and columns", NULL, "m", least, 0.02, INFINITY, "");
    return FM_OK;
}

/* --- servo table against the wave --- */

static const char still_fish[] = "<fathom version='1'><world><water density='1000 kg/m3'/></world><vehicle name='fish' "
                                 "model='robotic-fish'/></fathom>";

fm_status fm_fish_find_tail(fm_sheet *sheet, fm_tail *tail, fm_error *error)
{
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.text = still_fish}, error);
    return world ? fm_world_tail(world, "fish", tail, error) : error->status;
}

/* Joints and tip from the servo table, in the axes of the wave: m aft of joint 1 and to port of it. */
static fm_status play_table(const fm_world *world, const fm_tail *tail, double phase, double (*points)[2],
                            fm_error *error)
{
    double angle[FM_TAIL_JOINTS_MOST];
    const fm_status status = fm_world_tail_angles(world, "fish", phase, angle, error);
    if (status != FM_OK)
        return status;
    fm_tail_points(tail, angle, points);
    for (int i = 0; i <= tail->joints; i++) {
        points[i][0] *= -1;
        points[i][1] *= -1;
    }
    return FM_OK;
}

/* How well the table follows the wave. */
typedef struct fit {
    double deviation;     /* m, largest distance of the wave from a chord */
    double tip_amplitude; /* m */
    double length_error;  /* m, largest of a link */
} fit;

static double chord_deviation(const fm_tail *tail, double phase, const double a[2], const double b[2])
{
    const double along = b[0] - a[0], across = b[1] - a[1];
    double worst = 0;
    for (int i = 1; i < 50; i++) {
        const double x = a[0] + along * i / 50, y = fm_tail_wave(tail, x, phase);
        worst = fmax(worst, fabs(along * (y - a[1]) - across * (x - a[0])) / hypot(along, across));
    }
    return worst;
}

static fm_status measure_fit(const fm_world *world, const fm_tail *tail, fit *f, fm_error *error)
{
    *f = (fit){0};
    for (int row = 0; row < tail->rows; row++) {
        const double phase = (double)row / tail->rows;
        double p[FM_TAIL_JOINTS_MOST + 1][2];
        const fm_status status = play_table(world, tail, phase, p, error);
        if (status != FM_OK)
            return status;
        for (int j = 0; j < tail->joints; j++) {
            const double length = hypot(p[j + 1][0] - p[j][0], p[j + 1][1] - p[j][1]);
            f->deviation = fmax(f->deviation, chord_deviation(tail, phase, p[j], p[j + 1]));
            f->length_error = fmax(f->length_error, fabs(length - tail->link[j]));
        }
        f->tip_amplitude = fmax(f->tip_amplitude, fabs(p[tail->joints][1]));
    }
    return FM_OK;
}

static fm_status draw_phase(fm_figure *figure, const fm_world *world, const fm_tail *tail, size_t p, fm_error *error)
{
    double wave_x[61], wave_y[61], points[FM_TAIL_JOINTS_MOST + 1][2], x[5], y[5], phase = (double)p / 8;
    const fm_status status = play_table(world, tail, phase, points, error);
    if (status != FM_OK)
        return status;
    for (int i = 0; i < 61; i++) {
        wave_x[i] = 240.0 * i / 60;
        wave_y[i] = 1e3 * fm_tail_wave(tail, 0.24 * i / 60, phase);
    }
    for (int i = 0; i < 5; i++) {
        x[i] = 1e3 * points[i][0];
        y[i] = 1e3 * points[i][1];
    }
    char title[40];
    snprintf(title, sizeof title, "phase %g°", 360 * phase);
    fm_axes *a = fm_figure_axes(figure, p / 2, p % 2, 1, 1);
    fm_axes_title(a, title);
    fm_axes_x(a, &(fm_axis_style){.label = "aft of joint 1", .unit = "mm", .min = -8, .max = 252});
    fm_axes_y(a, &(fm_axis_style){.label = "to port", .unit = "mm", .min = -27, .max = 27});
    fm_axes_line(a, wave_x, wave_y, 61, &(fm_line_style){.label = p == 0 ? "wave (H2)" : NULL});
    fm_axes_line(a, x, y, 5,
                 &(fm_line_style){.label = p == 0 ? "links by the servo table" : NULL, .dash = FM_DASH_DASHED});
    fm_axes_scatter(a, x, y, 5, &(fm_scatter_style){.label = p == 0 ? "joints and tip" : NULL, .size = 4});
    fm_axes_legend(a, p == 0 ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    return FM_OK;
}

static fm_status draw_table(fm_sheet *sheet, fm_error *error)
{
    fm_tail tail;
    fit f;
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.text = still_fish}, error);
    if (!world || fm_world_tail(world, "fish", &tail, error) != FM_OK || measure_fit(world, &tail, &f, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    for (size_t p = 0; p < 4; p++)
        if (draw_phase(figure, world, &tail, p, error) != FM_OK)
            return error->status;
    fm_sheet_check_near(sheet, "largest distance of the wave from a chord", NULL, "mm", 1e3 * f.deviation, 1.9561,
                        0.02 * 1.9561, reference);
    fm_sheet_check_near(sheet, "amplitude of the tip", NULL, "mm", 1e3 * f.tip_amplitude, 23.706, 0.02 * 23.706,
                        reference);
    fm_sheet_check_range(sheet, "largest error of a link's length", NULL, "m", f.length_error, 0, 1e-9,
                         "links are rigid");
    return FM_OK;
}

/* --- tail-beat strip --- */

static fm_status draw_beat(fm_sheet *sheet, fm_error *error)
{
    static const char vehicles[] =
        "<fathom version='1'><world dt='0.002 s' duration='42 s'><water density='1000 kg/m3'/></world>"
        "<vehicle name='fish' model='robotic-fish'><fish thrust='elongated-body'><wave frequency='2 "
        "Hz'/></fish></vehicle></fathom>";
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.text = vehicles}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track), first = 0;
    const double *t = fm_track_column(track, "t"), *force = fm_track_column(track, "tail-force");
    while (first < n && t[first] < 40)
        first++;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    fm_figure_share_x(figure);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_y(a, &(fm_axis_style){.label = "joint angle", .unit = "°", .min = -12, .max = 12});
    for (int j = 0; j < 4; j++) {
        char name[16], label[16];
        snprintf(name, sizeof name, "joint%d", j + 1);
        snprintf(label, sizeof label, "joint %d", j + 1);
        const double *angle = fm_track_column(track, name);
        double *degrees = fm_sheet_reals(sheet, n);
        for (size_t i = 0; i < n; i++)
            degrees[i] = angle[i] / FM_DEGREE;
        fm_axes_line(a, t + first, degrees + first, n - first, &(fm_line_style){.label = label});
    }
    fm_axes_x(b, &(fm_axis_style){.label = "time", .unit = "s"});
    fm_axes_y(b, &(fm_axis_style){.label = "force of the tail", .unit = "N"});
    fm_axes_line(b, t + first, force + first, n - first, NULL);
    fm_figure_note(figure,
                   "(b): the corners are those of the servo table, 18 rows a beat, whose spline has jumps in its "
                   "second derivative.");
    fm_sheet_check_near(sheet, "Froude efficiency over a beat", NULL, "", fm_track_at(track, "efficiency", 42), 0.633,
                        0.05, "small-amplitude theory: ½(1 + U/c), c = 1.2 m/s");
    fm_sheet_check_near(sheet, "Strouhal number", NULL, "", fm_track_at(track, "strouhal", 42), 0.048 * 2 / 0.319,
                        0.05 * 0.301, reference);
    return FM_OK;
}

/* --- pursuit --- */

static fm_status draw_pursuit(fm_sheet *sheet, fm_error *error)
{
    fm_track *first = fm_sheet_run(sheet, &(fm_run_request){.scenario = "fish-pursuit", .all = true}, error);
    if (!first)
        return error->status;
    fm_track *second = fm_track_next(first);
    size_t n = fm_track_rows(first);
    const double *t = fm_track_column(first, "t"), *x = fm_track_column(first, "x"), *y = fm_track_column(first, "y");
    const double *x2 = fm_track_column(second, "x"), *y2 = fm_track_column(second, "y");
    double *apart = fm_sheet_reals(sheet, n);
    for (size_t i = 0; i < n; i++)
        apart[i] = hypot(x2[i] - x[i], y2[i] - y[i]);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_figure_column_width(figure, 1, 1.5);
    fm_axes_title(a, "Ways, east drawn ten times as wide");
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -0.1, .max = 0.6});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -1.5, .max = 16});
    fm_axes_line(a, (double[]){0, 0, 0.5, 0}, (double[]){1, 5.8, 10.6, 15.4}, 4,
                 &(fm_line_style){.label = "ball", .dash = FM_DASH_DASHED});
    fm_axes_line(a, y, x, n, &(fm_line_style){.label = "first fish"});
    fm_axes_line(a, y2, x2, n, &(fm_line_style){.label = "second fish"});
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    fm_axes_title(b, "Distance of the second fish from the first");
    fm_axes_x(b, &(fm_axis_style){.label = "time", .unit = "s"});
    fm_axes_y(b, &(fm_axis_style){.label = "distance", .unit = "m", .min = 0.7, .max = 1.1});
    fm_axes_line(b, t, apart, n, NULL);
    fm_axes_level(b, 0.8, "0.8 m asked for", NULL);
    fm_sheet_check_near(sheet, "mean distance to the ball", NULL, "m", fm_track_metric(first, "pursuit_distance"),
                        0.515, 0.05, reference);
    fm_sheet_check_near(sheet, "mean distance of the second fish to the first", NULL, "m",
                        fm_track_metric(second, "pursuit_distance"), 0.8, 0.08, "distance asked for");
    return FM_OK;
}

static const fm_figure_spec specs[] = {
    {"fig9", "Frequency and top speed",
     "Fig. 9 (its caption is under Fig. 10) shows the relationship between tail-beat frequency and maximum speed.",
     draw_speed, true},
    {"fig10", "Deflection and turn rate",
     "Fig. 10 (its caption is under Fig. 9) shows the relationship between the deflected angle and the turn rate.",
     draw_turn, true},
    {"locomotion", "Speed and the parameters of the tail's motion",
     "The first aim of section II: to understand the relationship between locomotion and the motion control "
     "parameters, "
     "E = {c1, c2, k, ω}. The paper draws no such figure but Fig. 9.",
     fm_fish_draw_locomotion, true},
    {"fig11", "The pictures of the two eyes",
     "Fig. 11: what fish C sees with its left and its right eye in frame (a) of Fig. 12.", fm_fish_draw_eyes, true},
    {"fig12", "Three fish and two columns from above",
     "Fig. 12: three fish wander in a pool with two static obstacles; the task tests avoiding obstacles and pool "
     "border. "
     "That they also avoid each other is ours.",
     draw_three, true},
    {"servo-table", "The servo table follows the body wave",
     "(2) and (3): four links follow the travelling wave by a look-up table of 4 × M angles, to which a turn adds its "
     "angle.",
     draw_table, true},
    {"tail-beat", "Joints and force of the tail in steady swimming", "Not in the paper: the elongated-body option.",
     draw_beat, true},
    {"pursuit", "A fish follows a moving target",
     "The third aim of section II names pursuing a moving target; no figure of it is in the paper.", draw_pursuit,
     true},
    {"behaviours", "Behaviours of the library",
     "The second aim of section II: decelerating and accelerating swim, constant swim, turning and hover. No figure of "
     "it "
     "is in the paper.",
     fm_fish_draw_behaviours, true},
    {"target", "A fish finds a colour with its cameras",
     "Section VI.B has the cameras for future image processing; no figure of it is in the paper.", fm_fish_draw_target,
     true},
    {"depth", "Up-down swimming by pectoral fins",
     "Not in the paper, which shapes the fins for it and leaves the model to future work.", fm_fish_draw_depth, true},
};

const fm_figure_set fm_figures_fish = {
    .name = "fish",
    .title = "Robotic fish: swimming, avoiding, chasing",
    .source = "J. Liu and H. Hu, Building a 3D simulator for autonomous navigation of robotic fishes",
    .stated = "paper",
    .figures = specs,
    .count = sizeof specs / sizeof specs[0]};
