/* Repeats the scenario of a log, with its seed and inputs, and compares every message with the recorded one. */
#ifndef FM_RUN_VERIFY_H
#define FM_RUN_VERIFY_H

#include <fathom/world.h>

#include "telemetry/mcap_reader.h"

typedef struct fm_verify_result {
    int same;
    uint64_t compared; /* messages */
    uint64_t missing;  /* messages of the run that are missing in the log (dropped, or after a kill) */
    uint64_t inputs;   /* that were given again */
    double time;       /* s, simulated */
    /* the first difference */
    uint64_t tick;
    char topic[128], field[160];
    char recorded[64], now[64];
} fm_verify_result;

/* What looks at the repeated run: before the first step and after each. */
typedef struct fm_verify_watch {
    void (*tick)(void *user, const fm_world *world);
    void *user;
} fm_verify_watch;
/* `world` is new, with the log's scenario and seed; watch NULL: none. FM_ERR_… only if the log cannot be read or an
 * input is refused; a world that stops with an error ends the comparison there. */
fm_status fm_log_repeat(fm_mcap_reader *reader, fm_world *world, const fm_verify_watch *watch, fm_verify_result *result,
                        fm_error *error);

#endif
