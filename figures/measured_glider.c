/* Slocum glider: a flight of four hours repeated with its recorded pitch and ballast, and the glide polar. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/measured.h"

enum { LEGS_MOST = 48, LEAD = 20 /* s from the start of a leg that are not compared */ };
#define DENSITY 1005.0 /* kg/m³, of the tank's water */

typedef struct leg {
    size_t first, count; /* samples of the record */
} leg;

typedef struct flight {
    size_t rows;                                          /* of the record */
    const double *t, *pressure, *pitch, *ballast, *speed; /* s, bar, rad, cm³, m/s */
    leg legs[LEGS_MOST];
    size_t leg_count;
    double integral[LEGS_MOST]; /* rad s, of the pitch error of each vehicle */
} flight;

/* --- the record --- */

static fm_status read_record(fm_sheet *sheet, flight *f, fm_error *error)
{
    const fm_sheet_table *table = fm_sheet_read_table(sheet, "records/slocum_comet_2016.csv", error);
    if (!table)
        return error->status;
    f->rows = fm_sheet_table_rows(table);
    f->t = fm_sheet_table_column(table, "t_s", error);
    f->pressure = fm_sheet_table_column(table, "pressure_bar", error);
    f->pitch = fm_sheet_table_column(table, "pitch_rad", error);
    f->ballast = fm_sheet_table_column(table, "ballast_cm3", error);
    f->speed = fm_sheet_table_column(table, "speed_m_s", error);
    return f->t && f->pressure && f->pitch && f->ballast && f->speed ? FM_OK : error->status;
}

static double depth_of(const flight *f, size_t i)
{
    return 1e5 * f->pressure[i] / (1005.5 * 9.81);
}

/* Ways up and down: the ballast stays beyond ±200 cm³ for more than two minutes, under water. */
static void find_legs(flight *f)
{
    for (size_t i = 0; i < f->rows && f->leg_count < LEGS_MOST;) {
        size_t k = i;
        while (k < f->rows && f->t[k] < 13700 && fabs(f->ballast[k]) > 200 && f->ballast[k] * f->ballast[i] > 0 &&
               depth_of(f, k) > 1.5)
            k++;
        if (k > i && f->t[k - 1] - f->t[i] > 120)
            f->legs[f->leg_count++] = (leg){i, k - i};
        i = k > i ? k : i + 1;
    }
}

/* --- flown again --- */

static fm_track *fly_legs(fm_sheet *sheet, flight *f, void (*watch)(void *, fm_world *), fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    double longest = 0;
    char water[4096];
    fm_sheet_find_file(sheet, "slocum-baltic.csv", water, sizeof water);
    for (size_t i = 0; i < f->leg_count; i++)
        longest = fmax(longest, f->t[f->legs[i].first + f->legs[i].count - 1] - f->t[f->legs[i].first]);
    fprintf(text,
            "<fathom version='1'><world dt='0.1 s' duration='%.1f s' latitude='55.2 deg'><water density='1005 kg/m3' "
            "stratified='true' surface='none'><profile file='%s'/></water></world>",
            longest, water);
    for (size_t i = 0; i < f->leg_count; i++) {
        size_t k = f->legs[i].first;
        fprintf(text,
                "<vehicle name='leg-%zu' model='slocum' position='0 %zu %.3f m' attitude='0 %.5f 0 rad' "
                "velocity='0.3 0 0 m/s'><ballast name='ballast' rate='0 kg/s'/><moving-mass name='battery' "
                "rate='0 m/s'/></vehicle>",
                i, 100 * i, depth_of(f, k), f->pitch[k]);
    }
    fprintf(text, "</fathom>");
    return fm_sheet_run(sheet, &(fm_run_request){.all = true, .every = 1, .watch = watch, .user = f}, error);
}

/* A column of the record at a time of its own, linear between samples. */
static double record_at(const flight *f, const double *column, const leg *l, double t)
{
    size_t i = l->first, last = l->first + l->count - 1;
    while (i + 1 < last && f->t[i + 1] < t)
        i++;
    const double part = fmax(0, fmin((t - f->t[i]) / (f->t[i + 1] - f->t[i]), 1));
    return column[i] + part * (column[i + 1] - column[i]);
}

