/* Writes MCAP files: chunks with indexes and CRCs, then a summary. A finished chunk is written at once, so that a
 * killed program loses only the open chunk. The same calls produce the same bytes. */
#ifndef FM_TELEMETRY_MCAP_WRITER_H
#define FM_TELEMETRY_MCAP_WRITER_H

#include <stddef.h>

#include "base/error.h"
#include "telemetry/mcap.h"

typedef struct fm_mcap_options {
    fm_compression compression;
    int level;           /* of zstd; 0: its default */
    uint64_t chunk_time; /* ns of log time after which a chunk is closed; 0: 1 s, up to 30 s while it is small */
    size_t chunk_bytes;  /* uncompressed bytes after which a chunk is closed; 0: 1 MB */
    const char *profile; /* "ros2" when NULL */
    const char *library; /* "fathom" when NULL */
} fm_mcap_options;

typedef struct fm_mcap_writer fm_mcap_writer;

/* Creates or truncates the file and writes its header. The file is locked while it is written: a second writer is
 * refused. */
fm_status fm_mcap_create(const char *path, const fm_mcap_options *options, fm_mcap_writer **writer, fm_error *error);

/* Ids count from 1. Both may be added at any time before the first message that needs them. */
fm_status fm_mcap_add_schema(fm_mcap_writer *writer, const char *name, const char *encoding, const void *data,
                             size_t size, uint16_t *id, fm_error *error);
fm_status fm_mcap_add_channel(fm_mcap_writer *writer, uint16_t schema, const char *topic, const char *encoding,
                              const fm_mcap_pair *metadata, size_t count, uint16_t *id, fm_error *error);

/* A message of a channel that was not added is counted as lost. */
fm_status fm_mcap_write(fm_mcap_writer *writer, uint16_t channel, uint32_t sequence, uint64_t time, const void *data,
                        size_t size, fm_error *error);

/* Named texts (scenario, seed, version …) and files (models used). */
fm_status fm_mcap_metadata(fm_mcap_writer *writer, const char *name, const fm_mcap_pair *pairs, size_t count,
                           fm_error *error);
fm_status fm_mcap_attach(fm_mcap_writer *writer, const char *name, const char *media_type, uint64_t time,
                         const void *data, size_t size, fm_error *error);

/* Closes the open chunk. If a chunk cannot be written (disk full), the file is restored to its previous end and the
 * chunk's messages are counted as lost; later chunks are tried again. */
fm_status fm_mcap_flush(fm_mcap_writer *writer, fm_error *error);

/* The first failure; status FM_OK: none. */
const fm_error *fm_mcap_failure(const fm_mcap_writer *writer);
uint64_t fm_mcap_lost(const fm_mcap_writer *writer);
uint64_t fm_mcap_written(const fm_mcap_writer *writer); /* messages in finished chunks */

/* Writes the summary, closes the file and frees the writer. Fails if anything could not be written. */
fm_status fm_mcap_close(fm_mcap_writer *writer, fm_error *error);

#endif
