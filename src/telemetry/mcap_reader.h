/* Reads MCAP files for replay, export and plotting. Checks every length, offset and CRC. A file without a valid summary
 * (killed program, full disk) is read from its start up to the last complete chunk, with a warning. If a file shrinks
 * or changes while it is open, the call that reads the affected part fails. */
#ifndef FM_TELEMETRY_MCAP_READER_H
#define FM_TELEMETRY_MCAP_READER_H

#include <stddef.h>

#include "base/error.h"
#include "telemetry/mcap.h"
#include "telemetry/message.h"

typedef struct fm_mcap_schema {
    uint16_t id;
    const char *name, *encoding;
    const char *data;
    size_t size;
} fm_mcap_schema;

typedef struct fm_mcap_channel {
    uint16_t id;
    const char *topic, *encoding;
    const fm_mcap_schema *schema; /* NULL when it has none */
    const fm_mcap_pair *metadata;
    size_t metadata_count;
    uint64_t messages; /* from the statistics, or counted while recovering */
} fm_mcap_channel;

typedef struct fm_mcap_record { /* a metadata record or an attachment */
    const char *name;
    const char *media_type;    /* of an attachment */
    const fm_mcap_pair *pairs; /* of metadata */
    size_t pair_count;
    uint64_t offset; /* of an attachment's bytes in the file: fm_mcap_attachment_read */
    size_t size;
    int crc_fails; /* the attachment's bytes differ from those that were written */
} fm_mcap_record;

typedef struct fm_mcap_info {
    const char *profile, *library;
    uint64_t file_size, messages, start, end; /* bytes; ns */
    size_t chunk_count;
    uint64_t chunk_bytes, chunk_packed; /* of all chunks, before and after compression */
    const char *compression;            /* of the first chunk; "" for none */
    int recovered;                      /* the file had no good summary */
    const char *warning;                /* the reason, and what was left out; "" for none */
} fm_mcap_info;

typedef struct fm_mcap_reader fm_mcap_reader;

fm_status fm_mcap_open(const char *path, fm_mcap_reader **reader, fm_error *error);
/* The bytes must not change during the life of the reader. */
fm_status fm_mcap_open_memory(const void *data, size_t size, fm_mcap_reader **reader, fm_error *error);
void fm_mcap_reader_close(fm_mcap_reader *reader);

/* Whether this path, under any name, is the file being read. */
int fm_mcap_reads(const fm_mcap_reader *reader, const char *path);
const fm_mcap_info *fm_mcap_get_info(const fm_mcap_reader *reader);
size_t fm_mcap_channel_count(const fm_mcap_reader *reader);
size_t fm_mcap_channel_ids(const fm_mcap_reader *reader); /* size of a table indexed by id: the largest id + 1 */
const fm_mcap_channel *fm_mcap_channel_at(const fm_mcap_reader *reader, size_t index);
const fm_mcap_channel *fm_mcap_find_channel(const fm_mcap_reader *reader, const char *topic); /* NULL: none */
size_t fm_mcap_metadata_count(const fm_mcap_reader *reader);
const fm_mcap_record *fm_mcap_metadata_at(const fm_mcap_reader *reader, size_t index);
size_t fm_mcap_attachment_count(const fm_mcap_reader *reader);
const fm_mcap_record *fm_mcap_attachment_at(const fm_mcap_reader *reader, size_t index);
/* The bytes of an attachment, with a NUL after them; free with fm_free. */
fm_status fm_mcap_attachment_read(const fm_mcap_reader *reader, size_t index, void **data, fm_error *error);
/* A value of the metadata; NULL if it does not exist. */
const char *fm_mcap_get_metadata(const fm_mcap_reader *reader, const char *name, const char *key);

/* The descriptor of a channel's messages, from the schema in the file. FM_ERR_MISSING if the channel is not CDR with a
 * ros2msg schema. Lives as long as the reader. */
fm_status fm_mcap_channel_type(fm_mcap_reader *reader, const fm_mcap_channel *channel, const fm_message **type,
                               fm_error *error);

typedef struct fm_mcap_message {
    uint16_t channel; /* id */
    uint32_t sequence;
    uint64_t time, publish_time; /* ns */
    const uint8_t *data;         /* until the next call */
    size_t size;
} fm_mcap_message;

typedef struct fm_mcap_query {
    const fm_mcap_channel *channel; /* NULL: all */
    uint64_t start, end;            /* ns, both included; end 0: no limit */
} fm_mcap_query;

typedef struct fm_mcap_cursor fm_mcap_cursor;

/* Messages in order of time; messages of equal time in the order of the file. */
fm_status fm_mcap_query_open(fm_mcap_reader *reader, const fm_mcap_query *query, fm_mcap_cursor **cursor,
                             fm_error *error);
/* message->data is NULL after the last message. After a failure (a damaged chunk) the next call continues after it. */
fm_status fm_mcap_next(fm_mcap_cursor *cursor, fm_mcap_message *message, fm_error *error);
void fm_mcap_query_close(fm_mcap_cursor *cursor);

/* Checks the CRC of the whole data section; FM_OK also if the file has none. */
fm_status fm_mcap_check(fm_mcap_reader *reader, fm_error *error);

#endif
