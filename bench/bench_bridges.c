/* Twenty vehicles on all bridges at once, fifty times per second, in real time and on one core: how closely real time
 * is kept, and the load of the core. An autopilot in lock-step controls each of them. */
#include <arpa/inet.h>
#include <fathom/run.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "bridges/ardupilot/ardupilot_wire.h"
#include "clock.h"
#include "server/bridges.h"
#include "server/run_host.h"

enum { VEHICLES = 20, RATE = 50 };
static const char *const others[] = {"kind='dis' send='step'", "kind='ros2' rate='50 Hz'",
                                     "kind='mavlink' rate='50 Hz'", "kind='nmea' rate='50 Hz'"};
enum { KINDS = 1 + sizeof others / sizeof *others }; /* and ardupilot */

typedef struct bridges_case {
    fm_model *model;
    fm_run *run;
    fm_run_host *run_host;
    int ports[VEHICLES]; /* for autopilots */
    _Atomic int over;
} bridges_case;

/* --- the sea --- */

static int free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int fine = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
               getsockname(fd, (struct sockaddr *)&at, &size) == 0;
    if (fd >= 0)
        close(fd);
    return fine ? ntohs(at.sin_port) : 0;
}

/* The bridges of this build, and their names; the number of kinds. An autopilot controls each vehicle; DIS, ROS 2 and
 * MAVLink publish all of them; NMEA one of them as the own ship and the others as its targets. */
static int add_bridges(FILE *text, const int ports[VEHICLES], char *with, size_t room)
{
    int count = 1;
    snprintf(with, room, "ardupilot");
    for (int i = 0; i < VEHICLES; i++)
        fprintf(text, "<bridge kind='ardupilot' vehicle='v%d' port='%d'/>", i, ports[i]);
    for (size_t i = 0; i + 1 < KINDS; i++) {
        char kind[16];
        sscanf(others[i], "kind='%15[a-z0-9]", kind);
        if (fm_bridges_missing(kind))
            continue;
        fprintf(text, "<bridge %s/>", others[i]);
        snprintf(with + strlen(with), room - strlen(with), " %s", kind);
        count++;
    }
    return count;
}

static fm_model *load_sea(const int ports[VEHICLES], int *count, char *with, size_t room, fm_error *error)
{
    bench_text text;
    if (!bench_text_begin(&text))
        return NULL;
    fprintf(text.out,
            "<fathom version='1'><world dt='%g s'><water density='1025 kg/m3'/><bottom depth='50 m'/></world>",
            1.0 / RATE);
    for (int i = 0; i < VEHICLES; i++)
        fprintf(text.out,
                "<vehicle name='v%d' model='bluerov2' position='%d %d 10 m'><imu/><pressure/><echosounder/><gps/>"
                "<orders><at t='0 s' horizontal='10 N'/></orders></vehicle>",
                i, 20 * (i % 5), 20 * (i / 5));
    *count = add_bridges(text.out, ports, with, room);
    fprintf(text.out, "</fathom>");
    char *scenario = bench_text_end(&text);
    fm_model *model = scenario ? fm_model_load_memory(scenario, strlen(scenario), "bridges.xml", NULL, error) : NULL;
    free(scenario);
    return model;
}

/* --- the autopilots --- */

static int call_bridge(int port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    connect(fd, (struct sockaddr *)&to, sizeof to);
    return fd;
}

/* The next frame of one autopilot. */
static void send_servos(int fd, unsigned frame)
{
    fm_ardupilot_servos servos = {.frame_rate = RATE, .frame_count = frame, .channels = 16};
    uint8_t bytes[FM_ARDUPILOT_PACKET];
    for (int i = 0; i < 16; i++)
        servos.pwm[i] = (uint16_t)(1500 + (frame + (unsigned)i) % 100);
    send(fd, bytes, fm_ardupilot_write_servos(&servos, bytes), 0);
}

