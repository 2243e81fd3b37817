/* Runs of a sweep as vehicles of one batch: in lanes, or on a GPU. */
#include "studies/lane_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "batch/changes.h"
#include "batch/ends.h"
#include "batch/scenario_run.h"
#include "batch/surroundings.h"
#include "studies/lane_series.h"
#include "world/world.h"

enum {
    LANE_RUNS = 16, /* that one thread takes at a time: they end together, and what is cut off before is lost. More are
                     * not faster */
    DEVICE_RUNS = 1 << 20, /* that a GPU takes at a time */
    DEVICE_RUNS_LEAST = 1 << 15,
    DEVICE_SERIES = 1 << 14, /* with series, for which each model has a world */
    STEPS_AT_ONCE = 1000     /* between two checks whether to stop */
};

/* Runs with the same values except for the seed. */
typedef struct cell {
    fm_model *model;     /* NULL: refused */
    fm_error refused;    /* why */
    size_t first, count; /* places in the list of runs */
    size_t column;       /* of its first run, in the present batch */
    uint64_t ticks;      /* of a run */
    int flies;           /* a batch can make it */
    int done;
} cell;

typedef struct pieces {
    fm_batch_backend backend;
    int single;
    fm_sweep *sweep;
    size_t workers;        /* that share them */
    fm_threads *pool;      /* loads models for a GPU; NULL: each thread its own */
    pthread_mutex_t *lock; /* for the error and the name of the engine */
    fm_error error;        /* the first that came */
} pieces;

/* One piece of the sweep. */
typedef struct flock {
    fm_batch_backend backend;
    int single;
    fm_sweep *sweep;
    size_t *runs; /* that are to be made */
    size_t run_count;
    cell *cells;
    size_t cell_count;
    size_t *members; /* cells of the batch under way */
    size_t member_count;
    fm_batch *batch;
    fm_lane_series series;
    fm_threads *pool; /* that reads the ends of its runs; NULL: only the caller */
    pthread_mutex_t *lock;
} flock;

/* --- models --- */

static void load_cell(void *user, size_t i)
{
    flock *f = user;
    cell *c = &f->cells[i];
    double values[FM_AXES_MOST] = {0};
    fm_error why = {0};
    double duration = f->sweep->options.duration;
    fm_plan_values(f->sweep->plan, f->runs[c->first], values);
    c->model = fm_sweep_load(f->sweep, values, &c->refused);
    if (!c->model)
        return;
    c->ticks = fm_model_ticks(c->model, isnan(duration) ? fm_model_duration(c->model) : duration);
    c->flies = fm_batch_accept_run(c->model, f->sweep, &why) == FM_OK;
}

static bool same_cell(const fm_sweep *s, const double *a, const double *b)
{
    for (size_t i = 0; i < s->plan->axis_count; i++)
        if (!s->plan->axes[i].seed && a[i] != b[i])
            return false;
    return true;
}

static fm_status list_runs(flock *f, size_t first, size_t end, fm_error *error)
{
    const fm_sweep *s = f->sweep;
    double now[FM_AXES_MOST] = {0}, last[FM_AXES_MOST] = {0};
    f->runs = fm_alloc((end - first + 1) * sizeof *f->runs);
    f->cells = fm_alloc((end - first + 1) * sizeof *f->cells);
    f->members = fm_alloc((end - first + 1) * sizeof *f->members);
    if (!f->runs || !f->cells || !f->members)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", end - first);
    for (size_t run = first; run < end; run++) {
        if (s->outcomes[run] != FM_OUTCOME_NONE)
            continue;
        fm_plan_values(s->plan, run, now);
        if (f->run_count == 0 || !same_cell(s, now, last))
            f->cells[f->cell_count++] = (cell){.first = f->run_count};
        f->cells[f->cell_count - 1].count++;
        f->runs[f->run_count++] = run;
        memcpy(last, now, sizeof last);
    }
    return FM_OK;
}

/* --- timed changes of the scenario --- */

#define ROW_TYPE UINT32_MAX

