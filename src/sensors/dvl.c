/* Doppler velocity log: four downward beams, velocity by least squares over those with bottom lock. */
#include <math.h>
#include <string.h>

#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "environment/sight.h"
#include "sensors/beams.h"
#include "sensors/imperfect.h"
#include "sensors/instruments.h"
#include "sensors/parts.h"

enum { BEAMS = FM_BEAMS };

typedef struct dvl_config {
    fm_health health;
    fm_flaws velocity;    /* of each beam's velocity, m/s */
    fm_flaws range_flaws; /* of each beam's range, m */
    fm_instrument instrument;
    double range, nearest;     /* m */
    double beam_angle, turned; /* rad: of the beams from vertical; of the first beam from forward */
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

/* m along each beam to its hit, and the vertical component of its direction. */
static void cast_beams(const fm_part_context *context, const fm_instrument_pose *at, double hit[BEAMS],
                       double down[BEAMS])
{
    const dvl_config *c = context->config;
    double origin[BEAMS][3], direction[BEAMS][3];
    fm_ray_hit hits[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
        memcpy(origin[i], at->position, sizeof origin[i]);
        fm_vector_to_world(at->rotation, c->beams[i], direction[i]);
    }
    fm_sight_cast(context, BEAMS, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
    for (int i = 0; i < BEAMS; i++) {
        hit[i] = hits[i].distance;
        down[i] = direction[i][2];
    }
}

static fm_dvl_sight observe(const fm_part_context *context, const fm_instrument_pose *at)
{
    const dvl_config *c = context->config, *live = context->live;
    const fm_flaw_params speed = fm_flaws_kernel(&live->velocity), range = fm_flaws_kernel(&live->range_flaws);
    const fm_flaw_draws now = fm_instrument_flaw_draws(context);
    fm_dvl_params p = {.farthest = c->range,
                       .nearest = c->nearest,
                       .water_track = c->water_track != 0,
                       .speed = &speed,
                       .range = &range};
    fm_dvl_sight s;
    double hit[BEAMS], down[BEAMS];
    memcpy(p.beams, c->beams, sizeof p.beams);
    cast_beams(context, at, hit, down);
    fm_dvl_range(&p, hit, down, &now, &s);
    fm_dvl_speed(&p, at, context->vehicle->water, &now, &s);
    return s;
}

/* Speed and course over ground from a velocity in instrument axes. */
static void set_course(const fm_instrument_pose *at, fm_dvl_reading *r)
{
    double world[3];
    fm_vector_to_world(at->rotation, r->velocity, world);
    r->speed = fm_sqrt(world[0] * world[0] + world[1] * world[1]);
    r->course = fm_angle_positive(fm_atan2(world[1], world[0]));
}

static void run_dvl(const fm_part_context *context)
{
    const dvl_config *c = context->config, *live = context->live;
    const fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    const fm_dvl_sight s = observe(context, &at);
    fm_dvl_reading r = {.mode = s.mode,
                        .altitude = s.altitude,
                        .speed = NAN,
                        .course = NAN,
                        .good_beams = s.good,
                        .ranges_valid = s.good == BEAMS,
                        .velocities_valid = s.solved};
    memcpy(r.range, s.range, sizeof r.range);
    memcpy(r.beam_velocity, s.beam_velocity, sizeof r.beam_velocity);
    memcpy(r.velocity, s.velocity, sizeof r.velocity);
    if (s.solved && s.mode < 2)
        set_course(&at, &r);
    r.sound_speed =
        fm_water_column_sound_speed(&context->environment->column, at.position[0], at.position[1], at.position[2]);
    memcpy(r.beam_direction, c->beams, sizeof r.beam_direction);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.mode);
}

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    const dvl_config *c = config;
    p->kind = FM_SENSES_GROUND;
    p->water_track = c->water_track != 0;
    p->farthest = c->range;
    p->nearest = c->nearest;
    memcpy(p->beams, c->beams, sizeof p->beams);
    flaws[0] = fm_flaws_kernel(&c->velocity);
    flaws[1] = fm_flaws_kernel(&c->range_flaws);
    return fm_instrument_describe(&c->instrument, &c->health, p);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

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
                                    .run = run_dvl,
                                    .lanes = &lanes};
