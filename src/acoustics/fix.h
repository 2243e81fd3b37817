/* Position from ranges: least squares with known depth, without outliers. docs/theory/acoustics.md (A8.1), (A8.2) */
#ifndef FM_ACOUSTICS_FIX_H
#define FM_ACOUSTICS_FIX_H

#include <stddef.h>

typedef struct fm_fix_range {
    double beacon[3]; /* m, NED */
    double range;     /* m */
} fm_fix_range;

enum { FM_FIX_RANGES_MOST = 32 };

typedef struct fm_fix {
    double position[2];   /* m: north, east */
    double covariance[3]; /* m²: north², north-east, east² */
    double gdop;          /* √trace of the covariance for ranges of deviation 1 */
    double residual;      /* m, rms */
    size_t used, rejected;
    int mirrored; /* a second position fits equally well: the beacons are collinear; the one nearer to the guess is
                   * returned */
} fm_fix;

/* The position at `depth` (m) that best fits ranges of standard deviation `deviation` (m), near `guess` (NULL: none) if
 * several do. With four ranges or more, ranges with residuals above `gate` standard deviations are discarded, the worst
 * first. 0: fewer than two ranges remain, or the geometry is degenerate. */
int fm_fix_solve(const fm_fix_range *ranges, size_t count, double depth, double deviation, double gate,
                 const double guess[2], fm_fix *fix);

#endif
