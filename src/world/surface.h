/* What is at the surface: one definition for instruments, protocols and events.
 *
 *   floats     a type that lies in the water at rest with less than nine tenths of its hull: boat, ship, buoy
 *   surfaced   some part of the hull is out of the water now, of a boat as of a diver
 *   dry        the antenna is above the water: satellites and radio reach it. The antenna is that of the first <gps>,
 * or a mast above the top of the hull */
#ifndef FM_WORLD_SURFACE_H
#define FM_WORLD_SURFACE_H

#include "world/world.h"

#define FM_ANTENNA_MAST 0.2      /* m above the top of the hull, where the file does not say */
#define FM_KEEL_DEPTH 0.1        /* m below the bottom of a boat: where its transducers are, the same */
#define FM_WHOLLY_WET (1 - 1e-6) /* of the hull's volume: from here on it counts as submerged */

int fm_type_floats(const fm_type *type);
/* Minimum and maximum body z of the hull, m; both 0 if the type has no hull. */
void fm_type_extent(const fm_type *type, double *top, double *bottom);
/* Body axes, m. */
void fm_type_antenna(const fm_type *type, double point[3]);

/* The fraction of the hull that is under water if the sea is level; 1 without a hull. */
double fm_slot_wet(const fm_world *world, int slot);
int fm_slot_antenna_dry(const fm_world *world, int slot);

#endif
