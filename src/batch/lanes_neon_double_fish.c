/* 2 robotic fish in a register. */
#if defined(__aarch64__)
#define FM_LANES 2
#define FM_LANES_SET neon
#define FM_LANES_BUILD fm_lanes_neon_double_fish
#define FM_CHAIN
#define FM_FISH
#include "batch/lanes_kernel.h"
#endif