/* Once a second: ballast as recorded, and the battery where it gives the recorded pitch. */
static void follow_record(void *user, fm_world *world)
{
    flight *f = user;
    const double now = fm_world_time(world);
    if (fabs(now - floor(now + 0.5)) > 0.01)
        return;
    for (size_t i = 0; i < f->leg_count; i++) {
        const leg *l = &f->legs[i];
        const double t = f->t[l->first] + now, ballast = record_at(f, f->ballast, l, t);
        char name[32];
        fm_pose pose;
        snprintf(name, sizeof name, "leg-%zu", i);
        if (fm_world_pose(world, (int)i, &pose) != FM_OK)
            continue;
        const double error = pose.euler[1] - record_at(f, f->pitch, l, t);
        f->integral[i] += error;
        fm_world_order(world, name, "ballast", 1e-6 * DENSITY * (250 - ballast), NULL);
        fm_world_order(world, name, "battery", fmax(-0.05, fmin(0.02 * error + 0.005 * f->integral[i], 0.05)), NULL);
    }
}

/* --- how far they differ --- */

typedef struct misses {
    double square, sum;
    size_t count;
} misses;

static void add_miss(misses *m, double off)
{
    m->square += off * off;
    m->sum += off;
    m->count++;
}

static double rms(const misses *m)
{
    return m->count ? sqrt(m->square / (double)m->count) : NAN;
}

static double through_water(const fm_track *track, double t)
{
    const double u = fm_track_at(track, "u", t), v = fm_track_at(track, "v", t), w = fm_track_at(track, "w", t);
    return sqrt(u * u + v * v + w * w);
}

/* Depth rates over 18 s and speeds of one leg: ours minus the record's. */
static void compare_leg(const flight *f, const leg *l, const fm_track *track, misses *rate, misses *speed)
{
    enum { SPAN = 3 }; /* samples before and after */
    for (size_t i = l->first + SPAN; i + SPAN < l->first + l->count; i++) {
        const double t = f->t[i] - f->t[l->first], a = f->t[i - SPAN] - f->t[l->first],
                     b = f->t[i + SPAN] - f->t[l->first];
        if (t < LEAD)
            continue;
        const double theirs = (depth_of(f, i + SPAN) - depth_of(f, i - SPAN)) / (b - a);
        add_miss(rate, (fm_track_at(track, "z", b) - fm_track_at(track, "z", a)) / (b - a) - theirs);
        if (isfinite(f->speed[i]) && fabs(f->t[i] - 5720) > 30)
            add_miss(speed, through_water(track, t) - f->speed[i]);
    }
}

