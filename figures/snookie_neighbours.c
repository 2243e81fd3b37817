/* Snookie among others: the wake of a pile and an approaching vehicle. Both are our own additions. */
#include <math.h>
#include <stdio.h>

#include "figures/snookie.h"

/* --- the wake --- */

/* The vortex street of the scenario: diameter of the pile D, stream U, Strouhal number St, h/l, U_c/U, and the distance
 * from the pile at which the vortices begin. */
static const double diameter = 0.2, stream = 0.2, strouhal = 0.2, ratio = 0.281, drift = 0.86, formation = 0.2;

/* Hz: St U/D */
static double shedding(void)
{
    return strouhal * stream / diameter;
}

static const double follow_speed = 0.03; /* m/s, of <wake-finder> */

/* First row of a state of the finder; rows where there is none. */
static size_t state_row(const fm_track *track, double wanted)
{
    const double *state = fm_track_column(track, "wake-finder.state");
    size_t row = 0;
    while (state && row < fm_track_rows(track) && state[row] != wanted)
        row++;
    return row;
}

/* Its vortices at time t: each side once a period, drifting with the street. */
static void draw_vortices(fm_axes *a, double t, double until)
{
    double spacing = drift * diameter / strouhal, x[2][64], y[2][64];
    size_t n[2] = {0};
    for (int row = 0; row < 2; row++) {
        double shift = shedding() * t + 0.5 * row;
        for (int k = 0; k < 64 && -formation - spacing * (shift - floor(shift) + k) > until; k++) {
            y[row][n[row]] = -formation - spacing * (shift - floor(shift) + k);
            x[row][n[row]++] = (row ? -0.5 : 0.5) * ratio * spacing;
        }
    }
    fm_axes_scatter(a, x[0], y[0], n[0], &(fm_scatter_style){.label = "vortices, to the left", .size = 5});
    fm_axes_scatter(a, x[1], y[1], n[1],
                    &(fm_scatter_style){.label = "to the right", .marker = FM_MARKER_RING, .size = 5});
}

enum { OUTLINE = 40 };

/* The capsule of 0.74 m × 0.25 m as points north and east. */
static void outline(double x, double y, double psi, double north[OUTLINE], double east[OUTLINE])
{
    for (int i = 0; i < OUTLINE; i++) {
        double angle = 2 * M_PI * (i + 0.5) / OUTLINE, c = cos(angle), along = 0.125 * c + (c > 0 ? 0.245 : -0.245),
               across = 0.125 * sin(angle);
        north[i] = x + along * cos(psi) - across * sin(psi);
        east[i] = y + along * sin(psi) + across * cos(psi);
    }
}

static void draw_hull(fm_axes *a, double x, double y, double psi)
{
    double north[OUTLINE], east[OUTLINE];
    outline(x, y, psi, north, east);
    fm_axes_polygon(a, east, north, OUTLINE, &(fm_area_style){.opacity = 0.15, .line_width = 0.7});
}

/* North to the right. */
static void draw_flat_hull(fm_axes *a, double x, double y, double psi)
{
    double north[OUTLINE], east[OUTLINE];
    outline(x, y, psi, north, east);
    fm_axes_polygon(a, north, east, OUTLINE, &(fm_area_style){.opacity = 0.15, .line_width = 0.7});
}

static void draw_path(fm_figure *figure, const fm_track *track, double until)
{
    const double *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"),
                 *psi = fm_track_column(track, "psi"), *t = fm_track_column(track, "t");
    static const char *const names[] = {"", "search", "wake found", "source"};
    size_t n = fm_track_rows(track);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 3, 1);
    fm_axes_title(a, "Path over the wake");
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -2, .max = 1.9});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -5, .max = 0.6});
    fm_axes_equal(a);
    fm_axes_legend(a, FM_LEGEND_ABOVE);
    double pile[2][24];
    for (int i = 0; i < 24; i++)
        pile[0][i] = 0.1 * cos(M_PI * i / 12), pile[1][i] = 0.1 * sin(M_PI * i / 12);
    fm_axes_polygon(a, pile[0], pile[1], 24, &(fm_area_style){.opacity = 0.8});
    fm_axes_text(a, 0, 0, "pile", &(fm_text_style){.dx = 10, .dy = -3});
    fm_axes_arrows(a, (double[]){-1.6}, (double[]){-0.6}, (double[]){0}, (double[]){-1}, 1, NULL);
    fm_axes_text(a, -1.6, -0.8, "0.2 m/s", &(fm_text_style){.dx = 5});
    draw_vortices(a, until, -4.9);
    fm_axes_line(a, y, x, n, &(fm_line_style){.label = "middle of the hull"});
    for (int s = 1; s <= 3; s++) {
        size_t row = state_row(track, s);
        char text[48];
        if (row >= n)
            continue;
        snprintf(text, sizeof text, "%s, %.0f s", names[s], t[row]);
        draw_hull(a, x[row], y[row], psi[row]);
        fm_axes_text(a, y[row], x[row], text, &(fm_text_style){.dx = s == 1 ? -8 : 16, .dy = s == 1 ? -24 : -3});
    }
}

