/* Finds and loads the module for GPUs. */
#include "batch/cuda.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/module.h"

/* The module stays loaded: closing it would take the GPU's memory with it. */
const fm_cuda_module *fm_cuda_load(char *reason, size_t size)
{
    void *handle = fm_module_open("libfathom-cuda.so", RTLD_NOW | RTLD_LOCAL);
    const fm_cuda_module *module = handle ? (const fm_cuda_module *)dlsym(handle, "fm_cuda_module_table") : NULL;
    if (module && module->version == FM_CUDA_VERSION && module->job_bytes == sizeof(fm_lanes_job))
        return module;
    snprintf(reason, size, "%s",
             module ? "libfathom-cuda.so is of another version of Fathom"
                    : "libfathom-cuda.so, which runs batches on a GPU, was not found");
    return NULL;
}

const fm_cuda_module *fm_cuda_find(char *reason, size_t size)
{
    const fm_cuda_module *module = fm_cuda_load(reason, size);
    const char *what = module ? module->open(reason, size) : NULL;
    if (!what)
        return module;
    snprintf(reason, size, "no usable GPU: %s", what);
    return NULL;
}
