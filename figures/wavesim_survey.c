/* WaVeSim whole: figures of the run of wavesim-survey.xml. */
#include <fathom/instrument.h>
#include <fathom/sea.h>
#include <fathom/sound.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/wavesim.h"

enum { AUVS = 3, BUOYS = 4 };
static const double buoys[BUOYS][2] = {{-19.39, -19.25}, {220.61, -19.25}, {220.61, 200.75}, {-19.39, 200.75}};
static const double pi = 3.14159265358979323846;

static fm_track *run_survey(fm_sheet *sheet, double every, fm_error *error)
{
    return fm_sheet_run(sheet, &(fm_run_request){.scenario = "wavesim-survey", .all = true, .every = every}, error);
}

/* --- tracks --- */

enum { ROUND = 33, MAGNIFIED = 20 };

/* An ellipse of two standard deviations, magnified, about the estimated position. */
static void draw_ellipse(fm_axes *axes, const fm_track *track, size_t i, fm_colour colour)
{
    const double n = fm_track_column(track, "navigation.covariance.north")[i],
                 m = fm_track_column(track, "navigation.covariance.north_east")[i],
                 e = fm_track_column(track, "navigation.covariance.east")[i],
                 north = fm_track_column(track, "navigation.position.north")[i],
                 east = fm_track_column(track, "navigation.position.east")[i];
    double x[ROUND], y[ROUND];
    const double a = sqrt(fmax(n, 0)), b = a > 0 ? m / a : 0, c = sqrt(fmax(e - b * b, 0)); /* of Cholesky */
    for (size_t k = 0; k < ROUND; k++) {
        const double turn = 2 * pi * (double)k / (ROUND - 1);
        y[k] = north + 2 * MAGNIFIED * a * cos(turn);
        x[k] = east + 2 * MAGNIFIED * (b * cos(turn) + c * sin(turn));
    }
    fm_axes_polygon(axes, x, y, ROUND, &(fm_area_style){.colour = colour, .opacity = 0.3, .line = colour});
}

/* Part of the time at which the true place lies in the ellipse that holds 95 %. */
static double inside(const fm_track *track)
{
    const double *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"),
                 *north = fm_track_column(track, "navigation.position.north"),
                 *east = fm_track_column(track, "navigation.position.east"),
                 *nn = fm_track_column(track, "navigation.covariance.north"),
                 *ne = fm_track_column(track, "navigation.covariance.north_east"),
                 *ee = fm_track_column(track, "navigation.covariance.east");
    const size_t n = fm_track_rows(track);
    size_t within = 0, from = 10; /* the first fixes are still to come */
    for (size_t i = from; i < n; i++) {
        const double a = x[i] - north[i], b = y[i] - east[i], size = nn[i] * ee[i] - ne[i] * ne[i];
        within += (ee[i] * a * a - 2 * ne[i] * a * b + nn[i] * b * b) / size < 5.991;
    }
    return (double)within / (double)(n - from);
}

static void draw_believer(fm_sheet *sheet, fm_axes *map, fm_axes *off, const fm_track *track, size_t k)
{
    const size_t n = fm_track_rows(track);
    const fm_colour colour = fm_colour_series(FM_THEME_LIGHT, k);
    const double *t = fm_track_column(track, "t"), *nn = fm_track_column(track, "navigation.covariance.north"),
                 *ee = fm_track_column(track, "navigation.covariance.east"),
                 *error = fm_track_column(track, "navigation.error");
    double *spread = fm_sheet_reals(sheet, n);
    char name[96];
    for (size_t i = 0; i < n; i++)
        spread[i] = sqrt(nn[i] + ee[i]);
    for (size_t i = 15; i < n; i += 15)
        draw_ellipse(map, track, i, colour);
    fm_axes_line(map, fm_track_column(track, "y"), fm_track_column(track, "x"), n,
                 &(fm_line_style){.colour = colour, .width = 0.8, .label = fm_track_name(track)});
    fm_axes_line(map, fm_track_column(track, "navigation.position.east"),
                 fm_track_column(track, "navigation.position.north"), n,
                 &(fm_line_style){.colour = fm_colour_hex(0x111111), .width = 0.6, .dash = FM_DASH_DASHED});
    fm_axes_line(off, t + 1, error + 1, n - 1, &(fm_line_style){.colour = colour, .width = 0.9});
    fm_axes_line(off, t + 1, spread + 1, n - 1,
                 &(fm_line_style){.colour = colour, .width = 0.9, .dash = FM_DASH_DOTTED});
    snprintf(name, sizeof name, "%s: error of its place, rms", fm_track_name(track));
    fm_sheet_check_range(sheet, name, NULL, "m", fm_track_metric(track, "position_error_rms"), 0, 0.3,
                         "ranges have a noise of 0.15 m, buoys swing");
    snprintf(name, sizeof name, "%s: time in the ellipse of 95 %%", fm_track_name(track));
    fm_sheet_check_range(sheet, name, NULL, "", inside(track), 0.85, 1, "a consistent filter: 0.95");
}

