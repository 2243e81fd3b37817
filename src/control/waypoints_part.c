/* <waypoints>: line of sight along a list of places, some of them held for a time. docs/theory/control.md (C6)-(C9),
 * (C20) The list may change during a run: it is initialised from the file and stored in the state. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/lane_part.h"
#include "control/chain.h"
#include "control/guidance_part.h"
#include "control/navigation_part.h"
#include "control/waypoints_file.h"

enum { THEN_HOVER, THEN_CARRY_ON, THEN_END };

typedef struct waypoints_config {
    fm_route_params route; /* the world stores it: the first five numbers are live */
    int64_t pass, loop, then;
    int64_t room; /* waypoints that may be added to those of the file; derived: total */
    const char *name;
    double period;
    fm_waypoint *list; /* as the file has it */
    size_t count;
    int64_t track_metric, station_metric, reached_metric;
    int64_t navigation;
    const char *file; /* instead of children; NULL: none */
    double depth;     /* m, of its waypoints without an altitude */
} waypoints_config;

typedef struct waypoints_state {
    fm_route_state route;
    int64_t count; /* of waypoints: `room` points follow, then `room` legs */
} waypoints_state;

static double (*points_of(waypoints_state *s))[3]
{
    return (double(*)[3])(void *)(s + 1);
}

static fm_route_leg *legs_of(const waypoints_config *c, waypoints_state *s)
{
    return (fm_route_leg *)(void *)(points_of(s) + c->room);
}

static const fm_attr waypoint_attrs[] = {
    FM_VECTOR_ATTR(fm_waypoint, position, 3, "position", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED, "north, east, depth"),
    FM_REAL_ATTR(fm_waypoint, speed, "speed", "m/s", 0, 100, NULL, 0,
                 "through the water on the way there; without it that of <waypoints>"),
    FM_REAL_ATTR(fm_waypoint, hold, "hold", "s", 0, 1e9, "0 s", 0,
                 "time to keep the place once it is reached (thrusters)"),
};
static const fm_element waypoint_element =
    FM_TABLE_ELEMENT(fm_waypoint, "waypoint", waypoint_attrs, NULL, 0, "A position to pass, or to hold for some time.");

/* Lanes of a lawn mower, there and back. */
typedef struct survey_config {
    double corner[3], size[2], spacing; /* m; NED, along and across the heading */
    double heading;                     /* rad */
    double speed;                       /* m/s; -1: that of the list */
} survey_config;

enum { LANES_MOST = 5000 };

static const fm_attr survey_attrs[] = {
    FM_VECTOR_ATTR(survey_config, corner, 3, "corner", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED,
                   "where the first lane begins: north, east, depth"),
    FM_VECTOR_ATTR(survey_config, size, 2, "size", "m", -1e6, 1e6, NULL, FM_ATTR_REQUIRED,
                   "length of the lanes, and width of the area to starboard of the first one; below 0: to port"),
    FM_REAL_ATTR(survey_config, spacing, "spacing", "m", 0.01, 1e6, NULL, FM_ATTR_REQUIRED, "between two lanes"),
    FM_REAL_ATTR(survey_config, heading, "heading", "rad", -7, 7, "0 rad", 0, "of the first lane"),
    FM_REAL_ATTR(survey_config, speed, "speed", "m/s", 0, 100, NULL, 0,
                 "through the water; without it that of <waypoints>"),
};
static const fm_element survey_element =
    FM_TABLE_ELEMENT(survey_config, "survey", survey_attrs, NULL, 0,
                     "Lanes over an area, there and back (a lawn mower): two waypoints for each lane.");

