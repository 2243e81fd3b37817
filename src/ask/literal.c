/* Numbers with units: "10", "10 m", "0.5 m/s2", "3 N/(m/s)2". The unit has no spaces inside. */
#include <stdio.h>
#include <string.h>

#include "ask/parse.h"
#include "base/error.h"
#include "base/text.h"

static int is_unit_name(const char *name, size_t length)
{
    const char *known;
    for (size_t i = 0; (known = fm_unit_name(i, NULL)) != NULL; i++)
        if (strlen(known) == length && !memcmp(known, name, length))
            return 1;
    return 0;
}

static size_t measure_word(const char *at)
{
    size_t length = *at == '%';
    while (!length ? fm_ask_is_letter(at[0]) : fm_ask_is_letter(at[length]) && at[0] != '%')
        length++;
    return length;
}

static const char *skip_product(const char *at, int depth);

/* Skips "m2", "s^-1", "(m/s)2"; NULL: `at` is not on a unit. */
static const char *skip_factor(const char *at, int depth)
{
    if (*at == '(') {
        at = depth < 8 ? skip_product(at + 1, depth + 1) : NULL;
        if (!at || *at != ')')
            return NULL;
        at++;
    } else {
        const size_t length = measure_word(at);
        if (!length || !is_unit_name(at, length))
            return NULL;
        at += length;
    }
    if (at[0] == '^' && (fm_ask_is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && fm_ask_is_digit(at[2]))))
        at += fm_ask_is_digit(at[1]) ? 2 : 3;
    else if (fm_ask_is_digit(*at))
        at++;
    return fm_ask_is_letter(*at) || fm_ask_is_digit(*at) || *at == '_' ? NULL : at;
}

static const char *skip_product(const char *at, int depth)
{
    at = skip_factor(at, depth);
    while (at && (*at == '/' || *at == '*' || *at == '.')) {
        const char *next = skip_factor(at + 1, depth);
        if (!next)
            break;
        at = next;
    }
    return at;
}

static int is_operator_word(const char *at, size_t length)
{
    static const char *const words[] = {"and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], at, length))
            return 1;
    return 0;
}

/* The unit of the number that ends at `at`, which moves past it. */
static fm_status read_unit(fm_ask_parser *p, fm_unit *unit)
{
    char text[128];
    fm_error why = {0};
    const char *start = p->at;
    while (*start == ' ' || *start == '\t' || *start == '\n' || *start == '\r')
        start++;
    const size_t word = measure_word(start);
    const char *end = word ? skip_product(start, 0) : NULL;
    if (end && *end == '(' && !memchr(start, '(', (size_t)(end - start)))
        end = NULL; /* "5 min(x)" */
    *unit = (fm_unit){.num = 1, .den = 1};
    if (!end && (!word || is_operator_word(start, word)))
        return FM_OK;
    if (!end) {
        fm_text_print(text, sizeof text, "%.*s", word < 60 ? (int)word : 60, start);
        (void)fm_unit_parse(text, unit, &why);
        return fm_ask_parse_fail(p, start, FM_ERR_UNIT, "%s",
                                 why.text[0] ? why.text : "a number is followed by a unit or an operator");
    }
    if ((size_t)(end - start) >= sizeof text)
        return fm_ask_parse_fail(p, start, FM_ERR_UNIT, "the unit is too long: must have at most %zu characters",
                                 sizeof text - 1);
    fm_text_print(text, sizeof text, "%.*s", (int)(end - start), start);
    p->at = end;
    return fm_unit_parse(text, unit, &why) == FM_OK ? FM_OK : fm_ask_parse_fail(p, start, FM_ERR_UNIT, "%s", why.text);
}

int fm_ask_parse_literal(fm_ask_parser *p, int negative)
{
    const char *from = p->at;
    fm_unit unit;
    fm_ask_node node = {.operation = FM_ASK_CONSTANT};
    if (!fm_text_number_read(&p->at, &node.number)) {
        fm_ask_parse_fail(p, from, FM_ERR_RANGE, "the number is out of range");
        return -1;
    }
    if (read_unit(p, &unit) != FM_OK)
        return -1;
    const fm_unit si = {.num = 1, .den = 1};
    if (negative)
        node.number = -node.number;
    node.type.nought = node.number == 0 && unit.offset == 0;
    node.number = fm_unit_convert(node.number, &unit, &si);
    memcpy(node.type.power, unit.power, sizeof unit.power);
    node.type.nought &= fm_ask_plain(&node.type);
    return fm_ask_add_node(p, node, from);
}
