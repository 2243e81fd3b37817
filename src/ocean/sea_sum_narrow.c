#define FM_LANES 2
#define FM_ONE_TYPE
#include "ocean/sea_sum.h"

void fm_sea_sum_narrow(const fm_sea *sea, double t, const double position[3], double z, int wants, fm_sea_sample *out)
{
    fm_sea_sum_lanes(sea, t, position, z, wants, out);
}

void fm_sea_sum_hull_narrow(const fm_sea *sea, const struct fm_wave_grid *grid, int near, const double *pose,
                            double *value, double *rate)
{
    fm_sea_sum_hull_lanes(sea, grid, near, pose, value, rate);
}
