/* Reflection of a plane wave in water at an elastic half-space, by potentials: continuous displacement and stress
 * towards the boundary, no stress along it. Water of density 1; time as exp(−iωt). */
#ifndef TESTS_SUPPORT_SOLID_H
#define TESTS_SUPPORT_SOLID_H

#include <complex.h>
#include <math.h>

typedef struct solid {
    double density, speed, attenuation, shear, shear_attenuation; /* m/s, dB per wavelength; shear 0: a fluid */
} solid;

static inline double complex decaying(double complex square)
{
    double complex root = csqrt(square);
    return cimag(root) < 0 ? -root : root;
}

/* `along`: wave number along the boundary; `speed` of the water. *flux: what the waves in the solid carry away, over
 * what comes. */
static inline double complex solid_reflection(const solid *s, double omega, double speed, double complex along,
                                              double *flux)
{
    double complex k = omega / speed, kz = decaying(k * k - along * along);
    double complex kp = omega / s->speed * (1 + I * s->attenuation / 54.58), p = decaying(kp * kp - along * along);
    double complex lame = s->density * omega * omega / (kp * kp), mu = 0, shear = 0, z = 0;
    if (s->shear > 0) {
        double complex ks = omega / s->shear * (1 + I * s->shear_attenuation / 54.58);
        z = decaying(ks * ks - along * along);
        mu = s->density * omega * omega / (ks * ks);
        lame -= 2 * mu;
        shear = 2 * along * p / (z * z - along * along); /* of shear waves over compressional ones */
    }
    double complex moves = (p + along * shear) / kz;
    double complex presses = (lame * kp * kp + 2 * mu * (p * p + along * z * shear)) / (omega * omega);
    double complex r = (presses - moves) / (presses + moves), through = (1 - r) / moves;
    if (flux)
        *flux = s->density * (creal(p) + creal(z) * pow(cabs(shear), 2)) * pow(cabs(through), 2) / creal(kz);
    return r;
}

#endif
