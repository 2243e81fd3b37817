/* Compiled for AVX2 where that exists (CMakeLists.txt); waves.c asks the processor before it calls this. */
#ifdef __AVX2__
#define FM_LANES 4
#endif
#include "ocean/sea_sum.h"

void fm_sea_sum_wide(const fm_sea *sea, double t, const double position[3], double z, int wants, fm_sea_sample *out)
{
#ifdef __AVX2__
    fm_sea_sum_lanes(sea, t, position, z, wants, out);
#else
    fm_sea_sum_narrow(sea, t, position, z, wants, out);
#endif
}
