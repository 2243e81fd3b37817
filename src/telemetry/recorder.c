#include "telemetry/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/schema.h"

struct fm_recorder {
    const fm_channels *channels;
    fm_mcap_writer *writer;
    uint16_t *ids; /* MCAP channel id by channel number */
};

void fm_recorder_take(void *recorder, const fm_ring_item *item)
{
    fm_recorder *r = recorder;
    fm_error ignored; /* the writer keeps the first failure for its close */
    fm_mcap_write(r->writer, r->ids[item->channel], item->sequence, item->time, item->data, item->size, &ignored);
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
    fm_free(r->ids);
    fm_free(r);
}

fm_status fm_recorder_create_on(fm_mcap_writer *writer, const fm_channels *channels, fm_recorder **recorder,
                                fm_error *error)
{
    fm_recorder *r = fm_alloc(sizeof *r);
    *recorder = NULL;
    if (!r) {
        fm_mcap_close(writer, NULL);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a recorder");
    }
    r->channels = channels;
    r->writer = writer;
    fm_status status = add_channels(r, error);
    if (status == FM_OK) {
        *recorder = r;
        return FM_OK;
    }
    fm_mcap_close(r->writer, NULL);
    free_recorder(r);
    return status;
}

fm_status fm_recorder_create(const char *path, const fm_channels *channels, const fm_mcap_options *options,
                             fm_recorder **recorder, fm_error *error)
{
    fm_mcap_writer *writer;
    *recorder = NULL;
    fm_status status = fm_mcap_create(path, options, &writer, error);
    return status == FM_OK ? fm_recorder_create_on(writer, channels, recorder, error) : status;
}

fm_mcap_writer *fm_recorder_writer(fm_recorder *recorder)
{
    return recorder->writer;
}

static void note_counts(fm_recorder *r, uint64_t dropped, uint64_t lost)
{
    char texts[2][24];
    fm_error ignored;
    snprintf(texts[0], sizeof texts[0], "%" PRIu64, dropped);
    snprintf(texts[1], sizeof texts[1], "%" PRIu64, lost);
    const fm_mcap_pair pairs[] = {{"dropped", texts[0]}, {"lost", texts[1]}};
    fm_mcap_metadata(r->writer, "recorder", pairs, 2, &ignored);
}

fm_status fm_recorder_close(fm_recorder *r, uint64_t dropped, fm_recorder_result *result, fm_error *error)
{
    fm_error ignored;
    fm_mcap_flush(r->writer, &ignored);
    fm_recorder_result counts = {.written = fm_mcap_written(r->writer), .lost = fm_mcap_lost(r->writer)};
    note_counts(r, dropped, counts.lost);
    fm_status status = fm_mcap_close(r->writer, error);
    if (result)
        *result = counts;
    free_recorder(r);
    return status;
}
