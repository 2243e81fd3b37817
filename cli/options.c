/* Reads a command line by the table of its command. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "suggest.h"

enum { NAME_SIZE = 64, LINE_SIZE = 256 };

typedef struct reading {
    const cli_command *command;
    void *target;
    int argc;
    char **argv;
    int at;                       /* word that is read */
    size_t word_count;            /* arguments so far, moved to argv[1] … */
    bool given[CLI_OPTIONS_MOST]; /* by place in the table */
    const char *value;            /* of the option that is read */
} reading;

bool cli_word_next(const char **list, const char **word, size_t *length)
{
    if (!*list)
        return false;
    *list += strspn(*list, " ");
    *word = *list;
    *length = strcspn(*list, " ");
    *list += *length;
    return *length > 0;
}

const cli_option *cli_option_find(const cli_command *command, const char *name, size_t length)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == length && !strncmp(command->options[i].name, name, length))
            return &command->options[i];
    return NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

/* --- values --- */

static bool refuse(const reading *r, const cli_option *option, const char *accepted)
{
    bool argument = false;
    for (size_t i = 0; i < r->command->argument_count && !argument; i++)
        argument = option == &r->command->arguments[i];
    fprintf(stderr, "fathom %s: %s%s: '%s' is invalid: must be %s\n", r->command->name, argument ? "" : "--",
            option->name, r->value, accepted);
    return false;
}

/* A number that is the whole text, without leading spaces. */
static bool read_number(const reading *r, const cli_option *option, double *number)
{
    char *end = NULL, accepted[LINE_SIZE];
    bool whole = option->kind == CLI_WHOLE;
    *number = strtod(r->value, &end);
    if (end != r->value && !*end && !strchr(" \t\n\v\f\r", r->value[0]) && *number >= option->min &&
        *number <= option->max && (!whole || floor(*number) == *number))
        return true;
    snprintf(accepted, sizeof accepted, whole ? "a whole number from %.16g to %.16g%s%s" : "a number from %g to %g%s%s",
             option->min, option->max, option->unit ? " " : "", option->unit ? option->unit : "");
    return refuse(r, option, accepted);
}

/* "a, b or c" */
static void join(char *buffer, size_t size, size_t *length, const char *word, size_t word_length, bool first, bool last)
{
    const char *between = first ? "" : last ? " or " : ", ";
    if (*length < size)
        *length += (size_t)snprintf(buffer + *length, size - *length, "%s%.*s", between, (int)word_length, word);
}

static bool read_choice(const reading *r, const cli_option *option, int *value)
{
    char accepted[LINE_SIZE] = "";
    size_t length = 0;
    for (const cli_choice *c = option->choices; c->name; c++) {
        if (!strcmp(r->value, c->name))
            return *value = c->value, true;
        join(accepted, sizeof accepted, &length, c->name, strlen(c->name), c == option->choices, !c[1].name);
    }
    return refuse(r, option, accepted);
}

static bool ends_in(const char *name, const char *ending, size_t tail)
{
    size_t length = strlen(name);
    return length > tail && strncmp(name + length - tail, ending, tail) == 0;
}

static bool check_ending(const reading *r, const cli_option *option)
{
    char accepted[LINE_SIZE] = "names that end in ";
    const char *list = option->endings, *word, *first = option->endings;
    size_t length, end = strlen(accepted);
    while (cli_word_next(&list, &word, &length)) {
        if (ends_in(r->value, word, length))
            return true;
        join(accepted, sizeof accepted, &end, word, length, word == first, !*list);
    }
    return refuse(r, option, accepted);
}

static bool add_to_list(const reading *r, const cli_option *option, cli_list *list)
{
    if (list->count == CLI_LIST_MOST)
        return fprintf(stderr, "fathom %s: at most %d --%s options\n", r->command->name, CLI_LIST_MOST, option->name),
               false;
    list->items[list->count++] = r->value;
    return true;
}

