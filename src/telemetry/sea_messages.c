#include "telemetry/sea_messages.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "telemetry/frames.h"
#include "world/stream.h"

enum { CABLE_POINTS_MOST = 257 }; /* <tether pieces> goes up to 256 */

static fm_status make_tethers(const fm_world *world, fm_arena *arena, fm_sea_messages *sea, fm_error *error)
{
    sea->list = fm_subsystem_config(world->model, FM_SUBSYSTEM_TETHERS);
    size_t count = sea->list ? sea->list->count : 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = sea->list->list[i].name;
        size_t letters = name ? strlen(name) : 0;
        sea->points += fm_tether_points_count(&sea->list->list[i]);
        sea->longest = letters > sea->longest ? letters : sea->longest;
    }
    const char **names = fm_arena_alloc(arena, (count + 1) * sizeof *names);
    double *lengths = fm_arena_alloc(arena, (count + 1) * sizeof *lengths);
    double *tensions = fm_arena_alloc(arena, (count + 1) * sizeof *tensions);
    double *diameters = fm_arena_alloc(arena, (count + 1) * sizeof *diameters);
    uint32_t *counts = fm_arena_alloc(arena, (count + 1) * sizeof *counts);
    float *points = fm_arena_alloc(arena, (3 * sea->points + 1) * sizeof *points);
    if (!names || !lengths || !tensions || !diameters || !counts || !points)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the tethers");
    for (size_t i = 0; i < count; i++) {
        const fm_tether *tether = &sea->list->list[i];
        names[i] = tether->name ? tether->name : "";
        diameters[i] = tether->cable.diameter;
        counts[i] = (uint32_t)fm_tether_points_count(tether);
    }
    sea->tethers = (fm_msg_tethers){.header.frame_id = "map",
                                    .names = {names, count},
                                    .lengths = {lengths, count},
                                    .tensions = {tensions, count},
                                    .diameters = {diameters, count},
                                    .counts = {counts, count},
                                    .points = {points, 3 * sea->points}};
    return FM_OK;
}

fm_status fm_sea_messages_build(const fm_world *world, fm_arena *arena, fm_sea_messages *sea, fm_error *error)
{
    const double *uniform = world->model->settings.current;
    *sea = (fm_sea_messages){0};
    sea->flows = world->environment->current.count > 0 || uniform[0] != 0 || uniform[1] != 0 || uniform[2] != 0;
    sea->current = (fm_msg_current_field){.header.frame_id = "map",
                                          .columns = FM_FIELD_ACROSS,
                                          .rows = FM_FIELD_ACROSS,
                                          .layers = FM_FIELD_LAYERS,
                                          .velocity = {sea->velocity, 3 * (size_t)FM_FIELD_POINTS}};
    return make_tethers(world, arena, sea, error);
}

/* --- the current --- */

/* Where the vehicles are, NED. */
static void find_vehicles(const fm_world *world, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++)
        low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (int i = 0; i < world->slot_count; i++)
        for (int k = 0; k < 3 && fm_world_name(world, i); k++) {
            low[k] = fmin(low[k], world->slots[i].vehicle->body.position[k]);
            high[k] = fmax(high[k], world->slots[i].vehicle->body.position[k]);
        }
    for (int k = 0; k < 3; k++)
        if (!(high[k] >= low[k]))
            low[k] = high[k] = 0;
}

/* Spacings of 1, 2 or 5 times a power of ten, on a grid of multiples, so that it moves by whole steps. */
static double round_spacing(double least)
{
    double step = 1;
    static const double next[3] = {2, 2.5, 2};
    for (int i = 0; step < least && i < 30; i++)
        step *= next[i % 3];
    return step;
}

static void lay_grid(const fm_world *world, fm_msg_current_field *field)
{
    double low[3], high[3];
    find_vehicles(world, low, high);
    double span = fmax(fmax(high[0] - low[0], high[1] - low[1]), 12);
    double step = round_spacing(1.3 * span / (FM_FIELD_ACROSS - 1)), half = 0.5 * (FM_FIELD_ACROSS - 1);
    double deep = fmax(high[2] + 2, 5);
    field->dx = field->dy = step;
    field->x0 = step * (floor(0.5 * (low[1] + high[1]) / step + 0.5) - half);
    field->y0 = step * (floor(0.5 * (low[0] + high[0]) / step + 0.5) - half);
    field->z0 = -0.5;
    field->dz = -(deep - 0.5) / (FM_FIELD_LAYERS - 1);
}

void fm_sea_messages_take_current(fm_sea_messages *sea, const fm_world *world)
{
    fm_msg_current_field *field = &sea->current;
    lay_grid(world, field);
    float *at = sea->velocity;
    for (uint32_t k = 0; k < field->layers; k++)
        for (uint32_t j = 0; j < field->rows; j++)
            for (uint32_t i = 0; i < field->columns; i++, at += 3) {
                const double point[3] = {field->y0 + j * field->dy, field->x0 + i * field->dx,
                                         -(field->z0 + k * field->dz)};
                double v[3];
                fm_stream_current(world, point, v);
                at[0] = (float)v[1];
                at[1] = (float)v[0];
                at[2] = (float)-v[2];
            }
}

/* --- tethers --- */

void fm_sea_messages_take_tethers(fm_sea_messages *sea, const fm_world *world)
{
    double *lengths = (double *)(uintptr_t)sea->tethers.lengths.items,
           *tensions = (double *)(uintptr_t)sea->tethers.tensions.items;
    float *at = (float *)(uintptr_t)sea->tethers.points.items;
    for (size_t i = 0; i < sea->tethers.names.count; i++) {
        const fm_tether *tether = &sea->list->list[i];
        double points[CABLE_POINTS_MOST][3];
        size_t count = fm_tether_points_count(tether);
        fm_tether_points(world, tether, points);
        lengths[i] = fm_tether_length(world, tether);
        tensions[i] = fm_tether_tension(world, tether);
        for (size_t k = 0; k < count; k++) {
            fm_msg_point p = fm_enu_point_from_ned(points[k]);
            *at++ = (float)p.x;
            *at++ = (float)p.y;
            *at++ = (float)p.z;
        }
    }
}
