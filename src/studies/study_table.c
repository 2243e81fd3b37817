/* The runs of a study and their results (fathom/study.h). */
#include <math.h>
#include <string.h>

#include "base/cf_units.h"
#include "studies/study.h"

size_t fm_study_count(const fm_study *study)
{
    return study ? study->plan.total : 0;
}

int fm_study_finished(const fm_study *study, size_t run)
{
    return run < fm_study_count(study) && study->sweep->outcomes[run] == FM_OUTCOME_FINISHED;
}

const unsigned char *fm_study_outcomes(const fm_study *study)
{
    return study ? study->sweep->outcomes : NULL;
}

fm_error fm_study_failure(const fm_study *study)
{
    return study ? study->failure : (fm_error){0};
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

size_t fm_study_inputs(const fm_study *study, size_t first, size_t count, uint64_t *seeds, double *values)
{
    const size_t total = fm_study_count(study);
    if (first >= total)
        return 0;
    count = count < total - first ? count : total - first;
    const fm_sweep_plan *plan = &study->plan;
    double row[FM_AXES_MOST];
    for (size_t i = 0; i < count; i++) {
        if (seeds)
            seeds[i] = fm_plan_seed(plan, first + i);
        if (!values)
            continue;
        fm_plan_values(plan, first + i, row);
        memcpy(values + i * plan->axis_count, row, plan->axis_count * sizeof *row);
    }
    return count;
}

/* --- parameters --- */

size_t fm_study_parameter_count(const fm_study *study)
{
    return study ? study->plan.axis_count : 0;
}

fm_study_parameter fm_study_parameter_info(const fm_study *study, size_t i)
{
    if (i >= fm_study_parameter_count(study))
        return (fm_study_parameter){0};
    const fm_sweep_axis *axis = &study->plan.axes[i];
    return (fm_study_parameter){.path = axis->path,
                                .unit = axis->unit,
                                .text = axis->text,
                                .words = axis->kind == FM_AXIS_WORDS ? (const char *const *)axis->words : NULL,
                                .word_count = axis->kind == FM_AXIS_WORDS ? axis->count : 0,
                                .drawn = axis->kind != FM_AXIS_WORDS && axis->kind != FM_AXIS_NUMBERS};
}

char *fm_study_plan(const fm_study *study)
{
    return study ? fm_plan_write(&study->plan) : NULL;
}

const char *fm_study_unit_cf(const char *unit, char *buffer, size_t size)
{
    if (!buffer || !size)
        return "";
    return fm_unit_cf(unit ? unit : "", buffer, size);
}

/* --- columns --- */

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

const char *fm_study_column_text(const fm_study *study, size_t column)
{
    return column < fm_study_column_count(study) ? study->sweep->columns[column].text : NULL;
}

const double *fm_study_values(const fm_study *study)
{
    return study ? study->sweep->values : NULL;
}

size_t fm_study_width(const fm_study *study)
{
    return study ? study->sweep->width : 0;
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

const char *fm_study_engine(const fm_study *study)
{
    return study ? study->sweep->engine : "";
}
