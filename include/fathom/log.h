/* Logs: MCAP files that hold all messages of a run and everything that is needed to repeat it (docs/telemetry.md). */
#ifndef FATHOM_LOG_H
#define FATHOM_LOG_H

#include <fathom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fm_compression { FM_COMPRESSION_ZSTD, FM_COMPRESSION_LZ4, FM_COMPRESSION_NONE } fm_compression;

/* How it went, filled in when the run finishes. */
typedef struct fm_log_result {
    fm_error error;   /* status FM_OK: all is well */
    uint64_t written; /* messages in the file */
    uint64_t dropped; /* messages that did not reach the recorder in time */
    uint64_t lost;    /* messages that the disk refused */
} fm_log_result;

/* Zero-initialise for the defaults. */
typedef struct fm_log_options {
    size_t size; /* sizeof(fm_log_options); 0: the members of version 0.1 */
    fm_compression compression;
    double chunk;              /* s of log time in a chunk, which is what a killed program loses at most; 0: 1 s, or up
                                  to 30 s while that is little (under 64 KB) */
    double rate;               /* samples per second of each vehicle and instrument at most; 0: every step and sample */
    fm_sink_delivery delivery; /* FM_SINK_PACED: complete when the run goes as fast as it can, never in its way when it
                                  is paced */
    fm_log_result *result;     /* NULL, or where to tell; must live until the run has finished */
    /* NULL, or called once, by the stepping thread, when the first messages could not be written (disk full). A run
     * that goes as fast as it can fails then; one that is paced goes on, and later messages are tried again. */
    void (*trouble)(void *user, const fm_error *error);
    void *user;
} fm_log_options;

/* Records a run into a file, from its present state on; best before the first step, as a log that begins later cannot
 * be repeated. */
FM_API fm_status fm_run_record(fm_run *run, const char *path, const fm_log_options *options, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
