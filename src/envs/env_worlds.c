/* Environments of worlds: one per row. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "envs/env.h"
#include "world/owners.h"
#include "world/world.h"

enum { WORLDS_AT_ONCE = 8 };

/* What a row runs in, and what comes into force when it begins again. */
typedef struct room {
    fm_world *world;
    fm_model *variant; /* that the world is of; NULL: the model */
    fm_world *next;
    fm_model *next_variant;
    int64_t contacts; /* of the vehicle at the start of the episode */
    int failed;       /* the last step failed: it is not stepped before a reset */
} room;

struct fm_env_worlds {
    room *rooms;
    double *seen; /* [row][number]: what a field is read into */
    size_t room_numbers;
};

static fm_world *new_world(const fm_model *model, fm_error *error)
{
    return fm_world_create(model, &(fm_world_options){.size = sizeof(fm_world_options), .threads = 1}, error);
}

const fm_world *fm_env_world(const fm_env *e, size_t row)
{
    return e->worlds->rooms[row].world;
}

/* --- observing --- */

static int alive(const fm_world *world, int vehicle)
{
    return world->slots[vehicle].vehicle->life != FM_EMPTY;
}

static void observe(fm_env *e, size_t i)
{
    const fm_world *world = e->worlds->rooms[i].world;
    double *seen = e->worlds->seen + i * e->worlds->room_numbers;
    for (uint32_t k = 0; k < e->job.observation_count; k++) {
        const fm_env_number *n = &e->seen[k];
        if (n->element == 0) {
            if (n->vehicle < 0 || alive(world, n->vehicle))
                fm_record_field_read(world, n->vehicle, n->field, seen);
            else
                for (size_t c = 0; c < n->field->info.count; c++)
                    seen[c] = NAN;
        }
        fm_env_see(&e->job, i, k, seen[n->element]);
    }
}

/* --- episodes --- */

static void begin(fm_env *e, size_t i)
{
    room *r = &e->worlds->rooms[i];
    if (r->next) {
        fm_world *before = r->world;
        fm_model *variant = r->variant;
        r->world = r->next;
        r->variant = r->next_variant;
        r->next = NULL;
        r->next_variant = NULL;
        fm_world_free(before);
        fm_model_free(variant);
    }
    fm_env_begin(&e->job, i);
    r->world->head->seed = e->job.episode_keys[i];
    r->world->input_count = r->world->input_first = 0;
    fm_world_begin(r->world);
    r->contacts = 0;
    r->failed = 0;
    for (uint32_t k = 0; k < e->job.action_count; k++) {
        const fm_slot *slot = &r->world->slots[e->vehicle];
        const size_t a = (size_t)e->job.orders[k].actuator;
        (void)fm_owners_order(r->world, e->vehicle, a, fm_actuator_states(slot->type, slot->vehicle)[a].order);
    }
}

typedef struct work {
    fm_env *env;
    const uint8_t *mask;
    const fm_env_state *state;
    const uint32_t *from;
} work;

static size_t end_of(const fm_env *e, size_t piece)
{
    const size_t end = (piece + 1) * WORLDS_AT_ONCE;
    return end < e->count ? end : e->count;
}

static void reset_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * WORLDS_AT_ONCE; i < end_of(w->env, piece); i++) {
        if (w->mask && !w->mask[i])
            continue;
        begin(w->env, i);
        fm_env_clear(&w->env->job, i);
        observe(w->env, i);
    }
}

static fm_status reset(fm_env *e, const uint8_t *mask, fm_error *error)
{
    (void)error;
    fm_env_share(e, reset_some, &(work){.env = e, .mask = mask}, WORLDS_AT_ONCE);
    return FM_OK;
}

/* --- steps --- */

static void act(fm_env *e, size_t i)
{
    room *r = &e->worlds->rooms[i];
    int phase = fm_env_phase(&e->job, i);
    double order;
    for (uint32_t k = 0; k < e->job.action_count && phase != FM_ROW_BEGINS && phase != FM_ROW_STANDS; k++)
        if (!fm_env_take(&e->job, i, k, &order))
            phase = FM_ROW_NAN;
        else if (alive(r->world, e->vehicle))
            (void)fm_owners_order(r->world, e->vehicle, (size_t)e->job.orders[k].actuator, order);
    e->job.phases[i] = (uint8_t)phase;
    const uint64_t ticks = e->ticks * e->model->types[e->model->vehicles[e->vehicle].type].period;
    for (uint64_t t = 0; (phase & 3) == FM_ROW_STEPS && t < ticks && !r->failed && !fm_world_over(r->world); t++)
        r->failed = fm_world_step(r->world, NULL) != FM_OK;
}