static void draw_legs(fm_sheet *sheet, const flight *f, const fm_track *track, fm_axes *depth, fm_axes *speed)
{
    for (size_t k = 0; k < f->leg_count; k++, track = fm_track_next(track)) {
        const leg *l = &f->legs[k];
        double *t = fm_sheet_reals(sheet, l->count), *z = fm_sheet_reals(sheet, l->count),
               *u = fm_sheet_reals(sheet, l->count);
        if (!t || !z || !u)
            return;
        for (size_t i = 0; i < l->count; i++) {
            const double at = f->t[l->first + i] - f->t[l->first];
            t[i] = f->t[l->first + i];
            z[i] = fm_track_at(track, "z", at);
            u[i] = at < LEAD || !isfinite(f->speed[l->first + i]) ? NAN : through_water(track, at);
        }
        const fm_line_style ours = {
            .label = k ? NULL : "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1), .width = 1};
        fm_axes_line(depth, t, z, l->count, &ours);
        fm_axes_line(speed, t, u, l->count, &(fm_line_style){.colour = ours.colour, .width = 1});
    }
}

fm_status fm_measured_draw_slocum_flight(fm_sheet *sheet, fm_error *error)
{
    flight *f = fm_sheet_alloc(sheet, sizeof *f);
    if (!f)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for the record");
    fm_status status = read_record(sheet, f, error);
    if (status != FM_OK)
        return status;
    find_legs(f);
    fm_track *track = fly_legs(sheet, f, follow_record, error);
    if (!track)
        return error->status;
    misses rate[2] = {{0}}, speed[2] = {{0}}; /* first and second half of the legs */
    const fm_track *at = track;
    for (size_t k = 0; k < f->leg_count; k++, at = fm_track_next(at))
        compare_leg(f, &f->legs[k], at, &rate[k >= f->leg_count / 2], &speed[k >= f->leg_count / 2]);
    double *depth = fm_sheet_reals(sheet, f->rows);
    if (!depth)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory for a curve");
    for (size_t i = 0; i < f->rows; i++)
        depth[i] = depth_of(f, i);
    fm_figure *figure = fm_sheet_figure(sheet, 180, 120);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_figure_share_x(figure);
    fm_axes_line(a, f->t, depth, f->rows,
                 &(fm_line_style){.label = "measured", .colour = fm_colour_series(FM_THEME_LIGHT, 0), .width = 2.2});
    fm_axes_line(b, f->t, f->speed, f->rows,
                 &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 0), .width = 1.6});
    draw_legs(sheet, f, track, a, b);
    fm_axes_x(a, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 5000});
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 5000});
    fm_axes_y(b, &(fm_axis_style){.label = "speed through water", .unit = "m/s", .min = 0.2, .max = 0.45});
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    fm_sheet_check_near(sheet, "legs flown", NULL, "", (double)f->leg_count, 36, 3, "18 dives, up and down");
    fm_sheet_check_range(sheet, "depth rate, rms, first half", NULL, "m/s", rms(&rate[0]), 0, 0.015,
                         "mass and drag were fitted by the authors to this flight");
    fm_sheet_check_range(sheet, "depth rate, rms, second half", NULL, "m/s", rms(&rate[1]), 0, 0.015, "the same");
    fm_sheet_check_range(sheet, "speed, rms, first half", NULL, "m/s", rms(&speed[0]), 0, 0.035,
                         "DVL, on the way down; of the flight that mass and drag were fitted to");
    fm_sheet_check_range(sheet, "speed, rms, second half", NULL, "m/s", rms(&speed[1]), 0, 0.035, "the same");
    fm_sheet_note(sheet,
                  "Each way down and up is flown from the recorded depth at its start, with the recorded ballast; the "
                  "battery is where it gives the recorded pitch. The first 20 s of each are not compared. Density is "
                  "that of the mean profile, and so is the temperature, with which the hull expands. The DVL's spike "
                  "at 5720 s and what comes after 13,700 s are left out.");
    return FM_OK;
}

/* --- polar --- */

enum { ANGLES = 8 };

/* Steady glide by hand: pitch θ > 0 down, net weight W (N). tan γ = C_D/C_L, γ = θ + α, U² = W sin γ/(½ρ S C_D). */
static void glide(double pitch, double weight, double out[2])
{
    const double q = 0.5 * 1004 * 0.1, slope = 3.8 + 3.73;
    double low = 1e-4, high = 0.5;
    for (int i = 0; i < 60; i++) {
        const double a = 0.5 * (low + high);
        if ((0.150 + 10.5 * a * a) / (slope * a) > tan(pitch + a))
            low = a;
        else
            high = a;
    }
    const double path = pitch + low, speed = sqrt(weight * sin(path) / (q * (0.150 + 10.5 * low * low)));
    out[0] = speed * cos(path);
    out[1] = speed * sin(path);
}

static double polar_angle(int i)
{
    return (12 + 4.0 * i) * FM_DEGREE;
}

/* Battery to hold the pitch, once a second. */
static void hold_angles(void *user, fm_world *world)
{
    double *integral = user, now = fm_world_time(world);
    if (fabs(now - floor(now + 0.5)) > 0.01)
        return;
    for (int i = 0; i < ANGLES; i++) {
        char name[32];
        fm_pose pose;
        snprintf(name, sizeof name, "glider-%d", i);
        if (fm_world_pose(world, i, &pose) != FM_OK)
            continue;
        const double error = pose.euler[1] + polar_angle(i);
        integral[i] += error;
        fm_world_order(world, name, "battery", fmax(-0.05, fmin(0.02 * error + 0.003 * integral[i], 0.05)), NULL);
    }
}

