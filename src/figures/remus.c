/* REMUS: bottom following with and without look-ahead, from the scenario remus-rise. */
#include "figures/remus.h"

#include <math.h>
#include <stdio.h>

#include "figures/sets.h"
#include "physics/angle.h"

static const char reference[] = "an independent program of the same equations";

/* --- runs --- */

fm_remus_case fm_remus_published(double gain)
{
    return (fm_remus_case){.gain = gain, .frame = 2.5, .height = 4, .place = 60};
}

fm_track *fm_remus_run(const fm_run_places *places, const fm_remus_case *c, bool rows, fm_arena *arena, fm_error *error)
{
    char gain[64], frame[64], height[64], place[64];
    snprintf(gain, sizeof gain, "/remus/avoid/gain=%.9g", c->gain);
    snprintf(frame, sizeof frame, "/remus/sonar/frame=%.9g s", c->frame);
    snprintf(height, sizeof height, "/bottom/rise/height=%.9g m", c->height);
    snprintf(place, sizeof place, "/bottom/rise/x=%.9g m", c->place);
    const char *sets[] = {gain, frame, height, place, c->unstabilised ? "/remus/avoid/stabilised=false" : NULL, NULL};
    return fm_figures_run_scenario(
        places, &(fm_run_request){.scenario = "remus-rise", .vehicle = "remus", .sets = sets, .no_rows = !rows}, arena,
        error);
}

fm_track *fm_remus_sheet_run(fm_sheet *sheet, const fm_remus_case *c, fm_error *error)
{
    return fm_remus_run(fm_sheet_places(sheet), c, true, fm_sheet_arena(sheet), error);
}

/* Degrees; with rows the largest nose up, otherwise the largest either way. */
static double peak_pitch(const fm_track *track)
{
    const double *theta = fm_track_column(track, "theta");
    double peak = theta ? -INFINITY : fm_track_metric(track, "peak_pitch");
    for (size_t i = 0; i < fm_track_rows(track); i++)
        peak = fmax(peak, theta[i]);
    return peak / FM_DEGREE;
}

fm_remus_numbers fm_remus_numbers_of(const fm_track *track)
{
    return (fm_remus_numbers){
        .least_altitude = fm_track_metric(track, "min_altitude"),
        .peak_pitch = peak_pitch(track),
        .reversals = fm_track_metric(track, "pitch_reversals"),
        .late_swing = fm_track_metric(track, "late_pitch_pp") / FM_DEGREE,
        .late_altitude = fm_track_metric(track, "late_altitude"),
        .threat_peak = fm_track_metric(track, "threat_peak"),
        .contacts = fm_track_metric(track, "contacts"),
    };
}

double fm_remus_bottom(double x, double place, double height)
{
    return 20 - height * fmin(fmax((x - place + 0.5) / 0.5, 0), 1);
}

/* --- drawing --- */

/* The bottom as a filled shape below the vehicle's depth, over time. */
static void draw_depth(fm_sheet *sheet, fm_axes *axes, const fm_track *track)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *z = fm_track_column(track, "z");
    const double *command = fm_track_column(track, "avoid.altitude");
    double *bottom = fm_sheet_reals(sheet, n), *floor_line = fm_sheet_reals(sheet, n),
           *wanted = fm_sheet_reals(sheet, n);
    for (size_t i = 0; i < n; i++) {
        bottom[i] = fm_remus_bottom(x[i], 60, 4);
        floor_line[i] = 21;
        wanted[i] = i ? bottom[i] - command[i] : NAN;
    }
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 8, .max = 21, .reversed = true});
    fm_axes_band(axes, t, bottom, floor_line, n, &(fm_area_style){.colour = fm_colour_hex(0x8a7355), .opacity = 0.5});
    fm_axes_line(axes, t, bottom, n, &(fm_line_style){.label = "bottom H", .colour = fm_colour_hex(0x5d4a33)});
    fm_axes_line(axes, t, wanted, n,
                 &(fm_line_style){.label = "commanded", .colour = fm_colour_hex(0x9aa3ad), .width = 0.9});
    fm_axes_line(axes, t, z, n,
                 &(fm_line_style){.label = "vehicle Z", .colour = fm_colour_series(FM_THEME_LIGHT, 0), .width = 1.6});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