fm_status fm_wavesim_draw_tracks(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = run_survey(sheet, 4, error);
    if (!track)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 190);
    fm_figure_row_height(figure, 0, 2.6);
    fm_axes *map = fm_figure_axes(figure, 0, 0, 1, 1), *off = fm_figure_axes(figure, 1, 0, 1, 1);
    for (size_t k = 0; k < AUVS && track; k++, track = fm_track_next(track))
        draw_believer(sheet, map, off, track, k);
    if (track) /* the surface vehicle */
        fm_axes_line(map, fm_track_column(track, "y"), fm_track_column(track, "x"), fm_track_rows(track),
                     &(fm_line_style){.colour = fm_colour_series(FM_THEME_LIGHT, 3), .width = 0.8, .label = "asv"});
    for (size_t k = 0; k < BUOYS; k++) {
        char name[8];
        snprintf(name, sizeof name, "b%zu", k + 1);
        fm_axes_scatter(
            map, &buoys[k][1], &buoys[k][0], 1,
            &(fm_scatter_style){.colour = fm_colour_hex(0x111111), .marker = FM_MARKER_TRIANGLE, .size = 6});
        fm_axes_text(map, buoys[k][1], buoys[k][0], name, &(fm_text_style){.size = 8, .beside = true});
    }
    fm_axes_equal(map);
    fm_axes_x(map, &(fm_axis_style){.label = "east", .unit = "m", .min = -40, .max = 230});
    fm_axes_y(map, &(fm_axis_style){.label = "north", .unit = "m", .min = -40, .max = 240});
    fm_axes_legend(map, FM_LEGEND_ABOVE);
    fm_axes_x(off, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 600});
    fm_axes_y(off, &(fm_axis_style){.label = "error of the place", .unit = "m", .min = 0, .max = 1.6});
    fm_figure_note(figure,
                   "Coloured: true; broken black: believed; ellipses: two standard deviations, 20 times as large.");
    fm_figure_note(figure, "Below: error (solid) and the filter's own standard deviation (dotted).");
    fm_sheet_note(sheet, "Ours: the paper prints no such figure.");
    return FM_OK;
}

/* --- the ladder --- */

enum { ROWS = 13, SOUNDS = 4096 };
static const double window[2] = {119.9, 122.4}; /* s */

typedef struct spoken {
    double sent, time;
    int from, to, kind; /* rows */
    int64_t signal;
} spoken;
typedef struct ladder {
    char names[ROWS][48];
    size_t count;
    int rows;
    int overflow;
    double worst_turn;            /* s: of a transponder, against its delay */
    double speed_low, speed_high; /* m/s along ways */
    size_t answers;
    spoken list[SOUNDS];
} ladder;

static int row_of(ladder *l, const char *vehicle, const char *part)
{
    char name[48];
    snprintf(name, sizeof name, "%.20s %.24s", vehicle ? vehicle : "", part ? part : "");
    for (int i = 0; i < l->rows; i++)
        if (strcmp(l->names[i], name) == 0)
            return i;
    if (l->rows == ROWS)
        return -1;
    memcpy(l->names[l->rows], name, sizeof name);
    return l->rows++;
}

static void note_sound(ladder *l, const fm_world *world, const fm_sound_record *r)
{
    const char *source_vehicle, *source = fm_world_sound_source(world, r->sound.source, &source_vehicle);
    const int from = row_of(l, source_vehicle, source),
              at = row_of(l, fm_world_name(world, r->slot), fm_world_transducer(world, r->slot, r->part));
    if (from < 0 || at < 0 || l->count == SOUNDS) {
        l->overflow = 1;
        return;
    }
    for (size_t i = 0; r->event == FM_SOUND_SENT && i < l->count; i++) {
        const spoken *query = &l->list[i];
        if (query->signal != r->sound.answers || query->to != at)
            continue;
        l->worst_turn = fmax(l->worst_turn, fabs(r->sound.sent - query->time - 0.05));
        l->answers++;
    }
    if (r->event != FM_SOUND_HEARD)
        return;
    l->speed_low = fmin(l->speed_low, r->sound.radius / r->sound.travelled);
    l->speed_high = fmax(l->speed_high, r->sound.radius / r->sound.travelled);
    l->list[l->count++] = (spoken){r->sound.sent, r->sound.time, from, at, (int)r->sound.kind, r->sound.signal};
}

