/* The forward-looking sonar of the REMUS paper without occlusion, and the threat made of its returns.
 *
 * Every node (Xb, H) of the bottom ahead within range returns:
 *   r = sqrt((Xb-X)^2 + (H-Z)^2),  b = asin((H-Z)/r),  Xb > X,  r < range                                   (R9)
 *   W_r = weight (1 - r/zone) + end r/zone for r < zone, else 0                                              (R10)
 *   W_b = (1 + cos(pi b / (2 half_sector)))/2 for |b| <= half_sector, else 0; or, where it fades,
 *   W_b = (1 + cos(pi b / half_sector))/2
 *   Threat = sum W_r W_b (spacing/reference_spacing),  h_com = altitude + a Threat                           (R11)
 * An image that is not stabilised has the bearings of the pitched body, b + theta. docs/theory/remus.md. */
#ifndef FM_CONTROL_THREAT_H
#define FM_CONTROL_THREAT_H

#include "physics/real.h"

typedef struct fm_threat_params {
    fm_var range;             /* m, longest return (40) */
    fm_var zone;              /* m, beyond which returns have no weight (20) */
    fm_var weight;            /* range weight at zero range (1.3) */
    fm_var end;               /* range weight at the end of the zone (0) */
    fm_var half_sector;       /* rad, half the vertical field of view (10 deg) */
    fm_var spacing;           /* m, between nodes */
    fm_var reference_spacing; /* m, spacing for which `weight` holds (0.5) */
    fm_var frame;             /* s, interval between images; 0: continuous */
    fm_var gain;              /* m, a */
    fm_var altitude;          /* m, nominal altitude (3) */
    int stabilised;           /* 1: bearings from the horizontal; 0: from the pitched body */
    int fades;                /* 1: W_b falls to zero at the edge of the sector; 0: to a half, and jumps there */
} fm_threat_params;

/* (R10) */
FM_FN fm_real fm_threat_range_weight(const fm_threat_params *p, fm_real r)
{
    const fm_real part = r / p->zone, near = p->weight * fm_max(fm_const(0), fm_const(1) - part);
    return near + fm_select(r < fm_real_wide(p->zone), p->end * part, fm_const(0));
}

/* (R10) bearing b [rad], positive down */
FM_FN fm_real fm_threat_bearing_weight(const fm_threat_params *p, fm_real b)
{
    const fm_real turn = p->fades ? fm_const(FM_PI) : fm_const(FM_PI / 2);
    const fm_real weight = fm_const(0.5) * (fm_const(1) + fm_cos(b * (turn / p->half_sector)));
    return fm_select(fm_abs(b) <= fm_real_wide(p->half_sector), weight, fm_const(0));
}

/* (R10) of a return at range r [m] and bearing b [rad] */
FM_FN fm_real fm_threat_weight(const fm_threat_params *p, fm_real r, fm_real b)
{
    return fm_threat_range_weight(p, r) * fm_threat_bearing_weight(p, b);
}

/* (R9)-(R11) the part of one return at distance `ahead` and `below` [m] of a vehicle pitched by theta [rad].
 * Zero for a node that is not ahead or out of range. */
FM_FN fm_real fm_threat_of_node(const fm_threat_params *p, fm_real ahead, fm_real below, fm_real theta)
{
    const fm_real r = fm_sqrt(ahead * ahead + below * below);
    const fm_mask seen = (ahead > fm_const(0)) & (r < fm_real_wide(p->range)) & (r < fm_real_wide(p->zone));
    if (!fm_any(seen))
        return fm_const(0);
    const fm_real safe = fm_select(r > fm_const(0), r, fm_const(1));
    fm_real bearing = fm_asin(fm_clamp(below / safe, fm_const(-1), fm_const(1)));
    if (!p->stabilised)
        bearing = bearing + theta;
    const fm_real part = fm_threat_weight(p, r, bearing);
    return fm_select(seen, part * (p->spacing / p->reference_spacing), fm_const(0));
}

/* (R11) Threat of the nodes first..first+count-1, at x0 + i spacing [m] in depth[i] [m]. Nodes astern or out of range
 * add nothing, so that lanes at different places may share one span of nodes. */
FM_FN fm_real fm_threat_of_nodes(const fm_threat_params *p, fm_par x0, const fm_par *depth, size_t first, size_t count,
                                 fm_real x, fm_real z, fm_real theta)
{
    fm_real threat = fm_const(0);
    for (size_t i = first; i < first + count; i++)
        threat =
            threat + fm_threat_of_node(p, fm_real_wide(x0 + (fm_par)i * p->spacing) - x, fm_const(depth[i]) - z, theta);
    return threat;
}

/* The image that is held between frames. Zeroed = no image yet. */
typedef struct fm_threat_state {
    fm_real threat; /* of the last image */
    fm_real age;    /* s since it was taken */
    fm_real taken;  /* 0 before the first image, then 1 */
} fm_threat_state;

/* Whether a new image is due in this step of dt [s]. Half a step of slack: the sum of steps is not exact. */
FM_FN fm_mask fm_threat_due(const fm_threat_params *p, const fm_threat_state *s, fm_par dt)
{
    return (s->taken < fm_const(0.5)) | (s->age > fm_real_wide(p->frame - dt / 2));
}

/* Takes `fresh` as the new image if one is due, otherwise holds the old one; call once per step, before the control. */
FM_FN fm_real fm_threat_hold(const fm_threat_params *p, fm_threat_state *s, fm_real fresh, fm_par dt)
{
    const fm_mask due = fm_threat_due(p, s, dt);
    s->threat = fm_select(due, fresh, s->threat);
    s->age = fm_select(due, fm_const(dt), s->age + fm_const(dt));
    s->taken = fm_const(1);
    return s->threat;
}

/* (R11) [m] the altitude to keep */
FM_FN fm_real fm_threat_altitude(const fm_threat_params *p, fm_real threat)
{
    return p->altitude + p->gain * threat;
}

#endif
