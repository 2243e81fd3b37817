/* Tracks from above and from the side, with ordered and estimated ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/overview_page.h"

enum { ELLIPSES_DRAWN = 12, ELLIPSE_POINTS = 48, NUMBERS_MOST = 30 };

typedef struct view {
    fm_overview_page *page;
    fm_axes *axes;
    int across, up; /* of north, east, depth */
} view;

/* The box of the tracks with room around. */
static void view_box(const fm_overview_page *p, int across, int up, double box[4])
{
    double span = fmax(fmax(p->high[across] - p->low[across], p->high[up] - p->low[up]), 2), room = 0.15 * span;
    box[0] = p->low[across] - room, box[1] = p->high[across] + room;
    box[2] = p->low[up] - room, box[3] = p->high[up] + room;
}

static void draw_track(const view *v, const fm_overview_curve *c)
{
    const fm_run_track *t = &c->vehicle->track;
    if (!t->count)
        return;
    const double *x = t->position[v->across], *y = t->position[v->up];
    fm_axes_line(v->axes, x, y, t->count,
                 &(fm_line_style){.colour = c->colour, .dash = c->dash, .width = c->width, .label = c->label});
    double size = v->page->count > 8 ? 3 : 5;
    fm_axes_scatter(v->axes, x, y, 1, &(fm_scatter_style){.colour = c->colour, .marker = FM_MARKER_RING, .size = size});
    fm_axes_scatter(v->axes, x + t->count - 1, y + t->count - 1, 1,
                    &(fm_scatter_style){.colour = c->colour, .size = size});
}

/* --- the ordered path --- */

typedef struct waypoint_list {
    double (*points)[3];
    size_t count, room;
} waypoint_list;

static int same_point(const double a[3], const double b[3])
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-6;
}

static void add_waypoint(fm_overview_page *p, waypoint_list *list, const double point[3])
{
    for (size_t i = 0; i < list->count; i++)
        if (same_point(list->points[i], point))
            return;
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        double(*points)[3] = fm_arena_alloc(&p->arena, room * sizeof *points);
        if (!points)
            return;
        if (list->count)
            memcpy(points, list->points, list->count * sizeof *points);
        list->points = points;
        list->room = room;
    }
    memcpy(list->points[list->count++], point, sizeof *list->points);
}

/* The waypoints in the order in which they were steered for, then those of the scenario that were not reached. */
static waypoint_list list_waypoints(fm_overview_page *p, const fm_run_vehicle *v)
{
    waypoint_list list = {0};
    for (size_t i = 0; i < v->leg_count; i++)
        add_waypoint(p, &list, v->legs[i].to);
    for (size_t i = 0; i < v->plan_count; i++)
        add_waypoint(p, &list, v->plan[i]);
    return list;
}

static void draw_path(const view *v, const fm_overview_curve *c, const waypoint_list *list, fm_colour colour)
{
    const fm_run_vehicle *vehicle = c->vehicle;
    size_t points = 3 * vehicle->leg_count + list->count + 4, n = 0;
    double *x = fm_arena_alloc(&v->page->arena, points * sizeof *x),
           *y = fm_arena_alloc(&v->page->arena, points * sizeof *y);
    if (!x || !y)
        return;
    for (size_t i = 0; i < vehicle->leg_count; i++) {
        const fm_run_leg *leg = &vehicle->legs[i];
        x[n] = leg->from[v->across], y[n++] = leg->from[v->up];
        x[n] = leg->to[v->across], y[n++] = leg->to[v->up];
        if (i + 1 < vehicle->leg_count && !same_point(leg->to, leg[1].from))
            x[n] = NAN, y[n++] = NAN;
    }
    size_t steered = 0; /* number of waypoints that the legs have led to */
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < vehicle->leg_count; k++)
            if (same_point(list->points[i], vehicle->legs[k].to)) {
                steered = i + 1;
                break;
            }
    for (size_t i = steered; i < list->count; i++)
        x[n] = list->points[i][v->across], y[n++] = list->points[i][v->up];
    fm_axes_line(v->axes, x, y, n,
                 &(fm_line_style){.colour = colour,
                                  .width = 0.8,
                                  .dash = FM_DASH_DASHED,
                                  .label = v->page->count == 1 ? "ordered path" : NULL});
}

