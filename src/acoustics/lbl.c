/* Long base line: queries transponders at known places, and computes its own position from the ranges of their
 * answers. */
#include <math.h>
#include <string.h>

#include "acoustics/beacons.h"
#include "acoustics/fix.h"
#include "acoustics/parts.h"
#include "physics/posture.h"

typedef struct lbl_config {
    fm_health health;
    fm_flaws flaws; /* of ranges, m */
    fm_instrument instrument;
    fm_listener listener;
    double interval, window; /* s: between queries; waiting time for answers */
    double gate, deviation;
    const char *depth_name;
    int64_t has_depth;
    fm_quantity_view depth;
} lbl_config;

static const fm_attr attrs[] = {
    FM_ACOUSTIC_ATTRS(lbl_config),
    FM_FLAW_ATTRS(lbl_config, flaws, "m"),
    FM_LISTENER_ATTRS(lbl_config, listener),
    FM_REAL_ATTR(lbl_config, interval, "interval", "s", 1e-3, 1e5, "10 s", 0, "between queries"),
    FM_REAL_ATTR(lbl_config, window, "window", "s", 0, 1e5, "0 s", 0,
                 "that answers are waited for; 0: nine tenths of the interval. When all have come, the fix is made at "
                 "once"),
    FM_REAL_ATTR(
        lbl_config, gate, "gate", "", 1, 1e6, "4", 0,
        "with four ranges or more: ranges that are off by more than this number of standard deviations are ignored"),
    FM_REAL_ATTR(lbl_config, deviation, "deviation", "m", 0, 1e3, "0 m", 0,
                 "that it takes its ranges to have, for gate and covariance; 0: its noise, or 1 mm without any"),
    FM_NAME_ATTR(lbl_config, depth_name, "depth", NULL, 0,
                 "sensor of the depth, which is taken as known; left out: the first, or without one the true depth"),
};
static const fm_element *const children[] = {&fm_beacon_element, NULL};
static const fm_element element =
    FM_TABLE_ELEMENT(lbl_config, "lbl", attrs, children, 0,
                     "Long base line: interrogates transponders at known positions and computes its own position by "
                     "least squares of the ranges. Its errors are those of a range.");

/* Its own state. */
typedef struct lbl_state {
    fm_asking asking;
    int64_t open; /* 1: a query waits for its answers */
    int64_t count;
    fm_fix_range ranges[FM_BEACONS_MOST];
    int64_t heard[FM_BEACONS_MOST]; /* beacons by place in the list */
    double sum;                     /* s, times for which the ranges are valid */
    int64_t known;
    double last[2]; /* m, the last fix */
} lbl_state;

static fm_status load_lbl(fm_part_load *load, void *config, fm_error *error)
{
    lbl_config *c = config;
    fm_error none = {0};
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 2, error);
    if (status != FM_OK)
        return status;
    c->has_depth =
        fm_load_find_quantity(load, FM_QUANTITY_DEPTH, c->depth_name, &c->depth, c->depth_name ? error : &none) >= 0;
    if (c->depth_name && !c->has_depth)
        return error->status;
    c->window = c->window > 0 ? c->window : 0.9 * c->interval;
    return fm_instrument_load(load, &c->instrument, FM_BEACONS_MOST, FM_READING_WORDS(fm_fix_reading),
                              sizeof(lbl_state), error);
}

/* Depth of the transducer, m: the sensor's value, corrected for its mounting position. */
static double own_depth(const fm_part_context *context, const lbl_config *c)
{
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    if (!c->has_depth)
        return at.position[2];
    return fm_quantity_value(context, &c->depth, 0) + at.position[2] -
           fm_instrument_where(context, c->depth.mount).position[2];
}

