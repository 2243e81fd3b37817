/* Inside of the MCAP reader: shared by mcap_reader.c (the file) and mcap_cursor.c (its messages). */
#ifndef FM_TELEMETRY_MCAP_INTERNAL_H
#define FM_TELEMETRY_MCAP_INTERNAL_H

#include "base/memory.h"
#include "telemetry/mcap_reader.h"

/* A chunk of the file, or a run of messages outside of chunks. */
typedef struct fm_chunk_ref {
    uint64_t start, end;    /* ns */
    uint64_t offset, size;  /* of the chunk record (or of the run) in the file */
    const uint8_t *indexed; /* the channels in it: pairs of u16 id, u64 offset; NULL when not known */
    size_t indexed_size;
    int bare; /* a run of message records */
} fm_chunk_ref;

struct fm_mcap_reader {
    const uint8_t *data;
    size_t size;
    int mapped;
    uint64_t device, inode; /* of the file; 0: in memory */
    int starved;            /* memory was missing: what seems malformed may be whole */
    char path[256];
    fm_mcap_info info;
    fm_mcap_schema *schemas;
    fm_mcap_channel *channels;
    uint16_t *channel_schema; /* schema id by channel index */
    fm_chunk_ref *chunks;
    fm_mcap_record *metadata, *attachments;
    size_t schema_count, channel_count, chunk_count, metadata_count, attachment_count;
    size_t schema_room, channel_room, channel_schema_room, chunk_room, metadata_room, attachment_room;
    uint16_t schema_at[65536], channel_at[65536]; /* index + 1 by id; 0: none */
    const fm_message **types;                     /* parsed schema by channel index */
    uint32_t data_crc;                            /* of the data end record */
    uint64_t data_end;                            /* its offset; 0: none seen */
    fm_arena arena;
};

/* Reading a body field by field; `bad` once something lies outside of it. */
typedef struct fm_byte_view {
    const uint8_t *data;
    size_t size, at;
    int bad;
} fm_byte_view;

const uint8_t *fm_byte_view_take(fm_byte_view *view, uint64_t size); /* NULL when bad */
uint16_t fm_byte_view_u16(fm_byte_view *view);
uint32_t fm_byte_view_u32(fm_byte_view *view);
uint64_t fm_byte_view_u64(fm_byte_view *view);

/* A chunk's records: in the file when it is not compressed, else in `buffer`, which grows. */
typedef struct fm_chunk_data {
    const uint8_t *data;
    size_t size;
    uint64_t packed;
    const char *compression;
    uint8_t *buffer;
    size_t room;
} fm_chunk_data;

/* Bytes that messages of a log may take in memory at once, unpacked and listed: 48 MiB + 16 times the file, 1 GiB at
 * most. So a small file that was made to unpack into much does no harm. A chunk that says that it unpacks to more, or
 * to over 1 MiB + 4096 times its bytes, is refused. */
static inline uint64_t fm_mcap_budget(const fm_mcap_reader *reader)
{
    const uint64_t most = (uint64_t)1 << 30, budget = ((uint64_t)48 << 20) + 16 * (uint64_t)reader->size;
    return budget < most ? budget : most;
}

fm_status fm_chunk_load(const fm_mcap_reader *reader, const fm_chunk_ref *ref, fm_chunk_data *chunk, fm_error *error);

/* One record at *at within data; 0 when it is not whole. Moves *at behind it. */
int fm_mcap_record_next(const uint8_t *data, size_t size, uint64_t *at, uint8_t *op, fm_byte_view *body);

#endif
