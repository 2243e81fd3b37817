/* The report: one HTML page with everything inside, and the same numbers as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/sheets.h"

/* Pictures on one page must not share ids: each id and each reference to one gets the figure's name as a prefix. */
static void add_svg(fm_text *out, const char *svg, size_t size, const char *prefix)
{
    static const char *const marks[] = {" id=\"", "href=\"#", "url(#"};
    const char *end = svg + size, *c = strstr(svg, "<svg");
    const char *plain = c;
    for (; c && c < end; c++)
        for (size_t i = 0; i < 3; i++) {
            size_t length = strlen(marks[i]);
            if ((size_t)(end - c) < length || memcmp(c, marks[i], length) != 0)
                continue;
            fm_text_add(out, "%.*s%s-", (int)(c + length - plain), plain, prefix);
            plain = c += length;
            break;
        }
    if (plain)
        fm_text_add(out, "%.*s\n", (int)(end - plain), plain);
}

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
    "1rem;color:#1b1f24;background:#fff}\n"
    "h1{font-size:1.7rem}h2{font-size:1.35rem;border-bottom:1px solid "
    "#ccd;margin-top:3rem}h3{font-size:1.1rem;margin:2.5rem 0 .5rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;margin:.6rem 0}\n"
    "th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #e3e6ea;vertical-align:top}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".paper{color:#444;border-left:3px solid #9ab;padding-left:.8rem}.source{color:#666;font-size:.9rem}\n"
    ".ok{color:#13703a}.bad{color:#b3141e;font-weight:600}tr.bad td{background:#fdecec}section.bad{border:2px solid "
    "#b3141e;padding:0 1rem}\n"
    "svg{max-width:100%;height:auto}a{color:inherit}\n";

static void add_number_cell(fm_text *out, double value, const char *unit)
{
    char text[32];
    fm_text_add(out, "<td class=\"n\">%s", fm_figure_number(text, value));
    if (isfinite(value) && *unit)
        fm_text_add(out, " %s", unit);
    fm_text_add(out, "</td>");
}

static void add_accepted(fm_text *out, const fm_check *check)
{
    char low[32], high[32];
    fm_figure_number(low, check->low);
    fm_figure_number(high, check->high);
    if (isfinite(check->expected))
        fm_text_add(out, "<td class=\"n\">%s ± %s", fm_figure_number(low, check->expected),
                    fm_figure_number(high, check->high - check->expected));
    else if (isinf(check->low))
        fm_text_add(out, "<td class=\"n\">at most %s", high);
    else if (isinf(check->high))
        fm_text_add(out, "<td class=\"n\">at least %s", low);
    else if (check->low == check->high)
        fm_text_add(out, "<td class=\"n\">%s", low);
    else
        fm_text_add(out, "<td class=\"n\">%s … %s", low, high);
    fm_text_add(out, "</td>");
}

/* A fact (no unit, the accepted range is exactly 1) is written in words. */
static bool is_fact(const fm_check *check)
{
    return isnan(check->expected) && check->low == 1 && check->high == 1 && !*check->unit;
}

static void add_check(fm_text *out, const fm_check *check)
{
    bool passed = fm_check_passed(check);
    fm_text_add(out, "<tr%s><td>", passed ? "" : " class=\"bad\"");
    fm_text_add_escaped(out, check->quantity);
    fm_text_add(out, "</td><td>");
    fm_text_add_escaped(out, check->paper ? check->paper : "–");
    fm_text_add(out, "</td>");
    if (is_fact(check))
        fm_text_add(out, "<td>%s</td><td>yes</td>", check->ours == 1 ? "yes" : "no");
    else {
        add_number_cell(out, check->ours, check->unit);
        add_accepted(out, check);
    }
    fm_text_add(out, "<td class=\"%s\">%s</td><td>", passed ? "ok" : "bad", passed ? "holds" : "FAILS");
    fm_text_add_escaped(out, check->remark);
    if (check->known) {
        fm_text_add(out, "%s<b>%s</b> ", *check->remark ? ". " : "", passed ? "Should fail:" : "Fails:");
        fm_text_add_escaped(out, check->known);
    }
    fm_text_add(out, "</td></tr>\n");
}

static void add_checks(fm_text *out, const fm_figure_result *result)
{
    if (!result->check_count)
        return;
    fm_text_add(out,
                "<table><tr><th>quantity</th><th>%s</th><th>ours</th><th>accepted</th><th></th><th>remark</th></tr>\n",
                result->set->stated);
    for (size_t i = 0; i < result->check_count; i++)
        add_check(out, &result->checks[i]);
    fm_text_add(out, "</table>\n");
}

static void add_notes(fm_text *out, const char *notes)
{
    while (*notes) {
        const char *end = strchr(notes, '\n');
        size_t length = end ? (size_t)(end - notes) : strlen(notes);
        char paragraph[2100];
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, notes);
        fm_text_add(out, "<p>");
        fm_text_add_escaped(out, paragraph);
        fm_text_add(out, "</p>\n");
        notes += length + (end != NULL);
    }
}

