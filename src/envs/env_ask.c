/* Rewards, costs and ends of environments as expressions (ask/probe.h), evaluated on the rows of a CPU. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "envs/env.h"
#include "world/world.h"

enum { ROWS_AT_ONCE = 64, INPUTS_MOST = 64 };

/* An expression, and where its state is in a row's. */
typedef struct asked {
    fm_ask_probe *probe;
    size_t words;
    fm_env_source *sources; /* of a batch: one for each input */
} asked;

struct fm_env_asked {
    asked *all; /* the reward and the end, if there are any, then the costs */
    size_t count, first_cost, words;
    asked *reward, *end; /* NULL: none */
    double *states;      /* [row][word] */
    int64_t *episodes;   /* [row]: of which the state is */
};

/* --- opening --- */

static const char *name_of(const fm_env *e, char *room, size_t size, int vehicle, const char *field)
{
    fm_text_print(room, size, "%s.%s", vehicle >= 0 ? e->model->vehicles[vehicle].name : "", field);
    return room;
}

static fm_status add(fm_env *e, const char *what, const char *text, fm_ask_kind kind, const char *unit, fm_error *error)
{
    struct fm_env_asked *a = e->asked;
    fm_error inner = {0};
    if (!text)
        return fm_fail(error, FM_ERR_ARGUMENT, "fm_env_options.%s must not be NULL", what);
    asked *one = &a->all[a->count];
    one->probe = fm_ask_probe_create(e->model, e->vehicle, text, kind, unit, &inner);
    if (!one->probe)
        return fm_fail(error, inner.status, "%s: %s", what, inner.text);
    one->words = a->words;
    a->words += fm_ask_words(fm_ask_probe_ask(one->probe));
    a->count++;
    return FM_OK;
}

