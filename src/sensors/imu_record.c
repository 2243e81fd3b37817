/* The part <imu-record>: what the vehicle knows of its own motion. Depth, orientation and angular velocity as the paper
 * has them; forward velocity is our addition, because the reflex must know when it stands still. */
#include "sensors/imu_record.h"

#include "base/random.h"
#include "flow/flow_part.h"

typedef struct imu_config {
    double noise, forward_scale, forward_bias, yaw_drift; /* live */
    double period;
} imu_config;

#define IMU(field) .offset = offsetof(imu_config, field)
static const fm_attr attrs[] = {{.name = "forward-noise",
                                 .type = FM_ATTR_REAL,
                                 IMU(noise),
                                 .unit = "m/s",
                                 .min = 0,
                                 .max = 10,
                                 .fallback = "0 m/s",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "standard deviation of each record of the forward velocity"},
                                {.name = "forward-scale",
                                 .type = FM_ATTR_REAL,
                                 IMU(forward_scale),
                                 .unit = "",
                                 .min = 0.1,
                                 .max = 10,
                                 .fallback = "1",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "scale error of the forward velocity: 1 is right"},
                                {.name = "forward-bias",
                                 .type = FM_ATTR_REAL,
                                 IMU(forward_bias),
                                 .unit = "m/s",
                                 .min = -10,
                                 .max = 10,
                                 .fallback = "0 m/s",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "added to the forward velocity"},
                                {.name = "yaw-drift",
                                 .type = FM_ATTR_REAL,
                                 IMU(yaw_drift),
                                 .unit = "rad/s",
                                 .min = -1,
                                 .max = 1,
                                 .fallback = "0 deg/s",
                                 .flags = FM_ATTR_LIVE,
                                 .text = "drift of the yaw angle"},
                                {.name = "period",
                                 .type = FM_ATTR_REAL,
                                 IMU(period),
                                 .unit = "s",
                                 .min = 0,
                                 .max = 1e3,
                                 .text = "between records; default: every vehicle step"}};
static const fm_element element = {
    .name = "imu-record",
    .text = "Depth, orientation, angular velocity and forward velocity, as a controller on board gets them.",
    .attrs = attrs,
    .attr_count = FM_COUNT(attrs),
    .config_size = sizeof(imu_config),
    .flags = FM_ELEMENT_ONCE};

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
    {.field = "depth", .unit = "m", .offset = offsetof(fm_imu_record, depth), .count = 1},
    {.field = "euler", .unit = "rad", .offset = offsetof(fm_imu_record, euler), .count = 3},
    {.field = "rates", .unit = "rad/s", .offset = offsetof(fm_imu_record, rates), .count = 3},
    {.field = "forward", .unit = "m/s", .offset = offsetof(fm_imu_record, forward), .count = 1}};
const fm_part_class fm_imu_record_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(imu_config, period),
                                           .state_size = sizeof(double),
                                           .output_size = sizeof(fm_imu_record),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .start = run,
                                           .run = run};
