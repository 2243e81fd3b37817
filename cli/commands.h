/* The commands of the program. Each gets its own arguments (argv[0] is the command's name) and returns the exit status:
 * 0 done, 1 failed, 2 wrong usage. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

int cli_bench(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_params(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_figures(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_fish(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_schema(int argc, char **argv);
int cli_water(int argc, char **argv);

#endif
