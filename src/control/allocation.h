/* Thrust allocation: the thrust of each thruster for a demanded body wrench. docs/theory/control.md (C17)-(C19)
 *
 *   f = W^-1 B^T (B W^-1 B^T)^+ tau                                                                            (C17)
 *
 * B (6 x n): column i is the wrench of thruster i per newton. Components that no combination of thrusters can
 * produce are left out. Allocates no memory and uses only sums and roots: the same bits on every machine. */
#ifndef FM_CONTROL_ALLOCATION_H
#define FM_CONTROL_ALLOCATION_H

#include <stddef.h>

#include <fathom/status.h>

#include "control/allocation_solve.h"

/* Builds the allocation from B (6 x count, row-major, row stride count). weights (NULL: all 1) are > 0: a larger one is
 * used less. low <= 0 <= high [N]. length [m] > 0 makes moments comparable with forces. */
fm_status fm_allocation_build(fm_allocation *allocation, size_t count, const double *effect, const double *weights,
                              const double *low, const double *high, double length, fm_error *error);

/* Thrusts [N] for a wrench [N, N m], within the limits. Returns the fraction of the wrench's reachable component that
 * is produced: 1 without limiting, less with it (the same direction at this fraction of the size). */
double fm_allocation_solve(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation,
                           double *thrust);

#endif
