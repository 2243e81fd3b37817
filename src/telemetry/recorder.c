#include "telemetry/recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/schema.h"

struct fm_recorder {
    fm_channels *channels;
    fm_mcap_writer *writer;
    fm_ring *ring;
    uint16_t *ids; /* MCAP channel id by channel number */
    fm_recorder_options options;
    pthread_t thread;
    int running;
    _Atomic uint64_t lost;
};

static void *record(void *context)
{
    fm_recorder *r = context;
    fm_ring_item item;
    fm_error ignored; /* the writer keeps the first failure for its close */
    for (;;) {
        int closed = fm_ring_closed(r->ring); /* before the look: nothing comes after the close */
        if (fm_ring_peek(r->ring, &item)) {
            fm_mcap_write(r->writer, r->ids[item.channel], item.sequence, item.time, item.data, item.size, &ignored);
            fm_ring_pop(r->ring);
            atomic_store_explicit(&r->lost, fm_mcap_lost(r->writer), memory_order_relaxed);
        } else if (closed) {
            return NULL;
        } else {
            fm_ring_wait(r->ring);
        }
    }
}

/* Types are few: a schema is written once, for the first channel that uses it. */
static fm_status add_schemas(fm_recorder *r, uint16_t *schema_ids, fm_error *error)
{
    char name[256];
    for (size_t i = 0; i < fm_channels_count(r->channels); i++) {
        const fm_message *type = fm_channel_at(r->channels, i)->type;
        size_t k = 0;
        while (k < i && fm_channel_at(r->channels, k)->type != type)
            k++;
        schema_ids[i] = schema_ids[k];
        if (k < i)
            continue;
        char *text = fm_schema_text(type);
        if (!text)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for a schema");
        fm_schema_name(type, name, sizeof name);
        fm_status status = fm_mcap_add_schema(r->writer, name, "ros2msg", text, strlen(text), &schema_ids[i], error);
        fm_free(text);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

static fm_status add_channels(fm_recorder *r, fm_error *error)
{
    size_t count = fm_channels_count(r->channels);
    uint16_t *schema_ids = fm_alloc(count * sizeof *schema_ids);
    r->ids = fm_alloc(count * sizeof *r->ids);
    fm_status status = schema_ids && r->ids ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for a recorder");
    if (status == FM_OK)
        status = add_schemas(r, schema_ids, error);
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        const fm_channel *c = fm_channel_at(r->channels, i);
        const fm_mcap_pair pairs[] = {{"description", c->text}, {"latched", "true"}};
        size_t first = c->text[0] ? 0 : 1;
        status = fm_mcap_add_channel(r->writer, schema_ids[i], c->topic, "cdr", pairs + first,
                                     (c->latched ? 2u : 1u) - first, &r->ids[i], error);
    }
    fm_free(schema_ids);
    return status;
}

static void free_recorder(fm_recorder *r)
{
    fm_ring_destroy(r->ring);
    fm_free(r->ids);
    fm_free(r);
}

fm_status fm_recorder_create(const char *path, fm_channels *channels, const fm_recorder_options *options,
                             fm_recorder **recorder, fm_error *error)
{
    fm_recorder *r = fm_alloc(sizeof *r);
    *recorder = NULL;
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a recorder");
    r->channels = channels;
    r->options = *options;
    fm_status status = fm_mcap_create(path, &options->mcap, &r->writer, error);
    if (status == FM_OK)
        status = add_channels(r, error);
    if (status == FM_OK) {
        *recorder = r;
        return FM_OK;
    }
    if (r->writer)
        fm_mcap_close(r->writer, NULL);
    free_recorder(r);
    return status;
}

fm_mcap_writer *fm_recorder_writer(fm_recorder *recorder)
{
    return recorder->writer;
}

fm_status fm_recorder_start(fm_recorder *r, fm_error *error)
{
    double buffer = r->options.buffer > 0 ? r->options.buffer : 2;
    fm_status status = fm_channels_attach(r->channels, buffer, r->options.policy, &r->ring, error);
    if (status != FM_OK)
        return status;
    if (pthread_create(&r->thread, NULL, record, r) != 0) {
        fm_channels_detach(r->channels, r->ring);
        return fm_fail(error, FM_ERR_LIBRARY, "no thread for the recorder");
    }
    r->running = 1;
    return FM_OK;
}

uint64_t fm_recorder_dropped(const fm_recorder *r)
{
    return atomic_load(&((fm_recorder *)(uintptr_t)r)->lost) + (r->ring ? fm_ring_dropped(r->ring) : 0);
}

static void note_counts(fm_recorder *r, const fm_recorder_result *result)
{
    char dropped[24], lost[24];
    fm_error ignored;
    snprintf(dropped, sizeof dropped, "%llu", (unsigned long long)result->dropped);
    snprintf(lost, sizeof lost, "%llu", (unsigned long long)result->lost);
    const fm_mcap_pair pairs[] = {{"dropped", dropped}, {"lost", lost}};
    fm_mcap_metadata(r->writer, "recorder", pairs, 2, &ignored);
}

void fm_recorder_stop(fm_recorder *r)
{
    fm_error ignored;
    if (!r->running)
        return;
    fm_channels_detach(r->channels, r->ring);
    pthread_join(r->thread, NULL);
    r->running = 0;
    fm_mcap_flush(r->writer, &ignored);
}

fm_status fm_recorder_close(fm_recorder *r, fm_recorder_result *result, fm_error *error)
{
    fm_recorder_result counts = {0};
    fm_error ignored;
    fm_recorder_stop(r);
    fm_mcap_flush(r->writer, &ignored);
    counts.dropped = r->ring ? fm_ring_dropped(r->ring) : 0;
    counts.lost = fm_mcap_lost(r->writer);
    counts.written = fm_mcap_written(r->writer);
    note_counts(r, &counts);
    fm_status status = fm_mcap_close(r->writer, error);
    if (status == FM_OK && counts.dropped > 0 && r->options.policy == FM_RING_WAIT)
        status = fm_fail(error, FM_ERR_FULL, "%llu messages did not fit in the recorder's buffer within one step",
                         (unsigned long long)counts.dropped);
    if (result)
        *result = counts;
    free_recorder(r);
    return status;
}
