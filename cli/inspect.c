/* fathom check, fathom params: what a scenario says, without running it. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "scenario.h"
#include "summary.h"

static int read_arguments(const char *command, int argc, char **argv, cli_scenario *scenario, int *json)
{
    for (int i = 1; i < argc; i++) {
        int set = !strcmp(argv[i], "--set");
        if (set && i + 1 >= argc)
            return fprintf(stderr, "fathom %s: --set needs a value, PATH=VALUE\n", command), 0;
        if (set && scenario->set_count == CLI_SETS_MOST)
            return fprintf(stderr, "fathom %s: at most %d --set options\n", command, CLI_SETS_MOST), 0;
        if (set)
            scenario->sets[scenario->set_count++] = argv[++i];
        else if (json && !strcmp(argv[i], "--json"))
            *json = 1;
        else if (argv[i][0] == '-' || scenario->file)
            return fprintf(stderr, "fathom %s: unexpected '%s'; `fathom %s --help` explains\n", command, argv[i],
                           command),
                   0;
        else
            scenario->file = argv[i];
    }
    if (!scenario->file)
        return fprintf(stderr, "fathom %s: which scenario? `fathom %s --help` explains\n", command, command), 0;
    return 1;
}

static int asks_for_help(int argc, char **argv, const char *text)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return puts(text), 1;
    return 0;
}

int cli_check(int argc, char **argv)
{
    cli_scenario scenario = {0};
    if (asks_for_help(argc, argv,
                      "usage: fathom check FILE [--set PATH=VALUE]…\n\nReports every error in a scenario and its "
                      "models: file, line, element, what was found and what is accepted."))
        return CLI_DONE;
    if (!read_arguments("check", argc, argv, &scenario, NULL))
        return CLI_USAGE;
    fm_model *model = cli_load(&scenario);
    if (!model)
        return CLI_FAILED;
    printf("%s: fine: %zu vehicle%s, %zu parameters\n", scenario.file, fm_model_vehicle_count(model),
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
    cli_scenario scenario = {0};
    int json = 0;
    if (asks_for_help(argc, argv,
                      "usage: fathom params FILE [--set PATH=VALUE]… [--json]\n\nLists every parameter: path, value, "
                      "whether it may change in a running world (live) or only at load, meaning, range."))
        return CLI_DONE;
    if (!read_arguments("params", argc, argv, &scenario, &json))
        return CLI_USAGE;
    fm_model *model = cli_load(&scenario);
    if (!model)
        return CLI_FAILED;
    if (json)
        fputs("[", stdout);
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info info = fm_model_param(model, i);
        if (json)
            print_json_param(&info, i == 0);
        else
            print_param(&info);
    }
    if (json)
        fputs("\n]\n", stdout);
    fm_model_free(model);
    return CLI_DONE;
}