static void draw_waypoints(const view *v, const fm_overview_curve *c)
{
    fm_overview_page *p = v->page;
    waypoint_list list = list_waypoints(p, c->vehicle);
    fm_colour colour = p->count == 1 ? p->ordered : c->colour;
    if (!list.count)
        return;
    draw_path(v, c, &list, colour);
    double *x = fm_arena_alloc(&p->arena, list.count * sizeof *x),
           *y = fm_arena_alloc(&p->arena, list.count * sizeof *y);
    for (size_t i = 0; x && y && i < list.count; i++)
        x[i] = list.points[i][v->across], y[i] = list.points[i][v->up];
    fm_axes_scatter(
        v->axes, x, y, list.count,
        &(fm_scatter_style){
            .colour = colour, .marker = FM_MARKER_DIAMOND, .size = 4.5, .label = p->count == 1 ? "waypoints" : NULL});
    waypoint_list first = c > p->curves ? list_waypoints(p, p->curves[0].vehicle) : (waypoint_list){0};
    for (size_t i = 0; v->up == 0 && list.count <= NUMBERS_MOST && i < list.count; i++) {
        char number[24];
        if (i < first.count && same_point(first.points[i], list.points[i]))
            continue; /* it has its number */
        snprintf(number, sizeof number, "%zu", i + 1);
        fm_axes_text(v->axes, list.points[i][v->across], list.points[i][v->up], number,
                     &(fm_text_style){.colour = colour, .size = 7, .beside = true});
    }
}

/* --- estimates --- */

void fm_overview_ellipses(fm_axes *axes, const fm_run_estimate *e, size_t most, fm_colour colour, const char *label)
{
    size_t stride = e->ellipse_count / most + 1;
    for (size_t i = stride - 1; i < e->ellipse_count; i += stride) {
        const fm_run_ellipse *o = &e->ellipses[i];
        double point[2][ELLIPSE_POINTS];
        for (int k = 0; k < ELLIPSE_POINTS; k++) {
            double angle = 6.283185307179586 * k / ELLIPSE_POINTS, along = 2 * o->axes[0] * cos(angle),
                   beside = 2 * o->axes[1] * sin(angle);
            point[0][k] = o->position[0] + along * cos(o->heading) - beside * sin(o->heading);
            point[1][k] = o->position[1] + along * sin(o->heading) + beside * cos(o->heading);
        }
        fm_axes_polygon(axes, point[1], point[0], ELLIPSE_POINTS,
                        &(fm_area_style){.colour = colour,
                                         .opacity = 0.18,
                                         .line = colour,
                                         .line_width = 0.5,
                                         .label = i == stride - 1 ? label : NULL});
    }
}

static void draw_estimates(const view *v, const fm_overview_curve *c)
{
    fm_overview_page *p = v->page;
    for (size_t i = 0; i < c->vehicle->estimate_count; i++) {
        const fm_run_estimate *e = &c->vehicle->estimates[i];
        fm_colour colour = p->count == 1 ? fm_colour_series(p->theme, 1 + i) : c->colour;
        char label[80];
        snprintf(label, sizeof label, "estimate (%.60s)", e->name);
        if (v->up == 0 && p->count == 1)
            fm_overview_ellipses(v->axes, e, ELLIPSES_DRAWN, colour, "two standard deviations");
        fm_axes_line(
            v->axes, e->track.position[v->across], e->track.position[v->up], e->track.count,
            &(fm_line_style){
                .colour = colour, .width = 1, .dash = FM_DASH_DASH_DOT, .label = p->count == 1 ? label : NULL});
    }
}

static void draw_curves(const view *v)
{
    fm_overview_page *p = v->page;
    for (size_t i = 0; i < p->count && p->count <= FM_DETAIL_MOST; i++)
        draw_waypoints(v, &p->curves[i]);
    for (size_t i = 0; i < p->count; i++)
        draw_track(v, &p->curves[i]);
    for (size_t i = 0; i < p->count && p->count <= FM_DETAIL_MOST; i++)
        draw_estimates(v, &p->curves[i]);
}

/* --- the views --- */

