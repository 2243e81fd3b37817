/* Series of the runs of one batch: at each sample every run is read through a world of its model. */
#ifndef FM_STUDIES_LANE_SERIES_H
#define FM_STUDIES_LANE_SERIES_H

#include "batch/batch.h"
#include "studies/sweep.h"

/* Runs of one model. */
typedef struct fm_lane_course {
    size_t first, count; /* vehicles of the batch */
    fm_world *world;
    fm_ask_panel *panel;
} fm_lane_course;

typedef struct fm_lane_series {
    const fm_sweep *sweep;
    fm_lane_course *courses;
    size_t count, row; /* numbers of a row */
    double *rows;      /* [vehicle][row] */
} fm_lane_series;

/* Makes room for a number of models and vehicles; nothing if the sweep has no series. Free it in any case. */
fm_status fm_lane_series_begin(fm_lane_series *series, const fm_sweep *sweep, size_t models, size_t vehicles,
                               fm_error *error);
/* The next model, and its vehicles. */
fm_status fm_lane_series_add(fm_lane_series *series, const fm_model *model, size_t first, size_t count,
                             fm_error *error);
/* Samples all vehicles at this tick, if samples are due. */
fm_status fm_lane_series_note(fm_lane_series *series, fm_batch *batch, uint64_t tick, fm_error *error);
/* The tick of the next sample after `tick`; UINT64_MAX: none. */
uint64_t fm_lane_series_next(const fm_lane_series *series, uint64_t tick);
/* Puts the series of a vehicle into a row of the sweep. */
void fm_lane_series_read(const fm_lane_series *series, size_t vehicle, double *row);
void fm_lane_series_free(fm_lane_series *series);

#endif
