/* Opening and closing the DIS bridge, and sending what is in its outbox; the loop's thread. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "bridges/dis/dis_bridge.h"
#include "bridges/list.h"
#include "server/socket.h"
#include "world/model.h"

#define WATCH_EVERY 100 /* ms between two checks whether the run is paused */

enum { SLOTS_MOST = 65000 };

/* One PDU per datagram: some receivers do not support more. */
static void turn_bridge(void *user)
{
    fm_dis_bridge *d = user;
    uint16_t length;
    pthread_mutex_lock(&d->lock);
    for (size_t at = 0; at + sizeof length <= d->out; at += sizeof length + length) {
        memcpy(&length, d->outbox + at, sizeof length);
        fm_dis_bridge_send(d, d->outbox + at + sizeof length, length, (const struct sockaddr *)&d->target);
    }
    d->out = 0;
    pthread_mutex_unlock(&d->lock);
}

/* --- coming and going --- */

static fm_status prepare(fm_dis_bridge *d, fm_error *error)
{
    const fm_model *model = fm_host_model(d->host);
    const fm_dis_config *s = d->config;
    d->rule = (fm_dis_rule){(int)s->pace,       (int)s->reckoning + 1, s->position_threshold,
                            s->angle_threshold, s->heartbeat,          1 / s->rate};
    d->origin = (fm_geodetic){model->settings.latitude, model->settings.longitude, 0};
    d->others.timeout = s->timeout;
    size_t slots = model->vehicle_count > model->settings.capacity ? model->vehicle_count : model->settings.capacity;
    d->slots = (int)(slots < SLOTS_MOST ? slots : SLOTS_MOST);
    d->senders = fm_alloc(slots * sizeof *d->senders + 1);
    d->noises = fm_alloc(slots * sizeof *d->noises + 1);
    d->born = fm_alloc(slots * sizeof *d->born + 1);
    d->outbox = fm_alloc(FM_DIS_OUTBOX);
    d->inbox = fm_alloc(FM_DIS_INBOX * sizeof *d->inbox);
    d->natures = fm_alloc(slots * sizeof *d->natures + 1);
    d->motions = fm_alloc(slots * sizeof *d->motions + 1);
    if (!d->senders || !d->noises || !d->born || !d->natures || !d->motions || !d->outbox || !d->inbox)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the DIS bridge");
    d->others.like = s->foreign;
    return FM_OK;
}