typedef struct moment {
    uint64_t tick;
    uint32_t row;        /* of the table; ROW_TYPE: the type changes */
    size_t first, count; /* vehicles; for a type: its number, and the number of changes made */
    double value;
} moment;

typedef struct schedule {
    moment *moments;
    size_t count, room;
} schedule;

/* In order of time; among those at one tick the later one wins. */
static fm_status add_moment(schedule *s, moment m, fm_error *error)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 64;
        moment *grown = fm_realloc(s->moments, room * sizeof *grown);
        if (!grown)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the orders of the runs");
        s->moments = grown;
        s->room = room;
    }
    size_t at = s->count++;
    for (; at > 0 && s->moments[at - 1].tick > m.tick; at--)
        s->moments[at] = s->moments[at - 1];
    s->moments[at] = m;
    return FM_OK;
}

/* `type`: its number in the batch. */
static fm_status schedule_cell(const flock *f, const cell *c, size_t type, schedule *s, fm_error *error)
{
    const size_t first = c->column;
    const bool thrusters = f->batch->types[type].flat->count[FM_FLAT_THRUSTERS] > 0;
    const fm_placement *p = &c->model->vehicles[0];
    fm_status status = FM_OK;
    for (size_t i = 0; i < c->model->change_count && status == FM_OK; i++) {
        const fm_timed_change *change = &c->model->changes[i];
        uint32_t row;
        if (fm_change_row(c->model, &f->batch->rows, change->path, &row))
            status = add_moment(s, (moment){change->tick, row, first, c->count, change->value}, error);
        else
            row = ROW_TYPE;
        if (status == FM_OK && (row == ROW_TYPE || thrusters)) /* an autopilot may know of faults */
            status = add_moment(s, (moment){change->tick, ROW_TYPE, type, i + 1, 0}, error);
    }
    for (size_t i = 0; i < p->order_count && status == FM_OK; i++)
        status = add_moment(s,
                            (moment){p->orders[i].tick, f->batch->rows.orders + (uint32_t)p->orders[i].actuator, first,
                                     c->count, p->orders[i].value},
                            error);
    return status;
}

static fm_status make_schedule(const flock *f, schedule *s, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < f->member_count && status == FM_OK; i++)
        status = schedule_cell(f, &f->cells[f->members[i]], i, s, error);
    return status;
}

/* --- the batch --- */

static bool alike(const cell *a, const cell *b)
{
    fm_flat *x = fm_batch_run_flatten(a->model, 0, NULL), *y = fm_batch_run_flatten(b->model, 0, NULL);
    bool same = x && y && fm_flat_alike(x, y) && a->ticks == b->ticks;
    fm_free(x);
    fm_free(y);
    return same;
}

/* The first waiting cell, and all that are equal. */
static bool gather(flock *f)
{
    size_t column = 0;
    f->member_count = 0;
    for (size_t i = 0; i < f->cell_count; i++) {
        cell *c = &f->cells[i];
        if (c->done || !c->flies || !c->model)
            continue;
        if (f->member_count && !alike(&f->cells[f->members[0]], c))
            continue;
        f->members[f->member_count++] = i;
        c->column = column;
        column += c->count;
        c->done = 1;
    }
    return f->member_count > 0;
}

static size_t count_vehicles(const flock *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->member_count; i++)
        count += f->cells[f->members[i]].count;
    return count;
}

static fm_status place_vehicles(const flock *f, size_t count, fm_error *error)
{
    uint64_t *seeds = fm_alloc(count * sizeof *seeds);
    double *variants = fm_alloc(count * sizeof *variants);
    fm_status status = seeds && variants ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", count);
    for (size_t i = 0, at = 0; i < f->member_count && status == FM_OK; i++)
        for (size_t k = 0; k < f->cells[f->members[i]].count; k++, at++) {
            size_t run = f->runs[f->cells[f->members[i]].first + k];
            seeds[at] = fm_plan_seed(f->sweep->plan, run);
            variants[at] = (double)i;
        }
    if (status == FM_OK)
        status = fm_batch_put_seeds(f->batch, seeds, error);
    if (status == FM_OK)
        status = fm_batch_put(f->batch, FM_BATCH_VARIANTS, variants, error);
    if (status == FM_OK)
        status = fm_batch_refresh(f->batch, error);
    if (status == FM_OK)
        status = fm_batch_restart(f->batch, error);
    if (status == FM_OK)
        status = fm_surroundings_draw_waves(f->batch, seeds, variants, error);
    fm_free(seeds);
    fm_free(variants);
    return status;
}

