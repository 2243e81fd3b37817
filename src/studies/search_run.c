/* The runs of a search: a sweep over the points of each generation. */
#include <fnmatch.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "studies/options.h"
#include "studies/search.h"
#include "studies/study.h"

/* --- values of the runs --- */

static bool is_column_of(const fm_sweep_column *column, const char *pattern)
{
    return column->asked ? !strcmp(column->asked, pattern)
                         : !strcmp(column->name, pattern) || fnmatch(pattern, column->name, 0) == 0;
}

/* Mean of the columns that a text matches, over the runs of a point; a condition counts how often it does not hold.
 * NaN: a run failed. */
static double mean_of(const fm_sweep *s, const char *pattern, bool condition, size_t point)
{
    double sum = 0;
    size_t count = 0, runs = s->plan->runs;
    for (size_t run = point * runs; run < (point + 1) * runs; run++)
        for (size_t k = 0; k < s->column_count; k++)
            if (is_column_of(&s->columns[k], pattern)) {
                const double value = s->values[run * s->column_count + k];
                sum += s->outcomes[run] != FM_OUTCOME_FINISHED ? NAN : condition ? value != 1 : value;
                count++;
            }
    return count ? sum / (double)count : NAN;
}

static void read_values(const fm_search *s, const fm_sweep *sweep, size_t point, double *values)
{
    for (size_t i = 0; i < s->objectives; i++)
        values[i] = 0;
    for (size_t i = 0; i < s->goal_count; i++)
        values[s->objectives > 1 ? i : 0] += s->goals[i].weight * mean_of(sweep, s->goals[i].pattern, false, point);
    for (size_t i = 0; i < s->limits; i++)
        values[s->objectives + i] = mean_of(sweep, s->constraints[i].asked, s->constraints[i].condition, point);
}

/* --- the journal --- */

/* Of all that the values depend on; `sweep`: that of the start. */
static uint64_t identity_of(const fm_search *s, const fm_sweep *sweep)
{
    const fm_search_options *o = &s->options;
    uint64_t hash = sweep->identity;
    for (size_t i = 0; i < s->axis_count; i++) {
        fm_options_hash_text(&hash, s->axes[i].unit);
        fm_options_hash(&hash, &s->axes[i].low, sizeof(double));
        fm_options_hash(&hash, &s->axes[i].high, sizeof(double));
        fm_options_hash(&hash, &s->axes[i].start, sizeof(double));
    }
    for (size_t i = 0; i < s->goal_count; i++) {
        fm_options_hash_text(&hash, s->goals[i].pattern);
        fm_options_hash(&hash, &s->goals[i].weight, sizeof(double));
    }
    for (size_t i = 0; i < s->limits; i++)
        fm_options_hash_text(&hash, s->constraints[i].asked);
    const size_t numbers[] = {s->objectives, o->population,
                              o->restarts,   o->noise_runs,
                              s->seed,       o->restarts ? o->generations : 0}; /* of one search it may be raised */
    fm_options_hash(&hash, numbers, sizeof numbers);
    fm_options_hash(&hash, &o->step, sizeof o->step);
    return hash;
}

static fm_status open_journal(fm_search *s, const fm_sweep *sweep, fm_error *error)
{
    if (!s->options.journal || !s->records || s->rows.file >= 0)
        return FM_OK;
    return fm_rows_open(&s->rows, s->options.journal, 1 + sweep->column_count, identity_of(s, sweep), s->options.resume,
                        "search", error);
}

/* Runs of an earlier session. */
static void take_runs(fm_search *s, fm_sweep *sweep)
{
    double row[1 + FM_SEARCH_COLUMNS];
    for (size_t run = 0; s->rows.count && run < sweep->plan->total && sweep->column_count <= FM_SEARCH_COLUMNS; run++) {
        if (!fm_rows_find(&s->rows, s->ticket, run, row) ||
            (row[0] != FM_OUTCOME_FINISHED && row[0] != FM_OUTCOME_FAILED))
            continue;
        sweep->outcomes[run] = (uint8_t)row[0];
        memcpy(sweep->values + run * sweep->column_count, row + 1, sweep->column_count * sizeof *row);
        sweep->found++;
        sweep->failed += sweep->outcomes[run] == FM_OUTCOME_FAILED;
    }
}

static void note_run(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure)
{
    fm_search *s = user;
    double row[1 + FM_SEARCH_COLUMNS];
    if (failure && !s->failure.text[0])
        s->failure = *failure;
    if (s->rows.file < 0 || sweep->column_count > FM_SEARCH_COLUMNS)
        return;
    row[0] = sweep->outcomes[run];
    memcpy(row + 1, sweep->values + run * sweep->column_count, sweep->column_count * sizeof *row);
    fm_rows_add(&s->rows, s->ticket, run, row);
}

/* --- a sweep over points --- */

