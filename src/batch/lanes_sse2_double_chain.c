/* 2 vehicles with a chain in a register. */
#if defined(__x86_64__)
#define FM_LANES 2
#define FM_LANES_SET sse2
#define FM_LANES_BUILD fm_lanes_sse2_double_chain
#define FM_CHAIN
#include "batch/lanes_kernel.h"
#endif
