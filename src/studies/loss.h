/* Loss functions of a fit: by which weight a residual counts, over its noise. (Q11) */
#ifndef FM_STUDIES_LOSS_H
#define FM_STUDIES_LOSS_H

#include <fathom/fit.h>
#include <math.h>

#include "physics/real.h"

#define FM_HUBER 1.345
#define FM_CAUCHY 2.385
#define FM_NORMAL_MEDIAN 0.6745 /* of the absolute value of a normal number of deviation 1 */

/* Of the square. */
static inline double fm_loss_weight(fm_fit_loss loss, double u)
{
    if (loss == FM_FIT_HUBER)
        return fabs(u) <= FM_HUBER ? 1 : FM_HUBER / fabs(u);
    return loss == FM_FIT_CAUCHY ? 1 / (1 + (u / FM_CAUCHY) * (u / FM_CAUCHY)) : 1;
}

/* Slope of weight · u. */
static inline double fm_loss_slope(fm_fit_loss loss, double u)
{
    double square = (u / FM_CAUCHY) * (u / FM_CAUCHY);
    if (loss == FM_FIT_HUBER)
        return fabs(u) <= FM_HUBER;
    return loss == FM_FIT_CAUCHY ? (1 - square) / ((1 + square) * (1 + square)) : 1;
}

/* What it adds to the misfit. */
static inline double fm_loss_of(fm_fit_loss loss, double u)
{
    if (loss == FM_FIT_HUBER)
        return fabs(u) <= FM_HUBER ? u * u : 2 * FM_HUBER * fabs(u) - FM_HUBER * FM_HUBER;
    return loss == FM_FIT_CAUCHY ? FM_CAUCHY * FM_CAUCHY * fm_log(1 + (u / FM_CAUCHY) * (u / FM_CAUCHY)) : u * u;
}

/* The median, by selection; reorders the numbers. 0: none. */
static inline double fm_loss_median(double *x, size_t count)
{
    size_t low = 0, high = count ? count - 1 : 0;
    const size_t wanted = count / 2;
    while (low < high) {
        const double pivot = x[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i >= j)
                break;
            const double held = x[i];
            x[i++] = x[j];
            x[j--] = held;
        }
        if (wanted <= j)
            high = j;
        else
            low = j + 1;
    }
    return count ? x[wanted] : 0;
}

#endif
