/* A vehicle that follows the bottom, as one kernel: <node-sonar>, <avoid> and <bottom-following> with the true state,
 * in the order in which a world runs them; each law is in its own header. docs/theory/remus.md (R7)-(R13) */
#ifndef FM_CONTROL_FOLLOWER_H
#define FM_CONTROL_FOLLOWER_H

#include "control/bottom_following.h"
#include "control/threat.h"
#include "physics/actuator.h"
#include "physics/body.h"
#include "physics/ground.h"
#include "sensors/fan_rays.h"
#include "sensors/node_line.h"

enum { FM_FOLLOWER_FINS = 8, FM_FOLLOWER_GUIDES = 4, FM_FOLLOWER_NODES = 256 }; /* nodes: of a sonar of rays */

/* The parameters, a record of physics/flat.h. */
typedef struct fm_follower {
    int32_t nodes;               /* of the sonar that count: within its range and the zone */
    int32_t traces, beams, rays; /* it traces rays (sensors/fan_rays.h); otherwise each node is a return */
    int32_t occlusion, stabilised, fades;
    int32_t avoids; /* there is an <avoid> */
    int32_t fins, fin[FM_FOLLOWER_FINS];
    fm_var frame, range, spacing;                                /* of the sonar: s, m, m */
    fm_var bin, beam, half, threshold;                           /* of its rays: m, rad, rad, 1 */
    fm_var gain, altitude, zone, weight, half_sector, reference; /* of fm_threat_params */
    fm_var end;                                                  /* the same */
    fm_sliding_params gains;
    fm_var keeps;          /* m: altitude without a threat's */
    fm_var late, reversal; /* s, rad */
} fm_follower;
enum { FM_FOLLOWER_INTEGERS = 9 + FM_FOLLOWER_FINS, FM_FOLLOWER_NUMBERS = 3 + 4 + 7 + 14 + 1 + 2 };

/* State from step to step: only numbers. */
typedef struct fm_follower_kept {
    fm_threat_state image;
    fm_remus_metrics measured;
    fm_real peak[2], lowest[2], reversals[2], late_pitch[2], late_altitude[2]; /* metrics: value and how often */
} fm_follower_kept;
enum { FM_FOLLOWER_KEPT = 3 + 25 + 10 };

FM_FN fm_threat_params fm_follower_threat(const fm_follower *p)
{
    fm_threat_params t;
    t.range = p->range, t.zone = p->zone, t.weight = p->weight, t.end = p->end, t.half_sector = p->half_sector;
    t.spacing = p->spacing, t.reference_spacing = p->reference, t.frame = p->frame;
    t.gain = p->gain, t.altitude = p->altitude;
    t.stabilised = p->stabilised, t.fades = p->fades;
    return t;
}

FM_FN fm_fan fm_follower_fan(const fm_follower *p)
{
    fm_fan f;
    f.beams = p->beams, f.rays = p->rays;
    f.range = p->range, f.bin = p->bin, f.beam = p->beam, f.half = p->half, f.threshold = p->threshold;
    return f;
}

/* (R9)-(R11) The threat of nodes seen now. */
FM_WHOLE fm_real fm_follower_scan(const fm_follower *p, const fm_ground_craft *ground, const fm_real position[3],
                                  const fm_real euler[3])
{
    const fm_threat_params t = fm_follower_threat(p);
    const fm_node_line line = fm_node_line_of(position, euler[2], p->spacing);
    const fm_real tilt = p->stabilised ? fm_const(0) : euler[1], scale = fm_real_wide(p->spacing / p->reference);
    fm_real highest = fm_const(FM_PI), threat = fm_const(0);
    for (int i = 0; i < p->nodes; i++) {
        const fm_real ahead = fm_node_ahead(&line, i, p->spacing);
        const fm_real depth =
            fm_ground_depth(ground, position[0] + ahead * line.north, position[1] + ahead * line.east);
        const fm_node_return node = fm_node_search(ahead, depth - position[2], p->range, p->occlusion, &highest);
        const fm_mask counts = node.seen & (node.range < fm_real_wide(p->zone));
        if (!fm_any(counts))
            continue;
        const fm_real part = fm_threat_weight(&t, node.range, node.bearing + tilt) * scale;
        threat = fm_select(counts, threat + part, threat);
    }
    return threat;
}

