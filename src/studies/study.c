/* Sweeps for programs (fathom/study.h). */
#include <fathom/study.h>
#include <math.h>

#include "base/error.h"
#include "batch/cuda.h"
#include "studies/study.h"

struct fm_study {
    fm_sweep_plan plan;
    fm_sweep *sweep;
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

static fm_status check_options(const fm_model *model, const fm_study_options *o, fm_error *error)
{
    if (!model || !o || o->size != sizeof *o)
        return fm_fail(error, FM_ERR_ARGUMENT, "model and options must not be NULL and the options' size must be %zu",
                       sizeof *o);
    if (!(o->duration >= 0) || !isfinite(o->duration))
        return fm_fail(error, FM_ERR_RANGE, "duration is %g s: must be 0 or more", o->duration);
    return FM_OK;
}

static fm_status make_runs(fm_study *study, const fm_model *model, const fm_study_options *o, fm_error *error)
{
    static const fm_load_options plain;
    const fm_sweep_options options = {.load = o->load ? o->load : &plain,
                                      .metrics = o->metrics,
                                      .metric_count = o->metric_count,
                                      .duration = o->duration > 0 ? o->duration : (double)NAN,
                                      .threads = o->threads > 1 ? o->threads : 1,
                                      .backend = fm_study_backend_of(o->backend),
                                      .single = o->single};
    fm_status status = FM_OK;
    for (size_t i = 0; i < o->vary_count && status == FM_OK; i++)
        status = fm_plan_vary(&study->plan, o->vary[i], error);
    study->plan.runs = o->runs ? o->runs : 1;
    study->plan.seed = o->seeded ? o->seed : fm_model_seed(model);
    if (status == FM_OK)
        status = fm_sweep_create(&study->plan, model, &options, &study->sweep, error);
    return status == FM_OK ? fm_sweep_run(study->sweep, error) : status;
}

fm_study *fm_study_run(const fm_model *model, const fm_study_options *options, fm_error *error)
{
    if (check_options(model, options, error) != FM_OK)
        return NULL;
    fm_study *study = fm_alloc(sizeof *study);
    if (!study) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a study");
        return NULL;
    }
    if (make_runs(study, model, options, error) == FM_OK)
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
    return run < fm_study_count(study) && column < columns ? study->sweep->values[run * columns + column] : NAN;
}

const char *fm_study_engine(const fm_study *study)
{
    return study ? study->sweep->engine : "";
}
