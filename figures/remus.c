/* REMUS: bottom following with and without look-ahead, from the scenario remus-rise. */
#include "figures/remus.h"

#include <fathom/instrument.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figures/sets.h"

static const char reference[] = "another program of the same equations, rays and pixels";

/* --- runs --- */

fm_remus_case fm_remus_chosen(double gain)
{
    return (fm_remus_case){.gain = gain,
                           .frame = 1.07,
                           .height = 4,
                           .rise = 60,
                           .bin = 1,
                           .beam = 1,
                           .threshold = 0.2,
                           .weight = 0.2,
                           .end = 0.15,
                           .sector = 20};
}

fm_remus_case fm_remus_nodes(double gain)
{
    fm_remus_case c = fm_remus_chosen(gain);
    c.nodes = true;
    c.frame = 2.5;
    c.weight = 1.3;
    c.end = 0;
    return c;
}

enum { SETS = 16 };
typedef struct settings {
    char text[SETS][64];
    const char *sets[SETS + 1]; /* NULL-terminated */
    size_t count;
} settings;

__attribute__((format(printf, 2, 3))) static void add_set(settings *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->text[s->count], sizeof s->text[0], format, arguments);
    va_end(arguments);
    s->sets[s->count] = s->text[s->count];
    s->count++;
}

static fm_run_request request_of(const fm_remus_case *c, settings *s)
{
    *s = (settings){0};
    add_set(s, "/remus/avoid/gain=%.9g", c->gain);
    add_set(s, "/remus/sonar/frame=%.9g s", c->frame);
    add_set(s, "/bottom/rise/height=%.9g m", c->height);
    add_set(s, "/bottom/rise/x=%.9g m", c->rise);
    add_set(s, "/remus/avoid/stabilised=%s", c->unstabilised ? "false" : "true");
    add_set(s, "/remus/avoid/edge=%s", c->fades ? "zero" : "half");
    add_set(s, "/remus/avoid/weight=%.9g", c->weight);
    add_set(s, "/remus/avoid/end-weight=%.9g", c->end);
    add_set(s, "/remus/avoid/sector=%.9g deg", c->sector);
    add_set(s, "/remus/avoid/reference-spacing=%g m", c->nodes ? 0.5 : 1);
    add_set(s, "/remus/sonar/mode=%s", c->nodes ? "nodes" : "rays");
    add_set(s, "/remus/sonar/threshold=%.9g", c->threshold);
    add_set(s, "/remus/sonar/bin=%.9g m", c->bin);
    add_set(s, "/remus/sonar/beam=%.9g deg", c->beam);
    return (fm_run_request){.scenario = "remus-rise", .vehicle = "remus", .sets = s->sets};
}

fm_status fm_remus_measure(const fm_run_folders *folders, const fm_remus_case *c, fm_remus_numbers *numbers,
                           fm_error *error)
{
    settings s;
    fm_run_request request = request_of(c, &s);
    request.no_rows = true;
    fm_track *track = fm_track_run(folders, &request, error);
    if (!track)
        return error->status;
    *numbers = fm_remus_numbers_of(track);
    fm_track_free(track);
    return FM_OK;
}

fm_track *fm_remus_run(fm_sheet *sheet, const fm_remus_case *c, fm_error *error)
{
    settings s;
    fm_run_request request = request_of(c, &s);
    return fm_sheet_run(sheet, &request, error);
}

fm_world *fm_remus_world(fm_sheet *sheet, const fm_remus_case *c, fm_error *error)
{
    settings s;
    fm_run_request request = request_of(c, &s);
    return fm_sheet_world(sheet, &request, error);
}

/* --- images --- */

static fm_sample field_of(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_instrument_count(world, 0); i++)
        for (size_t k = 0; k < fm_world_instrument(world, 0, i).field_count; k++) {
            const fm_sample sample = fm_world_instrument_field(world, 0, i, k);
            if (strcmp(sample.name, name) == 0)
                return sample;
        }
    return (fm_sample){0};
}

typedef struct keeper {
    fm_sheet *sheet;
    fm_remus_images *images;
    size_t room; /* rows */
} keeper;

