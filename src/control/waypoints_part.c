/* <waypoints>: line of sight along a list of places, some of them held for a while. docs/theory/control.md (C6)-(C9) */
#include <math.h>
#include <string.h>

#include "control/guidance_part.h"
#include "control/navigation_part.h"
#include "physics/guidance.h"

typedef struct waypoint {
    double position[3]; /* m, NED */
    double speed;       /* m/s on the way to it */
    double hold;        /* s to keep the place */
} waypoint;

enum { THEN_HOVER, THEN_CARRY_ON };

typedef struct waypoints_config {
    double lookahead, radius, height, integral, speed; /* live */
    double from, settle;                               /* s */
    int64_t pass, loop, then;
    const char *name;
    double period;
    double (*points)[3]; /* m */
    waypoint *list;
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
} waypoints_state;

static const fm_attr waypoint_attrs[] = {
    FM_VECTOR_ATTR(waypoint, position, 3, "position", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED, "north, east, depth"),
    FM_REAL_ATTR(waypoint, speed, "speed", "m/s", 0, 100, NULL, 0,
                 "through the water on the way there; without it that of <waypoints>"),
    FM_REAL_ATTR(waypoint, hold, "hold", "s", 0, 1e9, "0 s", 0,
                 "time to keep the place once it is reached (thrusters)"),
};
static const fm_element waypoint_element =
    FM_TABLE_ELEMENT(waypoint, "waypoint", waypoint_attrs, NULL, 0, "A place to pass, or to hold for a while.");

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
    c->points = fm_load_alloc(load, c->count * sizeof *c->points);
    if (!c->list || !c->points)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < c->count; i++) {
        fm_status status = fm_load_child(load, "waypoint", i, &c->list[i], error);
        if (status != FM_OK)
            return status;
        if (!fm_load_child_has(load, "waypoint", i, "speed"))
            c->list[i].speed = -1;
        memcpy(c->points[i], c->list[i].position, sizeof c->points[i]);
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

static void start_waypoints(const fm_part_context *context)
{
    static const double nowhere[3] = {NAN, NAN, NAN};
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
    const fm_waypoints list = {.points = (const double(*)[3])c->points, .count = c->count, .loop = (int)c->loop};
    const size_t target = (size_t)s->list.target;
    const double before = s->list.reached;
    const fm_navigation believed = fm_navigation_estimate(context, (int)c->navigation);
    double from[3]; /* of the segment, which arriving replaces */
    memcpy(from, s->list.started > 0.5 ? s->list.from : believed.position, sizeof from);
    const fm_los los = fm_waypoints_step(&list, &p, &s->list, believed.position, context->period);
    const waypoint *point = &c->list[target];
    tell_leg(context, from, point->position);
    *out = (fm_guidance){.orders = FM_GUIDES_HEADING | FM_GUIDES_DEPTH | FM_GUIDES_SPEED,
                         .heading = los.course,
                         .depth = los.depth,
                         .speed = point->speed >= 0 ? point->speed : live->speed,
                         .error = los.cross};
    fm_metric_note(context, (int)c->track_metric,
                   fm_los_project(from, point->position, context->vehicle->position).cross);
    if (s->list.reached == before)
        return;
    fm_metric_note(context, (int)c->reached_metric, s->list.reached);
    fm_event_emit(context, "waypoint reached", (double)(target + 1));
    if (s->list.done > 0.5 && c->then == THEN_HOVER)
        begin_hold(context, s, point->position, 1e300);
    else if (point->hold > 0)
        begin_hold(context, s, point->position, point->hold);
    s->heading = los.track;
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
    if (s->holding) {
        keep_place(context, c, s, out);
    } else if (s->list.done > 0.5) {
        const double *last = c->points[c->count - 1];
        double speed = c->list[c->count - 1].speed;
        *out = (fm_guidance){.orders = FM_GUIDES_HEADING | FM_GUIDES_DEPTH | FM_GUIDES_SPEED,
                             .heading = s->heading,
                             .depth = last[2],
                             .speed = speed >= 0 ? speed : live->speed};
    } else {
        follow_track(context, c, s, out);
    }
}

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
                                          .run = run_waypoints};
