/* What a log says about a run: tracks, attitudes, actuators, events and the scene, in our own frames (NED) and ready to
 * be drawn. */
#ifndef FM_PLOT_RUN_DATA_H
#define FM_PLOT_RUN_DATA_H

#include "base/memory.h"
#include "telemetry/mcap_reader.h"

/* A growing column of numbers. */
typedef struct fm_run_series {
    double *items;
    size_t count, room;
} fm_run_series;

typedef struct fm_run_actuator {
    const char *name, *unit;
    fm_run_series values;
} fm_run_actuator;

typedef struct fm_run_vehicle {
    const char *name, *base;             /* as it is called, and the start of its topics ("/phoenix") */
    fm_run_series t, north, east, depth; /* s, m */
    fm_run_series roll, pitch, heading;  /* rad; heading without jumps at north */
    fm_run_series speed;                 /* m/s over ground */
    fm_run_series bottom;                /* m, water depth below it; NaN without a bottom */
    fm_run_series actuator_t;
    fm_run_actuator *actuators;
    size_t actuator_count;
    fm_run_series force_t, force; /* s, N: thrust ahead */
} fm_run_vehicle;

typedef struct fm_run_event {
    double time; /* s */
    const char *vehicle, *kind;
    double value;
} fm_run_event;

typedef struct fm_run_data {
    fm_run_vehicle *vehicles;
    size_t vehicle_count;
    fm_run_event *events;
    size_t event_count;
    fm_msg_scene scene;
    int has_scene;
    const char *title;
    fm_arena arena;
} fm_run_data;

fm_status fm_run_data_read(fm_mcap_reader *reader, fm_run_data *run, fm_error *error);
void fm_run_data_free(fm_run_data *run);

/* Water depth by the scene's bottom, m; NaN without one. */
double fm_run_data_bottom(const fm_run_data *run, double north, double east);

/* Appends; 0 when out of memory. */
int fm_run_series_add(fm_run_series *series, double value);

#endif
