/* Reading an expression, and what is known about it. */
#include "ask/ask.h"

#include <stdio.h>
#include <string.h>

#include "ask/parse.h"
#include "base/error.h"
#include "base/text.h"

static fm_status check_result(const fm_ask *ask, fm_ask_kind kind, const char *unit, fm_error *error)
{
    const fm_ask_node *root = &ask->nodes[ask->node_count - 1];
    char found[160];
    fm_unit wanted;
    if (kind == FM_ASK_CONDITION)
        return fm_ask_want_condition(ask, "the expression", root, error);
    if (kind == FM_ASK_NUMBER && root->type.condition)
        return fm_ask_want_number(ask, "the expression", root, error);
    if (!unit)
        return FM_OK;
    if (fm_unit_parse(unit, &wanted, error) != FM_OK)
        return FM_ERR_UNIT;
    if (root->type.nought || (!root->type.condition && !memcmp(wanted.power, root->type.power, sizeof wanted.power)))
        return FM_OK;
    return fm_ask_fail(ask, root->from, error, FM_ERR_UNIT, "%s: must be %s%s",
                       fm_ask_describe(ask, root, found, sizeof found), *unit ? "in " : "a number without unit", unit);
}

static fm_status read_text(fm_ask *ask, const fm_ask_names *names, fm_ask_kind kind, const char *unit, fm_error *error)
{
    fm_ask_parser p = {.ask = ask, .names = names, .text = ask->text, .at = ask->text, .error = error};
    const int root = fm_ask_parse_expression(&p);
    if (root < 0)
        return FM_ERR_SYNTAX;
    fm_ask_skip_space(&p);
    if (*p.at)
        return fm_ask_parse_fail(&p, p.at, FM_ERR_SYNTAX,
                                 "'%.16s' is invalid: must be an operator or the end of the expression", p.at);
    fm_status status = check_result(ask, kind, unit, error);
    if (status == FM_OK && !ask->nodes[root].type.condition)
        fm_ask_type_unit(&ask->nodes[root].type, ask->unit, sizeof ask->unit);
    return status;
}

/* The nodes move to memory of their number. */
static fm_status finish(fm_ask *ask, fm_error *error)
{
    fm_ask_node *kept = fm_arena_alloc(&ask->arena, ask->node_count * sizeof *kept);
    if (!kept)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for an expression");
    memcpy(kept, ask->nodes, ask->node_count * sizeof *kept);
    ask->nodes = kept;
    for (size_t i = 0; i < ask->node_count; i++)
        ask->nodes[i].words = (uint16_t)(ask->nodes[i].words + FM_ASK_VALUES + ask->node_count);
    ask->words += FM_ASK_VALUES + ask->node_count;
    return FM_OK;
}

fm_ask *fm_ask_read(const char *text, const fm_ask_names *names, fm_ask_kind kind, const char *unit, fm_error *error)
{
    if (!text || strlen(text) > FM_ASK_LENGTH) {
        fm_fail(error, FM_ERR_RANGE, "an expression must have at most %d characters", FM_ASK_LENGTH);
        return NULL;
    }
    fm_error own = {0};
    fm_ask *ask = fm_alloc(sizeof *ask);
    fm_ask_node *nodes = fm_alloc(FM_ASK_NODES * sizeof *nodes);
    fm_status status = ask && nodes && (ask->text = fm_arena_text(&ask->arena, text))
                           ? FM_OK
                           : fm_fail(&own, FM_ERR_MEMORY, "no memory for an expression");
    if (status == FM_OK) {
        ask->nodes = nodes;
        status = read_text(ask, names, kind, unit, &own);
    }
    if (status == FM_OK)
        status = finish(ask, &own);
    fm_free(nodes);
    if (status == FM_OK)
        return ask;
    if (error)
        *error = own;
    fm_ask_free(ask);
    return NULL;
}

void fm_ask_free(fm_ask *ask)
{
    if (!ask)
        return;
    fm_arena arena = ask->arena;
    fm_arena_free(&arena);
    fm_free(ask);
}

const char *fm_ask_text(const fm_ask *ask)
{
    return ask->text;
}

const char *fm_ask_unit(const fm_ask *ask)
{
    return ask->unit;
}

int fm_ask_is_condition(const fm_ask *ask)
{
    return ask->nodes[ask->node_count - 1].type.condition;
}

int fm_ask_is_instant(const fm_ask *ask)
{
    for (size_t i = 0; i < ask->node_count; i++)
        if (ask->nodes[i].operation >= FM_ASK_REDUCTIONS && ask->nodes[i].operation != FM_ASK_END)
            return 0;
    return 1;
}

size_t fm_ask_input_count(const fm_ask *ask)
{
    return ask->input_count;
}

fm_ask_input fm_ask_input_at(const fm_ask *ask, size_t i)
{
    return i < ask->input_count ? ask->inputs[i] : (fm_ask_input){0};
}

size_t fm_ask_words(const fm_ask *ask)
{
    return ask->words;
}

/* --- names of expressions --- */

const char *fm_ask_split(const char *text, char *name, size_t size)
{
    const char *end = text;
    while (fm_ask_is_letter(*end) || *end == '_' || (end > text && (fm_ask_is_digit(*end) || *end == '.')))
        end++;
    const char *sign = end;
    while (*sign == ' ')
        sign++;
    if (end > text && *sign == '=' && sign[1] != '=') {
        fm_text_print(name, size, "%.*s", (int)(end - text < 4096 ? end - text : 4096), text);
        return sign + 1;
    }
    size_t used = 0;
    for (const char *c = text; *c && used + 1 < size; c++) {
        const int fits = fm_ask_is_letter(*c) || fm_ask_is_digit(*c) || *c == '.';
        if (fits || (used && name[used - 1] != '_'))
            name[used++] = fits ? *c : '_';
    }
    while (used && name[used - 1] == '_')
        used--;
    if (size)
        name[used] = 0;
    return text;
}

int fm_ask_is_expression(const char *text)
{
    return strpbrk(text, "<>=()/^+, ") != NULL;
}
