/* Environments of a batch: in lanes, or on a GPU. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "batch/ground.h"
#include "envs/env.h"
#include "world/world.h"

enum { ROWS_AT_ONCE = 512 }; /* a whole number of groups of lanes */

struct fm_env_table {
    void *starts, *next_starts;        /* one for all, or one per row with parameters */
    size_t flat_bytes;                 /* of rows with parameters */
    unsigned char *flats, *next_flats; /* on a CPU: [row]: in force; at the next reset */
    void *next_blocks;                 /* on a GPU, the same */
    uint8_t *pending;
};

/* --- what a batch can compute --- */

static int is_action(const fm_env *e, size_t actuator)
{
    for (uint32_t k = 0; k < e->job.action_count; k++)
        if (e->job.orders[k].actuator == actuator)
            return 1;
    return 0;
}

/* An actuator that something of the scenario orders, which a batch does not run; -1: none. */
static int steered_elsewhere(const fm_env *e, const fm_type *type, const fm_placement *p)
{
    for (size_t a = 0; type->controller_count && a < type->actuator_count; a++)
        if (!is_action(e, a))
            return (int)a;
    for (size_t i = 0; i < p->order_count; i++)
        if (!is_action(e, (size_t)p->orders[i].actuator))
            return p->orders[i].actuator;
    return -1;
}

const char *fm_env_table_verdict(const fm_env *e, char *room, size_t size)
{
    const fm_model *m = e->model;
    const fm_placement *p = &m->vehicles[e->vehicle];
    const fm_type *type = &m->types[p->type];
    fm_error error = {0};
    for (uint32_t k = 0; k < e->job.observation_count; k++)
        if (!e->seen[k].field->info.lanes) {
            snprintf(room, size, "%s is available in worlds only", e->seen[k].name);
            return room;
        }
    if (m->vehicle_count != 1 || m->settings.capacity > 1)
        return "the scenario has more than one vehicle";
    if (fm_env_asked_verdict(e, room, size))
        return room;
    if (e->asked && e->options.engine == FM_ENV_CUDA)
        return "rewards, costs and ends as expressions are evaluated on the CPU: use simd or worlds, or a judge";
    if (fm_subsystem_config(m, FM_SUBSYSTEM_END))
        return "the condition of the scenario's <end> is evaluated at every tick, by worlds only";
    for (size_t i = 0; i < m->subsystem_count; i++)
        if (m->subsystems[i].words && m->subsystems[i].subsystem->id != FM_SUBSYSTEM_CURRENTS)
            return "tethers, sound or an energy check act in the scenario";
    if (type->period != 1)
        return "the step of the vehicle is not the world's tick";
    if (m->change_count)
        return "the scenario changes parameters on the way (<faults>)";
    if (fm_ground_touches(m, type))
        return "contact with obstacles and bottom is computed by worlds only";
    const int steered = steered_elsewhere(e, type, p);
    if (steered >= 0) {
        snprintf(room, size, "%s is ordered by the scenario: make it an action, or use worlds",
                 type->actuator_names[steered]);
        return room;
    }
    if (fm_batch_accept(m, e->vehicle, 0, &error) == FM_OK)
        return NULL;
    snprintf(room, size, "%s", error.text);
    return room;
}

/* --- the rows of a GPU --- */

static int on_gpu(const fm_env *e)
{
    return !e->batch->lanes;
}

static fm_status queue(fm_env *e, enum fm_env_work work, const fm_env_move *move, fm_error *error)
{
    const char *what = e->batch->cuda->env(work, &e->job, move, e->options.stream);
    return what ? fm_fail(error, FM_ERR_LIBRARY, "CUDA: %s", what) : FM_OK;
}

/* --- on a CPU --- */

typedef struct work {
    fm_env *env;
    fm_env_move move;
} work;

static size_t end_of(const fm_env *e, size_t piece)
{
    const size_t end = (piece + 1) * ROWS_AT_ONCE;
    return end < e->count ? end : e->count;
}

static fm_flat *flat_at(const fm_env *e, unsigned char *flats, size_t i)
{
    return (fm_flat *)(void *)(flats + i * e->table->flat_bytes);
}

static void use_flat(fm_env *e, size_t i)
{
    const fm_lanes_build *lanes = e->batch->lanes;
    unsigned char *block = (unsigned char *)e->batch->blocks + i / lanes->lanes * e->batch->block_bytes;
    lanes->fill((fm_flat *)(void *)block, (int)(i % lanes->lanes), flat_at(e, e->table->flats, i));
}

