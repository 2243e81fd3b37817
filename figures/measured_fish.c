/* A robotic fish with one joint: speed and turn rate by amplitude and bias of its tail, over 72 trials. */
#include <math.h>
#include <stdio.h>

#include "figures/measured.h"

enum { SWINGS = 4, BIASES = 5 };
#define LAST 12.0  /* s, of our runs: as long as the longest trial */
#define KEPT 0.55  /* the last part of a trial, which the record's means are taken over */
#define EVERY 0.05 /* s */

static const double swings[SWINGS] = {15, 20, 25, 30}, biases[BIASES] = {0, 20, 30, 40, 50}; /* degrees */

/* One amplitude and bias: means of both sides, which the record lists separately. */
typedef struct trial {
    double speed, speed_spread, rate, rate_spread; /* measured: m/s, rad/s; half the difference of the sides */
    double our_speed, our_rate;
} trial;

typedef struct trials {
    const fm_sheet_table *means, *series;
    trial at[SWINGS][BIASES];
} trials;

/* --- the record --- */

/* Means of whole beats over the last part of a trial of `duration` s: the tail beats once a second. */
static double mean_of(const fm_track *track, const char *column, double duration)
{
    const double beats = fmax(1, floor(KEPT * duration + 0.5));
    double sum = 0;
    int count = 0;
    for (double t = duration - beats + EVERY; t < duration + EVERY / 2; t += EVERY, count++)
        sum += fm_track_at(track, column, t);
    return sum / count;
}

/* Rows of the record with this amplitude, and this bias to either side. */
static void take_trial(const fm_sheet_table *means, double swing, double bias, const fm_track *track, trial *out)
{
    const double *a = fm_sheet_table_column(means, "amp_deg", NULL),
                 *b = fm_sheet_table_column(means, "bias_deg", NULL), *v = fm_sheet_table_column(means, "v1_m_s", NULL),
                 *w = fm_sheet_table_column(means, "omega_rad_s", NULL),
                 *d = fm_sheet_table_column(means, "duration_s", NULL);
    double speed[2] = {0}, rate[2] = {0};
    int n = 0;
    *out = (trial){0};
    for (size_t i = 0; i < fm_sheet_table_rows(means) && n < 2; i++)
        if (a[i] == swing && fabs(b[i]) == bias) {
            speed[n] = v[i];
            rate[n++] = b[i] < 0 ? w[i] : -w[i]; /* its bias turns to the other side */
            out->our_speed += mean_of(track, "u", d[i]);
            out->our_rate += mean_of(track, "r", d[i]);
        }
    const int sides = n > 1 ? n : 1;
    out->speed = (speed[0] + speed[1]) / sides;
    out->rate = (rate[0] + rate[1]) / sides;
    out->speed_spread = n > 1 ? fabs(speed[0] - speed[1]) / 2 : 0;
    out->rate_spread = n > 1 ? fabs(rate[0] - rate[1]) / 2 : 0;
    out->our_speed /= sides;
    out->our_rate /= sides;
}

/* --- swum again --- */

static fm_track *swim_trials(fm_sheet *sheet, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    fprintf(text,
            "<fathom version='1'><world dt='%g s' duration='%g s'><water density='1000 kg/m3' surface='none'/>"
            "</world>",
            EVERY, LAST);
    for (int i = 0; i < SWINGS; i++)
        for (int k = 0; k < BIASES; k++)
            fprintf(text,
                    "<vehicle name='fish-%d-%d' model='robotic-fish-one-joint' position='%d %d 2 m'><fish "
                    "deflection='%g deg'><wave frequency='1 Hz'/><servo-table swing='%g deg'/></fish></vehicle>",
                    i, k, 10 * i, 10 * k, biases[k], swings[i]);
    fprintf(text, "</fathom>");
    return fm_measured_run(sheet, EVERY, error);
}

/* --- how far they differ --- */

static bool is_fitted(int i, int k, bool rate)
{
    return i == 1 && k == (rate ? 2 : 0);
}

/* Of all with a bias but the fitted one: rms and greatest difference as parts of the measured, and the correlation. */
static void compare(const trials *t, bool rate, double *rms, double *most, double *together)
{
    double square = 0, n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    *most = 0;
    for (int i = 0; i < SWINGS; i++)
        for (int k = 1; k < BIASES; k++) {
            if (is_fitted(i, k, rate))
                continue;
            const trial *at = &t->at[i][k];
            const double theirs = rate ? at->rate : at->speed, ours = rate ? at->our_rate : at->our_speed,
                         off = ours / theirs - 1;
            square += off * off;
            *most = fmax(*most, fabs(off));
            n++;
            a += theirs;
            b += ours;
            aa += theirs * theirs;
            bb += ours * ours;
            ab += theirs * ours;
        }
    *rms = sqrt(square / n);
    *together = (n * ab - a * b) / sqrt((n * aa - a * a) * (n * bb - b * b));
}

