/* <navigation>: dead reckoning from named instruments, with others to fall back on, and with a <filter> that weighs
 * fixes and ranges against it. docs/theory/control.md (C25)-(C31) */
#include "control/navigation_part.h"

#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/guidance_part.h"
#include "control/navigation_internal.h"
#include "physics/angle.h"
#include "physics/autopilot.h"

typedef fm_navigation_config navigation_config;
typedef fm_navigation_state navigation_state;
typedef fm_navigation_source source;

/* --- choosing an instrument --- */

static const char *const lost_events[FM_NAVIGATES_QUANTITIES] = {
    "attitude sensor lost", "heading sensor lost",  "depth sensor lost", "velocity sensor lost",
    "position sensor lost", "altitude sensor lost", "range sensor lost"};
static const char *const changed_events[FM_NAVIGATES_QUANTITIES] = {
    "attitude sensor changed", "heading sensor changed",  "depth sensor changed", "velocity sensor changed",
    "position sensor changed", "altitude sensor changed", "range sensor changed"};

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
    const source *attitude = choose(context, c, FM_NAVIGATES_ATTITUDE),
                 *heading = choose(context, c, FM_NAVIGATES_HEADING);
    const double before = n->euler[2] + n->rates[2] * context->period;
    if (attitude)
        read_attitude(context, attitude, n->euler, n->rates);
    else if (!c->count[FM_NAVIGATES_ATTITUDE]) {
        memcpy(n->euler, truth->euler, sizeof n->euler);
        memcpy(n->rates, truth->rates, sizeof n->rates);
    } else { /* without gyroscopes nothing tells the turning */
        memset(n->rates, 0, sizeof n->rates);
    }
    if (heading)
        n->euler[2] = read_heading(context, heading, n->euler[0], n->euler[1]);
    else if (c->count[FM_NAVIGATES_HEADING] && !attitude)
        n->euler[2] = before; /* carried on by the rate of turn */
    if (heading || attitude)
        n->euler[2] -= ((const navigation_state *)context->state)->fusion.heading_bias;
    n->euler[2] = fm_angle_wrap_pi(n->euler[2]);
}

/* (C26) Speeds over ground and through the water; a lost one holds. */
static void estimate_velocity(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                              const double R[9], fm_navigation *n)
{
    navigation_state *state = context->state;
    const fm_fusion *f = &state->fusion; /* zero without a filter */
    const source *s = choose(context, c, FM_NAVIGATES_VELOCITY);
    const double current[3] = {c->current[0] + f->current[0], c->current[1] + f->current[1], c->current[2]};
    double stream[3], v[3];
    if (!c->count[FM_NAVIGATES_VELOCITY]) {
        memcpy(n->velocity, truth->velocity, sizeof n->velocity);
        memcpy(n->water, truth->water, sizeof n->water);
        return;
    }
    if (!s)
        return;
    fm_vector_to_body(R, current, stream);
    const int over_ground = read_velocity(context, s, n->rates, v);
    state->through_water = !over_ground;
    v[0] -= f->velocity_bias[0];
    v[1] -= f->velocity_bias[1];
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
    const source *position = choose(context, c, FM_NAVIGATES_POSITION), *depth = choose(context, c, FM_NAVIGATES_DEPTH);
    double moved[3], arm[3];
    fm_vector_to_world(R, n->velocity, moved);
    n->depth_rate = moved[2];
    for (int i = 0; i < 3; i++)
        n->position[i] += moved[i] * context->period;
    if (position)
        read_position(context, c, position, R, n->position);
    else if (!c->count[FM_NAVIGATES_POSITION] && !c->count[FM_NAVIGATES_VELOCITY])
        memcpy(n->position, truth->position, 2 * sizeof *n->position);
    if (depth) {
        lever(depth, R, arm);
        n->position[2] =
            fm_quantity_value(context, &depth->view, depth->given == FM_QUANTITY_POSITION ? 2 : 0) - arm[2];
    } else if (!c->count[FM_NAVIGATES_DEPTH]) {
        n->position[2] = truth->position[2];
        n->depth_rate = truth->depth_rate;
    }
}

/* --- the filter --- */