/* What was refreshed comes into force. */
static void take_next(fm_env *e, size_t i)
{
    struct fm_env_table *t = e->table;
    if (!t->pending || !t->pending[i])
        return;
    const size_t start = e->batch->rows.count * fm_batch_number_size(e->batch);
    memcpy(flat_at(e, t->flats, i), flat_at(e, t->next_flats, i), t->flat_bytes);
    memcpy((char *)t->starts + i * start, (char *)t->next_starts + i * start, start);
    use_flat(e, i);
    t->pending[i] = 0;
}

static void reset_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(w->env, piece); i++)
        if (!w->move.mask || w->move.mask[i]) {
            take_next(w->env, i);
            fm_env_table_reset(&w->env->job, i);
        }
}

static fm_status reset(fm_env *e, const uint8_t *mask, fm_error *error)
{
    const fm_env_move move = {.mask = mask};
    if (on_gpu(e))
        return queue(e, FM_ENV_RESET_ROWS, &move, error);
    fm_env_share(e, reset_some, &(work){e, move}, ROWS_AT_ONCE);
    return FM_OK;
}

static void act_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(w->env, piece); i++)
        fm_env_table_act(&w->env->job, i);
}

static fm_status act(fm_env *e, fm_error *error)
{
    fm_status status = FM_OK;
    if (on_gpu(e))
        status = queue(e, FM_ENV_ACT_ROWS, NULL, error);
    else
        fm_env_share(e, act_some, &(work){.env = e}, ROWS_AT_ONCE);
    return status == FM_OK ? fm_batch_queue(e->batch, (size_t)e->ticks, e->options.stream, error) : status;
}

static void settle_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(w->env, piece); i++) {
        if (w->env->job.phases[i] == FM_ROW_BEGINS)
            take_next(w->env, i);
        fm_env_table_settle(&w->env->job, i);
    }
}

static fm_status settle(fm_env *e, fm_error *error)
{
    if (on_gpu(e))
        return queue(e, FM_ENV_SETTLE_ROWS, NULL, error);
    fm_env_share(e, settle_some, &(work){.env = e}, ROWS_AT_ONCE);
    return FM_OK;
}

static void finish_some(void *user, size_t piece)
{
    const work *w = user;
    fm_env_job *job = &w->env->job;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(w->env, piece); i++) {
        if (!fm_env_close_row(job, i) || job->autoreset != FM_AUTORESET_SAME)
            continue;
        take_next(w->env, i);
        fm_env_table_begin(job, i);
        fm_env_table_observe(job, i);
    }
}

static fm_status finish(fm_env *e, fm_error *error)
{
    if (on_gpu(e))
        return queue(e, FM_ENV_FINISH_ROWS, NULL, error);
    fm_env_share(e, finish_some, &(work){.env = e}, ROWS_AT_ONCE);
    return FM_OK;
}

/* --- parameters --- */

/* Types that a refresh derives. */
typedef struct refresh_work {
    fm_env *env;
    fm_batch_type *types; /* [row]; without a flat: it stays */
    fm_error *errors;     /* [piece] */
} refresh_work;

static int has_changed(const fm_env *e, size_t i)
{
    const size_t count = e->parameter_count;
    return memcmp(e->parameters + i * count, e->taken + i * count, count * sizeof *e->parameters) != 0;
}

static fm_status derive(fm_env *e, size_t i, fm_batch_type *type, fm_error *error)
{
    fm_model *variant;
    fm_status status = fm_env_vary(e, i, &variant, error);
    if (status == FM_OK)
        status = fm_batch_make_type(e->batch, type, variant ? variant : e->model, e->model->vehicles[e->vehicle].name,
                                    error);
    if (status == FM_OK && !fm_flat_alike(e->batch->types[0].flat, type->flat))
        status = fm_fail(error, FM_ERR_MODEL,
                         "row %zu: the values change the structure of the vehicle, not only its numbers", i);
    if (status == FM_OK)
        status = fm_batch_begin_type(e->batch, type, error);
    type->model = NULL;
    type->placement = NULL;
    fm_model_free(variant);
    return status;
}

