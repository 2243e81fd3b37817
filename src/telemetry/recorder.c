#include "telemetry/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/offered_qos.h"
#include "telemetry/schema.h"

typedef struct known_schema {
    const fm_message *type;
    uint16_t id;
} known_schema;

/* A channel of the file. */
typedef struct known_channel {
    uint64_t hash; /* of its topic */
    const char *topic;
    const fm_message *type;
    uint16_t id;
} known_channel;

struct fm_recorder {
    fm_mcap_writer *writer;
    uint16_t *ids; /* MCAP channel id by channel number; 0: none */
    size_t id_count;
    known_schema *schemas;
    size_t schema_count, schema_room;
    known_channel *known;
    size_t known_count, known_room;
    fm_arena arena; /* topics */
};

static fm_status out_of_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for a recorder");
}

/* Room for one row more. */
static int make_room(void **rows, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return 1;
    size_t wanted = 2 * *room + 64;
    void *grown = fm_realloc(*rows, wanted * size);
    if (!grown)
        return 0;
    *rows = grown;
    *room = wanted;
    return 1;
}

/* Few types exist: a schema is written once, for the first channel that uses it. */
static fm_status find_schema(fm_recorder *r, const fm_message *type, uint16_t *id, fm_error *error)
{
    char name[256];
    for (size_t i = 0; i < r->schema_count; i++)
        if (r->schemas[i].type == type) {
            *id = r->schemas[i].id;
            return FM_OK;
        }
    void *rows = r->schemas;
    int room = make_room(&rows, r->schema_count, &r->schema_room, sizeof *r->schemas);
    r->schemas = rows;
    char *text = room ? fm_schema_text(type) : NULL;
    if (!text)
        return out_of_memory(error);
    fm_schema_name(type, name, sizeof name);
    fm_status status = fm_mcap_add_schema(r->writer, name, "ros2msg", text, strlen(text), id, error);
    fm_free(text);
    if (status == FM_OK)
        r->schemas[r->schema_count++] = (known_schema){type, *id};
    return status;
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 1099511628211u;
    return hash;
}

static fm_status add_channel(fm_recorder *r, const fm_channel *c, uint16_t *id, fm_error *error)
{
    char qos[FM_OFFERED_QOS];
    const fm_mcap_pair pairs[] = {{"description", c->text}, {"offered_qos_profiles", qos}, {"latched", "true"}};
    size_t first = c->text[0] ? 0 : 1;
    uint16_t schema;
    void *rows = r->known;
    int room = make_room(&rows, r->known_count, &r->known_room, sizeof *r->known);
    r->known = rows;
    const char *topic = room ? fm_arena_text(&r->arena, c->topic) : NULL;
    if (!topic)
        return out_of_memory(error);
    fm_offered_qos_write(c->topic, c->latched, qos);
    fm_status status = find_schema(r, c->type, &schema, error);
    if (status == FM_OK)
        status = fm_mcap_add_channel(r->writer, schema, topic, "cdr", pairs + first, (c->latched ? 3u : 2u) - first, id,
                                     error);
    if (status == FM_OK)
        r->known[r->known_count++] = (known_channel){hash_of(topic), topic, c->type, *id};
    return status;
}

/* The file's channel of this topic and type; added if it does not exist. */
static fm_status find_channel(fm_recorder *r, const fm_channel *c, uint16_t *id, fm_error *error)
{
    uint64_t hash = hash_of(c->topic);
    for (size_t i = 0; i < r->known_count; i++)
        if (r->known[i].hash == hash && r->known[i].type == c->type && strcmp(r->known[i].topic, c->topic) == 0) {
            *id = r->known[i].id;
            return FM_OK;
        }
    return add_channel(r, c, id, error);
}

static int make_ids(fm_recorder *r, size_t count)
{
    if (count <= r->id_count)
        return 1;
    uint16_t *ids = fm_realloc(r->ids, (count + 64) * sizeof *ids);
    if (!ids)
        return 0;
    memset(ids + r->id_count, 0, (count + 64 - r->id_count) * sizeof *ids);
    r->ids = ids;
    r->id_count = count + 64;
    return 1;
}

void fm_recorder_rename(fm_recorder *r, uint32_t channel, const char *topic, const fm_message *type, const char *text)
{
    fm_error ignored; /* the writer counts messages without a channel and keeps the first failure */
    fm_channel c = {.topic = (char *)(uintptr_t)topic, .type = type, .text = text};
    uint16_t id = 0;
    if (topic[0] && find_channel(r, &c, &id, &ignored) != FM_OK)
        id = 0;
    if (make_ids(r, (size_t)channel + 1))
        r->ids[channel] = id;
}

void fm_recorder_take(void *recorder, const fm_ring_item *item)
{
    fm_recorder *r = recorder;
    fm_error ignored; /* the writer reports the first failure when it is closed */
    if (item->news) {
        const fm_channel_news *news = (const void *)item->data;
        fm_recorder_rename(r, item->channel, news->topic, news->type, news->text);
        return;
    }
    uint16_t id = item->channel < r->id_count ? r->ids[item->channel] : 0;
    fm_mcap_write(r->writer, id, item->sequence, item->time, item->data, item->size, &ignored);
}

static fm_status add_channels(fm_recorder *r, const fm_channels *channels, fm_error *error)
{
    size_t count = fm_channels_count(channels);
    fm_status status = make_ids(r, count) ? FM_OK : out_of_memory(error);
    uint16_t schema;
    for (size_t i = 0; i < count && status == FM_OK; i++) /* all schemas come first */
        if (fm_channel_at(channels, i)->topic[0])
            status = find_schema(r, fm_channel_at(channels, i)->type, &schema, error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        if (fm_channel_at(channels, i)->topic[0])
            status = add_channel(r, fm_channel_at(channels, i), &r->ids[i], error);
    return status;
}

static void free_recorder(fm_recorder *r)
{
    fm_free(r->ids);
    fm_free(r->schemas);
    fm_free(r->known);
    fm_arena_free(&r->arena);
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
    r->writer = writer;
    fm_status status = add_channels(r, channels, error);
    if (status == FM_OK) {
        *recorder = r;
        return FM_OK;
    }
    fm_mcap_close(r->writer, NULL);
    free_recorder(r);
    return status;
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
