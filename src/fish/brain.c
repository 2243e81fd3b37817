/* <fish-brain>: the decision maker of the robotic fish, one update cycle of the paper each period:
 *
 *   compare with the task → detect obstacles and pre-process → make a decision from the behaviours library →
 *   expected acceleration and turn rate → inverse map to frequency and deflection;
 *
 * the vehicle kind then does kinematics, noise, (the contact stage) collision and joints. Any other controller that
 * orders `frequency` and `deflection` may take its place: put it in the file instead of this one. */
#include "fish/brain.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "fish/behaviour.h"
#include "fish/fish.h"
#include "fish/fish_avoid.h"
#include "fish/seek_task.h"
#include "fish/senses.h"
#include "fish/target.h"

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
enum task { TASK_FREE, TASK_TRAJECTORY, TASK_PURSUIT, TASK_SEEK };
enum senses { SENSE_SONAR, SENSE_INFRARED, SENSE_KINDS };
/* What is selected: the task, or one behaviour of the library. */
enum choice {
    CHOOSE_TASK,
    CHOOSE_CONSTANT,
    CHOOSE_ACCELERATE,
    CHOOSE_DECELERATE,
    CHOOSE_TURN,
    CHOOSE_HOVER,
    CHOOSE_AVOID,
    CHOOSE_PURSUE
};

typedef struct brain_config {
    double speed;        /* live, m/s */
    int64_t avoidance;   /* live, enum avoidance */
    int64_t senses;      /* live, enum senses */
    int64_t behaviour;   /* live, enum choice */
    double acceleration; /* live, m/s2: of the chosen accelerate and decelerate */
    double turn_rate;    /* live, rad/s: of the chosen turn */
    double period;
    free_config free_swimming;
    trajectory_config trajectory;
    pursuit_config pursuit;
    fm_seek_config seek;
    /* derived */
    const fm_fish_config *fish;
    enum task task;
    fm_fish_path path;
    fm_fish_senses seen_by[SENSE_KINDS];
    int has_bumper;
    fm_quantity_view bumper;
    fm_fish_avoid_params rule;
    fm_fish_target target; /* that is pursued */
    int metric_speed, metric_cross_track, metric_pursuit;
} brain_config;
enum { LIVE_BYTES = offsetof(brain_config, period) };

/* s: samples older than that are ignored; how long a fish that touched something turns away. */
static const double HOLD = 0.5, BACKING = 1;

typedef struct brain_state {
    fm_fish_wander wander;
    int64_t draws;     /* of random numbers */
    int64_t behaviour; /* fm_fish_behaviour of the task in the last cycle */
    fm_fish_avoid_state react;
    fm_anticipate_state ahead;
    fm_fish_sensed sensed;
    int64_t senses;                    /* those in use, enum senses */
    double since;                      /* s since a row of ranges was taken */
    double range[FM_ANTICIPATE_BEAMS]; /* the row in force, m */
    double backing, backing_side;      /* s left of backing off; +1 to starboard */
    fm_seek_memory seek;
} brain_state;

/* The decision, and the ranges it used. */
typedef struct brain_output {
    double behaviour;                    /* fm_fish_behaviour */
    double speed, turn;                  /* wanted, m/s, rad/s */
    double acceleration;                 /* expected, m/s2 */
    double frequency;                    /* ordered, Hz */
    double deflection;                   /* ordered, rad */
    double senses;                       /* enum senses; SENSE_KINDS: none is asked */
    double bumper;                       /* 1: touches */
    double nearest, bearing;             /* the shortest of the ranges, m, and where it is, rad; NaN: none */
    double target_bearing, target_width; /* of the target, from the pictures, rad; NaN: not seen */
    double bearings[FM_ANTICIPATE_BEAMS], ranges[FM_ANTICIPATE_BEAMS]; /* rad, m; NaN: not asked */
} brain_output;

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

