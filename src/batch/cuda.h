/* The GPU, through a module of its own (libfathom-cuda.so), loaded on request. It opens the driver and NVRTC, which
 * compiles the kernels, if the machine has them. */
#ifndef FM_BATCH_CUDA_H
#define FM_BATCH_CUDA_H

#include "batch/env_rows.h"
#include "batch/guard.h"
#include "batch/lanes.h"

/* The table that the module exports as fm_cuda_module_table. All pointers of a job are the GPU's. Functions return
 * NULL, or the error. */
typedef struct fm_cuda_module {
    uint32_t version;                             /* FM_CUDA_VERSION */
    uint32_t job_bytes;                           /* sizeof(fm_lanes_job) */
    int programs;                                 /* the programs that NVRTC compiles; the last one for a single type */
    const char *(*open)(char *name, size_t size); /* the first GPU and its name */
    const char *(*allocate)(void **memory, size_t bytes);
    void (*release)(void *memory);
    const char *(*copy)(void *to, const void *from, size_t bytes); /* either way */
    void (*head)(int single, const struct fm_flat *doubles, struct fm_flat *head);
    void (*fill)(int single, struct fm_flat *block, const struct fm_flat *doubles);
    /* Vehicles whose byte in `mask` is not 0 (NULL: all) take the column of their variant from `starts`,
     * [row][variant]. `episodes`: those of the vehicles, to be counted, and rows of the current stay; NULL: they change
     * too. */
    const char *(*reset)(int single, const fm_lanes_job *job, const uint32_t *variants, const unsigned char *mask,
                         const void *starts, size_t variant_count, uint32_t *episodes);
    /* A kernel for vehicles of this type alone, compiled now; NULL if that is impossible: the general kernel is
     * used. */
    void *(*specialise)(int single, const struct fm_flat *doubles);
    void (*forget)(void *special);
    /* Orders that are NaN become 0, and their vehicles bad; a variant that does not exist becomes 0, and its vehicle
     * bad; seeds of the present episodes. `stream`, here and below: a CUstream; NULL: the default one. */
    const char *(*guard)(int single, const fm_lanes_job *job, const fm_guard *guard, void *stream);
    /* `rest`: one number per vehicle, for steps that a special kernel leaves. */
    const char *(*step)(int single, const fm_lanes_job *job, const uint32_t *variants, void *special, uint32_t *rest,
                        void *stream);
    /* The rows of environments; `move` may be NULL where the work needs none. */
    const char *(*env)(enum fm_env_work work, const fm_env_job *job, const fm_env_move *move, void *stream);
    const char *(*wait)(void);
    /* Compiles a program without a GPU; `doubles`: the type of the last one. Returns NULL, and in `why` the compiler's
     * message ("": no error), or why no compiler is available. */
    const char *(*check)(int program, int single, const struct fm_flat *doubles, char *why, size_t size);
} fm_cuda_module;

enum { FM_CUDA_VERSION = 7 };

/* The module, with or without a GPU; NULL and the reason if it is missing. */
const fm_cuda_module *fm_cuda_load(char *reason, size_t size);
/* The module with its GPU open; NULL and the reason if there is none. */
const fm_cuda_module *fm_cuda_find(char *reason, size_t size);

#endif
