#include "telemetry/mcap_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "telemetry/mcap_internal.h"
#include "telemetry/schema.h"

static fm_status no_memory(const fm_mcap_reader *r, fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", r->path);
}

/* Room for one more item behind `count`; NULL when out of memory. */
static void *grow(void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return items;
    size_t wanted = *room * 2 + 8;
    void *grown = fm_realloc(items, wanted * size);
    if (grown)
        *room = wanted;
    return grown;
}

/* Memory that was asked for; where there is none, that is remembered and not taken for damage. */
static void *need(fm_mcap_reader *r, void *memory)
{
    r->starved |= !memory;
    return memory;
}

#define GROW(r, list, room, count) need((r), grow((r)->list, &(r)->room, (r)->count, sizeof *(r)->list))

enum { TEXT_MOST = 64 << 20 }; /* bytes of a text; longer ones are refused */

/* A terminated copy of a string field. */
static const char *take_text(fm_mcap_reader *r, fm_byte_view *view)
{
    uint32_t length = fm_byte_view_u32(view);
    const uint8_t *from = length <= TEXT_MOST ? fm_byte_view_take(view, length) : NULL;
    char *text = from ? need(r, fm_arena_alloc(&r->arena, (size_t)length + 1)) : NULL;
    if (text)
        memcpy(text, from, length);
    else
        view->bad = 1;
    return text ? text : "";
}

static const fm_mcap_pair *take_pairs(fm_mcap_reader *r, fm_byte_view *view, size_t *count)
{
    uint32_t size = fm_byte_view_u32(view);
    const uint8_t *from = size <= TEXT_MOST ? fm_byte_view_take(view, size) : NULL;
    fm_byte_view map = {from, from ? size : 0, 0, from == NULL};
    fm_mcap_pair *pairs = from ? need(r, fm_arena_alloc(&r->arena, (size / 8 + 1) * sizeof *pairs)) : NULL;
    *count = 0;
    while (pairs && map.at < map.size && !map.bad) {
        fm_mcap_pair pair = {take_text(r, &map), take_text(r, &map)};
        if (!map.bad)
            pairs[(*count)++] = pair;
    }
    view->bad |= map.bad || !pairs;
    return pairs;
}

/* --- records -------------------------------------------------------------------------------------------------------
 */
/* Each takes a body and adds what it says to the reader; 0 when it is malformed (or memory is out). */

static int add_schema(fm_mcap_reader *r, fm_byte_view *v)
{
    uint16_t id = fm_byte_view_u16(v);
    if (id != 0 && r->schema_at[id] != 0)
        return !v->bad;
    fm_mcap_schema s = {.id = id, .name = take_text(r, v), .encoding = take_text(r, v)};
    s.size = fm_byte_view_u32(v);
    const uint8_t *from = s.size <= TEXT_MOST ? fm_byte_view_take(v, s.size) : NULL;
    char *text = from ? need(r, fm_arena_alloc(&r->arena, s.size + 1)) : NULL;
    fm_mcap_schema *list = GROW(r, schemas, schema_room, schema_count);
    if (list)
        r->schemas = list;
    if (v->bad || id == 0 || !text || !list || r->schema_count >= 65535)
        return 0;
    memcpy(text, from, s.size);
    s.data = text;
    list[r->schema_count++] = s;
    r->schema_at[id] = (uint16_t)r->schema_count;
    return 1;
}

static int add_channel(fm_mcap_reader *r, fm_byte_view *v)
{
    uint16_t id = fm_byte_view_u16(v), schema = fm_byte_view_u16(v);
    if (r->channel_at[id] != 0)
        return !v->bad;
    fm_mcap_channel c = {.id = id, .topic = take_text(r, v), .encoding = take_text(r, v)};
    c.metadata = take_pairs(r, v, &c.metadata_count);
    fm_mcap_channel *list = GROW(r, channels, channel_room, channel_count);
    uint16_t *ids = GROW(r, channel_schema, channel_schema_room, channel_count);
    if (list)
        r->channels = list;
    if (ids)
        r->channel_schema = ids;
    if (v->bad || !list || !ids || r->channel_count >= 65535)
        return 0;
    ids[r->channel_count] = schema;
    list[r->channel_count++] = c;
    r->channel_at[id] = (uint16_t)r->channel_count;
    return 1;
}

