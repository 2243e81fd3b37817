#include "fish/senses.h"

#include <math.h>
#include <string.h>

/* One instrument: its ranges by bearing, or the one range along its axis. */
static fm_status add_instrument(fm_part_load *load, size_t part, fm_fish_senses *s, fm_error *error)
{
    fm_quantity_view *view = &s->view[s->count];
    const char *name = fm_load_part_info(load, part).name;
    if (!fm_load_quantity(load, part, FM_QUANTITY_FAN, view) && !fm_load_quantity(load, part, FM_QUANTITY_RANGE, view))
        return FM_OK;
    const fm_mount *m = view->mount;
    const double *R = m->rotation, level = fm_sqrt(R[0] * R[0] + R[3] * R[3]);
    if (level < 0.7)
        return FM_OK; /* it looks up or down */
    double half = view->count > 1 ? 0.5 * m->width : 0;
    if (!fm_anticipate_add(&s->sight, m->position[0], m->position[1], fm_atan2(R[3], R[0]), half, (int)view->count,
                           m->farthest))
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "with the %zu bearings of '%s' the fish has more than %d: must be at most that many",
                            view->count, name, FM_ANTICIPATE_BEAMS);
    s->count++;
    return FM_OK;
}

fm_status fm_fish_senses_load(fm_part_load *load, const char *element, const fm_anticipate_params *sight,
                              fm_fish_senses *s, fm_error *error)
{
    *s = (fm_fish_senses){.sight = *sight};
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        const fm_part_class *class = fm_load_part_info(load, i).part_class;
        if (class->kind != FM_PART_SENSOR || strcmp(class->element->name, element) != 0)
            continue;
        if (s->count == FM_FISH_SENSORS)
            return fm_load_fail(load, error, FM_ERR_RANGE, "the fish has more than %d instruments <%s>",
                                FM_FISH_SENSORS, element);
        fm_status status = add_instrument(load, i, s, error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

int fm_fish_senses_read(const fm_part_context *context, const fm_fish_senses *s, fm_fish_sensed *sensed, double hold,
                        double *range)
{
    const void *data[FM_FISH_SENSORS];
    int news = 0;
    for (size_t i = 0; i < s->count; i++) {
        fm_reading r = fm_sensor_reading(context, (int)s->view[i].part);
        int known = r.count > 0 && context->time - r.time <= hold + 1e-9;
        data[i] = known ? fm_quantity_data(context, &s->view[i]) : NULL;
        news |= r.count != sensed->samples[i];
        sensed->samples[i] = r.count;
    }
    for (int i = 0; i < s->sight.beams; i++) {
        const fm_anticipate_beam *beam = &s->sight.beam[i];
        const void *from = data[beam->sensor];
        double r = from ? fm_quantity_at(&s->view[beam->sensor], from, (size_t)beam->item) : s->sight.range;
        range[i] = fm_clamp(r, 0, s->sight.range); /* nearer than it can measure: there */
    }
    return news;
}
