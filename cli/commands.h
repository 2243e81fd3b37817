/* The commands of the program. Each gets its own arguments (argv[0] is the command's name) and returns the exit status:
 * 0 success, 1 failure, 2 wrong usage. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const cli_command cli_bench_command, cli_check_command, cli_compare_command, cli_completion_command,
    cli_ctl_command, cli_emulate_command, cli_export_command, cli_figures_command, cli_fish_command, cli_help_command,
    cli_import_command, cli_info_command, cli_manual_command, cli_models_command, cli_params_command, cli_plot_command,
    cli_rays_command, cli_replay_command, cli_report_command, cli_run_command, cli_scenarios_command,
    cli_schema_command, cli_serve_command, cli_stability_command, cli_sweep_command, cli_trim_command, cli_view_command,
    cli_water_command, cli_dis_command, cli_identify_command, cli_optimise_command;

/* Those of modules (modules.h), loaded on use; if that fails, a command that prints the reason. */
const cli_command *cli_plot_find(void), *cli_report_find(void), *cli_figures_find(void), *cli_view_find(void),
    *cli_serve_find(void), *cli_ctl_find(void), *cli_dis_find(void);

int cli_bench(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_serve(int argc, char **argv);
int cli_ctl(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_scenarios(int argc, char **argv);
int cli_models(int argc, char **argv);
int cli_params(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_figures(int argc, char **argv);
int cli_emulate(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_fish(int argc, char **argv);
int cli_completion(int argc, char **argv);
int cli_help(int argc, char **argv);
int cli_manual(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_schema(int argc, char **argv);
int cli_trim(int argc, char **argv);
int cli_stability(int argc, char **argv);
int cli_rays_main(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_identify(int argc, char **argv);
int cli_optimise(int argc, char **argv);
int cli_view(int argc, char **argv);
int cli_water(int argc, char **argv);
int cli_dis(int argc, char **argv);

#endif
