/* Draws from the result of a fit: its values, their deviations and correlations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json_member.h"
#include "geometry/file.h"
#include "studies/plan.h"

static fm_status refuse(const char *file, const char *why, fm_error *error)
{
    return fm_fail(error, FM_ERR_SYNTAX, "%s: %s: must be the output of `fathom identify --json`", file, why);
}

/* A text member without escapes: paths and units have none. */
static bool read_text(const char *from, const char *end, const char *key, char *text, size_t size)
{
    const char *at = fm_json_member_find(from, end, key);
    const size_t length = at && *at == '"' ? strcspn(at + 1, "\"\\") : 0;
    if (!at || *at != '"' || at[1 + length] != '"' || length >= size)
        return false;
    memcpy(text, at + 1, length);
    text[length] = 0;
    return true;
}

static fm_status add_parameter(fm_sweep_plan *plan, const char *file, const char *from, const char *end,
                               fm_error *error)
{
    char path[FM_AXIS_PATH], unit[FM_AXIS_UNIT], text[FM_AXIS_PATH + 160];
    const double value = fm_json_member_number(from, end, "value");
    const double deviation = fm_json_member_number(from, end, "deviation");
    if (!read_text(from, end, "path", path, sizeof path) || !read_text(from, end, "unit", unit, sizeof unit) ||
        isnan(value))
        return refuse(file, "a parameter has no path, unit or value", error);
    if (!(deviation >= 0) || !isfinite(deviation))
        return fm_fail(error, FM_ERR_SYNTAX, "%s: '%.200s' has no deviation: the fit has not determined it", file,
                       path);
    snprintf(text, sizeof text, "%s~normal(%.17g,%.17g) %s", path, value, deviation, unit);
    return fm_plan_vary(plan, text, error);
}

/* Row `row` of the correlations of the parameters from `first` on. */
static fm_status read_row(fm_sweep_plan *plan, const char *file, const char *from, const char *end, size_t first,
                          size_t row, size_t count, fm_error *error)
{
    const char *at = fm_json_member_find(from, end, "correlation");
    if (!at || *at++ != '[')
        return refuse(file, "a parameter has no correlations", error);
    for (size_t k = 0; k < count; k++) {
        double number;
        at += strspn(at, ", \n");
        if (!fm_text_number_read(&at, &number) || !(fabs(number) <= 1))
            return refuse(file, "a correlation is missing, or not from -1 to 1", error);
        if (k == row)
            continue;
        plan->correlation[(first + row) * FM_AXES_MOST + first + k] = number;
    }
    return FM_OK;
}

fm_status fm_plan_parse_fit(fm_sweep_plan *plan, const char *file, const char *text, fm_error *error)
{
    const char *list = strstr(text, "\"parameters\":"), *at = list ? strchr(list, '[') : NULL;
    const char *objects[FM_AXES_MOST], *ends[FM_AXES_MOST];
    const size_t first = plan->axis_count;
    size_t count = 0;
    fm_status status = FM_OK;
    if (!at)
        return refuse(file, "it has no parameters", error);
    for (at++; *(at += strspn(at, ", \n")) == '{' && status == FM_OK; at = ends[count++]) {
        if (count == FM_AXES_MOST || !(ends[count] = fm_json_object_end(at)))
            return refuse(file, "it is cut off", error);
        objects[count] = at;
        status = add_parameter(plan, file, at, ends[count], error);
    }
    if (status == FM_OK && count == 0)
        return refuse(file, "it has no parameters", error);
    if (status == FM_OK && !plan->correlation)
        status = fm_plan_begin_correlation(plan, error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = read_row(plan, file, objects[i], ends[i], first, i, count, error);
    return status;
}

fm_status fm_plan_vary_fit(fm_sweep_plan *plan, const char *file, fm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    fm_status status = fm_geometry_file(file, &text, &size, error);
    if (status == FM_OK)
        status = strlen(text) == size ? fm_plan_parse_fit(plan, file, text, error)
                                      : refuse(file, "it contains a NUL byte", error);
    fm_free(text);
    return status;
}
