#define FM_FISH
#define FM_CUDA_CHAIN fm_cuda_fish_double
#include "batch/cuda/chain_body.h"
