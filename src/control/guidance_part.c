/* What all guidance shares, and the simplest of it: <station> and <mission>. */
#include "control/guidance_part.h"

#include <math.h>

#include "control/navigation_part.h"
#include "physics/angle.h"
#include "physics/posture.h"

const fm_output fm_guidance_outputs[] = {FM_GUIDANCE_TELLS(fm_guidance, )};

int fm_guidance_is(const fm_part_info *part)
{
    const fm_part_class *found = part->part_class;
    return found == &fm_waypoints_class || found == &fm_station_class || found == &fm_mission_class ||
           found == &fm_avoid_class || found == &fm_planner_class || found == &fm_homing_class;
}

int fm_guidance_hovers(const fm_part_info *part)
{
    if (part->part_class == &fm_waypoints_class)
        return fm_waypoints_hover(part->config);
    if (part->part_class == &fm_mission_class)
        return fm_mission_hovers(part->config);
    if (part->part_class == &fm_planner_class)
        return fm_planner_hovers(part->config);
    return part->part_class == &fm_station_class;
}

double fm_vehicle_view_heading(const fm_vehicle_view *view)
{
    double euler[3];
    fm_euler_from_matrix(view->rotation, euler);
    return euler[2];
}

/* --- <station> --- */

typedef struct station_config {
    double position[3];         /* live: m, NED */
    double heading;             /* live: rad */
    double from, until, settle; /* s */
    int64_t turned;             /* a heading was given */
    const char *name;
    double period;
    int64_t error_metric, heading_metric, final_metric;
    int64_t navigation;
} station_config;

typedef struct station_state {
    int64_t begun;
    double since;   /* s */
    double heading; /* rad, at the beginning */
} station_state;

