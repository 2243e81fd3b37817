#define FM_FLOAT
#define FM_CUDA_PART fm_cuda_float
#define FM_CUDA_CHAIN fm_cuda_chain_float
#define FM_CUDA_FISH fm_cuda_fish_float
#include "batch/cuda/part_body.h"
