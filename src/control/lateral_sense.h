/* From sensor voltages to "there is a wall, over there" (section VI of Snookie's paper).
 *
 *   LP_i += (U_i − LP_i)(1 − exp(−dt/2 s)),  Ū_i = U_i − LP_i                      (L1)
 *   detected: max Ū − min Ū > 1 mV and sqrt(Σ Ū²) > 1 mV (and D_est·V > 0)          (L2), (L3)
 *   D_est = Σ Ū_i r_i                                                               (L4)
 * The spread is that of the filtered voltages: the raw ones always differ by tens of millivolts. */
#ifndef FM_CONTROL_LATERAL_SENSE_H
#define FM_CONTROL_LATERAL_SENSE_H

#include "physics/real.h"

#define FM_LATERAL_SENSORS 32 /* most sensors on one nose */

typedef struct fm_lateral_params {
    int count;                              /* of sensors */
    fm_var position[FM_LATERAL_SENSORS][3]; /* m, from the centre of the nose, body frame */
    fm_var fade;                            /* 1 − exp(−dt/tau) of the high-pass, tau = 2 s */
    fm_var fast_fade;                       /* the same of the filter that waits for calm, tau = 0.3 s */
    fm_var spread;                          /* V, threshold of max − min */
    fm_var norm;                            /* V, threshold of the root of the sum of squares */
} fm_lateral_params;

typedef struct fm_lateral_state {
    fm_real low[FM_LATERAL_SENSORS];  /* V, slow mean of each sensor */
    fm_real fast[FM_LATERAL_SENSORS]; /* V, quick mean of each sensor */
} fm_lateral_state;

typedef struct fm_lateral_feel {
    fm_real filtered[FM_LATERAL_SENSORS]; /* V, Ū */
    fm_real spread, norm;                 /* V */
    fm_real direction[3];                 /* V m, D_est in the body frame */
    fm_real unrest;                       /* V, max |U − quick mean| */
    fm_real exceeds;                      /* 1: both thresholds are exceeded, else 0 */
} fm_lateral_feel;

/* Fading constants for a step dt [s]. */
FM_FN void fm_lateral_set_step(fm_lateral_params *p, fm_par dt, fm_var tau, fm_var tau_fast)
{
    p->fade = fm_var_of(-fm_expm1(fm_real_wide(-dt / tau)));
    p->fast_fade = fm_var_of(-fm_expm1(fm_real_wide(-dt / tau_fast)));
}

/* Steady start: both means at the present voltages u [V]. */
FM_FN void fm_lateral_reset(const fm_lateral_params *p, const fm_real *u, fm_lateral_state *state)
{
    for (int i = 0; i < p->count; i++)
        state->low[i] = state->fast[i] = u[i];
}

/* One step with voltages u [V]. hold = 1 keeps the slow mean at the voltages themselves (filter blind), 0 lets it run.
 */
FM_FN void fm_lateral_step(const fm_lateral_params *p, const fm_real *u, fm_real hold, fm_lateral_state *state,
                           fm_lateral_feel *feel)
{
    fm_real high = fm_const(-FM_HUGE), low = fm_const(FM_HUGE), squares = fm_const(0);
    fm_real fade = fm_select(hold > fm_const(0.5), fm_const(1), fm_real_wide(p->fade));
    feel->unrest = fm_const(0);
    for (int k = 0; k < 3; k++)
        feel->direction[k] = fm_const(0);
    for (int i = 0; i < p->count; i++) {
        state->low[i] = fm_select(fade == fm_const(1), u[i], state->low[i] + (u[i] - state->low[i]) * fade);
        state->fast[i] = state->fast[i] + (u[i] - state->fast[i]) * p->fast_fade;
        fm_real x = u[i] - state->low[i];
        feel->filtered[i] = x;
        feel->unrest = fm_max(feel->unrest, fm_abs(u[i] - state->fast[i]));
        high = fm_max(high, x), low = fm_min(low, x);
        squares = squares + x * x;
        for (int k = 0; k < 3; k++)
            feel->direction[k] = feel->direction[k] + x * p->position[i][k];
    }
    feel->spread = p->count > 0 ? high - low : fm_const(0);
    feel->norm = fm_sqrt(squares);
    feel->exceeds = fm_select((feel->spread > fm_real_wide(p->spread)) & (feel->norm > fm_real_wide(p->norm)),
                              fm_const(1), fm_const(0));
}

#endif
