#include "base/module.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static void *open_in(const char *file, const char *folder, const char *name, int flags)
{
    char path[PATH_ROOM + 256];
    const char *slash = strrchr(file, '/');
    if (!slash)
        return NULL;
    int length = snprintf(path, sizeof path, "%.*s%s/%s", (int)(slash - file), file, folder, name);
    return length > 0 && (size_t)length < sizeof path ? dlopen(path, flags) : NULL;
}

/* Next to it, or as installed: bin/fathom, lib/libfathom-mpi.so. */
static void *open_beside(const char *file, const char *name, int flags)
{
    void *module = open_in(file, "", name, flags);
    return module ? module : open_in(file, "/../" FATHOM_LIB_DIR, name, flags);
}

void *fm_module_open(const char *name, int flags)
{
    static const int anchor = 0; /* an address within */
    Dl_info info;
    char program[PATH_ROOM];
    void *module =
        dladdr((const void *)&anchor, &info) && info.dli_fname ? open_beside(info.dli_fname, name, flags) : NULL;
    ssize_t length = module ? -1 : readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        module = open_beside(program, name, flags);
    }
    return module ? module : dlopen(name, flags);
}

const void *fm_module_find(fm_module *module, fm_error *error)
{
    const char *const *table = atomic_load(&module->found);
    if (table)
        return table;
    void *handle = fm_module_open(module->file, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle ? NULL : dlerror();
    table = handle ? (const char *const *)dlsym(handle, module->table) : NULL;
    if (!table)
        fm_fail(error, FM_ERR_MISSING, "%s needs %s, which could not be loaded: %s (a build with %s includes it)",
                module->work, module->file, why ? why : "it is not a module of Fathom", module->package);
    else if (strcmp(*table, FATHOM_VERSION) != 0)
        fm_fail(error, FM_ERR_MISSING, "%s is of Fathom %s: this is Fathom %s", module->file, *table, FATHOM_VERSION);
    else {
        atomic_store(&module->found, (const void *)table);
        return table;
    }
    return NULL;
}
