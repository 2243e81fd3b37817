/* The log of a run: a sink whose metadata contains everything needed to repeat the run. */
#include <fathom/log.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/calendar.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/text.h"
#include "environment/environment.h"
#include "physics/angle.h"
#include "run/run.h"
#include "telemetry/attachments.h"
#include "telemetry/recorder.h"
#include "world/world.h"

struct fm_log_file {
    fm_mcap_writer *writer;
    char scenario[256]; /* its name among the attachments */
};

typedef struct run_log {
    fm_recorder *recorder;
    fm_log_options options;
    fm_log_file *file;    /* until it is recorded into */
    fm_error trouble;     /* the first error, written by the recorder's thread … */
    _Atomic int troubled; /* … before it sets this */
    int told;
    _Atomic uint64_t lost; /* by the disk so far; written by the recorder's thread */
} run_log;

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

static fm_status write_pairs(run_log *log, const char *name, pair_list *list, fm_error *error)
{
    fm_status status = list->failed
                           ? fm_fail(error, FM_ERR_MEMORY, "out of memory for the metadata of the log")
                           : fm_mcap_metadata(fm_recorder_writer(log->recorder), name, list->pairs, list->count, error);
    fm_arena_free(&list->arena);
    fm_free(list->pairs);
    return status;
}

/* --- at the start --- */

static fm_status write_run(run_log *log, const fm_run *run, const char *scenario, fm_error *error)
{
    const fm_world *world = run->world;
    const fm_model *model = world->model;
    pair_list list = {0};
    char number[32], key[48];
    add_pair(&list, "scenario", "%s", scenario);
    add_pair(&list, "title", "%s", fm_model_title(model));
    add_pair(&list, "about", "%s", model->about ? model->about : "");
    add_pair(&list, "view", "%s", model->view ? model->view : "");
    add_pair(&list, "version", "%s", FATHOM_VERSION);
    add_pair(&list, "seed", "%" PRIu64, world->head->seed);
    add_pair(&list, "on_runaway", "%s", world->on_runaway == FM_RUNAWAY_REMOVE ? "remove" : "end");
    add_pair(&list, "dt", "%s", fm_text_number_write(number, sizeof number, fm_model_dt(model)));
    add_pair(&list, "duration", "%s", fm_text_number_write(number, sizeof number, fm_run_end(run)));
    add_pair(&list, "epoch", "%s", fm_calendar_write(model->settings.epoch, 3, number, sizeof number));
    if (model->environment->has_origin) {
        add_pair(&list, "latitude", "%.12g", model->settings.latitude / FM_DEGREE);
        add_pair(&list, "longitude", "%.12g", model->settings.longitude / FM_DEGREE);
    }
    add_pair(&list, "log_rate", "%s", fm_text_number_write(number, sizeof number, log->options.rate));
    for (size_t i = 0; i < model->set_count; i++) {
        snprintf(key, sizeof key, "set.%zu", i);
        add_pair(&list, key, "%s", model->sets[i]);
    }
    for (size_t i = 0; i < model->plugin_count; i++) {
        snprintf(key, sizeof key, "plugin.%zu", i);
        add_pair(&list, key, "%s", model->plugins[i].path);
        snprintf(key, sizeof key, "plugin.%zu.hash", i);
        add_pair(&list, key, "%016" PRIx64, model->plugins[i].hash);
    }
    return write_pairs(log, "run", &list, error);
}

static fm_status write_parameters(run_log *log, const fm_model *model, fm_error *error)
{
    pair_list list = {0};
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info p = fm_model_param(model, i);
        add_pair(&list, p.path, "%s", p.value ? p.value : "");
    }
    return write_pairs(log, "parameters", &list, error);
}

/* Settings given by a file or --set, as written there. */
static fm_status write_written(run_log *log, const fm_model *model, fm_error *error)
{
    pair_list list = {0};
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info p = fm_model_param(model, i);
        if (p.set)
            add_pair(&list, p.path, "%s", p.written);
    }
    return write_pairs(log, "written", &list, error);
}

