#include "base/report.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Space for one more error, or NULL. Without memory the first error becomes "out of memory". */
static fm_error *next_slot(fm_report *report)
{
    if (report->count == 0) {
        report->count = 1;
        return &report->first;
    }
    if (fm_report_full(report))
        return NULL;
    if (report->count - 1 >= report->capacity) {
        size_t capacity = report->capacity ? report->capacity * 2 : 8;
        fm_error *more = fm_realloc(report->more, capacity * sizeof *more);
        if (!more) {
            fm_fail(&report->first, FM_ERR_MEMORY, "out of memory while collecting errors");
            return NULL;
        }
        report->more = more;
        report->capacity = capacity;
    }
    return &report->more[report->count++ - 1];
}

/* An error in a file that is read twice is reported once. */
static bool is_known(const fm_report *report, const fm_error *error)
{
    for (size_t i = 0; i < report->count; i++) {
        const fm_error *other = fm_report_get(report, i);
        if (other->line == error->line && strcmp(other->file, error->file) == 0 &&
            strcmp(other->text, error->text) == 0)
            return true;
    }
    return false;
}

void fm_report_add_error(fm_report *report, const fm_error *error)
{
    if (report && error->file[0] && is_known(report, error))
        return;
    fm_error *slot = report ? next_slot(report) : NULL;
    if (slot)
        *slot = *error;
}

fm_status fm_report_add(fm_report *report, fm_status status, const char *file, int line, const char *format, ...)
{
    fm_error error = {.status = status, .line = line};
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    snprintf(error.file, sizeof error.file, "%s", file ? file : "");
    fm_report_add_error(report, &error);
    return status;
}

const fm_error *fm_report_get(const fm_report *report, size_t index)
{
    if (index >= report->count)
        return NULL;
    return index == 0 ? &report->first : &report->more[index - 1];
}

fm_status fm_report_status(const fm_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (fm_report_get(report, i)->status == FM_ERR_MEMORY)
            return FM_ERR_MEMORY;
    return report->count ? report->first.status : FM_OK;
}

bool fm_report_full(const fm_report *report)
{
    return report->count >= FM_REPORT_LIMIT;
}

void fm_report_free(fm_report *report)
{
    fm_free(report->more);
    *report = (fm_report){0};
}
