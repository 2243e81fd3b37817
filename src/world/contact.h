/* Contact: shapes of vehicles in the world, and what happens where they meet something solid. */
#ifndef FM_WORLD_CONTACT_H
#define FM_WORLD_CONTACT_H

#include "world/world.h"

/* Every model has it; without config and words. */
extern const fm_subsystem fm_contact_subsystem;
/* What is remembered of a slot's contacts beside its record: it has another vehicle, or another moment's. */
void fm_contact_forget(fm_world *world, int slot);
/* Distance of the hull, as it is now, to obstacles and bottom: what min_clearance would be if this were the nearest, m;
 * infinite: nothing is near. */
double fm_contact_clearance(fm_world *world, int slot);
/* How many pairs of vehicles may be near each other at a time; 0: no two have shapes. */
size_t fm_contact_pair_room(const fm_world *world);
size_t fm_contact_bytes(const fm_world *world, int slot);
/* The shapes that the stage `place` has placed; never NULL. Valid until a vehicle is removed: it names slots. */
const fm_bodies *fm_world_bodies(const fm_world *world);
/* No hulls at all: what parts see while their vehicle is started. */
const fm_bodies *fm_world_no_bodies(void);

#endif