static void draw_signal(fm_figure *figure, const fm_track *track)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), end = t[n - 1];
    fm_axes *a = fm_figure_axes(figure, 0, 1, 1, 2);
    fm_axes_title(a, "Starboard less port, own motion taken off");
    fm_axes_x(a, &(fm_axis_style){.label = "time", .unit = "s", .min = 0, .max = end});
    fm_axes_y(a, &(fm_axis_style){.label = "signal", .unit = "V", .min = -0.4, .max = 0.5});
    fm_axes_line(a, t, fm_track_column(track, "wake-finder.signal"), n, &(fm_line_style){.width = 0.8});
    static const char *const names[] = {"", "", "found", "source"};
    for (int s = 2; s <= 3; s++)
        if (state_row(track, s) < n)
            fm_axes_event(a, t[state_row(track, s)], names[s], &(fm_line_style){.width = 0.6, .dash = FM_DASH_DOTTED});
}

static void draw_frequency(fm_sheet *sheet, fm_figure *figure, const fm_track *track)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *f = fm_track_column(track, "wake-finder.frequency"),
                 *u = fm_track_column(track, "u"), *psi = fm_track_column(track, "psi"),
                 *v = fm_track_column(track, "v");
    double *told = fm_sheet_reals(sheet, n), *passing = fm_sheet_reals(sheet, n), way = 0;
    const double shed = shedding();
    for (size_t i = 0; told && passing && i < n; i++) {
        double north = u[i] * cos(psi[i]) - v[i] * sin(psi[i]);
        way += ((i ? north : 0) - way) * (i ? (t[i] - t[i - 1]) / 10 : 0); /* mean of 10 s, as slow as the count */
        told[i] = f[i] > 0 ? f[i] : NAN;
        passing[i] = f[i] > 0 ? shed * (1 + way / (drift * 0.2)) : NAN;
    }
    fm_axes *a = fm_figure_axes(figure, 1, 1, 1, 2);
    fm_axes_title(a, "How often vortices pass");
    fm_axes_x(a, &(fm_axis_style){.label = "time", .unit = "s", .min = 0, .max = t[n - 1]});
    fm_axes_y(a, &(fm_axis_style){.label = "frequency", .unit = "Hz", .min = 0.16, .max = 0.28});
    fm_axes_level(a, shed, "shed: St U/D", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_line(a, t, passing, n, &(fm_line_style){.label = "f (1 + way upstream/drift)", .dash = FM_DASH_DASHED});
    fm_axes_line(a, t, told, n, &(fm_line_style){.label = "reported by the finder", .step = true});
}

/* Amplitude at frequency f of the signal from t0 to t1, V. */
static double amplitude_at(const fm_track *track, double t0, double t1, double f)
{
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "wake-finder.signal");
    double re = 0, im = 0, sum = 0;
    for (size_t i = 0; i < fm_track_rows(track); i++) {
        double part = (t[i] - t0) / (t1 - t0), window = part > 0 && part < 1 ? 0.5 - 0.5 * cos(2 * M_PI * part) : 0;
        re += window * x[i] * cos(2 * M_PI * f * t[i]), im += window * x[i] * sin(2 * M_PI * f * t[i]);
        sum += window;
    }
    return 2 * hypot(re, im) / fmax(sum, 1);
}

enum { LINES = 141 };

/* Spectrum from t0 to t1 against frequency; Hz of its peak. */
static double draw_spectrum(fm_sheet *sheet, fm_axes *a, const fm_track *track, double t0, double t1,
                            const fm_line_style *style)
{
    double *f = fm_sheet_reals(sheet, LINES), *part = fm_sheet_reals(sheet, LINES), most = 0, best = 0;
    for (int i = 0; f && part && i < LINES; i++) {
        f[i] = 0.05 + 0.0025 * i;
        part[i] = amplitude_at(track, t0, t1, f[i]);
        best = part[i] > most ? f[i] : best;
        most = fmax(most, part[i]);
    }
    fm_axes_line(a, f, part, f && part ? LINES : 0, style);
    return best;
}

