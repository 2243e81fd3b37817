/* Phoenix: time stepping, misprints, a mission. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/phoenix.h"

static const char turn_orders[] = "propellers='700 rpm' bow-rudder='15 deg' stern-rudder='-15 deg'";
static const char dive_orders[] = "propellers='700 rpm' bow-planes='-15 deg' stern-planes='15 deg'";
static const char cruise[] = "velocity='2 0 0 ft/s'";

/* --- time stepping --- */

enum { STEPS = 5 };
static const double steps[STEPS] = {0.2, 0.1, 0.05, 0.02, 0.01}; /* s */

typedef struct errors {
    double turn[STEPS], roll[STEPS]; /* ft after 60 s; degrees, largest in 5 s */
} errors;

static double distance(const fm_track *a, const fm_track *b, double t)
{
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = (fm_track_at(a, (const char *[]){"x", "y", "z"}[i], t) -
                fm_track_at(b, (const char *[]){"x", "y", "z"}[i], t)) /
               FM_FOOT;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double roll_error(const fm_track *a, const fm_track *b)
{
    double worst = 0;
    for (int i = 0; i <= 25; i++) /* moments that every step size has */
        worst = fmax(worst, fabs(fm_track_at(a, "phi", 0.2 * i) - fm_track_at(b, "phi", 0.2 * i)) / FM_DEGREE);
    return worst;
}

static fm_status run_scheme(fm_sheet *sheet, const char *scheme, const char *posture, const fm_track *turn,
                            const fm_track *roll, errors *e, fm_error *error)
{
    for (size_t i = 0; i < STEPS; i++) {
        char going[96], tilted[128];
        snprintf(going, sizeof going, "%s posture='%s'", cruise, posture);
        snprintf(tilted, sizeof tilted, "position='0 0 10 ft' attitude='30 0 0 deg' posture='%s'", posture);
        fm_track *a = fm_phoenix_run(sheet, &(fm_phoenix_case){going, turn_orders, scheme, steps[i], 60, NULL}, error);
        fm_track *b = a ? fm_phoenix_run(
                              sheet, &(fm_phoenix_case){tilted, "propellers='0 rpm'", scheme, steps[i], 5, NULL}, error)
                        : NULL;
        if (a && !b && error->status == FM_ERR_STATE) { /* it has blown up: that is a result */
            *error = (fm_error){0};
            e->turn[i] = distance(a, turn, 60);
            e->roll[i] = NAN;
            continue;
        }
        if (!b)
            return error->status;
        e->turn[i] = distance(a, turn, 60);
        e->roll[i] = roll_error(b, roll);
    }
    return FM_OK;
}

fm_status fm_phoenix_draw_schemes(fm_sheet *sheet, fm_error *error)
{
    static const char *const labels[3] = {"dissertation's scheme", "Heun", "Runge–Kutta 4"};
    static const char *const schemes[3] = {"text", "heun", "rk4"}, *const postures[3] = {"euler", "quaternion",
                                                                                         "quaternion"};
    fm_track *turn = fm_phoenix_run(sheet, &(fm_phoenix_case){cruise, turn_orders, "rk4", 0.005, 60, NULL}, error);
    fm_track *roll = turn ? fm_phoenix_run(sheet,
                                           &(fm_phoenix_case){"position='0 0 10 ft' attitude='30 0 0 deg'",
                                                              "propellers='0 rpm'", "rk4", 0.001, 5, NULL},
                                           error)
                          : NULL;
    if (!roll)
        return error->status;
    errors e[3];
    fm_figure *figure = fm_sheet_figure(sheet, 170, 85);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_title(a, "Turn, position after 60 s");
    fm_axes_x(a, &(fm_axis_style){.label = "step", .unit = "s", .scale = FM_SCALE_LOG});
    fm_axes_y(a, &(fm_axis_style){.label = "error", .unit = "ft", .scale = FM_SCALE_LOG});
    fm_axes_title(b, "Release from 30° of roll");
    fm_axes_x(b, &(fm_axis_style){.label = "step", .unit = "s", .scale = FM_SCALE_LOG});
    fm_axes_y(b, &(fm_axis_style){.label = "largest error of roll", .unit = "°", .scale = FM_SCALE_LOG});
    for (size_t i = 0; i < 3; i++) {
        if (run_scheme(sheet, schemes[i], postures[i], turn, roll, &e[i], error) != FM_OK)
            return error->status;
        fm_axes_line(a, steps, e[i].turn, STEPS, &(fm_line_style){.label = labels[i], .marker = FM_MARKER_DISC});
        fm_axes_line(b, steps, e[i].roll, STEPS, &(fm_line_style){.marker = FM_MARKER_DISC});
    }
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    if (isnan(e[0].roll[0]) && isnan(e[2].roll[0])) {
        fm_axes_event(b, 0.2, "at 0.2 s all blow up", &(fm_line_style){.dash = FM_DASH_DOTTED});
        fm_sheet_note(sheet, "At 0.2 s the release from 30° of roll blows up in every one of these explicit schemes; "
                             "the run stops with the name of "
                             "the quantity.");
    }
    fm_sheet_check_near(sheet, "dissertation's scheme at 0.1 s: position after a turn of 60 s", NULL, "ft",
                        e[0].turn[1], 0.011871072303118933, 0.0011, "an independent program");
    fm_sheet_check_near(sheet, "dissertation's scheme at 0.1 s: largest error of roll", NULL, "°", e[0].roll[1],
                        9.525155079137646, 0.3, "K_p|p| is stiff: above 0.05 s the explicit scheme swings");
    fm_sheet_check_range(sheet, "dissertation's scheme at 0.05 s: largest error of roll", NULL, "°", e[0].roll[2], 0,
                         0.2, "an independent program: 0.15°");
    fm_sheet_check_range(sheet, "Runge–Kutta 4 at 0.05 s: position after a turn of 60 s", NULL, "ft", e[2].turn[2], 0,
                         1e-6, "an independent program: 2e-8 ft");
    return FM_OK;
}

/* --- misprints --- */

enum { VARIANTS = 4 };

/* The hull's stations with height and breadth exchanged, as Table 6.2 words them. */
#define EXCHANGED                                                                                                      \
    "/phoenix/cross_flow/height=16.5 16.5 16.5 16.5 16.5 16.5 16.5 16.5 16.5 15.5 12.4 9.5 7.0 4.0 0 in",              \
        "/phoenix/cross_flow/breadth=0 2.7 5.2 7.6 10.1 10.1 10.1 10.1 10.1 9.6 7.6 5.6 4.2 2.3 0 in"

static const struct variant {
    const char *label;
    const char *sets[8];
} variants[VARIANTS] = {
    {"corrected", {NULL}},
    {"extra length in the fins' moments",
     {"/phoenix/bow_rudder/N=0.024385", "/phoenix/stern_rudder/N=-0.032484", "/phoenix/port_bow_plane/M=0.0218015",
      "/phoenix/starboard_bow_plane/M=0.0218015", "/phoenix/port_stern_plane/M=-0.029043",
      "/phoenix/starboard_stern_plane/M=-0.029043", NULL}},
    {"height and breadth exchanged", {EXCHANGED, NULL}},
    {"C_dy 0.6 in place of 0.5", {"/phoenix/cross_flow/cdy=0.6", NULL}},
};

static void check_refusal(fm_sheet *sheet)
{
    fm_error refusal = {0};
    static const char *const printed[] = {"/phoenix/added_mass/Y_rdot=-1.78e-1", NULL};
    fm_track *track = fm_phoenix_run(sheet, &(fm_phoenix_case){cruise, turn_orders, NULL, 0, 1, printed}, &refusal);
    fm_sheet_check_holds(
        sheet, "Y_rdot = −1.78E-1 is refused when the model is loaded", "−1.78E-1",
        !track && refusal.status == FM_ERR_MODEL,
        "it makes the mass matrix indefinite; −1.78e-3 by symmetry with N_vdot and by the author's source");
    fm_sheet_note(sheet, "With the printed Y_rdot the loader says: “%s”.", refusal.text);
}

static void check_variants(fm_sheet *sheet, fm_track *const turns[VARIANTS], fm_track *const dives[VARIANTS])
{
    fm_sheet_check_near(sheet, "corrected: turn rate", NULL, "°/s", fm_track_at(turns[0], "r", 120) / FM_DEGREE,
                        4.23474601573975, 0.01, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "extra length: turn rate", "as printed", "°/s",
                        fm_track_at(turns[1], "r", 120) / FM_DEGREE, 10.824477689675344, 0.05,
                        "(6.53) multiplies by L³ already");
    fm_sheet_check_near(sheet, "corrected: steady pitch in the dive", NULL, "°",
                        fm_track_at(dives[0], "theta", 120) / FM_DEGREE, -6.915203989539076, 0.02,
                        fm_phoenix_reference);
    fm_sheet_check_near(sheet, "extra length: steady pitch in the dive", "as printed", "°",
                        fm_track_at(dives[1], "theta", 120) / FM_DEGREE, -61.5427633344152, 0.5,
                        "(6.52) multiplies by L³ already");
    fm_sheet_check_near(sheet, "exchanged: turn rate", "as printed", "°/s", fm_track_at(turns[2], "r", 120) / FM_DEGREE,
                        3.8934618728626083, 0.02, "h is the height and b the breadth by the author's source");
    fm_sheet_check_near(sheet, "C_dy 0.6: turn rate", "value lost", "°/s", fm_track_at(turns[3], "r", 120) / FM_DEGREE,
                        4.1948126822659475, 0.01, "C_dy is printed twice; 0.5 by the author's source");
}

/* Rows of the first full circle. */
static size_t lap_of(const fm_track *track)
{
    const double *psi = fm_track_column(track, "psi");
    double turned = 0;
    size_t n = fm_track_rows(track);
    for (size_t i = 1; i < n; i++) {
        turned += remainder(psi[i] - psi[i - 1], 2 * M_PI);
        if (turned > 2 * M_PI)
            return i + 1;
    }
    return n;
}

fm_status fm_phoenix_draw_misprints(fm_sheet *sheet, fm_error *error)
{
    fm_track *turns[VARIANTS], *dives[VARIANTS];
    fm_figure *figure = fm_sheet_figure(sheet, 170, 95);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_title(a, "Turn, rudders 15°");
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "ft"});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "ft"});
    fm_axes_equal(a);
    fm_axes_title(b, "Dive, planes 15°");
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "pitch", .unit = "°", .min = -80, .max = 5});
    for (size_t i = 0; i < VARIANTS; i++) {
        turns[i] =
            fm_phoenix_run(sheet, &(fm_phoenix_case){cruise, turn_orders, NULL, 0.05, 120, variants[i].sets}, error);
        dives[i] =
            turns[i] ? fm_phoenix_run(sheet, &(fm_phoenix_case){cruise, dive_orders, NULL, 0.05, 120, variants[i].sets},
                                      error)
                     : NULL;
        if (!dives[i])
            return error->status;
        fm_axes_line(a, fm_phoenix_column(sheet, turns[i], "y", FM_FOOT),
                     fm_phoenix_column(sheet, turns[i], "x", FM_FOOT), lap_of(turns[i]),
                     &(fm_line_style){.label = variants[i].label, .dash = i > 1 ? FM_DASH_DASHED : FM_DASH_SOLID});
        fm_axes_line(b, fm_track_column(dives[i], "t"), fm_phoenix_column(sheet, dives[i], "theta", FM_DEGREE),
                     fm_track_rows(dives[i]), &(fm_line_style){.dash = i > 1 ? FM_DASH_DASHED : FM_DASH_SOLID});
    }
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    fm_figure_note(figure, "(b): all but the second lie on each other; the planes' moments alone matter there.");
    check_variants(sheet, turns, dives);
    check_refusal(sheet);
    return FM_OK;
}

