/* Shared by commands with a scenario: search for models, loading, error messages. */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include <stdbool.h>

#include <fathom/fathom.h>

#include "options.h"
#include "scenario/folders.h"

typedef struct cli_scenario {
    const char *file;
    cli_list sets;    /* "PATH=VALUE" */
    bool warned;      /* warnings are printed too */
    cli_list bridges; /* "KIND attribute=value …" */
    bool unbridged;   /* those of the scenario are left out */
    bool of_model;    /* `file` is a model; the scenario around it is the program's own, and errors do not mention it */
} cli_scenario;

/* The file itself, or that of the scenario known by this name. */
const char *cli_scenario_file(const char *file, char *path, size_t size);
/* Loads the scenario; prints every error to stderr and returns NULL if it is refused. */
fm_model *cli_load(const cli_scenario *scenario);
/* The same from text in memory; `name` is its file in messages. */
fm_model *cli_load_text(const char *text, const char *name);
/* The same with the settings of `scenario`, whose `file` is that name. */
fm_model *cli_load_text_with(const char *text, const cli_scenario *scenario);
/* "file:line: text" on stderr. */
void cli_print_error(const fm_error *error);
/* "file:line: warning: text" on stderr; fm_load_options' warn. */
void cli_print_warning(void *user, const fm_error *warning);

#endif
