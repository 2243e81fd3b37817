/* One vehicle per thread: the step of a batch (batch/member.h) for any type. NVRTC compiles it at run time, once per
 * program of cuda/module.c, which defines FM_FLOAT, FM_CHAIN, FM_OWN_BODY and FM_FEELS, or FM_TABLE for the kernels
 * that only move numbers of the table. */
#include <string.h>

#include "batch/guard.h"
#include "batch/member.h"

/* Its vehicle. */
static __device__ __forceinline__ size_t fm_thread_number()
{
    return blockIdx.x * (size_t)blockDim.x + threadIdx.x;
}

/* `variants` is NULL if all vehicles have the same type. */
static __device__ __forceinline__ const fm_flat *fm_thread_type(const fm_lanes_job &job, const uint32_t *variants,
                                                                size_t i)
{
    return (const fm_flat *)(const void *)((const char *)job.types + (variants ? variants[i] * job.type_bytes : 0));
}

#ifdef FM_TABLE

/* The observation of vehicles after their steps. */
extern "C" __global__ void fm_cuda_observe(fm_lanes_job job, const uint32_t *variants, size_t count)
{
    const size_t i = fm_thread_number();
    if (i < count)
        fm_member_observe(&job, fm_thread_type(job, variants, i), i);
}

extern "C" __global__ void fm_cuda_begin(fm_lanes_job job, const uint32_t *variants, const unsigned char *mask,
                                         const fm_real *starts, size_t variant_count, size_t count, uint32_t *episodes)
{
    const size_t i = fm_thread_number();
    if (i >= count || (mask && !mask[i]))
        return;
    const uint32_t variant = variants[i] < variant_count ? variants[i] : 0;
    for (uint32_t row = 0; row < job.rows.count; row++)
        if (!episodes || row < job.rows.current || row >= job.rows.current + 3)
            fm_member_put(&job, row, i, starts[row * variant_count + variant]);
    job.ages[i] = 0;
    if (episodes)
        episodes[i]++;
}

extern "C" __global__ void fm_cuda_guard(fm_lanes_job job, fm_guard guard, size_t count)
{
    const size_t i = fm_thread_number();
    if (i >= count)
        return;
    fm_guard_orders((fm_real *)job.numbers, job.stride, &job.rows, i, i + 1);
    guard.streams[i] = fm_guard_seed(guard.seeds[i], guard.episodes[i]);
    if (guard.variants && guard.variants[i] >= guard.variant_count) {
        guard.variants[i] = 0;
        fm_member_put(&job, job.rows.bad, i, FM_GUARD_VARIANT);
    }
}

#else

/* The remaining steps (`rest`; NULL: all of the job); runs that have ended stay as they are. */
extern "C" __global__ void __launch_bounds__(128)
    fm_cuda_step(fm_lanes_job job, const uint32_t *variants, size_t count, const uint32_t *rest)
{
    const size_t i = fm_thread_number();
    const uint64_t steps = i < count ? (rest ? rest[i] : job.steps) : 0;
    if (i >= count || (steps == 0 && rest))
        return;
    uint64_t age = job.ages[i];
    fm_step_moment now = {&job.seeds[i], &age, 0};
    fm_member m;
    fm_member_open(&job, fm_thread_type(job, variants, i), i, &m);
    fm_member_load(&job, &m);
    for (uint64_t k = 0; k < steps && !(fm_member_over(&m) > 0); k++, age++) {
        now.tick = age;
        fm_member_step(&m, &now);
    }
    fm_member_store(&job, &m);
    job.ages[i] = age;
}

#endif
