#include "base/error.h"

#include <stdarg.h>

#include "base/text.h"

const char *fm_status_name(fm_status status)
{
    switch (status) {
    case FM_OK: return "ok";
    case FM_ERR_MEMORY: return "out of memory";
    case FM_ERR_FILE: return "file error";
    case FM_ERR_SYNTAX: return "syntax error";
    case FM_ERR_NAME: return "unknown name";
    case FM_ERR_RANGE: return "out of range";
    case FM_ERR_UNIT: return "unit error";
    case FM_ERR_MODEL: return "impossible model";
    case FM_ERR_STATE: return "bad state";
    case FM_ERR_FULL: return "no room";
    case FM_ERR_LIBRARY: return "library failure";
    case FM_ERR_MISSING: return "not in this build";
    case FM_ERR_ARGUMENT: return "bad argument";
    case FM_ERR_CANCELLED: return "cancelled";
    }
    return "unknown status";
}

static void write_error(fm_error *error, fm_status status, const char *format, va_list args)
{
    error->status = status;
    fm_text_vprint(error->text, sizeof error->text, format, args);
}

fm_status fm_fail(fm_error *error, fm_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        write_error(error, status, format, args);
        va_end(args);
    }
    return status;
}

fm_status fm_fail_at(fm_error *error, fm_status status, const char *file, int line, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        write_error(error, status, format, args);
        va_end(args);
        fm_text_print(error->file, sizeof error->file, "%s", file ? file : "");
        error->line = line;
    }
    return status;
}
