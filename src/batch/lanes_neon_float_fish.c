/* 4 robotic fish in a register. */
#if defined(__aarch64__)
#define FM_LANES 4
#define FM_LANES_SET neon
#define FM_LANES_BUILD fm_lanes_neon_float_fish
#define FM_CHAIN
#define FM_FISH
#define FM_FLOAT
#include "batch/lanes_kernel.h"
#endif
