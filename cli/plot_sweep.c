/* `fathom plot` and `fathom report` of the results of sweeps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "plot.h"
#include "plot/sweep_figure.h"

int cli_is_sweep(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".nc") == 0;
}

static bool open_result(const char *command, const char *path, fm_result *result)
{
    fm_error error = {0};
    if (fm_result_read(result, path, &error) == FM_OK)
        return true;
    fprintf(stderr, "fathom %s: %s\n", command, error.text);
    fm_result_free(result);
    return false;
}

/* A varied parameter by its path. */
static bool find_input(const fm_result *result, const char *option, const char *name, const fm_result_variable **input)
{
    *input = name ? fm_result_find(result, name) : NULL;
    if (!name || (*input && (*input)->input))
        return true;
    fprintf(stderr, "fathom plot: %s: '%s' did not vary; these did:", option, name);
    for (size_t i = 0; i < result->variable_count; i++)
        if (result->variables[i].input)
            fprintf(stderr, " %s", result->variables[i].name);
    fprintf(stderr, "\n");
    return false;
}

static bool differs(const fm_result *result, const fm_result_variable *v)
{
    fm_sweep_cell all = fm_sweep_gather(result, &(fm_sweep_question){.metric = v},
                                        (const fm_result_variable *const[2]){NULL, NULL}, (double[2]){0, 0});
    return all.count > 0 && all.deviation > 0;
}

enum { QUESTIONS = 16, QUESTIONS_CHOSEN = 6 };

typedef struct asked {
    fm_sweep_question questions[QUESTIONS];
    const fm_result_series *series[QUESTIONS];
    size_t question_count, series_count;
} asked;

/* The metrics, conditions and series of the command line. */
static bool find_named(const fm_result *result, const cli_plot_sweep_request *r, asked *a)
{
    fm_error error = {0};
    if (r->metric_count > QUESTIONS)
        return fprintf(stderr, "fathom plot: 1 to %d metrics can be drawn, these are %zu\n", QUESTIONS,
                       r->metric_count),
               false;
    for (size_t i = 0; i < r->metric_count; i++) {
        const fm_result_series *series = fm_result_find_series(result, r->metrics[i]);
        if (series)
            a->series[a->series_count++] = series;
        if (series && !fm_result_find(result, r->metrics[i]))
            continue;
        if (fm_sweep_question_read(result, r->metrics[i], &a->questions[a->question_count++], &error) != FM_OK)
            return fprintf(stderr, "fathom plot: %s\n", error.text), false;
    }
    return true;
}

/* The first few metrics that differ between runs, and the first few series. */
static bool choose(const fm_result *result, const cli_plot_sweep_request *r, asked *a)
{
    size_t left_out = 0;
    for (size_t i = 0; i < result->series_count && i < QUESTIONS_CHOSEN; i++)
        a->series[a->series_count++] = &result->series[i];
    for (size_t i = 0; i < result->variable_count; i++) {
        if (result->variables[i].input || !differs(result, &result->variables[i]))
            continue;
        if (a->question_count < QUESTIONS_CHOSEN)
            a->questions[a->question_count++] = (fm_sweep_question){.metric = &result->variables[i]};
        else
            fprintf(stderr, "%s%s",
                    left_out++ ? ", " : "fathom plot: not drawn unless named: ", result->variables[i].name);
    }
    if (left_out)
        fprintf(stderr, "; `fathom report` draws all\n");
    return a->question_count + a->series_count > 0 ||
           (fprintf(stderr, "fathom plot: %s: no metric differs between runs\n", r->path), false);
}

fm_figure *cli_plot_sweep(const cli_plot_sweep_request *r, int *code)
{
    fm_result result;
    fm_error error = {0};
    asked a = {0};
    fm_sweep_request request = {
        .result = &result, .questions = a.questions, .series = a.series, .histogram = r->histogram, .theme = r->theme};
    *code = CLI_FAILED;
    if (!open_result("plot", r->path, &result))
        return NULL;
    fm_figure *figure = NULL;
    const bool found = r->metric_count ? find_named(&result, r, &a) : choose(&result, r, &a);
    request.question_count = a.question_count;
    request.series_count = a.series_count;
    if (found && find_input(&result, "--x", r->x, &request.x) && find_input(&result, "--y", r->y, &request.y) &&
        find_input(&result, "--by", r->by, &request.by) && !(figure = fm_sweep_draw(&request, &error)))
        fprintf(stderr, "fathom plot: %s: %s\n", r->path, error.text);
    fm_result_free(&result);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}

int cli_report_sweep(const char *path, const char *page)
{
    fm_result result;
    fm_error error = {0};
    if (!open_result("report", path, &result))
        return CLI_FAILED;
    fm_status status = fm_sweep_report_save(&result, path, page, &error);
    if (status != FM_OK)
        fprintf(stderr, "fathom report: %s\n", error.text);
    fm_result_free(&result);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}
