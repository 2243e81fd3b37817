/* The part <imu-record>: what the vehicle knows of its own motion. Depth, orientation and angular velocity as in the
 * paper; forward velocity is our addition, because the reflex must know when the vehicle has stopped. */
#include "sensors/imu_record.h"

#include <string.h>

#include "control/feeler.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

typedef struct imu_config {
    fm_health health;
    fm_flaws forward, depth, attitude, rates;
    double forward_scale, yaw_drift;
    fm_instrument instrument;
} imu_config;
typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;
/* Components with errors, in this order: the forward velocity, the depth, three angles, three rates. */
enum { FORWARD_AT, DEPTH_AT, ATTITUDE_AT, RATES_AT = 5, COMPONENTS = 8 };

static const fm_attr forward_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "m/s"),
    FM_FLAW_LIMITS(flaws_alone, flaws, "m/s"),
};
static const fm_attr depth_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "m"),
    FM_FLAW_LIMITS(flaws_alone, flaws, "m"),
};
static const fm_attr attitude_attrs[] = {
    FM_FLAW_ATTRS_3(flaws_alone, flaws, "rad"),
};
static const fm_attr rates_attrs[] = {
    FM_FLAW_ATTRS_3(flaws_alone, flaws, "rad/s"),
    FM_FLAW_SCALE_3(flaws_alone, flaws),
    FM_FLAW_LIMITS(flaws_alone, flaws, "rad/s"),
};
static const fm_element forward_element = FM_CHILD_ELEMENT(imu_config, forward, fm_flaws, "forward", forward_attrs,
                                                           NULL, "Errors of the forward velocity."),
                        depth_element = FM_CHILD_ELEMENT(imu_config, depth, fm_flaws, "depth", depth_attrs, NULL,
                                                         "Errors of the depth."),
                        attitude_element = FM_CHILD_ELEMENT(imu_config, attitude, fm_flaws, "attitude", attitude_attrs,
                                                            NULL, "Errors of roll, pitch and yaw."),
                        rates_element = FM_CHILD_ELEMENT(imu_config, rates, fm_flaws, "rates", rates_attrs, NULL,
                                                         "Errors of the rates of turn.");
static const fm_element *const children[] = {&forward_element, &depth_element, &attitude_element, &rates_element, NULL};
static const fm_attr attrs[] = {
    FM_INSTRUMENT_ATTRS(imu_config),
    FM_REAL_ATTR(imu_config, forward_scale, "forward-scale", "", 0.1, 10, "1", FM_ATTR_LIVE,
                 "scale error of the forward velocity: 1 is right"),
    FM_REAL_ATTR(imu_config, yaw_drift, "yaw-drift", "rad/s", -1, 1, "0 deg/s", FM_ATTR_LIVE, "drift of the yaw angle"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    imu_config, "imu-record", attrs, children, FM_ELEMENT_ONCE,
    "Depth, orientation, angular velocity and forward velocity, as an on-board controller receives them.");

static fm_status load_record(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((imu_config *)config)->instrument, COMPONENTS, FM_READING_WORDS(fm_imu_record),
                              sizeof(double), error);
}

/* The true record; the yaw drift accumulates from call to call. */
static void measure(const fm_part_context *context, fm_imu_record *out)
{
    const imu_config *c = context->config, *live = context->live;
    const fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double *drift = fm_instrument_state(context, &c->instrument);
    out->depth = at.position[2];
    fm_mount_euler(at.rotation, out->euler);
    out->euler[2] += *drift;
    *drift += live->yaw_drift * context->period;
    for (int k = 0; k < 3; k++)
        out->rates[k] = at.rates[k];
    out->forward = live->forward_scale * at.velocity[0];
}

static void spoil(const fm_part_context *context, fm_imu_record *out)
{
    const imu_config *live = context->live;
    fm_instrument_spoil(context, &live->forward, FORWARD_AT, 1, &out->forward);
    fm_instrument_spoil(context, &live->depth, DEPTH_AT, 1, &out->depth);
    fm_instrument_spoil(context, &live->attitude, ATTITUDE_AT, 3, out->euler);
    fm_instrument_spoil(context, &live->rates, RATES_AT, 3, out->rates);
}

static void run_record(const fm_part_context *context)
{
    const imu_config *c = context->config, *live = context->live;
    fm_imu_record record;
    measure(context, &record);
    spoil(context, &record);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &record.depth);
}

/* Before the first sample, controllers see the record of the launch. */
static void start_record(const fm_part_context *context)
{
    fm_imu_record *out = context->output;
    measure(context, out);
    spoil(context, out);
}

/* --- for a kernel that runs the whole chain --- */

static int is_true(const fm_flaws *f)
{
    static const fm_flaws none;
    fm_flaws plain = *f;
    plain.distribution = 0;
    plain.drift_time = plain.outlier_size = 0; /* of what is not there */
    return memcmp(&plain, &none, sizeof none) == 0;
}

int fm_imu_record_is_plain(const void *config)
{
    const imu_config *c = config;
    return c->health.dropout == 0 && c->health.fault == FM_FAULT_HEALTHY && c->instrument.delay == 0 &&
           is_true(&c->forward) && is_true(&c->depth) && is_true(&c->attitude) && is_true(&c->rates);
}

void fm_imu_record_describe(const void *config, struct fm_feeler *p)
{
    const imu_config *c = config;
    memcpy(p->mount, c->instrument.mount.position, sizeof p->mount);
    memcpy(p->turned, c->instrument.mount.rotation, sizeof p->turned);
    p->forward_scale = c->forward_scale;
    p->yaw_drift = c->yaw_drift;
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_imu_record, depth, "depth", "m", FM_QUANTITY_DEPTH),
    FM_OUTPUT_NUMBER(fm_imu_record, euler[0], "attitude.roll", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_imu_record, euler[1], "attitude.pitch", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_imu_record, euler[2], "attitude.heading", "rad", FM_QUANTITY_HEADING),
    FM_OUTPUT_NUMBER(fm_imu_record, rates[0], "rates.roll", "rad/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_imu_record, rates[1], "rates.pitch", "rad/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_imu_record, rates[2], "rates.yaw", "rad/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_imu_record, forward, "forward", "m/s", FM_QUANTITY_FORWARD_SPEED),
    FM_OUTPUT_GIVEN(fm_imu_record, euler, "euler", "rad", 3, FM_QUANTITY_EULER),
    FM_OUTPUT_GIVEN(fm_imu_record, rates, "rates", "rad/s", 3, FM_QUANTITY_RATES),
};
const fm_part_class fm_imu_record_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(imu_config, instrument),
                                           .mount = FM_MOUNT_AT(imu_config, instrument.mount),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .counts = FM_COUNTS_READING,
                                           .load = load_record,
                                           .start = start_record,
                                           .run = run_record};
