/* How the runs of a batch ended, for those who ask worlds. */
#ifndef FM_BATCH_ENDS_H
#define FM_BATCH_ENDS_H

#include "batch/batch.h"

/* All rows of the batch, in double; fm_free it. NULL and the error: no memory, or the GPU fails. */
double *fm_ends_read(fm_batch *b, fm_error *error);
/* The world's vehicle as the batch left vehicle i at this tick, with its metrics. */
void fm_ends_put(const fm_batch *b, const double *table, size_t i, fm_world *world, uint64_t tick);
/* Where the batch did not go to the end as a world would: a state out of hand, or where only a world can tell, be it
 * how near it came (`clearance`: that is asked for in all its digits). */
bool fm_ends_in_doubt(const fm_batch *b, const double *table, size_t i, bool clearance);

#endif
