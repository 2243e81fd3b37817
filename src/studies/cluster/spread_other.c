/* A rank that requests runs from rank 0 and sends their results. */
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "studies/cluster/spread_parts.h"

enum { MESSAGE_BYTES = 4000 };                 /* of records; larger messages are split, which would make rank 0 wait */
static const double patience = 8;              /* with rank 0: without it everything is lost */
static const double quick = 2e-4, slow = 5e-3; /* s between checks: while threads wait, and while all work */

typedef struct other {
    fm_sweep *sweep;
    const fm_ranks *ranks;
    fm_spread_engine engine;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t came;  /* runs, or the end */
    size_t waiting;       /* threads */
    fm_spread_ask ask;    /* what they want */
    fm_spread_runs runs;  /* that wait for one of them */
    bool asked, over;
    bool ahead;      /* the last part was large: more is requested before a thread waits */
    double *records; /* to be sent */
    size_t record_count, record_room, words;
    fm_error *failures; /* of the failed ones among them, in their order */
    size_t failure_count, failure_room;
    bool full; /* no memory for a record */
    int bell;  /* signalled by a thread that begins to wait */
    /* of the speaking thread alone */
    fm_error failed;     /* what ends this rank */
    double spoke, heard; /* s */
} other;

/* --- threads that make runs --- */

static bool take_runs(void *user, size_t least, size_t most, size_t *first, size_t *end)
{
    other *o = user;
    pthread_mutex_lock(&o->lock);
    o->ask.least = least;
    o->ask.most = most;
    o->waiting++;
    if (!o->over && o->runs.first == o->runs.end)
        (void)eventfd_write(o->bell, 1);
    while (!o->over && o->runs.first == o->runs.end)
        pthread_cond_wait(&o->came, &o->lock);
    o->waiting--;
    *first = o->runs.first;
    *end = o->runs.end;
    o->runs = (fm_spread_runs){0};
    pthread_mutex_unlock(&o->lock);
    return *first < *end;
}

static bool make_room(void **memory, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 256;
    void *grown = fm_realloc(*memory, wanted * size);
    if (!grown)
        return false;
    *memory = grown;
    *room = wanted;
    return true;
}

static void add_record(void *user, const fm_sweep *s, size_t run, const fm_error *failure)
{
    other *o = user;
    pthread_mutex_lock(&o->lock);
    if (!make_room((void **)&o->records, &o->record_room, o->record_count, o->words * sizeof *o->records) ||
        (failure && !make_room((void **)&o->failures, &o->failure_room, o->failure_count, sizeof *o->failures))) {
        o->full = true;
    } else {
        double *record = o->records + o->words * o->record_count++;
        record[0] = (double)run;
        record[1] = s->outcomes[run];
        memcpy(record + 2, s->values + run * s->width, s->width * sizeof *record);
        if (failure)
            o->failures[o->failure_count++] = *failure;
    }
    pthread_mutex_unlock(&o->lock);
}

/* --- the thread that speaks --- */

static void say(other *o, int tag, const void *data, size_t bytes)
{
    const char *failed = o->ranks->module->send(0, tag, data, bytes);
    o->spoke = o->ranks->module->clock();
    if (failed && o->failed.status == FM_OK)
        (void)fm_fail(&o->failed, FM_ERR_LIBRARY, "%s", failed);
}

static void end_here(other *o)
{
    pthread_mutex_lock(&o->lock);
    o->over = true;
    pthread_cond_broadcast(&o->came);
    pthread_mutex_unlock(&o->lock);
}

static void hear(other *o, int tag, size_t bytes)
{
    fm_spread_runs runs = {0};
    const char *failed = o->ranks->module->receive(0, tag, &runs, bytes < sizeof runs ? bytes : sizeof runs);
    o->heard = o->ranks->module->clock();
    if (failed && o->failed.status == FM_OK)
        (void)fm_fail(&o->failed, FM_ERR_LIBRARY, "%s", failed);
    if (failed || tag == FM_SPREAD_STOP)
        atomic_store(&o->sweep->stop, 1);
    if (failed || tag == FM_SPREAD_STOP || (tag == FM_SPREAD_RUNS && runs.first == runs.end)) {
        end_here(o);
    } else if (tag == FM_SPREAD_RUNS) {
        pthread_mutex_lock(&o->lock);
        o->runs = runs;
        o->ahead = runs.end - runs.first > o->ask.least;
        o->asked = false;
        pthread_cond_broadcast(&o->came);
        pthread_mutex_unlock(&o->lock);
    }
}

