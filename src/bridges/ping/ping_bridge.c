/* A device at a UDP port. The loop's thread answers what settings and the last measurement answer, and hands
 * transmissions to the stepping thread; that one measures and puts what is to be sent into an outbox. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/priority.h"
#include "bridges/list.h"
#include "bridges/ping/ping_measure.h"
#include "server/door.h"
#include "server/socket.h"

enum {
    CLIENTS = 8,
    OUTBOX = 64,           /* messages */
    SECOND = 1000,         /* ms */
    LOCAL_BYTES = 1 << 20, /* that a client on this computer gets in a second */
    REMOTE_BYTES = 1 << 16
};

typedef struct client {
    fm_address address;
    uint64_t heard;  /* ms of the loop's clock, from 1; 0: the place is free */
    uint64_t second; /* when its present second began, ms */
    size_t bytes;    /* sent in it */

    /* under the lock */
    int streams;       /* it gets every measurement */
    uint64_t asked;    /* number of its waiting transmission; 0: none */
    fm_ping_shot shot; /* that one */
    uint8_t number;    /* its device id */
} client;

/* A message to some of the clients. */
typedef struct outgoing {
    uint8_t to; /* a bit for each */
    fm_ping_message message;
} outgoing;

typedef struct ping_bridge {
    const fm_ping_config *config;
    fm_host *host;

    /* the loop's thread */
    uv_udp_t socket;
    int bound;
    char received[65536];
    fm_counter *count_received, *count_sent, *measured;
    fm_counter *faults[FM_PING_FAULTS], *id, *destination, *stranger, *rate, *send, *full;
    outgoing sending[OUTBOX];

    /* the stepping thread */
    fm_ping_measure measure;
    int64_t sample; /* number of the last sample of the instrument */
    double next;    /* s: when a Ping1D may measure again */
    double back;    /* s: when the transmission of a Ping360 is answered */
    double time;    /* s: of the last step */
    int flying;     /* `flight` waits until then */
    outgoing flight;

    /* both, under the lock */
    pthread_mutex_t lock;
    fm_ping_1d one;
    fm_ping_360 three;
    client clients[CLIENTS];
    uint64_t asked; /* transmissions so far */
    outgoing outbox[OUTBOX];
    size_t out;
} ping_bridge;

static void count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- the stepping thread; all with the lock --- */

static uint8_t streaming(const ping_bridge *d)
{
    uint8_t to = 0;
    for (int i = 0; i < CLIENTS; i++)
        if (d->clients[i].heard && d->clients[i].streams)
            to |= (uint8_t)(1u << i);
    return to;
}

static void post(ping_bridge *d, const outgoing *message)
{
    if (message->to == 0)
        return;
    if (d->out == OUTBOX)
        count(d->full);
    else
        d->outbox[d->out++] = *message;
}

static void step_1d(ping_bridge *d, fm_world *world, double time)
{
    const int64_t sample = fm_ping_measure_count(&d->measure, world);
    if (sample < 0 || sample == d->sample || !d->one.enabled || time < d->next - 1e-9)
        return;
    d->sample = sample;
    d->next = time + 1e-3 * d->one.interval;
    fm_ping_measure_1d(&d->measure, world, &d->one, &d->one.last);
    count(d->measured);
    outgoing profile = {.to = streaming(d)};
    if (profile.to == 0)
        return;
    fm_ping_1d_report(&d->one, FM_PING_1D_PROFILE, 0, &profile.message);
    post(d, &profile);
}

/* The transmission that waits longest; NULL: none. */
static client *next_client(ping_bridge *d)
{
    client *first = NULL;
    for (int i = 0; i < CLIENTS; i++) {
        client *c = &d->clients[i];
        if (c->heard && c->asked && (!first || c->asked < first->asked))
            first = c;
    }
    return first;
}

static void transmit(ping_bridge *d, fm_world *world, double time, uint16_t id, uint8_t number)
{
    fm_ping_360 *t = &d->three;
    t->count = 0;
    if (t->shot.transmit && fm_ping_measure_360(&d->measure, world, &t->shot, t->data)) {
        t->count = t->shot.samples;
        count(d->measured);
    }
    fm_ping_360_report(t, id, number, &d->flight.message);
    d->back = time + fm_ping_360_delay(t->head, &t->shot);
    t->head = t->shot.angle;
    d->flying = 1;
}

