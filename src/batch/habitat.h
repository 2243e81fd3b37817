/* What is around a vehicle of a batch, of its model: currents, waves, water whose density counts, force
 * terms; see physics/habitat.h. */
#ifndef FM_BATCH_HABITAT_H
#define FM_BATCH_HABITAT_H

#include "batch/batch.h"
#include "physics/flat.h"
#include "world/model.h"

/* Why only a world has what acts on this vehicle; NULL: a batch has it too. `whole`: in a run of the scenario. */
const char *fm_habitat_foreign(const fm_model *model, const fm_type *type, int whole);
/* How many records of the flat form there are, and their numbers. */
void fm_habitat_count(const fm_model *model, const fm_type *type, fm_flat *head);
void fm_habitat_describe(const fm_model *model, const fm_type *type, fm_flat *flat);
/* Each vehicle of a batch gets the waves that its run draws; seeds and variants a vehicle. */
fm_status fm_habitat_draw_waves(fm_batch *batch, const uint64_t *seeds, const double *variants, fm_error *error);

#endif
