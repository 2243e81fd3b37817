#include "page/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

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
        return isnan(*value) ? fm_fail(error, FM_ERR_ARGUMENT, "%s: it is missing: must be a number", name) : FM_OK;
    if (!json_is_number(found))
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: %s is invalid: must be a number", name, type_name(found));
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
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: %s is invalid: must be a text", name, type_name(found));
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
            return fm_fail(error, FM_ERR_ARGUMENT, "%s: %s is invalid: must be %zu numbers", name, type_name(value),
                           count);
        out[i] = json_number_value(value);
        status = fm_number_accept(name, out[i], (fm_number_range){-most, most, false}, error);
    }
    return status;
}

/* --- commands --- */

static const fm_number_range any_number = {-1e300, 1e300, false}; /* its range is checked with that of all others */

/* "roll", "pitch", "heading": if one of them is given, the others are 0. */
static fm_status read_parts(const json_t *request, const fm_argument *a, double *numbers, fm_error *error)
{
    const char *at = a->words;
    fm_status status = FM_OK;
    for (int i = 0; status == FM_OK && i < 3; i++) {
        char word[32];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        numbers[i] = a->need == FM_ARGUMENT_OPTIONAL ? a->fallback : (double)NAN;
        status = fm_request_number(request, word, any_number, &numbers[i], error);
        at += length + (at[length] == ' ');
    }
    return status;
}

static fm_status read_numbers(const json_t *request, const fm_argument *a, fm_command *command, fm_error *error)
{
    double numbers[3] = {a->need == FM_ARGUMENT_OPTIONAL ? a->fallback : (double)NAN};
    fm_status status;
    if (a->type != FM_ARGUMENT_VECTOR)
        status = fm_request_number(request, a->name, any_number, &numbers[0], error);
    else if (fm_request_has(request, a->name))
        status = fm_request_vector(request, a->name, 3, any_number.most, numbers, error);
    else
        status = read_parts(request, a, numbers, error);
    return status == FM_OK ? fm_argument_write(a, command, numbers, error) : status;
}

static fm_status read_argument(const json_t *request, const fm_argument *a, fm_command *command, fm_error *error)
{
    const char *text = "";
    if (fm_argument_numbers(a))
        return read_numbers(request, a, command, error);
    fm_status status = fm_request_text(request, a->name, &text, error);
    if (status != FM_OK)
        return status;
    return a->type == FM_ARGUMENT_NAME ? fm_argument_write_name(a, command, text, error)
                                       : fm_argument_write_bytes(a, command, text, strlen(text), error);
}

fm_status fm_request_command(const json_t *request, fm_command_kind kind, fm_command *command, fm_error *error)
{
    const fm_command_row *row = fm_command_row_of(kind);
    fm_status status = fm_command_begin(command, kind, error);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = read_argument(request, &row->arguments[i], command, error);
    return status;
}

char *fm_request_schema(const fm_command_row *row)
{
    static const char *const types[] = {
        [FM_ARGUMENT_NAME] = "{\"type\":\"string\"}",
        [FM_ARGUMENT_NUMBER] = "{\"type\":\"number\"}",
        [FM_ARGUMENT_VECTOR] = "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}",
        [FM_ARGUMENT_WHOLE] = "{\"type\":\"number\"}",
        [FM_ARGUMENT_BYTES] = "{\"type\":\"string\"}",
    };
    const size_t room = 64 + 128 * row->argument_count;
    char *text = fm_alloc(room);
    size_t used = text ? (size_t)snprintf(text, room, "{\"type\":\"object\",\"properties\":{") : 0;
    for (size_t i = 0; text && i < row->argument_count; i++)
        used += (size_t)snprintf(text + used, room - used, "%s\"%s\":%s", i ? "," : "", row->arguments[i].name,
                                 types[row->arguments[i].type]);
    if (text)
        snprintf(text + used, room - used, "}}");
    return text;
}