/* (R9a)-(R11) The threat of pixels that rays light now, beam by beam. */
FM_WHOLE fm_real fm_follower_trace(const fm_follower *p, const fm_ground_craft *ground, const fm_real position[3],
                                   const fm_real euler[3])
{
    const fm_threat_params t = fm_follower_threat(p);
    const fm_fan fan = fm_follower_fan(p);
    const fm_node_line line = fm_node_line_of(position, euler[2], p->spacing);
    const fm_real tilt = p->stabilised ? fm_const(0) : euler[1], scale = fm_real_wide(p->bin / p->reference);
    fm_real below[FM_FOLLOWER_NODES], bins[FM_FAN_RAYS], threat = fm_const(0);
    for (int i = 0; i < p->nodes; i++) {
        const fm_real ahead = fm_node_ahead(&line, i, p->spacing);
        below[i] = fm_fan_below(
            fm_ground_depth(ground, position[0] + ahead * line.north, position[1] + ahead * line.east), position[2]);
    }
    const fm_fan_profile profile = {&line, below, p->nodes, p->spacing};
    for (int k = 0; k < fan.beams; k++) {
        const fm_real bearing = fm_real_wide(fm_fan_bearing(&fan, k)) - tilt;
        for (int j = 0; j < fan.rays; j++) {
            const fm_real b = fm_real_wide(fm_fan_ray(&fan, k, j)) - tilt;
            bins[j] = fm_fan_bin(&fan, fm_fan_meet(&profile, fm_cos(b), fm_sin(b)));
        }
        for (int j = 0; j < fan.rays; j++) {
            const fm_real range = fm_fan_range(&fan, bins[j]);
            const fm_mask counts = fm_fan_returns(&fan, bins, j) & (range < fm_real_wide(p->zone));
            if (fm_any(counts))
                threat = fm_select(counts, threat + fm_threat_weight(&t, range, bearing + tilt) * scale, threat);
        }
    }
    return threat;
}

/* NULL: no bottom. */
FM_FN const fm_ground_craft *fm_follower_ground(const fm_ground_craft *around)
{
    return around->p != NULL && around->p->kind != FM_GROUND_NONE ? around : NULL;
}

/* <avoid> with its sonar: looks where an image is due, and orders the altitude that its threat asks for. */
FM_WHOLE fm_guidance fm_follower_avoid(const fm_follower *p, const fm_ground_craft *around, const fm_estimate *n,
                                       fm_par dt, fm_follower_kept *s)
{
    const fm_ground_craft *ground = fm_follower_ground(around);
    const fm_threat_params t = fm_follower_threat(p);
    fm_real fresh = s->image.threat;
    if (ground && fm_any(fm_threat_due(&t, &s->image, dt)))
        fresh = p->traces ? fm_follower_trace(p, ground, n->position, n->euler)
                          : fm_follower_scan(p, ground, n->position, n->euler);
    const fm_real threat = fm_threat_hold(&t, &s->image, fresh, dt);
    fm_metric_keep(s->peak, (s->peak[1] == fm_const(0)) | (threat > s->peak[0]), threat);
    fm_guidance g = fm_guidance_nothing();
    g.rises = fm_const(1);
    g.altitude = fm_threat_altitude(&t, threat);
    return g;
}

FM_FN void fm_follower_measure(const fm_follower *p, fm_par time, const fm_estimate *n, fm_follower_kept *s)
{
    const fm_mask always = fm_const(0) == fm_const(0);
    const fm_bottom_follow_told told =
        fm_bottom_follow_measure(p->reversal, p->late, time, n->altitude, n->euler[1], &s->measured);
    fm_metric_keep(s->lowest, told.above & ((s->lowest[1] == fm_const(0)) | (n->altitude < s->lowest[0])), n->altitude);
    fm_metric_keep(s->reversals, always, told.reversals);
    fm_metric_keep(s->late_pitch, told.late, told.pitch);
    fm_metric_keep(s->late_altitude, told.late & told.above, told.altitude);
}

/* <bottom-following>: decides by the first `count` guidances, and orders the planes, before the body moves. */
FM_WHOLE void fm_follower_step(const fm_follower *p, const fm_ground_craft *around, const fm_estimate *truth,
                               fm_par time, const fm_guidance *guidances, int count, fm_follower_kept *s,
                               fm_actuator_state *actuators)
{
    const fm_ground_craft *ground = fm_follower_ground(around);
    const fm_guidance *guides[FM_FOLLOWER_GUIDES];
    fm_estimate n = *truth;
    for (int i = 0; i < count; i++)
        guides[i] = &guidances[i];
    n.altitude = ground ? fm_ground_depth(ground, n.position[0], n.position[1]) - n.position[2] : fm_const(FM_HUGE);
    const fm_real delta = fm_bottom_follow_order(&p->gains, fm_real_wide(p->keeps), guides, count, &n);
    for (int i = 0; i < p->fins; i++)
        actuators[p->fin[i]].order = delta;
    fm_follower_measure(p, time, &n, s);
}

#endif