static void act_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * WORLDS_AT_ONCE; i < end_of(w->env, piece); i++)
        act(w->env, i);
}

static fm_status act_all(fm_env *e, fm_error *error)
{
    (void)error;
    fm_env_share(e, act_some, &(work){.env = e}, WORLDS_AT_ONCE);
    return FM_OK;
}

static void settle(fm_env *e, size_t i)
{
    const room *r = &e->worlds->rooms[i];
    const fm_vehicle *v = r->world->slots[e->vehicle].vehicle;
    const int phase = e->job.phases[i] & 3;
    if (phase == FM_ROW_BEGINS) {
        begin(e, i);
        fm_env_clear(&e->job, i);
        observe(e, i);
    }
    if (phase != FM_ROW_STEPS)
        return;
    const int here = alive(r->world, e->vehicle), touched = here && v->contacts + v->vehicle_contacts > r->contacts;
    const double limit = e->job.depth_limit;
    fm_env_judge_row(&e->job, i, r->failed || !here, touched && (e->options.end_on_contact || v->life == FM_ENDED),
                     limit > 0 && v->body.position[2] > limit);
    if (fm_world_over(r->world))
        e->job.terminated[i] = 1;
    observe(e, i);
}

static void settle_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * WORLDS_AT_ONCE; i < end_of(w->env, piece); i++)
        settle(w->env, i);
}

static fm_status settle_all(fm_env *e, fm_error *error)
{
    (void)error;
    fm_env_share(e, settle_some, &(work){.env = e}, WORLDS_AT_ONCE);
    return FM_OK;
}

static void finish_some(void *user, size_t piece)
{
    const work *w = user;
    for (size_t i = piece * WORLDS_AT_ONCE; i < end_of(w->env, piece); i++) {
        if (!fm_env_close_row(&w->env->job, i) || w->env->job.autoreset != FM_AUTORESET_SAME)
            continue;
        begin(w->env, i);
        observe(w->env, i);
    }
}

static fm_status finish_all(fm_env *e, fm_error *error)
{
    (void)error;
    fm_env_share(e, finish_some, &(work){.env = e}, WORLDS_AT_ONCE);
    return FM_OK;
}

/* --- parameters --- */

static void drop_next(room *r)
{
    fm_world_free(r->next);
    fm_model_free(r->next_variant);
    r->next = NULL;
    r->next_variant = NULL;
}

/* Worlds are made first and taken over when all are there. */
static fm_status refresh(fm_env *e, fm_error *error)
{
    const size_t bytes = e->parameter_count * sizeof *e->parameters;
    room *made = fm_alloc(e->count * sizeof *made);
    fm_status status = made ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu variants", e->count);
    for (size_t i = 0; i < e->count && status == FM_OK; i++) {
        if (!memcmp(e->parameters + i * e->parameter_count, e->taken + i * e->parameter_count, bytes))
            continue;
        status = fm_env_vary(e, i, &made[i].next_variant, error);
        if (status == FM_OK &&
            !(made[i].next = new_world(made[i].next_variant ? made[i].next_variant : e->model, error)))
            status = FM_ERR_MEMORY;
    }
    for (size_t i = 0; made && i < e->count; i++) {
        if (status != FM_OK)
            drop_next(&made[i]);
        if (!made[i].next)
            continue;
        room *r = &e->worlds->rooms[i];
        drop_next(r);
        r->next = made[i].next;
        r->next_variant = made[i].next_variant;
    }
    fm_free(made);
    if (status == FM_OK)
        memcpy(e->taken, e->parameters, e->count * bytes);
    return status;
}

/* --- states --- */

/* A saved row: the world, and its rows of the arrays. */
typedef struct saved {
    unsigned char *world;
    size_t room, size;
    unsigned char *arrays;
    const fm_model *model; /* that it is of */
    int failed;
} saved;

static size_t row_bytes(const fm_env *e)
{
    const size_t size = e->job.wide ? 8 : 4;
    return (2 * (size_t)e->job.observation_count + e->job.action_count + 1) * size + 3 + 4 * 8;
}

/* The parts of all arrays that belong to a row, out of them or into them. */
static void move_arrays(const fm_env *e, size_t i, unsigned char *at, int out)
{
    const fm_env_job *j = &e->job;
    const size_t size = j->wide ? 8 : 4;
    const struct {
        void *array;
        size_t bytes;
    } all[] = {{j->observations, j->observation_count * size},
               {j->finals, j->observation_count * size},
               {j->actions, j->action_count * size},
               {j->rewards, size},
               {j->terminated, 1},
               {j->truncated, 1},
               {j->reasons, 1},
               {j->keys, 8},
               {j->episode_keys, 8},
               {j->steps, 8},
               {j->episodes, 8}};
    for (size_t k = 0; k < FM_COUNT(all); k++) {
        unsigned char *row = (unsigned char *)all[k].array + i * all[k].bytes;
        memcpy(out ? at : row, out ? row : at, all[k].bytes);
        at += all[k].bytes;
    }
}

