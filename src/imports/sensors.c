/* Sensors: those of SDF and <gazebo>, and the sensor plugins of UUV Simulator. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "imports/robot.h"
#include "physics/angle.h"

#define ROOT_3 1.7320508075688772 /* half width of an even distribution over its standard deviation */

/* ---- what they share ---- */

static void begin(fm_import *m, const char *element, const char *name, double rate, const fm_robot_pose *at)
{
    fm_text_add(&m->sensors, "  <%s name=\"%s\"", element, fm_import_name(m, name));
    if (rate > 0)
        fm_import_put_one(&m->sensors, "period", 1 / rate, "s");
    fm_import_put_mount(&m->sensors, at);
}

/* A rate is kept where the ticks of the written scenario, 10 ms, contain it; otherwise it is the next one. */
static double rate_of(fm_import *m, fm_foreign *xml, const char *name)
{
    double rate = fm_import_number(m, xml, name, 0, 0, 1e6);
    fm_foreign *at = fm_foreign_child(xml, name);
    if (!at || rate == 0)
        return 0;
    const double ticks = floor(100 / rate + 0.5), rounded = 100 / fmax(1, fmin(ticks, 1e7));
    if (fabs(rounded - rate) > 1e-9 * rate)
        fm_import_remark(m, at, "%g Hz: the period is %g s, a whole number of ticks of 0.01 s", rate, 1 / rounded);
    return rounded;
}

/* Errors of a <noise>, or of a parent that has one; constant errors of each run are drawn evenly in Fathom. */
static void put_noise(fm_import *m, fm_foreign *parent, const char *unit)
{
    fm_foreign *noise = parent && fm_foreign_is(parent, "noise") ? parent : fm_foreign_child(parent, "noise");
    if (!noise)
        return;
    const char *type = fm_foreign_attr_get(noise, "type");
    if (!type)
        type = fm_import_text(noise, "type");
    if (type && strcmp(type, "none") == 0)
        return;
    const double deviation = fm_import_number(m, noise, "stddev", 0, 0, 1e12),
                 mean = fm_import_number(m, noise, "mean", 0, -1e12, 1e12) +
                        fm_import_number(m, noise, "bias_mean", 0, -1e12, 1e12),
                 spread = fm_import_number(m, noise, "bias_stddev", 0, 0, 1e12),
                 wander = fm_import_number(m, noise, "dynamic_bias_stddev", 0, 0, 1e12),
                 time = fm_import_number(m, noise, "dynamic_bias_correlation_time", 0, 0, 1e9),
                 step = fm_import_number(m, noise, "precision", 0, 0, 1e12);
    if (deviation > 0)
        fm_import_put_one(&m->sensors, "noise", deviation, unit);
    if (mean != 0 && strcmp(unit, "rad/s") != 0 && strcmp(unit, "m/s2") != 0)
        fm_import_put_one(&m->sensors, "bias", mean, unit);
    else if (mean != 0)
        fm_import_put(&m->sensors, "bias", (const double[]){mean, mean, mean}, 3, unit);
    if (spread > 0)
        fm_import_put_one(&m->sensors, "bias-spread", ROOT_3 * spread, unit);
    if (wander > 0 && time >= 0.001) {
        fm_import_put_one(&m->sensors, "drift", wander, unit);
        fm_import_put_one(&m->sensors, "drift-time", time, "s");
    }
    if (step > 0)
        fm_import_put_one(&m->sensors, "quantum", step, unit);
}

/* ---- of SDF ---- */

typedef struct source {
    fm_foreign *xml;
    const char *name;
    double rate;
    fm_robot_pose at;
} source;

static bool same_text(const fm_foreign *a, const fm_foreign *b)
{
    return strcmp(a->text, b->text) == 0;
}

/* Whether two elements hold the same. */
static bool is_same(const fm_foreign *a, const fm_foreign *b)
{
    const fm_foreign *x = a->first, *y = b->first;
    for (; x && y && strcmp(x->name, y->name) == 0 && is_same(x, y); x = x->next)
        y = y->next;
    return !x && !y && same_text(a, b);
}

