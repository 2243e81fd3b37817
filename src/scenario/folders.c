#include "scenario/folders.h"

#include <dlfcn.h>
#include <fathom/model.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

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

fm_status fm_scenario_find(const char *name, char *path, size_t size, fm_error *error)
{
    if (!name || !path)
        return fm_fail(error, FM_ERR_ARGUMENT, "name and path must not be NULL");
    fm_folders *folders = fm_alloc(sizeof *folders);
    fm_status status = FM_ERR_NAME;
    if (!folders)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the folders of scenarios");
    fm_folders_find(folders);
    size_t length = strlen(name);
    length -= length > 4 && strcmp(name + length - 4, ".xml") == 0 ? 4 : 0;
    for (size_t i = 0; i < folders->count && status == FM_ERR_NAME && !strchr(name, '/'); i++) {
        char found[FM_FOLDER_SIZE + 256];
        int bytes = snprintf(found, sizeof found, "%s/%.*s.xml", folders->scenarios[i], (int)length, name);
        if (bytes <= 0 || (size_t)bytes >= sizeof found || access(found, R_OK) != 0)
            continue;
        status = (size_t)bytes < size ? FM_OK : fm_fail(error, FM_ERR_FULL, "the path needs %d bytes", bytes + 1);
        if (status == FM_OK)
            strcpy(path, found);
    }
    if (status == FM_ERR_NAME)
        fm_fail(error, FM_ERR_NAME, "no scenario '%.60s' in the %zu folders of scenarios", name, folders->count);
    fm_free(folders);
    return status;
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
