/* Running measures of a trajectory: extremes, means, reversals, turning circle. All on fm_real, one sample at a time,
 * zeroed state = nothing observed. docs/theory/control.md (C21)-(C24). */
#ifndef FM_CONTROL_METRICS_H
#define FM_CONTROL_METRICS_H

#include "physics/angle.h"
#include "physics/real.h"

/* A metric as a kernel keeps it: its value, and how often it was noted. */
FM_FN void fm_metric_keep(fm_real metric[2], fm_mask wanted, fm_real value)
{
    metric[0] = fm_select(wanted, value, metric[0]);
    metric[1] = fm_select(wanted, metric[1] + fm_const(1), metric[1]);
}

/* ---- extremes, mean ---------------------------------------------------------------------------- */

typedef struct fm_measure {
    fm_real low, high; /* extremes, in the unit of the samples */
    fm_real sum;       /* of the samples */
    fm_real count;     /* of samples; 0: never observed */
} fm_measure;

/* Takes a sample where `wanted` holds. */
FM_FN void fm_measure_add_where(fm_measure *m, fm_mask wanted, fm_real sample)
{
    const fm_mask first = m->count < fm_const(0.5);
    const fm_real low = fm_select(first, sample, fm_min(m->low, sample));
    const fm_real high = fm_select(first, sample, fm_max(m->high, sample));
    m->low = fm_select(wanted, low, m->low);
    m->high = fm_select(wanted, high, m->high);
    m->sum = fm_select(wanted, m->sum + sample, m->sum);
    m->count = fm_select(wanted, m->count + fm_const(1), m->count);
}

FM_FN void fm_measure_add(fm_measure *m, fm_real sample)
{
    fm_measure_add_where(m, m->count >= fm_const(0), sample);
}

/* Highest less lowest; 0 when never observed. */
FM_FN fm_real fm_measure_range(const fm_measure *m)
{
    return m->high - m->low;
}

/* 0 when never observed; look at count. */
FM_FN fm_real fm_measure_mean(const fm_measure *m)
{
    return m->sum / fm_max(m->count, fm_const(1));
}

/* ---- reversals --------------------------------------------------------------------------------------------------- */

/* Counts turning points: an extreme counts once the signal has come back from it by more than a threshold (C21). The
 * signal is taken as rising at first; the start itself is not a turning point, so that a first fall counts only from a
 * high that lies above the start by a tenth of the threshold. */
typedef struct fm_reversals {
    fm_real start;     /* first sample */
    fm_real high, low; /* extremes since the last turning point */
    fm_real heading;   /* 0 before the first sample, 2 before the first turning point, then +1 rising, -1 falling */
    fm_real count;     /* of turning points */
} fm_reversals;

FM_FN void fm_reversals_add(fm_reversals *s, fm_real sample, fm_var threshold)
{
    const fm_real zero = fm_const(0), one = fm_const(1), step = fm_real_wide(threshold);
    const fm_mask first = fm_abs(s->heading) < fm_const(0.5);
    s->start = fm_select(first, sample, s->start);
    s->high = fm_select(first, sample, fm_max(s->high, sample));
    s->low = fm_select(first, sample, fm_min(s->low, sample));
    s->heading = fm_select(first, fm_const(2), s->heading);
    const fm_mask down = (s->high - sample > step) & (s->heading > zero);
    const fm_mask up = (sample - s->low > step) & (s->heading < zero);
    const fm_mask counts = (s->heading < fm_const(1.5)) | (s->high - s->start > fm_const(0.1) * step);
    s->count = s->count + fm_select((down | up) & counts, one, zero);
    s->heading = fm_select(down, -one, fm_select(up, one, s->heading));
    s->high = fm_select(down | up, sample, s->high);
    s->low = fm_select(down | up, sample, s->low);
}

/* ---- turning circle ---------------------------------------------------------------------------------------------- */

/* Turning circle from the moment of the rudder order (C22)-(C24): zero it then and add every sample from then on. */
typedef struct fm_turn {
    fm_real x0, y0, psi0;      /* m, m, rad: where the rudder was put over */
    fm_real psi, turned;       /* rad: last heading; heading change so far, signed, > 0 to starboard */
    fm_real along, across;     /* m: last position along and to starboard of the first heading */
    fm_real advance, transfer; /* m: along and across at 90 deg of heading change */
    fm_real diameter;          /* m: across at 180 deg, the tactical diameter */
    fm_real quarter, half;     /* 1 once 90 and 180 deg were passed */
    fm_real n, sx, sy, sxx, syy, sxy, sxr, syr,
        sr;          /* sums for the circle through the steady part, see fm_turn_radius */
    fm_real started; /* 0 before the first sample, then 1 */
} fm_turn;

