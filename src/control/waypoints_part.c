/* <waypoints>: line of sight along a list of places, some of them held for a while. docs/theory/control.md (C6)-(C9),
 * (C20) The list may change in a run: it begins as the file has it, and lives in the state. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "control/guidance_part.h"
#include "control/navigation_part.h"
#include "physics/guidance.h"

enum { THEN_HOVER, THEN_CARRY_ON };
#define FOR_EVER 1e300 /* s */

typedef struct waypoints_config {
    double lookahead, radius, height, integral, speed; /* live */
    double from, settle;                               /* s */
    int64_t pass, loop, then;
    int64_t room; /* waypoints that may come beside those of the file; derived: in all */
    const char *name;
    double period;
    fm_waypoint *list; /* as the file has it */
    size_t count;
    int64_t track_metric, station_metric, reached_metric;
    int64_t navigation;
} waypoints_config;

typedef struct waypoints_state {
    fm_waypoints_state list;
    double hold_until; /* s; a place is kept before it */
    double hold_since; /* s */
    double place[3];   /* m, that is kept */
    double heading;    /* rad, that is kept */
    int64_t holding;
    int64_t count; /* of waypoints: `room` points follow, then `room` legs */
} waypoints_state;

/* What belongs to a waypoint beside its position. */
typedef struct leg {
    double speed; /* m/s on the way to it; below 0: that of the list */
    double hold;  /* s to keep the place */
} leg;

static double (*points_of(waypoints_state *s))[3]
{
    return (double(*)[3])(void *)(s + 1);
}

static leg *legs_of(const waypoints_config *c, waypoints_state *s)
{
    return (leg *)(void *)(points_of(s) + c->room);
}

static const fm_attr waypoint_attrs[] = {
    FM_VECTOR_ATTR(fm_waypoint, position, 3, "position", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED, "north, east, depth"),
    FM_REAL_ATTR(fm_waypoint, speed, "speed", "m/s", 0, 100, NULL, 0,
                 "through the water on the way there; without it that of <waypoints>"),
    FM_REAL_ATTR(fm_waypoint, hold, "hold", "s", 0, 1e9, "0 s", 0,
                 "time to keep the place once it is reached (thrusters)"),
};
static const fm_element waypoint_element =
    FM_TABLE_ELEMENT(fm_waypoint, "waypoint", waypoint_attrs, NULL, 0, "A place to pass, or to hold for a while.");