static void derive_some(void *user, size_t piece)
{
    const refresh_work *w = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(w->env, piece); i++)
        if (w->errors[piece].status == FM_OK && has_changed(w->env, i))
            (void)derive(w->env, i, &w->types[i], &w->errors[piece]);
}

static fm_status give_gpu(fm_env *e, size_t i, const fm_batch_type *type, fm_flat *block, fm_error *error)
{
    static const uint8_t one = 1;
    const size_t start = e->batch->rows.count * fm_batch_number_size(e->batch), bytes = e->batch->block_bytes;
    e->batch->cuda->head(e->batch->single, e->batch->types[0].flat, block);
    e->batch->cuda->fill(e->batch->single, block, type->flat);
    fm_status status = fm_batch_copy(e->batch, (char *)e->table->next_blocks + i * bytes, block, bytes, error);
    if (status == FM_OK)
        status = fm_batch_copy(e->batch, (char *)e->table->next_starts + i * start, type->start, start, error);
    return status == FM_OK ? fm_batch_copy(e->batch, e->table->pending + i, &one, 1, error) : status;
}

static fm_status give_all(fm_env *e, const fm_batch_type *types, fm_error *error)
{
    struct fm_env_table *t = e->table;
    const size_t start = e->batch->rows.count * fm_batch_number_size(e->batch);
    fm_flat *block = on_gpu(e) ? fm_alloc(e->batch->block_bytes) : NULL;
    fm_status status = on_gpu(e) && !block ? fm_fail(error, FM_ERR_MEMORY, "no memory for a variant") : FM_OK;
    for (size_t i = 0; i < e->count && status == FM_OK; i++) {
        if (!types[i].flat)
            continue;
        if (on_gpu(e)) {
            status = give_gpu(e, i, &types[i], block, error);
            continue;
        }
        memcpy(flat_at(e, t->next_flats, i), types[i].flat, t->flat_bytes);
        memcpy((char *)t->next_starts + i * start, types[i].start, start);
        t->pending[i] = 1;
    }
    fm_free(block);
    return status;
}

static fm_status refresh(fm_env *e, fm_error *error)
{
    const size_t pieces = (e->count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    refresh_work w = {e, fm_alloc(e->count * sizeof *w.types), fm_alloc(pieces * sizeof *w.errors)};
    fm_status status = w.types && w.errors ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for variants");
    if (status == FM_OK)
        fm_env_share(e, derive_some, &w, ROWS_AT_ONCE);
    for (size_t p = 0; p < pieces && status == FM_OK; p++)
        if (w.errors[p].status != FM_OK)
            status = fm_fail(error, w.errors[p].status, "%s", w.errors[p].text);
    if (status == FM_OK)
        status = give_all(e, w.types, error);
    if (status == FM_OK)
        memcpy(e->taken, e->parameters, e->count * e->parameter_count * sizeof *e->taken);
    for (size_t i = 0; w.types && i < e->count; i++)
        fm_batch_free_type(&w.types[i]);
    fm_free(w.types);
    fm_free(w.errors);
    return status;
}

/* --- states: a job whose arrays hold the saved rows --- */

typedef struct saved {
    fm_env_job job;
    void *memory[20];
    size_t memory_count;
    unsigned char *flats;
} saved;

static fm_status take_memory(fm_env *e, saved *s, void *at, size_t bytes, fm_error *error)
{
    void *memory = NULL;
    fm_status status = fm_batch_allocate(e->batch, &memory, bytes + 1, error);
    s->memory[s->memory_count++] = memory;
    memcpy(at, &memory, sizeof memory);
    return status;
}

static fm_status open_state(fm_env *e, fm_env_state *state, fm_error *error)
{
    saved *s = state->rows = fm_alloc(sizeof *s);
    if (!s)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a state");
    fm_env_job *j = &s->job;
    *j = e->job;
    const size_t n = e->count, size = j->wide ? 8 : 4;
    const struct {
        void *at;
        size_t bytes;
    } all[] = {{&j->observations, n * j->observation_count * size},
               {&j->finals, n * j->observation_count * size},
               {&j->actions, n * j->action_count * size},
               {&j->rewards, n * size},
               {&j->terminated, n},
               {&j->truncated, n},
               {&j->reasons, n},
               {&j->phases, n},
               {&j->keys, n * 8},
               {&j->episode_keys, n * 8},
               {&j->steps, n * 8},
               {&j->episodes, n * 8},
               {&j->seeds, n * 8},
               {&j->ages, n * 8},
               {&j->numbers, e->batch->rows.count * e->batch->stride * fm_batch_number_size(e->batch)},
               {&j->blocks, n * j->block_bytes},
               {&j->own_starts, j->start_stride ? n * e->batch->rows.count * fm_batch_number_size(e->batch) : 0}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < FM_COUNT(all) && status == FM_OK; i++)
        status = take_memory(e, s, all[i].at, all[i].bytes, error);
    if (status == FM_OK && e->table->flats && !(s->flats = fm_alloc(n * e->table->flat_bytes)))
        status = fm_fail(error, FM_ERR_MEMORY, "no memory for a state");
    return status;
}

static void close_state(fm_env_state *state)
{
    saved *s = state->rows;
    for (size_t i = 0; s && i < s->memory_count; i++)
        fm_batch_release(state->env->batch, s->memory[i]);
    if (s)
        fm_free(s->flats);
    fm_free(s);
}

static void save_some(void *user, size_t piece)
{
    const work *w = user;
    fm_env *e = w->env;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(e, piece); i++) {
        if (w->move.mask && !w->move.mask[i])
            continue;
        fm_env_table_copy(w->move.saved, i, &e->job, i);
        w->move.saved->phases[i] = FM_ROW_SAVED;
        if (w->move.flats)
            memcpy(flat_at(e, w->move.flats, i), flat_at(e, e->table->flats, i), e->table->flat_bytes);
    }
}

