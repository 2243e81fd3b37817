/* What lies below the water, as sound meets it: a fluid or an elastic half-space, and the part of a plane wave that it
 * reflects. docs/theory/acoustics.md */
#ifndef FM_ACOUSTICS_SEABED_H
#define FM_ACOUSTICS_SEABED_H

#include <complex.h>

typedef struct fm_seabed {
    double density;           /* over that of the water; 0: reflects everything, without a turn of phase */
    double speed;             /* m/s, of compressional waves */
    double attenuation;       /* dB per wavelength, of compressional waves */
    double shear;             /* m/s, of shear waves; 0: a fluid */
    double shear_attenuation; /* dB per wavelength, of shear waves */
} fm_seabed;

/* By name: "rigid", "clay", "silt", "sand", "gravel", "moraine", "chalk", "limestone", "basalt". 0: not known. */
int fm_seabed_find(const char *name, fm_seabed *seabed);
extern const char *const fm_seabed_names[];

/* Whether such a material exists: what is wrong with it, or NULL. */
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

/* The square root with an imaginary part that is not negative: a wave that decays away from where it comes from. */
double complex fm_root_decaying(double complex square);

#endif
