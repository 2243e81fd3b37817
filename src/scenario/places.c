#include "scenario/places.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_place(fm_places *places, const char *models, const char *scenarios)
{
    for (size_t i = 0; i < places->count; i++)
        if (strcmp(places->models[i], models) == 0)
            return;
    size_t i = places->count++;
    strcpy(places->models[i], models);
    strcpy(places->scenarios[i], scenarios);
    places->model_dirs[i] = places->models[i];
    places->scenario_dirs[i] = places->scenarios[i];
}

/* `models` and `scenarios` below a folder; names that are too long are of no place. */
static void add_root(fm_places *places, const char *root, const char *below)
{
    char models[FM_PLACE_SIZE], scenarios[FM_PLACE_SIZE];
    int length = snprintf(scenarios, sizeof scenarios, "%s%s/scenarios", root, below);
    if (length < 0 || (size_t)length >= sizeof scenarios)
        return;
    snprintf(models, sizeof models, "%.*s/models", length - (int)strlen("/scenarios"), scenarios);
    add_place(places, models, scenarios);
}

/* PREFIX/share/fathom of a file in PREFIX/bin or PREFIX/lib, or in a folder below it (PREFIX/lib/x86_64-linux-gnu). */
static void add_installation(fm_places *places, char *file)
{
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(file, '/');
        if (!slash)
            return;
        *slash = 0;
        char root[FM_PLACE_SIZE];
        int length = snprintf(root, sizeof root, "%s/../share/fathom", file);
        if (length > 0 && (size_t)length < sizeof root && access(root, X_OK) == 0)
            add_root(places, root, "");
    }
}

static void add_own(fm_places *places)
{
    const char *own = getenv("FATHOM_MODELS");
    char scenarios[FM_PLACE_SIZE];
    if (!own || !*own)
        return;
    int length = snprintf(scenarios, sizeof scenarios, "%s/../scenarios", own);
    if (length > 0 && (size_t)length < sizeof scenarios)
        add_place(places, own, scenarios);
}

static void add_program(fm_places *places)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    add_installation(places, path);
}

static void add_library(fm_places *places)
{
    char path[PATH_MAX];
    Dl_info info;
    if (dladdr((void *)fm_places_find, &info) && info.dli_fname && realpath(info.dli_fname, path))
        add_installation(places, path);
}

void fm_places_find(fm_places *places)
{
    places->count = 0;
    add_own(places);
    add_program(places);
    add_library(places);
    if (FATHOM_SOURCE_DIR[0])
        add_root(places, FATHOM_SOURCE_DIR, "");
    add_root(places, FATHOM_DATA_DIR, "");
}
