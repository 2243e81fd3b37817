/* Operators: or, and, not, comparisons, + -, * /, -x, ^. */
#include "ask/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { DEPTH_MOST = 64, POWER_MOST = 9 };

/* --- letters --- */

int fm_ask_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int fm_ask_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void fm_ask_skip_space(fm_ask_parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->at++;
}

fm_status fm_ask_parse_fail(fm_ask_parser *p, const char *at, fm_status status, const char *format, ...)
{
    char text[560];
    va_list arguments;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    fm_text_clean(text);
    return fm_ask_fail(p->ask, (size_t)(at - p->text), p->error, status, "%s", text);
}

/* --- nodes --- */

int fm_ask_add_node(fm_ask_parser *p, fm_ask_node node, const char *from)
{
    fm_ask *ask = p->ask;
    if (ask->node_count == FM_ASK_NODES) {
        fm_ask_parse_fail(p, from, FM_ERR_FULL, "the expression has more than %d parts", FM_ASK_NODES);
        return -1;
    }
    const char *to = p->at;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\n' || to[-1] == '\r'))
        to--;
    node.from = (uint16_t)(from - p->text);
    node.to = (uint16_t)(to - p->text);
    ask->nodes[ask->node_count] = node;
    return (int)ask->node_count++;
}

static int add_pair(fm_ask_parser *p, fm_ask_operation operation, int a, int b, fm_ask_type type)
{
    return fm_ask_add_node(p,
                           (fm_ask_node){.operation = operation, .arguments = {(uint16_t)a, (uint16_t)b}, .type = type},
                           p->text + p->ask->nodes[a].from);
}

/* Takes an operator; a word only as a whole. */
static int take(fm_ask_parser *p, const char *sign)
{
    const size_t length = strlen(sign);
    fm_ask_skip_space(p);
    if (strncmp(p->at, sign, length) != 0)
        return 0;
    const char next = p->at[length];
    if (fm_ask_is_letter(sign[0]) && (fm_ask_is_letter(next) || fm_ask_is_digit(next) || next == '_' || next == '.'))
        return 0;
    p->at += length;
    return 1;
}

/* --- operands --- */

static int parse_atom(fm_ask_parser *p)
{
    fm_ask_skip_space(p);
    const char *from = p->at;
    if (fm_ask_is_digit(*from) || (*from == '.' && fm_ask_is_digit(from[1])))
        return fm_ask_parse_literal(p, 0);
    if (fm_ask_is_letter(*from) || *from == '_')
        return fm_ask_parse_name(p);
    if (*from == '(') {
        p->at++;
        int node = fm_ask_parse_expression(p);
        if (node < 0)
            return node;
        if (!take(p, ")")) {
            fm_ask_parse_fail(p, p->at, FM_ERR_SYNTAX, "missing ')' for the '(' in column %zu",
                              (size_t)(from - p->text) + 1);
            return -1;
        }
        return node;
    }
    if (!*from)
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "the expression ends where a number, a name or '(' must follow");
    else
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "'%.16s' is invalid: must be a number, a name, '(' or '-'", from);
    return -1;
}

/* Units and numbers: whole exponents only. */
static int raise(fm_ask_parser *p, int base, int power)
{
    const fm_ask_node *a = &p->ask->nodes[base];
    fm_ask_type type = {0};
    if (fm_ask_want_number(p->ask, "'^'", a, p->error) != FM_OK)
        return -1;
    for (int i = 0; i < FM_DIM_COUNT; i++) {
        const int sum = a->type.power[i] * power;
        if (sum < -30 || sum > 30) {
            fm_ask_fail(p->ask, a->from, p->error, FM_ERR_UNIT, "'^': the exponents of the unit are too large");
            return -1;
        }
        type.power[i] = (int8_t)sum;
    }
    return fm_ask_add_node(
        p, (fm_ask_node){.operation = FM_ASK_POWER, .arguments = {(uint16_t)base}, .whole = power, .type = type},
        p->text + a->from);
}

static int parse_power(fm_ask_parser *p)
{
    int node = parse_atom(p);
    if (node < 0 || !take(p, "^"))
        return node;
    fm_ask_skip_space(p);
    const char *from = p->at;
    const int negative = *p->at == '-';
    p->at += negative;
    const int power = fm_ask_is_digit(*p->at) ? *p->at++ - '0' : -1;
    if (power < 0 || fm_ask_is_digit(*p->at) || *p->at == '.') {
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "an exponent must be a whole number from -%d to %d", POWER_MOST,
                          POWER_MOST);
        return -1;
    }
    return raise(p, node, negative ? -power : power);
}

static int parse_unary(fm_ask_parser *p)
{
    fm_ask_skip_space(p);
    const char *from = p->at;
    if (*from != '-')
        return parse_power(p);
    p->at++;
    if (++p->depth > DEPTH_MOST) {
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "more than %d signs or parentheses inside each other", DEPTH_MOST);
        return -1;
    }
    fm_ask_skip_space(p);
    const char *number = p->at;
    int node = parse_unary(p);
    p->depth--;
    if (node < 0 || fm_ask_want_number(p->ask, "'-'", &p->ask->nodes[node], p->error) != FM_OK)
        return -1;
    const fm_ask_node *a = &p->ask->nodes[node];
    if (a->operation == FM_ASK_CONSTANT && p->ask->node_count == (size_t)node + 1 && fm_ask_is_digit(*number)) {
        p->ask->node_count--; /* "-5 degC" has its offset after the sign */
        p->at = number;
        node = fm_ask_parse_literal(p, 1);
        if (node >= 0)
            p->ask->nodes[node].from = (uint16_t)(from - p->text);
        return node;
    }
    return fm_ask_add_node(p, (fm_ask_node){.operation = FM_ASK_NEGATE, .arguments = {(uint16_t)node}, .type = a->type},
                           from);
}

