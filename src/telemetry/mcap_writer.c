#include <errno.h>
#include <fcntl.h>
#include <lz4frame.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "telemetry/mcap_writer_internal.h"

/* A chunk smaller than this may wait for more data, for this long (ns). */
enum { SPARSE_BYTES = 65536 };
static const uint64_t SPARSE_PATIENCE = 30000000000u;

static void put_pairs(fm_byte_run *b, const fm_mcap_pair *pairs, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += 8 + strlen(pairs[i].key) + strlen(pairs[i].value);
    fm_byte_run_put_u32(b, size);
    for (size_t i = 0; i < count; i++) {
        fm_byte_run_put_text(b, pairs[i].key);
        fm_byte_run_put_text(b, pairs[i].value);
    }
}

/* Starts a record in the scratch buffer; end_record fills in its length. */
static fm_byte_run *begin_record(fm_mcap_writer *w, fm_mcap_op op)
{
    w->record.size = 0;
    fm_byte_run_put_u8(&w->record, op);
    fm_byte_run_put_u64(&w->record, 0);
    return &w->record;
}

void fm_mcap_end_record(fm_byte_run *b, size_t start)
{
    uint64_t length = b->size - start - FM_MCAP_RECORD_HEAD;
    if (!b->failed)
        memcpy(b->data + start + 1, &length, 8);
}

/* --- file ----------------------------------------------------------------------------------------------------------
 */

fm_status fm_mcap_remember(fm_mcap_writer *w, fm_status status, const char *what, fm_error *error)
{
    fm_status result = fm_fail(error, status, "%s: %s", w->path, what);
    if (w->first_error.status == FM_OK)
        fm_fail(&w->first_error, status, "%s: %s", w->path, what);
    return result;
}

void fm_mcap_take_back(fm_mcap_writer *w, uint64_t position)
{
    w->position = position;
    if (ftruncate(w->file, (off_t)position) == 0)
        lseek(w->file, (off_t)position, SEEK_SET);
}

fm_status fm_mcap_put(fm_mcap_writer *w, const fm_byte_run *b, fm_error *error)
{
    if (b->failed)
        return fm_mcap_remember(w, FM_ERR_MEMORY, "out of memory for a record", error);
    if (b->size == 0)
        return FM_OK; /* no CRC of zero bytes, which zlib would take for the initial value */
    for (size_t done = 0; done < b->size;) {
        ssize_t wrote = write(w->file, b->data + done, b->size - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            int reason = wrote < 0 ? errno : ENOSPC;
            fm_mcap_take_back(w, w->position);
            return fm_mcap_remember(w, FM_ERR_FILE, strerror(reason), error);
        }
        done += (size_t)wrote;
    }
    w->crc = (uint32_t)crc32_z(w->crc, b->data, b->size);
    w->position += b->size;
    return FM_OK;
}

static fm_status write_record(fm_mcap_writer *w, fm_error *error)
{
    fm_mcap_end_record(&w->record, 0);
    return fm_mcap_put(w, &w->record, error);
}

