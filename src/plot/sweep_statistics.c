#include "plot/sweep_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

const fm_result_variable *fm_result_find(const fm_result *result, const char *name)
{
    for (size_t i = 0; i < result->variable_count; i++)
        if (fm_text_name_equal(result->variables[i].name, name))
            return &result->variables[i];
    return NULL;
}

fm_status fm_sweep_question_read(const fm_result *result, const char *text, fm_sweep_question *question,
                                 fm_error *error)
{
    char name[200], hint[400];
    size_t length = strcspn(text, "<>=");
    fm_nearest near = {.wanted = name};
    *question = (fm_sweep_question){0};
    if (length >= sizeof name)
        return fm_fail(error, FM_ERR_NAME, "'%s' is no metric", text);
    memcpy(name, text, length);
    name[length] = 0;
    question->metric = fm_result_find(result, name);
    for (size_t i = 0; i < result->variable_count; i++)
        fm_nearest_offer(&near, result->variables[i].name);
    if (!question->metric || question->metric->input)
        return fm_fail(error, FM_ERR_NAME, "the result has no metric '%s'%s", name,
                       fm_nearest_write(&near, hint, sizeof hint));
    const char *at = text + length;
    if (!*at)
        return FM_OK;
    question->relation[0] = *at++;
    if (*at == '=' && question->relation[0] != '=')
        question->relation[1] = *at++;
    if (!fm_text_number_read(&at, &question->bound) || *at)
        return fm_fail(
            error, FM_ERR_SYNTAX,
            "'%s' is not a condition: must be a metric, =, <, >, <= or >=, and a number in SI: snookie.contacts=0",
            text);
    return FM_OK;
}

double fm_sweep_answer(const fm_result *result, const fm_sweep_question *q, size_t run)
{
    if (result->outcomes[run] == FM_OUTCOME_FAILED && q->relation[0])
        return 0;
    if (result->outcomes[run] != FM_OUTCOME_FINISHED)
        return NAN;
    double v = q->metric->values[run];
    switch (q->relation[0]) {
    case '=': return v == q->bound;
    case '<': return q->relation[1] ? v <= q->bound : v < q->bound;
    case '>': return q->relation[1] ? v >= q->bound : v > q->bound;
    default: return v;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void fm_sample_sort(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
}

double fm_sample_quantile(const double *sorted, size_t count, double part)
{
    if (count == 0)
        return NAN;
    const double at = part * (double)(count - 1);
    const size_t i = (size_t)at;
    return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

size_t fm_sweep_failed(const fm_result *result)
{
    size_t failed = 0;
    for (size_t i = 0; i < result->runs; i++)
        failed += result->outcomes[i] == FM_OUTCOME_FAILED;
    return failed;
}

size_t fm_sweep_levels(const fm_result *result, const fm_result_variable *input, double *levels, size_t room)
{
    double *all = fm_alloc((result->runs + 1) * sizeof *all);
    size_t count = 0;
    if (!all)
        return 0;
    memcpy(all, input->values, result->runs * sizeof *all);
    qsort(all, result->runs, sizeof *all, compare_numbers);
    for (size_t i = 0; i < result->runs; i++)
        if (i == 0 || all[i] != all[i - 1]) {
            if (count < room)
                levels[count] = all[i];
            count++;
        }
    fm_free(all);
    return count;
}

void fm_wilson_interval(double successes, double count, double interval[2])
{
    const double z = 1.959963984540054;
    double p = successes / count, scale = 1 + z * z / count, middle = (p + z * z / (2 * count)) / scale;
    double half = z / scale * sqrt(p * (1 - p) / count + z * z / (4 * count * count));
    interval[0] = fmax(0, middle - half);
    interval[1] = fmin(1, middle + half);
}

double fm_student_factor(size_t count)
{
    static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    if (count < 2)
        return INFINITY;
    double n = (double)(count - 1);
    return count <= 11 ? few[count - 2] : 1.95996 + (2.37227 + (2.82250 + 2.556 / n) / n) / n; /* Fisher, Cornish */
}

fm_sweep_cell fm_sweep_gather(const fm_result *result, const fm_sweep_question *question,
                              const fm_result_variable *const inputs[2], const double values[2])
{
    double sum = 0, squares = 0, first = NAN;
    fm_sweep_cell cell = {.mean = NAN, .low = NAN, .high = NAN, .deviation = NAN};
    for (size_t run = 0; run < result->runs; run++) {
        double answer = fm_sweep_answer(result, question, run);
        if (isnan(answer) || (inputs[0] && inputs[0]->values[run] != values[0]) ||
            (inputs[1] && inputs[1]->values[run] != values[1]))
            continue;
        first = cell.count++ ? first : answer;
        sum += answer - first; /* from the first value: no cancellation */
        squares += (answer - first) * (answer - first);
    }
    if (cell.count == 0)
        return cell;
    double n = (double)cell.count, interval[2];
    cell.mean = cell.low = cell.high = first + sum / n;
    cell.deviation = n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : 0;
    if (question->relation[0]) {
        fm_wilson_interval(cell.mean * n, n, interval);
        cell.low = interval[0], cell.high = interval[1];
    } else if (n > 1) {
        double half = fm_student_factor(cell.count) * cell.deviation / sqrt(n);
        cell.low = cell.mean - half, cell.high = cell.mean + half;
    }
    return cell;
}
