/* Force terms that vehicles take as parts, beside the kernels of src/physics: drag by Reynolds number, wind load,
 * ships, a nose near a wall. */
#ifndef FM_FORCES_FORCES_H
#define FM_FORCES_FORCES_H

#include <fathom/part.h>

#include "physics/push.h"

extern const fm_part_class fm_reynolds_drag_class; /* <reynolds-drag> */
extern const fm_part_class fm_wind_load_class;     /* <wind-area> */
extern const fm_part_class fm_mmg_hull_class;      /* <mmg-hull> */
extern const fm_part_class fm_mmg_propeller_class; /* <mmg-propeller> */
extern const fm_part_class fm_mmg_rudder_class;    /* <mmg-rudder> */

/* What a term needs of the vehicle at the start of a step. */
fm_push_moment fm_push_now(const fm_part_context *context);

/* The term as the kernel takes it (physics/push.h): 0 where only a world can run it. Rows of a table go to `levels`,
 * from `first` on; NULL: they are only counted. The numbers of hull and propeller are the caller's. */
int fm_push_describe(const fm_part_class *part_class, const void *config, const double wind[2], fm_push *push,
                     double *levels, int32_t first);
/* The same of each class. */
void fm_reynolds_describe(const void *config, fm_push *push, double *levels, int32_t first);
void fm_wind_describe(const void *config, const double wind[2], fm_push *push);
void fm_mmg_describe(const fm_part_class *part_class, const void *config, fm_push *push);
/* Its table; and the number of the <flow> that it asks. */
const fm_wall_table *fm_near_wall_describe(const void *config, fm_push *push);
int fm_near_wall_flow(const void *config);

#endif