static int parse_product(fm_ask_parser *p)
{
    int node = parse_unary(p);
    while (node >= 0) {
        const int sign = take(p, "*") ? 1 : take(p, "/") ? -1 : 0;
        if (!sign)
            return node;
        const int other = parse_unary(p);
        fm_ask_type type;
        if (other < 0 ||
            fm_ask_multiply_units(p->ask, &p->ask->nodes[node], &p->ask->nodes[other], sign, &type, p->error) != FM_OK)
            return -1;
        node = add_pair(p, sign > 0 ? FM_ASK_MULTIPLY : FM_ASK_DIVIDE, node, other, type);
    }
    return node;
}

static int parse_sum(fm_ask_parser *p)
{
    int node = parse_product(p);
    while (node >= 0) {
        const int sign = take(p, "+") ? 1 : take(p, "-") ? -1 : 0;
        if (!sign)
            return node;
        const int other = parse_product(p);
        fm_ask_type type;
        if (other < 0 || fm_ask_join(p->ask, sign > 0 ? "'+'" : "'-'", &p->ask->nodes[node], &p->ask->nodes[other],
                                     &type, p->error) != FM_OK)
            return -1;
        node = add_pair(p, sign > 0 ? FM_ASK_ADD : FM_ASK_SUBTRACT, node, other, type);
    }
    return node;
}

/* --- conditions --- */

static const struct {
    const char *sign;
    fm_ask_operation operation;
} comparisons[] = {{"<=", FM_ASK_LESS_EQUAL}, {">=", FM_ASK_MORE_EQUAL}, {"==", FM_ASK_EQUAL},
                   {"!=", FM_ASK_UNEQUAL},    {"<", FM_ASK_LESS},        {">", FM_ASK_MORE}};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

static size_t take_comparison(fm_ask_parser *p)
{
    size_t i = 0;
    while (i < COMPARISONS && !take(p, comparisons[i].sign))
        i++;
    return i;
}

static int parse_comparison(fm_ask_parser *p)
{
    int node = parse_sum(p);
    if (node < 0)
        return node;
    const size_t i = take_comparison(p);
    if (i == COMPARISONS) {
        if (*p->at != '=')
            return node;
        fm_ask_parse_fail(p, p->at, FM_ERR_SYNTAX, "'=' is invalid: write '==' to compare");
        return -1;
    }
    const int other = parse_sum(p);
    fm_ask_type type;
    char what[8];
    snprintf(what, sizeof what, "'%s'", comparisons[i].sign);
    if (other < 0 || fm_ask_join(p->ask, what, &p->ask->nodes[node], &p->ask->nodes[other], &type, p->error) != FM_OK)
        return -1;
    const char *next = p->at;
    if (take_comparison(p) < COMPARISONS) {
        fm_ask_parse_fail(p, next, FM_ERR_SYNTAX, "comparisons in a row: write 'a < b and b < c'");
        return -1;
    }
    p->at = next;
    return add_pair(p, comparisons[i].operation, node, other, (fm_ask_type){.condition = 1});
}

static int parse_not(fm_ask_parser *p)
{
    fm_ask_skip_space(p);
    const char *from = p->at;
    if (!take(p, "not") && !(from[0] == '!' && from[1] != '=' && take(p, "!")))
        return parse_comparison(p);
    if (++p->depth > DEPTH_MOST) {
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "more than %d signs or parentheses inside each other", DEPTH_MOST);
        return -1;
    }
    const int node = parse_not(p);
    p->depth--;
    if (node < 0 || fm_ask_want_condition(p->ask, "'not'", &p->ask->nodes[node], p->error) != FM_OK)
        return -1;
    return fm_ask_add_node(
        p, (fm_ask_node){.operation = FM_ASK_NOT, .arguments = {(uint16_t)node}, .type = {.condition = 1}}, from);
}

/* Conditions joined by a word, or by the signs of C. */
static int join_conditions(fm_ask_parser *p, const char *word, const char *sign, fm_ask_operation operation,
                           int (*parse)(fm_ask_parser *p))
{
    int node = parse(p);
    char what[8];
    snprintf(what, sizeof what, "'%s'", word);
    while (node >= 0 && (take(p, word) || take(p, sign))) {
        const int other = parse(p);
        if (other < 0 || fm_ask_want_condition(p->ask, what, &p->ask->nodes[node], p->error) != FM_OK ||
            fm_ask_want_condition(p->ask, what, &p->ask->nodes[other], p->error) != FM_OK)
            return -1;
        node = add_pair(p, operation, node, other, (fm_ask_type){.condition = 1});
    }
    return node;
}

static int parse_and(fm_ask_parser *p)
{
    return join_conditions(p, "and", "&&", FM_ASK_AND, parse_not);
}

int fm_ask_parse_expression(fm_ask_parser *p)
{
    if (++p->depth > DEPTH_MOST) {
        fm_ask_parse_fail(p, p->at, FM_ERR_SYNTAX, "more than %d signs or parentheses inside each other", DEPTH_MOST);
        return -1;
    }
    const int node = join_conditions(p, "or", "||", FM_ASK_OR, parse_and);
    p->depth--;
    return node;
}
