/* Numbers that must be near others. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <math.h>

#include "support/cmocka_all.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Not so for NaN, whatever the tolerance. */
static inline void near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s: found %.17g, expected %.17g within %g (off by %.3g)", what, found, expected, tolerance,
                 found - expected);
}

static inline void below(const char *what, double found, double most)
{
    if (!(found <= most))
        fail_msg("%s: found %.17g, expected at most %g", what, found, most);
}

#define assert_near(found, expected, tolerance) near(#found, found, expected, tolerance)

/* a − b in [−π, π] */
static inline double angle_between(double a, double b)
{
    return remainder(a - b, 360 * DEGREE);
}

#endif