/* One for each vehicle: repeats its outputs until it has the resulting state. */
static void *fly(void *user)
{
    bridges_case *c = user;
    struct pollfd waits[VEHICLES];
    unsigned frames[VEHICLES] = {0};
    char line[2 * FM_ARDUPILOT_LINE];
    for (int i = 0; i < VEHICLES; i++) {
        waits[i] = (struct pollfd){.fd = call_bridge(c->ports[i]), .events = POLLIN};
        send_servos(waits[i].fd, frames[i]);
    }
    while (!atomic_load(&c->over)) {
        int ready = poll(waits, VEHICLES, 1000);
        for (int i = 0; i < VEHICLES; i++) {
            int news = waits[i].revents & POLLIN && recv(waits[i].fd, line, sizeof line, MSG_DONTWAIT) > 0;
            frames[i] += news != 0;
            if (news || ready == 0)
                send_servos(waits[i].fd, frames[i]);
        }
    }
    for (int i = 0; i < VEHICLES; i++)
        close(waits[i].fd);
    return NULL;
}

/* --- the run --- */

static double now(void *unused)
{
    (void)unused;
    return bench_now();
}

static void rest(void *unused, double seconds)
{
    (void)unused;
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

static void *step_all(void *user)
{
    bridges_case *c = user;
    const fm_run_clock clock = {.now = now, .sleep_until = cli_clock_sleep_until};
    fm_run_go(c->run, &clock, NULL);
    fm_run_finish(c->run, NULL);
    return NULL;
}

static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void measure(bridges_case *c, bench_result *r, double seconds)
{
    pthread_t stepping, flying;
    pthread_create(&stepping, NULL, step_all, c);
    pthread_create(&flying, NULL, fly, c);
    rest(NULL, 1); /* until all have begun */
    fm_run_counts before = fm_run_get_counts(c->run);
    double begun = bench_now(), used = processor_seconds();
    rest(NULL, seconds);
    fm_run_counts after = fm_run_get_counts(c->run);
    double passed = bench_now() - begun;
    r->late_steps = (double)(after.late - before.late);
    r->real_time_factor = (double)(after.steps - before.steps) / RATE / passed;
    r->value = 100 * (processor_seconds() - used) / passed;
    r->unit = "% of a core";
    fm_run_stop(c->run);
    atomic_store(&c->over, 1);
    pthread_join(stepping, NULL);
    pthread_join(flying, NULL);
}

static fm_status open_all(bridges_case *c, fm_error *error)
{
    fm_run_options options = {.duration = HUGE_VAL, .pace.speed = 1};
    fm_run_host_options run_host = {.pace.speed = 1};
    if (!(c->run = fm_run_create(c->model, &options, error)) ||
        !(c->run_host = fm_run_host_create(c->run, &run_host, error)))
        return error->status;
    fm_status status = fm_bridges_add(fm_run_host_base(c->run_host), error);
    return status == FM_OK ? fm_run_host_start(c->run_host, error) : status;
}

/* Pins this process to one core; restores the previous affinity afterwards. */
static void stay_on_one_core(cpu_set_t *before)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof *before, before);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, before))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void bench_bridges(bench_report *report)
{
    bench_result *r = bench_begin(report, "bridges/20-vehicles");
    bridges_case c = {0};
    fm_error error = {0};
    cpu_set_t before;
    int count = 0;
    if (!r)
        return;
    stay_on_one_core(&before);
    for (int i = 0; i < VEHICLES; i++)
        c.ports[i] = free_port();
    c.model = load_sea(c.ports, &count, r->with, sizeof r->with, &error);
    if (c.model && open_all(&c, &error) == FM_OK) {
        measure(&c, r, fmax(2, 4 * report->seconds));
    } else {
        fprintf(stderr, "fathom bench: bridges: %s\n", error.text);
        report->failed = 1;
        if (c.run)
            fm_run_finish(c.run, NULL);
    }
    if (count < KINDS)
        fprintf(stderr, "fathom bench: bridges: this build has %d of %d\n", count, KINDS);
    fm_run_host_free(c.run_host);
    fm_run_free(c.run);
    fm_model_free(c.model);
    sched_setaffinity(0, sizeof before, &before);
}
