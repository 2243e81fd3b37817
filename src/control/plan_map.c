#include "control/plan_map.h"

#include <math.h>

/* --- the frame --- */

void fm_plan_frame_project(const fm_plan_frame *f, const double world[3], double plane[2])
{
    const double north = world[0] - f->from[0], east = world[1] - f->from[1];
    plane[0] = north * f->cosine + east * f->sine;
    plane[1] = f->plane == FM_PLANE_LEVEL ? east * f->cosine - north * f->sine : world[2];
}

void fm_plan_frame_point(const fm_plan_frame *f, const double plane[2], double depth, double world[3])
{
    const double across = f->plane == FM_PLANE_LEVEL ? plane[1] : 0;
    world[0] = f->from[0] + plane[0] * f->cosine - across * f->sine;
    world[1] = f->from[1] + plane[0] * f->sine + across * f->cosine;
    world[2] = f->plane == FM_PLANE_LEVEL ? depth : plane[1];
}

double fm_plan_frame_off(const fm_plan_frame *f, const double world[3])
{
    if (f->plane == FM_PLANE_LEVEL)
        return world[2];
    return (world[1] - f->from[1]) * f->cosine - (world[0] - f->from[0]) * f->sine;
}

/* The index among `count` cells from `low` on, clamped. */
static int32_t cell_along(double at, double low, double side, int32_t count)
{
    const double k = floor((at - low) / side);
    return k > 0 ? (k < (double)count ? (int32_t)k : count - 1) : 0;
}

int32_t fm_plan_frame_nearest_cell(const fm_plan_frame *f, const double plane[2])
{
    return cell_along(plane[0], f->low[0], f->cell, f->rows) * f->columns +
           cell_along(plane[1], f->low[1], f->cell, f->columns);
}

int32_t fm_plan_frame_cell(const fm_plan_frame *f, const double plane[2])
{
    const double a = (plane[0] - f->low[0]) / f->cell, b = (plane[1] - f->low[1]) / f->cell;
    if (!(a >= 0 && a < (double)f->rows && b >= 0 && b < (double)f->columns))
        return -1;
    return fm_plan_frame_nearest_cell(f, plane);
}

void fm_plan_frame_centre(const fm_plan_frame *f, int32_t cell, double plane[2])
{
    plane[0] = f->low[0] + ((double)(cell / f->columns) + 0.5) * f->cell;
    plane[1] = f->low[1] + ((double)(cell % f->columns) + 0.5) * f->cell;
}

/* --- the map --- */

/* Cells around a place, clamped to the map. */
typedef struct window {
    int32_t row[2], column[2];
} window;

static window window_about(const fm_plan_frame *f, const double low[2], const double high[2])
{
    return (window){
        {cell_along(low[0], f->low[0], f->cell, f->rows), cell_along(high[0], f->low[0], f->cell, f->rows)},
        {cell_along(low[1], f->low[1], f->cell, f->columns), cell_along(high[1], f->low[1], f->cell, f->columns)}};
}

static double between(const double a[2], const double b[2])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

/* Raises the cost of a cell. */
static void raise_cost(const fm_plan_map *map, const fm_replan *plan, int32_t cell, int64_t cost)
{
    if (map->cost[cell] >= cost)
        return;
    map->cost[cell] = (uint8_t)cost;
    if (plan)
        fm_replan_change(plan, cell);
}

int fm_plan_map_echo(const fm_plan_map *map, const fm_plan_marking *how, const fm_replan *plan, int32_t cell)
{
    const fm_plan_frame *f = map->frame;
    if (map->hits[cell] < 255)
        map->hits[cell]++;
    if (map->hits[cell] < how->hits || map->cost[cell] == FM_REPLAN_BLOCKED)
        return 0;
    double centre[2];
    fm_plan_frame_centre(f, cell, centre);
    const double low[2] = {centre[0] - how->clearance, centre[1] - how->clearance},
                 high[2] = {centre[0] + how->clearance, centre[1] + how->clearance};
    const window w = window_about(f, low, high);
    raise_cost(map, plan, cell, FM_REPLAN_BLOCKED);
    for (int32_t i = w.row[0]; i <= w.row[1]; i++)
        for (int32_t k = w.column[0]; k <= w.column[1]; k++) {
            double other[2];
            fm_plan_frame_centre(f, i * f->columns + k, other);
            if (between(centre, other) <= how->clearance)
                raise_cost(map, plan, i * f->columns + k, how->near_cost);
        }
    return 1;
}

void fm_plan_map_visit(const fm_plan_map *map, const double at[2], double reach,
                       void (*visit)(void *user, const double centre[2]), void *user)
{
    const double low[2] = {at[0] - reach, at[1] - reach}, high[2] = {at[0] + reach, at[1] + reach};
    const window w = window_about(map->frame, low, high);
    for (int32_t i = w.row[0]; i <= w.row[1]; i++)
        for (int32_t k = w.column[0]; k <= w.column[1]; k++) {
            const int32_t cell = i * map->frame->columns + k;
            double centre[2];
            if (map->cost[cell] != FM_REPLAN_BLOCKED)
                continue;
            fm_plan_frame_centre(map->frame, cell, centre);
            if (between(at, centre) <= reach)
                visit(user, centre);
        }
}

int fm_plan_map_free(const fm_plan_map *map, const double from[2], const double to[2], double half_width)
{
    const fm_plan_frame *f = map->frame;
    const double way[2] = {to[0] - from[0], to[1] - from[1]}, square = way[0] * way[0] + way[1] * way[1];
    const double low[2] = {fmin(from[0], to[0]) - half_width, fmin(from[1], to[1]) - half_width},
                 high[2] = {fmax(from[0], to[0]) + half_width, fmax(from[1], to[1]) + half_width};
    const window w = window_about(f, low, high);
    for (int32_t i = w.row[0]; i <= w.row[1]; i++)
        for (int32_t k = w.column[0]; k <= w.column[1]; k++) {
            double c[2];
            if (map->cost[i * f->columns + k] != FM_REPLAN_BLOCKED)
                continue;
            fm_plan_frame_centre(f, i * f->columns + k, c);
            const double part = square > 0 ? ((c[0] - from[0]) * way[0] + (c[1] - from[1]) * way[1]) / square : 0;
            const double along = fmax(0, fmin(1, part));
            const double foot[2] = {from[0] + along * way[0], from[1] + along * way[1]};
            if (along > 0 && between(foot, c) < fmin(half_width, 0.98 * between(from, c)))
                return 0;
        }
    return 1;
}

int32_t fm_plan_map_dearest(const fm_plan_map *map, const double from[2], const double to[2])
{
    const double steps = ceil(2 * between(from, to) / map->frame->cell) + 1;
    int32_t most = 0;
    for (double i = 0; i <= steps; i++) {
        const double at[2] = {from[0] + i / steps * (to[0] - from[0]), from[1] + i / steps * (to[1] - from[1])};
        const int32_t cost = map->cost[fm_plan_frame_nearest_cell(map->frame, at)];
        most = cost > most ? cost : most;
    }
    return most;
}
