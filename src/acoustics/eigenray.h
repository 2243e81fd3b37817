/* The rays that connect a source with a receiver. */
#ifndef FM_ACOUSTICS_EIGENRAY_H
#define FM_ACOUSTICS_EIGENRAY_H

#include "acoustics/ray.h"

typedef struct fm_arrival {
    double time;            /* s */
    double launch, arrival; /* rad, downwards positive */
    double loss;            /* dB relative to 1 m: spreading and reflections; at a caustic at least the wave-theoretical
                             * value */
    double phase;           /* rad in (−π, π], of reflections and caustics */
    double length;          /* m */
    int surface, bottom, caustics;
} fm_arrival;

/* Search options; zero-initialise for the defaults. */
typedef struct fm_eigenray_options {
    double lowest, highest; /* rad, launch angles; both 0: −80° … 80° */
    int reflections;        /* maximum number, of surface and bottom together; 0: 20 */
    double frequency;       /* Hz, for the loss at a rough surface and at caustics; 0: unknown */
    int rays;               /* maximum number of rays; 0: 20000. A ray that crosses over 20000 layers counts as
                             * several */
} fm_eigenray_options;

/* Arrivals at a depth and range in order of time, at most `most` of them, the earliest ones; returns their number.
 * Depths outside the water have none. Rays are traced over the launch angles, more densely where their depth at the
 * range is less smooth, until each one that meets the receiver is bracketed: options.rays limits the cost. */
size_t fm_eigenrays_find(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                         const fm_eigenray_options *options, fm_arrival *arrivals, size_t most);
/* The same; *shots: the number of rays traced. */
size_t fm_eigenrays_count(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                          const fm_eigenray_options *options, fm_arrival *arrivals, size_t most, int *shots);

#endif
