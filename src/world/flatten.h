/* A vehicle type as a block without pointers, for engines that are not the live one (physics/flat.h). */
#ifndef FM_WORLD_FLATTEN_H
#define FM_WORLD_FLATTEN_H

#include <fathom/model.h>

#include "physics/flat.h"
#include "world/model.h"

/* The type with this index, in double; fm_free it. NULL and the reason where it is not a rigid body. Its parts
 * (sensors, controllers, force terms) are not in it: an engine sees to those that it can run. */
fm_flat *fm_model_flatten(const fm_model *model, size_t type, fm_error *error);
/* The same of any kind of vehicle: what is not its body's. */
fm_flat *fm_type_flatten(const fm_type *type, fm_error *error);

#endif
