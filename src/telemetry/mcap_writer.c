#include "telemetry/mcap_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <lz4frame.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

/* A chunk of fewer bytes than this may wait for more, for this long (ns). */
enum { SPARSE_BYTES = 65536 };
static const uint64_t SPARSE_PATIENCE = 30000000000u;

/* A growing run of bytes. */
typedef struct bytes {
    uint8_t *data;
    size_t size, capacity;
    int failed;
} bytes;

typedef struct index_entry {
    uint64_t time, offset;
} index_entry;

/* What is known of a channel: its number of messages, and where those of the open chunk are. */
typedef struct channel_state {
    uint64_t messages;
    index_entry *entries;
    size_t count, capacity;
} channel_state;

struct fm_mcap_writer {
    int file;
    char path[256];
    fm_mcap_options options;
    uint64_t patience; /* ns after which a chunk is closed, however little is in it */
    uint64_t position; /* bytes in the file */
    uint32_t crc;      /* of all of them */
    bytes record;      /* scratch for one record */
    bytes chunk;       /* records of the open chunk */
    bytes packed;
    uint64_t chunk_start, chunk_end, chunk_messages;
    channel_state *channels; /* by id - 1 */
    size_t channel_count, schema_count;
    bytes schema_records, channel_records, chunk_indexes, attachment_indexes, metadata_indexes; /* the summary */
    uint32_t chunks, attachments, metadata;
    uint64_t messages, lost, start, end;
    ZSTD_CCtx *zstd;
    fm_error first_error;
};

/* --- bytes ---------------------------------------------------------------------------------------------------------
 */

static uint8_t *extend(bytes *b, size_t size)
{
    if (!b->failed && size > b->capacity - b->size) {
        size_t capacity = b->capacity * 2 > b->size + size ? b->capacity * 2 : b->size + size + 256;
        uint8_t *data = fm_realloc(b->data, capacity);
        b->failed = data == NULL;
        if (data) {
            b->data = data;
            b->capacity = capacity;
        }
    }
    if (b->failed)
        return NULL;
    b->size += size;
    return b->data + b->size - size;
}

static void put(bytes *b, const void *data, size_t size)
{
    uint8_t *to = size > 0 ? extend(b, size) : NULL;
    if (to)
        memcpy(to, data, size);
}

static void put_u8(bytes *b, unsigned value)
{
    put(b, &(uint8_t){(uint8_t)value}, 1);
}
static void put_u16(bytes *b, unsigned value)
{
    put(b, &(uint16_t){(uint16_t)value}, 2);
}
static void put_u32(bytes *b, size_t value)
{
    put(b, &(uint32_t){(uint32_t)value}, 4);
}
static void put_u64(bytes *b, uint64_t value)
{
    put(b, &value, 8);
}

static void put_text(bytes *b, const char *text)
{
    put_u32(b, strlen(text));
    put(b, text, strlen(text));
}

static void put_pairs(bytes *b, const fm_mcap_pair *pairs, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += 8 + strlen(pairs[i].key) + strlen(pairs[i].value);
    put_u32(b, size);
    for (size_t i = 0; i < count; i++) {
        put_text(b, pairs[i].key);
        put_text(b, pairs[i].value);
    }
}

/* Starts a record in the scratch buffer; end_record fills in its length. */
static bytes *begin_record(fm_mcap_writer *w, fm_mcap_op op)
{
    w->record.size = 0;
    put_u8(&w->record, op);
    put_u64(&w->record, 0);
    return &w->record;
}

static void end_record(bytes *b, size_t start)
{
    uint64_t length = b->size - start - FM_MCAP_RECORD_HEAD;
    if (!b->failed)
        memcpy(b->data + start + 1, &length, 8);
}

/* --- file ----------------------------------------------------------------------------------------------------------
 */

