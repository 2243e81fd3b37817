/* Sensors on actuators: the angle of a fin, the speed of a shaft. */
#include "sensors/parts.h"
#include "sensors/value.h"

typedef struct actuator_config {
    fm_value_config value;
    const char *actuator;
    int64_t index;
} actuator_config;

#define ACTUATOR FM_NAME_ATTR(actuator_config, actuator, "actuator", NULL, FM_ATTR_REQUIRED, "the one that is measured")
static const fm_attr fin_attrs[] = {
    FM_VALUE_ATTRS("rad"),
    ACTUATOR,
};
static const fm_element fin_element =
    FM_TABLE_ELEMENT(actuator_config, "fin-position", fin_attrs, NULL, 0, "Position of a fin.");
static const fm_attr shaft_attrs[] = {
    FM_VALUE_ATTRS("rad/s"),
    ACTUATOR,
};
static const fm_element shaft_element =
    FM_TABLE_ELEMENT(actuator_config, "shaft-rpm", shaft_attrs, NULL, 0,
                     "Speed of a propeller's shaft, or of a thruster's by its table.");

const char *fm_actuator_sensor_of(const void *config)
{
    return ((const actuator_config *)config)->actuator;
}

/* JointState has sequences of equal length: the name of the only joint is the actuator's. */
static fm_status load_actuator(fm_part_load *load, actuator_config *c, const fm_output *value, fm_error *error)
{
    c->index = fm_load_actuator(load, c->actuator, error);
    fm_output *outputs = c->index < 0 ? NULL : fm_load_alloc(load, 2 * sizeof *outputs);
    if (!outputs)
        return c->index < 0 ? FM_ERR_NAME : FM_ERR_MEMORY;
    outputs[0] = *value;
    outputs[1] = (fm_output)FM_OUTPUT_CONSTANT("name", c->actuator);
    fm_load_outputs(load, outputs, 2);
    return fm_value_load(load, c, error);
}

static const fm_output fin_outputs[] = {
    FM_OUTPUT_NUMBER(fm_value_reading, value, "position", "rad", FM_QUANTITY_DEFLECTION),
};
static const fm_output shaft_outputs[] = {
    FM_OUTPUT_NUMBER(fm_value_reading, value, "velocity", "rad/s", FM_QUANTITY_SHAFT_SPEED),
};

static fm_status load_fin(fm_part_load *load, void *config, fm_error *error)
{
    return load_actuator(load, config, fin_outputs, error);
}

static fm_status load_shaft(fm_part_load *load, void *config, fm_error *error)
{
    return load_actuator(load, config, shaft_outputs, error);
}

static void run_actuator(const fm_part_context *context)
{
    fm_value_give(context, fm_actuator_value(context, (int)((const actuator_config *)context->config)->index));
}

static void run_shaft(const fm_part_context *context)
{
    fm_value_give(context, fm_actuator_shaft(context, (int)((const actuator_config *)context->config)->index));
}

const fm_part_class fm_fin_position_class =
    FM_VALUE_CLASS(fin_element, "sensor_msgs/JointState", fin_outputs, load_fin, run_actuator);
const fm_part_class fm_shaft_rpm_class =
    FM_VALUE_CLASS(shaft_element, "sensor_msgs/JointState", shaft_outputs, load_shaft, run_shaft);
