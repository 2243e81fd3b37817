/* 8 vehicles of one type in a register. */
#if defined(__x86_64__)
#define FM_LANES 8
#define FM_LANES_SET avx2
#define FM_LANES_BUILD fm_lanes_avx2_float_one
#define FM_FLOAT
#define FM_ONE_TYPE
#include "batch/lanes_kernel.h"
#endif
