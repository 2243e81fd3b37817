/* IMU: angular velocity, specific force at the mounting point, orientation. */
#include "sensors/imu.h"

#include <math.h>

#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "environment/environment.h"
#include "sensors/instruments.h"
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
                            "earth: turning at a latitude of %g deg: must be -89 … 89 deg: nearer to a pole north is "
                            "not defined well enough",
                            latitude * 180 / FM_PI);
    return FM_OK;
}

void fm_inertial_truth(const fm_part_context *context, const fm_mount *mount, int64_t earth, double rates[3],
                       double force[3])
{
    const fm_vehicle_view *v = context->vehicle;
    const fm_inertial_motion m = {.R = v->rotation,
                                  .velocity = v->velocity,
                                  .acceleration = v->acceleration,
                                  .gravity = v->gravity,
                                  .latitude = context->environment->latitude,
                                  .turning = earth == FM_EARTH_TURNING};
    const fm_instrument_pose pose = fm_instrument_where(context, mount);
    fm_inertial_feel(&m, mount->position, mount->rotation, &pose, rates, force);
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

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    const imu_config *c = config;
    p->kind = FM_SENSES_IMU;
    flaws[0] = fm_flaws_kernel(&c->gyro);
    flaws[1] = fm_flaws_kernel(&c->orientation);
    p->turning = c->earth == FM_EARTH_TURNING;
    return fm_instrument_describe(&c->instrument, &c->health, p);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

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
                                    .run = run_imu,
                                    .lanes = &lanes};
