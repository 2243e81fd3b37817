/* Instruments that give one number. */
#ifndef FM_SENSORS_VALUE_H
#define FM_SENSORS_VALUE_H

#include "sensors/imperfect.h"

/* The head of their configs; an instrument's own fields follow. */
typedef struct fm_value_config {
    fm_health health;
    fm_flaws flaws;
    fm_instrument instrument;
} fm_value_config;
#define FM_VALUE_LIVE offsetof(fm_value_config, instrument)
#define FM_VALUE_ATTRS(its_unit)                                                                                       \
    FM_INSTRUMENT_ATTRS(fm_value_config), FM_FLAW_ATTRS(fm_value_config, flaws, its_unit),                             \
        FM_FLAW_LIMITS(fm_value_config, flaws, its_unit)

fm_status fm_value_load(fm_part_load *load, void *config, fm_error *error);
/* Outputs the true value with errors. */
void fm_value_give(const fm_part_context *context, double value);

/* Config for kernels; the reason if kernels cannot take it, or NULL. */
const char *fm_value_describe(const fm_value_config *config, fm_suite_instrument *p, fm_flaw_params flaws[2]);

#define FM_MEASUREMENT_OUTPUTS(its_name, its_unit, its_quantity)                                                       \
    FM_OUTPUT_NUMBER(fm_value_reading, value, "value", its_unit, its_quantity),                                        \
        FM_OUTPUT_NUMBER(fm_value_reading, variance, "variance", "", FM_QUANTITY_NONE),                                \
        FM_OUTPUT_CONSTANT("quantity", its_name), FM_OUTPUT_CONSTANT("unit", its_unit)
#define FM_VALUE_CLASS(its_element, its_message, its_outputs, its_load, its_run, ...)                                  \
    {                                                                                                                  \
        .kind = FM_PART_SENSOR, .element = &its_element, .live_size = FM_VALUE_LIVE,                                   \
        .mount = FM_MOUNT_AT(fm_value_config, instrument.mount), .message = its_message, .outputs = its_outputs,       \
        .output_count = FM_COUNT(its_outputs), .counts = FM_COUNTS_READING, .load = its_load, .run = its_run,          \
        __VA_ARGS__                                                                                                    \
    }

#endif
