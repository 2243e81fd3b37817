/* Strap-down inertial navigation: integrates its own gyroscopes and accelerometers, over a flat, still Earth or over
 * one that turns. An error of its attitude lets gravity leak into the velocity. */
#include "environment/environment.h"
#include "physics/posture.h"
#include "sensors/imu.h"
#include "sensors/parts.h"

typedef struct ins_config {
    fm_health health;
    fm_flaws gyro, accelerometer;
    fm_instrument instrument;
    int64_t earth;      /* fm_earth */
    double gyrocompass; /* s: it finds its attitude by itself for so long; 0: it is given */
    double tilt[3];     /* rad: error of the attitude at the start, about the instrument's axes */
    double position[3]; /* m, NED: error of the position at the start */
    double velocity[3]; /* m/s, NED: likewise */
} ins_config;

typedef struct ins_state {
    double position[3]; /* m, NED */
    double velocity[3]; /* m/s, NED */
    double attitude[4]; /* instrument → world */
    double rates[3];    /* rad/s: last sample of the gyroscopes */
    double force[3];    /* m/s²: last sample of the accelerometers and what gravity adds, world axes */
    int64_t started;
    int64_t samples;               /* of the gyrocompass so far */
    double mean_rates[3], felt[3]; /* sums of them: rad/s, m/s² */
} ins_state;

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
static const fm_element ins_element = FM_TABLE_ELEMENT(
    ins_config, "ins", ins_attrs, children, 0,
    "Strap-down inertial navigation system with gyroscopes and accelerometers of its own; starts at the "
    "true state plus the given errors.");

static fm_status load_ins(fm_part_load *load, void *config, fm_error *error)
{
    ins_config *c = config;
    if (c->gyrocompass > 0 && c->earth != FM_EARTH_TURNING)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "gyrocompass: found %g s with earth=\"flat\", accepted 0 s: without the Earth's rotation "
                            "nothing points north",
                            c->gyrocompass);
    fm_status status = fm_earth_check(load, c->earth, error);
    return status == FM_OK
               ? fm_instrument_load(load, &c->instrument, 6, FM_READING_WORDS(fm_ins_reading), sizeof(ins_state), error)
               : status;
}

