/* libfathom-cuda.so: memory and launches on the first GPU, through its driver. Kernels are compiled on first use
 * (programs.c). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "batch/cuda.h"
#include "batch/cuda/blocks.h"
#include "batch/cuda/driver.h"
#include "batch/cuda/programs.h"
#include "physics/flat.h"

enum { THREADS = 128, WHY = 1024 }; /* of a block; bytes */

/* The GPU, and the programs compiled for it. */
static struct {
    pthread_mutex_t lock;
    const fm_driver *driver; /* NULL: not open */
    void *context;
    char architecture[16];
    void *modules[FM_PROGRAMS][2]; /* in double and in float */
} gpu = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const fm_cuda_blocks *blocks_of(int single)
{
    return single ? &fm_cuda_blocks_float : &fm_cuda_blocks_double;
}

/* NULL, or the error; the text lives as long as the driver. */
static const char *explain(int code)
{
    const char *text = NULL;
    if (code == 0)
        return NULL;
    return gpu.driver->cuGetErrorString(code, &text) == 0 && text ? text : "the driver reports an unknown error";
}

/* --- the device --- */

static const char *open_first(const fm_driver *d, char *name, size_t size)
{
    int count = 0, device = 0, major = 0, minor = 0;
    gpu.driver = d; /* for its texts */
    int code = d->cuInit(0);
    if (code == 0)
        code = d->cuDeviceGetCount(&count);
    if (code == 0 && count == 0)
        return "none was found";
    if (code == 0)
        code = d->cuDeviceGet(&device, 0);
    if (code == 0)
        code = d->cuDeviceGetAttribute(&major, FM_CUDA_MAJOR, device);
    if (code == 0)
        code = d->cuDeviceGetAttribute(&minor, FM_CUDA_MINOR, device);
    if (code == 0)
        code = d->cuDeviceGetName(name, (int)size, device);
    if (code == 0 && !gpu.context)
        code = d->cuDevicePrimaryCtxRetain(&gpu.context, device);
    snprintf(gpu.architecture, sizeof gpu.architecture, "sm_%d%d", major, minor);
    return explain(code);
}

static const char *open_device(char *name, size_t size)
{
    const fm_driver *d = fm_driver_find();
    if (!d)
        return "the driver (libcuda.so.1) was not found";
    if (!fm_nvrtc_find())
        return "NVRTC, which compiles for it, was not found (libnvrtc.so of the CUDA toolkit, or of the Python package "
               "nvidia-cuda-nvrtc-cu12)";
    pthread_mutex_lock(&gpu.lock);
    const char *what = open_first(d, name, size);
    pthread_mutex_unlock(&gpu.lock);
    return what;
}

/* Any thread may call: the driver uses the context of the calling one. */
static const char *enter(void)
{
    return explain(gpu.driver->cuCtxSetCurrent(gpu.context));
}

static uint64_t address_of(const void *memory)
{
    return (uint64_t)(uintptr_t)memory;
}

static const char *allocate(void **memory, size_t bytes)
{
    uint64_t at = 0;
    const char *what = enter();
    if (!what)
        what = explain(gpu.driver->cuMemAlloc_v2(&at, bytes));
    if (!what)
        what = explain(gpu.driver->cuMemsetD8_v2(at, 0, bytes));
    *memory = (void *)(uintptr_t)at;
    return what;
}

static void release(void *memory)
{
    if (memory && !enter())
        (void)gpu.driver->cuMemFree_v2(address_of(memory));
}

static const char *copy(void *to, const void *from, size_t bytes)
{
    const char *what = enter();
    return what ? what : explain(gpu.driver->cuMemcpy(address_of(to), address_of(from), bytes));
}

static const char *wait_all(void)
{
    const char *what = enter();
    return what ? what : explain(gpu.driver->cuCtxSynchronize());
}

/* --- kernels --- */

static const char *load_program(enum fm_cuda_program program, int single, void **module)
{
    static _Thread_local char why[WHY];
    size_t size = 0;
    if (*module)
        return NULL;
    char *binary = fm_program_find(program, single, gpu.architecture, &size, why, sizeof why);
    if (!binary)
        return why;
    const char *what = explain(gpu.driver->cuModuleLoadData(module, binary));
    free(binary);
    return what;
}

/* The kernel of this name, compiled now if necessary. */
static const char *find_kernel(enum fm_cuda_program program, int single, const char *name, void **function)
{
    void **module = &gpu.modules[program][single != 0];
    const char *what = enter();
    pthread_mutex_lock(&gpu.lock);
    if (!what)
        what = load_program(program, single, module);
    pthread_mutex_unlock(&gpu.lock);
    return what ? what : explain(gpu.driver->cuModuleGetFunction(function, *module, name));
}

static const char *launch(void *function, size_t count, void *stream, void **arguments)
{
    return explain(gpu.driver->cuLaunchKernel(function, (unsigned)((count + THREADS - 1) / THREADS), 1, 1, THREADS, 1,
                                              1, 0, stream, arguments, NULL));
}

static const char *reset(int single, const fm_lanes_job *job, const uint32_t *variants, const unsigned char *mask,
                         const void *starts, size_t variant_count, uint32_t *episodes)
{
    fm_lanes_job own = *job;
    size_t count = job->stride;
    void *arguments[] = {&own, &variants, &mask, &starts, &variant_count, &count, &episodes}, *function = NULL;
    const char *what = find_kernel(FM_PROGRAM_TABLE, single, "fm_cuda_begin", &function);
    return what ? what : launch(function, count, NULL, arguments);
}

