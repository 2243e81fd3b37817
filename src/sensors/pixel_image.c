#include "sensors/pixel_image.h"

#include <math.h>

fm_pixel_grid fm_pixel_grid_make(double range, double sector, double bin, double beam)
{
    const double beams = fmax(1, floor(sector / beam + 0.5));
    return (fm_pixel_grid){.bin = bin,
                           .beam = sector / beams,
                           .half = sector / 2,
                           .bins = (int64_t)ceil(range / bin - 1e-9),
                           .beams = (int64_t)beams};
}

double fm_pixel_range(const fm_pixel_grid *grid, int64_t bin)
{
    return ((double)bin + 0.5) * grid->bin;
}

double fm_pixel_bearing(const fm_pixel_grid *grid, int64_t beam)
{
    return ((double)beam + 0.5) * grid->beam - grid->half;
}

void fm_pixel_add(const fm_pixel_grid *grid, double *length, double range, double bearing, double spacing)
{
    const int64_t bin = (int64_t)floor(range / grid->bin), beam = (int64_t)floor((bearing + grid->half) / grid->beam);
    if (fabs(bearing) > grid->half || bin >= grid->bins)
        return;
    length[bin * grid->beams + (beam < grid->beams ? beam : grid->beams - 1)] += spacing;
}

size_t fm_pixel_list(const fm_pixel_grid *grid, const double *length, double threshold, double tilt, double *ranges,
                     double *bearings)
{
    size_t count = 0;
    for (int64_t i = 0; i < grid->bins; i++)
        for (int64_t k = 0; k < grid->beams; k++)
            if (fm_pixel_returns(length[i * grid->beams + k], threshold)) {
                ranges[count] = fm_pixel_range(grid, i);
                bearings[count++] = fm_pixel_bearing(grid, k) - tilt;
            }
    return count;
}

void fm_pixel_draw(const fm_pixel_grid *grid, const double *length, double threshold, uint8_t *bytes, double *nearest)
{
    for (int64_t k = 0; k < grid->beams; k++)
        nearest[k] = HUGE_VAL;
    for (int64_t i = 0; i < grid->bins; i++)
        for (int64_t k = 0; k < grid->beams; k++) {
            const int returns = fm_pixel_returns(length[i * grid->beams + k], threshold);
            bytes[i * grid->beams + k] = returns ? 255 : 0;
            if (returns)
                nearest[k] = fmin(nearest[k], fm_pixel_range(grid, i));
        }
}