/* Called before the first tick, without an image, and after each tick. */
static void keep_image(void *user, fm_world *world)
{
    keeper *k = user;
    fm_remus_images *m = k->images;
    const fm_sample pixels = field_of(world, "image.data"), nearest = field_of(world, "nearest");
    if (!m->pixels && nearest.count) {
        m->beams = nearest.count;
        m->bins = pixels.count / nearest.count;
        m->pixels = fm_sheet_alloc(k->sheet, k->room * pixels.count);
        m->nearest = fm_sheet_reals(k->sheet, k->room * nearest.count);
    }
    if (!m->pixels || !m->nearest || m->rows == k->room)
        return;
    if (pixels.data && nearest.data && fm_world_tick(world) > 0) {
        memcpy(m->pixels + m->rows * pixels.count, pixels.data, pixels.count);
        memcpy(m->nearest + m->rows * nearest.count, nearest.data, nearest.count * sizeof(double));
    }
    m->rows++;
}

fm_track *fm_remus_run_images(fm_sheet *sheet, const fm_remus_case *c, fm_remus_images *images, fm_error *error)
{
    settings s;
    fm_run_request request = request_of(c, &s);
    *images = (fm_remus_images){0};
    keeper k = {sheet, images, 4096};
    request.watch = keep_image;
    request.user = &k;
    fm_track *track = fm_sheet_run(sheet, &request, error);
    if (track && (!images->pixels || images->rows != fm_track_rows(track)))
        return fm_figure_fail(error, FM_ERR_MODEL, "the sonar gave %zu images in %zu steps", images->rows,
                              fm_track_rows(track)),
               NULL;
    return track;
}

double fm_remus_bin_range(const fm_remus_case *c, size_t bin)
{
    return ((double)bin + 0.5) * c->bin;
}

