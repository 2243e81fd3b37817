/* <navigation>: dead reckoning from named instruments, with others to fall back on. docs/theory/control.md (C25)-(C27)
 */
#include "control/navigation_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment/environment.h"
#include "geometry/heightmap.h"
#include "physics/angle.h"
#include "physics/posture.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

enum { ATTITUDE, HEADING, DEPTH, VELOCITY, POSITION, ALTITUDE, QUANTITIES };
enum { SOURCES_MOST = 4 };

/* One instrument that tells a quantity. */
typedef struct source {
    int64_t sensor;
    const fm_part_class *instrument;
    const fm_mount *mount;
} source;

typedef struct navigation_config {
    const char *names[QUANTITIES]; /* instruments in order of preference; NULL: the true value */
    double current[3];             /* m/s, NED: what the navigator takes the current for */
    double patience;               /* s */
    const char *name;
    double period;
    source sources[QUANTITIES][SOURCES_MOST];
    int64_t count[QUANTITIES];
    double latitude, longitude; /* rad, of the origin */
    double north, east;         /* m per rad of latitude and longitude */
    int64_t error_metric, final_metric, lost_metric;
} navigation_config;

typedef struct navigation_state {
    int64_t used[QUANTITIES]; /* 1 + place of the source in use; 0: none is left */
} navigation_state;

