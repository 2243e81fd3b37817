/* The part <reflex>: from voltages to orders; the laws are in control/lateral_sense.h and control/reflex.h. */
#include "control/reflex_part.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/part_class.h"
#include "control/facts.h"
#include "control/own_motion.h"
#include "control/reflex_orders.h"
#include "flow/flow_part.h"
#include "sensors/lateral_line.h"

typedef struct reflex_live {
    int64_t rule;
    double speed, back_speed, brake_speed, turn_error, turn_rate, calm, calm_time, resume_timeout, reverse_timeout,
        brake_timeout, turn_timeout;
    double spread, norm;
} reflex_live;

typedef struct reflex_config {
    reflex_live live;
    double period, high_pass, fast;
    int line;  /* part */
    int hover; /* part <hover-pd> that receives the orders; −1: none */
    fm_own_motion_view motion;
    fm_lateral_params lateral;
    fm_lateral_own_params own;
    fm_thermistor bead;
} reflex_config;

/* Orders as they were last seen. */
typedef struct known_orders {
    double speed;              /* m/s, cruising */
    double bearing;            /* rad; NaN: none */
    double depth, pitch, roll; /* m, rad */
    int64_t seen;              /* 1: these three are */
} known_orders;

typedef struct reflex_memory {
    fm_lateral_state line;
    fm_reflex_state mind;
    double cruise; /* initial m/s, if no speed is given */
    known_orders known;
    fm_lateral_own own;
    int64_t changing; /* 1: own motion changes on an order and is subtracted from the measurement (L7) */
    double calm_for;  /* s, since then */
    double silent;    /* s since the line last had an output */
} reflex_memory;

static const char *const rule_names[] = {"default", "printed", NULL};
static const fm_attr attrs[] = {
    FM_CHOICE_ATTR(reflex_config, live.rule, rule_names, "rule", "default", FM_ATTR_LIVE,
                   "default; or printed: turn at once, no direction gate, no wait before the sensors count again"),
    FM_REAL_ATTR(reflex_config, live.speed, "speed", "m/s", 0, 10, "0 m/s", FM_ATTR_LIVE,
                 "cruising speed where <hover-pd> orders none; 0: the vehicle's speed at the start"),
    FM_REAL_ATTR(reflex_config, live.back_speed, "back-speed", "m/s", 0.001, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "backwards speed at which the reversing ends"),
    FM_REAL_ATTR(reflex_config, live.brake_speed, "brake-speed", "m/s", 1e-4, 1, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "speed that counts as standing still"),
    FM_REAL_ATTR(reflex_config, live.turn_error, "turn-error", "rad", 1e-3, 1, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "yaw error at which the turn is complete"),
    FM_REAL_ATTR(reflex_config, live.turn_rate, "turn-rate", "rad/s", 1e-4, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "and the yaw rate"),
    FM_REAL_ATTR(reflex_config, live.calm, "calm", "V", 0, 1, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "change of the voltages that counts as calm"),
    FM_REAL_ATTR(reflex_config, live.calm_time, "calm-time", "s", 0, 100, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "for this long before the sensors count again"),
    FM_REAL_ATTR(reflex_config, live.resume_timeout, "resume-timeout", "s", 0, 1e3, NULL,
                 FM_ATTR_REQUIRED | FM_ATTR_LIVE, "or at the latest after this time"),
    FM_REAL_ATTR(reflex_config, live.reverse_timeout, "reverse-timeout", "s", 0, 1e3, NULL,
                 FM_ATTR_REQUIRED | FM_ATTR_LIVE, "longest reversing"),
    FM_REAL_ATTR(reflex_config, live.brake_timeout, "brake-timeout", "s", 0, 1e3, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "longest braking"),
    FM_REAL_ATTR(reflex_config, live.turn_timeout, "turn-timeout", "s", 0, 1e3, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "longest turn"),
    FM_REAL_ATTR(reflex_config, live.spread, "spread", "V", 0, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "threshold of the difference between any two filtered voltages"),
    FM_REAL_ATTR(reflex_config, live.norm, "norm", "V", 0, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "threshold of the root of the sum of squared filtered voltages"),
    FM_REAL_ATTR(reflex_config, period, "period", "s", 0, 1e3, NULL, 0, "default: every vehicle step"),
    FM_REAL_ATTR(reflex_config, high_pass, "high-pass", "s", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED, "time constant"),
    FM_REAL_ATTR(reflex_config, fast, "calm-filter", "s", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "time constant of the mean that calm is judged against"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(reflex_config, "reflex", attrs, NULL, FM_ELEMENT_ONCE,
                     "Detects walls with the lateral line and turns away: CRUISE, REVERSE, BRAKE, TURN, RESUME. Orders "
                     "speed and yaw of the body's controller.");

int fm_load_find_part(fm_part_load *load, const char *class_name, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_class_is(fm_load_part_info(load, i).part_class, class_name))
            return (int)i;
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no <%s> before this part", class_name);
    return -1;
}

/* The last one has as many items as there are sensors; describe_outputs sets the count. */
static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_reflex_record, state, "state", "", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_reflex_record, distance_estimate, "distance_estimate", "V*m", 3, FM_OUTPUT_BODY,
                    FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_reflex_record, threat, "threat", "", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_reflex_record, filtered_voltages, "filtered_voltages", "V", 8, FM_OUTPUT_PLAIN,
                    FM_QUANTITY_NONE),
};

