#include "bridges/mavlink/mavlink_fill.h"

#include <math.h>
#include <string.h>

#include "physics/real.h"

#define DEGREES (180 / 3.14159265358979323846)
enum { FIX_NONE = 1, FIX_3D = 3, SATELLITES = 10 };

/* --- numbers in MAVLink's encodings; values out of range are clamped --- */

static double hold(double x, double least, double most)
{
    return x != x ? 0 : x < least ? least : x > most ? most : x;
}

static int32_t whole(double x)
{
    return (int32_t)floor(hold(x, INT32_MIN, INT32_MAX) + 0.5);
}

static int16_t short_of(double x)
{
    return (int16_t)floor(hold(x, INT16_MIN, INT16_MAX) + 0.5);
}

static uint16_t count_of(double x)
{
    return (uint16_t)floor(hold(x, 0, UINT16_MAX - 1) + 0.5);
}

static uint32_t milliseconds(const fm_pilot_view *v)
{
    return (uint32_t)(uint64_t)floor(v->time * 1e3 + 0.5);
}

static uint64_t microseconds(const fm_pilot_view *v)
{
    return (uint64_t)floor(v->time * 1e6 + 0.5);
}

static double speed_of(const fm_pilot_view *v)
{
    return sqrt(v->velocity[0] * v->velocity[0] + v->velocity[1] * v->velocity[1]);
}

/* Over ground, hundredths of a degree, below 360. */
static uint16_t course_of(const fm_pilot_view *v)
{
    double course = fm_atan2(v->velocity[1], v->velocity[0]) * DEGREES;
    return (uint16_t)(whole((course < 0 ? course + 360 : course) * 100) % 36000);
}

static float half_turn(double angle)
{
    return (float)remainder(angle, 2 * 3.14159265358979323846);
}

/* --- for a ground station --- */

