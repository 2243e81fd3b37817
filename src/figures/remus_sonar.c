/* REMUS: what the forward-looking sonar sees, and how its returns are weighed. */
#include <math.h>
#include <stdio.h>

#include "figures/remus.h"
#include "physics/angle.h"
#include "physics/threat.h"

static const fm_threat_params sonar = {.range = 40,
                                       .zone = 20,
                                       .weight = 1.3,
                                       .half_sector = 10 * FM_DEGREE,
                                       .spacing = 0.5,
                                       .reference_spacing = 0.5,
                                       .gain = 3,
                                       .altitude = 3,
                                       .stabilised = 1};

/* --- figure 3 --- */

enum { NODES = 120 };

typedef struct returns {
    double along[NODES], depth[NODES];                  /* m, of the nodes within the fan and range */
    double range[NODES], bearing[NODES], weight[NODES]; /* m, degrees, W_r W_b */
    size_t count;
} returns;

static void find_returns(double x, double z, returns *r)
{
    r->count = 0;
    for (int i = 0; i < NODES; i++) {
        double along = 45 + 0.5 * i, depth = fm_remus_bottom(along, 60, 4), ahead = along - x, below = depth - z;
        double range = sqrt(ahead * ahead + below * below), bearing = asin(below / range);
        if (ahead <= 0 || range >= sonar.range || fabs(bearing) > sonar.half_sector)
            continue;
        r->along[r->count] = along;
        r->depth[r->count] = depth;
        r->range[r->count] = range;
        r->bearing[r->count] = bearing / FM_DEGREE;
        r->weight[r->count++] = fm_threat_range_weight(&sonar, range) * fm_threat_bearing_weight(&sonar, bearing);
    }
}

static void draw_fan(fm_axes *axes, double x, double z)
{
    fm_line_style beam = {.colour = fm_colour_hex(0xb6bec8), .width = 0.5};
    for (int b = -10; b <= 10; b += 2) {
        double end = sonar.range;
        fm_axes_line(axes, (double[]){x, x + end * cos(b * FM_DEGREE)}, (double[]){z, z + end * sin(b * FM_DEGREE)}, 2,
                     &beam);
    }
    for (int r = 5; r <= 40; r += 5) {
        double ax[21], az[21];
        for (int i = 0; i <= 20; i++) {
            ax[i] = x + r * cos((i - 10) * FM_DEGREE);
            az[i] = z + r * sin((i - 10) * FM_DEGREE);
        }
        fm_axes_line(axes, ax, az, 21,
                     &(fm_line_style){.colour = r == 20 ? fm_colour_hex(0x4a5562) : beam.colour,
                                      .width = r == 20 ? 1.1 : 0.5,
                                      .label = r == 20 ? "end of the reaction zone" : NULL});
    }
}

static void draw_scene(fm_axes *axes, double x, double z, const returns *r)
{
    double along[] = {48, 59.5, 60, 92}, depth[] = {20, 20, 16, 16}, low[] = {23, 23, 23, 23};
    fm_axes_title(axes, "Beams and returns");
    fm_axes_x(axes, &(fm_axis_style){.label = "distance", .unit = "m", .min = 48, .max = 92});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 9, .max = 23, .reversed = true});
    fm_axes_band(axes, along, depth, low, 4, &(fm_area_style){.colour = fm_colour_hex(0x8a7355), .opacity = 0.4});
    draw_fan(axes, x, z);
    fm_axes_scatter(axes, r->along, r->depth, r->count,
                    &(fm_scatter_style){
                        .values = r->weight, .size = 4, .min = 0, .max = 0.6, .value_label = "weight of the return"});
    fm_axes_scatter(
        axes, &x, &z, 1,
        &(fm_scatter_style){
            .label = "vehicle", .marker = FM_MARKER_TRIANGLE, .size = 8, .colour = fm_colour_hex(0xd55e00)});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

/* Bins of 1 m and 1 degree: a return is there or not. */
static void draw_bins(fm_sheet *sheet, fm_axes *axes, const returns *r)
{
    double *bins = fm_sheet_reals(sheet, 40 * 20);
    for (size_t i = 0; bins && i < 40 * 20; i++)
        bins[i] = NAN;
    for (size_t i = 0; bins && i < r->count; i++) {
        size_t column = (size_t)fmin(fmax(floor(r->bearing[i] + 10), 0), 19),
               row = (size_t)fmin(floor(r->range[i]), 39);
        bins[row * 20 + column] = 1;
    }
    fm_axes_title(axes, "Bins with a return");
    fm_axes_x(axes, &(fm_axis_style){.label = "bearing, down positive", .unit = "°", .min = -10, .max = 10});
    fm_axes_y(axes, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 40});
    if (bins)
        fm_axes_heat(axes, (fm_extent){-10, 10, 0, 40}, bins, 20, 40,
                     &(fm_heat_style){.min = 0, .max = 1.6, .no_bar = true});
    fm_axes_level(axes, 20, "end of the zone", NULL);
}

