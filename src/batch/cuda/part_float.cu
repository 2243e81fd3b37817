#define FM_FLOAT
#define FM_CUDA_PART fm_cuda_float
#include "batch/cuda/part_body.h"
