#define FM_LANES 2
#include "ocean/sea_sum.h"

void fm_sea_sum_narrow(const fm_sea *sea, double t, const double position[3], double z, int wants, fm_sea_sample *out)
{
    fm_sea_sum_lanes(sea, t, position, z, wants, out);
}
