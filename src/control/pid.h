/* PID with derivative on the measurement, output and rate limits, and anti-windup. docs/theory/control.md (C2)-(C5).
 *
 *   v = feed + scale (kp e + i - kd y'),   u = clamp(v)                                                       (C2)
 *   i' = ki e + (u - v) / (scale tracking)      back-calculation, or                                         (C3)
 *   i' = ki e unless u is limited and e would drive it further                                              (C4) */
#ifndef FM_CONTROL_PID_H
#define FM_CONTROL_PID_H

#include "physics/angle.h"
#include "physics/real.h"

/* Units: o of the output, m of the measurement. */
typedef struct fm_pid_params {
    fm_var kp, ki, kd; /* o/m, o/(m s), o s/m */
    fm_var filter;     /* s, time constant of the derivative's filter; 0: none */
    fm_var low, high;  /* o, limits of the output */
    fm_var rate;       /* o/s, fastest change of the output; 0: unlimited */
    fm_var tracking;   /* s, back-calculation time (C3); 0: conditional integration (C4); < 0: winds up */
    int wraps;         /* 1: set point and measurement are angles in rad, errors go the short way round */
} fm_pid_params;

/* Zeroed = at rest with output 0. */
typedef struct fm_pid_state {
    fm_real integral;   /* o, before scaling */
    fm_real measured;   /* m, last measurement */
    fm_real derivative; /* m/s, filtered */
    fm_real output;     /* o, last output */
    fm_real started;    /* 0 before the first measurement, then 1 */
} fm_pid_state;

/* What a caller may vary from step to step. fm_pid_plain is the usual choice. */
typedef struct fm_pid_drive {
    fm_real feed;  /* o, feed-forward, not scaled */
    fm_real scale; /* gain schedule, not 0 */
    fm_real share; /* 0..1, the part of the output in use: the integral grows by this part only */
} fm_pid_drive;

FM_FN fm_pid_drive fm_pid_plain(void)
{
    fm_pid_drive d;
    d.feed = fm_const(0);
    d.scale = fm_const(1);
    d.share = fm_const(1);
    return d;
}

FM_FN fm_real fm_pid_limit(const fm_pid_params *p, const fm_pid_state *s, fm_real v, fm_par dt)
{
    fm_real u = fm_clamp(v, fm_real_wide(p->low), fm_real_wide(p->high)), most = fm_real_wide(p->rate * dt);
    return fm_select(fm_real_wide(p->rate) > fm_const(0), fm_clamp(u, s->output - most, s->output + most), u);
}

/* (C2)-(C4) for an error e and the rate of the measurement; returns the output. */
FM_FN fm_real fm_pid_apply(const fm_pid_params *p, fm_pid_state *s, fm_real e, fm_real rate, const fm_pid_drive *d,
                           fm_par dt)
{
    const fm_real v = d->feed + d->scale * (p->kp * e + s->integral - p->kd * rate);
    const fm_real u = fm_pid_limit(p, s, v, dt);
    const fm_real zero = fm_const(0), tracking = fm_real_wide(p->tracking), plain = p->ki * e, push = d->scale * plain;
    const fm_mask wound = ((v > u) & (push > zero)) | ((v < u) & (push < zero));
    const fm_real back = plain + (u - v) / (d->scale * fm_select(tracking > zero, tracking, fm_const(1)));
    fm_real growth = fm_select(tracking > zero, back, fm_select((tracking == zero) & wound, zero, plain));
    /* without ki there is nothing to wind up: back-calculation must not make an integral of its own */
    growth = fm_select(fm_real_wide(p->ki) == zero, zero, growth);
    s->integral = s->integral + d->share * growth * dt;
    s->output = u;
    return u;
}

FM_FN fm_real fm_pid_error(const fm_pid_params *p, fm_real set, fm_real measured)
{
    const fm_real e = set - measured;
    return p->wraps ? fm_angle_wrap_pi(e) : e;
}

/* The rate of the measurement is known (gyro, pressure rate). */
FM_FN fm_real fm_pid_step_rate(const fm_pid_params *p, fm_pid_state *s, fm_real set, fm_real measured, fm_real rate,
                               const fm_pid_drive *d, fm_par dt)
{
    s->measured = measured;
    s->derivative = rate;
    s->started = fm_const(1);
    return fm_pid_apply(p, s, fm_pid_error(p, set, measured), rate, d, dt);
}

/* The rate is found from the measurements, through a first-order filter (C5). */
FM_FN fm_real fm_pid_step(const fm_pid_params *p, fm_pid_state *s, fm_real set, fm_real measured, const fm_pid_drive *d,
                          fm_par dt)
{
    const fm_real change = fm_select(s->started > fm_const(0.5), fm_pid_error(p, measured, s->measured), fm_const(0));
    const fm_real rate = s->derivative + (change / dt - s->derivative) * (dt / (p->filter + dt));
    return fm_pid_step_rate(p, s, set, measured, rate, d, dt);
}

#endif
