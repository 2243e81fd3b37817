#include "page/request.h"

#include <math.h>

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a text";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE:
    case JSON_FALSE: return "true or false";
    default: return "null";
    }
}

int fm_request_has(const json_t *request, const char *name)
{
    const json_t *value = json_object_get(request, name);
    return value && !json_is_null(value);
}

fm_status fm_request_number(const json_t *request, const char *name, fm_number_range range, double *value,
                            fm_error *error)
{
    const json_t *found = json_object_get(request, name);
    if (!fm_request_has(request, name))
        return isnan(*value) ? fm_fail(error, FM_ERR_ARGUMENT, "%s: it is missing, expected is a number", name) : FM_OK;
    if (!json_is_number(found))
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: found %s, expected is a number", name, type_name(found));
    *value = json_number_value(found);
    return fm_number_accept(name, *value, range, error);
}

fm_status fm_request_text(const json_t *request, const char *name, const char **text, fm_error *error)
{
    const json_t *found = json_object_get(request, name);
    *text = "";
    if (!fm_request_has(request, name))
        return FM_OK;
    if (!json_is_string(found))
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: found %s, expected is a text", name, type_name(found));
    *text = json_string_value(found);
    return FM_OK;
}

fm_status fm_request_vector(const json_t *request, const char *name, size_t count, double most, double *out,
                            fm_error *error)
{
    const json_t *list = json_object_get(request, name);
    fm_status status = FM_OK;
    if (!json_is_array(list) || json_array_size(list) != count)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: expected are %zu numbers", name, count);
    for (size_t i = 0; status == FM_OK && i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return fm_fail(error, FM_ERR_ARGUMENT, "%s: found %s, expected are %zu numbers", name, type_name(value),
                           count);
        out[i] = json_number_value(value);
        status = fm_number_accept(name, out[i], (fm_number_range){-most, most, false}, error);
    }
    return status;
}
