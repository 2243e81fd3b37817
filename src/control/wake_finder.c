/* The part <wake-finder>: detects a vortex street with the lateral line (L8), and may steer by it (L9): across the
 * stream until it detects a wake, then up along it to its source. It reads only the voltages of the line and the
 * bearing, and orders bearing and speed of <hover-pd>. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "control/lateral_own.h"
#include "control/own_motion.h"
#include "control/reflex.h"
#include "control/reflex_part.h"
#include "control/wake_sense.h"
#include "flow/flow_part.h"
#include "physics/vector.h"
#include "sensors/lateral_line.h"

enum { SWINGS = 8 }; /* that the frequency is taken of */

typedef struct finder_live {
    double threshold; /* V */
    int64_t swings;
    int64_t steers;
    double upstream;     /* rad; NaN: the initial bearing */
    double angle, leg;   /* rad, s: of the search */
    double speed;        /* m/s */
    double source_share; /* of the greatest amplitude */
} finder_live;

typedef struct finder_config {
    finder_live live;
    double period, high_pass;      /* s */
    int line;                      /* part */
    int found, frequency, reached; /* metrics */
    const fm_lateral_config *lateral;
    fm_own_motion_view motion; /* where it steers */
    int knows_motion;
    fm_lateral_own_params own;
} finder_config;

typedef struct finder_memory {
    double speed; /* m/s, past the sensors, slow mean */
    fm_wake_sense sense;
    int64_t started, below; /* 1: the means are initialised; the last swing went below */
    int64_t count;          /* upward swings of this wake, at regular intervals */
    double times[SWINGS];   /* s, of the last ones, the newest first */
    double upstream;        /* rad, of the start */
    double since, heading;  /* s, start of the leg; its side: −1, 1 */
    double leg;             /* s, how long it is */
    double least;           /* m/s, what the threshold means now */
    double lies;            /* −1, 1: the side of the last detected wake; 0: none yet */
    double waiting;         /* s, since its swings became small again */
    double greatest;        /* m/s, amplitude in this wake */
} finder_memory;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(finder_config, live.threshold, "threshold", "V", 0, 10, "0.002 V", FM_ATTR_LIVE,
                 "how far the difference of both sides must swing to either side"),
    FM_INT_ATTR(finder_config, live.swings, "swings", 2, 1000, "3", FM_ATTR_LIVE, "that make a wake"),
    FM_BOOL_ATTR(
        finder_config, live.steers, "steers", "false", FM_ATTR_LIVE,
        "orders bearing and speed of <hover-pd>: searches a wake and follows it to its source; where instruments "
        "tell own motion"),
    FM_REAL_ATTR(finder_config, live.upstream, "upstream", "rad", -6.3, 6.3, NULL, FM_ATTR_LIVE,
                 "bearing against the stream; default: that of the start"),
    FM_REAL_ATTR(
        finder_config, live.angle, "angle", "rad", -1.5, 1.5, "15 deg", FM_ATTR_LIVE,
        "off the stream on the first leg of the search, starboard positive; also the maximum while it follows"),
    FM_REAL_ATTR(finder_config, live.leg, "leg", "s", 1, 1e6, "60 s", FM_ATTR_LIVE,
                 "duration of the first leg of the search; each goes to the other side and takes this much longer"),
    FM_REAL_ATTR(finder_config, live.speed, "speed", "m/s", -10, 10, "0.03 m/s", FM_ATTR_LIVE,
                 "ahead over ground while it follows; half of it while it searches and the stream sets it back"),
    FM_REAL_ATTR(finder_config, live.source_share, "source-share", "", 0, 1, "0.8", FM_ATTR_LIVE,
                 "swings that have shrunk to this part of their greatest, in the middle of the wake, tell that what "
                 "sheds it is ahead: it stays there"),
    FM_REAL_ATTR(finder_config, high_pass, "high-pass", "s", 1e-3, 1e4, "10 s", 0, "time constant"),
    FM_REAL_ATTR(finder_config, period, "period", "s", 0, 1e3, NULL, 0, "default: every vehicle step"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    finder_config, "wake-finder", attrs, NULL, FM_ELEMENT_ONCE,
    "Detects a wake with the lateral line, and the frequency of its vortices; can steer into it and along it.");

