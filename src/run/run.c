/* A run: its loop, and the parts of a step. */
#include "run/run.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "world/world.h"

enum { INPUTS_DEFAULT = 1024, INPUTS_MOST = 4096, BURST_DEFAULT = 100 };

/* --- inputs --- */

static void take_input(fm_run *run, const fm_input *input)
{
    fm_error error = {0};
    if (fm_world_input(run->world, input, &error) == FM_OK) {
        atomic_fetch_add_explicit(&run->inputs, 1, memory_order_relaxed);
        return;
    }
    atomic_fetch_add_explicit(&run->refused, 1, memory_order_relaxed);
    fm_run_tell_refusal(run, input, &error);
}

/* Order of tags; inputs with the same tag keep the order in which they arrived. */
static void sort_turns(const fm_run *run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t tag = fm_input_queue_at(run->queue, i)->tag;
        size_t k = i;
        for (; k > 0 && fm_input_queue_at(run->queue, run->turns[k - 1])->tag > tag; k--)
            run->turns[k] = run->turns[k - 1];
        run->turns[k] = (uint32_t)i;
    }
}

/* Applies the inputs that wait in the queue, and notes when they came. */
static void take_inputs(fm_run *run)
{
    size_t count = 0;
    if (!run->queue || !fm_input_queue_at(run->queue, 0))
        return;
    for (; fm_input_queue_at(run->queue, count); count++)
        fm_run_note_input(run, fm_input_queue_moment(run->queue, count));
    int sorted = fm_run_in_lockstep(run);
    if (sorted)
        sort_turns(run, count);
    for (size_t i = 0; i < count; i++)
        take_input(run, fm_input_queue_at(run->queue, sorted ? run->turns[i] : i));
    fm_input_queue_take(run->queue, count);
}

/* --- a step --- */

/* The error is in run->found, written by the function that failed. */
static fm_status fail_run(fm_run *run, fm_status status, fm_error *error)
{
    if (run->found.status != status)
        fm_fail(&run->found, status, "%s", fm_status_name(status));
    run->failure = run->found;
    fm_run_tell_failure(run);
    if (error)
        *error = run->failure;
    return run->failure.status;
}

