/* Names: numbers of the run, "rov.x", "dvl.velocity[1]"; the time; calls of functions. */
#include <stdio.h>
#include <string.h>

#include "ask/parse.h"
#include "base/error.h"
#include "base/text.h"
#include "physics/real.h"

static int is_name_letter(char c)
{
    return fm_ask_is_letter(c) || fm_ask_is_digit(c) || c == '_';
}

/* The end of a word; a '.' belongs to it if a letter, a digit or '_' follows. */
static const char *skip_word(const char *at)
{
    while (is_name_letter(*at) || (*at == '.' && is_name_letter(at[1])))
        at++;
    return at;
}

/* The end of the next "-word" of a name with hyphens; NULL: none. */
static const char *skip_hyphen(const char *at)
{
    return *at == '-' && fm_ask_is_letter(at[1]) ? skip_word(at + 1) : NULL;
}

static int is_word(const char *from, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - from) && !memcmp(from, word, (size_t)(end - from));
}

/* --- numbers of the run --- */

/* Reads "[1]" at `at`; -1: none. -2: invalid, *error is set. */
static long read_index(fm_ask_parser *p, const char **at)
{
    const char *s = *at;
    long index = 0;
    if (*s != '[')
        return -1;
    for (s++; fm_ask_is_digit(*s) && index < 100000000; s++)
        index = 10 * index + (*s - '0');
    if (s == *at + 1 || *s != ']') {
        fm_ask_parse_fail(p, *at, FM_ERR_SYNTAX, "an index is a whole number in brackets, such as [0]");
        return -2;
    }
    *at = s + 1;
    return index;
}

static void offer_to(void *to, const char *name)
{
    fm_nearest_offer(to, name);
}

typedef struct keeper {
    fm_nearest nearest;
    fm_arena arena;
} keeper;

static void keep_offer(void *to, const char *name)
{
    keeper *k = to;
    const char *kept = fm_arena_text(&k->arena, name);
    if (kept)
        offer_to(&k->nearest, kept);
}

static int unknown_name(fm_ask_parser *p, const char *from, const char *end, const fm_error *why)
{
    char name[FM_ASK_NAME], hint[500];
    fm_text_print(name, sizeof name, "%.*s", (int)(end - from), from);
    keeper k = {.nearest = {.wanted = name}};
    fm_unit unit;
    for (size_t i = 0; fm_unit_name(i, &unit) && !strchr(name, '.'); i++)
        if (!strcmp(fm_unit_name(i, NULL), name)) {
            fm_ask_parse_fail(p, from, FM_ERR_NAME, "'%s' is a unit: must follow a number, as in '1 %s'", name, name);
            return -1;
        }
    if (p->names && p->names->offer)
        p->names->offer(p->names->user, keep_offer, &k);
    fm_ask_parse_fail(p, from, FM_ERR_NAME, "%s '%s'%s", why->text[0] ? why->text : "unknown name", name,
                      fm_nearest_write(&k.nearest, hint, sizeof hint));
    fm_arena_free(&k.arena);
    return -1;
}

static int add_input(fm_ask_parser *p, const fm_ask_input *input, const char *from)
{
    fm_ask *ask = p->ask;
    size_t i = 0;
    while (i < ask->input_count && ask->inputs[i].number != input->number)
        i++;
    if (i == FM_ASK_INPUTS) {
        fm_ask_parse_fail(p, from, FM_ERR_FULL, "an expression reads at most %d numbers of a run", FM_ASK_INPUTS);
        return -1;
    }
    if (i == ask->input_count)
        ask->inputs[ask->input_count++] = *input;
    fm_ask_node node = {.operation = FM_ASK_INPUT, .whole = (int)i};
    memcpy(node.type.power, input->unit.power, sizeof node.type.power);
    return fm_ask_add_node(p, node, from);
}

/* "rov.stern-planes": the longest part that is known, so that a hyphen is part of a name where there is such a name. */
static int parse_input(fm_ask_parser *p, const char *from, const char *end)
{
    const char *ends[8];
    size_t count = 0;
    fm_error first = {0};
    for (const char *e = end; e && count < 8; e = skip_hyphen(e))
        ends[count++] = e;
    for (size_t i = count; i-- > 0;) {
        char name[FM_ASK_NAME];
        const char *at = ends[i];
        fm_ask_input input = {0};
        fm_error why = {0};
        if ((size_t)(at - from) >= sizeof name)
            continue;
        fm_text_print(name, sizeof name, "%.*s", (int)(at - from), from);
        const long index = read_index(p, &at);
        if (index < -1)
            return -1;
        fm_status status =
            p->names && p->names->find ? p->names->find(p->names->user, name, index, &input, &why) : FM_ERR_NAME;
        if (status == FM_OK) {
            p->at = at;
            return add_input(p, &input, from);
        }
        if (status != FM_ERR_NAME) {
            fm_ask_parse_fail(p, from, status, "%s", why.text);
            return -1;
        }
        first = why;
    }
    return unknown_name(p, from, end, &first);
}

/* --- functions --- */

static int count_is_right(const fm_ask_signature *s, int count)
{
    return count >= s->least && (!s->most || count <= s->most);
}