static bool read_value(const reading *r, const cli_option *option)
{
    void *field = (char *)r->target + option->at;
    double number;
    if (option->checked && r->value != option->alone && !check_ending(r, option))
        return false;
    switch (option->kind) {
    case CLI_FLAG: return *(bool *)field = true;
    case CLI_NUMBER: return read_number(r, option, field);
    case CLI_WHOLE:
        if (!read_number(r, option, &number))
            return false;
        *(int64_t *)field = (int64_t)number;
        return true;
    case CLI_CHOICE: return read_choice(r, option, field);
    case CLI_TEXT: *(const char **)field = r->value; return true;
    case CLI_LIST: return add_to_list(r, option, field);
    case CLI_WORDS: break;
    }
    return false;
}

static bool fill_in(reading *r)
{
    for (size_t i = 0; i < r->command->option_count; i++) {
        r->value = r->command->options[i].fallback;
        if (r->value && !read_value(r, &r->command->options[i]))
            return false;
    }
    return true;
}

/* --- words --- */

static bool unknown_option(const reading *r, const char *word)
{
    char near[LINE_SIZE], names[CLI_OPTIONS_MOST + 1][NAME_SIZE];
    fm_nearest nearest = {.wanted = word};
    for (size_t i = 0; i < r->command->option_count; i++) {
        snprintf(names[i], NAME_SIZE, "--%s", r->command->options[i].name);
        fm_nearest_offer(&nearest, names[i]);
    }
    fm_nearest_offer(&nearest, "--help");
    if (nearest.count > 1)
        nearest.count = 1;
    fprintf(stderr, "fathom %s: unknown option '%s'", r->command->name, word);
    if (nearest.count)
        fprintf(stderr, "%s\n", fm_nearest_write(&nearest, near, sizeof near));
    else
        fprintf(stderr, "; `fathom %s --help` lists the options\n", r->command->name);
    return false;
}

/* Whether a word can only be an option, not the value of the one before it. */
static bool is_option(const cli_command *command, const char *word)
{
    size_t length = strcspn(word, "=");
    return !strncmp(word, "--", 2) && cli_option_find(command, word + 2, length - 2);
}

static bool take_option(reading *r, const cli_option *option, const char *attached)
{
    char usage[LINE_SIZE];
    size_t index = (size_t)(option - r->command->options);
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    if (option->kind == CLI_FLAG && attached)
        return fprintf(stderr, "fathom %s: --%s takes no value: remove '%s'\n", r->command->name, option->name,
                       attached),
               false;
    if (option->alone && !attached && (!next || next[0] == '-'))
        attached = option->alone;
    if (option->kind != CLI_FLAG && !attached && (!next || is_option(r->command, next)))
        return fprintf(stderr, "fathom %s: --%s needs a value: %s\n", r->command->name, option->name,
                       cli_option_usage(option, usage, sizeof usage)),
               false;
    if (r->given[index] && option->kind != CLI_FLAG && option->kind != CLI_LIST)
        return fprintf(stderr, "fathom %s: --%s is given twice\n", r->command->name, option->name), false;
    r->given[index] = true;
    r->value = attached;
    if (option->kind != CLI_FLAG && !attached)
        r->value = r->argv[++r->at];
    return read_value(r, option);
}

/* --name VALUE, --name=VALUE, -n VALUE, -nVALUE */
static bool read_option(reading *r, const char *word)
{
    if (word[1] != '-') {
        const cli_option *option = find_letter(r->command, word[1]);
        return option ? take_option(r, option, word[2] ? word + 2 : NULL) : unknown_option(r, word);
    }
    size_t length = strcspn(word, "=");
    const cli_option *option = cli_option_find(r->command, word + 2, length - 2);
    return option ? take_option(r, option, word[length] ? word + length + 1 : NULL) : unknown_option(r, word);
}

static bool read_words(reading *r, bool *help)
{
    bool only_arguments = false;
    for (r->at = 1; r->at < r->argc; r->at++) {
        char *word = r->argv[r->at];
        if (only_arguments || word[0] != '-' || !word[1])
            r->argv[1 + r->word_count++] = word;
        else if (!strcmp(word, "--"))
            only_arguments = true;
        else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
            return *help = true;
        else if (!read_option(r, word))
            return false;
    }
    return true;
}

