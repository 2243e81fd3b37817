/* Sweeps for programs (fathom/study.h). */
#include <fathom/study.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/outfile.h"
#include "batch/cuda.h"
#include "studies/result.h"
#include "studies/study.h"

enum { MOST_METRICS = 256, MOST_SETS = 256 };

fm_sweep_backend fm_study_backend_of(fm_study_backend backend)
{
    char reason[200];
    switch (backend) {
    case FM_STUDY_WORLDS: return FM_SWEEP_WORLDS;
    case FM_STUDY_SIMD: return FM_SWEEP_SIMD;
    case FM_STUDY_CUDA: return FM_SWEEP_CUDA;
    case FM_STUDY_FASTEST: return fm_cuda_find(reason, sizeof reason) ? FM_SWEEP_CUDA : FM_SWEEP_SIMD;
    default: return FM_SWEEP_AUTO;
    }
}

/* `own`: the caller's options, with zeros for members that its header lacks. */
static fm_status check_options(const fm_model *model, const fm_study_options *o, fm_study_options *own, fm_error *error)
{
    const size_t least = offsetof(fm_study_options, design);
    if (!model || !o || o->size < least)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "model and options must not be NULL and the options' size must be %zu or more", least);
    if (FM_READ_OPTIONS(own, o, fm_study_options, error) != FM_OK)
        return FM_ERR_ARGUMENT;
    if (!(own->duration >= 0) || !isfinite(own->duration))
        return fm_fail(error, FM_ERR_RANGE, "duration is %g s: must be 0 or more", own->duration);
    if (own->design > FM_STUDY_POINTS || (own->points && own->design != FM_STUDY_FACTORIAL))
        return fm_fail(error, FM_ERR_ARGUMENT, "design is %d: must be one of fm_study_design, and 0 with points",
                       (int)own->design);
    if (own->metric_count > MOST_METRICS || (own->load && own->load->set_count > MOST_SETS))
        return fm_fail(error, FM_ERR_RANGE, "at most %d metrics and %d overrides of parameters", MOST_METRICS,
                       MOST_SETS);
    return FM_OK;
}

/* The values of points belong together, one of each parameter. */
static fm_status check_points(const fm_study *study, fm_error *error)
{
    const fm_sweep_plan *plan = &study->plan;
    if (study->options.design != FM_STUDY_POINTS)
        return FM_OK;
    for (size_t i = 0; i < plan->axis_count; i++) {
        const fm_sweep_axis *axis = &plan->axes[i];
        if (axis->kind != FM_AXIS_NUMBERS)
            return fm_fail(error, FM_ERR_ARGUMENT, "points have listed numbers; '%.160s' has none", axis->path);
        if (axis->count != plan->axes[0].count)
            return fm_fail(error, FM_ERR_ARGUMENT, "points have one value of each parameter: '%.160s' has %zu, not %zu",
                           axis->path, axis->count, plan->axes[0].count);
    }
    return FM_OK;
}

static fm_status fill_plan(fm_study *study, const fm_model *model, fm_error *error)
{
    static const fm_design designs[] = {FM_DESIGN_FACTORIAL, FM_DESIGN_RANDOM, FM_DESIGN_LATIN, FM_DESIGN_SOBOL,
                                        FM_DESIGN_SALTELLI,  FM_DESIGN_MORRIS, FM_DESIGN_POINTS};
    const fm_study_options *o = &study->options;
    fm_sweep_plan *plan = &study->plan;
    plan->design = designs[o->design];
    plan->runs = o->runs ? o->runs : 1;
    plan->seed = o->seeded ? o->seed : fm_model_seed(model);
    fm_status status = o->points ? fm_plan_vary_points(plan, o->points, error) : FM_OK;
    for (size_t i = 0; i < o->vary_count && status == FM_OK; i++)
        status = fm_plan_vary(plan, o->vary[i], error);
    for (size_t i = 0; i < o->fit_count && status == FM_OK; i++)
        status = fm_plan_vary_fit(plan, o->fits[i], error);
    for (size_t i = 0; i < o->correlation_count && status == FM_OK; i++)
        status = fm_plan_correlate(plan, o->correlations[i], error);
    return status == FM_OK ? check_points(study, error) : status;
}

/* Keeps the error of the first run that failed, and reports the progress. */
static void note(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure)
{
    fm_study *study = user;
    if (failure && run <= study->failed_run) {
        study->failed_run = run;
        study->failure = *failure;
    }
    if (study->options.progress &&
        study->options.progress(study->options.user, atomic_load(&sweep->made), study->plan.total))
        atomic_store(&study->sweep->stop, 1);
}

/* Lists of the caller, which the study outlives. */
static const char **copy_texts(fm_study *study, const char *const *texts, size_t count)
{
    const char **copies = fm_arena_alloc(&study->plan.arena, (count + 1) * sizeof *copies);
    for (size_t i = 0; i < count && copies; i++)
        if (!(copies[i] = fm_arena_text(&study->plan.arena, texts[i])))
            return NULL;
    return copies;
}

