/* <waypoints>: line of sight along a list of places, some of them held for a while. docs/theory/control.md (C6)-(C9),
 * (C20) */
#ifndef FM_CONTROL_ROUTE_H
#define FM_CONTROL_ROUTE_H

#include "control/guidance.h"
#include "control/guide.h"

/* Of the whole list; a record of physics/flat.h. */
typedef struct fm_route_params {
    int32_t pass, loop;  /* of fm_los_params, of fm_waypoints */
    int32_t hovers;      /* stays at the last; 0: carries on */
    fm_var lookahead;    /* m, of fm_los_params, as the next three */
    fm_var radius;       /* m */
    fm_var height;       /* m */
    fm_var integral;     /* 1/s */
    fm_var speed;        /* m/s, where a leg names none */
    fm_var from, settle; /* s: begins; measures a place this long after it was reached */
} fm_route_params;
enum { FM_ROUTE_INTEGERS = 3, FM_ROUTE_NUMBERS = 7 };

/* What belongs to a waypoint beside its position; a record too. */
typedef struct fm_route_leg {
    fm_var speed; /* m/s on the way to it; below 0: that of the list */
    fm_var hold;  /* s to keep the place */
} fm_route_leg;

typedef struct fm_route {
    const fm_route_params *p;
    const fm_var (*points)[3]; /* m: north, east, depth */
    const fm_route_leg *legs;
    int count; /* of points and legs; a list may be emptied in a run */
} fm_route;

/* State from decision to decision: only numbers. Zeroed = not begun. */
typedef struct fm_route_state {
    fm_waypoints_state list;
    fm_real hold_until;  /* s; a place is kept before it */
    fm_real hold_since;  /* s */
    fm_real position[3]; /* m, that is kept */
    fm_real heading;     /* rad, that is kept */
    fm_real holding;     /* 0 or 1 */
} fm_route_state;
enum { FM_ROUTE_KEPT = 8 + 7 };

/* Outputs of a decision besides its orders. */
typedef struct fm_route_told {
    fm_mask tracked;        /* on a leg: */
    fm_real from[3], to[3]; /* m, NED */
    fm_real cross;          /* m, true cross-track error, > 0 to starboard */
    fm_mask arrived;        /* at the end of the leg */
    fm_mask settled;        /* keeps a place, after its settling time: */
    fm_real away;           /* m, truly, from the place */
} fm_route_told;

/* The leg to a waypoint with this (whole) number, lane by lane. */
FM_FN void fm_route_leg_to(const fm_route *r, fm_real index, fm_real *speed, fm_real *hold)
{
    *speed = *hold = fm_const(0);
    for (int i = 0; i < r->count; i++) {
        const fm_mask mine = fm_abs(index - fm_const((fm_par)i)) < fm_const(0.5);
        fm_real own = fm_real_wide(r->legs[i].speed);
        own = fm_select(own >= fm_const(0), own, fm_real_wide(r->p->speed));
        *speed = fm_select(mine, own, *speed);
        *hold = fm_select(mine, fm_real_wide(r->legs[i].hold), *hold);
    }
}

FM_FN void fm_route_hold(const fm_guide_view *v, fm_mask where, const fm_real point[3], fm_real duration,
                         fm_route_state *s)
{
    const fm_real now = fm_const(v->time);
    s->holding = fm_select(where, fm_const(1), s->holding);
    s->hold_since = fm_select(where, now, s->hold_since);
    s->hold_until = fm_select(where, now + duration, s->hold_until);
    fm_guide_put(where, 3, point, s->position);
}

FM_FN void fm_route_keep(const fm_route *r, const fm_guide_view *v, fm_mask holds, const fm_route_state *s,
                         fm_guidance *g, fm_route_told *told)
{
    const fm_guidance to = fm_guidance_to_stay(s->heading, s->position, fm_guidance_distance(s->position, v->position));
    fm_guidance_set(g, holds, &to);
    told->settled = holds & (fm_const(v->time) - s->hold_since >= fm_real_wide(r->p->settle));
    told->away = fm_guidance_distance(s->position, v->truth);
}

