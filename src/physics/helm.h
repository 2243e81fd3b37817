/* A vehicle that steers itself, as one kernel: <mission>, <waypoints> or <station> before an <autopilot> that knows the
 * true state or believes a <navigation>, in the order in which a world runs them. For engines that take whole runs
 * (batch/); each law stands in its own header. docs/theory/control.md (C6)-(C20) */
#ifndef FM_PHYSICS_HELM_H
#define FM_PHYSICS_HELM_H

#include "physics/actuator.h"
#include "physics/allocation.h"
#include "physics/autopilot.h"
#include "physics/body.h"
#include "physics/mission.h"
#include "physics/navigator.h"
#include "physics/route.h"
#include "physics/stay.h"

enum { FM_GUIDE_NONE, FM_GUIDE_MISSION, FM_GUIDE_WAYPOINTS, FM_GUIDE_STATION }; /* guidances */
enum { FM_HELM_GUIDES = 3, FM_HELM_LOOPS = 11, FM_HELM_GAINS = 8 };

/* The parameters, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_helm {
    int32_t steering, enabled;
    int32_t fins, thrusters;        /* how many */
    int32_t period;                 /* steps, of the autopilot */
    int32_t guides[FM_HELM_GUIDES]; /* FM_GUIDE_…, in file order */
    int32_t guide_periods[FM_HELM_GUIDES];
    int32_t holds_heading, holds_depth, holds_speed; /* though a guidance orders otherwise */
    int32_t measures_depth, measures_heading;
    /* loops of the fins: depth, pitch, heading, roll, speed; of the thrusters: surge, sway, depth, roll, pitch,
     * heading; numbers of fm_pid_params */
    fm_var loops[FM_HELM_LOOPS][FM_HELM_GAINS];
    fm_var drag_feed, design_speed, least_speed, low, high; /* of fm_hybrid_pilot_params */
    fm_var depth, heading, speed, sway, pitch, roll;        /* ordered */
    fm_var hover[4];                                        /* kp, ki, kd, limit */
} fm_helm;
enum { FM_HELM_INTEGERS = 16, FM_HELM_NUMBERS = FM_HELM_LOOPS * FM_HELM_GAINS + 5 + 6 + 4 };

typedef struct fm_helm_fin {
    int32_t actuator;
    fm_fin_mix_params mix;
} fm_helm_fin;

typedef struct fm_helm_thruster {
    int32_t actuator, square;
    fm_var gain, gain_reverse, low, high;
    fm_var inverse[6], effect[6]; /* of fm_allocation */
} fm_helm_thruster;

/* All of it as a step reads it. */
typedef struct fm_helm_craft {
    const fm_helm *p;
    const fm_helm_fin *fins;
    const fm_helm_thruster *thrusters;
    fm_mission mission;
    fm_route route;
    const fm_stay_params *stay;
    /* of thrusters that are limited: control/allocation.h, one vehicle at a time; not on a GPU */
    double (*share)(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation, double *thrust);
    fm_par dt; /* s of a step */
} fm_helm_craft;

/* What is kept from step to step: numbers alone. */
typedef struct fm_helm_state {
    fm_hybrid_pilot_state loops;
    fm_station_state station;
    fm_real keeping; /* 1 while a place is kept */
    fm_guidance guides[FM_HELM_GUIDES];
    fm_real next; /* step of the mission */
    fm_route_state route;
    fm_stay_state stay;
    fm_real depth_error[2], heading_error[2], track_error[2], station_error[2], reached[2], station_end[2],
        station_heading[2]; /* metrics: value and how often */
} fm_helm_state;
enum { FM_HELM_KEPT = 11 * 5 + 3 + 1 + FM_GUIDANCE_NUMBERS * FM_HELM_GUIDES + 1 + FM_ROUTE_KEPT + FM_STAY_KEPT + 14 };

/* What it knows of itself. */
typedef struct fm_helm_view {
    fm_par time; /* s */
    fm_real position[3], velocity[3];
    fm_true_motion motion;
    fm_real true_position[3], true_heading; /* m, NED; rad: for what is measured of it */
} fm_helm_view;

/* --- metrics --- */

FM_FN void fm_helm_note(fm_real metric[2], fm_mask wanted, fm_real value)
{
    metric[0] = fm_select(wanted, value, metric[0]);
    metric[1] = fm_select(wanted, metric[1] + fm_const(1), metric[1]);
}

FM_FN void fm_helm_note_square(fm_real metric[2], fm_mask wanted, fm_real value)
{
    fm_helm_note(metric, wanted, metric[0] + value * value);
}

/* --- guidance --- */

FM_FN int fm_helm_is_due(int32_t period, uint64_t tick)
{
    return period == 1 || tick % (uint64_t)period == 0;
}