static fm_status create(fm_study *study, const fm_model *model, fm_error *error)
{
    static const fm_load_options plain;
    const fm_study_options *o = &study->options;
    const fm_sweep_options options = {.load = o->load ? o->load : &plain,
                                      .metrics = copy_texts(study, o->metrics, o->metric_count),
                                      .metric_count = o->metric_count,
                                      .series = copy_texts(study, o->series, o->series_count),
                                      .series_count = o->series_count,
                                      .every = o->every,
                                      .duration = o->duration > 0 ? o->duration : (double)NAN,
                                      .threads = o->threads > 1 ? o->threads : 1,
                                      .backend = fm_study_backend_of(o->backend),
                                      .single = o->single,
                                      .done = note,
                                      .user = study};
    if (!options.metrics || !options.series)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a study");
    study->failed_run = SIZE_MAX;
    fm_status status = fill_plan(study, model, error);
    return status == FM_OK ? fm_sweep_create(&study->plan, model, &options, &study->sweep, error) : status;
}

fm_study *fm_study_create(const fm_model *model, const fm_study_options *options, fm_error *error)
{
    fm_study_options own;
    if (check_options(model, options, &own, error) != FM_OK)
        return NULL;
    fm_study *study = fm_alloc(sizeof *study);
    if (!study) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a study");
        return NULL;
    }
    study->options = own;
    if (create(study, model, error) == FM_OK)
        return study;
    fm_study_free(study);
    return NULL;
}

static fm_status make_all(fm_study *study, fm_error *error)
{
    const fm_status status = fm_study_make(study, 0, SIZE_MAX, error);
    return status == FM_ERR_CANCELLED && study->options.progress ? FM_OK : status; /* `progress` has ended it */
}

fm_study *fm_study_run(const fm_model *model, const fm_study_options *options, fm_error *error)
{
    fm_study *study = fm_study_create(model, options, error);
    if (study && make_all(study, error) != FM_OK) {
        fm_study_free(study);
        return NULL;
    }
    return study;
}

/* --- parts --- */

/* Runs that wait: threads take some at a time. */
typedef struct part {
    fm_sweep *sweep;
    size_t next, end;
} part;

static bool take(void *user, size_t least, size_t most, size_t *first, size_t *end)
{
    part *p = user;
    pthread_mutex_lock(&p->sweep->lock);
    *first = p->next;
    *end = p->next += fm_sweep_portion(p->end - p->next, (size_t)p->sweep->options.threads, least, most);
    pthread_mutex_unlock(&p->sweep->lock);
    return *first < *end;
}

fm_status fm_study_make(fm_study *study, size_t first, size_t count, fm_error *error)
{
    const size_t total = fm_study_count(study);
    if (!study || first > total)
        return fm_fail(error, FM_ERR_RANGE, "there are %zu runs; the first one to make is %zu", total, first);
    fm_sweep *s = study->sweep;
    part p = {.sweep = s, .next = first, .end = first + (count < total - first ? count : total - first)};
    s->source = &(fm_sweep_source){take, &p};
    fm_status status = fm_sweep_run(s, error);
    s->source = NULL;
    const bool stopped = atomic_exchange(&s->stop, 0) != 0;
    return status == FM_OK && stopped ? fm_fail(error, FM_ERR_CANCELLED, "the study was cancelled") : status;
}

void fm_study_cancel(fm_study *study)
{
    if (study)
        atomic_store(&study->sweep->stop, 1);
}

size_t fm_study_made(const fm_study *study)
{
    return study ? atomic_load(&study->sweep->made) : 0;
}

fm_status fm_study_put(fm_study *study, size_t first, size_t count, const unsigned char *outcomes, const double *values,
                       fm_error *error)
{
    const size_t total = fm_study_count(study);
    if (!study || !outcomes || !values)
        return fm_fail(error, FM_ERR_ARGUMENT, "study, outcomes and values must not be NULL");
    if (first > total || count > total - first)
        return fm_fail(error, FM_ERR_RANGE, "runs %zu to %zu: there are %zu", first, first + count, total);
    fm_sweep *s = study->sweep;
    for (size_t i = 0; i < count; i++)
        if (outcomes[i] > FM_OUTCOME_FAILED)
            return fm_fail(error, FM_ERR_RANGE, "outcome %d of run %zu: must be 0, 1 or 2", outcomes[i], first + i);
    pthread_mutex_lock(&s->lock);
    memcpy(s->outcomes + first, outcomes, count);
    memcpy(s->values + first * s->width, values, count * s->width * sizeof *values);
    pthread_mutex_unlock(&s->lock);
    return FM_OK;
}

uint64_t fm_study_identity(const fm_study *study)
{
    return study ? study->sweep->identity : 0;
}

/* --- files --- */

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

fm_status fm_study_write(const fm_study *study, const char *file, const char *command, fm_error *error)
{
    fm_outfile out;
    if (!study || !file)
        return fm_fail(error, FM_ERR_ARGUMENT, "study and file must not be NULL");
    if (ends_with(file, ".nc"))
        return fm_sweep_write_netcdf(study->sweep, file, command ? command : "", error);
    const fm_status status = fm_outfile_open(&out, file, error);
    if (status != FM_OK)
        return status;
    fm_sweep_write_csv(study->sweep, out.file);
    return fm_outfile_close(&out, error);
}

void fm_study_free(fm_study *study)
{
    if (!study)
        return;
    fm_sweep_free(study->sweep);
    fm_plan_free(&study->plan);
    fm_free(study);
}