static void free_writer(fm_mcap_writer *w)
{
    for (size_t i = 0; i < w->channel_count; i++)
        fm_free(w->channels[i].entries);
    fm_byte_run *all[] = {&w->record,
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
    fm_mcap_spill_close(w);
    ZSTD_freeCCtx(w->zstd);
    if (w->file >= 0)
        close(w->file);
    fm_free(w);
}

static fm_status write_head(fm_mcap_writer *w, fm_error *error)
{
    fm_byte_run magic = {(uint8_t *)(uintptr_t)FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE, FM_MCAP_MAGIC_SIZE, 0};
    fm_status status = fm_mcap_put(w, &magic, error);
    if (status != FM_OK)
        return status;
    fm_byte_run *b = begin_record(w, FM_MCAP_HEADER);
    fm_byte_run_put_text(b, w->options.profile);
    fm_byte_run_put_text(b, w->options.library);
    return write_record(w, error);
}

/* A log that another process is writing is not touched: the file is truncated only after it is locked. */
static fm_status open_file(fm_mcap_writer *w, const char *path, fm_error *error)
{
    w->file = fm_outfile_in_place(path, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE, error);
    if (w->file < 0)
        return FM_ERR_FILE;
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
    fm_mcap_spill_open(w, path);
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
    fm_byte_run *b = begin_record(w, FM_MCAP_SCHEMA);
    fm_byte_run_put_u16(b, *id);
    fm_byte_run_put_text(b, name);
    fm_byte_run_put_text(b, encoding);
    fm_byte_run_put_u32(b, size);
    fm_byte_run_put(b, data, size);
    fm_status status = write_record(w, error);
    if (status == FM_OK) {
        fm_byte_run_put(&w->schema_records, b->data, b->size);
        w->schema_count++;
    }
    return status;
}

fm_status fm_mcap_add_channel(fm_mcap_writer *w, uint16_t schema, const char *topic, const char *encoding,
                              const fm_mcap_pair *metadata, size_t count, uint16_t *id, fm_error *error)
{
    if (w->channel_count >= 65534)
        return fm_mcap_remember(w, FM_ERR_FULL, "over 65534 channels: a log cannot hold more", error);
    fm_channel_count *channels = fm_realloc(w->channels, (w->channel_count + 1) * sizeof *channels);
    if (!channels)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a channel");
    w->channels = channels;
    *id = (uint16_t)(w->channel_count + 1);
    fm_byte_run *b = begin_record(w, FM_MCAP_CHANNEL);
    fm_byte_run_put_u16(b, *id);
    fm_byte_run_put_u16(b, schema);
    fm_byte_run_put_text(b, topic);
    fm_byte_run_put_text(b, encoding);
    put_pairs(b, metadata, count);
    fm_status status = write_record(w, error);
    if (status == FM_OK) {
        fm_byte_run_put(&w->channel_records, b->data, b->size);
        channels[w->channel_count++] = (fm_channel_count){0};
    }
    return status;
}

fm_status fm_mcap_metadata(fm_mcap_writer *w, const char *name, const fm_mcap_pair *pairs, size_t count,
                           fm_error *error)
{
    uint64_t at = w->position;
    fm_byte_run *b = begin_record(w, FM_MCAP_METADATA);
    fm_byte_run_put_text(b, name);
    put_pairs(b, pairs, count);
    fm_status status = write_record(w, error);
    if (status != FM_OK)
        return status;
    size_t start = w->metadata_indexes.size;
    fm_byte_run_put_u8(&w->metadata_indexes, FM_MCAP_METADATA_INDEX);
    fm_byte_run_put_u64(&w->metadata_indexes, 0);
    fm_byte_run_put_u64(&w->metadata_indexes, at);
    fm_byte_run_put_u64(&w->metadata_indexes, b->size);
    fm_byte_run_put_text(&w->metadata_indexes, name);
    fm_mcap_end_record(&w->metadata_indexes, start);
    w->metadata++;
    return FM_OK;
}

fm_status fm_mcap_attach(fm_mcap_writer *w, const char *name, const char *media_type, uint64_t time, const void *data,
                         size_t size, fm_error *error)
{
    uint64_t at = w->position;
    fm_byte_run *b = begin_record(w, FM_MCAP_ATTACHMENT);
    fm_byte_run_put_u64(b, time);
    fm_byte_run_put_u64(b, time);
    fm_byte_run_put_text(b, name);
    fm_byte_run_put_text(b, media_type);
    fm_byte_run_put_u64(b, size);
    fm_byte_run_put(b, data, size);
    if (!b->failed)
        fm_byte_run_put_u32(b, crc32_z(0, b->data + FM_MCAP_RECORD_HEAD, b->size - FM_MCAP_RECORD_HEAD));
    fm_status status = write_record(w, error);
    if (status != FM_OK)
        return status;
    fm_byte_run *x = &w->attachment_indexes;
    size_t start = x->size;
    fm_byte_run_put_u8(x, FM_MCAP_ATTACHMENT_INDEX);
    fm_byte_run_put_u64(x, 0);
    fm_byte_run_put_u64(x, at);
    fm_byte_run_put_u64(x, b->size);
    fm_byte_run_put_u64(x, time);
    fm_byte_run_put_u64(x, time);
    fm_byte_run_put_u64(x, size);
    fm_byte_run_put_text(x, name);
    fm_byte_run_put_text(x, media_type);
    fm_mcap_end_record(x, start);
    w->attachments++;
    return FM_OK;
}

/* --- chunks --------------------------------------------------------------------------------------------------------
 */

static const char *compression_name(fm_compression c)
{
    return c == FM_COMPRESSION_ZSTD ? "zstd" : c == FM_COMPRESSION_LZ4 ? "lz4" : "";
}

/* Appends the chunk's compressed records to `to`. */
static fm_status compress_chunk(fm_mcap_writer *w, fm_byte_run *to, fm_error *error)
{
    const fm_byte_run *from = &w->chunk;
    LZ4F_preferences_t lz4 = {.frameInfo = {.contentSize = from->size, .blockSizeID = LZ4F_max256KB}};
    size_t bound = w->options.compression == FM_COMPRESSION_ZSTD  ? ZSTD_compressBound(from->size)
                   : w->options.compression == FM_COMPRESSION_LZ4 ? LZ4F_compressFrameBound(from->size, &lz4)
                                                                  : from->size;
    size_t before = to->size, size = from->size;
    uint8_t *out = fm_byte_run_extend(to, bound);
    if (!out)
        return fm_mcap_remember(w, FM_ERR_MEMORY, "out of memory for a chunk", error);
    if (w->options.compression == FM_COMPRESSION_ZSTD) {
        int level = w->options.level != 0 ? w->options.level : 1;
        size = ZSTD_compressCCtx(w->zstd, out, bound, from->data, from->size, level);
        if (ZSTD_isError(size))
            return fm_mcap_remember(w, FM_ERR_LIBRARY, ZSTD_getErrorName(size), error);
    } else if (w->options.compression == FM_COMPRESSION_LZ4) {
        size = LZ4F_compressFrame(out, bound, from->data, from->size, &lz4);
        if (LZ4F_isError(size))
            return fm_mcap_remember(w, FM_ERR_LIBRARY, LZ4F_getErrorName(size), error);
    } else {
        memcpy(out, from->data, from->size);
    }
    to->size = before + size;
    return FM_OK;
}

/* Writes the chunk record into w->packed. *packed_size is the compressed size. */
static fm_status pack_chunk(fm_mcap_writer *w, uint64_t *packed_size, fm_error *error)
{
    fm_byte_run *b = &w->packed;
    b->size = 0;
    fm_byte_run_put_u8(b, FM_MCAP_CHUNK);
    fm_byte_run_put_u64(b, 0);
    fm_byte_run_put_u64(b, w->chunk_start);
    fm_byte_run_put_u64(b, w->chunk_end);
    fm_byte_run_put_u64(b, w->chunk.size);
    fm_byte_run_put_u32(b, crc32_z(0, w->chunk.data, w->chunk.size));
    fm_byte_run_put_text(b, compression_name(w->options.compression));
    size_t at = b->size;
    fm_byte_run_put_u64(b, 0);
    fm_status status = compress_chunk(w, b, error);
    if (status != FM_OK)
        return status;
    *packed_size = b->size - at - 8;
    memcpy(b->data + at, packed_size, 8);
    fm_mcap_end_record(b, 0);
    return FM_OK;
}

/* Appends the message indexes to the chunk in w->packed, and the chunk's entry to the summary. */
static void index_chunk(fm_mcap_writer *w, uint64_t packed_size)
{
    fm_byte_run *b = &w->packed, *x = &w->chunk_indexes;
    uint64_t chunk_length = b->size, offsets = 0;
    for (size_t i = 0; i < w->channel_count; i++)
        offsets += w->channels[i].count > 0 ? 10 : 0;
    size_t start = x->size;
    fm_byte_run_put_u8(x, FM_MCAP_CHUNK_INDEX);
    fm_byte_run_put_u64(x, 0);
    fm_byte_run_put_u64(x, w->chunk_start);
    fm_byte_run_put_u64(x, w->chunk_end);
    fm_byte_run_put_u64(x, w->position);
    fm_byte_run_put_u64(x, chunk_length);
    fm_byte_run_put_u32(x, offsets);
    for (size_t i = 0; i < w->channel_count; i++) {
        fm_channel_count *c = &w->channels[i];
        if (c->count == 0)
            continue;
        fm_byte_run_put_u16(x, (unsigned)i + 1);
        fm_byte_run_put_u64(x, w->position + b->size);
        size_t record = b->size;
        fm_byte_run_put_u8(b, FM_MCAP_MESSAGE_INDEX);
        fm_byte_run_put_u64(b, 0);
        fm_byte_run_put_u16(b, (unsigned)i + 1);
        fm_byte_run_put_u32(b, c->count * 16);
        fm_byte_run_put(b, c->entries, c->count * 16);
        fm_mcap_end_record(b, record);
    }
    fm_byte_run_put_u64(x, b->size - chunk_length);
    fm_byte_run_put_text(x, compression_name(w->options.compression));
    fm_byte_run_put_u64(x, packed_size);
    fm_byte_run_put_u64(x, w->chunk.size);
    fm_mcap_end_record(x, start);
}

/* Counts the chunk's messages as written or as lost, and empties the chunk. */
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
        fm_channel_count *c = &w->channels[i];
        c->messages += written ? c->count : 0;
        if (c->count == 0 && c->capacity > 0) { /* the vehicle has left: its memory is released for others */
            fm_free(c->entries);
            c->entries = NULL;
            c->capacity = 0;
        }
        c->count = 0;
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
        status = fm_mcap_put(w, &w->packed, error);
    }
    if (status == FM_OK)
        fm_mcap_spill(w);
    else
        w->chunk_indexes.size = summary;
    settle_chunk(w, status == FM_OK);
    w->packed.failed = 0;
    return status;
}