/* Sums for the circle fit after `steady` rad of heading change; positions along and across [m]. */
FM_FN void fm_turn_fit(fm_turn *t, fm_mask steady, fm_real x, fm_real y)
{
    const fm_real one = fm_select(steady, fm_const(1), fm_const(0)), r2 = x * x + y * y;
    t->n = t->n + one;
    t->sx = t->sx + one * x;
    t->sy = t->sy + one * y;
    t->sxx = t->sxx + one * (x * x);
    t->syy = t->syy + one * (y * y);
    t->sxy = t->sxy + one * (x * y);
    t->sxr = t->sxr + one * (x * r2);
    t->syr = t->syr + one * (y * r2);
    t->sr = t->sr + one * r2;
}

/* A sample: position x, y [m] North, East (or any level frame), heading psi [rad]; `steady` [rad]: heading change after
 * which the turn counts as steady. Crossings of 90 and 180 deg are interpolated between samples. */
FM_FN void fm_turn_add(fm_turn *t, fm_real x, fm_real y, fm_real psi, fm_var steady)
{
    const fm_mask first = t->started < fm_const(0.5);
    t->x0 = fm_select(first, x, t->x0);
    t->y0 = fm_select(first, y, t->y0);
    t->psi0 = fm_select(first, psi, t->psi0);
    t->psi = fm_select(first, psi, t->psi);
    t->started = fm_const(1);
    const fm_real c = fm_cos(t->psi0), s = fm_sin(t->psi0), dx = x - t->x0, dy = y - t->y0;
    const fm_real along = c * dx + s * dy, across = c * dy - s * dx;
    const fm_real turned = t->turned + fm_angle_wrap_pi(psi - t->psi);
    const fm_real before = fm_abs(t->turned), now = fm_abs(turned);
    const fm_real gain = fm_select(now > before, now - before, fm_const(1));
    const fm_real q = (fm_const(FM_PI / 2) - before) / gain, h = (fm_const(FM_PI) - before) / gain;
    const fm_mask quarter = (t->quarter < fm_const(0.5)) & (now >= fm_const(FM_PI / 2));
    const fm_mask half = (t->half < fm_const(0.5)) & (now >= fm_const(FM_PI));
    t->advance = fm_select(quarter, t->along + q * (along - t->along), t->advance);
    t->transfer = fm_select(quarter, fm_abs(t->across + q * (across - t->across)), t->transfer);
    t->diameter = fm_select(half, fm_abs(t->across + h * (across - t->across)), t->diameter);
    t->quarter = fm_select(quarter, fm_const(1), t->quarter);
    t->half = fm_select(half, fm_const(1), t->half);
    t->along = along;
    t->across = across;
    t->turned = turned;
    t->psi = psi;
    fm_turn_fit(t, now >= fm_real_wide(steady), along, across);
}

/* (C24) [m] radius of the circle through the steady samples by least squares (Kasa): x2+y2 = a x + b y + c.
 * 0 where fewer than three samples, or no curvature, leave it open. */
FM_FN fm_real fm_turn_radius(const fm_turn *t)
{
    const fm_real n = fm_max(t->n, fm_const(1)), mx = t->sx / n, my = t->sy / n, mr = t->sr / n;
    const fm_real cxx = t->sxx / n - mx * mx, cyy = t->syy / n - my * my, cxy = t->sxy / n - mx * my;
    const fm_real cxr = t->sxr / n - mx * mr, cyr = t->syr / n - my * mr;
    const fm_real determinant = cxx * cyy - cxy * cxy;
    const fm_mask open = (t->n < fm_const(2.5)) | (determinant <= fm_const(1e-12) * cxx * cyy);
    const fm_real safe = fm_select(open, fm_const(1), determinant);
    const fm_real a = (cxr * cyy - cyr * cxy) / safe, b = (cyr * cxx - cxr * cxy) / safe;
    const fm_real c = mr - a * mx - b * my;
    const fm_real square = c + fm_const(0.25) * (a * a + b * b);
    return fm_select(open, fm_const(0), fm_sqrt(fm_max(square, fm_const(0))));
}

#endif
