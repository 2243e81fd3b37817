/* A sweep: a scenario run once for each row of a plan, and its table of results.
 *
 * Each run equals the one that `fathom run --set … --seed …` makes; results depend only on the plan, not on threads,
 * their order or where a sweep was interrupted. */
#ifndef FM_STUDIES_SWEEP_H
#define FM_STUDIES_SWEEP_H

#include <fathom/world.h>
#include <pthread.h>
#include <stdatomic.h>

#include "ask/probe.h"
#include "studies/plan.h"

typedef enum fm_outcome { FM_OUTCOME_NONE, FM_OUTCOME_FINISHED, FM_OUTCOME_FAILED } fm_outcome;

/* A number recorded at the end of a run: "snookie.min_clearance". */
typedef struct fm_sweep_column {
    char name[160];
    char unit[FM_AXIS_UNIT]; /* SI; "": none */
    char text[200];
    char vehicle[64], metric[96];
    size_t index;      /* of the metric among the vehicle's, in the scenario as loaded; of the row of a pose */
    bool pose;         /* a number of its pose at the end */
    const char *asked; /* an expression, as given (ask/probe.h); `index` of the sweep's; NULL: none of it */
} fm_sweep_column;

typedef struct fm_sweep fm_sweep;

/* Who makes the runs. */
typedef enum fm_sweep_backend {
    FM_SWEEP_AUTO,   /* lanes if possible, otherwise worlds: the same bits */
    FM_SWEEP_WORLDS, /* a world a run, any scenario */
    FM_SWEEP_SIMD,   /* runs in the lanes of vector registers */
    FM_SWEEP_CUDA    /* a run a thread of a GPU */
} fm_sweep_backend;

typedef struct fm_sweep_options {
    const fm_load_options *load; /* as the scenario was loaded; `report` and `warn` are not used */
    /* "VEHICLE.NAME", a pattern of a shell, or an expression (ask/probe.h); none: every metric of every vehicle */
    const char *const *metrics;
    size_t metric_count;
    /* Names of numbers of a run, or expressions: each is kept every `every` s, from 0 to the end of a run */
    const char *const *series;
    size_t series_count;
    double every;    /* s; a multiple of the world's dt */
    double duration; /* s; NaN: the scenario's */
    int threads;
    fm_sweep_backend backend;
    int single; /* float instead of double, by lanes or GPU */
    /* Called after each run, by one thread at a time. May be NULL. */
    void (*done)(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure);
    void *user;
} fm_sweep_options;

/* Hands out runs that several processes share (spread.h). */
typedef struct fm_sweep_source {
    /* Like fm_sweep_next, for threads of this process. */
    bool (*take)(void *user, size_t least, size_t most, size_t *first, size_t *end);
    void *user;
} fm_sweep_source;

struct fm_sweep {
    fm_sweep_plan *plan;
    const fm_model *model; /* of the scenario as it was loaded */
    fm_sweep_options options;
    fm_arena arena;
    fm_sweep_column *columns;
    size_t column_count;
    const char **asked; /* the expressions among the columns, as given */
    size_t asked_count;
    bool asks_steps;         /* some of them look at every step */
    const char **read;       /* metrics that they read; NULL after the last */
    const char **courses;    /* the series, as given */
    fm_sweep_column *series; /* their names and units */
    size_t series_count;
    size_t samples;          /* of each series */
    uint64_t stride;         /* ticks from one sample to the next */
    bool series_steps;       /* some of them look at every step */
    size_t width;            /* of a row: columns, then samples of each series */
    double *values;          /* [run][width]; NaN: never observed, or not run */
    uint8_t *outcomes;       /* fm_outcome of each run */
    atomic_size_t made;      /* runs made in this session */
    size_t found;            /* runs that were there before */
    size_t failed;           /* of all */
    atomic_size_t by_worlds; /* runs that lanes or GPU passed to worlds */
    fm_error refused;        /* why a batch cannot make the first run; FM_OK: it can */
    char engine[160];        /* the engine that made the runs: "simd avx2 double" */
    uint64_t identity;       /* of all that the results depend on */
    atomic_int stop;         /* set by any thread: no further run begins, present ones are abandoned */
    int loads_alone;         /* models are loaded by one thread at a time: a library that reads their data requires
                              * it */
    pthread_mutex_t loading;
    pthread_mutex_t lock;          /* of the table of results, and of what is handed out */
    const fm_sweep_source *source; /* NULL: all runs are this process's */
    size_t handed;                 /* runs before this one were taken by a thread, without a source */
};