static void add_figure(fm_text *out, const fm_figures *figures, size_t i)
{
    fm_figure_result r = fm_figures_result(figures, i);
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%s-%s", r.set->name, r.spec->id);
    fm_text_add(out, "<section id=\"%s\"%s>\n<h3>", prefix, r.passed ? "" : " class=\"bad\"");
    fm_text_add_escaped(out, r.spec->title);
    fm_text_add(out, " <small class=\"%s\">%s</small></h3>\n<p class=\"paper\">", r.passed ? "ok" : "bad",
                r.passed ? "holds" : "FAILS");
    fm_text_add_escaped(out, r.spec->statement);
    fm_text_add(out, "</p>\n");
    if (r.error) {
        fm_text_add(out, "<p class=\"bad\">Not drawn: ");
        fm_text_add_escaped(out, r.error);
        fm_text_add(out, "</p>\n");
    }
    size_t size;
    const unsigned char *svg = fm_figures_svg(figures, i, &size);
    if (svg)
        add_svg(out, (const char *)svg, size, prefix);
    add_notes(out, r.notes);
    add_checks(out, &r);
    fm_text_add(out, "</section>\n");
}

static size_t count_failed(const fm_figure_result *result)
{
    size_t failed = 0;
    for (size_t i = 0; i < result->check_count; i++)
        failed += !fm_check_passed(&result->checks[i]);
    return failed;
}

static void add_contents(fm_text *out, const fm_figures *figures)
{
    fm_text_add(out, "<table><tr><th>figure</th><th></th><th>checks</th><th></th></tr>\n");
    for (size_t i = 0; i < figures->count; i++) {
        fm_figure_result r = fm_figures_result(figures, i);
        fm_text_add(out, "<tr%s><td>%s %s</td><td><a href=\"#%s-%s\">", r.passed ? "" : " class=\"bad\"", r.set->name,
                    r.spec->id, r.set->name, r.spec->id);
        fm_text_add_escaped(out, r.spec->title);
        fm_text_add(out, "</a></td><td class=\"n\">%zu of %zu</td><td class=\"%s\">%s</td></tr>\n",
                    r.check_count - count_failed(&r), r.check_count, r.passed ? "ok" : "bad",
                    r.passed  ? "holds"
                    : r.error ? "not drawn"
                              : "FAILS");
    }
    fm_text_add(out, "</table>\n");
}

static fm_status write_text(fm_text *out, const char *path, fm_error *error)
{
    fm_status status = out->failed ? fm_fail(error, FM_ERR_MEMORY, "out of memory for %s", path)
                                   : fm_figures_write_file(path, out->data, out->length, error);
    fm_text_free(out);
    return status;
}

