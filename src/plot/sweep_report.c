/* A self-contained page about a sweep. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/outfile.h"
#include "plot/page.h"
#include "plot/sweep_sensitivity.h"

static void add_inputs(fm_text *page, const fm_result *r)
{
    fm_text_add(page, "<h2>What varied</h2>\n<table><tr><th>parameter</th><th>values</th><th>from</th><th>to</th>"
                      "<th>unit</th><th>meaning</th></tr>\n");
    for (size_t i = 0; i < r->variable_count; i++) {
        const fm_result_variable *v = &r->variables[i];
        double low = HUGE_VAL, high = -HUGE_VAL;
        if (!v->input)
            continue;
        for (size_t k = 0; k < r->runs; k++)
            low = fmin(low, v->values[k]), high = fmax(high, v->values[k]);
        fm_text_add(page, "<tr><th>");
        fm_text_add_escaped(page, v->name);
        fm_text_add(page, "</th><td class=\"n\">%zu</td><td class=\"n\">", fm_sweep_levels(r, v, (double[1]){0}, 1));
        if (v->words) {
            fm_text_add_escaped(page, v->words[0]);
            fm_text_add(page, "</td><td class=\"n\">");
            fm_text_add_escaped(page, v->words[v->word_count - 1]);
        } else {
            fm_text_add(page, "%.6g</td><td class=\"n\">%.6g", low, high);
        }
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, v->words ? "" : v->unit);
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, v->text);
        fm_text_add(page, "</td></tr>\n");
    }
    fm_text_add(page, "</table>\n");
}

typedef struct spread {
    size_t seen;
    double low, high;
    double quantiles[3]; /* 5, 50 and 95 % */
    bool counts;         /* whole numbers, none below 0 */
} spread;

static spread spread_of(const fm_result *r, const fm_result_variable *v)
{
    spread s = {0, HUGE_VAL, -HUGE_VAL, {NAN, NAN, NAN}, true};
    double *seen = fm_alloc((r->runs + 1) * sizeof *seen);
    for (size_t k = 0; k < r->runs; k++)
        if (r->outcomes[k] == FM_OUTCOME_FINISHED && !isnan(v->values[k])) {
            s.low = fmin(s.low, v->values[k]), s.high = fmax(s.high, v->values[k]);
            s.counts &= v->values[k] >= 0 && floor(v->values[k]) == v->values[k];
            if (seen)
                seen[s.seen] = v->values[k];
            s.seen++;
        }
    if (seen)
        fm_sample_sort(seen, s.seen);
    for (size_t i = 0; seen && i < 3; i++)
        s.quantiles[i] = fm_sample_quantile(seen, s.seen, (const double[]){0.05, 0.5, 0.95}[i]);
    fm_free(seen);
    return s;
}

/* The probability that a counted event does not occur. */
static void add_none(fm_text *page, const fm_result *r, const fm_result_variable *v, const spread *s)
{
    fm_sweep_cell none = fm_sweep_gather(r, &(fm_sweep_question){.metric = v, .relation = "="},
                                         (const fm_result_variable *const[2]){NULL, NULL}, (double[2]){0, 0});
    fm_text_add(page, "<td class=\"n\">");
    if (s->seen && s->counts && s->low < s->high)
        fm_text_add(page, "%.4f (%.4f … %.4f)", none.mean, none.low, none.high);
    fm_text_add(page, "</td>");
}