/* All transducers, vehicle by vehicle. */
static void name_rows(ladder *l, const fm_world *world)
{
    for (int slot = 0; slot < fm_world_slots(world); slot++)
        for (size_t i = 0; i < fm_world_instrument_count(world, slot); i++) {
            const fm_instrument_info info = fm_world_instrument(world, slot, i);
            if (strcmp(info.kind, "transducer") == 0)
                row_of(l, fm_world_name(world, slot), info.name);
        }
}

static void listen(void *user, fm_world *world)
{
    ladder *l = user;
    if (!l->rows)
        name_rows(l, world);
    const fm_sound_record *records;
    const size_t count = fm_world_sounds(world, &records);
    const double now = fm_world_time(world);
    for (size_t i = 0; i < count && now >= window[0] - 0.5 && now <= window[1] + 0.5; i++)
        note_sound(l, world, &records[i]);
}

static void draw_kind(fm_axes *axes, const ladder *l, int kind, const char *name, fm_colour colour)
{
    int told = 0;
    for (size_t i = 0; i < l->count; i++) {
        const spoken *s = &l->list[i];
        if (s->kind != kind || s->time < window[0] || s->sent > window[1])
            continue;
        fm_axes_line(axes, (double[]){s->sent, s->time}, (double[]){s->from, s->to}, 2,
                     &(fm_line_style){.colour = colour, .width = 0.7, .label = told++ ? NULL : name});
        fm_axes_scatter(axes, &s->sent, &(double){s->from}, 1, &(fm_scatter_style){.colour = colour, .size = 3.5});
    }
}

fm_status fm_wavesim_draw_ladder(fm_sheet *sheet, fm_error *error)
{
    ladder *l = fm_sheet_alloc(sheet, sizeof *l);
    if (!l)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for a ladder");
    *l = (ladder){.speed_low = INFINITY};
    if (!fm_sheet_run(sheet,
                      &(fm_run_request){
                          .scenario = "wavesim-survey", .duration = 124, .no_rows = true, .watch = listen, .user = l},
                      error))
        return error->status;
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 170, 120), 0, 0, 1, 1);
    const char *names[ROWS];
    for (int i = 0; i < l->rows; i++) {
        names[i] = l->names[i];
        fm_axes_line(axes, window, (double[]){i, i}, 2,
                     &(fm_line_style){.colour = fm_colour_hex(0xbbbbbb), .width = 0.6});
    }
    draw_kind(axes, l, FM_SOUND_QUERY, "query", fm_colour_series(FM_THEME_LIGHT, 0));
    draw_kind(axes, l, FM_SOUND_REPLY, "answer", fm_colour_series(FM_THEME_LIGHT, 1));
    draw_kind(axes, l, FM_SOUND_DATA, "message", fm_colour_series(FM_THEME_LIGHT, 2));
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .unit = "s", .min = window[0], .max = window[1]});
    fm_axes_y(axes,
              &(fm_axis_style){
                  .names = names, .name_count = (size_t)l->rows, .min = -0.5, .max = l->rows - 0.5, .reversed = true});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    fm_sheet_check_holds(sheet, "every sound found its row", NULL, !l->overflow, "13 transducers at most");
    fm_sheet_check_range(sheet, "answers of the buoys", NULL, "", (double)l->answers, 4, INFINITY,
                         "each to every query");
    fm_sheet_check_near(sheet, "answers leave 50 ms after the query, greatest difference", NULL, "ms",
                        1e3 * l->worst_turn, 0, 1e-6, "reply-delay");
    fm_sheet_check_range(sheet, "slowest sound", NULL, "m/s", l->speed_low, 1505, 1518, "18 °C to 14 °C, salinity 35");
    fm_sheet_check_range(sheet, "fastest sound", NULL, "m/s", l->speed_high, 1505, 1518, "18 °C to 14 °C, salinity 35");
    fm_sheet_note(sheet, "Ours: the paper prints no such figure. Each line runs from who spoke, when it left, to who "
                         "heard it, when it arrived.");
    return FM_OK;
}

