/* The help of a command from its table; `fathom help`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

enum { WIDTH = 80, INDENT = 2, LEFT_MOST = 26, LINE_SIZE = 256 };

/* --- names --- */

const char *cli_option_value(const cli_option *option, char *buffer, size_t size)
{
    size_t length = 0;
    if (option->value || !option->choices)
        return option->value ? option->value : "";
    for (const cli_choice *c = option->choices; c->name && length < size; c++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", c == option->choices ? "" : "|", c->name);
    return buffer;
}

const char *cli_option_usage(const cli_option *option, char *buffer, size_t size)
{
    char value[LINE_SIZE];
    const char *shown = cli_option_value(option, value, sizeof value);
    if (option->letter)
        snprintf(buffer, size, "-%c%s%s", option->letter, *shown ? " " : "", shown);
    else
        snprintf(buffer, size, "--%s%s%s", option->name, *shown ? " " : "", shown);
    return buffer;
}

const char *cli_option_name(const cli_option *option, char *buffer, size_t size)
{
    char value[LINE_SIZE];
    const char *shown = cli_option_value(option, value, sizeof value);
    size_t length = option->letter ? (size_t)snprintf(buffer, size, "-%c, ", option->letter) : 0;
    snprintf(buffer + length, size - length, "--%s%s%s", option->name, *shown ? " " : "", shown);
    return buffer;
}

/* "0 … 50 m"; limits that only guard against nonsense (a millionth, a billion) are not worth a reader's time. */
static const char *limits_of(const cli_option *option, char *buffer, size_t size)
{
    bool number = option->kind == CLI_NUMBER || option->kind == CLI_WHOLE;
    buffer[0] = 0;
    if (number && fabs(option->max) <= 1e5 && (option->min == 0 || fabs(option->min) >= 1e-3))
        snprintf(buffer, size, "%g … %g%s%s", option->min, option->max, option->unit ? " " : "",
                 option->unit ? option->unit : "");
    return buffer;
}

const char *cli_option_explain(const cli_option *option, char *buffer, size_t size)
{
    char limits[LINE_SIZE];
    const char *fallback = option->fallback;
    limits_of(option, limits, sizeof limits);
    snprintf(buffer, size, "%s%s%s%s%s%s%s", option->text, *limits || fallback ? " (" : "", limits,
             *limits && fallback ? "; " : "", fallback ? "default " : "", fallback ? fallback : "",
             *limits || fallback ? ")" : "");
    return buffer;
}

/* --- usage --- */

static void add(char *buffer, size_t size, size_t *length, const char *before, const char *text, const char *behind)
{
    if (*length < size)
        *length += (size_t)snprintf(buffer + *length, size - *length, "%s%s%s", before, text, behind);
}

/* Options of which one must be given are shown in the usage line where they are few. */
static size_t shown_alternatives(const cli_command *command)
{
    const char *list = command->one_of, *word;
    size_t length, count = 0;
    while (cli_word_next(&list, &word, &length))
        count++;
    return count <= 2 ? count : 0;
}

static void add_one_of(const cli_command *command, char *buffer, size_t size, size_t *length)
{
    char usage[LINE_SIZE];
    const char *list = command->one_of, *word;
    size_t word_length, count = shown_alternatives(command);
    for (size_t i = 0; i < count && cli_word_next(&list, &word, &word_length); i++)
        add(buffer, size, length, i ? " | " : " (",
            cli_option_usage(cli_option_find(command, word, word_length), usage, sizeof usage),
            i + 1 == count ? ")" : "");
}

void cli_command_usage(const cli_command *command, char *buffer, size_t size)
{
    char usage[LINE_SIZE];
    size_t length = 0, shown = shown_alternatives(command);
    add(buffer, size, &length, "fathom ", command->name, "");
    for (size_t i = 0; i < command->argument_count; i++) {
        const cli_option *a = &command->arguments[i];
        add(buffer, size, &length, a->required ? " " : " [", a->name, a->kind == CLI_WORDS ? "…" : "");
        add(buffer, size, &length, a->required ? "" : "]", "", "");
    }
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].required && ++shown)
            add(buffer, size, &length, " ", cli_option_usage(&command->options[i], usage, sizeof usage), "");
    add_one_of(command, buffer, size, &length);
    if (shown < command->option_count)
        add(buffer, size, &length, " [OPTIONS]", "", "");
}