fm_status fm_env_open_asked(fm_env *e, fm_error *error)
{
    const fm_env_options *o = &e->options;
    const size_t most = o->cost_count + 2;
    if (!o->reward && !o->end && !o->cost_count)
        return FM_OK;
    if (o->cost_count && !o->costs)
        return fm_fail(error, FM_ERR_ARGUMENT, "fm_env_options.costs must not be NULL");
    struct fm_env_asked *a = e->asked = fm_alloc(sizeof *a);
    if (!a || !(a->all = fm_alloc(most * sizeof *a->all)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    fm_status status = FM_OK;
    if (o->reward && (status = add(e, "reward", o->reward, FM_ASK_ANY, NULL, error)) == FM_OK)
        a->reward = &a->all[a->count - 1];
    if (o->end && status == FM_OK && (status = add(e, "end", o->end, FM_ASK_CONDITION, NULL, error)) == FM_OK)
        a->end = &a->all[a->count - 1];
    a->first_cost = a->count;
    for (size_t i = 0; i < o->cost_count && status == FM_OK; i++)
        status = add(e, "costs", o->costs[i], FM_ASK_ANY, NULL, error);
    e->cost_count = o->cost_count;
    return status;
}

/* Memory of the rows; after the arrays of the environments. */
fm_status fm_env_start_asked(fm_env *e, fm_error *error)
{
    struct fm_env_asked *a = e->asked;
    if (!a)
        return FM_OK;
    a->states = fm_alloc((e->count * a->words + 1) * sizeof *a->states);
    a->episodes = fm_alloc(e->count * sizeof *a->episodes);
    if (!a->states || !a->episodes)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the expressions of %zu environments", e->count);
    for (size_t i = 0; i < e->count; i++)
        a->episodes[i] = INT64_MIN;
    for (size_t k = 0; e->batch && k < a->count; k++) {
        asked *one = &a->all[k];
        const size_t inputs = fm_ask_input_count(fm_ask_probe_ask(one->probe));
        if (!(one->sources = fm_arena_alloc(&e->arena, (inputs + 1) * sizeof *one->sources)))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
        for (size_t i = 0; i < inputs; i++) {
            fm_env_number n = {0};
            n.field = fm_ask_probe_field(one->probe, i, &n.vehicle, &n.element);
            if (!n.field || !fm_env_find_source(e, &n, &one->sources[i]))
                return fm_fail(error, FM_ERR_MODEL, "'%s' is available in worlds only",
                               fm_ask_text(fm_ask_probe_ask(one->probe)));
        }
    }
    if (e->cost_count)
        return fm_env_allocate(e, &e->costs, e->count * e->cost_count * (e->job.wide ? 8 : 4), error);
    return FM_OK;
}

void fm_env_close_asked(fm_env *e)
{
    struct fm_env_asked *a = e->asked;
    for (size_t i = 0; a && a->all && i < a->count; i++)
        fm_ask_probe_free(a->all[i].probe);
    if (a) {
        fm_free(a->all);
        fm_free(a->states);
        fm_free(a->episodes);
    }
    fm_free(a);
}

const char *fm_env_asked_verdict(const fm_env *e, char *room, size_t size)
{
    const struct fm_env_asked *a = e->asked;
    char name[160];
    for (size_t k = 0; a && k < a->count; k++) {
        const fm_ask *ask = fm_ask_probe_ask(a->all[k].probe);
        for (size_t i = 0; i < fm_ask_input_count(ask); i++) {
            int vehicle;
            size_t element;
            const fm_record_field *field = fm_ask_probe_field(a->all[k].probe, i, &vehicle, &element);
            if (field && field->info.lanes)
                continue;
            const char *what = field ? field->info.name : fm_ask_probe_metric(a->all[k].probe, i, &vehicle);
            fm_text_print(room, size, "'%.100s' reads %s, which is available in worlds only", fm_ask_text(ask),
                          name_of(e, name, sizeof name, vehicle, what));
            return room;
        }
    }
    return NULL;
}

/* --- a sample of a row --- */

static void note(const fm_env *e, const asked *one, size_t i, double *state)
{
    const double time = (double)(e->job.steps[i] * e->job.vehicle_steps) * e->job.step_s;
    double inputs[INPUTS_MOST];
    if (!e->batch) {
        fm_ask_probe_note(one->probe, state, fm_env_world(e, i), time);
        return;
    }
    const fm_ask *ask = fm_ask_probe_ask(one->probe);
    for (size_t k = 0; k < fm_ask_input_count(ask); k++)
        inputs[k] = fm_env_table_look(&e->job, i, one->sources[k]);
    fm_ask_note(ask, state, time, inputs);
}

static double look(const asked *one, const double *state)
{
    const double value = fm_ask_value(fm_ask_probe_ask(one->probe), state);
    return isnan(value) ? 0 : value;
}

static void write(const fm_env *e, size_t i, const double *states, int scored)
{
    const struct fm_env_asked *a = e->asked;
    if (a->reward && scored)
        fm_env_put(&e->job, e->job.rewards, i, look(a->reward, states + a->reward->words));
    for (size_t k = 0; k < e->cost_count; k++) {
        const asked *one = &a->all[a->first_cost + k];
        fm_env_put(&e->job, e->costs, i * e->cost_count + k, scored ? look(one, states + one->words) : 0);
    }
}

/* An episode has begun: its first sample. */
static void begin(const fm_env *e, size_t i)
{
    const struct fm_env_asked *a = e->asked;
    double *states = a->states + i * a->words;
    a->episodes[i] = e->job.episodes[i];
    for (size_t k = 0; k < a->count; k++) {
        fm_ask_begin(fm_ask_probe_ask(a->all[k].probe), states + a->all[k].words);
        note(e, &a->all[k], i, states + a->all[k].words);
    }
}

static size_t end_of(const fm_env *e, size_t piece)
{
    const size_t end = (piece + 1) * ROWS_AT_ONCE;
    return end < e->count ? end : e->count;
}

static void judge_some(void *user, size_t piece)
{
    const fm_env *e = user;
    const struct fm_env_asked *a = e->asked;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(e, piece); i++) {
        double *states = a->states + i * a->words;
        const int phase = e->job.phases[i] & 3;
        if (phase == FM_ROW_BEGINS)
            begin(e, i);
        if (phase == FM_ROW_STEPS)
            for (size_t k = 0; k < a->count; k++)
                note(e, &a->all[k], i, states + a->all[k].words);
        if (phase == FM_ROW_STEPS || phase == FM_ROW_BEGINS)
            write(e, i, states, phase == FM_ROW_STEPS);
        if (phase == FM_ROW_STEPS && a->end && look(a->end, states + a->end->words) != 0)
            e->job.terminated[i] = 1;
    }
}

void fm_env_judge_asked(fm_env *e)
{
    if (e->asked)
        fm_env_share(e, judge_some, e, ROWS_AT_ONCE);
}

static void begin_some(void *user, size_t piece)
{
    const fm_env *e = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(e, piece); i++)
        if (e->asked->episodes[i] != e->job.episodes[i])
            begin(e, i);
}