static void begin_transmission(ping_bridge *d, fm_world *world, double time)
{
    fm_ping_360 *t = &d->three;
    client *asking = next_client(d);
    if (asking) {
        t->shot = asking->shot;
        asking->asked = 0;
        d->flight.to = (uint8_t)(1u << (asking - d->clients));
        transmit(d, world, time, FM_PING_360_DEVICE_DATA, asking->number);
        return;
    }
    if (t->sweeping && !(d->flight.to = streaming(d)))
        t->sweeping = 0;
    if (!t->sweeping)
        return;
    transmit(d, world, time, FM_PING_360_AUTO_DEVICE_DATA, 0);
    d->back += 1e-3 * t->delay;
    fm_ping_360_advance(t);
}

static void step_360(ping_bridge *d, fm_world *world, double time)
{
    if (d->flying && time >= d->back - 1e-9) {
        post(d, &d->flight);
        d->flying = 0;
    }
    if (!d->flying)
        begin_transmission(d, world, time);
}

static void step_bridge(void *user, fm_run *run)
{
    ping_bridge *d = user;
    fm_world *world = fm_run_world(run);
    const double time = fm_world_time(world);
    pthread_mutex_lock(&d->lock);
    if (time < d->time) { /* a reset: the device starts again too */
        d->next = d->back = time;
        d->sample = -1;
        d->one.last.number = 0;
    }
    d->time = time;
    if (d->config->scanning)
        step_360(d, world, time);
    else
        step_1d(d, world, time);
    pthread_mutex_unlock(&d->lock);
}

/* --- the loop's thread: sending --- */

static int may_send(ping_bridge *d, client *c, size_t size)
{
    const uint64_t now = uv_now(d->socket.loop);
    if (now - c->second >= SECOND) {
        c->second = now;
        c->bytes = 0;
    }
    c->bytes += size;
    return c->bytes <= (size_t)(fm_address_is_loopback(&c->address) ? LOCAL_BYTES : REMOTE_BYTES);
}

static void send_message(ping_bridge *d, client *c, fm_ping_message *m)
{
    uv_buf_t buffer = uv_buf_init((char *)m->bytes, (unsigned)m->size);
    if (!may_send(d, c, m->size))
        count(d->rate);
    else if (uv_udp_try_send(&d->socket, &buffer, 1, (const struct sockaddr *)(const void *)&c->address.at) < 0)
        count(d->send);
    else
        count(d->count_sent);
}

/* Clients that have been silent for too long get no more of a stream. */
static void end_streams(ping_bridge *d)
{
    const uint64_t now = 1 + uv_now(d->socket.loop);
    for (int i = 0; i < CLIENTS; i++)
        if (d->clients[i].streams && (double)(now - d->clients[i].heard) > 1e3 * d->config->patience)
            d->clients[i].streams = 0;
}

static void turn_bridge(void *user)
{
    ping_bridge *d = user;
    pthread_mutex_lock(&d->lock);
    end_streams(d);
    const size_t out = d->out;
    memcpy(d->sending, d->outbox, out * sizeof *d->outbox);
    d->out = 0;
    pthread_mutex_unlock(&d->lock);
    for (size_t k = 0; k < out; k++)
        for (int i = 0; i < CLIENTS; i++)
            if (d->sending[k].to >> i & 1)
                send_message(d, &d->clients[i], &d->sending[k].message);
}

/* --- the loop's thread: receiving --- */

/* What was meant for an earlier client of this place is not sent to the new one. */
static void take_place(ping_bridge *d, client *c, const fm_address *from)
{
    const uint8_t others = (uint8_t) ~(1u << (c - d->clients));
    *c = (client){.address = *from};
    d->flight.to &= others;
    for (size_t i = 0; i < d->out; i++)
        d->outbox[i].to &= others;
}

/* The client at this address, or a place for it: a free one, or that of the longest silent beyond `patience`. NULL: all
 * are taken. With the lock. */
static client *meet_client(ping_bridge *d, const fm_address *from)
{
    const uint64_t now = 1 + uv_now(d->socket.loop);
    client *oldest = &d->clients[0];
    for (int i = 0; i < CLIENTS; i++) {
        client *c = &d->clients[i];
        if (c->heard && fm_address_equal(&c->address, from)) {
            c->heard = now;
            return c;
        }
        if (c->heard < oldest->heard)
            oldest = c;
    }
    if (oldest->heard && (double)(now - oldest->heard) <= 1e3 * d->config->patience)
        return NULL;
    take_place(d, oldest, from);
    oldest->heard = now;
    return oldest;
}

static fm_ping_effect take_frame(ping_bridge *d, client *c, const fm_ping_frame *frame, fm_ping_message *answer)
{
    fm_ping_shot shot;
    if (!d->config->scanning)
        return fm_ping_1d_take(&d->one, frame, answer);
    const fm_ping_effect effect = fm_ping_360_take(&d->three, frame, &shot, answer);
    if (effect != FM_PING_SHOOT)
        return effect;
    c->shot = shot;
    c->number = frame->from;
    c->asked = ++d->asked;
    return effect;
}