/* Effect of own motion on each sensor; water passes a sphere at 1.5 times the speed of the stream. */
static void know_own_motion(finder_config *c)
{
    const fm_lateral_config *line = c->lateral;
    const fm_flow_config *flow = line->flow_config;
    for (int i = 0; i < line->count; i++)
        fm_lateral_own_sensor(flow->centre, line->offset[i], line->direction[i],
                              flow->model == FM_FLOW_UNDISTURBED ? 1 : 1.5, &c->own.surge[i], &c->own.yaw[i]);
}

static fm_status load_finder(fm_part_load *load, void *config, fm_error *error)
{
    finder_config *c = config;
    fm_error none = {0};
    c->line = fm_lateral_find(load, &c->lateral, error);
    if (c->line < 0)
        return FM_ERR_NAME;
    know_own_motion(c);
    c->knows_motion = fm_load_own_motion(load, &c->motion, &none) == FM_OK;
    if (!c->knows_motion && c->live.steers)
        return fm_load_own_motion(load, &c->motion, error);
    c->live.upstream = fm_load_has_attribute(load, "upstream") ? c->live.upstream : (double)NAN;
    c->found = fm_load_metric(load, "wake_found", "s", "when a wake was first detected", FM_METRIC_FIRST);
    c->frequency = fm_load_metric(load, "wake_frequency", "Hz", "of the vortices that passed last", FM_METRIC_LAST);
    c->reached = fm_load_metric(load, "wake_source", "s", "when the source of the wake was reached", FM_METRIC_FIRST);
    return FM_OK;
}

/* --- what it feels --- */

/* Mean of a value over the starboard sensors, and over the port ones. */
static void mean_sides(const finder_config *c, const double *values, double mean[2])
{
    double count[2] = {0};
    mean[0] = mean[1] = 0;
    for (int i = 0; i < c->lateral->count; i++) {
        int side = c->lateral->offset[i][1] < 0;
        mean[side] += values[i], count[side] += 1;
    }
    for (int side = 0; side < 2; side++)
        mean[side] /= fmax(count[side], 1);
}

/* Speed of the water past each sensor from ahead, from its voltage minus the effect of own motion; without that, the
 * mean of all (m/s). */
static double water_past(const fm_part_context *context, const double *voltages, double *out)
{
    const finder_config *c = context->config;
    const fm_thermistor *bead = &c->lateral->thermistor;
    const fm_own_motion own = c->knows_motion ? fm_own_motion_read(context, &c->motion) : (fm_own_motion){0};
    double mean = 0;
    for (int i = 0; i < c->lateral->count; i++) {
        double ahead = c->own.surge[i] < 0 ? -1 : 1,
               speed = fm_thermistor_speed(bead, fm_thermistor_temperature(bead, voltages[i]));
        out[i] = speed - ahead * (c->own.surge[i] * own.forward + c->own.yaw[i] * own.rates[2]);
        mean += speed / c->lateral->count;
    }
    return mean;
}

/* An upward swing, from below −threshold to above it. */
static int swings_up(const finder_live *live, double signal, finder_memory *m)
{
    int up = m->below && signal > live->threshold;
    m->below = signal < -live->threshold ? 1 : up ? 0 : m->below;
    return up;
}

static void tell_wake(const fm_part_context *context, const finder_config *c, const fm_wake_record *out)
{
    char text[FM_EVENT_TEXT_SIZE], number[24], north[24], east[24];
    const double *at = context->vehicle->position;
    fm_text_number_write(number, sizeof number, floor(out->frequency * 1000 + 0.5) / 1000);
    fm_text_number_write(north, sizeof north, floor(at[0] * 100 + 0.5) / 100);
    fm_text_number_write(east, sizeof east, floor(at[1] * 100 + 0.5) / 100);
    snprintf(text, sizeof text, "wake found: %s Hz, at %s m north, %s m east", number, north, east);
    fm_event_emit_text(context, "wake found", out->frequency, text);
    fm_metric_note(context, c->found, context->time);
}

