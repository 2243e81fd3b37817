#include "server/overlay_live.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "server/clock.h"
#include "server/socket.h"

#define SILENCE 5.0        /* s of silence after which another sender is accepted */
#define BACK 5.0           /* s: a clock that goes back by more was set */
enum { CHECK_EVERY = 50 }; /* ms: for the end */
enum { LINES, TAKEN, DROPPED };

struct fm_overlay_live {
    int socket;
    pthread_t thread;
    int running;
    atomic_int ending;
    fm_geodetic origin;
    fm_overlay_counts *last; /* written when it is closed; NULL: not written */
    /* the receiving thread alone */
    fm_address sender;       /* size 0: none yet */
    double heard;            /* s of the clock: its last good line */
    double time;             /* s of the vehicle's clock at its last good line; NaN: it has none */
    pthread_mutex_t lock;    /* of what follows */
    fm_counter *counters[3]; /* lines, taken, dropped in a place; NULL: none */
    fm_overlay_reading newest;
    uint64_t fetched; /* number of the stepping thread's current reading */
    fm_overlay_counts counts;
};

/* --- the receiving thread --- */

static int is_foreign(const fm_overlay_live *live, const fm_address *from)
{
    return live->sender.size && !fm_address_equal(&live->sender, from) && fm_clock_now(NULL) - live->heard < SILENCE;
}

/* Datagrams may overtake each other. */
static int is_late(const fm_overlay_live *live, double time)
{
    return isfinite(time) && isfinite(live->time) && time <= live->time && time > live->time - BACK;
}

/* Under the lock. */
static void count(fm_overlay_live *live, int which)
{
    if (live->counters[which])
        atomic_fetch_add(live->counters[which], 1);
}

static void take_line(fm_overlay_live *live, const fm_address *from, const char *text, size_t size)
{
    fm_telemetry_line line;
    fm_telemetry_fault kind = FM_TELEMETRY_GOOD;
    int foreign = is_foreign(live, from), late = 0;
    if (!foreign)
        kind = fm_telemetry_line_read(text, size, &line, NULL);
    if (!foreign && kind == FM_TELEMETRY_GOOD)
        kind = fm_telemetry_line_position(&line, &live->origin, NULL);
    int same = fm_address_equal(&live->sender, from);
    if (!foreign && kind == FM_TELEMETRY_GOOD)
        late = same && is_late(live, line.time);
    int good = !foreign && !late && kind == FM_TELEMETRY_GOOD;
    pthread_mutex_lock(&live->lock);
    live->counts.lines++;
    count(live, LINES);
    if (!good)
        count(live, DROPPED);
    live->counts.foreign += (uint64_t)foreign;
    live->counts.late += (uint64_t)late;
    live->counts.dropped[kind] += kind != FM_TELEMETRY_GOOD;
    if (good) {
        live->counts.passed += live->newest.number > live->fetched;
        live->newest = (fm_overlay_reading){line.motion, line.time, live->newest.number + 1};
    }
    pthread_mutex_unlock(&live->lock);
    if (!good)
        return;
    live->sender = *from;
    live->heard = fm_clock_now(NULL);
    live->time = line.time;
}

static void take_datagram(fm_overlay_live *live, const fm_address *from, const char *bytes, size_t size)
{
    for (const char *at = bytes, *end = bytes + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop > at)
            take_line(live, from, at, (size_t)(stop - at));
        at = stop < end ? stop + 1 : stop;
    }
}

static void *receive(void *user)
{
    fm_overlay_live *live = user;
    char bytes[65536];
    while (!atomic_load(&live->ending)) {
        struct pollfd poll_for = {.fd = live->socket, .events = POLLIN};
        struct sockaddr_storage at;
        socklen_t length = sizeof at;
        if (poll(&poll_for, 1, CHECK_EVERY) <= 0)
            continue;
        ssize_t size = recvfrom(live->socket, bytes, sizeof bytes, 0, (struct sockaddr *)&at, &length);
        if (size <= 0)
            continue;
        fm_address from = fm_address_of((const struct sockaddr *)&at);
        take_datagram(live, &from, bytes, (size_t)size);
    }
    return NULL;
}

/* --- the stepping thread --- */

static int read_newest(void *user, double time, uint64_t step, fm_overlay_reading *reading)
{
    fm_overlay_live *live = user;
    (void)time, (void)step;
    pthread_mutex_lock(&live->lock);
    int is_new = live->newest.number > live->fetched;
    if (is_new) {
        *reading = live->newest;
        live->fetched = live->newest.number;
        live->counts.taken++;
        count(live, TAKEN);
    }
    pthread_mutex_unlock(&live->lock);
    return is_new;
}

/* --- coming and going --- */

fm_overlay_live *fm_overlay_live_open(const char *address, int port, const fm_geodetic *origin, int *bound,
                                      fm_error *error)
{
    fm_address at;
    fm_overlay_live *live = fm_alloc(sizeof *live);
    if (!live)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for live telemetry"), NULL;
    live->socket = -1;
    live->origin = *origin;
    live->time = NAN;
    fm_lock_create(&live->lock);
    fm_status status = fm_address_read(address, port, &at, error);
    if (status == FM_OK)
        status = fm_socket_bind(&at, FM_SOCKET_UDP, &live->socket, bound, error);
    if (status == FM_OK && pthread_create(&live->thread, NULL, receive, live) != 0)
        status = fm_fail(error, FM_ERR_MEMORY, "no thread for live telemetry");
    live->running = status == FM_OK;
    if (status == FM_OK)
        return live;
    fm_overlay_live_close(live);
    return NULL;
}

void fm_overlay_live_close(fm_overlay_live *live)
{
    if (!live)
        return;
    atomic_store(&live->ending, 1);
    if (live->running)
        pthread_join(live->thread, NULL);
    if (live->socket >= 0)
        close(live->socket);
    if (live->last)
        *live->last = live->counts;
    pthread_mutex_destroy(&live->lock);
    fm_free(live);
}

void fm_overlay_live_count(fm_overlay_live *live, fm_host *host)
{
    static const char *const names[3] = {"overlay/lines", "overlay/taken", "overlay/dropped"};
    pthread_mutex_lock(&live->lock);
    for (int i = 0; i < 3; i++)
        live->counters[i] = fm_host_count(host, names[i]);
    pthread_mutex_unlock(&live->lock);
}

static void close_source(void *user)
{
    fm_overlay_live_close(user);
}

fm_overlay_source fm_overlay_live_source(fm_overlay_live *live, fm_overlay_counts *last)
{
    live->last = last;
    return (fm_overlay_source){read_newest, close_source, live};
}
