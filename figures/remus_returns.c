/* REMUS: the pixels of the forward-looking sonar, and the resulting threat over a whole run. */
#include <fathom/guidance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/remus.h"

static const double zone = 20, reach = 40, half_sector = 10; /* m, m, degrees: of the sonar */

/* The first row at which the vehicle has passed x; the number of rows: never. */
static size_t row_at(const fm_track *track, double north)
{
    const double *x = fm_track_column(track, "x");
    size_t i = 0;
    while (i < fm_track_rows(track) && x[i] < north)
        i++;
    return i;
}

/* --- figure 3 --- */

/* One image, and where it was taken. */
typedef struct view {
    const fm_remus_case *c;
    const fm_world *world; /* whose <avoid> weighs the image */
    const uint8_t *pixels; /* [bins][beams] */
    size_t bins, beams;
    double x, z; /* m */
} view;

/* What a return in this pixel adds to the threat. */
static double weight_of(const view *v, size_t bin, size_t beam)
{
    return fm_world_return_weight(v->world, "remus", NULL, fm_remus_bin_range(v->c, bin),
                                  fm_remus_beam_bearing(v->c, beam) * FM_DEGREE) *
           v->c->bin;
}

static void draw_fan(fm_axes *axes, const view *v)
{
    fm_line_style thin = {.colour = fm_colour_hex(0xb6bec8), .width = 0.4};
    for (size_t k = 0; k <= v->beams; k++) {
        double b = (fm_remus_beam_bearing(v->c, k) - v->c->beam / 2) * FM_DEGREE, end = reach;
        fm_axes_line(axes, (double[]){v->x, v->x + end * cos(b)}, (double[]){v->z, v->z + end * sin(b)}, 2, &thin);
    }
    for (size_t i = 0; i <= v->bins; i++) {
        double ax[21], az[21], r = (double)i * v->c->bin;
        bool edge = fabs(r - zone) < 1e-9;
        for (int n = 0; n <= 20; n++) {
            ax[n] = v->x + r * cos((n - 10) * FM_DEGREE);
            az[n] = v->z + r * sin((n - 10) * FM_DEGREE);
        }
        fm_axes_line(axes, ax, az, 21,
                     &(fm_line_style){.colour = edge ? fm_colour_hex(0x4a5562) : thin.colour,
                                      .width = edge ? 1.1 : thin.width,
                                      .label = edge ? "end of the reaction zone" : NULL});
    }
}

/* A pixel as it lies in the sea. */
static void draw_pixel(fm_axes *axes, const view *v, size_t bin, size_t beam)
{
    double x[4], z[4];
    for (int n = 0; n < 4; n++) {
        double r = fm_remus_bin_range(v->c, bin) + (n == 1 || n == 2 ? 0.5 : -0.5) * v->c->bin,
               b = (fm_remus_beam_bearing(v->c, beam) + (n >= 2 ? 0.5 : -0.5) * v->c->beam) * FM_DEGREE;
        x[n] = v->x + r * cos(b);
        z[n] = v->z + r * sin(b);
    }
    fm_axes_polygon(axes, x, z, 4,
                    &(fm_area_style){.colour = fm_colour_series(FM_THEME_LIGHT, 0),
                                     .opacity = 0.45,
                                     .line = fm_colour_series(FM_THEME_LIGHT, 0),
                                     .line_width = 0.5});
}

static void draw_scene(fm_axes *axes, const view *v)
{
    double along[] = {48, 59.5, 60, 92}, depth[] = {20, 20, 16, 16}, low[] = {24, 24, 24, 24}, at[2] = {v->x, v->z};
    fm_axes_title(axes, "Beams, bins and pixels with a return");
    fm_axes_x(axes, &(fm_axis_style){.label = "distance", .unit = "m", .min = 48, .max = 92});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 9, .max = 24, .reversed = true});
    fm_axes_band(axes, along, depth, low, 4, &(fm_area_style){.colour = fm_colour_hex(0x8a7355), .opacity = 0.4});
    draw_fan(axes, v);
    for (size_t i = 0; i < v->bins; i++)
        for (size_t k = 0; k < v->beams; k++)
            if (v->pixels[i * v->beams + k])
                draw_pixel(axes, v, i, k);
    fm_axes_scatter(
        axes, &at[0], &at[1], 1,
        &(fm_scatter_style){
            .label = "vehicle", .marker = FM_MARKER_TRIANGLE, .size = 8, .colour = fm_colour_hex(0xd55e00)});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