static int add_chunk(fm_mcap_reader *r, const fm_chunk_ref *ref)
{
    fm_chunk_ref *list = GROW(r, chunks, chunk_room, chunk_count);
    if (!list)
        return 0;
    r->chunks = list;
    list[r->chunk_count++] = *ref;
    return 1;
}

static int add_chunk_index(fm_mcap_reader *r, fm_byte_view *v)
{
    fm_chunk_ref ref = {.start = fm_byte_view_u64(v)};
    ref.end = fm_byte_view_u64(v);
    ref.offset = fm_byte_view_u64(v);
    ref.size = fm_byte_view_u64(v);
    ref.indexed_size = fm_byte_view_u32(v);
    ref.indexed = fm_byte_view_take(v, ref.indexed_size);
    fm_byte_view_u64(v); /* bytes of the message indexes */
    const char *compression = take_text(r, v);
    uint64_t packed = fm_byte_view_u64(v), size = fm_byte_view_u64(v);
    if (v->bad || ref.offset > r->size || ref.size > r->size - ref.offset || ref.indexed_size % 10 != 0)
        return 0;
    if (ref.indexed_size == 0) /* a writer without message indexes: the chunk may hold any channel */
        ref.indexed = NULL;
    if (r->chunk_count == 0)
        r->info.compression = compression;
    r->info.chunk_packed += packed;
    r->info.chunk_bytes += size;
    return add_chunk(r, &ref);
}

static int add_metadata(fm_mcap_reader *r, fm_byte_view *v)
{
    fm_mcap_record m = {.name = take_text(r, v), .media_type = ""};
    m.pairs = take_pairs(r, v, &m.pair_count);
    fm_mcap_record *list = GROW(r, metadata, metadata_room, metadata_count);
    if (list)
        r->metadata = list;
    if (v->bad || !list)
        return 0;
    list[r->metadata_count++] = m;
    return 1;
}

static int add_attachment(fm_mcap_reader *r, fm_byte_view *v)
{
    fm_byte_view_take(v, 16); /* log and creation time */
    fm_mcap_record a = {.name = take_text(r, v), .media_type = take_text(r, v)};
    uint64_t size = fm_byte_view_u64(v);
    a.data = fm_byte_view_take(v, size);
    a.size = (size_t)size;
    size_t covered = v->at;
    uint32_t crc = fm_byte_view_u32(v);
    fm_mcap_record *list = GROW(r, attachments, attachment_room, attachment_count);
    if (list)
        r->attachments = list;
    if (v->bad || !list)
        return 0;
    a.crc_fails = crc != 0 && crc32_z(0, v->data, covered) != crc;
    list[r->attachment_count++] = a;
    return 1;
}

static int add_statistics(fm_mcap_reader *r, fm_byte_view *v)
{
    r->info.messages = fm_byte_view_u64(v);
    fm_byte_view_take(v, 2 + 4 + 4 + 4 + 4);
    r->info.start = fm_byte_view_u64(v);
    r->info.end = fm_byte_view_u64(v);
    uint32_t size = fm_byte_view_u32(v);
    const uint8_t *from = fm_byte_view_take(v, size);
    fm_byte_view map = {from, from ? size : 0, 0, 0};
    while (map.at < map.size && !map.bad) {
        uint16_t id = fm_byte_view_u16(&map);
        uint64_t count = fm_byte_view_u64(&map);
        if (!map.bad && r->channel_at[id] != 0)
            r->channels[r->channel_at[id] - 1].messages = count;
    }
    return !v->bad && !map.bad;
}

/* An index record of the summary points to a record of the data section. */
static int follow_index(fm_mcap_reader *r, fm_byte_view *v, fm_mcap_op wanted)
{
    uint64_t at = fm_byte_view_u64(v);
    uint8_t op;
    fm_byte_view body;
    if (v->bad || !fm_mcap_record_next(r->data, r->size, &at, &op, &body) || op != wanted)
        return 0;
    return wanted == FM_MCAP_METADATA ? add_metadata(r, &body) : add_attachment(r, &body);
}

/* --- the summary ---------------------------------------------------------------------------------------------------
 */

static int add_summary_record(fm_mcap_reader *r, uint8_t op, fm_byte_view *body)
{
    switch (op) {
    case FM_MCAP_SCHEMA: return add_schema(r, body);
    case FM_MCAP_CHANNEL: return add_channel(r, body);
    case FM_MCAP_CHUNK_INDEX: return add_chunk_index(r, body);
    case FM_MCAP_STATISTICS: return add_statistics(r, body);
    case FM_MCAP_METADATA_INDEX: return follow_index(r, body, FM_MCAP_METADATA);
    case FM_MCAP_ATTACHMENT_INDEX: return follow_index(r, body, FM_MCAP_ATTACHMENT);
    default: return 1;
    }
}

