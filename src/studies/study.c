/* Sweeps for programs (fathom/study.h). */
#include <fathom/study.h>
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/options.h"
#include "batch/cuda.h"
#include "studies/sensitivity.h"
#include "studies/study.h"

struct fm_study {
    fm_sweep_plan plan;
    fm_sweep *sweep;
    fm_study_options options; /* while it runs */
};

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
    if (own->design > FM_STUDY_MORRIS || (own->points && own->design != FM_STUDY_FACTORIAL))
        return fm_fail(error, FM_ERR_ARGUMENT, "design is %d: must be one of fm_study_design, and 0 with points",
                       (int)own->design);
    return FM_OK;
}

/* After each run. */
static void note_run(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure)
{
    const fm_study *study = user;
    (void)run;
    (void)failure;
    if (study->options.progress(study->options.user, atomic_load(&sweep->made), study->plan.total))
        atomic_store(&study->sweep->stop, 1);
}

static fm_status fill_plan(fm_study *study, const fm_model *model, fm_error *error)
{
    static const fm_design designs[] = {FM_DESIGN_FACTORIAL, FM_DESIGN_RANDOM,   FM_DESIGN_LATIN,
                                        FM_DESIGN_SOBOL,     FM_DESIGN_SALTELLI, FM_DESIGN_MORRIS};
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
    return status;
}

static fm_status make_runs(fm_study *study, const fm_model *model, fm_error *error)
{
    static const fm_load_options plain;
    const fm_study_options *o = &study->options;
    fm_sweep_options options = {.load = o->load ? o->load : &plain,
                                .metrics = o->metrics,
                                .metric_count = o->metric_count,
                                .duration = o->duration > 0 ? o->duration : (double)NAN,
                                .threads = o->threads > 1 ? o->threads : 1,
                                .backend = fm_study_backend_of(o->backend),
                                .single = o->single};
    options.series = o->series;
    options.series_count = o->series_count;
    options.every = o->every;
    options.done = o->progress ? note_run : NULL;
    options.user = study;
    fm_status status = fill_plan(study, model, error);
    if (status == FM_OK)
        status = fm_sweep_create(&study->plan, model, &options, &study->sweep, error);
    return status == FM_OK ? fm_sweep_run(study->sweep, error) : status;
}

fm_study *fm_study_run(const fm_model *model, const fm_study_options *options, fm_error *error)
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
    if (make_runs(study, model, error) == FM_OK)
        return study;
    fm_study_free(study);
    return NULL;
}

void fm_study_free(fm_study *study)
{
    if (!study)
        return;
    fm_sweep_free(study->sweep);
    fm_plan_free(&study->plan);
    fm_free(study);
}

size_t fm_study_count(const fm_study *study)
{
    return study ? study->plan.total : 0;
}

int fm_study_finished(const fm_study *study, size_t run)
{
    return run < fm_study_count(study) && study->sweep->outcomes[run] == FM_OUTCOME_FINISHED;
}

uint64_t fm_study_seed(const fm_study *study, size_t run)
{
    return run < fm_study_count(study) ? fm_plan_seed(&study->plan, run) : 0;
}

double fm_study_input(const fm_study *study, size_t run, size_t vary)
{
    double values[FM_AXES_MOST];
    if (run >= fm_study_count(study) || vary >= study->plan.axis_count)
        return NAN;
    fm_plan_values(&study->plan, run, values);
    return values[vary];
}

size_t fm_study_column_count(const fm_study *study)
{
    return study ? study->sweep->column_count : 0;
}

const char *fm_study_column_name(const fm_study *study, size_t column)
{
    return column < fm_study_column_count(study) ? study->sweep->columns[column].name : NULL;
}

const char *fm_study_column_unit(const fm_study *study, size_t column)
{
    return column < fm_study_column_count(study) ? study->sweep->columns[column].unit : NULL;
}

double fm_study_value(const fm_study *study, size_t run, size_t column)
{
    const size_t columns = fm_study_column_count(study);
    return run < fm_study_count(study) && column < columns ? study->sweep->values[run * study->sweep->width + column]
                                                           : NAN;
}

size_t fm_study_series_count(const fm_study *study)
{
    return study ? study->sweep->series_count : 0;
}

const char *fm_study_series_name(const fm_study *study, size_t series)
{
    return series < fm_study_series_count(study) ? study->sweep->series[series].name : NULL;
}

