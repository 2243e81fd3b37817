/* <fish-brain>: the decision maker of the robotic fish, one update cycle of the paper each period:
 *
 *   compare with the task → detect obstacles and pre-process → make a decision from the behaviours library →
 *   expected acceleration and turn rate → inverse map to frequency and deflection;
 *
 * the vehicle kind then does kinematics, noise, (the contact stage) collision and joints. Any other controller that
 * orders `frequency` and `deflection` may take its place: put it in the file instead of this one. */
#include "fish/brain.h"

#include <fathom/world.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "environment/environment.h"
#include "fish/anticipate.h"
#include "fish/behaviour.h"
#include "fish/fish.h"
#include "fish/senses.h"
#include "physics/fish_avoid.h"

typedef struct free_config {
    double turn; /* rad/s, most */
} free_config;

typedef struct trajectory_config {
    fm_list x, y; /* m, north and east of the corners */
    double centre[2], radius;
    const char *file;
    int64_t closed;
    double ahead, settle; /* m, s */
} trajectory_config;

typedef struct pursuit_config {
    const char *target;
    double distance, settle; /* m, s */
} pursuit_config;

enum avoidance { AVOID_NONE, AVOID_REACT, AVOID_ANTICIPATE };
enum task { TASK_FREE, TASK_TRAJECTORY, TASK_PURSUIT };

typedef struct brain_config {
    double speed;      /* live, m/s */
    int64_t avoidance; /* live, enum avoidance */
    double period;
    free_config free_swimming;
    trajectory_config trajectory;
    pursuit_config pursuit;
    /* derived */
    const fm_fish_config *fish;
    enum task task;
    fm_fish_path path;
    fm_anticipate_params look;
    fm_fish_avoid_params rule;
    int target_obstacle; /* index of the obstacle pursued; -1: a vehicle */
    int metric_speed, metric_cross_track, metric_pursuit;
} brain_config;
enum { LIVE_BYTES = 16 };

typedef struct brain_state {
    fm_fish_wander wander;
    int64_t draws; /* of random numbers */
    fm_fish_avoid_state react;
    fm_anticipate_state ahead;
} brain_state;

/* --- tables --- */

static const fm_attr free_attrs[] = {
    FM_REAL_ATTR(free_config, turn, "turn", "rad/s", 0, 2, "0.35 rad/s", 0,
                 "largest turn rate that is drawn, held 1 to 4 s"),
};
static const fm_element free_element = FM_CHILD_ELEMENT(brain_config, free_swimming, free_config, "free-swimming",
                                                        free_attrs, NULL, "Task: wander about.");

#define SETTLE(type)                                                                                                   \
    FM_REAL_ATTR(type, settle, "settle", "s", 0, 1e6, "0 s", 0, "after the start, before the metric counts")
static const fm_attr trajectory_attrs[] = {
    FM_LIST_ATTR(trajectory_config, x, 10000, "x", "m", -1e6, 1e6, 0, "north of the corners"),
    FM_LIST_ATTR(trajectory_config, y, 10000, "y", "m", -1e6, 1e6, 0, "east of the corners"),
    FM_BOOL_ATTR(trajectory_config, closed, "closed", "false", 0, "the last corner leads to the first"),
    FM_VECTOR_ATTR(trajectory_config, centre, 2, "centre", "m", -1e6, 1e6, "0 0 m", 0, "of a circle: north, east"),
    FM_REAL_ATTR(trajectory_config, radius, "radius", "m", 0, 1e5, NULL, 0,
                 "of a circle, swum clockwise, instead of corners"),
    FM_FILE_ATTR(trajectory_config, file, "file", NULL, 0,
                 "text file with one 'x, y' in metres a line, instead of corners"),
    FM_REAL_ATTR(trajectory_config, ahead, "ahead", "m", 0.01, 100, "0.25 m", 0,
                 "how far ahead on the path the fish aims"),
    SETTLE(trajectory_config),
};
static const fm_element trajectory_element = FM_CHILD_ELEMENT(brain_config, trajectory, trajectory_config, "trajectory",
                                                              trajectory_attrs, NULL, "Task: follow a fixed path.");