enum { TAIL = FM_MCAP_RECORD_HEAD + 20 + FM_MCAP_MAGIC_SIZE };

/* The reason why the summary is of no use, or NULL after it was read. */
static const char *read_summary(fm_mcap_reader *r)
{
    if (r->size < FM_MCAP_MAGIC_SIZE + TAIL ||
        memcmp(r->data + r->size - FM_MCAP_MAGIC_SIZE, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE) != 0)
        return "the file does not end with the MCAP mark";
    uint64_t footer = r->size - TAIL, at = footer;
    uint8_t op;
    fm_byte_view body;
    if (!fm_mcap_record_next(r->data, r->size, &at, &op, &body) || op != FM_MCAP_FOOTER || body.size != 20)
        return "the file has no footer";
    uint64_t start = fm_byte_view_u64(&body);
    fm_byte_view_u64(&body);
    uint32_t crc = fm_byte_view_u32(&body);
    if (start == 0)
        return "the file has no summary";
    if (start > footer || start < FM_MCAP_MAGIC_SIZE + 2 * FM_MCAP_RECORD_HEAD)
        return "the summary lies outside of the file";
    if (crc != 0 && crc32_z(0, r->data + start, footer - start + FM_MCAP_RECORD_HEAD + 16) != crc)
        return "the CRC of the summary does not fit its bytes";
    for (at = start; at < footer;)
        if (!fm_mcap_record_next(r->data, footer, &at, &op, &body) || !add_summary_record(r, op, &body))
            return "a record of the summary is malformed";
    r->data_end = at = start - (FM_MCAP_RECORD_HEAD + 4);
    if (!fm_mcap_record_next(r->data, (size_t)start, &at, &op, &body) || op != FM_MCAP_DATA_END || at != start)
        return "there is no end of the data before the summary";
    r->data_crc = fm_byte_view_u32(&body);
    return r->chunk_count == 0 && r->info.messages > 0 ? "the summary has no chunks" : NULL;
}

/* --- recovery: the file from its start -----------------------------------------------------------------------------
 */

typedef struct scan {
    fm_chunk_data chunk;
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
    if (fm_chunk_load(r, &ref, &s->chunk, &error) != FM_OK) {
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
        else if ((op == FM_MCAP_SCHEMA && !add_schema(r, &body)) || (op == FM_MCAP_CHANNEL && !add_channel(r, &body)))
            s->bad_records++;
    }
    if (r->chunk_count == 0)
        r->info.compression = s->chunk.compression;
    r->info.chunk_packed += s->chunk.packed;
    r->info.chunk_bytes += s->chunk.size;
    add_chunk(r, &ref);
}

/* Messages outside of chunks that follow each other make one run. */
static void scan_message(fm_mcap_reader *r, const fm_byte_view *body, uint64_t offset, uint64_t size)
{
    fm_chunk_ref *last = r->chunk_count > 0 ? &r->chunks[r->chunk_count - 1] : NULL;
    if (!last || !last->bare || last->offset + last->size != offset) {
        fm_chunk_ref ref = {.start = UINT64_MAX, .offset = offset, .bare = 1};
        if (!add_chunk(r, &ref))
            return;
        last = &r->chunks[r->chunk_count - 1];
    }
    last->size += size;
    count_message(r, body, last);
}

static void scan_record(fm_mcap_reader *r, scan *s, uint8_t op, fm_byte_view *body, uint64_t offset, uint64_t size)
{
    int good = 1;
    switch (op) {
    case FM_MCAP_SCHEMA: good = add_schema(r, body); break;
    case FM_MCAP_CHANNEL: good = add_channel(r, body); break;
    case FM_MCAP_METADATA: good = add_metadata(r, body); break;
    case FM_MCAP_ATTACHMENT: good = add_attachment(r, body); break;
    case FM_MCAP_CHUNK: scan_chunk(r, s, offset, size); break;
    case FM_MCAP_MESSAGE: scan_message(r, body, offset, size); break;
    default: break;
    }
    s->bad_records += good ? 0 : 1;
}