static fm_status open_series(flock *f, fm_error *error)
{
    fm_status status = fm_lane_series_begin(&f->series, f->sweep, f->member_count, count_vehicles(f), error);
    for (size_t i = 0; i < f->member_count && status == FM_OK; i++) {
        const cell *c = &f->cells[f->members[i]];
        status = fm_lane_series_add(&f->series, c->model, c->column, c->count, error);
    }
    return status;
}

static fm_status open_batch(flock *f, fm_error *error)
{
    size_t count = count_vehicles(f);
    const fm_model **variants = fm_alloc((f->member_count + 1) * sizeof *variants);
    if (!variants)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu types", f->member_count);
    for (size_t i = 1; i < f->member_count; i++)
        variants[i - 1] = f->cells[f->members[i]].model;
    fm_batch_options options = {.backend = f->backend,
                                .single = f->single,
                                .variants = variants,
                                .variant_count = f->member_count - 1,
                                .threads = 1};
    f->batch = fm_batch_create_whole(f->cells[f->members[0]].model, count, &options, error);
    fm_free(variants);
    if (!f->batch)
        return error->status;
    pthread_mutex_lock(f->lock);
    snprintf(f->sweep->engine, sizeof f->sweep->engine, "%s", fm_batch_describe(f->batch));
    pthread_mutex_unlock(f->lock);
    return place_vehicles(f, count, error);
}

/* Applies all due changes; changed types are passed to the kernel once. */
static fm_status meet_moments(flock *f, const schedule *s, uint64_t tick, size_t *next, fm_error *error)
{
    fm_status status = FM_OK;
    bool changed = false;
    for (; *next < s->count && s->moments[*next].tick <= tick && status == FM_OK; (*next)++) {
        const moment *m = &s->moments[*next];
        if (m->row != ROW_TYPE) {
            status = fm_batch_fill(f->batch, m->row, m->first, m->count, m->value, error);
            continue;
        }
        fm_flat *flat = fm_batch_run_flatten(f->cells[f->members[m->first]].model, m->count, error);
        if (!flat)
            return error->status;
        fm_free(f->batch->types[m->first].flat);
        f->batch->types[m->first].flat = flat;
        changed = true;
    }
    return status == FM_OK && changed ? fm_batch_build_blocks(f->batch, error) : status;
}

/* FM_OUTCOME_NONE if it was stopped. */
static fm_outcome fly(flock *f, uint64_t end, fm_error *error)
{
    schedule s = {0};
    fm_status status = make_schedule(f, &s, error);
    size_t next = 0;
    uint64_t tick = 0;
    if (status == FM_OK)
        status = fm_lane_series_note(&f->series, f->batch, 0, error);
    while (tick < end && status == FM_OK && !atomic_load_explicit(&f->sweep->stop, memory_order_relaxed)) {
        status = meet_moments(f, &s, tick, &next, error);
        uint64_t until = next < s.count && s.moments[next].tick < end ? s.moments[next].tick : end;
        const uint64_t sample = fm_lane_series_next(&f->series, tick);
        until = sample < until ? sample : until;
        uint64_t steps = until - tick < STEPS_AT_ONCE ? until - tick : STEPS_AT_ONCE;
        if (status == FM_OK)
            status = fm_batch_step(f->batch, (size_t)steps, error);
        tick += steps;
        if (status == FM_OK)
            status = fm_lane_series_note(&f->series, f->batch, tick, error);
    }
    fm_free(s.moments);
    return status != FM_OK ? FM_OUTCOME_FAILED : tick < end ? FM_OUTCOME_NONE : FM_OUTCOME_FINISHED;
}

/* --- results --- */

