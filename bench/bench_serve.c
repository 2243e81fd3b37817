/* A thousand clients on the loopback, each with a vehicle: 20 states per second, each answered by an actuation, in real
 * time. Measures the age of states on arrival, the number of late steps, and the number of dropped datagrams. */
#include <fathom/server.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "server/caller.h"
#include "server/server.h"

enum { CLIENTS = 1000, MOMENTS = 4096, AGES_MOST = 1 << 20 };
#define DT 0.01
#define PERIOD_US 50000u /* 20 Hz */

typedef struct serve_case {
    fm_server *server;
    _Atomic double moments[MOMENTS]; /* s of the clock, by tick: when its step was made */
    fm_caller *callers[CLIENTS];
    float *ages; /* ms */
    size_t age_count;
    int wanted;   /* clients */
    size_t count; /* of them that are connected */
} serve_case;

/* --- the server --- */

static void note_moment(void *user, fm_run *run)
{
    serve_case *c = user;
    c->moments[fm_world_tick(fm_run_world(run)) % MOMENTS] = bench_now();
}

static fm_model *load_sea(int clients, fm_error *error)
{
    char text[512];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%g s' capacity='%d'><water density='1025 kg/m3'/></world>"
             "<server clients='%d' timeout='30 s' keep='0 s'/><type name='auv' model='nps-auv-ii'/></fathom>",
             DT, clients, clients + 1);
    return fm_model_load_memory(text, strlen(text), "clients.xml", NULL, error);
}

static void *serve_all(void *user)
{
    fm_server_run(user, NULL);
    return NULL;
}

/* --- the clients --- */

static void answer_state(fm_caller *caller, uint64_t time)
{
    uint8_t bytes[64];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_actuate(&out, &(fm_wire_actuate){.mode = FM_WIRE_RPM, .count = 2, .hold = 1000});
    for (int k = 0; k < 2; k++)
        fm_wire_put_f32(&out, (float)(200 + time / 500 % 100));
    fm_caller_send(caller, FM_WIRE_ACTUATE, bytes, out.size);
}

/* Its time, 0.1 ms; 0: it was none. */
static uint64_t take_state(serve_case *c, fm_caller *caller, int counted)
{
    fm_wire_header h;
    fm_wire_in payload;
    if (!fm_caller_receive(caller, 0, &h, &payload) || h.type != FM_WIRE_STATE)
        return 0;
    uint64_t tick = (uint64_t)((double)h.time * 1e-4 / DT + 0.5);
    if (counted && c->age_count < AGES_MOST)
        c->ages[c->age_count++] = (float)((bench_now() - c->moments[tick % MOMENTS]) * 1e3);
    return h.time;
}

/* Clients do not wait for each other's answers: first takes everything that has arrived. Returns the number. */
static int listen_once(serve_case *c, int poll, int patience_ms, int counted)
{
    struct epoll_event events[256];
    uint64_t times[256];
    int count = epoll_wait(poll, events, 256, patience_ms);
    for (int i = 0; i < count; i++)
        times[i] = take_state(c, c->callers[events[i].data.u32], counted);
    for (int i = 0; i < count; i++)
        if (times[i])
            answer_state(c->callers[events[i].data.u32], times[i]);
    return count;
}

static void listen_all(serve_case *c, int poll, double seconds, int counted)
{
    for (double end = bench_now() + seconds; bench_now() < end;)
        listen_once(c, poll, 10, counted);
}

