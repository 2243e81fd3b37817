/* <navigation>: dead reckoning from named instruments with fallbacks, and with a <filter> that weighs fixes and ranges
 * against it. docs/theory/control.md (C25)-(C31) */
#include "control/navigation_part.h"

#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/part_class.h"
#include "control/guidance_part.h"
#include "control/navigation_internal.h"
#include "control/navigator.h"

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

/* Whether its last sample is fresh and valid. */
static int works(const fm_part_context *context, const navigation_config *c, const source *s)
{
    const fm_reading head = fm_sensor_reading(context, (int)s->view.part);
    if (!fm_told_is_fresh((double)head.count, (double)head.valid, head.time, context->time, c->patience))
        return 0;
    for (size_t i = 0; i < s->view.count; i++)
        if (!isfinite(fm_quantity_value(context, &s->view, i)))
            return 0;
    return 1;
}

/* `used`: index of the source from now on, from 1; 0: none. */
static void tell_change(const fm_part_context *context, const navigation_config *c, int quantity, int64_t used)
{
    char text[FM_EVENT_TEXT_SIZE];
    if (!used)
        return fm_event_emit(context, lost_events[quantity], 0);
    snprintf(text, sizeof text, "%s: now %s", changed_events[quantity], c->sources[quantity][used - 1].name);
    fm_event_emit_text(context, changed_events[quantity], (double)used, text);
}

/* The first working source of a quantity, NULL if none works; changes are reported as events. */
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

/* --- what the instruments say --- */

/* North and east of an instrument, m. */
static void read_position(const fm_part_context *context, const navigation_config *c, const source *s, double point[2])
{
    if (s->given == FM_QUANTITY_POSITION) {
        fm_quantity_values(context, &s->view, 2, point);
        return;
    }
    const fm_geodetic fix = {fm_quantity_value(context, &s->view, 0) * FM_PI / 180,
                             fm_quantity_value(context, &s->with, 0) * FM_PI / 180, 0};
    double ned[3];
    fm_geodetic_to_local(&c->origin, &fix, ned);
    point[0] = ned[0];
    point[1] = ned[1];
}

int fm_navigation_tells(int quantity, int64_t given)
{
    if (quantity == FM_NAVIGATES_DEPTH)
        return FM_TELLS_DEPTH;
    switch ((fm_quantity)given) {
    case FM_QUANTITY_ORIENTATION: return FM_TELLS_ORIENTATION;
    case FM_QUANTITY_EULER: return FM_TELLS_EULER;
    case FM_QUANTITY_HEADING: return FM_TELLS_HEADING;
    case FM_QUANTITY_VELOCITY: return FM_TELLS_VELOCITY;
    case FM_QUANTITY_FORWARD_SPEED: return FM_TELLS_SPEED;
    case FM_QUANTITY_WATER_SPEED: return FM_TELLS_WATER_SPEED;
    case FM_QUANTITY_ALTITUDE: return FM_TELLS_ALTITUDE;
    case FM_QUANTITY_RANGE: return FM_TELLS_RANGE;
    default: return FM_TELLS_POSITION;
    }
}

static fm_told hear(const fm_part_context *context, const navigation_config *c, int quantity, const source *s)
{
    const fm_mount *mount = s->view.mount;
    fm_told t = {.quantity = quantity,
                 .given = fm_navigation_tells(quantity, s->given),
                 .accompanied = s->with.count > 0,
                 .taken = 1,
                 .at = mount->position,
                 .turned = mount->rotation,
                 .attitude = mount->quaternion};
    if (quantity == FM_NAVIGATES_POSITION)
        read_position(context, c, s, t.value);
    else if (quantity == FM_NAVIGATES_DEPTH)
        t.value[0] = fm_quantity_value(context, &s->view, s->given == FM_QUANTITY_POSITION ? 2 : 0);
    else
        fm_quantity_values(context, &s->view, FM_COUNT(t.value), t.value);
    if (quantity == FM_NAVIGATES_ATTITUDE || quantity == FM_NAVIGATES_VELOCITY)
        fm_quantity_values(context, &s->with, FM_COUNT(t.with), t.with);
    return t;
}

/* Adds the values of one more quantity. */
static void listen(const fm_part_context *context, const navigation_config *c, int quantity,
                   fm_told told[FM_NAVIGATES_QUANTITIES], fm_hearing *h)
{
    const source *s = choose(context, c, quantity);
    h->measured[quantity] = c->count[quantity] > 0;
    if (s)
        told[h->count++] = hear(context, c, quantity, s);
}