static bool wants(const fm_sweep *s, const char *metric)
{
    for (size_t i = 0; i < s->column_count; i++)
        if (!s->columns[i].pose && !strcmp(s->columns[i].metric, metric))
            return true;
    for (const char *const *read = s->read; read && *read; read++)
        if (!strcmp(*read, metric))
            return true;
    return false;
}

/* A clearance is needed to full precision. */
static bool wants_clearance(const flock *f, const cell *c)
{
    const fm_type *type = &c->model->types[c->model->vehicles[0].type];
    return type->contact.clearance && !f->single && wants(f->sweep, "min_clearance");
}

/* One run by a world of its own, or the error of its refused model. */
static void repeat(flock *f, const cell *c, size_t run, double *row)
{
    fm_error why = c->refused;
    for (size_t i = 0; i < f->sweep->width; i++)
        row[i] = NAN;
    fm_outcome outcome = c->model ? fm_sweep_run_world(f->sweep, c->model, run, row, &why) : FM_OUTCOME_FAILED;
    if (outcome == FM_OUTCOME_NONE)
        return;
    fm_sweep_note(f->sweep, run, outcome, row, outcome == FM_OUTCOME_FAILED ? &why : NULL);
    atomic_fetch_add(&f->sweep->by_worlds, c->model != NULL);
}

static fm_status read_cell(flock *f, const cell *c, size_t first, const double *table, double *row, fm_error *error)
{
    const fm_sweep *s = f->sweep;
    fm_world *world = fm_world_create(c->model, &(fm_world_options){.seeded = 1, .threads = 1}, error);
    fm_ask_panel *panel = NULL;
    if (!world || fm_sweep_ask(s, c->model, &panel, error) != FM_OK)
        return fm_world_free(world), error->status;
    const bool clearance = wants_clearance(f, c);
    for (size_t k = 0; k < c->count; k++) {
        size_t run = f->runs[c->first + k];
        if (fm_ends_in_doubt(f->batch, table, first + k, clearance)) {
            repeat(f, c, run, row);
            continue;
        }
        fm_ends_put(f->batch, table, first + k, world, c->ticks);
        if (panel)
            fm_ask_panel_begin(panel);
        fm_sweep_read(s, world, panel, row);
        fm_lane_series_read(&f->series, first + k, row);
        fm_sweep_note(f->sweep, run, FM_OUTCOME_FINISHED, row, NULL);
    }
    fm_ask_panel_free(panel);
    fm_world_free(world);
    return FM_OK;
}

/* The cells of a batch that has ended, each by one thread. */
typedef struct reading {
    flock *f;
    const double *table;
    fm_error error; /* the first that came */
} reading;

static void read_member(void *user, size_t i)
{
    reading *r = user;
    flock *f = r->f;
    const cell *c = &f->cells[f->members[i]];
    fm_error error = {0};
    double *row = fm_alloc((f->sweep->width + 1) * sizeof *row);
    fm_status status = row ? read_cell(f, c, c->column, r->table, row, &error)
                           : fm_fail(&error, FM_ERR_MEMORY, "no memory for results");
    fm_free(row);
    if (status == FM_OK)
        return;
    pthread_mutex_lock(f->lock);
    if (r->error.status == FM_OK)
        r->error = error;
    pthread_mutex_unlock(f->lock);
}

static fm_status read_ends(flock *f, fm_error *error)
{
    double *table = fm_ends_read(f->batch, error);
    reading r = {.f = f, .table = table};
    if (!table)
        return error->status;
    if (f->pool)
        fm_threads_share(f->pool, f->member_count, read_member, &r);
    else
        for (size_t i = 0; i < f->member_count; i++)
            read_member(&r, i);
    fm_free(table);
    if (r.error.status != FM_OK)
        *error = r.error;
    return r.error.status;
}

/* --- one piece --- */

