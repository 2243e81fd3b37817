/* Contact: shapes of vehicles in the world, and the response when they meet something solid. */
#ifndef FM_WORLD_CONTACT_H
#define FM_WORLD_CONTACT_H

#include "world/world.h"

/* Every model has it; without config and words. */
extern const fm_subsystem fm_contact_subsystem;
/* Discards the contact data of a slot beside its record: it has another vehicle, or the state was replaced. */
void fm_contact_forget(fm_world *world, int slot);
/* Distance of the hull, as it is now, to obstacles and bottom: the value of min_clearance if this were the minimum, m;
 * infinite: nothing is near. */
double fm_contact_clearance(fm_world *world, int slot);
/* How many pairs of vehicles may be near each other at a time; 0: no two have shapes. */
size_t fm_contact_pair_room(const fm_world *world);
/* Does no vehicle touch anything, and is none near another? */
bool fm_contact_is_free(const fm_world *world);
/* The first of `ticks` ticks after which a vehicle that goes from states[0] to states[ticks] might touch something. */
uint64_t fm_contact_stays_free(const fm_world *world, int slot, const fm_body_state *states, uint64_t ticks);
size_t fm_contact_bytes(const fm_world *world, int slot);
/* The shapes placed by the stage `place`; never NULL. Valid until a vehicle is removed, since it refers to slots. */
const fm_bodies *fm_world_bodies(const fm_world *world);
/* No hulls at all: the view of parts while their vehicle is started. */
const fm_bodies *fm_world_no_bodies(void);

#endif