fm_status fm_snookie_draw_wake(fm_sheet *sheet, fm_error *error)
{
    static const double end = 300;
    fm_track *track =
        fm_sheet_run(sheet, &(fm_run_request){.scenario = "snookie-wake-search", .duration = end, .every = 0.1}, error);
    fm_track *dead =
        track ? fm_sheet_run(sheet,
                             &(fm_run_request){.scenario = "snookie-wake-search",
                                               .sets = (const char *[]){"/snookie/lateral_line/fault=dead", NULL},
                                               .duration = end,
                                               .every = 1},
                             error)
              : NULL;
    if (!dead)
        return error->status;
    double found = fm_track_metric(track, "wake_found"), there = fm_track_metric(track, "wake_source"),
           shed = shedding(), passing = shed * (1 + follow_speed / (0.86 * 0.2));
    fm_figure *figure = fm_sheet_figure(sheet, 170, 120);
    fm_figure_column_width(figure, 0, 1.6);
    draw_path(figure, track, end);
    draw_signal(figure, track);
    draw_frequency(sheet, figure, track);
    fm_axes *a = fm_figure_axes(figure, 2, 1, 1, 2);
    fm_axes_title(a, "Spectrum of the signal");
    fm_axes_x(a, &(fm_axis_style){.label = "frequency", .unit = "Hz", .min = 0.05, .max = 0.4});
    fm_axes_y(a, &(fm_axis_style){.label = "amplitude", .unit = "V", .min = 0, .max = NAN});
    double following = draw_spectrum(sheet, a, track, found + 10, there - 40,
                                     &(fm_line_style){.label = "while it follows", .dash = FM_DASH_DASHED}),
           waiting = draw_spectrum(sheet, a, track, there, end, &(fm_line_style){.label = "while it waits"});
    fm_axes_event(a, shed, "St U/D", &(fm_line_style){.width = 0.6, .dash = FM_DASH_DOTTED});
    fm_sheet_check_near(sheet, "frequency at the peak while it waits", NULL, "Hz", waiting, shed, 0.005,
                        "shed: St U/D = 0.2 · 0.2 m/s/0.2 m");
    fm_sheet_check_near(sheet, "the same while it follows at 0.03 m/s", NULL, "Hz", following, passing, 0.006,
                        "closed form: f (1 + u/U_c), drift U_c 0.172 m/s");
    fm_sheet_check_near(sheet, "reported by the finder at the end", NULL, "Hz",
                        fm_track_at(track, "wake-finder.frequency", end - 1), shed, 0.006, "shed");
    fm_sheet_check_range(sheet, "wake found after", NULL, "s", found, -INFINITY, 60, NULL);
    fm_sheet_check_range(sheet, "stays behind the pile's axis, middle of the hull", NULL, "m",
                         -fm_track_at(track, "x", end - 1), 0.5, INFINITY, NULL);
    fm_sheet_check_range(sheet, "beside the middle of the wake then", NULL, "m", fabs(fm_track_at(track, "y", end - 1)),
                         0, 0.3, NULL);
    fm_sheet_check_holds(sheet, "with a dead line no wake is found", NULL, isnan(fm_track_metric(dead, "wake_found")),
                         "the line alone steers it");
    fm_sheet_note(sheet, "Ours: the paper names wakes as a prospect. Snookie crosses the stream until the line swings "
                         "evenly three times, goes up the wake at 0.03 m/s, keeps to its middle by the phase between "
                         "what swings across the hull and along it (L9), and waits where the swings grow smaller "
                         "again, behind the place where vortices are born.");
    return FM_OK;
}

/* --- the meeting --- */

static const double radius = 0.125;  /* m, of the nose */
static const double nose_at = 0.245; /* m, its centre before the middle of the hull */
static const double sensor = 52.5;   /* °, the foremost to starboard */
static const double coming = 0.2;    /* m/s */

/* Dipole mu at d ahead, along x, and its image in the nose (Hicks): the part along the sensor, m/s. */
static double dipole_felt(double d, double mu)
{
    double angle = sensor * FM_DEGREE, u[2] = {cos(angle), sin(angle)}, v[2] = {0};
    double centres[2] = {d, radius * radius / d}, moments[2] = {mu, -mu * pow(radius / d, 3)};
    for (int i = 0; i < 2; i++) {
        double r[2] = {radius * u[0] - centres[i], radius * u[1]}, r2 = r[0] * r[0] + r[1] * r[1];
        for (int k = 0; k < 2; k++)
            v[k] += moments[i] / (r2 * sqrt(r2)) * (3 * r[0] * r[k] / r2 - (k == 0));
    }
    return -v[0] * u[1] + v[1] * u[0];
}

