/* Transmission loss over range and depth: as the sum of Gaussian beams about rays, or for water with a constant sound
 * speed over a level bottom as an integral over wave numbers (field_waves.h). docs/theory/acoustics.md (A4.8) (A4.9) */
#ifndef FM_ACOUSTICS_FIELD_H
#define FM_ACOUSTICS_FIELD_H

#include "acoustics/ray.h"

typedef struct fm_field_options {
    double frequency;       /* Hz */
    double range, depth;    /* m, edges of the grid; it begins at 0 */
    size_t columns, rows;   /* cells; the loss is that at their centres */
    double lowest, highest; /* rad, launch angles; both 0: −60° … 60° */
    int rays;               /* 0: by frequency and range, 2000 … 8000 */
    int reflections;        /* 0: 100; negative: none */
    int incoherent;         /* sums intensities instead of pressures */
    double absorption;      /* dB/m */
} fm_field_options;

/* Uses beams if launch angles, rays or reflections are given, or intensities are summed. loss[row * columns + column],
 * dB relative to 1 m; at most 300 where nothing arrives. The caller owns `loss`. */
fm_status fm_field_compute(const fm_waveguide *guide, double source_depth, const fm_field_options *options,
                           double *loss, fm_error *error);

#endif
