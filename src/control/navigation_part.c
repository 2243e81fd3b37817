/* <navigation>: dead reckoning from named instruments, with others to fall back on. docs/theory/control.md (C25)-(C27)
 */
#include "control/navigation_part.h"

#include <fathom/frames.h>
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment/environment.h"
#include "physics/angle.h"
#include "physics/posture.h"

enum { ATTITUDE, HEADING, DEPTH, VELOCITY, POSITION, ALTITUDE, QUANTITIES };
enum { SOURCES_MOST = 4 };

/* One instrument that tells a quantity: by what it gives, and what goes with that. */
typedef struct source {
    int64_t given; /* fm_quantity */
    fm_quantity_view view;
    fm_quantity_view with; /* count 0: nothing */
    char name[32];         /* of the instrument */
} source;

typedef struct navigation_config {
    const char *names[QUANTITIES]; /* instruments in order of preference; NULL: the true value */
    double current[3];             /* m/s, NED: what the navigator takes the current for */
    double patience;               /* s */
    const char *name;
    double period;
    source sources[QUANTITIES][SOURCES_MOST];
    int64_t count[QUANTITIES];
    fm_geodetic origin; /* of the world's axes */
    int64_t error_metric, final_metric, lost_metric;
} navigation_config;

typedef struct navigation_state {
    int64_t used[QUANTITIES]; /* 1 + place of the source in use; 0: none is left */
} navigation_state;

