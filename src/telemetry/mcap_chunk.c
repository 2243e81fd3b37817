/* Unpacking the chunks of an MCAP file, with every claim in them checked. */
#include <lz4frame.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "telemetry/mcap_internal.h"

const uint8_t *fm_byte_view_take(fm_byte_view *view, uint64_t size)
{
    if (view->bad || size > view->size - view->at) {
        view->bad = 1;
        return NULL;
    }
    view->at += (size_t)size;
    return view->data + view->at - size;
}

uint16_t fm_byte_view_u16(fm_byte_view *view)
{
    uint16_t value = 0;
    const uint8_t *from = fm_byte_view_take(view, 2);
    if (from)
        memcpy(&value, from, 2);
    return value;
}

uint32_t fm_byte_view_u32(fm_byte_view *view)
{
    uint32_t value = 0;
    const uint8_t *from = fm_byte_view_take(view, 4);
    if (from)
        memcpy(&value, from, 4);
    return value;
}

uint64_t fm_byte_view_u64(fm_byte_view *view)
{
    uint64_t value = 0;
    const uint8_t *from = fm_byte_view_take(view, 8);
    if (from)
        memcpy(&value, from, 8);
    return value;
}

int fm_mcap_record_next(const uint8_t *data, size_t size, uint64_t *at, uint8_t *op, fm_byte_view *body)
{
    uint64_t length;
    if (*at > size || size - *at < FM_MCAP_RECORD_HEAD)
        return 0;
    *op = data[*at];
    memcpy(&length, data + *at + 1, 8);
    if (length > size - *at - FM_MCAP_RECORD_HEAD)
        return 0;
    *body = (fm_byte_view){data + *at + FM_MCAP_RECORD_HEAD, (size_t)length, 0, 0};
    *at += FM_MCAP_RECORD_HEAD + length;
    return 1;
}

static fm_status refuse(const fm_mcap_reader *r, const fm_chunk_ref *ref, const char *what, fm_error *error)
{
    return fm_fail(error, FM_ERR_SYNTAX, "%s: chunk at byte %llu: %s", r->path, (unsigned long long)ref->offset, what);
}

/* What came of unpacking. */
typedef enum unpacked { UNPACKED, DAMAGED, STARVED } unpacked;

static unpacked unpack_lz4(const uint8_t *from, size_t packed, uint8_t *to, size_t size)
{
    LZ4F_dctx *context = NULL;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return STARVED;
    size_t in = 0, out = 0, hint = 1;
    while (hint != 0 && in < packed) {
        size_t got = size - out, taken = packed - in;
        hint = LZ4F_decompress(context, to + out, &got, from + in, &taken, NULL);
        if (LZ4F_isError(hint) || (got == 0 && taken == 0))
            break;
        in += taken;
        out += got;
    }
    LZ4F_freeDecompressionContext(context);
    return hint == 0 && out == size && in == packed ? UNPACKED : DAMAGED;
}

static unpacked unpack(const char *compression, const uint8_t *from, size_t packed, uint8_t *to, size_t size)
{
    if (strcmp(compression, "lz4") == 0)
        return unpack_lz4(from, packed, to, size);
    size_t got = ZSTD_decompress(to, size, from, packed);
    if (ZSTD_isError(got) && ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        return STARVED;
    return !ZSTD_isError(got) && got == size ? UNPACKED : DAMAGED;
}

static int make_room(fm_chunk_data *chunk, size_t size)
{
    if (size <= chunk->room)
        return 1;
    uint8_t *buffer = fm_realloc(chunk->buffer, size);
    if (!buffer)
        return 0;
    chunk->buffer = buffer;
    chunk->room = size;
    return 1;
}

static const char *name_compression(const uint8_t *text, size_t length)
{
    if (length == 0)
        return "";
    if (text && length == 3 && memcmp(text, "lz4", 3) == 0)
        return "lz4";
    return text && length == 4 && memcmp(text, "zstd", 4) == 0 ? "zstd" : NULL;
}

static fm_status load_record(const fm_mcap_reader *r, const fm_chunk_ref *ref, fm_byte_view *body, fm_chunk_data *chunk,
                             fm_error *error)
{
    fm_byte_view_take(body, 16); /* start and end time */
    uint64_t size = fm_byte_view_u64(body);
    uint32_t crc = fm_byte_view_u32(body), length = fm_byte_view_u32(body);
    const char *compression = name_compression(fm_byte_view_take(body, length), length);
    uint64_t packed = fm_byte_view_u64(body);
    const uint8_t *from = fm_byte_view_take(body, packed);
    if (body->bad)
        return refuse(r, ref, "a length in its head is wrong", error);
    if (!compression)
        return refuse(r, ref, "its compression is none of lz4, zstd, none", error);
    if (size > fm_mcap_budget(r) || size > ((uint64_t)1 << 20) + 4096 * packed)
        return refuse(r, ref, "it unpacks to over 48 MiB and 16 times the file, or 4096 times its size", error);
    chunk->data = from;
    chunk->size = (size_t)size;
    chunk->packed = packed;
    chunk->compression = compression;
    if (compression[0] == 0 && packed != size)
        return refuse(r, ref, "two sizes of an uncompressed chunk differ", error);
    if (compression[0] != 0) {
        unpacked done = make_room(chunk, (size_t)size + 1)
                            ? unpack(compression, from, (size_t)packed, chunk->buffer, (size_t)size)
                            : STARVED;
        if (done == STARVED)
            return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory for a chunk of %llu bytes", r->path,
                           (unsigned long long)size);
        if (done == DAMAGED)
            return refuse(r, ref, "it cannot be decompressed", error);
        chunk->data = chunk->buffer;
    }
    if (crc != 0 && crc32_z(0, chunk->data, chunk->size) != crc)
        return refuse(r, ref, "its CRC does not fit its bytes", error);
    return FM_OK;
}

fm_status fm_chunk_load(const fm_mcap_reader *r, const fm_chunk_ref *ref, fm_chunk_data *chunk, fm_error *error)
{
    uint64_t at = ref->offset;
    uint8_t op;
    fm_byte_view body;
    if (ref->bare) {
        chunk->data = r->data + ref->offset;
        chunk->size = (size_t)ref->size;
        chunk->packed = ref->size;
        chunk->compression = "";
        return FM_OK;
    }
    if (!fm_mcap_record_next(r->data, r->size, &at, &op, &body) || op != FM_MCAP_CHUNK)
        return refuse(r, ref, "there is no chunk", error);
    return load_record(r, ref, &body, chunk, error);
}
