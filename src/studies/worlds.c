/* A world a run, on all threads. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "studies/sweep.h"
#include "world/world.h"

enum {
    TICKS_AT_ONCE = 1000, /* between two checks whether to stop */
    MOST_AT_ONCE = 4096   /* runs that are asked for */
};

typedef struct worker {
    fm_model *model;             /* of the last run: runs that differ only in their seed share it */
    double values[FM_AXES_MOST]; /* that it was loaded with */
    fm_error refused;            /* why it is NULL */
    int loaded;
    double *row;
} worker;

typedef struct crew {
    fm_sweep *sweep;
    fm_steal *shares;
    worker *workers;
    size_t count;
} crew;

/* The model of a run, reused from the last one if only the seed differs. */
static fm_model *model_of(fm_sweep *s, worker *w, const double *values)
{
    int same = w->loaded;
    for (size_t i = 0; i < s->plan->axis_count; i++)
        same &= s->plan->axes[i].seed || values[i] == w->values[i];
    if (same)
        return w->model;
    fm_model_free(w->model);
    w->refused = (fm_error){0};
    w->model = fm_sweep_load(s, values, &w->refused);
    memcpy(w->values, values, sizeof w->values);
    w->loaded = 1;
    return w->model;
}

/* What looks at a run while it goes: the expressions, and the series, which are kept in the row. */
typedef struct watch {
    fm_ask_panel *panel, *series; /* NULL: none */
    double *row;
} watch;

static void look(const fm_sweep *s, const watch *w, const fm_world *world, bool first)
{
    if (w->panel && (s->asks_steps || first))
        fm_ask_panel_note(w->panel, world);
    if (w->series)
        fm_sweep_note_series(s, world, w->series, w->row + s->column_count);
}

/* Steps to the end; FM_OUTCOME_NONE if it was stopped. */
static fm_outcome go(const fm_sweep *s, fm_world *world, const watch *w, fm_error *error)
{
    const fm_model *model = fm_world_model(world);
    uint64_t end = fm_model_ticks(model, isnan(s->options.duration) ? fm_model_duration(model) : s->options.duration);
    look(s, w, world, true);
    while (fm_world_tick(world) < end && !fm_world_over(world)) {
        if (atomic_load_explicit(&s->stop, memory_order_relaxed))
            return FM_OUTCOME_NONE;
        for (int i = 0; i < TICKS_AT_ONCE && fm_world_tick(world) < end && !fm_world_over(world); i++) {
            if (fm_world_step(world, error) != FM_OK)
                return FM_OUTCOME_FAILED;
            look(s, w, world, false);
        }
    }
    return FM_OUTCOME_FINISHED;
}

fm_outcome fm_sweep_run_world(const fm_sweep *s, const fm_model *model, size_t run, double *row, fm_error *error)
{
    fm_world *world = fm_world_create(
        model, &(fm_world_options){.seeded = 1, .seed = fm_plan_seed(s->plan, run), .threads = 1}, error);
    watch w = {.row = row};
    const bool fine = world && fm_sweep_ask(s, model, &w.panel, error) == FM_OK &&
                      fm_sweep_begin_series(s, model, &w.series, error) == FM_OK;
    fm_outcome outcome = fine ? go(s, world, &w, error) : FM_OUTCOME_FAILED;
    if (outcome == FM_OUTCOME_FINISHED)
        fm_sweep_read(s, world, w.panel, row);
    fm_ask_panel_free(w.panel);
    fm_ask_panel_free(w.series);
    fm_world_free(world);
    return outcome;
}

static fm_outcome make_run(fm_sweep *s, worker *w, size_t run, fm_error *error)
{
    double values[FM_AXES_MOST] = {0};
    fm_plan_values(s->plan, run, values);
    const fm_model *model = model_of(s, w, values);
    for (size_t i = 0; i < s->width; i++)
        w->row[i] = NAN;
    if (!model) {
        *error = w->refused;
        return FM_OUTCOME_FAILED;
    }
    return fm_sweep_run_world(s, model, run, w->row, error);
}

/* Runs of this process; if several processes share them, requests more when none waits here. */
static bool next_run(const crew *c, size_t own, size_t *run)
{
    size_t first, end;
    while (!fm_steal_next(c->shares, c->count, own, run)) {
        if (!c->sweep->source || !fm_sweep_next(c->sweep, c->count, 1, MOST_AT_ONCE, &first, &end))
            return false;
        fm_steal_give(&c->shares[own], first, end);
    }
    return true;
}

static void work(void *user, size_t own)
{
    crew *c = user;
    fm_sweep *s = c->sweep;
    size_t run;
    while (!atomic_load_explicit(&s->stop, memory_order_relaxed) && next_run(c, own, &run)) {
        if (s->outcomes[run] != FM_OUTCOME_NONE)
            continue;
        fm_error error = {0};
        fm_outcome outcome = make_run(s, &c->workers[own], run, &error);
        if (outcome == FM_OUTCOME_NONE)
            return;
        fm_sweep_note(s, run, outcome, c->workers[own].row, outcome == FM_OUTCOME_FAILED ? &error : NULL);
    }
}

static fm_status prepare(crew *c, fm_error *error)
{
    c->shares = fm_alloc(c->count * sizeof *c->shares);
    c->workers = fm_alloc(c->count * sizeof *c->workers);
    int ok = c->shares && c->workers;
    for (size_t i = 0; i < c->count && ok; i++)
        ok = (c->workers[i].row = fm_alloc((c->sweep->width + 1) * sizeof(double))) != NULL;
    return ok ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu threads", c->count);
}

fm_status fm_sweep_run_worlds(fm_sweep *sweep, fm_error *error)
{
    fm_threads *pool = fm_threads_create(sweep->options.threads > 1 ? sweep->options.threads : 1);
    crew c = {.sweep = sweep, .count = pool ? (size_t)fm_threads_count(pool) : 1};
    fm_status status = pool ? prepare(&c, error) : fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
    if (status == FM_OK) {
        if (!sweep->source)
            fm_steal_deal(c.shares, c.count, sweep->plan->total);
        fm_threads_share(pool, c.count, work, &c);
    }
    for (size_t i = 0; c.workers && i < c.count; i++) {
        fm_model_free(c.workers[i].model);
        fm_free(c.workers[i].row);
    }
    fm_free(c.workers);
    fm_free(c.shares);
    fm_threads_free(pool);
    return status;
}