/* --- the fields --- */

enum { CELLS = 22, SALT = 1, KINDS = 2 }; /* of 10 m */
static const double cell = 10;

typedef struct fields {
    const fm_world *world;
    double real[KINDS][CELLS * CELLS]; /* true, less the profile */
} fields;

/* Depth of the vehicle that passes a lane. */
static double lane_depth(double east)
{
    return east < 70 ? 10 : east < 140 ? 17 : 24;
}

/* Temperature (K) or salinity at a place. */
static double value_at(const fm_world *world, int kind, double north, double east, double depth)
{
    fm_water_info water;
    fm_world_water(world, (double[]){north, east, depth}, &water, NULL);
    return kind == SALT ? water.salinity : water.temperature;
}

/* The profile: far from all spots. */
static double profile_at(const fm_world *world, int kind, double depth)
{
    return value_at(world, kind, 1e5, 1e5, depth);
}

static void inspect_fields(fields *f)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < CELLS * CELLS; i++) {
            const double east = cell * (i % CELLS + 0.5), north = cell * ((double)(i / CELLS) + 0.5),
                         depth = lane_depth(east);
            f->real[kind][i] = value_at(f->world, kind, north, east, depth) - profile_at(f->world, kind, depth);
        }
}

/* CTD measurements minus the profile at the measured depth, at the estimated position: the mean of a cell. */
static void gather(const fields *f, const fm_track *track, int kind, double *sum, double *count)
{
    const double *north = fm_track_column(track, "field-survey.sample.north"),
                 *east = fm_track_column(track, "field-survey.sample.east"),
                 *depth = fm_track_column(track, "field-survey.sample.depth"),
                 *value = fm_track_column(track, kind == SALT ? "ctd.salinity" : "ctd.temperature");
    for (size_t i = 2; i < fm_track_rows(track); i++) {
        const int a = (int)floor(north[i] / cell), b = (int)floor(east[i] / cell);
        if (a < 0 || a >= CELLS || b < 0 || b >= CELLS)
            continue;
        sum[a * CELLS + b] += value[i] - profile_at(f->world, kind, depth[i]);
        count[a * CELLS + b] += 1;
    }
}

static void draw_panel(fm_figure *figure, int kind, int column, const double *values)
{
    static const char *const titles[KINDS][2] = {{"temperature, as surveyed", "temperature, true"},
                                                 {"salinity, as surveyed", "salinity, true"}};
    fm_axes *axes = fm_figure_axes(figure, (size_t)kind, (size_t)column, 1, 1);
    fm_axes_heat(axes, (fm_extent){0, CELLS * cell, 0, CELLS * cell}, values, CELLS, CELLS,
                 &(fm_heat_style){.min = kind == SALT ? -0.1 : -0.2,
                                  .max = kind == SALT ? 1 : 2,
                                  .value_label = "above the profile",
                                  .value_unit = kind == SALT ? NULL : "K"});
    fm_axes_title(axes, titles[kind][column]);
    fm_axes_equal(axes);
    fm_axes_x(axes, &(fm_axis_style){.label = "east", .unit = "m", .min = 0, .max = CELLS * cell});
    fm_axes_y(axes, &(fm_axis_style){.label = "north", .unit = "m", .min = 0, .max = CELLS * cell});
}

static void check_fields(fm_sheet *sheet, int kind, const fields *f, const double *map)
{
    double squares = 0, cells = 0, most = 0;
    for (int i = 0; i < CELLS * CELLS; i++)
        if (isfinite(map[i])) {
            squares += (map[i] - f->real[kind][i]) * (map[i] - f->real[kind][i]);
            cells++;
            most = fmax(most, map[i]);
        }
    fm_sheet_check_range(sheet,
                         kind == SALT ? "salinity: map less field, rms over cells"
                                      : "temperature: map less field, rms over cells",
                         NULL, kind == SALT ? "" : "K", sqrt(squares / cells), 0, kind == SALT ? 0.05 : 0.1,
                         "tracks pass cells off their middles");
    fm_sheet_check_range(sheet, kind == SALT ? "most of the salinity found" : "most of the warmth found", NULL,
                         kind == SALT ? "" : "K", most, kind == SALT ? 0.6 : 1.1, INFINITY,
                         "the middle of the spot, 3 m to 5 m off the lanes' depths, holds all of it");
}

