/* Strap-down inertial navigation: integrates its own gyroscopes and accelerometers, over a flat, fixed Earth or a
 * rotating one. An attitude error lets gravity leak into the velocity. */
#include <string.h>

#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "environment/environment.h"
#include "sensors/imu.h"
#include "sensors/parts.h"

typedef struct ins_config {
    fm_health health;
    fm_flaws gyro, accelerometer;
    fm_instrument instrument;
    int64_t earth;      /* fm_earth */
    double gyrocompass; /* s: duration of its own alignment; 0: the attitude is given */
    double tilt[3];     /* rad: error of the initial attitude, about the instrument's axes */
    double position[3]; /* m, NED: error of the initial position */
    double velocity[3]; /* m/s, NED: error of the initial velocity */
} ins_config;

static const fm_element gyro_element =
    FM_CHILD_ELEMENT(ins_config, gyro, fm_flaws, "gyro", fm_gyro_attrs, NULL, "Errors of its gyroscopes.");
static const fm_element accelerometer_element =
    FM_CHILD_ELEMENT(ins_config, accelerometer, fm_flaws, "accelerometer", fm_accelerometer_attrs, NULL,
                     "Errors of its accelerometers.");
static const fm_element *const children[] = {&gyro_element, &accelerometer_element, NULL};
static const fm_attr ins_attrs[] = {
    FM_INSTRUMENT_ATTRS(ins_config),
    FM_EARTH_ATTR(ins_config),
    FM_REAL_ATTR(ins_config, gyrocompass, "gyrocompass", "s", 0, 1e5, "0 s", 0,
                 "time at the start in which it finds down and north from its own accelerometers and gyroscopes, on "
                 "the turning Earth, and gives nothing; 0: the true attitude is given to it"),
    FM_VECTOR_ATTR(ins_config, tilt, 3, "tilt-error", "rad", 0, 0, "0 0 0 rad", 0,
                   "of the attitude at the start, about its axes"),
    FM_VECTOR_ATTR(ins_config, position, 3, "position-error", "m", 0, 0, "0 0 0 m", 0,
                   "at the start: north, east, down"),
    FM_VECTOR_ATTR(ins_config, velocity, 3, "velocity-error", "m/s", 0, 0, "0 0 0 m/s", 0,
                   "at the start: north, east, down"),
};
static const fm_element ins_element =
    FM_TABLE_ELEMENT(ins_config, "ins", ins_attrs, children, 0,
                     "Strap-down inertial navigation system with its own gyroscopes and accelerometers; starts at the "
                     "true state plus the given errors.");

static fm_status load_ins(fm_part_load *load, void *config, fm_error *error)
{
    ins_config *c = config;
    if (c->gyrocompass > 0 && c->earth != FM_EARTH_TURNING)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "gyrocompass: %g s with earth=\"flat\" is out of range: must be 0 s: without the Earth's "
                            "rotation nothing points north",
                            c->gyrocompass);
    fm_status status = fm_earth_check(load, c->earth, error);
    return status == FM_OK ? fm_instrument_load(load, &c->instrument, 6, FM_READING_WORDS(fm_ins_reading),
                                                sizeof(fm_ins_state), error)
                           : status;
}

static fm_ins_params params_of(const fm_part_context *context)
{
    const ins_config *c = context->config;
    fm_ins_params p = {.turning = c->earth == FM_EARTH_TURNING,
                       .gravity = context->vehicle->gravity,
                       .latitude = context->environment->latitude,
                       .gyrocompass = c->gyrocompass};
    memcpy(p.tilt, c->tilt, sizeof p.tilt);
    memcpy(p.position, c->position, sizeof p.position);
    memcpy(p.velocity, c->velocity, sizeof p.velocity);
    return p;
}

static void run_ins(const fm_part_context *context)
{
    const ins_config *c = context->config, *live = context->live;
    const fm_mount *mount = &c->instrument.mount;
    fm_ins_state *s = fm_instrument_state(context, &c->instrument);
    const fm_ins_params p = params_of(context);
    const fm_instrument_pose pose = fm_instrument_where(context, mount);
    fm_ins_truth truth = {.pose = &pose};
    double rates[3], force[3];
    fm_ins_reading r = {0};
    fm_quat_mul(context->vehicle->attitude, mount->quaternion, truth.attitude);
    fm_inertial_truth(context, mount, c->earth, rates, force);
    fm_instrument_spoil(context, &live->gyro, 0, 3, rates);
    fm_instrument_spoil(context, &live->accelerometer, 3, 3, force);
    fm_ins_step(&p, &truth, rates, force, context->period, s, r.rates, r.velocity);
    memcpy(r.position, s->position, sizeof r.position);
    memcpy(r.orientation, s->attitude, sizeof r.orientation);
    fm_instrument_give(context, &c->instrument, &live->health, s->started > 0, r.position);
}

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    const ins_config *c = config;
    p->kind = FM_SENSES_INS;
    p->turning = c->earth == FM_EARTH_TURNING;
    p->gyrocompass = c->gyrocompass;
    memcpy(p->tilt, c->tilt, sizeof p->tilt);
    memcpy(p->off, c->position, sizeof p->off);
    memcpy(p->drift, c->velocity, sizeof p->drift);
    flaws[0] = fm_flaws_kernel(&c->gyro);
    flaws[1] = fm_flaws_kernel(&c->accelerometer);
    return fm_instrument_describe(&c->instrument, &c->health, p);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

static const fm_output ins_outputs[] = {
    FM_OUTPUT_FIELD(fm_ins_reading, position, "pose.pose.position", "m", 3, FM_OUTPUT_WORLD, FM_QUANTITY_POSITION),
    FM_OUTPUT_FIELD(fm_ins_reading, orientation, "pose.pose.orientation", "", 4, FM_OUTPUT_WORLD,
                    FM_QUANTITY_ORIENTATION),
    FM_OUTPUT_FIELD(fm_ins_reading, velocity, "twist.twist.linear", "m/s", 3, FM_OUTPUT_BODY, FM_QUANTITY_VELOCITY),
    FM_OUTPUT_FIELD(fm_ins_reading, rates, "twist.twist.angular", "rad/s", 3, FM_OUTPUT_BODY, FM_QUANTITY_RATES),
};
const fm_part_class fm_ins_class = {.kind = FM_PART_SENSOR,
                                    .element = &ins_element,
                                    .live_size = offsetof(ins_config, instrument),
                                    .mount = FM_MOUNT_AT(ins_config, instrument.mount),
                                    .message = "nav_msgs/Odometry",
                                    .outputs = ins_outputs,
                                    .output_count = FM_COUNT(ins_outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_ins,
                                    .run = run_ins,
                                    .lanes = &lanes};
