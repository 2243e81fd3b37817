/* REMUS: the planners of the paper's sections 3 and 4 side by side on one reef, around it and over it. */
#include <fathom/guidance.h>
#include <fathom/sea.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/remus.h"

enum { METHODS = 3, PLANES = 2, RUNS = METHODS * PLANES, CELLS_DRAWN = 4096 };
static const char *const method_names[METHODS] = {"contour", "potential", "cells"};
static const char *const method_titles[METHODS] = {"contour following", "potential field", "cells, D* Lite"};
static const char *const plane_names[PLANES] = {"horizontal", "vertical"};

/* The contents of a run's map at its end. */
typedef struct mapped {
    double cells[CELLS_DRAWN][2]; /* m: along the way; across it, or depth */
    size_t count;
} mapped;

typedef struct reef_run {
    fm_track *track;
    mapped map;
} reef_run;

/* The planner's map; only the last one is drawn. */
static void read_map(void *user, fm_world *world)
{
    mapped *m = user;
    const size_t count = fm_world_planner_map(world, "remus", NULL, m->cells, CELLS_DRAWN);
    m->count = count < CELLS_DRAWN ? count : CELLS_DRAWN;
}

static fm_status run_reef(fm_sheet *sheet, size_t method, size_t plane, reef_run *out, fm_error *error)
{
    char how[64], where[64];
    snprintf(how, sizeof how, "/remus/planner/method=%s", method_names[method]);
    snprintf(where, sizeof where, "/remus/planner/plane=%s", plane_names[plane]);
    const char *sets[] = {how, where, plane ? "/remus/sonar/attitude=90 0 0 deg" : "/remus/sonar/attitude=0 0 0 deg",
                          NULL};
    out->track = fm_sheet_run(sheet,
                              &(fm_run_request){.scenario = "remus-reef-planned",
                                                .vehicle = "remus",
                                                .sets = sets,
                                                .every = 0.5,
                                                .watch = read_map,
                                                .user = &out->map},
                              error);
    return out->track ? FM_OK : error->status;
}

/* --- the reef --- */

/* The reef is made of spheres and boxes. */
static bool is_sphere(const fm_obstacle_info *s)
{
    return strcmp(s->shape, "sphere") == 0;
}

/* Depth of the top of a sphere or an upright box over a place; the bottom's 20 m where it is not there. */
static double roof(const fm_obstacle_info *s, double north, double east)
{
    const double x = north - s->position[0], y = east - s->position[1];
    const double *R = s->rotation, own[2] = {R[0] * x + R[3] * y, R[1] * x + R[4] * y};
    if (is_sphere(s)) {
        const double square = s->size[0] * s->size[0] - x * x - y * y;
        return square > 0 ? fmin(20, s->position[2] - sqrt(square)) : 20;
    }
    return fabs(own[0]) < s->size[0] && fabs(own[1]) < s->size[1] ? s->position[2] - s->size[2] : 20;
}

/* The outline of one of them at 14 m depth. */
static void draw_slice(fm_axes *axes, const fm_obstacle_info *s)
{
    enum { POINTS = 72 };
    double north[POINTS], east[POINTS];
    size_t count = POINTS;
    for (size_t i = 0; i < POINTS; i++) {
        const double angle = 2 * 3.14159265358979 * (double)i / POINTS, down = 14 - s->position[2];
        const double r = is_sphere(s) ? sqrt(fmax(s->size[0] * s->size[0] - down * down, 0)) : 0;
        north[i] = s->position[0] + r * cos(angle);
        east[i] = s->position[1] + r * sin(angle);
    }
    if (!is_sphere(s)) {
        count = 4;
        for (size_t i = 0; i < 4; i++) {
            const double x = (i == 0 || i == 3 ? -1 : 1) * s->size[0], y = (i < 2 ? -1 : 1) * s->size[1];
            north[i] = s->position[0] + s->rotation[0] * x + s->rotation[1] * y;
            east[i] = s->position[1] + s->rotation[3] * x + s->rotation[4] * y;
        }
    }
    fm_axes_polygon(axes, north, east, count, &(fm_area_style){.colour = fm_colour_hex(0x8a7355), .opacity = 0.45});
}

