/* The way of an obstacle on a track: points at times, straight between them. */
#ifndef FM_PHYSICS_TRACK_H
#define FM_PHYSICS_TRACK_H

#include "physics/real.h"

/* Time within a track from `first` to `last` [s]: held at its ends, or looped. */
FM_FN fm_real fm_track_moment(fm_real first, fm_real last, int loops, fm_real t)
{
    const fm_real span = last - first;
    if (loops) {
        const fm_mask again = (span > fm_const(0)) & (t > last);
        const fm_real round = fm_select(again, span, fm_const(1)), since = fm_select(again, t - first, fm_const(0));
        t = fm_select(again, first + since - round * fm_real_floor(since / round), t);
    }
    return fm_min(fm_max(t, first), last);
}

/* How far of the leg between two times is gone, 0 … 1. */
FM_FN fm_real fm_track_part(fm_real from, fm_real to, fm_real moment)
{
    const fm_real span = to - from;
    const fm_mask lasts = span > fm_const(0);
    return fm_select(lasts, (moment - from) / fm_select(lasts, span, fm_const(1)), fm_const(0));
}

FM_FN fm_real fm_track_between(fm_real from, fm_real to, fm_real part)
{
    return from + part * (to - from);
}

/* Velocity [m/s] on a leg, of places [m] at times [s]. */
FM_FN fm_real fm_track_speed(fm_real from, fm_real to, fm_real begins, fm_real ends)
{
    return (to - from) / (ends - begins);
}

#endif