static void clear_some(void *user, size_t piece)
{
    const fm_env *e = user;
    for (size_t i = piece * ROWS_AT_ONCE; i < end_of(e, piece); i++)
        if (e->asked->episodes[i] != e->job.episodes[i]) {
            begin(e, i);
            write(e, i, e->asked->states + i * e->asked->words, 0);
        }
}

void fm_env_begin_asked(fm_env *e, int clears)
{
    if (e->asked)
        fm_env_share(e, clears ? clear_some : begin_some, e, ROWS_AT_ONCE);
}

/* --- states --- */

typedef struct kept {
    double *states;
    int64_t *episodes;
    unsigned char *costs, *set;
} kept;

fm_status fm_env_open_asked_state(const fm_env *e, fm_env_state *state, fm_error *error)
{
    if (!e->asked)
        return FM_OK;
    kept *k = state->asked = fm_alloc(sizeof *k);
    if (k) {
        k->states = fm_alloc((e->count * e->asked->words + 1) * sizeof *k->states);
        k->episodes = fm_alloc(e->count * sizeof *k->episodes);
        k->costs = fm_alloc(e->count * e->cost_count * 8 + 1);
        k->set = fm_alloc(e->count);
    }
    return k && k->states && k->episodes && k->costs && k->set ? FM_OK
                                                               : fm_fail(error, FM_ERR_MEMORY, "no memory for a state");
}

void fm_env_close_asked_state(fm_env_state *state)
{
    kept *k = state->asked;
    if (!k)
        return;
    fm_free(k->states);
    fm_free(k->episodes);
    fm_free(k->costs);
    fm_free(k->set);
    fm_free(k);
}

static void move_row(const fm_env *e, const kept *k, size_t own, size_t saved, int out)
{
    const size_t words = e->asked->words, bytes = e->cost_count * (e->job.wide ? 8 : 4);
    double *row = e->asked->states + own * words, *keep = k->states + saved * words;
    unsigned char *cost = bytes ? (unsigned char *)e->costs + own * bytes : NULL;
    memcpy(out ? keep : row, out ? row : keep, words * sizeof *row);
    if (bytes)
        memcpy(out ? k->costs + saved * bytes : cost, out ? cost : k->costs + saved * bytes, bytes);
    if (out)
        k->episodes[saved] = e->asked->episodes[own];
    else
        e->asked->episodes[own] = k->episodes[saved];
}

void fm_env_save_asked(const fm_env *e, fm_env_state *state, const uint8_t *mask)
{
    kept *k = state->asked;
    for (size_t i = 0; k && i < e->count; i++)
        if (!mask || mask[i]) {
            move_row(e, k, i, i, 1);
            k->set[i] = 1;
        }
}

void fm_env_restore_asked(const fm_env *e, const fm_env_state *state, const uint32_t *from, const uint8_t *mask)
{
    const kept *k = state->asked;
    for (size_t i = 0; k && i < e->count; i++) {
        const size_t row = from ? from[i] : i;
        if ((!mask || mask[i]) && row < e->count && k->set[row])
            move_row(e, k, i, row, 0);
    }
}
