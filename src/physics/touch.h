/* A hull and its possible contacts, after each step: its clearance, contacts that end a run, the crush depth, and cases
 * that only a world can continue. */
#ifndef FM_PHYSICS_TOUCH_H
#define FM_PHYSICS_TOUCH_H

#include "physics/body.h"
#include "physics/ground.h"

#define FM_TOUCH_EVEN 1e-11 /* m: which of two distances is less only a world knows where they differ by less */
#define FM_TOUCH_SURE 1e-8  /* m: a contact for certain is nearer by this */
#define FM_TOUCH_NEAR 0.01  /* m: what is not known exactly is left to a world from here on */

/* State from step to step: only numbers. */
typedef struct fm_touch_kept {
    fm_real contacts, over, doubt; /* onsets; 1: the run has ended; 1: only a world can tell how it goes on */
    fm_real clearance, tied;       /* m, least so far; 1: at several places, but for rounding */
    fm_real step, pose[7];         /* when and where that was: steps before, position, attitude */
    fm_real round;                 /* m, to what is round, before the step */
} fm_touch_kept;
enum { FM_TOUCH_KEPT = 5 + 8 + 1 };

/* One look around. */
typedef struct fm_touch_search {
    fm_hull_pose at;
    fm_real moved, turn, speed; /* m and rad in the step, m/s */
    fm_real least, dim, round;  /* m: known distances, bounds of others, known ones to what is round */
    fm_real contacts;
    fm_mask doubt;
} fm_touch_search;

/* Data about the distances of an object. */
typedef struct fm_touch_thing {
    int flat, moves;
    fm_real known, dim; /* m: distance, or what it is not less than */
    fm_real slack;      /* m: how far the two may go in two steps */
    fm_real radius;     /* m, of a round one: no sharper is its surface */
} fm_touch_thing;

/* A distance that nothing within the step was below. To a flat thing it is the one at its end, but for the turn of the
 * hull. To a round one it is too where the hull comes nearer by more than the surface can bend back; else between two
 * distances, d before and e after, it is (d + e − way)/2 or more. */
FM_FN fm_real fm_touch_lowest(const fm_ground *p, const fm_touch_kept *s, const fm_touch_thing *t,
                              const fm_touch_search *l)
{
    const fm_real reach = fm_real_wide(p->reach), last = t->known - l->turn * l->turn * reach;
    if (t->flat)
        return last;
    const fm_real turned = fm_const(1.5) * l->turn * reach, way = l->moved + turned;
    const fm_mask comes = s->round - t->known > way * way / t->radius + turned;
    return fm_min(fm_select(comes, last, fm_const(0.5) * (s->round + t->known - way)), t->known);
}

/* One thing. One that moves on a track is left to a world where it is near. */
FM_FN void fm_touch_add(const fm_ground *p, const fm_touch_kept *s, const fm_touch_thing *t, fm_touch_search *l)
{
    const fm_real touch = fm_real_wide(p->touch), near = fm_const(FM_TOUCH_NEAR) + t->slack;
    const fm_mask touched = t->known < touch - fm_const(FM_TOUCH_SURE);
    const fm_mask close = fm_touch_lowest(p, s, t, l) < touch + fm_const(1e-6);
    l->doubt = l->doubt | (t->dim < near) | (t->moves ? t->known < near : p->ends ? close & (touched == 0) : close);
    l->contacts += fm_select(touched, fm_const(1), fm_const(0));
    l->least = fm_min(l->least, t->known);
    l->dim = fm_min(l->dim, t->dim);
    if (!t->flat)
        l->round = fm_min(l->round, t->known);
}

/* Whether the hull may meet an edge: of a box, or by a ball the rim of a column. */
FM_FN int fm_touch_is_edged(const fm_ground_craft *c, const fm_ground_solid *solid)
{
    int balls = 0;
    for (int i = 0; i < c->p->shapes; i++)
        balls |= c->shapes[i].kind == FM_SOLID_BALL;
    return solid->kind == FM_SOLID_BOX || (solid->kind == FM_SOLID_CYLINDER && balls);
}

FM_WHOLE void fm_touch_solid(const fm_ground_craft *c, const fm_ground_solid *solid, fm_par time,
                             const fm_touch_kept *s, fm_touch_search *l)
{
    const fm_real huge = fm_const(FM_HUGE);
    const fm_real slack = fm_const(2 * c->dt) * (l->speed + fm_real_wide(solid->speed));
    fm_real known = huge, dim = huge, centre[3];
    fm_solid_where(solid, c->tracks, time, centre);
    for (int i = 0; i < c->p->shapes; i++) {
        fm_mask unsure;
        const fm_real gap = fm_hull_gap(&c->shapes[i], &l->at, solid, centre, &unsure);
        known = fm_min(known, fm_select(unsure, huge, gap));
        dim = fm_min(dim, fm_select(unsure, gap, huge));
    }
    fm_touch_thing thing = {solid->kind == FM_SOLID_PLANE, solid->points > 0, known, dim, slack, fm_const(1)};
    if (!thing.flat)
        thing.radius = fm_const(fm_touch_is_edged(c, solid) ? (fm_par)FM_TINY : 1) * fm_real_wide(solid->size[0]);
    fm_touch_add(c->p, s, &thing, l);
}

