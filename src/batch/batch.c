/* Creating, stepping and resetting a batch. */
#include "batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/threads.h"
#include "batch/guard.h"
#include "batch/links.h"
#include "batch/parameters.h"
#include "batch/scenario_run.h"
#include "control/chain.h"
#include "environment/environment.h"
#include "physics/own_body.h"

enum { COLUMNS = 64, ACTUATORS_MOST = 64 }; /* a row is a multiple of this; lanes/kernel.c allocates that */

/* --- memory --- */

size_t fm_batch_number_size(const fm_batch *batch)
{
    return batch->single ? sizeof(float) : sizeof(double);
}

static fm_status tell_cuda(const char *what, fm_error *error)
{
    return what ? fm_fail(error, FM_ERR_LIBRARY, "CUDA: %s", what) : FM_OK;
}

fm_status fm_batch_allocate(fm_batch *b, void **memory, size_t bytes, fm_error *error)
{
    if (!b->lanes)
        return tell_cuda(b->cuda->allocate(memory, bytes), error);
    size_t whole = (bytes + FM_FLAT_ALIGN - 1) / FM_FLAT_ALIGN * FM_FLAT_ALIGN;
    char *room = fm_alloc(whole + 2 * FM_FLAT_ALIGN); /* its start is recorded before it */
    if (!room)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a batch of %zu vehicles (%zu MiB)", b->count, bytes >> 20);
    char *at = (char *)(((uintptr_t)room / FM_FLAT_ALIGN + 2) * FM_FLAT_ALIGN);
    memcpy(at - sizeof room, &room, sizeof room);
    *memory = at;
    return FM_OK;
}

void fm_batch_release(const fm_batch *b, void *memory)
{
    if (!memory)
        return;
    if (!b->lanes) {
        b->cuda->release(memory);
        return;
    }
    char *room;
    memcpy(&room, (char *)memory - sizeof room, sizeof room);
    fm_free(room);
}

fm_status fm_batch_copy(const fm_batch *b, void *to, const void *from, size_t bytes, fm_error *error)
{
    if (!b->lanes)
        return tell_cuda(b->cuda->copy(to, from, bytes), error);
    memcpy(to, from, bytes);
    return FM_OK;
}

/* --- the table --- */

static fm_batch_rows lay_out(const fm_type *type, int whole, const fm_flat *flat)
{
    const uint32_t actuators = (uint32_t)type->actuator_count;
    const uint32_t *has = flat->count;
    fm_batch_rows r = {.actuators = actuators};
    uint32_t at = 0;
    const struct {
        uint32_t *row, count;
    } all[] = {{&r.state, 13},
               {&r.current, 3},
               {&r.tally, 4},
               {&r.bad, 1},
               {&r.charge, 1},
               {&r.power, 1},
               {&r.orders, actuators},
               {&r.values, actuators},
               {&r.rates, actuators},
               {&r.forces, actuators},
               {&r.faults, 3 * actuators},
               {&r.observation, FM_BATCH_POSE + actuators},
               {&r.waves, fm_flat_wave_rows(flat)},
               {&r.mass, has[FM_FLAT_MOVING] ? FM_MASS_NUMBERS : 0},
               {&r.own, fm_flat_has_own(flat) ? FM_OWN_WORDS : 0},
               {&r.feeler, has[FM_FLAT_FEELER] ? (uint32_t)fm_feeler_rows((int)has[FM_FLAT_SENSORS]) : 0},
               {&r.chain, fm_flat_has_chain(flat) ? FM_CHAIN_KEPT : 0},
               {&r.suite, fm_flat_suite_rows(flat)},
               {&r.laws, whole ? fm_laws_rows(type) : 0},
               {&r.touch, fm_flat_may_touch(flat) ? FM_TOUCH_KEPT : 0},
               {&r.drift, fm_flat_surroundings_rows(flat)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].row = at;
        at += all[i].count;
    }
    r.count = at;
    return r;
}