static int add_entry(fm_channel_count *c, uint64_t time, uint64_t offset)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity * 2 + 64;
        fm_index_entry *entries = fm_realloc(c->entries, capacity * sizeof *entries);
        if (!entries)
            return 0;
        c->entries = entries;
        c->capacity = capacity;
    }
    c->entries[c->count++] = (fm_index_entry){time, offset};
    return 1;
}

/* Whether to close the open chunk, whose first message is `age` ns old. */
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
    if (channel == 0 || channel > w->channel_count) {
        w->lost++;
        return fm_mcap_remember(w, FM_ERR_ARGUMENT, "a message of a channel that was not added", error);
    }
    if (w->chunk_messages > 0 && is_full(w, time - w->chunk_start))
        status = fm_mcap_flush(w, error);
    uint64_t offset = w->chunk.size;
    uint8_t *to = fm_byte_run_extend(&w->chunk, FM_MCAP_RECORD_HEAD + 22 + size);
    if (!to || !add_entry(&w->channels[channel - 1], time, offset)) {
        w->chunk.size = offset;
        w->chunk.failed = 0;
        w->lost++;
        return fm_mcap_remember(w, FM_ERR_MEMORY, "out of memory for a message", error);
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

fm_status fm_mcap_close(fm_mcap_writer *w, fm_error *error)
{
    fm_error ignored;
    fm_mcap_flush(w, &ignored); /* a failure is in first_error */
    uint32_t crc = w->crc;
    fm_byte_run_put_u32(begin_record(w, FM_MCAP_DATA_END), crc);
    if (write_record(w, &ignored) == FM_OK)
        fm_mcap_write_summary(w, &ignored);
    if (close(w->file) != 0)
        fm_mcap_remember(w, FM_ERR_FILE, strerror(errno), NULL);
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
