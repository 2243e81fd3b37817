/* Leak detector: 1 while there is water in the hull, which is set from outside; emits an event at its onset. */
#include "sensors/imperfect.h"
#include "sensors/parts.h"
#include "sensors/value.h"

typedef struct leak_config {
    fm_health health;
    int64_t water; /* live: there is water in the hull */
    fm_instrument instrument;
} leak_config;

static const fm_attr leak_attrs[] = {
    FM_INSTRUMENT_ATTRS(leak_config),
    FM_BOOL_ATTR(leak_config, water, "water", "false", FM_ATTR_LIVE, "there is water where the detector sits"),
};
static const fm_element leak_element = FM_TABLE_ELEMENT(leak_config, "leak", leak_attrs, NULL, 0, "Leak detector.");

static fm_status load_leak(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((leak_config *)config)->instrument, 0, FM_READING_WORDS(fm_value_reading), 0,
                              error);
}

static void run_leak(const fm_part_context *context)
{
    const leak_config *c = context->config, *live = context->live;
    const fm_value_reading *out = context->output;
    double before = out->value;
    fm_value_reading r = {.value = (double)live->water};
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.value);
    if (before == 0 && out->value != 0)
        fm_event_emit(context, "leak", 1);
}

static const fm_output leak_outputs[] = {FM_MEASUREMENT_OUTPUTS("leak", "", FM_QUANTITY_LEAK)};
const fm_part_class fm_leak_class = {.kind = FM_PART_SENSOR,
                                     .element = &leak_element,
                                     .live_size = offsetof(leak_config, instrument),
                                     .mount = FM_MOUNT_AT(leak_config, instrument.mount),
                                     .message = "fathom_msgs/Measurement",
                                     .outputs = leak_outputs,
                                     .output_count = FM_COUNT(leak_outputs),
                                     .counts = FM_COUNTS_READING,
                                     .load = load_leak,
                                     .run = run_leak};