static const fm_attr pursuit_attrs[] = {
    FM_NAME_ATTR(pursuit_config, target, "target", NULL, FM_ATTR_REQUIRED, "a vehicle, or an obstacle with a track"),
    FM_REAL_ATTR(pursuit_config, distance, "distance", "m", 0, 1e3, "0.5 m", 0, "to keep"),
    SETTLE(pursuit_config),
};
static const fm_element pursuit_element = FM_CHILD_ELEMENT(brain_config, pursuit, pursuit_config, "pursuit",
                                                           pursuit_attrs, NULL, "Task: chase a moving target.");

static const char *const avoidance_names[] = {"none", "react", "anticipate", NULL};
static const fm_attr brain_attrs[] = {
    FM_REAL_ATTR(brain_config, speed, "speed", "m/s", 0, 2, "0.2 m/s", FM_ATTR_LIVE, "cruising speed"),
    FM_CHOICE_ATTR(brain_config, avoidance, avoidance_names, "avoidance", "anticipate", FM_ATTR_LIVE,
                   "none, react (B1)-(B4), or anticipate by relative motion (B5)-(B8)"),
    FM_REAL_ATTR(brain_config, period, "period", "s", 1e-3, 10, "0.05 s", 0, "of the cycle"),
};
static const fm_element *const brain_children[] = {&free_element, &trajectory_element, &pursuit_element, NULL};
static const fm_element brain_element = FM_TABLE_ELEMENT(
    brain_config, "fish-brain", brain_attrs, brain_children, 0,
    "Decision maker of a fish: one of the tasks, the behaviours library and avoidance by its two sonars, "
    "fans that open 30 deg up and down.");

/* --- loading --- */

/* A path built on the heap moves to the model's memory. */
static fm_status keep_path(fm_part_load *load, brain_config *c, fm_status status)
{
    if (status == FM_OK) {
        double *kept = fm_load_alloc(load, 2 * c->path.count * sizeof *kept);
        if (kept)
            memcpy(kept, c->path.point, 2 * c->path.count * sizeof *kept);
        fm_fish_path heap = c->path;
        c->path.point = kept;
        fm_fish_path_free(&heap);
        status = kept ? FM_OK : FM_ERR_MEMORY;
    }
    return status;
}

static fm_status load_path(fm_part_load *load, brain_config *c, fm_error *error)
{
    const trajectory_config *t = &c->trajectory;
    int given = (t->x.count > 0) + (t->radius > 0) + (t->file != NULL);
    if (given != 1 || t->x.count != t->y.count)
        return fm_load_fail(
            load, error, FM_ERR_MODEL,
            "<trajectory> takes either x and y (found %zu and %zu numbers), or centre and radius, or file", t->x.count,
            t->y.count);
    if (t->radius > 0)
        return keep_path(load, c, fm_fish_path_circle(&c->path, t->centre[0], t->centre[1], t->radius, 720, error));
    if (t->file)
        return keep_path(load, c, fm_fish_path_load(&c->path, t->file, error));
    double *xy = fm_load_alloc(load, 2 * t->x.count * sizeof *xy);
    if (!xy)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < t->x.count; i++) {
        xy[2 * i] = t->x.values[i];
        xy[2 * i + 1] = t->y.values[i];
    }
    return keep_path(load, c, fm_fish_path_points(&c->path, xy, t->x.count, (int)t->closed, error));
}

