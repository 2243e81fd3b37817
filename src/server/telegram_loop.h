/* The telemetry loop: a vehicle's own software sends its record with its orders and its elapsed time; the simulation
 * advances to that time, fills in the sensors that the record lacks, and returns it (Fig. 6.5 of the dissertation).
 * Through UDP from this computer, on a thread of its own next to the run. */
#ifndef FM_SERVER_TELEGRAM_LOOP_H
#define FM_SERVER_TELEGRAM_LOOP_H

#include <fathom/run.h>

#include "server/telegram.h"

typedef struct fm_telegram_loop_options {
    fm_telegram_form form;
    const char *vehicle; /* NULL: the first */
    int port;            /* of 127.0.0.1; 0: any that is free */
} fm_telegram_loop_options;

/* From now on the run steps only when records arrive. *port, if given: the port in use. */
fm_status fm_run_loop(fm_run *run, const fm_telegram_loop_options *options, int *port, fm_error *error);

#endif
