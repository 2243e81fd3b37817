/* Reads an MCAP file without a valid summary (killed program, full disk) from its start. */
#include <stdio.h>
#include <string.h>

#include "telemetry/mcap_internal.h"

enum { RUN_MOST = 1 << 20 }; /* bytes of messages outside of chunks read in one call */

typedef struct scan {
    fm_chunk_data chunk;
    fm_mcap_window packed;
    size_t bad_chunks, bad_records;
    fm_error first_bad;
} scan;

static void count_message(fm_mcap_reader *r, const fm_byte_view *body, fm_chunk_ref *ref)
{
    fm_byte_view v = *body;
    uint16_t id = fm_byte_view_u16(&v);
    fm_byte_view_u32(&v);
    uint64_t time = fm_byte_view_u64(&v);
    if (v.bad || r->channel_at[id] == 0)
        return;
    r->channels[r->channel_at[id] - 1].messages++;
    r->info.start = r->info.messages == 0 || time < r->info.start ? time : r->info.start;
    r->info.end = time > r->info.end ? time : r->info.end;
    r->info.messages++;
    ref->start = time < ref->start ? time : ref->start;
    ref->end = time > ref->end ? time : ref->end;
}

/* The records within a chunk: schemas, channels, messages. */
static void scan_chunk(fm_mcap_reader *r, scan *s, uint64_t offset, uint64_t size)
{
    fm_chunk_ref ref = {.start = UINT64_MAX, .offset = offset, .size = size};
    fm_error error = {0};
    if (fm_chunk_load(r, &ref, &s->chunk, &s->packed, &error) != FM_OK) {
        r->starved |= error.status == FM_ERR_MEMORY;
        if (s->bad_chunks++ == 0)
            s->first_bad = error;
        return;
    }
    uint8_t op;
    fm_byte_view body;
    for (uint64_t at = 0; fm_mcap_record_next(s->chunk.data, s->chunk.size, &at, &op, &body);) {
        if (op == FM_MCAP_MESSAGE)
            count_message(r, &body, &ref);
        else if ((op == FM_MCAP_SCHEMA && !fm_mcap_keep_schema(r, &body)) ||
                 (op == FM_MCAP_CHANNEL && !fm_mcap_keep_channel(r, &body)))
            s->bad_records++;
    }
    if (r->chunk_count == 0)
        r->info.compression = s->chunk.compression;
    r->info.chunk_packed += s->chunk.packed;
    r->info.chunk_bytes += s->chunk.size;
    fm_mcap_keep_chunk(r, &ref);
}

/* Consecutive messages outside of chunks form one run. */
static int scan_message(fm_mcap_reader *r, uint64_t offset, uint64_t length)
{
    const uint8_t *bytes;
    size_t known = length < 22 ? (size_t)length : 22;
    fm_chunk_ref *last = r->chunk_count > 0 ? &r->chunks[r->chunk_count - 1] : NULL;
    if (fm_mcap_fetch(r, offset + FM_MCAP_RECORD_HEAD, known, &r->window, &bytes, NULL) != FM_OK)
        return 0;
    if (!last || !last->bare || last->offset + last->size != offset || last->size >= RUN_MOST) {
        fm_chunk_ref ref = {.start = UINT64_MAX, .offset = offset, .bare = 1};
        if (!fm_mcap_keep_chunk(r, &ref))
            return 0;
        last = &r->chunks[r->chunk_count - 1];
    }
    last->size += FM_MCAP_RECORD_HEAD + length;
    count_message(r, &(fm_byte_view){bytes, known, 0, 0}, last);
    return 1;
}

/* Schemas, channels and metadata, read as a whole. */
static int scan_whole(fm_mcap_reader *r, uint8_t op, uint64_t offset)
{
    fm_byte_view body;
    if (!fm_mcap_record_read(r, &offset, &op, &body))
        return 0;
    switch (op) {
    case FM_MCAP_SCHEMA: return fm_mcap_keep_schema(r, &body);
    case FM_MCAP_CHANNEL: return fm_mcap_keep_channel(r, &body);
    default: return fm_mcap_keep_metadata(r, &body);
    }
}

static void scan_record(fm_mcap_reader *r, scan *s, uint8_t op, uint64_t offset, uint64_t length)
{
    int good = 1;
    switch (op) {
    case FM_MCAP_SCHEMA:
    case FM_MCAP_CHANNEL:
    case FM_MCAP_METADATA: good = scan_whole(r, op, offset); break;
    case FM_MCAP_ATTACHMENT: good = fm_mcap_keep_attachment(r, offset + FM_MCAP_RECORD_HEAD, length); break;
    case FM_MCAP_CHUNK: scan_chunk(r, s, offset, FM_MCAP_RECORD_HEAD + length); break;
    case FM_MCAP_MESSAGE: good = scan_message(r, offset, length); break;
    default: break;
    }
    s->bad_records += good ? 0 : 1;
}

static fm_status warn(fm_mcap_reader *r, const scan *s, const char *reason, uint64_t end, fm_error *error)
{
    int length = snprintf(NULL, 0, "%s%s", reason, s->first_bad.text) + 400;
    char *warning = fm_arena_alloc(&r->arena, (size_t)length);
    if (!warning)
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", r->path);
    int used = snprintf(warning, (size_t)length, "%s; recovered %zu chunks up to byte %llu of %llu", reason,
                        r->chunk_count, (unsigned long long)end, (unsigned long long)r->size);
    if (s->bad_chunks > 0)
        used += snprintf(warning + used, (size_t)(length - used), "; left out %zu bad chunks (%s)", s->bad_chunks,
                         s->first_bad.text);
    if (s->bad_records > 0)
        snprintf(warning + used, (size_t)(length - used), "; left out %zu malformed records", s->bad_records);
    r->info.recovered = 1;
    r->info.warning = warning;
    return FM_OK;
}

fm_status fm_mcap_recover(fm_mcap_reader *r, const char *reason, fm_error *error)
{
    scan s = {0};
    uint64_t at = FM_MCAP_MAGIC_SIZE, length;
    uint8_t op = 0;
    fm_mcap_forget(r);
    fm_status status = fm_mcap_read_head(r, error);
    while (status == FM_OK && !r->crowded && op != FM_MCAP_DATA_END && op != FM_MCAP_FOOTER &&
           fm_mcap_record_head(r, at, r->size, &op, &length)) {
        scan_record(r, &s, op, at, length);
        at += FM_MCAP_RECORD_HEAD + length;
    }
    fm_chunk_free(&s.chunk);
    fm_free(s.packed.buffer);
    if (status == FM_OK && r->crowded)
        return fm_fail(error, FM_ERR_RANGE, "%s: " FM_MCAP_INDEX_TOO_MUCH "; it is damaged or not sound", r->path);
    return status == FM_OK ? warn(r, &s, reason, at, error) : status;
}
