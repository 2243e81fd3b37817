/* 8 robotic fish in a register. */
#if defined(__x86_64__)
#define FM_LANES 8
#define FM_LANES_SET avx2
#define FM_LANES_BUILD fm_lanes_avx2_float_fish
#define FM_CHAIN
#define FM_FISH
#define FM_FLOAT
#include "batch/lanes_kernel.h"
#endif
