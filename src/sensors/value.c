#include "sensors/value.h"

fm_status fm_value_load(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((fm_value_config *)config)->instrument, 1, FM_READING_WORDS(fm_value_reading), 0,
                              error);
}

void fm_value_give(const fm_part_context *context, double value)
{
    const fm_value_config *c = context->config, *live = context->live;
    fm_value_reading r = {.value = value, .variance = live->flaws.noise * live->flaws.noise};
    fm_instrument_spoil(context, &live->flaws, 0, 1, &r.value);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.value);
}

const char *fm_value_describe(const fm_value_config *config, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    flaws[0] = flaws[1] = fm_flaws_kernel(&config->flaws);
    return fm_instrument_describe(&config->instrument, &config->health, p);
}
