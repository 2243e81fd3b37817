/* Running the parts of vehicles: sensors, controllers, force terms. */
#ifndef FM_WORLD_PARTS_H
#define FM_WORLD_PARTS_H

#include "world/world.h"

/* What of a type is due in this tick: sensors, then controllers. */
typedef struct fm_due {
    uint32_t *parts;   /* their numbers */
    uint32_t count[2]; /* of sensors, of controllers */
} fm_due;
fm_status fm_parts_create(fm_world *world, fm_error *error);
/* Lists what is due in this tick; before the stages that ask. */
void fm_parts_list_due(fm_world *world);
/* The ticks from now on in which no part is due. */
uint64_t fm_parts_pause(const fm_world *world);

/* Adds the force terms of a vehicle to force[6]: N, N·m, body axes. */
void fm_parts_add_forces(fm_world *world, int slot, double *force, double *air_force);
/* Calls the start function of every part of a new vehicle. */
void fm_parts_start(fm_world *world, int slot);
/* Present value of a metric of a type's part; NaN: never observed. */
double fm_metric_value(const fm_metric_def *def, const fm_metric_state *state);
/* Metric `i` of the vehicles of a type, in the order of fm_world_metric, without a value; name NULL: no such metric. */
fm_metric_info fm_type_metric(const fm_type *type, size_t i);

#endif
