#include "server/command_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/accept.h"
#include "base/text.h"
#include "base/units.h"

enum { WORDS = 48 };

/* Where units of values come from. */
typedef struct unit_source {
    fm_unit_of_value *of;
    void *user;
} unit_source;

typedef struct word_list {
    char *items[WORDS];
    size_t count;
} word_list;

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
    return words->count ? FM_OK : fm_fail(error, FM_ERR_SYNTAX, "the command is empty");
}

void fm_command_usage(const fm_command_row *row, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", row->word);
    for (size_t i = 0; i < row->argument_count && used < size; i++) {
        const fm_argument *a = &row->arguments[i];
        const int optional = a->need == FM_ARGUMENT_OPTIONAL;
        used += (size_t)snprintf(text + used, size - used, " %s<%s>%s", optional ? "[" : "",
                                 a->words ? a->words : a->name, optional ? "]" : "");
    }
}

/* Whether the word after a number can only be its unit. */
static int is_unit(const char *word)
{
    return isalpha((unsigned char)*word) || *word == '%' || !strncmp(word, "1/", 2);
}

/* The number at the beginning of a word; *rest is the unit written without a space, as in "45deg", or "". */
static fm_status read_number(const fm_argument *a, const char *word, double *number, const char **rest, fm_error *error)
{
    *rest = "";
    const char *end = word;
    if (!fm_text_number_read(&end, number) || !is_unit(end))
        return fm_number_read(a->name, word, number, error);
    *rest = end;
    return FM_OK;
}

static fm_status convert(const fm_argument *a, const char *unit, const unit_source *units, const fm_command *so_far,
                         double *numbers, size_t count, fm_error *error)
{
    char wanted[64];
    fm_unit from, to;
    fm_error bad = {0};
    snprintf(wanted, sizeof wanted, "%s", a->unit);
    fm_status status = FM_OK;
    if (!strcmp(a->name, "value"))
        status = units->of ? units->of(units->user, so_far, wanted, sizeof wanted, error)
                           : fm_fail(error, FM_ERR_UNIT, "a unit ('%.20s') is not accepted here: write the value in SI",
                                     unit);
    if (status == FM_OK)
        status = fm_unit_parse(unit, &from, &bad) == FM_OK ? fm_unit_parse(wanted, &to, error)
                                                           : fm_fail(error, FM_ERR_UNIT, "%s: %s", a->name, bad.text);
    if (status == FM_OK && !fm_unit_compatible(&from, &to))
        status = *wanted ? fm_fail(error, FM_ERR_UNIT, "%s: '%.20s' is not a unit of it: must be like %s", a->name,
                                   unit, wanted)
                         : fm_fail(error, FM_ERR_UNIT, "%s is a number without unit, not in '%.20s'", a->name, unit);
    for (size_t i = 0; status == FM_OK && i < count; i++)
        numbers[i] = fm_unit_convert(numbers[i], &from, &to);
    return status;
}

/* The numbers, and their unit where one follows. Moves *at past it. */
static fm_status read_numbers(const fm_argument *a, const word_list *words, size_t *at, const unit_source *units,
                              fm_command *command, fm_error *error)
{
    double numbers[3];
    const size_t count = fm_argument_numbers(a);
    const char *unit = "";
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < count; i++) {
        status = read_number(a, words->items[*at + i], &numbers[i], &unit, error);
        if (status == FM_OK && *unit && i + 1 < count)
            status = fm_fail(error, FM_ERR_SYNTAX, "'%.40s': must be %zu numbers, then one unit", words->items[*at + i],
                             count);
    }
    *at += count;
    if (status == FM_OK && !*unit && *at < words->count && a->type != FM_ARGUMENT_WHOLE && is_unit(words->items[*at]))
        unit = words->items[(*at)++];
    if (status == FM_OK && *unit)
        status = convert(a, unit, units, command, numbers, count, error);
    return status == FM_OK ? fm_argument_write(a, command, numbers, error) : status;
}

/* Moves *at past the words of the argument. */
static fm_status read_argument(const fm_argument *a, const word_list *words, size_t *at, const unit_source *units,
                               fm_command *command, fm_error *error)
{
    const size_t numbers = fm_argument_numbers(a), needed = numbers ? numbers : 1;
    char *const *first = &words->items[*at];
    if (*at == words->count && a->need == FM_ARGUMENT_OPTIONAL)
        return FM_OK;
    if (words->count - *at < needed)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s is missing", a->name);
    if (numbers)
        return read_numbers(a, words, at, units, command, error);
    *at += 1;
    if (a->type == FM_ARGUMENT_NAME)
        return fm_argument_write_name(a, command, first[0], error);
    return fm_argument_write_bytes(a, command, first[0], strlen(first[0]), error);
}

static fm_status read_arguments(const fm_command_row *row, const word_list *words, const unit_source *units,
                                fm_command *command, fm_error *error)
{
    size_t at = 1;
    fm_status status = fm_command_begin(command, row->kind, error);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = read_argument(&row->arguments[i], words, &at, units, command, error);
    if (status == FM_OK && at < words->count)
        status = fm_fail(error, FM_ERR_ARGUMENT, "'%.40s' is too much", words->items[at]);
    return status;
}

static fm_status unknown_command(const char *word, fm_error *error)
{
    char near[300];
    fm_nearest nearest = {.wanted = word};
    for (fm_command_kind kind = FM_COMMAND_NONE + 1; kind < FM_COMMAND_KINDS; kind++)
        fm_nearest_offer(&nearest, fm_command_row_of(kind)->word);
    return fm_fail(error, FM_ERR_NAME, "unknown command '%.40s'%s", word,
                   fm_nearest_write(&nearest, near, sizeof near));
}

fm_status fm_command_read(const char *text, size_t size, fm_command *command, fm_error *error)
{
    return fm_command_read_in(text, size, NULL, NULL, command, error);
}

fm_status fm_command_read_in(const char *text, size_t size, fm_unit_of_value *unit_of, void *user, fm_command *command,
                             fm_error *error)
{
    const unit_source units = {unit_of, user};
    char line[FM_COMMAND_TEXT], usage[FM_COMMAND_TEXT];
    word_list words = {.count = 0};
    fm_error found = {0};
    *command = (fm_command){0};
    if (size >= sizeof line || memchr(text, 0, size))
        return fm_fail(error, FM_ERR_SYNTAX, "a command of %zu bytes: must be text of up to %d", size,
                       FM_COMMAND_TEXT - 1);
    memcpy(line, text, size);
    line[size] = 0;
    fm_status status = split_words(line, &words, error);
    if (status != FM_OK)
        return status;
    const fm_command_row *row = fm_command_row_find(words.items[0]);
    if (!row)
        return unknown_command(words.items[0], error);
    if (row->refused[FM_COMMAND_DOOR_TEXT])
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: %s", row->word, row->refused[FM_COMMAND_DOOR_TEXT]);
    status = read_arguments(row, &words, &units, command, &found);
    if (status == FM_OK)
        return FM_OK;
    fm_command_usage(row, usage, sizeof usage);
    return fm_fail(error, status, "%s: %s; usage: %s", row->word, found.text, usage);
}
