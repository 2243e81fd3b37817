/* Functions shared by all guidance, and its simplest forms: <station> and <mission>. */
#include "control/guidance_part.h"

#include "base/lane_part.h"
#include "base/part_class.h"
#include "control/chain.h"
#include "control/navigation_part.h"
#include "physics/posture.h"

const fm_output fm_guidance_outputs[] = {FM_GUIDANCE_TELLS(fm_guidance, )};

int fm_guidance_is(const fm_part_info *part)
{
    static const char *const names[] = {"waypoints", "station", "mission", "avoid", "planner", "homing"};
    for (size_t i = 0; i < FM_COUNT(names); i++)
        if (fm_class_is(part->part_class, names[i]))
            return 1;
    return 0;
}

int fm_guidance_hovers(const fm_part_info *part)
{
    if (fm_class_is(part->part_class, "waypoints"))
        return fm_waypoints_hover(part->config);
    if (fm_class_is(part->part_class, "mission"))
        return fm_mission_hovers(part->config);
    if (fm_class_is(part->part_class, "planner"))
        return fm_planner_hovers(part->config);
    return fm_class_is(part->part_class, "station");
}

double fm_vehicle_view_heading(const fm_vehicle_view *view)
{
    double euler[3];
    fm_euler_from_matrix(view->rotation, euler);
    return euler[2];
}

/* --- <station> --- */

typedef struct station_config {
    fm_stay_params stay; /* held in the world's state: position and heading are live */
    const char *name;
    double period;
    int64_t error_metric, heading_metric, final_metric;
    int64_t navigation;
} station_config;