static fm_status load_task(fm_part_load *load, brain_config *c, fm_error *error)
{
    int path = fm_load_has_child(load, "trajectory"), chase = fm_load_has_child(load, "pursuit"),
        wander = fm_load_has_child(load, "free-swimming");
    if (path + chase + wander > 1)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "found %d tasks, accepted one of free-swimming, trajectory, pursuit",
                            path + chase + wander);
    c->task = path ? TASK_TRAJECTORY : chase ? TASK_PURSUIT : TASK_FREE;
    if (path) {
        c->metric_cross_track =
            fm_load_metric(load, "cross_track_rms", "m", "distance from the trajectory", FM_METRIC_RMS);
        return load_path(load, c, error);
    }
    if (!chase)
        return FM_OK;
    c->metric_pursuit = fm_load_metric(load, "pursuit_distance", "m", "mean distance to the target", FM_METRIC_MEAN);
    if (!fm_load_find_target(load, c->pursuit.target, &c->target_obstacle))
        return fm_load_fail(load, error, FM_ERR_NAME, "<pursuit> the scenario has no vehicle and no obstacle '%s'",
                            c->pursuit.target);
    return FM_OK;
}

static fm_status load_brain(fm_part_load *load, void *config, fm_error *error)
{
    brain_config *c = config;
    const char *kind = fm_load_kind(load);
    if (strcmp(kind, "fish") != 0)
        return fm_load_fail(load, error, FM_ERR_MODEL, "a vehicle of kind %s has no use for it; accepted for kind fish",
                            kind);
    const fm_fish_config *fish = c->fish = fm_load_kind_config(load);
    c->look = fm_anticipate_preset();
    c->look.nose = fish->shape.head_length;
    c->look.tail = fish->par.tail_length;
    c->rule = fm_fish_avoid_preset();
    c->metric_speed = fm_load_metric(load, "mean_speed", "m/s", "mean speed through the water", FM_METRIC_MEAN);
    return load_task(load, c, error);
}

static void start_brain(const fm_part_context *context)
{
    brain_state *s = context->state;
    fm_anticipate_begin(&s->ahead);
}

/* --- the cycle --- */

/* What the fish knows of itself. */
typedef struct own {
    double x, y, heading, speed, turn_rate; /* m, rad, m/s, rad/s */
} own;

static fm_fish_decision wander(const fm_part_context *context, const brain_config *c, brain_state *s, double speed,
                               const own *me)
{
    fm_random_key key = {.seed = context->seed, .entity = context->entity, .channel = context->channel};
    double turn = fm_random_uniform(key, (uint64_t)s->draws, 0), hold = fm_random_uniform(key, (uint64_t)s->draws, 1);
    s->draws += fm_fish_wander_step(&s->wander, c->free_swimming.turn, context->period, turn, hold);
    return fm_fish_decide(speed, s->wander.turn, me->speed);
}

/* Where the target is and how fast, m, m/s; 0: it is gone. */
static int find_target(const fm_part_context *context, const brain_config *c, double at[3], double *speed)
{
    if (c->target_obstacle >= 0) {
        const fm_obstacle *o = &context->environment->obstacles[c->target_obstacle];
        fm_shape now = fm_obstacle_at(o, context->time), before = fm_obstacle_at(o, fmax(context->time - 1, 0));
        double dx = now.position[0] - before.position[0], dy = now.position[1] - before.position[1];
        memcpy(at, now.position, sizeof now.position);
        *speed = fm_sqrt(dx * dx + dy * dy) / fmax(fmin(context->time, 1), context->period);
        return 1;
    }
    fm_pose pose;
    if (fm_world_pose(context->world, fm_world_find(context->world, c->pursuit.target), &pose) != FM_OK)
        return 0;
    memcpy(at, pose.position, sizeof pose.position);
    *speed = fm_sqrt(pose.velocity[0] * pose.velocity[0] + pose.velocity[1] * pose.velocity[1]);
    return 1;
}