static fm_status step(fm_run *run, fm_error *error)
{
    fm_run_do_tasks(run);
    fm_status status = fm_run_begin_sinks(run, &run->found);
    if (status != FM_OK)
        return fail_run(run, status, error);
    take_inputs(run);
    fm_run_steer_sinks(run);
    status = fm_world_step(run->world, &run->found);
    atomic_store_explicit(&run->steps, atomic_load_explicit(&run->steps, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    if (status == FM_OK)
        status = fm_run_tell_sinks(run, &run->found);
    if (status == FM_OK)
        fm_run_note_answers(run);
    return status == FM_OK ? FM_OK : fail_run(run, status, error);
}

/* Ticks that no one follows one by one: no sink, no input and no task waits. A stop is noticed after the next of them.
 */
static uint64_t unwatched(fm_run *run, uint64_t most)
{
    const uint64_t together = 64;
    if (run->sinks || run->until == FM_RUN_UNTIL_WAYPOINTS || run->overlays ||
        (run->queue && fm_input_queue_at(run->queue, 0)) || atomic_load_explicit(&run->tasks, memory_order_relaxed) ||
        !atomic_load_explicit(&run->free_running, memory_order_relaxed))
        return 1;
    return most < together ? most : together;
}

static fm_status glide(fm_run *run, uint64_t ticks, uint64_t *made, fm_error *error)
{
    fm_status status = fm_world_advance(run->world, ticks, made, &run->found);
    atomic_store_explicit(&run->steps, atomic_load_explicit(&run->steps, memory_order_relaxed) + *made,
                          memory_order_relaxed);
    return status == FM_OK ? FM_OK : fail_run(run, status, error);
}

static fm_status check_run(const fm_run *run, fm_error *error)
{
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    if (run->finished)
        return fm_fail(error, FM_ERR_STATE, "the run is finished");
    if (run->failure.status != FM_OK && error)
        *error = run->failure;
    return run->failure.status;
}

fm_status fm_run_step(fm_run *run, fm_error *error)
{
    fm_status status = check_run(run, error);
    return status == FM_OK ? step(run, error) : status;
}

int fm_run_complete(const fm_run *run)
{
    if (fm_world_tick(run->world) >= run->last)
        return 1;
    if (run->until == FM_RUN_UNTIL_DURATION)
        return 0;
    const fm_route_counts now =
        run->until == FM_RUN_UNTIL_WAYPOINTS ? fm_world_routes(run->world) : (fm_route_counts){0};
    return fm_world_over(run->world) || (now.lists && now.done == now.lists);
}

fm_status fm_run_steps(fm_run *run, uint64_t last, uint64_t most, fm_error *error)
{
    fm_status status = check_run(run, error);
    while (status == FM_OK && fm_world_tick(run->world) < last && most > 0 && !fm_run_complete(run) &&
           !atomic_load_explicit(&run->stopped, memory_order_relaxed)) {
        uint64_t left = last - fm_world_tick(run->world), ticks = unwatched(run, left < most ? left : most), made = 1;
        status = ticks > 1 ? glide(run, ticks, &made, error) : step(run, error);
        most -= made;
    }
    return status;
}

fm_status fm_run_until(fm_run *run, double time, fm_error *error)
{
    fm_status status = check_run(run, error);
    if (status != FM_OK)
        return status;
    uint64_t last = fm_model_ticks(fm_world_model(run->world), time);
    return fm_run_steps(run, last < run->last ? last : run->last, UINT64_MAX, error);
}

/* The same loop, without threads. */
fm_status fm_world_run_until(fm_world *world, double time, fm_error *error)
{
    fm_run run = {.world = world, .last = UINT64_MAX, .free_running = 1};
    if (!world)
        return fm_fail(error, FM_ERR_ARGUMENT, "world must not be NULL");
    return fm_run_until(&run, time, error);
}

/* --- creation and end --- */

static fm_status check_options(const fm_run_options *o, fm_error *error)
{
    if (!(o->duration >= 0))
        return fm_fail(error, FM_ERR_RANGE, "duration: %g s is out of range: must be 0 s and more", o->duration);
    if (o->inputs > INPUTS_MOST)
        return fm_fail(error, FM_ERR_RANGE, "inputs: %zu is out of range: must be up to %d", o->inputs, INPUTS_MOST);
    return FM_OK;
}

static fm_status prepare(fm_run *run, const fm_run_options *o, fm_error *error)
{
    run->burst = o->burst ? o->burst : BURST_DEFAULT;
    run->queue = fm_input_queue_create(o->inputs ? o->inputs : INPUTS_DEFAULT);
    run->turns = run->queue ? fm_alloc(fm_input_queue_room(run->queue) * sizeof *run->turns) : NULL;
    run->moments = run->queue ? fm_alloc(fm_input_queue_room(run->queue) * sizeof *run->moments) : NULL;
    run->schedule = fm_run_schedule_create();
    if (!run->queue || !run->turns || !run->moments || !run->schedule)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a run");
    fm_status status = fm_run_set_pace(run, &o->pace, error);
    double duration = o->duration > 0 ? o->duration : fm_model_duration(fm_world_model(run->world));
    return status == FM_OK ? fm_run_set_end(run, duration, error) : status;
}

/* Takes ownership of the world, also on failure. */
static fm_run *create(fm_world *world, int owns, const fm_run_options *o, fm_error *error)
{
    fm_run *run = fm_alloc(sizeof *run);
    if (!run) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a run");
        if (owns)
            fm_world_free(world);
        return NULL;
    }
    run->world = world;
    run->owns_world = owns;
    sem_init(&run->wake, 0, 0);
    if (prepare(run, o, error) == FM_OK)
        return run;
    run->finished = 1;
    fm_run_free(run);
    return NULL;
}

fm_run *fm_run_create(const fm_model *model, const fm_run_options *options, fm_error *error)
{
    fm_run_options o;
    if (!model) {
        fm_fail(error, FM_ERR_ARGUMENT, "model must not be NULL");
        return NULL;
    }
    if (FM_READ_OPTIONS(&o, options, fm_run_options, error) != FM_OK || check_options(&o, error) != FM_OK)
        return NULL;
    fm_world *world = fm_world_create(model, o.world, error);
    return world ? create(world, 1, &o, error) : NULL;
}

fm_run *fm_run_create_on(fm_world *world, const fm_run_options *options, fm_error *error)
{
    fm_run_options o;
    if (!world) {
        fm_fail(error, FM_ERR_ARGUMENT, "world must not be NULL");
        return NULL;
    }
    if (FM_READ_OPTIONS(&o, options, fm_run_options, error) != FM_OK || check_options(&o, error) != FM_OK)
        return NULL;
    return create(world, 0, &o, error);
}

void fm_run_free(fm_run *run)
{
    if (!run)
        return;
    fm_run_finish(run, NULL);
    fm_run_free_sinks(run);
    fm_run_free_overlays(run);
    fm_run_schedule_free(run->schedule);
    fm_input_queue_free(run->queue);
    fm_free(run->turns);
    fm_free(run->moments);
    sem_destroy(&run->wake);
    if (run->owns_world)
        fm_world_free(run->world);
    fm_free(run);
}

/* --- questions --- */

fm_world *fm_run_world(const fm_run *run)
{
    return run ? run->world : NULL;
}

fm_status fm_run_set_end(fm_run *run, double time, fm_error *error)
{
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    if (!(time >= 0))
        return fm_fail(error, FM_ERR_RANGE, "end of the run: %g s is out of range: must be 0 s and more", time);
    run->last = fm_model_ticks(fm_world_model(run->world), time);
    return FM_OK;
}

fm_status fm_run_set_until(fm_run *run, fm_run_goal until, fm_error *error)
{
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    if (until == FM_RUN_UNTIL_WAYPOINTS && !fm_world_routes(run->world).lists)
        return fm_fail(error, FM_ERR_MODEL, "no vehicle has <waypoints> that end");
    run->until = until;
    return FM_OK;
}

double fm_run_end(const fm_run *run)
{
    if (!run)
        return 0;
    return run->last == UINT64_MAX ? HUGE_VAL : (double)run->last * fm_model_dt(fm_world_model(run->world));
}

int fm_run_over(const fm_run *run)
{
    return !run || run->finished || run->failure.status != FM_OK ||
           atomic_load_explicit(&((fm_run *)(uintptr_t)run)->stopped, memory_order_relaxed) || fm_run_complete(run);
}

fm_run_counts fm_run_get_counts(const fm_run *run)
{
    if (!run)
        return (fm_run_counts){0};
    fm_run *r = (fm_run *)(uintptr_t)run; /* atomics are read, the lock is taken */
    pthread_mutex_lock(&r->schedule->lock);
    uint64_t missed = r->schedule->missed;
    pthread_mutex_unlock(&r->schedule->lock);
    return (fm_run_counts){.steps = r->steps,
                           .late = r->late,
                           .latest = r->latest,
                           .inputs = r->inputs,
                           .refused = r->refused,
                           .overflowed = fm_input_queue_overflowed(r->queue),
                           .missed = missed,
                           .lateness = fm_delays_read(&r->lateness),
                           .response = fm_delays_read(&r->response)};
}