static const fm_element seek_element =
    FM_CHILD_ELEMENT(brain_config, seek, fm_seek_config, "seek", fm_seek_attrs, NULL,
                     "Task: search, approach and circle an object of one colour, using only the images of the fish's "
                     "cameras (B11)-(B12). They must be switched on (fault='healthy').");

static const char *const avoidance_names[] = {"none", "react", "anticipate", NULL};
static const char *const sense_names[] = {"sonar", "infrared", NULL};
static const char *const choice_names[] = {"task",  "constant", "accelerate", "decelerate", "turn",
                                           "hover", "avoid",    "pursue",     NULL};
static const fm_attr brain_attrs[] = {
    FM_REAL_ATTR(brain_config, speed, "speed", "m/s", 0, 2, "0.2 m/s", FM_ATTR_LIVE, "cruising speed"),
    FM_CHOICE_ATTR(brain_config, avoidance, avoidance_names, "avoidance", "anticipate", FM_ATTR_LIVE,
                   "none, react (B1)-(B4), or anticipate by relative motion (B5)-(B8); by what its instruments tell"),
    FM_CHOICE_ATTR(brain_config, senses, sense_names, "senses", "sonar", FM_ATTR_LIVE,
                   "the ranges it decides by: those of its sonars or of its infrareds"),
    FM_CHOICE_ATTR(brain_config, behaviour, choice_names, "behaviour", "task", FM_ATTR_LIVE,
                   "what it does unless something is in the way: task (0), or one behaviour of the library: constant "
                   "speed (1), accelerate (2), decelerate (3), turn (4), hover (5), avoid (6): straight on but for "
                   "what is avoided, pursue (7): the target of <pursuit>"),
    FM_REAL_ATTR(brain_config, acceleration, "acceleration", "m/s2", 1e-4, 10, "0.02 m/s2", FM_ATTR_LIVE,
                 "of the behaviours accelerate and decelerate, as far as tail and drag can"),
    FM_REAL_ATTR(brain_config, turn_rate, "turn-rate", "rad/s", -3, 3, "0.5 rad/s", FM_ATTR_LIVE,
                 "of the behaviour turn, positive to starboard"),
    FM_REAL_ATTR(brain_config, period, "period", "s", 1e-3, 10, "0.05 s", 0, "of the cycle"),
};
static const fm_element *const brain_children[] = {&free_element, &trajectory_element, &pursuit_element, &seek_element,
                                                   NULL};
static const fm_element brain_element =
    FM_TABLE_ELEMENT(brain_config, "fish-brain", brain_attrs, brain_children, 0,
                     "Decision maker of a fish: one of the tasks, the behaviours library, and avoidance of what its "
                     "<sonar>s or <infrared>s and <bumper> detect.");

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
        wander = fm_load_has_child(load, "free-swimming"), seek = fm_load_has_child(load, "seek");
    if (path + chase + wander + seek > 1)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "%d tasks given: must be one of free-swimming, trajectory, pursuit, seek",
                            path + chase + wander + seek);
    c->task = path ? TASK_TRAJECTORY : chase ? TASK_PURSUIT : seek ? TASK_SEEK : TASK_FREE;
    if (path && c->behaviour != CHOOSE_PURSUE) {
        c->metric_cross_track =
            fm_load_metric(load, "cross_track_rms", "m", "distance from the trajectory", FM_METRIC_RMS);
        return load_path(load, c, error);
    }
    if (c->behaviour == CHOOSE_PURSUE && !chase)
        return fm_load_fail(load, error, FM_ERR_MODEL, "behaviour=\"pursue\" needs a <pursuit> that names the target");
    if (seek)
        return fm_seek_load(load, &c->seek, error);
    if (!chase)
        return FM_OK;
    c->target.name = c->pursuit.target;
    c->metric_pursuit = fm_load_metric(load, "pursuit_distance", "m", "mean distance to the target", FM_METRIC_MEAN);
    if (!fm_load_find_target(load, c->pursuit.target, &c->target.obstacle))
        return fm_load_fail(load, error, FM_ERR_NAME, "<pursuit> the scenario has no vehicle and no obstacle '%s'",
                            c->pursuit.target);
    return FM_OK;
}

