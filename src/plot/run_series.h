/* Series of a run in bounded memory. A series that grows too long keeps the lowest and the highest value of every span
 * of time, so that no peak is lost; a track keeps every second point, fourth point and so on. */
#ifndef FM_PLOT_RUN_SERIES_H
#define FM_PLOT_RUN_SERIES_H

#include <stddef.h>

enum { FM_RUN_POINTS = 16384 }; /* default length of a series */

/* A value over time. Starts as {0}. */
typedef struct fm_run_series {
    double *t, *y; /* s, and the unit of the value */
    size_t count, room;
    size_t most;                     /* points to keep, a multiple of 4; 0: FM_RUN_POINTS */
    size_t bucket, held;             /* samples that become two points, once they do not fit; of those at hand */
    double low_t, low, high_t, high; /* of the bucket at hand */
    double last_t, last;             /* the latest sample */
} fm_run_series;

/* Both return 0 when out of memory. fm_run_series_end adds what is still held; then t and y are complete. */
int fm_run_series_add(fm_run_series *series, double t, double y);
int fm_run_series_end(fm_run_series *series);
void fm_run_series_free(fm_run_series *series);
/* Lowest and highest value; 0: it has none that is finite. */
int fm_run_series_range(const fm_run_series *series, double *low, double *high);

/* Places over time. */
typedef struct fm_run_track {
    double *t, *position[3]; /* s; m: north, east, depth */
    size_t count, room;
    size_t most; /* as above */
    size_t stride, skipped;
    double last[4]; /* the latest sample: time, place */
} fm_run_track;

int fm_run_track_add(fm_run_track *track, double t, const double point[3]);
int fm_run_track_end(fm_run_track *track);
void fm_run_track_free(fm_run_track *track);

#endif
