#include "scenario.h"

#include <stdio.h>
#include <string.h>

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

static fm_load_options load_options(void)
{
    return (fm_load_options){.report = print_each};
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
