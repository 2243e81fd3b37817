#include "telemetry/mcap_reader.h"

#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "telemetry/mcap_internal.h"
#include "telemetry/schema.h"

static fm_status no_memory(const fm_mcap_reader *r, fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", r->path);
}

/* An index record of the summary points to a record of the data section. In a valid file these records do not overlap:
 * their total size does not exceed the size of the file. */
static int follow_index(fm_mcap_reader *r, fm_byte_view *v, fm_mcap_op wanted)
{
    uint64_t at = fm_byte_view_u64(v), length;
    uint8_t op;
    fm_byte_view body;
    if (v->bad || !fm_mcap_record_head(r, at, r->size, &op, &length) || op != wanted)
        return 0;
    r->followed += FM_MCAP_RECORD_HEAD + length;
    if (r->followed > r->size)
        return 0;
    if (wanted == FM_MCAP_ATTACHMENT)
        return fm_mcap_keep_attachment(r, at + FM_MCAP_RECORD_HEAD, length);
    return fm_mcap_record_read(r, &at, &op, &body) && fm_mcap_keep_metadata(r, &body);
}

/* --- the summary ---------------------------------------------------------------------------------------------------
 */

static int add_summary_record(fm_mcap_reader *r, uint8_t op, fm_byte_view *body)
{
    switch (op) {
    case FM_MCAP_SCHEMA: return fm_mcap_keep_schema(r, body);
    case FM_MCAP_CHANNEL: return fm_mcap_keep_channel(r, body);
    case FM_MCAP_CHUNK_INDEX: return fm_mcap_keep_chunk_index(r, body);
    case FM_MCAP_STATISTICS: return fm_mcap_keep_statistics(r, body);
    case FM_MCAP_METADATA_INDEX: return follow_index(r, body, FM_MCAP_METADATA);
    case FM_MCAP_ATTACHMENT_INDEX: return follow_index(r, body, FM_MCAP_ATTACHMENT);
    default: return 1;
    }
}

enum { TAIL = FM_MCAP_RECORD_HEAD + 20 + FM_MCAP_MAGIC_SIZE, DATA_END = FM_MCAP_RECORD_HEAD + 4 };

/* `size` bytes at `at` in a window, or NULL. */
static const uint8_t *bytes_at(fm_mcap_reader *r, uint64_t at, uint64_t size, fm_mcap_window *window)
{
    const uint8_t *bytes;
    r->starved |= fm_mcap_fetch(r, at, size, window, &bytes, NULL) == FM_ERR_MEMORY;
    return bytes;
}

/* Start of the summary and its CRC; returns the reason if there is none, or NULL. */
static const char *find_summary(fm_mcap_reader *r, uint64_t *start, uint32_t *crc)
{
    uint64_t at = 0;
    uint8_t op;
    fm_byte_view body;
    const uint8_t *tail = r->size < FM_MCAP_MAGIC_SIZE + TAIL ? NULL : bytes_at(r, r->size - TAIL, TAIL, &r->window);
    if (!tail || memcmp(tail + TAIL - FM_MCAP_MAGIC_SIZE, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE) != 0)
        return "the file does not end with the MCAP mark";
    if (!fm_mcap_record_next(tail, TAIL, &at, &op, &body) || op != FM_MCAP_FOOTER || body.size != 20)
        return "the file has no footer";
    *start = fm_byte_view_u64(&body);
    fm_byte_view_u64(&body);
    *crc = fm_byte_view_u32(&body);
    if (*start == 0)
        return "the file has no summary";
    if (*start > r->size - TAIL || *start < FM_MCAP_MAGIC_SIZE + 2 * FM_MCAP_RECORD_HEAD)
        return "the summary lies outside of the file";
    return NULL;
}

/* The reason if the record before the summary is not the end of the data, or NULL. */
static const char *read_data_end(fm_mcap_reader *r, uint64_t start)
{
    uint64_t at = 0;
    uint8_t op;
    fm_byte_view body;
    const uint8_t *bytes = bytes_at(r, start - DATA_END, DATA_END, &r->window);
    if (!bytes || !fm_mcap_record_next(bytes, DATA_END, &at, &op, &body) || op != FM_MCAP_DATA_END || at != DATA_END)
        return "no end of data before the summary";
    r->data_end = start - DATA_END;
    r->data_crc = fm_byte_view_u32(&body);
    return NULL;
}

