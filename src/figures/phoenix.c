/* Phoenix: the manoeuvres of the dissertation's chapter VI. */
#include <math.h>
#include <stdio.h>

#include "figures/sets.h"
#include "figures/sheet.h"
#include "physics/angle.h"

#define FOOT 0.3048 /* m */

static const char head[] = "<fathom version=\"1\"><world dt=\"0.05 s\" duration=\"120 s\" gravity=\"32.174 ft/s2\">"
                           "<water density=\"1.94 slug/ft3\"/></world>"
                           "<vehicle name=\"phoenix\" model=\"nps-auv-ii\" integrator=\"rk4\" %s>%s</vehicle></fathom>";

/* A run of Phoenix alone: attributes of the vehicle, and what stands inside it. */
static fm_track *run_phoenix(fm_sheet *sheet, const char *attributes, const char *inside, double duration, fm_error *error)
{
    char text[2048];
    snprintf(text, sizeof text, head, attributes, inside);
    return fm_sheet_run(sheet, &(fm_run_request){.text = text, .duration = duration}, error);
}

/* A column in another unit. */
static double *scaled(fm_sheet *sheet, const fm_track *track, const char *name, double factor)
{
    const double *column = fm_track_column(track, name);
    double *out = fm_sheet_reals(sheet, fm_track_rows(track));
    for (size_t i = 0; column && out && i < fm_track_rows(track); i++)
        out[i] = factor * column[i];
    return out;
}

static fm_status draw_speed(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = run_phoenix(sheet, "", "<orders><at t=\"0 s\" propellers=\"700 rpm\"/></orders>", 120, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *u = fm_track_column(track, "u");
    double *speed = fm_sheet_reals(sheet, n), *form = fm_sheet_reals(sheet, n), *off = fm_sheet_reals(sheet, n), worst = 0;
    for (size_t i = 0; i < n; i++) {
        speed[i] = u[i] / FOOT;
        form[i] = 2 * tanh(t[i] / 18.123);
        off[i] = 1e3 * (speed[i] - form[i]);
        worst = fmax(worst, fabs(off[i]));
    }
    fm_figure *figure = fm_sheet_figure(sheet, 170, 110);
    fm_figure_share_x(figure);
    fm_figure_row_height(figure, 0, 2);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_y(a, &(fm_axis_style){.label = "speed", .unit = "ft/s", .min = 0, .max = 2.2});
    fm_axes_line(a, t, speed, n, &(fm_line_style){.label = "Fathom"});
    fm_axes_line(a, t, form, n, &(fm_line_style){.label = "2 tanh(t / 18.123 s)", .dash = FM_DASH_DASHED});
    fm_axes_level(a, 2, "2 ft/s: the published top speed", NULL);
    fm_axes *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "difference", .unit = "10⁻³ ft/s"});
    fm_axes_line(b, t, off, n, NULL);
    fm_check_near(sheet, "top speed at 700 rpm", "2 ft/s", "ft/s", speed[n - 1], 2, 0.002, "(6.43): thrust equals drag at 2 ft/s");
    fm_check_near(sheet, "speed after 20 s", NULL, "ft/s", fm_track_at(track, "u", 20) / FOOT, 1.6035337624095103, 0.002,
                  "closed form 2 tanh(t / 18.123 s) of surge alone");
    fm_check_range(sheet, "largest difference from the closed form", NULL, "10⁻³ ft/s", worst, 0, 2,
                   "the closed form leaves out the slight pitch of the run");
    return FM_OK;
}

/* The first row where |psi - psi0| has grown by `angle`; rows where there is none. */
static size_t row_of_turn(const double *psi, size_t n, double angle)
{
    double turned = 0;
    for (size_t i = 1; i < n; i++) {
        turned += remainder(psi[i] - psi[i - 1], 2 * FM_PI);
        if (fabs(turned) >= angle)
            return i;
    }
    return n;
}

