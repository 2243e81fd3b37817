/* The rays of <node-sonar>: a fan of beams in the vertical plane ahead, each of several rays. The bottom is the
 * straight lines from node to node, so that a step between two nodes is a face that returns. A ray ends where it first
 * meets the bottom. Each range bin of each beam is a pixel, which returns where more than a given share of the beam's
 * rays end in it. docs/theory/remus.md (R9a) */
#ifndef FM_SENSORS_FAN_RAYS_H
#define FM_SENSORS_FAN_RAYS_H

#include "sensors/node_line.h"

enum { FM_FAN_RAYS = 16 }; /* of a beam at most */
#define FM_FAN_DEEP 1e6    /* m: below the sonar, without a bottom */

typedef struct fm_fan {
    int beams, rays;  /* beams from the uppermost down; rays of a beam the same */
    fm_var range;     /* m, longest return */
    fm_var bin, beam; /* m, rad: length and height of a pixel */
    fm_var half;      /* rad, from the middle of the fan to its edge */
    fm_var threshold; /* 0 … 1: share of a beam's rays that a pixel must exceed to return */
} fm_fan;

/* --- the bottom ahead --- */

typedef struct fm_fan_profile {
    const fm_node_line *line;
    const fm_real *below; /* m, of every node below the sonar; at most FM_FAN_DEEP */
    int nodes;
    fm_var spacing; /* m */
} fm_fan_profile;

FM_FN fm_real fm_fan_below(fm_real depth, fm_real sonar)
{
    return fm_min(depth - sonar, fm_const(FM_FAN_DEEP));
}

/* (R9a) m to where the ray with this cosine and sine of its bearing (> 0 down) first meets the bottom from above;
 * FM_HUGE: nowhere. */
FM_FN fm_real fm_fan_meet(const fm_fan_profile *p, fm_real cosine, fm_real sine)
{
    const fm_real zero = fm_const(0), none = fm_const(FM_HUGE);
    fm_real range = none, x = fm_node_ahead(p->line, 0, p->spacing), z = p->below[0], under = z * cosine - x * sine;
    for (int i = 1; i < p->nodes; i++) {
        const fm_real ahead = fm_node_ahead(p->line, i, p->spacing), below = p->below[i],
                      then = below * cosine - ahead * sine;
        const fm_mask meets = (range >= none) & (under > zero) & (then <= zero);
        if (fm_any(meets)) {
            const fm_real part = under / fm_select(meets, under - then, fm_const(1));
            const fm_real r = (x + part * (ahead - x)) * cosine + (z + part * (below - z)) * sine;
            range = fm_select(meets & (r > zero), r, range);
            if (!fm_any(range >= none))
                break;
        }
        x = ahead, z = below, under = then;
    }
    return range;
}

/* --- beams and pixels --- */

/* rad, of the middle of beam k in the fan */
FM_FN fm_var fm_fan_bearing(const fm_fan *f, int k)
{
    return ((fm_par)k + (fm_par)0.5) * f->beam - f->half;
}

/* rad, of ray j of beam k in the fan */
FM_FN fm_var fm_fan_ray(const fm_fan *f, int k, int j)
{
    const fm_par offset = ((fm_par)j + (fm_par)0.5) / (fm_par)f->rays - (fm_par)0.5;
    return fm_fan_bearing(f, k) + offset * f->beam;
}

/* Number of the bin in which a range lies; -1: none. */
FM_FN fm_real fm_fan_bin(const fm_fan *f, fm_real range)
{
    const fm_mask seen = range < fm_real_wide(f->range);
    return fm_select(seen, fm_node_floor(fm_select(seen, range, fm_const(0)) / f->bin), fm_const(-1));
}

/* m, of the middle of a bin */
FM_FN fm_real fm_fan_range(const fm_fan *f, fm_real bin)
{
    return (bin + fm_const(0.5)) * f->bin;
}

/* Whether the pixel in which ray j ends returns, and ray j is the first of its beam in it. bins: of all rays of the
 * beam. */
FM_FN fm_mask fm_fan_returns(const fm_fan *f, const fm_real *bins, int j)
{
    fm_real same = fm_const(0);
    fm_mask first = bins[j] >= fm_const(0);
    for (int i = 0; i < f->rays; i++) {
        same = same + fm_select(bins[i] == bins[j], fm_const(1), fm_const(0));
        if (i < j)
            first = first & (bins[i] != bins[j]);
    }
    return first & (same > fm_real_wide(f->threshold * (fm_par)f->rays));
}

#endif
