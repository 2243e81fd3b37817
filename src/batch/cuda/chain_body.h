/* The host's side of vehicles with a chain, in one precision. */
#define FM_CHAIN
#include "batch/cuda/kernel.h"

void FM_CUDA_CHAIN(const fm_lanes_job *job, const uint32_t *variants);
void FM_CUDA_CHAIN(const fm_lanes_job *job, const uint32_t *variants)
{
    fm_cuda_chain<<<(unsigned)((job->stride + 127) / 128), 128>>>(*job, variants, job->stride);
}
