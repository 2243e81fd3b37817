/* IMU: angular velocity, specific force at the mounting point, orientation. */
#include "sensors/imu.h"

#include <math.h>

#include "environment/environment.h"
#include "physics/earth.h"
#include "physics/instruments.h"
#include "sensors/describe.h"
#include "sensors/parts.h"

const char *const fm_earth_names[] = {"flat", "turning", NULL};

typedef struct imu_config {
    fm_health health;
    fm_flaws gyro, accelerometer, orientation;
    fm_instrument instrument;
    int64_t earth; /* fm_earth */
} imu_config;

/* A child element is a bare fm_flaws. */
typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;

const fm_attr fm_gyro_attrs[FM_INERTIAL_ATTRS] = {
    FM_FLAW_ATTRS_3(flaws_alone, flaws, "rad/s"),
    FM_FLAW_SCALE_3(flaws_alone, flaws),
    FM_FLAW_LIMITS(flaws_alone, flaws, "rad/s"),
};
const fm_attr fm_accelerometer_attrs[FM_INERTIAL_ATTRS] = {
    FM_FLAW_ATTRS_3(flaws_alone, flaws, "m/s2"),
    FM_FLAW_SCALE_3(flaws_alone, flaws),
    FM_FLAW_LIMITS(flaws_alone, flaws, "m/s2"),
};
static const fm_attr orientation_attrs[] = {
    FM_FLAW_ATTRS_3(flaws_alone, flaws, "rad"),
};

static const fm_element gyro_element =
    FM_CHILD_ELEMENT(imu_config, gyro, fm_flaws, "gyro", fm_gyro_attrs, NULL, "Errors of the gyroscopes.");
static const fm_element accelerometer_element =
    FM_CHILD_ELEMENT(imu_config, accelerometer, fm_flaws, "accelerometer", fm_accelerometer_attrs, NULL,
                     "Errors of the accelerometers.");
static const fm_element orientation_element =
    FM_CHILD_ELEMENT(imu_config, orientation, fm_flaws, "orientation", orientation_attrs, NULL,
                     "Errors of the orientation, as small rotations about the instrument's axes.");
static const fm_element *const children[] = {&gyro_element, &accelerometer_element, &orientation_element, NULL};
static const fm_attr imu_attrs[] = {
    FM_INSTRUMENT_ATTRS(imu_config),
    FM_EARTH_ATTR(imu_config),
};
static const fm_element imu_element = FM_TABLE_ELEMENT(
    imu_config, "imu", imu_attrs, children, 0,
    "Inertial measurement unit: angular velocity, specific force (lever arm and gravity included) and orientation.");

fm_status fm_earth_check(fm_part_load *load, int64_t earth, fm_error *error)
{
    const double most = 89 * FM_PI / 180, latitude = fm_load_environment(load)->latitude;
    if (earth == FM_EARTH_TURNING && fabs(latitude) > most)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "earth: turning at a latitude of %g deg, accepted -89 … 89 deg: nearer to a pole north is "
                            "not defined well enough",
                            latitude * 180 / FM_PI);
    return FM_OK;
}

double fm_earth_latitude(double origin, double x, double up)
{
    double meridian, across;
    fm_earth_radii(origin, &meridian, &across);
    return origin + x / (meridian + up);
}

void fm_earth_turning(double latitude, double up, const double velocity[3], double rates[3], double acceleration[3])
{
    double earth[3], transport[3], both[3];
    fm_earth_rate(latitude, earth);
    fm_transport_rate(latitude, up, velocity, transport);
    for (int i = 0; i < 3; i++) {
        rates[i] = earth[i] + transport[i];
        both[i] = 2 * earth[i] + transport[i];
    }
    fm_cross(both, velocity, acceleration);
}

/* Adds what the turning Earth gives to true rates and force. */
static void add_earth(const fm_part_context *context, const fm_mount *mount, double rates[3], double force[3])
{
    const fm_instrument_place at = fm_instrument_where(context, mount);
    double velocity[3], turn[3], felt[3], own[3];
    fm_vector_to_world(at.rotation, at.velocity, velocity);
    double latitude = fm_earth_latitude(context->environment->latitude, at.position[0], -at.position[2]);
    fm_earth_turning(latitude, -at.position[2], velocity, turn, felt);
    fm_vector_to_body(at.rotation, turn, own);
    for (int i = 0; i < 3; i++)
        rates[i] += own[i];
    fm_vector_to_body(at.rotation, felt, own);
    for (int i = 0; i < 3; i++)
        force[i] += own[i];
}

