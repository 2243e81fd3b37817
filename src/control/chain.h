/* What a vehicle of a batch has beside its body: instruments and navigation, an autopilot with its guidances, one that
 * follows the bottom, laws; and the diving model in place of a body. Its parts run in file order, one link each
 * (control/link.h), as a world runs them. */
#ifndef FM_CONTROL_CHAIN_H
#define FM_CONTROL_CHAIN_H

#include "control/feeler.h"
#include "control/flat_chain.h"
#include "control/law_link.h"
#include "control/link.h"
#include "forces/surroundings.h"

/* All of it as a step reads it. */
typedef struct fm_chain_craft {
    fm_law_craft laws;
    fm_suite_craft suite;   /* p NULL: none */
    fm_helm_craft pilot;    /* p NULL: none */
    fm_ground_craft ground; /* p NULL: none */
    const fm_follower *follower;
    const fm_diver *diver;
    fm_par dt; /* s of a step */
} fm_chain_craft;

/* State from step to step: only numbers. */
typedef struct fm_chain_kept {
    fm_helm_state pilot;
    fm_follower_kept follower;
    fm_diver_words words; /* the last: they are given at the start */
} fm_chain_kept;
enum { FM_CHAIN_WORDS = FM_HELM_KEPT + FM_FOLLOWER_KEPT, FM_CHAIN_KEPT = FM_CHAIN_WORDS + 3 };

static_assert(sizeof(fm_chain_kept) == FM_CHAIN_KEPT * sizeof(fm_real), "numbers alone");

typedef struct fm_chain_state {
    fm_chain_craft craft;
    fm_chain_kept kept;
    fm_suite_kept suite;       /* rows of its own, where there is one */
    fm_real laws[FM_LAW_KEPT]; /* the same of laws */
} fm_chain_state;

FM_FN fm_chain_craft fm_flat_chain(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_chain_craft c;
    c.dt = (fm_par)flat->step_s;
    c.laws = fm_flat_laws(flat);
    c.suite = fm_flat_suite(flat);
    c.pilot = fm_flat_pilot(flat);
    c.ground = fm_flat_ground(flat);
    c.follower = (const fm_follower *)(const void *)(block + flat->at[FM_FLAT_FOLLOWER]);
    c.diver = (const fm_diver *)(const void *)(block + flat->at[FM_FLAT_DIVER]);
    if (!flat->count[FM_FLAT_SUITE])
        c.suite.p = NULL;
    if (!flat->count[FM_FLAT_PILOT])
        c.pilot.p = NULL;
    if (!flat->count[FM_FLAT_FOLLOWER])
        c.follower = NULL;
    if (!flat->count[FM_FLAT_DIVER])
        c.diver = NULL;
    return c;
}

/* Numbers that a navigation keeps. */
FM_FN uint32_t fm_flat_suite_rows(const fm_flat *flat)
{
    return flat->count[FM_FLAT_SUITE] ? fm_suite_rows(flat->count[FM_FLAT_INSTRUMENTS]) : 0;
}

/* Whether the kernel with chains has to move it: it has parts beside those that feel walls, or what is around it
 * differs from place to place. */
static inline int fm_flat_needs_chain(const fm_flat *flat)
{
    return fm_flat_has_chain(flat) || flat->count[FM_FLAT_SUITE] || flat->count[FM_FLAT_LAWS] ||
           (flat->count[FM_FLAT_GROUND] && !flat->count[FM_FLAT_FEELER]) || fm_flat_has_surroundings(flat) ||
           fm_flat_stirs(flat);
}

FM_FN void fm_chain_begin(fm_chain_state *c, const fm_body *body, const fm_body_state *state, const fm_real water[3])
{
    fm_real *numbers = (fm_real *)&c->kept;
    for (int i = 0; i < FM_CHAIN_WORDS; i++)
        numbers[i] = fm_const(0);
    for (int i = 0; i < FM_LAW_KEPT; i++)
        c->laws[i] = fm_const(0);
    if (c->craft.suite.p)
        fm_suite_begin(&c->craft.suite, body, state, water, &c->suite);
}

