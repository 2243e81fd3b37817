/* One decision of an <autopilot>, up to the demands of its actuators: the orders of guidances, overridden set points,
 * the laws of control/autopilot.h, and station keeping. docs/theory/control.md (C10)-(C16) */
#ifndef FM_CONTROL_AUTOPILOT_STEP_H
#define FM_CONTROL_AUTOPILOT_STEP_H

#include "control/guidance.h"
#include "control/guide.h"
#include "control/navigator.h"

/* Set points of its own; a record of physics/flat.h. */
typedef struct fm_set_points {
    int32_t holds_heading, holds_depth, holds_speed; /* though a guidance orders otherwise */
    int32_t believes;                                /* a <navigation>; 0: it knows the true state */
    fm_var depth, heading, speed, sway, pitch, roll; /* m, rad, m/s, m/s, rad, rad */
    fm_var altitude;                                 /* m above the bottom, in place of the depth; 0: none */
} fm_set_points;
enum { FM_SET_INTEGERS = 4, FM_SET_NUMBERS = 7 };

/* A fin and its part in each order; a record too. */
typedef struct fm_piloted_fin {
    int32_t actuator;
    fm_fin_mix_params mix;
} fm_piloted_fin;

/* All inputs of a decision except its state estimate and its orders. */
typedef struct fm_autopilot {
    int steering; /* FM_STEER_… */
    const fm_hybrid_pilot_params *gains;
    const fm_set_points *set;
    const fm_var *hover; /* of the horizontal force that keeps a place: kp N/m, ki N/(m s), kd N s/m, limit N */
} fm_autopilot;

/* State from decision to decision: only numbers. Initially zero. */
typedef struct fm_autopilot_state {
    fm_hybrid_pilot_state loops;
    fm_station_state station;
    fm_real keeping; /* 1 while a place is kept */
} fm_autopilot_state;
enum { FM_AUTOPILOT_KEPT = 11 * 5 + 3 + 1 };

/* Its state estimate, and for its metrics the true state. */
typedef struct fm_autopilot_view {
    const fm_estimate *believed;      /* its altitude: not known where it is FM_HUGE or more */
    fm_real true_depth, true_heading; /* m, rad */
} fm_autopilot_view;

/* The set points to hold now, and where to stay if a place is ordered. */
typedef struct fm_autopilot_wish {
    fm_autopilot_orders orders;
    fm_real altitude;    /* m; 0: a depth is ordered */
    fm_real stays;       /* 0 or 1 */
    fm_real position[2]; /* m, north and east */
} fm_autopilot_wish;

typedef struct fm_autopilot_decided {
    fm_autopilot_orders orders;
    fm_autopilot_sensed sensed;
    fm_fin_orders fins;
    fm_real wrench[6];                  /* N, N m, body axes, of the thrusters */
    fm_real depth_error, heading_error; /* m, rad: ordered less true */
} fm_autopilot_decided;

/* --- orders --- */

FM_FN void fm_autopilot_follow(const fm_guidance *g, fm_autopilot_wish *w)
{
    const fm_real zero = fm_const(0), half = fm_const(0.5);
    const fm_mask runs = g->runs > half, stays = g->stays > half;
    w->orders.heading = fm_select(g->heads > half, g->heading, w->orders.heading);
    w->orders.depth = fm_select(g->dives > half, g->depth, w->orders.depth);
    w->altitude = fm_select(g->rises > half, g->altitude, fm_select(g->dives > half, zero, w->altitude));
    w->orders.speed = fm_select(stays, zero, fm_select(runs, g->speed, w->orders.speed));
    w->stays = fm_select(stays, fm_const(1), fm_select(runs, zero, w->stays));
    for (int k = 0; k < 2; k++)
        w->position[k] = fm_select(stays, g->position[k], w->position[k]);
}

/* Set points overridden from outside. */
FM_FN void fm_autopilot_take_over(const fm_set_points *set, fm_autopilot_wish *w)
{
    if (set->holds_heading)
        w->orders.heading = fm_real_wide(set->heading);
    if (set->holds_depth) {
        w->orders.depth = fm_real_wide(set->depth);
        w->altitude = fm_const(0);
    }
    if (set->holds_speed) {
        w->orders.speed = fm_real_wide(set->speed);
        w->stays = fm_const(0);
    }
}