/* Records a swing; one that comes too soon or too late after the previous one starts a new count, and so does one later
 * than `slowest` s, which the high-pass filter removes. In a known wake, swings that come too soon are ignored. */
static void note_swing(double time, double slowest, int known, finder_memory *m)
{
    double last = m->count > 1 ? m->times[0] - m->times[1] : slowest, now = time - m->times[0];
    int soon = m->count > 1 && now < 0.5 * last;
    if (soon && known)
        return;
    if (now > fmin(2 * last, slowest))
        m->count = 0;
    else if (soon)
        m->count = 1;
    for (int i = SWINGS - 1; i > 0; i--)
        m->times[i] = m->times[i - 1];
    m->times[0] = time;
    m->count++;
}

/* Hz, of the last swings. */
static double swing_frequency(const finder_memory *m)
{
    int64_t n = m->count < SWINGS ? m->count : SWINGS;
    return n > 1 ? (double)(n - 1) / (m->times[0] - m->times[n - 1]) : 0;
}

/* Counts the swings; sets `found` to 1 while a wake passes. */
static void count_swings(const fm_part_context *context, finder_memory *m, fm_wake_record *out)
{
    const finder_config *c = context->config;
    const finder_live *live = context->live;
    if (!swings_up(live, out->signal, m))
        return;
    note_swing(context->time, 2 * c->high_pass, out->found > 0.5, m);
    if (m->count < live->swings)
        return;
    out->frequency = swing_frequency(m);
    fm_metric_note(context, c->frequency, out->frequency);
    if (out->found < 0.5)
        tell_wake(context, c, out);
    out->found = 1;
}

/* A line without output is ignored. */
static void listen(const fm_part_context *context, finder_memory *m, fm_wake_record *out)
{
    const finder_config *c = context->config;
    const finder_live *live = context->live;
    const fm_lateral_record *line = fm_sensor_output(context, c->line);
    double flow[2], past[FM_LATERAL_SENSORS], speed;
    if (!line->head.valid)
        return;
    speed = water_past(context, line->voltages, past);
    mean_sides(c, past, flow);
    double across = flow[0] - flow[1], along = 0.5 * (flow[0] + flow[1]);
    if (!m->started)
        m->speed = speed, fm_wake_sense_begin(across, along, &m->sense);
    m->started = 1;
    m->speed -= (speed - m->speed) * fm_expm1(-context->period / c->high_pass);
    fm_wake_sense_step(c->high_pass, context->period, out->found * out->frequency, across, along, &m->sense);
    double slope = fm_thermistor_sensitivity(&c->lateral->thermistor, fmax(m->speed, 0.01));
    out->signal = slope * (across - m->sense.across_mean);
    m->least = live->threshold / fmax(slope, 1e-9);
    out->side = fm_clamp(fm_wake_side(&m->sense, m->least), -1, 1);
    out->amplitude = fm_wake_amplitude(&m->sense);
    if (fabs(out->side) > 0.05)
        m->lies = out->side < 0 ? -1 : 1;
    count_swings(context, m, out);
}

/* Out of the wake: no swing for three periods, or none at this frequency (the vehicle's own control may cause swings
 * too). */
static void forget_wake(const fm_part_context *context, finder_memory *m, fm_wake_record *out)
{
    int silent = m->count > 1 && (context->time - m->times[0]) * swing_frequency(m) > 3;
    int weak = m->count > SWINGS / 2 && out->amplitude < m->least;
    if (silent || weak)
        m->count = 0, out->found = 0;
}

/* --- what it does --- */