/* --- text in columns --- */

/* Characters of UTF-8, not bytes. */
static size_t width_of(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

/* Prints words from column `at` on, following lines from column `left`; an empty line of the text stays one. */
static void print_wrapped(const char *text, size_t left, size_t at)
{
    size_t column = at;
    for (const char *word = text; *word; word += strspn(word, " \n")) {
        if (word > text && word[-1] == '\n') {
            printf("%s\n%*s", word > text + 1 && word[-2] == '\n' ? "\n" : "", (int)left, "");
            column = left;
        }
        size_t bytes = strcspn(word, " \n"), width = width_of(word, bytes);
        if (column > left && column + 1 + width > WIDTH) {
            printf("\n%*s", (int)left, "");
            column = left;
        }
        printf("%s%.*s", column > left ? " " : "", (int)bytes, word);
        column += width + (column > left);
        word += bytes;
    }
    putchar('\n');
}

static void print_row(const char *name, const char *text, size_t left)
{
    size_t width = INDENT + width_of(name, strlen(name));
    printf("%*s%s", INDENT, "", name);
    if (width + 2 > left)
        printf("\n%*s", (int)left, "");
    else
        printf("%*s", (int)(left - width), "");
    print_wrapped(text, left, left);
}

static size_t left_column(const cli_command *command)
{
    char name[LINE_SIZE];
    size_t left = INDENT + strlen("-h, --help") + 2;
    for (size_t i = 0; i < command->option_count + command->argument_count; i++) {
        const char *shown = i < command->option_count ? cli_option_name(&command->options[i], name, sizeof name)
                                                      : command->arguments[i - command->option_count].name;
        size_t width = INDENT + width_of(shown, strlen(shown)) + 2;
        if (width <= LEFT_MOST && width > left)
            left = width;
    }
    return left;
}

static void print_option(const cli_option *option, size_t left)
{
    char name[LINE_SIZE], text[4 * LINE_SIZE];
    print_row(cli_option_name(option, name, sizeof name), cli_option_explain(option, text, sizeof text), left);
}

void cli_help_print(const cli_command *command)
{
    char usage[LINE_SIZE * 2];
    size_t left = left_column(command);
    cli_command_usage(command, usage, sizeof usage);
    printf("usage: %s\n\n", usage);
    print_wrapped(command->about, 0, 0);
    if (command->argument_count)
        puts("\narguments:");
    for (size_t i = 0; i < command->argument_count; i++)
        print_row(command->arguments[i].name, command->arguments[i].text, left);
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_option *option = &command->options[i];
        if (i == 0 || option->section)
            printf("\n%s:\n", option->section ? option->section : "options");
        print_option(option, left);
    }
    printf("\n%s", command->option_count ? "" : "options:\n");
    print_row("-h, --help", "this text", left);
    if (command->examples)
        printf("\nexamples:\n%s", command->examples);
    if (command->done || command->failed || command->interrupted) {
        char text[2 * LINE_SIZE];
        snprintf(text, sizeof text, "exit status: 0 %s; 1 %s; 2 wrong usage%s%s%s%s",
                 command->done ? command->done : "done", command->failed ? command->failed : "failed",
                 command->doubtful ? "; 3 " : "", command->doubtful ? command->doubtful : "",
                 command->interrupted ? "; 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP: " : "",
                 command->interrupted ? command->interrupted : "");
        putchar('\n');
        print_wrapped(text, 0, 0);
    }
}
