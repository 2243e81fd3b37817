/* The part <hover-pd>: keeps roll, pitch, yaw, depth and forward speed by proportional and derivative action, shared
 * out to the thrusters by the pseudo-inverse. It sees the IMU record alone and writes motor orders alone. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "control/allocation.h"
#include "control/reflex_part.h"
#include "flow/flow_part.h"
#include "physics/vector.h"
#include "sensors/imu_record.h"

typedef struct pd_gain {
    double kp, kd;
} pd_gain;

typedef struct pd_live {
    double speed; /* m/s, where no reflex is followed */
    pd_gain roll, pitch, yaw, depth;
    double speed_kp, feed_forward;
} pd_live;

typedef struct pd_motor {
    int actuator, square, forward;
    double low, high, gain, gain_reverse;
    double share[6]; /* N per N and N·m of wrench */
} pd_motor;

typedef struct pd_config {
    pd_live live;
    const char *forward_group;
    double period;
    int imu, reflex; /* parts; reflex −1: none */
    size_t motor_count;
    pd_motor motors[FM_ALLOCATION_MAX];
} pd_config;

typedef struct pd_memory {
    double depth, yaw; /* kept: those of the start */
    double last_depth; /* m, of the last record */
} pd_memory;

#define GAIN(field, unit_p, unit_d, p, d)                                                                              \
    {.name = "kp",                                                                                                     \
     .type = FM_ATTR_REAL,                                                                                             \
     .offset = 0,                                                                                                      \
     .unit = unit_p,                                                                                                   \
     .min = 0,                                                                                                         \
     .max = 1e6,                                                                                                       \
     .fallback = p,                                                                                                    \
     .flags = FM_ATTR_LIVE,                                                                                            \
     .text = "proportional gain"},                                                                                     \
    {                                                                                                                  \
        .name = "kd", .type = FM_ATTR_REAL, .offset = sizeof(double), .unit = unit_d, .min = 0, .max = 1e6,            \
        .fallback = d, .flags = FM_ATTR_LIVE, .text = "derivative gain"                                                \
    }
static const fm_attr roll_attrs[] = {GAIN(roll, "N*m", "N*m*s", "2.180 N*m", "1.454 N*m*s")};
static const fm_attr pitch_attrs[] = {GAIN(pitch, "N*m", "N*m*s", "6.589 N*m", "6.589 N*m*s")};
static const fm_attr yaw_attrs[] = {GAIN(yaw, "N*m", "N*m*s", "6.576 N*m", "6.576 N*m*s")};
static const fm_attr depth_attrs[] = {GAIN(depth, "N/m", "kg/s", "51.63 N/m", "103.26 kg/s")};
#define AXIS(its_name, field, its_text)                                                                                \
    static const fm_element field##_element = {.name = its_name,                                                       \
                                               .text = its_text,                                                       \
                                               .attrs = field##_attrs,                                                 \
                                               .attr_count = FM_COUNT(field##_attrs),                                  \
                                               .config_size = sizeof(pd_gain),                                         \
                                               .parent_offset = offsetof(pd_config, live.field),                       \
                                               .flags = FM_ELEMENT_ONCE}
AXIS("roll", roll, "Keeps the roll angle at 0; gains per radian.");
AXIS("pitch", pitch, "Keeps the pitch angle at 0; gains per radian.");
AXIS("yaw", yaw, "Follows the ordered yaw; gains per radian.");
AXIS("depth", depth, "Keeps the depth of the start.");
static const fm_element *const children[] = {&roll_element, &pitch_element, &yaw_element, &depth_element, NULL};
static const fm_attr attrs[] = {{.name = "speed",
                                 .type = FM_ATTR_REAL,
                                 .offset = offsetof(pd_config, live.speed),
                                 .unit = "m/s",
                                 .min = -10,
                                 .max = 10,
                                 .fallback = "0 m/s",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "ordered forward speed, where no reflex orders it"},
                                {.name = "speed-gain",
                                 .type = FM_ATTR_REAL,
                                 .offset = offsetof(pd_config, live.speed_kp),
                                 .unit = "kg/s",
                                 .min = 0,
                                 .max = 1e6,
                                 .fallback = "150 kg/s",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "thrust per error of the forward speed"},
                                {.name = "feed-forward",
                                 .type = FM_ATTR_REAL,
                                 .offset = offsetof(pd_config, live.feed_forward),
                                 .unit = "kg/m",
                                 .min = 0,
                                 .max = 1e6,
                                 .fallback = "7.3631 kg/m",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "thrust per squared ordered speed: the drag"},
                                {.name = "forward-group",
                                 .type = FM_ATTR_NAME,
                                 .offset = offsetof(pd_config, forward_group),
                                 .fallback = "forward",
                                 .text = "the motors that a reflex puts full astern"},
                                {.name = "period",
                                 .type = FM_ATTR_REAL,
                                 .offset = offsetof(pd_config, period),
                                 .unit = "s",
                                 .min = 0,
                                 .max = 1e3,
                                 .text = "default: every vehicle step"}};
