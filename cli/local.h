/* The local interfaces of a run: shared memory without a server, loops with a vehicle's own software. */
#ifndef CLI_LOCAL_H
#define CLI_LOCAL_H

#include <fathom/run.h>

typedef struct cli_local {
    const char *shared;          /* name of the instance; NULL: none */
    int64_t telemetry, hardware; /* ports of loops; -1: none */
} cli_local;

/* Attaches the requested interfaces; prints errors and returns 0 on failure. */
int cli_local_attach(const char *command, fm_run *run, const cli_local *local);

#endif
