/* The result of a fit for programs (fathom/fit.h). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "studies/fit.h"
#include "studies/options.h"

/* --- the journal --- */

/* Of all that runs and their number depend on. */
static uint64_t identity_of(const fm_fit *f)
{
    const fm_fit_setup *o = &f->options;
    uint64_t hash = f->sweep->identity;
    fm_options_hash(&hash, f->t, f->rows * sizeof *f->t);
    fm_options_hash(&hash, f->y, f->rows * sizeof *f->y);
    fm_options_hash(&hash, f->kept, f->rows);
    for (size_t k = 0; k < f->count; k++) {
        const fm_fit_parameter *p = &f->parameters[k];
        const double numbers[] = {p->start, p->low, p->high, p->scale, p->mean, p->prior};
        fm_options_hash_text(&hash, p->path);
        fm_options_hash(&hash, numbers, sizeof numbers);
    }
    for (size_t c = 0; c < o->channel_count; c++) {
        fm_options_hash_text(&hash, o->channels[c].ours);
        fm_options_hash(&hash, &o->channels[c].sigma, sizeof(double));
    }
    for (size_t i = 0; i < o->source_count * o->input_count; i++) {
        fm_options_hash_text(&hash, o->inputs[i % o->input_count].ours);
        fm_options_hash(&hash, f->steers[i].t, f->steers[i].count * sizeof(double));
        fm_options_hash(&hash, f->steers[i].y, f->steers[i].count * sizeof(double));
    }
    for (size_t s = 0; s < o->source_count; s++)
        fm_options_hash(&hash, &o->sources[s].input_count, sizeof(size_t));
    const int64_t numbers[] = {o->loss,          o->searches,       o->iterations,
                               o->from_record,   o->whole_state,    (int64_t)f->segment_ticks,
                               (int64_t)f->rows, (int64_t)f->groups};
    fm_options_hash(&hash, numbers, sizeof numbers);
    return hash;
}

/* --- solve --- */

static void add_note(void *user, const char *text)
{
    fm_fit *f = user;
    char *copy = fm_arena_text(&f->arena, text);
    if (!f->notes || !copy)
        return;
    f->notes[f->note_count++] = copy;
}

static void count_note(void *user, const char *text)
{
    (void)text;
    ++*(size_t *)user;
}

static fm_status keep_result(fm_fit *f, fm_error *error)
{
    size_t notes = 0;
    for (size_t k = 0; k < f->count; k++) {
        const fm_fit_parameter *p = &f->parameters[k];
        f->found[0][k] = p->value;
        f->found[1][k] = p->least;
        f->found[2][k] = p->most;
        f->found[3][k] = p->deviation;
        for (size_t j = 0; j < f->count; j++)
            f->covariance[k * f->count + j] = f->correlation[k][j] * p->deviation * f->parameters[j].deviation;
    }
    (void)fm_fit_remark(f, count_note, &notes);
    f->notes = fm_arena_alloc(&f->arena, (notes + 1) * sizeof *f->notes);
    f->note_count = 0;
    (void)fm_fit_remark(f, add_note, f);
    return f->notes ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the result of a fit");
}

fm_status fm_fit_make_room(fm_fit *f, fm_error *error)
{
    for (int i = 0; i < 4; i++)
        if (!(f->found[i] = fm_arena_alloc(&f->arena, (f->count + 1) * sizeof(double))))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the result of a fit");
    f->covariance = fm_arena_alloc(&f->arena, (f->count * f->count + 1) * sizeof(double));
    for (size_t k = 0; k < f->count; k++) {
        f->found[0][k] = f->parameters[k].start;
        f->found[1][k] = f->found[2][k] = f->found[3][k] = NAN;
    }
    return f->covariance ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the result of a fit");
}

