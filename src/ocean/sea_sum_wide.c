/* Compiled for AVX2 where that exists (CMakeLists.txt); waves.c asks the processor before it calls this. */
#ifdef __AVX2__
#define FM_LANES 4
#define FM_ONE_TYPE
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

void fm_sea_sum_hull_wide(const fm_sea *sea, const struct fm_wave_grid *grid, int near, const double *pose,
                          double *value, double *rate)
{
#ifdef __AVX2__
    fm_sea_sum_hull_lanes(sea, grid, near, pose, value, rate);
#else
    fm_sea_sum_hull_narrow(sea, grid, near, pose, value, rate);
#endif
}
