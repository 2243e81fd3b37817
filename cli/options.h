/* Commands, options and arguments as tables. One table of a command gives its reading and checking, `--help`, the
 * manual page and the completion of shells. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses of the program. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_DOUBTFUL = 3 };

enum { CLI_LIST_MOST = 256 };

/* Values of an option that may be repeated. */
typedef struct cli_list {
    const char *items[CLI_LIST_MOST];
    size_t count;
} cli_list;

/* A repeatable argument; the values are in argv. */
typedef struct cli_words {
    char **items;
    size_t count;
} cli_words;

/* Type of the member that an option is stored in; CLI_FIELD derives it. */
typedef enum cli_kind {
    CLI_FLAG,   /* bool */
    CLI_NUMBER, /* double */
    CLI_WHOLE,  /* int64_t, at most 2^53 */
    CLI_CHOICE, /* an enum: the value of the choice */
    CLI_TEXT,   /* const char * */
    CLI_LIST,   /* cli_list */
    CLI_WORDS,  /* cli_words, of arguments only */
} cli_kind;

#define CLI_FIELD(type, member)                                                                                        \
    .kind = _Generic(((type *)0)->member,                                                                              \
        bool: CLI_FLAG,                                                                                                \
        double: CLI_NUMBER,                                                                                            \
        int64_t: CLI_WHOLE,                                                                                            \
        int: CLI_CHOICE,                                                                                               \
        unsigned: CLI_CHOICE,                                                                                          \
        const char *: CLI_TEXT,                                                                                        \
        cli_list: CLI_LIST,                                                                                            \
        cli_words: CLI_WORDS),                                                                                         \
    .at = offsetof(type, member)

/* One accepted word of a CLI_CHOICE; a list of them ends with an empty one. */
typedef struct cli_choice {
    const char *name;
    int value;
} cli_choice;

/* What a text names, for completion. */
typedef enum cli_path { CLI_NO_PATH, CLI_FILE, CLI_FOLDER, CLI_COMMAND } cli_path;

/* An option, or an argument of a command. */
typedef struct cli_option {
    const char *name; /* "log-rate" of --log-rate; for an argument its name in the help, "FILE" */
    char letter;      /* 'o' of -o; 0: none */
    cli_kind kind;
    size_t at;                 /* offset of its value in the command's struct; no unit */
    const char *value;         /* name of its value in the help: "HZ" */
    const char *text;          /* description of the option or argument */
    const char *section;       /* heading of the help from this option on; NULL: as before */
    const char *fallback;      /* default, as a user would write it; NULL: none */
    double min, max;           /* of numbers, in `unit` */
    const char *unit;          /* of numbers; NULL: none */
    const cli_choice *choices; /* of CLI_CHOICE */
    cli_path path;
    const char *endings;  /* of files: ".obj .gltf"; NULL: any */
    const char *offer;    /* arguments of `fathom` that list the completions, each after two spaces; NULL: none */
    const char *words;    /* completions that are always the same, separated by spaces; NULL: none */
    bool checked;         /* other endings are refused */
    bool required;        /* it must be given */
    const char *noun;     /* of arguments: "scenario" in "which scenario?" */
    const char *alone;    /* value of a text that is given without one; NULL: it is required */
    const char *needs;    /* option without which it has no effect */
    const char *excludes; /* options that cannot be given with it: "speed fast" */
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *section; /* heading in the list of commands */
    const char *text;    /* one line in that list */
    const char *about;   /* paragraphs, an empty line between two */
    const cli_option *arguments, *options;
    size_t argument_count, option_count;
    const char *one_of;        /* options of which at least one must be given; NULL: none */
    const char *examples;      /* one line each, beginning with "fathom"; NULL: none */
    const char *done, *failed; /* when it exits with 0, with 1; NULL: success, failure */
    const char *doubtful;      /* when it exits with 3; NULL: never */
    const char *interrupted;   /* what becomes of it where a signal ends it: it exits with 128 + its number; NULL: it
                                  is just gone */
    int (*main)(int argc, char **argv);
} cli_command;

#define CLI_ARGUMENTS(table) .arguments = (table), .argument_count = sizeof(table) / sizeof *(table)
enum { CLI_OPTIONS_MOST = 64 }; /* of a command */
/* The number of elements of a table, which does not compile for one with more than CLI_OPTIONS_MOST. */
#define CLI_OPTION_COUNT(table)                                                                                        \
    (sizeof(table) / sizeof *(table) * sizeof(char[sizeof(table) / sizeof *(table) <= CLI_OPTIONS_MOST ? 1 : -1]))
#define CLI_OPTIONS(table) .options = (table), .option_count = CLI_OPTION_COUNT(table)

/* Every command, in the order of the list; ends with NULL. */
const cli_command *const *cli_commands(void);
const cli_command *cli_command_find(const char *name); /* NULL: none; says so on stderr, with the nearest */

/* Reads argv into the command's struct, after filling in the defaults. False if the command must end with *status: the
 * help was printed, or an error was printed on stderr. */
bool cli_options_read(const cli_command *command, int argc, char **argv, void *target, int *status);

/* For people, written into `buffer` or elsewhere: "-o, --output FILE"; "-o FILE"; "FILE"; the text followed by limits
 * and default. */
const char *cli_option_name(const cli_option *option, char *buffer, size_t size);
const char *cli_option_usage(const cli_option *option, char *buffer, size_t size);
const char *cli_option_value(const cli_option *option, char *buffer, size_t size);
const char *cli_option_explain(const cli_option *option, char *buffer, size_t size);
const cli_option *cli_option_find(const cli_command *command, const char *name, size_t length);
/* Takes the next word of a list of words separated by spaces; false at its end. */
bool cli_word_next(const char **list, const char **word, size_t *length);
/* "fathom run FILE [OPTIONS]" */
void cli_command_usage(const cli_command *command, char *buffer, size_t size);

void cli_help_print(const cli_command *command); /* on standard output */

#endif
