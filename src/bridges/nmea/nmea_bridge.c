/* The stepping thread writes due sentences into an outbox; the loop's thread sends them as datagrams, to TCP clients or
 * to a pseudo-terminal, and receives sentences for the autopilot. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "bridges/list.h"
#include "bridges/nmea/nmea_config.h"
#include "bridges/nmea/nmea_say.h"
#include "server/door.h"
#include "server/socket.h"
#include "world/world.h"

enum { OUTBOX = 1 << 18, CLIENTS = 16, LINE = 96 };

/* Received characters of an incomplete line. */
typedef struct line_of {
    char text[LINE];
    size_t count; /* longer than LINE: skipped up to its end */
} line_of;

typedef struct nmea_bridge nmea_bridge;

typedef struct client {
    uv_tcp_t tcp;
    nmea_bridge *door;
    int used; /* 2: it closes */
    line_of line;
} client;

struct nmea_bridge {
    const fm_nmea_config *config;
    fm_host *host;

    /* the loop's thread */
    uv_udp_t udp, listener;
    uv_tcp_t server;
    uv_poll_t poll;
    int has_udp, has_listener, has_server, has_poll;
    fm_address target;
    client clients[CLIENTS];
    int master, slave;
    char link[FM_NMEA_DEVICE];
    line_of line;
    char received[65536];
    char sending[OUTBOX];

    /* the stepping thread */
    double next; /* s: when the next report is due */
    fm_nmea_past past;
    char report[FM_NMEA_REPORT];

    /* both, under the lock */
    pthread_mutex_t lock;
    char outbox[OUTBOX];
    size_t out;
    fm_run *run;

    fm_counter *sent, *steered, *full, *unsent, *slow, *refused, *crowded;
    fm_counter *drops[FM_NMEA_RESULTS];
};

static void count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- the stepping thread --- */

static int slot_of(const nmea_bridge *d, const fm_world *world)
{
    if (d->config->vehicle)
        return fm_world_find(world, d->config->vehicle);
    for (int i = 0; i < world->slot_count; i++)
        if (fm_slot_occupied(world, i))
            return i;
    return -1;
}

static void begin_bridge(void *user, fm_run *run)
{
    nmea_bridge *d = user;
    pthread_mutex_lock(&d->lock);
    d->run = run;
    pthread_mutex_unlock(&d->lock);
}

static void step_bridge(void *user, fm_run *run)
{
    nmea_bridge *d = user;
    const fm_world *world = fm_run_world(run);
    double time = fm_world_time(world), period = 1 / d->config->rate;
    if (time < d->next - period - 1e-9) /* a reset */
        d->next = time;
    int slot = slot_of(d, world);
    if (slot >= 0)
        fm_nmea_past_add(&d->past, world, slot);
    if (time < d->next - 1e-9 || slot < 0)
        return;
    d->next += period;
    if (d->next <= time)
        d->next = time + period;
    size_t size = fm_nmea_say(world, slot, d->config, &d->past, d->report);
    pthread_mutex_lock(&d->lock);
    int room = size <= OUTBOX - d->out;
    if (room) {
        memcpy(d->outbox + d->out, d->report, size);
        d->out += size;
    }
    pthread_mutex_unlock(&d->lock);
    count(room ? d->sent : d->full);
}

static void end_bridge(void *user, fm_run *run)
{
    nmea_bridge *d = user;
    (void)run;
    pthread_mutex_lock(&d->lock);
    d->run = NULL;
    pthread_mutex_unlock(&d->lock);
}

/* --- the loop's thread: sending --- */

/* A sentence a datagram. */
static void send_datagrams(nmea_bridge *d, const char *text, size_t size)
{
    for (const char *end = text + size, *next; text < end; text = next) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        next = stop ? stop + 1 : end;
        uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)text, (unsigned)(next - text));
        if (uv_udp_try_send(&d->udp, &buffer, 1, (const struct sockaddr *)(const void *)&d->target.at) < 0)
            count(d->unsent);
    }
}

static void turn_bridge(void *user)
{
    nmea_bridge *d = user;
    pthread_mutex_lock(&d->lock);
    size_t size = d->out;
    memcpy(d->sending, d->outbox, size);
    d->out = 0;
    pthread_mutex_unlock(&d->lock);
    if (size == 0)
        return;
    if (d->has_udp)
        send_datagrams(d, d->sending, size);
    for (int i = 0; i < CLIENTS; i++) {
        uv_buf_t buffer = uv_buf_init(d->sending, (unsigned)size);
        if (d->clients[i].used == 1 && uv_try_write((uv_stream_t *)&d->clients[i].tcp, &buffer, 1) != (int)size)
            count(d->slow);
    }
    if (d->has_poll) {
        ssize_t went = write(d->master, d->sending, size);
        if (went < 0 && errno == EAGAIN) { /* no program reads: the buffer contains old data */
            tcflush(d->slave, TCIFLUSH);
            went = write(d->master, d->sending, size);
        }
        if (went != (ssize_t)size)
            count(d->slow);
    }
}

/* --- the loop's thread: sentences for the autopilot --- */

