/* Angles on fm_real: degrees, wrapping. docs/theory/control.md (C1) */
#ifndef FM_PHYSICS_ANGLE_H
#define FM_PHYSICS_ANGLE_H

#include "physics/real.h"

#define FM_DEGREE (FM_PI / 180.0) /* rad */

/* The nearest whole number, halves to even; exact for |a| below 2^51 (2^22 in float). Adding and taking away 1.5*2^52
 * leaves no room for the fraction in the significand, in every lane at once. */
FM_FN fm_real fm_real_round_even(fm_real a)
{
#ifdef FM_FLOAT
    const fm_real shift = fm_const(12582912.0);
#else
    const fm_real shift = fm_const(6755399441055744.0);
#endif
    return (a + shift) - shift;
}

/* [rad] the same angle in [-pi, pi] (C1) */
FM_FN fm_real fm_angle_wrap_pi(fm_real angle)
{
    return angle - fm_const(2 * FM_PI) * fm_real_round_even(angle / fm_const(2 * FM_PI));
}

/* [rad] an angle of [-pi, pi] in [0, 2 pi): a heading */
FM_FN fm_real fm_angle_positive(fm_real angle)
{
    const fm_real positive = fm_select(angle < fm_const(0), angle + fm_const(2 * FM_PI), angle);
    return fm_select(positive >= fm_const(2 * FM_PI), fm_const(0), positive); /* -tiny + 2 pi rounds to 2 pi */
}

#endif
