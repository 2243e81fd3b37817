#include "plot/run_report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "plot/overview.h"
#include "plot/page.h"

static const fm_mcap_record *find_metadata(const fm_mcap_reader *reader, const char *name)
{
    for (size_t i = 0; i < fm_mcap_metadata_count(reader); i++)
        if (strcmp(fm_mcap_metadata_at(reader, i)->name, name) == 0)
            return fm_mcap_metadata_at(reader, i);
    return NULL;
}

/* Key and value of all pairs but metrics, whose keys have a vehicle before a slash. */
static void add_pairs(fm_text *page, const fm_mcap_record *record, int with_slash)
{
    fm_text_add(page, "<table>\n");
    for (size_t i = 0; record && i < record->pair_count; i++)
        if (with_slash || !strchr(record->pairs[i].key, '/'))
            fm_page_add_row(page, record->pairs[i].key, record->pairs[i].value);
    fm_text_add(page, "</table>\n");
}

/* --- metrics: as people read them, four digits and degrees; the whole number where the pointer rests --- */

typedef struct shown_number {
    double value;
    const char *unit;
} shown_number;

static shown_number for_people(double value, const char *unit)
{
    const double degrees = 57.29577951308232;
    if (strcmp(unit, "rad") == 0)
        return (shown_number){degrees * value, "°"};
    if (strcmp(unit, "rad/s") == 0)
        return (shown_number){degrees * value, "°/s"};
    return (shown_number){value, unit};
}

/* Counts are whole; other numbers have four digits. */
static void add_digits(fm_text *page, double value)
{
    if (value == floor(value) && fabs(value) < 1e9)
        fm_text_add(page, "%.0f", value);
    else
        fm_text_add(page, "%.4g", value);
}

static void add_metric(fm_text *page, const char *key, const char *text)
{
    double value;
    const char *slash = strchr(key, '/'), *rest = text;
    fm_text_add(page, "<tr><td>");
    fm_text_add_escaped_part(page, key, (size_t)(slash - key));
    fm_text_add(page, "</td><th>");
    fm_text_add_escaped(page, slash + 1);
    fm_text_add(page, "</th><td class=\"n\" title=\"");
    fm_text_add_escaped(page, text);
    fm_text_add(page, "\">");
    if (fm_text_number_read(&rest, &value)) {
        shown_number shown = for_people(value, rest + strspn(rest, " "));
        add_digits(page, shown.value);
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, shown.unit);
    } else {
        fm_text_add_escaped(page, text);
        fm_text_add(page, "</td><td>");
    }
    fm_text_add(page, "</td></tr>\n");
}

static void add_metrics(fm_text *page, const fm_mcap_record *record)
{
    static const char never[] = "never observed";
    size_t silent = 0;
    fm_text_add(page, "<h2>Metrics</h2>\n<table>\n");
    for (size_t i = 0; i < record->pair_count; i++) {
        const fm_mcap_pair *pair = &record->pairs[i];
        silent += strcmp(pair->value, never) == 0;
        if (strchr(pair->key, '/') && strcmp(pair->value, never) != 0)
            add_metric(page, pair->key, pair->value);
    }
    fm_text_add(page, "</table>\n");
    if (!silent)
        return;
    fm_text_add(page, "<p>Never observed:");
    for (size_t i = 0; i < record->pair_count; i++)
        if (strcmp(record->pairs[i].value, never) == 0) {
            fm_text_add(page, " ");
            fm_text_add_escaped(page, record->pairs[i].key);
        }
    fm_text_add(page, ".</p>\n");
}

static void add_answer(fm_text *page, const fm_run_answer *a)
{
    char number[40];
    const shown_number shown = for_people(a->value, a->unit);
    fm_text_add(page, "<tr><th>");
    fm_text_add_escaped(page, a->name);
    fm_text_add(page, "</th><td class=\"n\" title=\"%s %s\">",
                isnan(a->value) ? "" : fm_text_number_write(number, sizeof number, a->value), a->unit);
    if (isnan(a->value))
        fm_text_add(page, "unknown");
    else if (a->condition)
        fm_text_add(page, "%s", a->value != 0 ? "yes" : "no");
    else
        add_digits(page, shown.value);
    fm_text_add(page, "</td><td>");
    fm_text_add_escaped(page, a->condition ? "" : shown.unit);
    fm_text_add(page, "</td><td>");
    fm_text_add_escaped(page, a->text);
    fm_text_add(page, "</td></tr>\n");
}

static void add_answers(fm_text *page, const fm_run_answers *answers)
{
    if (!answers || !answers->count)
        return;
    fm_text_add(page, "<h2>Expressions</h2>\n<table>\n");
    for (size_t i = 0; i < answers->count; i++)
        add_answer(page, &answers->list[i]);
    fm_text_add(page, "</table>\n");
}

static void add_verdict(fm_text *page, const fm_mcap_reader *reader)
{
    const fm_mcap_info *info = fm_mcap_get_info(reader);
    const char *ending = fm_mcap_get_metadata(reader, "result", "ending");
    const char *dropped = fm_mcap_get_metadata(reader, "recorder", "dropped"),
               *lost = fm_mcap_get_metadata(reader, "recorder", "lost");
    int finished = ending && strcmp(ending, "finished") == 0;
    fm_text_add(page, "<p class=\"%s\"><b>", finished ? "good" : "bad");
    fm_text_add_escaped(page, ending ? ending : "The log was cut off: how the run ended is not known");
    fm_text_add(page, "</b>, %.9g s, %llu messages", 1e-9 * (double)info->end, (unsigned long long)info->messages);
    if (dropped && lost && (strcmp(dropped, "0") || strcmp(lost, "0")))
        fm_text_add(page, ", %s dropped, %s lost", dropped, lost);
    fm_text_add(page, "</p>\n");
    if (info->warning[0]) {
        fm_text_add(page, "<p class=\"bad\">");
        fm_text_add_escaped(page, info->warning);
        fm_text_add(page, "</p>\n");
    }
}

