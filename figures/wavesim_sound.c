/* WaVeSim's law of sound, and homing through water that bends it. */
#include <fathom/sea.h>
#include <fathom/sound.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/wavesim.h"

/* --- level against range --- */

enum { EARS = 48, CURVE = 200 };

/* m: from 1 m to 12 km, in equal factors. */
static double ear_range(int i)
{
    return pow(12000, (double)i / (EARS - 1));
}

typedef struct heard {
    double range[EARS], level[EARS], died; /* m, dB; m: the farthest that was heard */
    size_t count;
} heard;

static void hear(void *user, fm_world *world)
{
    heard *h = user;
    const fm_sound_record *records;
    const size_t count = fm_world_sounds(world, &records);
    for (size_t i = 0; i < count && h->count < EARS; i++)
        if (records[i].event == FM_SOUND_HEARD) {
            h->range[h->count] = records[i].sound.radius;
            h->level[h->count++] = records[i].sound.level;
            h->died = fmax(h->died, records[i].sound.radius);
        }
}

/* One vehicle that pings once, and many receivers. */
static void write_ears(FILE *text)
{
    static const char body[] = "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy force='980.665 N'/>";
    fprintf(text,
            "<fathom version='1'><world dt='0.05 s' duration='9 s'><acoustics law='wavesim' sound-speed='1500 m/s' "
            "noise-level='60 dB'/></world><vehicle name='source' position='0 0 50 m'>%s<transducer level='180 dB' "
            "ping-period='100 s'/></vehicle>",
            body);
    for (int i = 0; i < EARS; i++)
        fprintf(text, "<vehicle name='ear%d' position='%.6f 0 50 m'>%s<transducer/></vehicle>", i, ear_range(i), body);
    fprintf(text, "</fathom>");
}

static void draw_laws(fm_axes *axes)
{
    double r[CURVE], mended[CURVE], printed[CURVE];
    for (int i = 0; i < CURVE; i++) {
        r[i] = pow(20000, (double)i / (CURVE - 1));
        mended[i] = 180 - 20 * log10(r[i]) - 0.005 * r[i];
        printed[i] = 180 - 20 * log10(r[i]) + 0.005 * r[i];
    }
    fm_axes_line(axes, r, mended, CURVE, &(fm_line_style){.label = "I0 − (20 log r + 0.005 r), the sign mended"});
    fm_axes_line(axes, r, printed, CURVE,
                 &(fm_line_style){.label = "I0 − 20 log r + 0.005 r, as printed", .dash = FM_DASH_DASHED});
}

/* By the times of the first ping: the level at a range among those that were heard. */
static double level_at(const heard *h, double range)
{
    double best = NAN, least = INFINITY;
    for (size_t i = 0; i < h->count; i++)
        if (fabs(h->range[i] - range) < least) {
            least = fabs(h->range[i] - range);
            best = h->level[i] + 20 * log10(h->range[i] / range) + 0.005 * (h->range[i] - range);
        }
    return best;
}

fm_status fm_wavesim_draw_level(fm_sheet *sheet, fm_error *error)
{
    heard h = {0};
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return error->status;
    write_ears(text);
    if (!fm_sheet_run(sheet, &(fm_run_request){.no_rows = true, .watch = hear, .user = &h}, error))
        return error->status;
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 150, 100), 0, 0, 1, 1);
    draw_laws(axes);
    fm_axes_scatter(axes, h.range, h.level, h.count, &(fm_scatter_style){.label = "as transducers hear it", .size = 4});
    fm_axes_level(axes, 60, "noise", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_x(axes, &(fm_axis_style){.label = "range", .unit = "m", .scale = FM_SCALE_LOG, .min = 1, .max = 20000});
    fm_axes_y(axes, &(fm_axis_style){.label = "level", .unit = "dB", .min = 0, .max = 200});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    double last = 0;
    for (int i = 0; i < EARS; i++)
        last = ear_range(i) < 8319.59 ? ear_range(i) : last;
    fm_sheet_check_near(sheet, "level at 1000 m", NULL, "dB", level_at(&h, 1000), 115, 1e-6, "by hand");
    fm_sheet_check_near(sheet, "level at 5000 m", NULL, "dB", level_at(&h, 5000), 81.0206, 1e-4, "by hand");
    fm_sheet_check_near(sheet, "farthest that hears it", NULL, "m", h.died, last, 1e-3,
                        "at 8319.59 m it falls below the noise; the next transducer is farther");
    fm_sheet_note(sheet, "As printed, the signal would be least at 1737 m and then grow without end: none would ever "
                         "die. The 0.005 dB/m belong inside the bracket.");
    return FM_OK;
}

/* --- homing --- */

enum { FAN = 41, POINTS = 400 };
static const double station[3] = {1150, 300, 100};

typedef struct fan {
    double x[FAN][POINTS], z[FAN][POINTS];
    size_t count[FAN];
} fan;