/* Axes of an instrument share their errors in Fathom: those of x. */
static void put_axes(fm_import *m, fm_foreign *parent, const char *element, const char *unit)
{
    fm_foreign *x = fm_foreign_child(parent, "x"), *y = fm_foreign_child(parent, "y"),
               *z = fm_foreign_child(parent, "z");
    if (!x && !fm_foreign_child(parent, "noise"))
        return;
    fm_text_add(&m->sensors, "    <%s", element);
    put_noise(m, x ? x : parent, unit);
    fm_text_add(&m->sensors, "/>\n");
    fm_foreign *const others[2] = {y, z};
    for (int i = 0; i < 2; i++)
        if (x && others[i] && is_same(x, others[i]))
            fm_foreign_accept(others[i]);
        else if (others[i]) {
            fm_import_lose(m, others[i], "its errors differ from those of x, which all axes have in Fathom");
            fm_foreign_accept(others[i]);
        }
}

static void put_imu(fm_import *m, const source *s)
{
    fm_foreign *imu = fm_foreign_child(s->xml, "imu");
    begin(m, "imu", s->name, s->rate, &s->at);
    fm_text_add(&m->sensors, ">\n");
    put_axes(m, fm_foreign_child(imu, "angular_velocity"), "gyro", "rad/s");
    put_axes(m, fm_foreign_child(imu, "linear_acceleration"), "accelerometer", "m/s2");
    fm_text_add(&m->sensors, "  </imu>\n");
}

static void put_compass(fm_import *m, const source *s)
{
    begin(m, "compass", s->name, s->rate, &s->at);
    fm_text_add(&m->sensors, "/>\n");
    fm_import_remark(m, s->xml,
                     "the magnetometer is a compass: it gives the heading, errors of the field are not imported");
}

static void put_pressure(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "air_pressure");
    begin(m, "pressure", s->name, s->rate, &s->at);
    put_noise(m, fm_foreign_child(own, "pressure"), "Pa");
    fm_text_add(&m->sensors, "/>\n");
}

/* Gazebo's altimeter measures height in the world, not the distance from the bottom. */
static void put_altimeter(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "altimeter");
    begin(m, "depth", s->name, s->rate, &s->at);
    put_noise(m, fm_foreign_child(own, "vertical_position"), "m");
    fm_text_add(&m->sensors, "/>\n");
    fm_import_remark(m, s->xml, "Gazebo's altimeter gives the height in the world: it is a depth sensor");
}

static void put_gps(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "navsat");
    if (!own)
        own = fm_foreign_child(s->xml, "gps");
    fm_foreign *sensing = fm_foreign_child(own, "position_sensing"), *vertical = fm_foreign_child(sensing, "vertical");
    begin(m, "gps", s->name, s->rate, &s->at);
    fm_foreign *noise = fm_foreign_child(fm_foreign_child(sensing, "horizontal"), "noise");
    const double deviation = fm_import_number(m, noise, "stddev", 0, 0, 1e12),
                 spread = fm_import_number(m, noise, "bias_stddev", 0, 0, 1e12);
    if (deviation > 0)
        fm_import_put_one(&m->sensors, "noise", deviation, "m");
    if (spread > 0)
        fm_import_put_one(&m->sensors, "bias-spread", ROOT_3 * spread, "m");
    fm_text_add(&m->sensors, ">\n");
    if (vertical) {
        fm_text_add(&m->sensors, "    <vertical");
        put_noise(m, vertical, "m");
        fm_text_add(&m->sensors, "/>\n");
    }
    fm_text_add(&m->sensors, "  </gps>\n");
}

static void put_camera(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "camera"), *image = fm_foreign_child(own, "image"),
               *clip = fm_foreign_child(own, "clip");
    begin(m, "camera", s->name, s->rate, &s->at);
    fm_import_put_one(&m->sensors, "field-of-view", fm_import_number(m, own, "horizontal_fov", 1.047, 0.01, 3.1),
                      "rad");
    fm_import_put_one(&m->sensors, "width", floor(fm_import_number(m, image, "width", 320, 1, 8192)), "");
    fm_import_put_one(&m->sensors, "height", floor(fm_import_number(m, image, "height", 240, 1, 8192)), "");
    const double range = fm_import_number(m, clip, "far", 0, 0, 1e12);
    if (range >= 0.1 && range <= 10000)
        fm_import_put_one(&m->sensors, "range", range, "m");
    fm_text_add(&m->sensors, "/>\n");
}