static const char *const then_names[] = {"hover", "carry-on", "end", NULL};
static const fm_attr waypoints_attrs[] = {
    FM_REAL_ATTR(waypoints_config, route.lookahead, "lookahead", "m", 0.01, 1e5, "5 m", FM_ATTR_LIVE,
                 "distance ahead on the track at which the vehicle aims"),
    FM_REAL_ATTR(waypoints_config, route.radius, "radius", "m", 0.01, 1e5, "2 m", FM_ATTR_LIVE,
                 "horizontal distance at which a waypoint is reached"),
    FM_REAL_ATTR(waypoints_config, route.height, "height", "m", 0, 1e4, "0 m", FM_ATTR_LIVE,
                 "depth difference allowed at a waypoint; 0: any"),
    FM_REAL_ATTR(waypoints_config, route.integral, "integral", "1/s", 0, 10, "0 1/s", FM_ATTR_LIVE,
                 "integral action against a cross current; 0: none"),
    FM_REAL_ATTR(waypoints_config, route.speed, "speed", "m/s", 0, 100, "1 m/s", FM_ATTR_LIVE,
                 "through the water, where a waypoint names none"),
    FM_REAL_ATTR(waypoints_config, route.from, "from", "s", 0, 1e9, "0 s", 0, "when to begin"),
    FM_REAL_ATTR(waypoints_config, route.settle, "settle", "s", 0, 1e6, "20 s", 0,
                 "after a place is reached to be held; from then on station_error_rms is measured"),
    FM_BOOL_ATTR(waypoints_config, pass, "pass", "false", 0,
                 "a waypoint is also reached by passing abeam of it; otherwise a missed one is turned back for"),
    FM_BOOL_ATTR(waypoints_config, loop, "loop", "false", 0, "after the last comes the first again"),
    FM_CHOICE_ATTR(
        waypoints_config, then, then_names, "then", "carry-on", 0,
        "after the last: hover there (thrusters); carry on along the last course; or end: `fathom run` and sweeps end "
        "when all vehicles with such a list have reached their last waypoint"),
    FM_FILE_ATTR(
        waypoints_config, file, "file", NULL, 0,
        "mission of a ground station instead of <waypoint> and <survey>: .plan or .waypoints of QGroundControl, "
        "or .geojson. Positions count from latitude and longitude of <world>; speed and radius default to "
        "those of the file"),
    FM_REAL_ATTR(waypoints_config, depth, "depth", "m", -1e7, 1e7, NULL, 0,
                 "of waypoints in the file without an altitude"),
    FM_INT_ATTR(waypoints_config, room, "room", 0, 10000, "32", 0,
                "waypoints that may be added in a run beside those that are written here"),
    FM_NAME_ATTR(waypoints_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(waypoints_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element *const waypoints_children[] = {&waypoint_element, &survey_element, NULL};
static const fm_element waypoints_element =
    FM_TABLE_ELEMENT(waypoints_config, "waypoints", waypoints_attrs, waypoints_children, 0,
                     "Guidance: follows a list of waypoints by line of sight, for the autopilot after it.");

int fm_waypoints_hover(const void *config)
{
    const waypoints_config *c = config;
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].hold > 0)
            return 1;
    return !c->loop && c->then == THEN_HOVER;
}

static size_t count_lanes_of(const survey_config *survey)
{
    return 1 + (size_t)floor(fabs(survey->size[1]) / survey->spacing + 1e-9);
}

/* Two waypoints for each lane; `list` may be NULL to count them only. */
static fm_status load_survey(fm_part_load *load, size_t i, fm_waypoint *list, size_t *count, fm_error *error)
{
    survey_config s;
    fm_status status = fm_load_child(load, "survey", i, &s, error);
    if (status != FM_OK)
        return status;
    if (s.size[0] <= 0 || fabs(s.size[1]) / s.spacing >= LANES_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "<survey> of %g m by %g m every %g m: must be longer than 0 m, with up to %d lanes",
                            s.size[0], s.size[1], s.spacing, LANES_MOST);
    const double speed = fm_load_child_has(load, "survey", i, "speed") ? s.speed : -1;
    const double along[2] = {fm_cos(s.heading), fm_sin(s.heading)}, side = s.size[1] < 0 ? -1 : 1;
    const size_t lanes = count_lanes_of(&s);
    for (size_t k = 0; list && k < 2 * lanes; k++) {
        const double far = ((k + 1) / 2) % 2 ? s.size[0] : 0, off = side * s.spacing * (double)(k / 2);
        list[k] = (fm_waypoint){.position = {s.corner[0] + far * along[0] - off * along[1],
                                             s.corner[1] + far * along[1] + off * along[0], s.corner[2]},
                                .speed = speed};
    }
    *count += 2 * lanes;
    return FM_OK;
}

static fm_status load_one(fm_part_load *load, size_t i, fm_waypoint *list, size_t *count, fm_error *error)
{
    fm_status status = list ? fm_load_child(load, "waypoint", i, list, error) : FM_OK;
    if (status == FM_OK && list && !fm_load_child_has(load, "waypoint", i, "speed"))
        list->speed = -1;
    (*count)++;
    return status;
}

/* Waypoints and surveys in the order of the file; `list` may be NULL to count them only. */
static fm_status load_list(fm_part_load *load, fm_waypoint *list, size_t *count, fm_error *error)
{
    size_t waypoints = 0, surveys = 0;
    const char *name;
    fm_status status = FM_OK;
    *count = 0;
    for (size_t i = 0; status == FM_OK && (name = fm_load_child_name(load, i)); i++) {
        fm_waypoint *at = list ? list + *count : NULL;
        status = strcmp(name, "survey") == 0 ? load_survey(load, surveys++, at, count, error)
                                             : load_one(load, waypoints++, at, count, error);
    }
    return status;
}

/* The children <waypoint> and <survey>. */
static fm_status load_children(fm_part_load *load, waypoints_config *c, fm_error *error)
{
    size_t count;
    fm_status status = load_list(load, NULL, &count, error);
    if (status != FM_OK)
        return status;
    if (!count)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "no <waypoint> or <survey> given: must be one or more, or a file");
    c->list = fm_load_alloc(load, count * sizeof *c->list);
    if (!c->list)
        return FM_ERR_MEMORY;
    c->count = count; /* parts after this one ask for it, even where loading fails */
    return load_list(load, c->list, &count, error);
}

