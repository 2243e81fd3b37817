#include "realtime.h"

#include <stdio.h>

#include "base/priority.h"

void cli_realtime_begin(const char *command, int64_t priority)
{
    fm_error error = {0};
    fm_thread_wake_promptly();
    if (priority > 0 && fm_thread_take_priority((int)priority, &error) != FM_OK)
        fprintf(stderr, "fathom %s: --priority: %s; the run continues without it\n", command, error.text);
}

static void print_delays(const char *command, const char *what, const fm_run_delays *d)
{
    if (d->count > 0)
        fprintf(stderr, "fathom %s: %s: 50 %% up to %.3g ms, 99 %% %.3g ms, 99.9 %% %.3g ms, worst %.3g ms\n", command,
                what, 1e3 * d->p50, 1e3 * d->p99, 1e3 * d->p999, 1e3 * d->worst);
}

void cli_realtime_print(const char *command, const fm_run_counts *counts)
{
    if (counts->late > 0)
        fprintf(stderr, "fathom %s: %llu of %llu steps began late, the latest by %.3g s\n", command,
                (unsigned long long)counts->late, (unsigned long long)counts->steps, counts->latest);
    print_delays(command, "lateness of steps", &counts->lateness);
    print_delays(command, "response to inputs", &counts->response);
}