/* Whether a source has a sample that was not looked at yet; *time: s, when it was taken. */
static int is_news(const fm_part_context *context, int quantity, int64_t i, const source *s, double *time)
{
    navigation_state *state = context->state;
    const fm_reading head = fm_sensor_reading(context, (int)s->view.part);
    if (head.count == state->seen[quantity][i])
        return 0;
    state->seen[quantity][i] = head.count;
    *time = head.time;
    return head.valid != 0;
}

/* s between the samples of a quantity, by the source in use. */
static double interval_of(const fm_part_context *context, const navigation_config *c, int quantity)
{
    navigation_state *state = context->state;
    const int64_t used = state->used[quantity];
    double time;
    if (!used || !is_news(context, quantity, used - 1, &c->sources[quantity][used - 1], &time))
        return state->interval[quantity];
    const double gap = time - state->taken[quantity];
    state->interval[quantity] = gap > 0 && gap <= c->patience ? gap : context->period;
    state->taken[quantity] = time;
    return state->interval[quantity];
}

static void fuse_depth(const fm_part_context *context, const navigation_config *c, const double R[9], fm_navigation *n)
{
    navigation_state *state = context->state;
    const source *s = choose(context, c, FM_NAVIGATES_DEPTH);
    double arm[3], time;
    if (!s || !is_news(context, FM_NAVIGATES_DEPTH, state->used[FM_NAVIGATES_DEPTH] - 1, s, &time))
        return;
    lever(s, R, arm);
    const double depth = fm_quantity_value(context, &s->view, s->given == FM_QUANTITY_POSITION ? 2 : 0);
    fm_fusion_depth(&c->filter, &state->fusion, depth - arm[2], n);
}

static void fuse_fixes(const fm_part_context *context, const navigation_config *c, const double R[9], fm_navigation *n)
{
    navigation_state *state = context->state;
    double fix[2], arm[3], told[9], time;
    for (int64_t i = 0; i < c->count[FM_NAVIGATES_POSITION]; i++) {
        const source *s = &c->sources[FM_NAVIGATES_POSITION][i];
        if (!is_news(context, FM_NAVIGATES_POSITION, i, s, &time) || !works(context, c, s))
            continue;
        lever(s, R, arm);
        read_position(context, c, s, R, fix); /* of the body origin */
        for (int k = 0; k < 2; k++)
            fix[k] += arm[k];
        if (s->variance.count)
            fm_quantity_values(context, &s->variance, 9, told);
        const double variance[3] = {told[0], told[1], told[4]};
        fm_fusion_fix(context, &c->filter, &state->fusion, time, fix, arm, s->variance.count ? variance : NULL, n);
    }
}

static void fuse_ranges(const fm_part_context *context, const navigation_config *c, const double R[9], fm_navigation *n)
{
    navigation_state *state = context->state;
    double beacon[3], arm[3], time;
    for (int64_t i = 0; i < c->count[FM_NAVIGATES_RANGES]; i++) {
        const source *s = &c->sources[FM_NAVIGATES_RANGES][i];
        if (!is_news(context, FM_NAVIGATES_RANGES, i, s, &time) || !works(context, c, s))
            continue;
        lever(s, R, arm);
        fm_quantity_values(context, &s->with, 3, beacon);
        const double deviation = s->variance.count ? fm_quantity_value(context, &s->variance, 0) : 0;
        fm_fusion_range(context, &c->filter, &state->fusion, time, fm_quantity_value(context, &s->view, 0), beacon, arm,
                        deviation, n);
    }
}

/* (C29)-(C30) Place by the filter. */
static void fuse_place(const fm_part_context *context, const navigation_config *c, const double R[9], fm_navigation *n)
{
    navigation_state *state = context->state;
    const double intervals[2] = {
        interval_of(context, c, FM_NAVIGATES_VELOCITY),
        interval_of(context, c, c->count[FM_NAVIGATES_HEADING] ? FM_NAVIGATES_HEADING : FM_NAVIGATES_ATTITUDE)};
    double moved[3];
    fm_fusion_reckon(context, &c->filter, &state->fusion, R, (int)state->through_water, intervals, n);
    fm_vector_to_world(R, n->velocity, moved);
    n->depth_rate = moved[2];
    fuse_depth(context, c, R, n);
    fuse_fixes(context, c, R, n);
    fuse_ranges(context, c, R, n);
}

