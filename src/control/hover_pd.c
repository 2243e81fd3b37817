/* The part <hover-pd>: controls roll, pitch, yaw, depth and forward speed with proportional and derivative action,
 * allocated to the thrusters by the pseudo-inverse. It reads only the instruments of its own motion and writes only
 * motor orders. Set points can be given at load and during the run; a <reflex> before it receives them (its record) and
 * then selects the speed and bearing to follow, and so does a <wake-finder> that steers. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/part_class.h"
#include "control/allocation.h"
#include "control/facts.h"
#include "control/feeler.h"
#include "control/own_motion.h"
#include "control/reflex_part.h"
#include "flow/flow_part.h"
#include "physics/vector.h"

typedef struct pd_gain {
    double kp, kd;
} pd_gain;

typedef struct pd_live {
    double speed;          /* m/s; NaN: not ordered */
    double depth, bearing; /* m, rad; NaN: those of the start */
    double pitch, roll;    /* rad */
    pd_gain roll_gain, pitch_gain, yaw_gain, depth_gain;
    double speed_kp, speed_kd, feed_forward;
} pd_live;

_Static_assert(sizeof(fm_hover_gains) == sizeof(pd_live) - offsetof(pd_live, roll_gain), "gains as the law has them");

typedef struct pd_config {
    pd_live live;
    const char *forward_group;
    double period;
    fm_own_motion_view motion;
    int reflex; /* part; −1: none */
    int finder; /* part <wake-finder>; −1: none */
    size_t motor_count;
    fm_hover_motor motors[FM_ALLOCATION_MAX];
} pd_config;

typedef struct pd_memory {
    double depth, yaw; /* kept: those of the start */
    double last_depth; /* m, of the last record */
    double last_speed; /* m/s, of the last record */
} pd_memory;

#define GAINS(unit_p, unit_d)                                                                                          \
    FM_REAL_ATTR(pd_gain, kp, "kp", unit_p, 0, 1e6, "0 " unit_p, FM_ATTR_LIVE, "proportional gain"),                   \
        FM_REAL_ATTR(pd_gain, kd, "kd", unit_d, 0, 1e6, "0 " unit_d, FM_ATTR_LIVE, "derivative gain")
static const fm_attr roll_attrs[] = {
    GAINS("N*m", "N*m*s"),
};
static const fm_attr pitch_attrs[] = {
    GAINS("N*m", "N*m*s"),
};
static const fm_attr yaw_attrs[] = {
    GAINS("N*m", "N*m*s"),
};
static const fm_attr depth_attrs[] = {
    GAINS("N/m", "kg/s"),
};
static const fm_element roll_element = FM_CHILD_ELEMENT(pd_config, live.roll_gain, pd_gain, "roll", roll_attrs, NULL,
                                                        "Keeps the roll angle; gains per radian.");
static const fm_element pitch_element = FM_CHILD_ELEMENT(pd_config, live.pitch_gain, pd_gain, "pitch", pitch_attrs,
                                                         NULL, "Keeps the pitch angle; gains per radian.");
static const fm_element yaw_element = FM_CHILD_ELEMENT(pd_config, live.yaw_gain, pd_gain, "yaw", yaw_attrs, NULL,
                                                       "Follows the bearing; gains per radian.");
static const fm_element depth_element =
    FM_CHILD_ELEMENT(pd_config, live.depth_gain, pd_gain, "depth", depth_attrs, NULL, "Keeps the depth.");
