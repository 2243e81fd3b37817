/* Rank 0: hands out runs, records their results, and tracks the other ranks. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/cluster/spread_parts.h"

static const double quick = 2e-4, slow = 5e-3; /* s between checks for messages: after the end, and before */
static const double linger = 0.4;              /* s that others have for ending after a stop: mpirun kills after 1 s */

typedef struct peer {
    fm_spread_ask ask;
    bool asks, gone;
    double spoke, heard; /* s */
    fm_error failure;    /* of the failed run that its next record reports */
} peer;

typedef struct first {
    fm_sweep *sweep;
    const fm_ranks *ranks;
    fm_spread_engine engine;
    peer *peers;          /* a rank each */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t came;  /* runs that were returned, or the end */
    size_t next;          /* runs from here on were never handed out */
    uint16_t *owners;     /* rank that has a run */
    size_t back;          /* runs from here on to `next` may have been returned */
    bool over;
    /* of the speaking thread alone */
    double *records;
    size_t record_bytes, lost;
    double stopped;       /* s; 0: not */
    char far_engine[160]; /* of another rank that made runs */
    fm_error failed;
} first;

enum { NOBODY = UINT16_MAX };

/* --- handing out --- */

static size_t count_workers(const first *f)
{
    size_t count = 0;
    for (int r = 0; r < f->ranks->count; r++)
        count += f->peers[r].gone ? 0 : f->peers[r].ask.workers;
    return count ? count : 1;
}

/* Runs that were returned, otherwise new ones; under the lock. */
static bool hand_out(first *f, int to, const fm_spread_ask *ask, fm_spread_runs *runs)
{
    while (f->back < f->next && f->owners[f->back] != NOBODY)
        f->back++;
    bool again = f->back < f->next;
    size_t begin = again ? f->back : f->next, end = begin;
    while (again && end < f->next && f->owners[end] == NOBODY)
        end++;
    size_t left = again ? end - begin : f->sweep->plan->total - f->next;
    size_t part = fm_sweep_portion(left, 2 * count_workers(f), ask->least, ask->most); /* one at work, one in waiting */
    for (size_t i = begin; i < begin + part; i++)
        f->owners[i] = (uint16_t)to;
    *runs = (fm_spread_runs){begin, begin + part};
    if (!again)
        f->next = f->back = begin + part;
    return part > 0;
}

/* For a thread of rank 0: waits while others may return runs. */
static bool take_runs(void *user, size_t least, size_t most, size_t *begin, size_t *end)
{
    first *f = user;
    fm_spread_runs runs = {0};
    fm_spread_ask ask = {.least = least, .most = most};
    pthread_mutex_lock(&f->lock);
    while (!f->over && !hand_out(f, 0, &ask, &runs))
        pthread_cond_wait(&f->came, &f->lock);
    pthread_mutex_unlock(&f->lock);
    *begin = runs.first;
    *end = runs.end;
    return runs.first < runs.end;
}

/* A rank ends: its unreported runs go to others. */
static void give_back(first *f, int rank)
{
    pthread_mutex_lock(&f->lock);
    f->peers[rank].gone = true;
    for (size_t i = f->next; i-- > 0;)
        if (f->owners[i] == rank && f->sweep->outcomes[i] == FM_OUTCOME_NONE) {
            f->owners[i] = NOBODY;
            f->back = i;
        }
    pthread_cond_broadcast(&f->came);
    pthread_mutex_unlock(&f->lock);
}

/* --- speaking --- */

static void say(first *f, int to, int tag, const void *data, size_t bytes)
{
    (void)f->ranks->module->send(to, tag, data, bytes); /* a rank that cannot be reached becomes silent, and is
                                                         * considered lost */
    f->peers[to].spoke = f->ranks->module->clock();
}

static void fail_all(first *f, const fm_error *error, const char *host, int rank)
{
    if (f->failed.status == FM_OK)
        (void)fm_fail(&f->failed, error->status, "rank %d on %s: %s", rank, host, error->text);
    atomic_store(&f->sweep->stop, 1);
}

static void note_records(first *f, int from, size_t bytes)
{
    fm_sweep *s = f->sweep;
    size_t words = 2 + s->width, count = bytes / (words * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        const double *record = f->records + i * words;
        size_t run = (size_t)record[0];
        fm_outcome outcome = (fm_outcome)record[1];
        if (run >= s->plan->total || s->outcomes[run] != FM_OUTCOME_NONE)
            continue; /* another rank made it while this one was considered lost */
        fm_sweep_note(s, run, outcome, record + 2, outcome == FM_OUTCOME_FAILED ? &f->peers[from].failure : NULL);
    }
}

static void take_bye(first *f, int from, const fm_spread_bye *bye)
{
    atomic_fetch_add(&f->sweep->by_worlds, bye->by_worlds);
    memcpy(f->far_engine, bye->engine, sizeof f->far_engine);
    if (bye->failed.status != FM_OK)
        fail_all(f, &bye->failed, bye->host, from);
    give_back(f, from);
}

static bool receive(first *f, int from, int tag, size_t bytes)
{
    if (bytes > f->record_bytes) {
        double *grown = fm_realloc(f->records, bytes);
        if (!grown)
            return fm_fail(&f->failed, FM_ERR_MEMORY, "no memory for results"), atomic_store(&f->sweep->stop, 1), false;
        f->records = grown;
        f->record_bytes = bytes;
    }
    return !f->ranks->module->receive(from, tag, f->records, bytes);
}

