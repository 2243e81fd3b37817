#include "server/command_text.h"

#include <stdio.h>
#include <string.h>

#include "base/accept.h"

enum { WORDS = 32 };

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

static fm_status read_numbers(const fm_argument *a, char *const *words, fm_command *command, fm_error *error)
{
    double numbers[3];
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < fm_argument_numbers(a); i++)
        status = fm_number_read(a->name, words[i], &numbers[i], error);
    return status == FM_OK ? fm_argument_write(a, command, numbers, error) : status;
}

/* Moves *at past the words of the argument. */
static fm_status read_argument(const fm_argument *a, const word_list *words, size_t *at, fm_command *command,
                               fm_error *error)
{
    const size_t numbers = fm_argument_numbers(a), needed = numbers ? numbers : 1;
    char *const *first = &words->items[*at];
    if (*at == words->count && a->need == FM_ARGUMENT_OPTIONAL)
        return FM_OK;
    if (words->count - *at < needed)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s is missing", a->name);
    *at += needed;
    if (a->type == FM_ARGUMENT_NAME)
        return fm_argument_write_name(a, command, first[0], error);
    if (a->type == FM_ARGUMENT_BYTES)
        return fm_argument_write_bytes(a, command, first[0], strlen(first[0]), error);
    return read_numbers(a, first, command, error);
}

static fm_status read_arguments(const fm_command_row *row, const word_list *words, fm_command *command, fm_error *error)
{
    size_t at = 1;
    fm_status status = fm_command_begin(command, row->kind, error);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = read_argument(&row->arguments[i], words, &at, command, error);
    if (status == FM_OK && at < words->count)
        status = fm_fail(error, FM_ERR_ARGUMENT, "'%.40s' is too much", words->items[at]);
    return status;
}

fm_status fm_command_read(const char *text, size_t size, fm_command *command, fm_error *error)
{
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
        return fm_fail(error, FM_ERR_NAME, "unknown command '%.40s'", words.items[0]);
    if (row->refused[FM_COMMAND_DOOR_TEXT])
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: %s", row->word, row->refused[FM_COMMAND_DOOR_TEXT]);
    status = read_arguments(row, &words, command, &found);
    if (status == FM_OK)
        return FM_OK;
    fm_command_usage(row, usage, sizeof usage);
    return fm_fail(error, status, "%s: %s; usage: %s", row->word, found.text, usage);
}