static void draw_angles(fm_sheet *sheet, fm_axes *axes, const fm_track *track)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *theta = fm_track_column(track, "theta"),
                 *plane = fm_track_column(track, "stern-planes");
    double *pitch = fm_sheet_reals(sheet, n), *delta = fm_sheet_reals(sheet, n);
    for (size_t i = 0; i < n; i++) {
        pitch[i] = theta[i] / FM_DEGREE;
        delta[i] = plane[i] / FM_DEGREE;
    }
    fm_axes_y(axes, &(fm_axis_style){.label = "angle", .unit = "°"});
    fm_axes_line(axes, t, delta, n,
                 &(fm_line_style){.label = "stern planes", .colour = fm_colour_hex(0x9aa3ad), .width = 0.8});
    fm_axes_line(axes, t, pitch, n, &(fm_line_style){.label = "pitch", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

static void draw_threat(fm_axes *axes, const fm_track *track)
{
    fm_axes_y(axes, &(fm_axis_style){.label = "threat"});
    fm_axes_line(axes, fm_track_column(track, "t"), fm_track_column(track, "avoid.threat"), fm_track_rows(track),
                 &(fm_line_style){.step = true, .colour = fm_colour_series(FM_THEME_LIGHT, 2)});
}

/* The moment when the vehicle passes x; NaN: never. */
static double time_at(const fm_track *track, double place)
{
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x");
    for (size_t i = 0; i < fm_track_rows(track); i++)
        if (x[i] >= place)
            return t[i];
    return NAN;
}

/* Returns the plot of the angles. */
static fm_axes *draw_response(fm_sheet *sheet, const fm_track *track, bool threat)
{
    fm_figure *figure = fm_sheet_figure(sheet, 170, threat ? 150 : 115);
    fm_figure_share_x(figure);
    fm_figure_row_height(figure, 0, 1.4);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    draw_depth(sheet, a, track);
    draw_angles(sheet, b, track);
    fm_axes *last = b;
    if (threat) {
        last = fm_figure_axes(figure, 2, 0, 1, 1);
        draw_threat(last, track);
    }
    fm_axes_x(last, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    return b;
}

/* The run with its sonar's frames, and the same with a continuous sonar; NULL where one of them fails. */
static fm_track *run_both_sonars(fm_sheet *sheet, const fm_remus_case *c, fm_track **continuous, fm_error *error)
{
    fm_remus_case smooth = *c;
    smooth.frame = 0;
    fm_track *held = fm_remus_sheet_run(sheet, c, error);
    *continuous = held ? fm_remus_sheet_run(sheet, &smooth, error) : NULL;
    return *continuous ? held : NULL;
}

/* --- the figures --- */

static fm_status draw_2(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(0);
    fm_track *track = fm_remus_sheet_run(sheet, &c, error);
    if (!track)
        return error->status;
    fm_axes_level(draw_response(sheet, track, false), 30, "the paper: the pitch peaks at over 30°",
                  &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_remus_numbers m = fm_remus_numbers_of(track);
    fm_sheet_check_range(sheet, "contacts with the step", "a collision", "", m.contacts, 1, INFINITY,
                         "contact is counted, not answered");
    fm_sheet_check_near(sheet, "least altitude", "below 0", "m", m.least_altitude, -1.0010253081607132, 0.1, reference);
    fm_sheet_check_range(sheet, "peak pitch", "over 30°", "°", m.peak_pitch, 30, 35, "the paper's caption");
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 32.138641651256926, 0.5, reference);
    fm_sheet_check_near(sheet, "altitude kept afterwards", "3 m", "m", m.late_altitude, 2.999878078145497, 0.01,
                        reference);
    fm_sheet_note(sheet,
                  "The rise is felt only when the altimeter stands over it. The autopilot then pitches up by %.1f° and "
                  "climbs at most "
                  "%.2f m/s, but the vehicle has already passed %.2f m below the new bottom.",
                  m.peak_pitch, 1.54 * sin(m.peak_pitch * FM_DEGREE), -m.least_altitude);
    return FM_OK;
}

static fm_status draw_6(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(3);
    fm_track *track = fm_remus_sheet_run(sheet, &c, error);
    if (!track)
        return error->status;
    draw_response(sheet, track, false);
    fm_remus_numbers m = fm_remus_numbers_of(track);
    fm_sheet_check_near(sheet, "contacts with the step", "none", "", m.contacts, 0, 0, "the paper's text");
    fm_sheet_check_near(sheet, "least altitude", "above 0", "m", m.least_altitude, 1.678169108159997, 0.1, reference);
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 38.38296966815153, 1, reference);
    fm_sheet_check_range(sheet, "pitch swings over 10°", NULL, "", m.reversals, 0, 6, reference);
    fm_sheet_check_range(sheet, "pitch peak to peak after 100 s", "settles", "°", m.late_swing, 0, 3, reference);
    fm_sheet_check_near(sheet, "altitude kept afterwards", "3 m", "m", m.late_altitude, 3.2243874690454324, 0.05,
                        "the flat bottom itself is a small threat (0.26 at 3 m, 0.07 at 3.2 m), which adds 0.2 m");
    return FM_OK;
}

static fm_status draw_7(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(3);
    fm_track *continuous, *held = run_both_sonars(sheet, &c, &continuous, error);
    if (!held)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 85);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(a, &(fm_axis_style){.label = "threat", .min = 0, .max = 7});
    fm_axes_line(a, fm_track_column(held, "t"), fm_track_column(held, "avoid.threat"), fm_track_rows(held),
                 &(fm_line_style){.step = true, .label = "an image every 2.5 s"});
    fm_axes_line(a, fm_track_column(continuous, "t"), fm_track_column(continuous, "avoid.threat"),
                 fm_track_rows(continuous), &(fm_line_style){.label = "continuous sonar"});
    double reached = time_at(held, 60);
    fm_axes_event(a, reached, "over the rise", NULL);
    double before = fm_track_at(held, "avoid.threat", reached - 5);
    fm_sheet_check_range(sheet, "threat 5 s before the rise", "well established before it", "", before, 1, INFINITY,
                         "the paper's text");
    fm_sheet_check_near(sheet, "peak threat", NULL, "", fm_track_metric(held, "threat_peak"), 6.1525034954183315, 0.05,
                        reference);
    fm_sheet_check_range(sheet, "threat at the end", "goes away after the rise", "",
                         fm_track_at(held, "avoid.threat", 150), 0, 0.3,
                         "the flat bottom itself is a small threat: 0.26 at 3 m, 0.07 at 3.2 m");
    return FM_OK;
}

static fm_status draw_9(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(7);
    fm_track *continuous, *track = run_both_sonars(sheet, &c, &continuous, error);
    if (!track)
        return error->status;
    draw_response(sheet, track, true);
    fm_remus_numbers m = fm_remus_numbers_of(track), s = fm_remus_numbers_of(continuous);
    fm_sheet_check_range(sheet, "pitch swings over 10°", "unstable", "", m.reversals, 20, INFINITY,
                         "the reference program has 31");
    fm_sheet_check_range(sheet, "pitch peak to peak after 100 s", "never settles", "°", m.late_swing, 12, INFINITY,
                         "the reference program has 17.1°");
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 39.58324632319106, 2, reference);
    fm_sheet_check_range(sheet, "least altitude", NULL, "m", m.least_altitude, 1, INFINITY,
                         "the reference program has 2.27 m");
    fm_sheet_check_near(sheet, "pitch peak to peak after 100 s, continuous sonar", "never settles; not so here", "°",
                        s.late_swing, 0.386549011777, 0.05,
                        "the oscillation needs the delay of the sonar's frame, which the paper does not mention");
    fm_sheet_note(sheet,
                  "With an image every 2.5 s the vehicle hunts for good (%.0f swings). The same run with a "
                  "continuously refreshed sonar, as "
                  "the paper writes it, settles after %.0f swings: this result needs the delay.",
                  m.reversals, s.reversals);
    return FM_OK;
}

