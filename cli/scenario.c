#include "scenario.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bridges.h"
#include "listing.h"
#include "progress.h"

void cli_print_error(const fm_error *error)
{
    if (error->file[0] && error->line > 0)
        fprintf(stderr, "%s:%d: %s\n", error->file, error->line, error->text);
    else if (error->file[0])
        fprintf(stderr, "%s: %s\n", error->file, error->text);
    else
        fprintf(stderr, "fathom: %s\n", error->text);
}

static void print_each(void *user, const fm_error *error)
{
    static const char around[] = "model of <vehicle name=\"vehicle\">: ";
    const cli_scenario *scenario = user;
    if (scenario->of_model && !strncmp(error->text, around, sizeof around - 1))
        fprintf(stderr, "fathom: %s\n", error->text + sizeof around - 1);
    else
        cli_print_error(error);
}

void cli_print_warning(void *user, const fm_error *warning)
{
    (void)user;
    if (warning->line > 0)
        fprintf(stderr, "%s:%d: warning: %s\n", warning->file, warning->line, warning->text);
    else
        fprintf(stderr, "%s: warning: %s\n", warning->file, warning->text);
}

static fm_load_options load_options(const cli_scenario *scenario)
{
    return (fm_load_options){.report = print_each,
                             .user = (void *)scenario,
                             .warn = scenario->warned ? cli_print_warning : NULL,
                             .set = scenario->sets.items,
                             .set_count = scenario->sets.count,
                             .bridges = scenario->bridges.items,
                             .bridge_count = scenario->bridges.count,
                             .no_bridges = scenario->unbridged};
}

const char *cli_scenario_file(const char *file, char *path, size_t size)
{
    if (access(file, F_OK) == 0 || !strcmp(file, "-") || cli_scenario_find(file, path, size) == 0)
        return file;
    return path;
}

fm_model *cli_load(const cli_scenario *scenario)
{
    fm_error error = {0};
    char path[4096];
    fm_load_options options = load_options(scenario);
    cli_life_begin("loading", scenario->file);
    fm_model *model = fm_model_load(cli_scenario_file(scenario->file, path, sizeof path), &options, &error);
    cli_life_end();
    if (!model && strcmp(scenario->file, "-") != 0 && access(scenario->file, F_OK) != 0 &&
        !cli_scenario_find(scenario->file, path, sizeof path))
        cli_scenario_hint(scenario->file);
    return model;
}

void cli_bridges_give(const cli_bridges *b, cli_scenario *scenario)
{
#define SWITCH(name, ...) {#name, b->name},
    const struct {
        const char *kind;
        bool on;
    } switches[] = {FM_BUILT_IN_BRIDGES(SWITCH)};
    scenario->bridges = b->others;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (switches[i].on && scenario->bridges.count < CLI_LIST_MOST)
            scenario->bridges.items[scenario->bridges.count++] = switches[i].kind;
    scenario->unbridged = b->none;
}

fm_model *cli_load_text(const char *text, const char *name)
{
    return cli_load_text_with(text, &(cli_scenario){.file = name});
}

fm_model *cli_load_text_with(const char *text, const cli_scenario *scenario)
{
    fm_error error = {0};
    fm_load_options options = load_options(scenario);
    return fm_model_load_memory(text, strlen(text), scenario->file, &options, &error);
}