static void draw_profile(fm_axes *axes, const fm_world *world)
{
    enum { POINTS = 441 };
    double north[POINTS], top[POINTS], floor_line[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        north[i] = 0.5 * (double)i;
        top[i] = 20;
        floor_line[i] = 21;
        for (size_t k = 0; k < fm_world_obstacle_count(world); k++) {
            const fm_obstacle_info obstacle = fm_world_obstacle(world, k);
            top[i] = fmin(top[i], roof(&obstacle, north[i], 0));
        }
    }
    fm_axes_band(axes, north, top, floor_line, POINTS,
                 &(fm_area_style){.colour = fm_colour_hex(0x8a7355), .opacity = 0.45});
}

/* --- drawing --- */

static void draw_way(fm_axes *axes, const reef_run *run, size_t method, size_t plane)
{
    const fm_track *t = run->track;
    const double end = fm_track_metric(t, "plan_time"), *time = fm_track_column(t, "t");
    size_t rows = 0;
    while (rows < fm_track_rows(t) && !(time[rows] > end))
        rows++;
    fm_axes_line(axes, fm_track_column(t, "x"), fm_track_column(t, plane ? "z" : "y"), rows,
                 &(fm_line_style){.label = plane ? NULL : method_titles[method],
                                  .colour = fm_colour_series(FM_THEME_LIGHT, method),
                                  .width = 1.5});
}

static const double goal[3] = {210, 0, 14}; /* m, and the radius about it: as in the scenario */
static const double goal_radius = 6;

/* Where the goal counts as reached. */
static void draw_goal(fm_axes *axes, size_t plane)
{
    enum { POINTS = 49 };
    double north[POINTS], other[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double angle = 2 * 3.14159265358979 * (double)i / (POINTS - 1);
        north[i] = goal[0] + goal_radius * cos(angle);
        other[i] = goal[plane ? 2 : 1] + goal_radius * sin(angle);
    }
    fm_axes_line(axes, north, other, POINTS,
                 &(fm_line_style){.label = plane ? NULL : "goal, within 6 m in three dimensions",
                                  .colour = fm_colour_hex(0x4a5562),
                                  .width = 0.9,
                                  .dash = FM_DASH_DOTTED});
}

static void draw_plane(fm_sheet *sheet, fm_figure *figure, const fm_world *world, const reef_run *runs, size_t plane)
{
    fm_axes *axes = fm_figure_axes(figure, plane, 0, 1, 1);
    const mapped *map = &runs[2 * PLANES + plane].map;
    if (plane == 0)
        for (size_t i = 0; i < fm_world_obstacle_count(world); i++) {
            const fm_obstacle_info obstacle = fm_world_obstacle(world, i);
            draw_slice(axes, &obstacle);
        }
    else
        draw_profile(axes, world);
    double *along = fm_sheet_reals(sheet, map->count), *other = fm_sheet_reals(sheet, map->count);
    for (size_t i = 0; along && other && i < map->count; i++) {
        along[i] = map->cells[i][0];
        other[i] = map->cells[i][1];
    }
    fm_axes_scatter(axes, along, other, along && other ? map->count : 0,
                    &(fm_scatter_style){.label = plane ? NULL : "map of the search at the end",
                                        .colour = fm_colour_hex(0x7d3c98),
                                        .marker = FM_MARKER_SQUARE,
                                        .size = 1.6});
    for (size_t m = 0; m < METHODS; m++)
        draw_way(axes, &runs[m * PLANES + plane], m, plane);
    draw_goal(axes, plane);
    fm_axes_x(axes, &(fm_axis_style){.label = "north", .unit = "m", .min = 0, .max = 220});
    if (plane == 0) {
        fm_axes_y(axes, &(fm_axis_style){.label = "east", .unit = "m", .min = -45, .max = 45, .reversed = true});
        fm_axes_legend(axes, FM_LEGEND_FIGURE);
    } else {
        fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 21, .reversed = true});
    }
    fm_axes_title(axes, plane ? "over it: the section through the way" : "around it: the reef at 14 m depth");
}

/* --- numbers --- */

/* The least distance of the vehicle's true place from the goal, m, in three dimensions, and when it was first within
 * the radius, s; NaN: never. */
