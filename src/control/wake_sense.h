/* Detection of a vortex street by a lateral line (L9).
 *
 * In a street that drifts past, the water swings across the hull (d: past the starboard sensors less past the port
 * ones) and along it (q: the mean of all), own motion taken off. Between the rows q swings twice as often as d;
 * beside
 * them at the same frequency f, a quarter of a period before it on the one side and after it on the other. With the
 * parts that swing with f, D = <d e^(−i2πft)> and Q = <q e^(−i2πft)>,
 *   side = −Im(Q D*)/(|D|² + least²),
 * positive where the street lies to starboard of a hull that faces the stream, 0 in its middle. The means <> fade
 * with
 * 1.5 periods; d and q are high-passed before. */
#ifndef FM_CONTROL_WAKE_SENSE_H
#define FM_CONTROL_WAKE_SENSE_H

#include "physics/real.h"

typedef struct fm_wake_sense {
    fm_real across_mean, along_mean; /* m/s, slow means of d and q */
    fm_real turns;                   /* f t */
    fm_real across[2], along[2];     /* m/s: real and imaginary part of D and Q */
} fm_wake_sense;

FM_FN void fm_wake_sense_begin(fm_real across, fm_real along, fm_wake_sense *s)
{
    fm_wake_sense zero = {0};
    *s = zero;
    s->across_mean = across;
    s->along_mean = along;
}

/* One step of dt [s] with d and q [m/s]; tau: of the high-pass [s]; frequency [Hz], 0: not known yet. */
FM_FN void fm_wake_sense_step(fm_par tau, fm_par dt, fm_real frequency, fm_real across, fm_real along, fm_wake_sense *s)
{
    fm_real slow = -fm_expm1(fm_real_wide(-dt / tau)), fade = fm_min(fm_const(1), dt * frequency / fm_const(1.5));
    s->across_mean = s->across_mean + slow * (across - s->across_mean);
    s->along_mean = s->along_mean + slow * (along - s->along_mean);
    s->turns = s->turns + dt * frequency;
    s->turns = fm_select(s->turns > fm_const(1), s->turns - fm_const(1), s->turns);
    fm_real angle = fm_const(2 * FM_PI) * s->turns, wave[2] = {fm_cos(angle), -fm_sin(angle)};
    for (int k = 0; k < 2; k++) {
        s->across[k] = s->across[k] + fade * ((across - s->across_mean) * wave[k] - s->across[k]);
        s->along[k] = s->along[k] + fade * ((along - s->along_mean) * wave[k] - s->along[k]);
    }
}

/* Side of the street: + to starboard. Swings below `least` [m/s] are ignored. */
FM_FN fm_real fm_wake_side(const fm_wake_sense *s, fm_real least)
{
    fm_real square = s->across[0] * s->across[0] + s->across[1] * s->across[1];
    return (s->along[0] * s->across[1] - s->along[1] * s->across[0]) / (square + least * least);
}

/* m/s, of the swings across. */
FM_FN fm_real fm_wake_amplitude(const fm_wake_sense *s)
{
    return fm_const(2) * fm_sqrt(s->across[0] * s->across[0] + s->across[1] * s->across[1]);
}

#endif
