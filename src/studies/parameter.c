#include "studies/parameter.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* How many numbers a value has. */
static int count_numbers(const char *text)
{
    int count = 0;
    double number;
    while (text && fm_text_number_read(&text, &number)) {
        count++;
        text += strspn(text, " ");
    }
    return count;
}

/* The number of a vector that the last name of a path means: x, y, z of at most three, or its index; -1: none. */
static int number_named(const char *name, int count)
{
    char *end;
    if (count <= 3 && name[0] >= 'x' && name[0] <= 'z' && !name[1])
        return name[0] - 'x' < count ? name[0] - 'x' : -1;
    long index = strtol(name, &end, 10);
    return *name >= '0' && *name <= '9' && !*end && index < count ? (int)index : -1;
}

static bool find_whole(const fm_model *model, const char *path, fm_parameter *parameter)
{
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        parameter->info = fm_model_param(model, i);
        parameter->number = -1;
        if (fm_text_name_equal(parameter->info.path, path))
            return true;
    }
    return false;
}

bool fm_parameter_find(const fm_model *model, const char *path, fm_parameter *parameter)
{
    if (find_whole(model, path, parameter))
        return true;
    const char *last = strrchr(path, '/');
    char whole[1024];
    if (!last || last == path || (size_t)(last - path) >= sizeof whole)
        return false;
    memcpy(whole, path, (size_t)(last - path));
    whole[last - path] = 0;
    if (!find_whole(model, whole, parameter))
        return false;
    int count = count_numbers(parameter->info.value);
    parameter->number = count > 1 ? number_named(last + 1, count) : -1;
    return parameter->number >= 0;
}

bool fm_parameter_value(const fm_parameter *parameter, const char *unit, double *value)
{
    const char *at = parameter->info.value;
    fm_unit from, to;
    if (!at || (parameter->number < 0 && count_numbers(at) != 1) ||
        fm_unit_parse(parameter->info.unit, &from, NULL) != FM_OK || fm_unit_parse(unit, &to, NULL) != FM_OK ||
        !fm_unit_compatible(&from, &to))
        return false;
    for (int i = 0; i <= (parameter->number < 0 ? 0 : parameter->number); i++, at += strspn(at, " "))
        if (!fm_text_number_read(&at, value))
            return false;
    *value = fm_unit_convert(*value, &from, &to);
    return true;
}
