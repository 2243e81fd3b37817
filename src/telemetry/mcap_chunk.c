/* Unpacks the chunks of an MCAP file and checks every length and CRC in them. */
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

/* Fields of a chunk record's head. */
typedef struct chunk_head {
    uint64_t size, packed, at; /* uncompressed and compressed size; file offset of the compressed data */
    uint32_t crc;
    const char *compression;
} chunk_head;

enum { HEAD_MOST = FM_MCAP_RECORD_HEAD + 16 + 8 + 4 + 4 + 4 + 8 }; /* with the longest name of a compression */

static fm_status read_head(const fm_mcap_reader *r, const fm_chunk_ref *ref, fm_mcap_window *window, chunk_head *head,
                           fm_error *error)
{
    const uint8_t *bytes;
    uint64_t room = r->size - ref->offset, length;
    fm_status status = fm_mcap_fetch(r, ref->offset, room < HEAD_MOST ? room : HEAD_MOST, window, &bytes, error);
    if (status != FM_OK)
        return status;
    if (room < FM_MCAP_RECORD_HEAD || bytes[0] != FM_MCAP_CHUNK)
        return refuse(r, ref, "no chunk", error);
    memcpy(&length, bytes + 1, 8);
    if (length > room - FM_MCAP_RECORD_HEAD)
        return refuse(r, ref, "no chunk", error);
    size_t known = (size_t)(room < HEAD_MOST ? room : HEAD_MOST) - FM_MCAP_RECORD_HEAD;
    fm_byte_view body = {bytes + FM_MCAP_RECORD_HEAD, length < known ? (size_t)length : known, 0, 0};
    fm_byte_view_take(&body, 16); /* start and end time */
    head->size = fm_byte_view_u64(&body);
    head->crc = fm_byte_view_u32(&body);
    uint32_t name = fm_byte_view_u32(&body);
    if (!body.bad && name > 4)
        return refuse(r, ref, "its compression is none of lz4, zstd, none", error);
    head->compression = name_compression(fm_byte_view_take(&body, name), name);
    head->packed = fm_byte_view_u64(&body);
    head->at = ref->offset + FM_MCAP_RECORD_HEAD + body.at;
    if (body.bad || head->packed > length - body.at)
        return refuse(r, ref, "a length in its head is wrong", error);
    return head->compression ? FM_OK : refuse(r, ref, "its compression is none of lz4, zstd, none", error);
}

static fm_status unpack_chunk(const fm_mcap_reader *r, const fm_chunk_ref *ref, const chunk_head *head,
                              fm_chunk_data *chunk, fm_mcap_window *packed, fm_error *error)
{
    const uint8_t *from;
    fm_status status = fm_mcap_fetch(r, head->at, head->packed, packed, &from, error);
    if (status != FM_OK)
        return status;
    unpacked done = make_room(chunk, (size_t)head->size + 1)
                        ? unpack(head->compression, from, (size_t)head->packed, chunk->buffer, (size_t)head->size)
                        : STARVED;
    if (done == STARVED)
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory for a chunk of %llu bytes", r->path,
                       (unsigned long long)head->size);
    chunk->data = chunk->buffer;
    return done == UNPACKED ? FM_OK : refuse(r, ref, "it cannot be decompressed", error);
}

static fm_status load_run(const fm_mcap_reader *r, const fm_chunk_ref *ref, fm_chunk_data *chunk, fm_error *error)
{
    chunk->size = (size_t)ref->size;
    chunk->packed = ref->size;
    chunk->compression = "";
    return fm_mcap_fetch(r, ref->offset, ref->size, &chunk->plain, &chunk->data, error);
}

fm_status fm_chunk_load(const fm_mcap_reader *r, const fm_chunk_ref *ref, fm_chunk_data *chunk, fm_mcap_window *packed,
                        fm_error *error)
{
    chunk_head head = {0};
    if (ref->bare)
        return load_run(r, ref, chunk, error);
    fm_status status = read_head(r, ref, packed, &head, error);
    if (status != FM_OK)
        return status;
    if (head.size > fm_mcap_message_budget(r) || head.size > ((uint64_t)1 << 20) + 4096 * head.packed)
        return refuse(r, ref, "it unpacks to over 48 MiB and 16 times the file, or 4096 times its size", error);
    chunk->size = (size_t)head.size;
    chunk->packed = head.packed;
    chunk->compression = head.compression;
    if (head.compression[0] == 0 && head.packed != head.size)
        return refuse(r, ref, "two sizes of an uncompressed chunk differ", error);
    status = head.compression[0] ? unpack_chunk(r, ref, &head, chunk, packed, error)
                                 : fm_mcap_fetch(r, head.at, head.packed, &chunk->plain, &chunk->data, error);
    if (status == FM_OK && head.crc != 0 && crc32_z(0, chunk->data, chunk->size) != head.crc)
        return refuse(r, ref, "its CRC does not fit its bytes", error);
    return status;
}

void fm_chunk_free(fm_chunk_data *chunk)
{
    fm_free(chunk->buffer);
    fm_free(chunk->plain.buffer);
}
