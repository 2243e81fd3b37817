/* Transmission loss in water with a constant sound speed over a level bottom, from the integral over horizontal wave
 * numbers: the full wave solution, with the reflection coefficient of the bottom at every angle.
 * docs/theory/acoustics.md (A4.9) */
#ifndef FM_ACOUSTICS_FIELD_WAVES_H
#define FM_ACOUSTICS_FIELD_WAVES_H

#include "acoustics/field.h"

/* Whether the integral is valid for this water and needs no more than 2^18 wave numbers. */
int fm_field_waves_hold(const fm_waveguide *guide, const fm_field_options *options);
/* Like fm_field_compute, for pressures. */
fm_status fm_field_waves(const fm_waveguide *guide, double source_depth, const fm_field_options *options, double *loss,
                         fm_error *error);

#endif
