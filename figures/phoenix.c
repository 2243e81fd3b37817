/* Phoenix: manoeuvres by the model of the dissertation's chapter VI, which prints none. */
#include "figures/phoenix.h"

#include <math.h>
#include <stdio.h>

#include "figures/sets.h"

const char fm_phoenix_reference[] = "an independent program of (6.48)–(6.53)";

fm_track *fm_phoenix_run(fm_sheet *sheet, const fm_phoenix_case *c, fm_error *error)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%.9g s' duration='60 s' gravity='32.174 ft/s2'><water density='1.94 "
             "slug/ft3' surface='none'/></world>"
             "<vehicle name='phoenix' model='nps-auv-ii' integrator='%s' %s><orders><at t='0 s' "
             "%s/></orders></vehicle></fathom>",
             c->dt > 0 ? c->dt : 0.05, c->integrator ? c->integrator : "rk4", c->attributes, c->orders);
    return fm_sheet_run(
        sheet, &(fm_run_request){.text = text, .sets = c->sets, .duration = c->duration > 0 ? c->duration : 60}, error);
}

double *fm_phoenix_column(fm_sheet *sheet, const fm_track *track, const char *name, double unit)
{
    const double *column = fm_track_column(track, name);
    double *out = fm_sheet_reals(sheet, fm_track_rows(track));
    for (size_t i = 0; column && out && i < fm_track_rows(track); i++)
        out[i] = column[i] / unit;
    return out;
}

