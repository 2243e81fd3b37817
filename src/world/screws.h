/* Propellers between the steps, and delayed orders. */
#ifndef FM_WORLD_SCREWS_H
#define FM_WORLD_SCREWS_H

#include "world/world.h"

enum { FM_ACTUATORS_DELAYED = 64, FM_DELAY_MOST = 10000 }; /* actuators with dead times, and steps of one, at most */

/* Advances the shafts that have an inertia by one step of the vehicle; called before its actuators are advanced. */
void fm_screws_turn(fm_world *world, int slot);
/* Writes the thrust of each propeller in its inflow into the actuators' states; called after they are advanced. */
void fm_screws_report(fm_world *world, int slot);

/* While actuators are advanced, orders are those of the dead time ago; `given` keeps the present ones. */
void fm_delays_exchange(const fm_type *type, fm_vehicle *vehicle, uint64_t step, double *given);
void fm_delays_restore(const fm_type *type, fm_vehicle *vehicle, const double *given);

#endif
