#include "fish/seek_task.h"

const fm_attr fm_seek_attrs[FM_SEEK_ATTRS] = {
    FM_VECTOR_ATTR(fm_seek_config, colour, 3, "colour", "", 0, 1, NULL, FM_ATTR_REQUIRED,
                   "of what is sought: red, green, blue; its hue counts, so that it cannot be grey"),
    FM_REAL_ATTR(fm_seek_config, tolerance, "tolerance", "rad", 0.01, 1.5, "30 deg", 0,
                 "between the hues of the colour and of a pixel that is taken for it"),
    FM_REAL_ATTR(fm_seek_config, pixels, "pixels", "", 1, 1e6, "8", 0, "least number of pixels of the colour"),
    FM_REAL_ATTR(fm_seek_config, size, "size", "rad", 0.01, 2, "20 deg", 0,
                 "apparent width in the pictures at which it is reached and circled"),
    FM_REAL_ATTR(fm_seek_config, turn, "turn", "rad/s", 0.05, 2, "0.5 rad/s", 0, "of the search"),
    FM_REAL_ATTR(fm_seek_config, leg, "leg", "s", 0.1, 1e4, "6 s", 0,
                 "straight on after a full turn that has found nothing"),
};

fm_status fm_seek_load(fm_part_load *load, fm_seek_config *c, fm_error *error)
{
    if (!fm_hue_of(c->colour, c->tolerance, &c->hue))
        return fm_load_fail_at(load, "seek", 0, "colour", error, FM_ERR_RANGE,
                               "%g %g %g is grey: must have a hue, as 0.8 0.1 0.1 has", c->colour[0], c->colour[1],
                               c->colour[2]);
    c->metric_seen = fm_load_metric(load, "target_seen", "",
                                    "share of the time in which the target was in the pictures", FM_METRIC_MEAN);
    fm_status status = fm_eyes_load(load, &c->eyes, error);
    c->params = (fm_seek_params){.size = c->size, .turn = c->turn, .leg = c->leg, .widest = c->eyes.widest};
    return status;
}

static void report(const fm_part_context *context, int before, const fm_seek_state *s)
{
    int now = (int)s->behaviour;
    if (now == before)
        return;
    if (now == FM_FISH_SEARCH)
        fm_event_emit(context, "target lost", s->bearing);
    else if (before == FM_FISH_SEARCH)
        fm_event_emit(context, "target found", s->bearing);
    if (now == FM_FISH_CIRCLE)
        fm_event_emit(context, "target reached", s->width);
}

fm_fish_decision fm_seek_run(const fm_part_context *context, const fm_seek_config *c, fm_seek_memory *m, double speed,
                             double turn_rate)
{
    fm_blob blob;
    int seen, before = (int)m->state.behaviour;
    if (fm_eyes_see(context, &c->eyes, &m->eyes, &c->hue, c->pixels, &seen, &blob))
        fm_seek_see(&c->params, &m->state, seen ? &blob : NULL);
    fm_fish_decision wanted = fm_seek_decide(&c->params, &m->state, speed, turn_rate, context->period);
    fm_metric_note(context, c->metric_seen, m->state.behaviour != FM_FISH_SEARCH);
    report(context, before, &m->state);
    return wanted;
}