static void take_line(nmea_bridge *d, const char *line)
{
    fm_nmea_steering steering;
    fm_nmea_result result = fm_nmea_read(line, &steering);
    if (result != FM_NMEA_WELL) {
        count(d->drops[result]);
        return;
    }
    pthread_mutex_lock(&d->lock);
    int slot = d->run && !d->config->vehicle ? 0 : -1;
    const char *vehicle = d->config->vehicle;
    if (slot >= 0 && fm_host_model(d->host)->vehicle_count > 0)
        vehicle = fm_host_model(d->host)->vehicles[0].name;
    fm_status status =
        d->run && vehicle ? fm_run_desire(d->run, vehicle, "heading", steering.heading, NULL) : FM_ERR_STATE;
    pthread_mutex_unlock(&d->lock);
    count(status == FM_OK ? d->steered : d->refused);
}

static void take_bytes(nmea_bridge *d, line_of *line, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\r' && bytes[i] != '\n') {
            if (line->count < LINE - 1)
                line->text[line->count] = bytes[i];
            line->count += line->count < LINE;
            continue;
        }
        if (line->count >= LINE - 1) {
            count(d->drops[FM_NMEA_LONG]);
        } else if (line->count > 0) {
            line->text[line->count] = 0;
            if (memchr(line->text, 0, line->count))
                count(d->drops[FM_NMEA_SHORT]);
            else
                take_line(d, line->text);
        }
        line->count = 0;
    }
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    nmea_bridge *d = handle->type == UV_TCP ? ((client *)handle->data)->door : handle->data;
    (void)suggested;
    *buffer = uv_buf_init(d->received, sizeof d->received);
}

static void on_datagram(uv_udp_t *udp, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    nmea_bridge *d = udp->data;
    (void)flags;
    if (size <= 0 || !from)
        return;
    line_of line = {.count = 0};
    take_bytes(d, &line, buffer->base, (size_t)size);
    take_bytes(d, &line, "\n", 1); /* a datagram ends its line */
}

static void on_closed(uv_handle_t *handle)
{
    ((client *)handle->data)->used = 0;
}

static void on_bytes(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    client *c = stream->data;
    if (size > 0)
        take_bytes(c->door, &c->line, buffer->base, (size_t)size);
    if (size < 0 && c->used == 1) {
        c->used = 2;
        uv_close((uv_handle_t *)&c->tcp, on_closed);
    }
}

static void free_handle(uv_handle_t *handle)
{
    fm_free(handle);
}

/* A pending connection that is not accepted would block all later ones. */
static void turn_away(nmea_bridge *d, uv_stream_t *server)
{
    uv_tcp_t *other = fm_alloc(sizeof *other);
    count(d->crowded);
    if (!other)
        return;
    uv_tcp_init(server->loop, other);
    uv_accept(server, (uv_stream_t *)other);
    uv_close((uv_handle_t *)other, free_handle);
}

static void on_client(uv_stream_t *server, int status)
{
    nmea_bridge *d = server->data;
    for (int i = 0; status == 0 && i < CLIENTS; i++) {
        client *c = &d->clients[i];
        if (c->used)
            continue;
        memset(&c->line, 0, sizeof c->line);
        uv_tcp_init(server->loop, &c->tcp);
        c->tcp.data = c;
        c->door = d;
        c->used = 1;
        if (uv_accept(server, (uv_stream_t *)&c->tcp) != 0 ||
            uv_read_start((uv_stream_t *)&c->tcp, give_room, on_bytes) != 0) {
            c->used = 2;
            uv_close((uv_handle_t *)&c->tcp, on_closed);
        }
        return;
    }
    if (status == 0)
        turn_away(d, server);
}

static void on_pty(uv_poll_t *poll, int status, int events)
{
    nmea_bridge *d = poll->data;
    ssize_t size;
    (void)status;
    (void)events;
    while ((size = read(d->master, d->received, sizeof d->received)) > 0)
        take_bytes(d, &d->line, d->received, (size_t)size);
}

/* --- coming and going --- */

static void make_counters(nmea_bridge *d)
{
    d->sent = fm_host_count(d->host, "nmea/sent");
    d->steered = fm_host_count(d->host, "nmea/steered");
    d->full = fm_host_count(d->host, "nmea/drop/outbox");
    d->unsent = fm_host_count(d->host, "nmea/drop/unsent");
    d->slow = fm_host_count(d->host, "nmea/drop/slow");
    d->refused = fm_host_count(d->host, "nmea/drop/refused");
    d->crowded = fm_host_count(d->host, "nmea/drop/clients");
    for (int i = 0; i < FM_NMEA_RESULTS; i++) {
        char name[48];
        snprintf(name, sizeof name, "nmea/drop/%s", fm_nmea_result_name((fm_nmea_result)i));
        d->drops[i] = i == FM_NMEA_WELL ? d->steered : fm_host_count(d->host, name);
    }
}