static fm_status write_scenario(run_log *log, const fm_model *model, fm_error *error)
{
    char *text = fm_model_write(model);
    if (!text)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the text of the scenario");
    fm_mcap_pair pair = {"resolved", text};
    fm_status status = fm_mcap_metadata(fm_recorder_writer(log->recorder), "scenario", &pair, 1, error);
    fm_free(text);
    return status;
}

static fm_status fill_head(run_log *log, const fm_run *run, const char *scenario, fm_error *error)
{
    const fm_model *model = fm_world_model(run->world);
    fm_status status = write_run(log, run, scenario, error);
    if (status == FM_OK)
        status = write_parameters(log, model, error);
    if (status == FM_OK)
        status = write_written(log, model, error);
    return status == FM_OK ? write_scenario(log, model, error) : status;
}

static fm_status start_log(void *user, fm_sink *sink, fm_error *error)
{
    run_log *log = user;
    fm_log_file *file = log->file;
    log->file = NULL;
    fm_status status = fm_recorder_create_on(file->writer, fm_sink_channels(sink), &log->recorder, error);
    if (status == FM_OK)
        status = fill_head(log, sink->run, file->scenario, error);
    if (status != FM_OK && log->recorder)
        fm_recorder_close(log->recorder, 0, NULL, NULL);
    fm_free(file);
    return status;
}

static void release_log(void *user)
{
    run_log *log = user;
    fm_log_file_free(log->file);
    fm_free(log);
}

static void take_channel(void *user, uint32_t channel, const fm_channel_info *info)
{
    run_log *log = user;
    fm_recorder_rename(log->recorder, channel, info->topic, fm_message_find(info->type), info->text);
}

static void take_message(void *user, const fm_sink_message *m)
{
    run_log *log = user;
    fm_recorder_take(log->recorder, &(fm_ring_item){m->channel, m->sequence, m->time, (uint32_t)m->size, m->data, 0});
    const fm_mcap_writer *writer = fm_recorder_writer(log->recorder);
    const fm_error *failure = fm_mcap_failure(writer);
    atomic_store_explicit(&log->lost, fm_mcap_lost(writer), memory_order_relaxed);
    if (failure->status == FM_OK || atomic_load_explicit(&log->troubled, memory_order_relaxed))
        return;
    log->trouble = *failure;
    atomic_store_explicit(&log->troubled, 1, memory_order_release);
}

/* Errors of the recorder are reported when they happen, not at the end of a run whose log cannot be written. */
static fm_status step_log(void *user, fm_sink *sink, fm_error *error)
{
    run_log *log = user;
    if (log->told || !atomic_load_explicit(&log->troubled, memory_order_acquire))
        return FM_OK;
    log->told = 1;
    if (log->options.trouble)
        log->options.trouble(log->options.user, &log->trouble);
    if (!atomic_load_explicit(&sink->run->free_running, memory_order_relaxed))
        return FM_OK;
    return fm_fail(error, log->trouble.status, "the log cannot be written, and the run stops: %s", log->trouble.text);
}

fm_log_counts fm_sink_log_counts(const fm_sink *sink)
{
    const run_log *log = sink->config.user;
    return (fm_log_counts){sink->tap ? fm_ring_dropped(fm_tap_ring(sink->tap)) : 0,
                           atomic_load_explicit(&log->lost, memory_order_relaxed)};
}

/* --- at the end --- */