enum fm_lanes_kernel fm_batch_kernel(const fm_batch *b)
{
    const fm_flat *flat = b->types[0].flat;
    return fm_flat_has_own(flat) ? FM_LANES_OWN : fm_flat_needs_chain(flat) ? FM_LANES_CHAIN : FM_LANES_BODY;
}

static fm_lanes_job job_of(const fm_batch *b, uint64_t steps)
{
    int apart = b->lanes && !b->lanes->one_type;
    return (fm_lanes_job){.types = b->blocks,
                          .type_bytes = !b->lanes || apart ? b->block_bytes : 0,
                          .numbers = b->numbers,
                          .stride = b->stride,
                          .rows = b->rows,
                          .steps = steps,
                          .seeds = b->noise ? b->streams : b->seeds,
                          .ages = b->ages,
                          .noise = b->lanes ? b->noise : b->device_noise,
                          .walls = b->walls,
                          .kernel = fm_batch_kernel(b)};
}

/* --- types --- */

static fm_status add_types(fm_batch *b, const fm_model *model, const fm_batch_options *o, fm_error *error)
{
    b->type_count = 1 + o->variant_count;
    if (!(b->types = fm_alloc(b->type_count * sizeof *b->types)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu variants", b->type_count);
    fm_status status = FM_OK;
    for (size_t i = 0; i < b->type_count && status == FM_OK; i++) {
        status = fm_batch_make_type(b, &b->types[i], i ? o->variants[i - 1] : model, o->vehicle, error);
        if (status == FM_OK && !fm_flat_alike(b->types[0].flat, b->types[i].flat))
            status = fm_fail(error, FM_ERR_MODEL,
                             "variant %zu differs from the first model in more than numbers (terms, strips, "
                             "actuators, integrator, step)",
                             i);
    }
    if (status != FM_OK)
        return status;
    b->type = &model->types[b->types[0].placement->type];
    b->dt = b->type->step_s;
    if (b->type->actuator_count > ACTUATORS_MOST)
        return fm_fail(error, FM_ERR_RANGE, "a vehicle of a batch has at most %d actuators, this one has %zu",
                       ACTUATORS_MOST, b->type->actuator_count);
    b->rows = lay_out(b->type, b->whole, b->types[0].flat);
    b->names = fm_arena_alloc(&b->arena, (b->type->actuator_count + 1) * sizeof *b->names);
    for (size_t i = 0; b->names && i < b->type->actuator_count; i++)
        if (!(b->names[i] = fm_arena_text(&b->arena, b->type->actuator_names[i])))
            b->names = NULL;
    return b->names ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for names");
}

/* --- where it is computed --- */

enum { LARGE = 16384 }; /* vehicles from which a GPU pays */

static fm_status choose_cuda(fm_batch *b, const fm_batch_options *o, fm_error *error)
{
    char reason[200] = "";
    if (o->backend == FM_BATCH_SIMD || (o->backend == FM_BATCH_AUTO && b->count < LARGE))
        return FM_OK;
    b->cuda = fm_cuda_find(reason, sizeof reason);
    if (b->cuda)
        snprintf(b->text, sizeof b->text, "cuda %s (%.120s)", b->single ? "float" : "double", reason);
    if (b->cuda || o->backend == FM_BATCH_AUTO)
        return FM_OK;
    return fm_fail(error, FM_ERR_MISSING, "%s", reason);
}

static fm_status choose_lanes(fm_batch *b, const fm_batch_options *o, fm_error *error)
{
    if (b->cuda)
        return FM_OK;
    b->lanes = fm_lanes_find(o->instructions, b->single, b->type_count == 1 && !o->parameter_count && !b->varied,
                             fm_batch_kernel(b));
    if (!b->lanes)
        return fm_fail(error, FM_ERR_NAME, "this processor has no instructions '%s'; it has %s", o->instructions,
                       fm_lanes_sets());
    snprintf(b->text, sizeof b->text, "simd %s %s", b->lanes->set, b->single ? "float" : "double");
    if (o->threads > 1 && !(b->threads = fm_threads_create(o->threads)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
    return FM_OK;
}

static fm_status keep_noise(fm_batch *b, const fm_batch_options *o, fm_error *error)
{
    size_t count = FM_BATCH_POSE + b->rows.actuators;
    if (!o->noise)
        return FM_OK;
    if (!(b->noise = fm_arena_alloc(&b->arena, count * sizeof *b->noise)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for noise");
    memcpy(b->noise, o->noise, count * sizeof *b->noise);
    if (b->lanes)
        return FM_OK;
    fm_status status = fm_batch_allocate(b, &b->device_noise, count * sizeof *b->noise, error);
    return status == FM_OK ? fm_batch_copy(b, b->device_noise, b->noise, count * sizeof *b->noise, error) : status;
}

/* The table of the flow at walls: the first model's, or a copy on the GPU. */
static fm_status keep_walls(fm_batch *b, const fm_model *model, fm_error *error)
{
    const fm_wall_table *table = b->whole ? fm_batch_run_table(model) : NULL;
    if (!table)
        return FM_OK;
    fm_status status = fm_batch_allocate(b, &b->walls, sizeof *table, error);
    return status == FM_OK ? fm_batch_copy(b, b->walls, table, sizeof *table, error) : status;
}

static fm_status make_table(fm_batch *b, fm_error *error)
{
    void *memory[6] = {NULL};
    size_t bytes[6] = {b->rows.count * b->stride * fm_batch_number_size(b),
                       b->stride * 8,
                       b->stride * 8,
                       b->stride * 4,
                       b->stride * 4,
                       b->stride * 8};
    fm_status status = FM_OK;
    for (int i = 0; i < 6 && status == FM_OK; i++)
        status = fm_batch_allocate(b, &memory[i], bytes[i], error);
    b->numbers = memory[0];
    b->seeds = memory[1];
    b->ages = memory[2];
    b->variants = memory[3];
    b->episodes = memory[4];
    b->streams = memory[5];
    uint64_t *seeds = status == FM_OK ? fm_alloc(b->stride * sizeof *seeds) : NULL;
    for (size_t i = 0; seeds && i < b->stride; i++)
        seeds[i] = fm_model_seed(b->types[0].model) + i;
    if (status == FM_OK)
        status = seeds ? fm_batch_copy(b, b->seeds, seeds, b->stride * sizeof *seeds, error) : FM_ERR_MEMORY;
    if (seeds)
        memset(seeds, 0, b->stride * sizeof *seeds);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->variants, seeds, b->stride * 4, error);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->episodes, seeds, b->stride * 4, error);
    fm_free(seeds);
    return status;
}

static fm_status reset(fm_batch *b, const unsigned char *mask, int whole, fm_error *error);

static fm_status make(fm_batch *b, const fm_model *model, const fm_batch_options *o, fm_error *error)
{
    fm_status status = add_types(b, model, o, error);
    if (status == FM_OK)
        status = choose_cuda(b, o, error);
    if (status == FM_OK)
        status = choose_lanes(b, o, error);
    if (status == FM_OK)
        status = make_table(b, error);
    if (status == FM_OK)
        status = keep_noise(b, o, error);
    if (status == FM_OK)
        status = keep_walls(b, model, error);
    for (size_t i = 0; i < b->type_count && status == FM_OK; i++)
        status = fm_batch_begin_type(b, &b->types[i], error);
    if (status == FM_OK)
        status = fm_batch_list_parameters(b, o, error);
    if (status == FM_OK)
        status = fm_batch_reserve_types(b, b->type_count, error);
    if (status == FM_OK)
        status = fm_batch_build_types(b, error);
    return status == FM_OK ? reset(b, NULL, 1, error) : status;
}

static fm_batch *create(const fm_model *model, size_t count, const fm_batch_options *options, int whole, int varied,
                        fm_error *error)
{
    fm_batch_options o;
    if (FM_READ_OPTIONS(&o, options, fm_batch_options, error) != FM_OK)
        return NULL;
    if (!model || count == 0 || count > UINT32_MAX) {
        fm_fail(error, FM_ERR_ARGUMENT, model ? "a batch has 1 to 4,294,967,295 vehicles" : "model must not be NULL");
        return NULL;
    }
    fm_batch *b = fm_alloc(sizeof *b);
    if (!b) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for a batch");
        return NULL;
    }
    b->count = count;
    b->stride = (count + COLUMNS - 1) / COLUMNS * COLUMNS;
    b->single = o.single != 0;
    b->whole = whole;
    b->varied = varied;
    atomic_init(&b->references, 1);
    if (make(b, model, &o, error) == FM_OK)
        return b;
    fm_batch_free(b);
    return NULL;
}

fm_batch *fm_batch_create(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error)
{
    return create(model, count, options, 0, 0, error);
}

fm_batch *fm_batch_create_varied(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error)
{
    return create(model, count, options, 0, 1, error);
}

fm_batch *fm_batch_create_whole(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error)
{
    return create(model, count, options, 1, 0, error);
}

void fm_batch_free(fm_batch *b)
{
    if (!b || atomic_fetch_sub(&b->references, 1) > 1)
        return;
    fm_threads_free(b->threads);
    if (b->lanes || b->cuda) {
        void *const all[] = {b->numbers,  b->seeds,   b->ages,         b->variants, b->starts, b->blocks,
                             b->episodes, b->streams, b->device_noise, b->rest,     b->walls};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            fm_batch_release(b, all[i]);
    }
    if (b->special)
        b->cuda->forget(b->special);
    for (size_t i = 0; b->types && i < b->type_count; i++)
        fm_batch_free_type(&b->types[i]);
    fm_free(b->types);
    fm_arena_free(&b->arena);
    fm_free(b);
}

/* --- stepping --- */

enum { GROUPS_AT_ONCE = 16, STEPS_MOST = 1000000000 };

typedef struct lanes_work {
    const fm_lanes_build *lanes;
    fm_lanes_job job;
    size_t groups;
} lanes_work;

static void step_some(void *user, size_t i)
{
    const lanes_work *w = user;
    for (size_t g = i * GROUPS_AT_ONCE; g < (i + 1) * GROUPS_AT_ONCE && g < w->groups; g++)
        w->lanes->step(&w->job, g);
}

/* NULL: all vehicles are of one type. */
static uint32_t *variants_of(const fm_batch *b)
{
    return b->type_count > 1 || b->separate ? b->variants : NULL;
}

static fm_guard guard_of(const fm_batch *b)
{
    return (fm_guard){b->seeds, b->episodes, b->streams, variants_of(b), b->separate ? b->count : b->type_count};
}

static void step_lanes(fm_batch *b, size_t steps)
{
    lanes_work w = {b->lanes, job_of(b, steps), (b->count + b->lanes->lanes - 1) / b->lanes->lanes};
    size_t pieces = (w.groups + GROUPS_AT_ONCE - 1) / GROUPS_AT_ONCE;
    for (size_t i = 0; i < b->stride; i++)
        b->streams[i] = fm_guard_seed(b->seeds[i], b->episodes[i]);
    if (b->single)
        fm_guard_orders_float(b->numbers, b->stride, &b->rows, 0, b->count);
    else
        fm_guard_orders(b->numbers, b->stride, &b->rows, 0, b->count);
    if (b->threads && pieces > 1)
        fm_threads_share(b->threads, pieces, step_some, &w);
    else
        for (size_t i = 0; i < pieces; i++)
            step_some(&w, i);
}

fm_status fm_batch_queue(fm_batch *b, size_t steps, void *stream, fm_error *error)
{
    if (b->lanes) {
        step_lanes(b, steps);
        return FM_OK;
    }
    const fm_lanes_job job = job_of(b, steps);
    const fm_guard guard = guard_of(b);
    const char *what = b->cuda->guard(b->single, &job, &guard, stream);
    if (!what)
        what = b->cuda->step(b->single, &job, variants_of(b), b->special, b->rest, stream);
    return tell_cuda(what, error);
}

fm_status fm_batch_step(fm_batch *b, size_t steps, fm_error *error)
{
    if (!b)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch must not be NULL");
    if (steps > STEPS_MOST)
        return fm_fail(error, FM_ERR_RANGE, "%zu steps at once: must be at most %d", steps, STEPS_MOST);
    fm_status status = fm_batch_queue(b, steps, NULL, error);
    return status == FM_OK && !b->lanes ? tell_cuda(b->cuda->wait(), error) : status;
}

static int keeps_row(const fm_batch *b, size_t row, int whole)
{
    return !whole && row >= b->rows.current && row < b->rows.current + 3;
}

static fm_status reset(fm_batch *b, const unsigned char *mask, int whole, fm_error *error)
{
    size_t size = fm_batch_number_size(b);
    for (size_t row = 0; row < b->rows.count && b->lanes; row++) {
        char *to = (char *)b->numbers + row * b->stride * size;
        const char *from = (const char *)b->starts + row * b->type_count * size;
        if (keeps_row(b, row, whole))
            continue;
        for (size_t i = 0; i < (whole ? b->stride : b->count); i++)
            if (!mask || mask[i])
                memcpy(to + i * size, from + b->variants[i] * size, size);
    }
    for (size_t i = 0; i < b->count && b->lanes; i++)
        if (!mask || mask[i]) {
            b->ages[i] = 0;
            b->episodes[i] += !whole;
        }
    if (b->lanes)
        return FM_OK;
    fm_lanes_job job = job_of(b, 0);
    void *flags = NULL;
    fm_status status = mask ? fm_batch_allocate(b, &flags, b->stride, error) : FM_OK;
    if (status == FM_OK && mask)
        status = fm_batch_copy(b, flags, mask, b->count, error);
    if (status == FM_OK)
        status = tell_cuda(
            b->cuda->reset(b->single, &job, b->variants, flags, b->starts, b->type_count, whole ? NULL : b->episodes),
            error);
    if (status == FM_OK)
        status = tell_cuda(b->cuda->wait(), error);
    fm_batch_release(b, flags);
    return status;
}

/* An invalid variant is refused before it is used. */
static fm_status check_variants(fm_batch *b, fm_error *error)
{
    for (size_t i = 0; i < b->count && b->lanes; i++)
        if (b->variants[i] >= b->type_count)
            return fm_fail(error, FM_ERR_RANGE, "vehicle %zu is of variant %u; there are 0 … %zu", i, b->variants[i],
                           b->type_count - 1);
    return FM_OK;
}

fm_status fm_batch_reset(fm_batch *b, const unsigned char *mask, fm_error *error)
{
    if (!b)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch must not be NULL");
    fm_status status = check_variants(b, error);
    return status == FM_OK ? reset(b, mask, 0, error) : status;
}

fm_status fm_batch_restart(fm_batch *b, fm_error *error)
{
    fm_status status = check_variants(b, error);
    return status == FM_OK ? reset(b, NULL, 1, error) : status;
}

fm_status fm_batch_refresh(fm_batch *b, fm_error *error)
{
    if (!b)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch must not be NULL");
    fm_status status = check_variants(b, error);
    if (status != FM_OK)
        return status;
    return b->parameters.count ? fm_batch_take_parameters(b, error) : fm_batch_build_blocks(b, error);
}