/* Joined clients keep receiving, so that no old datagrams are queued when all have joined. */
static int connect_all(serve_case *c, int poll, fm_error *error)
{
    for (int i = 0; i < c->wanted; i++) {
        fm_caller_options options = {.port = fm_server_port(c->server),
                                     .patience = 10,
                                     .connect = {.role = FM_WIRE_UNDERWATER,
                                                 .model = "auv",
                                                 .pose = {20.0 * (i % 32), 20.0 * (i / 32), 20},
                                                 .state_period = PERIOD_US,
                                                 .sensor_period = FM_WIRE_NONE}};
        snprintf(options.connect.name, sizeof options.connect.name, "client-%d", i);
        if (!(c->callers[i] = fm_caller_open(&options, NULL, error)))
            return 0;
        c->count++;
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(poll, EPOLL_CTL_ADD, fm_caller_fd(c->callers[i]), &event);
        for (int k = 0; k < 8 && listen_once(c, poll, 0, 0) > 0; k++)
            ;
    }
    return 1;
}

/* --- the result --- */

/* CPU time of this program in s: server, vehicles and clients. */
static double worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_age(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double count_drops(fm_server *server)
{
    fm_wire_counter counters[64];
    size_t count = fm_server_counters(server, counters, 64);
    double drops = 0;
    for (size_t i = 0; i < count && i < 64; i++)
        if (strncmp(counters[i].name, "drop/", 5) == 0)
            drops += counters[i].value;
    return drops;
}

static void measure(bench_report *report, bench_result *r, serve_case *c)
{
    int poll = epoll_create1(EPOLL_CLOEXEC);
    fm_error error = {0};
    if (!connect_all(c, poll, &error)) {
        fprintf(stderr, "fathom bench: serve: %s\n", error.text);
        report->failed = 1;
    } else {
        listen_all(c, poll, 0.5, 0);
        uint64_t late = fm_server_get_state(c->server).counts.late;
        double drops = count_drops(c->server);
        double began = worked();
        listen_all(c, poll, fmax(report->seconds, 1), 1);
        r->steps_per_s = (double)c->age_count / (worked() - began);
        r->late_steps = (double)(fm_server_get_state(c->server).counts.late - late);
        r->drops = count_drops(c->server) - drops;
        qsort(c->ages, c->age_count, sizeof *c->ages, by_age);
        r->p99_ms = c->age_count ? (double)c->ages[c->age_count * 99 / 100] : NAN;
        r->value = (double)c->age_count / fmax(report->seconds, 1);
        r->unit = "states/s";
        r->more_is_better = 1;
    }
    for (size_t i = 0; i < c->count; i++)
        fm_caller_drop(c->callers[i]);
    close(poll);
}

static void serve_clients(bench_report *report, bench_result *r, serve_case *c, fm_error *error)
{
    fm_door door = {.name = "bench", .step = note_moment, .user = c};
    pthread_t thread;
    fm_model *model = load_sea(c->wanted, error);
    c->server = model ? fm_server_create(model, &(fm_server_options){.port = -1, .seed = -1}, error) : NULL;
    if (!c->server || fm_server_add_door(c->server, &door, error) != FM_OK ||
        pthread_create(&thread, NULL, serve_all, c->server) != 0) {
        fprintf(stderr, "fathom bench: serve: %s\n", error->text);
        report->failed = 1;
    } else {
        measure(report, r, c);
        fm_server_stop(c->server);
        pthread_join(thread, NULL);
    }
    fm_server_free(c->server);
    fm_model_free(model);
}

static void bench_clients(bench_report *report, int clients, bench_result *r)
{
    struct rlimit files;
    fm_error error = {0};
    if (!r)
        return;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < CLIENTS + 100) {
        files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    serve_case *c = calloc(1, sizeof *c);
    float *ages = calloc(AGES_MOST, sizeof *ages);
    if (c && ages) {
        c->ages = ages;
        c->wanted = clients;
        serve_clients(report, r, c, &error);
    } else {
        report->failed = 1;
    }
    free(ages);
    free(c);
}

void bench_serve(bench_report *report)
{
    bench_clients(report, CLIENTS, bench_begin(report, "serve/%d-clients", CLIENTS));
}

void bench_client_sizes(bench_report *report)
{
    static const int counts[] = {1, 10, 30, 100, 300, CLIENTS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        bench_clients(report, counts[i], bench_begin(report, "sizes/clients/%d", counts[i]));
}