static const fm_attr attrs[] = {
    FM_TEXT_ATTR(navigation_config, names[ATTITUDE], "attitude", NULL, 0,
                 "roll, pitch and rates of turn: names of <imu> or <ins>, the first that works is used; without it the "
                 "true ones"),
    FM_TEXT_ATTR(navigation_config, names[HEADING], "heading", NULL, 0,
                 "names of <compass>, <imu> or <ins>; without it that of the attitude"),
    FM_TEXT_ATTR(navigation_config, names[DEPTH], "depth", NULL, 0,
                 "names of <depth> or <ins>; without it the true one"),
    FM_TEXT_ATTR(navigation_config, names[VELOCITY], "velocity", NULL, 0,
                 "names of <dvl>, <speed-log> or <ins>; without it the true one"),
    FM_TEXT_ATTR(navigation_config, names[POSITION], "position", NULL, 0,
                 "names of <gps> or <ins>; without it the place is reckoned from the velocity, if that is measured"),
    FM_TEXT_ATTR(navigation_config, names[ALTITUDE], "altitude", NULL, 0,
                 "names of <dvl> or <echosounder>; without it the true one"),
    FM_VECTOR_ATTR(navigation_config, current, 3, "current", "m/s", -10, 10, "0 0 0 m/s", 0,
                   "what the navigator takes the current for: north, east, down; between speeds over ground and "
                   "through the water"),
    FM_REAL_ATTR(navigation_config, patience, "patience", "s", 0, 1e4, "1 s", 0,
                 "an instrument without a sample for so long is lost"),
    FM_NAME_ATTR(navigation_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(navigation_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two estimates; 0: every step"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    navigation_config, "navigation", attrs, NULL, 0,
    "What guidance and autopilot that stand after it believe of the vehicle's motion, from instruments by "
    "name: attitude, heading, depth, velocity, place by dead reckoning or fixes. A lost instrument is "
    "replaced by the next one named, or its last value holds. Without a <navigation> they know the truth.");

/* --- load --- */

static const fm_part_class *const accepted[QUANTITIES][4] = {
    [ATTITUDE] = {&fm_imu_class, &fm_ins_class}, [HEADING] = {&fm_compass_class, &fm_imu_class, &fm_ins_class},
    [DEPTH] = {&fm_depth_class, &fm_ins_class},  [VELOCITY] = {&fm_dvl_class, &fm_speed_log_class, &fm_ins_class},
    [POSITION] = {&fm_gps_class, &fm_ins_class}, [ALTITUDE] = {&fm_dvl_class, &fm_echosounder_class}};
static const char *const attribute_names[QUANTITIES] = {"attitude", "heading",  "depth",
                                                        "velocity", "position", "altitude"};

static fm_status add_source(fm_part_load *load, navigation_config *c, int quantity, const char *name, fm_error *error)
{
    const int sensor = fm_load_sensor(load, name, error);
    if (sensor < 0)
        return error->status;
    const fm_part_info part = fm_load_part_info(load, (size_t)sensor);
    for (int i = 0; i < 4 && accepted[quantity][i]; i++)
        if (part.part_class == accepted[quantity][i]) {
            if (c->count[quantity] == SOURCES_MOST)
                return fm_load_fail(load, error, FM_ERR_RANGE,
                                    "%s: found more than %d instruments, accepted at most that many",
                                    attribute_names[quantity], SOURCES_MOST);
            /* behind the live parameters of every instrument stands its mount (sensors/imperfect.h) */
            const fm_mount *mount =
                (const fm_mount *)(const void *)((const char *)part.config + part.part_class->live_size);
            c->sources[quantity][c->count[quantity]++] = (source){sensor, part.part_class, mount};
            return FM_OK;
        }
    return fm_load_fail(load, error, FM_ERR_MODEL, "%s: '%s' is a <%s>, which does not tell it; accepted are %s",
                        attribute_names[quantity], name, part.part_class->element->name, attrs[quantity].text);
}

static fm_status take_sources(fm_part_load *load, navigation_config *c, int quantity, fm_error *error)
{
    char name[64];
    for (const char *at = c->names[quantity]; at && *at;) {
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const fm_status status = length ? add_source(load, c, quantity, name, error) : FM_OK;
        if (status != FM_OK)
            return status;
        at += length;
        at += strspn(at, " ");
    }
    return FM_OK;
}

static fm_status load_navigation(fm_part_load *load, void *memory, fm_error *error)
{
    navigation_config *c = memory;
    const fm_environment *e = fm_load_environment(load);
    for (int quantity = 0; quantity < QUANTITIES; quantity++) {
        const fm_status status = take_sources(load, c, quantity, error);
        if (status != FM_OK)
            return status;
    }
    c->latitude = e->latitude;
    c->longitude = e->longitude;
    fm_heightmap_scales(e->latitude, &c->north, &c->east);
    c->error_metric = fm_load_metric(load, "navigation_error_max", "m",
                                     "greatest distance of the estimated from the true place", FM_METRIC_MAX);
    c->final_metric = fm_load_metric(load, "navigation_error", "m",
                                     "distance of the estimated from the true place at the end", FM_METRIC_LAST);
    c->lost_metric =
        fm_load_metric(load, "sensors_lost", "", "how often a quantity was left without an instrument", FM_METRIC_SUM);
    return FM_OK;
}

/* --- choosing an instrument --- */

static const char *const lost_events[QUANTITIES] = {"attitude sensor lost", "heading sensor lost",
                                                    "depth sensor lost",    "velocity sensor lost",
                                                    "position sensor lost", "altitude sensor lost"};
static const char *const changed_events[QUANTITIES] = {"attitude sensor changed", "heading sensor changed",
                                                       "depth sensor changed",    "velocity sensor changed",
                                                       "position sensor changed", "altitude sensor changed"};

/* Whether its last sample is fresh and says something. */
static int works(const fm_part_context *context, const navigation_config *c, int quantity, const source *s)
{
    const fm_reading *head = fm_sensor_output(context, (int)s->sensor);
    if (head->count == 0 || !(head->valid || context->time - head->time <= c->patience))
        return 0;
    if (s->instrument == &fm_dvl_class) {
        const fm_dvl_reading *dvl = (const void *)head;
        return quantity == VELOCITY ? dvl->velocities_valid > 0.5 : isfinite(dvl->altitude);
    }
    if (s->instrument == &fm_echosounder_class)
        return isfinite(((const fm_range_reading *)(const void *)head)->range);
    return 1;
}

/* The first source of a quantity that works, NULL where none does; changes are told. */
static const source *choose(const fm_part_context *context, const navigation_config *c, int quantity)
{
    navigation_state *s = context->state;
    int64_t used = 0;
    for (int64_t i = 0; !used && i < c->count[quantity]; i++)
        used = works(context, c, quantity, &c->sources[quantity][i]) ? i + 1 : 0;
    if (used != s->used[quantity] && c->count[quantity]) {
        fm_event_emit(context, used ? changed_events[quantity] : lost_events[quantity], (double)used);
        if (!used)
            fm_metric_note(context, (int)c->lost_metric, 1);
        s->used[quantity] = used;
    }
    return used ? &c->sources[quantity][used - 1] : NULL;
}

/* --- readings in body axes --- */

/* Attitude of the vehicle from that of an instrument: q_body = q_instrument conj(q_mount). */
static void body_attitude(const fm_mount *mount, const double q[4], double euler[3])
{
    const double *m = mount->quaternion, back[4] = {m[0], -m[1], -m[2], -m[3]};
    double body[4], R[9];
    fm_quat_mul(q, back, body);
    fm_quat_matrix(body, R);
    fm_euler_from_matrix(R, euler);
}

static void read_attitude(const fm_part_context *context, const source *s, double euler[3], double rates[3])
{
    const void *reading = fm_sensor_output(context, (int)s->sensor);
    const fm_imu_reading *imu = reading;
    const fm_ins_reading *ins = reading;
    const int inertial = s->instrument == &fm_imu_class;
    if (euler)
        body_attitude(s->mount, inertial ? imu->orientation : ins->orientation, euler);
    if (rates)
        fm_vector_to_world(s->mount->rotation, inertial ? imu->angular_velocity : ins->rates, rates);
}

/* A compass tells the heading of its own axis; where that lies off the bow depends on roll and pitch too. */
static double read_heading(const fm_part_context *context, const source *s, double phi, double theta)
{
    double euler[3] = {phi, theta, 0}, R[9], axis[3];
    if (s->instrument == &fm_compass_class) {
        const double forward[3] = {s->mount->rotation[0], s->mount->rotation[3], s->mount->rotation[6]};
        fm_euler_matrix(euler, R);
        fm_vector_to_world(R, forward, axis);
        return ((const fm_value_reading *)fm_sensor_output(context, (int)s->sensor))->value -
               fm_atan2(axis[1], axis[0]);
    }
    read_attitude(context, s, euler, NULL);
    return euler[2];
}

/* Velocity of the body origin, body axes: the instrument's less what the turning gives it by its lever. Returns 1 where
 * it is one over ground, 0 through the water. */
static int read_velocity(const fm_part_context *context, const source *s, const double w[3], double v[3])
{
    const void *reading = fm_sensor_output(context, (int)s->sensor);
    const fm_dvl_reading *dvl = reading;
    const fm_ins_reading *ins = reading;
    const double log[3] = {((const fm_value_reading *)reading)->value, 0, 0}, *r = s->mount->position;
    const int is_log = s->instrument == &fm_speed_log_class, is_dvl = s->instrument == &fm_dvl_class;
    fm_vector_to_world(s->mount->rotation, is_log ? log : is_dvl ? dvl->velocity : ins->velocity, v);
    v[0] -= w[1] * r[2] - w[2] * r[1];
    v[1] -= w[2] * r[0] - w[0] * r[2];
    v[2] -= w[0] * r[1] - w[1] * r[0];
    return is_dvl ? dvl->mode < 1.5 : !is_log;
}

/* The lever of an instrument, m, NED. */
static void lever(const source *s, const double R[9], double out[3])
{
    fm_vector_to_world(R, s->mount->position, out);
}

/* --- the estimate --- */

static void estimate_attitude(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                              fm_navigation *n)
{
    const source *attitude = choose(context, c, ATTITUDE), *heading = choose(context, c, HEADING);
    const double before = n->euler[2] + n->rates[2] * context->period;
    if (attitude)
        read_attitude(context, attitude, n->euler, n->rates);
    else if (!c->count[ATTITUDE]) {
        memcpy(n->euler, truth->euler, sizeof n->euler);
        memcpy(n->rates, truth->rates, sizeof n->rates);
    } else { /* without gyroscopes nothing tells the turning */
        memset(n->rates, 0, sizeof n->rates);
    }
    if (heading)
        n->euler[2] = read_heading(context, heading, n->euler[0], n->euler[1]);
    else if (c->count[HEADING] && !attitude)
        n->euler[2] = before; /* carried on by the rate of turn */
    n->euler[2] = fm_angle_wrap_pi(n->euler[2]);
}

/* (C26) Speeds over ground and through the water; a lost one holds. */
static void estimate_velocity(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                              const double R[9], fm_navigation *n)
{
    const source *s = choose(context, c, VELOCITY);
    double stream[3], v[3];
    if (!c->count[VELOCITY]) {
        memcpy(n->velocity, truth->velocity, sizeof n->velocity);
        memcpy(n->water, truth->water, sizeof n->water);
        return;
    }
    if (!s)
        return;
    fm_vector_to_body(R, c->current, stream);
    const int over_ground = read_velocity(context, s, n->rates, v);
    for (int i = 0; i < 3; i++) {
        n->velocity[i] = over_ground ? v[i] : v[i] + stream[i];
        n->water[i] = over_ground ? v[i] - stream[i] : v[i];
    }
}

static void read_position(const fm_part_context *context, const navigation_config *c, const source *s,
                          const double R[9], double position[2])
{
    const void *reading = fm_sensor_output(context, (int)s->sensor);
    double arm[3];
    lever(s, R, arm);
    if (s->instrument == &fm_ins_class) {
        const fm_ins_reading *ins = reading;
        position[0] = ins->position[0] - arm[0];
        position[1] = ins->position[1] - arm[1];
        return;
    }
    const fm_gps_reading *gps = reading;
    position[0] = (gps->latitude * FM_PI / 180 - c->latitude) * c->north - arm[0];
    position[1] = (gps->longitude * FM_PI / 180 - c->longitude) * c->east - arm[1];
}

/* (C25) Place: a fix, or carried on by the velocity over ground. */
static void estimate_place(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                           const double R[9], fm_navigation *n)
{
    const source *position = choose(context, c, POSITION), *depth = choose(context, c, DEPTH);
    double moved[3], arm[3];
    fm_vector_to_world(R, n->velocity, moved);
    n->depth_rate = moved[2];
    for (int i = 0; i < 3; i++)
        n->position[i] += moved[i] * context->period;
    if (position)
        read_position(context, c, position, R, n->position);
    else if (!c->count[POSITION] && !c->count[VELOCITY])
        memcpy(n->position, truth->position, 2 * sizeof *n->position);
    if (depth) {
        lever(depth, R, arm);
        const void *reading = fm_sensor_output(context, (int)depth->sensor);
        n->position[2] = (depth->instrument == &fm_ins_class ? ((const fm_ins_reading *)reading)->position[2]
                                                             : ((const fm_value_reading *)reading)->value) -
                         arm[2];
    } else if (!c->count[DEPTH]) {
        n->position[2] = truth->position[2];
        n->depth_rate = truth->depth_rate;
    }
}

/* (C27) Height of the body origin above what the instrument sees straight below. */
static void estimate_altitude(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                              const double R[9], fm_navigation *n)
{
    const source *s = choose(context, c, ALTITUDE);
    double arm[3], along[3];
    if (!s) {
        n->altitude = c->count[ALTITUDE] ? HUGE_VAL : truth->altitude;
        return;
    }
    lever(s, R, arm);
    const void *reading = fm_sensor_output(context, (int)s->sensor);
    if (s->instrument == &fm_dvl_class) {
        n->altitude = ((const fm_dvl_reading *)reading)->altitude + arm[2];
        return;
    }
    const double axis[3] = {s->mount->rotation[0], s->mount->rotation[3], s->mount->rotation[6]};
    fm_vector_to_world(R, axis, along);
    n->altitude = ((const fm_range_reading *)reading)->range * along[2] + arm[2];
}

static void run_navigation(const fm_part_context *context)
{
    const navigation_config *c = context->config;
    const fm_navigation truth = fm_navigation_estimate(context, -1);
    fm_navigation *n = context->output;
    double R[9], error = 0;
    estimate_attitude(context, c, &truth, n);
    fm_euler_matrix(n->euler, R);
    estimate_velocity(context, c, &truth, R, n);
    estimate_place(context, c, &truth, R, n);
    estimate_altitude(context, c, &truth, R, n);
    for (int i = 0; i < 3; i++)
        error += (n->position[i] - truth.position[i]) * (n->position[i] - truth.position[i]);
    n->error = sqrt(error);
    fm_metric_note(context, (int)c->error_metric, n->error);
    fm_metric_note(context, (int)c->final_metric, n->error);
}

/* The vehicle knows where it was launched, one period before the first estimate. */
static void start_navigation(const fm_part_context *context)
{
    const navigation_config *c = context->config;
    navigation_state *s = context->state;
    fm_navigation *n = context->output;
    double moved[3];
    *n = fm_navigation_estimate(context, -1);
    fm_vector_to_world(context->vehicle->rotation, n->velocity, moved);
    for (int i = 0; i < 3; i++)
        n->position[i] -= moved[i] * context->period;
    for (int quantity = 0; quantity < QUANTITIES; quantity++)
        s->used[quantity] =
            c->count[quantity] ? quantity != POSITION || c->sources[quantity][0].instrument != &fm_gps_class : 0;
}

#define OUTPUT(its_field, its_unit, member)                                                                            \
    {                                                                                                                  \
        .field = its_field, .unit = its_unit, .offset = offsetof(fm_navigation, member), .count = 1                    \
    }
static const fm_output outputs[] = {OUTPUT("position.north", "m", position[0]),
                                    OUTPUT("position.east", "m", position[1]),
                                    OUTPUT("position.depth", "m", position[2]),
                                    OUTPUT("attitude.roll", "rad", euler[0]),
                                    OUTPUT("attitude.pitch", "rad", euler[1]),
                                    OUTPUT("attitude.heading", "rad", euler[2]),
                                    OUTPUT("velocity.ahead", "m/s", velocity[0]),
                                    OUTPUT("velocity.starboard", "m/s", velocity[1]),
                                    OUTPUT("velocity.down", "m/s", velocity[2]),
                                    OUTPUT("altitude", "m", altitude),
                                    OUTPUT("error", "m", error)};

const fm_part_class fm_navigation_class = {.kind = FM_PART_CONTROLLER,
                                           .element = &element,
                                           .state_size = sizeof(navigation_state),
                                           .output_size = sizeof(fm_navigation),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .load = load_navigation,
                                           .start = start_navigation,
                                           .run = run_navigation};

/* --- for those who read it --- */

int fm_load_navigation(fm_part_load *load)
{
    int found = -1;
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_load_part_info(load, i).part_class == &fm_navigation_class)
            found = (int)i;
    return found;
}

fm_navigation fm_navigation_estimate(const fm_part_context *context, int part)
{
    if (part >= 0)
        return *(const fm_navigation *)fm_sensor_output(context, part);
    const fm_vehicle_view *v = context->vehicle;
    const double *R = v->rotation, *u = v->velocity;
    double stream[3];
    fm_navigation n = {.altitude = v->depth_below};
    fm_euler_from_matrix(R, n.euler);
    fm_vector_to_body(R, v->water, stream);
    for (int i = 0; i < 3; i++) {
        n.position[i] = v->position[i];
        n.velocity[i] = u[i];
        n.water[i] = u[i] - stream[i];
        n.rates[i] = u[3 + i];
    }
    n.depth_rate = R[6] * u[0] + R[7] * u[1] + R[8] * u[2];
    return n;
}