static const fm_attr attrs[] = {
    FM_TEXT_ATTR(navigation_config, names[ATTITUDE], "attitude", NULL, 0,
                 "roll, pitch and rates of turn: names of instruments that give orientation and rates, as <imu> and "
                 "<ins> do; the first that works is used; without it the true ones"),
    FM_TEXT_ATTR(navigation_config, names[HEADING], "heading", NULL, 0,
                 "names of instruments that give heading or orientation: <compass>, <imu>, <ins>; without it that of "
                 "the attitude"),
    FM_TEXT_ATTR(navigation_config, names[DEPTH], "depth", NULL, 0,
                 "names of instruments that give depth or position: <depth>, <ins>; without it the true one"),
    FM_TEXT_ATTR(
        navigation_config, names[VELOCITY], "velocity", NULL, 0,
        "names of instruments that give velocity or speed: <dvl>, <speed-log>, <ins>; without it the true one"),
    FM_TEXT_ATTR(navigation_config, names[POSITION], "position", NULL, 0,
                 "names of instruments that give position or latitude and longitude: <gps>, <ins>; without it the "
                 "place is reckoned from the velocity, if that is measured"),
    FM_TEXT_ATTR(navigation_config, names[ALTITUDE], "altitude", NULL, 0,
                 "names of instruments that give altitude, or a range and look down: <dvl>, <echosounder>; without it "
                 "the true one"),
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

/* What an instrument may give to tell a quantity, best first, and what must or may go with it. */
typedef struct offer {
    fm_quantity given, with;
    int alone; /* 1: also without the second */
} offer;
static const offer accepted[QUANTITIES][3] = {
    [ATTITUDE] = {{FM_QUANTITY_ORIENTATION, FM_QUANTITY_RATES, 0}, {FM_QUANTITY_EULER, FM_QUANTITY_RATES, 0}},
    [HEADING] = {{FM_QUANTITY_HEADING, FM_QUANTITY_NONE, 1},
                 {FM_QUANTITY_ORIENTATION, FM_QUANTITY_NONE, 1},
                 {FM_QUANTITY_EULER, FM_QUANTITY_NONE, 1}},
    [DEPTH] = {{FM_QUANTITY_DEPTH, FM_QUANTITY_NONE, 1}, {FM_QUANTITY_POSITION, FM_QUANTITY_NONE, 1}},
    [VELOCITY] = {{FM_QUANTITY_VELOCITY, FM_QUANTITY_VELOCITY_MODE, 1},
                  {FM_QUANTITY_WATER_SPEED, FM_QUANTITY_NONE, 1},
                  {FM_QUANTITY_FORWARD_SPEED, FM_QUANTITY_NONE, 1}},
    [POSITION] = {{FM_QUANTITY_POSITION, FM_QUANTITY_NONE, 1}, {FM_QUANTITY_LATITUDE, FM_QUANTITY_LONGITUDE, 0}},
    [ALTITUDE] = {{FM_QUANTITY_ALTITUDE, FM_QUANTITY_NONE, 1}, {FM_QUANTITY_RANGE, FM_QUANTITY_NONE, 1}}};
static const char *const attribute_names[QUANTITIES] = {"attitude", "heading",  "depth",
                                                        "velocity", "position", "altitude"};

/* Whether a sensor can tell the quantity. */
static int find_source(fm_part_load *load, size_t sensor, int quantity, source *s)
{
    for (int i = 0; i < 3 && accepted[quantity][i].given; i++) {
        const offer *o = &accepted[quantity][i];
        *s = (source){.given = o->given};
        if (fm_load_quantity(load, sensor, o->given, &s->view) &&
            (fm_load_quantity(load, sensor, o->with, &s->with) || o->alone))
            return 1;
    }
    return 0;
}

static fm_status add_source(fm_part_load *load, navigation_config *c, int quantity, const char *name, fm_error *error)
{
    const int sensor = fm_load_sensor(load, name, error);
    source s;
    if (sensor < 0)
        return error->status;
    if (!find_source(load, (size_t)sensor, quantity, &s))
        return fm_load_fail(load, error, FM_ERR_MODEL, "%s: '%s' is a <%s>, which does not tell it; accepted are %s",
                            attribute_names[quantity], name,
                            fm_load_part_info(load, (size_t)sensor).part_class->element->name, attrs[quantity].text);
    if (s.given == FM_QUANTITY_RANGE && !(s.view.mount->rotation[6] > 0))
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "altitude: '%s' does not look down, accepted an attitude with its forward axis below the "
                            "horizontal",
                            name);
    if (c->count[quantity] == SOURCES_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%s: found more than %d instruments, accepted at most that many",
                            attribute_names[quantity], SOURCES_MOST);
    snprintf(s.name, sizeof s.name, "%.*s", (int)sizeof s.name - 1, name);
    c->sources[quantity][c->count[quantity]++] = s;
    return FM_OK;
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
    c->origin = (fm_geodetic){e->latitude, e->longitude, 0};
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
static int works(const fm_part_context *context, const navigation_config *c, const source *s)
{
    const fm_reading head = fm_sensor_reading(context, (int)s->view.part);
    if (head.count == 0 || !(head.valid || context->time - head.time <= c->patience))
        return 0;
    for (size_t i = 0; i < s->view.count; i++)
        if (!isfinite(fm_quantity_value(context, &s->view, i)))
            return 0;
    return 1;
}

/* `used`: the source from now on, from 1; 0: none. */
static void tell_change(const fm_part_context *context, const navigation_config *c, int quantity, int64_t used)
{
    char text[FM_EVENT_TEXT_SIZE];
    if (!used)
        return fm_event_emit(context, lost_events[quantity], 0);
    snprintf(text, sizeof text, "%s: now %s", changed_events[quantity], c->sources[quantity][used - 1].name);
    fm_event_emit_text(context, changed_events[quantity], (double)used, text);
}

/* The first source of a quantity that works, NULL where none does; changes are told. */
static const source *choose(const fm_part_context *context, const navigation_config *c, int quantity)
{
    navigation_state *s = context->state;
    int64_t used = 0;
    for (int64_t i = 0; !used && i < c->count[quantity]; i++)
        used = works(context, c, &c->sources[quantity][i]) ? i + 1 : 0;
    if (used != s->used[quantity] && c->count[quantity]) {
        tell_change(context, c, quantity, used);
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
    double q[4], own[3];
    if (s->given == FM_QUANTITY_EULER) {
        fm_quantity_values(context, &s->view, 3, own);
        fm_quat_from_euler(own, q);
    } else {
        fm_quantity_values(context, &s->view, 4, q);
    }
    body_attitude(s->view.mount, q, euler);
    if (rates) {
        fm_quantity_values(context, &s->with, 3, own);
        fm_vector_to_world(s->view.mount->rotation, own, rates);
    }
}

/* A compass tells the heading of its own axis; where that lies off the bow depends on roll and pitch too. */
static double read_heading(const fm_part_context *context, const source *s, double phi, double theta)
{
    double euler[3] = {phi, theta, 0}, R[9], axis[3];
    if (s->given == FM_QUANTITY_HEADING) {
        const double *r = s->view.mount->rotation, forward[3] = {r[0], r[3], r[6]};
        fm_euler_matrix(euler, R);
        fm_vector_to_world(R, forward, axis);
        return fm_quantity_value(context, &s->view, 0) - fm_atan2(axis[1], axis[0]);
    }
    read_attitude(context, s, euler, NULL);
    return euler[2];
}

/* Velocity of the body origin, body axes: the instrument's less what the turning gives it by its lever. Returns 1 where
 * it is one over ground, 0 through the water. */
static int read_velocity(const fm_part_context *context, const source *s, const double w[3], double v[3])
{
    const double *r = s->view.mount->position;
    double own[3] = {0};
    fm_quantity_values(context, &s->view, s->view.count, own);
    fm_vector_to_world(s->view.mount->rotation, own, v);
    v[0] -= w[1] * r[2] - w[2] * r[1];
    v[1] -= w[2] * r[0] - w[0] * r[2];
    v[2] -= w[0] * r[1] - w[1] * r[0];
    if (s->with.count)
        return fm_quantity_value(context, &s->with, 0) < 1.5;
    return s->given != FM_QUANTITY_WATER_SPEED;
}

/* The lever of an instrument, m, NED. */
static void lever(const source *s, const double R[9], double out[3])
{
    fm_vector_to_world(R, s->view.mount->position, out);
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
    double arm[3];
    lever(s, R, arm);
    if (s->given == FM_QUANTITY_POSITION) {
        fm_quantity_values(context, &s->view, 2, position);
    } else {
        const fm_geodetic fix = {fm_quantity_value(context, &s->view, 0) * FM_PI / 180,
                                 fm_quantity_value(context, &s->with, 0) * FM_PI / 180, 0};
        double ned[3];
        fm_geodetic_to_local(&c->origin, &fix, ned);
        position[0] = ned[0];
        position[1] = ned[1];
    }
    position[0] -= arm[0];
    position[1] -= arm[1];
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
        n->position[2] =
            fm_quantity_value(context, &depth->view, depth->given == FM_QUANTITY_POSITION ? 2 : 0) - arm[2];
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
    n->altitude = fm_quantity_value(context, &s->view, 0);
    if (s->given == FM_QUANTITY_RANGE) {
        const double *r = s->view.mount->rotation, axis[3] = {r[0], r[3], r[6]};
        fm_vector_to_world(R, axis, along);
        n->altitude *= along[2];
    }
    n->altitude += arm[2];
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
            c->count[quantity] ? quantity != POSITION || c->sources[quantity][0].given == FM_QUANTITY_POSITION : 0;
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_navigation, position[0], "position.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, position[1], "position.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, position[2], "position.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, euler[0], "attitude.roll", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, euler[1], "attitude.pitch", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, euler[2], "attitude.heading", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, velocity[0], "velocity.ahead", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, velocity[1], "velocity.starboard", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, velocity[2], "velocity.down", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, altitude, "altitude", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, error, "error", "m", FM_QUANTITY_NONE),
};

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