/* (I3b) The attitude in which the mean force points up and the mean rate, less its part about down, points north. */
static void find_attitude(const ins_state *s, double q[4])
{
    double down[3], north[3], east[3], euler[3];
    double force = fm_sqrt(fm_dot(s->felt, s->felt));
    for (int i = 0; i < 3; i++)
        down[i] = -s->felt[i] / force;
    double about = fm_dot(s->mean_rates, down);
    for (int i = 0; i < 3; i++)
        north[i] = s->mean_rates[i] - about * down[i];
    double level = fm_sqrt(fm_dot(north, north));
    for (int i = 0; i < 3; i++)
        north[i] /= level;
    fm_cross(down, north, east);
    const double R[9] = {north[0], north[1], north[2], east[0], east[1], east[2], down[0], down[1], down[2]};
    fm_euler_from_matrix(R, euler);
    fm_quat_from_euler(euler, q);
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
    if (c->gyrocompass > 0)
        find_attitude(s, q);
    else
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

/* What the INS takes its axes to turn by, `ahead` s after its last step, and the acceleration that comes from it: by
 * its own position and velocity, so that an error of them comes back as a tilt (Schuler). */
static void own_turning(const fm_part_context *context, const ins_state *s, double ahead, double rates[3],
                        double acceleration[3])
{
    double velocity[3], up = -s->position[2];
    for (int i = 0; i < 3; i++)
        velocity[i] = s->velocity[i] + ahead * s->force[i];
    double latitude = fm_earth_latitude(context->environment->latitude, s->position[0], up);
    fm_earth_turning(latitude, up, velocity, rates, acceleration);
}

/* attitude ← turn back by the axes' own turning ⊗ attitude */
static void turn_axes(const double rates[3], double dt, double attitude[4])
{
    double q[4], back[4];
    turn_by(rates, dt, q);
    back[0] = q[0];
    for (int i = 1; i < 4; i++)
        back[i] = -q[i];
    fm_quat_mul(back, attitude, attitude);
}

/* (I3) q̇ = ½ q ω, v̇ = R f + g, ẋ = v, by the trapezium rule; over the turning Earth q̇ = ½ (q ω − ω_in q) and
 * v̇ = R f + g − (2 ω_ie + ω_en) × v (I3a). The accelerometers give the mean over the step. */
static void advance(const fm_part_context *context, ins_state *s, const double rates[3], const double force[3])
{
    const ins_config *c = context->config;
    double dt = context->period, mean[3], q[4], R[9], world[3], turning[3], felt[3] = {0};
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (s->rates[i] + rates[i]);
    turn_by(mean, dt, q);
    fm_quat_mul(s->attitude, q, s->attitude);
    if (c->earth == FM_EARTH_TURNING) {
        own_turning(context, s, 0.5 * dt, turning, felt);
        turn_axes(turning, dt, s->attitude);
        own_turning(context, s, dt, turning, felt);
    }
    fm_quat_normalise(s->attitude);
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_world(R, force, world);
    world[2] += context->vehicle->gravity;
    for (int i = 0; i < 3; i++) {
        double before = s->velocity[i];
        world[i] -= felt[i];
        s->velocity[i] += 0.5 * dt * (s->force[i] + world[i]);
        s->position[i] += 0.5 * dt * (before + s->velocity[i]);
    }
    for (int i = 0; i < 3; i++)
        s->force[i] = world[i];
}

/* The first step of the navigation, from the state it is given or has found. */
static void begin(const fm_part_context *context, ins_state *s, const double force[3])
{
    double R[9], turning[3], felt[3];
    align(context, s);
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_world(R, force, s->force);
    s->force[2] += context->vehicle->gravity;
    if (((const ins_config *)context->config)->earth == FM_EARTH_TURNING) {
        own_turning(context, s, 0, turning, felt);
        for (int i = 0; i < 3; i++)
            s->force[i] -= felt[i];
    }
    s->started = 1;
}

/* Takes a sample into the sums; whether the gyrocompass has had its time. */
static int is_found(const fm_part_context *context, ins_state *s, const double rates[3], const double force[3])
{
    const ins_config *c = context->config;
    if (c->gyrocompass <= 0)
        return 1;
    for (int i = 0; i < 3; i++) {
        s->mean_rates[i] += rates[i];
        s->felt[i] += force[i];
    }
    return (double)++s->samples * context->period >= c->gyrocompass;
}

/* Rates against the world's axes, which are what others want: without the turning of the axes themselves. */
static void take_turning_off(const fm_part_context *context, const ins_state *s, const double R[9], double rates[3])
{
    double turning[3], felt[3], own[3];
    own_turning(context, s, 0, turning, felt);
    fm_vector_to_body(R, turning, own);
    for (int i = 0; i < 3; i++)
        rates[i] -= own[i];
}

static void run_ins(const fm_part_context *context)
{
    const ins_config *c = context->config, *live = context->live;
    ins_state *s = fm_instrument_state(context, &c->instrument);
    double rates[3], force[3], R[9];
    fm_inertial_truth(context, &c->instrument.mount, c->earth, rates, force);
    fm_instrument_spoil(context, &live->gyro, 0, 3, rates);
    fm_instrument_spoil(context, &live->accelerometer, 3, 3, force);
    if (s->started)
        advance(context, s, rates, force);
    else if (is_found(context, s, rates, force))
        begin(context, s, force);
    fm_ins_reading r = {0};
    for (int i = 0; i < 3; i++) {
        s->rates[i] = r.rates[i] = rates[i];
        r.position[i] = s->position[i];
    }
    for (int i = 0; i < 4; i++)
        r.orientation[i] = s->attitude[i];
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_body(R, s->velocity, r.velocity);
    if (c->earth == FM_EARTH_TURNING && s->started)
        take_turning_off(context, s, R, r.rates);
    fm_instrument_give(context, &c->instrument, &live->health, (int)s->started, r.position);
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
