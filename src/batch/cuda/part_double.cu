#define FM_CUDA_PART fm_cuda_double
#include "batch/cuda/part_body.h"
