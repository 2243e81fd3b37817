/* Series of a sweep: numbers of each run over time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "studies/sweep.h"
#include "world/model.h"

enum { SERIES_MOST = 64 };

static fm_status check_plan(const fm_sweep *s, fm_error *error)
{
    static const char *const fixed[] = {"/world/dt", "/world/duration"};
    for (size_t i = 0; i < s->plan->axis_count; i++)
        for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
            if (fm_text_name_equal(s->plan->axes[i].path, fixed[k]))
                return fm_fail(error, FM_ERR_ARGUMENT,
                               "'%s' cannot vary: the samples of all runs must be at the same "
                               "times",
                               fixed[k]);
    return FM_OK;
}

static fm_status count_samples(fm_sweep *s, const fm_model *model, fm_error *error)
{
    const fm_sweep_options *o = &s->options;
    const double dt = fm_model_dt(model), ticks = o->every / dt;
    const uint64_t end = fm_model_ticks(model, isnan(o->duration) ? fm_model_duration(model) : o->duration);
    if (!(o->every > 0) || ticks > 1e15)
        return fm_fail(error, FM_ERR_RANGE, "samples every %g s: must be more than 0", o->every);
    if (ticks < 0.5 || fabs(ticks - floor(ticks + 0.5)) > 1e-6 * ticks)
        return fm_fail(error, FM_ERR_RANGE, "samples every %g s: must be a whole multiple of the time step, %g s",
                       o->every, dt);
    s->stride = (uint64_t)(ticks + 0.5);
    s->samples = (size_t)(end / s->stride) + 1;
    return FM_OK;
}

static fm_status describe(fm_sweep *s, const fm_ask_panel *panel, fm_error *error)
{
    char why[160];
    for (size_t i = 0; i < s->series_count; i++) {
        const fm_ask_probe *probe = fm_ask_panel_probe(panel, i);
        const fm_ask *ask = fm_ask_probe_ask(probe);
        fm_sweep_column *column = &s->series[i];
        *column = (fm_sweep_column){.index = i, .asked = s->courses[i]};
        /* of a name alone the name itself: "rov.dvl.velocity[0]" */
        const bool named = fm_ask_is_expression(s->courses[i]);
        fm_text_print(column->name, sizeof column->name, "%s", named ? fm_ask_panel_name(panel, i) : s->courses[i]);
        fm_text_print(column->unit, sizeof column->unit, "%s", fm_ask_unit(ask));
        fm_text_print(column->text, sizeof column->text, "%s", fm_ask_text(ask));
        s->series_steps |= !fm_ask_is_instant(ask);
        if (s->refused.status == FM_OK && !fm_ask_probe_ends(probe, why, sizeof why))
            (void)fm_fail(&s->refused, FM_ERR_MODEL, "series are sampled by worlds: %s", why);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(s->series[k].name, column->name))
                return fm_fail(error, FM_ERR_NAME, "two series are called '%s': give one another name", column->name);
    }
    return FM_OK;
}

/* A run in lanes goes on after its end. */
static void check_ends(fm_sweep *s, const fm_model *model)
{
    for (size_t i = 0; i < model->type_count && s->refused.status == FM_OK; i++)
        if (model->types[i].contact.ends)
            (void)fm_fail(&s->refused, FM_ERR_MODEL, "series of runs that a contact ends are sampled by worlds");
}

fm_status fm_sweep_list_series(fm_sweep *s, const fm_model *model, fm_error *error)
{
    const fm_sweep_options *o = &s->options;
    s->width = s->column_count;
    if (o->series_count == 0)
        return FM_OK;
    if (o->series_count > SERIES_MOST)
        return fm_fail(error, FM_ERR_FULL, "%zu series: must be at most %d", o->series_count, SERIES_MOST);
    s->courses = fm_arena_alloc(&s->arena, o->series_count * sizeof *s->courses);
    s->series = fm_arena_alloc(&s->arena, o->series_count * sizeof *s->series);
    for (size_t i = 0; s->courses && s->series && i < o->series_count; i++, s->series_count++)
        if (!(s->courses[i] = fm_arena_text(&s->arena, o->series[i])))
            break;
    if (s->series_count < o->series_count)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for series");
    fm_status status = check_plan(s, error);
    if (status == FM_OK)
        status = count_samples(s, model, error);
    fm_ask_panel *panel = NULL;
    if (status == FM_OK)
        status = fm_sweep_begin_series(s, model, &panel, error);
    if (status == FM_OK)
        status = describe(s, panel, error);
    fm_ask_panel_free(panel);
    check_ends(s, model);
    if (status == FM_OK && (__builtin_mul_overflow(s->samples, s->series_count, &s->width) ||
                            (s->width += s->column_count) > ((size_t)1 << 40)))
        status = fm_fail(error, FM_ERR_RANGE, "the series have too many samples");
    return status;
}

fm_status fm_sweep_begin_series(const fm_sweep *s, const fm_model *model, fm_ask_panel **panel, fm_error *error)
{
    *panel = s->series_count ? fm_ask_panel_create(model, s->courses, s->series_count, error) : NULL;
    return s->series_count && !*panel ? FM_ERR_MODEL : FM_OK;
}

void fm_sweep_note_series(const fm_sweep *s, const fm_world *world, fm_ask_panel *panel, double *series)
{
    const uint64_t tick = fm_world_tick(world);
    const bool due = tick % s->stride == 0 && tick / s->stride < s->samples;
    if (due || s->series_steps)
        fm_ask_panel_note(panel, world);
    for (size_t i = 0; due && i < s->series_count; i++)
        series[i * s->samples + (size_t)(tick / s->stride)] = fm_ask_panel_value(panel, i);
}
