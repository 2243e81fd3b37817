#include "scenario/value.h"

#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- limits ---- */

static bool has_limits(const fm_attr *attr)
{
    return attr->min != 0 || attr->max != 0;
}

static const char *write_limits(double min, double max, const char *unit, char *buffer, size_t size)
{
    char low[40], high[40];
    int length = (int)strcspn(unit, "\r\n");
    while (length > 0 && isspace((unsigned char)unit[length - 1]))
        length--;
    const char *space = length ? " " : "";
    fm_text_number_write(low, sizeof low, min);
    fm_text_number_write(high, sizeof high, max);
    if (!isfinite(max))
        snprintf(buffer, size, "%s%s%.*s or more", low, space, length, unit);
    else if (!isfinite(min))
        snprintf(buffer, size, "%s%s%.*s or less", high, space, length, unit);
    else
        snprintf(buffer, size, "%s … %s%s%.*s", low, high, space, length, unit);
    return buffer;
}

const char *fm_range_write(const fm_attr *attr, char *buffer, size_t size)
{
    buffer[0] = 0;
    return has_limits(attr) ? write_limits(attr->min, attr->max, attr->unit ? attr->unit : "", buffer, size) : buffer;
}

/* Nine digits are enough to print a converted limit ("90 deg", not "90.00000000000001 deg"). */
static double rounded(double number)
{
    char buffer[40];
    snprintf(buffer, sizeof buffer, "%.9g", number);
    return isfinite(number) ? strtod(buffer, NULL) : number;
}

/* Clamps a number that exceeds a limit only because of the unit conversion. */
static double onto_limit(double number, double limit)
{
    return fabs(number - limit) <= 1e-12 * fabs(limit) ? limit : number;
}

static fm_status check_limits(const fm_attr *attr, const fm_amount *found, double *numbers, const char *written,
                              fm_error *error)
{
    fm_unit unit;
    if (!has_limits(attr))
        return FM_OK;
    fm_unit_parse(attr->unit, &unit, NULL);
    for (size_t i = 0; i < found->count; i++) {
        if (numbers[i] < attr->min)
            numbers[i] = onto_limit(numbers[i], attr->min);
        if (numbers[i] > attr->max)
            numbers[i] = onto_limit(numbers[i], attr->max);
        if (numbers[i] >= attr->min && numbers[i] <= attr->max)
            continue;
        char range[160];
        write_limits(rounded(fm_unit_convert(attr->min, &unit, &found->unit)),
                     rounded(fm_unit_convert(attr->max, &unit, &found->unit)), found->unit_text, range, sizeof range);
        return fm_fail(error, FM_ERR_RANGE, "'%.100s' is out of range: must be %s", written, range);
    }
    return FM_OK;
}

/* ---- one function per kind of attribute ---- */

static fm_status out_of_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory");
}

static fm_status check_count(const fm_attr *attr, size_t count, const char *written, fm_error *error)
{
    if (attr->type == FM_ATTR_REAL && count != 1)
        return fm_fail(error, FM_ERR_SYNTAX, "%zu numbers in '%.100s': must be one", count, written);
    if (attr->type == FM_ATTR_VECTOR && count != attr->count)
        return fm_fail(error, FM_ERR_SYNTAX, "%zu number%s in '%.100s': must be %zu", count, count == 1 ? "" : "s",
                       written, attr->count);
    if (attr->type == FM_ATTR_LIST && count > attr->count)
        return fm_fail(error, FM_ERR_SYNTAX, "%zu numbers given: must be 1 to %zu", count, attr->count);
    return FM_OK;
}

static fm_status parse_numbers(fm_arena *arena, const fm_attr *attr, const char *written, fm_value *value,
                               fm_error *error)
{
    fm_amount found;
    fm_status status = fm_amount_parse(written, attr->unit, NULL, 0, &found, error);
    if (status == FM_OK)
        status = check_count(attr, found.count, written, error);
    if (status != FM_OK)
        return status;
    double *numbers = fm_arena_alloc(arena, found.count * sizeof *numbers);
    if (!numbers)
        return out_of_memory(error);
    status = fm_amount_parse(written, attr->unit, numbers, found.count, &found, error);
    if (status == FM_OK)
        status = check_limits(attr, &found, numbers, written, error);
    value->numbers = numbers;
    value->count = found.count;
    return status;
}

