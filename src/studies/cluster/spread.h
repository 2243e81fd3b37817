/* A sweep spread over processes (ranks): rank 0 hands out runs, notes how they end and alone writes files; all of them,
 * rank 0 too, make runs on their threads.
 *
 * A rank asks ahead, so that a part is at work and one waits, and rank 0 gives large parts at first. At the end, where
 * parts are small, only who has nothing to do asks. A rank that falls silent loses its unfinished runs to the others.
 */
#ifndef FM_STUDIES_CLUSTER_SPREAD_H
#define FM_STUDIES_CLUSTER_SPREAD_H

#include "studies/cluster/ranks.h"
#include "studies/sweep.h"

typedef struct fm_spread_report {
    size_t lost; /* ranks that fell silent */
    bool broken; /* not every rank said that it ended */
} fm_spread_report;

/* In every rank, in place of fm_sweep_run. On rank 0 it returns when all runs have ended, or when it is stopped; on the
 * others when rank 0 says so. options.done is called on rank 0 alone. An error of any rank ends them all and is
 * returned by rank 0. */
fm_status fm_spread_run(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error);

#endif
