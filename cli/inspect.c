/* fathom check: whether a scenario is right, without running it. */
#include <stdio.h>

#include "commands.h"
#include "scenario.h"

typedef struct inspect_options {
    cli_scenario scenario;
} inspect_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(inspect_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario"},
};

static const cli_option option_table[] = {
    {"set", CLI_FIELD(inspect_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter; may be repeated"},
};

const cli_command cli_check_command = {
    .name = "check",
    .section = "simulate",
    .text = "report every error in a scenario",
    .about = "Reports every error in a scenario and its models: file, line, element, what was found and what is "
             "accepted.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .done = "the scenario is fine",
    .failed = "it has errors",
    .main = cli_check,
};

int cli_check(int argc, char **argv)
{
    inspect_options o = {0};
    int status;
    if (!cli_options_read(&cli_check_command, argc, argv, &o, &status))
        return status;
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    printf("%s: fine: %zu vehicle%s, %zu parameters\n", o.scenario.file, fm_model_vehicle_count(model),
           fm_model_vehicle_count(model) == 1 ? "" : "s", fm_model_param_count(model));
    fm_model_free(model);
    return CLI_DONE;
}
