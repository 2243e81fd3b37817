/* Logs: MCAP files that contain all messages of a run and everything needed to repeat it (docs/telemetry.md). */
#ifndef FATHOM_LOG_H
#define FATHOM_LOG_H

#include <fathom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Compression of a log. */
typedef enum fm_compression { FM_COMPRESSION_ZSTD, FM_COMPRESSION_LZ4, FM_COMPRESSION_NONE } fm_compression;

/* The outcome of a recording, filled in when the run finishes. */
typedef struct fm_log_result {
    fm_error error;   /* status FM_OK: no error */
    uint64_t written; /* messages in the file */
    uint64_t dropped; /* messages that missed their deadline */
    uint64_t lost;    /* messages that could not be written to disk */
} fm_log_result;

/* How to record; zero-initialise for the defaults. Read only during fm_run_record, except `result`, `trouble` and
 * `user`. */
typedef struct fm_log_options {
    fm_compression compression;
    double chunk; /* s of log time per chunk: the most that a killed program loses. 0: 1 s, or up to 30 s while a chunk
                     is under 64 KB */
    double rate;  /* maximum samples per second of each vehicle and instrument; 0: every step and sample */
    fm_sink_delivery delivery; /* FM_SINK_PACED: complete in an unpaced run, never delays a paced one */
    fm_log_result *result;     /* NULL, or where to write the outcome; must live until the run has finished */
    /* NULL, or called once, by the stepping thread, when a message cannot be written for the first time (disk full). An
     * unpaced run fails then; a paced run continues, and later messages are tried again. */
    void (*trouble)(void *user, const fm_error *error);
    void *user;
} fm_log_options;

/* Records a run to a file, starting with its present state. Call it before the first step: a log that begins later
 * cannot be replayed. Stepping thread. The run closes the file when it finishes. */
FM_API fm_status fm_run_record(fm_run *run, const char *path, const fm_log_options *options, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