/* What an autopilot asks for, m above the bottom. */
FM_FN fm_real fm_chain_altitude(const fm_chain_state *c, const fm_body_state *state)
{
    const fm_ground_craft *ground = &c->craft.ground;
    if (!c->craft.pilot.p || !c->craft.pilot.p->rises || !ground->p || ground->p->kind == FM_GROUND_NONE)
        return fm_const(FM_HUGE);
    return fm_ground_depth(ground, state->position[0], state->position[1]) - state->position[2];
}

/* What links see of one step. */
typedef struct fm_chain_view {
    const fm_body_state *state;
    const fm_step_moment *now;
    fm_suite_view vehicle;
} fm_chain_view;

/* The vehicle before its parts decide: its instruments measure. `doubt` becomes 1 where only a world can tell what they
 * see. */
FM_FN void fm_chain_look(fm_chain_state *c, const fm_body *body, const fm_body_state *state, const fm_real water[3],
                         const fm_step_moment *now, fm_real *doubt, fm_chain_view *v)
{
    v->state = state;
    v->now = now;
    v->vehicle.seeds = now->seeds;
    v->vehicle.tick = now->tick;
    fm_suite_observe(body, state, water, fm_chain_altitude(c, state), &v->vehicle);
    if (!c->craft.suite.p)
        return;
    fm_suite_feel(&c->craft.suite, &v->vehicle, &c->suite);
    *doubt = fm_select(v->vehicle.doubt, fm_const(1), *doubt);
}

/* One link that is due. */
FM_FN void fm_chain_run(fm_chain_state *c, const fm_link *link, const fm_chain_view *v, fm_actuator_state *actuators)
{
    const fm_chain_craft *craft = &c->craft;
    const fm_par time = (fm_par)v->now->tick * craft->dt, period = (fm_par)link->period * craft->dt;
    const fm_estimate *truth = &v->vehicle.truth, *believed = link->believes ? &c->suite.estimate : truth;
    switch (link->id) {
    case FM_LINK_LAW:
        fm_law_link(&craft->laws, link, v->state, truth->euler, v->now, craft->dt, c->laws, actuators);
        break;
    case FM_LINK_NAVIGATION: fm_suite_reckon(&craft->suite, &v->vehicle, &c->suite); break;
    case FM_LINK_MISSION:
    case FM_LINK_WAYPOINTS:
    case FM_LINK_STATION:
        fm_helm_guide(&craft->pilot, link->id, link->at, time, period, believed, truth, &c->kept.pilot);
        break;
    case FM_LINK_AUTOPILOT:
        fm_helm_decide(&craft->pilot, link->at, period, believed, truth, &c->kept.pilot, actuators);
        break;
    case FM_LINK_AVOID:
        c->kept.pilot.guides[link->at] =
            fm_follower_avoid(craft->follower, &craft->ground, truth, period, &c->kept.follower);
        break;
    case FM_LINK_BOTTOM_FOLLOWING:
        fm_follower_step(craft->follower, &craft->ground, truth, time, c->kept.pilot.guides, link->at,
                         &c->kept.follower, actuators);
        break;
    default: break;
    }
}

/* Whether it moves the vehicle itself, instead of a body: the diving model. */
FM_FN int fm_chain_moves(const fm_chain_state *c)
{
    return c->craft.diver != NULL;
}

FM_FN void fm_chain_move(fm_chain_state *c, const fm_surroundings *surroundings, const fm_craft *craft,
                         const fm_real *fin, fm_real charge, fm_body_state *state)
{
    fm_diver_step(c->craft.diver, fin[1], charge, surroundings, &craft->body, craft->substeps, craft->step_s,
                  &c->kept.words, state);
}

#endif