/* After the last waypoint: on along the last course. */
FM_FN void fm_route_carry_on(const fm_route *r, fm_mask done, const fm_route_state *s, fm_guidance *g)
{
    fm_real speed, hold;
    fm_route_leg_to(r, fm_const((fm_par)(r->count - 1)), &speed, &hold);
    const fm_guidance to = fm_guidance_to_run(s->heading, fm_real_wide(r->points[r->count - 1][2]), speed, fm_const(0));
    fm_guidance_set(g, done, &to);
}

/* One step along the list where `on` holds; a waypoint that is reached may have to be held. */
FM_WHOLE void fm_route_track(const fm_route *r, const fm_guide_view *v, fm_mask on, fm_par period, fm_route_state *s,
                             fm_guidance *g, fm_route_told *told)
{
    const fm_route_params *p = r->p;
    fm_los_params los_params;
    los_params.lookahead = p->lookahead, los_params.radius = p->radius, los_params.height = p->height;
    los_params.integral = p->integral, los_params.pass = p->pass;
    fm_waypoints list;
    list.points = r->points, list.count = (size_t)r->count, list.loop = p->loop;
    fm_waypoints_state next = s->list;
    fm_real speed, hold, zero = fm_const(0);
    for (int k = 0; k < 3; k++) /* of the leg, which arriving replaces */
        told->from[k] = fm_select(s->list.started > fm_const(0.5), s->list.from[k], v->position[k]);
    fm_waypoints_get(&list, s->list.target, told->to);
    fm_route_leg_to(r, s->list.target, &speed, &hold);
    const fm_los los = fm_waypoints_step(&list, &los_params, &next, v->position, period);
    const fm_guidance to = fm_guidance_to_run(los.course, los.depth, speed, los.cross);
    fm_guidance_set(g, on, &to);
    told->tracked = on;
    told->cross = fm_los_project(told->from, told->to, v->truth).cross;
    told->arrived = on & (next.reached > s->list.reached);
    fm_guide_put(on, 8, next.from, s->list.from);
    if (!fm_any(told->arrived))
        return;
    const fm_mask last = (s->list.done > fm_const(0.5)) & (fm_const(p->hovers) > zero);
    fm_route_hold(v, told->arrived & last, told->to, fm_const(FM_HUGE), s);
    fm_route_hold(v, told->arrived & (last == 0) & (hold > zero), told->to, hold, s);
    s->heading = fm_select(told->arrived, los.track, s->heading);
}

/* Without waypoints: hovers at its place, or leaves the orders unchanged. */
FM_FN void fm_route_rest(const fm_route *r, const fm_guide_view *v, fm_mask runs, fm_route_state *s)
{
    const fm_mask begins = runs & (s->holding < fm_const(0.5));
    if (!r->p->hovers)
        return;
    s->heading = fm_select(begins, v->heading, s->heading);
    fm_route_hold(v, begins, v->position, fm_const(FM_HUGE), s);
}

/* One decision: orders and outputs. */
FM_WHOLE void fm_route_step(const fm_route *r, const fm_guide_view *v, fm_par period, fm_route_state *s, fm_guidance *g,
                            fm_route_told *told)
{
    const fm_real half = fm_const(0.5), now = fm_const(v->time);
    const fm_mask runs = (now < fm_real_wide(r->p->from)) == 0;
    told->tracked = told->arrived = told->settled = half < half;
    s->holding = fm_select(runs & (now >= s->hold_until), fm_const(0), s->holding);
    if (!r->count)
        fm_route_rest(r, v, runs, s);
    const fm_mask holds = runs & (s->holding > half), goes = runs & (s->holding < half);
    const fm_mask done = goes & (s->list.done > half), tracks = goes & (s->list.done < half);
    if (fm_any(holds))
        fm_route_keep(r, v, holds, s, g, told);
    if (!r->count)
        return;
    if (fm_any(done))
        fm_route_carry_on(r, done, s, g);
    if (fm_any(tracks))
        fm_route_track(r, v, tracks, period, s, g, told);
}

#endif
