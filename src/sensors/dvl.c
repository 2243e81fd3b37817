/* Doppler velocity log: four beams looking down, velocity by least squares of those that have the bottom. */
#include <math.h>
#include <string.h>

#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/beams.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

enum { BEAMS = FM_BEAMS };

typedef struct dvl_config {
    fm_health health;
    fm_flaws velocity;    /* of each beam's velocity, m/s */
    fm_flaws range_flaws; /* of each beam's range, m */
    fm_instrument instrument;
    double range, nearest;     /* m */
    double beam_angle, turned; /* rad: of the beams from straight down; of the first beam from forward */
    int64_t water_track;
    double beams[BEAMS][3]; /* derived: unit vectors, instrument axes */
} dvl_config;
typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;

static const fm_attr ranges_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "m"),
};
static const fm_element ranges_element =
    FM_CHILD_ELEMENT(dvl_config, range_flaws, fm_flaws, "ranges", ranges_attrs, NULL, "Errors of the beams' ranges.");
static const fm_element *const children[] = {&ranges_element, NULL};
static const fm_attr dvl_attrs[] = {
    FM_INSTRUMENT_ATTRS(dvl_config),
    FM_FLAW_ATTRS(dvl_config, velocity, "m/s"),
    FM_REAL_ATTR(dvl_config, range, "range", "m", 0.01, 5000, "100 m", 0, "of a beam: beyond, the bottom is lost"),
    FM_REAL_ATTR(dvl_config, nearest, "nearest", "m", 0, 100, "0 m", 0, "of a beam: nearer, the bottom is lost"),
    FM_REAL_ATTR(dvl_config, beam_angle, "beam-angle", "rad", 0.017, 1.4, "30 deg", 0,
                 "of the beams from straight down"),
    FM_REAL_ATTR(dvl_config, turned, "beam-azimuth", "rad", -7, 7, "45 deg", 0,
                 "of the first beam from forward to starboard; the others follow every 90 deg"),
    FM_BOOL_ATTR(dvl_config, water_track, "water-track", "false", 0,
                 "without the bottom give the velocity through the water"),
};
static const fm_element dvl_element =
    FM_TABLE_ELEMENT(dvl_config, "dvl", dvl_attrs, children, 0,
                     "Doppler velocity log with four beams. Its errors are those of each beam's velocity.");

static fm_status load_dvl(fm_part_load *load, void *config, fm_error *error)
{
    dvl_config *c = config;
    for (int i = 0; i < BEAMS; i++)
        fm_sight_direction(c->turned + i * FM_PI / 2, FM_PI / 2 - c->beam_angle, c->beams[i]);
    c->instrument.mount.nearest = c->nearest;
    c->instrument.mount.farthest = c->range;
    return fm_instrument_load(load, &c->instrument, 2 * BEAMS, FM_READING_WORDS(fm_dvl_reading), 0, error);
}

/* Each value has a walk of its own but shares the scalar bias. */
static void flaw_beams(const fm_part_context *context, const fm_flaws *flaws, size_t first, double values[BEAMS])
{
    for (size_t i = 0; i < BEAMS; i++)
        fm_instrument_spoil(context, flaws, first + i, 1, &values[i]);
}

/* Ranges to what the beams meet; NaN beyond reach. Returns how many are good, and the altitude: the mean height of the
 * good feet below the instrument. */
