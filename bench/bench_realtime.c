/* Runs in step with the clock: how late their steps begin, and how soon software outside is answered. */
#include <arpa/inet.h>
#include <fathom/fathom.h>
#include <fathom/server.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "bench.h"
#include "clock.h"
#include "realtime.h"

enum { RECORDS_MOST = 100000 };

static const fm_run_clock clock_of_program = {.now = cli_clock, .sleep_until = cli_clock_sleep_until};

static fm_run *begin(const char *scenario, double speed, fm_model **model)
{
    fm_error error = {0};
    char path[2400];
    const fm_run_options options = {.duration = HUGE_VAL, .pace = {.speed = speed}};
    *model = bench_find_scenario(scenario, path, sizeof path) ? fm_model_load(path, NULL, &error) : NULL;
    fm_run *run = *model ? fm_run_create(*model, &options, &error) : NULL;
    if (!run)
        fprintf(stderr, "fathom bench: %s: %s\n", scenario, error.text[0] ? error.text : "unknown scenario");
    return run;
}

typedef struct stepper {
    fm_run *run;
    int64_t priority;
} stepper;

static void *step_all(void *user)
{
    const stepper *s = user;
    cli_realtime_begin("bench", s->priority);
    fm_run_go(s->run, &clock_of_program, NULL);
    return NULL;
}

/* The showcase, which steps every millisecond. */
static void bench_showcase(bench_report *report)
{
    bench_result *r = bench_begin(report, "realtime/showcase-1kHz");
    fm_model *model;
    pthread_t stepping;
    if (!r)
        return;
    fm_run *run = begin("showcase.xml", 1, &model);
    stepper s = {run, report->priority};
    report->failed |= !run;
    if (run && pthread_create(&stepping, NULL, step_all, &s) == 0) {
        cli_clock_sleep_until(NULL, bench_now() + fmax(report->seconds, 1));
        fm_run_stop(run);
        pthread_join(stepping, NULL);
        fm_run_counts counts = fm_run_get_counts(run);
        r->delays = counts.lateness;
        r->late_steps = (double)counts.late;
        r->what = "lateness";
    }
    fm_run_free(run);
    fm_model_free(model);
}

static int call_loop(int port)
{
    const struct timeval patience = {.tv_sec = 5};
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(line, (const struct sockaddr *)&to, sizeof to) == 0)
        return line;
    close(line);
    return -1;
}

static int order_of_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One record per step of the run, each sent when the one before is answered. Returns the number of answers. */
static size_t exchange(int line, double step, double seconds, double *taken)
{
    char record[256], answer[4096];
    size_t count = 0;
    double end = bench_now() + seconds;
    for (; count < RECORDS_MOST && bench_now() < end; count++) {
        snprintf(record, sizeof record, "t=%.6f delta_rb=%g n_port=500 n_stbd=500", step * (double)(count + 1),
                 count % 2 ? 0.1 : -0.1);
        double begun = bench_now();
        send(line, record, strlen(record), 0);
        if (recv(line, answer, sizeof answer, 0) <= 0 || strncmp(answer, "error", 5) == 0)
            break;
        taken[count] = bench_now() - begun;
    }
    return count;
}

/* The NPS AUV's own software, which is as urgent as the run. */
typedef struct client {
    int port;
    int64_t priority;
    double step, seconds, *taken; /* s */
    size_t count;                 /* of answers */
} client;

static void *exchange_all(void *user)
{
    client *c = user;
    int line = call_loop(c->port);
    cli_realtime_begin("bench", c->priority);
    c->count = line >= 0 ? exchange(line, c->step, c->seconds, c->taken) : 0;
    close(line);
    return NULL;
}

/* From a record to its answer; one step lies in between. */
static void bench_loop(bench_report *report)
{
    bench_result *r = bench_begin(report, "realtime/telemetry-loop");
    fm_model *model;
    pthread_t stepping, calling;
    if (!r)
        return;
    fm_run *run = begin("phoenix-telemetry.xml", 0, &model);
    stepper s = {run, report->priority};
    double *taken = run ? calloc(RECORDS_MOST, sizeof *taken) : NULL;
    client c = {.priority = report->priority, .seconds = fmax(report->seconds, 1), .taken = taken};
    if (taken && fm_run_loop(run, NULL, &c.port, NULL) == FM_OK && pthread_create(&stepping, NULL, step_all, &s) == 0) {
        c.step = fm_model_dt(model);
        if (pthread_create(&calling, NULL, exchange_all, &c) == 0)
            pthread_join(calling, NULL);
        fm_run_stop(run);
        pthread_join(stepping, NULL);
    }
    const size_t count = c.count;
    if (count > 0) {
        qsort(taken, count, sizeof *taken, order_of_numbers);
        r->delays = (fm_run_delays){.count = count,
                                    .p50 = taken[count / 2],
                                    .p99 = taken[count * 99 / 100],
                                    .p999 = taken[count * 999 / 1000],
                                    .worst = taken[count - 1]};
        r->what = "response";
    }
    report->failed |= count == 0;
    free(taken);
    fm_run_free(run);
    fm_model_free(model);
}

void bench_realtime(bench_report *report)
{
    bench_showcase(report);
    bench_loop(report);
}
