/* The part <wake-finder>: tells a vortex street by the lateral line (L8). It listens to the difference of the voltages
 * of both sides, which swings once for each pair of vortices that passes, and orders nothing. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "control/reflex_part.h"
#include "physics/real.h"
#include "sensors/lateral_line.h"

typedef struct finder_live {
    double threshold; /* V */
    int64_t swings;
} finder_live;

typedef struct finder_config {
    finder_live live;
    double period, high_pass; /* s */
    int line;                 /* part */
    int found, frequency;     /* metrics */
    const fm_lateral_config *lateral;
} finder_config;

typedef struct finder_memory {
    double mean;            /* V, slow */
    int64_t started, below; /* 1: the mean is there; the last swing went below */
    int64_t count;          /* upward swings of this wake */
    double first, last;     /* s, the first and the last of them */
} finder_memory;

typedef struct finder_record {
    double found;     /* 1: in a wake */
    double frequency; /* Hz, 0 before */
    double signal;    /* V, starboard less port, after the high-pass */
} finder_record;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(finder_config, live.threshold, "threshold", "V", 0, 10, "0.002 V", FM_ATTR_LIVE,
                 "how far the difference of both sides must swing to either side"),
    FM_INT_ATTR(finder_config, live.swings, "swings", 2, 1000, "3", FM_ATTR_LIVE, "that make a wake"),
    FM_REAL_ATTR(finder_config, high_pass, "high-pass", "s", 1e-3, 1e4, "10 s", 0, "time constant"),
    FM_REAL_ATTR(finder_config, period, "period", "s", 0, 1e3, NULL, 0, "default: every vehicle step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(finder_config, "wake-finder", attrs, NULL, FM_ELEMENT_ONCE,
                     "Tells a wake by the lateral line, and how often its vortices pass; orders nothing.");

static fm_status load_finder(fm_part_load *load, void *config, fm_error *error)
{
    finder_config *c = config;
    c->line = fm_lateral_find(load, &c->lateral, error);
    if (c->line < 0)
        return FM_ERR_NAME;
    c->found = fm_load_metric(load, "wake_found", "s", "when a wake was first told", FM_METRIC_FIRST);
    c->frequency = fm_load_metric(load, "wake_frequency", "Hz", "of the vortices that passed", FM_METRIC_LAST);
    return FM_OK;
}

/* Mean voltage of the starboard sensors less that of the port ones. */
static double difference(const finder_config *c, const fm_lateral_record *line)
{
    double sum[2] = {0}, count[2] = {0};
    for (int i = 0; i < c->lateral->count; i++) {
        int side = c->lateral->offset[i][1] < 0;
        sum[side] += line->voltages[i], count[side] += 1;
    }
    return sum[0] / fmax(count[0], 1) - sum[1] / fmax(count[1], 1);
}

/* An upward swing, from below −threshold to above it. */
static int swings_up(const finder_live *live, double signal, finder_memory *m)
{
    int up = m->below && signal > live->threshold;
    m->below = signal < -live->threshold ? 1 : up ? 0 : m->below;
    return up;
}

static void tell_wake(const fm_part_context *context, const finder_config *c, const finder_record *out)
{
    char text[FM_EVENT_TEXT_SIZE], number[32];
    fm_text_number_write(number, sizeof number, floor(out->frequency * 1000 + 0.5) / 1000);
    snprintf(text, sizeof text, "wake found: %s Hz", number);
    fm_event_emit_text(context, "wake found", out->frequency, text);
    fm_metric_note(context, c->found, context->time);
}

static void run_finder(const fm_part_context *context)
{
    const finder_config *c = context->config;
    const finder_live *live = context->live;
    const fm_lateral_record *line = fm_sensor_output(context, c->line);
    finder_memory *m = context->state;
    finder_record *out = context->output;
    double now = difference(c, line);
    m->mean = m->started ? m->mean - (now - m->mean) * fm_expm1(-context->period / c->high_pass) : now;
    m->started = 1;
    out->signal = now - m->mean;
    double swing = m->count > 1 ? (m->last - m->first) / (double)(m->count - 1) : HUGE_VAL;
    if (m->count > 1 && context->time - m->last > 3 * swing)
        m->count = 0, out->found = 0; /* out of it again */
    if (!swings_up(live, out->signal, m))
        return;
    m->first = m->count ? m->first : context->time;
    m->last = context->time;
    m->count++;
    if (m->count < live->swings)
        return;
    out->frequency = (double)(m->count - 1) / (m->last - m->first);
    fm_metric_note(context, c->frequency, out->frequency);
    if (out->found < 0.5)
        tell_wake(context, c, out);
    out->found = 1;
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(finder_record, found, "found", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(finder_record, frequency, "frequency", "Hz", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(finder_record, signal, "signal", "V", FM_QUANTITY_NONE),
};
const fm_part_class fm_wake_finder_class = {.kind = FM_PART_CONTROLLER,
                                            .element = &element,
                                            .live_size = sizeof(finder_live),
                                            .state_size = sizeof(finder_memory),
                                            .output_size = sizeof(finder_record),
                                            .outputs = outputs,
                                            .output_count = FM_COUNT(outputs),
                                            .load = load_finder,
                                            .run = run_finder};
