/* Inside the MCAP reader: its bytes (mcap_source.c), its records (mcap_records.c), a file without a summary
 * (mcap_recover.c), the file as a whole (mcap_reader.c), its chunks (mcap_chunk.c) and its messages (mcap_cursor.c). */
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

/* Bytes of a log, valid until the next call that uses this window. */
typedef struct fm_mcap_window {
    uint8_t *buffer; /* NULL where the log is in memory */
    size_t room;
    uint64_t at; /* first byte of the file in the buffer */
    size_t size; /* bytes of the file in the buffer */
} fm_mcap_window;

struct fm_mcap_reader {
    const uint8_t *memory; /* the log, where it is in memory */
    int file;              /* descriptor of the log; -1: it is in memory */
    uint64_t size;         /* bytes when it was opened */
    uint64_t device, inode;
    int starved;                    /* memory ran out: apparent damage may not be real */
    int crowded;                    /* index and metadata ask for more than fm_mcap_index_budget */
    uint64_t followed;              /* bytes of the records that the index points to */
    fm_mcap_window window, summary; /* for records one by one; the whole summary */
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
    const fm_message **types;                     /* parsed schema by schema index */
    uint32_t data_crc;                            /* of the data end record */
    uint64_t data_end;                            /* its offset; 0: none seen */
    fm_arena arena;
};

/* Reads a body field by field; sets `bad` when a field exceeds the body. */
typedef struct fm_byte_view {
    const uint8_t *data;
    size_t size, at;
    int bad;
} fm_byte_view;

const uint8_t *fm_byte_view_take(fm_byte_view *view, uint64_t size); /* NULL when bad */
uint16_t fm_byte_view_u16(fm_byte_view *view);
uint32_t fm_byte_view_u32(fm_byte_view *view);
uint64_t fm_byte_view_u64(fm_byte_view *view);

/* Records of a chunk: in `plain` if the chunk is not compressed, otherwise in `buffer`, which grows. */
typedef struct fm_chunk_data {
    const uint8_t *data;
    size_t size;
    uint64_t packed;
    const char *compression;
    uint8_t *buffer;
    size_t room;
    fm_mcap_window plain;
} fm_chunk_data;

/* Memory that a log may use: 48 MiB + 16 times the file size, at most 1 GiB. A small file crafted to claim or unpack a
 * large size is therefore harmless. Index, schemas and metadata may use half of it; messages, unpacked and listed, use
 * the rest. A chunk that claims to unpack to more than that, or to over 1 MiB + 4096 times its size, is refused. */
static inline uint64_t fm_mcap_budget(const fm_mcap_reader *reader)
{
    const uint64_t most = (uint64_t)1 << 30, plain = (uint64_t)48 << 20;
    return reader->size > (most - plain) / 16 ? most : plain + 16 * reader->size;
}

static inline uint64_t fm_mcap_index_budget(const fm_mcap_reader *reader)
{
    return fm_mcap_budget(reader) / 2;
}

uint64_t fm_mcap_held(const fm_mcap_reader *reader); /* bytes of index, schemas and metadata in memory */
/* What is left for messages. */
static inline uint64_t fm_mcap_message_budget(const fm_mcap_reader *reader)
{
    const uint64_t budget = fm_mcap_budget(reader), held = fm_mcap_held(reader);
    return held < budget ? budget - held : 0;
}

#define FM_MCAP_INDEX_TOO_MUCH "its index and metadata take over 24 MiB and 8 times the file"

/* --- bytes: mcap_source.c --- */

/* `size` bytes at `at`. A file is read with pread and never mapped: a file that shrinks is then an error (FM_ERR_FILE)
 * instead of a fault. FM_ERR_RANGE: the range is outside of the log. */
fm_status fm_mcap_fetch(const fm_mcap_reader *reader, uint64_t at, uint64_t size, fm_mcap_window *window,
                        const uint8_t **bytes, fm_error *error);
/* The CRC of `size` bytes at `at`. */
fm_status fm_mcap_crc(const fm_mcap_reader *reader, uint64_t at, uint64_t size, fm_mcap_window *window, uint32_t *crc,
                      fm_error *error);
/* Opcode and body length of the record at `at`; 0 if it is not complete before `end`. */
int fm_mcap_record_head(fm_mcap_reader *reader, uint64_t at, uint64_t end, uint8_t *op, uint64_t *length);
/* The record at *at in the reader's window; 0 if it is not complete. Moves *at to the next record. */
int fm_mcap_record_read(fm_mcap_reader *reader, uint64_t *at, uint8_t *op, fm_byte_view *body);
fm_status fm_mcap_source_open(fm_mcap_reader *reader, const char *path, fm_error *error);
void fm_mcap_source_close(fm_mcap_reader *reader);

/* --- records: mcap_records.c; each adds the contents of a body to the reader; 0: malformed or out of memory --- */

const char *fm_mcap_take_text(fm_mcap_reader *reader, fm_byte_view *view);
int fm_mcap_keep_schema(fm_mcap_reader *reader, fm_byte_view *body);
int fm_mcap_keep_channel(fm_mcap_reader *reader, fm_byte_view *body);
int fm_mcap_keep_chunk(fm_mcap_reader *reader, const fm_chunk_ref *ref);
int fm_mcap_keep_chunk_index(fm_mcap_reader *reader, fm_byte_view *body);
int fm_mcap_keep_metadata(fm_mcap_reader *reader, fm_byte_view *body);
int fm_mcap_keep_attachment(fm_mcap_reader *reader, uint64_t at, uint64_t length); /* of the body at byte `at` */
int fm_mcap_keep_statistics(fm_mcap_reader *reader, fm_byte_view *body);
void fm_mcap_forget(fm_mcap_reader *reader); /* all records */

/* --- the file: mcap_recover.c, mcap_reader.c, mcap_chunk.c --- */

/* Reads a file without a good summary from its start. */
fm_status fm_mcap_recover(fm_mcap_reader *reader, const char *reason, fm_error *error);
fm_status fm_mcap_read_head(fm_mcap_reader *reader, fm_error *error);
/* `packed` holds the compressed bytes while they are unpacked. */
fm_status fm_chunk_load(const fm_mcap_reader *reader, const fm_chunk_ref *ref, fm_chunk_data *chunk,
                        fm_mcap_window *packed, fm_error *error);
void fm_chunk_free(fm_chunk_data *chunk);

/* One record at *at within data; 0 if it is not complete. Moves *at to the next. */
int fm_mcap_record_next(const uint8_t *data, size_t size, uint64_t *at, uint8_t *op, fm_byte_view *body);

#endif
