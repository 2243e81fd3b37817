/* Pressure (absolute, including that of the waves) and the depth shown by a pressure gauge. */
#include <math.h>

#include "base/lane_part.h"
#include "control/sensor_suite.h"
#include "environment/environment.h"
#include "sensors/instruments.h"
#include "sensors/parts.h"
#include "sensors/value.h"

static const fm_attr pressure_attrs[] = {
    FM_VALUE_ATTRS("Pa"),
};
static const fm_element pressure_element =
    FM_TABLE_ELEMENT(fm_value_config, "pressure", pressure_attrs, NULL, 0,
                     "Absolute pressure: P0 + P1 z + P2 z^2 of the water column, and what the waves add.");

/* Pa where the instrument sits. */
static double pressure_here(const fm_part_context *context)
{
    const fm_value_config *c = context->config;
    const fm_environment *e = context->environment;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double pressure = fm_water_column_pressure(&e->column, fmax(at.position[2], 0));
    return e->sea.count ? pressure + fm_sea_at(&e->sea, context->time, at.position).pressure : pressure;
}

static void run_pressure(const fm_part_context *context)
{
    fm_value_give(context, pressure_here(context));
}

static const fm_output pressure_outputs[] = {
    FM_OUTPUT_NUMBER(fm_value_reading, value, "fluid_pressure", "Pa", FM_QUANTITY_PRESSURE),
    FM_OUTPUT_NUMBER(fm_value_reading, variance, "variance", "Pa2", FM_QUANTITY_NONE),
};
const fm_part_class fm_pressure_class =
    FM_VALUE_CLASS(pressure_element, "sensor_msgs/FluidPressure", pressure_outputs, fm_value_load, run_pressure);

/* --- depth --- */

static const fm_attr depth_attrs[] = {
    FM_VALUE_ATTRS("m"),
};
static const fm_element depth_element =
    FM_TABLE_ELEMENT(fm_value_config, "depth", depth_attrs, NULL, 0,
                     "Depth below the surface, computed from the pressure with the water column's P0, P1, P2.");

static void run_depth(const fm_part_context *context)
{
    fm_value_give(context, fm_gauge_depth(context->environment->column.pressure, pressure_here(context)));
}

static const char *describe_lanes(const void *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    p->kind = FM_SENSES_DEPTH;
    return fm_value_describe(config, p, flaws);
}

static const fm_lane_part lanes = {.role = FM_LANE_INSTRUMENT, .instrument = describe_lanes};

static const fm_output depth_outputs[] = {
    FM_MEASUREMENT_OUTPUTS("depth", "m", FM_QUANTITY_DEPTH),
};
const fm_part_class fm_depth_class =
    FM_VALUE_CLASS(depth_element, "fathom_msgs/Measurement", depth_outputs, fm_value_load, run_depth, .lanes = &lanes);