static fm_status open_listener(nmea_bridge *d, const fm_address *to, int port, fm_error *error)
{
    fm_address own;
    fm_socket_kind kind = fm_address_is_group(to) ? FM_SOCKET_UDP_SHARED : FM_SOCKET_UDP;
    fm_status status = fm_address_to_hear(to, port, &own, error);
    if (status != FM_OK)
        return status;
    status = fm_socket_open_udp(fm_host_loop(d->host), &d->listener, &own, kind, error);
    d->listener.data = d;
    d->has_listener = 1;
    if (status == FM_OK)
        uv_udp_recv_start(&d->listener, give_room, on_datagram);
    return status;
}

/* Sends from the address that this computer uses towards the target, and from no other. */
static fm_status open_udp(nmea_bridge *d, const fm_address *to, int listen_port, fm_error *error)
{
    fm_address own;
    fm_status status = fm_address_towards(to, &own, error);
    if (status != FM_OK)
        return status;
    status = fm_socket_open_udp(fm_host_loop(d->host), &d->udp, &own, FM_SOCKET_UDP, error);
    d->udp.data = d;
    d->has_udp = 1;
    if (status != FM_OK)
        return status;
    uv_udp_set_broadcast(&d->udp, 1);
    return listen_port ? open_listener(d, to, listen_port, error) : FM_OK;
}

static fm_status open_tcp(nmea_bridge *d, const fm_address *at, fm_error *error)
{
    fm_status status = fm_socket_open_tcp(fm_host_loop(d->host), &d->server, at, CLIENTS, on_client, error);
    d->server.data = d;
    d->has_server = 1;
    return status;
}

/* Only a link is replaced, never a file. */
static int link_as(const char *name, const char *link)
{
    struct stat there;
    if (lstat(link, &there) == 0 && (!S_ISLNK(there.st_mode) || unlink(link) != 0))
        return EEXIST;
    return symlink(name, link) == 0 ? 0 : errno;
}

static int open_pty(nmea_bridge *d)
{
    char name[128];
    struct termios raw;
    d->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (d->master < 0 || grantpt(d->master) || unlockpt(d->master) || ptsname_r(d->master, name, sizeof name))
        return errno;
    d->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (d->slave < 0 || tcgetattr(d->slave, &raw) != 0)
        return errno;
    cfmakeraw(&raw);
    tcsetattr(d->slave, TCSANOW, &raw);
    int wrong = link_as(name, d->config->device);
    if (wrong)
        return wrong;
    snprintf(d->link, sizeof d->link, "%s", d->config->device);
    if (uv_poll_init(fm_host_loop(d->host), &d->poll, d->master) != 0)
        return ENODEV;
    d->poll.data = d;
    d->has_poll = 1;
    uv_poll_start(&d->poll, UV_READABLE, on_pty);
    return 0;
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    nmea_bridge *d = user;
    fm_host *host = d->host = bridge->host;
    d->config = bridge->config;
    d->master = d->slave = -1;
    fm_lock_create(&d->lock);
    make_counters(d);
    const char *address = d->config->address;
    int port = (int)d->config->port;
    if (d->config->transport == FM_NMEA_PTY) {
        int wrong = open_pty(d);
        if (wrong)
            return fm_fail(error, FM_ERR_FILE, "NMEA bridge: cannot create %s: %s", d->config->device, strerror(wrong));
        fm_host_tell(host, "NMEA 0183 at %s", d->config->device);
        return FM_OK;
    }
    int tcp = d->config->transport == FM_NMEA_TCP;
    fm_status status = fm_address_read(address, port, &d->target, error);
    if (status == FM_OK)
        status = tcp ? open_tcp(d, &d->target, error) : open_udp(d, &d->target, (int)d->config->listen_port, error);
    if (status != FM_OK)
        return status;
    fm_host_tell(host, "NMEA 0183 %s %s port %d", tcp ? "for those who connect to" : "to", address, port);
    return FM_OK;
}

static void close_bridge(void *user)
{
    nmea_bridge *d = user;
    turn_bridge(d);
    if (d->has_udp)
        uv_close((uv_handle_t *)&d->udp, NULL);
    if (d->has_listener)
        uv_close((uv_handle_t *)&d->listener, NULL);
    if (d->has_server)
        uv_close((uv_handle_t *)&d->server, NULL);
    if (d->has_poll)
        uv_close((uv_handle_t *)&d->poll, NULL);
    for (int i = 0; i < CLIENTS; i++)
        if (d->clients[i].used == 1) {
            d->clients[i].used = 2;
            uv_close((uv_handle_t *)&d->clients[i].tcp, on_closed);
        }
    d->has_udp = d->has_listener = d->has_server = d->has_poll = 0;
}

static void release_bridge(void *user)
{
    nmea_bridge *d = user;
    if (d->link[0])
        unlink(d->link);
    if (d->slave >= 0)
        close(d->slave);
    if (d->master >= 0)
        close(d->master);
    pthread_mutex_destroy(&d->lock);
}

const fm_bridge_calls fm_nmea_calls = {.size = sizeof(fm_bridge_calls),
                                       .state_size = sizeof(nmea_bridge),
                                       .open = open_bridge,
                                       .turn = turn_bridge,
                                       .close = close_bridge,
                                       .release = release_bridge,
                                       .begin = begin_bridge,
                                       .step = step_bridge,
                                       .end = end_bridge};