fm_status fm_fit_solve(fm_fit *f, fm_error *error)
{
    fm_status status = FM_OK;
    if (!f || f->tried)
        return fm_fail(error, FM_ERR_ARGUMENT, "fit must not be NULL, and it is solved once");
    if (f->options.journal)
        status =
            fm_rows_open(&f->journal, f->options.journal, 1 + f->rows, identity_of(f), f->options.resume, "fit", error);
    if (status == FM_OK)
        status = fm_fit_search(f, error);
    if (status != FM_OK && atomic_load(&f->stop))
        return fm_fail(error, FM_ERR_CANCELLED, "the fit was cancelled");
    return status == FM_OK ? keep_result(f, error) : status;
}

/* --- parameters --- */

size_t fm_fit_count(const fm_fit *f)
{
    return f ? f->count : 0;
}

const char *fm_fit_name(const fm_fit *f, size_t parameter)
{
    return parameter < fm_fit_count(f) ? f->parameters[parameter].path : NULL;
}

const char *fm_fit_unit(const fm_fit *f, size_t parameter)
{
    return parameter < fm_fit_count(f) ? f->parameters[parameter].unit : NULL;
}

const double *fm_fit_values(const fm_fit *f)
{
    return f ? f->found[0] : NULL;
}

const double *fm_fit_low(const fm_fit *f)
{
    return f ? f->found[1] : NULL;
}

const double *fm_fit_high(const fm_fit *f)
{
    return f ? f->found[2] : NULL;
}

const double *fm_fit_deviations(const fm_fit *f)
{
    return f ? f->found[3] : NULL;
}

const double *fm_fit_covariance(const fm_fit *f)
{
    return f ? f->covariance : NULL;
}

/* --- how good it is --- */

int fm_fit_converged(const fm_fit *f)
{
    return f && f->converged;
}

int fm_fit_trusted(const fm_fit *f)
{
    return f && f->converged && !f->doubts;
}

const char *fm_fit_note(const fm_fit *f, size_t i)
{
    return f && i < f->note_count ? f->notes[i] : NULL;
}

double fm_fit_misfit(const fm_fit *f)
{
    return f && f->tried ? f->misfit : (double)NAN;
}

size_t fm_fit_runs(const fm_fit *f)
{
    return f ? f->runs : 0;
}

const char *fm_fit_ended(const fm_fit *f)
{
    return f ? f->ended : "";
}

/* --- quantities --- */

size_t fm_fit_quantity_count(const fm_fit *f)
{
    return f ? f->options.channel_count : 0;
}

const char *fm_fit_quantity_name(const fm_fit *f, size_t quantity)
{
    return quantity < fm_fit_quantity_count(f) ? f->channels[quantity].link.ours : NULL;
}

const char *fm_fit_quantity_unit(const fm_fit *f, size_t quantity)
{
    return quantity < fm_fit_quantity_count(f) ? f->channels[quantity].unit : NULL;
}

double fm_fit_rms(const fm_fit *f, size_t quantity, int checked)
{
    return quantity < fm_fit_quantity_count(f) && f->tried ? f->channels[quantity].rms[checked != 0] : (double)NAN;
}

size_t fm_fit_sample_count(const fm_fit *f)
{
    return f ? f->rows : 0;
}

size_t fm_fit_samples(const fm_fit *f, size_t first, size_t count, fm_fit_sample *samples)
{
    const size_t all = fm_fit_sample_count(f), channels = fm_fit_quantity_count(f);
    if (!samples || first >= all)
        return 0;
    count = count < all - first ? count : all - first;
    for (size_t b = 0, i = 0; b < f->options.source_count * channels; b++)
        for (i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].count; i++)
            if (i >= first && i - first < count)
                samples[i - first] = (fm_fit_sample){.record = b / channels,
                                                     .quantity = b % channels,
                                                     .checked = f->kept[i],
                                                     .t = f->t[i],
                                                     .recorded = f->y[i],
                                                     .fitted = f->said[i],
                                                     .weight = f->weight[i] * f->weight[i]};
    return count;
}
