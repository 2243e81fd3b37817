/* Whole runs of a scenario in a batch: a vehicle with everything that steers it. */
#ifndef FM_BATCH_SCENARIO_RUN_H
#define FM_BATCH_SCENARIO_RUN_H

#include "base/lane_part.h"
#include "batch/lanes.h"
#include "studies/sweep.h"
#include "world/model.h"

/* FM_OK, or why a batch cannot make a run of this scenario as a world does, including the sweep's columns: the first
 * unsupported element, parameter or metric. */
fm_status fm_batch_accept_run(const fm_model *model, const fm_sweep *sweep, fm_error *error);
/* The scenario's one vehicle in double, with its chain of sensors and controllers if it has one, after the first
 * `changes` changes of the scenario; free with fm_free. The scenario must have been accepted. */
fm_flat *fm_batch_run_flatten(const fm_model *model, size_t changes, fm_error *error);
/* One type of a scenario in double, the body alone with what acts on it (forces/surroundings.h); free with fm_free.
 * The type must have been accepted. */
fm_flat *fm_body_flatten(const fm_model *model, const fm_type *type, fm_error *error);
/* Initial state of a vehicle in a world (begins_alone of its kind): position, attitude, velocity, and the words of its
 * kind. */
fm_status fm_batch_run_start(const fm_model *model, size_t vehicle, double state[13], double words[3], fm_error *error);
/* A type as its parts see it. */
fm_lane_vehicle fm_lane_view(const fm_model *model, const fm_type *type, int whole);
/* The table of the flow at walls that the chain reads; NULL: none. It lives as long as the model. */
const struct fm_wall_table *fm_batch_run_table(const fm_model *model);

#endif
