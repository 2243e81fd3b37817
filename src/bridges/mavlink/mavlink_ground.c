/* A ground station sees and flies vehicles: each is a MAVLink system that reports its position and answers the station.
 * This file: sockets, the stream, and which station is heard. */
#include "bridges/mavlink/mavlink_ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "run/run.h"
#include "server/seal.h"
#include "world/model.h"
#include "world/world.h"

enum { HEARTBEAT_MS = 1000, SYSTEMS_MOST = 250, ANSWERS = 1 << 16 /* bytes from heart to heart */ };
#define SLOWLY 1.0 /* s of simulated time between two reports of slowly changing values */

/* --- the stepping thread --- */

void fm_mav_ground_begin(fm_mav_ground *g, fm_run *run)
{
    pthread_mutex_lock(&g->lock);
    g->run = run;
    pthread_mutex_unlock(&g->lock);
}

void fm_mav_ground_end(fm_mav_ground *g)
{
    fm_mav_ground_begin(g, NULL);
}

/* Texts and events for all stations, from the next turn on. */
static void publish_news(fm_mav_ground *g, fm_mav_outbox *news)
{
    if (!news->size)
        return;
    pthread_mutex_lock(&g->lock);
    fm_mav_outbox_move(&g->news, news);
    pthread_mutex_unlock(&g->lock);
    fm_mav_outbox_free(news);
}

void fm_mav_ground_steer(fm_mav_ground *g, fm_run *run)
{
    fm_world *world = fm_run_world(run);
    for (size_t i = 0; i < g->count; i++) {
        fm_mav_system *s = &g->systems[i];
        fm_mav_outbox news = {.system = s->sender.system};
        fm_mav_system_meet(s, world);
        fm_mav_flight_steer(&s->flight, world, &news);
        publish_news(g, &news);
    }
}

void fm_mav_ground_event(fm_mav_ground *g, fm_run *run, const fm_event *event)
{
    for (size_t i = 0; strcmp(event->kind, "waypoint reached") == 0 && i < g->count; i++) {
        fm_mav_system *s = &g->systems[i];
        fm_mav_outbox news = {.system = s->sender.system};
        if (s->slot != event->slot || !s->flight.type || !(event->value >= 1))
            continue;
        const int seq = fm_mav_mission_reach(&s->mission, &s->flight, fm_run_world(run), (size_t)event->value);
        if (seq >= 0)
            FM_MAV_SAY(&news, mission_item_reached, {.seq = (uint16_t)seq});
        publish_news(g, &news);
    }
}

static void view_at(fm_mav_ground *g, fm_mav_system *s, const fm_world *world)
{
    fm_pilot_view view;
    fm_mav_status status = {.type = 0};
    fm_mav_system_meet(s, world);
    if (fm_pilot_view_fill(world, s->slot, &view) && s->flight.type) {
        status = (fm_mav_status){.type = s->flight.boat ? FM_MAV_TYPE_SURFACE_BOAT : FM_MAV_TYPE_SUBMARINE,
                                 .armed = s->flight.armed,
                                 .mode = s->flight.mode};
        fm_mav_mission_now(&s->mission, &s->flight, world, &status.mission);
    }
    pthread_mutex_lock(&g->lock);
    s->status = status;
    if (status.type)
        s->view = view;
    s->fresh = status.type != 0;
    pthread_mutex_unlock(&g->lock);
}

void fm_mav_ground_step(fm_mav_ground *g, fm_run *run)
{
    const fm_world *world = fm_run_world(run);
    uint64_t steps = fm_world_steps(world);
    if (steps < g->next)
        return;
    g->next = steps + g->stride;
    for (size_t i = 0; i < g->count; i++)
        view_at(g, &g->systems[i], world);
}

/* --- the loop's thread: sending --- */

static fm_mav_status status_of(fm_mav_ground *g, const fm_mav_system *s)
{
    pthread_mutex_lock(&g->lock);
    const fm_mav_status status = s->status;
    pthread_mutex_unlock(&g->lock);
    return status;
}

