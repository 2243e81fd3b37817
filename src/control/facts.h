/* What built-in controllers may ask of the vehicle being built beyond the public loader functions. Implemented by the
 * scenario builder. */
#ifndef FM_CONTROL_FACTS_H
#define FM_CONTROL_FACTS_H

#include <fathom/part.h>

#include "physics/diving.h"

/* The speed through the water that the vehicle keeps by itself (kind "diving"), m/s; 0: none. */
double fm_load_own_speed(fm_part_load *load);

/* The first part of a class, by its name, wherever it stands; -1: none. The output of one that stands later is that of
 * the last step, zero at the start. */
int fm_load_any_part(fm_part_load *load, const char *class_name);

/* The linear heave and pitch model by which the vehicle dives with these fins, all deflected alike: that of a vehicle
 * of kind "diving", at its own speed; of a 6-DOF body by differences about level flight at `speed` [m/s] through the
 * water. Other kinds are refused. */
fm_status fm_load_diving_model(fm_part_load *load, double speed, const int *fins, size_t fin_count,
                               fm_diving_model *out, fm_error *error);

#endif