/* The lever arm of an instrument, m, NED. */
static void lever(const source *s, const double R[9], double out[3])
{
    fm_vector_to_world(R, s->view.mount->position, out);
}

/* --- the filter --- */

/* Whether a source has a new sample; *time: s, when it was taken. */
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

/* s between the samples of a quantity from the source in use. */
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

static void fuse_depth(const fm_part_context *context, const navigation_config *c, const double R[9], fm_estimate *n)
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

static void fuse_fixes(const fm_part_context *context, const navigation_config *c, const double R[9], fm_estimate *n)
{
    navigation_state *state = context->state;
    double fix[2], arm[3], told[9], time;
    for (int64_t i = 0; i < c->count[FM_NAVIGATES_POSITION]; i++) {
        const source *s = &c->sources[FM_NAVIGATES_POSITION][i];
        if (!is_news(context, FM_NAVIGATES_POSITION, i, s, &time) || !works(context, c, s))
            continue;
        lever(s, R, arm);
        read_position(context, c, s, fix);
        for (int k = 0; k < 2; k++)
            fix[k] = fix[k] - arm[k] + arm[k]; /* by way of the body origin */
        if (s->variance.count)
            fm_quantity_values(context, &s->variance, 9, told);
        const double variance[3] = {told[0], told[1], told[4]};
        fm_fusion_fix(context, &c->filter, &state->fusion, time, fix, arm, s->variance.count ? variance : NULL, n);
    }
}

static void fuse_ranges(const fm_part_context *context, const navigation_config *c, const double R[9], fm_estimate *n)
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
static void fuse_position(const fm_part_context *context, const navigation_config *c, const double R[9], fm_estimate *n)
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