static void send_mail(fm_mav_ground *g, const fm_mav_mail *mail, const fm_address *to)
{
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)mail->bytes, (unsigned)mail->size);
    if (mail->size == 0)
        return;
    if (!fm_mav_station_may_send(&g->station, to, mail->size))
        atomic_fetch_add(g->unverified, 1);
    else if (uv_udp_try_send(&g->socket, &buffer, 1, (const struct sockaddr *)(const void *)&to->at) < 0)
        atomic_fetch_add(g->counters.send, 1);
    else
        atomic_fetch_add(g->counters.sent, 1);
}

static void send_to_stations(fm_mav_ground *g, const fm_mav_mail *mail)
{
    fm_address to[2];
    size_t count = fm_mav_station_list(&g->station, uv_now(g->socket.loop), to);
    for (size_t i = 0; i < count; i++)
        send_mail(g, mail, &to[i]);
}

/* Requests are short and answers can be long: a budget limits answers, so that the bridge cannot amplify an attack. */
static void send_answer(fm_mav_ground *g, const fm_mav_mail *mail, const fm_address *to)
{
    if (mail->size > g->answers) {
        atomic_fetch_add(g->rate, 1);
        return;
    }
    g->answers -= mail->size;
    send_mail(g, mail, to);
}

/* NULL: to all stations. */
static void send_one(fm_mav_ground *g, fm_mav_mail *mail, const fm_address *to)
{
    if (to)
        send_answer(g, mail, to);
    else
        send_to_stations(g, mail);
    mail->size = 0;
}

void fm_mav_ground_answer(fm_mav_ground *g, fm_mav_outbox *outbox, const fm_address *to)
{
    fm_mav_mail mail = {.size = 0};
    for (size_t at = 0, size; at < outbox->size; at += size) {
        uint8_t *frame = outbox->bytes + at;
        fm_mav_sender *sender = &g->systems[frame[FM_MAV_AT_SYSTEM] - g->systems[0].sender.system].sender;
        size = fm_mav_number(sender, frame);
        if (mail.size + size > sizeof mail.bytes)
            send_one(g, &mail, to);
        memcpy(mail.bytes + mail.size, frame, size);
        mail.size += size;
    }
    if (mail.size)
        send_one(g, &mail, to);
    outbox->size = 0;
}

static void add_mission(fm_mav_mail *mail, fm_mav_sender *from, const fm_mav_mission_current *now)
{
    if (mail->size + FM_MAV_MOST <= sizeof mail->bytes)
        mail->size += fm_mav_mission_current_write(from, now, mail->bytes + mail->size);
}

static void send_view(fm_mav_ground *g, fm_mav_system *s)
{
    fm_mav_mail mail = {.size = 0};
    fm_pilot_view view;
    pthread_mutex_lock(&g->lock);
    int fresh = s->fresh;
    const fm_mav_mission_current mission = s->status.mission;
    view = s->view;
    s->fresh = 0;
    pthread_mutex_unlock(&g->lock);
    if (!fresh)
        return;
    fm_mav_add_motion(&mail, &s->sender, &view);
    if (!(fabs(view.time - s->slow) < SLOWLY)) {
        s->slow = view.time;
        send_to_stations(g, &mail);
        mail.size = 0;
        fm_mav_add_status(&mail, &s->sender, &view);
        add_mission(&mail, &s->sender, &mission);
    }
    send_to_stations(g, &mail);
}

void fm_mav_ground_turn(fm_mav_ground *g)
{
    fm_mav_outbox news;
    pthread_mutex_lock(&g->lock);
    news = g->news;
    g->news = (fm_mav_outbox){.size = 0};
    pthread_mutex_unlock(&g->lock);
    fm_mav_ground_answer(g, &news, NULL);
    fm_mav_outbox_free(&news);
    for (size_t i = 0; i < g->count; i++)
        send_view(g, &g->systems[i]);
}

