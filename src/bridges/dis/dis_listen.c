/* PDUs that the loop's thread receives: entities for the stepping thread, and requests of simulation managers. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "bridges/dis/dis_bridge.h"
#include "run/run.h"
#include "server/clock.h"
#include "world/model.h"

static int is_ours(const fm_dis_bridge *d, fm_dis_id id)
{
    return id.site == d->config->site && id.application == d->config->application;
}

/* Whether a request of a simulation manager addresses this simulation. */
static int means_us(const fm_dis_bridge *d, fm_dis_id to)
{
    return (to.site == d->config->site || to.site == 0xffff) &&
           (to.application == d->config->application || to.application == 0xffff);
}

static int may_manage(const fm_dis_bridge *d, const struct sockaddr *from)
{
    char text[INET_ADDRSTRLEN] = "", list[512];
    inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)from)->sin_addr, text, sizeof text);
    snprintf(list, sizeof list, "%s", d->config->allow);
    char *rest = list;
    for (char *word; (word = strsep(&rest, " ,")) != NULL;)
        if (strcmp(word, text) == 0)
            return 1;
    return 0;
}

double fm_dis_bridge_time(fm_dis_bridge *d)
{
    pthread_mutex_lock(&d->lock);
    double time = d->time;
    pthread_mutex_unlock(&d->lock);
    return time;
}

void fm_dis_bridge_send(fm_dis_bridge *d, const uint8_t *bytes, size_t size, const struct sockaddr *to)
{
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)size);
    if (uv_udp_try_send(&d->udp, &buffer, 1, to) < 0)
        fm_dis_count(d->unsent);
}

/* Executes a request of a simulation manager and acknowledges it to the sender. */
static void obey(fm_dis_bridge *d, const struct sockaddr *from)
{
    int starts = d->heard.header.type == FM_DIS_START_RESUME;
    fm_dis_id asker = starts ? d->heard.start.from : d->heard.stop.from;
    fm_dis_id to = starts ? d->heard.start.to : d->heard.stop.to;
    uint8_t bytes[64];
    if (is_ours(d, asker) || !means_us(d, to))
        return;
    int able = may_manage(d, from);
    fm_command command = {.kind = starts ? FM_COMMAND_START : FM_COMMAND_STOP};
    if (able)
        fm_host_execute(d->host, &command, "dis", NULL, NULL);
    else
        fm_dis_count(d->refused);
    if (able)
        d->was_paused = !starts; /* not forwarded to others */
    fm_dis_bridge_head(d, &d->answer, FM_DIS_ACKNOWLEDGE, fm_dis_bridge_time(d));
    d->answer.acknowledge =
        (fm_dis_acknowledge){.from = {(uint16_t)d->config->site, (uint16_t)d->config->application, 0},
                             .to = asker,
                             .flag = starts ? 3 : 4,
                             .response = able ? FM_DIS_ABLE : FM_DIS_UNABLE,
                             .request = starts ? d->heard.start.request : d->heard.stop.request};
    fm_dis_bridge_send(d, bytes, fm_dis_encode(&d->answer, bytes, sizeof bytes), from);
}

static void take_entity(fm_dis_bridge *d)
{
    if (is_ours(d, d->heard.entity.id)) {
        fm_dis_count(d->own);
        return;
    }
    pthread_mutex_lock(&d->lock);
    int room = d->in < FM_DIS_INBOX;
    if (room)
        d->inbox[d->in++] = d->heard.entity;
    pthread_mutex_unlock(&d->lock);
    if (!room)
        fm_dis_count(d->crowded);
}

static void take_pdu(fm_dis_bridge *d, const struct sockaddr *from)
{
    if (d->heard.header.exercise != d->config->exercise) {
        fm_dis_count(d->other_exercise);
        return;
    }
    switch (d->heard.header.type) {
    case FM_DIS_ENTITY_STATE: take_entity(d); break;
    case FM_DIS_START_RESUME:
    case FM_DIS_STOP_FREEZE: obey(d, from); break;
    case FM_DIS_ACKNOWLEDGE: fm_dis_count(d->acknowledged); break;
    case FM_DIS_COLLISION: fm_dis_count(d->collisions); break;
    default: fm_dis_count(d->heard_well); break;
    }
}

/* One datagram may contain several PDUs. */
void fm_dis_bridge_take(uv_udp_t *udp, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    fm_dis_bridge *d = udp->data;
    const uint8_t *at = (const uint8_t *)buffer->base;
    (void)flags;
    if (size <= 0 || !from || from->sa_family != AF_INET)
        return;
    for (size_t left = (size_t)size, used; left > 0; left -= used, at += used) {
        fm_dis_result result = fm_dis_decode(at, left, &d->heard, &used);
        if (result == FM_DIS_WELL)
            take_pdu(d, from);
        else
            fm_dis_count(d->drops[result]);
        if (used == 0)
            return;
    }
}

void fm_dis_bridge_give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    fm_dis_bridge *d = handle->data;
    (void)suggested;
    *buffer = uv_buf_init((char *)d->received, sizeof d->received);
}

/* --- starting and stopping other simulations --- */

/* Notifies the other simulations when this one starts and stops. */
void fm_dis_bridge_manage(fm_dis_bridge *d, int starts)
{
    uint8_t bytes[64];
    const fm_dis_id own = {(uint16_t)d->config->site, (uint16_t)d->config->application, 0},
                    all = {0xffff, 0xffff, 0xffff};
    double time = fm_dis_bridge_time(d);
    fm_dis_clock real = fm_dis_clock_from(fm_clock_date()),
                 simulation = fm_dis_clock_from(fm_host_model(d->host)->settings.epoch + time);
    fm_dis_bridge_head(d, &d->answer, starts ? FM_DIS_START_RESUME : FM_DIS_STOP_FREEZE, time);
    if (starts)
        d->answer.start = (fm_dis_start){own, all, real, simulation, ++d->request};
    else
        d->answer.stop = (fm_dis_stop){.from = own, .to = all, .real = real, .reason = 1, .request = ++d->request};
    fm_dis_bridge_send(d, bytes, fm_dis_encode(&d->answer, bytes, sizeof bytes), (const struct sockaddr *)&d->target);
}

void fm_dis_bridge_watch(uv_timer_t *timer)
{
    fm_dis_bridge *d = timer->data;
    pthread_mutex_lock(&d->lock);
    int there = d->run != NULL, paused = there && fm_run_paused(d->run);
    pthread_mutex_unlock(&d->lock);
    if (!there || (d->managed && paused == d->was_paused))
        return;
    if (d->managed || !paused)
        fm_dis_bridge_manage(d, !paused);
    d->managed = 1;
    d->was_paused = paused;
}