static double upstream(const finder_live *live, const finder_memory *m)
{
    return isfinite(live->upstream) ? live->upstream : m->upstream;
}

/* Changes the state, which is an event. */
static void enter(const fm_part_context *context, fm_wake_record *out, double state)
{
    static const char *const names[] = {"listen", "search the wake", "follow the wake", "source of the wake ahead"};
    if (out->state != state)
        fm_event_emit(context, names[(int)state], state);
    out->state = state;
}

/* To and fro across the stream, farther each time; begins on the side of a lost wake. */
static void search(const fm_part_context *context, finder_memory *m, fm_wake_record *out)
{
    const finder_live *live = context->live;
    if (out->state != FM_WAKE_SEARCH) {
        m->heading = m->lies < 0 ? -1 : 1;
        m->since = context->time, m->leg = live->leg;
        enter(context, out, FM_WAKE_SEARCH);
    } else if (context->time - m->since > m->leg)
        m->heading = -m->heading, m->since = context->time, m->leg += live->leg;
    out->bearing = fm_reflex_wrap(upstream(live, m) + m->heading * live->angle);
    out->speed = 0.5 * live->speed;
    m->greatest = m->waiting = 0;
}

/* Whether it stays at its place: in the middle of the wake the swings have grown and shrunk again, which means that the
 * source is ahead. The first eight swings include the turn into the wake. */
static int waits(const finder_live *live, const fm_wake_record *out, finder_memory *m)
{
    double share = m->waiting > 0 ? 0.5 * (1 + live->source_share) : live->source_share;
    if (m->count < SWINGS)
        return m->waiting > 0;
    m->greatest = fmax(m->greatest, out->amplitude);
    return out->amplitude < share * m->greatest && (m->waiting > 0 || fabs(out->side) < 0.5);
}

/* Up the wake, towards its middle. It is at the source when the swings have been small for five periods. */
static void follow(const fm_part_context *context, finder_memory *m, fm_wake_record *out)
{
    const finder_config *c = context->config;
    const finder_live *live = context->live;
    m->waiting = waits(live, out, m) ? m->waiting + context->period : 0;
    enter(context, out, m->waiting * out->frequency > 5 ? FM_WAKE_SOURCE : FM_WAKE_FOLLOW);
    if (out->state == FM_WAKE_SOURCE)
        fm_metric_note(context, c->reached, context->time);
    out->bearing = fm_reflex_wrap(upstream(live, m) + fabs(live->angle) * fm_clamp(4 * out->side, -1, 1));
    out->speed = m->waiting > 0 ? 0 : live->speed;
}

static void run_finder(const fm_part_context *context)
{
    const finder_config *c = context->config;
    const finder_live *live = context->live;
    finder_memory *m = context->state;
    fm_wake_record *out = context->output;
    forget_wake(context, m, out);
    listen(context, m, out);
    if (!live->steers || !c->knows_motion)
        out->state = FM_WAKE_LISTEN;
    else if (out->found > 0.5)
        follow(context, m, out);
    else
        search(context, m, out);
}

static void start_finder(const fm_part_context *context)
{
    const finder_config *c = context->config;
    finder_memory *m = context->state;
    m->upstream = c->knows_motion ? fm_own_motion_read(context, &c->motion).euler[2] : 0;
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_wake_record, found, "found", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, frequency, "frequency", "Hz", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, signal, "signal", "V", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, amplitude, "amplitude", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, side, "side", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, state, "state", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, bearing, "bearing", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_wake_record, speed, "speed", "m/s", FM_QUANTITY_NONE),
};
const fm_part_class fm_wake_finder_class = {.kind = FM_PART_CONTROLLER,
                                            .element = &element,
                                            .live_size = sizeof(finder_live),
                                            .state_size = sizeof(finder_memory),
                                            .output_size = sizeof(fm_wake_record),
                                            .outputs = outputs,
                                            .output_count = FM_COUNT(outputs),
                                            .load = load_finder,
                                            .start = start_finder,
                                            .run = run_finder};
