/* A place for the doors of a run without a server: a thread with a libuv loop. */
#ifndef FM_SERVER_BESIDE_H
#define FM_SERVER_BESIDE_H

#include "server/door.h"

typedef struct fm_beside fm_beside;

/* Zero-initialise for the defaults. */
typedef struct fm_beside_options {
    fm_run_pace pace;                           /* of the run as it was created */
    void (*tell)(void *user, const char *text); /* the loop's thread */
    void *user;
} fm_beside_options;

/* Doors are added to its place, then it is started. The stepping thread does all of this; the run must outlive it. */
fm_beside *fm_beside_create(fm_run *run, const fm_beside_options *options, fm_error *error);
fm_place *fm_beside_place(fm_beside *beside);
/* Opens the doors, attaches itself to the run and starts the loop. Call before the first step. */
fm_status fm_beside_start(fm_beside *beside, fm_error *error);
/* After fm_run_finish. */
void fm_beside_free(fm_beside *beside);

#endif
