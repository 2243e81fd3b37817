/* The surroundings of the vehicles of a batch: the bottom and solids (physics/ground.h). */
#ifndef FM_BATCH_GROUND_H
#define FM_BATCH_GROUND_H

#include "control/flat_chain.h"
#include "world/model.h"

/* Whether the hull of this type may touch something of the scenario. */
int fm_ground_touches(const fm_model *model, const fm_type *type);
/* Why a batch does not support these surroundings; NULL: it does. */
const char *fm_ground_foreign(const fm_model *model, const fm_type *type);
/* Whether it computes the clearance of the hull to them. */
int fm_ground_clears(const fm_model *model, const fm_type *type);
/* Sizes of the sections, and the sections themselves, in double. `feels`: obstacles count even if no vehicle can touch
 * them. */
void fm_ground_count(const fm_model *model, const fm_type *type, int feels, fm_flat *head);
void fm_ground_describe(const fm_model *model, const fm_type *type, fm_flat *flat);

#endif
