/* <zigzag-test> as a part; its law and its description are in zigzag.h. */
#include "control/law_part.h"

typedef struct law_config {
    FM_LAW_CONFIG(zigzag)
    int64_t side; /* 0: starboard first, 1: port */
    const char *rudder;
} law_config;

static const char *const side_names[] = {"starboard", "port", NULL};
static const fm_attr attrs[] = {
    FM_ZIGZAG_PARAMS(FM_LAW_ATTR)
        FM_CHOICE_ATTR(law_config, side, side_names, "side", "starboard", 0, "to which it is put over first"),
    FM_NAME_ATTR(law_config, rudder, "rudder", "rudder", 0, "actuator to order"),
    FM_LAW_COMMON_ATTRS,
};
static const fm_element element =
    FM_TABLE_ELEMENT(law_config, "zigzag-test", attrs, NULL, 0,
                     "The zigzag test of ship trials: the rudder goes over to the other side whenever the heading has "
                     "changed by as much; the first two overshoots are measured.");
static const fm_law_row rows[] = {FM_ZIGZAG_METRICS(FM_LAW_MEASURE)};
static const fm_law law = FM_LAW_OF(zigzag, law_config, rows, 0);

static fm_status load_zigzag(fm_part_load *load, void *memory, fm_error *error)
{
    law_config *c = memory;
    c->params.heading = c->params.heading > 0 ? c->params.heading : c->params.angle;
    c->params.first = c->side ? -1 : 1;
    c->links.actuators[0] = fm_load_actuator(load, c->rudder, error);
    c->links.actuator_count = 1;
    fm_law_load(load, &law, &c->links);
    return c->links.actuators[0] < 0 ? FM_ERR_NAME : FM_OK;
}

static void run_zigzag(const fm_part_context *context)
{
    const law_config *c = context->config;
    fm_zigzag_state *s = context->state;
    const double swing = s->swing;
    fm_law_io io = fm_law_begin(context, &c->links);
    fm_zigzag_step(&c->params, s, &io);
    if (s->swing != swing)
        fm_event_emit(context, "rudder reversed", s->swing);
    fm_law_end(context, &law, &c->links, &io);
}

static const fm_lane_part lanes = {.role = FM_LANE_LAW, .law = &law};
const fm_part_class fm_zigzag_class = {.kind = FM_PART_CONTROLLER,
                                       .element = &element,
                                       .state_size = sizeof(fm_zigzag_state),
                                       .load = load_zigzag,
                                       .run = run_zigzag,
                                       .lanes = &lanes};