/* (A8.3) R = c (τ − delay)/2. Valid for the midpoint between query and answer. */
static void take_answer(const fm_part_context *context, const lbl_config *c, const fm_reception *r, lbl_state *s)
{
    const lbl_config *live = context->live;
    const fm_beacon *beacon = fm_listener_beacon(&c->listener, r->from);
    if (!beacon || s->heard[beacon - c->listener.beacons])
        return; /* a stranger, or by a longer way */
    size_t number = (size_t)(beacon - c->listener.beacons);
    double range = 0.5 * fm_listener_speed(&c->listener, r) * (r->time - s->asking.asked_at - beacon->delay);
    fm_instrument_spoil(context, &live->flaws, number, 1, &range);
    s->heard[number] = 1;
    s->ranges[s->count] = (fm_fix_range){{beacon->position[0], beacon->position[1], beacon->position[2]}, range};
    s->count++;
    s->sum += 0.5 * (r->time + s->asking.asked_at);
}

static void give_fix(const fm_part_context *context, const lbl_config *c, lbl_state *s)
{
    const lbl_config *live = context->live;
    double deviation = c->deviation > 0 ? c->deviation : fmax(live->flaws.noise, 1e-3), depth = own_depth(context, c);
    fm_fix fix;
    s->open = 0;
    if (!fm_fix_solve(s->ranges, (size_t)s->count, depth, deviation, c->gate, s->known ? s->last : NULL, &fix))
        return;
    memcpy(s->last, fix.position, sizeof s->last);
    s->known = 1;
    fm_fix_reading r = {
        .position = {fix.position[0], fix.position[1], depth},
        .covariance = {fix.covariance[0], fix.covariance[1], 0, fix.covariance[1], fix.covariance[2]},
        .gdop = fix.gdop,
        .residual = fix.residual,
        .used = (double)fix.used,
        .rejected = (double)fix.rejected,
        .pose = {[0] = fix.covariance[2], [1] = fix.covariance[1], [6] = fix.covariance[1], [7] = fix.covariance[0]}};
    fm_listener_give(context, &c->instrument, &live->health, s->sum / (double)s->count, r.position);
}

static void run_lbl(const fm_part_context *context)
{
    const lbl_config *c = context->config;
    lbl_state *s = fm_instrument_state(context, &c->instrument);
    fm_reception r;
    ((fm_reading *)context->output)->valid = 0;
    while (fm_asking_hear(context, &c->listener, &s->asking, &r))
        if (s->open)
            take_answer(context, c, &r, s);
    int all = s->count == (int64_t)c->listener.beacon_count;
    if (s->open && (all || context->time >= s->asking.asked_at + c->window))
        give_fix(context, c, s);
    if (!fm_asking_ask(context, &c->listener, &s->asking, c->interval, 0))
        return;
    s->open = 1;
    s->count = 0;
    s->sum = 0;
    memset(s->heard, 0, sizeof s->heard);
}

static const fm_output outputs[] = {
    FM_OUTPUT_FIELD(fm_fix_reading, position, "pose.pose.position", "m", 3, FM_OUTPUT_WORLD, FM_QUANTITY_POSITION),
    FM_OUTPUT_FIELD(fm_fix_reading, pose, "pose.covariance", "", 36, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
    FM_OUTPUT_GIVEN(fm_fix_reading, covariance, "covariance", "m2", 9, FM_QUANTITY_POSITION_COVARIANCE),
    {.field = "gdop", .unit = "", .offset = offsetof(fm_fix_reading, gdop), .count = 1, .reach = FM_OUTPUT_LOCAL},
    {.field = "residual",
     .unit = "m",
     .offset = offsetof(fm_fix_reading, residual),
     .count = 1,
     .reach = FM_OUTPUT_LOCAL},
    {.field = "used", .unit = "", .offset = offsetof(fm_fix_reading, used), .count = 1, .reach = FM_OUTPUT_LOCAL},
    {.field = "rejected",
     .unit = "",
     .offset = offsetof(fm_fix_reading, rejected),
     .count = 1,
     .reach = FM_OUTPUT_LOCAL},
};
const fm_part_class fm_lbl_class = {.kind = FM_PART_SENSOR,
                                    .element = &element,
                                    .live_size = offsetof(lbl_config, instrument),
                                    .mount = FM_MOUNT_AT(lbl_config, instrument.mount),
                                    .message = "geometry_msgs/PoseWithCovarianceStamped",
                                    .outputs = outputs,
                                    .output_count = FM_COUNT(outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_lbl,
                                    .run = run_lbl};
