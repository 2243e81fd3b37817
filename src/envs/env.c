/* Creating environments: options, columns, arrays. */
#include "envs/env.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/text.h"
#include "base/threads.h"
#include "world/world.h"

static const fm_type *type_of(const fm_env *e)
{
    return &e->model->types[e->model->vehicles[e->vehicle].type];
}

/* --- memory --- */

fm_status fm_env_allocate(fm_env *e, void **memory, size_t bytes, fm_error *error)
{
    *memory = NULL;
    if (e->memory_count == FM_COUNT(e->memory))
        return fm_fail(error, FM_ERR_FULL, "environments have at most %zu arrays", FM_COUNT(e->memory));
    if (e->batch) {
        fm_status status = fm_batch_allocate(e->batch, memory, bytes ? bytes : 1, error);
        if (status != FM_OK)
            return status;
    } else if (!(*memory = fm_alloc(bytes + 1))) {
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu environments (%zu MiB)", e->count, bytes >> 20);
    }
    e->memory[e->memory_count++] = *memory;
    return FM_OK;
}

static void free_memory(fm_env *e)
{
    for (size_t i = 0; i < e->memory_count; i++)
        if (e->batch)
            fm_batch_release(e->batch, e->memory[i]);
        else
            fm_free(e->memory[i]);
}

void fm_env_free(fm_env *e)
{
    if (!e || atomic_fetch_sub(&e->references, 1) > 1)
        return;
    if (e->class)
        e->class->close(e);
    fm_env_close_asked(e);
    free_memory(e);
    fm_batch_free(e->batch);
    fm_threads_free(e->threads);
    fm_free(e->parameters);
    fm_free(e->taken);
    fm_arena_free(&e->arena);
    fm_free(e);
}

/* --- columns --- */

static int add_name(fm_env *e, fm_env_number *number, const fm_field_info *info, const char *vehicle)
{
    char name[256], index[24] = "";
    if (info->count > 1)
        snprintf(index, sizeof index, "[%zu]", number->element);
    snprintf(name, sizeof name, "%s%s%s%s", vehicle, *vehicle ? "." : "", info->name, index);
    return (number->name = fm_arena_text(&e->arena, name)) != NULL;
}

/* A name without a vehicle is of the one that acts. */
static fm_status find_seen(const fm_env *e, const char *name, size_t *index, fm_error *error)
{
    char full[256];
    fm_error ignored = {0};
    if (!name)
        return fm_fail(error, FM_ERR_ARGUMENT, "the name of an observation must not be NULL");
    snprintf(full, sizeof full, "%s.%.200s", e->model->vehicles[e->vehicle].name, name);
    return fm_model_field_find(e->model, full, index, &ignored) == FM_OK
               ? FM_OK
               : fm_model_field_find(e->model, name, index, error);
}

static fm_status add_field(fm_env *e, size_t index, fm_error *error)
{
    int vehicle;
    const fm_record_field *field = fm_record_field_find(e->model, index, &vehicle);
    const char *name = vehicle >= 0 ? e->model->vehicles[vehicle].name : "";
    for (size_t k = 0; k < field->info.count; k++) {
        fm_env_number *number = &e->seen[e->job.observation_count++];
        *number = (fm_env_number){.field = field, .index = index, .element = k, .vehicle = vehicle};
        if (!add_name(e, number, &field->info, name))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the names of observations");
    }
    return FM_OK;
}

