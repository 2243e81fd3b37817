#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "suggest.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"run", cli_run, "run a scenario"},
    {"check", cli_check, "report every error in a scenario"},
    {"params", cli_params, "list the parameters of a scenario"},
    {"figures", cli_figures, "draw the published figures again and hold their numbers against the papers'"},
    {"schema", cli_schema, "what a scenario may say: RELAX NG schema, reference page"},
    {"info", cli_info, "what is in a log: channels, fields, metadata"},
    {"export", cli_export, "a log as CSV or NetCDF"},
    {"compare", cli_compare, "two logs: largest difference per channel, first divergence"},
    {"plot", cli_plot, "figures of a log: the overview of a run, or any field"},
    {"report", cli_report, "a page about a recorded run"},
    {"replay", cli_replay, "run a log's scenario again and compare bit by bit"},
    {"fish", cli_fish, "servo table and mesh of a robotic fish"},
    {"water", cli_water, "properties of sea water: salinity, density, sound speed, freezing point"},
    {"bench", cli_bench, "how fast worlds step on this machine"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    printf("fathom %s: simulates underwater vehicles\n\nusage: fathom COMMAND [OPTIONS]\n\ncommands:\n",
           FATHOM_VERSION);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-12s %s\n", commands[i].name, commands[i].text);
    printf("\n`fathom COMMAND --help` explains a command; `fathom --version` prints the version.\n");
}

static int unknown_command(const char *word)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = cli_nearest(word, names, COMMANDS);
    fprintf(stderr, "fathom: there is no command '%s'", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\n`fathom --help` lists the commands.\n");
    return CLI_USAGE;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return CLI_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help();
        return CLI_DONE;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("fathom %s\n", FATHOM_VERSION);
        return CLI_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

/* What could not be printed is a failure, also of a command that did the rest. */
int main(int argc, char **argv)
{
    int result = run_command(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return result;
    fprintf(stderr, "fathom: standard output: %s\n", errno ? strerror(errno) : "could not be written");
    return result == CLI_DONE ? CLI_FAILED : result;
}