/* 1. Compare with the task: what it asks for, and its error as metric. */
static fm_fish_decision compare_with_task(const fm_part_context *context, const brain_config *c, brain_state *s,
                                          double speed, const own *me)
{
    double at[3], target_speed;
    if (c->task == TASK_TRAJECTORY) {
        if (context->time >= c->trajectory.settle)
            fm_metric_note(context, c->metric_cross_track, fm_fish_path_nearest(&c->path, me->x, me->y).offset);
        return fm_fish_follow(&c->path, me->x, me->y, me->heading, me->speed, speed, c->trajectory.ahead);
    }
    if (c->task == TASK_FREE)
        return wander(context, c, s, speed, me);
    if (!find_target(context, c, at, &target_speed))
        return (fm_fish_decision){.behaviour = FM_FISH_HOVER};
    if (context->time >= c->pursuit.settle)
        fm_metric_note(context, c->metric_pursuit,
                       fm_sqrt((at[0] - me->x) * (at[0] - me->x) + (at[1] - me->y) * (at[1] - me->y)));
    return fm_fish_pursue(me->x, me->y, me->heading, me->speed, at[0], at[1], target_speed, c->pursuit.distance);
}

/* The pursued thing is no obstacle: it is what the task is about. */
static uint32_t target_body(const fm_part_context *context, const brain_config *c)
{
    if (c->target_obstacle >= 0)
        return FM_BODY_OBSTACLE + (uint32_t)c->target_obstacle;
    int slot = fm_world_find(context->world, c->pursuit.target);
    return slot < 0 ? UINT32_MAX : (uint32_t)slot;
}

/* 2. and 3. Detect obstacles; the decision departs from the task where one is in the way. */
static fm_fish_decision avoid(const fm_part_context *context, const brain_config *c, brain_state *s,
                              fm_fish_decision task, const own *me)
{
    const brain_config *live = context->live;
    double range[FM_SONAR_FANS][FM_SONAR_RAYS], turn = task.turn, speed = task.speed, active;
    if (live->avoidance == AVOID_NONE)
        return task;
    fm_fish_sense(context, &c->look, c->task == TASK_PURSUIT ? target_body(context, c) : UINT32_MAX, range);
    if (live->avoidance == AVOID_ANTICIPATE) {
        fm_anticipate_move(&s->ahead, me->speed, me->turn_rate, context->period);
        fm_anticipate_sense(&c->look, &s->ahead, (const double(*)[FM_SONAR_RAYS])range, context->period);
        if (!fm_anticipate_decide(&c->look, &s->ahead, me->speed, task.turn, task.speed, &turn, &speed))
            return task;
        return fm_fish_decide(speed, turn, me->speed);
    }
    fm_fish_avoid(&c->rule, &s->react, fm_fish_nearest(range[0], c->look.cosine[0], FM_SONAR_RAYS),
                  fm_fish_nearest(range[1], c->look.cosine[1], FM_SONAR_RAYS), context->period, &active, &turn, &speed);
    return active > 0 ? fm_fish_decide(speed, turn, me->speed) : task;
}

static void run_brain(const fm_part_context *context)
{
    const brain_config *c = context->config, *live = context->live;
    brain_state *s = context->state;
    const fm_fish_words *words = context->kind_state;
    fm_fish_params par = fm_fish_par_now(c->fish, words);
    own me = {context->vehicle->position[0], context->vehicle->position[1], fm_fish_heading(context->vehicle->attitude),
              words->speed, words->turn_rate};
    double acceleration, turn_rate, frequency, deflection;
    fm_fish_decision task = compare_with_task(context, c, s, live->speed, &me);
    fm_fish_decision decision = avoid(context, c, s, task, &me);
    fm_fish_expect(&decision, me.speed, &acceleration, &turn_rate);                    /* 4. expected motion */
    fm_fish_inverse(&par, acceleration, turn_rate, me.speed, &frequency, &deflection); /* 5. inverse map */
    fm_actuator_order(context, FM_FISH_FREQUENCY, frequency);
    fm_actuator_order(context, FM_FISH_DEFLECTION, deflection);
    fm_metric_note(context, c->metric_speed, me.speed);
}

const fm_part_class fm_fish_brain_class = {.kind = FM_PART_CONTROLLER,
                                           .element = &brain_element,
                                           .live_size = LIVE_BYTES,
                                           .state_size = sizeof(brain_state),
                                           .load = load_brain,
                                           .start = start_brain,
                                           .run = run_brain};