static const char *const then_names[] = {"hover", "carry-on", NULL};
static const fm_attr waypoints_attrs[] = {
    FM_REAL_ATTR(waypoints_config, lookahead, "lookahead", "m", 0.01, 1e5, "5 m", FM_ATTR_LIVE,
                 "distance ahead on the track at which the vehicle aims"),
    FM_REAL_ATTR(waypoints_config, radius, "radius", "m", 0.01, 1e5, "2 m", FM_ATTR_LIVE,
                 "horizontal distance at which a waypoint is reached"),
    FM_REAL_ATTR(waypoints_config, height, "height", "m", 0, 1e4, "0 m", FM_ATTR_LIVE,
                 "depth difference allowed at a waypoint; 0: any"),
    FM_REAL_ATTR(waypoints_config, integral, "integral", "1/s", 0, 10, "0 1/s", FM_ATTR_LIVE,
                 "integral action against a cross current; 0: none"),
    FM_REAL_ATTR(waypoints_config, speed, "speed", "m/s", 0, 100, "1 m/s", FM_ATTR_LIVE,
                 "through the water, where a waypoint names none"),
    FM_REAL_ATTR(waypoints_config, from, "from", "s", 0, 1e9, "0 s", 0, "when to begin"),
    FM_REAL_ATTR(waypoints_config, settle, "settle", "s", 0, 1e6, "20 s", 0,
                 "after a place is reached to be held; from then on station_error_rms is measured"),
    FM_BOOL_ATTR(waypoints_config, pass, "pass", "false", 0,
                 "a waypoint is also reached by passing abeam of it; otherwise a missed one is turned back for"),
    FM_BOOL_ATTR(waypoints_config, loop, "loop", "false", 0, "after the last comes the first again"),
    FM_CHOICE_ATTR(waypoints_config, then, then_names, "then", "carry-on", 0,
                   "after the last: hover there (thrusters), or carry on along the last course"),
    FM_INT_ATTR(waypoints_config, room, "room", 0, 10000, "32", 0,
                "waypoints that may be added in a run beside those that are written here"),
    FM_NAME_ATTR(waypoints_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(waypoints_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element *const waypoints_children[] = {&waypoint_element, NULL};
static const fm_element waypoints_element =
    FM_TABLE_ELEMENT(waypoints_config, "waypoints", waypoints_attrs, waypoints_children, 0,
                     "Guidance: follows a list of waypoints by line of sight, for the autopilot that stands after it.");

int fm_waypoints_hover(const void *config)
{
    const waypoints_config *c = config;
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].hold > 0)
            return 1;
    return !c->loop && c->then == THEN_HOVER;
}

static fm_status load_waypoints(fm_part_load *load, void *memory, fm_error *error)
{
    waypoints_config *c = memory;
    c->navigation = fm_load_navigation(load);
    c->count = fm_load_child_count(load, "waypoint");
    if (!c->count)
        return fm_load_fail(load, error, FM_ERR_MODEL, "found no <waypoint>, accepted one or more");
    c->list = fm_load_alloc(load, c->count * sizeof *c->list);
    if (!c->list)
        return FM_ERR_MEMORY;
    c->room += (int64_t)c->count;
    fm_load_state_size(load, sizeof(waypoints_state) + (size_t)c->room * (sizeof(double[3]) + sizeof(leg)));
    for (size_t i = 0; i < c->count; i++) {
        fm_status status = fm_load_child(load, "waypoint", i, &c->list[i], error);
        if (status != FM_OK)
            return status;
        if (!fm_load_child_has(load, "waypoint", i, "speed"))
            c->list[i].speed = -1;
    }
    c->track_metric =
        fm_load_metric(load, "track_error_rms", "m", "distance off the track, root mean square", FM_METRIC_RMS);
    c->station_metric = fm_load_metric(load, "station_error_rms", "m",
                                       "distance from the place to keep, root mean square", FM_METRIC_RMS);
    c->reached_metric = fm_load_metric(load, "waypoints_reached", "", "waypoints reached", FM_METRIC_LAST);
    return FM_OK;
}

/* The output: orders, and the leg on which they were given. */
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
    legs_of(context->config, s)[i] = (leg){waypoint->speed, waypoint->hold};
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

static void begin_hold(const fm_part_context *context, waypoints_state *s, const double place[3], double duration)
{
    s->holding = 1;
    s->hold_since = context->time;
    s->hold_until = context->time + duration;
    memcpy(s->place, place, sizeof s->place);
}

static void keep_place(const fm_part_context *context, const waypoints_config *c, const waypoints_state *s,
                       fm_guidance *out)
{
    const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
    *out = (fm_guidance){.orders = FM_GUIDES_PLACE | FM_GUIDES_DEPTH | FM_GUIDES_HEADING,
                         .heading = s->heading,
                         .depth = s->place[2],
                         .place = {s->place[0], s->place[1]},
                         .error = fm_guidance_distance(s->place, believed.position)};
    if (context->time - s->hold_since >= c->settle)
        fm_metric_note(context, (int)c->station_metric, fm_guidance_distance(s->place, context->vehicle->position));
}

/* One step along the list; a waypoint that is reached may have to be held. */
static void follow_track(const fm_part_context *context, const waypoints_config *c, waypoints_state *s,
                         fm_guidance *out)
{
    const waypoints_config *live = context->live;
    const fm_los_params p = {.lookahead = live->lookahead,
                             .radius = live->radius,
                             .height = live->height,
                             .integral = live->integral,
                             .pass = (int)c->pass};
    const fm_waypoints list = {
        .points = (const double(*)[3])points_of(s), .count = (size_t)s->count, .loop = (int)c->loop};
    const size_t target = (size_t)s->list.target;
    const double before = s->list.reached;
    const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
    double from[3]; /* of the segment, which arriving replaces */
    memcpy(from, s->list.started > 0.5 ? s->list.from : believed.position, sizeof from);
    const fm_los los = fm_waypoints_step(&list, &p, &s->list, believed.position, context->period);
    const double *point = points_of(s)[target];
    const leg *way = &legs_of(c, s)[target];
    tell_leg(context, from, point);
    *out = (fm_guidance){.orders = FM_GUIDES_HEADING | FM_GUIDES_DEPTH | FM_GUIDES_SPEED,
                         .heading = los.course,
                         .depth = los.depth,
                         .speed = way->speed >= 0 ? way->speed : live->speed,
                         .error = los.cross};
    fm_metric_note(context, (int)c->track_metric, fm_los_project(from, point, context->vehicle->position).cross);
    if (s->list.reached == before)
        return;
    fm_metric_note(context, (int)c->reached_metric, s->list.reached);
    char text[FM_EVENT_TEXT_SIZE];
    snprintf(text, sizeof text, "waypoint %zu of %zu reached", target + 1, list.count);
    fm_event_emit_text(context, "waypoint reached", (double)(target + 1), text);
    if (s->list.done > 0.5 && c->then == THEN_HOVER)
        begin_hold(context, s, point, FOR_EVER);
    else if (way->hold > 0)
        begin_hold(context, s, point, way->hold);
    s->heading = los.track;
}

/* Without waypoints: hovers where it is, or leaves the orders as they are. */
static void rest(const fm_part_context *context, const waypoints_config *c, waypoints_state *s, fm_guidance *out)
{
    if (c->then != THEN_HOVER)
        return;
    if (!s->holding) {
        const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
        s->heading = believed.euler[2];
        begin_hold(context, s, believed.position, FOR_EVER);
    }
    keep_place(context, c, s, out);
}

static void run_waypoints(const fm_part_context *context)
{
    const waypoints_config *c = context->config, *live = context->live;
    waypoints_state *s = context->state;
    fm_guidance *out = &((waypoints_output *)context->output)->guide;
    if (context->time < c->from)
        return;
    if (s->holding && context->time >= s->hold_until)
        s->holding = 0;
    if (!s->count) {
        rest(context, c, s, out);
    } else if (s->holding) {
        keep_place(context, c, s, out);
    } else if (s->list.done > 0.5) {
        const double *last = points_of(s)[s->count - 1];
        double speed = legs_of(c, s)[s->count - 1].speed;
        *out = (fm_guidance){.orders = FM_GUIDES_HEADING | FM_GUIDES_DEPTH | FM_GUIDES_SPEED,
                             .heading = s->heading,
                             .depth = last[2],
                             .speed = speed >= 0 ? speed : live->speed};
    } else {
        follow_track(context, c, s, out);
    }
}

/* --- the same as a kernel --- */

size_t fm_waypoints_describe(const void *config, fm_helm *p, double (*points)[3], fm_helm_leg *legs)
{
    const waypoints_config *c = config;
    p->points = (int32_t)c->count;
    p->pass = (int32_t)c->pass;
    p->loop = (int32_t)c->loop;
    p->hovers = c->then == THEN_HOVER;
    p->lookahead = c->lookahead;
    p->radius = c->radius;
    p->height = c->height;
    p->integral = c->integral;
    p->cruise = c->speed;
    p->from = c->from;
    p->settle = c->settle;
    for (size_t i = 0; points && i < c->count; i++) {
        memcpy(points[i], c->list[i].position, sizeof points[i]);
        legs[i] = (fm_helm_leg){c->list[i].speed, c->list[i].hold};
    }
    return c->count;
}

/* --- changes in a run --- */

static size_t count_waypoints(const fm_part_context *context)
{
    return (size_t)((const waypoints_state *)context->state)->count;
}

static void get_waypoint(const fm_part_context *context, size_t i, fm_waypoint *out)
{
    waypoints_state *s = context->state;
    const leg *way = &legs_of(context->config, s)[i];
    *out = (fm_waypoint){.speed = way->speed, .hold = way->hold};
    memcpy(out->position, points_of(s)[i], sizeof out->position);
}

static fm_status check_waypoint(const fm_part_context *context, const fm_waypoint *waypoint, size_t count,
                                fm_error *error)
{
    const waypoints_config *c = context->config;
    if ((int64_t)count > c->room)
        return fm_fail(error, FM_ERR_FULL, "%zu waypoints; accepted are %lld, raise <waypoints room=\"…\">", count,
                       (long long)c->room);
    for (int i = 0; i < 3; i++)
        if (!(fabs(waypoint->position[i]) <= 1e7))
            return fm_fail(error, FM_ERR_RANGE, "a waypoint at %g m; accepted are -1e7 m to 1e7 m",
                           waypoint->position[i]);
    if (!(waypoint->speed <= 100) || !(waypoint->hold >= 0 && waypoint->hold <= 1e9))
        return fm_fail(error, FM_ERR_RANGE, "a waypoint with %g m/s and %g s; accepted are up to 100 m/s, 0 s to 1e9 s",
                       waypoint->speed, waypoint->hold);
    if (waypoint->hold > 0 && !fm_waypoints_hover(c))
        return fm_fail(error, FM_ERR_RANGE,
                       "a waypoint to be held for %g s; accepted is 0 s, as nothing in the file of this list hovers",
                       waypoint->hold);
    return FM_OK;
}

/* Heads for waypoint i from where the vehicle is, and no longer stays for ever. */
static void head_for(waypoints_state *s, size_t i)
{
    s->list.target = (double)i;
    s->list.done = s->list.started = s->list.integral = 0;
    s->holding = s->holding && s->hold_until < FOR_EVER;
}

static void add_waypoint(const fm_part_context *context, size_t before, const fm_waypoint *waypoint)
{
    waypoints_state *s = context->state;
    double(*points)[3] = points_of(s);
    leg *legs = legs_of(context->config, s);
    size_t behind = (size_t)s->count - before, target = (size_t)s->list.target;
    memmove(points + before + 1, points + before, behind * sizeof *points);
    memmove(legs + before + 1, legs + before, behind * sizeof *legs);
    put_waypoint(context, before, waypoint);
    s->count++;
    int goes_on = s->list.done > 0.5 ? behind == 0 : before == target;
    if (goes_on || s->count == 1)
        head_for(s, before);
    else if (before <= target)
        s->list.target += 1;
}

static void move_waypoint(const fm_part_context *context, size_t i, const fm_waypoint *waypoint)
{
    waypoints_state *s = context->state;
    put_waypoint(context, i, waypoint);
    if (i == (size_t)s->list.target)
        head_for(s, i);
}

static void clear_waypoints(const fm_part_context *context)
{
    waypoints_state *s = context->state;
    s->count = 0;
    head_for(s, 0);
    s->holding = 0;
}

static const fm_waypoint_calls calls = {.count = count_waypoints,
                                        .get = get_waypoint,
                                        .check = check_waypoint,
                                        .add = add_waypoint,
                                        .move = move_waypoint,
                                        .clear = clear_waypoints};

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
                                          .live_size = offsetof(waypoints_config, from),
                                          .state_size = sizeof(waypoints_state),
                                          .output_size = sizeof(waypoints_output),
                                          .outputs = outputs,
                                          .output_count = FM_COUNT(outputs),
                                          .load = load_waypoints,
                                          .start = start_waypoints,
                                          .run = run_waypoints,
                                          .waypoints = &calls};