static fm_status add_figure(fm_text *page, const fm_run_data *run, fm_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    fm_figure *figure = fm_overview_draw(&run, 1, FM_THEME_LIGHT);
    if (!figure)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the figure");
    fm_status status = fm_figure_render(figure, FM_FIGURE_SVG, &bytes, &size, error);
    fm_figure_destroy(figure);
    if (status != FM_OK)
        return status;
    const char *start = (const char *)bytes, *end = start + size;
    while (start + 4 < end && strncmp(start, "<svg", 4) != 0)
        start++;
    fm_text_add(page, "<figure>%.*s</figure>\n", (int)(end - start), start);
    fm_free(bytes);
    return FM_OK;
}

static void add_events(fm_text *page, const fm_run_data *run)
{
    if (!run->event_count)
        return;
    fm_text_add(page, "<h2>Events</h2>\n<table><tr><th>time, s</th><th>vehicle</th><th>what</th></tr>\n");
    for (size_t i = 0; i < run->event_count && i < 500; i++) {
        char what[160];
        fm_text_add(page, "<tr><td class=\"n\">%.3f</td><td>", run->events[i].time);
        fm_text_add_escaped(page, run->events[i].vehicle);
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, fm_overview_event_text(&run->events[i], what, sizeof what));
        fm_text_add(page, "</td></tr>\n");
    }
    fm_text_add(page, "</table>\n");
    if (run->event_count > 500)
        fm_text_add(page, "<p>and %zu more.</p>\n", run->event_count - 500);
}

static void add_scenario(fm_text *page, const fm_mcap_reader *reader)
{
    const char *scenario = fm_mcap_get_metadata(reader, "run", "scenario"),
               *resolved = fm_mcap_get_metadata(reader, "scenario", "resolved");
    fm_text_add(page, "<h2>Scenario</h2>\n");
    for (size_t i = 0; i < fm_mcap_attachment_count(reader); i++) {
        const fm_mcap_record *file = fm_mcap_attachment_at(reader, i);
        int own = scenario && strcmp(file->name, scenario) == 0;
        fm_text_add(page, "<details%s><summary>", own ? " open" : "");
        fm_text_add_escaped(page, file->name);
        fm_text_add(page, " (%zu bytes)</summary>", file->size);
        if (strcmp(file->media_type, "application/xml") == 0 && file->size < 1000000) {
            void *text = NULL;
            fm_mcap_attachment_read(reader, i, &text, NULL);
            fm_text_add(page, "<pre>");
            fm_text_add_escaped(page, text ? text : "");
            fm_text_add(page, "</pre>");
            fm_free(text);
        }
        fm_text_add(page, "</details>\n");
    }
    if (resolved) {
        fm_text_add(page, "<details><summary>with every value in force</summary><pre>");
        fm_text_add_escaped(page, resolved);
        fm_text_add(page, "</pre></details>\n");
    }
}

fm_status fm_run_report_write(const fm_mcap_reader *reader, const fm_run_data *run, const fm_run_answers *answers,
                              const char *name, fm_text *page, fm_error *error)
{
    const char *title = run->title && run->title[0] ? run->title : name;
    fm_text_add(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                      "content=\"width=device-width\"><title>");
    fm_text_add_escaped(page, title);
    fm_text_add(page, "</title><style>%s</style></head>\n<body>\n<h1>", fm_page_style);
    fm_text_add_escaped(page, title);
    fm_text_add(page, "</h1>\n");
    add_verdict(page, reader);
    fm_status status = add_figure(page, run, error);
    if (status != FM_OK)
        return status;
    if (find_metadata(reader, "result"))
        add_metrics(page, find_metadata(reader, "result"));
    add_answers(page, answers);
    add_events(page, run);
    fm_text_add(page, "<h2>Run</h2>\n");
    add_pairs(page, find_metadata(reader, "run"), 1);
    add_pairs(page, find_metadata(reader, "result"), 0);
    fm_text_add(page, "<details><summary>Parameters</summary>\n");
    add_pairs(page, find_metadata(reader, "parameters"), 1);
    fm_text_add(page, "</details>\n");
    add_scenario(page, reader);
    fm_text_add(page, "</body></html>\n");
    return page->failed ? fm_fail(error, FM_ERR_MEMORY, "out of memory for the report") : FM_OK;
}

fm_status fm_run_report_save(fm_mcap_reader *reader, const fm_run_answers *answers, const char *name, const char *file,
                             fm_error *error)
{
    fm_error found = {0};
    fm_text page = {0};
    fm_run_data run;
    fm_status status = fm_run_data_read(reader, NULL, &run, &found);
    if (status == FM_OK)
        status = fm_run_report_write(reader, &run, answers, name, &page, &found);
    status = status == FM_OK ? fm_outfile_write(file, page.data, page.length, error)
                             : fm_fail(error, status, "%s: %s", name, found.text);
    fm_text_free(&page);
    fm_run_data_free(&run);
    return status;
}
