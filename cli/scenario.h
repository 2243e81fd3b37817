/* What commands that take a scenario share: finding models, loading, telling what is wrong. */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include <fathom/fathom.h>

#include "options.h"

typedef struct cli_scenario {
    const char *file;
    cli_list sets; /* "PATH=VALUE" */
} cli_scenario;

enum { CLI_DIRS_MOST = 8, CLI_DIR_SIZE = 2048 };

/* Folders with models and with scenarios: $FATHOM_MODELS (and scenarios beside it), beside the program when installed,
 * the source tree, the installation. */
typedef struct cli_places {
    char models[CLI_DIRS_MOST][CLI_DIR_SIZE], scenarios[CLI_DIRS_MOST][CLI_DIR_SIZE];
    const char *model_dirs[CLI_DIRS_MOST], *scenario_dirs[CLI_DIRS_MOST];
    size_t count;
} cli_places;
void cli_find_places(cli_places *places);

/* Loads the scenario; prints every error to stderr and returns NULL where it is refused. */
fm_model *cli_load(const cli_scenario *scenario);
/* The same from text in memory; `name` stands for its file in messages. */
fm_model *cli_load_text(const char *text, const char *name);
/* The same with the settings of `scenario`, whose `file` is that name. */
fm_model *cli_load_text_with(const char *text, const cli_scenario *scenario);
/* "file:line: text" on stderr. */
void cli_print_error(const fm_error *error);

#endif