static fm_status describe_outputs(fm_part_load *load, size_t sensors, fm_error *error)
{
    fm_output *kept = fm_load_alloc(load, sizeof outputs);
    if (!kept)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the reflex");
    memcpy(kept, outputs, sizeof outputs);
    kept[FM_COUNT(outputs) - 1].count = sensors;
    fm_load_outputs(load, kept, FM_COUNT(outputs));
    return FM_OK;
}

static fm_status load_reflex(fm_part_load *load, void *config, fm_error *error)
{
    reflex_config *c = config;
    const fm_lateral_config *line = NULL;
    c->line = fm_lateral_find(load, &line, error);
    if (c->line < 0)
        return FM_ERR_NAME;
    const fm_status status = fm_load_own_motion(load, &c->motion, error);
    if (status != FM_OK)
        return status;
    const fm_flow_config *flow = line->flow_config;
    c->hover = fm_load_any_part(load, "hover-pd");
    c->bead = line->thermistor;
    c->lateral.count = line->count;
    memcpy(c->lateral.position, line->offset, sizeof c->lateral.position);
    for (int i = 0; i < line->count; i++)
        fm_lateral_own_sensor(flow->centre, line->offset[i], line->direction[i],
                              flow->model == FM_FLOW_UNDISTURBED ? 1 : 1.5, &c->own.surge[i], &c->own.yaw[i]);
    return describe_outputs(load, (size_t)line->count, error);
}

/* The laws' parameters with the live values in force. */
static fm_reflex_params reflex_par(const reflex_live *live, double cruise)
{
    return (fm_reflex_params){.printed = (int)live->rule,
                              .cruise_speed = cruise,
                              .back_speed = live->back_speed,
                              .brake_speed = live->brake_speed,
                              .turn_error = live->turn_error,
                              .turn_rate = live->turn_rate,
                              .calm = live->calm,
                              .calm_time = live->calm_time,
                              .resume_timeout = live->resume_timeout,
                              .reverse_timeout = live->reverse_timeout,
                              .brake_timeout = live->brake_timeout,
                              .turn_timeout = live->turn_timeout};
}

static void write_record(const fm_lateral_params *par, const fm_lateral_feel *feel, const fm_reflex_state *mind,
                         const fm_reflex_output *order, fm_reflex_record *out)
{
    double spread = feel->spread / fm_max(par->spread, 1e-12), norm = feel->norm / fm_max(par->norm, 1e-12);
    out->state = mind->mode;
    out->threat = fm_min(spread, norm);
    out->speed = order->speed;
    out->yaw = order->yaw;
    out->reverse = order->reverse;
    out->detected = order->detected;
    out->detections = mind->detections;
    out->rejected = mind->rejected;
    memcpy(out->distance_estimate, feel->direction, sizeof out->distance_estimate);
    memcpy(out->found, mind->direction, sizeof out->found);
    memcpy(out->filtered_voltages, feel->filtered, (size_t)par->count * sizeof(double));
}

/* --- orders from outside --- */

static double cruise_speed(const reflex_live *live, const reflex_memory *m, const fm_hover_record *hover)
{
    if (hover && isfinite(hover->ordered_speed))
        return hover->ordered_speed;
    return live->speed > 0 ? live->speed : m->cruise;
}

/* Whether an order changes own motion; the previous value is stored in whole numbers. */
static int take_orders(const fm_hover_record *hover, double cruise, reflex_memory *m)
{
    known_orders *k = &m->known;
    fm_reflex_known known = {k->speed, k->bearing, k->depth, k->pitch, k->roll, (double)k->seen};
    fm_reflex_wish wish = {0};
    if (hover)
        wish = (fm_reflex_wish){hover->ordered_bearing, hover->depth, hover->pitch, hover->roll};
    int changed = fm_reflex_take_orders(&known, cruise, hover ? &wish : NULL, &m->mind);
    *k = (known_orders){known.speed, known.bearing, known.depth, known.pitch, known.roll, known.seen > 0.5};
    return changed;
}

/* Subtracts own motion from the measurement, from an order until the voltages are calm (L7). */
static void follow_own_motion(const fm_part_context *context, int changed, const fm_own_motion *now,
                              const double *voltages, reflex_memory *m)
{
    const reflex_config *c = context->config;
    fm_reflex_calm calm = {(double)m->changing, m->calm_for};
    fm_reflex_follow_own(&c->own, &c->bead, c->lateral.count, changed, now->forward, now->rates[2], voltages,
                         context->period, &m->own, &calm, &m->line);
    m->changing = calm.changing > 0.5;
    m->calm_for = calm.calm_for;
}

