/* The stepping thread puts messages into an outbox; the loop's thread sends them to the autopilot, with a heartbeat
 * each second of the clock, and hears who the autopilot is. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/priority.h"
#include "bridges/list.h"
#include "bridges/odometry/odometry_say.h"
#include "server/door.h"
#include "server/socket.h"

enum { OUTBOX = 64, BEAT_MS = 1000, TYPE_ONBOARD = 18, NO_AUTOPILOT = 8 };

typedef struct odometry_bridge {
    const fm_odometry_config *config;
    fm_host *host;

    /* the loop's thread */
    uv_udp_t socket;
    uv_timer_t beat;
    int bound;
    char received[65536];
    fm_address peer;
    int known;      /* there is a peer */
    uint64_t heard; /* ms of the loop's clock: its last message */
    fm_mav_mail sending[OUTBOX];
    fm_counter *sent, *count_received, *unlocked, *stranger, *send, *full, *faults[FM_MAV_FAULTS];

    /* the stepping thread */
    fm_odometry_past past;

    /* both, under the lock */
    pthread_mutex_t lock;
    fm_mav_sender from;
    fm_mav_mail outbox[OUTBOX];
    size_t out;
} odometry_bridge;

static void count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- the stepping thread --- */

static void step_bridge(void *user, fm_run *run)
{
    odometry_bridge *d = user;
    fm_mav_mail mail = {.size = 0};
    pthread_mutex_lock(&d->lock);
    if (fm_odometry_say(fm_run_world(run), d->config, &d->past, &d->from, &mail) == FM_ODOMETRY_UNLOCKED)
        count(d->unlocked);
    if (mail.size > 0 && d->out == OUTBOX)
        count(d->full);
    else if (mail.size > 0)
        d->outbox[d->out++] = mail;
    pthread_mutex_unlock(&d->lock);
}

/* --- the loop's thread --- */

/* Whether someone is to be sent to: one that is silent is forgotten. */
static int has_peer(odometry_bridge *d)
{
    const double silence = (double)(uv_now(d->socket.loop) - d->heard) * 1e-3;
    if (d->config->mode == FM_ODOMETRY_LISTEN && d->known && silence > d->config->patience)
        d->known = 0;
    return d->known;
}

static void send_mail(odometry_bridge *d, const fm_mav_mail *mail)
{
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)mail->bytes, (unsigned)mail->size);
    if (uv_udp_try_send(&d->socket, &buffer, 1, (const struct sockaddr *)(const void *)&d->peer.at) < 0)
        count(d->send);
    else
        count(d->sent);
}

static void turn_bridge(void *user)
{
    odometry_bridge *d = user;
    pthread_mutex_lock(&d->lock);
    const size_t out = d->out;
    memcpy(d->sending, d->outbox, out * sizeof *d->outbox);
    d->out = 0;
    pthread_mutex_unlock(&d->lock);
    if (!has_peer(d))
        return;
    for (size_t i = 0; i < out; i++)
        send_mail(d, &d->sending[i]);
}

static void on_beat(uv_timer_t *timer)
{
    odometry_bridge *d = timer->data;
    fm_mav_mail mail = {.size = 0};
    if (!has_peer(d))
        return;
    pthread_mutex_lock(&d->lock);
    FM_MAV_ADD(
        &mail, &d->from, heartbeat,
        {.type = TYPE_ONBOARD, .autopilot = NO_AUTOPILOT, .system_status = FM_MAV_STATE_ACTIVE, .mavlink_version = 3});
    pthread_mutex_unlock(&d->lock);
    send_mail(d, &mail);
}

static void meet_peer(odometry_bridge *d, const fm_address *from)
{
    char text[48];
    uint16_t port;
    if (has_peer(d) && !fm_address_equal(&d->peer, from)) {
        count(d->stranger);
        return;
    }
    d->heard = uv_now(d->socket.loop);
    if (d->known)
        return;
    d->peer = *from;
    d->known = 1;
    fm_address_write(from, text, &port);
    fm_host_tell(d->host, "odometry: sends the readings of '%s' to %s:%u", d->config->part, text, port);
}

