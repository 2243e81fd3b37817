/* Compass: heading of the instrument's forward axis, from true or magnetic north over east, 0 … 2π. */
#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "sensors/instruments.h"
#include "sensors/parts.h"
#include "sensors/value.h"

typedef struct compass_config {
    fm_value_config value;
    double declination;  /* rad, east positive: direction of magnetic north */
    double deviation[2]; /* rad: A sin h + B cos h from the iron aboard */
} compass_config;

static const fm_attr compass_attrs[] = {
    FM_VALUE_ATTRS("rad"),
    FM_REAL_ATTR(compass_config, declination, "declination", "rad", -3.2, 3.2, "0 deg", 0,
                 "of magnetic north from true north, east positive; taken off the heading"),
    FM_VECTOR_ATTR(compass_config, deviation, 2, "deviation", "rad", 0, 0, "0 0 deg", 0,
                   "error by the iron aboard: amplitudes of the sine and the cosine of the heading"),
};
static const fm_element compass_element =
    FM_TABLE_ELEMENT(compass_config, "compass", compass_attrs, NULL, 0, "Heading, from north over east.");

static void run_compass(const fm_part_context *context)
{
    const compass_config *c = context->config, *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->value.instrument.mount);
    fm_value_reading r = {.variance = live->value.flaws.noise * live->value.flaws.noise};
    r.value = fm_compass_heading(at.rotation, c->declination, c->deviation);
    fm_instrument_spoil(context, &live->value.flaws, 0, 1, &r.value);
    r.value = fm_compass_wrap(r.value);
    fm_instrument_give(context, &c->value.instrument, &live->value.health, 1, &r.value);
}

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    const compass_config *c = config;
    p->kind = FM_SENSES_HEADING;
    p->declination = c->declination;
    p->deviation[0] = c->deviation[0];
    p->deviation[1] = c->deviation[1];
    return fm_value_describe(&c->value, p, flaws);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

/* The orientation of its message follows from the heading; rates and acceleration do not exist. */
static const fm_output compass_outputs[] = {
    {.field = "value",
     .unit = "rad",
     .offset = offsetof(fm_value_reading, value),
     .count = 1,
     .reach = FM_OUTPUT_LOCAL,
     .quantity = FM_QUANTITY_HEADING},
    {.field = "variance",
     .unit = "",
     .offset = offsetof(fm_value_reading, variance),
     .count = 1,
     .reach = FM_OUTPUT_LOCAL},
};
const fm_part_class fm_compass_class =
    FM_VALUE_CLASS(compass_element, "sensor_msgs/Imu", compass_outputs, fm_value_load, run_compass, .lanes = &lanes);
