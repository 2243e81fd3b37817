/* The environment of a vehicle in a batch, from its model: currents, waves, water with variable density, force terms;
 * see forces/surroundings.h. */
#ifndef FM_BATCH_SURROUNDINGS_H
#define FM_BATCH_SURROUNDINGS_H

#include "batch/batch.h"
#include "physics/flat.h"
#include "world/model.h"

/* Why only a world supports the environment of this vehicle; NULL: a batch does too. `whole`: in a run of the
 * scenario. */
const char *fm_surroundings_foreign(const fm_model *model, const fm_type *type, int whole);
/* The number of records of the flat form, and their values. */
void fm_surroundings_count(const fm_model *model, const fm_type *type, fm_flat *head);
void fm_surroundings_describe(const fm_model *model, const fm_type *type, fm_flat *flat);
/* Each vehicle of a batch gets the waves of its run; seeds and variants per vehicle. */
fm_status fm_surroundings_draw_waves(fm_batch *batch, const uint64_t *seeds, const double *variants, fm_error *error);

#endif