static void draw_image(fm_sheet *sheet, fm_axes *axes, const view *v)
{
    double *cells = fm_sheet_reals(sheet, v->bins * v->beams);
    for (size_t i = 0; cells && i < v->bins * v->beams; i++)
        cells[i] = v->pixels[i] ? weight_of(v, i / v->beams, i % v->beams) : NAN;
    fm_axes_title(axes, "The image, weighted");
    fm_axes_x(axes, &(fm_axis_style){.label = "bearing, down positive", .unit = "°", .min = -10, .max = 10});
    fm_axes_y(axes, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 40});
    if (cells)
        fm_axes_heat(axes, (fm_extent){-10, 10, 0, 40}, cells, v->beams, v->bins,
                     &(fm_heat_style){.min = 0, .max = 0.2, .value_label = "part of the threat"});
    fm_axes_level(axes, 20, "end of the zone", NULL);
}

enum { LEVEL, FACE, TOP, ENDS }; /* where a ray may end: the bottom before the rise, the rise itself, beyond it */

/* (R9a) in closed form: range [m] of a ray of this bearing [degrees], infinite where it meets nothing. */
static double range_of_ray(const view *v, double degrees, int *end)
{
    const double s = sin(degrees * FM_DEGREE), c = cos(degrees * FM_DEGREE), bottom = (20 - v->z) / s;
    *end = LEVEL;
    if (s > 0 && v->x + bottom * c <= 59.5)
        return bottom;
    /* on the line from (59.5, 20) to (60, 16): 8 (x - 59.5) + (z - 20) = 0 */
    const double face = (20 - v->z + 8 * (59.5 - v->x)) / (s + 8 * c), z = v->z + face * s;
    *end = FACE;
    if (z >= 16 && z <= 20)
        return face;
    *end = TOP;
    return s > 0 && v->z < 16 ? (16 - v->z) / s : INFINITY;
}

/* Pixels of beam `beam` in which more than a fifth of its eight rays end; counts those of the face. */
static size_t pixels_of_beam(const view *v, size_t beam, size_t lit[ENDS], size_t wrong[1])
{
    size_t rays[64] = {0}, count = 0;
    int ends[64] = {0};
    for (int j = 0; j < 8; j++) {
        int end;
        const double r = range_of_ray(v, fm_remus_beam_bearing(v->c, beam) + ((j + 0.5) / 8 - 0.5) * v->c->beam, &end);
        if (r < reach) {
            rays[(size_t)(r / v->c->bin)]++;
            ends[(size_t)(r / v->c->bin)] = end;
        }
    }
    for (size_t i = 0; i < v->bins; i++) {
        const bool returns = (double)rays[i] > 0.2 * 8;
        count += returns;
        lit[ends[i]] += returns;
        *wrong += returns != (v->pixels[i * v->beams + beam] != 0);
    }
    return count;
}

static void check_sonar(fm_sheet *sheet, const view *v, double told)
{
    double sum = 0;
    size_t lit[ENDS] = {0}, wrong = 0;
    for (size_t k = 0; k < v->beams; k++)
        pixels_of_beam(v, k, lit, &wrong);
    for (size_t i = 0; i < v->bins * v->beams; i++)
        sum += v->pixels[i] ? weight_of(v, i / v->beams, i % v->beams) : 0;
    fm_sheet_check_near(sheet, "threat that the run made of this image", NULL, "", told, sum, 1e-9,
                        "the sum of the weights of the pixels drawn here");
    fm_sheet_check_near(sheet, "pixels that differ from the closed form", "ray tracing", "", (double)wrong, 0, 0,
                        "rays against three straight lines: level bottom, face, top");
    fm_sheet_check_range(sheet, "pixels with a return from the face of 4 m", "a return", "", (double)lit[FACE], 11,
                         INFINITY,
                         "seen from 9.8 m it covers 22° of bearing, from -6° to 17°, of which 16° are in the fan");
    fm_sheet_check_near(sheet, "pixels with a return from beyond the edge", NULL, "", (double)lit[TOP], 0, 0,
                        "the vehicle is 1 m below the top, which hides itself");
    fm_sheet_note(sheet, "%zu pixels return from the level bottom, %zu from the face.", lit[LEVEL], lit[FACE]);
}