static void check_trials(fm_sheet *sheet, const trials *t)
{
    const char *record = "mean of two trials";
    double rms, most, together;
    for (int i = 0; i < SWINGS; i++) {
        char quantity[64];
        snprintf(quantity, sizeof quantity, "speed at an amplitude of %g°, no bias", swings[i]);
        fm_measured_check(sheet, quantity, "m/s", t->at[i][0].our_speed, t->at[i][0].speed, 0.1, is_fitted(i, 0, false),
                          record);
    }
    fm_measured_check(sheet, "turn rate at 20° and a bias of 30°", "rad/s", t->at[1][2].our_rate, t->at[1][2].rate, 0.1,
                      true, "mean of four trials");
    compare(t, true, &rms, &most, &together);
    static const char shape[] = "the shape of this fish is not published: two lengths are fitted to two of 36 numbers";
    fm_sheet_check_range(sheet, "the other 15 turn rates: rms difference", NULL, "%", 100 * rms, 0, 10, "predicted");
    fm_sheet_fails(sheet, shape);
    fm_sheet_check_range(sheet, "the same: greatest difference", NULL, "%", 100 * most, 0, 10, "predicted");
    fm_sheet_fails(sheet, shape);
    fm_sheet_check_range(sheet, "the same: correlation", NULL, "", together, 0.93, 1, "predicted");
    compare(t, false, &rms, &most, &together);
    fm_sheet_check_range(sheet, "16 speeds with a bias: rms difference", NULL, "%", 100 * rms, 0, 10, "predicted");
    fm_sheet_fails(sheet, shape);
    fm_sheet_check_range(sheet, "the same: greatest difference", NULL, "%", 100 * most, 0, 10, "predicted");
    fm_sheet_fails(sheet, shape);
    fm_sheet_check_range(sheet, "the same: correlation", NULL, "", together, 0.85, 1, "predicted");
}

/* --- drawn --- */

static void draw_biases(const trials *t, fm_axes *axes, bool rate)
{
    for (int i = 0; i < SWINGS; i++) {
        double x[BIASES], ours[BIASES], theirs[BIASES];
        char label[32];
        const fm_colour colour = fm_colour_series(FM_THEME_LIGHT, (size_t)i);
        for (int k = 0; k < BIASES; k++) {
            const trial *at = &t->at[i][k];
            const double spread = rate ? at->rate_spread : at->speed_spread;
            x[k] = biases[k];
            ours[k] = rate ? at->our_rate : at->our_speed;
            theirs[k] = rate ? at->rate : at->speed;
            if (spread > 0)
                fm_axes_line(axes, (double[]){x[k], x[k]}, (double[]){theirs[k] - spread, theirs[k] + spread}, 2,
                             &(fm_line_style){.colour = colour, .width = 0.8});
        }
        snprintf(label, sizeof label, "amplitude %g°", swings[i]);
        fm_axes_line(axes, x, ours, BIASES, &(fm_line_style){.label = rate ? label : NULL, .colour = colour});
        fm_axes_scatter(axes, x, theirs, BIASES, &(fm_scatter_style){.colour = colour, .size = 4});
    }
    fm_axes_x(axes, &(fm_axis_style){.label = "bias of the tail", .unit = "°", .min = -2, .max = 53});
}

