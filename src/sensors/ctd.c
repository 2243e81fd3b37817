/* CTD: conductivity, temperature, pressure; salinity and sound speed computed from them as the instrument does. */
#include <math.h>

#include "environment/environment.h"
#include "ocean/seawater.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

typedef struct ctd_config {
    fm_health health;
    fm_flaws conductivity, temperature, pressure;
    fm_instrument instrument;
} ctd_config;
typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;

static const fm_attr conductivity_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "S/m"),
    FM_FLAW_LIMITS(flaws_alone, flaws, "S/m"),
};
static const fm_attr temperature_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "K"),
    FM_FLAW_LIMITS(flaws_alone, flaws, "K"),
};
static const fm_attr pressure_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "Pa"),
    FM_FLAW_LIMITS(flaws_alone, flaws, "Pa"),
};
static const fm_element conductivity_element =
                            FM_CHILD_ELEMENT(ctd_config, conductivity, fm_flaws, "conductivity", conductivity_attrs,
                                             NULL, "Errors of the conductivity cell."),
                        temperature_element =
                            FM_CHILD_ELEMENT(ctd_config, temperature, fm_flaws, "temperature", temperature_attrs, NULL,
                                             "Errors of the thermometer; limits count from 0 degC."),
                        pressure_element = FM_CHILD_ELEMENT(ctd_config, pressure, fm_flaws, "pressure", pressure_attrs,
                                                            NULL, "Errors of the pressure gauge.");
static const fm_element *const children[] = {&conductivity_element, &temperature_element, &pressure_element, NULL};
static const fm_attr ctd_attrs[] = {
    FM_INSTRUMENT_ATTRS(ctd_config),
};
static const fm_element ctd_element =
    FM_TABLE_ELEMENT(ctd_config, "ctd", ctd_attrs, children, 0,
                     "Conductivity, temperature and pressure, with salinity (PSS-78) and "
                     "sound speed (Chen and Millero) computed from them.");

static fm_status load_ctd(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((ctd_config *)config)->instrument, 3, FM_READING_WORDS(fm_ctd_reading), 0, error);
}

static void run_ctd(const fm_part_context *context)
{
    const ctd_config *c = context->config, *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    fm_water water =
        fm_water_column_sample(&context->environment->column, at.position[0], at.position[1], at.position[2]);
    fm_ctd_reading r = {
        .conductivity = water.conductivity, .temperature = water.temperature, .pressure = water.pressure};
    fm_instrument_spoil(context, &live->conductivity, 0, 1, &r.conductivity);
    fm_instrument_spoil(context, &live->temperature, 1, 1, &r.temperature);
    fm_instrument_spoil(context, &live->pressure, 2, 1, &r.pressure);
    double gauge = (r.pressure - context->environment->column.pressure[0]) / 1e4; /* dbar */
    r.salinity = fm_salinity_from_conductivity(fmax(r.conductivity, 0), r.temperature, gauge);
    r.sound_speed = fm_sound_speed_chen_millero(r.salinity, r.temperature, gauge);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.conductivity);
}

static const fm_output ctd_outputs[] = {
    FM_OUTPUT_NUMBER(fm_ctd_reading, conductivity, "conductivity", "S/m", FM_QUANTITY_CONDUCTIVITY),
    FM_OUTPUT_NUMBER(fm_ctd_reading, temperature, "temperature", "degC", FM_QUANTITY_TEMPERATURE),
    FM_OUTPUT_NUMBER(fm_ctd_reading, pressure, "pressure", "Pa", FM_QUANTITY_PRESSURE),
    FM_OUTPUT_NUMBER(fm_ctd_reading, salinity, "salinity", "", FM_QUANTITY_SALINITY),
    FM_OUTPUT_NUMBER(fm_ctd_reading, sound_speed, "sound_speed", "m/s", FM_QUANTITY_SOUND_SPEED),
};
const fm_part_class fm_ctd_class = {.kind = FM_PART_SENSOR,
                                    .element = &ctd_element,
                                    .live_size = offsetof(ctd_config, instrument),
                                    .mount = FM_MOUNT_AT(ctd_config, instrument.mount),
                                    .message = "fathom_msgs/Ctd",
                                    .outputs = ctd_outputs,
                                    .output_count = FM_COUNT(ctd_outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_ctd,
                                    .run = run_ctd};