/* Sonars, infrareds and bumper of this fish. */
static fm_status load_senses(fm_part_load *load, brain_config *c, fm_error *error)
{
    fm_anticipate_params sight = fm_anticipate_preset();
    sight.nose = c->fish->shape.head_length;
    sight.tail = c->fish->par.tail_length;
    for (int k = 0; k < SENSE_KINDS; k++) {
        fm_status status = fm_fish_senses_load(load, sense_names[k], &sight, &c->seen_by[k], error);
        if (status != FM_OK)
            return status;
    }
    if ((c->avoidance != AVOID_NONE || c->behaviour == CHOOSE_AVOID) && !c->seen_by[c->senses].count)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "the fish has no <%s> to avoid anything by; give it one, or avoidance=\"none\"",
                            sense_names[c->senses]);
    for (size_t i = 0; i < fm_load_part_count(load) && !c->has_bumper; i++)
        c->has_bumper = fm_load_quantity(load, i, FM_QUANTITY_CONTACT, &c->bumper);
    return FM_OK;
}

#define OUTPUT(member, field, unit) FM_OUTPUT_NUMBER(brain_output, member, field, unit, FM_QUANTITY_NONE)
static const fm_output brain_outputs[] = {
    OUTPUT(behaviour, "behaviour", ""),
    {.field = "behaviour_name", .unit = "", .count = 1, .type = FM_OUTPUT_NAME, .text = FM_FISH_BEHAVIOUR_NAMES},
    OUTPUT(speed, "speed", "m/s"),
    OUTPUT(turn, "turn_rate", "rad/s"),
    OUTPUT(acceleration, "acceleration", "m/s2"),
    OUTPUT(frequency, "frequency", "Hz"),
    OUTPUT(deflection, "deflection", "rad"),
    {.field = "senses",
     .unit = "",
     .offset = offsetof(brain_output, senses),
     .count = 1,
     .type = FM_OUTPUT_NAME,
     .text = "sonar|infrared|none"},
    OUTPUT(bumper, "bumper", ""),
    OUTPUT(nearest, "nearest", "m"),
    OUTPUT(bearing, "bearing", "rad"),
    OUTPUT(target_bearing, "target_bearing", "rad"),
    OUTPUT(target_width, "target_width", "rad"),
};
enum { OUTPUTS = FM_COUNT(brain_outputs) };

/* As many ranges and bearings as its instruments have. */
static fm_status describe(fm_part_load *load, const brain_config *c)
{
    const int beams[SENSE_KINDS] = {c->seen_by[SENSE_SONAR].sight.beams, c->seen_by[SENSE_INFRARED].sight.beams};
    size_t most = (size_t)(beams[0] > beams[1] ? beams[0] : beams[1]);
    fm_output *o = fm_load_alloc(load, (OUTPUTS + 2) * sizeof *o);
    if (!o)
        return FM_ERR_MEMORY;
    memcpy(o, brain_outputs, sizeof brain_outputs);
    o[OUTPUTS] =
        (fm_output){.field = "bearings", .unit = "rad", .offset = offsetof(brain_output, bearings), .count = most};
    o[OUTPUTS + 1] =
        (fm_output){.field = "ranges", .unit = "m", .offset = offsetof(brain_output, ranges), .count = most};
    fm_load_outputs(load, o, OUTPUTS + (most ? 2 : 0));
    return FM_OK;
}