/* Half of the width of a scan and its number of rays. */
static void put_scan(fm_import *m, fm_foreign *scan, const char *way, const char *angle, const char *rays, double most)
{
    fm_foreign *own = fm_foreign_child(scan, way);
    const double low = fm_import_number(m, own, "min_angle", 0, -7, 7),
                 high = fm_import_number(m, own, "max_angle", 0, -7, 7),
                 count = fm_import_number(m, own, "samples", 1, 1, 1e6);
    fm_import_put_one(&m->sensors, angle, fmin(fabs(high - low) / 2, most), "rad");
    fm_import_put_one(&m->sensors, rays, fmin(floor(count), 1024), "");
    if (own && fabs(high + low) > 1e-6)
        fm_import_lose(m, own, "goes from %g to %g rad: in Fathom as far either way, %g rad", low, high,
                       (high - low) / 2);
    if (own && count > 1024)
        fm_import_lose(m, own, "%g rays: in Fathom up to 1024", count);
}

static void put_lidar(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "lidar");
    if (!own)
        own = fm_foreign_child(s->xml, "ray");
    fm_foreign *scan = fm_foreign_child(own, "scan"), *range = fm_foreign_child(own, "range");
    begin(m, "sonar", s->name, s->rate, &s->at);
    const double most = fm_import_number(m, range, "max", 50, 0, 1e300);
    fm_import_put_one(&m->sensors, "range", fmax(0.001, fmin(most, 12000)), "m");
    fm_import_put_one(&m->sensors, "nearest", fm_import_number(m, range, "min", 0, 0, 1000), "m");
    put_scan(m, scan, "horizontal", "half-angle", "rays", 3.1416);
    put_scan(m, scan, "vertical", "vertical-half-angle", "vertical-rays", 1.5708);
    put_noise(m, fm_foreign_child(own, "noise"), "m");
    fm_text_add(&m->sensors, "/>\n");
    fm_import_remark(m, s->xml, "its rays are those of a range sonar, which gives the shortest range");
}

/* Four beams, evenly around the vertical. */
static void put_dvl(fm_import *m, const source *s)
{
    fm_foreign *own = fm_foreign_child(s->xml, "dvl"), *arrangement = fm_foreign_child(own, "arrangement");
    const char *degrees = fm_foreign_attr_get(arrangement, "degrees");
    const double scale = degrees && (strcmp(degrees, "true") == 0 || strcmp(degrees, "1") == 0) ? FM_DEGREE : 1;
    double tilt = 30 * FM_DEGREE, turn = 45 * FM_DEGREE;
    size_t count = 0;
    begin(m, "dvl", s->name, s->rate, &s->at);
    for (fm_foreign *beam = NULL; (beam = fm_foreign_next(arrangement, "beam", beam)); count++) {
        const double own_tilt = scale * fm_import_number(m, beam, "tilt", tilt / scale, -360, 360),
                     own_turn = scale * fm_import_number(m, beam, "rotation", 0, -720, 720);
        double off = 0;
        if (count == 0) {
            tilt = own_tilt;
            turn = own_turn;
        } else {
            off = fabs(own_turn - turn) / (FM_PI / 2);
            off = fabs(off - floor(off + 0.5));
        }
        if (off > 0.01 || fabs(own_tilt - tilt) > 0.01)
            fm_import_lose(m, beam, "a DVL of Fathom has four beams of one tilt, every 90 deg");
        fm_foreign_attr_get(beam, "id");
    }
    if (count && count != 4)
        fm_import_lose(m, arrangement, "has %zu beams: a DVL of Fathom has four", count);
    if (m->status == FM_OK && !(tilt >= 0.017 && tilt <= 1.4))
        fm_import_fail(m, arrangement, FM_ERR_RANGE, "tilt %g rad is out of range: must be 0.017 to 1.4 rad", tilt);
    fm_import_put_one(&m->sensors, "beam-angle", tilt, "rad");
    fm_import_put_one(&m->sensors, "beam-azimuth", -turn, "rad"); /* to port in the source, to starboard here */
    fm_foreign *tracking = fm_foreign_child(own, "tracking"), *water = fm_foreign_child(tracking, "water_mass_mode");
    put_noise(m, fm_foreign_child(fm_foreign_child(tracking, "bottom_mode"), "noise"), "m/s");
    fm_import_put_one(&m->sensors, "range", fm_import_number(m, own, "maximum_range", 100, 0.01, 5000), "m");
    fm_import_put_one(&m->sensors, "nearest", fm_import_number(m, own, "minimum_range", 0, 0, 100), "m");
    fm_text_add(&m->sensors, "%s/>\n", water ? " water-track=\"true\"" : "");
}