static const char *guard(int single, const fm_lanes_job *job, const fm_guard *guarded, void *stream)
{
    fm_lanes_job own = *job;
    fm_guard all = *guarded;
    size_t count = job->stride;
    void *arguments[] = {&own, &all, &count}, *function = NULL;
    const char *what = find_kernel(FM_PROGRAM_TABLE, single, "fm_cuda_guard", &function);
    return what ? what : launch(function, count, stream, arguments);
}

static enum fm_cuda_program program_of(const fm_lanes_job *job)
{
    const int feels = job->rows.chain > job->rows.feeler;
    switch (job->kernel) {
    case FM_LANES_OWN: return FM_PROGRAM_OWN;
    case FM_LANES_CHAIN: return feels ? FM_PROGRAM_FEELER_FLOW : FM_PROGRAM_CHAIN;
    case FM_LANES_BODY: break;
    }
    return feels ? FM_PROGRAM_FELT : FM_PROGRAM_BODY;
}

/* All steps; those that `special` has left in `rest`, if it is not NULL. */
static const char *step(int single, const fm_lanes_job *job, const uint32_t *variants, void *special, uint32_t *rest,
                        void *stream)
{
    fm_lanes_job own = *job;
    size_t count = job->stride;
    const uint32_t *left = special ? rest : NULL;
    void *fast_arguments[] = {&own, &count, &rest}, *arguments[] = {&own, &variants, &count, &left}, *function = NULL;
    const char *what = enter();
    if (!what && special)
        what = explain(gpu.driver->cuModuleGetFunction(&function, special, "fm_cuda_fast"));
    if (!what && special)
        what = launch(function, count, stream, fast_arguments);
    if (!what)
        what = find_kernel(program_of(job), single, "fm_cuda_step", &function);
    if (!what)
        what = launch(function, count, stream, arguments);
    if (!what)
        what = find_kernel(FM_PROGRAM_TABLE, single, "fm_cuda_observe", &function);
    return what ? what : launch(function, count, stream, arguments);
}

static const char *env(enum fm_env_work work, const fm_env_job *job, const fm_env_move *move, void *stream)
{
    static const char *const names[] = {
        [FM_ENV_RESET_ROWS] = "fm_cuda_env_reset",   [FM_ENV_ACT_ROWS] = "fm_cuda_env_act",
        [FM_ENV_SETTLE_ROWS] = "fm_cuda_env_settle", [FM_ENV_FINISH_ROWS] = "fm_cuda_env_finish",
        [FM_ENV_SAVE_ROWS] = "fm_cuda_env_save",     [FM_ENV_RESTORE_ROWS] = "fm_cuda_env_restore"};
    fm_env_job own = *job, saved = move && move->saved ? *move->saved : *job;
    const uint8_t *mask = move ? move->mask : NULL;
    const uint32_t *from = move ? move->from : NULL;
    void *arguments[] = {&own, &mask, &saved, &from}, *function = NULL;
    const char *what = find_kernel(FM_PROGRAM_ENV, 0, names[work], &function);
    return what ? what : launch(function, job->count, stream, arguments);
}

/* --- types --- */

static void head(int single, const fm_flat *doubles, fm_flat *made)
{
    blocks_of(single)->head(doubles, made);
}

static void fill(int single, fm_flat *block, const fm_flat *doubles)
{
    blocks_of(single)->fill(block, doubles);
}

/* A module with a kernel for one type alone; NULL if the general kernel must be used. */
static void *specialise(int single, const fm_flat *doubles)
{
    char *baked = blocks_of(single)->bake(doubles), why[WHY];
    size_t size = 0;
    void *module = NULL;
    char *binary =
        baked ? fm_program_compile(FM_PROGRAM_FAST, single, gpu.architecture, baked, &size, why, sizeof why) : NULL;
    if (binary && !enter() && gpu.driver->cuModuleLoadData(&module, binary) != 0)
        module = NULL;
    free(baked);
    free(binary);
    return module;
}

static void forget(void *special)
{
    if (special && !enter())
        (void)gpu.driver->cuModuleUnload(special);
}

/* --- for tests --- */

static const char *check(int program, int single, const fm_flat *doubles, char *why, size_t size)
{
    size_t bytes = 0;
    if (!fm_nvrtc_find())
        return "NVRTC (libnvrtc.so) was not found";
    char *baked = program == FM_PROGRAM_FAST ? blocks_of(single)->bake(doubles) : NULL;
    char *binary = fm_program_compile((enum fm_cuda_program)program, single, "compute_80", baked, &bytes, why, size);
    if (binary)
        *why = 0;
    free(baked);
    free(binary);
    return NULL;
}

__attribute__((visibility("default"))) extern const fm_cuda_module fm_cuda_module_table;
const fm_cuda_module fm_cuda_module_table = {
    FM_CUDA_VERSION, sizeof(fm_lanes_job), FM_PROGRAMS, open_device, allocate, release, copy,     head, fill,
    reset,           specialise,           forget,      guard,       step,     env,     wait_all, check};
