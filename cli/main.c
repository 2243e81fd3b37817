#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "commands.h"
#include "suggest.h"

const cli_command *const cli_commands[] = {&cli_run_command,
                                           &cli_view_command,
                                           &cli_serve_command,
                                           &cli_ctl_command,
                                           &cli_emulate_command,
                                           &cli_sweep_command,
                                           &cli_identify_command,
                                           &cli_optimise_command,
                                           &cli_check_command,
                                           &cli_params_command,
                                           &cli_scenarios_command,
                                           &cli_models_command,
                                           &cli_schema_command,
                                           &cli_info_command,
                                           &cli_export_command,
                                           &cli_compare_command,
                                           &cli_plot_command,
                                           &cli_report_command,
                                           &cli_replay_command,
                                           &cli_figures_command,
                                           &cli_fish_command,
                                           &cli_trim_command,
                                           &cli_stability_command,
                                           &cli_rays_command,
                                           &cli_water_command,
                                           &cli_dis_command,
                                           &cli_bench_command,
                                           &cli_help_command,
                                           &cli_manual_command,
                                           &cli_completion_command,
                                           NULL};

enum { COMMANDS = sizeof cli_commands / sizeof cli_commands[0] - 1 };

static void print_help(void)
{
    printf("fathom %s: simulates underwater vehicles\n\nusage: fathom COMMAND [ARGUMENTS] [OPTIONS]\n", FATHOM_VERSION);
    for (size_t i = 0; i < COMMANDS; i++) {
        const cli_command *c = cli_commands[i];
        if (i == 0 || strcmp(c->section, cli_commands[i - 1]->section) != 0)
            printf("\n%s:\n", c->section);
        printf("  %-12s %s\n", c->name, c->text);
    }
    printf("\n`fathom help COMMAND` or `fathom COMMAND --help` explains a command; `fathom --version` prints the "
           "version.\nexit status: 0 done; 1 failed; 2 wrong usage\n");
}

const cli_command *cli_command_find(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(name, cli_commands[i]->name))
            return cli_commands[i];
        names[i] = cli_commands[i]->name;
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
    if (!strcmp(argv[1], "--version")) {
        printf("fathom %s\n", FATHOM_VERSION);
        return CLI_DONE;
    }
    const cli_command *command = cli_command_find(argv[1]);
    return command ? command->main(argc - 1, argv + 1) : CLI_USAGE;
}

/* What could not be printed is a failure, also of a command that did the rest. */
int main(int argc, char **argv)
{
    fm_guard_install(); /* other processes can truncate shared memory */
    int result = run_command(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return result;
    fprintf(stderr, "fathom: standard output: %s\n", errno ? strerror(errno) : "could not be written");
    return result == CLI_DONE ? CLI_FAILED : result;
}