static void on_datagram(uv_udp_t *socket, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    odometry_bridge *d = socket->data;
    (void)flags;
    if (!from || size <= 0)
        return;
    const fm_address address = fm_address_of(from);
    const uint8_t *at = (const uint8_t *)buffer->base;
    int speaks = 0;
    for (size_t left = (size_t)size, used; left > 0; at += used, left -= used) {
        fm_mav_frame frame;
        const fm_mav_fault fault = fm_mav_open(at, left, &frame, &used);
        if (fault == FM_MAV_MORE)
            break;
        if (fault == FM_MAV_FINE || fault == FM_MAV_FAULT_ID) /* an autopilot sends much that is not for a DVL */
            speaks = 1;
        else
            count(d->faults[fault]);
    }
    if (!speaks)
        return;
    count(d->count_received);
    if (d->config->mode == FM_ODOMETRY_LISTEN)
        meet_peer(d, &address);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    odometry_bridge *d = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(d->received, sizeof d->received);
}

/* --- coming and going --- */

static void find_counters(odometry_bridge *d)
{
    char name[48];
    for (int i = FM_MAV_MORE + 1; i < FM_MAV_FAULTS; i++) {
        snprintf(name, sizeof name, "odometry/drop/%s", fm_mav_fault_name((fm_mav_fault)i));
        d->faults[i] = i == FM_MAV_FAULT_ID ? NULL : fm_host_count(d->host, name);
    }
    d->sent = fm_host_count(d->host, "odometry/sent");
    d->count_received = fm_host_count(d->host, "odometry/received");
    d->unlocked = fm_host_count(d->host, "odometry/unlocked");
    d->stranger = fm_host_count(d->host, "odometry/drop/stranger");
    d->send = fm_host_count(d->host, "odometry/drop/send");
    d->full = fm_host_count(d->host, "odometry/drop/outbox");
}

static fm_status open_socket(odometry_bridge *d, fm_error *error)
{
    const char *text = d->config->address;
    const int port = (int)d->config->port, sends = d->config->mode == FM_ODOMETRY_SEND;
    fm_address at, own;
    fm_status status = fm_address_read(text, port, &at, error);
    if (status == FM_OK && sends)
        status = fm_address_towards(&at, &own, error);
    if (status != FM_OK)
        return status;
    status = fm_socket_open_udp(fm_host_loop(d->host), &d->socket, sends ? &own : &at, FM_SOCKET_UDP, error);
    uv_timer_init(fm_host_loop(d->host), &d->beat);
    d->socket.data = d->beat.data = d;
    d->bound = 1;
    if (status != FM_OK)
        return status;
    d->peer = at;
    d->known = sends;
    uv_udp_recv_start(&d->socket, give_room, on_datagram);
    uv_timer_start(&d->beat, on_beat, 0, BEAT_MS);
    fm_host_tell(d->host, "odometry: '%s' of '%s' %s UDP %s:%d", d->config->part, d->config->of,
                 sends ? "sends to" : "waits for an autopilot at", text, port);
    return FM_OK;
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    odometry_bridge *d = user;
    d->config = bridge->config;
    d->host = bridge->host;
    d->from = (fm_mav_sender){.system = (uint8_t)d->config->system, .component = (uint8_t)d->config->component};
    fm_lock_create(&d->lock);
    find_counters(d);
    return open_socket(d, error);
}

static void close_bridge(void *user)
{
    odometry_bridge *d = user;
    if (!d->bound)
        return;
    turn_bridge(d);
    uv_close((uv_handle_t *)&d->socket, NULL);
    uv_close((uv_handle_t *)&d->beat, NULL);
    d->bound = 0;
}

static void release_bridge(void *user)
{
    odometry_bridge *d = user;
    if (d->host)
        pthread_mutex_destroy(&d->lock);
}

const fm_bridge_calls fm_odometry_calls = {.size = sizeof(fm_bridge_calls),
                                           .state_size = sizeof(odometry_bridge),
                                           .open = open_bridge,
                                           .turn = turn_bridge,
                                           .close = close_bridge,
                                           .release = release_bridge,
                                           .step = step_bridge};
