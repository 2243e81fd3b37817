/* A vehicle that follows the bottom, as one kernel: <node-sonar>, <avoid> and <bottom-following> with the true state,
 * in the order in which a world runs them; each law stands in its own header. docs/theory/remus.md (R7)-(R13) */
#ifndef FM_PHYSICS_FOLLOWER_H
#define FM_PHYSICS_FOLLOWER_H

#include "physics/actuator.h"
#include "physics/autopilot.h"
#include "physics/ground.h"
#include "physics/remus_metrics.h"
#include "physics/sliding_mode.h"
#include "physics/threat.h"

enum { FM_FOLLOWER_FINS = 8 };

/* The parameters, a record of physics/flat.h. */
typedef struct fm_follower {
    int32_t nodes; /* of the sonar that count: within its range and the zone */
    int32_t occlusion, stabilised, fades;
    int32_t avoids; /* there is an <avoid> */
    int32_t period; /* steps, of <bottom-following> */
    int32_t fins, fin[FM_FOLLOWER_FINS];
    fm_var frame, range, spacing;                                       /* of the sonar: s, m, m */
    fm_var gain, altitude, zone, weight, half_sector, reference;        /* of fm_threat_params */
    fm_var k[4], s[4], eta, phi, limit, trim_w, trim_theta, trim_delta; /* of fm_sliding_params */
    fm_var keeps;                                                       /* m: altitude without a threat's */
    fm_var late, reversal;                                              /* s, rad */
} fm_follower;
enum { FM_FOLLOWER_INTEGERS = 7 + FM_FOLLOWER_FINS, FM_FOLLOWER_NUMBERS = 3 + 6 + 14 + 1 + 2 };

/* What is kept from step to step: numbers alone. */
typedef struct fm_follower_kept {
    fm_threat_state image;
    fm_remus_metrics measured;
    fm_real peak[2], lowest[2], reversals[2], late_pitch[2], late_altitude[2]; /* metrics: value and how often */
} fm_follower_kept;
enum { FM_FOLLOWER_KEPT = 3 + 25 + 10 };

FM_FN void fm_follower_note(fm_real metric[2], fm_mask wanted, fm_real value)
{
    metric[0] = fm_select(wanted, value, metric[0]);
    metric[1] = fm_select(wanted, metric[1] + fm_const(1), metric[1]);
}

FM_FN fm_threat_params fm_follower_threat(const fm_follower *p)
{
    fm_threat_params t;
    t.range = p->range, t.zone = p->zone, t.weight = p->weight, t.half_sector = p->half_sector;
    t.spacing = p->spacing, t.reference_spacing = p->reference, t.frame = p->frame;
    t.gain = p->gain, t.altitude = p->altitude;
    t.stabilised = p->stabilised, t.fades = p->fades;
    return t;
}

FM_FN fm_real fm_follower_floor(fm_real a)
{
    const fm_real r = fm_real_round_even(a);
    return fm_select(r > a, r - fm_const(1), r);
}

/* (R9)-(R11) The threat of an image taken now. Nodes stand at whole multiples of the spacing along the course. */
FM_WHOLE fm_real fm_follower_look(const fm_follower *p, const fm_ground_craft *ground, const fm_real position[3],
                                  const fm_real euler[3])
{
    const fm_threat_params t = fm_follower_threat(p);
    const fm_real north = fm_cos(euler[2]), east = fm_sin(euler[2]), zero = fm_const(0);
    const fm_real along = north * position[0] + east * position[1], first = fm_follower_floor(along / p->spacing);
    const fm_real tilt = p->stabilised ? zero : euler[1], scale = fm_real_wide(p->spacing / p->reference);
    fm_real highest = fm_const(FM_PI), threat = zero;
    for (int i = 0; i < p->nodes; i++) {
        const fm_real ahead = (first + fm_const((fm_par)i)) * p->spacing - along;
        const fm_real below =
            fm_ground_depth(ground, position[0] + ahead * north, position[1] + ahead * east) - position[2];
        const fm_real r = fm_sqrt(ahead * ahead + below * below);
        fm_mask seen = (ahead > zero) & (r < fm_real_wide(p->range));
        const fm_real safe = fm_select(r > zero, r, fm_const(1));
        const fm_real bearing = fm_asin(fm_clamp(below / safe, fm_const(-1), fm_const(1)));
        if (p->occlusion)
            seen = seen & ((bearing > highest) == 0);
        highest = fm_select(seen, fm_min(highest, bearing), highest);
        seen = seen & (r < fm_real_wide(p->zone));
        if (!fm_any(seen))
            continue;
        const fm_real part = fm_threat_range_weight(&t, r) * fm_threat_bearing_weight(&t, bearing + tilt) * scale;
        threat = fm_select(seen, threat + part, threat);
    }
    return threat;
}