static void wait_for_calm(const fm_part_context *context, const reflex_live *live, double unrest, reflex_memory *m)
{
    fm_reflex_calm calm = {(double)m->changing, m->calm_for};
    fm_reflex_wait_for_calm(live->calm, live->calm_time, unrest, context->period, &calm);
    m->changing = calm.changing > 0.5;
    m->calm_for = calm.calm_for;
}

/* After a line was silent for longer than the memory of the fast mean, its filters start again at the present
 * voltages. */
static void hear_line(const fm_part_context *context, const fm_lateral_record *line, reflex_memory *m)
{
    const reflex_config *c = context->config;
    if (line->head.valid && m->silent > c->fast)
        fm_lateral_reset(&c->lateral, line->voltages, &m->line);
    m->silent = line->head.valid ? 0 : m->silent + context->period;
}

static void run_reflex(const fm_part_context *context)
{
    const reflex_config *c = context->config;
    const reflex_live *live = context->live;
    const fm_lateral_record *line = fm_sensor_output(context, c->line);
    const fm_own_motion now = fm_own_motion_read(context, &c->motion);
    const fm_hover_record *hover = c->hover >= 0 ? fm_sensor_output(context, c->hover) : NULL;
    reflex_memory *m = context->state;
    double before = m->mind.mode, cruise = cruise_speed(live, m, hover);
    fm_reflex_params par = reflex_par(live, cruise);
    fm_lateral_params lateral = c->lateral;
    fm_lateral_feel feel;
    fm_reflex_output order;
    lateral.spread = live->spread, lateral.norm = live->norm;
    fm_lateral_set_step(&lateral, context->period, c->high_pass, c->fast);
    hear_line(context, line, m);
    follow_own_motion(context, take_orders(hover, cruise, m), &now, line->voltages, m);
    fm_lateral_step(&lateral, line->voltages, fm_reflex_blind(&par, &m->mind), &m->line, &feel);
    wait_for_calm(context, live, feel.unrest, m);
    if (!line->head.valid || cruise == 0) /* a silent line detects nothing; a vehicle at rest has no wall ahead */
        feel.exceeds = 0;
    fm_reflex_input in = {.yaw = now.euler[2], .yaw_rate = now.rates[2], .forward = now.forward};
    fm_reflex_step(&par, &feel, &in, context->period, &m->mind, &order);
    write_record(&lateral, &feel, &m->mind, &order, context->output);
    static const char *const names[] = {"cruise", "reverse", "brake", "turn", "resume"};
    if (m->mind.mode != before)
        fm_event_emit(context, names[(int)m->mind.mode], m->mind.mode);
}

/* Cruising, with the filters at the present voltages. */
static void start_reflex(const fm_part_context *context)
{
    const reflex_config *c = context->config;
    const fm_lateral_record *line = fm_sensor_output(context, c->line);
    const fm_own_motion now = fm_own_motion_read(context, &c->motion);
    reflex_memory *m = context->state;
    fm_reflex_record *out = context->output;
    m->cruise = now.forward;
    m->mind = fm_reflex_start(now.euler[2]);
    fm_lateral_reset(&c->lateral, line->voltages, &m->line);
    out->yaw = now.euler[2];
    out->speed = c->live.speed > 0 ? c->live.speed : m->cruise;
    m->known = (known_orders){.speed = now.forward, .bearing = (double)NAN};
}

/* --- for a kernel that runs the whole chain --- */

fm_reflex_links fm_reflex_linked(const void *config)
{
    const reflex_config *c = config;
    int motion = (int)c->motion.depth.part;
    return (fm_reflex_links){c->line, fm_own_motion_is_of(&c->motion, motion) ? motion : -1, c->hover};
}

void fm_reflex_describe(const void *config, fm_feeler *p, fm_feeler_sensor *sensors)
{
    const reflex_config *c = config;
    const reflex_live *live = &c->live;
    p->printed = (int32_t)live->rule;
    p->spread = live->spread, p->norm = live->norm;
    p->high_pass = c->high_pass, p->fast = c->fast;
    p->cruise = live->speed;
    p->back_speed = live->back_speed, p->brake_speed = live->brake_speed;
    p->turn_error = live->turn_error, p->turn_rate = live->turn_rate;
    p->calm = live->calm, p->calm_time = live->calm_time;
    p->resume_timeout = live->resume_timeout, p->reverse_timeout = live->reverse_timeout;
    p->brake_timeout = live->brake_timeout, p->turn_timeout = live->turn_timeout;
    for (int i = 0; i < c->lateral.count; i++) {
        sensors[i].surge = c->own.surge[i];
        sensors[i].yaw = c->own.yaw[i];
    }
}

const fm_part_class fm_reflex_class = {.kind = FM_PART_CONTROLLER,
                                       .element = &element,
                                       .live_size = sizeof(reflex_live),
                                       .state_size = sizeof(reflex_memory),
                                       .output_size = sizeof(fm_reflex_record),
                                       .message = "fathom_msgs/ReflexState",
                                       .outputs = outputs,
                                       .output_count = FM_COUNT(outputs),
                                       .load = load_reflex,
                                       .start = start_reflex,
                                       .run = run_reflex,
                                       .lanes = &fm_reflex_lanes};