static void forget(fm_mcap_reader *r)
{
    memset(r->schema_at, 0, sizeof r->schema_at);
    memset(r->channel_at, 0, sizeof r->channel_at);
    r->schema_count = r->channel_count = r->chunk_count = r->metadata_count = r->attachment_count = 0;
    r->info.messages = r->info.start = r->info.end = r->info.chunk_bytes = r->info.chunk_packed = 0;
    r->info.compression = "";
    r->data_end = 0;
}

static fm_status recover(fm_mcap_reader *r, const char *reason, fm_error *error)
{
    scan s = {0};
    uint64_t at = FM_MCAP_MAGIC_SIZE, offset = at;
    uint8_t op = 0;
    fm_byte_view body;
    forget(r);
    while (op != FM_MCAP_DATA_END && op != FM_MCAP_FOOTER && fm_mcap_record_next(r->data, r->size, &at, &op, &body)) {
        scan_record(r, &s, op, &body, offset, at - offset);
        offset = at;
    }
    fm_free(s.chunk.buffer);
    int length = snprintf(NULL, 0, "%s", s.first_bad.text) + 400;
    char *warning = fm_arena_alloc(&r->arena, (size_t)length);
    if (!warning)
        return no_memory(r, error);
    int used = snprintf(warning, (size_t)length, "%s; recovered %zu chunks up to byte %llu of %zu", reason,
                        r->chunk_count, (unsigned long long)offset, r->size);
    if (s.bad_chunks > 0)
        used += snprintf(warning + used, (size_t)(length - used), "; left out %zu bad chunks (%s)", s.bad_chunks,
                         s.first_bad.text);
    if (s.bad_records > 0)
        snprintf(warning + used, (size_t)(length - used), "; left out %zu malformed records", s.bad_records);
    r->info.recovered = 1;
    r->info.warning = warning;
    return FM_OK;
}

/* --- opening -------------------------------------------------------------------------------------------------------
 */

static fm_status read_head(fm_mcap_reader *r, fm_error *error)
{
    uint64_t at = FM_MCAP_MAGIC_SIZE;
    uint8_t op;
    fm_byte_view body;
    if (r->size < FM_MCAP_MAGIC_SIZE || memcmp(r->data, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE) != 0)
        return fm_fail(error, FM_ERR_SYNTAX, "%s is not an MCAP file (%zu bytes)", r->path, r->size);
    if (!fm_mcap_record_next(r->data, r->size, &at, &op, &body) || op != FM_MCAP_HEADER)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: the MCAP file has no header", r->path);
    r->info.profile = take_text(r, &body);
    r->info.library = take_text(r, &body);
    if (r->starved)
        return no_memory(r, error);
    return body.bad ? fm_fail(error, FM_ERR_SYNTAX, "%s: the MCAP header is malformed", r->path) : FM_OK;
}

static fm_status read_file(fm_mcap_reader *r, fm_error *error)
{
    r->info.file_size = r->size;
    r->info.warning = r->info.compression = "";
    fm_status status = read_head(r, error);
    if (status != FM_OK)
        return status;
    const char *reason = read_summary(r);
    if (reason && !r->starved)
        status = recover(r, reason, error);
    if (r->starved)
        return no_memory(r, error);
    r->info.chunk_count = r->chunk_count;
    for (size_t i = 0; i < r->channel_count; i++) {
        uint16_t at = r->schema_at[r->channel_schema[i]];
        r->channels[i].schema = at != 0 ? &r->schemas[at - 1] : NULL;
    }
    r->types = fm_arena_alloc(&r->arena, (r->channel_count + 1) * sizeof *r->types);
    return status == FM_OK && !r->types ? no_memory(r, error) : status;
}

static fm_status finish_open(fm_mcap_reader *r, fm_mcap_reader **reader, fm_error *error)
{
    fm_status status = read_file(r, error);
    if (status != FM_OK)
        fm_mcap_reader_close(r);
    else
        *reader = r;
    return status;
}

fm_status fm_mcap_open_memory(const void *data, size_t size, fm_mcap_reader **reader, fm_error *error)
{
    fm_mcap_reader *r = fm_alloc(sizeof *r);
    *reader = NULL;
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    strcpy(r->path, "log in memory");
    r->data = data;
    r->size = size;
    return finish_open(r, reader, error);
}

