/* Sliding-mode control with a tanh boundary layer, and its use for depth and altitude by a stern plane.
 *
 *   sigma = s.e,   delta = d0 - k.e - eta tanh(sigma / phi), clamped                                          (R8)
 *   e = [w - w0, q, theta - theta0, h_com - h]      (altitude)   or   [.., Z - Z_com]   (depth)              (R7)
 *
 * docs/theory/remus.md. The gains come from control/pole_place.h. */
#ifndef FM_CONTROL_SLIDING_MODE_H
#define FM_CONTROL_SLIDING_MODE_H

#include "physics/real.h"

typedef struct fm_sliding_params {
    fm_var k[4];                           /* rad per unit of e: state feedback */
    fm_var s[4];                           /* m per unit of e: normal of the sliding surface */
    fm_var eta;                            /* rad, height of the switching term */
    fm_var phi;                            /* m, thickness of the boundary layer, > 0 */
    fm_var limit;                          /* rad, largest deflection either way */
    fm_var trim_w, trim_theta, trim_delta; /* m/s, rad, rad */
} fm_sliding_params;

/* (R8) [m] distance from the sliding surface */
FM_FN fm_real fm_sliding_surface(const fm_sliding_params *p, const fm_real e[4])
{
    return p->s[0] * e[0] + p->s[1] * e[1] + p->s[2] * e[2] + p->s[3] * e[3];
}

/* (R8) [rad] plane order for the errors e */
FM_FN fm_real fm_sliding_order(const fm_sliding_params *p, const fm_real e[4])
{
    const fm_real feedback = p->k[0] * e[0] + p->k[1] * e[1] + p->k[2] * e[2] + p->k[3] * e[3];
    const fm_real switching = p->eta * fm_tanh(fm_sliding_surface(p, e) / p->phi);
    return fm_clamp(p->trim_delta - feedback - switching, fm_real_wide(-p->limit), fm_real_wide(p->limit));
}

/* (R7), (R8) [rad] plane order. `too_deep` [m]: h_com - h for altitude, Z - Z_com for depth. */
FM_FN fm_real fm_sliding_dive(const fm_sliding_params *p, fm_real w, fm_real q, fm_real theta, fm_real too_deep)
{
    fm_real e[4];
    e[0] = w - p->trim_w;
    e[1] = q;
    e[2] = theta - p->trim_theta;
    e[3] = too_deep;
    return fm_sliding_order(p, e);
}

#endif