static fm_status draw_speed(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_phoenix_run(
        sheet, &(fm_phoenix_case){.attributes = "", .orders = "propellers='700 rpm'", .duration = 120}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *u = fm_track_column(track, "u");
    double *speed = fm_sheet_reals(sheet, n), *form = fm_sheet_reals(sheet, n), *off = fm_sheet_reals(sheet, n),
           worst = 0;
    for (size_t i = 0; i < n; i++) {
        speed[i] = u[i] / FM_FOOT;
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
    fm_sheet_check_near(sheet, "top speed at 700 rpm", "2 ft/s", "ft/s", speed[n - 1], 2, 0.002,
                        "(6.43): thrust equals drag at 2 ft/s");
    fm_sheet_check_near(sheet, "speed after 20 s", NULL, "ft/s", fm_track_at(track, "u", 20) / FM_FOOT,
                        1.6035337624095103, 0.002, "closed form 2 tanh(t / 18.123 s) of surge alone");
    fm_sheet_check_range(sheet, "largest difference from the closed form", NULL, "10⁻³ ft/s", worst, 0, 2,
                         "the closed form leaves out the slight pitch of the run");
    return FM_OK;
}

/* The first row where |psi - psi0| has grown by `angle`; rows where there is none. */
static size_t row_of_turn(const double *psi, size_t n, double angle)
{
    double turned = 0;
    for (size_t i = 1; i < n; i++) {
        turned += remainder(psi[i] - psi[i - 1], 2 * M_PI);
        if (fabs(turned) >= angle)
            return i;
    }
    return n;
}

/* A measure between two points, with its length in ft. */
static void measure(fm_axes *axes, const double from[2], const double to[2], const char *name,
                    const fm_text_style *style)
{
    fm_colour grey = fm_colour_hex(0x555b63);
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    char text[64];
    fm_text_style text_style = *style;
    text_style.colour = grey;
    snprintf(text, sizeof text, "%s %.1f ft", name, length);
    fm_axes_line(axes, (double[]){from[0], to[0]}, (double[]){from[1], to[1]}, 2,
                 &(fm_line_style){.colour = grey, .width = 0.8, .dash = FM_DASH_DASHED});
    fm_axes_text(axes, 0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), text, &text_style);
}

static void mark_turn(fm_axes *axes, const double *north, const double *east, size_t i90, size_t i180, size_t n)
{
    if (i90 < n) {
        measure(axes, (double[]){0, 0}, (double[]){0, north[i90]}, "advance", &(fm_text_style){.across = 1, .dx = -4});
        measure(axes, (double[]){0, north[i90]}, (double[]){east[i90], north[i90]}, "transfer",
                &(fm_text_style){.across = 0.5, .dy = 7});
    }
    if (i180 < n) {
        measure(axes, (double[]){0, north[i180]}, (double[]){east[i180], north[i180]}, "tactical diameter",
                &(fm_text_style){.across = 0.5, .dy = 4});
        fm_axes_scatter(axes, (double[]){east[i90], east[i180]}, (double[]){north[i90], north[i180]}, 2,
                        &(fm_scatter_style){.label = "90° and 180° of heading", .marker = FM_MARKER_RING, .size = 7});
    }
}

static void check_turn(fm_sheet *sheet, const fm_track *track)
{
    fm_sheet_check_near(sheet, "steady turn rate", NULL, "°/s", fm_track_at(track, "r", 120) / FM_DEGREE,
                        4.234746015737035, 0.01, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "radius", NULL, "ft", fm_track_metric(track, "turn_radius") / FM_FOOT, 23.68823258317161,
                        0.1, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "advance", NULL, "ft", fm_track_metric(track, "advance") / FM_FOOT, 27.55190012353055,
                        0.2, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "transfer", NULL, "ft", fm_track_metric(track, "transfer") / FM_FOOT, 21.478795934949282,
                        0.2, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "tactical diameter", NULL, "ft", fm_track_metric(track, "tactical_diameter") / FM_FOOT,
                        47.318663120230326, 0.3, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "speed in the turn", NULL, "ft/s", fm_track_at(track, "u", 120) / FM_FOOT,
                        1.742591994596576, 0.002, fm_phoenix_reference);
}

static fm_status draw_turn(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "phoenix-turn"}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *psi = fm_track_column(track, "psi");
    double *north = fm_phoenix_column(sheet, track, "x", FM_FOOT),
           *east = fm_phoenix_column(sheet, track, "y", FM_FOOT);
    double *rate = fm_phoenix_column(sheet, track, "r", FM_DEGREE),
           *speed = fm_phoenix_column(sheet, track, "u", FM_FOOT);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 95);
    fm_figure_column_width(figure, 0, 1.25);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 2, 1);
    fm_axes_title(a, "Track");
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "ft", .min = -33, .max = 57});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "ft", .min = -43, .max = 47});
    fm_axes_equal(a);
    fm_axes_line(a, east, north, n, &(fm_line_style){.label = "track"});
    mark_turn(a, north, east, row_of_turn(psi, n, M_PI / 2), row_of_turn(psi, n, M_PI), n);
    fm_axes *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "turn rate", .unit = "°/s", .min = 0, .max = 5});
    fm_axes_line(b, t, rate, n, NULL);
    fm_axes *c = fm_figure_axes(figure, 1, 1, 1, 1);
    fm_axes_x(c, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(c, &(fm_axis_style){.label = "speed", .unit = "ft/s", .min = 1.6, .max = 2.05});
    fm_axes_line(c, t, speed, n, NULL);
    check_turn(sheet, track);
    return FM_OK;
}