/* The other hull, a spheroid of 0.74 m × 0.25 m with Lamb's k1: dipoles between its foci in proportion to c² − ξ², by
 * the midpoint rule; as one dipole if `one`. */
static double hull_felt(double d, int one)
{
    enum { PIECES = 200 };
    const double half = 0.37, wide = 0.125, focus = sqrt(half * half - wide * wide);
    const double mu = half * wide * wide / 3 * 1.124238 * coming;
    double sum = 0;
    for (int i = 0; i < PIECES && !one; i++) {
        double along = (2 * i + 1.0) / PIECES - 1;
        sum += 0.75 * (1 - along * along) * 2 / PIECES * dipole_felt(d + focus * along, mu);
    }
    return one ? dipole_felt(d, mu) : sum;
}

static fm_track *run_hover(fm_sheet *sheet, const char *parts, const char *others, fm_error *error)
{
    static const char text[] =
        "<fathom version='1'><world dt='0.01 s' duration='14 s' gravity='9.81 m/s2'><water density='1000 "
        "kg/m3'/>%s</world><vehicle name='snookie' model='snookie' position='-0.245 0 5 m'><hover-pd "
        "speed='0 m/s'/></vehicle>%s</fathom>";
    char *scenario = fm_sheet_alloc(sheet, 2048);
    if (!scenario)
        return NULL;
    snprintf(scenario, 2048, text, parts, others);
    return fm_sheet_run(sheet, &(fm_run_request){.text = scenario, .every = 0.25, .all = true}, error);
}

/* The signal of a hovering Snookie from an object that starts `start` m ahead of its nose, against its distance; with
 * closed forms. The largest relative difference from the first form, from `near` on. */
static double draw_coming(fm_sheet *sheet, fm_axes *a, const fm_track *track, double start, double near, int hull)
{
    size_t n = fm_track_rows(track), kept = 0;
    const double *t = fm_track_column(track, "t"), *felt = fm_track_column(track, "lateral-line.velocities[0]");
    double *d = fm_sheet_reals(sheet, n), *run = fm_sheet_reals(sheet, n), *form = fm_sheet_reals(sheet, n),
           *one = fm_sheet_reals(sheet, n), worst = 0;
    for (size_t i = 1; d && run && form && one && i < n; i++) {
        double at = start - coming * (t[i] - 0.01); /* of the sample */
        if (at < near)
            break;
        d[kept] = at;
        run[kept] = 1e3 * fabs(felt[i]);
        form[kept] = 1e3 * fabs(hull ? hull_felt(at, 0) : dipole_felt(at, 0.5 * 1e-3 * coming));
        one[kept] = 1e3 * fabs(hull_felt(at, 1));
        worst = fmax(worst, fabs(run[kept] / form[kept] - 1));
        kept++;
    }
    fm_axes_line(a, d, form, kept,
                 &(fm_line_style){.label = hull ? "the other hull: spheroid (D2)" : "ball of 0.1 m: dipole (D1)",
                                  .dash = hull ? FM_DASH_DASHED : FM_DASH_SOLID});
    if (hull)
        fm_axes_line(a, d, one, kept, &(fm_line_style){.label = "as one dipole", .width = 0.8, .dash = FM_DASH_DOTTED});
    fm_axes_scatter(a, d, run, kept,
                    &(fm_scatter_style){.label = hull ? "run, hull" : "run, ball",
                                        .marker = hull ? FM_MARKER_RING : FM_MARKER_DISC,
                                        .size = 3.5});
    return worst;
}

static void draw_meeting(fm_figure *figure, const fm_track *one, const fm_track *two)
{
    static const char *const names[2] = {"one", "two"};
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 2);
    fm_axes_title(a, "Two Snookies meet, 0.1 m/s each");
    fm_axes_x(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -1.2, .max = 3.2});
    fm_axes_y(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -0.7, .max = 0.7});
    fm_axes_equal(a);
    for (int k = 0; k < 2; k++) {
        const fm_track *track = k ? two : one;
        const double *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"),
                     *psi = fm_track_column(track, "psi"), *state = fm_track_column(track, "reflex.state");
        size_t n = fm_track_rows(track), felt = 0;
        while (felt + 1 < n && state[felt] == 0)
            felt++;
        size_t rows[2] = {0, felt};
        fm_axes_line(a, x, y, n, &(fm_line_style){.label = names[k], .dash = k ? FM_DASH_DASHED : FM_DASH_SOLID});
        for (int i = 0; i < 2; i++)
            draw_flat_hull(a, x[rows[i]], y[rows[i]], psi[rows[i]]);
        fm_axes_scatter(a, &x[felt], &y[felt], 1,
                        &(fm_scatter_style){.label = k ? "two feels one" : "one feels two",
                                            .marker = k ? FM_MARKER_DIAMOND : FM_MARKER_CROSS,
                                            .size = 5});
    }
}

