/* fmin and fmax with one defined result. C leaves open which zero they return for 0 and -0, and glibc, gcc and clang
 * differ. Every file of the library and the program is compiled with this header (CMakeLists.txt). As in C, for a
 * number and a NaN they return the number; for equals, including zeros of either sign, the second. */
#ifndef FM_BASE_NUMBER_H
#define FM_BASE_NUMBER_H

#include <math.h>

static inline double fm_number_least(double a, double b)
{
    return a < b || b != b ? a : b;
}

static inline double fm_number_most(double a, double b)
{
    return a > b || b != b ? a : b;
}

#undef fmin
#undef fmax
#define fmin fm_number_least
#define fmax fm_number_most

#endif
