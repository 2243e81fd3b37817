/* A place for the doors of a run without a server: a thread with a libuv loop. */
#ifndef FM_SERVER_RUN_HOST_H
#define FM_SERVER_RUN_HOST_H

#include "server/door.h"

typedef struct fm_run_host fm_run_host;

/* Zero-initialise for the defaults. */
typedef struct fm_run_host_options {
    fm_run_pace pace;                           /* of the run as it was created */
    void (*tell)(void *user, const char *text); /* the loop's thread */
    void *user;
} fm_run_host_options;

/* Doors are added to its place, then it is started. The stepping thread does all of this; the run must outlive it. */
fm_run_host *fm_run_host_create(fm_run *run, const fm_run_host_options *options, fm_error *error);
fm_host *fm_run_host_base(fm_run_host *run_host);
/* Opens the doors, attaches itself to the run and starts the loop. Call before the first step. */
fm_status fm_run_host_start(fm_run_host *run_host, fm_error *error);
/* After fm_run_finish. */
void fm_run_host_free(fm_run_host *run_host);

#endif
