/* Queries of parts to the world around their vehicle (fathom/surroundings.h), and of programs to its water (sea.h). */
#include <fathom/sea.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "environment/sight.h"
#include "world/stream.h"
#include "world/world.h"

/* --- random numbers --- */

/* Stream numbers are offset by the number of the part, so that those of two parts never collide. */
static fm_random_key key_of(const fm_part_context *context, uint32_t use)
{
    return (fm_random_key){context->seed, context->entity, (context->channel & 0xffffu) | (use & 0xffffu) << 16};
}

double fm_part_uniform(const fm_part_context *context, uint32_t use, uint32_t index)
{
    return context ? fm_random_uniform(key_of(context, use), context->tick, index % FM_RANDOM_INDICES) : 0;
}

double fm_part_normal(const fm_part_context *context, uint32_t use, uint32_t index)
{
    return context ? fm_random_normal(key_of(context, use), context->tick, index % FM_RANDOM_INDICES) : 0;
}

/* --- water --- */

static int is_position(const double position[3])
{
    return position && isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
}

static void water_at(const fm_world *world, const double position[3], fm_water_info *water)
{
    const fm_environment *e = world->environment;
    fm_water w = fm_water_column_sample(&e->column, position[0], position[1], position[2]);
    *water = (fm_water_info){.temperature = w.temperature,
                             .salinity = w.salinity,
                             .conductivity = w.conductivity,
                             .pressure = w.pressure,
                             .density = fm_environment_density(e, position),
                             .sound_speed = w.sound_speed,
                             .bottom = fm_environment_depth(e, position[0], position[1])};
    fm_stream_velocity(world, position, water->velocity);
}

int fm_part_water(const fm_part_context *context, const double position[3], fm_water_info *water)
{
    if (!water)
        return 0;
    *water = (fm_water_info){0};
    if (!context || !context->world || !is_position(position))
        return 0;
    water_at(context->world, position, water);
    return 1;
}

fm_status fm_world_water(const fm_world *world, const double position[3], fm_water_info *water, fm_error *error)
{
    if (water)
        *water = (fm_water_info){0};
    if (!world || !position || !water)
        return fm_fail(error, FM_ERR_ARGUMENT, "world, position and water must not be NULL");
    if (!is_position(position))
        return fm_fail(error, FM_ERR_ARGUMENT, "position %g %g %g m is not finite", position[0], position[1],
                       position[2]);
    water_at(world, position, water);
    return FM_OK;
}

/* --- rays --- */

enum { RAYS_AT_ONCE = 64 };

static const char *name_of(const fm_part_context *context, uint32_t body)
{
    const fm_environment *e = context->environment;
    if (body == FM_RAY_NOBODY)
        return "";
    if (body >= FM_BODY_BOTTOM)
        return "bottom";
    const char *name = NULL;
    if (body < FM_BODY_OBSTACLE)
        name = fm_world_name(context->world, (int)body);
    else if (body - FM_BODY_OBSTACLE < e->obstacle_count)
        name = e->obstacles[body - FM_BODY_OBSTACLE].name;
    return name ? name : "";
}

static fm_echo_info echo_of(const fm_part_context *context, const fm_ray_hit *hit)
{
    fm_echo_info echo = {.distance = hit->distance, .cosine = hit->cosine, .name = name_of(context, hit->body)};
    if (hit->body == FM_RAY_NOBODY)
        return (fm_echo_info){.distance = HUGE_VAL, .name = ""};
    const fm_material *material = fm_sight_material(context, hit);
    echo.reflectivity = material->reflectivity;
    memcpy(echo.normal, hit->normal, sizeof echo.normal);
    memcpy(echo.colour, material->colour, sizeof echo.colour);
    return echo;
}

/* The direction normalised; 0: it has none. */
static int set_unit(const double from[3], double to[3])
{
    double length = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    for (int k = 0; k < 3; k++)
        to[k] = from[k] / length;
    return isfinite(length) && length > 0;
}

size_t fm_part_rays(const fm_part_context *context, size_t count, const double (*origins)[3],
                    const double (*directions)[3], double range, fm_echo_info *echoes)
{
    size_t met = 0;
    if (!context || !context->world || !origins || !directions || !echoes)
        return 0;
    for (size_t first = 0; first < count; first += RAYS_AT_ONCE) {
        size_t now = count - first < RAYS_AT_ONCE ? count - first : RAYS_AT_ONCE;
        double unit[RAYS_AT_ONCE][3];
        fm_ray_hit hits[RAYS_AT_ONCE];
        for (size_t i = 0; i < now; i++)
            if (!set_unit(directions[first + i], unit[i]))
                memset(unit[i], 0, sizeof unit[i]);
        fm_sight_cast(context, now, origins + first, (const double(*)[3])unit, range, hits);
        for (size_t i = 0; i < now; i++) {
            echoes[first + i] = echo_of(context, &hits[i]);
            met += hits[i].body != FM_RAY_NOBODY;
        }
    }
    return met;
}
