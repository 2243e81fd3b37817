/* Runs of a sweep as vehicles of one batch. */
#ifndef FM_STUDIES_LANE_RUNS_H
#define FM_STUDIES_LANE_RUNS_H

#include "batch/batch.h"
#include "studies/sweep.h"

/* Makes all runs that have no outcome yet. Runs that a batch cannot complete are made by worlds. */
fm_status fm_sweep_run_lanes(fm_sweep *sweep, fm_batch_backend backend, int single, fm_error *error);

#endif