fm_status fm_remus_draw_sonar(fm_sheet *sheet, fm_error *error)
{
    (void)error;
    const double x = 50.2, z = 17;
    returns r;
    find_returns(x, z, &r);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 80);
    fm_figure_column_width(figure, 0, 2.3);
    draw_scene(fm_figure_axes(figure, 0, 0, 1, 1), x, z, &r);
    draw_bins(sheet, fm_figure_axes(figure, 0, 1, 1, 1), &r);
    double depth[2 * NODES], sum = 0;
    for (int i = 0; i < 2 * NODES; i++)
        depth[i] = fm_remus_bottom(0.5 * i, 60, 4);
    for (size_t i = 0; i < r.count; i++)
        sum += r.weight[i];
    double threat = fm_threat_of_nodes(&sonar, 0, depth, 0, 2 * NODES, x, z, 0);
    fm_sheet_check_near(sheet, "threat 9.8 m before the rise, altitude 3 m", NULL, "", threat, 6.170334700565649, 1e-9,
                        "an independent program of the same sums");
    fm_sheet_check_near(sheet, "sum of the weights drawn here", NULL, "", sum, threat, 1e-9,
                        "the threat of the simulation's own code");
    fm_threat_params pitched = sonar;
    pitched.stabilised = 0;
    fm_sheet_check_near(sheet, "threat with the nose 20° up, not stabilised", "not seen", "",
                        fm_threat_of_nodes(&pitched, 0, depth, 0, 2 * NODES, x, z, 20 * FM_DEGREE), 0, 1e-12,
                        "the fan looks over the rise");
    fm_sheet_note(sheet, "As in the paper, nodes hidden behind others return as well (no occlusion); "
                         "/remus/sonar/occlusion hides them.");
    return FM_OK;
}

/* --- figures 4 and 5 --- */

enum { SAMPLES = 401 };

fm_status fm_remus_draw_bearing_weight(fm_sheet *sheet, fm_error *error)
{
    (void)error;
    double bearing[SAMPLES], weight[SAMPLES], skew = 0, edge = sonar.half_sector / FM_DEGREE;
    for (int i = 0; i < SAMPLES; i++) { /* within the fan; it ends on both sides by a jump to zero */
        bearing[i] = edge * (2.0 * i / (SAMPLES - 1) - 1) * (1 - 1e-12);
        weight[i] = fm_threat_bearing_weight(&sonar, bearing[i] * FM_DEGREE);
        skew = fmax(skew, fabs(weight[i] - fm_threat_bearing_weight(&sonar, -bearing[i] * FM_DEGREE)));
    }
    fm_axes *a = fm_figure_axes(fm_sheet_figure(sheet, 120, 75), 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "bearing", .unit = "°", .min = -15, .max = 15});
    fm_axes_y(a, &(fm_axis_style){.label = "bearing weight", .min = 0, .max = 1.1});
    fm_colour blue = fm_colour_series(FM_THEME_LIGHT, 0);
    fm_axes_line(a, bearing, weight, SAMPLES, &(fm_line_style){.colour = blue});
    for (int side = -1; side <= 1; side += 2) {
        double out = side * edge;
        fm_axes_line(a, (double[]){side * 15.0, out}, (double[]){0, 0}, 2, &(fm_line_style){.colour = blue});
        fm_axes_line(a, (double[]){out, out}, (double[]){0, weight[0]}, 2,
                     &(fm_line_style){.colour = blue, .width = 0.7, .dash = FM_DASH_DOTTED});
    }
    fm_sheet_check_near(sheet, "weight straight ahead", "largest", "", fm_threat_bearing_weight(&sonar, 0), 1, 1e-12,
                        "raised cosine (R10)");
    fm_sheet_check_near(sheet, "weight at 5°", NULL, "", fm_threat_bearing_weight(&sonar, 5 * FM_DEGREE),
                        0.5 * (1 + sqrt(0.5)), 1e-12, "(1 + cos 45°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 9.999°", NULL, "", fm_threat_bearing_weight(&sonar, 9.999 * FM_DEGREE), 0.5,
                        1e-3, "(1 + cos 90°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 10.1°", "zero outside", "",
                        fm_threat_bearing_weight(&sonar, 10.1 * FM_DEGREE), 0, 0, "the fan is 20° high");
    fm_sheet_check_near(sheet, "largest difference between the sides", "equal", "", skew, 0, 1e-12, "the paper's text");
    fm_sheet_note(sheet, "The paper's text gives the properties, no formula; a raised cosine of period 40° has them. A "
                         "return at the edge of the fan still "
                         "counts half, so that the threat jumps when a node enters or leaves the fan.");
    return FM_OK;
}