/* The model is that of the scenario; closes the plan with it. Tries every axis with its first value. */
fm_status fm_sweep_create(fm_sweep_plan *plan, const fm_model *model, const fm_sweep_options *options, fm_sweep **sweep,
                          fm_error *error);
void fm_sweep_free(fm_sweep *sweep);
/* Makes all runs that have no outcome yet, by options.backend. */
fm_status fm_sweep_run(fm_sweep *sweep, fm_error *error);
/* The same, one world per run (worlds.c). */
fm_status fm_sweep_run_worlds(fm_sweep *sweep, fm_error *error);
/* One run by a world; `row` gets its columns and series if it finished. FM_OUTCOME_NONE: it was stopped. */
fm_outcome fm_sweep_run_world(const fm_sweep *sweep, const fm_model *model, size_t run, double *row, fm_error *error);

/* The scenario with the values of a run. NULL and *error if it is refused. */
fm_model *fm_sweep_load(fm_sweep *sweep, const double *values, fm_error *error);
/* The next runs, *first … *end − 1, for a thread; false: none. Large parts at first and small ones at the end, `least`
 * … `most`, so that all `workers` threads finish together. */
bool fm_sweep_next(fm_sweep *sweep, size_t workers, size_t least, size_t most, size_t *first, size_t *end);
/* How many of `left` runs one of them takes. */
size_t fm_sweep_portion(size_t left, size_t workers, size_t least, size_t most);
/* Records the end of a run; `values` is a row. Calls options.done. Any thread. */
void fm_sweep_note(fm_sweep *sweep, size_t run, fm_outcome outcome, const double *values, const fm_error *failure);
/* The expressions of a sweep for a model: NULL in *panel where it has none. Free it with fm_ask_panel_free. */
fm_status fm_sweep_ask(const fm_sweep *sweep, const fm_model *model, fm_ask_panel **panel, fm_error *error);
/* All columns of a world at the end of its run; `panel` as made by fm_sweep_ask. */
void fm_sweep_read(const fm_sweep *sweep, const fm_world *world, fm_ask_panel *panel, double *row);

/* --- series (series.c) --- */

/* Finds the series of options.series, and how many samples they have. */
fm_status fm_sweep_list_series(fm_sweep *sweep, const fm_model *model, fm_error *error);
/* The series for a model: NULL in *panel where it has none. Free it with fm_ask_panel_free. */
fm_status fm_sweep_begin_series(const fm_sweep *sweep, const fm_model *model, fm_ask_panel **panel, fm_error *error);
/* A world at any tick: keeps its samples if they are due, [series][sample]; in a row they follow the columns. */
void fm_sweep_note_series(const fm_sweep *sweep, const fm_world *world, fm_ask_panel *panel, double *series);

/* --- ranges of runs that threads take from each other --- */

typedef struct fm_steal {
    _Atomic uint64_t range; /* first << 32 | end: runs that wait */
    char apart[56];         /* a cache line each */
} fm_steal;

/* Takes the first of its own runs, or half of those waiting for another thread; false when no runs wait. */
bool fm_steal_next(fm_steal *shares, size_t count, size_t own, size_t *run);
void fm_steal_deal(fm_steal *shares, size_t count, size_t runs);
/* Runs for a share that has none. */
void fm_steal_give(fm_steal *share, size_t first, size_t end);

#endif
