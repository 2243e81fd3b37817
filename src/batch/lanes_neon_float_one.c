/* 4 vehicles of one type in a register. */
#if defined(__aarch64__)
#define FM_LANES 4
#define FM_LANES_SET neon
#define FM_LANES_BUILD fm_lanes_neon_float_one
#define FM_FLOAT
#define FM_ONE_TYPE
#include "batch/lanes_kernel.h"
#endif
