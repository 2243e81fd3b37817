/* Acoustic Doppler current profiler: the velocity of the water in bins along four beams. */
#include <fathom/surroundings.h>
#include <math.h>
#include <string.h>

#include "acoustics/parts.h"
#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/beams.h"
#include "sensors/imperfect.h"

enum { BINS_MOST = 256 };

typedef struct adcp_config {
    fm_health health;
    fm_flaws flaws; /* of each beam's velocity, m/s */
    fm_instrument instrument;
    double beam_angle, turned; /* rad */
    double blank, size;        /* m along its axis: to the first bin; length of each bin */
    int64_t bins, bottom_track;
    double range;              /* m along a beam within which the bottom is detected */
    double beams[FM_BEAMS][3]; /* derived: unit vectors, instrument axes */
} adcp_config;

static const fm_attr attrs[] = {
    FM_INSTRUMENT_ATTRS_AIMED(adcp_config, "0 -90 0 deg"),
    FM_FLAW_ATTRS(adcp_config, flaws, "m/s"),
    FM_INT_ATTR(adcp_config, bins, "bins", 1, BINS_MOST, "20", 0, "of the profile"),
    FM_REAL_ATTR(adcp_config, size, "bin-size", "m", 0.01, 1000, "2 m", 0, "along its axis"),
    FM_REAL_ATTR(adcp_config, blank, "blank", "m", 0, 1000, "1 m", 0, "before the first bin"),
    FM_REAL_ATTR(adcp_config, beam_angle, "beam-angle", "rad", 0.017, 1.4, "20 deg", 0, "of the beams from its axis"),
    FM_REAL_ATTR(adcp_config, turned, "beam-azimuth", "rad", -7, 7, "45 deg", 0, "of the first beam about its axis"),
    FM_BOOL_ATTR(adcp_config, bottom_track, "bottom-track", "true", 0,
                 "where three beams see the bottom, its own velocity is taken off"),
    FM_REAL_ATTR(adcp_config, range, "range", "m", 0.1, 12000, "200 m", 0, "of a beam: beyond, the bottom is not seen"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    adcp_config, "adcp", attrs, NULL, 0,
    "Acoustic Doppler current profiler: velocity of the water in bins along four beams, over ground where it sees the "
    "bottom, else against itself. By default it looks down. Its errors are those of each beam's velocity.");

/* The values of a sample: mode (1 over ground, 2 relative to itself), altitude along its axis, then distance and
 * velocity. */
enum { MODE, ALTITUDE, DISTANCE };

static fm_status make_outputs(fm_part_load *load, size_t bins)
{
    fm_output *o = fm_load_alloc(load, 4 * sizeof *o);
    size_t first = sizeof(fm_reading);
    if (!o)
        return FM_ERR_MEMORY;
    o[0] = (fm_output){.field = "mode", .unit = "", .offset = first, .count = 1};
    o[1] = (fm_output){.field = "altitude", .unit = "m", .offset = first + 8, .count = 1};
    o[2] = (fm_output){.field = "distances", .unit = "m", .offset = first + 8 * DISTANCE, .count = bins};
    o[3] = (fm_output){.field = "velocities",
                       .unit = "m/s",
                       .offset = first + 8 * (DISTANCE + bins),
                       .count = 3 * bins,
                       .frame = FM_OUTPUT_WORLD};
    fm_load_outputs(load, o, 4);
    return FM_OK;
}

static fm_status load_adcp(fm_part_load *load, void *config, fm_error *error)
{
    adcp_config *c = config;
    for (int i = 0; i < FM_BEAMS; i++) {
        double a = c->turned + i * FM_PI / 2, s = fm_sin(c->beam_angle);
        c->beams[i][0] = fm_cos(c->beam_angle);
        c->beams[i][1] = s * fm_sin(a);
        c->beams[i][2] = -s * fm_cos(a);
    }
    c->instrument.mount.nearest = c->blank;
    c->instrument.mount.farthest = c->blank + (double)c->bins * c->size;
    if (make_outputs(load, (size_t)c->bins) != FM_OK)
        return FM_ERR_MEMORY;
    return fm_instrument_load(load, &c->instrument, FM_BEAMS, DISTANCE + 4 * (size_t)c->bins, 0, error);
}

/* Distances along the beams to the bottom or to obstacles. Returns the smallest one projected on the axis, and the
 * number of beams with an echo. */
static double measure_along(const fm_part_context *context, const fm_instrument_pose *at, int *seen)
{
    const adcp_config *c = context->config;
    double origin[FM_BEAMS][3], direction[FM_BEAMS][3], least = HUGE_VAL;
    fm_ray_hit hits[FM_BEAMS];
    for (int i = 0; i < FM_BEAMS; i++) {
        memcpy(origin[i], at->position, sizeof origin[i]);
        fm_vector_to_world(at->rotation, c->beams[i], direction[i]);
    }
    fm_sight_cast(context, FM_BEAMS, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
    *seen = 0;
    for (int i = 0; i < FM_BEAMS; i++) {
        *seen += hits[i].distance <= c->range;
        least = fmin(least, hits[i].distance <= c->range ? hits[i].distance * c->beams[i][0] : HUGE_VAL);
    }
    return least;
}

/* (A8.9) Velocity of the water measured by the beams at one distance, in world axes; NaN: none. Assumes the same water
 * at all beams. */
static void measure_bin(const fm_part_context *context, const fm_instrument_pose *at, double distance, int64_t bin,
                        const double own[3], double out[3])
{
    const adcp_config *c = context->config, *live = context->live;
    double u[FM_BEAMS], v[3];
    for (int i = 0; i < FM_BEAMS; i++) {
        double along[3], point[3], seen[3];
        fm_water_info water;
        fm_vector_to_world(at->rotation, c->beams[i], along);
        for (int k = 0; k < 3; k++)
            point[k] = at->position[k] + distance / c->beams[i][0] * along[k];
        u[i] = NAN;
        if (point[2] < 0 || !fm_part_water(context, point, &water))
            continue;
        fm_vector_to_body(at->rotation, water.velocity, seen);
        for (int k = 0; k < 3; k++)
            seen[k] -= own[k];
        u[i] = fm_dot(c->beams[i], seen);
    }
    fm_instrument_spoil_row(context, &live->flaws, (size_t)bin * FM_BEAMS, FM_BEAMS, u);
    if (fm_beams_velocity(c->beams, u, v))
        fm_vector_to_world(at->rotation, v, out);
    else
        out[0] = out[1] = out[2] = NAN;
}

static void run_adcp(const fm_part_context *context)
{
    const adcp_config *c = context->config, *live = context->live;
    double values[DISTANCE + 4 * BINS_MOST], none[3] = {0};
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    int seen;
    double altitude = measure_along(context, &at, &seen),
           clear = altitude * c->beams[0][0]; /* side lobes go straight */
    int ground = c->bottom_track && seen >= 3;
    values[MODE] = ground ? 1 : 2;
    values[ALTITUDE] = seen ? altitude : NAN;
    for (int64_t i = 0; i < c->bins; i++) {
        double *v = &values[DISTANCE + c->bins + 3 * i], distance = c->blank + ((double)i + 0.5) * c->size;
        values[DISTANCE + i] = distance;
        if (distance + 0.5 * c->size <= clear)
            measure_bin(context, &at, distance, i, ground ? none : at.velocity, v);
        else
            v[0] = v[1] = v[2] = NAN;
    }
    fm_instrument_give(context, &c->instrument, &live->health, 1, values);
}

const fm_part_class fm_adcp_class = {.kind = FM_PART_SENSOR,
                                     .element = &element,
                                     .live_size = offsetof(adcp_config, instrument),
                                     .mount = FM_MOUNT_AT(adcp_config, instrument.mount),
                                     .message = "fathom_msgs/CurrentProfile",
                                     .counts = FM_COUNTS_READING,
                                     .load = load_adcp,
                                     .run = run_adcp};