static const fm_element element = {.name = "hover-pd",
                                   .text = "Keeps roll, pitch, yaw, depth and forward speed with thrusters; sees the "
                                           "IMU record alone, and follows a <reflex> before it.",
                                   .attrs = attrs,
                                   .attr_count = FM_COUNT(attrs),
                                   .children = children,
                                   .config_size = sizeof(pd_config),
                                   .flags = FM_ELEMENT_ONCE};

/* --- at load --- */

static fm_status list_motors(fm_part_load *load, pd_config *c, fm_error *error)
{
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.thruster)
            continue;
        if (c->motor_count == FM_ALLOCATION_MAX)
            return fm_load_fail(load, error, FM_ERR_RANGE, "found more than %d thrusters, accepted at most %d",
                                FM_ALLOCATION_MAX, FM_ALLOCATION_MAX);
        pd_motor *m = &c->motors[c->motor_count++];
        *m = (pd_motor){.actuator = (int)i,
                        .square = info.square,
                        .low = info.low,
                        .high = info.high,
                        .gain = info.gain,
                        .gain_reverse = info.gain_reverse};
        m->forward = info.group && c->forward_group && strcmp(info.group, c->forward_group) == 0;
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
    c->imu = fm_load_find_part(load, &fm_imu_record_class, error);
    c->reflex = -1;
    if (c->imu < 0)
        return FM_ERR_NAME;
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_load_part_info(load, i).part_class == &fm_reflex_class)
            c->reflex = (int)i;
    fm_status status = list_motors(load, c, error);
    return status == FM_OK ? share_out(c, error) : status;
}

/* --- in a step --- */

static double order_of(const pd_motor *m, double force)
{
    double order = force;
    if (m->square)
        order = force < 0 ? -fm_sqrt(-force / m->gain_reverse) : fm_sqrt(force / m->gain);
    return fm_clamp(order, m->low, m->high);
}

static void wanted_wrench(const pd_live *g, const fm_imu_record *imu, const pd_memory *m, double speed, double yaw,
                          double dt, double wrench[6])
{
    double sinking = (imu->depth - m->last_depth) / dt;
    wrench[0] = g->speed_kp * (speed - imu->forward) + g->feed_forward * speed * fabs(speed);
    wrench[1] = 0;
    wrench[2] = g->depth.kp * (m->depth - imu->depth) - g->depth.kd * sinking;
    wrench[3] = -g->roll.kp * imu->euler[0] - g->roll.kd * imu->rates[0];
    wrench[4] = -g->pitch.kp * imu->euler[1] - g->pitch.kd * imu->rates[1];
    wrench[5] = g->yaw.kp * fm_reflex_wrap(yaw - imu->euler[2]) - g->yaw.kd * imu->rates[2];
}

static void run_pd(const fm_part_context *context)
{
    const pd_config *c = context->config;
    const pd_live *live = context->live;
    const fm_imu_record *imu = fm_sensor_output(context, c->imu);
    const fm_reflex_record *reflex = c->reflex >= 0 ? fm_sensor_output(context, c->reflex) : NULL;
    pd_memory *m = context->state;
    double wrench[6], speed = reflex ? reflex->speed : live->speed, yaw = reflex ? reflex->yaw : m->yaw;
    wanted_wrench(live, imu, m, speed, yaw, context->period, wrench);
    m->last_depth = imu->depth;
    for (size_t i = 0; i < c->motor_count; i++) {
        const pd_motor *motor = &c->motors[i];
        double force = 0;
        for (int k = 0; k < 6; k++)
            force += motor->share[k] * wrench[k];
        int astern = reflex && reflex->reverse > 0.5 && motor->forward;
        fm_actuator_order(context, motor->actuator, astern ? motor->low : order_of(motor, force));
    }
}

static void start_pd(const fm_part_context *context)
{
    const pd_config *c = context->config;
    const fm_imu_record *imu = fm_sensor_output(context, c->imu);
    pd_memory *m = context->state;
    m->depth = m->last_depth = imu->depth;
    m->yaw = imu->euler[2];
}

const fm_part_class fm_hover_pd_class = {.kind = FM_PART_CONTROLLER,
                                         .element = &element,
                                         .live_size = sizeof(pd_live),
                                         .state_size = sizeof(pd_memory),
                                         .load = load_pd,
                                         .start = start_pd,
                                         .run = run_pd};
