#include "scenario.h"

#include <libgen.h>
#include <math.h>
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

enum { DIRS_MOST = 8, DIR_SIZE = 1024 };

/* Folders with models: $FATHOM_MODELS, beside the program when installed, the source tree, the installation. */
static size_t model_dirs(char dirs[DIRS_MOST][DIR_SIZE])
{
    size_t count = 0;
    const char *own = getenv("FATHOM_MODELS");
    if (own && *own)
        snprintf(dirs[count++], DIR_SIZE, "%s", own);
    char exe[DIR_SIZE - 32];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length > 0) {
        exe[length] = 0;
        snprintf(dirs[count++], DIR_SIZE, "%s/../share/fathom/models", dirname(exe));
    }
    snprintf(dirs[count++], DIR_SIZE, "%s/models", FATHOM_SOURCE_DIR);
    snprintf(dirs[count++], DIR_SIZE, "%s/models", FATHOM_DATA_DIR);
    return count;
}

fm_model *cli_load(const cli_scenario *scenario)
{
    static char dirs[DIRS_MOST][DIR_SIZE];
    const char *names[DIRS_MOST];
    size_t count = model_dirs(dirs);
    for (size_t i = 0; i < count; i++)
        names[i] = dirs[i];
    fm_error error = {0};
    fm_load_options options = {.set = scenario->sets, .set_count = scenario->set_count, .model_dirs = names,
                               .model_dir_count = count, .report = print_each};
    return fm_model_load(scenario->file, &options, &error);
}

int cli_number(const char *command, const char *option, const char *text, double min, double max, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number) || *number < min || *number > max) {
        fprintf(stderr, "fathom %s: %s: found '%s', accepted a number from %g to %g\n", command, option, text, min, max);
        return 0;
    }
    return 1;
}
