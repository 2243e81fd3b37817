/* Numbers that must be near others. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <math.h>

#include "support/cmocka_all.h"

#define DEGREE (3.14159265358979323846 / 180)

/* As assert_near, with a name of what is compared instead of its expression. */
#define near(what, found, expected, tolerance)                                                                         \
    COMPARED_CHECK_NEAR(what, found, expected, tolerance, COMPARED_LESS | COMPARED_SAME)

#define below(what, found, most)                                                                                       \
    compared_check(what, compared_real(found), COMPARED_LESS | COMPARED_SAME, compared_real(most), __FILE__, __LINE__)

/* a − b in [−π, π] */
static inline double angle_between(double a, double b)
{
    return remainder(a - b, 360 * DEGREE);
}

#endif
