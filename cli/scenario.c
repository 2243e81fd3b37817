#include "scenario.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    (void)user;
    cli_print_error(error);
}

static void add_place(cli_places *places, const char *models, const char *scenarios)
{
    size_t i = places->count++;
    snprintf(places->models[i], CLI_DIR_SIZE, "%s", models);
    snprintf(places->scenarios[i], CLI_DIR_SIZE, "%s", scenarios);
    places->model_dirs[i] = places->models[i];
    places->scenario_dirs[i] = places->scenarios[i];
}

static void add_root(cli_places *places, const char *root, const char *below)
{
    char models[CLI_DIR_SIZE], scenarios[CLI_DIR_SIZE];
    snprintf(models, sizeof models, "%s%s/models", root, below);
    snprintf(scenarios, sizeof scenarios, "%s%s/scenarios", root, below);
    add_place(places, models, scenarios);
}

void cli_find_places(cli_places *places)
{
    places->count = 0;
    const char *own = getenv("FATHOM_MODELS");
    if (own && *own) {
        char scenarios[CLI_DIR_SIZE];
        snprintf(scenarios, sizeof scenarios, "%s/../scenarios", own);
        add_place(places, own, scenarios);
    }
    char exe[CLI_DIR_SIZE / 2];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length > 0) {
        exe[length] = 0;
        add_root(places, dirname(exe), "/../share/fathom");
    }
    add_root(places, FATHOM_SOURCE_DIR, "");
    add_root(places, FATHOM_DATA_DIR, "");
}

static fm_load_options load_options(void)
{
    static cli_places places;
    cli_find_places(&places);
    return (fm_load_options){.model_dirs = places.model_dirs, .model_dir_count = places.count, .report = print_each};
}

fm_model *cli_load(const cli_scenario *scenario)
{
    fm_error error = {0};
    fm_load_options options = load_options();
    options.set = scenario->sets.items;
    options.set_count = scenario->sets.count;
    return fm_model_load(scenario->file, &options, &error);
}

fm_model *cli_load_text(const char *text, const char *name)
{
    return cli_load_text_with(text, &(cli_scenario){.file = name});
}

fm_model *cli_load_text_with(const char *text, const cli_scenario *scenario)
{
    fm_error error = {0};
    fm_load_options options = load_options();
    options.set = scenario->sets.items;
    options.set_count = scenario->sets.count;
    return fm_model_load_memory(text, strlen(text), scenario->file, &options, &error);
}