/* A stopped run moves nothing: it is on standby, and not armed. */
static void send_heartbeat(fm_mav_ground *g, fm_mav_system *s, int state)
{
    fm_mav_mail mail = {.size = 0};
    const fm_mav_status now = status_of(g, s);
    const int boat = now.type == FM_MAV_TYPE_SURFACE_BOAT;
    const int active = now.armed && state == FM_MAV_STATE_ACTIVE;
    if (!now.type)
        return;
    FM_MAV_ADD(&mail, &s->sender, heartbeat,
               {.custom_mode = fm_mav_mode_number(g->dialect, boat, now.mode),
                .type = (uint8_t)now.type,
                .autopilot = fm_mav_dialect_autopilot(g->dialect),
                .base_mode = (uint8_t)(fm_mav_mode_flags(now.mode) | (active ? FM_MAV_MODE_ARMED : 0)),
                .system_status = (uint8_t)(active                         ? FM_MAV_STATE_ACTIVE
                                           : state == FM_MAV_STATE_ACTIVE ? FM_MAV_STATE_STANDBY
                                                                          : state),
                .mavlink_version = 3});
    send_to_stations(g, &mail);
}

static int is_paused(fm_mav_ground *g)
{
    pthread_mutex_lock(&g->lock);
    const int paused = !g->run || fm_run_paused(g->run);
    pthread_mutex_unlock(&g->lock);
    return paused;
}

/* Timed by the clock, so that a station keeps the vehicles of a paused run. */
static void on_heart(uv_timer_t *timer)
{
    fm_mav_ground *g = timer->data;
    const int state = is_paused(g) ? FM_MAV_STATE_STANDBY : FM_MAV_STATE_ACTIVE;
    g->answers = ANSWERS;
    for (size_t i = 0; i < g->count; i++)
        send_heartbeat(g, &g->systems[i], state);
    fm_mav_errand_send(g, NULL, NULL, 0);
}

/* --- the loop's thread: receiving --- */

static void answer_ping(fm_mav_ground *g, fm_mav_system *s, const fm_mav_frame *f, const fm_address *to)
{
    fm_mav_mail mail = {.size = 0};
    fm_mav_ping ping;
    fm_mav_ping_read(f, &ping);
    if (ping.target_system != 0)
        return; /* an answer itself */
    ping.target_system = f->system;
    ping.target_component = f->component;
    mail.size = fm_mav_ping_write(&s->sender, &ping, mail.bytes);
    send_answer(g, &mail, to);
}

static void take_ping(fm_mav_ground *g, const fm_mav_frame *f, const fm_address *from)
{
    fm_mav_ping ping;
    fm_mav_ping_read(f, &ping);
    if (ping.target_system == g->systems[0].sender.system && ping.seq == (uint32_t)(ping.time_usec >> 32))
        fm_mav_station_verify(&g->station, from, ping.time_usec);
    for (size_t i = 0; i < g->count; i++)
        if (status_of(g, &g->systems[i]).type)
            answer_ping(g, &g->systems[i], f, from);
}

/* What names none of our vehicles, or a component that they do not have, is for others on the network. */
static void take_frame(fm_mav_ground *g, const fm_mav_frame *f, const fm_address *from)
{
    enum { AUTOPILOT = 1 };
    unsigned system, component, first = g->systems[0].sender.system;
    if (f->id == FM_MAV_ID_PING) {
        take_ping(g, f, from);
        return;
    }
    const int known = fm_mav_frame_target(f, &system, &component);
    if (known && component <= AUTOPILOT && (system == 0 || (system >= first && system < first + g->count)))
        fm_mav_errand_send(g, f, from, fm_mav_station_is_trusted(&g->station, from));
}

static int is_ours(const fm_mav_ground *g, const fm_mav_frame *f)
{
    unsigned first = g->systems[0].sender.system;
    return f->system >= first && f->system < first + g->count;
}

