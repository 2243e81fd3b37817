/* Losses of a sound along its path, and the noise that it competes with. Frequencies in Hz, levels in dB.
 * docs/theory/acoustics.md */
#ifndef FM_ACOUSTICS_LOSS_H
#define FM_ACOUSTICS_LOSS_H

#include "acoustics/waveguide.h"

/* Properties of the water along the path. */
typedef struct fm_sound_water {
    double temperature; /* °C */
    double salinity;
    double depth;   /* m */
    double acidity; /* pH */
} fm_sound_water;

/* Absorption, dB/m: Thorp 1967 (A3.1), Francois & Garrison 1982 (A3.2), Ainslie & McColm 1998 (A3.3). */
double fm_absorption_thorp(double frequency);
double fm_absorption_francois_garrison(double frequency, const fm_sound_water *water);
double fm_absorption_ainslie_mccolm(double frequency, const fm_sound_water *water);

/* Level of WaVeSim's signal at a distance (m, at least 1): I0 − 20 log10 r − 0.005 r. (A1) */
double fm_level_wavesim(double level, double distance);

/* Spectral level of ambient noise, dB re 1 µPa²/Hz: turbulence, shipping (0 … 1), wind (m/s), thermal. (A6.1) */
double fm_ambient_noise(double frequency, double shipping, double wind);
/* Sum of two levels. */
double fm_level_sum(double a, double b);

/* Change of level at a reflection, dB, 0 or less. At a rough surface of rms height (m) by the sine of the grazing angle
 * (A5.1); at a fluid bottom after Rayleigh, or at an elastic one, with the change of phase (rad) (A5.2) (A5.4). */
double fm_surface_loss(double roughness, double frequency, double speed, double grazing);
double fm_bottom_loss(const fm_seabed *seabed, double speed, double grazing, double *turn);

/* Received frequency: both speeds along the path, m/s, closing positive. (A6.2) */
double fm_doppler_shift(double frequency, double sound, double receiver, double source);

/* Bit error probability at Eb/N0 (a ratio, not dB): coherent BPSK, non-coherent BFSK; that of at least one of n bits.
 * (A6.3) */
double fm_bit_error_bpsk(double ratio);
double fm_bit_error_bfsk(double ratio);
double fm_frame_error(double bit_error, int bits);

#endif
