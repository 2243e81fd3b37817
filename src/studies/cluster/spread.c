#include "studies/cluster/spread.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/error.h"
#include "studies/cluster/spread_parts.h"

/* --- the thread that makes the runs --- */

static void *make_runs(void *user)
{
    fm_spread_engine *engine = user;
    (void)fm_sweep_run(engine->sweep, &engine->error);
    if (engine->error.status != FM_OK)
        atomic_store(&engine->sweep->stop, 1);
    atomic_store(&engine->ended, 1);
    return NULL;
}

fm_status fm_spread_engine_start(fm_spread_engine *engine, fm_sweep *sweep, fm_error *error)
{
    engine->sweep = sweep;
    if (pthread_create(&engine->thread, NULL, make_runs, engine) == 0)
        return FM_OK;
    return fm_fail(error, FM_ERR_LIBRARY, "no thread could be started for the runs");
}

void fm_spread_engine_join(fm_spread_engine *engine)
{
    pthread_join(engine->thread, NULL);
}

size_t fm_spread_workers(const fm_sweep *sweep)
{
    return sweep->options.backend == FM_SWEEP_CUDA || sweep->options.threads < 1 ? 1 : (size_t)sweep->options.threads;
}

void fm_spread_rest(int bell, double seconds)
{
    struct pollfd rings = {.fd = bell, .events = POLLIN};
    eventfd_t count;
    if (ppoll(&rings, 1, &(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL) > 0)
        (void)eventfd_read(bell, &count);
}

/* --- all ranks --- */

/* Checks that all ranks have the same sweep, and sends the outcomes that rank 0 has. */
static fm_status meet(fm_sweep *s, const fm_ranks *ranks, fm_error *error)
{
    uint64_t identity = s->identity;
    const char *failed = ranks->module->broadcast(&identity, sizeof identity);
    failed = failed ? failed : ranks->module->broadcast(s->outcomes, s->plan->total);
    if (failed)
        return fm_fail(error, FM_ERR_LIBRARY, "%s", failed);
    bool same = identity == s->identity;
    if (ranks->module->agree(same))
        return FM_OK;
    return fm_fail(error, FM_ERR_MODEL,
                   same ? "another rank has other files: all must read the same scenario, models and data"
                        : "rank %d on %s has other files than rank 0: all must read the same scenario, models and data",
                   ranks->rank, ranks->host);
}

fm_status fm_spread_run(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error)
{
    *report = (fm_spread_report){0};
    fm_status status = meet(sweep, ranks, error);
    if (status != FM_OK)
        return status;
    return ranks->rank == 0 ? fm_spread_run_first(sweep, ranks, report, error)
                            : fm_spread_run_other(sweep, ranks, report, error);
}
