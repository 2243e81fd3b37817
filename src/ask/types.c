/* Units of the parts of an expression, and what is said where they do not suit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ask/program.h"
#include "base/error.h"
#include "base/text.h"

enum { POWER_MOST = 30, QUOTED = 48 };

/* Characters of UTF-8 before a byte, from 1. */
static size_t column_of(const char *text, size_t byte)
{
    size_t column = 1;
    for (size_t i = 0; i < byte && text[i]; i++)
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
    return column;
}

fm_status fm_ask_fail(const fm_ask *ask, size_t from, fm_error *error, fm_status status, const char *format, ...)
{
    char text[560], quoted[120];
    va_list arguments;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    fm_text_print(quoted, sizeof quoted, "%s", ask->text);
    return fm_fail(error, status, "expression '%s%s', column %zu: %s", quoted,
                   strlen(ask->text) >= sizeof quoted ? "…" : "", column_of(ask->text, from), text);
}

int fm_ask_plain(const fm_ask_type *a)
{
    static const int8_t none[FM_DIM_COUNT];
    return !a->condition && !memcmp(a->power, none, sizeof none);
}

int fm_ask_alike(const fm_ask_type *a, const fm_ask_type *b)
{
    return a->condition == b->condition && !memcmp(a->power, b->power, sizeof a->power);
}

const char *fm_ask_type_unit(const fm_ask_type *type, char *buffer, size_t size)
{
    fm_unit unit = {.num = 1, .den = 1};
    memcpy(unit.power, type->power, sizeof unit.power);
    fm_unit_write(&unit, buffer, size);
    return buffer;
}

const char *fm_ask_describe(const fm_ask *ask, const fm_ask_node *node, char *buffer, size_t size)
{
    char unit[64], part[QUOTED + 8];
    const int length = node->to - node->from;
    fm_text_print(part, sizeof part, "%.*s%s", length > QUOTED ? QUOTED : length, ask->text + node->from,
                  length > QUOTED ? "…" : "");
    if (node->type.condition)
        fm_text_print(buffer, size, "'%s' is a condition", part);
    else if (fm_ask_plain(&node->type))
        fm_text_print(buffer, size, "'%s' has no unit", part);
    else
        fm_text_print(buffer, size, "'%s' is in %s", part, fm_ask_type_unit(&node->type, unit, sizeof unit));
    return buffer;
}

fm_status fm_ask_want_number(const fm_ask *ask, const char *what, const fm_ask_node *node, fm_error *error)
{
    char found[160];
    return node->type.condition ? fm_ask_fail(ask, node->from, error, FM_ERR_UNIT, "%s: %s: must be a number", what,
                                              fm_ask_describe(ask, node, found, sizeof found))
                                : FM_OK;
}

fm_status fm_ask_want_condition(const fm_ask *ask, const char *what, const fm_ask_node *node, fm_error *error)
{
    char found[160];
    return node->type.condition
               ? FM_OK
               : fm_ask_fail(ask, node->from, error, FM_ERR_UNIT, "%s: %s: must be a condition, such as 'a > 3 m'",
                             what, fm_ask_describe(ask, node, found, sizeof found));
}

fm_status fm_ask_join(const fm_ask *ask, const char *what, const fm_ask_node *a, const fm_ask_node *b,
                      fm_ask_type *type, fm_error *error)
{
    char first[160], second[160];
    fm_status status = fm_ask_want_number(ask, what, a, error);
    if (status == FM_OK)
        status = fm_ask_want_number(ask, what, b, error);
    if (status != FM_OK)
        return status;
    *type = a->type.nought ? b->type : a->type;
    type->nought = a->type.nought && b->type.nought;
    if (a->type.nought || b->type.nought || fm_ask_alike(&a->type, &b->type))
        return FM_OK;
    return fm_ask_fail(ask, b->from, error, FM_ERR_UNIT, "%s: %s, %s: both must have the same unit", what,
                       fm_ask_describe(ask, a, first, sizeof first), fm_ask_describe(ask, b, second, sizeof second));
}

fm_status fm_ask_multiply_units(const fm_ask *ask, const fm_ask_node *a, const fm_ask_node *b, int sign,
                                fm_ask_type *type, fm_error *error)
{
    const char *what = sign > 0 ? "'*'" : "'/'";
    fm_status status = fm_ask_want_number(ask, what, a, error);
    if (status == FM_OK)
        status = fm_ask_want_number(ask, what, b, error);
    *type = (fm_ask_type){0};
    for (int i = 0; i < FM_DIM_COUNT && status == FM_OK; i++) {
        const int power = a->type.power[i] + sign * b->type.power[i];
        if (power < -POWER_MOST || power > POWER_MOST)
            status = fm_ask_fail(ask, a->from, error, FM_ERR_UNIT, "%s: the exponents of the unit are too large", what);
        type->power[i] = (int8_t)power;
    }
    return status;
}