static fm_status write_result(run_log *log, const fm_world *world, const char *ending, fm_error *error)
{
    pair_list list = {0};
    char key[160], number[32];
    add_pair(&list, "ending", "%s", ending);
    add_pair(&list, "ticks", "%" PRIu64, fm_world_steps(world));
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

/* The missing part of a log that should be complete. */
static fm_status check_complete(const fm_run_ending *ending, fm_error *error)
{
    if (ending->overrun > 0)
        return fm_fail(error, FM_ERR_FULL, "%" PRIu64 " messages did not fit in the recorder's buffer within one step",
                       ending->overrun);
    if (ending->oversize > 0)
        return fm_fail(error, FM_ERR_RANGE,
                       "%" PRIu64 " messages were longer than announced and are missing in the log", ending->oversize);
    return FM_OK;
}

static fm_status end_log(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    run_log *log = user;
    fm_error first = {0}, second = {0}, ignored;
    fm_recorder_result counts = {0};
    fm_mcap_flush(fm_recorder_writer(log->recorder), &ignored);
    fm_status written = write_result(log, fm_run_world(sink->run), ending->text, &first);
    fm_status status = fm_recorder_close(log->recorder, ending->dropped, &counts, &second);
    if (status == FM_OK)
        status = check_complete(ending, &second);
    if (status == FM_OK) {
        status = written;
        second = first;
    }
    if (log->options.result)
        *log->options.result =
            (fm_log_result){second, .written = counts.written, .dropped = ending->dropped, .lost = counts.lost};
    if (error)
        *error = second;
    return status;
}

static fm_status check_options(const fm_log_options *o, fm_error *error)
{
    if (!(o->chunk >= 0 && o->chunk < 1e9) || !(o->rate >= 0) || (unsigned)o->compression > FM_COMPRESSION_NONE)
        return fm_fail(
            error, FM_ERR_RANGE,
            "a log with chunks of %g s, %g samples a second and compression %d: must be 0 and more, and 0 to %d",
            o->chunk, o->rate, (int)o->compression, FM_COMPRESSION_NONE);
    return FM_OK;
}

/* --- the file --- */

/* The log must not overwrite a file that the run reads. */
static fm_status check_apart(const fm_model *model, const char *path, fm_error *error)
{
    for (size_t i = 0; i < fm_model_file_count(model); i++)
        if (fm_file_same(path, fm_model_file(model, i).path))
            return fm_fail(error, FM_ERR_FILE, "%s would overwrite %s, which the run reads", path,
                           fm_model_file(model, i).path);
    return FM_OK;
}

fm_status fm_log_file_open(const fm_model *model, const char *path, const fm_log_options *o, fm_log_file **out,
                           fm_error *error)
{
    *out = NULL;
    fm_status status = check_options(o, error);
    if (status == FM_OK)
        status = check_apart(model, path, error);
    fm_log_file *file = status == FM_OK ? fm_alloc(sizeof *file) : NULL;
    if (status != FM_OK || !file)
        return status != FM_OK ? status : fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    fm_mcap_options options = {.compression = o->compression, .level = 1, .chunk_time = (uint64_t)(o->chunk * 1e9)};
    status = fm_mcap_create(path, &options, &file->writer, error);
    if (status == FM_OK)
        status = fm_attachments_write(file->writer, model, file->scenario, sizeof file->scenario, error);
    if (status == FM_OK)
        *out = file;
    else
        fm_log_file_free(file);
    return status;
}

void fm_log_file_free(fm_log_file *file)
{
    if (file && file->writer)
        fm_mcap_close(file->writer, NULL);
    fm_free(file);
}

fm_status fm_run_record_into(fm_run *run, fm_log_file *file, const fm_log_options *o, fm_error *error)
{
    run_log *log = fm_alloc(sizeof *log);
    if (!log) {
        fm_log_file_free(file);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    }
    *log = (run_log){.options = *o, .file = file};
    fm_sink_config config = {.rate = o->rate,
                             .delivery = o->delivery,
                             .start = start_log,
                             .message = take_message,
                             .channel = take_channel,
                             .step = step_log,
                             .end = end_log,
                             .release = release_log,
                             .user = log};
    return fm_run_attach(run, &config, NULL, error);
}

fm_status fm_run_record(fm_run *run, const char *path, const fm_log_options *options, fm_error *error)
{
    fm_log_options o;
    fm_log_file *file;
    if (!run || !path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", run ? "path" : "run");
    fm_status status = FM_READ_OPTIONS(&o, options, fm_log_options, error);
    if (status == FM_OK)
        status = fm_log_file_open(fm_world_model(run->world), path, &o, &file, error);
    return status == FM_OK ? fm_run_record_into(run, file, &o, error) : status;
}
