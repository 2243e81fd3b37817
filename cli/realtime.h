/* Runs in step with the clock: their priority, and how punctual they were. */
#ifndef CLI_REALTIME_H
#define CLI_REALTIME_H

#include <fathom/run.h>
#include <stdint.h>

#define CLI_PRIORITY_OPTION(type, member)                                                                              \
    {                                                                                                                  \
        "priority", CLI_FIELD(type, member),                                                                           \
            .value = "N", .min = 1, .max = 99,                                                                         \
            .text = "real-time priority of the thread that steps (SCHED_FIFO), with "                                  \
                    "all memory locked; the thread that receives orders has one less; if the system does "             \
                    "not permit it, the command says so and continues without it"                                      \
    }

/* Makes the calling thread punctual; `priority` below 1: without real-time scheduling. */
void cli_realtime_begin(const char *command, int64_t priority);
/* Prints the distribution of delays to standard error; nothing where none was measured. */
void cli_realtime_print(const char *command, const fm_run_counts *counts);

#endif