static fm_status make_plan(const fm_search *s, const double *points, size_t count, fm_sweep_plan *plan, fm_error *error)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        char text[2 * FM_AXIS_PATH];
        snprintf(text, sizeof text, "%s=0 %s", s->axes[i].path, s->axes[i].unit);
        fm_status status = fm_plan_vary(plan, text, error);
        if (status != FM_OK)
            return status;
        fm_sweep_axis *axis = &plan->axes[i];
        axis->count = count;
        axis->values = fm_arena_alloc(&plan->arena, count * sizeof *axis->values);
        for (size_t k = 0; axis->values && k < count; k++)
            axis->values[k] = points[k * s->axis_count + i];
        if (!axis->values)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the points of a search");
    }
    plan->design = FM_DESIGN_POINTS;
    plan->runs = s->options.noise_runs;
    plan->seed = s->seed;
    return FM_OK;
}

/* Makes the runs, while fm_search_cancel may stop them. */
static fm_status make_runs(fm_search *s, fm_sweep *sweep, fm_error *error)
{
    atomic_store(&s->stop, &sweep->stop);
    fm_status status = atomic_load(&s->cancelled) ? FM_OK : s->make(s->make_user, sweep, error);
    atomic_store(&s->stop, NULL);
    while (atomic_load(&s->holders) > 0)
        (void)sched_yield();
    if (status == FM_OK && s->rows.failed.status != FM_OK)
        return fm_fail(error, s->rows.failed.status, "%s", s->rows.failed.text);
    for (size_t run = 0; status == FM_OK && run < sweep->plan->total; run++)
        if (sweep->outcomes[run] == FM_OUTCOME_NONE)
            return fm_fail(error, FM_ERR_CANCELLED, "the search was cancelled");
    return status;
}

/* --- evaluation --- */

static size_t list_columns(const fm_search *s, const char **columns)
{
    size_t count = 0;
    for (size_t i = 0; i < s->goal_count; i++)
        columns[count++] = s->goals[i].pattern;
    for (size_t i = 0; i < s->limits; i++)
        columns[count++] = s->constraints[i].asked;
    return count;
}

static fm_status run_points(fm_search *s, fm_sweep *sweep, double *values, size_t count, fm_error *error)
{
    fm_status status = open_journal(s, sweep, error);
    if (status != FM_OK)
        return status;
    take_runs(s, sweep);
    status = make_runs(s, sweep, error);
    for (size_t k = 0; k < count && status == FM_OK; k++)
        read_values(s, sweep, k, values + k * (s->objectives + s->limits));
    if (status != FM_OK)
        return status;
    s->runs += sweep->plan->total;
    s->failed += sweep->failed;
    if (sweep->engine[0])
        snprintf(s->engine, sizeof s->engine, "%s", sweep->engine);
    s->ticket++;
    return FM_OK;
}

fm_status fm_search_evaluate(fm_search *s, const double *points, size_t count, double *values, fm_error *error)
{
    const char *columns[FM_SEARCH_GOALS + FM_SEARCH_CONSTRAINTS];
    const fm_search_options *o = &s->options;
    fm_sweep_options options = {.load = &s->load,
                                .metrics = columns,
                                .metric_count = list_columns(s, columns),
                                .duration = o->duration > 0 ? o->duration : (double)NAN,
                                .threads = o->threads > 1 ? o->threads : 1,
                                .backend = fm_study_backend_of(o->backend),
                                .single = o->single,
                                .done = note_run,
                                .user = s};
    fm_sweep_plan plan = {0};
    fm_sweep *sweep = NULL;
    fm_status status = make_plan(s, points, count, &plan, error);
    if (status == FM_OK)
        status = fm_sweep_create(&plan, s->model, &options, &sweep, error);
    if (status == FM_OK)
        status = run_points(s, sweep, values, count, error);
    fm_sweep_free(sweep);
    fm_plan_free(&plan);
    return status;
}

/* --- the search --- */

static fm_status run_generation(fm_search *s, fm_error *error)
{
    double values[FM_SEARCH_POINTS * (FM_SEARCH_GOALS + FM_SEARCH_CONSTRAINTS)];
    double points[FM_SEARCH_POINTS * FM_CMA_MOST];
    const size_t count = fm_search_ask(s, points, FM_SEARCH_POINTS);
    fm_status status = fm_search_evaluate(s, points, count, values, error);
    return status == FM_OK ? fm_search_tell(s, values, count, error) : status;
}

fm_status fm_search_run(fm_search *s, fm_error *error)
{
    double start[FM_CMA_MOST];
    if (!s || !s->model || !s->goal_count)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "a search that makes runs needs a model and goals: use fm_search_ask and fm_search_tell");
    for (size_t i = 0; i < s->axis_count; i++)
        start[i] = s->axes[i].start;
    fm_status status = s->started ? FM_OK : fm_search_evaluate(s, start, 1, s->start_values, error);
    s->started |= status == FM_OK;
    while (status == FM_OK && !s->ended) {
        if (atomic_load(&s->cancelled))
            return fm_fail(error, FM_ERR_CANCELLED, "the search was cancelled");
        status = run_generation(s, error);
    }
    return status;
}