fm_status fm_remus_draw_sonar(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(0);
    c.frame = 0; /* an image at every step: the drawn one is taken at its place */
    fm_remus_images images;
    fm_track *track = fm_remus_run_images(sheet, &c, &images, error);
    const fm_world *world = track ? fm_remus_world(sheet, &c, error) : NULL;
    if (!world)
        return error->status;
    size_t row = row_at(track, 50.2);
    if (row + 1 >= images.rows)
        return fm_figure_fail(error, FM_ERR_MODEL, "the vehicle does not come to 50.2 m");
    view v = {.c = &c,
              .world = world,
              .pixels = images.pixels + (row + 1) * images.bins * images.beams,
              .bins = images.bins,
              .beams = images.beams,
              .x = fm_track_column(track, "x")[row],
              .z = fm_track_column(track, "z")[row]};
    fm_figure *figure = fm_sheet_figure(sheet, 180, 85);
    fm_figure_column_width(figure, 0, 2.1);
    fm_figure_note(figure,
                   "One set of assumptions (docs/theory/remus.md). Its cost here: what is hidden returns nothing.");
    draw_scene(fm_figure_axes(figure, 0, 0, 1, 1), &v);
    draw_image(sheet, fm_figure_axes(figure, 0, 1, 1, 1), &v);
    check_sonar(sheet, &v, fm_track_column(track, "avoid.threat")[row + 1]);
    fm_sheet_note(
        sheet,
        "The sonar's own image in the run of Fig. 2, %.1f m before the rise. " FM_REMUS_ONE_SET
        "what is hidden returns nothing, where the paper's sum runs over all nodes ahead; bins of 1 m and "
        "beams of 1° are ours; and the bottom is straight between nodes of 0.5 m, so that the face leans by 7°.",
        60 - v.x);
    return FM_OK;
}

/* --- figure 7 --- */

/* Height of the fan's lower edge at the end of the zone: above it nothing of a level bottom is in the zone, m. */
static double blind_height(void)
{
    return zone * sin(half_sector * FM_DEGREE);
}

typedef struct humps {
    size_t reached; /* row of the edge */
    double lead;    /* s from a threat above 1 to the edge */
    double after;   /* greatest threat from 10 s after the edge on */
    double gone;    /* s after the edge from when on the threat is below a tenth of its peak */
    double count;   /* times that the threat rises above 1 */
    double lost;    /* s without a threat between its beginning and the edge */
} humps;

static humps find_humps(const fm_track *track)
{
    const double *t = fm_track_column(track, "t"), *threat = fm_track_column(track, "avoid.threat");
    const double peak = fm_track_metric(track, "threat_peak");
    humps h = {.reached = row_at(track, 60), .lead = NAN};
    size_t n = fm_track_rows(track);
    bool up = false;
    for (size_t i = 1; i < n && h.reached < n; i++) {
        if (!up && threat[i] > 1) {
            h.count++;
            if (isnan(h.lead))
                h.lead = t[h.reached] - t[i];
        }
        up = threat[i] > (up ? 0.5 : 1);
        if (h.count > 0 && i <= h.reached && threat[i] < 0.1 * peak)
            h.lost += t[i] - t[i - 1];
        if (t[i] > t[h.reached] + 10)
            h.after = fmax(h.after, threat[i]);
        if (threat[i] >= 0.1 * peak)
            h.gone = t[i] - t[h.reached];
    }
    return h;
}