/* Rays from the station, towards the vehicle. */
static void trace_fan(fan *f, const fm_world *world)
{
    double points[POINTS][2];
    for (size_t i = 0; i < FAN; i++) {
        f->count[i] = fm_world_sound_ray(world, station[2], -0.3 + 0.01 * (double)i, 3.2, points, POINTS);
        for (size_t k = 0; k < f->count[i]; k++) {
            f->x[i][k] = hypot(station[0], station[1]) - points[k][0];
            f->z[i][k] = points[k][1];
        }
    }
}

/* Distance from the start, along the line to the station, until it docks; returns how many rows. */
static size_t go_along(fm_sheet *sheet, const fm_track *track, double **along)
{
    const double *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"), *t = fm_track_column(track, "t");
    const double whole = hypot(station[0], station[1]), end = fm_track_metric(track, "docking_time");
    const size_t n = fm_track_rows(track);
    size_t count = 0;
    *along = fm_sheet_reals(sheet, n);
    for (; count < n && !(t[count] > end); count++)
        (*along)[count] = (x[count] * station[0] + y[count] * station[1]) / whole;
    return count;
}

/* The most that it is above the line to the station, m. */
static double above_line(const double *along, const double *z, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, 40 + 60 * along[i] / hypot(station[0], station[1]) - z[i]);
    return most;
}

static void draw_run(fm_sheet *sheet, fm_axes *map, fm_axes *belief, const fm_track *track, int correct)
{
    static const char *const names[2] = {"rays taken for straight", "back along the rays"};
    double *along;
    const size_t n = go_along(sheet, track, &along);
    const double *z = fm_track_column(track, "z"), *t = fm_track_column(track, "t"),
                 *told = fm_track_column(track, "homing.station.depth");
    const fm_colour colour = fm_colour_series(FM_THEME_LIGHT, (size_t)(1 - correct));
    char name[96];
    fm_axes_line(map, along, z, n, &(fm_line_style){.label = names[correct], .colour = colour, .width = 1.8});
    fm_axes_scatter(belief, t + 2, told + 2, n - 2, &(fm_scatter_style){.colour = colour, .size = 2.5});
    snprintf(name, sizeof name, "%s: docked", names[correct]);
    fm_sheet_check_near(sheet, name, NULL, "", fm_track_metric(track, "docked"), 1, 0, "within 2 m");
    snprintf(name, sizeof name, "%s: docking time", names[correct]);
    fm_sheet_check_range(sheet, name, NULL, "s", fm_track_metric(track, "docking_time"), 760, 790,
                         "1190 m at 1.54 m/s take 773 s");
    snprintf(name, sizeof name, "%s: most above the line to the station", names[correct]);
    fm_sheet_check_near(sheet, name, NULL, "m", above_line(along, z, n), correct ? 0 : 19.6, correct ? 1.5 : 1.9,
                        correct ? "the line itself" : "sagitta L²/8R of the ray, R = 9.0 km");
}

fm_status fm_wavesim_draw_homing(fm_sheet *sheet, fm_error *error)
{
    static const char *const straight[] = {"/remus/homing/correct=false", NULL};
    fan *f = fm_sheet_alloc(sheet, sizeof *f);
    if (!f)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for rays");
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.scenario = "acoustic-homing"}, error);
    if (!world)
        return error->status;
    trace_fan(f, world);
    const fm_track *with =
        fm_sheet_run(sheet, &(fm_run_request){.scenario = "acoustic-homing", .vehicle = "remus", .every = 2}, error);
    const fm_track *without =
        !with ? NULL
              : fm_sheet_run(
                    sheet,
                    &(fm_run_request){.scenario = "acoustic-homing", .vehicle = "remus", .sets = straight, .every = 2},
                    error);
    if (!without)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 150);
    fm_figure_row_height(figure, 0, 1.6);
    fm_axes *map = fm_figure_axes(figure, 0, 0, 1, 1), *belief = fm_figure_axes(figure, 1, 0, 1, 1);
    for (size_t i = 0; i < FAN; i++)
        fm_axes_line(map, f->x[i], f->z[i], f->count[i],
                     &(fm_line_style){
                         .colour = fm_colour_hex(0xc4c9cf), .width = 0.5, .label = i ? NULL : "rays of the station"});
    draw_run(sheet, map, belief, with, 1);
    draw_run(sheet, map, belief, without, 0);
    fm_axes_scatter(map, &(double){hypot(station[0], station[1])}, &station[2], 1,
                    &(fm_scatter_style){.colour = fm_colour_hex(0x111111), .marker = FM_MARKER_TRIANGLE, .size = 7});
    fm_axes_x(map, &(fm_axis_style){.label = "along the line to the station", .unit = "m", .min = 0, .max = 1250});
    fm_axes_y(map, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 115, .reversed = true});
    fm_axes_legend(map, FM_LEGEND_ABOVE);
    fm_axes_x(belief, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 780});
    fm_axes_y(belief,
              &(fm_axis_style){
                  .label = "depth of the station, as believed", .unit = "m", .min = -20, .max = 140, .reversed = true});
    fm_axes_level(belief, 100, "true", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_sheet_note(sheet,
                  "Ours. Who takes the answers' rays for straight aims along them, and so goes along the ray: it "
                  "docks too, but from above.");
    return FM_OK;
}
