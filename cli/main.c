#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "commands.h"
#include "suggest.h"

/* In the order of the list; those of a module are found when they are needed. */
static const struct {
    const char *name;
    const cli_command *command;
    const cli_command *(*find)(void);
} entries[] = {
    {"run", .command = &cli_run_command},
    {"view", .find = cli_view_find},
    {"serve", .find = cli_serve_find},
    {"ctl", .find = cli_ctl_find},
    {"emulate", .command = &cli_emulate_command},
    {"sweep", .command = &cli_sweep_command},
    {"identify", .command = &cli_identify_command},
    {"optimise", .command = &cli_optimise_command},
    {"check", .command = &cli_check_command},
    {"params", .command = &cli_params_command},
    {"scenarios", .command = &cli_scenarios_command},
    {"models", .command = &cli_models_command},
    {"import", .command = &cli_import_command},
    {"schema", .command = &cli_schema_command},
    {"info", .command = &cli_info_command},
    {"export", .command = &cli_export_command},
    {"compare", .command = &cli_compare_command},
    {"plot", .find = cli_plot_find},
    {"report", .find = cli_report_find},
    {"replay", .command = &cli_replay_command},
    {"figures", .find = cli_figures_find},
    {"fish", .command = &cli_fish_command},
    {"trim", .command = &cli_trim_command},
    {"stability", .command = &cli_stability_command},
    {"rays", .command = &cli_rays_command},
    {"water", .command = &cli_water_command},
    {"dis", .find = cli_dis_find},
    {"bench", .command = &cli_bench_command},
    {"help", .command = &cli_help_command},
    {"manual", .command = &cli_manual_command},
    {"completion", .command = &cli_completion_command},
};

enum { COMMANDS = sizeof entries / sizeof entries[0] };

static const cli_command *command_at(size_t i)
{
    return entries[i].command ? entries[i].command : entries[i].find();
}

const cli_command *const *cli_commands(void)
{
    static const cli_command *all[COMMANDS + 1];
    for (size_t i = 0; i < COMMANDS; i++)
        all[i] = command_at(i);
    return all;
}

static void print_help(void)
{
    printf("fathom %s: simulates underwater vehicles\n\nusage: fathom COMMAND [ARGUMENTS] [OPTIONS]\n", FATHOM_VERSION);
    const cli_command *const *first = cli_commands();
    for (const cli_command *const *c = first; *c; c++) {
        if (c == first || strcmp(c[0]->section, c[-1]->section) != 0)
            printf("\n%s:\n", (*c)->section);
        printf("  %-12s %s\n", (*c)->name, (*c)->text);
    }
    printf("\n`fathom help COMMAND` or `fathom COMMAND --help` explains a command; `fathom --version` (-V) prints "
           "the version.\nexit status: 0 done; 1 failed; 2 wrong usage\n");
}

const cli_command *cli_command_find(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(name, entries[i].name))
            return command_at(i);
        names[i] = entries[i].name;
    }
    const char *near = cli_nearest(name, names, COMMANDS);
    fprintf(stderr, "fathom: unknown command '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\n`fathom --help` lists the commands.\n");
    return NULL;
}

/* --- fathom help --- */

typedef struct help_options {
    const char *command;
} help_options;

static const cli_option argument_table[] = {
    {"COMMAND", CLI_FIELD(help_options, command), .noun = "command", .path = CLI_COMMAND,
     .text = "the command to explain; default: list all commands"},
};

const cli_command cli_help_command = {
    .name = "help",
    .section = "about",
    .text = "explain a command",
    .about = "Explains a command, like `fathom COMMAND --help`.",
    CLI_ARGUMENTS(argument_table),
    .main = cli_help,
};

int cli_help(int argc, char **argv)
{
    help_options o = {0};
    int status;
    if (!cli_options_read(&cli_help_command, argc, argv, &o, &status))
        return status;
    if (!o.command)
        return print_help(), CLI_DONE;
    const cli_command *command = cli_command_find(o.command);
    if (command)
        cli_help_print(command);
    return command ? CLI_DONE : CLI_USAGE;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return CLI_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return print_help(), CLI_DONE;
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("fathom %s\n", FATHOM_VERSION);
        return CLI_DONE;
    }
    const cli_command *command = cli_command_find(argv[1]);
    return command ? command->main(argc - 1, argv + 1) : CLI_USAGE;
}

/* Failure to print is a failure, also of a command that otherwise succeeded. */
int main(int argc, char **argv)
{
    fm_guard_install(); /* other processes can truncate shared memory */
    int result = run_command(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return result;
    fprintf(stderr, "fathom: standard output: %s\n", errno ? strerror(errno) : "could not be written");
    return result == CLI_DONE ? CLI_FAILED : result;
}