static fm_status load_brain(fm_part_load *load, void *config, fm_error *error)
{
    brain_config *c = config;
    const char *kind = fm_load_kind(load);
    if (strcmp(kind, "fish") != 0)
        return fm_load_fail(load, error, FM_ERR_MODEL, "a vehicle of kind %s cannot use it: must be of kind fish",
                            kind);
    c->fish = fm_load_kind_config(load);
    c->rule = fm_fish_avoid_preset();
    c->metric_speed = fm_load_metric(load, "mean_speed", "m/s", "mean speed through the water", FM_METRIC_MEAN);
    fm_status status = load_senses(load, c, error);
    if (status == FM_OK)
        status = describe(load, c);
    return status == FM_OK ? load_task(load, c, error) : status;
}

static void start_brain(const fm_part_context *context)
{
    brain_state *s = context->state;
    fm_anticipate_begin(&s->ahead);
    fm_seek_begin(&s->seek.state);
    s->senses = SENSE_KINDS;
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

/* Follows the target, if there is one. */
static fm_fish_decision pursue(const fm_part_context *context, const brain_config *c, const own *me)
{
    double at[3], target_speed;
    if (c->task != TASK_PURSUIT || !fm_fish_target_find(context, &c->target, at, &target_speed))
        return (fm_fish_decision){.behaviour = FM_FISH_HOVER};
    if (context->time >= c->pursuit.settle)
        fm_metric_note(context, c->metric_pursuit,
                       fm_sqrt((at[0] - me->x) * (at[0] - me->x) + (at[1] - me->y) * (at[1] - me->y)));
    return fm_fish_pursue(me->x, me->y, me->heading, at[0], at[1], target_speed, c->pursuit.distance);
}

/* 1. Compare with the task: its demand, and its error as a metric. */
static fm_fish_decision compare_with_task(const fm_part_context *context, const brain_config *c, brain_state *s,
                                          double speed, const own *me)
{
    fm_fish_decision wanted;
    if (c->task == TASK_TRAJECTORY) {
        if (context->time >= c->trajectory.settle)
            fm_metric_note(context, c->metric_cross_track, fm_fish_path_nearest(&c->path, me->x, me->y).offset);
        wanted = fm_fish_follow(&c->path, me->x, me->y, me->heading, me->speed, speed, c->trajectory.ahead);
    } else if (c->task == TASK_FREE) {
        wanted = wander(context, c, s, speed, me);
    } else {
        wanted = c->task == TASK_SEEK ? fm_seek_run(context, &c->seek, &s->seek, speed, me->turn_rate)
                                      : pursue(context, c, me);
    }
    wanted.behaviour = fm_fish_persist((fm_fish_behaviour)s->behaviour, &wanted, me->speed);
    s->behaviour = wanted.behaviour;
    return wanted;
}

/* What is chosen: the task, or one behaviour. */
static fm_fish_decision choose(const fm_part_context *context, const brain_config *c, brain_state *s,
                               const fm_fish_params *par, const own *me)
{
    const brain_config *live = context->live;
    switch (live->behaviour) {
    case CHOOSE_CONSTANT:
    case CHOOSE_AVOID: return (fm_fish_decision){.behaviour = FM_FISH_CONSTANT, .speed = live->speed};
    case CHOOSE_ACCELERATE:
        return (fm_fish_decision){.behaviour = FM_FISH_ACCELERATE,
                                  .speed = fm_fish_top_speed(par, par->frequency_max),
                                  .rate = live->acceleration};
    case CHOOSE_DECELERATE: return (fm_fish_decision){.behaviour = FM_FISH_DECELERATE, .rate = live->acceleration};
    case CHOOSE_TURN:
        return (fm_fish_decision){.behaviour = FM_FISH_TURN, .speed = live->speed, .turn = live->turn_rate};
    case CHOOSE_HOVER: return (fm_fish_decision){.behaviour = FM_FISH_HOVER};
    case CHOOSE_PURSUE: return pursue(context, c, me);
    default: return compare_with_task(context, c, s, live->speed, me);
    }
}

/* 2. Detect obstacles: the newest samples of its instruments, into the memory of the avoidance. */
static void detect(const fm_part_context *context, const brain_config *c, brain_state *s, const own *me)
{
    const brain_config *live = context->live;
    const fm_fish_senses *senses = &c->seen_by[live->senses];
    if (s->senses != live->senses) {
        fm_anticipate_begin(&s->ahead);
        memset(&s->sensed, 0, sizeof s->sensed);
        s->since = HUGE_VAL;
        s->senses = live->senses;
    }
    fm_anticipate_move(&s->ahead, me->speed, me->turn_rate, context->period);
    s->since += context->period;
    double row[FM_ANTICIPATE_BEAMS];
    int news = fm_fish_senses_read(context, senses, &s->sensed, HOLD, row);
    if (!news && s->since < 0.5 * HOLD)
        return;
    if (c->task == TASK_PURSUIT)
        fm_fish_target_forget(context, &c->target, &senses->sight, me->x, me->y, me->heading, row);
    for (int i = 0; c->task == TASK_SEEK && i < senses->sight.beams; i++)
        if (fm_seek_wants(&s->seek.state, senses->sight.beam[i].bearing, row[i]))
            row[i] = senses->sight.range;
    memcpy(s->range, row, (size_t)senses->sight.beams * sizeof *row);
    fm_anticipate_sense(&senses->sight, &s->ahead, row, fm_min(s->since, HOLD));
    s->since = 0;
}

/* Whether the bumper reports a touch. */
static int touches(const fm_part_context *context, const brain_config *c)
{
    return c->has_bumper && fm_sensor_reading(context, (int)c->bumper.part).valid &&
           fm_quantity_value(context, &c->bumper, 0) > 0.5;
}

/* After a touch: away from the side with the nearer object; to starboard if unknown. */
static int back_off(const fm_part_context *context, const brain_config *c, brain_state *s, fm_fish_decision *decision)
{
    if (touches(context, c)) {
        if (s->backing <= 0)
            s->backing_side = s->ahead.starboard_wide < s->ahead.port_wide ? -1 : 1;
        s->backing = BACKING;
    }
    if (s->backing <= 0)
        return 0;
    s->backing -= context->period;
    *decision = (fm_fish_decision){.behaviour = FM_FISH_BACK_OFF, .turn = s->backing_side * c->rule.turn_max};
    return 1;
}

/* Minimum effective range (B1) on a side, m; large if nothing was detected. */
static double nearest_of(const fm_anticipate_params *sight, const double *range, int side)
{
    double least = 1e3;
    for (int i = 0; i < sight->beams; i++)
        if (sight->beam[i].side == side && range[i] < sight->range)
            least = fm_min(least, fm_fish_effective_range(range[i], sight->beam[i].cosine));
    return least;
}

/* 3. Make the decision: it departs from the demand if the path is blocked. */
static fm_fish_decision decide(const fm_part_context *context, const brain_config *c, brain_state *s,
                               fm_fish_decision wanted, const own *me)
{
    const brain_config *live = context->live;
    const fm_anticipate_params *sight = &c->seen_by[live->senses].sight;
    int rule = live->avoidance == AVOID_NONE ? AVOID_ANTICIPATE : (int)live->avoidance;
    fm_fish_decision away = {.behaviour = FM_FISH_AVOID, .speed = wanted.speed, .turn = wanted.turn};
    if (back_off(context, c, s, &away))
        return away;
    if (wanted.behaviour == FM_FISH_HOVER && me->speed < 0.03)
        return wanted;
    if (rule == AVOID_ANTICIPATE)
        return fm_anticipate_decide(sight, &s->ahead, me->speed, wanted.turn, wanted.speed, &away.turn, &away.speed)
                   ? away
                   : wanted;
    double active;
    fm_fish_avoid(&c->rule, &s->react, nearest_of(sight, s->range, -1), nearest_of(sight, s->range, 1), context->period,
                  &active, &away.turn, &away.speed);
    return active > 0 ? away : wanted;
}

/* The decision, for the log. `asked`: the instruments were read. */
static void tell(const fm_part_context *context, const brain_config *c, const brain_state *s,
                 const fm_fish_decision *decision, int asked)
{
    brain_output *out = context->output;
    const fm_anticipate_params *sight = &c->seen_by[asked ? s->senses : 0].sight;
    out->behaviour = decision->behaviour;
    out->speed = decision->speed;
    out->turn = decision->turn;
    out->senses = asked ? (double)s->senses : SENSE_KINDS;
    out->bumper = asked && touches(context, c);
    out->nearest = out->bearing = NAN;
    int sees = c->task == TASK_SEEK && s->seek.state.behaviour != FM_FISH_SEARCH;
    out->target_bearing = sees ? s->seek.state.bearing : NAN;
    out->target_width = sees ? s->seek.state.width : NAN;
    double least = sight->range;
    for (int i = 0; i < FM_ANTICIPATE_BEAMS; i++) {
        int there = asked && i < sight->beams, met = there && s->range[i] < sight->range;
        out->bearings[i] = there ? sight->beam[i].bearing : NAN;
        out->ranges[i] = !there ? NAN : met ? s->range[i] : HUGE_VAL;
        if (met && s->range[i] < least) {
            least = out->nearest = s->range[i];
            out->bearing = sight->beam[i].bearing;
        }
    }
}

static void run_brain(const fm_part_context *context)
{
    const brain_config *c = context->config, *live = context->live;
    brain_state *s = context->state;
    brain_output *out = context->output;
    const fm_fish_words *words = context->kind_state;
    fm_fish_params par = fm_fish_par_now(c->fish, words);
    own me = {context->vehicle->position[0], context->vehicle->position[1], fm_fish_heading(context->vehicle->attitude),
              words->speed, words->turn_rate};
    int careful = live->avoidance != AVOID_NONE || live->behaviour == CHOOSE_AVOID;
    fm_fish_decision decision = choose(context, c, s, &par, &me);
    if (careful) {
        detect(context, c, s, &me);
        decision = decide(context, c, s, decision, &me);
    }
    tell(context, c, s, &decision, careful);
    fm_fish_expect(&decision, me.speed, &out->acceleration, &out->turn); /* 4. expected motion */
    fm_fish_inverse(&par, out->acceleration, out->turn, me.speed, &out->frequency,
                    &out->deflection); /* 5. inverse map */
    fm_actuator_order(context, FM_FISH_FREQUENCY, out->frequency);
    fm_actuator_order(context, FM_FISH_DEFLECTION, out->deflection);
    fm_metric_note(context, c->metric_speed, me.speed);
}

static const fm_setpoint set_points[] = {
    {FM_SETPOINT_ROW(brain_config, speed, "speed", "m/s", 0, 2, "cruising speed")},
    {FM_SETPOINT_ROW(brain_config, acceleration, "acceleration", "m/s2", 1e-4, 10,
                     "of the behaviours accelerate and decelerate")},
    {FM_SETPOINT_ROW(brain_config, turn_rate, "turn-rate", "rad/s", -3, 3, "of the behaviour turn, to starboard")},
};
const fm_part_class fm_fish_brain_class = {.kind = FM_PART_CONTROLLER,
                                           .element = &brain_element,
                                           .live_size = LIVE_BYTES,
                                           .state_size = sizeof(brain_state),
                                           .output_size = sizeof(brain_output),
                                           .message = "fathom_msgs/FishDecision",
                                           .outputs = brain_outputs,
                                           .output_count = OUTPUTS,
                                           .load = load_brain,
                                           .start = start_brain,
                                           .run = run_brain,
                                           .setpoints = set_points,
                                           .setpoint_count = FM_COUNT(set_points)};
