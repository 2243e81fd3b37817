/* <turning-circle> as a part; its law and its description are in turning.h. */
#include "control/law_part.h"

typedef struct law_config {
    FM_LAW_CONFIG(turning_circle)
} law_config;

static const fm_attr attrs[] = {FM_TURNING_CIRCLE_PARAMS(FM_LAW_ATTR) FM_LAW_COMMON_ATTRS};
static const fm_element element =
    FM_TABLE_ELEMENT(law_config, "turning-circle", attrs, NULL, 0,
                     "Measures a turning circle: advance and transfer at 90 degrees, tactical "
                     "diameter at 180, radius of the steady turn.");
static const fm_law_row rows[] = {FM_TURNING_CIRCLE_METRICS(FM_LAW_MEASURE)};
static const fm_law law = FM_LAW_OF(turning_circle, law_config, rows, 0);

static fm_status load_turn(fm_part_load *load, void *memory, fm_error *error)
{
    (void)error;
    fm_law_load(load, &law, &((law_config *)memory)->links);
    return FM_OK;
}

static void run_turn(const fm_part_context *context)
{
    const law_config *c = context->config;
    fm_law_io io = fm_law_begin(context, &c->links);
    fm_turning_circle_step(&c->params, context->state, &io);
    fm_law_end(context, &law, &c->links, &io);
}

static const fm_lane_part lanes = {.role = FM_LANE_LAW, .law = &law};
const fm_part_class fm_turning_circle_class = {.kind = FM_PART_CONTROLLER,
                                               .element = &element,
                                               .state_size = sizeof(fm_turning_circle_state),
                                               .load = load_turn,
                                               .run = run_turn,
                                               .lanes = &lanes};