fm_status fm_figures_report(const fm_figures *figures, const char *path, fm_error *error)
{
    fm_text out = {0};
    size_t passed = 0;
    if (!figures || !path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", figures ? "path" : "figures");
    for (size_t i = 0; i < figures->count; i++)
        passed += figures->sheets[i].passed;
    fm_text_add(&out,
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Fathom: published "
                "figures</title>\n<style>\n%s</style>"
                "</head><body>\n<h1>Fathom: published figures, drawn again</h1>\n<p>%zu of %zu figures hold.</p>\n",
                style, passed, figures->count);
    add_contents(&out, figures);
    const fm_figure_set *set = NULL;
    for (size_t i = 0; i < figures->count; i++) {
        if (figures->sheets[i].set != set) {
            set = figures->sheets[i].set;
            fm_text_add(&out, "<h2 id=\"%s\">", set->name);
            fm_text_add_escaped(&out, set->title);
            fm_text_add(&out, "</h2>\n<p class=\"source\">");
            fm_text_add_escaped(&out, set->source);
            fm_text_add(&out, "</p>\n");
        }
        add_figure(&out, figures, i);
    }
    fm_text_add(&out, "</body></html>\n");
    return write_text(&out, path, error);
}

/* --- JSON --- */

static void add_json_text(fm_text *out, const char *text)
{
    fm_text_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fm_text_add(out, "\\%c", *c);
        else if (*c < 0x20)
            fm_text_add(out, "\\u%04x", *c);
        else
            fm_text_add(out, "%c", *c);
    }
    fm_text_add(out, "\"");
}

static void add_json_number(fm_text *out, const char *name, double value)
{
    char text[40];
    fm_text_add(out, ", \"%s\": %s", name, isfinite(value) ? fm_text_number_write(text, sizeof text, value) : "null");
}

static void add_json_check(fm_text *out, const fm_check *check)
{
    fm_text_add(out, "\n      {\"quantity\": ");
    add_json_text(out, check->quantity);
    fm_text_add(out, ", \"paper\": ");
    if (check->paper)
        add_json_text(out, check->paper);
    else
        fm_text_add(out, "null");
    fm_text_add(out, ", \"unit\": ");
    add_json_text(out, check->unit);
    add_json_number(out, "ours", check->ours);
    add_json_number(out, "expected", check->expected);
    add_json_number(out, "low", check->low);
    add_json_number(out, "high", check->high);
    fm_text_add(out, ", \"passed\": %s, \"remark\": ", fm_check_passed(check) ? "true" : "false");
    add_json_text(out, check->remark);
    fm_text_add(out, ", \"known\": ");
    if (check->known)
        add_json_text(out, check->known);
    else
        fm_text_add(out, "null");
    fm_text_add(out, "}");
}

static void add_json_figure(fm_text *out, const fm_figure_result *r)
{
    fm_text_add(out, "\n    {\"set\": \"%s\", \"id\": \"%s\", \"title\": ", r->set->name, r->spec->id);
    add_json_text(out, r->spec->title);
    fm_text_add(out, ", \"passed\": %s, \"as_known\": %s, \"error\": ", r->passed ? "true" : "false",
                r->as_known ? "true" : "false");
    if (r->error)
        add_json_text(out, r->error);
    else
        fm_text_add(out, "null");
    fm_text_add(out, ", \"checks\": [");
    for (size_t i = 0; i < r->check_count; i++) {
        fm_text_add(out, "%s", i ? "," : "");
        add_json_check(out, &r->checks[i]);
    }
    fm_text_add(out, "]}");
}

fm_status fm_figures_json(const fm_figures *figures, const char *path, fm_error *error)
{
    fm_text out = {0};
    if (!figures || !path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", figures ? "path" : "figures");
    fm_text_add(&out, "{\n  \"passed\": %s,\n  \"as_known\": %s,\n  \"figures\": [",
                fm_figures_passed(figures) ? "true" : "false", fm_figures_as_known(figures) ? "true" : "false");
    for (size_t i = 0; i < figures->count; i++) {
        fm_figure_result r = fm_figures_result(figures, i);
        fm_text_add(&out, "%s", i ? "," : "");
        add_json_figure(&out, &r);
    }
    fm_text_add(&out, "\n  ]\n}\n");
    return write_text(&out, path, error);
}