static const fm_attr station_attrs[] = {
    FM_VECTOR_ATTR(station_config, position, 3, "position", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                   "place to keep: north, east, depth"),
    FM_REAL_ATTR(station_config, heading, "heading", "rad", -7, 7, NULL, FM_ATTR_LIVE,
                 "to keep; without it that of the beginning"),
    FM_REAL_ATTR(station_config, from, "from", "s", 0, 1e9, "0 s", 0, "when to begin"),
    FM_REAL_ATTR(station_config, until, "until", "s", 0, 1e9, "1e9 s", 0, "when to end"),
    FM_REAL_ATTR(station_config, settle, "settle", "s", 0, 1e6, "60 s", 0,
                 "after the beginning; from then on station_error_rms is measured"),
    FM_NAME_ATTR(station_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(station_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element station_element =
    FM_TABLE_ELEMENT(station_config, "station", station_attrs, NULL, 0,
                     "Guidance: keeps a place and a heading, by an autopilot with thrusters that stands after it.");

static fm_status load_station(fm_part_load *load, void *memory, fm_error *error)
{
    station_config *c = memory;
    if (c->until <= c->from)
        return fm_load_fail(load, error, FM_ERR_RANGE, "until is %g s, accepted times after from, %g s", c->until,
                            c->from);
    c->turned = fm_load_has_attribute(load, "heading");
    c->navigation = fm_load_navigation(load);
    c->error_metric = fm_load_metric(load, "station_error_rms", "m",
                                     "distance from the place to keep, root mean square", FM_METRIC_RMS);
    c->final_metric =
        fm_load_metric(load, "station_error", "m", "distance from the place to keep at the end", FM_METRIC_LAST);
    c->heading_metric =
        fm_load_metric(load, "station_heading_error", "rad", "heading off the one to keep at the end", FM_METRIC_LAST);
    return FM_OK;
}

double fm_guidance_distance(const double a[3], const double b[3])
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void run_station(const fm_part_context *context)
{
    const station_config *c = context->config, *live = context->live;
    station_state *s = context->state;
    fm_guidance *out = context->output;
    *out = (fm_guidance){0};
    if (context->time < c->from || context->time >= c->until)
        return;
    const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
    if (!s->begun) {
        s->begun = 1;
        s->since = context->time;
        s->heading = believed.euler[2];
    }
    *out = (fm_guidance){.orders = FM_GUIDES_PLACE | FM_GUIDES_DEPTH | FM_GUIDES_HEADING,
                         .heading = c->turned ? live->heading : s->heading,
                         .depth = live->position[2],
                         .place = {live->position[0], live->position[1]},
                         .error = fm_guidance_distance(live->position, believed.position)};
    const double off = fm_guidance_distance(live->position, context->vehicle->position);
    if (context->time - s->since >= c->settle)
        fm_metric_note(context, (int)c->error_metric, off);
    fm_metric_note(context, (int)c->final_metric, off);
    fm_metric_note(context, (int)c->heading_metric,
                   fm_angle_wrap_pi(out->heading - fm_vehicle_view_heading(context->vehicle)));
}

void fm_station_describe(const void *config, fm_helm *p)
{
    const station_config *c = config;
    p->turned = (int32_t)c->turned;
    for (int k = 0; k < 3; k++)
        p->place[k] = c->position[k];
    p->bearing = c->turned ? c->heading : 0;
    p->begins = c->from;
    p->ends = c->until;
    p->calms = c->settle;
}

const fm_part_class fm_station_class = {.kind = FM_PART_CONTROLLER,
                                        .element = &station_element,
                                        .live_size = offsetof(station_config, from),
                                        .state_size = sizeof(station_state),
                                        .output_size = sizeof(fm_guidance),
                                        .outputs = fm_guidance_outputs,
                                        .output_count = FM_GUIDANCE_OUTPUTS,
                                        .load = load_station,
                                        .run = run_station};

/* --- <mission> --- */

typedef struct step_config {
    double t; /* s */
    double heading, depth, speed, altitude, place[2];
    int64_t orders; /* FM_GUIDES_…, those that the step names */
} step_config;

typedef struct mission_config {
    const char *name;
    double period;
    step_config *steps;
    size_t count;
    int64_t navigation;
} mission_config;

static const fm_attr step_attrs[] = {
    FM_REAL_ATTR(step_config, t, "t", "s", 0, 1e9, NULL, FM_ATTR_REQUIRED, "when"),
    FM_REAL_ATTR(step_config, heading, "heading", "rad", -7, 7, NULL, 0, "heading to steer from then on"),
    FM_REAL_ATTR(step_config, depth, "depth", "m", 0, 12000, NULL, 0, "depth to hold from then on"),
    FM_REAL_ATTR(step_config, altitude, "altitude", "m", 0, 12000, NULL, 0,
                 "height above the bottom to hold from then on, in place of a depth"),
    FM_REAL_ATTR(step_config, speed, "speed", "m/s", -100, 100, NULL, 0,
                 "speed through the water from then on; ends the keeping of a place"),
    FM_VECTOR_ATTR(step_config, place, 2, "place", "m", -1e7, 1e7, NULL, 0,
                   "place to keep from then on: north, east (thrusters)"),
};
static const fm_element step_element =
    FM_TABLE_ELEMENT(step_config, "at", step_attrs, NULL, 0, "Set points from a moment on; what is not named stays.");
static const fm_attr mission_attrs[] = {
    FM_NAME_ATTR(mission_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(mission_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element *const mission_children[] = {&step_element, NULL};
static const fm_element mission_element =
    FM_TABLE_ELEMENT(mission_config, "mission", mission_attrs, mission_children, 0,
                     "Guidance: timed set points for the autopilot that stands after it.");

static int64_t named_orders(fm_part_load *load, size_t i)
{
    static const struct {
        const char *name;
        int64_t order;
    } table[] = {{"heading", FM_GUIDES_HEADING},
                 {"depth", FM_GUIDES_DEPTH},
                 {"altitude", FM_GUIDES_ALTITUDE},
                 {"speed", FM_GUIDES_SPEED},
                 {"place", FM_GUIDES_PLACE}};
    int64_t orders = 0;
    for (size_t k = 0; k < FM_COUNT(table); k++)
        orders |= fm_load_child_has(load, "at", i, table[k].name) ? table[k].order : 0;
    return orders;
}

static fm_status load_mission(fm_part_load *load, void *memory, fm_error *error)
{
    mission_config *c = memory;
    c->navigation = fm_load_navigation(load);
    c->count = fm_load_child_count(load, "at");
    if (!c->count)
        return fm_load_fail(load, error, FM_ERR_MODEL, "found no <at>, accepted one or more");
    if (!(c->steps = fm_load_alloc(load, c->count * sizeof *c->steps)))
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < c->count; i++) {
        step_config *step = &c->steps[i];
        fm_status status = fm_load_child(load, "at", i, step, error);
        if (status != FM_OK)
            return status;
        step->orders = named_orders(load, i);
        if ((step->orders & FM_GUIDES_PLACE) && (step->orders & FM_GUIDES_SPEED))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> names a place and a speed, accepted one of them", step->t);
        if ((step->orders & FM_GUIDES_DEPTH) && (step->orders & FM_GUIDES_ALTITUDE))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> names a depth and an altitude, accepted one of them", step->t);
        if (i > 0 && step->t < c->steps[i - 1].t)
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> follows <at t=\"%g s\">, accepted rising times", step->t,
                                c->steps[i - 1].t);
    }
    return FM_OK;
}

static int64_t all_orders(const mission_config *c)
{
    int64_t orders = 0;
    for (size_t i = 0; i < c->count; i++)
        orders |= c->steps[i].orders;
    return orders;
}

int fm_mission_hovers(const void *config)
{
    return (all_orders(config) & FM_GUIDES_PLACE) != 0;
}

int fm_mission_orders_altitude(const void *config)
{
    return (all_orders(config) & FM_GUIDES_ALTITUDE) != 0;
}

size_t fm_mission_describe(const void *config, fm_helm *p, fm_helm_step *steps)
{
    const mission_config *c = config;
    p->steps = (int32_t)c->count;
    for (size_t i = 0; steps && i < c->count; i++) {
        const step_config *from = &c->steps[i];
        steps[i] = (fm_helm_step){.orders = (int32_t)from->orders,
                                  .t = from->t,
                                  .heading = from->heading,
                                  .depth = from->depth,
                                  .speed = from->speed,
                                  .place = {from->place[0], from->place[1]}};
    }
    return c->count;
}

static void apply_step(const step_config *step, fm_guidance *out)
{
    if (step->orders & FM_GUIDES_HEADING)
        out->heading = step->heading;
    if (step->orders & FM_GUIDES_DEPTH)
        out->depth = step->depth;
    if (step->orders & FM_GUIDES_ALTITUDE)
        out->altitude = step->altitude;
    if (step->orders & FM_GUIDES_SPEED)
        out->speed = step->speed;
    if (step->orders & FM_GUIDES_PLACE) {
        out->place[0] = step->place[0];
        out->place[1] = step->place[1];
    }
    /* a depth ends an altitude, a speed ends a place, and the other way round */
    int64_t ended = (step->orders & FM_GUIDES_DEPTH ? FM_GUIDES_ALTITUDE : 0) |
                    (step->orders & FM_GUIDES_ALTITUDE ? FM_GUIDES_DEPTH : 0) |
                    (step->orders & FM_GUIDES_SPEED ? FM_GUIDES_PLACE : 0) |
                    (step->orders & FM_GUIDES_PLACE ? FM_GUIDES_SPEED : 0);
    out->orders = (out->orders & ~ended) | step->orders;
}

static void run_mission(const fm_part_context *context)
{
    const mission_config *c = context->config;
    int64_t *next = context->state;
    fm_guidance *out = context->output;
    /* half a period of slack: the sum of steps is not exact */
    while (*next < (int64_t)c->count && c->steps[*next].t <= context->time + context->period / 2)
        apply_step(&c->steps[(*next)++], out);
    if (out->orders & FM_GUIDES_PLACE) {
        const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
        double dx = out->place[0] - believed.position[0], dy = out->place[1] - believed.position[1];
        out->error = sqrt(dx * dx + dy * dy);
    }
}

const fm_part_class fm_mission_class = {.kind = FM_PART_CONTROLLER,
                                        .element = &mission_element,
                                        .state_size = sizeof(int64_t),
                                        .output_size = sizeof(fm_guidance),
                                        .outputs = fm_guidance_outputs,
                                        .output_count = FM_GUIDANCE_OUTPUTS,
                                        .load = load_mission,
                                        .run = run_mission};
