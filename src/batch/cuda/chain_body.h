/* The host's side of vehicles with a chain, or with FM_FISH of robotic fish, in one precision. */
#define FM_CHAIN
#include "batch/cuda/kernel.h"

void FM_CUDA_CHAIN(const fm_lanes_job *job, const uint32_t *variants);
void FM_CUDA_CHAIN(const fm_lanes_job *job, const uint32_t *variants)
{
    const unsigned blocks = (unsigned)((job->stride + 127) / 128);
#ifndef FM_FISH /* no fish feels walls */
    if (job->rows.chain > job->rows.feeler) {
        fm_cuda_stirred<<<blocks, 128>>>(*job, variants, job->stride);
        return;
    }
#endif
    fm_cuda_chain<<<blocks, 128>>>(*job, variants, job->stride);
}
