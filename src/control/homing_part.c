/* <homing>: to a station using bearings and ranges of a <usbl>, back along the rays of its answers.
 * docs/theory/control.md (C32), docs/theory/acoustics.md (A8.10) */
#include <fathom/sound.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/guidance_part.h"
#include "control/navigation_part.h"
#include "physics/angle.h"
#include "physics/posture.h"
#include "sensors/acoustic_readings.h"

enum { SEARCHES, APPROACHES, LEAVES, DOCKED };

typedef struct homing_config {
    double speed, lookahead, run_out; /* live: m/s, m, m */
    int64_t correct;                  /* live */
    const char *name;
    double period;
    const char *usbl, *station;
    double capture;                      /* m */
    double search_heading, search_depth; /* rad, m */
    int64_t has_heading, has_depth;      /* derived: they are written */
    int64_t part, navigation;            /* derived */
    const fm_mount *mount;               /* derived: of the instrument */
    int64_t docked_metric, time_metric, miss_metric, passes_metric;
} homing_config;

typedef struct homing_state {
    int64_t begun, heard; /* readings that were taken */
    int64_t mode, passes;
    double position[3]; /* m, NED: of the station, believed */
    double heading;     /* rad: of the search, and of a run-out */
    double depth;       /* m: that is ordered */
    double closest;     /* m, true, of the first approach; for people */
} homing_state;