static double nearest_to_goal(const fm_track *track, double *when)
{
    const double *t = fm_track_column(track, "t"),
                 *p[3] = {fm_track_column(track, "x"), fm_track_column(track, "y"), fm_track_column(track, "z")};
    double least = INFINITY;
    *when = NAN;
    for (size_t i = 0; i < fm_track_rows(track); i++) {
        const double d = sqrt(pow(p[0][i] - goal[0], 2) + pow(p[1][i] - goal[1], 2) + pow(p[2][i] - goal[2], 2));
        least = fmin(least, d);
        if (isnan(*when) && d <= goal_radius)
            *when = t[i];
    }
    return least;
}

static void check_run(fm_sheet *sheet, const reef_run *run, size_t method, size_t plane)
{
    char name[128];
    const fm_track *t = run->track;
    double when;
    const double path = fm_track_metric(t, "plan_path"), clear = fm_track_metric(t, "min_clearance"),
                 least = nearest_to_goal(t, &when);
    snprintf(name, sizeof name, "%s, %s: contacts", method_titles[method], plane_names[plane]);
    fm_sheet_check_near(sheet, name, NULL, "", fm_track_metric(t, "contacts"), 0, 0, "counted by the world");
    snprintf(name, sizeof name, "%s, %s: nearest to the goal, in three dimensions", method_titles[method],
             plane_names[plane]);
    fm_sheet_check_range(sheet, name, NULL, "m", least, 0, goal_radius,
                         "north, east and depth of the goal; reached within 6 m");
    snprintf(name, sizeof name, "%s, %s: the planner reports it reached, after that", method_titles[method],
             plane_names[plane]);
    fm_sheet_check_range(sheet, name, NULL, "s", fm_track_metric(t, "plan_time") - when, -1, 2,
                         "it knows its place from its own navigation, and decides every 0.5 s");
    snprintf(name, sizeof name, "%s, %s: path to the goal", method_titles[method], plane_names[plane]);
    fm_sheet_check_range(sheet, name, NULL, "m", path, -INFINITY, 330,
                         "204 m is the straight way to the goal's sphere");
    snprintf(name, sizeof name, "%s, %s: least clearance", method_titles[method], plane_names[plane]);
    fm_sheet_check_range(sheet, name, NULL, "m", clear, 0.5, INFINITY, "of the hull to reef, wreck and bottom");
}

static void note_runs(fm_sheet *sheet, const reef_run *runs)
{
    for (size_t i = 0; i < RUNS; i++) {
        const fm_track *t = runs[i].track;
        const size_t m = i / PLANES, p = i % PLANES;
        char search[160] = "no search";
        if (m == 2)
            snprintf(search, sizeof search,
                     "%.0f cells settled in all by %.0f searches after the map had grown, at most %.0f by one",
                     fm_track_metric(t, "plan_expansions"), fm_track_metric(t, "plan_replans"),
                     fm_track_metric(t, "plan_expansions_most"));
        double when;
        const double least = nearest_to_goal(t, &when);
        fm_sheet_note(sheet, "%s, %s: %s, %.1f m in %.1f s, nearest %.1f m from the goal, least clearance %.2f m; %s.",
                      method_titles[m], plane_names[p], least <= goal_radius ? "reached" : "not reached",
                      fm_track_metric(t, "plan_path"), fm_track_metric(t, "plan_time"), least,
                      fm_track_metric(t, "min_clearance"), search);
    }
    fm_sheet_note(sheet,
                  "The cost of planning is counted in cells settled, because the library reads no clock; `fathom "
                  "bench --only planner` measures the time of a decision.");
}

fm_status fm_remus_draw_planners(fm_sheet *sheet, fm_error *error)
{
    reef_run *runs = fm_sheet_alloc(sheet, RUNS * sizeof *runs);
    if (!runs)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for six runs");
    for (size_t i = 0; i < RUNS; i++)
        if (run_reef(sheet, i / PLANES, i % PLANES, &runs[i], error) != FM_OK)
            return error->status;
    for (size_t p = 0; p < PLANES; p++)
        if (!runs[2 * PLANES + p].map.count)
            return fm_figure_fail(error, FM_ERR_MODEL, "the search over cells has mapped nothing (%s)", plane_names[p]);
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.scenario = "remus-reef-planned"}, error);
    if (!world)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 145);
    fm_figure_row_height(figure, 0, 1.6);
    for (size_t p = 0; p < PLANES; p++)
        draw_plane(sheet, figure, world, runs, p);
    for (size_t i = 0; i < RUNS; i++)
        check_run(sheet, &runs[i], i / PLANES, i % PLANES);
    note_runs(sheet, runs);
    return FM_OK;
}