/* (C11) The depth for an altitude; a vehicle that has lost the bottom stays at its depth. */
FM_FN void fm_autopilot_find_depth(const fm_set_points *set, const fm_autopilot_view *v, fm_autopilot_wish *w)
{
    const fm_real at = v->believed->position[2], above = v->believed->altitude;
    const fm_mask wants = w->altitude > fm_const(0), known = fm_abs(above) < fm_const(FM_HUGE);
    if (!fm_any(wants))
        return;
    const fm_real lost = set->believes ? at : w->orders.depth;
    const fm_real depth = fm_select(known, fm_autopilot_depth_for_altitude(at, above, w->altitude), lost);
    w->orders.depth = fm_select(wants, depth, w->orders.depth);
}

/* Guidances in file order: a later one overrides what an earlier one ordered. */
FM_FN fm_autopilot_wish fm_autopilot_wanted(const fm_set_points *set, const fm_guidance *const *guides, int count,
                                            const fm_autopilot_view *v)
{
    fm_autopilot_wish w;
    w.orders.depth = fm_real_wide(set->depth), w.orders.heading = fm_real_wide(set->heading);
    w.orders.speed = fm_real_wide(set->speed), w.orders.sway = fm_real_wide(set->sway);
    w.orders.pitch = fm_real_wide(set->pitch), w.orders.roll = fm_real_wide(set->roll);
    w.altitude = fm_real_wide(set->altitude);
    w.stays = w.position[0] = w.position[1] = fm_const(0);
    for (int i = 0; i < count; i++)
        fm_autopilot_follow(guides[i], &w);
    fm_autopilot_take_over(set, &w);
    fm_autopilot_find_depth(set, v, &w);
    return w;
}

/* --- the decision --- */

FM_FN fm_autopilot_sensed fm_autopilot_sense_of(const fm_estimate *n)
{
    fm_true_motion m;
    for (int k = 0; k < 3; k++) {
        m.euler[k] = n->euler[k];
        m.water[k] = n->water[k];
        m.rates[k] = n->rates[k];
    }
    m.depth_rate = n->depth_rate;
    return fm_autopilot_sense(n->position[2], &m);
}

/* (C10): a place to keep replaces the orders of speed. */
FM_FN void fm_autopilot_keep_position(const fm_var *hover, const fm_estimate *n, const fm_autopilot_wish *w,
                                      fm_par period, fm_autopilot_state *s, fm_real wrench[6])
{
    const fm_real zero = fm_const(0);
    const fm_mask stays = w->stays > fm_const(0.5), first = stays & (s->keeping == zero);
    fm_real error[3], force[3];
    s->keeping = fm_select(stays, fm_const(1), zero);
    if (!fm_any(stays))
        return;
    for (int k = 0; k < 3; k++)
        s->station.integral[k] = fm_select(first, zero, s->station.integral[k]);
    fm_station_params params;
    params.kp[0] = hover[0], params.ki[0] = hover[1], params.kd[0] = hover[2], params.limit[0] = hover[3];
    params.kp[1] = params.ki[1] = params.kd[1] = fm_var_const(0);
    params.limit[1] = fm_var_const(1);
    error[0] = w->position[0] - n->position[0];
    error[1] = w->position[1] - n->position[1];
    error[2] = zero;
    fm_station_state next = s->station;
    fm_station_step(&params, &next, error, n->velocity, n->euler[2], period, force);
    fm_guide_put(stays, 3, next.integral, s->station.integral);
    wrench[0] = fm_select(stays, force[0], wrench[0]);
    wrench[1] = fm_select(stays, force[1], wrench[1]);
}

FM_FN void fm_autopilot_decide(const fm_autopilot *p, const fm_guidance *const *guides, int count,
                               const fm_autopilot_view *v, fm_par period, fm_autopilot_state *s,
                               fm_autopilot_decided *d)
{
    const fm_autopilot_wish w = fm_autopilot_wanted(p->set, guides, count, v);
    d->orders = w.orders;
    d->sensed = fm_autopilot_sense_of(v->believed);
    d->fins = fm_autopilot_steer(p->steering, p->gains, &s->loops, &d->orders, &d->sensed, period, d->wrench);
    fm_autopilot_keep_position(p->hover, v->believed, &w, period, s, d->wrench);
    d->depth_error = d->orders.depth - v->true_depth;
    d->heading_error = fm_angle_wrap_pi(d->orders.heading - v->true_heading);
}

#endif
