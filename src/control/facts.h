/* Queries of built-in controllers about the vehicle being built, beyond the public loader functions. Implemented by the
 * scenario builder. */
#ifndef FM_CONTROL_FACTS_H
#define FM_CONTROL_FACTS_H

#include <fathom/part.h>

#include "physics/diving.h"

/* The constant speed through the water of a vehicle (kind "diving"), m/s; 0: none. */
double fm_load_own_speed(fm_part_load *load);

/* The first part of a class, by its name, at any position; -1: none. The output of a part later in the list is that of
 * the last step, initially zero. */
int fm_load_any_part(fm_part_load *load, const char *class_name);

/* The linear heave and pitch model of a vehicle that dives with these fins, all deflected equally: that of a vehicle of
 * kind "diving", at its own speed; of a 6-DOF body from differences about level flight at `speed` [m/s] through the
 * water. Other kinds are refused. */
fm_status fm_load_diving_model(fm_part_load *load, double speed, const int *fins, size_t fin_count,
                               fm_diving_model *out, fm_error *error);

#endif