/* A failed run is sent alone, after the reason. */
static void send_some(other *o, const double *records, size_t count, const fm_error *failures)
{
    const size_t most = MESSAGE_BYTES / (o->words * sizeof *records);
    for (size_t at = 0, part; at < count; at += part) {
        const double *record = records + at * o->words;
        bool failed = record[1] == FM_OUTCOME_FAILED;
        for (part = 1; !failed && part < most && at + part < count; part++)
            if (record[part * o->words + 1] == FM_OUTCOME_FAILED)
                break;
        if (failed)
            say(o, FM_SPREAD_FAILURE, failures++, sizeof *failures);
        say(o, FM_SPREAD_RECORDS, record, part * o->words * sizeof *record);
    }
}

/* What has ended since. */
static void send_records(other *o)
{
    pthread_mutex_lock(&o->lock);
    double *records = o->records;
    fm_error *failures = o->failures;
    size_t count = o->record_count;
    if (o->full && o->failed.status == FM_OK)
        (void)fm_fail(&o->failed, FM_ERR_MEMORY, "no memory for the results of runs");
    o->records = NULL;
    o->failures = NULL;
    o->record_count = o->record_room = o->failure_count = o->failure_room = 0;
    pthread_mutex_unlock(&o->lock);
    send_some(o, records, count, failures);
    fm_free(records);
    fm_free(failures);
}

/* Requests runs for waiting threads, or ahead; at the end, when others may be idle, no rank keeps runs waiting. Returns
 * whether threads wait. */
static bool ask_for_runs(other *o)
{
    pthread_mutex_lock(&o->lock);
    bool waiting = o->waiting > 0;
    bool ask = (waiting || o->ahead) && !o->asked && !o->over && o->runs.first == o->runs.end;
    fm_spread_ask wanted = o->ask;
    o->asked |= ask;
    pthread_mutex_unlock(&o->lock);
    if (ask)
        say(o, FM_SPREAD_ASK, &wanted, sizeof wanted);
    return waiting;
}

static void watch(other *o)
{
    double now = o->ranks->module->clock();
    if (now - o->spoke > o->ranks->silence / 8)
        say(o, FM_SPREAD_ALIVE, NULL, 0);
    if (now - o->heard > patience * o->ranks->silence && o->failed.status == FM_OK)
        (void)fm_fail(&o->failed, FM_ERR_LIBRARY, "rank 0 says nothing any more");
    if (o->failed.status != FM_OK)
        atomic_store(&o->sweep->stop, 1);
    if (atomic_load(&o->sweep->stop))
        end_here(o);
}

static void speak(other *o)
{
    const fm_ranks_module *module = o->ranks->module;
    o->spoke = o->heard = module->clock();
    bool ended = false;
    while (!ended) {
        int from, tag;
        size_t bytes;
        ended = atomic_load(&o->engine.ended); /* before the records are sent: these are all */
        while (module->probe(&from, &tag, &bytes))
            hear(o, tag, bytes);
        send_records(o);
        bool waiting = ask_for_runs(o);
        watch(o);
        if (!ended)
            fm_spread_rest(o->bell, waiting ? quick : slow);
    }
}

static void say_bye(other *o)
{
    fm_spread_bye bye = {.by_worlds = atomic_load(&o->sweep->by_worlds)};
    bye.failed = o->failed.status != FM_OK ? o->failed : o->engine.error;
    memcpy(bye.host, o->ranks->host, sizeof bye.host);
    memcpy(bye.engine, o->sweep->engine, sizeof bye.engine);
    say(o, FM_SPREAD_BYE, &bye, sizeof bye);
}

fm_status fm_spread_run_other(fm_sweep *sweep, const fm_ranks *ranks, fm_spread_report *report, fm_error *error)
{
    other o = {.sweep = sweep, .ranks = ranks, .words = 2 + sweep->width};
    o.ask.workers = fm_spread_workers(sweep);
    fm_sweep_source source = {take_runs, &o};
    pthread_mutex_init(&o.lock, NULL);
    pthread_cond_init(&o.came, NULL);
    sweep->source = &source;
    sweep->options.done = add_record;
    sweep->options.user = &o;
    o.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); /* −1: no signal, which takes slightly longer */
    if (fm_spread_engine_start(&o.engine, sweep, &o.failed) == FM_OK) {
        speak(&o);
        fm_spread_engine_join(&o.engine);
    }
    if (o.bell >= 0)
        (void)close(o.bell);
    say_bye(&o);
    report->broken = o.failed.status != FM_OK;
    sweep->source = NULL;
    pthread_cond_destroy(&o.came);
    pthread_mutex_destroy(&o.lock);
    if (o.failed.status != FM_OK && error)
        *error = o.failed;
    return o.failed.status;
}