static fm_status make_batches(flock *f, fm_error *error)
{
    fm_status status = FM_OK;
    fm_outcome outcome = FM_OUTCOME_FINISHED;
    while (status == FM_OK && outcome == FM_OUTCOME_FINISHED && gather(f)) {
        status = open_batch(f, error);
        if (status == FM_OK)
            status = open_series(f, error);
        if (status == FM_OK)
            outcome = fly(f, f->cells[f->members[0]].ticks, error);
        if (outcome == FM_OUTCOME_FAILED)
            status = error->status;
        if (status == FM_OK && outcome == FM_OUTCOME_FINISHED)
            status = read_ends(f, error);
        fm_lane_series_free(&f->series);
        fm_batch_free(f->batch);
        f->batch = NULL;
    }
    return status;
}

/* Runs of refused models, or runs that a batch cannot make. */
static fm_status make_others(flock *f, fm_error *error)
{
    double *row = fm_alloc((f->sweep->width + 1) * sizeof *row);
    if (!row)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for results");
    for (size_t i = 0; i < f->cell_count; i++) {
        const cell *c = &f->cells[i];
        for (size_t k = 0; k < c->count && !c->done && !atomic_load(&f->sweep->stop); k++)
            repeat(f, c, f->runs[c->first + k], row);
    }
    fm_free(row);
    return FM_OK;
}

/* The runs `first` … `end` − 1; all threads of the pool, if there is one, load their models and read their ends. */
static fm_status make_piece(const pieces *p, size_t first, size_t end, fm_threads *pool, fm_error *error)
{
    flock f = {.backend = p->backend, .single = p->single, .sweep = p->sweep, .pool = pool, .lock = p->lock};
    fm_status status = list_runs(&f, first, end, error);
    if (status == FM_OK && pool && !p->sweep->loads_alone)
        fm_threads_share(pool, f.cell_count, load_cell, &f);
    else
        for (size_t i = 0; status == FM_OK && i < f.cell_count; i++)
            load_cell(&f, i);
    if (status == FM_OK)
        status = make_batches(&f, error);
    if (status == FM_OK)
        status = make_others(&f, error);
    for (size_t i = 0; f.cells && i < f.cell_count; i++)
        fm_model_free(f.cells[i].model);
    fm_free(f.runs);
    fm_free(f.cells);
    fm_free(f.members);
    return status;
}

/* --- the sweep --- */

static fm_status how_it_is(const pieces *p)
{
    pthread_mutex_lock(p->lock);
    fm_status status = p->error.status;
    pthread_mutex_unlock(p->lock);
    return status;
}

/* Pieces, as long as there are any. */
static void make_pieces(void *user, size_t i)
{
    pieces *p = user;
    bool lanes = p->backend != FM_BATCH_CUDA;
    size_t first, end, least = lanes ? LANE_RUNS : DEVICE_RUNS_LEAST, most = lanes ? LANE_RUNS : DEVICE_RUNS;
    if (!lanes && p->sweep->series_count)
        least = most = DEVICE_SERIES;
    fm_error error = {0};
    (void)i;
    while (how_it_is(p) == FM_OK && fm_sweep_next(p->sweep, p->workers, least, most, &first, &end)) {
        if (make_piece(p, first, end, p->pool, &error) == FM_OK)
            continue;
        pthread_mutex_lock(p->lock);
        if (p->error.status == FM_OK)
            p->error = error;
        pthread_mutex_unlock(p->lock);
    }
}

fm_status fm_sweep_run_lanes(fm_sweep *sweep, fm_batch_backend backend, int single, fm_error *error)
{
    pthread_mutex_t lock;
    fm_threads *pool = fm_threads_create(sweep->options.threads > 1 ? sweep->options.threads : 1);
    if (!pool)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
    bool device = backend == FM_BATCH_CUDA;
    pieces p = {.backend = backend,
                .single = single,
                .sweep = sweep,
                .workers = device ? 1 : (size_t)fm_threads_count(pool),
                .pool = device ? pool : NULL,
                .lock = &lock};
    pthread_mutex_init(&lock, NULL);
    sweep->handed = 0;
    if (device)
        make_pieces(&p, 0);
    else
        fm_threads_share(pool, p.workers, make_pieces, &p);
    pthread_mutex_destroy(&lock);
    fm_threads_free(pool);
    if (p.error.status != FM_OK && error)
        *error = p.error;
    return p.error.status;
}
