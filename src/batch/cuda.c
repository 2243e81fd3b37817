/* Finds and loads the module for GPUs. */
#include "batch/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static void *open_beside(const char *file)
{
    char path[PATH_ROOM + 32];
    const char *slash = strrchr(file, '/');
    if (!slash)
        return NULL;
    snprintf(path, sizeof path, "%.*s/libfathom-cuda.so", (int)(slash - file), file);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Beside the library or program that this code is in; else by its name, where the system looks. */
static void *open_module(void)
{
    static const int anchor = 0; /* an address within */
    Dl_info info;
    char program[PATH_ROOM];
    void *module = dladdr((const void *)&anchor, &info) && info.dli_fname ? open_beside(info.dli_fname) : NULL;
    ssize_t length = module ? -1 : readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        module = open_beside(program);
    }
    return module ? module : dlopen("libfathom-cuda.so", RTLD_NOW | RTLD_LOCAL);
}

/* The module stays loaded: closing it would take the GPU's memory with it. */
const fm_cuda_module *fm_cuda_find(char *reason, size_t size)
{
    void *handle = open_module();
    const fm_cuda_module *module = handle ? (const fm_cuda_module *)dlsym(handle, "fm_cuda_module_table") : NULL;
    if (!module) {
        snprintf(reason, size, "there is no GPU part: libfathom-cuda.so was not found (it is built where nvcc is)");
        return NULL;
    }
    if (module->version != FM_CUDA_VERSION || module->job_bytes != sizeof(fm_lanes_job)) {
        snprintf(reason, size, "libfathom-cuda.so is of another version of Fathom");
        return NULL;
    }
    const char *what = module->open(reason, size);
    if (!what)
        return module;
    snprintf(reason, size, "there is no GPU that can be used: %s", what);
    return NULL;
}
