/* The roll of a world: which slot holds the vehicle of a name. Derived from the state, kept by fm_slot_refresh. */
#ifndef FM_WORLD_ROLL_H
#define FM_WORLD_ROLL_H

#include "world/world.h"

fm_status fm_roll_create(fm_world *world, fm_error *error);
void fm_roll_free(fm_world *world);
/* The slot's place in the roll is that of the vehicle which it holds now, if any. */
void fm_roll_note(fm_world *world, int slot);
/* The slot of that name; -1: none. */
int fm_roll_find(const fm_world *world, const char *name);

#endif