static void draw_straight(const trials *t, fm_axes *axes)
{
    fm_measured_point points[SWINGS];
    double ours[SWINGS];
    for (int i = 0; i < SWINGS; i++) {
        points[i] = (fm_measured_point){.input = swings[i], .value = t->at[i][0].speed};
        ours[i] = t->at[i][0].our_speed;
    }
    fm_axes_line(axes, swings, ours, SWINGS,
                 &(fm_line_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_measured_scatter(axes, points, SWINGS, "measured");
    fm_axes_legend(axes, FM_LEGEND_AUTO);
    fm_axes_x(axes, &(fm_axis_style){.label = "amplitude, no bias", .unit = "°", .min = 13, .max = 32});
    fm_axes_y(axes, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0, .max = 0.25});
}

/* Speed from rest at 15° without bias: both trials and ours, each as the mean over the beat about a time. */
static fm_status draw_start(fm_sheet *sheet, const trials *t, const fm_track *track, fm_axes *axes, fm_error *error)
{
    const fm_sheet_table *s = t->series;
    const size_t rows = fm_sheet_table_rows(s);
    const double *a = fm_sheet_table_column(s, "amp_deg", error), *b = fm_sheet_table_column(s, "bias_deg", error),
                 *number = fm_sheet_table_column(s, "trial", error), *time = fm_sheet_table_column(s, "t_s", error),
                 *v = fm_sheet_table_column(s, "v1_m_s", error);
    double *x = fm_sheet_reals(sheet, rows), *y = fm_sheet_reals(sheet, rows), *ours = fm_sheet_reals(sheet, 240);
    if (!a || !b || !number || !time || !v)
        return error->status;
    if (!x || !y || !ours)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
    for (int which = 1; which <= 2; which++) {
        size_t n = 0;
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            int count = 0;
            if (a[i] != 15 || b[i] != 0 || number[i] != which)
                continue;
            for (size_t k = i > 5 ? i - 5 : 0; k < rows && k <= i + 5; k++)
                if (a[k] == 15 && b[k] == 0 && number[k] == which && fabs(time[k] - time[i]) < 0.51) {
                    sum += v[k];
                    count++;
                }
            x[n] = time[i];
            y[n++] = sum / count;
        }
        fm_axes_line(axes, x, y, n, &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 0), .width = 1.4});
        x += n;
        y += n;
    }
    size_t n = 0;
    double *at = fm_sheet_reals(sheet, 240);
    if (!at)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
    for (; n < 220 && 0.5 + EVERY * (double)n + 0.5 < LAST; n++) {
        at[n] = 0.5 + EVERY * (double)n;
        ours[n] = 0;
        for (int k = 0; k < 20; k++)
            ours[n] += fm_track_at(track, "u", at[n] - 0.475 + EVERY * k) / 20;
    }
    fm_axes_line(axes, at, ours, n, &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_x(axes, &(fm_axis_style){.label = "time from rest", .unit = "s", .min = 0, .max = LAST});
    fm_axes_y(axes, &(fm_axis_style){.label = "speed at 15°, no bias", .unit = "m/s", .min = 0, .max = 0.12});
    return FM_OK;
}

fm_status fm_measured_draw_fish(fm_sheet *sheet, fm_error *error)
{
    trials *t = fm_sheet_alloc(sheet, sizeof *t);
    if (!t)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for the record");
    t->means = fm_sheet_read_table(sheet, "records/robotic_fish_steady.csv", error);
    t->series = t->means ? fm_sheet_read_table(sheet, "records/robotic_fish_2019.csv", error) : NULL;
    if (!t->series)
        return error->status;
    static const char *const needed[] = {"amp_deg", "bias_deg", "v1_m_s", "omega_rad_s", "duration_s"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!fm_sheet_table_column(t->means, needed[i], error))
            return error->status;
    fm_track *first = swim_trials(sheet, error);
    if (!first)
        return error->status;
    const fm_track *track = first;
    for (int i = 0; i < SWINGS; i++)
        for (int k = 0; k < BIASES; k++, track = fm_track_next(track))
            take_trial(t->means, swings[i], biases[k], track, &t->at[i][k]);
    check_trials(sheet, t);
    fm_figure *figure = fm_sheet_figure(sheet, 180, 140);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1),
            *c = fm_figure_axes(figure, 1, 0, 1, 1), *d = fm_figure_axes(figure, 1, 1, 1, 1);
    draw_straight(t, a);
    draw_biases(t, b, true);
    fm_axes_y(b, &(fm_axis_style){.label = "turn rate", .unit = "rad/s", .min = 0, .max = 0.8});
    fm_axes_legend(b, FM_LEGEND_AUTO);
    draw_biases(t, c, false);
    fm_axes_y(c, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0, .max = 0.25});
    fm_sheet_note(
        sheet,
        "Dimensions of the fish are not published. Two of ours, head and link, are fitted to two of the 36 numbers: "
        "speed without bias and turn rate at a bias of 30°, both at an amplitude of 20°. Dots are measured (bars: half "
        "the difference of the two sides), lines ours over the same time from rest. The record's law says 1 Hz, which "
        "our tail has; its yaw swings at 1.9 to 2.3 Hz, so its law or its clock are off by two. The form does not "
        "depend on that. Its fish also turns a little without bias (0.02 to 0.07 rad/s), ours does not.");
    return draw_start(sheet, t, first, d, error);
}
