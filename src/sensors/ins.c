/* Strap-down inertial navigation: integrates its own gyroscopes and accelerometers over a flat, still Earth. An error
 * of its attitude lets gravity leak into the velocity. */
#include "physics/posture.h"
#include "sensors/imu.h"
#include "sensors/parts.h"

typedef struct ins_config {
    fm_health health;
    fm_flaws gyro, accelerometer;
    fm_instrument instrument;
    double tilt[3];     /* rad: error of the attitude at the start, about the instrument's axes */
    double position[3]; /* m, NED: error of the position at the start */
    double velocity[3]; /* m/s, NED: likewise */
} ins_config;

typedef struct ins_state {
    double position[3]; /* m, NED */
    double velocity[3]; /* m/s, NED */
    double attitude[4]; /* instrument → world */
    double rates[3];    /* rad/s: last sample of the gyroscopes */
    double force[3];    /* m/s²: last sample of the accelerometers, world axes */
    int64_t started;
} ins_state;

static const fm_element gyro_element =
    FM_CHILD_ELEMENT(ins_config, gyro, fm_flaws, "gyro", fm_gyro_attrs, NULL, "Errors of its gyroscopes.");
static const fm_element accelerometer_element =
    FM_CHILD_ELEMENT(ins_config, accelerometer, fm_flaws, "accelerometer", fm_accelerometer_attrs, NULL,
                     "Errors of its accelerometers.");
static const fm_element *const children[] = {&gyro_element, &accelerometer_element, NULL};
static const fm_attr ins_attrs[] = {
    FM_INSTRUMENT_ATTRS(ins_config),
    FM_VECTOR_ATTR(ins_config, tilt, 3, "tilt-error", "rad", 0, 0, "0 0 0 rad", 0,
                   "of the attitude at the start, about its axes"),
    FM_VECTOR_ATTR(ins_config, position, 3, "position-error", "m", 0, 0, "0 0 0 m", 0,
                   "at the start: north, east, down"),
    FM_VECTOR_ATTR(ins_config, velocity, 3, "velocity-error", "m/s", 0, 0, "0 0 0 m/s", 0,
                   "at the start: north, east, down"),
};
static const fm_element ins_element = FM_TABLE_ELEMENT(
    ins_config, "ins", ins_attrs, children, 0,
    "Strap-down inertial navigation system with gyroscopes and accelerometers of its own; starts at the "
    "true state plus the given errors.");

static fm_status load_ins(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((ins_config *)config)->instrument, 6, FM_READING_WORDS(fm_ins_reading),
                              sizeof(ins_state), error);
}

static void align(const fm_part_context *context, ins_state *s)
{
    const ins_config *c = context->config;
    fm_instrument_place at = fm_instrument_where(context, &c->instrument.mount);
    double q[4], tilt[4], velocity[3];
    fm_vector_to_world(at.rotation, at.velocity, velocity);
    for (int i = 0; i < 3; i++) {
        s->position[i] = at.position[i] + c->position[i];
        s->velocity[i] = velocity[i] + c->velocity[i];
    }
    fm_instrument_attitude(context, &c->instrument.mount, q);
    fm_quat_from_euler(c->tilt, tilt);
    fm_quat_mul(q, tilt, s->attitude);
}

/* The rotation of a constant rate over a time, as a quaternion, to third order in the angle. */
static void turn_by(const double rates[3], double dt, double q[4])
{
    double square = (rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2]) * dt * dt;
    double half = 0.5 * dt * (1 - square / 24);
    q[0] = 1 - square / 8;
    for (int i = 0; i < 3; i++)
        q[1 + i] = half * rates[i];
}

/* (I3) q̇ = ½ q ω, v̇ = R f + g, ẋ = v, by the trapezium rule. The accelerometers give the mean over the step. */
static void advance(const fm_part_context *context, ins_state *s, const double rates[3], const double force[3])
{
    double dt = context->period, mean[3], q[4], R[9], world[3];
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (s->rates[i] + rates[i]);
    turn_by(mean, dt, q);
    fm_quat_mul(s->attitude, q, s->attitude);
    fm_quat_normalise(s->attitude);
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_world(R, force, world);
    world[2] += context->vehicle->gravity;
    for (int i = 0; i < 3; i++) {
        double before = s->velocity[i];
        s->velocity[i] += 0.5 * dt * (s->force[i] + world[i]);
        s->position[i] += 0.5 * dt * (before + s->velocity[i]);
    }
    for (int i = 0; i < 3; i++)
        s->force[i] = world[i];
}

static void run_ins(const fm_part_context *context)
{
    const ins_config *c = context->config, *live = context->live;
    ins_state *s = fm_instrument_state(context, &c->instrument);
    double rates[3], force[3], R[9];
    fm_inertial_truth(context, &c->instrument.mount, rates, force);
    fm_instrument_spoil(context, &live->gyro, 0, 3, rates);
    fm_instrument_spoil(context, &live->accelerometer, 3, 3, force);
    if (!s->started) {
        align(context, s);
        fm_quat_matrix(s->attitude, R);
        fm_vector_to_world(R, force, s->force);
        s->force[2] += context->vehicle->gravity;
        s->started = 1;
    } else {
        advance(context, s, rates, force);
    }
    fm_ins_reading r;
    for (int i = 0; i < 3; i++) {
        s->rates[i] = r.rates[i] = rates[i];
        r.position[i] = s->position[i];
    }
    for (int i = 0; i < 4; i++)
        r.orientation[i] = s->attitude[i];
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_body(R, s->velocity, r.velocity);
    fm_instrument_give(context, &c->instrument, &live->health, 1, r.position);
}

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
                                    .run = run_ins};
