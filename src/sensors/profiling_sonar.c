/* Profiling sonar: a pencil beam that advances one step per ping; the whole profile is output, including the newest
 * range. */
#include <math.h>
#include <string.h>

#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

typedef struct profiling_config {
    fm_health health;
    fm_flaws flaws;
    fm_instrument instrument;
    double range, nearest; /* m */
    double sector;         /* rad */
    int64_t points;        /* of the profile, evenly spaced over the sector */
} profiling_config;

typedef struct profiling_values {
    double angle_min, angle_max, angle_increment; /* rad, to starboard */
    double time_increment, scan_time;             /* s */
    double range_min, range_max;                  /* m */
    double ranges[];                              /* m; infinite: no echo, or not yet measured */
} profiling_values;
typedef struct profiling_reading {
    fm_reading head;
    profiling_values values;
} profiling_reading;

static const fm_attr profiling_attrs[] = {
    FM_INSTRUMENT_ATTRS(profiling_config),
    FM_FLAW_ATTRS(profiling_config, flaws, "m"),
    FM_REAL_ATTR(profiling_config, range, "range", "m", 0.01, 10000, "50 m", 0, "the farthest it measures"),
    FM_REAL_ATTR(profiling_config, nearest, "nearest", "m", 0, 1000, "0 m", 0, "the nearest it measures"),
    FM_REAL_ATTR(profiling_config, sector, "sector", "rad", 0, 6.2832, "90 deg", 0,
                 "through which the beam turns, around its forward axis"),
    FM_INT_ATTR(profiling_config, points, "points", 2, 4096, "64", 0, "of a profile, evenly spaced"),
};
static const fm_element profiling_element =
    FM_TABLE_ELEMENT(profiling_config, "profiling-sonar", profiling_attrs, NULL, 0,
                     "Profiling sonar: a pencil beam, one range per period, which turns by one step each time in its "
                     "horizontal plane; from port to starboard, then again.");

static fm_status describe(fm_part_load *load, const profiling_config *c)
{
    static const fm_output shared[] = {
        FM_OUTPUT_NUMBER(profiling_reading, values.angle_min, "angle_min", "rad", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.angle_max, "angle_max", "rad", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.angle_increment, "angle_increment", "rad", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.time_increment, "time_increment", "s", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.scan_time, "scan_time", "s", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.range_min, "range_min", "m", FM_QUANTITY_NONE),
        FM_OUTPUT_NUMBER(profiling_reading, values.range_max, "range_max", "m", FM_QUANTITY_NONE),
    };
    fm_output *o = fm_load_alloc(load, sizeof shared + sizeof *o);
    if (!o)
        return FM_ERR_MEMORY;
    memcpy(o, shared, sizeof shared);
    o[FM_COUNT(shared)] =
        (fm_output){.field = "ranges", .unit = "m", .offset = sizeof(profiling_reading), .count = (size_t)c->points};
    fm_load_outputs(load, o, FM_COUNT(shared) + 1);
    return FM_OK;
}

/* Own state: number of the ping, then the profile so far. */
static fm_status load_profiling(fm_part_load *load, void *config, fm_error *error)
{
    profiling_config *c = config;
    size_t words = sizeof(profiling_values) / 8 + (size_t)c->points;
    if (describe(load, c) != FM_OK)
        return FM_ERR_MEMORY;
    c->instrument.mount.nearest = c->nearest;
    c->instrument.mount.farthest = c->range;
    c->instrument.mount.width = c->sector;
    return fm_instrument_load(load, &c->instrument, 1, words, 8 * (size_t)(1 + c->points), error);
}

static void start_profiling(const fm_part_context *context)
{
    const profiling_config *c = context->config;
    double *profile = (double *)fm_instrument_state(context, &c->instrument) + 1;
    for (int64_t i = 0; i < c->points; i++)
        profile[i] = HUGE_VAL;
}

static double ping(const fm_part_context *context, double azimuth)
{
    const profiling_config *c = context->config, *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double beam[3], origin[1][3], direction[1][3];
    fm_ray_hit hit;
    fm_sight_direction(azimuth, 0, beam);
    memcpy(origin[0], at.position, sizeof origin[0]);
    fm_vector_to_world(at.rotation, beam, direction[0]);
    fm_sight_cast(context, 1, (const double(*)[3])origin, (const double(*)[3])direction, c->range, &hit);
    double range = hit.distance;
    fm_instrument_spoil(context, &live->flaws, 0, 1, &range);
    return !(hit.distance <= c->range) || range > c->range ? HUGE_VAL : range < c->nearest ? -HUGE_VAL : range;
}

static void run_profiling(const fm_part_context *context)
{
    const profiling_config *c = context->config, *live = context->live;
    int64_t *number = fm_instrument_state(context, &c->instrument);
    double *profile = (double *)(void *)number + 1, step = c->sector / (double)(c->points - 1);
    int64_t now = (*number)++ % c->points;
    profile[now] = ping(context, (double)now * step - 0.5 * c->sector);
    profiling_values *v = fm_instrument_room(context, &c->instrument, &live->health, 1);
    if (!v)
        return;
    *v = (profiling_values){.angle_min = -0.5 * c->sector,
                            .angle_max = 0.5 * c->sector,
                            .angle_increment = step,
                            .time_increment = context->period,
                            .scan_time = context->period * (double)c->points,
                            .range_min = c->nearest,
                            .range_max = c->range};
    memcpy(v->ranges, profile, (size_t)c->points * sizeof *profile);
}

const fm_part_class fm_profiling_sonar_class = {.kind = FM_PART_SENSOR,
                                                .element = &profiling_element,
                                                .live_size = offsetof(profiling_config, instrument),
                                                .mount = FM_MOUNT_AT(profiling_config, instrument.mount),
                                                .message = "sensor_msgs/LaserScan",
                                                .counts = FM_COUNTS_READING,
                                                .load = load_profiling,
                                                .start = start_profiling,
                                                .run = run_profiling};
