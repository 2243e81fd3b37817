/* The same, compiled for AVX-512 where that exists (CMakeLists.txt). */
#define FM_FAN_LOOPS
#include "geometry/ray_fan.h"

void fm_fan_aim_widest(const fm_ray_fan *fan, const fm_fan_place *place, size_t first, fm_fan_block *b)
{
    fan_aim(fan, place, first, b);
}

void fm_fan_settle_widest(const fm_fan_place *place, double error, fm_fan_block *b, double *distance, double *cosine)
{
    fan_settle(place, error, b, distance, cosine);
}
