/* A vehicle that steers itself, as one kernel: <mission>, <waypoints> or <station> before an <autopilot> that knows the
 * true state, in the order in which a world runs them. For engines that take whole runs (batch/); each law stands in
 * its own header. docs/theory/control.md (C6)-(C20) */
#ifndef FM_PHYSICS_HELM_H
#define FM_PHYSICS_HELM_H

#include "physics/actuator.h"
#include "physics/allocation.h"
#include "physics/autopilot.h"
#include "physics/body.h"
#include "physics/guidance.h"

enum { FM_GUIDE_NONE, FM_GUIDE_MISSION, FM_GUIDE_WAYPOINTS, FM_GUIDE_STATION }; /* guidances */
enum { FM_ORDERS_HEADING = 1, FM_ORDERS_DEPTH = 2, FM_ORDERS_SPEED = 4, FM_ORDERS_PLACE = 8 };
enum { FM_HELM_GUIDES = 3, FM_HELM_LOOPS = 11, FM_HELM_GAINS = 8 };

/* The parameters, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_helm {
    int32_t steering, enabled;
    int32_t fins, thrusters, steps, points; /* how many */
    int32_t period;                         /* steps, of the autopilot */
    int32_t guides[FM_HELM_GUIDES];         /* FM_GUIDE_…, in file order */
    int32_t guide_periods[FM_HELM_GUIDES];
    int32_t holds_heading, holds_depth, holds_speed; /* though a guidance orders otherwise */
    int32_t measures_depth, measures_heading;
    int32_t pass, loop, hovers; /* of the waypoints */
    int32_t turned;             /* the station has a heading */
    /* loops of the fins: depth, pitch, heading, roll, speed; of the thrusters: surge, sway, depth, roll, pitch,
     * heading; numbers of fm_pid_params */
    fm_var loops[FM_HELM_LOOPS][FM_HELM_GAINS];
    fm_var drag_feed, design_speed, least_speed, low, high;           /* of fm_hybrid_pilot_params */
    fm_var depth, heading, speed, sway, pitch, roll;                  /* ordered */
    fm_var hover[4];                                                  /* kp, ki, kd, limit */
    fm_var lookahead, radius, height, integral, cruise, from, settle; /* of the waypoints */
    fm_var place[3], bearing, begins, ends, calms;                    /* of the station: m, rad, s */
} fm_helm;
enum { FM_HELM_INTEGERS = 22, FM_HELM_NUMBERS = FM_HELM_LOOPS * FM_HELM_GAINS + 5 + 6 + 4 + 7 + 7 };

typedef struct fm_helm_fin {
    int32_t actuator;
    fm_fin_mix_params mix;
} fm_helm_fin;

typedef struct fm_helm_thruster {
    int32_t actuator, square;
    fm_var gain, gain_reverse, low, high;
    fm_var inverse[6], effect[6]; /* of fm_allocation */
} fm_helm_thruster;

typedef struct fm_helm_step {
    int32_t orders; /* FM_ORDERS_… */
    fm_var t, heading, depth, speed, place[2];
} fm_helm_step;

typedef struct fm_helm_leg {
    fm_var speed, hold; /* m/s, < 0: that of the list; s */
} fm_helm_leg;

/* All of it as a step reads it. */
typedef struct fm_helm_craft {
    const fm_helm *p;
    const fm_helm_fin *fins;
    const fm_helm_thruster *thrusters;
    const fm_helm_step *steps;
    const fm_var (*points)[3];
    const fm_helm_leg *legs;
    /* of thrusters that are limited: control/allocation.h, one vehicle at a time; not on a GPU */
    double (*share)(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation, double *thrust);
    fm_par dt; /* s of a step */
} fm_helm_craft;

/* What a guidance orders: 1 or 0 for each, and the values. */
typedef struct fm_guide {
    fm_real heads, dives, runs, stays;
    fm_real heading, depth, speed, place[2];
} fm_guide;

