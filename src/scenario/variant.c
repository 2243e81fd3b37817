/* Numbers of a model by handle, and the model with other numbers (fathom/variant.h). */
#include <fathom/variant.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scenario/load.h"
#include "scenario/params.h"
#include "world/model.h"

/* A handle: the parameter, and above its bits which number of a vector, from 1; 0: the whole parameter. */
enum { COMPONENTS_MOST = 64 };
#define HANDLE(param, component) ((param) * (COMPONENTS_MOST + 1) + (size_t)((component) + 1))

static size_t param_of(size_t number)
{
    return number / (COMPONENTS_MOST + 1);
}

static int component_of(size_t number)
{
    return (int)(number % (COMPONENTS_MOST + 1)) - 1;
}

/* --- values --- */

/* The numbers in the text of a value, before its unit; 0: it is not a number. */
static size_t read_numbers(const fm_param_info *info, double *numbers, size_t most)
{
    const char *text = info->value, *end = text + strlen(text) - strlen(info->unit);
    size_t count = 0;
    double number;
    while (count < most && text < end && fm_text_number_read(&text, &number)) {
        numbers[count++] = number;
        text += strspn(text, " ");
    }
    return count;
}

/* Which number of a vector a component means, as in fm_load_options.set: x, y, z, or its index; -1: none. */
static int find_component(const char *component, size_t count)
{
    char *end;
    if (count <= 3 && *component >= 'x' && *component <= 'z' && !component[1])
        return (size_t)(*component - 'x') < count ? *component - 'x' : -1;
    const unsigned long number = *component >= '0' && *component <= '9' ? strtoul(component, &end, 10) : count;
    return number < count && !*end ? (int)number : -1;
}

/* --- finding --- */

static size_t find_param(const fm_model *model, const char *path)
{
    size_t i = 0;
    while (i < model->param_count && !fm_text_name_equal(fm_model_param(model, i).path, path))
        i++;
    return i;
}

static fm_status unknown(const fm_model *model, const char *path, fm_error *error)
{
    char near[700];
    fm_nearest nearest = {.wanted = path};
    for (size_t i = 0; i < model->param_count; i++)
        fm_nearest_offer(&nearest, fm_model_param(model, i).path);
    return fm_fail(error, FM_ERR_NAME, "no parameter '%.200s'%s", path, fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status take_whole(const fm_param_info *info, size_t count, fm_error *error)
{
    if (!*info->value)
        return fm_fail(error, FM_ERR_MODEL, "parameter '%.200s' has no value in the model: set one there", info->path);
    if (count == 0)
        return fm_fail(error, FM_ERR_NAME, "parameter '%.200s' is '%.60s': must be a number", info->path, info->value);
    if (count > 1)
        return fm_fail(error, FM_ERR_NAME, "parameter '%.200s' has %zu numbers: name one of them, as in '%.200s/%s'",
                       info->path, count, info->path, count <= 3 ? "x" : "0");
    return FM_OK;
}

fm_status fm_model_param_find(const fm_model *model, const char *path, size_t *number, fm_error *error)
{
    double numbers[COMPONENTS_MOST];
    if (!model || !path || !number)
        return fm_fail(error, FM_ERR_ARGUMENT, "model, path and number must not be NULL");
    size_t param = find_param(model, path), count;
    if (param < model->param_count) {
        const fm_param_info info = fm_model_param(model, param);
        count = read_numbers(&info, numbers, COMPONENTS_MOST);
        *number = HANDLE(param, -1);
        return take_whole(&info, count, error);
    }
    const char *last = strrchr(path, '/');
    char whole[FM_PATH_SIZE];
    if (!last || last == path || last - path >= FM_PATH_SIZE)
        return unknown(model, path, error);
    snprintf(whole, sizeof whole, "%.*s", (int)(last - path), path);
    param = find_param(model, whole);
    if (param == model->param_count)
        return unknown(model, path, error);
    const fm_param_info found = fm_model_param(model, param), *info = &found;
    count = read_numbers(info, numbers, COMPONENTS_MOST);
    const int component = count > 1 ? find_component(last + 1, count) : -1;
    if (!*info->value)
        return take_whole(info, count, error);
    if (component < 0)
        return fm_fail(error, FM_ERR_NAME, "no parameter '%.200s': '%.200s' has %zu number%s", path, info->path, count,
                       count == 1 ? "" : "s");
    *number = HANDLE(param, component);
    return FM_OK;
}

fm_number_info fm_model_number(const fm_model *model, size_t number)
{
    fm_number_info out = {.component = -1, .unit = "", .value = NAN};
    if (!model || param_of(number) >= model->param_count)
        return out;
    const fm_param_info found = fm_model_param(model, param_of(number)), *info = &found;
    double numbers[COMPONENTS_MOST];
    const size_t count = read_numbers(info, numbers, COMPONENTS_MOST);
    const int component = component_of(number);
    if (count == 0 || (component < 0 ? count != 1 : count < 2 || (size_t)component >= count))
        return out;
    return (fm_number_info){.parameter = info->path,
                            .component = component,
                            .unit = info->unit,
                            .min = info->min,
                            .max = info->max,
                            .value = numbers[component < 0 ? 0 : component]};
}

/* --- variants --- */

enum { SET_SIZE = FM_PATH_SIZE + 128 };

/* By text, as fm_load_options.set: the model is built again. */
static fm_model *vary_by_text(const fm_model *model, const size_t *numbers, const double *values, size_t count,
                              fm_error *error)
{
    char(*sets)[SET_SIZE] = fm_alloc((count + 1) * sizeof *sets);
    const char **all = fm_alloc((count + 1) * sizeof *all);
    fm_model *made = NULL;
    for (size_t i = 0; sets && all && i < count; i++) {
        const fm_param_info found = fm_model_param(model, param_of(numbers[i])), *info = &found;
        char text[40], component[24] = "";
        if (component_of(numbers[i]) >= 0)
            snprintf(component, sizeof component, "/%d", component_of(numbers[i]));
        snprintf(sets[i], sizeof *sets, "%s%s=%s %s", info->path, component,
                 fm_text_number_write(text, sizeof text, values[i]), info->unit);
        all[i] = sets[i];
    }
    if (sets && all)
        made = fm_model_vary(model, all, count, error);
    else
        fm_fail(error, FM_ERR_MEMORY, "no memory for %zu numbers", count);
    fm_free(sets);
    fm_free(all);
    return made;
}

fm_model *fm_model_variant(const fm_model *model, const size_t *numbers, const double *values, size_t count,
                           fm_error *error)
{
    if (!model || (count && (!numbers || !values))) {
        fm_fail(error, FM_ERR_ARGUMENT, "model, numbers and values must not be NULL");
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (!fm_model_number(model, numbers[i]).parameter) {
            fm_fail(error, FM_ERR_ARGUMENT, "numbers[%zu] is not a handle of this model", i);
            return NULL;
        }
    return vary_by_text(model, numbers, values, count, error);
}
