/* The part <avoidance-record>: how well a vehicle avoids walls. It compares the reflex's detections with the true
 * positions of the walls, which no on-board controller can; it sends no orders. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "control/reflex_part.h"
#include "flow/flow_part.h"

typedef struct record_config {
    int reflex, flow;
    int detections, detection_gap, wall_angle_error, stop_distance, braking_distance; /* metrics */
} record_config;

typedef struct record_memory {
    double path;    /* m, forward, since the start */
    double alarm;   /* path at the first detection; −1: none yet */
    double stopped; /* path at the first forward speed ≤ 0; −1: not yet */
    double closest; /* m, least gap of the nose */
} record_memory;

static const fm_element element = {.name = "avoidance-record",
                                   .text = "Metrics of wall avoidance and the run's verdict; orders nothing.",
                                   .config_size = sizeof(record_config),
                                   .flags = FM_ELEMENT_ONCE};

static fm_status load_record(fm_part_load *load, void *config, fm_error *error)
{
    record_config *c = config;
    c->reflex = fm_load_find_part(load, "reflex", error);
    if (c->reflex < 0)
        return FM_ERR_NAME;
    c->flow = fm_load_find_part(load, "flow", error);
    if (c->flow < 0)
        return FM_ERR_NAME;
    c->detections = fm_load_metric(load, "detections", "", "how often a wall was felt", FM_METRIC_SUM);
    c->detection_gap =
        fm_load_metric(load, "detection_gap", "m", "gap of the nose at the first detection", FM_METRIC_FIRST);
    c->wall_angle_error = fm_load_metric(load, "wall_angle_error", "rad",
                                         "estimated minus true bearing at the first detection", FM_METRIC_FIRST);
    c->stop_distance = fm_load_metric(load, "stop_distance", "m",
                                      "path from the start to the first forward speed of 0 or less", FM_METRIC_FIRST);
    c->braking_distance =
        fm_load_metric(load, "braking_distance", "m", "path from the first detection to that", FM_METRIC_FIRST);
    return FM_OK;
}

static void note_detection(const fm_part_context *context, const record_config *c, record_memory *m)
{
    const fm_reflex_record *reflex = fm_sensor_output(context, c->reflex);
    const fm_flow_record *flow = fm_sensor_output(context, c->flow);
    fm_metric_note(context, c->detections, 1);
    if (m->alarm < 0)
        m->alarm = m->path;
    if (!isfinite(flow->gap)) {
        fm_event_emit_text(context, "wall felt", 0, "wall felt where there is none");
        return;
    }
    fm_metric_note(context, c->detection_gap, flow->gap);
    fm_metric_note(context, c->wall_angle_error,
                   fm_reflex_wrap(fm_atan2(reflex->found[1], reflex->found[0]) - flow->bearing));
    char text[FM_EVENT_TEXT_SIZE], number[32];
    fm_text_number_write(number, sizeof number, floor(flow->gap * 1000 + 0.5) / 1000);
    snprintf(text, sizeof text, "wall felt at %s m", number);
    fm_event_emit_text(context, "wall felt", flow->gap, text);
}

static void run_record(const fm_part_context *context)
{
    const record_config *c = context->config;
    const fm_reflex_record *reflex = fm_sensor_output(context, c->reflex);
    const fm_flow_record *flow = fm_sensor_output(context, c->flow);
    record_memory *m = context->state;
    double forward = context->vehicle->velocity[0];
    if (m->stopped < 0 && forward <= 0) {
        m->stopped = m->path;
        fm_metric_note(context, c->stop_distance, m->path);
        if (m->alarm >= 0)
            fm_metric_note(context, c->braking_distance, m->path - m->alarm);
    }
    if (reflex->detected > 0.5)
        note_detection(context, c, m);
    m->closest = fmin(m->closest, flow->gap);
    m->path += forward * context->period;
}

static void start_record(const fm_part_context *context)
{
    record_memory *m = context->state;
    *m = (record_memory){.alarm = -1, .stopped = -1, .closest = FM_FLOW_FAR};
}

/* "avoided: closest 0.162 m, stopped after 0.340 m" */
static void tell(const fm_part_context *context, const fm_vehicle_history *history, char *text, size_t size)
{
    const record_config *c = context->config;
    const record_memory *m = context->state;
    const fm_reflex_record *reflex = fm_sensor_output(context, c->reflex);
    double closest = isfinite(history->min_clearance) ? history->min_clearance : m->closest;
    int used = 0;
    if (history->contacts)
        used =
            snprintf(text, size, "touched %lld time%s", (long long)history->contacts, history->contacts > 1 ? "s" : "");
    else if (reflex->detections > 0)
        used = isfinite(closest) ? snprintf(text, size, "avoided: closest %.3f m", closest)
                                 : snprintf(text, size, "felt a wall where there is none");
    else
        used = isfinite(closest) ? snprintf(text, size, "no wall felt: closest %.3f m", closest)
                                 : snprintf(text, size, "no wall felt");
    if (m->stopped >= 0 && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ", stopped after %.3f m", m->stopped);
    if (reflex->detections > 1 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %.0f detections", reflex->detections);
}

const fm_part_class fm_avoidance_record_class = {.kind = FM_PART_CONTROLLER,
                                                 .element = &element,
                                                 .state_size = sizeof(record_memory),
                                                 .load = load_record,
                                                 .start = start_record,
                                                 .run = run_record,
                                                 .verdict = tell,
                                                 .lanes = &fm_avoidance_record_lanes};