static void take_sensor(fm_import *m, const fm_robot_link *link, const fm_robot_sensor *sensor)
{
    static const struct {
        const char *type;
        void (*put)(fm_import *m, const source *s);
    } kinds[] = {{"imu", put_imu},
                 {"magnetometer", put_compass},
                 {"air_pressure", put_pressure},
                 {"altimeter", put_altimeter},
                 {"navsat", put_gps},
                 {"gps", put_gps},
                 {"camera", put_camera},
                 {"gpu_lidar", put_lidar},
                 {"gpu_ray", put_lidar},
                 {"lidar", put_lidar},
                 {"ray", put_lidar},
                 {"dvl", put_dvl}};
    const char *type = NULL, *name = fm_foreign_attr_get(sensor->xml, "name");
    for (fm_foreign_attr *a = sensor->xml->attrs; a; a = a->next)
        if (strcmp(a->name, "type") == 0 || strcmp(a->name, "gz:type") == 0 || strcmp(a->name, "ignition:type") == 0) {
            a->read = true;
            if (!type || strcmp(type, "custom") == 0 || strcmp(a->name, "type") != 0)
                type = a->value;
        }
    for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].type) == 0) {
            const source s = {sensor->xml, name ? name : type, rate_of(m, sensor->xml, "update_rate"),
                              fm_import_in_body(m, link, &sensor->mount)};
            fm_foreign_child(sensor->xml, "always_on");
            kinds[i].put(m, &s);
            return;
        }
    fm_import_lose(m, sensor->xml, "type '%.40s' has no counterpart in Fathom", type ? type : "");
    fm_foreign_accept(sensor->xml);
}

void fm_import_sensors(fm_import *m)
{
    for (const fm_robot_link *link = m->robot.links; link; link = link->next)
        for (const fm_robot_sensor *x = link->attached ? link->sensors : NULL; x && m->status == FM_OK; x = x->next)
            take_sensor(m, link, x);
}

/* ---- of UUV Simulator ---- */

/* Noise density, random walk and turn-on bias, as Kalibr has them. */
static void put_density(fm_import *m, fm_foreign *xml, const char *kind, double rate, const char *element,
                        const char *unit)
{
    char names[4][64];
    static const char *const ends[4] = {"noise_density", "random_walk", "bias_correlation_time", "turn_on_bias_sigma"};
    double value[4];
    for (int i = 0; i < 4; i++) {
        snprintf(names[i], sizeof names[i], "%s_%s", kind, ends[i]);
        value[i] = fm_import_number(m, xml, names[i], 0, 0, 1e9);
    }
    fm_text_add(&m->sensors, "    <%s", element);
    if (value[0] > 0)
        fm_import_put_one(&m->sensors, "noise", value[0] * sqrt(rate), unit);
    if (value[3] > 0)
        fm_import_put_one(&m->sensors, "bias-spread", ROOT_3 * value[3], unit);
    if (value[1] > 0 && value[2] >= 0.001) {
        fm_import_put_one(&m->sensors, "drift", value[1] * sqrt(value[2] / 2), unit);
        fm_import_put_one(&m->sensors, "drift-time", value[2], "s");
    }
    fm_text_add(&m->sensors, "/>\n");
}

static void put_uuv_imu(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at)
{
    begin(m, "imu", name, rate, at);
    fm_text_add(&m->sensors, ">\n");
    put_density(m, xml, "gyroscope", rate > 0 ? rate : 100, "gyro", "rad/s");
    put_density(m, xml, "accelerometer", rate > 0 ? rate : 100, "accelerometer", "m/s2");
    const double noise = fm_import_number(m, xml, "orientation_noise", 0, 0, 100);
    if (noise > 0) {
        fm_text_add(&m->sensors, "    <orientation");
        fm_import_put_one(&m->sensors, "noise", noise, "rad");
        fm_text_add(&m->sensors, "/>\n");
    }
    fm_text_add(&m->sensors, "  </imu>\n");
}

