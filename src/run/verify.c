/* Repeats a run: a sink that compares messages as they come, and a source of the recorded inputs. */
#include "run/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/log_inputs.h"
#include "run/run.h"
#include "telemetry/layout.h"
#include "telemetry/world_channels.h"

typedef struct verifier {
    fm_mcap_reader *reader;
    fm_world *world;
    fm_run *run;
    fm_channels *channels;
    fm_mcap_cursor *cursor;
    fm_mcap_message next; /* of the log; data NULL: at its end */
    const char **topics;  /* of the log, by channel id */
    fm_input *inputs;
    size_t input_count, input_next;
    int gaps;                     /* the log may lack messages */
    int whole;                    /* the log has an end, and with it the last samples of the run */
    int over;                     /* nothing more to compare */
    uint64_t steps;               /* made by the recorded run; a reset extends it */
    const fm_verify_watch *watch; /* NULL: none */
    fm_verify_result *result;
    fm_status status; /* of reading the log */
    fm_error *error;
} verifier;

/* --- inputs of the log --- */

static fm_status give_inputs(verifier *v)
{
    fm_status status = FM_OK;
    while (status == FM_OK && v->input_next < v->input_count &&
           v->inputs[v->input_next].tick <= fm_world_steps(v->world)) {
        status = fm_world_input(v->world, &v->inputs[v->input_next++], v->error);
        v->result->inputs++;
    }
    return status;
}

/* --- comparing --- */

static void write_cell(const fm_cell *cell, char *text, size_t size)
{
    uint64_t bits;
    switch (cell->kind) {
    case FM_CELL_EMPTY: snprintf(text, size, "nothing"); break;
    case FM_CELL_REAL:
        memcpy(&bits, &cell->value.real, sizeof bits);
        snprintf(text, size, "%.17g (%016" PRIx64 ")", cell->value.real, bits);
        break;
    case FM_CELL_INT: snprintf(text, size, "%" PRId64, cell->value.integer); break;
    case FM_CELL_UINT: snprintf(text, size, "%" PRIu64, cell->value.natural); break;
    case FM_CELL_TEXT:
        snprintf(text, size, "'%.*s'", (int)(cell->value.text.length < 40 ? cell->value.text.length : 40),
                 cell->value.text.start);
        break;
    }
}

static void find_cell(verifier *v, const fm_layout *layout, fm_cell *rows, const fm_sink_message *item)
{
    fm_error ignored;
    if (fm_layout_read(layout, v->next.data, v->next.size, rows, &ignored) != FM_OK ||
        fm_layout_read(layout, item->data, item->size, rows + layout->count, &ignored) != FM_OK)
        return;
    for (size_t i = 0; i < layout->count; i++)
        if (!fm_cell_same(&rows[i], &rows[layout->count + i])) {
            snprintf(v->result->field, sizeof v->result->field, "%s", layout->columns[i].path);
            write_cell(&rows[i], v->result->recorded, sizeof v->result->recorded);
            write_cell(&rows[layout->count + i], v->result->now, sizeof v->result->now);
            return;
        }
}

/* The field in which two messages differ. */
static void name_difference(verifier *v, const fm_sink_message *item)
{
    fm_error ignored;
    fm_layout layout;
    const fm_channel *channel = fm_channel_at(v->channels, item->channel);
    v->result->same = 0;
    v->result->tick = fm_world_tick(v->world);
    snprintf(v->result->topic, sizeof v->result->topic, "%s", channel->topic);
    snprintf(v->result->field, sizeof v->result->field, "size");
    snprintf(v->result->recorded, sizeof v->result->recorded, "%zu bytes", v->next.size);
    snprintf(v->result->now, sizeof v->result->now, "%zu bytes", item->size);
    if (fm_layout_init(&layout, channel->type, &ignored) != FM_OK)
        return;
    int ok = fm_layout_measure(&layout, v->next.data, v->next.size, &ignored) == FM_OK &&
             fm_layout_measure(&layout, item->data, item->size, &ignored) == FM_OK &&
             fm_layout_finish(&layout, 100000, &ignored) == FM_OK;
    fm_cell *rows = ok ? fm_alloc(2 * (layout.count + 1) * sizeof *rows) : NULL;
    if (rows)
        find_cell(v, &layout, rows, item);
    fm_free(rows);
    fm_layout_free(&layout);
}

static void note_order(verifier *v, const char *topic, const char *recorded, const char *now)
{
    v->result->same = 0;
    v->result->tick = fm_world_tick(v->world);
    snprintf(v->result->topic, sizeof v->result->topic, "%s", topic);
    snprintf(v->result->field, sizeof v->result->field, "message");
    snprintf(v->result->recorded, sizeof v->result->recorded, "%.60s", recorded);
    snprintf(v->result->now, sizeof v->result->now, "%.60s", now);
}

/* Telemetry of real vehicles (telemetry/overlay.h) is not part of the run: it is skipped. */
static fm_status advance(verifier *v)
{
    fm_status status = fm_mcap_next(v->cursor, &v->next, v->error);
    while (status == FM_OK && v->next.data &&
           strncmp(v->topics[v->next.channel], FM_OVERLAY_PREFIX, strlen(FM_OVERLAY_PREFIX)) == 0)
        status = fm_mcap_next(v->cursor, &v->next, v->error);
    return status;
}