static const fm_attr station_attrs[] = {
    FM_VECTOR_ATTR(station_config, stay.position, 3, "position", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                   "place to keep: north, east, depth"),
    FM_REAL_ATTR(station_config, stay.heading, "heading", "rad", -7, 7, NULL, FM_ATTR_LIVE,
                 "to keep; without it that of the beginning"),
    FM_REAL_ATTR(station_config, stay.from, "from", "s", 0, 1e9, "0 s", 0, "when to begin"),
    FM_REAL_ATTR(station_config, stay.until, "until", "s", 0, 1e9, "1e9 s", 0, "when to end"),
    FM_REAL_ATTR(station_config, stay.settle, "settle", "s", 0, 1e6, "60 s", 0,
                 "after the beginning; from then on station_error_rms is measured"),
    FM_NAME_ATTR(station_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(station_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element station_element =
    FM_TABLE_ELEMENT(station_config, "station", station_attrs, NULL, 0,
                     "Guidance: holds a position and a heading, with an autopilot with thrusters after it.");

static fm_status load_station(fm_part_load *load, void *memory, fm_error *error)
{
    station_config *c = memory;
    if (c->stay.until <= c->stay.from)
        return fm_load_fail(load, error, FM_ERR_RANGE, "until is %g s: must be times after from, %g s", c->stay.until,
                            c->stay.from);
    c->stay.turned = fm_load_has_attribute(load, "heading");
    c->navigation = fm_load_navigation(load);
    c->error_metric = fm_load_metric(load, "station_error_rms", "m",
                                     "distance from the place to keep, root mean square", FM_METRIC_RMS);
    c->final_metric =
        fm_load_metric(load, "station_error", "m", "distance from the place to keep at the end", FM_METRIC_LAST);
    c->heading_metric =
        fm_load_metric(load, "station_heading_error", "rad", "heading off the one to keep at the end", FM_METRIC_LAST);
    return FM_OK;
}

static void run_station(const fm_part_context *context)
{
    const station_config *c = context->config, *live = context->live;
    const fm_guide_view known = fm_navigation_view(context, (int)c->navigation);
    fm_stay_told told;
    fm_stay_step(&live->stay, &known, context->state, context->output, &told);
    if (told.settled)
        fm_metric_note(context, (int)c->error_metric, told.away);
    if (!told.on)
        return;
    fm_metric_note(context, (int)c->final_metric, told.away);
    fm_metric_note(context, (int)c->heading_metric, told.off);
}

static void count_station(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v, (void)part;
    head->count[FM_FLAT_STAY] = 1;
}

static void describe_station(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    (void)v;
    *(fm_stay_params *)fm_flat_array(flat, FM_FLAT_STAY) = ((const station_config *)part->config)->stay;
}

static const fm_lane_metric station_kept[] = {
    FM_LANE_KEEPS("station_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.station_error),
    FM_LANE_KEEPS("station_error", FM_LANE_CHAIN, fm_chain_kept, pilot.station_end),
    FM_LANE_KEEPS("station_heading_error", FM_LANE_CHAIN, fm_chain_kept, pilot.station_heading),
};
static const fm_lane_part station_lanes = {.role = FM_LANE_GUIDE,
                                           .link = FM_LINK_STATION,
                                           .verdict = fm_guide_verdict,
                                           .count = count_station,
                                           .describe = describe_station,
                                           .metrics = station_kept,
                                           .metric_count = FM_COUNT(station_kept)};

static const fm_setpoint station_points[] = {
    {FM_SETPOINT_ROW(station_config, stay.position[0], "north", "m", -1e7, 1e7, "place to keep: north")},
    {FM_SETPOINT_ROW(station_config, stay.position[1], "east", "m", -1e7, 1e7, "place to keep: east")},
    {FM_SETPOINT_ROW(station_config, stay.position[2], "depth", "m", -1e7, 1e7, "place to keep: depth")},
    {FM_SETPOINT_ROW(station_config, stay.heading, "heading", "rad", -7, 7,
                     "heading to keep; not set: that of the beginning"),
     .flag = 1 + offsetof(station_config, stay.turned)},
};
const fm_part_class fm_station_class = {.kind = FM_PART_CONTROLLER,
                                        .element = &station_element,
                                        .live_size = offsetof(station_config, name),
                                        .state_size = sizeof(fm_stay_state),
                                        .output_size = sizeof(fm_guidance),
                                        .outputs = fm_guidance_outputs,
                                        .output_count = FM_GUIDANCE_OUTPUTS,
                                        .load = load_station,
                                        .run = run_station,
                                        .setpoints = station_points,
                                        .setpoint_count = FM_COUNT(station_points),
                                        .lanes = &station_lanes};

/* --- <mission> --- */

typedef struct mission_config {
    const char *name;
    double period;
    fm_mission_step *steps;
    size_t count;
    int64_t navigation;
} mission_config;

static const fm_attr step_attrs[] = {
    FM_REAL_ATTR(fm_mission_step, t, "t", "s", 0, 1e9, NULL, FM_ATTR_REQUIRED, "when"),
    FM_REAL_ATTR(fm_mission_step, heading, "heading", "rad", -7, 7, NULL, 0, "heading to steer from then on"),
    FM_REAL_ATTR(fm_mission_step, depth, "depth", "m", 0, 12000, NULL, 0, "depth to hold from then on"),
    FM_REAL_ATTR(fm_mission_step, altitude, "altitude", "m", 0, 12000, NULL, 0,
                 "height above the bottom to hold from then on, in place of a depth"),
    FM_REAL_ATTR(fm_mission_step, speed, "speed", "m/s", -100, 100, NULL, 0,
                 "speed through the water from then on; ends the keeping of a place"),
    FM_VECTOR_ATTR(fm_mission_step, position, 2, "place", "m", -1e7, 1e7, NULL, 0,
                   "place to keep from then on: north, east (thrusters)"),
};
static const fm_element step_element = FM_TABLE_ELEMENT(
    fm_mission_step, "at", step_attrs, NULL, 0, "Setpoints from a given time; what is not named does not change.");
static const fm_attr mission_attrs[] = {
    FM_NAME_ATTR(mission_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(mission_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element *const mission_children[] = {&step_element, NULL};
static const fm_element mission_element = FM_TABLE_ELEMENT(mission_config, "mission", mission_attrs, mission_children,
                                                           0, "Guidance: timed setpoints for the autopilot after it.");

static int32_t named_orders(fm_part_load *load, size_t i)
{
    static const struct {
        const char *name;
        int32_t order;
    } table[] = {{"heading", FM_ORDERS_HEADING},
                 {"depth", FM_ORDERS_DEPTH},
                 {"altitude", FM_ORDERS_ALTITUDE},
                 {"speed", FM_ORDERS_SPEED},
                 {"place", FM_ORDERS_POSITION}};
    int32_t orders = 0;
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
        return fm_load_fail(load, error, FM_ERR_MODEL, "no <at> given: must be one or more");
    if (!(c->steps = fm_load_alloc(load, c->count * sizeof *c->steps)))
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < c->count; i++) {
        fm_mission_step *step = &c->steps[i];
        fm_status status = fm_load_child(load, "at", i, step, error);
        if (status != FM_OK)
            return status;
        step->orders = named_orders(load, i);
        if ((step->orders & FM_ORDERS_POSITION) && (step->orders & FM_ORDERS_SPEED))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> names a place and a speed: must be one of them", step->t);
        if ((step->orders & FM_ORDERS_DEPTH) && (step->orders & FM_ORDERS_ALTITUDE))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> names a depth and an altitude: must be one of them", step->t);
        if (i > 0 && step->t < c->steps[i - 1].t)
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "<at t=\"%g s\"> follows <at t=\"%g s\">: must be rising times", step->t,
                                c->steps[i - 1].t);
    }
    return FM_OK;
}

static int32_t all_orders(const mission_config *c)
{
    int32_t orders = 0;
    for (size_t i = 0; i < c->count; i++)
        orders |= c->steps[i].orders;
    return orders;
}

int fm_mission_hovers(const void *config)
{
    return (all_orders(config) & FM_ORDERS_POSITION) != 0;
}

static fm_mission mission_of(const mission_config *c)
{
    return (fm_mission){c->steps, (int)c->count};
}

static void run_mission(const fm_part_context *context)
{
    const mission_config *c = context->config;
    const fm_mission mission = mission_of(c);
    fm_mission_run(&mission, context->time, context->period, fm_navigation_position(context, (int)c->navigation),
                   context->state, context->output);
}

static void count_mission(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v;
    head->count[FM_FLAT_STEPS] = (uint32_t)mission_of(part->config).count;
}

static void describe_mission(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    const fm_mission mission = mission_of(part->config);
    memcpy(fm_flat_array(flat, FM_FLAT_STEPS), mission.steps, (size_t)mission.count * sizeof *mission.steps);
    if (all_orders(part->config) & FM_ORDERS_ALTITUDE)
        fm_guide_orders_altitude(v, flat);
}

static const fm_lane_part mission_lanes = {.role = FM_LANE_GUIDE,
                                           .link = FM_LINK_MISSION,
                                           .verdict = fm_guide_verdict,
                                           .count = count_mission,
                                           .describe = describe_mission};

const fm_part_class fm_mission_class = {.kind = FM_PART_CONTROLLER,
                                        .element = &mission_element,
                                        .state_size = sizeof(double), /* number of the next step */
                                        .output_size = sizeof(fm_guidance),
                                        .outputs = fm_guidance_outputs,
                                        .output_count = FM_GUIDANCE_OUTPUTS,
                                        .load = load_mission,
                                        .run = run_mission,
                                        .lanes = &mission_lanes};