static void add_numbers(fm_text *page, const fm_result *r)
{
    fm_text_add(page, "<h2>What came out</h2>\n<table><tr><th>metric</th><th>observed in</th><th>mean</th>"
                      "<th>95 %% of the mean (Student)</th><th>deviation</th><th>least</th><th>5 %%</th>"
                      "<th>median</th><th>95 %%</th><th>greatest</th><th>P(= 0), 95 %% (Wilson); failed runs count "
                      "as false</th><th>unit</th>"
                      "<th>meaning</th></tr>\n");
    for (size_t i = 0; i < r->variable_count; i++) {
        const fm_result_variable *v = &r->variables[i];
        spread s = spread_of(r, v);
        if (v->input)
            continue;
        fm_sweep_cell all = fm_sweep_gather(r, &(fm_sweep_question){.metric = v},
                                            (const fm_result_variable *const[2]){NULL, NULL}, (double[2]){0, 0});
        fm_text_add(page, "<tr><th>");
        fm_text_add_escaped(page, v->name);
        if (s.seen)
            fm_text_add(page,
                        "</th><td class=\"n\">%zu</td><td class=\"n\">%.5g</td><td class=\"n\">%.5g … %.5g</td>"
                        "<td class=\"n\">%.3g</td><td class=\"n\">%.5g</td><td class=\"n\">%.5g</td>"
                        "<td class=\"n\">%.5g</td><td class=\"n\">%.5g</td><td class=\"n\">%.5g</td>",
                        s.seen, all.mean, all.low, all.high, all.deviation, s.low, s.quantiles[0], s.quantiles[1],
                        s.quantiles[2], s.high);
        else
            fm_text_add(page, "</th><td class=\"n\">0</td>%s",
                        "<td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td>");
        add_none(page, r, v, &s);
        fm_text_add(page, "<td>");
        fm_text_add_escaped(page, v->unit);
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, v->text);
        fm_text_add(page, "</td></tr>\n");
    }
    fm_text_add(page, "</table>\n");
}

static fm_status add_figures(fm_text *page, const fm_result *r, fm_error *error)
{
    fm_status status = FM_OK;
    fm_text_add(page, "<h2>Figures</h2>\n");
    for (size_t i = 0; i < r->variable_count && status == FM_OK; i++) {
        const fm_result_variable *v = &r->variables[i];
        spread s = spread_of(r, v);
        if (v->input || s.seen == 0 || s.low == s.high)
            continue;
        fm_sweep_question question = {.metric = v};
        fm_sweep_request request = {.result = r, .questions = &question, .question_count = 1};
        fm_figure *figure = fm_sweep_draw(&request, error);
        if (figure)
            fm_figure_title(figure, v->text[0] ? v->text : v->name);
        status = figure ? fm_page_add_figure(page, figure, error) : error->status;
        if (status == FM_OK && fm_sweep_tells_influence(r))
            status = fm_sweep_tell_influence(page, r, &question, error);
    }
    for (size_t i = 0; i < r->series_count && status == FM_OK; i++) {
        const fm_result_series *series = &r->series[i];
        fm_sweep_request request = {.result = r, .series = &series, .series_count = 1};
        fm_figure *figure = fm_sweep_draw(&request, error);
        status = figure ? fm_page_add_figure(page, figure, error) : error->status;
    }
    return status;
}

fm_status fm_sweep_report_save(const fm_result *r, const char *name, const char *path, fm_error *error)
{
    fm_text page = {0};
    const size_t failed = fm_sweep_failed(r);
    fm_text_add(&page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    fm_text_add_escaped(&page, r->title);
    fm_text_add(&page, "</title><style>%s</style></head>\n<body>\n<h1>", fm_page_style);
    fm_text_add_escaped(&page, r->title);
    fm_text_add(&page, "</h1>\n<p>A sweep, ");
    fm_text_add_escaped(&page, name);
    fm_text_add(&page, ": %zu of %zu runs finished, %zu failed.</p>\n<pre>", r->finished, r->runs, failed);
    fm_text_add_escaped(&page, r->command);
    fm_text_add(&page, "</pre>\n");
    add_inputs(&page, r);
    add_numbers(&page, r);
    fm_status status = add_figures(&page, r, error);
    fm_text_add(&page, "</body></html>\n");
    if (status == FM_OK)
        status = page.failed ? fm_fail(error, FM_ERR_MEMORY, "no memory for the page")
                             : fm_outfile_write(path, page.data, page.length, error);
    fm_text_free(&page);
    return status;
}