static int unknown_function(fm_ask_parser *p, const char *from, const char *end)
{
    char name[FM_ASK_NAME], hint[300];
    fm_text_print(name, sizeof name, "%.*s", (int)(end - from), from);
    fm_nearest nearest = {.wanted = name};
    const char *known;
    for (size_t i = 0; (known = fm_ask_signature_name(i)) != NULL; i++)
        fm_nearest_offer(&nearest, known);
    fm_ask_parse_fail(p, from, FM_ERR_NAME, "unknown function '%s'%s", name,
                      fm_nearest_write(&nearest, hint, sizeof hint));
    return -1;
}

/* min and max of more than the first: one node for two of them. */
static int chain(fm_ask_parser *p, const fm_ask_signature *s, const int *arguments, int count, const char *from)
{
    int node = arguments[0];
    for (int i = 1; i < count && node >= 0; i++) {
        fm_ask_call call = {.ask = p->ask, .name = s->name, .count = 2, .error = p->error};
        call.arguments[0] = &p->ask->nodes[node];
        call.arguments[1] = &p->ask->nodes[arguments[i]];
        if (s->check(&call) != FM_OK)
            return -1;
        node = fm_ask_add_node(p,
                               (fm_ask_node){.operation = s->operation,
                                             .arguments = {(uint16_t)node, (uint16_t)arguments[i]},
                                             .type = call.type},
                               from);
    }
    return node;
}

static int add_call(fm_ask_parser *p, const fm_ask_signature *s, const int *arguments, int count, const char *from)
{
    if (!s->most)
        return chain(p, s, arguments, count, from);
    fm_ask_call call = {.ask = p->ask, .name = s->name, .count = count, .error = p->error};
    fm_ask_node node = {.operation = s->operation, .whole = count};
    for (int i = 0; i < count; i++) {
        node.arguments[i] = (uint16_t)arguments[i];
        call.arguments[i] = &p->ask->nodes[arguments[i]];
    }
    if (s->check(&call) != FM_OK)
        return -1;
    node.type = call.type;
    if (s->operation >= FM_ASK_REDUCTIONS) {
        node.words = (uint16_t)p->ask->words;
        p->ask->words += FM_ASK_OWN_WORDS;
    }
    return fm_ask_add_node(p, node, from);
}

enum { ARGUMENTS_MOST = 16 };

/* The arguments up to ')'; their number, or -1. */
static int parse_arguments(fm_ask_parser *p, int arguments[ARGUMENTS_MOST], const char *name)
{
    int count = 0;
    fm_ask_skip_space(p);
    if (*p->at == ')') {
        p->at++;
        return 0;
    }
    for (;;) {
        if (count == ARGUMENTS_MOST) {
            fm_ask_parse_fail(p, p->at, FM_ERR_SYNTAX, "more than %d arguments", ARGUMENTS_MOST);
            return -1;
        }
        if ((arguments[count++] = fm_ask_parse_expression(p)) < 0)
            return -1;
        fm_ask_skip_space(p);
        if (*p->at == ')') {
            p->at++;
            return count;
        }
        if (*p->at != ',') {
            fm_ask_parse_fail(p, p->at, FM_ERR_SYNTAX,
                              "'%.16s' is invalid: must be ',' or ')' in the arguments of '%s'", p->at, name);
            return -1;
        }
        p->at++;
    }
}

static int parse_call(fm_ask_parser *p, const char *from, const char *end)
{
    int arguments[ARGUMENTS_MOST] = {0};
    const fm_ask_signature *s = fm_ask_signature_find(from, (size_t)(end - from), -1);
    if (!s)
        return unknown_function(p, from, end);
    p->at++; /* '(' */
    const int count = parse_arguments(p, arguments, s->name);
    if (count < 0)
        return -1;
    s = fm_ask_signature_find(from, (size_t)(end - from), count);
    if (!count_is_right(s, count)) {
        fm_ask_parse_fail(p, from, FM_ERR_SYNTAX, "%s has %d argument%s here: must be %s", s->name, count,
                          count == 1 ? "" : "s", s->form);
        return -1;
    }
    return add_call(p, s, arguments, count, from);
}

int fm_ask_parse_name(fm_ask_parser *p)
{
    const char *from = p->at, *end = skip_word(from);
    const fm_ask_type second = {.power = {[FM_DIM_S] = 1}};
    p->at = end;
    fm_ask_skip_space(p);
    if (*p->at == '(')
        return parse_call(p, from, end);
    p->at = end;
    if (is_word(from, end, "t") || is_word(from, end, "time"))
        return fm_ask_add_node(p, (fm_ask_node){.operation = FM_ASK_TIME, .type = second}, from);
    if (is_word(from, end, "pi"))
        return fm_ask_add_node(p, (fm_ask_node){.operation = FM_ASK_CONSTANT, .number = FM_PI}, from);
    if ((size_t)(end - from) >= FM_ASK_NAME) {
        fm_ask_parse_fail(p, from, FM_ERR_NAME, "the name is too long: must have at most %d characters",
                          FM_ASK_NAME - 1);
        return -1;
    }
    return parse_input(p, from, end);
}