FM_FN void fm_helm_route(const fm_route *route, const fm_guide_view *v, fm_par period, fm_helm_state *s, fm_guidance *g)
{
    fm_route_told told;
    fm_route_step(route, v, period, &s->route, g, &told);
    if (fm_any(told.tracked))
        fm_helm_note_square(s->track_error, told.tracked, told.cross);
    if (fm_any(told.arrived))
        fm_helm_note(s->reached, told.arrived, s->route.list.reached);
    if (fm_any(told.settled))
        fm_helm_note_square(s->station_error, told.settled, told.away);
}

FM_FN void fm_helm_stay(const fm_stay_params *stay, const fm_guide_view *v, fm_helm_state *s, fm_guidance *g)
{
    fm_stay_told told;
    fm_stay_step(stay, v, &s->stay, g, &told);
    if (!fm_any(told.on))
        return;
    fm_helm_note_square(s->station_error, told.settled, told.away);
    fm_helm_note(s->station_end, told.on, told.away);
    fm_helm_note(s->station_heading, told.on, told.off);
}

/* Those that are due, in file order. */
FM_FN void fm_helm_guide(const fm_helm_craft *c, const fm_guide_view *v, uint64_t tick, fm_helm_state *s)
{
    const fm_helm *p = c->p;
    for (int i = 0; i < FM_HELM_GUIDES; i++) {
        const fm_par period = (fm_par)p->guide_periods[i] * c->dt;
        if (p->guides[i] == FM_GUIDE_NONE || !fm_helm_is_due(p->guide_periods[i], tick))
            continue;
        if (p->guides[i] == FM_GUIDE_MISSION)
            fm_mission_run(&c->mission, v->time, period, v->position, &s->next, &s->guides[i]);
        if (p->guides[i] == FM_GUIDE_WAYPOINTS)
            fm_helm_route(&c->route, v, period, s, &s->guides[i]);
        if (p->guides[i] == FM_GUIDE_STATION)
            fm_helm_stay(c->stay, v, s, &s->guides[i]);
    }
}

/* --- the autopilot --- */

FM_FN fm_pid_params fm_helm_loop(const fm_helm *p, int loop, int wraps)
{
    const fm_var *n = p->loops[loop];
    fm_pid_params r;
    r.kp = n[0], r.ki = n[1], r.kd = n[2], r.filter = n[3];
    r.low = n[4], r.high = n[5], r.rate = n[6], r.tracking = n[7];
    r.wraps = wraps;
    return r;
}

FM_FN fm_hybrid_pilot_params fm_helm_gains(const fm_helm *p)
{
    fm_hybrid_pilot_params g;
    g.fins.depth = fm_helm_loop(p, 0, 0), g.fins.pitch = fm_helm_loop(p, 1, 0);
    g.fins.heading = fm_helm_loop(p, 2, 1), g.fins.roll = fm_helm_loop(p, 3, 0);
    g.fins.speed = fm_helm_loop(p, 4, 0);
    g.fins.drag_feed = p->drag_feed, g.fins.design_speed = p->design_speed, g.fins.least_speed = p->least_speed;
    g.thrusters.surge = fm_helm_loop(p, 5, 0), g.thrusters.sway = fm_helm_loop(p, 6, 0);
    g.thrusters.depth = fm_helm_loop(p, 7, 0), g.thrusters.roll = fm_helm_loop(p, 8, 0);
    g.thrusters.pitch = fm_helm_loop(p, 9, 0), g.thrusters.heading = fm_helm_loop(p, 10, 1);
    g.low = p->low, g.high = p->high;
    return g;
}

typedef struct fm_helm_wish {
    fm_autopilot_orders orders;
    fm_real stays, place[2];
} fm_helm_wish;

FM_FN void fm_helm_follow(const fm_guidance *g, fm_helm_wish *w)
{
    fm_real zero = fm_const(0), half = fm_const(0.5);
    fm_mask runs = g->runs > half, stays = g->stays > half;
    w->orders.heading = fm_select(g->heads > half, g->heading, w->orders.heading);
    w->orders.depth = fm_select(g->dives > half, g->depth, w->orders.depth);
    w->orders.speed = fm_select(stays, zero, fm_select(runs, g->speed, w->orders.speed));
    w->stays = fm_select(stays, fm_const(1), fm_select(runs, zero, w->stays));
    for (int k = 0; k < 2; k++)
        w->place[k] = fm_select(stays, g->place[k], w->place[k]);
}

