#include "scenario/folders.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_folder(fm_folders *folders, const char *models, const char *scenarios)
{
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->models[i], models) == 0)
            return;
    size_t i = folders->count++;
    strcpy(folders->models[i], models);
    strcpy(folders->scenarios[i], scenarios);
    folders->model_dirs[i] = folders->models[i];
    folders->scenario_dirs[i] = folders->scenarios[i];
}

/* `models` and `scenarios` below a folder; names that are too long are ignored. */
static void add_root(fm_folders *folders, const char *root, const char *below)
{
    char models[FM_FOLDER_SIZE], scenarios[FM_FOLDER_SIZE];
    int length = snprintf(scenarios, sizeof scenarios, "%s%s/scenarios", root, below);
    if (length < 0 || (size_t)length >= sizeof scenarios)
        return;
    snprintf(models, sizeof models, "%.*s/models", length - (int)strlen("/scenarios"), scenarios);
    add_folder(folders, models, scenarios);
}

/* PREFIX/share/fathom of a file in PREFIX/bin or PREFIX/lib, or in a folder below it (PREFIX/lib/x86_64-linux-gnu). */
static void add_installation(fm_folders *folders, char *file)
{
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(file, '/');
        if (!slash)
            return;
        *slash = 0;
        char root[FM_FOLDER_SIZE];
        int length = snprintf(root, sizeof root, "%s/../share/fathom", file);
        if (length > 0 && (size_t)length < sizeof root && access(root, X_OK) == 0)
            add_root(folders, root, "");
    }
}

static void add_own(fm_folders *folders)
{
    const char *own = getenv("FATHOM_MODELS");
    char scenarios[FM_FOLDER_SIZE];
    if (!own || !*own)
        return;
    int length = snprintf(scenarios, sizeof scenarios, "%s/../scenarios", own);
    if (length > 0 && (size_t)length < sizeof scenarios)
        add_folder(folders, own, scenarios);
}

static void add_program(fm_folders *folders)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    add_installation(folders, path);
}

static void add_library(fm_folders *folders)
{
    char path[PATH_MAX];
    Dl_info info;
    if (dladdr((void *)fm_folders_find, &info) && info.dli_fname && realpath(info.dli_fname, path))
        add_installation(folders, path);
}

void fm_folders_find(fm_folders *folders)
{
    folders->count = 0;
    add_own(folders);
    add_program(folders);
    add_library(folders);
    if (FATHOM_SOURCE_DIR[0])
        add_root(folders, FATHOM_SOURCE_DIR, "");
    add_root(folders, FATHOM_DATA_DIR, "");
}