/* East to the right, north up. */
void fm_overview_above(fm_overview_page *p, fm_axes *axes)
{
    double box[4];
    view_box(p, 1, 0, box);
    fm_axes_title(axes, "Track from above");
    fm_axes_x(axes, &(fm_axis_style){.label = "east", .unit = "m"});
    fm_axes_y(axes, &(fm_axis_style){.label = "north", .unit = "m"});
    fm_axes_equal(axes);
    if (p->count > 1)
        fm_axes_legend(axes, FM_LEGEND_FIGURE);
    fm_overview_contours(p, axes, box);
    fm_overview_obstacles(axes, p->runs[0], 1, 0, box, 0.5 * (p->low[2] + p->high[2]), p->theme);
    draw_curves(&(view){p, axes, 1, 0});
}

int fm_overview_bottom_fits(const fm_overview_page *p, double *deepest)
{
    double least = HUGE_VAL, low, high;
    *deepest = -HUGE_VAL;
    for (size_t i = 0; i < p->count; i++)
        if (fm_run_series_range(&p->curves[i].vehicle->bottom, &low, &high)) {
            least = fmin(least, low);
            *deepest = fmax(*deepest, high);
        }
    return isfinite(least) && *deepest < p->high[2] + 4 * fmax(p->high[2] - p->low[2], 10);
}

void fm_overview_bottom(fm_overview_page *p, fm_axes *axes, const double *x, const double *depth, size_t count,
                        double deepest)
{
    fm_colour ground = fm_colour_hex(p->theme == FM_THEME_DARK ? 0xa08763 : 0x8c7351); /* sand */
    double floor_depth = deepest + 0.08 * fmax(deepest - p->low[2], 1);
    double *low = fm_alloc((count + 1) * sizeof *low);
    for (size_t i = 0; low && i < count; i++)
        low[i] = floor_depth;
    if (low)
        fm_axes_band(axes, x, depth, low, count, &(fm_area_style){.colour = ground});
    fm_axes_line(axes, x, depth, count, &(fm_line_style){.colour = ground, .width = 1});
    fm_free(low);
}

/* The ground along the view, in the middle of the tracks. */
static void draw_ground(fm_overview_page *p, fm_axes *axes, int across, double middle, double box[4], double deepest)
{
    enum { STEPS = 200 };
    double x[STEPS + 1], depth[STEPS + 1];
    for (int i = 0; i <= STEPS; i++) {
        x[i] = box[0] + (box[1] - box[0]) * i / STEPS;
        depth[i] = across ? fm_run_data_bottom(p->runs[0], middle, x[i]) : fm_run_data_bottom(p->runs[0], x[i], middle);
    }
    fm_overview_bottom(p, axes, x, depth, STEPS + 1, deepest);
    box[3] = fmax(box[3], deepest);
}

/* From the side: the wider horizontal direction to the right, depth down. */
void fm_overview_side(fm_overview_page *p, fm_axes *axes)
{
    double box[4], deepest;
    int across = p->high[0] - p->low[0] >= p->high[1] - p->low[1] ? 0 : 1, other = 1 - across;
    double middle = 0.5 * (p->low[other] + p->high[other]);
    view_box(p, across, 2, box);
    fm_axes_title(axes, across ? "Track from the south" : "Track from the east");
    fm_axes_legend(axes, FM_LEGEND_NONE);
    fm_axes_x(axes, &(fm_axis_style){.label = across ? "east" : "north", .unit = "m"});
    int ground = fm_overview_bottom_fits(p, &deepest);
    double flat = p->high[2] - p->low[2] < 1 && !ground ? 1 : 0; /* a track at one depth: no noise blown up */
    fm_axes_y(axes, &(fm_axis_style){.label = "depth",
                                     .unit = "m",
                                     .reversed = true,
                                     .min = flat > 0 ? p->low[2] - 0.2 : NAN,
                                     .max = flat > 0 ? p->high[2] + 0.8 : NAN});
    if (ground)
        draw_ground(p, axes, across, middle, box, deepest);
    fm_overview_obstacles(axes, p->runs[0], across, 2, box, middle, p->theme);
    draw_curves(&(view){p, axes, across, 2});
}
