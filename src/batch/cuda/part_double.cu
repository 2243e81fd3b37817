#define FM_CUDA_PART fm_cuda_double
#define FM_CUDA_CHAIN fm_cuda_chain_double
#define FM_CUDA_FISH fm_cuda_fish_double
#include "batch/cuda/part_body.h"