/* A station that answers a ping repeats the numbers of the PING. */
static void ask_guest(fm_mav_ground *g)
{
    fm_mav_mail mail = {.size = 0};
    fm_mav_station *s = &g->station;
    if (!s->has_guest || s->verified)
        return;
    FM_MAV_ADD(&mail, &g->systems[0].sender, ping, {.time_usec = s->challenge, .seq = (uint32_t)(s->challenge >> 32)});
    send_mail(g, &mail, &s->guest);
}

/* Ignores our own frames that return, and frames of unknown senders. */
static void meet(fm_mav_ground *g, const fm_mav_frame *f, size_t size, const fm_address *from)
{
    atomic_fetch_add(g->counters.received, 1);
    if (is_ours(g, f))
        return;
    if (!fm_mav_station_hear(&g->station, from, size, uv_now(g->socket.loop), fm_seal_random())) {
        atomic_fetch_add(g->strangers, 1);
        return;
    }
    ask_guest(g);
    take_frame(g, f, from);
}

static void on_datagram(uv_udp_t *socket, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    fm_mav_ground *g = socket->data;
    const uint8_t *bytes = (const uint8_t *)buffer->base;
    fm_mav_frame frame;
    (void)flags;
    if (!from || size <= 0)
        return;
    fm_address address = fm_address_of(from);
    for (size_t left = (size_t)size, used; left > 0; bytes += used, left -= used) {
        fm_mav_fault fault = fm_mav_open(bytes, left, &frame, &used);
        if (fault == FM_MAV_MORE) { /* truncated: a datagram has no continuation */
            atomic_fetch_add(g->counters.faults[FM_MAV_FAULT_LENGTH], 1);
            break;
        }
        if (fault == FM_MAV_FINE)
            meet(g, &frame, used, &address);
        else
            atomic_fetch_add(g->counters.faults[fault], 1);
    }
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    fm_mav_ground *g = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(g->room, sizeof g->room);
}

/* --- coming and going --- */

/* Errands that have come back, in the order in which they were done. */
static void on_wake(uv_async_t *wake)
{
    fm_mav_ground *g = wake->data;
    fm_mav_errand *list = NULL;
    pthread_mutex_lock(&g->lock);
    for (fm_mav_errand *e = g->answered, *next; e; e = next) {
        next = e->next;
        e->next = list;
        list = e;
    }
    g->answered = NULL;
    pthread_mutex_unlock(&g->lock);
    for (; list; list = list->next) {
        fm_mav_ground_answer(g, &list->out, list->framed ? &list->from : NULL);
        list->used = 0;
    }
}

static fm_status open_socket(fm_mav_ground *g, const fm_mavlink_config *config, fm_error *error)
{
    const char *address = config->address;
    int port = (int)config->port;
    fm_address to, own;
    fm_status status = fm_address_read(address, port, &to, error);
    if (status == FM_OK)
        status = fm_address_towards(&to, &own, error);
    if (status != FM_OK)
        return status;
    fm_mav_station_init(&g->station, &to);
    uv_timer_init(fm_host_loop(g->host), &g->heart);
    uv_async_init(fm_host_loop(g->host), &g->wake, on_wake);
    status = fm_socket_open_udp(fm_host_loop(g->host), &g->socket, &own, FM_SOCKET_UDP, error);
    g->socket.data = g->heart.data = g->wake.data = g;
    g->open = 1;
    if (status != FM_OK)
        return status;
    g->hears = 1;
    uv_udp_recv_start(&g->socket, give_room, on_datagram);
    uv_udp_set_broadcast(&g->socket, 1);
    uv_timer_start(&g->heart, on_heart, 0, HEARTBEAT_MS);
    fm_host_tell(g->host, "mavlink: %zu vehicle%s for a ground station at UDP %s:%d", g->count,
                 g->count == 1 ? "" : "s", address, port);
    return FM_OK;
}

