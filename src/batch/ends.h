/* The ends of the runs of a batch, in the form of worlds. */
#ifndef FM_BATCH_ENDS_H
#define FM_BATCH_ENDS_H

#include "batch/batch.h"

/* All rows of the batch, in double; free with fm_free. NULL and the error: no memory, or the GPU fails. */
double *fm_ends_read(fm_batch *b, fm_error *error);
/* Sets the world's vehicle to the final state of the batch's vehicle i at this tick, with its metrics. */
void fm_ends_put(const fm_batch *b, const double *table, size_t i, fm_world *world, uint64_t tick);
/* Whether the batch did not reach the end as a world would: a diverged state, or a case that only a world can decide,
 * such as the clearance (`clearance`: it is needed to full precision). */
bool fm_ends_in_doubt(const fm_batch *b, const double *table, size_t i, bool clearance);

#endif
