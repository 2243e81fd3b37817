/* Identity of the model that a saved state must match. */
#ifndef FM_WORLD_SNAPSHOT_H
#define FM_WORLD_SNAPSHOT_H

#include "world/model.h"

/* A hash of every parameter but the duration, of the vehicles and of the layout of their records. */
uint64_t fm_model_identify(const fm_model *model);

#endif
