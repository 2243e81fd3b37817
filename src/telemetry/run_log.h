/* The log of a run: the world's channels, a recorder, and everything that is needed to repeat the run. */
#ifndef FM_TELEMETRY_RUN_LOG_H
#define FM_TELEMETRY_RUN_LOG_H

#include "telemetry/recorder.h"
#include "telemetry/world_channels.h"

typedef struct fm_run_log_options {
    const char *path;
    fm_compression compression;
    double chunk;    /* s of log time in a chunk; 0: 1 s */
    double rate;     /* samples per second; 0: every vehicle step */
    int wait;        /* fast runs: wait for the recorder, so that the log is complete; otherwise drop and count */
    double duration; /* s, as asked for */
    uint64_t seed;   /* of the world */
    const char *const *set; /* "PATH=VALUE" */
    size_t set_count;
} fm_run_log_options;

typedef struct fm_run_log fm_run_log;

/* Before the first step. Files that the model was loaded from are attached. */
fm_status fm_run_log_open(const fm_world *world, const fm_run_log_options *options, fm_run_log **log, fm_error *error);
/* After each step; waits for room where the options say so. FM_ERR_FILE when the recorder is gone. */
void fm_run_log_step(fm_run_log *log, const fm_world *world);
/* Last samples, metrics and `ending` ("finished", "interrupted", or what went wrong) as metadata "result". */
fm_status fm_run_log_close(fm_run_log *log, const fm_world *world, const char *ending, fm_recorder_result *result,
                           fm_error *error);

fm_channels *fm_run_log_channels(fm_run_log *log);

#endif
