/* The part <imu-record>: what the vehicle knows of its own motion. Depth, orientation and angular velocity as the paper
 * has them; forward velocity is our addition, because the reflex must know when it stands still. */
#include "sensors/imu_record.h"

#include "base/random.h"
#include "flow/flow_part.h"

typedef struct imu_config {
    double noise, forward_scale, forward_bias, yaw_drift; /* live */
    double period;
} imu_config;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(imu_config, noise, "forward-noise", "m/s", 0, 10, "0 m/s", FM_ATTR_LIVE,
                 "standard deviation of each record of the forward velocity"),
    FM_REAL_ATTR(imu_config, forward_scale, "forward-scale", "", 0.1, 10, "1", FM_ATTR_LIVE,
                 "scale error of the forward velocity: 1 is right"),
    FM_REAL_ATTR(imu_config, forward_bias, "forward-bias", "m/s", -10, 10, "0 m/s", FM_ATTR_LIVE,
                 "added to the forward velocity"),
    FM_REAL_ATTR(imu_config, yaw_drift, "yaw-drift", "rad/s", -1, 1, "0 deg/s", FM_ATTR_LIVE, "drift of the yaw angle"),
    FM_REAL_ATTR(imu_config, period, "period", "s", 0, 1e3, NULL, 0, "between records; default: every vehicle step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(imu_config, "imu-record", attrs, NULL, FM_ELEMENT_ONCE,
                     "Depth, orientation, angular velocity and forward velocity, as a controller on board gets them.");

static void run(const fm_part_context *context)
{
    const fm_vehicle_view *v = context->vehicle;
    const imu_config *live = context->live;
    fm_imu_record *out = context->output;
    const double *r = v->rotation;
    double *drift = context->state;
    out->depth = v->position[2];
    out->euler[0] = fm_atan2(r[7], r[8]);
    out->euler[1] = fm_asin(fm_clamp(-r[6], -1, 1));
    out->euler[2] = fm_atan2(r[3], r[0]) + *drift;
    *drift += live->yaw_drift * context->period;
    for (int k = 0; k < 3; k++)
        out->rates[k] = v->velocity[3 + k];
    out->forward = live->forward_scale * v->velocity[0] + live->forward_bias;
    if (live->noise > 0) {
        fm_random_key key = {context->seed, context->entity, context->channel};
        out->forward += live->noise * fm_random_normal(key, context->tick, 0);
    }
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
                                           .live_size = offsetof(imu_config, period),
                                           .state_size = sizeof(double),
                                           .output_size = sizeof(fm_imu_record),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .start = run,
                                           .run = run};