static fm_status remember(fm_mcap_writer *w, fm_status status, const char *what, fm_error *error)
{
    fm_status result = fm_fail(error, status, "%s: %s", w->path, what);
    if (w->first_error.status == FM_OK)
        fm_fail(&w->first_error, status, "%s: %s", w->path, what);
    return result;
}

/* All or nothing: after a failure the file ends where it did before. */
static fm_status write_all(fm_mcap_writer *w, const bytes *b, fm_error *error)
{
    if (b->failed)
        return remember(w, FM_ERR_MEMORY, "out of memory for a record", error);
    for (size_t done = 0; done < b->size;) {
        ssize_t wrote = write(w->file, b->data + done, b->size - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            int reason = wrote < 0 ? errno : ENOSPC;
            if (ftruncate(w->file, (off_t)w->position) == 0)
                lseek(w->file, (off_t)w->position, SEEK_SET);
            return remember(w, FM_ERR_FILE, strerror(reason), error);
        }
        done += (size_t)wrote;
    }
    w->crc = (uint32_t)crc32_z(w->crc, b->data, b->size);
    w->position += b->size;
    return FM_OK;
}

static fm_status write_record(fm_mcap_writer *w, fm_error *error)
{
    end_record(&w->record, 0);
    return write_all(w, &w->record, error);
}

