/* Parameters of a batch: rows that are parameter paths, with one value per vehicle. fm_batch_refresh derives a variant
 * of every different column of values by loading the scenario with these values, so a vehicle is the one that a world
 * would load. */
#ifndef FM_BATCH_PARAMETERS_H
#define FM_BATCH_PARAMETERS_H

#include "batch/batch.h"

/* Resolves the paths of the options and fills the rows with the values of the model. Refuses a path that is not a
 * number, has no value, changes more than numbers, or does not change the vehicle. The first type is complete. */
fm_status fm_batch_list_parameters(fm_batch *batch, const fm_batch_options *options, fm_error *error);
/* Types, blocks, starts and FM_BATCH_VARIANTS according to the rows. Nothing changes if a value is refused. */
fm_status fm_batch_take_parameters(fm_batch *batch, fm_error *error);

#endif