FM_FN fm_helm_wish fm_helm_orders(const fm_helm *p, const fm_helm_state *s)
{
    fm_helm_wish w;
    w.orders.depth = fm_real_wide(p->depth), w.orders.heading = fm_real_wide(p->heading);
    w.orders.speed = fm_real_wide(p->speed), w.orders.sway = fm_real_wide(p->sway);
    w.orders.pitch = fm_real_wide(p->pitch), w.orders.roll = fm_real_wide(p->roll);
    w.stays = w.place[0] = w.place[1] = fm_const(0);
    for (int i = 0; i < FM_HELM_GUIDES; i++)
        if (p->guides[i] != FM_GUIDE_NONE)
            fm_helm_follow(&s->guides[i], &w);
    if (p->holds_heading)
        w.orders.heading = fm_real_wide(p->heading);
    if (p->holds_depth)
        w.orders.depth = fm_real_wide(p->depth);
    if (p->holds_speed) {
        w.orders.speed = fm_real_wide(p->speed);
        w.stays = fm_const(0);
    }
    return w;
}

/* (C10): a place that is to be kept replaces the orders of speed. */
FM_FN void fm_helm_keep_place(const fm_helm *p, const fm_helm_view *v, const fm_helm_wish *w, fm_par period,
                              fm_helm_state *s, fm_real wrench[6])
{
    fm_real zero = fm_const(0), error[3], force[3];
    fm_mask stays = w->stays > fm_const(0.5), first = stays & (s->keeping == zero);
    s->keeping = fm_select(stays, fm_const(1), zero);
    if (!fm_any(stays))
        return;
    for (int k = 0; k < 3; k++)
        s->station.integral[k] = fm_select(first, zero, s->station.integral[k]);
    fm_station_params params;
    params.kp[0] = p->hover[0], params.ki[0] = p->hover[1], params.kd[0] = p->hover[2], params.limit[0] = p->hover[3];
    params.kp[1] = params.ki[1] = params.kd[1] = fm_var_const(0);
    params.limit[1] = fm_var_const(1);
    error[0] = w->place[0] - v->position[0];
    error[1] = w->place[1] - v->position[1];
    error[2] = zero;
    fm_station_state next = s->station;
    fm_station_step(&params, &next, error, v->velocity, v->motion.euler[2], period, force);
    for (int k = 0; k < 3; k++)
        s->station.integral[k] = fm_select(stays, next.integral[k], s->station.integral[k]);
    wrench[0] = fm_select(stays, force[0], wrench[0]);
    wrench[1] = fm_select(stays, force[1], wrench[1]);
}

/* --- thrusters --- */

/* One lane of numbers and masks. */
#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN double fm_helm_of_lane(fm_real x, int lane)
{
    return (double)x[lane];
}
FM_FN void fm_helm_put_lane(fm_real *x, int lane, double value)
{
    (*x)[lane] = (fm_par)value;
}
FM_FN int fm_helm_in_lane(fm_mask m, int lane)
{
    return m[lane] != 0;
}
enum { FM_HELM_LANES = FM_LANES };
#else
FM_FN double fm_helm_of_lane(fm_real x, int lane)
{
    (void)lane;
    return (double)x;
}
FM_FN void fm_helm_put_lane(fm_real *x, int lane, double value)
{
    (void)lane;
    *x = (fm_real)value;
}
FM_FN int fm_helm_in_lane(fm_mask m, int lane)
{
    (void)lane;
    return m;
}
enum { FM_HELM_LANES = 1 };
#endif

/* (C19) of one vehicle whose thrusters are limited. */
FM_WHOLE void fm_helm_share(const fm_helm_craft *c, int lane, const fm_real wrench[6], fm_real *thrust)
{
    fm_allocation a;
    double goal[6], given[FM_ALLOCATION_MAX];
    a.count = (size_t)c->p->thrusters;
    a.rank = 0;
    for (int r = 0; r < 6; r++) {
        a.scale[r] = 1;
        goal[r] = fm_helm_of_lane(wrench[r], lane);
    }
    for (int i = 0; i < c->p->thrusters; i++) {
        const fm_helm_thruster *t = &c->thrusters[i];
        a.ease[i] = 1;
        a.low[i] = fm_helm_of_lane(fm_real_wide(t->low), lane);
        a.high[i] = fm_helm_of_lane(fm_real_wide(t->high), lane);
        for (int r = 0; r < 6; r++) {
            a.effect[r][i] = fm_helm_of_lane(fm_real_wide(t->effect[r]), lane);
            a.inverse[i][r] = fm_helm_of_lane(fm_real_wide(t->inverse[r]), lane);
        }
    }
#ifdef __CUDACC__
    fm_allocation_share(&a, goal, FM_SATURATION_REDISTRIBUTE, given);
#else
    c->share(&a, goal, FM_SATURATION_REDISTRIBUTE, given);
#endif
    for (int i = 0; i < c->p->thrusters; i++)
        fm_helm_put_lane(&thrust[i], lane, given[i]);
}

