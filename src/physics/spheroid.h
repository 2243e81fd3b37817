/* Added mass of a spheroid in ideal fluid after Lamb (§114, §115).
 *
 * b: half length along the axis of revolution, a: equatorial radius [m]; prolate, oblate and sphere alike, because
 * alpha0 = 2/3 a² b R_D(a², a², b²) with Carlson's symmetric integral, which has no special case at b = a. */
#ifndef FM_PHYSICS_SPHEROID_H
#define FM_PHYSICS_SPHEROID_H

#include "physics/real.h"

typedef struct fm_spheroid {
    double alpha0, beta0;   /* Lamb's integrals along and across the axis; alpha0 + 2 beta0 = 2 */
    double k1, k2, k_prime; /* along, across, turning about an equatorial axis */
    double displaced;       /* kg, 4/3 π ρ b a² */
    double m11, m22, m55;   /* kg, kg, kg m²; m33 = m22, m66 = m55, m44 = 0 */
} fm_spheroid;

/* Carlson's R_D(x, x, z) by duplication; x, z > 0. */
FM_FN double fm_carlson_rd(double x, double z)
{
    double sum = 0, factor = 1, y = x, mean, dx, dz;
    for (int k = 0;; k++) {
        mean = 0.2 * (x + y + 3 * z);
        dx = (mean - x) / mean, dz = (mean - z) / mean;
        if (k >= 40 || (__builtin_fabs(dx) < 1e-3 && __builtin_fabs(dz) < 1e-3))
            break;
        double root = __builtin_sqrt(x), root_z = __builtin_sqrt(z);
        double lambda = root * root + 2 * root * root_z;
        sum += factor / (root_z * (z + lambda));
        factor *= 0.25;
        x = y = 0.25 * (x + lambda), z = 0.25 * (z + lambda);
    }
    double ea = dx * dx, eb = dz * dz, ec = ea - eb, ed = ea - 6 * eb, ee = ed + ec + ec;
    double series = 1 + ed * (-3.0 / 14 + 9.0 / 88 * ed - 9.0 / 52 * dz * ee) +
                    dz * (ee / 6 + dz * (-9.0 / 22 * ec + dz * 3.0 / 26 * ea));
    return 3 * sum + factor * series / (mean * __builtin_sqrt(mean));
}

/* density [kg/m³]. All arguments above 0 (checked by the loader). */
FM_FN fm_spheroid fm_spheroid_added_mass(double a, double b, double density)
{
    fm_spheroid s;
    double a2 = a * a, b2 = b * b, difference = b2 - a2;
    s.alpha0 = 2.0 / 3 * a2 * b * fm_carlson_rd(a2, b2);
    s.beta0 = 1 - s.alpha0 / 2;
    s.k1 = s.alpha0 / (2 - s.alpha0);
    s.k2 = s.beta0 / (2 - s.beta0);
    double split = s.beta0 - s.alpha0;
    s.k_prime = 0; /* a turning sphere moves nothing; k' vanishes with the square of the difference */
    if (__builtin_fabs(difference) > 1e-7 * a2)
        s.k_prime = difference * difference * split / ((a2 + b2) * (2 * difference - (a2 + b2) * split));
    s.displaced = 4.0 / 3 * FM_PI * density * b * a2;
    s.m11 = s.k1 * s.displaced;
    s.m22 = s.k2 * s.displaced;
    s.m55 = s.k_prime * 0.2 * s.displaced * (a2 + b2);
    return s;
}

#endif
