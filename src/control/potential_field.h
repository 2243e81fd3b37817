/* An artificial potential in a plane: a well at the goal and a hill over each thing that is in the way.
 *
 *   U_a = d²/(2 e) for d < e, d - e/2 beyond,  d: distance from the goal                                      (K1)
 *   U_r = k w/2 (rho0/rho - 1)² for rho < rho0, else 0,  rho: distance of a place that is in the way           (K2)
 * The vehicle heads along -grad U; the slope of the well is at most 1. w shares a hill out to the places that stand for
 * one thing. docs/theory/planning.md */
#ifndef FM_CONTROL_POTENTIAL_FIELD_H
#define FM_CONTROL_POTENTIAL_FIELD_H

#include "physics/real.h"

typedef struct fm_potential_params {
    fm_var well; /* m: e, within which the pull of the goal fades */
    fm_var hill; /* m: k */
    fm_var far;  /* m: rho0, beyond which nothing repels */
    fm_var near; /* m: nearer places repel as at this distance, so that the push stays finite */
} fm_potential_params;

/* (K1) U_a at `offset` from the goal [m], and its gradient. */
FM_FN fm_real fm_potential_well(const fm_potential_params *p, const fm_real offset[2], fm_real gradient[2])
{
    const fm_real d = fm_sqrt(offset[0] * offset[0] + offset[1] * offset[1]), wide = fm_max(d, fm_real_wide(p->well));
    gradient[0] = offset[0] / wide;
    gradient[1] = offset[1] / wide;
    return fm_select(d < fm_real_wide(p->well), d * d / (fm_const(2) * p->well), d - fm_const(0.5) * p->well);
}

/* (K2) U_r of one place at `offset` from it [m], and its gradient. */
FM_FN fm_real fm_potential_hill(const fm_potential_params *p, fm_real weight, const fm_real offset[2],
                                fm_real gradient[2])
{
    const fm_real d = fm_sqrt(offset[0] * offset[0] + offset[1] * offset[1]), rho = fm_max(d, fm_real_wide(p->near)),
                  over = fm_max(fm_const(0), p->far / rho - fm_const(1)),
                  slope = p->hill * weight * over * p->far / (rho * rho * fm_max(d, fm_const(1e-12)));
    gradient[0] = -slope * offset[0];
    gradient[1] = -slope * offset[1];
    return fm_const(0.5) * p->hill * weight * over * over;
}

#endif