/* The reason if the summary is unusable, or NULL after it was read. */
static const char *read_summary(fm_mcap_reader *r)
{
    uint64_t start = 0;
    uint32_t crc = 0;
    uint8_t op;
    fm_byte_view body;
    const char *reason = find_summary(r, &start, &crc);
    if (reason)
        return reason;
    const uint64_t records = r->size - TAIL - start, covered = records + FM_MCAP_RECORD_HEAD + 16;
    if (covered > fm_mcap_index_budget(r))
        return FM_MCAP_INDEX_TOO_MUCH;
    const uint8_t *summary = bytes_at(r, start, covered, &r->summary);
    if (!summary)
        return "the summary cannot be read";
    if (crc != 0 && crc32_z(0, summary, (size_t)covered) != crc)
        return "the CRC of the summary does not fit its bytes";
    for (uint64_t at = 0; at < records;)
        if (!fm_mcap_record_next(summary, (size_t)records, &at, &op, &body) || !add_summary_record(r, op, &body))
            return r->crowded ? FM_MCAP_INDEX_TOO_MUCH : "a record of the summary is malformed";
    reason = read_data_end(r, start);
    return !reason && r->chunk_count == 0 && r->info.messages > 0 ? "the summary has no chunks" : reason;
}

/* --- opening -------------------------------------------------------------------------------------------------------
 */

fm_status fm_mcap_read_head(fm_mcap_reader *r, fm_error *error)
{
    uint64_t at = FM_MCAP_MAGIC_SIZE;
    uint8_t op;
    fm_byte_view body;
    const uint8_t *magic = r->size < FM_MCAP_MAGIC_SIZE ? NULL : bytes_at(r, 0, FM_MCAP_MAGIC_SIZE, &r->window);
    if (!r->starved && (!magic || memcmp(magic, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE) != 0))
        return fm_fail(error, FM_ERR_SYNTAX, "%s is not an MCAP file (%llu bytes)", r->path,
                       (unsigned long long)r->size);
    if (!r->starved && (!fm_mcap_record_read(r, &at, &op, &body) || op != FM_MCAP_HEADER) && !r->starved)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: the MCAP %s", r->path,
                       r->crowded ? "header is malformed" : "file has no header");
    if (r->starved)
        return no_memory(r, error);
    r->info.profile = fm_mcap_take_text(r, &body);
    r->info.library = fm_mcap_take_text(r, &body);
    if (r->starved)
        return no_memory(r, error);
    return body.bad ? fm_fail(error, FM_ERR_SYNTAX, "%s: the MCAP header is malformed", r->path) : FM_OK;
}

/* Each channel counts with its schema, since readers keep a copy of it. */
static fm_status link_schemas(fm_mcap_reader *r, fm_error *error)
{
    uint64_t linked = 0;
    for (size_t i = 0; i < r->channel_count; i++) {
        uint16_t at = r->schema_at[r->channel_schema[i]];
        r->channels[i].schema = at != 0 ? &r->schemas[at - 1] : NULL;
        linked += at != 0 ? r->schemas[at - 1].size : 0;
    }
    if (linked > fm_mcap_index_budget(r))
        return fm_fail(error, FM_ERR_RANGE,
                       "%s: the schemas of its channels are %llu bytes, over 24 MiB and 8 times the file; it is "
                       "damaged or not sound",
                       r->path, (unsigned long long)linked);
    r->types = fm_arena_alloc(&r->arena, (r->schema_count + 1) * sizeof *r->types);
    return r->types ? FM_OK : no_memory(r, error);
}