/* Slots from `first` on: all of the world, or that of one vehicle. */
static fm_status make_systems(fm_mav_ground *g, const fm_model *model, const fm_mavlink_config *config, fm_error *error)
{
    size_t first = 0, room = SYSTEMS_MOST + 1 - (size_t)config->system;
    g->count = model->settings.capacity > model->vehicle_count ? model->settings.capacity : model->vehicle_count;
    while (config->vehicle && first < model->vehicle_count && strcmp(model->vehicles[first].name, config->vehicle) != 0)
        first++;
    if (config->vehicle)
        g->count = 1;
    if (g->count == 0 || g->count > room)
        return fm_fail(error, FM_ERR_RANGE, "mavlink: %zu vehicles; from system number %d on there is room for 1 … %zu",
                       g->count, (int)config->system, room);
    g->systems = fm_alloc(g->count * sizeof *g->systems);
    if (!g->systems)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge");
    for (size_t i = 0; i < g->count; i++)
        g->systems[i] = (fm_mav_system){.sender = {(uint8_t)(config->system + (int64_t)i), 1, 0},
                                        .slot = (int)(first + i),
                                        .mission = {.origin = g->origin},
                                        .slow = -HUGE_VAL};
    return FM_OK;
}

static fm_status make_params(fm_mav_ground *g, const fm_model *model, fm_error *error)
{
    fm_status status = FM_OK;
    g->params = fm_alloc((model->type_count + 1) * sizeof *g->params);
    if (!g->params)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge");
    for (size_t i = 0; i < model->type_count && status == FM_OK; i++, g->type_count++)
        status = fm_mav_params_create(&g->params[i], model, &model->types[i], error);
    return status;
}

static void find_counters(fm_mav_ground *g)
{
    fm_mav_counters_find(&g->counters, g->host);
    g->strangers = fm_host_count(g->host, "mavlink/drop/stranger");
    g->unverified = fm_host_count(g->host, "mavlink/drop/unverified");
    g->rate = fm_host_count(g->host, "mavlink/drop/rate");
    g->full = fm_host_count(g->host, "mavlink/drop/busy");
}

fm_status fm_mav_ground_create(fm_host *host, const fm_mavlink_config *config, fm_mav_ground **ground, fm_error *error)
{
    const fm_model *model = fm_host_model(host);
    fm_mav_ground *g = *ground = fm_alloc(sizeof *g);
    if (!g)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge");
    fm_lock_create(&g->lock);
    g->host = host;
    g->origin = (fm_geodetic){model->settings.latitude, model->settings.longitude, 0};
    g->stride = (uint64_t)fmax(1, floor(1 / (config->rate * fm_model_dt(model)) + 0.5));
    g->dialect = (int)config->autopilot;
    find_counters(g);
    fm_status status = make_systems(g, model, config, error);
    if (status == FM_OK)
        status = make_params(g, model, error);
    if (status == FM_OK)
        status = fm_seal_prepare(error);
    return status == FM_OK ? open_socket(g, config, error) : status;
}

void fm_mav_ground_close(fm_mav_ground *g)
{
    if (!g->open)
        return;
    if (!uv_is_closing((uv_handle_t *)&g->socket) && g->hears)
        for (size_t i = 0; i < g->count; i++)
            send_heartbeat(g, &g->systems[i], FM_MAV_STATE_POWEROFF);
    uv_close((uv_handle_t *)&g->socket, NULL);
    uv_close((uv_handle_t *)&g->heart, NULL);
    uv_close((uv_handle_t *)&g->wake, NULL);
}

void fm_mav_ground_free(fm_mav_ground *g)
{
    if (!g)
        return;
    pthread_mutex_destroy(&g->lock);
    for (size_t i = 0; g->systems && i < g->count; i++)
        fm_mav_mission_free(&g->systems[i].mission);
    for (size_t i = 0; i < g->type_count; i++)
        fm_mav_params_free(&g->params[i]);
    fm_mav_errands_free(g);
    fm_mav_outbox_free(&g->news);
    fm_free(g->params);
    fm_free(g->systems);
    fm_free(g);
}
