/* The clock of the program; the library reads none. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

#include <math.h>
#include <time.h>

/* s, monotonic; as fm_run_clock wants it. */
static inline double cli_clock(void *unused)
{
    (void)unused;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Until the clock shows this; a signal ends it early. */
static inline void cli_clock_sleep_until(void *unused, double moment)
{
    (void)unused;
    struct timespec t = {(time_t)moment, (long)((moment - floor(moment)) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

#endif
