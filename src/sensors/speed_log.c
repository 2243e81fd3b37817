/* Water-speed log: speed through the water along the instrument's forward axis. */
#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "sensors/instruments.h"
#include "sensors/parts.h"
#include "sensors/value.h"

static const fm_attr speed_attrs[] = {
    FM_VALUE_ATTRS("m/s"),
};
static const fm_element speed_element = FM_TABLE_ELEMENT(fm_value_config, "speed-log", speed_attrs, NULL, 0,
                                                         "Speed through the water along its forward axis.");

static void run_speed(const fm_part_context *context)
{
    const fm_value_config *c = context->config;
    const fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    fm_value_give(context, fm_log_speed(&at, context->vehicle->water));
}

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    p->kind = FM_SENSES_SPEED;
    return fm_value_describe(config, p, flaws);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

static const fm_output speed_outputs[] = {
    FM_OUTPUT_NUMBER(fm_value_reading, value, "twist.linear.x", "m/s", FM_QUANTITY_WATER_SPEED),
};
const fm_part_class fm_speed_log_class = FM_VALUE_CLASS(speed_element, "geometry_msgs/TwistStamped", speed_outputs,
                                                        fm_value_load, run_speed, .lanes = &lanes);
