/* Shared by both sides of a spread sweep. */
#ifndef FM_STUDIES_CLUSTER_SPREAD_PARTS_H
#define FM_STUDIES_CLUSTER_SPREAD_PARTS_H

#include "studies/cluster/spread.h"

/* Messages. */
enum {
    FM_SPREAD_ASK,     /* to rank 0: fm_spread_ask */
    FM_SPREAD_RUNS,    /* from rank 0: fm_spread_runs; none: the sweep has ended */
    FM_SPREAD_RECORDS, /* to rank 0: rows of run, outcome and values, all as doubles */
    FM_SPREAD_FAILURE, /* to rank 0: why the run in the record after it failed: fm_error */
    FM_SPREAD_ALIVE,   /* to and from rank 0, empty: keep-alive */
    FM_SPREAD_STOP,    /* from rank 0, empty: abandon the present runs */
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
    fm_error failed; /* why it could not continue; FM_OK: no error */
    size_t by_worlds;
    char host[128], engine[160];
} fm_spread_bye;

/* The thread that makes the runs, while the calling thread communicates with the other ranks. */
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
/* Waits until a write to `bell` (an eventfd; −1: none), or a timeout. Each wake-up costs some 20 µs of a thread that
 * makes runs, so there should be few. */
void fm_spread_rest(int bell, double seconds);

/* Rank 0 (spread_first.c), and the others (spread_other.c). */
fm_status fm_spread_run_first(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);
fm_status fm_spread_run_other(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);

#endif
