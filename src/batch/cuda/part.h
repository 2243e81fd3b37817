/* What a build of the kernels for any type gives to the module (part_double.cu, part_float.cu). */
#ifndef FM_BATCH_CUDA_PART_H
#define FM_BATCH_CUDA_PART_H

#include "batch/cuda.h"

typedef struct fm_cuda_part {
    void (*head)(const struct fm_flat *doubles, struct fm_flat *head);
    void (*fill)(struct fm_flat *block, const struct fm_flat *doubles);
    void (*reset)(const fm_lanes_job *job, const uint32_t *variants, const unsigned char *mask, const void *starts,
                  size_t variant_count, int whole);
    void (*step)(const fm_lanes_job *job, const uint32_t *variants, const uint32_t *rest);
    /* The type as source for NVRTC: what kernel.h includes as baked.h; "" where it must be taken as any type. */
    const char *(*bake)(const struct fm_flat *doubles);
} fm_cuda_part;

extern const fm_cuda_part fm_cuda_double, fm_cuda_float;

#endif