static fm_status open_state(fm_env *e, fm_env_state *state, fm_error *error)
{
    saved *rows = state->rows = fm_alloc(e->count * sizeof *rows);
    state->set = fm_alloc(e->count);
    for (size_t i = 0; rows && i < e->count; i++) {
        rows[i].room = fm_world_state_size(e->worlds->rooms[i].world) + 4096;
        rows[i].world = fm_alloc(rows[i].room);
        rows[i].arrays = fm_alloc(row_bytes(e));
        if (!rows[i].world || !rows[i].arrays)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the states of %zu worlds", e->count);
    }
    return rows && state->set ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for a state");
}

static void close_state(fm_env_state *state)
{
    saved *rows = state->rows;
    for (size_t i = 0; rows && i < state->env->count; i++) {
        fm_free(rows[i].world);
        fm_free(rows[i].arrays);
    }
    fm_free(rows);
    fm_free(state->set);
}

static fm_status save(fm_env *e, fm_env_state *state, const uint8_t *mask, fm_error *error)
{
    saved *rows = state->rows;
    for (size_t i = 0; i < e->count; i++) {
        const room *r = &e->worlds->rooms[i];
        if (mask && !mask[i])
            continue;
        rows[i].size = fm_world_state_size(r->world);
        fm_status status = fm_world_save(r->world, rows[i].world, rows[i].room, error);
        if (status != FM_OK)
            return status;
        rows[i].model = r->variant;
        rows[i].failed = r->failed;
        move_arrays(e, i, rows[i].arrays, 1);
        state->set[i] = 1;
    }
    return FM_OK;
}

/* A world of another variant is not that world: rows with parameters are restored where they were saved. */
static fm_status restore(fm_env *e, const fm_env_state *state, const uint32_t *from, const uint8_t *mask,
                         fm_error *error)
{
    const saved *rows = state->rows;
    for (size_t i = 0; i < e->count; i++) {
        const size_t k = from ? from[i] : i;
        room *r = &e->worlds->rooms[i];
        if ((mask && !mask[i]) || k >= e->count || !state->set[k])
            continue;
        if (rows[k].model != r->variant)
            return fm_fail(error, FM_ERR_STATE,
                           "row %zu cannot take the state of row %zu: their parameters differ, or were taken over "
                           "after it was saved",
                           i, k);
        fm_status status = fm_world_restore(r->world, rows[k].world, rows[k].size, error);
        if (status != FM_OK)
            return status;
        r->failed = rows[k].failed;
        move_arrays(e, i, rows[k].arrays, 0);
    }
    return FM_OK;
}

/* --- opening --- */

static void close(fm_env *e)
{
    struct fm_env_worlds *w = e->worlds;
    for (size_t i = 0; w && w->rooms && i < e->count; i++) {
        drop_next(&w->rooms[i]);
        fm_world_free(w->rooms[i].world);
        fm_model_free(w->rooms[i].variant);
    }
    if (w) {
        fm_free(w->rooms);
        fm_free(w->seen);
    }
    fm_free(w);
}

const fm_env_class fm_env_by_worlds = {.reset = reset,
                                       .act = act_all,
                                       .settle = settle_all,
                                       .finish = finish_all,
                                       .refresh = refresh,
                                       .save = save,
                                       .restore = restore,
                                       .open_state = open_state,
                                       .close_state = close_state,
                                       .close = close};

fm_status fm_env_open_worlds(fm_env *e, fm_error *error)
{
    struct fm_env_worlds *w = e->worlds = fm_alloc(sizeof *w);
    e->class = &fm_env_by_worlds;
    if (!w)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for worlds");
    for (uint32_t k = 0; k < e->job.observation_count; k++)
        if (e->seen[k].field->info.count > w->room_numbers)
            w->room_numbers = e->seen[k].field->info.count;
    w->rooms = fm_alloc(e->count * sizeof *w->rooms);
    w->seen = fm_alloc(e->count * w->room_numbers * sizeof *w->seen + 1);
    if (!w->rooms || !w->seen)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu worlds", e->count);
    for (size_t i = 0; i < e->count; i++)
        if (!(w->rooms[i].world = new_world(e->model, error)))
            return error ? error->status : FM_ERR_MEMORY;
    return FM_OK;
}