static fm_status draw_banging(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(3);
    c.unstabilised = true;
    fm_track *continuous, *track = run_both_sonars(sheet, &c, &continuous, error);
    if (!track)
        return error->status;
    draw_response(sheet, track, true);
    fm_remus_numbers m = fm_remus_numbers_of(track), s = fm_remus_numbers_of(continuous);
    fm_sheet_check_range(sheet, "pitch swings over 10°", "pitch banging", "", m.reversals, 40, INFINITY,
                         "the reference program has 55");
    fm_sheet_check_range(sheet, "pitch peak to peak after 100 s", "bang-bang", "°", m.late_swing, 25, INFINITY,
                         "the reference program has 37.3°");
    fm_sheet_check_range(sheet, "least altitude", NULL, "m", m.least_altitude, -INFINITY, 2.5,
                         "the reference program collides (−0.88 m)");
    fm_sheet_check_near(
        sheet, "pitch swings over 10°, continuous sonar", "pitch banging; not so here", "", s.reversals, 1, 0,
        "a bearing weight without latency acts as pitch feedback: banging needs the delay (or a hard threshold)");
    fm_sheet_note(sheet,
                  "The bottom is alternately seen and not seen. Without the sonar's delay the pitch stays below %.1f° "
                  "and nothing bangs: "
                  "this result needs the delay too.",
                  s.peak_pitch);
    return FM_OK;
}

