#define FM_FLOAT
#define FM_FISH
#define FM_CUDA_CHAIN fm_cuda_fish_float
#include "batch/cuda/chain_body.h"
