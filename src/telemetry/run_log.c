#include "telemetry/run_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "telemetry/attachments.h"

struct fm_run_log {
    fm_world_channels *channels;
    fm_recorder *recorder;
    int wait;
};

/* Pairs in the making; texts live in the arena. */
typedef struct pair_list {
    fm_mcap_pair *pairs;
    size_t count, room;
    fm_arena arena;
    int failed;
} pair_list;

static void add_pair(pair_list *list, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add_pair(pair_list *list, const char *key, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    if (list->count == list->room) {
        size_t room = 2 * list->room + 32;
        fm_mcap_pair *pairs = fm_realloc(list->pairs, room * sizeof *pairs);
        if (!pairs) {
            list->failed = 1;
            return;
        }
        list->pairs = pairs;
        list->room = room;
    }
    fm_mcap_pair pair = {fm_arena_text(&list->arena, key), fm_arena_text(&list->arena, value)};
    list->failed |= !pair.key || !pair.value;
    if (!list->failed)
        list->pairs[list->count++] = pair;
}

static fm_status write_pairs(fm_run_log *log, const char *name, pair_list *list, fm_error *error)
{
    fm_status status = list->failed
                           ? fm_fail(error, FM_ERR_MEMORY, "out of memory for the metadata of the log")
                           : fm_mcap_metadata(fm_recorder_writer(log->recorder), name, list->pairs, list->count, error);
    fm_arena_free(&list->arena);
    fm_free(list->pairs);
    return status;
}

/* --- at the start --- */

static fm_status write_run(fm_run_log *log, const fm_world *world, const fm_run_log_options *o, const char *scenario,
                           fm_error *error)
{
    const fm_model *model = fm_world_model(world);
    pair_list list = {0};
    char number[32], key[32];
    add_pair(&list, "scenario", "%s", scenario);
    add_pair(&list, "title", "%s", fm_model_title(model));
    add_pair(&list, "version", "%s", FATHOM_VERSION);
    add_pair(&list, "seed", "%" PRIu64, o->seed);
    add_pair(&list, "dt", "%s", fm_text_number_write(number, sizeof number, fm_model_dt(model)));
    add_pair(&list, "duration", "%s", fm_text_number_write(number, sizeof number, o->duration));
    add_pair(&list, "log_rate", "%s", fm_text_number_write(number, sizeof number, o->rate));
    for (size_t i = 0; i < o->set_count; i++) {
        snprintf(key, sizeof key, "set.%zu", i);
        add_pair(&list, key, "%s", o->set[i]);
    }
    return write_pairs(log, "run", &list, error);
}

static fm_status write_parameters(fm_run_log *log, const fm_model *model, fm_error *error)
{
    pair_list list = {0};
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info p = fm_model_param(model, i);
        add_pair(&list, p.path, "%s", p.value ? p.value : "");
    }
    return write_pairs(log, "parameters", &list, error);
}

static fm_status write_scenario(fm_run_log *log, const fm_model *model, fm_error *error)
{
    char *text = fm_model_write(model);
    if (!text)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the text of the scenario");
    fm_mcap_pair pair = {"resolved", text};
    fm_status status = fm_mcap_metadata(fm_recorder_writer(log->recorder), "scenario", &pair, 1, error);
    fm_free(text);
    return status;
}

static fm_status start(fm_run_log *log, const fm_world *world, const fm_run_log_options *o, fm_error *error)
{
    char scenario[256] = "";
    const fm_model *model = fm_world_model(world);
    fm_recorder_options options = {
        .mcap = {.compression = o->compression, .level = 1, .chunk_time = (uint64_t)(o->chunk * 1e9)},
        .policy = o->wait ? FM_RING_WAIT : FM_RING_DROP,
        .buffer = o->wait ? 0.5 : 2};
    fm_status status = fm_world_channels_create(world, o->rate, &log->channels, error);
    if (status == FM_OK)
        status = fm_recorder_create(o->path, fm_world_channels_get(log->channels), &options, &log->recorder, error);
    if (status == FM_OK)
        status = fm_attachments_write(fm_recorder_writer(log->recorder), model, scenario, sizeof scenario, error);
    if (status == FM_OK)
        status = write_run(log, world, o, scenario, error);
    if (status == FM_OK)
        status = write_parameters(log, model, error);
    if (status == FM_OK)
        status = write_scenario(log, model, error);
    return status == FM_OK ? fm_recorder_start(log->recorder, error) : status;
}

fm_status fm_run_log_open(const fm_world *world, const fm_run_log_options *options, fm_run_log **log, fm_error *error)
{
    fm_run_log *l = fm_alloc(sizeof *l);
    *log = NULL;
    if (!l)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    l->wait = options->wait;
    fm_status status = start(l, world, options, error);
    if (status == FM_OK) {
        fm_world_channels_begin(l->channels, world);
        *log = l;
        return FM_OK;
    }
    if (l->recorder)
        fm_recorder_close(l->recorder, NULL, NULL);
    fm_world_channels_destroy(l->channels);
    fm_free(l);
    return status;
}

void fm_run_log_step(fm_run_log *log, const fm_world *world)
{
    if (log->wait)
        fm_channels_wait(fm_world_channels_get(log->channels));
    fm_world_channels_publish(log->channels, world);
}

/* --- at the end --- */

static fm_status write_result(fm_run_log *log, const fm_world *world, const char *ending, fm_error *error)
{
    pair_list list = {0};
    char key[160], number[32];
    add_pair(&list, "ending", "%s", ending);
    add_pair(&list, "ticks", "%" PRIu64, fm_world_tick(world));
    add_pair(&list, "time", "%s", fm_text_number_write(number, sizeof number, fm_world_time(world)));
    add_pair(&list, "state_hash", "%016" PRIx64, fm_world_hash(world));
    for (int slot = 0; slot < fm_world_slots(world); slot++)
        for (size_t i = 0; i < fm_world_metric_count(world, slot); i++) {
            fm_metric_info m = fm_world_metric(world, slot, i);
            snprintf(key, sizeof key, "%s/%s", fm_world_name(world, slot), m.name);
            if (isnan(m.value))
                add_pair(&list, key, "never observed");
            else
                add_pair(&list, key, "%s%s%s", fm_text_number_write(number, sizeof number, m.value),
                         m.unit[0] ? " " : "", m.unit);
        }
    return write_pairs(log, "result", &list, error);
}

fm_status fm_run_log_close(fm_run_log *log, const fm_world *world, const char *ending, fm_recorder_result *result,
                           fm_error *error)
{
    if (log->wait)
        fm_channels_wait(fm_world_channels_get(log->channels));
    fm_world_channels_end(log->channels, world);
    fm_recorder_stop(log->recorder);
    fm_error first = {0}, second = {0};
    fm_status written = write_result(log, world, ending, &first);
    fm_status status = fm_recorder_close(log->recorder, result, &second);
    if (status == FM_OK && fm_channels_oversize(fm_world_channels_get(log->channels)) > 0)
        status =
            fm_fail(&second, FM_ERR_RANGE, "%" PRIu64 " messages were longer than announced and are missing in the log",
                    fm_channels_oversize(fm_world_channels_get(log->channels)));
    if (error)
        *error = status != FM_OK ? second : first;
    fm_world_channels_destroy(log->channels);
    fm_free(log);
    return status != FM_OK ? status : written;
}

fm_channels *fm_run_log_channels(fm_run_log *log)
{
    return fm_world_channels_get(log->channels);
}
