/* What the results of a study depend on (fathom/study.h). */
#include "base/error.h"
#include "studies/sensitivity.h"
#include "studies/study.h"

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
