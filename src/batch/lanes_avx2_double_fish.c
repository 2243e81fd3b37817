/* 4 robotic fish in a register. */
#if defined(__x86_64__)
#define FM_LANES 4
#define FM_LANES_SET avx2
#define FM_LANES_BUILD fm_lanes_avx2_double_fish
#define FM_CHAIN
#define FM_FISH
#include "batch/lanes_kernel.h"
#endif
