/* <glider-pilot>: a glider's own controller. It dives to a depth, climbs, and surfaces for a fix after a number of
 * dives; a mass that moves along the hull controls pitch. docs/theory/measured.md (V6) */
#include <math.h>

#include "control/parts.h"
#include "physics/real.h"

enum { DIVE, CLIMB, SURFACE };

typedef struct glider_config {
    double depth, top;     /* live: m, where it turns */
    double pitch;          /* live: rad */
    double gain, integral; /* live: m/rad, m/rad/s */
    double heavy, light;   /* kg in the tank on the way down and up */
    double stay;           /* s at the surface */
    int64_t dives;         /* between two fixes */
    const char *pump, *mass, *name;
    double period;
    int64_t tank, weight; /* actuators */
    double reach;         /* m, of the mass */
    fm_quantity_view depth_view, attitude_view;
    int64_t done, fixes; /* metrics */
} glider_config;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(glider_config, depth, "depth", "m", 1, 1e4, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "where it turns and climbs"),
    FM_REAL_ATTR(glider_config, top, "top", "m", 0, 1e4, "5 m", FM_ATTR_LIVE, "where it turns and dives"),
    FM_REAL_ATTR(glider_config, pitch, "pitch", "rad", 0.05, 1.2, "26 deg", FM_ATTR_LIVE,
                 "nose down on the way down, nose up on the way up"),
    FM_REAL_ATTR(glider_config, gain, "gain", "m/rad", 0, 10, "0.02 m/rad", FM_ATTR_LIVE,
                 "travel of the mass for an error of pitch"),
    FM_REAL_ATTR(glider_config, integral, "integral", "m/rad/s", 0, 10, "0.002 m/rad/s", FM_ATTR_LIVE,
                 "travel for its integral"),
    FM_REAL_ATTR(glider_config, heavy, "heavy", "kg", 0, 1e4, NULL, FM_ATTR_REQUIRED,
                 "water in the tank when it dives"),
    FM_REAL_ATTR(glider_config, light, "light", "kg", 0, 1e4, "0 kg", 0, "water in the tank when it climbs"),
    FM_INT_ATTR(glider_config, dives, "dives", 1, 1000, "3", 0, "from one fix at the surface to the next"),
    FM_REAL_ATTR(glider_config, stay, "stay", "s", 0, 1e5, "60 s", 0, "at the surface"),
    FM_NAME_ATTR(glider_config, pump, "pump", "ballast", 0, "the <ballast> that it fills and empties"),
    FM_NAME_ATTR(glider_config, mass, "mass", "battery", 0, "the <moving-mass> that it shifts"),
    FM_NAME_ATTR(glider_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(glider_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(glider_config, "glider-pilot", attrs, NULL, 0,
                     "Flies an underwater glider: fills and empties the ballast at depth and top, holds the pitch by a "
                     "mass that moves, and stays at the surface for a fix after a number of dives (V6).");

typedef struct glider_state {
    double phase, dives, since, integral; /* s at the surface; rad s */
} glider_state;

static fm_status load_glider(fm_part_load *load, void *config, fm_error *error)
{
    glider_config *c = config;
    c->tank = fm_load_actuator(load, c->pump, error);
    c->weight = c->tank < 0 ? -1 : fm_load_actuator(load, c->mass, error);
    if (c->weight < 0)
        return FM_ERR_NAME;
    if (fm_load_find_quantity(load, FM_QUANTITY_DEPTH, NULL, &c->depth_view, error) < 0 ||
        fm_load_find_quantity(load, FM_QUANTITY_ORIENTATION, NULL, &c->attitude_view, error) < 0)
        return FM_ERR_NAME;
    c->reach = fm_load_actuator_info(load, (size_t)c->weight).high;
    c->done = fm_load_metric(load, "dives", "", "dives that were ended", FM_METRIC_LAST);
    c->fixes = fm_load_metric(load, "surfacings", "", "times at the surface for a fix", FM_METRIC_LAST);
    return FM_OK;
}

/* Which way it goes from here on. */
static void choose_phase(const fm_part_context *context, const glider_config *c, glider_state *s, double depth)
{
    const glider_config *live = context->live;
    if (s->phase == DIVE && depth >= live->depth) {
        s->phase = CLIMB;
    } else if (s->phase == CLIMB) {
        int due = ((int64_t)s->dives + 1) % c->dives == 0;
        if (due ? depth <= 0.5 : depth <= live->top) {
            s->dives += 1;
            s->phase = due ? SURFACE : DIVE;
            s->since = context->time;
        }
    } else if (s->phase == SURFACE && context->time - s->since >= c->stay) {
        s->phase = DIVE;
    }
}

/* (V6) The mass goes forward (positive) for nose down. */
static void run_glider(const fm_part_context *context)
{
    const glider_config *c = context->config, *live = context->live;
    glider_state *s = context->state;
    double depth = fm_quantity_value(context, &c->depth_view, 0), q[4];
    fm_quantity_values(context, &c->attitude_view, 4, q);
    double pitch = fm_asin(fmax(-1, fmin(2 * (q[0] * q[2] - q[1] * q[3]), 1)));
    choose_phase(context, c, s, depth);
    double wanted = s->phase == DIVE ? -live->pitch : s->phase == CLIMB ? live->pitch : 0, error = pitch - wanted;
    double travel = live->gain * error + live->integral * (s->integral + error * context->period);
    if (fabs(travel) < c->reach)
        s->integral += error * context->period;
    fm_actuator_order(context, (int)c->tank, s->phase == DIVE ? c->heavy : c->light);
    fm_actuator_order(context, (int)c->weight, fmax(-c->reach, fmin(travel, c->reach)));
    fm_metric_note(context, (int)c->done, s->dives);
    fm_metric_note(context, (int)c->fixes, floor(s->dives / (double)c->dives));
}

const fm_part_class fm_glider_pilot_class = {.kind = FM_PART_CONTROLLER,
                                             .element = &element,
                                             .live_size = offsetof(glider_config, heavy),
                                             .state_size = sizeof(glider_state),
                                             .load = load_glider,
                                             .run = run_glider};