/* MAV_SENSOR_ORIENTATION of an instrument along an axis; 100: custom, given by its quaternion. */
static uint8_t orientation_of(const double axis[3])
{
    static const struct {
        double axis[3];
        uint8_t number;
    } known[] = {{{1, 0, 0}, 0}, {{0, 1, 0}, 2}, {{-1, 0, 0}, 4}, {{0, -1, 0}, 6}, {{0, 0, -1}, 24}, {{0, 0, 1}, 25}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (axis[0] * known[i].axis[0] + axis[1] * known[i].axis[1] + axis[2] * known[i].axis[2] > 0.99)
            return known[i].number;
    return 100;
}

/* The shortest rotation from forward to the axis. */
static void turn_to(const double axis[3], float q[4])
{
    double w = 1 + axis[0], length = sqrt(w * w + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = (float)(w / length);
    q[1] = 0;
    q[2] = (float)(-axis[2] / length);
    q[3] = (float)(axis[1] / length);
}

static void add_ranges(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    for (size_t i = 0; i < v->range_count; i++) {
        const fm_pilot_range *r = &v->ranges[i];
        fm_mav_distance_sensor m = {.time_boot_ms = milliseconds(v),
                                    .min_distance = count_of(r->nearest * 100),
                                    .max_distance = count_of(r->farthest * 100),
                                    .current_distance = count_of(r->distance * 100),
                                    .type = 1,
                                    .id = (uint8_t)i,
                                    .orientation = orientation_of(r->axis),
                                    .covariance = UINT8_MAX,
                                    .signal_quality = r->distance > r->farthest ? 1 : 100};
        if (m.orientation == 100)
            turn_to(r->axis, m.quaternion);
        if (mail->size + FM_MAV_MOST <= sizeof mail->bytes)
            mail->size += fm_mav_distance_sensor_write(from, &m, mail->bytes + mail->size);
    }
}

static void add_position(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    const double *p = v->position, *u = v->velocity;
    const int32_t latitude = whole(v->geodetic.latitude * DEGREES * 1e7),
                  longitude = whole(v->geodetic.longitude * DEGREES * 1e7), height = whole(v->geodetic.height * 1e3);
    FM_MAV_ADD(mail, from, local_position_ned,
               {milliseconds(v), (float)p[0], (float)p[1], (float)p[2], (float)u[0], (float)u[1], (float)u[2]});
    FM_MAV_ADD(mail, from, global_position_int,
               {.time_boot_ms = milliseconds(v),
                .lat = latitude,
                .lon = longitude,
                .alt = height,
                .relative_alt = height,
                .vx = short_of(u[0] * 100),
                .vy = short_of(u[1] * 100),
                .vz = short_of(u[2] * 100),
                .hdg = (uint16_t)(whole(v->euler[2] * DEGREES * 100) % 36000)});
    FM_MAV_ADD(mail, from, gps_raw_int,
               {.time_usec = microseconds(v),
                .lat = latitude,
                .lon = longitude,
                .alt = height,
                .eph = v->dry ? 100 : UINT16_MAX,
                .epv = v->dry ? 150 : UINT16_MAX,
                .vel = count_of(speed_of(v) * 100),
                .cog = course_of(v),
                .fix_type = v->dry ? FIX_3D : FIX_NONE,
                .satellites_visible = v->dry ? SATELLITES : 0});
}

void fm_mav_add_motion(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    FM_MAV_ADD(mail, from, attitude,
               {milliseconds(v), half_turn(v->euler[0]), half_turn(v->euler[1]), half_turn(v->euler[2]),
                (float)v->rates[0], (float)v->rates[1], (float)v->rates[2]});
    add_position(mail, from, v);
    FM_MAV_ADD(mail, from, vfr_hud,
               {.airspeed = (float)v->ahead,
                .groundspeed = (float)speed_of(v),
                .alt = (float)v->geodetic.height,
                .climb = (float)-v->velocity[2],
                .heading = (int16_t)(whole(v->euler[2] * DEGREES) % 360)});
    FM_MAV_ADD(mail, from, scaled_pressure,
               {.time_boot_ms = milliseconds(v),
                .press_abs = (float)(v->pressure * 0.01),
                .temperature = short_of(v->temperature * 100)});
    add_ranges(mail, from, v);
}

/* Gyroscope, accelerometer, magnetometer, absolute pressure, GPS, laser or sonar, battery. */
enum { SENSORS = 1 | 2 | 4 | 8 | 32, RANGES = 256, BATTERY = 1 << 25 };

static void add_battery(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    fm_mav_battery_status b = {.current_consumed = -1,
                               .energy_consumed = -1,
                               .temperature = INT16_MAX,
                               .current_battery = -1,
                               .battery_function = 1,
                               .battery_remaining = (int8_t)whole(v->remaining * 100)};
    for (int i = 0; i < 10; i++)
        b.voltages[i] = UINT16_MAX;
    if (v->battery[0] > 0) {
        b.voltages[0] = count_of(v->battery[0] * 1e3);
        b.current_battery = short_of(v->battery[1] * 100);
    }
    if (mail->size + FM_MAV_MOST <= sizeof mail->bytes)
        mail->size += fm_mav_battery_status_write(from, &b, mail->bytes + mail->size);
}

void fm_mav_add_status(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    const int battery = v->remaining == v->remaining;
    const uint32_t has = SENSORS | (v->range_count ? RANGES : 0u) | (battery ? BATTERY : 0u);
    FM_MAV_ADD(mail, from, sys_status,
               {.onboard_control_sensors_present = has,
                .onboard_control_sensors_enabled = has,
                .onboard_control_sensors_health = has,
                .voltage_battery = v->battery[0] > 0 ? count_of(v->battery[0] * 1e3) : UINT16_MAX,
                .current_battery = v->battery[0] > 0 ? short_of(v->battery[1] * 100) : -1,
                .battery_remaining = battery ? (int8_t)whole(v->remaining * 100) : -1});
    FM_MAV_ADD(mail, from, system_time, {.time_boot_ms = milliseconds(v)});
    if (battery)
        add_battery(mail, from, v);
}

/* --- for PX4 --- */

/* The standard atmosphere: temperature at altitude 0, K; how it falls, K/m; pressure, Pa; g M / (R lapse). */
#define AIR_TEMPERATURE 288.15
#define AIR_LAPSE 0.0065
#define AIR_PRESSURE 101325.0
#define AIR_EXPONENT 5.255880

/* (I19) Pressure of air at an altitude, also below the surface: PX4 takes altitude from nothing else. */
static double barometer(const fm_pilot_view *v)
{
    return v->air_pressure * fm_pow(1 - AIR_LAPSE * v->geodetic.height / AIR_TEMPERATURE, AIR_EXPONENT);
}

static double pressure_altitude(double pressure)
{
    return AIR_TEMPERATURE / AIR_LAPSE * (1 - fm_pow(pressure / AIR_PRESSURE, 1 / AIR_EXPONENT));
}

void fm_mav_add_sensors(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    const double *f = v->force, *w = v->rates, *m = v->magnetic, gauss = 1e-5; /* of 1 nT */
    const double pressure = barometer(v);
    FM_MAV_ADD(mail, from, hil_sensor,
               {.time_usec = microseconds(v),
                .xacc = (float)f[0],
                .yacc = (float)f[1],
                .zacc = (float)f[2],
                .xgyro = (float)w[0],
                .ygyro = (float)w[1],
                .zgyro = (float)w[2],
                .xmag = (float)(m[0] * gauss),
                .ymag = (float)(m[1] * gauss),
                .zmag = (float)(m[2] * gauss),
                .abs_pressure = (float)(pressure * 0.01),
                .pressure_alt = (float)pressure_altitude(pressure),
                .temperature = (float)v->temperature,
                .fields_updated = 0x1FFF});
}

void fm_mav_add_gps(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    FM_MAV_ADD(mail, from, hil_gps,
               {.time_usec = microseconds(v),
                .lat = whole(v->geodetic.latitude * DEGREES * 1e7),
                .lon = whole(v->geodetic.longitude * DEGREES * 1e7),
                .alt = whole(v->geodetic.height * 1e3),
                .eph = v->dry ? 100 : UINT16_MAX,
                .epv = v->dry ? 150 : UINT16_MAX,
                .vel = count_of(speed_of(v) * 100),
                .vn = short_of(v->velocity[0] * 100),
                .ve = short_of(v->velocity[1] * 100),
                .vd = short_of(v->velocity[2] * 100),
                .cog = course_of(v),
                .fix_type = v->dry ? FIX_3D : 0,
                .satellites_visible = v->dry ? SATELLITES : 0});
}

void fm_mav_add_truth(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *v)
{
    const double mg = 1e3 / 9.80665; /* of 1 m/s² */
    FM_MAV_ADD(mail, from, hil_state_quaternion,
               {.time_usec = microseconds(v),
                .attitude_quaternion = {(float)v->attitude[0], (float)v->attitude[1], (float)v->attitude[2],
                                        (float)v->attitude[3]},
                .rollspeed = (float)v->rates[0],
                .pitchspeed = (float)v->rates[1],
                .yawspeed = (float)v->rates[2],
                .lat = whole(v->geodetic.latitude * DEGREES * 1e7),
                .lon = whole(v->geodetic.longitude * DEGREES * 1e7),
                .alt = whole(v->geodetic.height * 1e3),
                .vx = short_of(v->velocity[0] * 100),
                .vy = short_of(v->velocity[1] * 100),
                .vz = short_of(v->velocity[2] * 100),
                .ind_airspeed = count_of(v->ahead * 100),
                .true_airspeed = count_of(v->ahead * 100),
                .xacc = short_of(v->force[0] * mg),
                .yacc = short_of(v->force[1] * mg),
                .zacc = short_of(v->force[2] * mg)});
}
