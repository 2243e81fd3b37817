/* The pixels of a sonar image in the vertical plane: bins of range by beams of bearing, each with a return or none.
 * docs/theory/remus.md (R9a) */
#ifndef FM_SENSORS_PIXEL_IMAGE_H
#define FM_SENSORS_PIXEL_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct fm_pixel_grid {
    double bin;          /* m, length of a pixel */
    double beam;         /* rad, height of a pixel */
    double half;         /* rad, from the middle of the fan to its edge */
    int64_t bins, beams; /* pixels stand bin by bin, the beams of a bin from the uppermost down */
} fm_pixel_grid;

/* As many whole beams as come nearest to `beam` [rad] fill the sector [rad]; bins [m] reach to `range` [m]. */
fm_pixel_grid fm_pixel_grid_make(double range, double sector, double bin, double beam);

static inline size_t fm_pixel_count(const fm_pixel_grid *grid)
{
    return (size_t)(grid->bins * grid->beams);
}

/* Range [m] and bearing [rad] of the middle of bin i and of beam k. */
double fm_pixel_range(const fm_pixel_grid *grid, int64_t bin);
double fm_pixel_bearing(const fm_pixel_grid *grid, int64_t beam);

/* (R9a) Adds `spacing` metres of bottom, seen at `range` [m] and `bearing` [rad], to its pixel of `length` [m]; what
 * lies outside of the fan or of its bins is not seen. */
void fm_pixel_add(const fm_pixel_grid *grid, double *length, double range, double bearing, double spacing);

/* Whether a pixel with this length of bottom [m] returns. */
static inline int fm_pixel_returns(double length, double threshold)
{
    return length > threshold;
}

/* Writes range [m] and bearing less `tilt` [rad] of every pixel that returns; says how many. */
size_t fm_pixel_list(const fm_pixel_grid *grid, const double *length, double threshold, double tilt, double *ranges,
                     double *bearings);
/* The image as bytes, 255 where a pixel returns, and the range of the nearest return of every beam [m], infinite where
 * there is none. */
void fm_pixel_draw(const fm_pixel_grid *grid, const double *length, double threshold, uint8_t *bytes, double *nearest);

#endif
