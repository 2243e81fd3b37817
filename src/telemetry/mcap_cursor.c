/* Iterates over the messages of an MCAP file in order of time. Chunks are read in order of their start times; chunks
 * that overlap are unpacked together and sorted. */
#include <stdlib.h>
#include <string.h>

#include "telemetry/mcap_internal.h"

typedef struct item {
    uint64_t time, chunk, index; /* ns; place of the chunk in the file; number in the batch */
    const uint8_t *body;         /* of the message record */
    size_t size;
} item;

struct fm_mcap_cursor {
    fm_mcap_reader *reader;
    fm_mcap_query query;
    fm_chunk_ref *chunks; /* the wanted ones, in order */
    size_t chunk_count, next_chunk;
    fm_chunk_data *batch; /* currently unpacked; buffers are reused */
    size_t batch_count, batch_room;
    fm_mcap_window packed; /* compressed bytes of the chunk that is unpacked */
    item *items;
    size_t item_count, item_room, at;
};

static int by_start(const void *a, const void *b)
{
    const fm_chunk_ref *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_time(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int wants(const fm_mcap_cursor *c, const fm_chunk_ref *ref)
{
    if (ref->end < c->query.start || (c->query.end > 0 && ref->start > c->query.end))
        return 0;
    if (!c->query.channel || !ref->indexed)
        return 1;
    for (size_t i = 0; i + 10 <= ref->indexed_size; i += 10)
        if (memcmp(ref->indexed + i, &c->query.channel->id, 2) == 0)
            return 1;
    return 0;
}

fm_status fm_mcap_query_open(fm_mcap_reader *reader, const fm_mcap_query *query, fm_mcap_cursor **cursor,
                             fm_error *error)
{
    fm_mcap_cursor *c = fm_alloc(sizeof *c);
    *cursor = c;
    if (!c || !(c->chunks = fm_alloc((reader->chunk_count + 1) * sizeof *c->chunks))) {
        fm_free(c);
        *cursor = NULL;
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", reader->path);
    }
    c->reader = reader;
    c->query = *query;
    for (size_t i = 0; i < reader->chunk_count; i++)
        if (wants(c, &reader->chunks[i]))
            c->chunks[c->chunk_count++] = reader->chunks[i];
    qsort(c->chunks, c->chunk_count, sizeof *c->chunks, by_start);
    return FM_OK;
}

void fm_mcap_query_close(fm_mcap_cursor *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->batch_room; i++)
        fm_chunk_free(&c->batch[i]);
    fm_free(c->batch);
    fm_free(c->packed.buffer);
    fm_free(c->chunks);
    fm_free(c->items);
    fm_free(c);
}

static int add_item(fm_mcap_cursor *c, const item *new_item)
{
    if (c->item_count == c->item_room) {
        size_t room = c->item_room * 2 + 1024;
        item *items = fm_realloc(c->items, room * sizeof *items);
        if (!items)
            return 0;
        c->items = items;
        c->item_room = room;
    }
    c->items[c->item_count++] = *new_item;
    return 1;
}

static fm_status too_much(const fm_mcap_cursor *c, fm_error *error)
{
    return fm_fail(error, FM_ERR_RANGE,
                   "%s: messages of one moment take over 48 MiB and 16 times the file; it is damaged or not sound",
                   c->reader->path);
}

/* `room`: bytes that the list may take. */
static fm_status list_messages(fm_mcap_cursor *c, const fm_chunk_data *chunk, uint64_t offset, uint64_t room,
                               fm_error *error)
{
    uint64_t at = 0;
    uint8_t op;
    fm_byte_view body;
    while (fm_mcap_record_next(chunk->data, chunk->size, &at, &op, &body)) {
        if (op != FM_MCAP_MESSAGE)
            continue;
        fm_byte_view v = body;
        uint16_t id = fm_byte_view_u16(&v);
        fm_byte_view_u32(&v);
        uint64_t time = fm_byte_view_u64(&v);
        fm_byte_view_u64(&v);
        if (v.bad)
            break;
        if (c->reader->channel_at[id] == 0 || (c->query.channel && id != c->query.channel->id) ||
            time < c->query.start || (c->query.end > 0 && time > c->query.end))
            continue;
        if ((c->item_count + 1) * sizeof *c->items > room)
            return too_much(c, error);
        if (!add_item(c, &(item){time, offset, c->item_count, body.data, body.size}))
            return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory for messages", c->reader->path);
    }
    if (at != chunk->size)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: chunk at byte %llu: a record in it is malformed", c->reader->path,
                       (unsigned long long)offset);
    return FM_OK;
}

static fm_chunk_data *next_slot(fm_mcap_cursor *c)
{
    if (c->batch_count == c->batch_room) {
        size_t room = c->batch_room * 2 + 4;
        fm_chunk_data *batch = fm_realloc(c->batch, room * sizeof *batch);
        if (!batch)
            return NULL;
        memset(batch + c->batch_room, 0, (room - c->batch_room) * sizeof *batch);
        c->batch = batch;
        c->batch_room = room;
    }
    return &c->batch[c->batch_count];
}

/* The next chunk, and all chunks that start before the end of those unpacked so far. */
static fm_status load_batch(fm_mcap_cursor *c, fm_error *error)
{
    uint64_t end = 0, bytes = 0;
    const uint64_t budget = fm_mcap_message_budget(c->reader);
    fm_status status = FM_OK;
    c->batch_count = c->item_count = c->at = 0;
    while (status == FM_OK && c->next_chunk < c->chunk_count) {
        const fm_chunk_ref *ref = &c->chunks[c->next_chunk];
        if (c->batch_count > 0 && ref->start >= end)
            break;
        fm_chunk_data *slot = next_slot(c);
        if (!slot)
            return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", c->reader->path);
        c->next_chunk++;
        status = fm_chunk_load(c->reader, ref, slot, &c->packed, error);
        if (status != FM_OK)
            break;
        c->batch_count++;
        bytes += slot->size;
        if (bytes > budget)
            return too_much(c, error);
        status = list_messages(c, slot, ref->offset, budget - bytes, error);
        end = ref->end > end ? ref->end : end;
    }
    for (size_t i = 1; i < c->item_count; i++)
        if (c->items[i].time < c->items[i - 1].time) {
            qsort(c->items, c->item_count, sizeof *c->items, by_time);
            break;
        }
    return status;
}

fm_status fm_mcap_next(fm_mcap_cursor *c, fm_mcap_message *message, fm_error *error)
{
    *message = (fm_mcap_message){0};
    while (c->at == c->item_count) {
        if (c->next_chunk == c->chunk_count)
            return FM_OK;
        fm_status status = load_batch(c, error);
        if (status != FM_OK)
            return status;
    }
    const item *i = &c->items[c->at++];
    memcpy(&message->channel, i->body, 2);
    memcpy(&message->sequence, i->body + 2, 4);
    message->time = i->time;
    memcpy(&message->publish_time, i->body + 14, 8);
    message->data = i->body + 22;
    message->size = i->size - 22;
    return FM_OK;
}