/* Those of the options, or pose, velocity and actuators. */
static fm_status list_seen(fm_env *e, const fm_env_options *o, fm_error *error)
{
    static const char *const pose[] = {"x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"};
    const fm_type *type = type_of(e);
    const size_t fields = o->observation_count ? o->observation_count : FM_COUNT(pose) + type->actuator_count;
    size_t *indices = fm_arena_alloc(&e->arena, fields * sizeof *indices), total = 0;
    fm_status status = indices ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for observations");
    for (size_t i = 0; i < fields && status == FM_OK; i++) {
        const char *name = o->observation_count ? o->observations[i]
                           : i < FM_COUNT(pose) ? pose[i]
                                                : type->actuator_names[i - FM_COUNT(pose)];
        status = find_seen(e, name, &indices[i], error);
        if (status == FM_OK)
            total += fm_model_field(e->model, indices[i]).count;
    }
    if (status != FM_OK)
        return status;
    if (total > UINT32_MAX / 8)
        return fm_fail(error, FM_ERR_RANGE, "%zu numbers in an observation are too many", total);
    if (!(e->seen = fm_arena_alloc(&e->arena, (total + 1) * sizeof *e->seen)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for observations");
    for (size_t i = 0; i < fields && status == FM_OK; i++)
        status = add_field(e, indices[i], error);
    return status;
}

static fm_status list_actions(fm_env *e, const fm_env_options *o, fm_error *error)
{
    const fm_type *type = type_of(e);
    const size_t count = o->action_count ? o->action_count : type->actuator_count;
    fm_env_order *orders = fm_arena_alloc(&e->arena, (count + 1) * sizeof *orders);
    e->orders_names = fm_arena_alloc(&e->arena, (count + 1) * sizeof *e->orders_names);
    if (!orders || !e->orders_names)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for actions");
    e->job.orders = e->orders = orders;
    e->job.action_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        if (o->action_count && !o->actions[i])
            return fm_fail(error, FM_ERR_ARGUMENT, "the name of an action must not be NULL");
        if (o->action_count && fm_model_actuator_find(e->model, (size_t)e->vehicle, o->actions[i], &at, error) != FM_OK)
            return error ? error->status : FM_ERR_NAME;
        const fm_actuator *a = &type->actuators[at];
        orders[i] = (fm_env_order){a->low, a->high, at};
        e->orders_names[i] = type->actuator_names[at];
        for (size_t k = 0; k < i; k++)
            if (orders[k].actuator == at)
                return fm_fail(error, FM_ERR_ARGUMENT, "the actuator '%s' is named twice", e->orders_names[i]);
        if (o->normalised && !(a->low < a->high && isfinite(a->low) && isfinite(a->high)))
            return fm_fail(error, FM_ERR_MODEL, "the orders of '%s' have no limits: it cannot be normalised",
                           e->orders_names[i]);
    }
    return FM_OK;
}

static fm_status list_parameters(fm_env *e, const fm_env_options *o, fm_error *error)
{
    const size_t count = e->parameter_count = o->parameter_count;
    if (!count)
        return FM_OK;
    e->numbers = fm_arena_alloc(&e->arena, count * sizeof *e->numbers);
    e->paths = fm_arena_alloc(&e->arena, count * sizeof *e->paths);
    e->parameters = fm_alloc(e->count * count * sizeof *e->parameters);
    e->taken = fm_alloc(e->count * count * sizeof *e->taken);
    if (!e->numbers || !e->paths || !e->parameters || !e->taken)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the parameters of %zu environments", e->count);
    for (size_t k = 0; k < count; k++) {
        fm_status status = fm_model_param_find(e->model, o->parameters[k], &e->numbers[k], error);
        if (status != FM_OK)
            return status;
        if (!(e->paths[k] = fm_arena_text(&e->arena, o->parameters[k])))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for parameters");
        const double value = fm_model_number(e->model, e->numbers[k]).value;
        for (size_t i = 0; i < e->count; i++)
            e->parameters[i * count + k] = e->taken[i * count + k] = value;
    }
    return FM_OK;
}

fm_status fm_env_vary(const fm_env *e, size_t row, fm_model **variant, fm_error *error)
{
    const size_t count = e->parameter_count;
    const double *values = e->parameters + row * count;
    fm_error inner = {0};
    *variant = NULL;
    int same = 1;
    for (size_t k = 0; k < count; k++)
        same &= values[k] == fm_model_number(e->model, e->numbers[k]).value;
    if (same || (*variant = fm_model_variant(e->model, e->numbers, values, count, &inner)))
        return FM_OK;
    return fm_fail(error, inner.status, "row %zu: %s", row, inner.text);
}

/* --- options --- */

static fm_status set_time(fm_env *e, fm_error *error)
{
    const fm_env_options *o = &e->options;
    const fm_type *type = type_of(e);
    const double step = type->step_s, limit = o->time_limit > 0 ? o->time_limit : fm_model_duration(e->model);
    const double steps = o->interval > 0 ? floor(o->interval / step + 0.5) : 1;
    if (!(o->interval >= 0) || steps < 1 || steps > 1e6 ||
        (o->interval > 0 && fabs(steps * step - o->interval) > 1e-9 * o->interval))
        return fm_fail(error, FM_ERR_RANGE,
                       "interval is %g s: must be a whole multiple of the step of '%s', %g s, at most 1e6 of them",
                       o->interval, e->model->vehicles[e->vehicle].name, step);
    if (!(o->time_limit >= 0) || !(o->depth_limit >= 0))
        return fm_fail(error, FM_ERR_RANGE, "time_limit and depth_limit must not be negative or NaN");
    e->ticks = (uint64_t)steps;
    e->job.step_s = step;
    e->job.vehicle_steps = (int64_t)steps;
    const double most = ceil(limit / (steps * step) - 1e-9);
    e->job.steps_most = isinf(limit) || most > 9e15 ? 0 : most < 1 ? 1 : (int64_t)most;
    e->job.depth_limit = o->depth_limit;
    if (type->crush_depth > 0 && (o->depth_limit == 0 || o->depth_limit > type->crush_depth))
        e->job.depth_limit = type->crush_depth;
    return FM_OK;
}

static fm_status read_options(fm_env *e, fm_error *error)
{
    const fm_env_options *o = &e->options;
    const struct {
        const char *name;
        const void *list;
        size_t count;
    } lists[] = {{"observations", o->observations, o->observation_count},
                 {"actions", o->actions, o->action_count},
                 {"parameters", o->parameters, o->parameter_count}};
    for (size_t i = 0; i < FM_COUNT(lists); i++)
        if (lists[i].count && !lists[i].list)
            return fm_fail(error, FM_ERR_ARGUMENT, "fm_env_options.%s must not be NULL", lists[i].name);
    if ((int)o->engine < FM_ENV_AUTO || o->engine > FM_ENV_CUDA || (int)o->autoreset < FM_ENV_MANUAL ||
        o->autoreset > FM_ENV_SAME_STEP)
        return fm_fail(error, FM_ERR_ARGUMENT, "fm_env_options.engine or autoreset is not one of its values");
    e->vehicle = fm_batch_find_vehicle(e->model, o->vehicle);
    if (e->vehicle < 0)
        return fm_fail(error, FM_ERR_NAME, "the scenario has no vehicle '%.100s'", o->vehicle ? o->vehicle : "");
    e->job.count = e->count;
    e->job.wide = o->float64 != 0;
    e->job.normalised = o->normalised != 0;
    e->job.autoreset = (int32_t)o->autoreset;
    e->job.seed = o->seeded ? o->seed : fm_model_seed(e->model);
    fm_status status = set_time(e, error);
    if (status == FM_OK)
        status = list_seen(e, o, error);
    if (status == FM_OK)
        status = list_actions(e, o, error);
    if (status != FM_OK || !o->noise)
        return status;
    double *noise = fm_arena_alloc(&e->arena, (e->job.observation_count + 1) * sizeof *noise);
    if (!noise)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for noise");
    for (uint32_t k = 0; k < e->job.observation_count; k++) {
        if (!(o->noise[k] >= 0) || isinf(o->noise[k]))
            return fm_fail(error, FM_ERR_RANGE, "noise of '%s' is %g: must be finite and not negative", e->seen[k].name,
                           o->noise[k]);
        noise[k] = o->noise[k];
    }
    e->job.noise = noise;
    return FM_OK;
}

/* --- the engine --- */

enum { LARGE = 16384 }; /* rows from which a GPU pays */

static fm_status open_engine(fm_env *e, fm_error *error)
{
    char why[300];
    const fm_env_engine wanted = e->options.engine;
    const char *verdict = wanted == FM_ENV_WORLDS ? NULL : fm_env_table_verdict(e, why, sizeof why);
    if (verdict && wanted != FM_ENV_AUTO)
        return fm_fail(error, FM_ERR_MODEL, "the engine %s cannot compute this: %s",
                       wanted == FM_ENV_SIMD ? "simd" : "cuda", verdict);
    if (wanted == FM_ENV_WORLDS || verdict) {
        snprintf(e->text, sizeof e->text, "worlds%s%s%s", verdict ? " (" : "", verdict ? verdict : "",
                 verdict ? ")" : "");
        e->engine = FM_ENV_WORLDS;
        if (e->options.threads > 1 && !(e->threads = fm_threads_create(e->options.threads)))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
        return fm_env_open_worlds(e, error);
    }
    const fm_batch_options options = {.size = sizeof options,
                                      .backend = wanted == FM_ENV_SIMD   ? FM_BATCH_SIMD
                                                 : wanted == FM_ENV_CUDA ? FM_BATCH_CUDA
                                                 : e->count >= LARGE && !e->options.parameter_count && !e->asked
                                                     ? FM_BATCH_AUTO
                                                     : FM_BATCH_SIMD,
                                      .single = e->options.single,
                                      .threads = e->options.threads,
                                      .vehicle = e->model->vehicles[e->vehicle].name};
    e->batch = e->parameter_count ? fm_batch_create_varied(e->model, e->count, &options, error)
                                  : fm_batch_create(e->model, e->count, &options, error);
    if (!e->batch)
        return error ? error->status : FM_ERR_MODEL;
    /* A batch on a GPU has no threads of its own; variants of rows are derived by these. */
    if (!e->batch->threads && e->options.threads > 1 && !(e->threads = fm_threads_create(e->options.threads)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
    e->engine = e->batch->lanes ? FM_ENV_SIMD : FM_ENV_CUDA;
    snprintf(e->text, sizeof e->text, "%s", fm_batch_describe(e->batch));
    return fm_env_open_table(e, error);
}

static fm_status make_arrays(fm_env *e, fm_error *error)
{
    fm_env_job *j = &e->job;
    const size_t n = e->count, size = j->wide ? 8 : 4;
    const struct {
        void **array;
        size_t bytes;
    } all[] = {{&j->observations, n * j->observation_count * size},
               {&j->finals, n * j->observation_count * size},
               {&j->actions, n * j->action_count * size},
               {&j->rewards, n * size},
               {(void **)&j->terminated, n},
               {(void **)&j->truncated, n},
               {(void **)&j->reasons, n},
               {(void **)&j->phases, n},
               {(void **)&j->keys, n * 8},
               {(void **)&j->episode_keys, n * 8},
               {(void **)&j->steps, n * 8},
               {(void **)&j->episodes, n * 8}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < FM_COUNT(all) && status == FM_OK; i++)
        status = fm_env_allocate(e, all[i].array, all[i].bytes, error);
    return status;
}

/* The first keys, as if an episode before the first one had ended. */
static fm_status set_keys(fm_env *e, fm_error *error)
{
    uint64_t *keys = fm_alloc(e->count * 16);
    if (!keys)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu keys", e->count);
    for (size_t i = 0; i < e->count; i++) {
        keys[i] = fm_env_key(e->job.seed, i, 0);
        keys[e->count + i] = (uint64_t)-1;
    }
    fm_status status = FM_OK;
    if (e->batch) {
        status = fm_batch_copy(e->batch, e->job.keys, keys, e->count * 8, error);
        if (status == FM_OK)
            status = fm_batch_copy(e->batch, e->job.episodes, keys + e->count, e->count * 8, error);
    } else {
        memcpy(e->job.keys, keys, e->count * 8);
        memcpy(e->job.episodes, keys + e->count, e->count * 8);
    }
    fm_free(keys);
    return status;
}

static void set_shapes(fm_env *e)
{
    for (int a = 0; a < FM_ENV_ARRAYS; a++) {
        const int64_t columns = a == FM_ENV_OBSERVATIONS || a == FM_ENV_FINAL_OBSERVATIONS ? e->job.observation_count
                                : a == FM_ENV_ACTIONS                                      ? e->job.action_count
                                : a == FM_ENV_PARAMETERS                                   ? (int64_t)e->parameter_count
                                : a == FM_ENV_COSTS                                        ? (int64_t)e->cost_count
                                                                                           : 1;
        e->shapes[a][0] = (int64_t)e->count;
        e->shapes[a][1] = columns;
        e->strides[a][0] = columns;
        e->strides[a][1] = 1;
    }
}

static fm_status make(fm_env *e, fm_error *error)
{
    fm_status status = read_options(e, error);
    if (status == FM_OK)
        status = list_parameters(e, &e->options, error);
    if (status == FM_OK)
        status = fm_env_open_asked(e, error);
    if (status == FM_OK)
        status = open_engine(e, error);
    if (status == FM_OK)
        status = make_arrays(e, error);
    if (status == FM_OK)
        status = fm_env_start_asked(e, error);
    if (status == FM_OK)
        status = set_keys(e, error);
    set_shapes(e);
    return status == FM_OK ? fm_env_reset(e, NULL, error) : status;
}

fm_env *fm_env_create(const fm_model *model, size_t rows, const fm_env_options *options, fm_error *error)
{
    fm_env_options o;
    fm_error inner = {0};
    if (FM_READ_OPTIONS(&o, options, fm_env_options, error) != FM_OK)
        return NULL;
    if (!model || rows == 0 || rows > UINT32_MAX) {
        fm_fail(error, FM_ERR_ARGUMENT,
                model ? "there must be 1 to 4,294,967,295 environments" : "model must not be NULL");
        return NULL;
    }
    fm_env *e = fm_alloc(sizeof *e);
    if (!e) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for environments");
        return NULL;
    }
    atomic_init(&e->references, 1);
    e->model = model;
    e->count = rows;
    e->options = o;
    const fm_status status = make(e, &inner);
    e->options.observations = e->options.actions = e->options.parameters = NULL;
    e->options.noise = NULL;
    e->options.reward = e->options.end = NULL;
    e->options.costs = NULL;
    e->options.vehicle = NULL;
    if (status == FM_OK)
        return e;
    if (error)
        *error = inner;
    fm_env_free(e);
    return NULL;
}

void fm_env_share(fm_env *e, void (*work)(void *user, size_t piece), void *user, size_t rows_in_piece)
{
    const size_t pieces = (e->count + rows_in_piece - 1) / rows_in_piece;
    struct fm_threads *threads = e->threads ? e->threads : e->batch ? e->batch->threads : NULL;
    if (threads && pieces > 1)
        fm_threads_share(threads, pieces, work, user);
    else
        for (size_t i = 0; i < pieces; i++)
            work(user, i);
}

/* --- steps --- */

static fm_status refuse_null(fm_error *error)
{
    return fm_fail(error, FM_ERR_ARGUMENT, "env must not be NULL");
}

fm_status fm_env_reset(fm_env *e, const uint8_t *mask, fm_error *error)
{
    if (!e)
        return refuse_null(error);
    fm_status status = e->class->reset(e, mask, error);
    if (status == FM_OK)
        fm_env_begin_asked(e, 1);
    return status;
}

static void call_judge(fm_env *e)
{
    const fm_env_job *j = &e->job;
    const int device = e->batch && !e->batch->lanes;
    const fm_env_moment moment = {.rows = e->count,
                                  .observations = j->observation_count,
                                  .actions = j->action_count,
                                  .bits = j->wide ? 64 : 32,
                                  .device_type = device ? FM_DL_CUDA : FM_DL_CPU,
                                  .stream = e->options.stream,
                                  .observation = j->observations,
                                  .action = j->actions,
                                  .reward = j->rewards,
                                  .terminated = j->terminated,
                                  .reasons = j->reasons,
                                  .steps = j->steps};
    e->options.judge(e->options.user, &moment);
}

fm_status fm_env_step(fm_env *e, fm_error *error)
{
    if (!e)
        return refuse_null(error);
    fm_status status = e->class->act(e, error);
    if (status == FM_OK)
        status = e->class->settle(e, error);
    if (status == FM_OK)
        fm_env_judge_asked(e);
    if (status == FM_OK && e->options.judge)
        call_judge(e);
    if (status == FM_OK)
        status = e->class->finish(e, error);
    if (status == FM_OK)
        fm_env_begin_asked(e, 0);
    return status;
}

fm_status fm_env_refresh(fm_env *e, fm_error *error)
{
    if (!e)
        return refuse_null(error);
    return e->parameter_count ? e->class->refresh(e, error) : FM_OK;
}

fm_status fm_env_wait(fm_env *e, fm_error *error)
{
    if (!e)
        return refuse_null(error);
    const char *what = e->engine == FM_ENV_CUDA ? e->batch->cuda->wait() : NULL;
    return what ? fm_fail(error, FM_ERR_LIBRARY, "CUDA: %s", what) : FM_OK;
}

fm_status fm_env_set_stream(fm_env *e, void *stream, fm_error *error)
{
    fm_status status = fm_env_wait(e, error);
    if (status == FM_OK && e->engine == FM_ENV_CUDA)
        e->options.stream = stream;
    return status;
}

void *fm_env_stream(const fm_env *e)
{
    return e && e->engine == FM_ENV_CUDA ? e->options.stream : NULL;
}

/* --- save and restore --- */

fm_env_state *fm_env_state_create(fm_env *e, fm_error *error)
{
    fm_env_state *state = e ? fm_alloc(sizeof *state) : NULL;
    if (!state) {
        if (e)
            fm_fail(error, FM_ERR_MEMORY, "no memory for a state");
        else
            refuse_null(error);
        return NULL;
    }
    state->env = e;
    atomic_fetch_add(&e->references, 1);
    if (e->class->open_state(e, state, error) == FM_OK && fm_env_open_asked_state(e, state, error) == FM_OK)
        return state;
    fm_env_state_free(state);
    return NULL;
}

void fm_env_state_free(fm_env_state *state)
{
    if (!state)
        return;
    state->env->class->close_state(state);
    fm_env_close_asked_state(state);
    fm_env_free(state->env);
    fm_free(state);
}

static fm_status check_state(const fm_env *e, const fm_env_state *state, fm_error *error)
{
    if (!e || !state)
        return fm_fail(error, FM_ERR_ARGUMENT, "env and state must not be NULL");
    return state->env == e ? FM_OK : fm_fail(error, FM_ERR_ARGUMENT, "the state belongs to other environments");
}

fm_status fm_env_save(fm_env *e, fm_env_state *state, const uint8_t *mask, fm_error *error)
{
    fm_status status = check_state(e, state, error);
    if (status == FM_OK)
        status = e->class->save(e, state, mask, error);
    if (status == FM_OK)
        fm_env_save_asked(e, state, mask);
    return status;
}

fm_status fm_env_restore(fm_env *e, const fm_env_state *state, const uint32_t *from, const uint8_t *mask,
                         fm_error *error)
{
    fm_status status = check_state(e, state, error);
    if (status == FM_OK)
        status = e->class->restore(e, state, from, mask, error);
    if (status == FM_OK)
        fm_env_restore_asked(e, state, from, mask);
    return status;
}

/* --- arrays --- */

fm_dl_tensor fm_env_look(const fm_env *e, fm_env_array array)
{
    fm_dl_tensor t = {.device_type = FM_DL_CPU, .lanes = 1};
    if (!e || (int)array < 0 || array >= FM_ENV_ARRAYS)
        return t;
    const fm_env_job *j = &e->job;
    const uint8_t width = j->wide ? 64 : 32;
    const struct {
        void *data;
        int code, bits, dimensions;
    } all[FM_ENV_ARRAYS] = {[FM_ENV_OBSERVATIONS] = {j->observations, FM_DL_FLOAT, width, 2},
                            [FM_ENV_ACTIONS] = {j->actions, FM_DL_FLOAT, width, 2},
                            [FM_ENV_REWARDS] = {j->rewards, FM_DL_FLOAT, width, 1},
                            [FM_ENV_TERMINATED] = {j->terminated, FM_DL_BOOL, 8, 1},
                            [FM_ENV_TRUNCATED] = {j->truncated, FM_DL_BOOL, 8, 1},
                            [FM_ENV_REASONS] = {j->reasons, FM_DL_UINT, 8, 1},
                            [FM_ENV_FINAL_OBSERVATIONS] = {j->finals, FM_DL_FLOAT, width, 2},
                            [FM_ENV_PARAMETERS] = {e->parameters, FM_DL_FLOAT, 64, 2},
                            [FM_ENV_COSTS] = {e->costs, FM_DL_FLOAT, width, 2},
                            [FM_ENV_KEYS] = {j->keys, FM_DL_UINT, 64, 1},
                            [FM_ENV_EPISODE_KEYS] = {j->episode_keys, FM_DL_UINT, 64, 1},
                            [FM_ENV_STEPS] = {j->steps, FM_DL_INT, 64, 1},
                            [FM_ENV_EPISODES] = {j->episodes, FM_DL_INT, 64, 1}};
    if (e->engine == FM_ENV_CUDA && array != FM_ENV_PARAMETERS)
        t.device_type = FM_DL_CUDA;
    t.data = all[array].data;
    t.code = (uint8_t)all[array].code;
    t.bits = (uint8_t)all[array].bits;
    t.ndim = all[array].dimensions;
    t.shape = (int64_t *)e->shapes[array];
    t.strides = (int64_t *)e->strides[array];
    return t;
}

static void end_export(fm_dl_array *array)
{
    fm_env_free(array->manager);
    fm_free(array);
}

fm_dl_array *fm_env_export(fm_env *e, fm_env_array array, fm_error *error)
{
    if (!e || (int)array < 0 || array >= FM_ENV_ARRAYS) {
        fm_fail(error, FM_ERR_ARGUMENT, e ? "%d is not an array of environments" : "env must not be NULL", (int)array);
        return NULL;
    }
    fm_dl_array *made = fm_alloc(sizeof *made);
    if (!made) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for an array");
        return NULL;
    }
    const int writable = array == FM_ENV_ACTIONS || array == FM_ENV_PARAMETERS || array == FM_ENV_KEYS;
    atomic_fetch_add(&e->references, 1);
    *made = (fm_dl_array){.major = 1,
                          .manager = e,
                          .deleter = end_export,
                          .flags = writable ? 0 : FM_DL_READ_ONLY,
                          .tensor = fm_env_look(e, array)};
    return made;
}

/* --- description --- */

fm_env_column fm_env_observation(const fm_env *e, size_t i)
{
    fm_env_column column = {.unit = ""};
    if (!e || i >= e->job.observation_count)
        return column;
    const fm_env_number *n = &e->seen[i];
    return (fm_env_column){n->name, n->field->info.unit, n->field->info.min, n->field->info.max, n->index, n->element};
}

fm_env_column fm_env_action(const fm_env *e, size_t i)
{
    fm_env_column column = {.unit = ""};
    if (!e || i >= e->job.action_count)
        return column;
    const fm_env_order *o = &e->orders[i];
    column.name = e->orders_names[i];
    column.field = (size_t)o->actuator;
    column.min = e->job.normalised ? -1 : o->low;
    column.max = e->job.normalised ? 1 : o->high;
    if (!e->job.normalised)
        column.unit = type_of(e)->actuator_units[o->actuator];
    return column;
}

size_t fm_env_count(const fm_env *e)
{
    return e ? e->count : 0;
}

double fm_env_interval(const fm_env *e)
{
    return e ? (double)e->ticks * e->job.step_s : 0;
}

fm_env_engine fm_env_engine_used(const fm_env *e)
{
    return e ? e->engine : FM_ENV_AUTO;
}

const char *fm_env_describe(const fm_env *e)
{
    return e ? e->text : "";
}

const char *fm_env_reason_name(fm_env_reason reason)
{
    static const char *const names[] = {"",           "time limit", "diverged", "contact", "depth limit",
                                        "NaN action", "condition"};
    return (size_t)reason < FM_COUNT(names) ? names[reason] : "";
}
