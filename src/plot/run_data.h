/* The contents of a log about a run: tracks, attitudes, orders and estimates, actuators, events and the scene, in our
 * own frames (NED) and ready to be drawn. Read in one pass, in bounded memory. */
#ifndef FM_PLOT_RUN_DATA_H
#define FM_PLOT_RUN_DATA_H

#include "base/memory.h"
#include "plot/run_series.h"
#include "telemetry/mcap_reader.h"

typedef struct fm_run_actuator {
    const char *name, *unit;
    const char *group; /* by which it is ordered together with others; "" */
    fm_run_series values;
} fm_run_actuator;

/* With a covariance: semi-axes of its ellipse in the horizontal plane, one standard deviation. */
typedef struct fm_run_ellipse {
    double t;           /* s */
    double position[2]; /* m: north, east */
    double axes[2];     /* m: the longer, the shorter */
    double heading;     /* rad, of the longer */
} fm_run_ellipse;

enum { FM_RUN_ELLIPSES = 64 };

/* A part that estimates the vehicle's position: <navigation>, an INS, a filter. */
typedef struct fm_run_estimate {
    const char *name;
    fm_run_track track;
    fm_run_series depth, heading;   /* m, rad; heading without jumps */
    fm_run_series error;            /* m, distance from the true place */
    fm_run_series spread, vertical; /* m, one standard deviation: longer horizontal semi-axis, depth; if known */
    fm_run_ellipse ellipses[FM_RUN_ELLIPSES];
    size_t ellipse_count, ellipse_stride, ellipse_skipped;
} fm_run_estimate;

enum { FM_RUN_ESTIMATES = 4 };

/* A stretch of the ordered path. */
typedef struct fm_run_leg {
    double from[3], to[3]; /* m: north, east, depth */
} fm_run_leg;

typedef struct fm_run_vehicle {
    const char *name, *base;            /* its name, and the prefix of its topics ("/phoenix") */
    fm_run_track track;                 /* true */
    fm_run_series depth;                /* m */
    fm_run_series roll, pitch, heading; /* rad; heading without jumps at north */
    fm_run_series speed;                /* m/s over ground */
    fm_run_series bottom, altitude;     /* m, water depth and height above it; empty without a bottom */
    fm_run_series ordered_depth, ordered_heading, ordered_speed; /* m, rad, m/s through the water */
    int demands;                                                 /* its autopilot publishes what it follows */
    fm_run_series water_speed; /* m/s ahead through the water, as the autopilot knows it */
    fm_run_actuator *actuators;
    size_t actuator_count;
    fm_run_series force; /* N, thrust ahead */
    fm_run_leg *legs;    /* in the order in which they were followed */
    size_t leg_count;
    double (*plan)[3]; /* m, all waypoints that the scenario lists: north, east, depth */
    size_t plan_count;
    fm_run_estimate *estimates;
    size_t estimate_count;
    fm_run_estimate *fixes; /* positions measured one by one by an instrument: long base line */
    size_t fix_count;
    double before[4], now[4]; /* the last two samples of the true place: time, north, east, depth */
} fm_run_vehicle;

typedef struct fm_run_event {
    double time; /* s */
    const char *vehicle, *kind, *text;
    double value;
} fm_run_event;

typedef struct fm_run_data {
    const char *name; /* to tell runs apart; as given */
    fm_run_vehicle *vehicles;
    size_t vehicle_count;
    fm_run_event *events;
    size_t event_count;
    fm_msg_scene scene;
    int has_scene;
    const char *title;
    double from, to; /* s, of the data */
    size_t most;     /* points of a series */
    fm_arena arena;
} fm_run_data;

typedef struct fm_run_window {
    const char *name;
    double from, to;                               /* s; to 0: the end */
    void (*progress)(void *context, double share); /* 0 … 1, every hundredth; may be NULL */
    void *context;
} fm_run_window;

fm_status fm_run_data_read(fm_mcap_reader *reader, const fm_run_window *request, fm_run_data *run, fm_error *error);
void fm_run_data_free(fm_run_data *run);

/* Water depth by the scene's bottom, m; NaN without one. */
double fm_run_data_bottom(const fm_run_data *run, double north, double east);

/* run_plan.c: the waypoints of every vehicle, from the scenario in the log; a log without one has none. */
fm_status fm_run_plan_read(const fm_mcap_reader *reader, fm_run_data *run, fm_error *error);

/* run_values.c: outputs of parts without a message of their own (fathom_msgs/Values). */
typedef struct fm_run_values fm_run_values; /* positions of the wanted values in a channel's messages */
fm_run_values *fm_run_values_create(fm_run_data *run, const char *topic); /* NULL: no memory */
/* 0 in *wanted: nothing of this channel is drawn. */
fm_status fm_run_values_take(fm_run_data *run, fm_run_vehicle *vehicle, fm_run_values *values,
                             const fm_mcap_message *message, int *wanted, fm_error *error);

/* For those who fill it in. */
fm_status fm_run_data_no_memory(fm_error *error);
double fm_run_unwrap(const fm_run_series *series, double angle); /* rad, the turn nearest to the last sample */
fm_run_estimate *fm_run_estimate_of(fm_run_data *run, fm_run_vehicle *vehicle, const char *topic); /* NULL: full */
int fm_run_estimate_add(fm_run_vehicle *vehicle, fm_run_estimate *estimate, double t, const double point[3],
                        double heading);
/* And its covariance, m²: north, north with east, east, down. One that is unknown adds nothing. */
int fm_run_estimate_spread(fm_run_estimate *estimate, double t, const double point[3], const double covariance[4]);

#endif
