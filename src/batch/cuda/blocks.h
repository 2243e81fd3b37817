/* Flat blocks in the numbers of the GPU, made on the processor: once in double, once in float (blocks.c). */
#ifndef FM_BATCH_CUDA_BLOCKS_H
#define FM_BATCH_CUDA_BLOCKS_H

struct fm_flat;

typedef struct fm_cuda_blocks {
    void (*head)(const struct fm_flat *doubles, struct fm_flat *head);
    void (*fill)(struct fm_flat *block, const struct fm_flat *doubles);
    /* The type as source for NVRTC: included by fast.h as baked.h; free it. NULL if the general kernel must be used, or
     * memory is missing. */
    char *(*bake)(const struct fm_flat *doubles);
} fm_cuda_blocks;

extern const fm_cuda_blocks fm_cuda_blocks_double, fm_cuda_blocks_float;

/* The sources of the kernels: name and text, {NULL, NULL} after the last (sources.c). */
extern const char *const fm_cuda_sources[][2];

#endif
