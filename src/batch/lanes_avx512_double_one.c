/* 8 vehicles of one type in a register. */
#if defined(__x86_64__)
#define FM_LANES 8
#define FM_LANES_SET avx512
#define FM_LANES_BUILD fm_lanes_avx512_double_one
#define FM_ONE_TYPE
#include "batch/lanes_kernel.h"
#endif