static void hear(first *f, int from, int tag, size_t bytes)
{
    peer *p = &f->peers[from];
    if (!receive(f, from, tag, bytes))
        return;
    p->heard = f->ranks->module->clock();
    if (tag == FM_SPREAD_ASK && bytes == sizeof p->ask) {
        pthread_mutex_lock(&f->lock);
        memcpy(&p->ask, f->records, bytes);
        pthread_mutex_unlock(&f->lock);
        p->asks = true;
    } else if (tag == FM_SPREAD_RECORDS) {
        note_records(f, from, bytes);
    } else if (tag == FM_SPREAD_FAILURE && bytes == sizeof p->failure) {
        memcpy(&p->failure, f->records, bytes);
    } else if (tag == FM_SPREAD_BYE && bytes == sizeof(fm_spread_bye)) {
        fm_spread_bye bye;
        memcpy(&bye, f->records, sizeof bye);
        take_bye(f, from, &bye);
    }
}

static void answer(first *f)
{
    for (int r = 1; r < f->ranks->count; r++) {
        fm_spread_runs runs = {0};
        if (!f->peers[r].asks || f->peers[r].gone)
            continue;
        pthread_mutex_lock(&f->lock);
        bool say_so = f->over || hand_out(f, r, &f->peers[r].ask, &runs);
        pthread_mutex_unlock(&f->lock);
        if (!say_so)
            continue;
        f->peers[r].asks = false;
        say(f, r, FM_SPREAD_RUNS, &runs, sizeof runs);
    }
}

static void end_here(first *f)
{
    pthread_mutex_lock(&f->lock);
    f->over = true;
    pthread_cond_broadcast(&f->came);
    pthread_mutex_unlock(&f->lock);
}

static void watch(first *f)
{
    fm_sweep *s = f->sweep;
    double now = f->ranks->module->clock();
    if (!f->over && (s->found + atomic_load(&s->made) >= s->plan->total || atomic_load(&s->stop)))
        end_here(f);
    bool stop = f->stopped == 0 && atomic_load(&s->stop);
    if (stop)
        f->stopped = now;
    for (int r = 1; r < f->ranks->count; r++) {
        peer *p = &f->peers[r];
        if (p->gone)
            continue;
        if (stop)
            say(f, r, FM_SPREAD_STOP, NULL, 0);
        else if (now - p->spoke > f->ranks->silence / 8)
            say(f, r, FM_SPREAD_ALIVE, NULL, 0);
        if (now - p->heard > f->ranks->silence) {
            f->lost++;
            give_back(f, r);
        }
    }
}

static bool all_gone(const first *f)
{
    for (int r = 1; r < f->ranks->count; r++)
        if (!f->peers[r].gone)
            return false;
    return true;
}

static void speak(first *f)
{
    const fm_ranks_module *module = f->ranks->module;
    double start = module->clock();
    for (int r = 1; r < f->ranks->count; r++)
        f->peers[r].spoke = f->peers[r].heard = start;
    while (!atomic_load(&f->engine.ended) || !all_gone(f)) {
        int from, tag;
        size_t bytes;
        while (module->probe(&from, &tag, &bytes))
            hear(f, from, tag, bytes);
        watch(f);
        answer(f);
        if (f->stopped > 0 && atomic_load(&f->engine.ended) && module->clock() - f->stopped > linger)
            return;
        fm_spread_rest(-1, f->over ? quick : slow);
    }
}

static fm_status prepare(first *f, fm_error *error)
{
    f->peers = fm_alloc((size_t)f->ranks->count * sizeof *f->peers);
    f->owners = fm_alloc((f->sweep->plan->total + 1) * sizeof *f->owners);
    if (!f->peers || !f->owners)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %d ranks", f->ranks->count);
    for (int r = 0; r < f->ranks->count; r++)
        f->peers[r].ask.workers = fm_spread_workers(f->sweep);
    return f->ranks->count < NOBODY ? FM_OK : fm_fail(error, FM_ERR_RANGE, "at most %d ranks", NOBODY - 1);
}

static void finish(first *f, fm_spread_report *report)
{
    report->lost = f->lost;
    report->broken = f->lost > 0 || !all_gone(f);
    if (!f->sweep->engine[0])
        memcpy(f->sweep->engine, f->far_engine, sizeof f->far_engine);
    if (f->failed.status == FM_OK)
        f->failed = f->engine.error;
}

fm_status fm_spread_run_first(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error)
{
    first f = {.sweep = sweep, .ranks = ranks};
    fm_sweep_source source = {take_runs, &f};
    pthread_mutex_init(&f.lock, NULL);
    pthread_cond_init(&f.came, NULL);
    fm_status status = prepare(&f, &f.failed);
    sweep->source = &source;
    if (status == FM_OK && (status = fm_spread_engine_start(&f.engine, sweep, &f.failed)) == FM_OK) {
        speak(&f);
        fm_spread_engine_join(&f.engine);
        finish(&f, report);
    }
    report->broken |= status != FM_OK;
    sweep->source = NULL;
    fm_free(f.peers);
    fm_free(f.owners);
    fm_free(f.records);
    pthread_cond_destroy(&f.came);
    pthread_mutex_destroy(&f.lock);
    if (f.failed.status != FM_OK && error)
        *error = f.failed;
    return f.failed.status;
}