static fm_status save(fm_env *e, fm_env_state *state, const uint8_t *mask, fm_error *error)
{
    saved *s = state->rows;
    const fm_env_move move = {.mask = mask, .saved = &s->job, .flats = s->flats};
    if (on_gpu(e))
        return queue(e, FM_ENV_SAVE_ROWS, &move, error);
    fm_env_share(e, save_some, &(work){e, move}, ROWS_AT_ONCE);
    return FM_OK;
}

static void restore_some(void *user, size_t piece)
{
    const work *w = user;
    fm_env *e = w->env;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(e, piece); i++) {
        const size_t k = w->move.from ? w->move.from[i] : i;
        if ((w->move.mask && !w->move.mask[i]) || k >= e->count || w->move.saved->phases[k] != FM_ROW_SAVED)
            continue;
        fm_env_table_copy(&e->job, i, w->move.saved, k);
        if (!w->move.flats)
            continue;
        memcpy(flat_at(e, e->table->flats, i), flat_at(e, w->move.flats, k), e->table->flat_bytes);
        use_flat(e, i);
    }
}

static fm_status restore(fm_env *e, const fm_env_state *state, const uint32_t *from, const uint8_t *mask,
                         fm_error *error)
{
    saved *s = state->rows;
    const fm_env_move move = {.mask = mask, .from = from, .saved = &s->job, .flats = s->flats};
    if (on_gpu(e))
        return queue(e, FM_ENV_RESTORE_ROWS, &move, error);
    fm_env_share(e, restore_some, &(work){e, move}, ROWS_AT_ONCE);
    return FM_OK;
}

/* --- opening --- */

static void close(fm_env *e)
{
    if (!e->table)
        return;
    fm_free(e->table->flats);
    fm_free(e->table->next_flats);
    fm_free(e->table);
}

const fm_env_class fm_env_by_table = {.reset = reset,
                                      .act = act,
                                      .settle = settle,
                                      .finish = finish,
                                      .refresh = refresh,
                                      .save = save,
                                      .restore = restore,
                                      .open_state = open_state,
                                      .close_state = close_state,
                                      .close = close};

/* A copy of what the kernels read, where they run. */
static fm_status give(fm_env *e, const void **at, size_t bytes, fm_error *error)
{
    void *memory;
    if (!*at)
        return FM_OK;
    fm_status status = fm_env_allocate(e, &memory, bytes, error);
    if (status == FM_OK)
        status = fm_batch_copy(e->batch, memory, *at, bytes, error);
    *at = memory;
    return status;
}

