/* Filling fm_error: every failing function ends in `return fm_fail(error, STATUS, "what is wrong: what would be
 * right")`. */
#ifndef FM_BASE_ERROR_H
#define FM_BASE_ERROR_H

#include <fathom/status.h>

/* Writes status and text into *error (which may be NULL) and returns status. Leaves file and line unchanged. */
fm_status fm_fail(fm_error *error, fm_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with the location in a file. */
fm_status fm_fail_at(fm_error *error, fm_status status, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
