/* The rays that lead from a source to a receiver. */
#ifndef FM_ACOUSTICS_EIGENRAY_H
#define FM_ACOUSTICS_EIGENRAY_H

#include "acoustics/ray.h"

typedef struct fm_arrival {
    double time;            /* s */
    double launch, arrival; /* rad, downwards positive */
    double loss;            /* dB against 1 m: spreading and reflections, no less than waves allow at a caustic */
    double phase;           /* rad in (−π, π], of reflections and caustics */
    double length;          /* m */
    int surface, bottom, caustics;
} fm_arrival;

/* What to look for; zero-initialise for the defaults. */
typedef struct fm_eigenray_options {
    double lowest, highest; /* rad, launch angles; both 0: −80° … 80° */
    int reflections;        /* at most, of surface and bottom together; 0: 20 */
    double frequency;       /* Hz, for the loss at a rough surface and at caustics; 0: none is known */
    int rays;               /* shot at most; 0: 20000. One that crosses over 20000 layers counts as several */
} fm_eigenray_options;

/* Arrivals at a depth and range, by time, at most `most` of them, those that arrive first; returns how many. Depths
 * outside the water have none. Rays are shot over the angles, more densely where their depths at the range change less
 * simply, until each that meets the receiver is enclosed: the cost is bounded by options.rays. */
size_t fm_eigenrays_find(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                         const fm_eigenray_options *options, fm_arrival *arrivals, size_t most);
/* The same; *shots: how many rays were shot. */
size_t fm_eigenrays_count(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                          const fm_eigenray_options *options, fm_arrival *arrivals, size_t most, int *shots);

#endif