static void mark_turn(fm_axes *axes, const double *north, const double *east, size_t i90, size_t i180, size_t n)
{
    fm_colour grey = fm_colour_hex(0x555b63);
    fm_line_style thin = {.colour = grey, .width = 0.8, .dash = FM_DASH_DASHED};
    if (i90 < n) {
        fm_axes_line(axes, (double[]){0, 0}, (double[]){0, north[i90]}, 2, &thin);
        fm_axes_line(axes, (double[]){0, east[i90]}, (double[]){north[i90], north[i90]}, 2, &thin);
        fm_axes_text(axes, 0, north[i90] / 2, "advance", &(fm_text_style){.colour = grey, .across = 1, .dx = -4});
        fm_axes_text(axes, east[i90] / 2, north[i90], "transfer", &(fm_text_style){.colour = grey, .across = 0.5, .dy = 4});
    }
    if (i180 < n) {
        fm_axes_line(axes, (double[]){0, east[i180]}, (double[]){north[i180], north[i180]}, 2, &thin);
        fm_axes_text(axes, east[i180] / 2, north[i180], "tactical diameter", &(fm_text_style){.colour = grey, .across = 0.5, .dy = 4});
        fm_axes_scatter(axes, (double[]){east[i90], east[i180]}, (double[]){north[i90], north[i180]}, 2,
                        &(fm_scatter_style){.label = "90° and 180° of heading", .marker = FM_MARKER_RING, .size = 7});
    }
}

static void check_turn(fm_sheet *sheet, const fm_track *track)
{
    static const char reference[] = "an independent program of (6.48)–(6.53)";
    fm_check_near(sheet, "steady turn rate", NULL, "°/s", fm_track_at(track, "r", 120) / FM_DEGREE, 4.234746015737035, 0.01, reference);
    fm_check_near(sheet, "radius", NULL, "ft", fm_track_metric(track, "turn_radius") / FOOT, 23.68823258317161, 0.1, reference);
    fm_check_near(sheet, "advance", NULL, "ft", fm_track_metric(track, "advance") / FOOT, 27.55190012353055, 0.2, reference);
    fm_check_near(sheet, "transfer", NULL, "ft", fm_track_metric(track, "transfer") / FOOT, 21.478795934949282, 0.2, reference);
    fm_check_near(sheet, "tactical diameter", NULL, "ft", fm_track_metric(track, "tactical_diameter") / FOOT, 47.318663120230326, 0.3,
                  reference);
    fm_check_near(sheet, "speed in the turn", NULL, "ft/s", fm_track_at(track, "u", 120) / FOOT, 1.742591994596576, 0.002, reference);
}

static fm_status draw_turn(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "phoenix-turn"}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *psi = fm_track_column(track, "psi");
    double *north = scaled(sheet, track, "x", 1 / FOOT), *east = scaled(sheet, track, "y", 1 / FOOT);
    double *rate = scaled(sheet, track, "r", 1 / FM_DEGREE), *speed = scaled(sheet, track, "u", 1 / FOOT);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 95);
    fm_figure_column_width(figure, 0, 1.25);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 2, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "ft", .min = -20, .max = 55});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "ft", .min = -35, .max = 40});
    fm_axes_equal(a);
    fm_axes_line(a, east, north, n, &(fm_line_style){.label = "track"});
    mark_turn(a, north, east, row_of_turn(psi, n, FM_PI / 2), row_of_turn(psi, n, FM_PI), n);
    fm_axes *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(b, &(fm_axis_style){.scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "turn rate", .unit = "°/s", .min = 0, .max = 5});
    fm_axes_line(b, t, rate, n, NULL);
    fm_axes *c = fm_figure_axes(figure, 1, 1, 1, 1);
    fm_axes_x(c, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(c, &(fm_axis_style){.label = "speed", .unit = "ft/s", .min = 1.6, .max = 2.05});
    fm_axes_line(c, t, speed, n, NULL);
    check_turn(sheet, track);
    return FM_OK;
}

static const fm_figure_spec figures[] = {
    {"speed", "Speed run: 700 rpm from rest",
     "The vehicle reaches 2 ft/s with both propellers at 700 rpm (chapter VI, (6.43)); between, thrust against quadratic drag gives a "
     "hyperbolic tangent.",
     draw_speed, true},
    {"turn", "Turning circle: bow and stern rudders 15° opposed",
     "Opposed bow and stern rudders turn the vehicle; the print gives the model, not the circle. The circle's numbers are those of an "
     "independent program of the corrected equations.",
     draw_turn, true},
};

const fm_figure_set fm_figures_phoenix = {
    "phoenix", "NPS AUV II Phoenix: the hydrodynamics model",
    "D. Brutzman, A Virtual World for an Autonomous Underwater Vehicle, dissertation, Naval Postgraduate School, 1994, chapter VI",
    figures, sizeof figures / sizeof *figures};