static fm_track *run_polar(fm_sheet *sheet, double *integral, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return NULL;
    fprintf(text, "<fathom version='1'><world dt='0.1 s' duration='200 s'><water density='1005 kg/m3'/></world>");
    for (int i = 0; i < ANGLES; i++)
        fprintf(text,
                "<vehicle name='glider-%d' model='slocum' position='0 %d 20 m' attitude='0 %.4f 0 rad' velocity='0.3 0 "
                "0 m/s'><buoyancy compression='0 1/m' expansion='0 1/K'/><ballast name='ballast' rate='0 "
                "kg/s'/><orders><at t='0 s' "
                "ballast='0.48 kg'/></orders></vehicle>",
                i, 100 * i, -polar_angle(i));
    fprintf(text, "</fathom>");
    return fm_sheet_run(sheet, &(fm_run_request){.all = true, .every = 1, .watch = hold_angles, .user = integral},
                        error);
}

/* The record's own points on the way down: horizontal speed by the DVL, vertical by the pressure. */
static void scatter_record(fm_sheet *sheet, fm_axes *axes, const flight *f)
{
    double *x = fm_sheet_reals(sheet, f->rows), *y = fm_sheet_reals(sheet, f->rows);
    size_t n = 0;
    for (size_t i = 3; x && y && i + 3 < f->rows; i++) {
        const double down = (depth_of(f, i + 3) - depth_of(f, i - 3)) / (f->t[i + 3] - f->t[i - 3]), u = f->speed[i];
        if (!isfinite(u) || f->t[i] > 13700 || fabs(f->t[i] - 5720) < 30 || !(u > down))
            continue;
        x[n] = sqrt(u * u - down * down);
        y[n++] = down;
    }
    fm_axes_scatter(axes, x, y, n,
                    &(fm_scatter_style){.label = "measured, pitch 20 to 25°, in stratified water",
                                        .colour = fm_colour_series(FM_THEME_LIGHT, 0),
                                        .size = 1.6});
}

fm_status fm_measured_draw_slocum_polar(fm_sheet *sheet, fm_error *error)
{
    double integral[ANGLES] = {0}, x[ANGLES], y[ANGLES], cx[ANGLES], cy[ANGLES], off = 0;
    flight *f = fm_sheet_alloc(sheet, sizeof *f);
    fm_status status = f ? read_record(sheet, f, error) : fm_figure_fail(error, FM_ERR_MEMORY, "out of memory");
    if (status != FM_OK)
        return status;
    fm_track *track = run_polar(sheet, integral, error);
    if (!track)
        return error->status;
    const double weight = (70.10 + 0.48 - 1005 * 0.069969876) * 9.80665;
    for (int i = 0; i < ANGLES; i++, track = fm_track_next(track)) {
        double want[2];
        x[i] = (fm_track_at(track, "x", 199) - fm_track_at(track, "x", 159)) / 40;
        y[i] = (fm_track_at(track, "z", 199) - fm_track_at(track, "z", 159)) / 40;
        glide(polar_angle(i), weight, want);
        cx[i] = want[0];
        cy[i] = want[1];
        off = fmax(off, fmax(fabs(x[i] - want[0]), fabs(y[i] - want[1])));
    }
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 130, 95), 0, 0, 1, 1);
    scatter_record(sheet, axes, f);
    fm_axes_line(axes, cx, cy, ANGLES,
                 &(fm_line_style){.label = "steady glide by hand, pitch 12 to 40°",
                                  .colour = fm_colour_series(FM_THEME_LIGHT, 2),
                                  .dash = FM_DASH_DASHED});
    fm_axes_scatter(axes, x, y, ANGLES,
                    &(fm_scatter_style){.label = "ours", .colour = fm_colour_series(FM_THEME_LIGHT, 1), .size = 5});
    fm_axes_x(axes, &(fm_axis_style){.label = "horizontal speed", .unit = "m/s"});
    fm_axes_y(axes, &(fm_axis_style){.label = "sinking", .unit = "m/s", .reversed = true});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    fm_sheet_check_range(sheet, "greatest difference from the steady glide", NULL, "m/s", off, 0, 0.008,
                         "lift and drag by hand; ours has them to second order in the angle of attack");
    return FM_OK;
}
