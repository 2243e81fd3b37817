#include "control/law_part.h"

static_assert((int)FM_LAW_MIN == FM_METRIC_MIN && (int)FM_LAW_MAX == FM_METRIC_MAX &&
                  (int)FM_LAW_SUM == FM_METRIC_SUM && (int)FM_LAW_RMS == FM_METRIC_RMS &&
                  (int)FM_LAW_LAST == FM_METRIC_LAST && (int)FM_LAW_FIRST == FM_METRIC_FIRST &&
                  (int)FM_LAW_MEAN == FM_METRIC_MEAN,
              "kinds of metrics, as kernels name them");

void fm_law_load(fm_part_load *load, const fm_law *law, fm_law_links *links)
{
    for (size_t i = 0; i < law->row_count; i++)
        links->metrics[i] =
            fm_load_metric(load, law->rows[i].name, law->rows[i].unit, law->rows[i].text, law->rows[i].kind);
}

fm_law_io fm_law_begin(const fm_part_context *context, const fm_law_links *links)
{
    const fm_vehicle_view *v = context->vehicle;
    fm_law_io io = {.time = context->time,
                    .period = context->period,
                    .position = v->position,
                    .velocity = v->velocity,
                    .output = context->output,
                    .now = {&context->seed, &context->tick, context->tick},
                    .entity = context->entity,
                    .channel = context->channel};
    for (int64_t i = 0; i < links->source_count; i++)
        io.source[i] = fm_sensor_output(context, (int)links->sources[i]);
    fm_euler_from_matrix(v->rotation, io.euler);
    fm_law_clear(&io);
    return io;
}

void fm_law_end(const fm_part_context *context, const fm_law *law, const fm_law_links *links, const fm_law_io *io)
{
    for (size_t i = 0; i < law->row_count; i++)
        if (io->notes[i])
            fm_metric_note(context, (int)links->metrics[i], io->noted[i]);
    for (int64_t i = 0; i < links->actuator_count && io->orders; i++)
        fm_actuator_order(context, (int)links->actuators[i], io->order[i]);
}
