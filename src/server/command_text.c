#include "server/command_text.h"

#include <string.h>

#include "base/accept.h"
#include "server/server.h"

enum { WORDS = 12 };

typedef struct word_list {
    char *items[WORDS];
    size_t count;
} word_list;

/* What a verb takes behind it: names, then numbers. */
typedef struct verb_form {
    fm_wire_verb verb;
    const char *name, *target; /* what they are; NULL: it takes none. "?" before it: it may be left out */
    size_t least, most;        /* numbers */
    int pose;                  /* they go to the pose, not to the value */
} verb_form;

static const verb_form forms[] = {{FM_WIRE_START, NULL, NULL, 0, 0, 0},
                                  {FM_WIRE_STOP, NULL, NULL, 0, 0, 0},
                                  {FM_WIRE_STEP, NULL, NULL, 0, 1, 0},
                                  {FM_WIRE_RESET, NULL, NULL, 0, 0, 0},
                                  {FM_WIRE_SPEED, NULL, NULL, 1, 1, 0},
                                  {FM_WIRE_SET, NULL, "parameter", 1, 1, 0},
                                  {FM_WIRE_SPAWN, "name", "model", 0, 6, 1},
                                  {FM_WIRE_REMOVE, "vehicle", NULL, 0, 0, 0},
                                  {FM_WIRE_LOG, NULL, "?file", 0, 0, 0},
                                  {FM_WIRE_QUIT, NULL, NULL, 0, 0, 0},
                                  {FM_WIRE_ORDER, "vehicle", "actuator", 1, 1, 0},
                                  {FM_WIRE_DESIRE, "vehicle", "quantity", 1, 1, 0},
                                  {FM_WIRE_RELEASE, "vehicle", "?actuator or set point", 0, 0, 0},
                                  {FM_WIRE_TAKE, "vehicle", "?actuator", 0, 0, 0},
                                  {FM_WIRE_ENGAGE, "vehicle", "?controller", 0, 0, 0},
                                  {FM_WIRE_DISENGAGE, "vehicle", "?controller", 0, 0, 0},
                                  {FM_WIRE_WAYPOINT, "vehicle", NULL, 3, 4, 1},
                                  {FM_WIRE_WAYPOINTS_CLEAR, "vehicle", NULL, 0, 0, 0},
                                  {FM_WIRE_PUSH, "vehicle", NULL, 6, 6, 1}};

static fm_status split_words(char *line, word_list *words, fm_error *error)
{
    char *rest = line, *word;
    while ((word = strsep(&rest, " \t\r\n")) != NULL) {
        if (!*word)
            continue;
        if (words->count == WORDS)
            return fm_fail(error, FM_ERR_SYNTAX, "a command of more than %d words", WORDS);
        words->items[words->count++] = word;
    }
    return words->count ? FM_OK : fm_fail(error, FM_ERR_SYNTAX, "an empty command");
}

static fm_status read_name(const word_list *words, size_t *at, const char *what, char *name, size_t size,
                           fm_error *error)
{
    int optional = what && what[0] == '?';
    if (!what || (optional && *at >= words->count))
        return FM_OK;
    if (*at >= words->count || strlen(words->items[*at]) >= size)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: which %s? Accepted are names of up to %zu characters",
                       words->items[0], what + optional, size - 1);
    strcpy(name, words->items[(*at)++]);
    return FM_OK;
}

static fm_status read_numbers(const word_list *words, size_t at, const verb_form *form, double *numbers,
                              fm_error *error)
{
    size_t count = words->count - at;
    if (count < form->least || count > form->most)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s takes %zu to %zu numbers, found %zu", words->items[0], form->least,
                       form->most, count);
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < count; i++)
        status = fm_number_read(words->items[0], words->items[at + i], &numbers[i], error);
    return status;
}

static fm_status read_form(const word_list *words, const verb_form *form, fm_wire_command *c, fm_error *error)
{
    size_t at = 1;
    c->verb = (uint16_t)form->verb;
    if (form->verb == FM_WIRE_STEP)
        c->value = 1;
    if (form->verb == FM_WIRE_WAYPOINT)
        c->value = c->pose[3] = -1; /* the last of the list, at its speed */
    fm_status status = read_name(words, &at, form->name, c->name, sizeof c->name, error);
    if (status == FM_OK)
        status = read_name(words, &at, form->target, c->target, sizeof c->target, error);
    return status == FM_OK ? read_numbers(words, at, form, form->pose ? c->pose : &c->value, error) : status;
}

fm_status fm_command_read(const char *text, size_t size, fm_wire_command *command, fm_error *error)
{
    char line[FM_COMMAND_TEXT];
    word_list words = {.count = 0};
    *command = (fm_wire_command){0};
    if (size >= sizeof line || memchr(text, 0, size))
        return fm_fail(error, FM_ERR_SYNTAX, "a command of %zu bytes; accepted is text of up to %d", size,
                       FM_COMMAND_TEXT - 1);
    memcpy(line, text, size);
    line[size] = 0;
    fm_status status = split_words(line, &words, error);
    if (status != FM_OK)
        return status;
    fm_wire_verb verb = fm_verb_find(words.items[0]);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (verb && forms[i].verb == verb)
            return read_form(&words, &forms[i], command, error);
    return fm_fail(error, FM_ERR_NAME, "there is no command '%.40s'", words.items[0]);
}
