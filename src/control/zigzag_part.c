/* <zigzag-test>: puts a rudder over to one side and the other, and measures how far the heading overshoots.
 * docs/theory/control.md (C24a) */
#include "control/guidance_part.h"
#include "control/parts.h"
#include "physics/angle.h"

typedef struct zigzag_config {
    double angle, heading; /* rad */
    double from;           /* s */
    int64_t side;          /* 0: starboard first, 1: port */
    const char *rudder, *name;
    double period;
    int64_t index;     /* of the rudder */
    int64_t metric[2]; /* first and second overshoot */
} zigzag_config;

typedef struct zigzag_state {
    double side;    /* to which the rudder lies: 1 starboard, -1 port, 0 not begun */
    double course;  /* rad, the heading at the beginning */
    double swing;   /* reversals of the rudder so far */
    double most;    /* rad, of the swing under way: greatest heading to the side it goes to */
    double reached; /* rad, heading to that side when the rudder was reversed */
} zigzag_state;

static const char *const side_names[] = {"starboard", "port", NULL};
static const fm_attr attrs[] = {
    FM_REAL_ATTR(zigzag_config, angle, "angle", "rad", 1e-3, 1.5, "10 deg", 0, "that the rudder is put over by"),
    FM_REAL_ATTR(zigzag_config, heading, "heading", "rad", 1e-3, 1.5, NULL, 0,
                 "change of heading at which it is put over to the other side; default: as the rudder's angle"),
    FM_REAL_ATTR(zigzag_config, from, "from", "s", 0, 1e9, "0 s", 0, "when the rudder is put over first"),
    FM_CHOICE_ATTR(zigzag_config, side, side_names, "side", "starboard", 0, "to which it is put over first"),
    FM_NAME_ATTR(zigzag_config, rudder, "rudder", "rudder", 0, "actuator to order"),
    FM_NAME_ATTR(zigzag_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(zigzag_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two looks; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(zigzag_config, "zigzag-test", attrs, NULL, 0,
                     "The zigzag test of ship trials: the rudder goes over to the other side whenever the heading has "
                     "changed by as much; the first two overshoots are measured.");

static fm_status load_zigzag(fm_part_load *load, void *memory, fm_error *error)
{
    zigzag_config *c = memory;
    c->heading = c->heading > 0 ? c->heading : c->angle;
    c->index = fm_load_actuator(load, c->rudder, error);
    c->metric[0] = fm_load_metric(load, "first_overshoot", "rad",
                                  "how far the heading goes on after the first reversal of the rudder", FM_METRIC_LAST);
    c->metric[1] =
        fm_load_metric(load, "second_overshoot", "rad", "the same after the second reversal", FM_METRIC_LAST);
    return c->index < 0 ? FM_ERR_NAME : FM_OK;
}

/* The rudder is reversed; from now on the swing that goes on is measured. */
static void reverse(const fm_part_context *context, zigzag_state *s, double turned)
{
    s->reached = s->most = s->side * turned;
    s->side = -s->side;
    s->swing++;
    fm_event_emit(context, "rudder reversed", s->swing);
}

static void run_zigzag(const fm_part_context *context)
{
    const zigzag_config *c = context->config;
    zigzag_state *s = context->state;
    const double heading = fm_vehicle_view_heading(context->vehicle);
    if (context->time < c->from - context->period / 2)
        return;
    if (s->side == 0) {
        s->side = c->side ? -1 : 1;
        s->course = heading;
    }
    const double turned = fm_angle_wrap_pi(heading - s->course);
    if (s->side * turned >= c->heading)
        reverse(context, s, turned);
    s->most = fm_max(s->most, -s->side * turned);
    if (s->swing >= 1 && s->swing <= 2)
        fm_metric_note(context, (int)c->metric[s->swing > 1], s->most - s->reached);
    fm_actuator_order(context, (int)c->index, s->side * c->angle);
}

const fm_part_class fm_zigzag_test_class = {.kind = FM_PART_CONTROLLER,
                                            .element = &element,
                                            .state_size = sizeof(zigzag_state),
                                            .load = load_zigzag,
                                            .run = run_zigzag};