/* The largest filtered voltage, mV, against the distance of the noses while both still cruise. */
static double draw_threat(fm_sheet *sheet, fm_figure *figure, const fm_track *one, const fm_track *two)
{
    size_t n = fm_track_rows(one), kept = 0;
    const double *x[2] = {fm_track_column(one, "x"), fm_track_column(two, "x")},
                 *y[2] = {fm_track_column(one, "y"), fm_track_column(two, "y")},
                 *state = fm_track_column(one, "reflex.state"), *threat = fm_track_column(one, "reflex.threat");
    double *d = fm_sheet_reals(sheet, n), *felt = fm_sheet_reals(sheet, n);
    for (; d && felt && kept < n; kept++) {
        d[kept] = hypot(x[0][kept] - x[1][kept], y[0][kept] - y[1][kept]) - 2 * (nose_at + radius);
        felt[kept] = threat[kept];
        if (state[kept] != 0)
            break;
    }
    fm_axes *a = fm_figure_axes(figure, 1, 1, 1, 1);
    fm_axes_title(a, "Threat felt while they meet");
    fm_axes_x(a, &(fm_axis_style){.label = "gap between the noses", .unit = "m", .reversed = true});
    fm_axes_y(a, &(fm_axis_style){.label = "felt over threshold", .min = 0, .max = 1.2});
    fm_axes_level(a, 1, "a wall", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_line(a, d, felt, kept, NULL);
    return kept ? d[kept - 1] : NAN;
}

fm_status fm_snookie_draw_meeting(fm_sheet *sheet, fm_error *error)
{
    fm_track *one = fm_sheet_run(sheet, &(fm_run_request){.scenario = "snookie-meeting", .every = 0.05, .all = true},
                                 error),
             *ball = one ? run_hover(sheet,
                                     "<sphere name='ball' position='2.5 0 5 m' radius='0.1 m'><track t='0 12 s' x='2.5 "
                                     "0.1 m' y='0 0 m' z='5 5 m'/></sphere>",
                                     "", error)
                         : NULL,
             *hull = ball ? run_hover(sheet, "",
                                      "<vehicle name='other' model='snookie' position='3 0 5 m' attitude='0 0 180 deg' "
                                      "velocity='0.2 0 0 m/s'><reflex spread='9 V' norm='9 V'/></vehicle>",
                                      error)
                          : NULL;
    if (!hull)
        return error->status;
    fm_track *two = fm_track_next(one);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 125);
    draw_meeting(figure, one, two);
    fm_axes *a = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_title(a, "What comes at 0.2 m/s, felt by sensor 1 at rest");
    fm_axes_x(a,
              &(fm_axis_style){.label = "distance of its middle from the nose's", .unit = "m", .scale = FM_SCALE_LOG});
    fm_axes_y(a, &(fm_axis_style){.label = "felt speed", .unit = "mm/s", .scale = FM_SCALE_LOG});
    double worst_ball = draw_coming(sheet, a, ball, 2.5, 0.35, 0), worst_hull = draw_coming(sheet, a, hull, 3, 0.8, 1);
    double gap = draw_threat(sheet, figure, one, two);
    fm_sheet_check_range(sheet, "ball: largest difference of the run from dipole and image", NULL, "", worst_ball, 0,
                         0.05, "closed form (D1) with Hicks' image");
    fm_sheet_check_range(sheet, "hull: the same from a spheroid of dipoles", NULL, "", worst_hull, 0, 0.08,
                         "(D2) by another rule");
    fm_sheet_check_range(sheet, "gap between the noses when one is felt", NULL, "m", gap, 0.05, INFINITY, NULL);
    fm_sheet_check_holds(sheet, "both turn away, neither touches", NULL,
                         fm_track_metric(one, "detections") >= 1 && fm_track_metric(two, "detections") >= 1 &&
                             fm_track_metric(one, "contacts") == 0 && fm_track_metric(two, "contacts") == 0,
                         NULL);
    fm_sheet_note(sheet, "Ours: the paper mentions swarms once. A body that comes pushes water before it; the "
                         "nose answers as a rigid sphere. Beyond a few radii it is felt as the dipole of its volume "
                         "and the water that it carries, and falls off with the third power of the distance.");
    return FM_OK;
}