const char *fm_study_series_unit(const fm_study *study, size_t series)
{
    return series < fm_study_series_count(study) ? study->sweep->series[series].unit : NULL;
}

size_t fm_study_sample_count(const fm_study *study)
{
    return study ? study->sweep->samples : 0;
}

double fm_study_sample_time(const fm_study *study, size_t sample)
{
    if (sample >= fm_study_sample_count(study))
        return NAN;
    return (double)(study->sweep->stride * sample) * fm_model_dt(study->sweep->model);
}

double fm_study_sample(const fm_study *study, size_t run, size_t series, size_t sample)
{
    if (run >= fm_study_count(study) || series >= fm_study_series_count(study) ||
        sample >= fm_study_sample_count(study))
        return NAN;
    const fm_sweep *s = study->sweep;
    return s->values[run * s->width + s->column_count + series * s->samples + sample];
}

/* --- what a column depends on --- */

/* The answers of all runs; NULL and *error: the study has another design, or the column does not exist. */
static double *collect_answers(const fm_study *study, fm_design design, size_t column, fm_error *error)
{
    if (!study || study->plan.design != design || column >= fm_study_column_count(study)) {
        fm_fail(error, FM_ERR_ARGUMENT, "the study must have the design %s and a column %zu", fm_design_name(design),
                column);
        return NULL;
    }
    double *answers = fm_alloc((study->plan.total + 1) * sizeof *answers);
    if (!answers)
        fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", study->plan.total);
    for (size_t run = 0; answers && run < study->plan.total; run++)
        answers[run] = fm_study_value(study, run, column);
    return answers;
}

fm_status fm_study_index(const fm_study *study, size_t column, fm_study_sobol *indices, size_t room, fm_error *error)
{
    fm_sobol_index found[FM_AXES_MOST];
    size_t used;
    double *answers = collect_answers(study, FM_DESIGN_SALTELLI, column, error);
    if (!answers || !indices)
        return fm_free(answers), fm_fail(error, FM_ERR_ARGUMENT,
                                         "no Sobol indices: the study must have the design "
                                         "saltelli, and indices must not be NULL");
    const size_t inputs = study->plan.axis_count;
    fm_status status = fm_sobol_indices(answers, study->plan.runs, inputs, found, &used, error);
    for (size_t i = 0; i < inputs && i < room && status == FM_OK; i++)
        indices[i] = (fm_study_sobol){found[i].first.value, found[i].first.low, found[i].first.high,
                                      found[i].total.value, found[i].total.low, found[i].total.high};
    fm_free(answers);
    return status;
}

/* values[input][run] */
static double *collect_inputs(const fm_study *study, const double **values)
{
    const fm_sweep_plan *plan = &study->plan;
    double *all = fm_alloc((plan->axis_count * plan->total + 1) * sizeof *all), row[FM_AXES_MOST];
    for (size_t run = 0; all && run < plan->total; run++) {
        fm_plan_values(plan, run, row);
        for (size_t i = 0; i < plan->axis_count; i++)
            all[i * plan->total + run] = row[i];
    }
    for (size_t i = 0; all && i < plan->axis_count; i++)
        values[i] = all + i * plan->total;
    return all;
}

fm_status fm_study_effect(const fm_study *study, size_t column, fm_study_morris *effects, size_t room, fm_error *error)
{
    fm_morris_effect found[FM_AXES_MOST];
    const double *values[FM_AXES_MOST];
    double *answers = collect_answers(study, FM_DESIGN_MORRIS, column, error);
    if (!answers || !effects)
        return fm_free(answers), fm_fail(error, FM_ERR_ARGUMENT,
                                         "no effects: the study must have the design morris, "
                                         "and effects must not be NULL");
    double *all = collect_inputs(study, values);
    fm_status status = all ? fm_morris_effects(answers, values, study->plan.runs, study->plan.axis_count, found, error)
                           : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", study->plan.total);
    for (size_t i = 0; i < study->plan.axis_count && i < room && status == FM_OK; i++)
        effects[i] = (fm_study_morris){found[i].magnitude.value, found[i].magnitude.low, found[i].magnitude.high,
                                       found[i].mean, found[i].deviation};
    fm_free(answers);
    fm_free(all);
    return status;
}

const char *fm_study_engine(const fm_study *study)
{
    return study ? study->sweep->engine : "";
}