/* What the filter says of itself, and (C31) whether it is right. */
static void tell_filter(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                        fm_navigation *n)
{
    const fm_fusion *f = &((const navigation_state *)context->state)->fusion;
    const double *p = f->filter.p;
    double error[3];
    for (int i = 0; i < 3; i++)
        error[i] = truth->position[i] - n->position[i];
    n->covariance[0] = p[FM_ERROR_NORTH * FM_ERROR_STATES + FM_ERROR_NORTH];
    n->covariance[1] = p[FM_ERROR_NORTH * FM_ERROR_STATES + FM_ERROR_EAST];
    n->covariance[2] = p[FM_ERROR_EAST * FM_ERROR_STATES + FM_ERROR_EAST];
    n->covariance[3] = p[FM_ERROR_DOWN * FM_ERROR_STATES + FM_ERROR_DOWN];
    n->heading_bias = f->heading_bias;
    for (int i = 0; i < 2; i++) {
        n->velocity_bias[i] = f->velocity_bias[i];
        n->current[i] = c->current[i] + f->current[i];
    }
    n->nees = fm_error_filter_consistency(&f->filter, error);
    n->fixes_taken = (double)f->taken;
    n->fixes_refused = (double)f->refused;
    fm_metric_note(context, (int)c->nees_metric, n->nees);
    fm_metric_note(context, (int)c->taken_metric, n->fixes_taken);
    fm_metric_note(context, (int)c->refused_metric, n->fixes_refused);
}

/* (C27) Height of the body origin above what the instrument sees straight below. */
static void estimate_altitude(const fm_part_context *context, const navigation_config *c, const fm_navigation *truth,
                              const double R[9], fm_navigation *n)
{
    const source *s = choose(context, c, FM_NAVIGATES_ALTITUDE);
    double arm[3], along[3];
    if (!s) {
        n->altitude = c->count[FM_NAVIGATES_ALTITUDE] ? HUGE_VAL : truth->altitude;
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
    if (c->fuses)
        fuse_place(context, c, R, n);
    else
        estimate_place(context, c, &truth, R, n);
    estimate_altitude(context, c, &truth, R, n);
    for (int i = 0; i < 3; i++)
        error += (n->position[i] - truth.position[i]) * (n->position[i] - truth.position[i]);
    n->error = sqrt(error);
    fm_metric_note(context, (int)c->error_metric, n->error);
    fm_metric_note(context, (int)c->final_metric, n->error);
    fm_metric_note(context, (int)c->rms_metric, n->error);
    if (c->fuses)
        tell_filter(context, c, &truth, n);
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
    for (int quantity = 0; quantity < FM_NAVIGATES_QUANTITIES; quantity++)
        s->used[quantity] = c->count[quantity] ? quantity != FM_NAVIGATES_POSITION ||
                                                     c->sources[quantity][0].given == FM_QUANTITY_POSITION
                                               : 0;
    if (c->fuses)
        fm_fusion_start(context, &c->filter, &s->fusion, n);
}

const fm_part_class fm_navigation_class = {.kind = FM_PART_CONTROLLER,
                                           .element = &fm_navigation_element,
                                           .state_size = sizeof(navigation_state),
                                           .output_size = sizeof(fm_navigation),
                                           .outputs = fm_navigation_outputs,
                                           .output_count = FM_NAVIGATION_OUTPUTS,
                                           .load = fm_navigation_load,
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
    const fm_true_motion m = fm_true_motion_of(v->rotation, v->velocity, v->water);
    fm_navigation n = {.altitude = v->depth_below, .depth_rate = m.depth_rate};
    for (int i = 0; i < 3; i++) {
        n.position[i] = v->position[i];
        n.velocity[i] = v->velocity[i];
        n.euler[i] = m.euler[i];
        n.water[i] = m.water[i];
        n.rates[i] = m.rates[i];
    }
    return n;
}

const double *fm_navigation_place(const fm_part_context *context, int part)
{
    return part >= 0 ? ((const fm_navigation *)fm_sensor_output(context, part))->position : context->vehicle->position;
}

fm_guide_view fm_navigation_view(const fm_part_context *context, int part)
{
    const double heading = fm_vehicle_view_heading(context->vehicle);
    return (fm_guide_view){.time = context->time,
                           .position = fm_navigation_place(context, part),
                           .truth = context->vehicle->position,
                           .heading =
                               part >= 0 ? ((const fm_navigation *)fm_sensor_output(context, part))->euler[2] : heading,
                           .true_heading = heading};
}
