/* What both sides of a spread sweep share. */
#ifndef FM_STUDIES_CLUSTER_SPREAD_PARTS_H
#define FM_STUDIES_CLUSTER_SPREAD_PARTS_H

#include "studies/cluster/spread.h"

/* Messages. */
enum {
    FM_SPREAD_ASK,     /* to rank 0: fm_spread_ask */
    FM_SPREAD_RUNS,    /* from rank 0: fm_spread_runs; none: it is over */
    FM_SPREAD_RECORDS, /* to rank 0: rows of run, outcome and values, all as doubles */
    FM_SPREAD_FAILURE, /* to rank 0: why the run in the record behind it failed: fm_error */
    FM_SPREAD_ALIVE,   /* to and from rank 0, empty: nothing else was to be said */
    FM_SPREAD_STOP,    /* from rank 0, empty: give up what is under way */
    FM_SPREAD_BYE      /* to rank 0, the last one: fm_spread_bye */
};

typedef struct fm_spread_ask {
    size_t workers; /* threads, or a GPU, of this rank */
    size_t least, most;
} fm_spread_ask;

typedef struct fm_spread_runs {
    size_t first, end;
} fm_spread_runs;

typedef struct fm_spread_bye {
    fm_error failed; /* why it could not go on; FM_OK: it could */
    size_t by_worlds;
    char host[128], engine[160];
} fm_spread_bye;

/* The thread that makes the runs, while the one that called speaks with the others. */
typedef struct fm_spread_engine {
    fm_sweep *sweep;
    pthread_t thread;
    atomic_int ended;
    fm_error error;
} fm_spread_engine;

fm_status fm_spread_engine_start(fm_spread_engine *engine, fm_sweep *sweep, fm_error *error);
void fm_spread_engine_join(fm_spread_engine *engine);
/* Threads, or one GPU. */
size_t fm_spread_workers(const fm_sweep *sweep);
/* Waits; not longer than until someone writes to `bell` (an eventfd; −1: nobody does). Each waking takes some 20 µs
 * from a thread that makes runs, so that they should be few. */
void fm_spread_rest(int bell, double seconds);

/* Rank 0 (spread_first.c), and the others (spread_other.c). */
fm_status fm_spread_run_first(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);
fm_status fm_spread_run_other(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);

#endif