static int measure_ranges(const fm_part_context *context, const fm_instrument_place *at, double range[BEAMS],
                          double *altitude)
{
    const dvl_config *c = context->config, *live = context->live;
    double origin[BEAMS][3], direction[BEAMS][3], sum = 0;
    fm_ray_hit hits[BEAMS];
    int good = 0;
    for (int i = 0; i < BEAMS; i++) {
        memcpy(origin[i], at->position, sizeof origin[i]);
        fm_vector_to_world(at->rotation, c->beams[i], direction[i]);
    }
    fm_sight_cast(context, BEAMS, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
    for (int i = 0; i < BEAMS; i++)
        range[i] = hits[i].distance;
    flaw_beams(context, &live->range_flaws, BEAMS, range);
    for (int i = 0; i < BEAMS; i++) {
        if (!(hits[i].distance <= c->range) || range[i] > c->range || range[i] < c->nearest) {
            range[i] = NAN;
            continue;
        }
        sum += range[i] * direction[i][2];
        good++;
    }
    *altitude = good ? sum / good : NAN;
    return good;
}

/* Speed and course over ground from a velocity in instrument axes. */
static void set_course(const fm_instrument_place *at, fm_dvl_reading *r)
{
    double world[3];
    fm_vector_to_world(at->rotation, r->velocity, world);
    r->speed = fm_sqrt(world[0] * world[0] + world[1] * world[1]);
    r->course = fm_angle_positive(fm_atan2(world[1], world[0]));
}

static void run_dvl(const fm_part_context *context)
{
    const dvl_config *c = context->config, *live = context->live;
    fm_instrument_place at = fm_instrument_where(context, &c->instrument.mount);
    fm_dvl_reading r = {.mode = 1, .speed = NAN, .course = NAN};
    int good = measure_ranges(context, &at, r.range, &r.altitude), water = good < 3 && c->water_track;
    double v[3], flow[3];
    memcpy(v, at.velocity, sizeof v);
    if (water) {
        fm_vector_to_body(at.rotation, context->vehicle->water, flow);
        for (int k = 0; k < 3; k++)
            v[k] -= flow[k];
        r.mode = 2;
    }
    for (int i = 0; i < BEAMS; i++)
        r.beam_velocity[i] = isfinite(r.range[i]) || water ? fm_dot(c->beams[i], v) : NAN;
    flaw_beams(context, &live->velocity, 0, r.beam_velocity);
    r.good_beams = good;
    r.ranges_valid = good == BEAMS;
    r.velocities_valid = (good >= 3 || water) && fm_beams_velocity(c->beams, r.beam_velocity, r.velocity);
    if (r.velocities_valid == 0)
        r.velocity[0] = r.velocity[1] = r.velocity[2] = NAN;
    else if (!water)
        set_course(&at, &r);
    r.sound_speed =
        fm_water_column_sound_speed(&context->environment->column, at.position[0], at.position[1], at.position[2]);
    memcpy(r.beam_direction, c->beams, sizeof r.beam_direction);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.mode);
}

static const fm_output dvl_outputs[] = {
    FM_OUTPUT_FIELD(fm_dvl_reading, velocity, "velocity", "m/s", 3, FM_OUTPUT_BODY, FM_QUANTITY_VELOCITY),
    FM_OUTPUT_NUMBER(fm_dvl_reading, mode, "velocity_mode", "", FM_QUANTITY_VELOCITY_MODE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, altitude, "altitude", "m", FM_QUANTITY_ALTITUDE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, speed, "speed_gnd", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, course, "course_gnd", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, good_beams, "num_good_beams", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, sound_speed, "sound_speed", "m/s", FM_QUANTITY_SOUND_SPEED),
    FM_OUTPUT_NUMBER(fm_dvl_reading, ranges_valid, "beam_ranges_valid", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_dvl_reading, velocities_valid, "beam_velocities_valid", "", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_dvl_reading, range, "range", "m", BEAMS, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_dvl_reading, beam_velocity, "beam_velocity", "m/s", BEAMS, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_dvl_reading, beam_direction, "beam_unit_vec", "", 3 * BEAMS, FM_OUTPUT_BODY, FM_QUANTITY_NONE),
};
const fm_part_class fm_dvl_class = {.kind = FM_PART_SENSOR,
                                    .element = &dvl_element,
                                    .live_size = offsetof(dvl_config, instrument),
                                    .mount = FM_MOUNT_AT(dvl_config, instrument.mount),
                                    .message = "marine_acoustic_msgs/Dvl",
                                    .outputs = dvl_outputs,
                                    .output_count = FM_COUNT(dvl_outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_dvl,
                                    .run = run_dvl};
