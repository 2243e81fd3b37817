/* Contact: shapes of vehicles in the world, and the response when they meet something solid. */
#ifndef FM_WORLD_CONTACT_H
#define FM_WORLD_CONTACT_H

#include "physics/glide.h"
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
/* Where a vehicle may be without touching anything or being near another. */
void fm_contact_bounds(const fm_world *world, int slot, fm_glide_bounds *out);
size_t fm_contact_bytes(const fm_world *world, int slot);
/* The shapes placed by the stage `place`; never NULL. Valid until a vehicle is removed, since it refers to slots. */
const fm_bodies *fm_world_bodies(const fm_world *world);
/* No hulls at all: the view of parts while their vehicle is started. */
const fm_bodies *fm_world_no_bodies(void);

#endif