FM_WHOLE void fm_touch_bottom(const fm_ground_craft *c, const fm_touch_kept *s, fm_touch_search *l)
{
    const fm_ground *p = c->p;
    const fm_real slack = fm_const(2 * c->dt) * l->speed, huge = fm_const(FM_HUGE);
    if (!fm_ground_is_flat(p)) {
        l->doubt = l->doubt | fm_ground_may_touch(c, l->at.position, p->reach + fm_const(FM_TOUCH_NEAR) + slack);
        return;
    }
    fm_real up[3], known = huge, dim = huge;
    for (int k = 0; k < 3; k++)
        up[k] = fm_real_wide(p->up[k]);
    for (int i = 0; i < p->shapes; i++) {
        fm_real middle[3];
        fm_hull_centre(&c->shapes[i], &l->at, middle);
        middle[2] -= fm_real_wide(p->depth);
        const fm_real gap = fm_dot(middle, up) - fm_hull_reach(&c->shapes[i], &l->at, up);
        if (c->shapes[i].kind == FM_SOLID_WITHIN)
            dim = fm_min(dim, gap);
        else
            known = fm_min(known, gap);
    }
    const fm_touch_thing thing = {1, 0, known, dim, slack, huge};
    fm_touch_add(p, s, &thing, l);
}

/* `before`: where the body was; time: now, s. */
FM_FN fm_touch_search fm_touch_find(const fm_ground_craft *c, const fm_body *body, const fm_real before[3],
                                    const fm_body_state *state, fm_par time, const fm_touch_kept *s)
{
    fm_touch_search l;
    fm_real way[3];
    fm_body_matrix(body, state->attitude, l.at.R);
    for (int k = 0; k < 3; k++) {
        l.at.position[k] = state->position[k];
        way[k] = state->position[k] - before[k];
    }
    l.moved = fm_norm(way);
    l.speed = fm_norm(state->velocity);
    l.turn = fm_norm(state->velocity + 3) * c->dt;
    l.least = l.dim = l.round = fm_const(FM_HUGE);
    l.contacts = fm_const(0);
    l.doubt = fm_const(0) > fm_const(0);
    for (int i = 0; i < c->p->solids; i++)
        fm_touch_solid(c, &c->solids[i], time, s, &l);
    if (c->p->kind != FM_GROUND_NONE)
        fm_touch_bottom(c, s, &l);
    return l;
}

/* The minimum clearance and its position. */
FM_FN void fm_touch_clear(const fm_touch_search *l, const fm_body_state *state, fm_par step, fm_touch_kept *s)
{
    const fm_real one = fm_const(1), zero = fm_const(0);
    const fm_mask nearer = l->least < s->clearance;
    const fm_real even = fm_select(fm_abs(l->least - s->clearance) < fm_const(FM_TOUCH_EVEN), one, zero);
    s->tied = fm_select(nearer, even, fm_max(s->tied, even));
    s->clearance = fm_select(nearer, l->least, s->clearance);
    s->step = fm_select(nearer, fm_const(step), s->step);
    for (int k = 0; k < 3; k++)
        s->pose[k] = fm_select(nearer, state->position[k], s->pose[k]);
    for (int k = 0; k < 4; k++)
        s->pose[3 + k] = fm_select(nearer, state->attitude[k], s->pose[3 + k]);
    s->doubt = fm_select(l->dim < s->clearance, one, s->doubt);
}

/* After a step with this number. The effect of a contact on a hull is known only to a world, unless it ends the run. */
FM_FN void fm_touch_conclude(const fm_ground_craft *c, const fm_body *body, const fm_real before[3],
                             const fm_body_state *state, uint64_t tick, fm_touch_kept *s)
{
    const fm_ground *p = c->p;
    const fm_real one = fm_const(1);
    if (p->touches) {
        const fm_touch_search l = fm_touch_find(c, body, before, state, (fm_par)(tick + 1) * c->dt, s);
        s->round = l.round;
        s->doubt = fm_select(l.doubt, one, s->doubt);
        s->contacts += l.contacts;
        if (p->clearance)
            fm_touch_clear(&l, state, (fm_par)tick, s);
        if (p->ends)
            s->over = fm_select(l.contacts > fm_const(0), one, s->over);
    }
    if (p->crushes)
        s->over = fm_select(state->position[2] > fm_real_wide(p->crush), one, s->over);
}

FM_FN void fm_touch_begin(const fm_ground_craft *c, const fm_body *body, const fm_body_state *state, fm_touch_kept *s)
{
    fm_real *numbers = (fm_real *)s;
    for (int i = 0; i < FM_TOUCH_KEPT; i++)
        numbers[i] = fm_const(0);
    s->clearance = s->round = fm_const(FM_HUGE);
    if (!c->p || !c->p->touches)
        return;
    const fm_touch_search l = fm_touch_find(c, body, state->position, state, 0, s);
    s->round = l.round;
    s->doubt = fm_select(l.doubt | (l.contacts > fm_const(0)), fm_const(1), fm_const(0));
}

#endif