double fm_remus_beam_bearing(const fm_remus_case *c, size_t beam)
{
    return ((double)beam + 0.5) * c->beam - 10;
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

double fm_remus_bottom(double x, double rise, double height)
{
    return 20 - height * fmin(fmax((x - rise + 0.5) / 0.5, 0), 1);
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

/* Plots of depth, angles and, where asked for, threat, from above; below them what the assumptions cost. */
typedef struct response {
    fm_axes *depth, *angles, *threat;
} response;

static response draw_response(fm_sheet *sheet, const fm_track *track, bool threat, const char *cost)
{
    fm_figure *figure = fm_sheet_figure(sheet, 170, threat ? 155 : 120);
    fm_figure_note(figure, cost);
    fm_figure_share_x(figure);
    fm_figure_row_height(figure, 0, 1.4);
    response r = {fm_figure_axes(figure, 0, 0, 1, 1), fm_figure_axes(figure, 1, 0, 1, 1), NULL};
    draw_depth(sheet, r.depth, track);
    draw_angles(sheet, r.angles, track);
    if (threat) {
        r.threat = fm_figure_axes(figure, 2, 0, 1, 1);
        draw_threat(r.threat, track);
    }
    fm_axes_x(threat ? r.threat : r.angles, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    return r;
}

/* --- the figures --- */

/* Depth of the highest return within the zone of 20 m, as the image of a row shows it; NaN: none. */
static double highest_return(const fm_remus_case *c, const fm_remus_images *m, size_t row, double z)
{
    double depth = NAN;
    for (size_t i = 0; i < m->bins && fm_remus_bin_range(c, i) < 20; i++)
        for (size_t k = 0; k < m->beams; k++)
            if (m->pixels[(row * m->bins + i) * m->beams + k])
                depth = fmin(depth, z + fm_remus_bin_range(c, i) * sin(fm_remus_beam_bearing(c, k) * FM_DEGREE));
    return depth;
}

/* Draws the sonar's view, and returns the distance ahead at which the rise is first seen, m. */
static double draw_true_response(fm_sheet *sheet, fm_axes *axes, const fm_track *track, const fm_remus_case *c,
                                 const fm_remus_images *m)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *z = fm_track_column(track, "z");
    double *seen = fm_sheet_reals(sheet, n), ahead = NAN;
    for (size_t i = 0; i < n; i++) {
        seen[i] = i ? highest_return(c, m, i, z[i - 1]) : NAN;
        if (isnan(ahead) && seen[i] < 18)
            ahead = 60 - x[i - 1];
    }
    fm_axes_line(axes, t, seen, n,
                 &(fm_line_style){.label = "highest return within 20 m",
                                  .colour = fm_colour_series(FM_THEME_LIGHT, 2),
                                  .width = 1.1});
    return ahead;
}

static fm_status draw_2(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(0);
    fm_remus_images images;
    fm_track *track = fm_remus_run_images(sheet, &c, &images, error);
    if (!track)
        return error->status;
    response r =
        draw_response(sheet, track, false,
                      "One set of assumptions (docs/theory/remus.md). Its cost here: none, the sonar is not used.");
    double ahead = draw_true_response(sheet, r.depth, track, &c, &images);
    fm_axes_level(r.angles, 30, "the paper: the pitch peaks at over 30°", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_remus_numbers m = fm_remus_numbers_of(track);
    fm_sheet_check_range(sheet, "contacts with the step", "a collision", "", m.contacts, 1, INFINITY,
                         "contact is counted, not answered");
    fm_sheet_check_near(sheet, "least altitude", "below 0", "m", m.least_altitude, -1.0010253081607132, 0.1,
                        "an independent program of the same equations");
    fm_sheet_check_range(sheet, "peak pitch", "over 30°", "°", m.peak_pitch, 30, 35, "the paper's caption");
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 32.138641651256926, 0.5,
                        "an independent program of the same equations");
    fm_sheet_check_near(sheet, "altitude kept afterwards", NULL, "m", m.late_altitude, 2.999878078145497, 0.01,
                        "an independent program of the same equations");
    fm_sheet_check_range(sheet, "distance at which the sonar's image shows the rise", "within 20 m", "m", ahead, 17, 20,
                         "the zone of reaction, less a bin of 1 m and the 1.6 m run between two images");
    fm_sheet_note(sheet,
                  "The rise is felt only when the altimeter is over it. The autopilot then pitches up by %.1f° and "
                  "climbs at most %.2f m/s, but the vehicle has already passed %.2f m below the new bottom. The third "
                  "curve is our reading of what the paper calls the true response: what its forward-looking sonar "
                  "could see within 20 m, here the highest pixel with a return, in steps of bin and beam. It shows "
                  "the rise %.1f m, or %.0f s, ahead. " FM_REMUS_ONE_SET
                  "nothing: without look-ahead the sonar is not used.",
                  m.peak_pitch, 1.54 * sin(m.peak_pitch * FM_DEGREE), -m.least_altitude, ahead, ahead / 1.54);
    return FM_OK;
}

/* The largest distance from 3 m of altitude, m, from `later` seconds after the edge to the end. */
static double farthest_from_nominal(const fm_track *track, double later)
{
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *z = fm_track_column(track, "z");
    double reached = INFINITY, most = 0;
    for (size_t i = 0; i < fm_track_rows(track); i++) {
        if (x[i] >= 60)
            reached = fmin(reached, t[i]);
        if (t[i] > reached + later)
            most = fmax(most, fabs(fm_remus_bottom(x[i], 60, 4) - z[i] - 3));
    }
    return most;
}

static fm_status draw_6(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(3), narrow = c;
    narrow.sector = 16;
    fm_track *track = fm_remus_run(sheet, &c, error), *other = track ? fm_remus_run(sheet, &narrow, error) : NULL;
    if (!other)
        return error->status;
    response r =
        draw_response(sheet, track, false,
                      "One set of assumptions (docs/theory/remus.md). Its cost here: 3.24 m are kept instead of "
                      "3.00 m.");
    fm_axes_level(r.depth, 13, "3 m above the rise", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_remus_numbers m = fm_remus_numbers_of(track), exact = fm_remus_numbers_of(other);
    fm_sheet_check_near(sheet, "contacts with the step", "none", "", m.contacts, 0, 0, "the paper's text");
    fm_sheet_check_near(sheet, "least altitude", "above 0", "m", m.least_altitude, 2.08698, 0.02, reference);
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 30.8784, 0.1, reference);
    fm_sheet_check_near(sheet, "pitch swings over 10°", NULL, "", m.reversals, 6, 0, reference);
    fm_sheet_check_range(sheet, "greatest distance from the nominal 3 m, from 15 s after the rise on",
                         "normal altitude following", "m", farthest_from_nominal(track, 15), 0, 0.3,
                         "a tenth of 3 m; the whole curve is looked at");
    fm_sheet_check_range(sheet, "pitch peak to peak after 100 s", "normal altitude following", "°", m.late_swing, 0, 1,
                         "the paper's text");
    fm_sheet_check_near(sheet, "altitude kept afterwards", "3 m nominal", "m", m.late_altitude, 3, 0.3,
                        "a tenth of it; the level bottom is in the fan at 17 m and more, a threat of 0.08");
    fm_sheet_check_near(sheet, "the same, with weights over 16° in place of 20°", "3 m nominal", "m",
                        exact.late_altitude, 3, 0.01,
                        "then the level bottom has no weight, and Fig. 9 is not unstable");
    fm_sheet_note(sheet,
                  FM_REMUS_ONE_SET
                  "%.2f m of altitude: at 3 m the level bottom is in the fan of 20° at 17.3 m and more, within "
                  "the zone of 20 m, so that its own small threat is added. With weights over 16° it has "
                  "none and the vehicle keeps 3.00 m; but then no gain is unstable (Fig. 9).",
                  m.late_altitude - 3);
    return FM_OK;
}

static fm_status draw_9(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(7), narrow = c;
    narrow.sector = 16;
    fm_track *track = fm_remus_run(sheet, &c, error), *settled = track ? fm_remus_run(sheet, &narrow, error) : NULL;
    if (!settled)
        return error->status;
    draw_response(
        sheet, track, true,
        "One set of assumptions (docs/theory/remus.md). Its cost here: the size of the swings is ours, 8° to 31° "
        "over other bins and intervals.");
    fm_remus_numbers m = fm_remus_numbers_of(track), s = fm_remus_numbers_of(settled);
    fm_sheet_check_range(sheet, "pitch swings over 10°", "unstable", "", m.reversals, 20, INFINITY,
                         "more than four times those with gain 3");
    fm_sheet_check_near(sheet, "pitch swings over 10°", NULL, "", m.reversals, 43, 1, reference);
    fm_sheet_check_near(sheet, "pitch peak to peak after 100 s", "unstable", "°", m.late_swing, 17.2391, 0.5,
                        reference);
    fm_sheet_check_near(sheet, "peak pitch", NULL, "°", m.peak_pitch, 39.0472, 0.5, reference);
    fm_sheet_check_near(sheet, "least altitude", NULL, "m", m.least_altitude, 1.35356, 0.1, reference);
    fm_sheet_check_range(sheet, "pitch peak to peak after 100 s, with weights over 16° in place of 20°",
                         "unstable; not so here", "°", s.late_swing, 0, 1,
                         "the vehicle comes to 3 m from above, where it then sees nothing of the level bottom");
    fm_sheet_note(
        sheet,
        "The vehicle hunts for good (%.0f swings): over the level bottom pixels at the end of the zone enter "
        "and leave the fan at altitudes up to 3.47 m, and with a = 7 each moves the commanded altitude by half a "
        "metre, one image late. " FM_REMUS_ONE_SET "the size of the swings, which depends on bin, weights and delay "
        "(remus/assumptions); and the paper's own curve is lost, so that only the instability itself is "
        "compared.",
        m.reversals);
    return FM_OK;
}

static fm_status draw_banging(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(3), at_once;
    c.unstabilised = true;
    at_once = c;
    at_once.frame = 0;
    fm_track *track = fm_remus_run(sheet, &c, error), *continuous = track ? fm_remus_run(sheet, &at_once, error) : NULL;
    if (!continuous)
        return error->status;
    draw_response(
        sheet, track, true,
        "One set of assumptions (docs/theory/remus.md). Its cost here: it rests on the 1.07 s between images.");
    fm_remus_numbers m = fm_remus_numbers_of(track), s = fm_remus_numbers_of(continuous);
    fm_sheet_check_range(sheet, "pitch swings over 10°", "pitch banging", "", m.reversals, 20, INFINITY,
                         "more than four times those of the stabilised image");
    fm_sheet_check_near(sheet, "pitch swings over 10°", NULL, "", m.reversals, 49, 1, reference);
    fm_sheet_check_near(sheet, "pitch peak to peak after 100 s", "bang-bang", "°", m.late_swing, 15.9170, 0.5,
                        reference);
    fm_sheet_check_near(sheet, "least altitude", NULL, "m", m.least_altitude, 1.57408, 0.1, reference);
    fm_sheet_check_range(sheet, "pitch swings over 10°, continuous sonar", "pitch banging; not so here", "",
                         s.reversals, 0, 8, "a bearing weight without delay acts as pitch feedback");
    fm_sheet_note(sheet,
                  "The bottom is seen when the nose is down and not when it is up. " FM_REMUS_ONE_SET
                  "that the banging rests on the delay of %.2f s between images, which is ours: with an image at every "
                  "step the pitch swings %.0f times and %.1f° remain after 100 s.",
                  c.frame, s.reversals, s.late_swing);
    return FM_OK;
}

static const fm_figure_spec figures[] = {
    {"vehicle", "Section 2: speed, endurance and sea",
     "REMUS is 62 in long, 7.5 in across and weighs 80 lb in air; it makes up to 5.6 knots and works in sea state 2 at "
     "most, "
     "in very shallow water (40 to 100 ft), for up to 20 h at 3 knots or 9 h at 5 knots.",
     fm_remus_draw_vehicle, true},
    {"fig2", "Fig. 2: without look-ahead the response comes too late",
     "A sudden rise of the sea floor by 4 m: the vehicle answers too late, a simple collision occurs, and the pitch "
     "peaks at over 30°.",
     draw_2, true},
    {"fig3", "Fig. 3: beams, bins and returns of the forward-looking sonar",
     "The sonar traces rays ahead in a fan of beams; each range bin of each beam is thresholded and holds a return or "
     "none. The bottom is broken into nodes; only what is ahead counts.",
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
     "normal altitude following occurs.",
     draw_6, true},
    {"fig7", "Fig. 7: the threat comes and goes, gain 3",
     "The threat is well established before the rise is reached and goes away once the rise is negotiated.",
     fm_remus_draw_threat, true},
    {"fig8", "Fig. 8: the significant return in range and bearing while the vehicle rises",
     "The nearest return on every bearing is noted for each time. As the vehicle closes on the rise and climbs, the "
     "range "
     "of the nearest return falls and the bearing of its beam grows.",
     fm_remus_draw_returns, true},
    {"fig9", "Fig. 9: threat gain 7 is unstable",
     "Some gains make the altitude control unstable and should be avoided: an example is a = 7.", draw_9, true},
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
     "Not in the paper, which names no interval between images: it is ours.", fm_remus_draw_frames, true},
    {"assumptions", "Which published behaviours need which assumption",
     "The paper gives no size of bins and beams, no interval between images and no formula of the weights. It says: "
     "without look-ahead a collision, with gain 3 the rise is avoided and normal altitude following occurs, gain 7 is "
     "unstable, and without pitch stabilisation the pitch bangs.",
     fm_remus_draw_assumptions, true},
    {"map", "Least altitude and oscillation over threat gain and rise height",
     "Not in the paper, which says that unstable gains should be avoided and leaves the values to trials in the water. "
     "Simulated here for rises of 1 to 8 m.",
     fm_remus_draw_map, false},
    {"planners", "Contour following, potential field and cell search on one reef",
     "Sections 3 and 4 name the methods and their traits, and print no figure: contour following makes short ways "
     "around obstacles; a potential field may trap the vehicle in a local minimum; a search over cells finds a way of "
     "free cells, and D* replans it with what the sensor adds to the map. The reef and all numbers are ours.",
     fm_remus_draw_planners, true},
    {"planes", "Avoidance in both planes at once",
     "Not in the paper, which treats the vertical plane after previous work on steering. Sill, pier and all numbers "
     "are "
     "ours.",
     fm_remus_draw_planes, true},
};

const fm_figure_set fm_figures_remus = {
    "remus",
    "REMUS: obstacle avoidance while following the bottom",
    "A. J. Healey, Obstacle Avoidance while Bottom Following for the REMUS Autonomous Underwater Vehicle, 2004",
    "paper",
    figures,
    sizeof figures / sizeof *figures};