void fm_inertial_truth(const fm_part_context *context, const fm_mount *mount, int64_t earth, double rates[3],
                       double force[3])
{
    const fm_vehicle_view *v = context->vehicle;
    const double *w = v->velocity + 3, down[3] = {0, 0, v->gravity};
    double transport[3], tangential[3], inner[3], centripetal[3], gravity[3], f[3];
    fm_cross(w, v->velocity, transport);                        /* ω × v: velocity is given in turning axes */
    fm_cross(v->acceleration + 3, mount->position, tangential); /* ω̇ × r */
    fm_cross(w, mount->position, inner);
    fm_cross(w, inner, centripetal); /* ω × (ω × r) */
    fm_vector_to_body(v->rotation, down, gravity);
    for (int i = 0; i < 3; i++)
        f[i] = v->acceleration[i] + transport[i] + tangential[i] + centripetal[i] - gravity[i];
    fm_vector_to_body(mount->rotation, f, force);
    fm_vector_to_body(mount->rotation, w, rates);
    if (earth == FM_EARTH_TURNING)
        add_earth(context, mount, rates, force);
}

void fm_instrument_attitude(const fm_part_context *context, const fm_mount *mount, double q[4])
{
    fm_quat_mul(context->vehicle->attitude, mount->quaternion, q);
}

static fm_status load_imu(fm_part_load *load, void *config, fm_error *error)
{
    imu_config *c = config;
    fm_status status = fm_earth_check(load, c->earth, error);
    return status == FM_OK ? fm_instrument_load(load, &c->instrument, 9, FM_READING_WORDS(fm_imu_reading), 0, error)
                           : status;
}

static void run_imu(const fm_part_context *context)
{
    const imu_config *c = context->config, *live = context->live;
    fm_imu_reading r;
    double tilt[3] = {0};
    fm_inertial_truth(context, &c->instrument.mount, c->earth, r.angular_velocity, r.linear_acceleration);
    fm_instrument_spoil(context, &live->gyro, 0, 3, r.angular_velocity);
    fm_instrument_spoil(context, &live->accelerometer, 3, 3, r.linear_acceleration);
    fm_instrument_spoil(context, &live->orientation, 6, 3, tilt);
    fm_inertial_attitude(context->vehicle->attitude, c->instrument.mount.quaternion, tilt, r.orientation);
    fm_instrument_give(context, &c->instrument, &live->health, 1, r.angular_velocity);
}

const char *fm_imu_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2])
{
    const imu_config *c = config;
    p->kind = FM_SENSES_IMU;
    flaws[0] = fm_flaws_kernel(&c->gyro);
    flaws[1] = fm_flaws_kernel(&c->orientation);
    if (c->earth != FM_EARTH_FLAT)
        return "its <imu> feels the turning Earth";
    return fm_instrument_describe(&c->instrument, &c->health, p);
}

static const fm_output imu_outputs[] = {
    FM_OUTPUT_FIELD(fm_imu_reading, angular_velocity, "angular_velocity", "rad/s", 3, FM_OUTPUT_BODY,
                    FM_QUANTITY_RATES),
    FM_OUTPUT_FIELD(fm_imu_reading, linear_acceleration, "linear_acceleration", "m/s2", 3, FM_OUTPUT_BODY,
                    FM_QUANTITY_ACCELERATION),
    FM_OUTPUT_FIELD(fm_imu_reading, orientation, "orientation", "", 4, FM_OUTPUT_WORLD, FM_QUANTITY_ORIENTATION),
};
const fm_part_class fm_imu_class = {.kind = FM_PART_SENSOR,
                                    .element = &imu_element,
                                    .live_size = offsetof(imu_config, instrument),
                                    .mount = FM_MOUNT_AT(imu_config, instrument.mount),
                                    .message = "sensor_msgs/Imu",
                                    .outputs = imu_outputs,
                                    .output_count = FM_COUNT(imu_outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_imu,
                                    .run = run_imu};