/* What the element gives precedes what the file gives. */
static fm_status load_file(fm_part_load *load, waypoints_config *c, fm_error *error)
{
    fm_waypoints_file file;
    if (fm_load_child_name(load, 0))
        return fm_load_fail(load, error, FM_ERR_MODEL, "has a file and a <%s>: must be one of them",
                            fm_load_child_name(load, 0));
    fm_status status = fm_waypoints_load_file(load, c->file, fm_load_has_attribute(load, "depth") ? c->depth : NAN,
                                              fm_load_has_attribute(load, "radius"), &file, error);
    if (status != FM_OK)
        return status;
    c->list = file.list;
    c->count = file.count;
    if (!fm_load_has_attribute(load, "speed") && !isnan(file.speed))
        c->route.speed = file.speed;
    if (!isnan(file.radius))
        c->route.radius = file.radius;
    return FM_OK;
}

static fm_status load_waypoints(fm_part_load *load, void *memory, fm_error *error)
{
    waypoints_config *c = memory;
    c->navigation = fm_load_navigation(load);
    if (c->loop && c->then == THEN_END)
        return fm_load_fail(load, error, FM_ERR_MODEL, "then=\"end\" has no effect with loop: give one of them");
    if (!c->file && fm_load_has_attribute(load, "depth"))
        return fm_load_fail_at(load, NULL, 0, "depth", error, FM_ERR_MODEL,
                               "has no effect without file: must be given with it");
    fm_status status = c->file ? load_file(load, c, error) : load_children(load, c, error);
    if (status != FM_OK)
        return status;
    c->route.pass = (int32_t)c->pass;
    c->route.loop = (int32_t)c->loop;
    c->route.hovers = c->then == THEN_HOVER;
    c->room += (int64_t)c->count;
    fm_load_state_size(load, sizeof(waypoints_state) + (size_t)c->room * (sizeof(double[3]) + sizeof(fm_route_leg)));
    c->track_metric =
        fm_load_metric(load, "track_error_rms", "m", "distance off the track, root mean square", FM_METRIC_RMS);
    c->station_metric = fm_load_metric(load, "station_error_rms", "m",
                                       "distance from the place to keep, root mean square", FM_METRIC_RMS);
    c->reached_metric = fm_load_metric(load, "waypoints_reached", "", "waypoints reached", FM_METRIC_LAST);
    return FM_OK;
}

/* The output: orders, and the leg during which they were given. */
typedef struct waypoints_output {
    fm_guidance guide;
    double from[3], to[3]; /* m, NED; NaN before the first leg */
} waypoints_output;

static void tell_leg(const fm_part_context *context, const double from[3], const double to[3])
{
    waypoints_output *out = context->output;
    memcpy(out->from, from, sizeof out->from);
    memcpy(out->to, to, sizeof out->to);
}

static void put_waypoint(const fm_part_context *context, size_t i, const fm_waypoint *waypoint)
{
    waypoints_state *s = context->state;
    memcpy(points_of(s)[i], waypoint->position, sizeof waypoint->position);
    legs_of(context->config, s)[i] = (fm_route_leg){waypoint->speed, waypoint->hold};
}

