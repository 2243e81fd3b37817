/* fathom check, fathom params: what a scenario says, without running it. */
#include <stdio.h>

#include "commands.h"
#include "scenario.h"
#include "summary.h"

typedef struct inspect_options {
    cli_scenario scenario;
    bool json;
} inspect_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(inspect_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario"},
};

/* The first of them are those of `fathom check`. */
static const cli_option option_table[] = {
    {"set", CLI_FIELD(inspect_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter; may be repeated"},
    {"json", CLI_FIELD(inspect_options, json), .text = "a JSON array, one object a parameter"},
};

const cli_command cli_check_command = {
    .name = "check",
    .section = "simulate",
    .text = "report every error in a scenario",
    .about = "Reports every error in a scenario and its models: file, line, element, what was found and what is "
             "accepted.",
    CLI_ARGUMENTS(argument_table),
    .options = option_table,
    .option_count = 1,
    .done = "the scenario is fine",
    .failed = "it has errors",
    .main = cli_check,
};

const cli_command cli_params_command = {
    .name = "params",
    .section = "simulate",
    .text = "list the parameters of a scenario",
    .about = "Lists every parameter: path, value, whether it may change in a running world (live) or only at load, "
             "meaning, range.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .main = cli_params,
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

static void print_json_param(const fm_param_info *info, int first)
{
    printf("%s\n  {\"path\": ", first ? "" : ",");
    cli_json_text(stdout, info->path);
    fputs(", \"value\": ", stdout);
    cli_json_text(stdout, info->value);
    fputs(", \"unit\": ", stdout);
    cli_json_text(stdout, info->unit);
    printf(", \"live\": %s, \"default\": ", info->live ? "true" : "false");
    if (info->fallback)
        cli_json_text(stdout, info->fallback);
    else
        fputs("null", stdout);
    if (info->min != 0 || info->max != 0)
        printf(", \"min\": %.17g, \"max\": %.17g", info->min, info->max);
    fputs(", \"text\": ", stdout);
    cli_json_text(stdout, info->text ? info->text : "");
    fputs("}", stdout);
}

static void print_param(const fm_param_info *info)
{
    char range[64] = "";
    if (info->min != 0 || info->max != 0)
        snprintf(range, sizeof range, " [%g, %g]", info->min, info->max);
    printf("%-46s %-22s %s  %s%s\n", info->path, info->value[0] ? info->value : "-", info->live ? "live" : "load",
           info->text ? info->text : "", range);
}

int cli_params(int argc, char **argv)
{
    inspect_options o = {0};
    int status;
    if (!cli_options_read(&cli_params_command, argc, argv, &o, &status))
        return status;
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    if (o.json)
        fputs("[", stdout);
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info info = fm_model_param(model, i);
        if (o.json)
            print_json_param(&info, i == 0);
        else
            print_param(&info);
    }
    if (o.json)
        fputs("\n]\n", stdout);
    fm_model_free(model);
    return CLI_DONE;
}