FM_FN void fm_follower_measure(const fm_follower *p, fm_par time, fm_real altitude, fm_real theta, int bottom,
                               fm_follower_kept *s)
{
    fm_remus_metrics *m = &s->measured;
    const fm_mask always = fm_const(0) == fm_const(0);
    fm_remus_metrics_add(m, fm_const(time), altitude, theta, fm_const(0), p->reversal, p->late);
    const fm_mask late = m->late_pitch.count > fm_const(0);
    if (bottom)
        fm_follower_note(s->lowest, (s->lowest[1] == fm_const(0)) | (altitude < s->lowest[0]), altitude);
    fm_follower_note(s->reversals, always, m->reversals.count);
    fm_follower_note(s->late_pitch, late, fm_measure_range(&m->late_pitch));
    if (bottom)
        fm_follower_note(s->late_altitude, late, fm_measure_mean(&m->late_altitude));
}

/* Looks where an image is due, decides, and orders the planes, before the body moves. */
FM_WHOLE void fm_follower_step(const fm_follower *p, const fm_ground_craft *ground, const fm_body *body,
                               const fm_body_state *state, const fm_real water[3], uint64_t tick, fm_par dt,
                               fm_follower_kept *s, fm_actuator_state *actuators)
{
    fm_real R[9], delta, altitude = fm_const(0), too_deep = fm_const(0), keeps = fm_real_wide(p->keeps);
    const int bottom = ground->p != NULL && ground->p->kind != FM_GROUND_NONE;
    fm_body_matrix(body, state->attitude, R);
    const fm_true_motion m = fm_true_motion_of(R, state->velocity, water);
    if (p->avoids) {
        const fm_threat_params t = fm_follower_threat(p);
        fm_real fresh = s->image.threat;
        if (bottom && fm_any(fm_threat_due(&t, &s->image, dt)))
            fresh = fm_follower_look(p, ground, state->position, m.euler);
        const fm_real threat = fm_threat_hold(&t, &s->image, fresh, dt);
        keeps = fm_threat_altitude(&t, threat);
        fm_follower_note(s->peak, (s->peak[1] == fm_const(0)) | (threat > s->peak[0]), threat);
    }
    if (p->period != 1 && tick % (uint64_t)p->period != 0)
        return;
    if (bottom) {
        altitude = fm_ground_depth(ground, state->position[0], state->position[1]) - state->position[2];
        too_deep = keeps - altitude;
    }
    fm_sliding_params g;
    for (int i = 0; i < 4; i++)
        g.k[i] = p->k[i], g.s[i] = p->s[i];
    g.eta = p->eta, g.phi = p->phi, g.limit = p->limit;
    g.trim_w = p->trim_w, g.trim_theta = p->trim_theta, g.trim_delta = p->trim_delta;
    delta = fm_sliding_dive(&g, m.water[2], m.rates[1], m.euler[1], too_deep);
    for (int i = 0; i < p->fins; i++)
        actuators[p->fin[i]].order = delta;
    fm_follower_measure(p, (fm_par)tick * dt, altitude, m.euler[1], bottom, s);
}

#endif
