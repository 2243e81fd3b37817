#define FM_CUDA_CHAIN fm_cuda_chain_double
#include "batch/cuda/chain_body.h"