static const fm_element *const children[] = {&roll_element, &pitch_element, &yaw_element, &depth_element, NULL};
static const fm_attr attrs[] = {
    FM_REAL_ATTR(pd_config, live.speed, "speed", "m/s", -10, 10, NULL, FM_ATTR_LIVE,
                 "desired forward speed; default: what a reflex cruises with, or 0"),
    FM_REAL_ATTR(pd_config, live.depth, "depth", "m", -100, 12000, NULL, FM_ATTR_LIVE,
                 "desired depth; default: that of the start"),
    FM_REAL_ATTR(pd_config, live.bearing, "bearing", "rad", -6.3, 6.3, NULL, FM_ATTR_LIVE,
                 "desired bearing; default: that of the start, and after a reflex the one that it turned to"),
    FM_REAL_ATTR(pd_config, live.pitch, "pitch", "rad", -1.5, 1.5, "0 deg", FM_ATTR_LIVE,
                 "desired pitch angle, nose up positive"),
    FM_REAL_ATTR(pd_config, live.roll, "roll", "rad", -3.2, 3.2, "0 deg", FM_ATTR_LIVE,
                 "desired roll angle, starboard down positive"),
    FM_REAL_ATTR(pd_config, live.speed_kp, "speed-gain", "kg/s", 0, 1e6, "0 kg/s", FM_ATTR_LIVE,
                 "thrust per error of the forward speed"),
    FM_REAL_ATTR(pd_config, live.speed_kd, "speed-damping", "kg", 0, 1e6, "0 kg", FM_ATTR_LIVE,
                 "thrust against each m/s2 of forward acceleration: the derivative part of the speed loop; less than "
                 "the mass of body and water, or it swings"),
    FM_REAL_ATTR(pd_config, live.feed_forward, "feed-forward", "kg/m", 0, 1e6, "0 kg/m", FM_ATTR_LIVE,
                 "thrust per squared ordered speed: the drag"),
    FM_NAME_ATTR(pd_config, forward_group, "forward-group", "forward", 0, "the motors that a reflex puts full astern"),
    FM_REAL_ATTR(pd_config, period, "period", "s", 0, 1e3, NULL, 0, "default: every vehicle step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(pd_config, "hover-pd", attrs, children, FM_ELEMENT_ONCE,
                     "Keeps roll, pitch, bearing, depth and forward speed with thrusters; uses only the IMU record, "
                     "and follows a preceding <reflex>, which receives its orders.");

/* --- at load --- */

static fm_status list_motors(fm_part_load *load, pd_config *c, fm_error *error)
{
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.thruster)
            continue;
        if (c->motor_count == FM_ALLOCATION_MAX)
            return fm_load_fail(load, error, FM_ERR_RANGE, "more than %d thrusters given: must be at most %d",
                                FM_ALLOCATION_MAX, FM_ALLOCATION_MAX);
        const double left = fm_load_actuator_efficiency(load, i), weak = left > 0 ? left : 1;
        fm_hover_motor *m = &c->motors[c->motor_count++];
        *m = (fm_hover_motor){.actuator = (int)i,
                              .square = info.square,
                              .low = info.low,
                              .high = info.high,
                              .gain = info.gain * weak,
                              .gain_reverse = info.gain_reverse * weak};
        m->forward = left > 0 && info.group && c->forward_group && strcmp(info.group, c->forward_group) == 0;
        if (left > 0) /* a dead one has no share */
            memcpy(m->share, info.column, sizeof m->share);
    }
    if (!c->motor_count)
        return fm_load_fail(load, error, FM_ERR_MODEL, "the vehicle has no thrusters");
    return FM_OK;
}

/* Replaces each motor's column by its row of the pseudo-inverse. */
static fm_status share_out(pd_config *c, fm_error *error)
{
    size_t n = c->motor_count;
    double effect[6 * FM_ALLOCATION_MAX] = {0}, low[FM_ALLOCATION_MAX] = {0}, high[FM_ALLOCATION_MAX] = {0};
    fm_allocation a;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 6; k++)
            effect[k * n + i] = c->motors[i].share[k];
        low[i] = -1e9, high[i] = 1e9;
    }
    fm_status status = fm_allocation_build(&a, n, effect, NULL, low, high, 1, error);
    for (size_t i = 0; status == FM_OK && i < n; i++)
        memcpy(c->motors[i].share, a.inverse[i], sizeof c->motors[i].share);
    return status;
}

static fm_status load_pd(fm_part_load *load, void *config, fm_error *error)
{
    pd_config *c = config;
    fm_status status = fm_load_own_motion(load, &c->motion, error);
    c->reflex = -1;
    c->finder = fm_load_any_part(load, "wake-finder");
    if (status != FM_OK)
        return status;
    c->live.speed = fm_load_has_attribute(load, "speed") ? c->live.speed : (double)NAN;
    c->live.depth = fm_load_has_attribute(load, "depth") ? c->live.depth : (double)NAN;
    c->live.bearing = fm_load_has_attribute(load, "bearing") ? c->live.bearing : (double)NAN;
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_class_is(fm_load_part_info(load, i).part_class, "reflex"))
            c->reflex = (int)i;
    status = list_motors(load, c, error);
    return status == FM_OK ? share_out(c, error) : status;
}

/* --- in a step --- */

static double or_else(double ordered, double otherwise)
{
    return isfinite(ordered) ? ordered : otherwise;
}

/* The set points followed now; `ordered_…` as they were set, for the reflex. A <wake-finder> that steers has
 * priority. */
static fm_hover_record desired_now(const pd_live *live, const pd_memory *m, const fm_reflex_record *reflex,
                                   const fm_wake_record *finder)
{
    fm_hover_record want = {.depth = or_else(live->depth, m->depth),
                            .bearing = reflex ? reflex->yaw : or_else(live->bearing, m->yaw),
                            .pitch = live->pitch,
                            .roll = live->roll,
                            .speed = reflex ? reflex->speed : or_else(live->speed, 0),
                            .ordered_speed = live->speed,
                            .ordered_bearing = live->bearing};
    if (finder)
        want.bearing = finder->bearing, want.speed = finder->speed;
    return want;
}

