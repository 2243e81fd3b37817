/* Contact: shapes of vehicles in the world, and what happens where they meet something solid. */
#ifndef FM_WORLD_CONTACT_H
#define FM_WORLD_CONTACT_H

#include "world/world.h"

fm_status fm_contact_create(fm_world *world, fm_error *error);
void fm_contact_free(fm_world *world);
/* Puts the shapes of all vehicles and moving obstacles where they are now. */
void fm_contact_place_bodies(fm_world *world);
/* Keeps the poses of the step's start, for `restore` and for fast movers. */
void fm_contact_remember(fm_world *world);
/* What is remembered of a slot's contacts beside its record: it has another vehicle, or another moment's. */
void fm_contact_forget(fm_world *world, int slot);
/* Distance of the hull, as it is now, to obstacles and bottom: what min_clearance would be if this were the nearest, m;
 * infinite: nothing is near. */
double fm_contact_clearance(fm_world *world, int slot);
size_t fm_contact_bytes(const fm_world *world, int slot);
/* FM_ERR_FULL where the last stage met more than it has room for. */
fm_status fm_contact_check(const fm_world *world, fm_error *error);
/* What fm_contact_place_bodies has placed; never NULL. Valid until a vehicle is removed: it names slots. */
const fm_bodies *fm_world_bodies(const fm_world *world);
/* No hulls at all: what parts see while their vehicle is started. */
const fm_bodies *fm_world_no_bodies(void);
/* Drops what fm_contact_place_bodies has placed: the state is of another moment. */
void fm_contact_clear_bodies(fm_world *world);

#endif
