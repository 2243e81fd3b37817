/* What a vehicle of a batch has beside its body: instruments and navigation, an autopilot with its guidances, one that
 * follows the bottom, a turn that is measured, what it may touch; and the diving model in place of a body. One kernel
 * for lanes and for a GPU, in the order in which a world runs it. */
#ifndef FM_PHYSICS_CHAIN_H
#define FM_PHYSICS_CHAIN_H

#include "physics/flat_chain.h"
#include "physics/surroundings.h"

/* All of it as a step reads it. */
typedef struct fm_chain_craft {
    const fm_turn_record *turn; /* NULL: none */
    fm_suite_craft suite;       /* p NULL: none */
    fm_helm_craft pilot;        /* p NULL: none */
    fm_ground_craft ground;     /* p NULL: none */
    const fm_follower *follower;
    const fm_diver *diver;
    fm_par dt; /* s of a step */
} fm_chain_craft;

/* What is kept from step to step: numbers alone. */
typedef struct fm_chain_kept {
    fm_helm_state pilot;
    fm_turn_kept turn;
    fm_follower_kept follower;
    fm_touch_kept touch;
    fm_diver_words words; /* the last: they are given at the start */
} fm_chain_kept;
enum {
    FM_CHAIN_WORDS = FM_HELM_KEPT + FM_TURN_NUMBERS + FM_FOLLOWER_KEPT + FM_TOUCH_KEPT,
    FM_CHAIN_KEPT = FM_CHAIN_WORDS + 3
};

static_assert(sizeof(fm_chain_kept) == FM_CHAIN_KEPT * sizeof(fm_real), "numbers alone");

typedef struct fm_chain_state {
    fm_chain_craft craft;
    fm_chain_kept kept;
    fm_suite_kept suite; /* rows of its own, where there is one */
} fm_chain_state;

/* Whose noise is drawn, and when. */
typedef fm_feeler_moment fm_chain_moment;

FM_FN fm_chain_craft fm_flat_chain(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_chain_craft c;
    c.dt = (fm_par)flat->step_s;
    c.suite = fm_flat_suite(flat);
    c.pilot = fm_flat_pilot(flat);
    c.ground = fm_flat_ground(flat);
    c.turn = (const fm_turn_record *)(const void *)(block + flat->at[FM_FLAT_TURN]);
    c.follower = (const fm_follower *)(const void *)(block + flat->at[FM_FLAT_FOLLOWER]);
    c.diver = (const fm_diver *)(const void *)(block + flat->at[FM_FLAT_DIVER]);
    if (!flat->count[FM_FLAT_SUITE])
        c.suite.p = NULL;
    if (!flat->count[FM_FLAT_PILOT])
        c.pilot.p = NULL;
    if (!flat->count[FM_FLAT_TURN])
        c.turn = NULL;
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

FM_FN void fm_chain_begin(fm_chain_state *c, const fm_body *body, const fm_body_state *state, const fm_real water[3])
{
    fm_real *numbers = (fm_real *)&c->kept;
    for (int i = 0; i < FM_CHAIN_WORDS; i++)
        numbers[i] = fm_const(0);
    if (c->craft.suite.p)
        fm_suite_begin(&c->craft.suite, body, state, water, &c->suite);
    fm_touch_begin(&c->craft.ground, body, state, &c->kept.touch);
}

/* What an autopilot asks for, m above the bottom. */
FM_FN fm_real fm_chain_altitude(const fm_chain_state *c, const fm_body_state *state)
{
    const fm_ground_craft *ground = &c->craft.ground;
    if (!c->craft.pilot.p || !c->craft.pilot.p->rises || !ground->p || ground->p->kind == FM_GROUND_NONE)
        return fm_const(FM_HUGE);
    return fm_ground_depth(ground, state->position[0], state->position[1]) - state->position[2];
}

/* Before the body moves. */
FM_FN void fm_chain_step(fm_chain_state *c, const fm_body *body, const fm_body_state *state, const fm_real water[3],
                         const fm_chain_moment *now, fm_actuator_state *actuators)
{
    const fm_suite_craft *n = &c->craft.suite;
    const fm_real altitude = fm_chain_altitude(c, state);
    if (n->p) {
        fm_mask unclear = fm_suite_step(n, body, state, water, altitude, now->seeds, now->tick, &c->suite);
        c->kept.touch.doubt = fm_select(unclear, fm_const(1), c->kept.touch.doubt);
    }
    if (c->craft.pilot.p)
        fm_helm_step_once(&c->craft.pilot, body, state, water, altitude, now->tick,
                          n->p && n->p->believed ? &c->suite.estimate : NULL, &c->kept.pilot, actuators);
    if (c->craft.follower)
        fm_follower_step(c->craft.follower, &c->craft.ground, body, state, water, now->tick, c->craft.dt,
                         &c->kept.follower, actuators);
    if (c->craft.turn)
        fm_turn_record_step(c->craft.turn, body, state, now->tick, c->craft.dt, &c->kept.turn);
}

/* Whether it moves the vehicle itself, in place of a body: the diving model. */
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

/* After the body has moved from `before`. */
FM_FN void fm_chain_conclude(fm_chain_state *c, const fm_body *body, const fm_real before[3],
                             const fm_body_state *state, uint64_t tick)
{
    if (c->craft.ground.p)
        fm_touch_conclude(&c->craft.ground, body, before, state, tick, &c->kept.touch);
}

#endif