static fm_status draw_dive(fm_sheet *sheet, fm_error *error)
{
    fm_track *track =
        fm_phoenix_run(sheet,
                       &(fm_phoenix_case){.attributes = "velocity='2 0 0 ft/s'",
                                          .dt = 0.01,
                                          .duration = 120,
                                          .orders = "propellers='700 rpm' bow-planes='-15 deg' stern-planes='15 deg'"},
                       error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track), lowest = 0;
    const double *t = fm_track_column(track, "t");
    double *depth = fm_phoenix_column(sheet, track, "z", FM_FOOT),
           *pitch = fm_phoenix_column(sheet, track, "theta", FM_DEGREE);
    for (size_t i = 0; i < n; i++)
        lowest = pitch[i] < pitch[lowest] ? i : lowest;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 105);
    fm_figure_share_x(figure);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "ft", .reversed = true});
    fm_axes_line(a, t, depth, n, NULL);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 120});
    fm_axes_y(b, &(fm_axis_style){.label = "pitch", .unit = "°", .min = -10, .max = 1});
    fm_axes_line(b, t, pitch, n, &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    char low[64], steady[64];
    snprintf(low, sizeof low, "−%.2f° at %.1f s", -pitch[lowest], t[lowest]);
    snprintf(steady, sizeof steady, "steady −%.2f°", -pitch[n - 1]);
    fm_axes_scatter(
        b, &t[lowest], &pitch[lowest], 1,
        &(fm_scatter_style){.marker = FM_MARKER_RING, .size = 6, .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_text(b, t[lowest], pitch[lowest], low, &(fm_text_style){.beside = true});
    fm_axes_text(b, t[n - 1], pitch[n - 1], steady, &(fm_text_style){.across = 1, .dx = -4, .dy = 4});
    fm_sheet_check_near(sheet, "lowest pitch", NULL, "°", pitch[lowest], -8.529061496505372, 0.05,
                        fm_phoenix_reference);
    fm_sheet_check_near(sheet, "its time", NULL, "s", t[lowest], 7.53, 0.1, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "steady pitch", NULL, "°", pitch[n - 1], -6.915203989539076, 0.02, fm_phoenix_reference);
    fm_sheet_check_near(sheet, "depth after 60 s", NULL, "ft", fm_track_at(track, "z", 60) / FM_FOOT,
                        13.251119279691101, 0.05, fm_phoenix_reference);
    return FM_OK;
}

static const fm_figure_spec figures[] = {
    {"speed", "Speed run: 700 rpm from rest",
     "The vehicle reaches 2 ft/s with both propellers at 700 rpm (chapter VI, (6.43)); in between, thrust against "
     "quadratic drag gives a "
     "hyperbolic tangent.",
     draw_speed, true},
    {"turn", "Turning circle: bow and stern rudders 15° opposed",
     "Opposed bow and stern rudders turn the vehicle. The dissertation prints the model, not the circle; the numbers "
     "held against here are "
     "those of an independent program of the corrected equations.",
     draw_turn, true},
    {"dive", "Dive: bow and stern planes 15° opposed",
     "Bow planes down and stern planes up pitch the vehicle down until the righting moment of its low centre of "
     "gravity balances the planes.",
     draw_dive, true},
    {"hover", "Tunnel thrusters at 24 V",
     "Four cross-body thrusters, 2 lb each at 24 V, move the vehicle at rest: straight down, nose down, about its "
     "vertical axis, to "
     "starboard ((6.45), (6.46), (6.50)–(6.53)).",
     fm_phoenix_draw_hover, true},
    {"port", "One propeller alone",
     "Propellers beside the centre line turn the vehicle away from the side that pushes ((6.44), (6.53)).",
     fm_phoenix_draw_port, true},
    {"release", "Released from 10° of roll and of pitch",
     "The centre of gravity below the centre of buoyancy rights the hull ((6.51), (6.52)). That roll is strongly "
     "damped "
     "and pitch weakly is what our runs show.",
     fm_phoenix_draw_release, true},
    {"schemes", "The dissertation's time stepping against fourth-order Runge–Kutta",
     "Velocities by Heun's method and then the posture with the new velocities ((6.37), Fig. 6.5), ten steps a second.",
     fm_phoenix_draw_schemes, true},
    {"misprints", "What the misprints of Table 6.2 would do",
     "Table 6.2 as printed has a Y_rdot of −1.78E-1, an extra length in the moment coefficients of the fins, and the "
     "hull's height and "
     "breadth exchanged.",
     fm_phoenix_draw_misprints, true},
    {"mission", "Track, hover and station keeping in a current",
     "The model joins cruise by propellers and fins with hover by thrusters; the dissertation's own missions are in "
     "another chapter. This "
     "mission is ours: waypoints, a hold on the way and station keeping at the end, in a current of 0.2 m/s to the "
     "east.",
     fm_phoenix_draw_mission, true},
};

const fm_figure_set fm_figures_phoenix = {"phoenix",
                                          "NPS AUV II Phoenix: the hydrodynamics model",
                                          "D. Brutzman, A Virtual World for an Autonomous Underwater Vehicle, "
                                          "dissertation, Naval Postgraduate School, 1994, chapter VI",
                                          "paper",
                                          figures,
                                          sizeof figures / sizeof *figures};
