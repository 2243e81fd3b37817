/* <planner>: the path to a goal through a map drawn by the vehicle's own sonar, with one of three published methods.
 * docs/theory/planning.md */
#include <math.h>
#include <string.h>

#include "control/navigation_part.h"
#include "control/parts.h"
#include "control/planner.h"
#include "physics/angle.h"
#include "physics/posture.h"

enum { CELLS_MOST = 1 << 17 };
enum { THEN_HOVER, THEN_CARRY_ON };

/* Follows an fm_guidance. */
typedef struct planner_output {
    fm_guidance guide;
    double course;             /* rad, from the line to the goal; vertical plane: down */
    double distance;           /* m left to the goal */
    double aim[3];             /* m, NED */
    double closed, expansions; /* cells */
    double replans, following;
    double way; /* m */
} planner_output;

static const char *const methods[] = {"contour", "potential", "cells", NULL},
                         *const planes[] = {"horizontal", "vertical", NULL},
                         *const then_names[] = {"hover", "carry-on", NULL};

#define REAL(member, name, unit, low, high, value, flags, text)                                                        \
    FM_REAL_ATTR(fm_planner_config, member, name, unit, low, high, value, flags, text)
static const fm_attr attrs[] = {
    FM_CHOICE_ATTR(fm_planner_config, method, methods, "method", "cells", 0,
                   "contour: straight for the goal, and along the edge of what is in the way; potential: down an "
                   "artificial potential; cells: shortest way over the cells of the map, replanned by D* Lite as it "
                   "grows"),
    FM_CHOICE_ATTR(fm_planner_config, frame.plane, planes, "plane", "horizontal", 0,
                   "in which it gives way: horizontal orders a heading, vertical a depth"),
    FM_VECTOR_ATTR(fm_planner_config, frame.from, 3, "from", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED,
                   "where the way begins: north, east, depth; the map lies along the way from there to the goal"),
    FM_VECTOR_ATTR(fm_planner_config, goal, 3, "goal", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED, "north, east, depth"),
    REAL(speed, "speed", "m/s", 0, 100, "1 m/s", FM_ATTR_LIVE, "through the water"),
    REAL(radius, "radius", "m", 0.01, 1e5, "5 m", FM_ATTR_LIVE,
         "distance at which the goal is reached, in three dimensions; where the planner leaves the depth to others "
         "(hold-depth=\"false\"), in the horizontal plane"),
    REAL(lookahead, "lookahead", "m", 0.01, 1e5, "15 m", FM_ATTR_LIVE, "how far ahead it aims"),
    REAL(clearance, "clearance", "m", 0.01, 1e4, "5 m", FM_ATTR_LIVE,
         "contour: kept from the edge; cells: within it water is dear (as the map grows; not for the potential)"),
    REAL(band, "band", "m", 0.01, 1e5, "2 m", FM_ATTR_LIVE,
         "echoes from further out of the plane (above or below the vehicle; beside its way) are not in the way"),
    REAL(climb, "climb", "rad", 0.01, 1.5, "30 deg", FM_ATTR_LIVE, "steepest way up or down, in the vertical plane"),
    REAL(ceiling, "ceiling", "m", -1e3, 1.2e4, "2 m", FM_ATTR_LIVE, "least depth to order, in the vertical plane"),
    REAL(lead, "lead", "m", 0.01, 1e4, "6 m", FM_ATTR_LIVE,
         "distance ahead whose depth is ordered, in the vertical plane; it sets how steeply the autopilot climbs"),
    REAL(well, "well", "m", 0.01, 1e5, "10 m", FM_ATTR_LIVE, "potential: within it the pull of the goal fades"),
    REAL(hill, "hill", "m", 0, 1e6, "10 m", FM_ATTR_LIVE, "potential: of what is in the way"),
    REAL(influence, "influence", "m", 0.01, 1e4, "15 m", FM_ATTR_LIVE, "potential: beyond it nothing repels"),
    FM_BOOL_ATTR(fm_planner_config, hold_depth, "hold-depth", "true", 0,
                 "in the horizontal plane: orders the depth of the goal; false: leaves the depth to others"),
    REAL(frame.cell, "cell", "m", 0.01, 1e4, "1 m", 0, "side of a cell of the map"),
    REAL(margin, "margin", "m", 0, 1e5, "40 m", 0,
         "that the map reaches beyond both ends of the way and to both sides of it; below it in the vertical plane"),
    FM_INT_ATTR(fm_planner_config, hits, "hits", 1, 255, "2", 0, "echoes from a cell that close it"),
    FM_INT_ATTR(fm_planner_config, near_cost, "near-cost", 1, 100, "20", 0,
                "cells: cost of water within the clearance, in that of free water"),
    FM_CHOICE_ATTR(fm_planner_config, then, then_names, "then", "carry-on", 0,
                   "at the goal: hover there (thrusters), or carry on along the last course"),
    FM_NAME_ATTR(fm_planner_config, sonar, "sonar", NULL, 0,
                 "a <multibeam>, <scanning-sonar>, <node-sonar> or <sonar>; default: the first such"),
    FM_NAME_ATTR(fm_planner_config, name, "name", NULL, 0, "of this part"),
    REAL(period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element element = FM_TABLE_ELEMENT(fm_planner_config, "planner", attrs, NULL, 0,
                                                   "Guidance: plans a path to a goal around, or over, the obstacles in "
                                                   "the vehicle's sonar, for the autopilot after it.");

int fm_planner_hovers(const void *config)
{
    return ((const fm_planner_config *)config)->then == THEN_HOVER;
}

/* --- load --- */

static size_t cell_count(const fm_planner_config *c)
{
    return (size_t)c->frame.rows * (size_t)c->frame.columns;
}

static size_t byte_words(const fm_planner_config *c)
{
    return (cell_count(c) + 7) / 8;
}

/* Lays the map about the way. */
static fm_status lay_map(fm_part_load *load, fm_planner_config *c, fm_error *error)
{
    fm_plan_frame *f = &c->frame;
    const double north = c->goal[0] - f->from[0], east = c->goal[1] - f->from[1],
                 length = sqrt(north * north + east * east);
    if (!(length > c->radius))
        return fm_load_fail(load, error, FM_ERR_RANGE, "the goal lies %g m from the start: must be more than %g m",
                            length, c->radius);
    f->cosine = north / length;
    f->sine = east / length;
    f->goal[0] = length;
    f->goal[1] = f->plane == FM_PLANE_LEVEL ? 0 : c->goal[2];
    f->low[0] = -c->margin;
    f->low[1] = f->plane == FM_PLANE_LEVEL ? -c->margin : fmin(c->ceiling, fmin(f->from[2], c->goal[2]));
    const double wide =
        f->plane == FM_PLANE_LEVEL ? 2 * c->margin : fmax(f->from[2], c->goal[2]) + c->margin - f->low[1];
    const double rows = ceil((length + 2 * c->margin) / f->cell), columns = ceil(fmax(wide, f->cell) / f->cell);
    if (rows * columns > CELLS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "the map has %g cells: must be at most %d: choose larger ones",
                            rows * columns, CELLS_MOST);
    f->rows = (int32_t)rows;
    f->columns = (int32_t)columns;
    return FM_OK;
}

static void load_metrics(fm_part_load *load, fm_planner_config *c)
{
    c->path_metric = fm_load_metric(load, "plan_path", "m", "travelled up to the goal", FM_METRIC_LAST);
    c->time_metric = fm_load_metric(load, "plan_time", "s", "when the goal was reached", FM_METRIC_FIRST);
    c->distance_metric =
        fm_load_metric(load, "plan_distance", "m", "left to the goal, least, in three dimensions", FM_METRIC_MIN);
    c->cells_metric = fm_load_metric(load, "plan_cells", "", "cells of the map with something in them", FM_METRIC_LAST);
    c->expansions_metric = fm_load_metric(load, "plan_expansions", "", "cells settled by all searches", FM_METRIC_LAST);
    c->most_metric = fm_load_metric(load, "plan_expansions_most", "", "cells settled by one search", FM_METRIC_MAX);
    c->replans_metric = fm_load_metric(load, "plan_replans", "", "searches after the map had grown", FM_METRIC_LAST);
}

static fm_status load_planner(fm_part_load *load, void *memory, fm_error *error)
{
    fm_planner_config *c = memory;
    fm_status status = fm_echo_view_load(load, c->sonar, &c->echoes, error);
    if (status == FM_OK)
        status = lay_map(load, c, error);
    if (status != FM_OK)
        return status;
    c->navigation = fm_load_navigation(load);
    const size_t search = c->method == FM_PLAN_CELLS ? cell_count(c) * sizeof(fm_replan_cell) : 0;
    fm_load_state_size(load, sizeof(fm_planner_state) + 16 * byte_words(c) + search);
    load_metrics(load, c);
    return FM_OK;
}

/* --- state --- */

fm_plan_map fm_planner_map(const fm_planner_config *c, fm_planner_state *s)
{
    uint8_t *bytes = (uint8_t *)(s + 1);
    return (fm_plan_map){.frame = &c->frame, .hits = bytes, .cost = bytes + 8 * byte_words(c)};
}

fm_replan fm_planner_search(const fm_planner_config *c, fm_planner_state *s)
{
    uint8_t *bytes = (uint8_t *)(s + 1);
    return (fm_replan){.rows = c->frame.rows,
                       .columns = c->frame.columns,
                       .cost = bytes + 8 * byte_words(c),
                       .head = &s->search,
                       .cells = (fm_replan_cell *)(void *)(bytes + 16 * byte_words(c))};
}

static void start_planner(const fm_part_context *context)
{
    const fm_planner_config *c = context->config;
    fm_planner_state *s = context->state;
    const fm_plan_map map = fm_planner_map(c, s);
    memset(map.cost, 1, cell_count(c));
    if (c->method != FM_PLAN_CELLS)
        return;
    const fm_replan plan = fm_planner_search(c, s);
    const double begin[2] = {0, c->frame.plane == FM_PLANE_LEVEL ? 0 : c->frame.from[2]};
    fm_replan_begin(&plan, fm_plan_frame_nearest_cell(&c->frame, begin),
                    fm_plan_frame_nearest_cell(&c->frame, c->frame.goal));
}

/* --- the map --- */

/* Maps the echoes of a new sample at the vehicle's estimated pose when it arrives. */
static void map_echoes(const fm_part_context *context, const fm_planner_config *c, fm_planner_state *s,
                       const fm_estimate *n)
{
    const fm_planner_config *live = context->live;
    const fm_reading reading = fm_sensor_reading(context, (int)c->echoes.part);
    if (reading.count == s->look)
        return;
    s->look = reading.count;
    const fm_plan_marking how = {.hits = c->hits, .clearance = live->clearance, .near_cost = c->near_cost};
    const fm_plan_map map = fm_planner_map(c, s);
    const fm_replan plan = fm_planner_search(c, s);
    const double own = fm_plan_frame_off(&c->frame, n->position);
    double R[9];
    fm_euler_matrix(n->euler, R);
    for (size_t i = 0; i < fm_echo_view_most(&c->echoes); i++) {
        double body[3], world[3], plane[2];
        if (!fm_echo_view_point(context, &c->echoes, i, body))
            continue;
        fm_vector_to_world(R, body, world);
        for (int k = 0; k < 3; k++)
            world[k] += n->position[k];
        if (fabs(fm_plan_frame_off(&c->frame, world) - own) > live->band)
            continue;
        fm_plan_frame_project(&c->frame, world, plane);
        const int32_t cell = fm_plan_frame_cell(&c->frame, plane);
        if (cell >= 0 && fm_plan_map_echo(&map, &how, c->method == FM_PLAN_CELLS ? &plan : NULL, cell)) {
            s->closed++;
            s->grown = 1;
        }
    }
}

/* --- orders --- */

static void order_level(const fm_planner_config *c, fm_planner_state *s, fm_guidance *out)
{
    out->heads = 1;
    out->heading = s->heading = fm_angle_wrap_pi(fm_atan2(c->frame.sine, c->frame.cosine) + s->course);
    if (!c->hold_depth)
        return;
    out->dives = 1;
    out->depth = c->goal[2];
}

/* Depth gained per metre of distance, at most that of the steepest path. */
static double slope_of(double angle, double climb)
{
    const double kept = fmax(-climb, fmin(climb, angle));
    return fm_sin(kept) / fm_cos(kept);
}

/* (K8) Vertical paths are planned from the ordered position of the vehicle: planned from the actual position, the order
 * would follow the vehicle and could not hold it against its weight. */
static void keep_depth(const fm_planner_config *live, fm_planner_state *s, double along, double depth)
{
    const double most = live->lead * slope_of(live->climb, live->climb);
    s->depth += s->started ? (along - s->along) * slope_of(s->course, live->climb) : depth;
    s->depth = fmax(depth - most, fmin(depth + most, s->depth));
    s->along = along;
}

/* The path ahead at the slope of the course; back to the plane by line of sight. */
static void order_upright(const fm_planner_config *c, const fm_planner_config *live, fm_planner_state *s,
                          const fm_estimate *n, fm_guidance *out)
{
    const double off = fm_plan_frame_off(&c->frame, n->position);
    out->heads = out->dives = 1;
    out->depth = fmax(live->ceiling, s->depth + live->lead * slope_of(s->course, live->climb));
    out->heading = s->heading =
        fm_angle_wrap_pi(fm_atan2(c->frame.sine, c->frame.cosine) - fm_atan2(off, live->lookahead));
    out->error = off;
}

/* Beyond the goal: straight on, or to a stop; in depth no more steeply than before. */
static void order_end(const fm_planner_config *c, const fm_planner_config *live, const fm_planner_state *s,
                      const fm_estimate *n, fm_guidance *out)
{
    const double most = live->lead * slope_of(live->climb, live->climb);
    out->heads = 1;
    out->heading = s->heading;
    if (c->frame.plane == FM_PLANE_UPRIGHT || c->hold_depth) {
        out->dives = 1;
        out->depth = c->goal[2];
    }
    if (c->frame.plane == FM_PLANE_UPRIGHT)
        out->depth = n->position[2] + fmax(-most, fmin(most, c->goal[2] - n->position[2]));
    if (c->then == THEN_HOVER) {
        out->stays = 1;
        out->position[0] = c->goal[0];
        out->position[1] = c->goal[1];
    } else {
        out->runs = 1;
        out->speed = live->speed;
    }
}

/* --- in a step --- */

static void measure_path(const fm_part_context *context, fm_planner_state *s)
{
    const double *now = context->vehicle->position;
    if (s->started)
        s->path += fm_guidance_distance(now, s->last);
    s->started = 1;
    memcpy(s->last, now, sizeof s->last);
}

static void note_metrics(const fm_part_context *context, const fm_planner_config *c, const fm_planner_state *s,
                         double left, double settled)
{
    fm_metric_note(context, (int)c->path_metric, s->path);
    fm_metric_note(context, (int)c->distance_metric, left);
    fm_metric_note(context, (int)c->cells_metric, (double)s->closed);
    if (s->reached)
        fm_metric_note(context, (int)c->time_metric, context->time);
    if (c->method != FM_PLAN_CELLS)
        return;
    fm_metric_note(context, (int)c->expansions_metric, (double)s->search.expansions);
    fm_metric_note(context, (int)c->most_metric, settled);
    fm_metric_note(context, (int)c->replans_metric, (double)s->replans);
}

/* m left to the goal, in three dimensions; without the depth if other parts control it. */
static double distance_left(const fm_planner_config *c, const double position[3])
{
    const int level = c->frame.plane == FM_PLANE_LEVEL && !c->hold_depth;
    const double here[3] = {position[0], position[1], level ? c->goal[2] : position[2]};
    return fm_guidance_distance(here, c->goal);
}

static void steer(const fm_part_context *context, const fm_planner_config *c, fm_planner_state *s, const fm_estimate *n,
                  const double at[2], fm_guidance *out)
{
    const fm_planner_config *live = context->live;
    const double left = distance_left(c, n->position), before = (double)s->search.expansions;
    const int64_t was_lost = s->lost;
    double from[2] = {at[0], at[1]};
    if (c->frame.plane == FM_PLANE_UPRIGHT) {
        keep_depth(live, s, at[0], at[1]);
        from[1] = s->depth;
    }
    measure_path(context, s);
    map_echoes(context, c, s, n);
    fm_planner_decide(c, live, s, from);
    out->runs = 1;
    out->speed = live->speed;
    if (c->frame.plane == FM_PLANE_LEVEL)
        order_level(c, s, out);
    else
        order_upright(c, live, s, n, out);
    if (left <= live->radius) {
        s->reached = 1;
        fm_event_emit(context, "goal reached", context->time);
    }
    if (s->lost && !was_lost)
        fm_event_emit(context, "no way to the goal", left);
    note_metrics(context, c, s, left, (double)s->search.expansions - before);
}

static void run_planner(const fm_part_context *context)
{
    const fm_planner_config *c = context->config;
    fm_planner_state *s = context->state;
    planner_output *out = context->output;
    const fm_estimate n = fm_navigation_known(context, (int)c->navigation);
    double at[2];
    fm_plan_frame_project(&c->frame, n.position, at);
    out->guide = (fm_guidance){0};
    if (s->reached)
        order_end(c, context->live, s, &n, &out->guide);
    else
        steer(context, c, s, &n, at, &out->guide);
    out->course = s->course;
    out->distance = distance_left(c, n.position);
    fm_plan_frame_point(&c->frame, s->aim, c->goal[2], out->aim);
    out->closed = (double)s->closed;
    out->expansions = (double)s->search.expansions;
    out->replans = (double)s->replans;
    out->following = (double)s->following;
    out->way = s->way;
}

#define TELLS(member, name, unit) FM_OUTPUT_NUMBER(planner_output, member, name, unit, FM_QUANTITY_NONE)
static const fm_output outputs[] = {
    FM_GUIDANCE_TELLS(planner_output, guide.),
    TELLS(course, "course", "rad"),
    TELLS(distance, "distance", "m"),
    TELLS(aim[0], "aim.north", "m"),
    TELLS(aim[1], "aim.east", "m"),
    TELLS(aim[2], "aim.depth", "m"),
    TELLS(closed, "closed", ""),
    TELLS(expansions, "expansions", ""),
    TELLS(replans, "replans", ""),
    TELLS(following, "following", ""),
    TELLS(way, "way", "m"),
};

const fm_part_class fm_planner_class = {.kind = FM_PART_CONTROLLER,
                                        .element = &element,
                                        .live_size = offsetof(fm_planner_config, method),
                                        .state_size = sizeof(fm_planner_state),
                                        .output_size = sizeof(planner_output),
                                        .outputs = outputs,
                                        .output_count = FM_COUNT(outputs),
                                        .load = load_planner,
                                        .start = start_planner,
                                        .run = run_planner};