/* (C17) within limits; those that reach one are shared out anew. */
FM_FN void fm_helm_allocate(const fm_helm_craft *c, const fm_real wrench[6], fm_actuator_state *actuators)
{
    fm_real thrust[FM_ALLOCATION_MAX];
    fm_mask limited = fm_const(0) > fm_const(0);
    for (int i = 0; i < c->p->thrusters; i++) {
        const fm_helm_thruster *t = &c->thrusters[i];
        fm_real sum = fm_const(0);
        for (int r = 0; r < 6; r++)
            sum += t->inverse[r] * wrench[r];
        limited = limited | (sum > fm_real_wide(t->high)) | (sum < fm_real_wide(t->low));
        thrust[i] = fm_clamp(sum, fm_real_wide(t->low), fm_real_wide(t->high));
    }
    if (fm_any(limited))
        for (int lane = 0; lane < FM_HELM_LANES; lane++)
            if (fm_helm_in_lane(limited, lane))
                fm_helm_share(c, lane, wrench, thrust);
    for (int i = 0; i < c->p->thrusters; i++) {
        const fm_helm_thruster *t = &c->thrusters[i];
        actuators[t->actuator].order =
            fm_thruster_order(t->square, fm_real_wide(t->gain), fm_real_wide(t->gain_reverse), thrust[i]);
    }
}

/* --- a step --- */

FM_WHOLE void fm_helm_decide(const fm_helm_craft *c, const fm_helm_view *v, fm_helm_state *s,
                             fm_actuator_state *actuators)
{
    const fm_helm *p = c->p;
    fm_par period = (fm_par)p->period * c->dt;
    fm_real wrench[6];
    fm_mask always = fm_const(0) == fm_const(0);
    fm_helm_wish w = fm_helm_orders(p, s);
    fm_autopilot_sensed m = fm_autopilot_sense(v->position[2], &v->motion);
    fm_hybrid_pilot_params gains = fm_helm_gains(p);
    fm_fin_orders fins = fm_autopilot_steer(p->steering, &gains, &s->loops, &w.orders, &m, period, wrench);
    fm_helm_keep_place(p, v, &w, period, s, wrench);
    for (int i = 0; i < p->fins; i++)
        actuators[c->fins[i].actuator].order = fm_fin_mix(&c->fins[i].mix, &fins);
    if (p->thrusters)
        fm_helm_allocate(c, wrench, actuators);
    if (p->measures_depth)
        fm_helm_note_square(s->depth_error, always, w.orders.depth - v->true_position[2]);
    if (p->measures_heading)
        fm_helm_note_square(s->heading_error, always, fm_angle_wrap_pi(w.orders.heading - v->true_heading));
}

/* What it knows of itself: the truth, or what it believes (NULL: the truth). */
FM_FN void fm_helm_look(const fm_body *body, const fm_body_state *state, const fm_real water[3],
                        const fm_estimate *believed, fm_helm_view *v)
{
    fm_real R[9];
    fm_body_matrix(body, state->attitude, R);
    const fm_estimate truth = fm_estimate_true(state->position, R, state->velocity, water, fm_const(0));
    const fm_estimate *n = believed ? believed : &truth;
    for (int k = 0; k < 3; k++) {
        v->position[k] = n->position[k];
        v->velocity[k] = n->velocity[k];
        v->motion.euler[k] = n->euler[k];
        v->motion.water[k] = n->water[k];
        v->motion.rates[k] = n->rates[k];
        v->true_position[k] = truth.position[k];
    }
    v->motion.depth_rate = n->depth_rate;
    v->true_heading = truth.euler[2];
}

/* Decides before the body moves; what it orders becomes the orders of the actuators. `believed` NULL: it knows the
 * truth. */
FM_FN void fm_helm_step_once(const fm_helm_craft *c, const fm_body *body, const fm_body_state *state,
                             const fm_real water[3], uint64_t tick, const fm_estimate *believed, fm_helm_state *s,
                             fm_actuator_state *actuators)
{
    const fm_helm *p = c->p;
    fm_helm_view v;
    v.time = (fm_par)tick * c->dt;
    fm_helm_look(body, state, water, believed, &v);
    fm_guide_view known;
    known.time = v.time;
    known.position = v.position;
    known.truth = v.true_position;
    known.heading = v.motion.euler[2];
    known.true_heading = v.true_heading;
    fm_helm_guide(c, &known, tick, s);
    if (p->enabled && fm_helm_is_due(p->period, tick))
        fm_helm_decide(c, &v, s, actuators);
}

FM_FN void fm_helm_begin(fm_helm_state *s)
{
    fm_real *numbers = (fm_real *)s;
    for (int i = 0; i < FM_HELM_KEPT; i++)
        numbers[i] = fm_const(0);
}

#endif