static void make_counters(fm_dis_bridge *d)
{
    const struct {
        fm_counter **counter;
        const char *name;
    } all[] = {{&d->sent, "dis/sent"},
               {&d->heard_well, "dis/heard"},
               {&d->own, "dis/own"},
               {&d->acknowledged, "dis/acknowledged"},
               {&d->collisions, "dis/collisions"},
               {&d->silent, "dis/gone"},
               {&d->full, "dis/drop/outbox"},
               {&d->unsent, "dis/drop/unsent"},
               {&d->other_exercise, "dis/drop/exercise"},
               {&d->refused, "dis/drop/not-allowed"},
               {&d->crowded, "dis/drop/crowded"},
               {&d->no_type, "dis/drop/no-foreign-type"},
               {&d->beyond, "dis/drop/far"},
               {&d->world_refuses, "dis/drop/refused"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i].counter = fm_host_count(d->host, all[i].name);
    for (int i = 0; i < FM_DIS_RESULTS; i++) {
        char name[48];
        snprintf(name, sizeof name, "dis/drop/%s", fm_dis_result_name((fm_dis_result)i));
        d->drops[i] = i == FM_DIS_WELL ? d->heard_well : fm_host_count(d->host, name);
    }
}

static int is_multicast(const struct sockaddr_in *at)
{
    return IN_MULTICAST(ntohl(at->sin_addr.s_addr));
}

/* A group on this computer alone stays local, although its receiving socket is bound to every address. */
static int keep_local(fm_dis_bridge *d, const fm_address *to)
{
    fm_address interface;
    uv_os_fd_t fd;
    int local = fm_address_is_loopback(to);
    if (d->config->interface && fm_address_read(d->config->interface, 0, &interface, NULL) == FM_OK)
        local |= fm_address_is_loopback(&interface);
    if (!local || !fm_address_is_group(to) || uv_fileno((uv_handle_t *)&d->udp, &fd) != 0)
        return 0;
    return fm_socket_keep_local(fd) ? 0 : -errno;
}

static fm_status open_socket(fm_dis_bridge *d, const fm_address *to, int port, fm_error *error)
{
    fm_address here;
    fm_socket_kind kind = fm_address_is_group(to) ? FM_SOCKET_UDP_SHARED : FM_SOCKET_UDP;
    fm_status status = fm_address_to_hear(to, port, &here, error);
    if (status != FM_OK) {
        uv_udp_init(fm_host_loop(d->host), &d->udp);
        return status;
    }
    return fm_socket_open_udp(fm_host_loop(d->host), &d->udp, &here, kind, error);
}

static int join_group(fm_dis_bridge *d, const char *address)
{
    int wrong = uv_udp_set_broadcast(&d->udp, 1);
    if (!wrong && is_multicast(&d->target)) {
        const char *interface = d->config->interface;
        wrong = uv_udp_set_membership(&d->udp, address, interface, UV_JOIN_GROUP);
        wrong = wrong ? wrong : uv_udp_set_multicast_ttl(&d->udp, (int)d->config->ttl);
        wrong = wrong ? wrong : uv_udp_set_multicast_loop(&d->udp, 1);
        wrong = wrong || !interface ? wrong : uv_udp_set_multicast_interface(&d->udp, interface);
    }
    return wrong ? wrong : uv_udp_recv_start(&d->udp, fm_dis_bridge_give_room, fm_dis_bridge_take);
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    fm_dis_bridge *d = user;
    fm_host *host = d->host = bridge->host;
    d->config = bridge->config;
    fm_lock_create(&d->lock);
    const char *address = d->config->address;
    int port = (int)d->config->port;
    make_counters(d);
    fm_status status = prepare(d, error);
    if (status != FM_OK)
        return status;
    if (uv_ip4_addr(address, port, &d->target) != 0)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "address '%.60s' of the DIS bridge: must be an IPv4 address: one computer's, a broadcast or a "
                       "multicast one",
                       address);
    const fm_address to = fm_address_of((const struct sockaddr *)&d->target);
    status = open_socket(d, &to, d->config->listen_port ? (int)d->config->listen_port : port, error);
    uv_timer_init(fm_host_loop(host), &d->watch);
    d->udp.data = d->watch.data = d;
    d->opened = 1;
    if (status != FM_OK)
        return status;
    int wrong = keep_local(d, &to);
    wrong = wrong ? wrong : join_group(d, address);
    if (wrong)
        return fm_fail(error, FM_ERR_FILE, "the DIS bridge cannot use %s port %d: %s", address, port,
                       uv_strerror(wrong));
    if (d->config->manage)
        uv_timer_start(&d->watch, fm_dis_bridge_watch, 0, WATCH_EVERY);
    fm_host_tell(host, "DIS %d to %s port %d as site %d, application %d, exercise %d%s", (int)d->config->version,
                 address, port, (int)d->config->site, (int)d->config->application, (int)d->config->exercise,
                 d->others.like ? "" : "; others are not shown: the scenario has no <type> with <foreign/>");
    return FM_OK;
}

static void close_bridge(void *user)
{
    fm_dis_bridge *d = user;
    if (!d->opened)
        return;
    turn_bridge(d);
    if (d->config->manage && d->managed)
        fm_dis_bridge_manage(d, 0);
    uv_close((uv_handle_t *)&d->udp, NULL);
    uv_close((uv_handle_t *)&d->watch, NULL);
}

static void release_bridge(void *user)
{
    fm_dis_bridge *d = user;
    pthread_mutex_destroy(&d->lock);
    fm_free(d->senders);
    fm_free(d->noises);
    fm_free(d->born);
    fm_free(d->natures);
    fm_free(d->motions);
    fm_free(d->outbox);
    fm_free(d->inbox);
}

const fm_bridge_calls fm_dis_calls = {.size = sizeof(fm_bridge_calls),
                                      .state_size = sizeof(fm_dis_bridge),
                                      .open = open_bridge,
                                      .turn = turn_bridge,
                                      .close = close_bridge,
                                      .release = release_bridge,
                                      .begin = fm_dis_bridge_begin,
                                      .steer = fm_dis_bridge_steer,
                                      .step = fm_dis_bridge_step,
                                      .event = fm_dis_bridge_event,
                                      .end = fm_dis_bridge_end};
