/* A sweep spread over processes (ranks): rank 0 hands out runs, records their results and is the only one to write
 * files; all ranks, including rank 0, make runs on their threads.
 *
 * A rank requests ahead, so that one part is being worked on and one is waiting, and rank 0 sends large parts at
 * first. At the end, when parts are small, only idle ranks request. The unfinished runs of a silent rank go to the
 * others. */
#ifndef FM_STUDIES_CLUSTER_SPREAD_H
#define FM_STUDIES_CLUSTER_SPREAD_H

#include "studies/cluster/ranks.h"
#include "studies/sweep.h"

typedef struct fm_spread_report {
    size_t lost; /* ranks that fell silent */
    bool broken; /* not every rank said that it ended */
} fm_spread_report;

/* Called in every rank instead of fm_sweep_run. On rank 0 it returns when all runs have ended, or when it is stopped;
 * on the others when rank 0 ends the sweep. options.done is called only on rank 0. An error of any rank ends all of
 * them, and rank 0 returns it. */
fm_status fm_spread_run(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);

#endif