typedef struct homing_output {
    fm_guidance guide;
    double position[3]; /* m, NED: estimated position of the station; NaN: not yet heard */
    double mode;
} homing_output;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(homing_config, speed, "speed", "m/s", 0, 100, "1 m/s", FM_ATTR_LIVE, "through the water"),
    FM_REAL_ATTR(homing_config, lookahead, "lookahead", "m", 0.01, 1e5, "20 m", FM_ATTR_LIVE,
                 "before the station at which its depth is to be reached"),
    FM_REAL_ATTR(homing_config, run_out, "run-out", "m", 0, 1e5, "60 m", FM_ATTR_LIVE,
                 "after a miss it goes on until it is so far from the station, and turns back"),
    FM_BOOL_ATTR(homing_config, correct, "correct", "true", FM_ATTR_LIVE,
                 "it follows the ray of an answer back through the profile; otherwise it takes it for straight"),
    FM_NAME_ATTR(homing_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(homing_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
    FM_NAME_ATTR(homing_config, usbl, "usbl", NULL, 0,
                 "that it steers by, an instrument of bearings before it; left out: the first"),
    FM_NAME_ATTR(homing_config, station, "station", NULL, FM_ATTR_REQUIRED,
                 "vehicle that holds it when it comes near; it does not steer by its place"),
    FM_REAL_ATTR(homing_config, capture, "capture", "m", 0.01, 1e3, "1 m", 0, "so near the station holds it"),
    FM_REAL_ATTR(homing_config, search_heading, "search-heading", "rad", -7, 7, NULL, 0,
                 "until it first hears the station; without it that of the beginning"),
    FM_REAL_ATTR(homing_config, search_depth, "search-depth", "m", 0, 12000, NULL, 0,
                 "until it first hears the station; without it that of the beginning"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(homing_config, "homing", attrs, NULL, 0,
                     "Guidance: finds a station by the bearings and ranges of a <usbl> and docks with it, with the "
                     "autopilot after it. With bearings only it moves towards the sound.");

/* --- load --- */

/* The instrument that measures bearings. */
static fm_status find_usbl(fm_part_load *load, homing_config *c, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        const fm_part_info info = fm_load_part_info(load, i);
        const fm_part_class *is = info.part_class;
        if (!is->message || strcmp(is->message, "fathom_msgs/Bearing") != 0 ||
            (c->usbl && strcmp(info.name, c->usbl) != 0))
            continue;
        c->part = (int64_t)i;
        c->mount = is->mount ? (const fm_mount *)(const void *)((const char *)info.config + is->mount - 1) : NULL;
        return FM_OK;
    }
    return fm_load_fail(load, error, FM_ERR_MODEL, "no <usbl>%s%s before it", c->usbl ? " " : "",
                        c->usbl ? c->usbl : "");
}

static fm_status load_homing(fm_part_load *load, void *config, fm_error *error)
{
    homing_config *c = config;
    int obstacle = -1;
    if (!fm_load_find_target(load, c->station, &obstacle) || obstacle >= 0)
        return fm_load_fail_at(load, NULL, 0, "station", error, FM_ERR_NAME, "unknown vehicle '%s'", c->station);
    fm_status status = find_usbl(load, c, error);
    if (status != FM_OK)
        return status;
    c->navigation = fm_load_navigation(load);
    c->has_heading = fm_load_has_attribute(load, "search-heading");
    c->has_depth = fm_load_has_attribute(load, "search-depth");
    c->docked_metric = fm_load_metric(load, "docked", "", "1: the station holds the vehicle", FM_METRIC_MAX);
    c->time_metric = fm_load_metric(load, "docking_time", "s", "when the station took hold of it", FM_METRIC_FIRST);
    c->miss_metric = fm_load_metric(load, "miss_distance", "m", "least distance from the station on the first approach",
                                    FM_METRIC_MIN);
    c->passes_metric =
        fm_load_metric(load, "missed_approaches", "", "approaches that passed the station", FM_METRIC_SUM);
    return FM_OK;
}

/* --- hearing --- */

/* Position of the station relative to the instrument: forward-starboard-down rotated to north-east-down, traced back
 * along the ray if configured and if there is a range. */
static void find_offset(const fm_part_context *context, const fm_bearing_reading *r, const double R[9], double depth,
                        double offset[3])
{
    const homing_config *live = context->live;
    const double straight[3] = {fm_cos(r->elevation) * fm_cos(r->azimuth), fm_cos(r->elevation) * fm_sin(r->azimuth),
                                fm_sin(r->elevation)};
    double n[3], back[2];
    fm_vector_to_world(R, straight, n);
    const double level = sqrt(n[0] * n[0] + n[1] * n[1]), slant = isfinite(r->range) ? r->range : live->lookahead;
    for (int i = 0; i < 3; i++)
        offset[i] = slant * n[i];
    if (!live->correct || !isfinite(r->range) || !(level > 1e-6) ||
        !fm_sound_trace(context, depth, fm_atan2(n[2], level), slant, back))
        return;
    offset[0] = back[0] * n[0] / level;
    offset[1] = back[0] * n[1] / level;
    offset[2] = back[1] - depth;
}

static void listen(const fm_part_context *context, const homing_config *c, const fm_estimate *believed, homing_state *s)
{
    const fm_bearing_reading *r = fm_sensor_output(context, (int)c->part);
    double R[9], arm[3] = {0}, offset[3];
    if (r->head.count == s->heard || !r->head.valid)
        return;
    s->heard = r->head.count;
    fm_euler_matrix(believed->euler, R);
    if (c->mount)
        fm_vector_to_world(R, c->mount->position, arm);
    find_offset(context, r, R, believed->position[2] + arm[2], offset);
    for (int i = 0; i < 3; i++)
        s->position[i] = believed->position[i] + arm[i] + offset[i];
    if (s->mode == SEARCHES)
        s->mode = APPROACHES;
}

/* --- steering --- */

/* (C32) Towards the station: its heading, and a depth that follows the straight line to it, reached `lookahead` before
 * it. */
static void approach(const fm_part_context *context, const fm_estimate *believed, homing_state *s, fm_guidance *out)
{
    const homing_config *live = context->live;
    const double x = s->position[0] - believed->position[0], y = s->position[1] - believed->position[1],
                 z = s->position[2] - believed->position[2], level = sqrt(x * x + y * y);
    const double made = fmax(believed->velocity[0], 0) * context->period;
    s->depth += (fmax(s->position[2], 0) - s->depth) * made / fmax(level - live->lookahead, fmax(made, 1e-3));
    out->heading = fm_angle_positive(fm_atan2(y, x));
    out->depth = s->depth;
    out->error = sqrt(level * level + z * z);
}

/* After the station came abeam or astern, closer than the run-out: straight on, until there is space to turn. */
static void see_back(const fm_part_context *context, const homing_config *c, const fm_estimate *believed,
                     homing_state *s)
{
    const homing_config *live = context->live;
    const double x = s->position[0] - believed->position[0], y = s->position[1] - believed->position[1],
                 level = sqrt(x * x + y * y), ahead = x * fm_cos(believed->euler[2]) + y * fm_sin(believed->euler[2]);
    if (s->mode == APPROACHES && ahead < 0 && level < live->run_out) {
        s->mode = LEAVES;
        s->heading = believed->euler[2];
        s->passes++;
        fm_metric_note(context, (int)c->passes_metric, 1);
        fm_event_emit(context, "station missed", s->closest);
    } else if (s->mode == LEAVES && level >= live->run_out) {
        s->mode = APPROACHES;
    }
}

/* The station captures a vehicle that is close enough: this is the station's mechanism, not knowledge of the
 * vehicle. */
static void try_latch(const fm_part_context *context, const homing_config *c, const fm_estimate *believed,
                      homing_state *s)
{
    fm_pose pose;
    if (fm_world_pose(context->world, fm_world_find(context->world, c->station), &pose) != FM_OK)
        return; /* it was removed */
    const double away = fm_guidance_distance(pose.position, context->vehicle->position);
    if (s->passes == 0 && s->mode != SEARCHES) {
        s->closest = fmin(s->closest, away);
        fm_metric_note(context, (int)c->miss_metric, s->closest);
    }
    fm_metric_note(context, (int)c->docked_metric, s->mode == DOCKED || away < c->capture);
    if (s->mode == DOCKED || away >= c->capture)
        return;
    s->mode = DOCKED;
    s->heading = believed->euler[2];
    s->depth = believed->position[2];
    fm_metric_note(context, (int)c->time_metric, context->time);
    fm_event_emit(context, "docked", away);
}

static void run_homing(const fm_part_context *context)
{
    const homing_config *c = context->config, *live = context->live;
    homing_state *s = context->state;
    homing_output *o = context->output;
    const fm_estimate believed = fm_navigation_known(context, (int)c->navigation);
    if (!s->begun) {
        s->begun = 1;
        s->heading = c->has_heading ? c->search_heading : believed.euler[2];
        s->depth = c->has_depth ? c->search_depth : believed.position[2];
    }
    if (s->mode != DOCKED) {
        listen(context, c, &believed, s);
        see_back(context, c, &believed, s);
        try_latch(context, c, &believed, s);
    }
    o->guide = fm_guidance_to_run(s->heading, s->depth, s->mode == DOCKED ? 0 : live->speed, 0);
    if (s->mode == APPROACHES)
        approach(context, &believed, s, &o->guide);
    o->mode = (double)s->mode;
    for (int i = 0; i < 3; i++)
        o->position[i] = s->heard ? s->position[i] : NAN;
}

static void start_homing(const fm_part_context *context)
{
    ((homing_state *)context->state)->closest = HUGE_VAL;
}

static void tell_verdict(const fm_part_context *context, const fm_vehicle_history *history, char *text, size_t size)
{
    (void)history;
    const homing_state *s = context->state;
    if (s->mode == DOCKED)
        snprintf(text, size, "docked%s", s->passes ? ", after approaches that missed" : "");
    else if (s->mode == SEARCHES)
        snprintf(text, size, "did not hear the station");
    else
        snprintf(text, size, "did not dock: on its first approach %.2f m away", s->closest);
}

static const fm_output outputs[] = {
    FM_GUIDANCE_TELLS(homing_output, guide.),
    FM_OUTPUT_NUMBER(homing_output, position[0], "station.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(homing_output, position[1], "station.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(homing_output, position[2], "station.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(homing_output, mode, "mode", "", FM_QUANTITY_NONE),
};
const fm_part_class fm_homing_class = {.kind = FM_PART_CONTROLLER,
                                       .element = &element,
                                       .live_size = offsetof(homing_config, name),
                                       .state_size = sizeof(homing_state),
                                       .output_size = sizeof(homing_output),
                                       .outputs = outputs,
                                       .output_count = FM_COUNT(outputs),
                                       .load = load_homing,
                                       .start = start_homing,
                                       .run = run_homing,
                                       .verdict = tell_verdict};