static void start_waypoints(const fm_part_context *context)
{
    static const double nowhere[3] = {NAN, NAN, NAN};
    const waypoints_config *c = context->config;
    ((waypoints_state *)context->state)->count = (int64_t)c->count;
    for (size_t i = 0; i < c->count; i++)
        put_waypoint(context, i, &c->list[i]);
    tell_leg(context, nowhere, nowhere);
}

static void tell_arrival(const fm_part_context *context, const waypoints_config *c, const waypoints_state *s,
                         size_t target)
{
    char text[FM_EVENT_TEXT_SIZE];
    fm_metric_note(context, (int)c->reached_metric, s->route.list.reached);
    snprintf(text, sizeof text, "waypoint %zu of %zu reached", target + 1, (size_t)s->count);
    fm_event_emit_text(context, "waypoint reached", (double)(target + 1), text);
}

static void run_waypoints(const fm_part_context *context)
{
    const waypoints_config *c = context->config, *live = context->live;
    waypoints_state *s = context->state;
    const fm_route route = {&live->route, (const double(*)[3])points_of(s), legs_of(c, s), (int)s->count};
    const fm_guide_view known = fm_navigation_view(context, (int)c->navigation);
    const size_t target = (size_t)s->route.list.target;
    fm_route_told told;
    fm_route_step(&route, &known, context->period, &s->route, &((waypoints_output *)context->output)->guide, &told);
    if (told.settled)
        fm_metric_note(context, (int)c->station_metric, told.away);
    if (!told.tracked)
        return;
    tell_leg(context, told.from, told.to);
    fm_metric_note(context, (int)c->track_metric, told.cross);
    if (told.arrived)
        tell_arrival(context, c, s, target);
}

/* --- in lanes and on a GPU --- */

static void count_lanes(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v;
    head->count[FM_FLAT_ROUTE] = 1;
    head->count[FM_FLAT_POINTS] = head->count[FM_FLAT_LEGS] = (uint32_t)((const waypoints_config *)part->config)->count;
}

static void describe_lanes(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    (void)v;
    const waypoints_config *c = part->config;
    double(*points)[3] = fm_flat_array(flat, FM_FLAT_POINTS);
    fm_route_leg *legs = fm_flat_array(flat, FM_FLAT_LEGS);
    *(fm_route_params *)fm_flat_array(flat, FM_FLAT_ROUTE) = c->route;
    for (size_t i = 0; i < c->count; i++) {
        memcpy(points[i], c->list[i].position, sizeof points[i]);
        legs[i] = (fm_route_leg){c->list[i].speed, c->list[i].hold};
    }
}