fm_status fm_remus_draw_range_weight(fm_sheet *sheet, fm_error *error)
{
    (void)error;
    double range[SAMPLES], weight[SAMPLES], rise = -1;
    for (int i = 0; i < SAMPLES; i++) {
        range[i] = 40.0 * i / (SAMPLES - 1);
        weight[i] = fm_threat_range_weight(&sonar, range[i]);
        if (i)
            rise = fmax(rise, weight[i] - weight[i - 1]);
    }
    fm_axes *a = fm_figure_axes(fm_sheet_figure(sheet, 120, 75), 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 40});
    fm_axes_y(a, &(fm_axis_style){.label = "range weight", .min = 0, .max = 1.4});
    fm_axes_line(a, range, weight, SAMPLES, NULL);
    fm_axes_event(a, 20, "end of the reaction zone", NULL);
    fm_sheet_check_near(sheet, "weight at range zero", NULL, "", weight[0], 1.3, 1e-12, "(R10)");
    fm_sheet_check_near(sheet, "weight at 20 m", "zero outside the zone", "", fm_threat_range_weight(&sonar, 20), 0,
                        1e-12, "returns within 20 m count");
    fm_sheet_check_range(sheet, "largest growth with range", "falls with range", "", rise, -INFINITY, 0,
                         "the paper's text");
    return FM_OK;
}

/* --- figure 8 --- */

typedef struct path {
    double *range, *bearing, *time; /* m, degrees, s */
    size_t count;
    size_t climb; /* the first of them in the climb: the bearing is least */
    size_t back;  /* steps of the climb in which the range grew or the bearing fell */
} path;

/* The nearest node in the stabilised fan; false: none. */
static bool nearest_return(double x, double z, double *range, double *bearing)
{
    *range = INFINITY;
    *bearing = NAN;
    for (double along = ceil(x * 2 + 1e-9) / 2; along < x + 40; along += 0.5) {
        double ahead = along - x, below = fm_remus_bottom(along, 60, 4) - z, r = sqrt(ahead * ahead + below * below);
        double b = asin(below / r);
        if (fabs(b) > sonar.half_sector || r >= *range)
            continue;
        *range = r;
        *bearing = b / FM_DEGREE;
    }
    return isfinite(*range);
}

/* From when the edge of the rise is the nearest return until it has left the fan below. */
static void follow_edge(const fm_track *track, path *p)
{
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *z = fm_track_column(track, "z");
    for (size_t i = 0; i < fm_track_rows(track) && x[i] < 60; i++) {
        double range, bearing;
        if (!nearest_return(x[i], z[i], &range, &bearing) || fabs(hypot(60 - x[i], 16 - z[i]) - range) > 1e-9) {
            if (p->count)
                break;
            continue;
        }
        p->range[p->count] = range;
        p->bearing[p->count] = bearing;
        p->time[p->count++] = t[i];
    }
    for (size_t i = 1; i < p->count; i++)
        if (p->bearing[i] < p->bearing[p->climb])
            p->climb = i;
    for (size_t i = p->climb + 1; i < p->count; i++)
        p->back += p->range[i] > p->range[i - 1] || p->bearing[i] < p->bearing[i - 1];
}

fm_status fm_remus_draw_returns(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_published(3);
    fm_track *track = fm_remus_sheet_run(sheet, &c, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    path p = {fm_sheet_reals(sheet, n), fm_sheet_reals(sheet, n), fm_sheet_reals(sheet, n), 0, 0, 0};
    if (!p.range || !p.bearing || !p.time)
        return FM_ERR_MEMORY;
    follow_edge(track, &p);
    fm_axes *a = fm_figure_axes(fm_sheet_figure(sheet, 140, 90), 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "bearing, down positive", .unit = "°", .min = -12, .max = 12});
    fm_axes_y(a, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 20});
    fm_axes_scatter(a, p.bearing, p.range, p.count,
                    &(fm_scatter_style){.values = p.time, .size = 3, .value_label = "time", .value_unit = "s"});
    fm_sheet_check_range(sheet, "time for which the edge is the nearest return", NULL, "s", 0.05 * (double)p.count, 2,
                         15, "from 18.8 m until it leaves the fan below");
    if (!p.count)
        return FM_OK;
    size_t end = p.count - 1;
    fm_axes_text(a, p.bearing[p.climb], p.range[p.climb], "the climb begins",
                 &(fm_text_style){.across = 0, .dx = 14, .dy = 16, .pointer = true});
    fm_sheet_check_near(sheet, "steps of the climb against the trend", "range falls, bearing grows", "", (double)p.back,
                        0, 0, "the paper's text");
    fm_sheet_check_range(sheet, "range lost in the climb", "falls", "m", p.range[p.climb] - p.range[end], 1, INFINITY,
                         "the paper's text");
    fm_sheet_check_range(sheet, "bearing gained in the climb", "grows", "°", p.bearing[end] - p.bearing[p.climb], 5,
                         INFINITY, "the paper's text");
    fm_sheet_note(sheet, "Before the climb begins the edge, 1 m above the vehicle, moves a little upwards in the image "
                         "as it comes nearer.");
    return FM_OK;
}