fm_status fm_wavesim_draw_field(fm_sheet *sheet, fm_error *error)
{
    fields *f = fm_sheet_alloc(sheet, sizeof *f);
    double *count = fm_sheet_reals(sheet, CELLS * CELLS), *map = fm_sheet_reals(sheet, CELLS * CELLS);
    if (!f || !count || !map)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for a field");
    f->world = fm_sheet_world(sheet, &(fm_run_request){.scenario = "wavesim-survey"}, error);
    const fm_track *first = f->world ? run_survey(sheet, 1, error) : NULL;
    if (!first)
        return error->status;
    inspect_fields(f);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 160);
    for (int kind = 0; kind < KINDS; kind++) {
        memset(count, 0, CELLS * CELLS * sizeof *count);
        memset(map, 0, CELLS * CELLS * sizeof *map);
        const fm_track *track = first;
        for (int k = 0; k < AUVS; k++, track = fm_track_next(track))
            gather(f, track, kind, map, count);
        for (int i = 0; i < CELLS * CELLS; i++)
            map[i] = count[i] > 0 ? map[i] / count[i] : NAN;
        draw_panel(figure, kind, 0, map);
        draw_panel(figure, kind, 1, f->real[kind]);
        check_fields(sheet, kind, f, map);
        if (kind)
            continue;
        track = first;
        for (int k = 0; k < AUVS; k++, track = fm_track_next(track)) {
            char name[64];
            snprintf(name, sizeof name, "%s: field_error_rms", fm_track_name(track));
            fm_sheet_check_range(sheet, name, NULL, "K", fm_track_metric(track, "field_error_rms"), 0, 0.03,
                                 "noise of 2 mK, and the field's slope by the error of the place");
        }
    }
    fm_figure_note(figure,
                   "At the depth of the vehicle that passed: 10 m up to 70 m east, 17 m up to 140 m, then 24 m.");
    fm_sheet_note(sheet, "Ours: the paper prints no such figure.");
    return FM_OK;
}

/* --- the bottom --- */

/* D0 + D1 x + D2 y and the two mounds of wavesim-survey, implemented separately. */
static double bottom(double x, double y)
{
    return 45 + 0.01 * x - 0.01 * y - 6 * exp(-((x - 60) * (x - 60) + (y - 120) * (y - 120)) / 450) -
           4 * exp(-(x - 150) * (x - 150) / 800 - (y - 50) * (y - 50) / 288);
}

static void draw_profile(fm_sheet *sheet, fm_axes *axes, const fm_track *track)
{
    const size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"),
                 *z = fm_track_column(track, "navigation.position.depth"),
                 *range = fm_track_column(track, "echosounder.range");
    double *measured = fm_sheet_reals(sheet, n), *real = fm_sheet_reals(sheet, n), squares = 0;
    char name[96];
    for (size_t i = 1; i < n; i++) {
        real[i] = bottom(x[i], y[i]);
        measured[i] = z[i] + range[i];
        squares += i < 4 ? 0 : (measured[i] - real[i]) * (measured[i] - real[i]);
    }
    fm_axes_scatter(axes, t + 4, measured + 4, n - 4,
                    &(fm_scatter_style){.label = "believed depth and echosounder", .size = 3.5});
    fm_axes_line(axes, t + 1, real + 1, n - 1,
                 &(fm_line_style){.label = "true bottom", .colour = fm_colour_hex(0x111111), .width = 0.7});
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = 600});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 36, .max = 48, .reversed = true});
    fm_axes_title(axes, fm_track_name(track));
    snprintf(name, sizeof name, "%s: echosounder less bottom, rms", fm_track_name(track));
    fm_sheet_check_range(sheet, name, NULL, "m", sqrt(squares / (double)(n - 4)), 0, 0.15,
                         "noise of 2 cm and 5 cm; up to half a second old");
}

fm_status fm_wavesim_draw_echoes(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = run_survey(sheet, 4, error);
    if (!track)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 170);
    for (size_t k = 0; k < AUVS; k++, track = fm_track_next(track)) {
        fm_axes *axes = fm_figure_axes(figure, k, 0, 1, 1);
        draw_profile(sheet, axes, track);
        fm_axes_legend(axes, k ? FM_LEGEND_NONE : FM_LEGEND_FIGURE);
    }
    fm_sheet_note(sheet, "Ours: the paper prints no such figure. auv-2 passes over the mound of 6 m on its way back.");
    return FM_OK;
}
