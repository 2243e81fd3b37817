/* libfathom-cuda.so: memory, launches, and kernels that are compiled for one type at run time. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "batch/cuda/part.h"
#include "physics/flat.h"

/* The sources of the kernel, embedded (cmake/Cuda.cmake): name and text, {NULL, NULL} behind the last. */
extern const char *const fm_cuda_sources[][2];

static const fm_cuda_part *part_of(int single)
{
    return single ? &fm_cuda_float : &fm_cuda_double;
}

static const char *tell(cudaError_t code)
{
    return code == cudaSuccess ? NULL : cudaGetErrorString(code);
}

static const char *open_device(char *name, size_t size)
{
    int count = 0;
    cudaDeviceProp properties;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0)
        return count == 0 && code == cudaSuccess ? "none was found" : cudaGetErrorString(code);
    code = cudaGetDeviceProperties(&properties, 0);
    if (code != cudaSuccess)
        return cudaGetErrorString(code);
    std::snprintf(name, size, "%s", properties.name);
    return NULL;
}

static const char *allocate(void **memory, size_t bytes)
{
    cudaError_t code = cudaMalloc(memory, bytes);
    return tell(code == cudaSuccess ? cudaMemset(*memory, 0, bytes) : code);
}

static void release(void *memory)
{
    cudaFree(memory);
}

static const char *copy(void *to, const void *from, size_t bytes)
{
    return tell(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

static void head(int single, const fm_flat *doubles, fm_flat *made)
{
    part_of(single)->head(doubles, made);
}

static void fill(int single, fm_flat *block, const fm_flat *doubles)
{
    part_of(single)->fill(block, doubles);
}

static const char *reset(int single, const fm_lanes_job *job, const uint32_t *variants, const unsigned char *mask,
                         const void *starts, size_t variant_count, int whole)
{
    part_of(single)->reset(job, variants, mask, starts, variant_count, whole);
    return tell(cudaGetLastError());
}

static const char *wait_all(void)
{
    return tell(cudaDeviceSynchronize());
}

/* --- a kernel for one type alone --- */

/* Functions of NVRTC and of the driver, where the machine has them. */
struct compiler {
    decltype(&nvrtcCreateProgram) create;
    decltype(&nvrtcCompileProgram) compile;
    decltype(&nvrtcGetCUBINSize) size;
    decltype(&nvrtcGetCUBIN) cubin;
    decltype(&nvrtcDestroyProgram) destroy;
    decltype(&cuModuleLoadData) load;
    decltype(&cuModuleGetFunction) find;
    decltype(&cuLaunchKernel) launch;
    decltype(&cuModuleUnload) unload;
    bool there;
};

template <class T> static bool find_function(void *library, const char *name, T *function)
{
    *function = library ? (T)dlsym(library, name) : NULL;
    return *function != NULL;
}

static compiler open_compiler(void)
{
    compiler c;
    std::memset((void *)&c, 0, sizeof c);
    void *nvrtc = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL), *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"};
    for (const char *name : names)
        nvrtc = nvrtc ? nvrtc : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    c.there =
        find_function(nvrtc, "nvrtcCreateProgram", &c.create) &&
        find_function(nvrtc, "nvrtcCompileProgram", &c.compile) && find_function(nvrtc, "nvrtcGetCUBINSize", &c.size) &&
        find_function(nvrtc, "nvrtcGetCUBIN", &c.cubin) && find_function(nvrtc, "nvrtcDestroyProgram", &c.destroy) &&
        find_function(driver, "cuModuleLoadData", &c.load) && find_function(driver, "cuModuleGetFunction", &c.find) &&
        find_function(driver, "cuLaunchKernel", &c.launch) && find_function(driver, "cuModuleUnload", &c.unload);
    return c;
}

static compiler *the_compiler(void)
{
    static compiler c = open_compiler();
    return &c;
}

struct special {
    CUmodule module;
    CUfunction function;
};

static bool compile(nvrtcProgram program, int single, std::vector<char> *cubin)
{
    compiler *c = the_compiler();
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    char architecture[40];
    std::snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", major, minor);
    const char *options[] = {architecture, "-std=c++17", "--device-as-default-execution-space", "-DFM_BAKED",
                             single ? "-DFM_FLOAT" : "-DFM_DOUBLE"};
    size_t size = 0;
    if (c->compile(program, 5, options) != NVRTC_SUCCESS || c->size(program, &size) != NVRTC_SUCCESS || size == 0)
        return false;
    cubin->resize(size);
    return c->cubin(program, cubin->data()) == NVRTC_SUCCESS;
}

/* NULL where the machine has no compiler, or the type must be taken as any. */
static void *specialise(int single, const fm_flat *doubles)
{
    compiler *c = the_compiler();
    std::string baked = part_of(single)->bake(doubles);
    if (!c->there || baked.empty())
        return NULL;
    std::vector<const char *> names, texts;
    for (size_t i = 0; fm_cuda_sources[i][0]; i++) {
        names.push_back(fm_cuda_sources[i][0]);
        texts.push_back(fm_cuda_sources[i][1]);
    }
    names.push_back("baked.h");
    texts.push_back(baked.c_str());
    nvrtcProgram program;
    std::vector<char> cubin;
    special s;
    if (c->create(&program, "#include \"batch/cuda/kernel.h\"\n", "fathom.cu", (int)names.size(), texts.data(),
                  names.data()) != NVRTC_SUCCESS)
        return NULL;
    bool made = compile(program, single, &cubin);
    c->destroy(&program);
    if (!made || c->load(&s.module, cubin.data()) != CUDA_SUCCESS)
        return NULL;
    if (c->find(&s.function, s.module, "fm_cuda_fast") == CUDA_SUCCESS)
        return new special(s);
    c->unload(s.module);
    return NULL;
}

static void forget(void *what)
{
    special *s = (special *)what;
    if (s)
        the_compiler()->unload(s->module);
    delete s;
}

static const char *step(int single, const fm_lanes_job *job, const uint32_t *variants, void *what, uint32_t *rest)
{
    const special *s = (const special *)what;
    if (!s) {
        part_of(single)->step(job, variants, NULL);
        return tell(cudaGetLastError());
    }
    fm_lanes_job copy_of_job = *job;
    size_t count = job->stride;
    void *arguments[] = {&copy_of_job, &count, &rest};
    if (the_compiler()->launch(s->function, (unsigned)((count + 127) / 128), 1, 1, 128, 1, 1, 0, NULL, arguments,
                               NULL) != CUDA_SUCCESS)
        return "the kernel for this type could not be launched";
    part_of(single)->step(job, variants, rest);
    return tell(cudaGetLastError());
}

extern "C" __attribute__((visibility("default"))) const fm_cuda_module fm_cuda_module_table = {
    FM_CUDA_VERSION, sizeof(fm_lanes_job), open_device, allocate, release, copy, head, fill,
    reset,           specialise,           forget,      step,     wait_all};