/* --- mission --- */

fm_status fm_phoenix_draw_mission(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "phoenix-mission", .every = 0.2}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t");
    fm_figure *figure = fm_sheet_figure(sheet, 170, 125);
    fm_figure_column_width(figure, 0, 1.3);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 3, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -20, .max = 35});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -5, .max = 70});
    fm_axes_equal(a);
    double east[] = {0, 0, 20, 20, 0}, north[] = {0, 30, 30, 60, 60};
    fm_axes_line(
        a, east, north, 5,
        &(fm_line_style){
            .label = "ordered", .dash = FM_DASH_DASHED, .colour = fm_colour_hex(0x777f88), .marker = FM_MARKER_RING});
    fm_axes_line(a, fm_track_column(track, "y"), fm_track_column(track, "x"), n,
                 &(fm_line_style){.label = "track", .colour = fm_colour_series(FM_THEME_LIGHT, 0)});
    fm_axes_arrows(a, (double[]){-18}, (double[]){-1}, (double[]){0.2}, (double[]){0}, 1,
                   &(fm_arrow_style){.colour = fm_colour_series(FM_THEME_LIGHT, 2)});
    fm_axes_text(a, -18, -1, "current 0.2 m/s",
                 &(fm_text_style){.colour = fm_colour_series(FM_THEME_LIGHT, 2), .dy = 5});
    fm_axes_legend(a, FM_LEGEND_ABOVE);
    static const struct panel {
        const char *column, *label, *unit;
    } panels[3] = {{"z", "depth", "m"}, {"u", "surge", "m/s"}, {"bow-vertical", "bow vertical", "V"}};
    for (size_t i = 0; i < 3; i++) {
        fm_axes *b = fm_figure_axes(figure, i, 1, 1, 1);
        fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
        fm_axes_y(b, &(fm_axis_style){.label = panels[i].label, .unit = panels[i].unit, .reversed = i == 0});
        fm_axes_line(b, t, fm_track_column(track, panels[i].column), n, NULL);
    }
    fm_sheet_check_near(sheet, "waypoints reached", NULL, "", fm_track_metric(track, "waypoints_reached"), 4, 0,
                        "all of the mission");
    fm_sheet_check_range(sheet, "station keeping, rms", NULL, "m", fm_track_metric(track, "station_error_rms"), 0, 0.3,
                         "in a current of 0.2 m/s");
    fm_sheet_check_range(sheet, "contacts", NULL, "", fm_track_metric(track, "contacts"), 0, 0,
                         "there is nothing to touch");
    return FM_OK;
}