static void free_writer(fm_mcap_writer *w)
{
    for (size_t i = 0; i < w->channel_count; i++)
        fm_free(w->channels[i].entries);
    bytes *all[] = {&w->record,
                    &w->chunk,
                    &w->packed,
                    &w->schema_records,
                    &w->channel_records,
                    &w->chunk_indexes,
                    &w->attachment_indexes,
                    &w->metadata_indexes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        fm_free(all[i]->data);
    fm_free(w->channels);
    ZSTD_freeCCtx(w->zstd);
    if (w->file >= 0)
        close(w->file);
    fm_free(w);
}

static fm_status write_head(fm_mcap_writer *w, fm_error *error)
{
    bytes magic = {(uint8_t *)(uintptr_t)FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE, FM_MCAP_MAGIC_SIZE, 0};
    fm_status status = write_all(w, &magic, error);
    if (status != FM_OK)
        return status;
    bytes *b = begin_record(w, FM_MCAP_HEADER);
    put_text(b, w->options.profile);
    put_text(b, w->options.library);
    return write_record(w, error);
}

/* A log that someone else is writing is left alone: it is emptied only once it is ours. */
static fm_status open_file(fm_mcap_writer *w, const char *path, fm_error *error)
{
    w->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (w->file < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
    if (flock(w->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return fm_fail(error, FM_ERR_FILE, "%s: another run is writing this log", path);
    if (ftruncate(w->file, 0) != 0 && errno != EINVAL) /* a device has no length */
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
    return FM_OK;
}

fm_status fm_mcap_create(const char *path, const fm_mcap_options *options, fm_mcap_writer **writer, fm_error *error)
{
    fm_mcap_writer *w = fm_alloc(sizeof *w);
    *writer = NULL;
    if (!w)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    w->options = *options;
    w->options.profile = options->profile ? options->profile : "ros2";
    w->options.library = options->library ? options->library : "fathom";
    w->patience = options->chunk_time > 0 ? options->chunk_time : SPARSE_PATIENCE;
    w->options.chunk_time = options->chunk_time > 0 ? options->chunk_time : 1000000000u;
    w->options.chunk_bytes = options->chunk_bytes > 0 ? options->chunk_bytes : 1000000u;
    strncat(w->path, path, sizeof w->path - 1);
    fm_status status = open_file(w, path, error);
    if (status == FM_OK && options->compression == FM_COMPRESSION_ZSTD && !(w->zstd = ZSTD_createCCtx()))
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a log");
    if (status == FM_OK)
        status = write_head(w, error);
    if (status != FM_OK)
        free_writer(w);
    else
        *writer = w;
    return status;
}

/* --- schemas, channels, metadata, attachments ----------------------------------------------------------------------
 */

fm_status fm_mcap_add_schema(fm_mcap_writer *w, const char *name, const char *encoding, const void *data, size_t size,
                             uint16_t *id, fm_error *error)
{
    if (w->schema_count >= 65534)
        return fm_fail(error, FM_ERR_FULL, "%s: over 65534 schemas", w->path);
    *id = (uint16_t)(w->schema_count + 1);
    bytes *b = begin_record(w, FM_MCAP_SCHEMA);
    put_u16(b, *id);
    put_text(b, name);
    put_text(b, encoding);
    put_u32(b, size);
    put(b, data, size);
    fm_status status = write_record(w, error);
    if (status == FM_OK) {
        put(&w->schema_records, b->data, b->size);
        w->schema_count++;
    }
    return status;
}

fm_status fm_mcap_add_channel(fm_mcap_writer *w, uint16_t schema, const char *topic, const char *encoding,
                              const fm_mcap_pair *metadata, size_t count, uint16_t *id, fm_error *error)
{
    if (w->channel_count >= 65534)
        return fm_fail(error, FM_ERR_FULL, "%s: over 65534 channels", w->path);
    channel_state *channels = fm_realloc(w->channels, (w->channel_count + 1) * sizeof *channels);
    if (!channels)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a channel");
    w->channels = channels;
    *id = (uint16_t)(w->channel_count + 1);
    bytes *b = begin_record(w, FM_MCAP_CHANNEL);
    put_u16(b, *id);
    put_u16(b, schema);
    put_text(b, topic);
    put_text(b, encoding);
    put_pairs(b, metadata, count);
    fm_status status = write_record(w, error);
    if (status == FM_OK) {
        put(&w->channel_records, b->data, b->size);
        channels[w->channel_count++] = (channel_state){0};
    }
    return status;
}

fm_status fm_mcap_metadata(fm_mcap_writer *w, const char *name, const fm_mcap_pair *pairs, size_t count,
                           fm_error *error)
{
    uint64_t at = w->position;
    bytes *b = begin_record(w, FM_MCAP_METADATA);
    put_text(b, name);
    put_pairs(b, pairs, count);
    fm_status status = write_record(w, error);
    if (status != FM_OK)
        return status;
    size_t start = w->metadata_indexes.size;
    put_u8(&w->metadata_indexes, FM_MCAP_METADATA_INDEX);
    put_u64(&w->metadata_indexes, 0);
    put_u64(&w->metadata_indexes, at);
    put_u64(&w->metadata_indexes, b->size);
    put_text(&w->metadata_indexes, name);
    end_record(&w->metadata_indexes, start);
    w->metadata++;
    return FM_OK;
}

fm_status fm_mcap_attach(fm_mcap_writer *w, const char *name, const char *media_type, uint64_t time, const void *data,
                         size_t size, fm_error *error)
{
    uint64_t at = w->position;
    bytes *b = begin_record(w, FM_MCAP_ATTACHMENT);
    put_u64(b, time);
    put_u64(b, time);
    put_text(b, name);
    put_text(b, media_type);
    put_u64(b, size);
    put(b, data, size);
    if (!b->failed)
        put_u32(b, crc32_z(0, b->data + FM_MCAP_RECORD_HEAD, b->size - FM_MCAP_RECORD_HEAD));
    fm_status status = write_record(w, error);
    if (status != FM_OK)
        return status;
    bytes *x = &w->attachment_indexes;
    size_t start = x->size;
    put_u8(x, FM_MCAP_ATTACHMENT_INDEX);
    put_u64(x, 0);
    put_u64(x, at);
    put_u64(x, b->size);
    put_u64(x, time);
    put_u64(x, time);
    put_u64(x, size);
    put_text(x, name);
    put_text(x, media_type);
    end_record(x, start);
    w->attachments++;
    return FM_OK;
}

/* --- chunks --------------------------------------------------------------------------------------------------------
 */

static const char *compression_name(fm_compression c)
{
    return c == FM_COMPRESSION_ZSTD ? "zstd" : c == FM_COMPRESSION_LZ4 ? "lz4" : "";
}

/* The chunk's records, compressed, behind what is in `to`. */
static fm_status compress_chunk(fm_mcap_writer *w, bytes *to, fm_error *error)
{
    const bytes *from = &w->chunk;
    LZ4F_preferences_t lz4 = {.frameInfo = {.contentSize = from->size, .blockSizeID = LZ4F_max256KB}};
    size_t bound = w->options.compression == FM_COMPRESSION_ZSTD  ? ZSTD_compressBound(from->size)
                   : w->options.compression == FM_COMPRESSION_LZ4 ? LZ4F_compressFrameBound(from->size, &lz4)
                                                                  : from->size;
    size_t before = to->size, size = from->size;
    uint8_t *out = extend(to, bound);
    if (!out)
        return remember(w, FM_ERR_MEMORY, "out of memory for a chunk", error);
    if (w->options.compression == FM_COMPRESSION_ZSTD) {
        int level = w->options.level != 0 ? w->options.level : 1;
        size = ZSTD_compressCCtx(w->zstd, out, bound, from->data, from->size, level);
        if (ZSTD_isError(size))
            return remember(w, FM_ERR_LIBRARY, ZSTD_getErrorName(size), error);
    } else if (w->options.compression == FM_COMPRESSION_LZ4) {
        size = LZ4F_compressFrame(out, bound, from->data, from->size, &lz4);
        if (LZ4F_isError(size))
            return remember(w, FM_ERR_LIBRARY, LZ4F_getErrorName(size), error);
    } else {
        memcpy(out, from->data, from->size);
    }
    to->size = before + size;
    return FM_OK;
}

/* The chunk record into w->packed. *packed_size is the compressed size. */
static fm_status pack_chunk(fm_mcap_writer *w, uint64_t *packed_size, fm_error *error)
{
    bytes *b = &w->packed;
    b->size = 0;
    put_u8(b, FM_MCAP_CHUNK);
    put_u64(b, 0);
    put_u64(b, w->chunk_start);
    put_u64(b, w->chunk_end);
    put_u64(b, w->chunk.size);
    put_u32(b, crc32_z(0, w->chunk.data, w->chunk.size));
    put_text(b, compression_name(w->options.compression));
    size_t at = b->size;
    put_u64(b, 0);
    fm_status status = compress_chunk(w, b, error);
    if (status != FM_OK)
        return status;
    *packed_size = b->size - at - 8;
    memcpy(b->data + at, packed_size, 8);
    end_record(b, 0);
    return FM_OK;
}

/* The message indexes behind the chunk in w->packed, and the chunk's entry in the summary. */
static void index_chunk(fm_mcap_writer *w, uint64_t packed_size)
{
    bytes *b = &w->packed, *x = &w->chunk_indexes;
    uint64_t chunk_length = b->size, offsets = 0;
    for (size_t i = 0; i < w->channel_count; i++)
        offsets += w->channels[i].count > 0 ? 10 : 0;
    size_t start = x->size;
    put_u8(x, FM_MCAP_CHUNK_INDEX);
    put_u64(x, 0);
    put_u64(x, w->chunk_start);
    put_u64(x, w->chunk_end);
    put_u64(x, w->position);
    put_u64(x, chunk_length);
    put_u32(x, offsets);
    for (size_t i = 0; i < w->channel_count; i++) {
        channel_state *c = &w->channels[i];
        if (c->count == 0)
            continue;
        put_u16(x, (unsigned)i + 1);
        put_u64(x, w->position + b->size);
        size_t record = b->size;
        put_u8(b, FM_MCAP_MESSAGE_INDEX);
        put_u64(b, 0);
        put_u16(b, (unsigned)i + 1);
        put_u32(b, c->count * 16);
        put(b, c->entries, c->count * 16);
        end_record(b, record);
    }
    put_u64(x, b->size - chunk_length);
    put_text(x, compression_name(w->options.compression));
    put_u64(x, packed_size);
    put_u64(x, w->chunk.size);
    end_record(x, start);
}

/* Counts the chunk's messages as written or as lost, and empties it. */
static void settle_chunk(fm_mcap_writer *w, int written)
{
    if (written) {
        w->start = w->messages == 0 || w->chunk_start < w->start ? w->chunk_start : w->start;
        w->end = w->chunk_end > w->end ? w->chunk_end : w->end;
        w->messages += w->chunk_messages;
        w->chunks++;
    } else {
        w->lost += w->chunk_messages;
    }
    for (size_t i = 0; i < w->channel_count; i++) {
        w->channels[i].messages += written ? w->channels[i].count : 0;
        w->channels[i].count = 0;
    }
    w->chunk.size = 0;
    w->chunk.failed = 0;
    w->chunk_messages = 0;
}

fm_status fm_mcap_flush(fm_mcap_writer *w, fm_error *error)
{
    uint64_t packed_size = 0;
    size_t summary = w->chunk_indexes.size;
    if (w->chunk_messages == 0)
        return FM_OK;
    fm_status status = pack_chunk(w, &packed_size, error);
    if (status == FM_OK) {
        index_chunk(w, packed_size);
        status = write_all(w, &w->packed, error);
    }
    if (status != FM_OK)
        w->chunk_indexes.size = summary;
    settle_chunk(w, status == FM_OK);
    w->packed.failed = 0;
    return status;
}

static int add_entry(channel_state *c, uint64_t time, uint64_t offset)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity * 2 + 64;
        index_entry *entries = fm_realloc(c->entries, capacity * sizeof *entries);
        if (!entries)
            return 0;
        c->entries = entries;
        c->capacity = capacity;
    }
    c->entries[c->count++] = (index_entry){time, offset};
    return 1;
}

/* Whether the open chunk, whose first message is `age` ns old, is to be closed. */
static int is_full(const fm_mcap_writer *w, uint64_t age)
{
    if (w->chunk.size >= w->options.chunk_bytes || age >= w->patience)
        return 1;
    return age >= w->options.chunk_time && w->chunk.size >= SPARSE_BYTES;
}

fm_status fm_mcap_write(fm_mcap_writer *w, uint16_t channel, uint32_t sequence, uint64_t time, const void *data,
                        size_t size, fm_error *error)
{
    fm_status status = FM_OK;
    if (channel == 0 || channel > w->channel_count)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: no channel %u", w->path, channel);
    if (w->chunk_messages > 0 && is_full(w, time - w->chunk_start))
        status = fm_mcap_flush(w, error);
    uint64_t offset = w->chunk.size;
    uint8_t *to = extend(&w->chunk, FM_MCAP_RECORD_HEAD + 22 + size);
    if (!to || !add_entry(&w->channels[channel - 1], time, offset)) {
        w->chunk.size = offset;
        w->chunk.failed = 0;
        w->lost++;
        return remember(w, FM_ERR_MEMORY, "out of memory for a message", error);
    }
    uint64_t length = 22 + size;
    to[0] = FM_MCAP_MESSAGE;
    memcpy(to + 1, &length, 8);
    memcpy(to + 9, &channel, 2);
    memcpy(to + 11, &sequence, 4);
    memcpy(to + 15, &time, 8);
    memcpy(to + 23, &time, 8);
    memcpy(to + 31, data, size);
    w->chunk_start = w->chunk_messages == 0 || time < w->chunk_start ? time : w->chunk_start;
    w->chunk_end = w->chunk_messages == 0 || time > w->chunk_end ? time : w->chunk_end;
    w->chunk_messages++;
    return status;
}

const fm_error *fm_mcap_failure(const fm_mcap_writer *w)
{
    return &w->first_error;
}
uint64_t fm_mcap_lost(const fm_mcap_writer *w)
{
    return w->lost;
}
uint64_t fm_mcap_written(const fm_mcap_writer *w)
{
    return w->messages;
}

/* --- summary -------------------------------------------------------------------------------------------------------
 */

static void put_statistics(fm_mcap_writer *w, bytes *b)
{
    size_t start = b->size, used = 0;
    for (size_t i = 0; i < w->channel_count; i++)
        used += w->channels[i].messages > 0 ? 1 : 0;
    put_u8(b, FM_MCAP_STATISTICS);
    put_u64(b, 0);
    put_u64(b, w->messages);
    put_u16(b, (unsigned)w->schema_count);
    put_u32(b, w->channel_count);
    put_u32(b, w->attachments);
    put_u32(b, w->metadata);
    put_u32(b, w->chunks);
    put_u64(b, w->start);
    put_u64(b, w->end);
    put_u32(b, used * 10);
    for (size_t i = 0; i < w->channel_count; i++)
        if (w->channels[i].messages > 0) {
            put_u16(b, (unsigned)i + 1);
            put_u64(b, w->channels[i].messages);
        }
    end_record(b, start);
}

static void put_summary_offset(bytes *b, fm_mcap_op op, uint64_t start, uint64_t length)
{
    size_t record = b->size;
    if (length == 0)
        return;
    put_u8(b, FM_MCAP_SUMMARY_OFFSET);
    put_u64(b, 0);
    put_u8(b, op);
    put_u64(b, start);
    put_u64(b, length);
    end_record(b, record);
}

/* Groups of summary records, their offsets, and the footer with the CRC over all of that up to itself. */
static fm_status write_summary(fm_mcap_writer *w, fm_error *error)
{
    bytes statistics = {0}, b = {0};
    put_statistics(w, &statistics);
    const struct {
        fm_mcap_op op;
        const bytes *records;
    } groups[] = {{FM_MCAP_SCHEMA, &w->schema_records},
                  {FM_MCAP_CHANNEL, &w->channel_records},
                  {FM_MCAP_STATISTICS, &statistics},
                  {FM_MCAP_CHUNK_INDEX, &w->chunk_indexes},
                  {FM_MCAP_ATTACHMENT_INDEX, &w->attachment_indexes},
                  {FM_MCAP_METADATA_INDEX, &w->metadata_indexes}};
    uint64_t summary = w->position, starts[6];
    for (size_t i = 0; i < 6; i++) {
        starts[i] = summary + b.size;
        b.failed |= groups[i].records->failed;
        put(&b, groups[i].records->data, groups[i].records->size);
    }
    uint64_t offsets = summary + b.size;
    for (size_t i = 0; i < 6; i++)
        put_summary_offset(&b, groups[i].op, starts[i], groups[i].records->size);
    put_u8(&b, FM_MCAP_FOOTER);
    put_u64(&b, 20);
    put_u64(&b, summary);
    put_u64(&b, offsets);
    put_u32(&b, b.failed ? 0 : crc32_z(0, b.data, b.size));
    put(&b, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE);
    fm_status status = write_all(w, &b, error);
    fm_free(statistics.data);
    fm_free(b.data);
    return status;
}

fm_status fm_mcap_close(fm_mcap_writer *w, fm_error *error)
{
    fm_error ignored;
    fm_mcap_flush(w, &ignored); /* a failure is in first_error */
    uint32_t crc = w->crc;
    put_u32(begin_record(w, FM_MCAP_DATA_END), crc);
    if (write_record(w, &ignored) == FM_OK)
        write_summary(w, &ignored);
    if (close(w->file) != 0)
        remember(w, FM_ERR_FILE, strerror(errno), NULL);
    w->file = -1;
    fm_status status = w->first_error.status;
    if (status != FM_OK && w->lost > 0)
        fm_fail(error, status, "%s (%llu messages lost, %llu written)", w->first_error.text,
                (unsigned long long)w->lost, (unsigned long long)w->messages);
    else if (status != FM_OK)
        fm_fail(error, status, "%s", w->first_error.text);
    free_writer(w);
    return status;
}
