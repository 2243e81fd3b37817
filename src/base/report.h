/* A list of errors: loaders collect all errors in a file instead of stopping at the first. */
#ifndef FM_BASE_REPORT_H
#define FM_BASE_REPORT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FM_REPORT_LIMIT = 64 }; /* errors kept; a reader gives up when the report is full */

/* Starts as {0}. The first error is stored inside, so that "out of memory" can always be reported. */
typedef struct fm_report {
    fm_error first;
    fm_error *more; /* the others */
    size_t count, capacity;
} fm_report;

/* Adds an error and returns `status`. report may be NULL. */
fm_status fm_report_add(fm_report *report, fm_status status, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void fm_report_add_error(fm_report *report, const fm_error *error);

const fm_error *fm_report_get(const fm_report *report, size_t index); /* NULL behind the last */
/* FM_OK, FM_ERR_MEMORY if memory ran out anywhere, otherwise the status of the first error. */
fm_status fm_report_status(const fm_report *report);
bool fm_report_full(const fm_report *report);
void fm_report_free(fm_report *report);

#endif
