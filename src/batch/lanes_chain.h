/* What the vehicles of a batch have beside their bodies, in lanes: what steers them, what is measured, what may be
 * touched. A world's order: sense, decide, move, touch. */
#ifndef FM_BATCH_LANES_CHAIN_H
#define FM_BATCH_LANES_CHAIN_H

#include "control/allocation.h"
#include "physics/chain.h"
#include "physics/stirred.h"

static void fm_chain_open(const fm_flat *flat, fm_chain_state *c)
{
    c->craft = fm_flat_chain(flat);
    c->craft.pilot.thrusters.solve = fm_allocation_solve;
}

#endif
