/* Battery monitor and propulsion current. */
#include "physics/thruster_table.h"
#include "sensors/parts.h"
#include "sensors/value.h"

typedef struct battery_config {
    fm_value_config value;
    double voltage;    /* V, full */
    double empty;      /* V, empty */
    double resistance; /* ohm */
} battery_config;

#define SUPPLY(its_type)                                                                                               \
    FM_REAL_ATTR(its_type, voltage, "voltage", "V", 0.1, 1e4, "24 V", 0, "of the full battery without load"),          \
        FM_REAL_ATTR(its_type, empty, "empty-voltage", "V", 0, 1e4, "0 V", 0,                                          \
                     "of the empty battery without load; 0: as when full"),                                            \
        FM_REAL_ATTR(its_type, resistance, "resistance", "ohm", 0, 100, "0 ohm", 0, "inside the battery")
static const fm_attr battery_attrs[] = {
    FM_VALUE_ATTRS("A"),
    SUPPLY(battery_config),
};
static const fm_element battery_element =
    FM_TABLE_ELEMENT(battery_config, "battery-monitor", battery_attrs, NULL, 0,
                     "Voltage, current and charge of the battery; its errors are those of the current.");
static const fm_attr current_attrs[] = {
    FM_VALUE_ATTRS("A"),
    SUPPLY(battery_config),
};
static const fm_element current_element = FM_TABLE_ELEMENT(battery_config, "propulsion-current", current_attrs, NULL, 0,
                                                           "Current that the propulsion draws.");

/* Voltage without load: linear in the charge. */
static double open_voltage(const battery_config *c, const fm_vehicle_view *v)
{
    return fm_supply_open(c->voltage, c->empty, v->capacity > 0 ? v->charge / v->capacity : 1);
}

static fm_status load_battery(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((battery_config *)config)->value.instrument, 1,
                              FM_READING_WORDS(fm_battery_reading), 0, error);
}

static void run_battery(const fm_part_context *context)
{
    const battery_config *c = context->config, *live = context->live;
    const fm_vehicle_view *v = context->vehicle;
    double open = open_voltage(c, v), current = fm_supply_current(open, c->resistance, v->power),
           hours = 3600 * c->voltage;
    double measured = -current;
    fm_instrument_spoil(context, &live->value.flaws, 0, 1, &measured);
    fm_battery_reading r = {.voltage = open - c->resistance * current,
                            .current = measured,
                            .charge = v->charge / hours,
                            .capacity = v->capacity / hours,
                            .percentage = v->capacity > 0 ? v->charge / v->capacity : 0,
                            .status = 2,
                            .present = v->capacity > 0};
    fm_instrument_give(context, &c->value.instrument, &live->value.health, 1, &r.voltage);
}

static void run_current(const fm_part_context *context)
{
    const battery_config *c = context->config;
    const fm_vehicle_view *v = context->vehicle;
    double open = open_voltage(c, v), all = fm_supply_current(open, c->resistance, v->power);
    fm_value_give(context, v->power > 0 ? all * (v->power - v->hotel) / v->power : 0);
}

static const fm_output battery_outputs[] = {
    FM_OUTPUT_NUMBER(fm_battery_reading, voltage, "voltage", "V", FM_QUANTITY_VOLTAGE),
    FM_OUTPUT_NUMBER(fm_battery_reading, current, "current", "A", FM_QUANTITY_CURRENT),
    FM_OUTPUT_NUMBER(fm_battery_reading, charge, "charge", "A*h", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_battery_reading, capacity, "capacity", "A*h", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_battery_reading, capacity, "design_capacity", "A*h", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_battery_reading, percentage, "percentage", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_battery_reading, status, "power_supply_status", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_battery_reading, present, "present", "", FM_QUANTITY_NONE),
};
const fm_part_class fm_battery_class =
    FM_VALUE_CLASS(battery_element, "sensor_msgs/BatteryState", battery_outputs, load_battery, run_battery);
static const fm_output current_outputs[] = {
    FM_MEASUREMENT_OUTPUTS("propulsion current", "A", FM_QUANTITY_CURRENT),
};
const fm_part_class fm_propulsion_current_class =
    FM_VALUE_CLASS(current_element, "fathom_msgs/Measurement", current_outputs, fm_value_load, run_current);
