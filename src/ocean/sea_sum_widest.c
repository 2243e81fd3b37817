/* Compiled for AVX-512 where that exists (CMakeLists.txt); waves.c asks the processor before it calls this. */
#ifdef __AVX512F__
#define FM_LANES 8
#define FM_ONE_TYPE
#endif
#include "ocean/sea_sum.h"

void fm_sea_sum_widest(const fm_sea *sea, double t, const double position[3], double z, int wants, fm_sea_sample *out)
{
#ifdef __AVX512F__
    fm_sea_sum_lanes(sea, t, position, z, wants, out);
#else
    fm_sea_sum_wide(sea, t, position, z, wants, out);
#endif
}