static const fm_lane_metric kept[] = {
    FM_LANE_KEEPS("track_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.track_error),
    FM_LANE_KEEPS("station_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.station_error),
    FM_LANE_KEEPS("waypoints_reached", FM_LANE_CHAIN, fm_chain_kept, pilot.reached),
};
static const char *lanes_verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    return ((const waypoints_config *)part->config)->then == THEN_END ? "its <waypoints> end the run"
                                                                      : fm_guide_verdict(v, part);
}

static const fm_lane_part lanes = {.role = FM_LANE_GUIDE,
                                   .link = FM_LINK_WAYPOINTS,
                                   .verdict = lanes_verdict,
                                   .count = count_lanes,
                                   .describe = describe_lanes,
                                   .metrics = kept,
                                   .metric_count = FM_COUNT(kept)};

/* --- changes in a run --- */

static size_t count_waypoints(const fm_part_context *context)
{
    return (size_t)((const waypoints_state *)context->state)->count;
}

static void get_waypoint(const fm_part_context *context, size_t i, fm_waypoint *out)
{
    waypoints_state *s = context->state;
    const fm_route_leg *way = &legs_of(context->config, s)[i];
    *out = (fm_waypoint){.speed = way->speed, .hold = way->hold};
    memcpy(out->position, points_of(s)[i], sizeof out->position);
}

static fm_status check_waypoint(const fm_part_context *context, const fm_waypoint *waypoint, size_t count,
                                fm_error *error)
{
    const waypoints_config *c = context->config;
    if ((int64_t)count > c->room)
        return fm_fail(error, FM_ERR_FULL, "%zu waypoints: must be %lld, raise <waypoints room=\"…\">", count,
                       (long long)c->room);
    for (int i = 0; i < 3; i++)
        if (!(fabs(waypoint->position[i]) <= 1e7))
            return fm_fail(error, FM_ERR_RANGE, "a waypoint at %g m: must be -1e7 m to 1e7 m", waypoint->position[i]);
    if (!(waypoint->speed <= 100) || !(waypoint->hold >= 0 && waypoint->hold <= 1e9))
        return fm_fail(error, FM_ERR_RANGE,
                       "the waypoint has speed %g m/s and hold %g s: must be up to 100 m/s, 0 s to 1e9 s",
                       waypoint->speed, waypoint->hold);
    if (waypoint->hold > 0 && !fm_waypoints_hover(c))
        return fm_fail(error, FM_ERR_RANGE,
                       "a waypoint to be held for %g s: must be 0 s, as nothing in the file of this list hovers",
                       waypoint->hold);
    return FM_OK;
}

/* Heads for waypoint i from the vehicle's position, and ends an unlimited stay. */
static void head_for(waypoints_state *s, size_t i)
{
    s->route.list.target = (double)i;
    s->route.list.done = s->route.list.started = s->route.list.integral = 0;
    if (s->route.hold_until >= FM_HUGE)
        s->route.holding = 0;
}

static void add_waypoint(const fm_part_context *context, size_t before, const fm_waypoint *waypoint)
{
    waypoints_state *s = context->state;
    double(*points)[3] = points_of(s);
    fm_route_leg *legs = legs_of(context->config, s);
    size_t behind = (size_t)s->count - before, target = (size_t)s->route.list.target;
    memmove(points + before + 1, points + before, behind * sizeof *points);
    memmove(legs + before + 1, legs + before, behind * sizeof *legs);
    put_waypoint(context, before, waypoint);
    s->count++;
    int goes_on = s->route.list.done > 0.5 ? behind == 0 : before == target;
    if (goes_on || s->count == 1)
        head_for(s, before);
    else if (before <= target)
        s->route.list.target += 1;
}

static void move_waypoint(const fm_part_context *context, size_t i, const fm_waypoint *waypoint)
{
    waypoints_state *s = context->state;
    put_waypoint(context, i, waypoint);
    if (i == (size_t)s->route.list.target)
        head_for(s, i);
}

static void clear_waypoints(const fm_part_context *context)
{
    waypoints_state *s = context->state;
    s->count = 0;
    head_for(s, 0);
    s->route.holding = 0;
}

static fm_route_progress course_of(const fm_part_context *context)
{
    const waypoints_config *c = context->config;
    const waypoints_state *s = context->state;
    const int holds = s->route.holding > 0.5 && s->route.hold_until < FM_HUGE;
    if (c->loop)
        return FM_ROUTE_ENDLESS;
    fm_route_progress course = s->count && s->route.list.done > 0.5 && !holds ? FM_ROUTE_DONE : FM_ROUTE_UNDERWAY;
    return c->then == THEN_END ? course | FM_ROUTE_MARKED : course;
}

static const fm_waypoint_calls calls = {.count = count_waypoints,
                                        .get = get_waypoint,
                                        .check = check_waypoint,
                                        .add = add_waypoint,
                                        .move = move_waypoint,
                                        .clear = clear_waypoints,
                                        .course = course_of};

static const fm_output outputs[] = {
    FM_GUIDANCE_TELLS(waypoints_output, guide.),
    FM_OUTPUT_NUMBER(waypoints_output, from[0], "from.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(waypoints_output, from[1], "from.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(waypoints_output, from[2], "from.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(waypoints_output, to[0], "to.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(waypoints_output, to[1], "to.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(waypoints_output, to[2], "to.depth", "m", FM_QUANTITY_NONE),
};
const fm_part_class fm_waypoints_class = {.kind = FM_PART_CONTROLLER,
                                          .element = &waypoints_element,
                                          .live_size = offsetof(waypoints_config, pass),
                                          .state_size = sizeof(waypoints_state),
                                          .output_size = sizeof(waypoints_output),
                                          .outputs = outputs,
                                          .output_count = FM_COUNT(outputs),
                                          .load = load_waypoints,
                                          .start = start_waypoints,
                                          .run = run_waypoints,
                                          .waypoints = &calls,
                                          .lanes = &lanes};