/* Its link looks down along its own x. */
static void put_uuv_dvl(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at)
{
    static const fm_robot_pose down = {.R = {0, 0, -1, 0, 1, 0, 1, 0, 0}};
    const fm_robot_pose turned = fm_robot_pose_chain(at, &down);
    const double noise = fm_import_number(m, xml, "noise_sigma", 0, 0, 1e6);
    begin(m, "dvl", name, rate, &turned);
    if (noise > 0)
        fm_import_put_one(&m->sensors, "noise", noise, "m/s");
    fm_text_add(&m->sensors, "/>\n");
    fm_import_remark(m, xml, "the noise is that of each beam in Fathom; beams 30 deg from the vertical, up to 100 m");
}

static void put_uuv_pressure(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at)
{
    const double noise = 1000 * fm_import_number(m, xml, "noise_sigma", 0, 0, 1e9),
                 most = 1000 * fm_import_number(m, xml, "saturation", 0, 0, 1e9);
    begin(m, "pressure", name, rate, at);
    if (noise > 0)
        fm_import_put_one(&m->sensors, "noise", noise, "Pa");
    if (most > 0)
        fm_import_put_one(&m->sensors, "maximum", most, "Pa");
    fm_text_add(&m->sensors, "/>\n");
    if (fm_import_flag(m, xml, "estimate_depth_on", false)) {
        begin(m, "depth", name, rate, at);
        fm_text_add(&m->sensors, "/>\n");
    }
}

static void put_uuv_gps(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at)
{
    const double across = fm_import_number(m, xml, "horizontal_pos_std_dev", 0, 0, 1e6),
                 up = fm_import_number(m, xml, "vertical_pos_std_dev", 0, 0, 1e6);
    begin(m, "gps", name, rate, at);
    if (across > 0)
        fm_import_put_one(&m->sensors, "noise", across, "m");
    fm_text_add(&m->sensors, "><vertical");
    if (up > 0)
        fm_import_put_one(&m->sensors, "noise", up, "m");
    fm_text_add(&m->sensors, "/></gps>\n");
}

static void put_uuv_compass(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at)
{
    begin(m, "compass", name, rate, at);
    fm_text_add(&m->sensors, "/>\n");
    fm_import_remark(m, xml,
                     "the magnetometer is a compass: it gives the heading, errors of the field are not imported");
}

void fm_import_uuv_sensor(fm_import *m, fm_robot_plugin *plugin)
{
    static const struct {
        const char *part;
        void (*put)(fm_import *m, fm_foreign *xml, const char *name, double rate, const fm_robot_pose *at);
    } kinds[] = {{"_dvl", put_uuv_dvl},
                 {"_imu", put_uuv_imu},
                 {"_gps", put_uuv_gps},
                 {"_magnetometer", put_uuv_compass},
                 {"_subsea_pressure", put_uuv_pressure}};
    fm_foreign *xml = plugin->xml, *on = fm_foreign_child(xml, "link_name");
    const char *file = fm_foreign_attr_get(xml, "filename"), *topic = fm_import_text(xml, "sensor_topic");
    fm_robot_link *link = on ? fm_robot_link_find(&m->robot, "", on->text) : NULL;
    if (!link || !link->attached) {
        fm_import_fail(m, on ? on : xml, FM_ERR_NAME, "%s", on ? "is not a link of the vehicle" : "has no <link_name>");
        return;
    }
    const fm_robot_pose none = fm_robot_pose_none(), at = fm_import_in_body(m, link, &none);
    const double rate = rate_of(m, xml, "update_rate");
    for (size_t i = 0; file && i < sizeof kinds / sizeof *kinds; i++)
        if (fm_import_holds(file, kinds[i].part)) {
            kinds[i].put(m, xml, topic ? topic : link->name, rate, &at);
            return;
        }
    fm_import_lose(m, xml, "has no counterpart in Fathom");
    fm_foreign_accept(xml);
}