static fm_status read_file(fm_mcap_reader *r, fm_error *error)
{
    r->info.file_size = r->size;
    r->info.warning = r->info.compression = "";
    fm_status status = fm_mcap_read_head(r, error);
    if (status != FM_OK)
        return status;
    const char *reason = read_summary(r);
    if (reason && !r->starved)
        status = fm_mcap_recover(r, reason, error);
    if (r->starved)
        return no_memory(r, error);
    r->info.chunk_count = r->chunk_count;
    return status == FM_OK ? link_schemas(r, error) : status;
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
    r->memory = data;
    r->file = -1;
    r->size = size;
    return finish_open(r, reader, error);
}

fm_status fm_mcap_open(const char *path, fm_mcap_reader **reader, fm_error *error)
{
    fm_mcap_reader *r = fm_alloc(sizeof *r);
    *reader = NULL;
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    strncat(r->path, path, sizeof r->path - 1);
    fm_status status = fm_mcap_source_open(r, path, error);
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
    fm_mcap_forget(r);
    fm_mcap_source_close(r);
    fm_free(r);
}

/* --- queries
 * ------------------------------------------------------------------------------------------------------- */

int fm_mcap_reads(const fm_mcap_reader *r, const char *path)
{
    struct stat found;
    return r->file >= 0 && stat(path, &found) == 0 && found.st_dev == r->device && found.st_ino == r->inode;
}

const fm_mcap_info *fm_mcap_get_info(const fm_mcap_reader *r)
{
    return &r->info;
}
size_t fm_mcap_channel_count(const fm_mcap_reader *r)
{
    return r->channel_count;
}
size_t fm_mcap_channel_ids(const fm_mcap_reader *r)
{
    size_t ids = 0;
    for (size_t i = 0; i < r->channel_count; i++)
        ids = r->channels[i].id >= ids ? r->channels[i].id + (size_t)1 : ids;
    return ids;
}
const fm_mcap_channel *fm_mcap_channel_at(const fm_mcap_reader *r, size_t index)
{
    return &r->channels[index];
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

fm_status fm_mcap_attachment_read(const fm_mcap_reader *r, size_t index, void **data, fm_error *error)
{
    const fm_mcap_record *a = &r->attachments[index];
    const uint8_t *bytes;
    fm_mcap_window window = {0};
    *data = NULL;
    fm_status status = fm_mcap_fetch(r, a->offset, a->size, &window, &bytes, error);
    if (status == FM_OK && !(*data = fm_alloc(a->size + 1)))
        status = no_memory(r, error);
    if (status == FM_OK)
        memcpy(*data, bytes, a->size);
    fm_free(window.buffer);
    return status;
}

enum { SCHEMA_GROWS = 32 }; /* upper limit of the bytes that a parsed schema needs per byte of its text */

fm_status fm_mcap_channel_type(fm_mcap_reader *r, const fm_mcap_channel *channel, const fm_message **type,
                               fm_error *error)
{
    const fm_mcap_schema *s = channel->schema;
    *type = s ? r->types[s - r->schemas] : NULL;
    if (strcmp(channel->encoding, "cdr") != 0 || !s || strcmp(s->encoding, "ros2msg") != 0)
        return fm_fail(error, FM_ERR_MISSING,
                       "%s: channel %s is '%s' with a schema in '%s'; 'cdr' with 'ros2msg' can be read", r->path,
                       channel->topic, channel->encoding, s ? s->encoding : "");
    if (*type)
        return FM_OK;
    if (s->size > fm_mcap_message_budget(r) / SCHEMA_GROWS)
        return fm_fail(error, FM_ERR_RANGE, "%s: the schema '%s' of %zu bytes is too long for a log of %llu bytes",
                       r->path, s->name, s->size, (unsigned long long)r->size);
    fm_status status = fm_schema_parse(s->name, s->data, s->size, &r->arena, type, error);
    r->types[s - r->schemas] = *type;
    return status;
}

fm_status fm_mcap_check(fm_mcap_reader *r, fm_error *error)
{
    uint32_t crc;
    if (r->data_end == 0 || r->data_crc == 0)
        return FM_OK;
    fm_status status = fm_mcap_crc(r, 0, r->data_end, &r->window, &crc, error);
    if (status == FM_OK && crc != r->data_crc)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: the CRC of the data does not fit the bytes", r->path);
    return status;
}
