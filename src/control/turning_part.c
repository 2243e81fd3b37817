/* <turning-circle>: measures a turn from the moment the rudder is put over. docs/theory/control.md (C22)-(C24) */
#include "control/guidance_part.h"
#include "control/parts.h"

typedef struct turning_config {
    fm_turn_record turn;
    const char *name;
    double period;
    int64_t radius, advance, transfer, diameter; /* metrics */
} turning_config;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(turning_config, turn.from, "from", "s", 0, 1e9, "0 s", 0, "when the rudder is put over"),
    FM_REAL_ATTR(turning_config, turn.steady, "steady", "rad", 0, 1e3, "180 deg", 0,
                 "heading change after which the turn counts as steady, for turn_radius"),
    FM_NAME_ATTR(turning_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(turning_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two samples; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(turning_config, "turning-circle", attrs, NULL, 0,
                     "Measures a turning circle: advance and transfer at 90 degrees, tactical "
                     "diameter at 180, radius of the steady turn.");

static fm_status load_turn(fm_part_load *load, void *memory, fm_error *error)
{
    (void)error;
    turning_config *c = memory;
    c->radius = fm_load_metric(load, "turn_radius", "m", "radius of the steady turn", FM_METRIC_LAST);
    c->advance = fm_load_metric(load, "advance", "m", "distance along the first course at 90 degrees of heading change",
                                FM_METRIC_FIRST);
    c->transfer = fm_load_metric(load, "transfer", "m",
                                 "distance across the first course at 90 degrees of heading change", FM_METRIC_FIRST);
    c->diameter = fm_load_metric(load, "tactical_diameter", "m",
                                 "distance across the first course at 180 degrees of heading change", FM_METRIC_FIRST);
    return FM_OK;
}

static void run_turn(const fm_part_context *context)
{
    const turning_config *c = context->config;
    fm_turn *turn = context->state;
    const fm_turn_told told = fm_turn_take(&c->turn, context->time, context->period, context->vehicle->position,
                                           fm_vehicle_view_heading(context->vehicle), turn);
    if (told.quarter) {
        fm_metric_note(context, (int)c->advance, turn->advance);
        fm_metric_note(context, (int)c->transfer, turn->transfer);
    }
    if (told.half)
        fm_metric_note(context, (int)c->diameter, turn->diameter);
    if (told.steady)
        fm_metric_note(context, (int)c->radius, told.radius);
}

const fm_part_class fm_turning_circle_class = {
    .kind = FM_PART_CONTROLLER, .element = &element, .state_size = sizeof(fm_turn), .load = load_turn, .run = run_turn};

const fm_turn_record *fm_turning_describe(const void *config)
{
    return &((const turning_config *)config)->turn;
}
