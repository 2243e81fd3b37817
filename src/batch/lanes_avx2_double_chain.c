/* 4 vehicles with a chain in a register. */
#if defined(__x86_64__)
#define FM_LANES 4
#define FM_LANES_SET avx2
#define FM_LANES_BUILD fm_lanes_avx2_double_chain
#define FM_CHAIN
#include "batch/lanes_kernel.h"
#endif
