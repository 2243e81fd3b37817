/* <turning-circle>: measures a turn from the time at which the rudder is put over. docs/theory/control.md
 * (C22)-(C24) */
#include "control/guidance_part.h"
#include "control/parts.h"
#include "physics/chain.h"
#include "physics/lane_part.h"

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

/* --- in lanes and on a GPU --- */

static void count_lanes(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v, (void)part;
    head->count[FM_FLAT_TURN] = 1;
}

/* If there are several, the first is measured. */
static void describe_lanes(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    (void)v;
    fm_turn_record *record = fm_flat_array(flat, FM_FLAT_TURN);
    if (record->period)
        return;
    *record = ((const turning_config *)part->config)->turn;
    record->period = (int32_t)part->period;
}

static const fm_lane_metric kept[] = {
    FM_LANE_KEEPS("turn_radius", FM_LANE_CHAIN, fm_chain_kept, turn.radius),
    FM_LANE_KEEPS("advance", FM_LANE_CHAIN, fm_chain_kept, turn.advance),
    FM_LANE_KEEPS("transfer", FM_LANE_CHAIN, fm_chain_kept, turn.transfer),
    FM_LANE_KEEPS("tactical_diameter", FM_LANE_CHAIN, fm_chain_kept, turn.diameter),
};
static const fm_lane_part lanes = {.role = FM_LANE_RECORD,
                                   .count = count_lanes,
                                   .describe = describe_lanes,
                                   .metrics = kept,
                                   .metric_count = FM_COUNT(kept)};

const fm_part_class fm_turning_circle_class = {.kind = FM_PART_CONTROLLER,
                                               .element = &element,
                                               .state_size = sizeof(fm_turn),
                                               .load = load_turn,
                                               .run = run_turn,
                                               .lanes = &lanes};