static fm_status parse_integer(const fm_attr *attr, const char *word, fm_value *value, fm_error *error)
{
    const char *digits = *word == '-' || *word == '+' ? word + 1 : word;
    if (*digits == 0 || digits[strspn(digits, "0123456789")])
        return fm_fail(error, FM_ERR_SYNTAX, "'%.100s' is invalid: must be a whole number", word);
    errno = 0;
    long long number = strtoll(word, NULL, 10);
    if (errno == ERANGE || (has_limits(attr) && ((double)number < attr->min || (double)number > attr->max))) {
        char range[160];
        fm_range_write(attr, range, sizeof range);
        return fm_fail(error, FM_ERR_RANGE, "'%.100s' is out of range: must be %s", word,
                       *range ? range : "a whole number of 64 bits");
    }
    value->integer = number;
    return FM_OK;
}

static fm_status parse_bool(const char *word, fm_value *value, fm_error *error)
{
    bool yes = strcmp(word, "true") == 0 || strcmp(word, "yes") == 0 || strcmp(word, "1") == 0;
    if (!yes && strcmp(word, "false") != 0 && strcmp(word, "no") != 0 && strcmp(word, "0") != 0)
        return fm_fail(error, FM_ERR_SYNTAX, "'%.100s' is invalid: must be true or false", word);
    value->integer = yes;
    return FM_OK;
}