static fm_status map_file(fm_mcap_reader *r, const char *path, fm_error *error)
{
    struct stat stat;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
    fm_status status = FM_OK;
    if (fstat(file, &stat) != 0 || !S_ISREG(stat.st_mode)) {
        status = fm_fail(error, FM_ERR_FILE, "%s is not a regular file", path);
    } else if (stat.st_size > 0) {
        void *data = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED) {
            status = fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
        } else {
            r->data = data;
            r->size = (size_t)stat.st_size;
            r->mapped = 1;
            r->device = stat.st_dev;
            r->inode = stat.st_ino;
        }
    }
    close(file);
    return status;
}

fm_status fm_mcap_open(const char *path, fm_mcap_reader **reader, fm_error *error)
{
    fm_mcap_reader *r = fm_alloc(sizeof *r);
    *reader = NULL;
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    strncat(r->path, path, sizeof r->path - 1);
    fm_status status = map_file(r, path, error);
    if (status != FM_OK) {
        fm_mcap_reader_close(r);
        return status;
    }
    return finish_open(r, reader, error);
}

void fm_mcap_reader_close(fm_mcap_reader *r)
{
    if (!r)
        return;
    if (r->mapped)
        munmap((void *)(uintptr_t)r->data, r->size);
    fm_free(r->schemas);
    fm_free(r->channels);
    fm_free(r->channel_schema);
    fm_free(r->chunks);
    fm_free(r->metadata);
    fm_free(r->attachments);
    fm_arena_free(&r->arena);
    fm_free(r);
}

/* --- asking --------------------------------------------------------------------------------------------------------
 */

int fm_mcap_reads(const fm_mcap_reader *r, const char *path)
{
    struct stat found;
    return r->mapped && stat(path, &found) == 0 && found.st_dev == r->device && found.st_ino == r->inode;
}

const fm_mcap_info *fm_mcap_get_info(const fm_mcap_reader *r)
{
    return &r->info;
}
size_t fm_mcap_channel_count(const fm_mcap_reader *r)
{
    return r->channel_count;
}
const fm_mcap_channel *fm_mcap_channel_at(const fm_mcap_reader *r, size_t index)
{
    return &r->channels[index];
}
size_t fm_mcap_schema_count(const fm_mcap_reader *r)
{
    return r->schema_count;
}
size_t fm_mcap_metadata_count(const fm_mcap_reader *r)
{
    return r->metadata_count;
}
const fm_mcap_record *fm_mcap_metadata_at(const fm_mcap_reader *r, size_t index)
{
    return &r->metadata[index];
}
size_t fm_mcap_attachment_count(const fm_mcap_reader *r)
{
    return r->attachment_count;
}
const fm_mcap_record *fm_mcap_attachment_at(const fm_mcap_reader *r, size_t index)
{
    return &r->attachments[index];
}

const fm_mcap_channel *fm_mcap_find_channel(const fm_mcap_reader *r, const char *topic)
{
    for (size_t i = 0; i < r->channel_count; i++)
        if (strcmp(r->channels[i].topic, topic) == 0)
            return &r->channels[i];
    return NULL;
}

const char *fm_mcap_get_metadata(const fm_mcap_reader *r, const char *name, const char *key)
{
    for (size_t i = 0; i < r->metadata_count; i++)
        for (size_t k = 0; k < r->metadata[i].pair_count && strcmp(r->metadata[i].name, name) == 0; k++)
            if (strcmp(r->metadata[i].pairs[k].key, key) == 0)
                return r->metadata[i].pairs[k].value;
    return NULL;
}

fm_status fm_mcap_channel_type(fm_mcap_reader *r, const fm_mcap_channel *channel, const fm_message **type,
                               fm_error *error)
{
    size_t index = (size_t)(channel - r->channels);
    const fm_mcap_schema *s = channel->schema;
    *type = r->types[index];
    if (*type)
        return FM_OK;
    if (strcmp(channel->encoding, "cdr") != 0 || !s || strcmp(s->encoding, "ros2msg") != 0)
        return fm_fail(error, FM_ERR_MISSING,
                       "%s: channel %s is '%s' with a schema in '%s'; 'cdr' with 'ros2msg' can be read", r->path,
                       channel->topic, channel->encoding, s ? s->encoding : "");
    fm_status status = fm_schema_parse(s->name, s->data, s->size, &r->arena, type, error);
    r->types[index] = *type;
    return status;
}

fm_status fm_mcap_check(const fm_mcap_reader *r, fm_error *error)
{
    if (r->data_end == 0 || r->data_crc == 0)
        return FM_OK;
    if (crc32_z(0, r->data, r->data_end) != r->data_crc)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: the CRC of the data does not fit the bytes", r->path);
    return FM_OK;
}