static const fm_figure_spec figures[] = {
    {"fig2", "Fig. 2: without look-ahead the response comes too late",
     "A sudden rise of the sea floor by 4 m: the vehicle answers too late, a simple collision occurs, and the pitch "
     "peaks at over 30°.",
     draw_2, true},
    {"fig3", "Fig. 3: beams, bins and returns of the forward-looking sonar",
     "The sonar looks ahead in a fan of beams; each range bin of each beam holds a return or none. The bottom is "
     "broken into nodes, each "
     "with a range and a bearing; only those ahead count.",
     fm_remus_draw_sonar, true},
    {"fig4", "Fig. 4: bearing weight",
     "The weight of a return rises to its largest value towards bearing zero, is the same on both sides, and is zero "
     "outside the zone of "
     "reaction.",
     fm_remus_draw_bearing_weight, true},
    {"fig5", "Fig. 5: range weight",
     "The weight of a return is zero beyond the zone of reaction (20 m) and grows towards range zero.",
     fm_remus_draw_range_weight, true},
    {"fig6", "Fig. 6: threat gain 3, the rise is avoided",
     "With a = 3 the threat is there well before the rise is reached, so that the vehicle climbs in time; afterwards "
     "it follows the bottom "
     "as usual.",
     draw_6, true},
    {"fig7", "Fig. 7: the threat comes and goes, gain 3",
     "The threat is well established before the rise is reached and goes away once the rise is negotiated.", draw_7,
     true},
    {"fig8", "Fig. 8: the significant return in range and bearing while the vehicle rises",
     "As the vehicle closes on the rise and climbs, the range of the significant return falls and its bearing grows.",
     fm_remus_draw_returns, true},
    {"fig9", "Fig. 9: threat gain 7 is unstable",
     "Some gains make the altitude control unstable and should be avoided: with a = 7 the vehicle never settles.",
     draw_9, true},
    {"banging", "Pitch banging without stabilisation",
     "If the image is not stabilised for pitch, the bottom is alternately seen and not seen, and the control bangs "
     "from one side to the "
     "other (section 7; no figure is printed).",
     draw_banging, true},
    {"phases", "Where the rise lies within a sonar frame",
     "Not in the paper: the place of the rise relative to the sonar's images and nodes is arbitrary, so the results "
     "are ranges.",
     fm_remus_draw_phases, true},
    {"frames", "Which results need the sonar's delay",
     "Not in the paper, which writes a continuous sonar: the interval between images is ours.", fm_remus_draw_frames,
     true},
    {"map", "Least altitude and oscillation over threat gain and rise height",
     "The paper says that the gain should be high enough to clear the rise and low enough to stay stable, and leaves "
     "the values to trials "
     "in the water. Simulated here for rises of 1 to 8 m.",
     fm_remus_draw_map, false},
};

const fm_figure_set fm_figures_remus = {
    "remus", "REMUS: obstacle avoidance while following the bottom",
    "A. J. Healey, Obstacle Avoidance while Bottom Following for the REMUS Autonomous Underwater Vehicle, 2004",
    figures, sizeof figures / sizeof *figures};
