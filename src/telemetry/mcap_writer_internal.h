/* Internals of the MCAP writer: shared by mcap_writer.c (the data) and mcap_summary.c (the summary after it). */
#ifndef FM_TELEMETRY_MCAP_WRITER_INTERNAL_H
#define FM_TELEMETRY_MCAP_WRITER_INTERNAL_H

#include <limits.h>
#include <zstd.h>

#include "telemetry/byte_run.h"
#include "telemetry/mcap_writer.h"

typedef struct fm_index_entry {
    uint64_t time, offset;
} fm_index_entry;

/* State of a channel: its message count, and the positions of its messages in the open chunk. */
typedef struct fm_channel_count {
    uint64_t messages;
    fm_index_entry *entries;
    size_t count, capacity;
} fm_channel_count;

/* The first chunk indexes of the summary are spilled to an unnamed file, so that memory does not grow with the log. */
typedef struct fm_index_file {
    char beside[PATH_MAX]; /* the log: the spill file is created in its folder; "": a device, everything stays in
                            * memory */
    int file;              /* -1: there is none yet */
    uint64_t size;
} fm_index_file;

struct fm_mcap_writer {
    int file;
    char path[256];
    fm_mcap_options options;
    uint64_t patience;  /* ns after which a chunk is closed, however small */
    uint64_t position;  /* bytes in the file */
    uint32_t crc;       /* of all of them; then of those of the summary */
    fm_byte_run record; /* scratch for one record */
    fm_byte_run chunk;  /* records of the open chunk */
    fm_byte_run packed;
    uint64_t chunk_start, chunk_end, chunk_messages;
    fm_channel_count *channels; /* by id - 1 */
    size_t channel_count, schema_count;
    fm_byte_run schema_records, channel_records, chunk_indexes, attachment_indexes, metadata_indexes; /* the summary */
    fm_index_file spilt; /* chunk_indexes before those */
    uint32_t chunks, attachments, metadata;
    uint64_t messages, lost, start, end;
    ZSTD_CCtx *zstd;
    fm_error first_error;
};

/* --- mcap_writer.c --- */

/* Records and reports a failure. */
fm_status fm_mcap_remember(fm_mcap_writer *w, fm_status status, const char *what, fm_error *error);
/* All or nothing: after a failure the file keeps its previous length. */
fm_status fm_mcap_put(fm_mcap_writer *w, const fm_byte_run *bytes, fm_error *error);
void fm_mcap_take_back(fm_mcap_writer *w, uint64_t position); /* ends the file there */
void fm_mcap_end_record(fm_byte_run *bytes, size_t start);    /* fills in the length of the record at `start` */

/* --- mcap_summary.c --- */

void fm_mcap_spill_open(fm_mcap_writer *w, const char *path);
void fm_mcap_spill_close(fm_mcap_writer *w);
/* If many chunk indexes are in memory, moves them to the file. */
void fm_mcap_spill(fm_mcap_writer *w);
/* Writes the groups of summary records, their offsets, and the footer with the CRC over everything before it. */
fm_status fm_mcap_write_summary(fm_mcap_writer *w, fm_error *error);

#endif
