/* A vehicle type as a block without pointers, for engines that are not the live one (physics/flat.h). */
#ifndef FM_WORLD_FLATTEN_H
#define FM_WORLD_FLATTEN_H

#include <fathom/model.h>

#include "physics/flat.h"
#include "world/model.h"

/* The same of any kind of vehicle: what is not its body's. */
fm_flat *fm_type_flatten(const fm_type *type, fm_error *error);

#endif