/* What is kept from step to step: numbers alone. */
typedef struct fm_helm_state {
    fm_hybrid_pilot_state loops;
    fm_station_state station;
    fm_real keeping; /* 1 while a place is kept */
    fm_guide guides[FM_HELM_GUIDES];
    fm_real next; /* step of the mission */
    fm_waypoints_state list;
    fm_real hold_until, hold_since, place[3], heading, holding; /* of the waypoints */
    fm_real begun, since, first_heading;                        /* of the station */
    fm_real depth_error[2], heading_error[2], track_error[2], station_error[2], reached[2], station_end[2],
        station_heading[2]; /* metrics: value and how often */
} fm_helm_state;
enum { FM_HELM_KEPT = 11 * 5 + 3 + 1 + 9 * FM_HELM_GUIDES + 1 + 8 + 7 + 3 + 14 };

/* What it knows of itself. */
typedef struct fm_helm_view {
    fm_par time; /* s */
    fm_real position[3], velocity[3];
    fm_true_motion motion;
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

FM_FN fm_real fm_helm_distance(const fm_real a[3], const fm_real b[3])
{
    fm_real dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return fm_sqrt(dx * dx + dy * dy + dz * dz);
}

/* --- guidance --- */

FM_FN fm_guide fm_guide_nothing(void)
{
    fm_guide g;
    g.heads = g.dives = g.runs = g.stays = fm_const(0);
    g.heading = g.depth = g.speed = g.place[0] = g.place[1] = fm_const(0);
    return g;
}

FM_FN void fm_guide_set(fm_guide *g, fm_mask where, const fm_guide *to)
{
    g->heads = fm_select(where, to->heads, g->heads);
    g->dives = fm_select(where, to->dives, g->dives);
    g->runs = fm_select(where, to->runs, g->runs);
    g->stays = fm_select(where, to->stays, g->stays);
    g->heading = fm_select(where, to->heading, g->heading);
    g->depth = fm_select(where, to->depth, g->depth);
    g->speed = fm_select(where, to->speed, g->speed);
    for (int k = 0; k < 2; k++)
        g->place[k] = fm_select(where, to->place[k], g->place[k]);
}

/* What a step of the mission names; a speed ends the keeping of a place, and the other way round. */
FM_FN void fm_helm_take_step(const fm_helm_step *step, fm_mask due, fm_guide *g)
{
    fm_real zero = fm_const(0), one = fm_const(1);
    fm_guide to = *g;
    if (step->orders & FM_ORDERS_HEADING)
        to.heads = one, to.heading = fm_real_wide(step->heading);
    if (step->orders & FM_ORDERS_DEPTH)
        to.dives = one, to.depth = fm_real_wide(step->depth);
    if (step->orders & FM_ORDERS_SPEED)
        to.runs = one, to.stays = zero, to.speed = fm_real_wide(step->speed);
    if (step->orders & FM_ORDERS_PLACE) {
        to.stays = one, to.runs = zero;
        to.place[0] = fm_real_wide(step->place[0]);
        to.place[1] = fm_real_wide(step->place[1]);
    }
    fm_guide_set(g, due, &to);
}

FM_WHOLE void fm_helm_mission(const fm_helm_craft *c, fm_par time, fm_par period, fm_helm_state *s, fm_guide *g)
{
    for (int i = 0; i < c->p->steps; i++) {
        fm_mask due = (s->next == fm_const((fm_par)i)) & (fm_real_wide(c->steps[i].t) <= fm_const(time + period / 2));
        if (!fm_any(due))
            continue;
        fm_helm_take_step(&c->steps[i], due, g);
        s->next = fm_select(due, s->next + fm_const(1), s->next);
    }
}

/* The leg to a waypoint with this (whole) number, lane by lane. */
FM_FN void fm_helm_leg_to(const fm_helm_craft *c, fm_real index, fm_real *speed, fm_real *hold)
{
    *speed = *hold = fm_const(0);
    for (int i = 0; i < c->p->points; i++) {
        fm_mask mine = fm_abs(index - fm_const((fm_par)i)) < fm_const(0.5);
        fm_real own = fm_real_wide(c->legs[i].speed);
        own = fm_select(own >= fm_const(0), own, fm_real_wide(c->p->cruise));
        *speed = fm_select(mine, own, *speed);
        *hold = fm_select(mine, fm_real_wide(c->legs[i].hold), *hold);
    }
}

FM_FN void fm_helm_hold(const fm_helm_view *v, fm_mask where, const fm_real point[3], fm_real duration,
                        fm_helm_state *s)
{
    fm_real now = fm_const(v->time);
    s->holding = fm_select(where, fm_const(1), s->holding);
    s->hold_since = fm_select(where, now, s->hold_since);
    s->hold_until = fm_select(where, now + duration, s->hold_until);
    for (int k = 0; k < 3; k++)
        s->place[k] = fm_select(where, point[k], s->place[k]);
}

/* One step along the list where `on` holds; a waypoint that is reached may have to be held. */
FM_WHOLE void fm_helm_track(const fm_helm_craft *c, const fm_helm_view *v, fm_mask on, fm_par period, fm_helm_state *s,
                            fm_guide *g)
{
    const fm_helm *p = c->p;
    fm_los_params los_params;
    los_params.lookahead = p->lookahead, los_params.radius = p->radius, los_params.height = p->height;
    los_params.integral = p->integral, los_params.pass = p->pass;
    fm_waypoints list;
    list.points = c->points, list.count = (size_t)p->points, list.loop = p->loop;
    fm_waypoints_state next = s->list;
    fm_real from[3], point[3], speed, hold, zero = fm_const(0), one = fm_const(1);
    for (int k = 0; k < 3; k++)
        from[k] = fm_select(s->list.started > fm_const(0.5), s->list.from[k], v->position[k]);
    fm_waypoints_get(&list, s->list.target, point);
    fm_helm_leg_to(c, s->list.target, &speed, &hold);
    fm_los los = fm_waypoints_step(&list, &los_params, &next, v->position, period);
    fm_guide to = {one, one, one, zero, los.course, los.depth, speed, {zero, zero}};
    fm_guide_set(g, on, &to);
    fm_helm_note_square(s->track_error, on, fm_los_project(from, point, v->position).cross);
    fm_mask arrived = on & (next.reached > s->list.reached);
    const fm_real *kept = (const fm_real *)&next;
    fm_real *numbers = (fm_real *)&s->list;
    for (int k = 0; k < 8; k++)
        numbers[k] = fm_select(on, kept[k], numbers[k]);
    if (!fm_any(arrived))
        return;
    fm_helm_note(s->reached, arrived, s->list.reached);
    fm_mask last = (s->list.done > fm_const(0.5)) & (fm_const(p->hovers) > zero);
    fm_helm_hold(v, arrived & last, point, fm_const(FM_HUGE), s);
    fm_helm_hold(v, arrived & (last == 0) & (hold > zero), point, hold, s);
    s->heading = fm_select(arrived, los.track, s->heading);
}

FM_WHOLE void fm_helm_waypoints(const fm_helm_craft *c, const fm_helm_view *v, fm_par period, fm_helm_state *s,
                                fm_guide *g)
{
    const fm_helm *p = c->p;
    fm_real zero = fm_const(0), one = fm_const(1), half = fm_const(0.5), now = fm_const(v->time);
    fm_mask runs = (now < fm_real_wide(p->from)) == 0;
    s->holding = fm_select(runs & (now >= s->hold_until), zero, s->holding);
    fm_mask holds = runs & (s->holding > half), done = runs & (s->holding < half) & (s->list.done > half);
    fm_mask tracks = runs & (s->holding < half) & (s->list.done < half);
    if (fm_any(holds)) {
        fm_guide to = {one, one, zero, one, s->heading, s->place[2], zero, {s->place[0], s->place[1]}};
        fm_guide_set(g, holds, &to);
        fm_helm_note_square(s->station_error, holds & (now - s->hold_since >= fm_real_wide(p->settle)),
                            fm_helm_distance(s->place, v->position));
    }
    if (fm_any(done)) {
        fm_real speed, hold, last = fm_real_wide(c->points[p->points - 1][2]);
        fm_helm_leg_to(c, fm_const((fm_par)(p->points - 1)), &speed, &hold);
        fm_guide to = {one, one, one, zero, s->heading, last, speed, {zero, zero}};
        fm_guide_set(g, done, &to);
    }
    if (fm_any(tracks))
        fm_helm_track(c, v, tracks, period, s, g);
}

FM_WHOLE void fm_helm_station(const fm_helm_craft *c, const fm_helm_view *v, fm_helm_state *s, fm_guide *g)
{
    const fm_helm *p = c->p;
    fm_real zero = fm_const(0), one = fm_const(1), now = fm_const(v->time), place[3];
    fm_mask on = (now >= fm_real_wide(p->begins)) & (now < fm_real_wide(p->ends));
    *g = fm_guide_nothing();
    if (!fm_any(on))
        return;
    fm_mask first = on & (s->begun < fm_const(0.5));
    s->begun = fm_select(on, one, s->begun);
    s->since = fm_select(first, now, s->since);
    s->first_heading = fm_select(first, v->motion.euler[2], s->first_heading);
    for (int k = 0; k < 3; k++)
        place[k] = fm_real_wide(p->place[k]);
    fm_real heading = p->turned ? fm_real_wide(p->bearing) : s->first_heading;
    fm_guide to = {one, one, zero, one, heading, place[2], zero, {place[0], place[1]}};
    fm_guide_set(g, on, &to);
    fm_real off = fm_helm_distance(place, v->position);
    fm_helm_note_square(s->station_error, on & (now - s->since >= fm_real_wide(p->calms)), off);
    fm_helm_note(s->station_end, on, off);
    fm_helm_note(s->station_heading, on, fm_angle_wrap_pi(heading - v->motion.euler[2]));
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

FM_FN void fm_helm_follow(const fm_guide *g, fm_helm_wish *w)
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
        fm_helm_note_square(s->depth_error, always, w.orders.depth - v->position[2]);
    if (p->measures_heading)
        fm_helm_note_square(s->heading_error, always, fm_angle_wrap_pi(w.orders.heading - v->motion.euler[2]));
}

FM_FN int fm_helm_is_due(int32_t period, uint64_t tick)
{
    return period == 1 || tick % (uint64_t)period == 0;
}

/* Decides before the body moves; what it orders becomes the orders of the actuators. */
FM_FN void fm_helm_step_once(const fm_helm_craft *c, const fm_body *body, const fm_body_state *state,
                             const fm_real water[3], uint64_t tick, fm_helm_state *s, fm_actuator_state *actuators)
{
    const fm_helm *p = c->p;
    fm_helm_view v;
    fm_real R[9];
    fm_body_matrix(body, state->attitude, R);
    v.time = (fm_par)tick * c->dt;
    v.motion = fm_true_motion_of(R, state->velocity, water);
    for (int k = 0; k < 3; k++) {
        v.position[k] = state->position[k];
        v.velocity[k] = state->velocity[k];
    }
    for (int i = 0; i < FM_HELM_GUIDES; i++) {
        fm_par period = (fm_par)p->guide_periods[i] * c->dt;
        if (p->guides[i] == FM_GUIDE_NONE || !fm_helm_is_due(p->guide_periods[i], tick))
            continue;
        if (p->guides[i] == FM_GUIDE_MISSION)
            fm_helm_mission(c, v.time, period, s, &s->guides[i]);
        if (p->guides[i] == FM_GUIDE_WAYPOINTS)
            fm_helm_waypoints(c, &v, period, s, &s->guides[i]);
        if (p->guides[i] == FM_GUIDE_STATION)
            fm_helm_station(c, &v, s, &s->guides[i]);
    }
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
