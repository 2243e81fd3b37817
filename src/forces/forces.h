/* Force terms that vehicles have as parts, besides the kernels of src/physics: drag by Reynolds number, wind load,
 * ships, a nose near a wall. */
#ifndef FM_FORCES_FORCES_H
#define FM_FORCES_FORCES_H

#include <fathom/part.h>

#include "forces/force_terms.h"

extern const fm_part_class fm_reynolds_drag_class; /* <reynolds-drag> */
extern const fm_part_class fm_wind_load_class;     /* <wind-area> */
extern const fm_part_class fm_mmg_hull_class;      /* <mmg-hull> */
extern const fm_part_class fm_mmg_propeller_class; /* <mmg-propeller> */
extern const fm_part_class fm_mmg_rudder_class;    /* <mmg-rudder> */

/* State of the vehicle that a term needs at the start of a step. */
fm_force_moment fm_force_now(const fm_part_context *context);

#endif
