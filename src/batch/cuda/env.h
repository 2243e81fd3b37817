/* The rows of environments on a GPU, one per thread (batch/env_rows.h): in double, whatever the batch computes in. */
#undef FM_FLOAT
#include "batch/env_rows.h"

static __device__ __forceinline__ uint64_t fm_env_thread()
{
    return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
}

extern "C" __global__ void fm_cuda_env_reset(fm_env_job job, const uint8_t *mask, fm_env_job saved,
                                             const uint32_t *from)
{
    const uint64_t i = fm_env_thread();
    if (i < job.count && (!mask || mask[i]))
        fm_env_table_reset(&job, i);
}

extern "C" __global__ void fm_cuda_env_act(fm_env_job job, const uint8_t *mask, fm_env_job saved, const uint32_t *from)
{
    const uint64_t i = fm_env_thread();
    if (i < job.count)
        fm_env_table_act(&job, i);
}

extern "C" __global__ void fm_cuda_env_settle(fm_env_job job, const uint8_t *mask, fm_env_job saved,
                                              const uint32_t *from)
{
    const uint64_t i = fm_env_thread();
    if (i < job.count)
        fm_env_table_settle(&job, i);
}

extern "C" __global__ void fm_cuda_env_finish(fm_env_job job, const uint8_t *mask, fm_env_job saved,
                                              const uint32_t *from)
{
    const uint64_t i = fm_env_thread();
    if (i < job.count)
        fm_env_table_finish(&job, i);
}

extern "C" __global__ void fm_cuda_env_save(fm_env_job job, const uint8_t *mask, fm_env_job saved, const uint32_t *from)
{
    const uint64_t i = fm_env_thread();
    if (i >= job.count || (mask && !mask[i]))
        return;
    fm_env_table_copy(&saved, i, &job, i);
    saved.phases[i] = FM_ROW_SAVED;
}

extern "C" __global__ void fm_cuda_env_restore(fm_env_job job, const uint8_t *mask, fm_env_job saved,
                                               const uint32_t *from)
{
    const uint64_t i = fm_env_thread(), k = from && i < job.count ? from[i] : i;
    if (i < job.count && (!mask || mask[i]) && k < job.count && saved.phases[k] == FM_ROW_SAVED)
        fm_env_table_copy(&job, i, &saved, k);
}