static void answer_frame(ping_bridge *d, const fm_ping_frame *frame, const fm_address *from)
{
    fm_ping_message answer = {0};
    pthread_mutex_lock(&d->lock);
    const uint8_t own = d->config->scanning ? d->three.id : d->one.id;
    const int meant = frame->to == 0 || frame->to == 255 || frame->to == own;
    client *c = meant ? meet_client(d, from) : NULL;
    if (c) {
        const fm_ping_effect effect = take_frame(d, c, frame, &answer);
        if (effect == FM_PING_STREAM || effect == FM_PING_CEASE)
            c->streams = effect == FM_PING_STREAM;
        if (effect == FM_PING_UNKNOWN)
            count(d->id);
    }
    pthread_mutex_unlock(&d->lock);
    if (!c)
        count(meant ? d->stranger : d->destination);
    else if (answer.size > 0)
        send_message(d, c, &answer);
}

static void on_datagram(uv_udp_t *socket, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    ping_bridge *d = socket->data;
    (void)flags;
    if (!from || size <= 0)
        return;
    const fm_address address = fm_address_of(from);
    const uint8_t *at = (const uint8_t *)buffer->base;
    for (size_t left = (size_t)size, used; left > 0; at += used, left -= used) {
        fm_ping_frame frame;
        const fm_ping_fault fault = fm_ping_open(at, left, &frame, &used);
        if (fault != FM_PING_FINE) {
            count(d->faults[fault]);
            continue;
        }
        count(d->count_received);
        answer_frame(d, &frame, &address);
    }
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    ping_bridge *d = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(d->received, sizeof d->received);
}

/* --- coming and going --- */

static void find_counters(ping_bridge *d)
{
    char name[48];
    for (int i = FM_PING_EMPTY + 1; i < FM_PING_FAULTS; i++) {
        snprintf(name, sizeof name, "ping/drop/%s", fm_ping_fault_name((fm_ping_fault)i));
        d->faults[i] = fm_host_count(d->host, name);
    }
    d->count_received = fm_host_count(d->host, "ping/received");
    d->count_sent = fm_host_count(d->host, "ping/sent");
    d->measured = fm_host_count(d->host, "ping/measured");
    d->id = fm_host_count(d->host, "ping/drop/id");
    d->destination = fm_host_count(d->host, "ping/drop/destination");
    d->stranger = fm_host_count(d->host, "ping/drop/stranger");
    d->rate = fm_host_count(d->host, "ping/drop/rate");
    d->send = fm_host_count(d->host, "ping/drop/send");
    d->full = fm_host_count(d->host, "ping/drop/outbox");
}

static fm_status bind_socket(ping_bridge *d, fm_error *error)
{
    const char *text = d->config->address;
    int port = d->config->scanning ? FM_PING_PORT_360 : FM_PING_PORT_1D;
    fm_address address;
    if (d->config->port)
        port = (int)d->config->port;
    fm_status status = fm_address_read(text, port, &address, error);
    if (status != FM_OK)
        return status;
    status = fm_socket_open_udp(fm_host_loop(d->host), &d->socket, &address, FM_SOCKET_UDP, error);
    d->socket.data = d;
    d->bound = 1;
    if (status != FM_OK)
        return status;
    uv_udp_recv_start(&d->socket, give_room, on_datagram);
    fm_host_tell(d->host, "ping: '%s' of '%s' is a %s at UDP %s:%d", d->config->part, d->config->of,
                 d->config->scanning ? "Ping360" : "Ping1D", text, port);
    return FM_OK;
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    ping_bridge *d = user;
    d->config = bridge->config;
    d->host = bridge->host;
    d->sample = -1;
    fm_lock_create(&d->lock);
    find_counters(d);
    fm_ping_1d_start(&d->one, d->config->range);
    fm_ping_360_start(&d->three, d->config->range);
    fm_status status = fm_ping_measure_create(&d->measure, bridge->model, d->config, error);
    return status == FM_OK ? bind_socket(d, error) : status;
}

static void close_bridge(void *user)
{
    ping_bridge *d = user;
    if (d->bound)
        uv_close((uv_handle_t *)&d->socket, NULL);
    d->bound = 0;
}

static void release_bridge(void *user)
{
    ping_bridge *d = user;
    fm_ping_measure_free(&d->measure);
    if (d->host)
        pthread_mutex_destroy(&d->lock);
}

const fm_bridge_calls fm_ping_calls = {.size = sizeof(fm_bridge_calls),
                                       .state_size = sizeof(ping_bridge),
                                       .open = open_bridge,
                                       .turn = turn_bridge,
                                       .close = close_bridge,
                                       .release = release_bridge,
                                       .step = step_bridge};