/* What a batch has in the observation of every vehicle, or in its table. */
int fm_env_find_source(const fm_env *e, const fm_env_number *n, fm_env_source *source)
{
    const fm_batch_rows *r = &e->batch->rows;
    const uint32_t at = (uint32_t)(n->field->at + n->element);
    switch (n->field->source) {
    case FM_FIELD_TIME: *source = (fm_env_source){FM_SEEN_TIME, 0}; return 1;
    case FM_FIELD_POSE: *source = (fm_env_source){FM_SEEN_ROW, r->observation + at}; return 1;
    case FM_FIELD_ACTUATOR: *source = (fm_env_source){FM_SEEN_ROW, r->values + at}; return 1;
    case FM_FIELD_CHARGE: *source = (fm_env_source){FM_SEEN_ROW, r->charge}; return 1;
    case FM_FIELD_SPEED: *source = (fm_env_source){FM_SEEN_SPEED, 0}; return 1;
    case FM_FIELD_ATTITUDE:
        *source = e->batch->types[0].flat->euler ? (fm_env_source){FM_SEEN_QUATERNION, (uint32_t)n->element}
                                                 : (fm_env_source){FM_SEEN_ROW, r->state + 3 + (uint32_t)n->element};
        return 1;
    default: return 0;
    }
}

/* Memory for a variant per row, at first all of the model. */
static fm_status open_variants(fm_env *e, fm_error *error)
{
    fm_batch *b = e->batch;
    struct fm_env_table *t = e->table;
    const size_t start = b->rows.count * fm_batch_number_size(b);
    fm_status status = fm_env_allocate(e, &t->next_starts, e->count * start, error);
    void *pending;
    t->flat_bytes = b->types[0].flat->bytes;
    if (status == FM_OK)
        status = fm_env_allocate(e, &pending, e->count, error);
    if (status != FM_OK)
        return status;
    t->pending = pending;
    if (on_gpu(e)) {
        status = fm_batch_separate(b, error);
        if (status == FM_OK)
            status = fm_env_allocate(e, &t->next_blocks, e->count * b->block_bytes, error);
        return status;
    }
    t->flats = fm_alloc(e->count * t->flat_bytes);
    t->next_flats = fm_alloc(e->count * t->flat_bytes);
    if (!t->flats || !t->next_flats)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu variants", e->count);
    for (size_t i = 0; i < e->count; i++)
        memcpy(flat_at(e, t->flats, i), b->types[0].flat, t->flat_bytes);
    return FM_OK;
}

static fm_status open_starts(fm_env *e, fm_error *error)
{
    fm_batch *b = e->batch;
    struct fm_env_table *t = e->table;
    const size_t start = b->rows.count * fm_batch_number_size(b), count = e->parameter_count ? e->count : 1;
    fm_status status = fm_env_allocate(e, &t->starts, count * start, error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = fm_batch_copy(b, (char *)t->starts + i * start, b->types[0].start, start, error);
    return status;
}

fm_status fm_env_open_table(fm_env *e, fm_error *error)
{
    fm_batch *b = e->batch;
    fm_env_job *j = &e->job;
    e->class = &fm_env_by_table;
    if (!(e->table = fm_alloc(sizeof *e->table)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for environments");
    fm_env_source *sources = fm_arena_alloc(&e->arena, (j->observation_count + 1) * sizeof *sources);
    if (!sources)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for observations");
    for (uint32_t k = 0; k < j->observation_count; k++)
        if (!fm_env_find_source(e, &e->seen[k], &sources[k]))
            return fm_fail(error, FM_ERR_MODEL, "%s is available in worlds only", e->seen[k].name);
    j->sources = sources;
    e->orders = j->orders;
    fm_status status = open_starts(e, error);
    if (status == FM_OK && e->parameter_count)
        status = open_variants(e, error);
    if (status == FM_OK)
        status = give(e, (const void **)&j->sources, j->observation_count * sizeof *sources, error);
    if (status == FM_OK)
        status = give(e, (const void **)&j->orders, j->action_count * sizeof *j->orders, error);
    if (status == FM_OK)
        status = give(e, (const void **)&j->noise, j->observation_count * sizeof *j->noise, error);
    j->numbers = b->numbers;
    j->stride = b->stride;
    j->table = b->rows;
    j->single = b->single;
    j->seeds = b->seeds;
    j->ages = b->ages;
    j->starts = j->own_starts = e->table->starts;
    j->start_stride = e->parameter_count ? b->rows.count : 0;
    if (on_gpu(e) && e->parameter_count) {
        j->block_bytes = b->block_bytes;
        j->blocks = b->blocks;
        j->next_blocks = e->table->next_blocks;
        j->next_starts = e->table->next_starts;
        j->pending = e->table->pending;
    }
    return status;
}