/* Diagnostics of the filter, and (C31) its consistency. */
static void tell_filter(const fm_part_context *context, const navigation_config *c, const fm_estimate *truth,
                        fm_navigation *n)
{
    const fm_fusion *f = &((const navigation_state *)context->state)->fusion;
    const double *p = f->filter.p;
    double error[3];
    for (int i = 0; i < 3; i++)
        error[i] = truth->position[i] - n->believed.position[i];
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

/* The estimate from all available quantities. */
static void estimate(const fm_part_context *context, const navigation_config *c, const fm_estimate *truth,
                     fm_estimate *e)
{
    navigation_state *state = context->state;
    const fm_fusion *f = &state->fusion; /* zero without a filter */
    fm_found found = {.heading_bias = f->heading_bias,
                      .velocity_bias = {f->velocity_bias[0], f->velocity_bias[1]},
                      .current = {c->current[0] + f->current[0], c->current[1] + f->current[1], c->current[2]}};
    fm_told told[FM_NAVIGATES_QUANTITIES];
    fm_hearing h = {.told = told};
    double R[9], through = (double)state->through_water;
    listen(context, c, FM_NAVIGATES_ATTITUDE, told, &h);
    listen(context, c, FM_NAVIGATES_HEADING, told, &h);
    fm_navigator_attitude(&h, &found, truth, context->period, e);
    fm_euler_matrix(e->euler, R);
    listen(context, c, FM_NAVIGATES_VELOCITY, told, &h);
    fm_navigator_velocity(&h, &found, truth, R, &through, e);
    state->through_water = through > 0.5;
    if (c->fuses) {
        fuse_position(context, c, R, e);
    } else {
        listen(context, c, FM_NAVIGATES_POSITION, told, &h);
        listen(context, c, FM_NAVIGATES_DEPTH, told, &h);
        fm_navigator_fix(&h, truth, R, context->period, e);
    }
    listen(context, c, FM_NAVIGATES_ALTITUDE, told, &h);
    fm_navigator_altitude(&h, truth, R, e);
}

static void run_navigation(const fm_part_context *context)
{
    const navigation_config *c = context->config;
    const fm_estimate truth = fm_navigation_known(context, -1);
    fm_navigation *n = context->output;
    estimate(context, c, &truth, &n->believed);
    n->error = fm_estimate_error(&n->believed, &truth);
    fm_metric_note(context, (int)c->error_metric, n->error);
    fm_metric_note(context, (int)c->final_metric, n->error);
    fm_metric_note(context, (int)c->rms_metric, n->error);
    if (c->fuses)
        tell_filter(context, c, &truth, n);
}

static void start_navigation(const fm_part_context *context)
{
    const navigation_config *c = context->config;
    navigation_state *s = context->state;
    fm_navigation *n = context->output;
    const fm_estimate truth = fm_navigation_known(context, -1);
    *n = (fm_navigation){0};
    fm_estimate_begin(&truth, context->vehicle->rotation, context->period, &n->believed);
    for (int quantity = 0; quantity < FM_NAVIGATES_QUANTITIES; quantity++)
        s->used[quantity] = c->count[quantity] ? quantity != FM_NAVIGATES_POSITION ||
                                                     c->sources[quantity][0].given == FM_QUANTITY_POSITION
                                               : 0;
    if (c->fuses)
        fm_fusion_start(context, &c->filter, &s->fusion, &n->believed);
}

const fm_part_class fm_navigation_class = {.kind = FM_PART_CONTROLLER,
                                           .element = &fm_navigation_element,
                                           .state_size = sizeof(navigation_state),
                                           .output_size = sizeof(fm_navigation),
                                           .outputs = fm_navigation_outputs,
                                           .output_count = FM_NAVIGATION_OUTPUTS,
                                           .load = fm_navigation_load,
                                           .start = start_navigation,
                                           .run = run_navigation,
                                           .lanes = &fm_navigation_lanes};

/* --- for a kernel --- */

/* Indices of an instrument's output, and of those that accompany it, among its values. */
static void place_values(const source *s, fm_teller *t)
{
    t->with = -1;
    if (t->given == FM_TELLS_ORIENTATION)
        t->values = FM_VALUE_ORIENTATION;
    if (t->given == FM_TELLS_VELOCITY)
        t->values = FM_VALUE_VELOCITY;
    if (t->given == FM_TELLS_ALTITUDE)
        t->values = FM_VALUE_ALTITUDE;
    if (s->given == FM_QUANTITY_POSITION)
        t->values = t->quantity == FM_NAVIGATES_DEPTH ? FM_VALUE_POSITION + 2 : FM_VALUE_POSITION;
    if (t->quantity == FM_NAVIGATES_ATTITUDE)
        t->with = FM_VALUE_RATES;
    if (t->given == FM_TELLS_VELOCITY && s->with.count)
        t->with = FM_VALUE_MODE;
}

const char *fm_navigation_describe(const void *config, fm_suite *p)
{
    const navigation_config *c = config;
    if (c->fuses)
        return "its <navigation> has a <filter>";
    for (int quantity = 0; quantity < FM_NAVIGATES_QUANTITIES; quantity++) {
        p->measured[quantity] = c->count[quantity] > 0;
        for (int64_t i = 0; i < c->count[quantity]; i++) {
            const source *s = &c->sources[quantity][i];
            if (p->tellers == FM_SUITE_TELLERS)
                return "its <navigation> names more instruments than a batch takes";
            fm_teller *t = &p->teller[p->tellers++];
            *t = (fm_teller){.quantity = quantity,
                             .given = fm_navigation_tells(quantity, s->given),
                             .instrument = (int32_t)s->view.part};
            place_values(s, t);
        }
    }
    for (int i = 0; i < 3; i++)
        p->current[i] = c->current[i] + 0.0; /* as where a filter adds to it */
    p->patience = c->patience;
    return NULL;
}

/* --- for those who read it --- */

int fm_load_navigation(fm_part_load *load)
{
    int found = -1;
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_class_is(fm_load_part_info(load, i).part_class, "navigation"))
            found = (int)i;
    return found;
}

/* The part's own output. */
static const fm_estimate *believed_by(const fm_part_context *context, int part)
{
    return &((const fm_navigation *)fm_sensor_output(context, part))->believed;
}

fm_estimate fm_navigation_known(const fm_part_context *context, int part)
{
    const fm_vehicle_view *v = context->vehicle;
    return part >= 0 ? *believed_by(context, part)
                     : fm_estimate_true(v->position, v->rotation, v->velocity, v->water, v->depth_below);
}

const double *fm_navigation_position(const fm_part_context *context, int part)
{
    return part >= 0 ? believed_by(context, part)->position : context->vehicle->position;
}

fm_guide_view fm_navigation_view(const fm_part_context *context, int part)
{
    const double heading = fm_vehicle_view_heading(context->vehicle);
    return (fm_guide_view){.time = context->time,
                           .position = fm_navigation_position(context, part),
                           .truth = context->vehicle->position,
                           .heading = part >= 0 ? believed_by(context, part)->euler[2] : heading,
                           .true_heading = heading};
}
