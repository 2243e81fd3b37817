/* Running the parts of vehicles: sensors, controllers, force terms. */
#ifndef FM_WORLD_PARTS_H
#define FM_WORLD_PARTS_H

#include "world/world.h"

/* Adds the force terms of a vehicle to force[6]: N, N·m, body axes. */
void fm_parts_add_forces(fm_world *world, int slot, double *force, double *air_force);
/* Calls the start function of every part of a new vehicle. */
void fm_parts_start(fm_world *world, int slot);
/* Present value of a metric of a type's part; NaN: never observed. */
double fm_metric_value(const fm_metric_def *def, const fm_metric_state *state);

#endif
