#include "base/accept.h"

#include <math.h>

#include "base/text.h"

fm_status fm_number_accept(const char *name, double value, fm_number_range range, fm_error *error)
{
    if (value >= range.least && value <= range.most && (!range.whole || value == floor(value)))
        return FM_OK;
    return fm_fail(error, FM_ERR_RANGE, "%.60s: %g is out of range: must be %s %g … %g", name, value,
                   range.whole ? "a whole number" : "a number", range.least, range.most);
}

fm_status fm_number_read(const char *name, const char *text, double *value, fm_error *error)
{
    const char *at = text;
    if (fm_text_number_read(&at, value) && *at == 0 && isfinite(*value))
        return FM_OK;
    return fm_fail(error, FM_ERR_SYNTAX, "%.60s: '%.60s' is invalid: must be a number", name, text);
}
