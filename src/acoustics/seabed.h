/* The acoustic model of the bottom: a fluid or elastic half-space, and the fraction of a plane wave that it reflects.
 * docs/theory/acoustics.md */
#ifndef FM_ACOUSTICS_SEABED_H
#define FM_ACOUSTICS_SEABED_H

#include <complex.h>

typedef struct fm_seabed {
    double density;           /* relative to water; 0: reflects everything without a change of phase */
    double speed;             /* m/s, of compressional waves */
    double attenuation;       /* dB per wavelength, of compressional waves */
    double shear;             /* m/s, of shear waves; 0: a fluid */
    double shear_attenuation; /* dB per wavelength, of shear waves */
} fm_seabed;

/* By name: "rigid", "clay", "silt", "sand", "gravel", "moraine", "chalk", "limestone", "basalt". 0: unknown. */
int fm_seabed_find(const char *name, fm_seabed *seabed);
extern const char *const fm_seabed_names[];

/* The reason if such a material cannot exist, or NULL. */
const char *fm_seabed_fault(const fm_seabed *seabed);

/* Reflection coefficient of a plane wave with time as exp(−iωt). `along` and `down`: its slowness in the water along
 * the bottom and towards it (s/m), the imaginary part of `down` not negative. (A5.2) (A5.4) */
double complex fm_seabed_reflection(const fm_seabed *seabed, double complex along, double complex down);

/* C11's CMPLX, which some compilers' headers lack. */
static inline double complex fm_complex_make(double re, double im)
{
    union {
        double parts[2];
        double complex number;
    } both = {{re, im}};
    return both.number;
}

/* The square root with a non-negative imaginary part: a wave that decays away from its source. */
double complex fm_root_decaying(double complex square);

#endif
