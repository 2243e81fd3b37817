#define FM_FLOAT
#define FM_CUDA_CHAIN fm_cuda_chain_float
#include "batch/cuda/chain_body.h"