static void draw_heights(fm_sheet *sheet, fm_axes *axes, const fm_track *track)
{
    size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *z = fm_track_column(track, "z");
    double *above = fm_sheet_reals(sheet, n), *altitude = fm_sheet_reals(sheet, n);
    for (size_t i = 0; above && altitude && i < n; i++) {
        above[i] = 16 - z[i];
        altitude[i] = fm_remus_bottom(x[i], 60, 4) - z[i];
    }
    fm_axes_y(axes, &(fm_axis_style){.label = "height", .unit = "m", .min = -2, .max = 9});
    if (!above || !altitude)
        return;
    fm_axes_line(axes, t, altitude, n,
                 &(fm_line_style){.label = "above the bottom below (altimeter)", .colour = fm_colour_hex(0x5d4a33)});
    fm_axes_line(axes, t, above, n,
                 &(fm_line_style){.label = "above the top of the rise", .colour = fm_colour_series(FM_THEME_LIGHT, 1)});
    fm_axes_level(axes, blind_height(), "higher than this the fan sees nothing of it within 20 m",
                  &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

static void draw_threat(fm_axes *axes, const fm_track *track, double reached)
{
    fm_axes_y(axes, &(fm_axis_style){.label = "threat", .min = 0, .max = 2});
    fm_axes_line(axes, fm_track_column(track, "t"), fm_track_column(track, "avoid.threat"), fm_track_rows(track),
                 &(fm_line_style){.step = true, .colour = fm_colour_series(FM_THEME_LIGHT, 2)});
    fm_axes_event(axes, reached, "over the rise", NULL);
}

static void check_threat(fm_sheet *sheet, const fm_track *track, const humps *h)
{
    const double peak = fm_track_metric(track, "threat_peak");
    fm_sheet_check_range(sheet, "time from a threat above 1 to the rise", "well established before it", "s", h->lead, 5,
                         INFINITY, "the paper's text");
    fm_sheet_check_near(sheet, "peak threat", NULL, "", peak, 1.73952, 0.01,
                        "another program of the same equations, rays and pixels");
    fm_sheet_check_near(sheet, "times that the threat passes 1", NULL, "", h->count, 1, 0, "one avoidance");
    fm_sheet_check_near(sheet, "time without a threat before the rise is reached", NULL, "s", h->lost, 0, 0,
                        "below a tenth of the peak");
    fm_sheet_check_range(sheet, "time after the rise until the threat is gone", "goes away after the rise", "s",
                         h->gone, 0, 10, "below a tenth of the peak, to the end of the run");
    fm_sheet_check_range(sheet, "greatest threat from 10 s after the rise to the end, over the peak",
                         "goes away after the rise", "", h->after / peak, 0, 0.1,
                         "the level bottom's own; the whole curve is looked at");
}

fm_status fm_remus_draw_threat(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(3);
    fm_track *track = fm_remus_run(sheet, &c, error);
    if (!track)
        return error->status;
    humps h = find_humps(track);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 130);
    fm_figure_share_x(figure);
    fm_figure_note(figure, "One set of assumptions (docs/theory/remus.md). Its cost here: a threat of 0.08 stays.");
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    draw_threat(a, track, fm_track_column(track, "t")[h.reached < fm_track_rows(track) ? h.reached : 0]);
    draw_heights(sheet, b, track);
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    check_threat(sheet, track, &h);
    fm_sheet_note(
        sheet,
        "The threat rises at 20 m from the face, holds the vehicle 2 m above the top until the edge, and goes away "
        "once the altimeter is over the rise. " FM_REMUS_ONE_SET
        "a threat of %.2f that stays, %.0f %% of the peak, from the level bottom at the edge of the fan; and a "
        "weight that falls by a quarter only over the zone. With one that falls to zero the threat does not "
        "reach 1, and with greater weights the vehicle climbs out of sight of the rise, dives, and avoids it twice.",
        h.after, 100 * h.after / fm_track_metric(track, "threat_peak"));
    return FM_OK;
}

/* --- figure 8 --- */

typedef struct path {
    double *range, *bearing, *time; /* m, degrees, s: the nearest return of all, the uppermost of several */
    size_t count;
    double *all_range, *all_bearing; /* of every beam at every time */
    size_t all_count;
    size_t back; /* steps in which the range grew or the bearing fell */
} path;

/* The nearest return of a row; false: none in the zone. */
static bool nearest_return(const fm_remus_case *c, const fm_remus_images *m, size_t row, double *range, double *bearing)
{
    const double *nearest = m->nearest + row * m->beams;
    *range = INFINITY;
    *bearing = NAN;
    for (size_t k = 0; k < m->beams; k++)
        if (nearest[k] < *range) {
            *range = nearest[k];
            *bearing = fm_remus_beam_bearing(c, k);
        }
    return *range < zone;
}

/* From when the rise, above the vehicle, is the nearest return until it is seen in the lowest beam. */
static void follow_returns(const fm_track *track, const fm_remus_case *c, const fm_remus_images *m, path *p)
{
    const double *t = fm_track_column(track, "t");
    const double lowest = fm_remus_beam_bearing(c, m->beams - 1);
    for (size_t i = 1; i < m->rows; i++) {
        double range, bearing;
        if (!nearest_return(c, m, i, &range, &bearing) || (!p->count && bearing > 0))
            continue;
        for (size_t k = 0; k < m->beams; k++)
            if (m->nearest[i * m->beams + k] < reach) {
                p->all_range[p->all_count] = m->nearest[i * m->beams + k];
                p->all_bearing[p->all_count++] = fm_remus_beam_bearing(c, k);
            }
        p->back += p->count && (range > p->range[p->count - 1] || bearing < p->bearing[p->count - 1]);
        p->range[p->count] = range;
        p->bearing[p->count] = bearing;
        p->time[p->count++] = t[i];
        if (bearing >= lowest)
            break;
    }
}

static void draw_path(fm_sheet *sheet, const path *p)
{
    fm_figure *figure = fm_sheet_figure(sheet, 140, 100);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_figure_note(figure,
                   "One set of assumptions (docs/theory/remus.md). Its cost here: steps of 1 m, 1° and 1.05 s.");
    fm_axes_x(a, &(fm_axis_style){.label = "bearing of the beam, down positive", .unit = "°", .min = -10, .max = 10});
    fm_axes_y(a, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 40});
    fm_axes_scatter(
        a, p->all_bearing, p->all_range, p->all_count,
        &(fm_scatter_style){.label = "nearest return of every beam", .size = 2.5, .colour = fm_colour_hex(0xb6bec8)});
    fm_axes_line(a, p->bearing, p->range, p->count, &(fm_line_style){.colour = fm_colour_hex(0x5b6670), .width = 0.7});
    fm_axes_scatter(a, p->bearing, p->range, p->count,
                    &(fm_scatter_style){.values = p->time, .size = 5.5, .value_label = "time", .value_unit = "s"});
    fm_axes_level(a, 20, "end of the zone", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_legend(a, FM_LEGEND_ABOVE);
}

fm_status fm_remus_draw_returns(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(3);
    fm_remus_images images;
    fm_track *track = fm_remus_run_images(sheet, &c, &images, error);
    if (!track)
        return error->status;
    size_t n = images.rows, all = images.rows * images.beams;
    path p = {.range = fm_sheet_reals(sheet, n),
              .bearing = fm_sheet_reals(sheet, n),
              .time = fm_sheet_reals(sheet, n),
              .all_range = fm_sheet_reals(sheet, all),
              .all_bearing = fm_sheet_reals(sheet, all)};
    if (!p.range || !p.bearing || !p.time || !p.all_range || !p.all_bearing)
        return FM_ERR_MEMORY;
    follow_returns(track, &c, &images, &p);
    draw_path(sheet, &p);
    fm_sheet_check_range(sheet, "time for which the rise is the nearest return", NULL, "s",
                         p.count ? p.time[p.count - 1] - p.time[0] : 0, 4, INFINITY, "until it is in the lowest beam");
    if (!p.count)
        return FM_OK;
    size_t end = p.count - 1;
    fm_sheet_check_near(sheet, "steps against the trend", "range falls, bearing grows", "", (double)p.back, 0, 0,
                        "the paper's text");
    fm_sheet_check_range(sheet, "range lost", "reduces with time", "m", p.range[0] - p.range[end], 4, INFINITY,
                         "the paper's text");
    fm_sheet_check_range(sheet, "bearing gained", "increases due to vehicle rise", "°", p.bearing[end] - p.bearing[0],
                         8, INFINITY, "the paper's text");
    fm_sheet_note(sheet,
                  "From the instrument itself: its range of the nearest return of every beam, from "
                  "%.1f to %.1f s, in bins of 1 m and beams of 1°. Coloured: the nearest of all, the uppermost where "
                  "beams share a bin. " FM_REMUS_ONE_SET
                  "steps: an image every 1.07 s, in which the vehicle runs 1.6 m, and pixels of 1 m by 1°.",
                  p.time[0], p.time[end]);
    return FM_OK;
}