/* One message of the repeated run. */
static fm_status compare_message(verifier *v, const fm_sink_message *item)
{
    const char *topic = fm_channel_at(v->channels, item->channel)->topic;
    const char *recorded = v->next.data ? v->topics[v->next.channel] : NULL;
    int aligned =
        recorded && strcmp(recorded, topic) == 0 && v->next.sequence == item->sequence && v->next.time == item->time;
    if (!aligned) {
        v->result->missing++;
        if (!v->gaps)
            note_order(v, topic, recorded ? recorded : "the end of the log", topic);
        return FM_OK;
    }
    v->result->compared++;
    if (v->next.size != item->size || memcmp(v->next.data, item->data, item->size) != 0) {
        name_difference(v, item);
        return FM_OK;
    }
    return advance(v);
}

static void take_message(void *user, const fm_sink_message *item)
{
    verifier *v = user;
    if (v->status == FM_OK && v->result->same && !v->over)
        v->status = compare_message(v, item);
}

/* --- the run --- */

/* When the recorded run ended, or should have ended, s. */
static double end_of(const verifier *v)
{
    const char *ticks = fm_mcap_get_metadata(v->reader, "result", "ticks");
    const char *duration = fm_mcap_get_metadata(v->reader, "run", "duration");
    if (ticks)
        return (double)strtoull(ticks, NULL, 10) * fm_model_dt(fm_world_model(v->world));
    double seconds = duration ? strtod(duration, NULL) : fm_model_duration(fm_world_model(v->world));
    return seconds >= 0 ? seconds : 0;
}

static fm_status start_compare(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    verifier *v = user;
    v->channels = fm_sink_channels(sink);
    return FM_OK;
}

/* Inputs for the next step, while there are messages to compare. */
static fm_status next_step(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    verifier *v = user;
    if (v->watch)
        v->watch->tick(v->watch->user, v->world);
    if (v->status == FM_OK && v->result->same && v->next.data)
        v->status = give_inputs(v);
    if (v->status != FM_OK || !v->result->same || !v->next.data || fm_world_steps(v->world) >= v->steps)
        fm_run_stop(fm_sink_run(sink));
    return FM_OK;
}

static fm_status run(verifier *v)
{
    fm_error stopped = {0};
    if (fm_run_go(v->run, NULL, &stopped) != FM_OK && v->result->same)
        note_order(v, "world", "a run that goes on", stopped.text);
    v->result->time = fm_world_time(v->world);
    v->over = !v->whole;
    fm_run_finish(v->run, NULL);
    if (v->status == FM_OK && v->result->same && v->next.data)
        note_order(v, v->topics[v->next.channel], "further messages", "the end of the run");
    return v->status;
}

static int may_have_gaps(const fm_mcap_reader *reader)
{
    const char *dropped = fm_mcap_get_metadata(reader, "recorder", "dropped"),
               *lost = fm_mcap_get_metadata(reader, "recorder", "lost");
    return fm_mcap_get_info(reader)->recovered || !dropped || strcmp(dropped, "0") != 0 || !lost ||
           strcmp(lost, "0") != 0;
}

static fm_status attach(verifier *v)
{
    const char *rate = fm_mcap_get_metadata(v->reader, "run", "log_rate");
    fm_sink_config sink = {.rate = rate ? strtod(rate, NULL) : 0,
                           .delivery = FM_SINK_DIRECT,
                           .start = start_compare,
                           .step = next_step,
                           .message = take_message,
                           .user = v};
    v->run = fm_run_create_on(v->world, NULL, v->error);
    fm_status status = v->run ? fm_run_set_end(v->run, end_of(v), v->error) : FM_ERR_MEMORY;
    return status == FM_OK ? fm_run_attach(v->run, &sink, NULL, v->error) : status;
}

static fm_status prepare(verifier *v)
{
    v->topics = fm_alloc(65536 * sizeof *v->topics);
    if (!v->topics)
        return fm_fail(v->error, FM_ERR_MEMORY, "out of memory for the comparison");
    for (size_t i = 0; i < fm_mcap_channel_count(v->reader); i++)
        v->topics[fm_mcap_channel_at(v->reader, i)->id] = fm_mcap_channel_at(v->reader, i)->topic;
    fm_status status = fm_log_inputs_read(v->reader, &v->inputs, &v->input_count, v->error);
    if (status == FM_OK)
        status = fm_mcap_query_open(v->reader, &(fm_mcap_query){0}, &v->cursor, v->error);
    if (status == FM_OK)
        status = advance(v);
    return status == FM_OK ? attach(v) : status;
}

fm_status fm_log_repeat(fm_mcap_reader *reader, fm_world *world, const fm_verify_watch *watch, fm_verify_result *result,
                        fm_error *error)
{
    verifier v = {.reader = reader,
                  .world = world,
                  .watch = watch,
                  .gaps = may_have_gaps(reader),
                  .whole = fm_mcap_get_metadata(reader, "result", "ticks") != NULL,
                  .result = result,
                  .error = error};
    const char *ticks = fm_mcap_get_metadata(reader, "result", "ticks");
    v.steps = ticks ? strtoull(ticks, NULL, 10) : UINT64_MAX;
    *result = (fm_verify_result){.same = 1};
    fm_status status = prepare(&v);
    if (status == FM_OK)
        status = run(&v);
    fm_run_free(v.run);
    fm_mcap_query_close(v.cursor);
    fm_free(v.topics);
    fm_free(v.inputs);
    return status;
}
