/* The clock of the program; the library reads none. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

#include <time.h>

/* s, monotonic; as fm_run_clock wants it. */
static inline double cli_clock(void *unused)
{
    (void)unused;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
