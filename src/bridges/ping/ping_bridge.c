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
    int64_t sample;        /* number of the last sample of the instrument */
    double next;           /* s: when a Ping1D may measure again */
    double back;           /* s: when the transmission of a Ping360 is answered */
    double time;           /* s: of the last step */
    uint32_t pings;        /* number of the next measurement of a Ping1D */
    uint16_t flight_id;    /* of the message that answers the transmission */
    uint8_t flight_number; /* device id of the client */
    uint8_t data[FM_PING_SAMPLES];

    /* both, under the lock */
    pthread_mutex_t lock;
    fm_ping_1d one;
    fm_ping_360 three;
    client clients[CLIENTS];
    uint64_t asked; /* transmissions so far */
    int flying;     /* `flight` waits until `back` */
    outgoing flight;
    outgoing outbox[OUTBOX];
    size_t out;
} ping_bridge;

static void count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- the stepping thread: it measures without the lock --- */

/* With the lock. */
static uint8_t streaming(const ping_bridge *d)
{
    uint8_t to = 0;
    for (int i = 0; i < CLIENTS; i++)
        if (d->clients[i].heard && d->clients[i].streams)
            to |= (uint8_t)(1u << i);
    return to;
}

/* With the lock. */
static void post(ping_bridge *d, const outgoing *message)
{
    if (message->to == 0)
        return;
    if (d->out == OUTBOX)
        count(d->full);
    else
        d->outbox[d->out++] = *message;
}

static fm_ping_1d settings_of(ping_bridge *d)
{
    pthread_mutex_lock(&d->lock);
    const fm_ping_1d settings = d->one;
    pthread_mutex_unlock(&d->lock);
    return settings;
}

static void publish_profile(ping_bridge *d, const fm_ping_profile *profile)
{
    outgoing message = {.to = 0};
    pthread_mutex_lock(&d->lock);
    d->one.last = *profile;
    if ((message.to = streaming(d)) != 0)
        fm_ping_1d_report(&d->one, FM_PING_1D_PROFILE, 0, &message.message);
    post(d, &message);
    pthread_mutex_unlock(&d->lock);
}

static void step_1d(ping_bridge *d, fm_world *world, double time)
{
    const int64_t sample = fm_ping_measure_count(&d->measure, world);
    if (sample < 0 || sample == d->sample || time < d->next - 1e-9)
        return;
    const fm_ping_1d settings = settings_of(d);
    if (!settings.enabled)
        return;
    fm_ping_profile profile = settings.last;
    profile.number = d->pings++;
    d->sample = sample;
    d->next = time + 1e-3 * settings.interval;
    fm_ping_measure_1d(&d->measure, world, &settings, &profile);
    count(d->measured);
    publish_profile(d, &profile);
}

/* The transmission that waits longest; NULL: none. With the lock. */
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

/* What the device is to do now: the settings of the transmission are in force. 0: nothing. With the lock. */
static int choose_transmission(ping_bridge *d)
{
    fm_ping_360 *t = &d->three;
    client *asking = next_client(d);
    d->flight.to = asking ? (uint8_t)(1u << (asking - d->clients)) : streaming(d);
    d->flight_id = asking ? FM_PING_360_DEVICE_DATA : FM_PING_360_AUTO_DEVICE_DATA;
    d->flight_number = asking ? asking->number : 0;
    if (asking) {
        t->shot = asking->shot;
        asking->asked = 0;
    } else if (!t->sweeping || d->flight.to == 0) {
        t->sweeping = 0;
        return 0;
    }
    return 1;
}

/* The answer to a transmission, `count` samples in `data`, and when it is there. With the lock. */
static void launch(ping_bridge *d, const fm_ping_360 *at, uint16_t samples, double time)
{
    fm_ping_360 *t = &d->three;
    const int sweeps = d->flight_id == FM_PING_360_AUTO_DEVICE_DATA;
    fm_ping_360 told = *at; /* a client may have set others since */
    told.count = samples;
    memcpy(told.data, d->data, samples);
    fm_ping_360_report(&told, d->flight_id, d->flight_number, &d->flight.message);
    t->count = samples;
    memcpy(t->data, d->data, samples);
    d->back = time + fm_ping_360_delay(t->head, &at->shot) + (sweeps ? 1e-3 * at->delay : 0);
    t->head = at->shot.angle;
    if (sweeps && t->sweeping && t->shot.angle == at->shot.angle)
        fm_ping_360_advance(t);
    d->flying = 1;
}

static void step_360(ping_bridge *d, fm_world *world, double time)
{
    pthread_mutex_lock(&d->lock);
    if (d->flying && time >= d->back - 1e-9) {
        post(d, &d->flight);
        d->flying = 0;
    }
    const int begins = !d->flying && choose_transmission(d);
    const fm_ping_360 at = d->three;
    pthread_mutex_unlock(&d->lock);
    if (!begins)
        return;
    const int measured = at.shot.transmit && fm_ping_measure_360(&d->measure, world, &at.shot, d->data);
    if (measured)
        count(d->measured);
    pthread_mutex_lock(&d->lock);
    launch(d, &at, measured ? at.shot.samples : 0, time);
    pthread_mutex_unlock(&d->lock);
}

static void step_bridge(void *user, fm_run *run)
{
    ping_bridge *d = user;
    fm_world *world = fm_run_world(run);
    const double time = fm_world_time(world);
    if (time < d->time) { /* a reset: the device starts again too */
        d->next = d->back = time;
        d->sample = -1;
        d->pings = 1;
    }
    d->time = time;
    if (d->config->scanning)
        step_360(d, world, time);
    else
        step_1d(d, world, time);
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
    d->pings = 1;
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