/* For a <wake-finder> that steers; NULL: none. */
static const fm_wake_record *steering_finder(const fm_part_context *context)
{
    const pd_config *c = context->config;
    const fm_wake_record *finder = c->finder >= 0 ? fm_sensor_output(context, c->finder) : NULL;
    return finder && finder->state > FM_WAKE_LISTEN ? finder : NULL;
}

static fm_motion_record told(const fm_own_motion *now)
{
    return (fm_motion_record){now->depth,
                              {now->euler[0], now->euler[1], now->euler[2]},
                              {now->rates[0], now->rates[1], now->rates[2]},
                              now->forward};
}

static void run_pd(const fm_part_context *context)
{
    const pd_config *c = context->config;
    const pd_live *live = context->live;
    const fm_own_motion now = fm_own_motion_read(context, &c->motion);
    const fm_reflex_record *reflex = c->reflex >= 0 ? fm_sensor_output(context, c->reflex) : NULL;
    pd_memory *m = context->state;
    fm_hover_record *want = context->output;
    double wrench[6];
    *want = desired_now(live, m, reflex, steering_finder(context));
    const fm_hover_want followed = {want->depth, want->bearing, want->pitch, want->roll, want->speed};
    const fm_motion_record record = told(&now);
    fm_hover_gains gains;
    memcpy(&gains, &live->roll_gain, sizeof gains);
    fm_hover_wrench(&gains, &record, m->last_depth, m->last_speed, &followed, context->period, wrench);
    m->last_depth = now.depth;
    m->last_speed = now.forward;
    for (size_t i = 0; i < c->motor_count; i++)
        fm_actuator_order(context, c->motors[i].actuator,
                          fm_hover_order(&c->motors[i], wrench, reflex ? reflex->reverse : 0));
}

static void start_pd(const fm_part_context *context)
{
    const pd_config *c = context->config;
    const fm_own_motion now = fm_own_motion_read(context, &c->motion);
    const fm_reflex_record *reflex = c->reflex >= 0 ? fm_sensor_output(context, c->reflex) : NULL;
    pd_memory *m = context->state;
    m->depth = m->last_depth = now.depth;
    m->yaw = now.euler[2];
    m->last_speed = now.forward;
    *(fm_hover_record *)context->output = desired_now(context->live, m, reflex, NULL);
}

/* --- for a kernel that runs the whole chain --- */

int fm_hover_pd_follows(const void *config, int motion, int reflex)
{
    const pd_config *c = config;
    return fm_own_motion_is_of(&c->motion, motion) && c->reflex == reflex && c->finder < 0;
}

size_t fm_hover_pd_motors(const void *config)
{
    return ((const pd_config *)config)->motor_count;
}

void fm_hover_pd_describe(const void *config, fm_feeler *p, fm_hover_motor *motors)
{
    const pd_config *c = config;
    const pd_live *live = &c->live;
    p->speed = live->speed;
    p->depth = live->depth;
    p->bearing = live->bearing;
    p->pitch = live->pitch;
    p->roll = live->roll;
    memcpy(&p->gains, &live->roll_gain, sizeof p->gains);
    memcpy(motors, c->motors, c->motor_count * sizeof *motors);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_hover_record, depth, "desired.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_hover_record, bearing, "desired.bearing", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_hover_record, pitch, "desired.pitch", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_hover_record, roll, "desired.roll", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_hover_record, speed, "desired.speed", "m/s", FM_QUANTITY_NONE),
};
static const fm_setpoint set_points[] = {
    {FM_SETPOINT_ROW(pd_config, live.depth, "depth", "m", -100, 12000, "depth to keep; not set: that of the start"),
     .optional = 1},
    {FM_SETPOINT_ROW(pd_config, live.bearing, "bearing", "rad", -6.3, 6.3,
                     "bearing to keep; not set: that of the start, after a reflex the one that it turned to"),
     .also = "heading", .optional = 1},
    {FM_SETPOINT_ROW(pd_config, live.speed, "speed", "m/s", -10, 10,
                     "forward speed; not set: what a reflex cruises with, or 0"),
     .optional = 1},
    {FM_SETPOINT_ROW(pd_config, live.pitch, "pitch", "rad", -1.5, 1.5, "pitch to keep, nose up")},
    {FM_SETPOINT_ROW(pd_config, live.roll, "roll", "rad", -3.2, 3.2, "roll to keep, starboard down")},
};
const fm_part_class fm_hover_pd_class = {.kind = FM_PART_CONTROLLER,
                                         .element = &element,
                                         .live_size = sizeof(pd_live),
                                         .state_size = sizeof(pd_memory),
                                         .output_size = sizeof(fm_hover_record),
                                         .outputs = outputs,
                                         .output_count = FM_COUNT(outputs),
                                         .load = load_pd,
                                         .start = start_pd,
                                         .run = run_pd,
                                         .setpoints = set_points,
                                         .setpoint_count = FM_COUNT(set_points),
                                         .lanes = &fm_hover_pd_lanes};