/* --- arguments --- */

static bool too_many(const reading *r, const cli_option *last, const char *word)
{
    if (!last)
        fprintf(stderr, "fathom %s: unexpected '%s'; `fathom %s --help` explains\n", r->command->name, word,
                r->command->name);
    else
        fprintf(stderr, "fathom %s: only one %s is allowed: remove '%s' or '%s'\n", r->command->name, last->noun,
                r->argv[r->word_count - 1] == word ? r->argv[r->word_count - 2] : r->argv[r->word_count - 1], word);
    return false;
}

static bool place_arguments(reading *r)
{
    size_t taken = 0;
    const cli_option *last = NULL;
    for (size_t i = 0; i < r->command->argument_count; i++) {
        const cli_option *argument = last = &r->command->arguments[i];
        void *field = (char *)r->target + argument->at;
        if (argument->required && taken == r->word_count)
            return fprintf(stderr, "fathom %s: which %s? `fathom %s --help` explains\n", r->command->name,
                           argument->noun, r->command->name),
                   false;
        if (argument->kind == CLI_WORDS) {
            *(cli_words *)field = (cli_words){r->argv + 1 + taken, r->word_count - taken};
            taken = r->word_count;
        } else if (taken < r->word_count) {
            r->value = r->argv[1 + taken++];
            if (!read_value(r, argument))
                return false;
        }
    }
    return taken == r->word_count || too_many(r, last, r->argv[1 + taken]);
}

/* --- rules --- */

static bool is_given(const reading *r, const char *name, size_t length)
{
    const cli_option *option = cli_option_find(r->command, name, length);
    return option && r->given[option - r->command->options];
}

static bool check_option(const reading *r, const cli_option *option)
{
    char usage[LINE_SIZE];
    const char *list = option->excludes, *word;
    size_t length;
    bool given = r->given[option - r->command->options];
    if (option->required && !given)
        return fprintf(stderr, "fathom %s: %s is missing; `fathom %s --help` explains\n", r->command->name,
                       cli_option_usage(option, usage, sizeof usage), r->command->name),
               false;
    while (given && cli_word_next(&list, &word, &length))
        if (is_given(r, word, length))
            return fprintf(stderr, "fathom %s: give --%s or --%.*s, not both\n", r->command->name, option->name,
                           (int)length, word),
                   false;
    if (given && option->needs && !is_given(r, option->needs, strlen(option->needs)))
        return fprintf(stderr, "fathom %s: --%s has no effect without --%s\n", r->command->name, option->name,
                       option->needs),
               false;
    return true;
}

static bool check_one_of(const reading *r)
{
    char accepted[LINE_SIZE] = "", usage[LINE_SIZE];
    const char *list = r->command->one_of, *word;
    size_t length, end = 0;
    while (cli_word_next(&list, &word, &length)) {
        if (is_given(r, word, length))
            return true;
        cli_option_usage(cli_option_find(r->command, word, length), usage, sizeof usage);
        join(accepted, sizeof accepted, &end, usage, strlen(usage), end == 0, !*list);
    }
    return fprintf(stderr, "fathom %s: give %s; `fathom %s --help` explains\n", r->command->name, accepted,
                   r->command->name),
           false;
}

static bool check_rules(const reading *r)
{
    for (size_t i = 0; i < r->command->option_count; i++)
        if (!check_option(r, &r->command->options[i]))
            return false;
    return !r->command->one_of || check_one_of(r);
}

bool cli_options_read(const cli_command *command, int argc, char **argv, void *target, int *status)
{
    bool help = false;
    reading r = {.command = command, .target = target, .argc = argc, .argv = argv};
    *status = CLI_USAGE;
    if (!fill_in(&r) || !read_words(&r, &help))
        return false;
    if (help) {
        cli_help_print(command);
        *status = CLI_DONE;
        return false;
    }
    return place_arguments(&r) && check_rules(&r);
}
