/* Finds the slot of a vehicle by name. Derived from the state, updated by fm_slot_refresh. */
#ifndef FM_WORLD_VEHICLE_NAMES_H
#define FM_WORLD_VEHICLE_NAMES_H

#include "world/world.h"

fm_status fm_vehicle_names_create(fm_world *world, fm_error *error);
void fm_vehicle_names_free(fm_world *world);
/* Enters the vehicle in the slot, if any, under its name. */
void fm_vehicle_names_note(fm_world *world, int slot);
/* The slot of that name; -1: none. */
int fm_vehicle_names_find(const fm_world *world, const char *name);
/* Fails with FM_ERR_NAME and the most similar names. */
fm_status fm_world_no_vehicle(const fm_world *world, const char *name, fm_error *error);

#endif