static void list_choices(const fm_attr *attr, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = 0;
    for (size_t i = 0; attr->choices[i] && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", attr->choices[i]);
}

static fm_status parse_choice(const fm_attr *attr, const char *word, fm_value *value, fm_error *error)
{
    fm_nearest nearest = {.wanted = word};
    for (size_t i = 0; attr->choices[i]; i++) {
        if (strcmp(attr->choices[i], word) == 0) {
            value->integer = (int64_t)i;
            value->text = attr->choices[i];
            return FM_OK;
        }
        fm_nearest_offer(&nearest, attr->choices[i]);
    }
    char accepted[400], hint[160];
    list_choices(attr, accepted, sizeof accepted);
    return fm_fail(error, FM_ERR_NAME, "'%.60s' is invalid: must be one of %s%s", word, accepted,
                   fm_nearest_write(&nearest, hint, sizeof hint));
}

static fm_status parse_file(fm_arena *arena, const char *word, const char *file, fm_value *value, fm_error *error)
{
    if (*word == 0)
        return fm_fail(error, FM_ERR_SYNTAX, "'' is invalid: must be the path of a file");
    if (strstr(word, "://"))
        return fm_fail(error, FM_ERR_FILE,
                       "'%.100s' is invalid: must be the path of a file: network addresses are not opened", word);
    const char *slash = file ? strrchr(file, '/') : NULL;
    size_t folder = slash && *word != '/' ? (size_t)(slash - file) + 1 : 0;
    char *path = fm_arena_alloc(arena, folder + strlen(word) + 1);
    if (!path)
        return out_of_memory(error);
    memcpy(path, file ? file : "", folder);
    strcpy(path + folder, word);
    value->text = path;
    return FM_OK;
}

enum { NAME_LENGTH = 100 }; /* of any name; those of vehicles are shorter */

static fm_status parse_name(const char *word, fm_value *value, fm_error *error)
{
    if (strlen(word) > NAME_LENGTH)
        return fm_fail(error, FM_ERR_RANGE, "a name of %zu characters ('%.20s…'): must be at most %d", strlen(word),
                       word, NAME_LENGTH);
    if (!fm_text_name_valid(word))
        return fm_fail(error, FM_ERR_SYNTAX,
                       "'%.100s' is invalid: must be a name: a letter or '_', then letters, digits, '_', '.' or '-'",
                       word);
    value->text = word;
    return FM_OK;
}

/* A copy without white space at both ends. */
static char *copy_trimmed(fm_arena *arena, const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *copy = fm_arena_text(arena, text);
    size_t length = copy ? strlen(copy) : 0;
    while (length > 0 && isspace((unsigned char)copy[length - 1]))
        copy[--length] = 0;
    return copy;
}

fm_status fm_value_parse(fm_arena *arena, const fm_attr *attr, const char *written, const char *file, int line,
                         fm_value *value, fm_error *error)
{
    if (strlen(written) > FM_VALUE_LENGTH)
        return fm_fail(error, FM_ERR_SYNTAX, "longer than %d bytes", FM_VALUE_LENGTH);
    char *word = attr->type == FM_ATTR_TEXT ? fm_arena_text(arena, written) : copy_trimmed(arena, written);
    if (!word)
        return out_of_memory(error);
    *value = (fm_value){.source = FM_VALUE_WRITTEN, .written = word, .file = file, .line = line};
    switch (attr->type) {
    case FM_ATTR_REAL:
    case FM_ATTR_VECTOR:
    case FM_ATTR_LIST: return parse_numbers(arena, attr, word, value, error);
    case FM_ATTR_INT: return parse_integer(attr, word, value, error);
    case FM_ATTR_BOOL: return parse_bool(word, value, error);
    case FM_ATTR_CHOICE: return parse_choice(attr, word, value, error);
    case FM_ATTR_NAME: return parse_name(word, value, error);
    case FM_ATTR_FILE: return parse_file(arena, word, file, value, error);
    case FM_ATTR_TEXT: value->text = word; return FM_OK;
    }
    return fm_fail(error, FM_ERR_ARGUMENT, "attribute '%s' has no valid type", attr->name);
}

/* ---- delivering and showing ---- */

void fm_value_store(const fm_attr *attr, const fm_value *value, void *config)
{
    char *field = (char *)config + attr->offset;
    const double zero = 0;
    fm_list list = {value->numbers, value->count};
    switch (attr->type) {
    case FM_ATTR_REAL: memcpy(field, value->numbers ? value->numbers : &zero, sizeof(double)); break;
    case FM_ATTR_VECTOR:
        if (value->numbers)
            memcpy(field, value->numbers, attr->count * sizeof(double));
        else
            memset(field, 0, attr->count * sizeof(double));
        break;
    case FM_ATTR_LIST: memcpy(field, &list, sizeof list); break;
    case FM_ATTR_INT:
    case FM_ATTR_BOOL:
    case FM_ATTR_CHOICE: memcpy(field, &value->integer, sizeof value->integer); break;
    case FM_ATTR_TEXT:
    case FM_ATTR_NAME:
    case FM_ATTR_FILE: memcpy(field, &value->text, sizeof value->text); break;
    }
}

static void write_numbers(const fm_attr *attr, const fm_value *value, char *buffer, size_t size)
{
    size_t used = 0;
    char number[40];
    for (size_t i = 0; i < value->count && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? " " : "",
                                 fm_text_number_write(number, sizeof number, value->numbers[i]));
    if (used < size && *attr->unit)
        snprintf(buffer + used, size - used, " %s", attr->unit);
}

const char *fm_value_write(const fm_attr *attr, const fm_value *value, char *buffer, size_t size)
{
    buffer[0] = 0;
    if (value->source == FM_VALUE_UNSET)
        return buffer;
    if (attr->type == FM_ATTR_INT)
        snprintf(buffer, size, "%lld", (long long)value->integer);
    else if (attr->type == FM_ATTR_BOOL)
        snprintf(buffer, size, "%s", value->integer ? "true" : "false");
    else if (value->text)
        snprintf(buffer, size, "%s", value->text);
    else
        write_numbers(attr, value, buffer, size);
    return buffer;
}

const char *fm_attr_type_write(const fm_attr *attr, char *buffer, size_t size)
{
    static const char *const words[] = {
        [FM_ATTR_REAL] = "number",   [FM_ATTR_INT] = "whole number", [FM_ATTR_BOOL] = "true or false",
        [FM_ATTR_CHOICE] = "choice", [FM_ATTR_TEXT] = "text",        [FM_ATTR_NAME] = "name",
        [FM_ATTR_FILE] = "file",
    };
    if (attr->type == FM_ATTR_VECTOR)
        snprintf(buffer, size, "%zu numbers", attr->count);
    else if (attr->type == FM_ATTR_LIST)
        snprintf(buffer, size, "1 to %zu numbers", attr->count);
    else
        snprintf(buffer, size, "%s", words[attr->type]);
    return buffer;
}
