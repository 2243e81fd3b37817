/* A ground station sees vehicles: each is a MAVLink system that reports its position and answers the requests that a
 * station sends before it displays one. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "bridges/mavlink/mavlink_bridge.h"
#include "bridges/mavlink/mavlink_fill.h"
#include "bridges/mavlink/mavlink_station.h"
#include "server/seal.h"
#include "world/model.h"

enum { HEARTBEAT_MS = 1000, SYSTEMS_MOST = 250, ANSWERS = 1 << 16 /* bytes from heart to heart */ };
#define SLOWLY 1.0 /* s of simulated time between two reports of slowly changing values */

/* One vehicle, in a slot of the world. */
typedef struct mav_system {
    fm_mav_sender sender;
    int slot;
    /* --- under the lock --- */
    fm_pilot_view view;
    int known, fresh; /* there is a view that was not sent yet */
    int type;         /* MAV_TYPE of its type of vehicle */
    /* --- the loop's thread --- */
    double slow; /* s: when slowly changing values were last sent */
} mav_system;

struct fm_mav_ground {
    fm_host *host;
    fm_geodetic origin;
    mav_system *systems;
    size_t count;
    uint64_t stride, next; /* steps between two views, and the next due one; of the stepping thread */
    pthread_mutex_t lock;

    /* --- the loop's thread --- */
    uv_udp_t socket;
    uv_timer_t heart;
    int open;
    fm_mav_station station;
    size_t answers; /* budget in bytes for answers until the next heartbeat */
    char room[2048];
    fm_mav_counters counters;
    fm_counter *strangers, *unverified, *rate;
};

/* --- the stepping thread --- */

static void view_at(fm_mav_ground *g, mav_system *s, const fm_world *world)
{
    fm_pilot_view view;
    int seen = fm_pilot_view_fill(world, s->slot, &view);
    pthread_mutex_lock(&g->lock);
    if (seen) {
        s->view = view;
        if (!s->type)
            s->type = view.boat ? FM_MAV_TYPE_SURFACE_BOAT : FM_MAV_TYPE_SUBMARINE;
    }
    s->known = seen;
    s->fresh = seen;
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

/* MAV_TYPE of the vehicle in a slot; 0: the slot is empty. */
static int type_of(fm_mav_ground *g, const mav_system *s)
{
    pthread_mutex_lock(&g->lock);
    int type = !s->known ? 0 : s->type ? s->type : FM_MAV_TYPE_SUBMARINE;
    pthread_mutex_unlock(&g->lock);
    return type;
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

static void send_view(fm_mav_ground *g, mav_system *s)
{
    fm_mav_mail mail = {.size = 0};
    fm_pilot_view view;
    pthread_mutex_lock(&g->lock);
    int fresh = s->fresh;
    view = s->view;
    s->fresh = 0;
    pthread_mutex_unlock(&g->lock);
    if (!fresh)
        return;
    fm_mav_add_motion(&mail, &s->sender, &view);
    if (!(fabs(view.time - s->slow) < SLOWLY)) {
        s->slow = view.time;
        fm_mav_add_status(&mail, &s->sender, &view);
    }
    send_to_stations(g, &mail);
}

void fm_mav_ground_turn(fm_mav_ground *g)
{
    for (size_t i = 0; i < g->count; i++)
        send_view(g, &g->systems[i]);
}

/* Timed by the clock, so that a station keeps the vehicles of a paused run. */
static void on_heart(uv_timer_t *timer)
{
    fm_mav_ground *g = timer->data;
    g->answers = ANSWERS;
    for (size_t i = 0; i < g->count; i++) {
        mav_system *s = &g->systems[i];
        fm_mav_mail mail = {.size = 0};
        int type = type_of(g, s);
        if (!type)
            continue;
        fm_mav_add_heartbeat(&mail, &s->sender, type);
        send_to_stations(g, &mail);
    }
}

/* --- the loop's thread: receiving --- */

/* A station requests parameters before it displays a vehicle. They are read-only. */
static float parameter(const fm_mav_ground *g, const mav_system *s, size_t i, char name[17])
{
    static const char *const names[] = {"SYSID_THISMAV", "SIM_RATE_HZ"};
    snprintf(name, 17, "%s", names[i]);
    return i == 0 ? (float)s->sender.system : (float)(1 / fm_model_dt(fm_host_model(g->host)));
}
enum { PARAMETERS = 2 };

static void add_parameter(fm_mav_ground *g, mav_system *s, size_t i, fm_mav_mail *mail)
{
    fm_mav_param_value p = {.param_count = PARAMETERS, .param_index = (uint16_t)i, .param_type = FM_MAV_PARAM_REAL32};
    p.param_value = parameter(g, s, i, p.param_id);
    mail->size += fm_mav_param_value_write(&s->sender, &p, mail->bytes + mail->size);
}

/* By name, or by number where it has none. */
static void answer_parameter(fm_mav_ground *g, mav_system *s, const char *id, int index, fm_mav_mail *mail)
{
    char name[17];
    for (size_t i = 0; i < PARAMETERS; i++) {
        parameter(g, s, i, name);
        if (index >= 0 ? (size_t)index == i : strcmp(id, name) == 0)
            add_parameter(g, s, i, mail);
    }
}

static void add_home(fm_mav_ground *g, mav_system *s, fm_mav_mail *mail)
{
    const double degrees = 180 / FM_PI;
    FM_MAV_ADD(mail, &s->sender, home_position,
               {.latitude = (int32_t)floor(g->origin.latitude * degrees * 1e7 + 0.5),
                .longitude = (int32_t)floor(g->origin.longitude * degrees * 1e7 + 0.5),
                .q = {1, 0, 0, 0}});
}

static void add_version(mav_system *s, fm_mav_mail *mail)
{
    enum { PARAM_FLOAT = 2, MAVLINK2 = 8192 };
    FM_MAV_ADD(mail, &s->sender, autopilot_version,
               {.capabilities = PARAM_FLOAT | MAVLINK2, .uid = 0xFA740000u + s->sender.system});
}

/* A requestable message by its number; 0: unsupported. */
static int add_message(fm_mav_ground *g, mav_system *s, double id, fm_mav_mail *mail)
{
    if (id == FM_MAV_ID_AUTOPILOT_VERSION)
        add_version(s, mail);
    else if (id == FM_MAV_ID_HOME_POSITION)
        add_home(g, s, mail);
    else
        return 0;
    return 1;
}

static void answer_command(fm_mav_ground *g, mav_system *s, const fm_mav_frame *f, const fm_mav_command_long *c,
                           fm_mav_mail *mail)
{
    fm_mav_mail more = {.size = 0};
    double wanted = c->command == FM_MAV_CMD_REQUEST_MESSAGE        ? (double)c->param1
                    : c->command == FM_MAV_CMD_REQUEST_CAPABILITIES ? FM_MAV_ID_AUTOPILOT_VERSION
                    : c->command == FM_MAV_CMD_GET_HOME_POSITION    ? FM_MAV_ID_HOME_POSITION
                                                                    : -1;
    int done = add_message(g, s, wanted, &more);
    FM_MAV_ADD(mail, &s->sender, command_ack,
               {.command = c->command,
                .result = done ? FM_MAV_RESULT_ACCEPTED : FM_MAV_RESULT_UNSUPPORTED,
                .target_system = f->system,
                .target_component = f->component});
    memcpy(mail->bytes + mail->size, more.bytes, more.size);
    mail->size += more.size;
}

/* The system that a message addresses; 0: broadcast. */
static unsigned target_of(const fm_mav_frame *f)
{
    switch (f->id) {
    case FM_MAV_ID_PARAM_REQUEST_READ: return f->payload[2];
    case FM_MAV_ID_PARAM_REQUEST_LIST: return f->payload[0];
    case FM_MAV_ID_PARAM_SET: return f->payload[4];
    case FM_MAV_ID_COMMAND_LONG: return f->payload[30];
    case FM_MAV_ID_MISSION_REQUEST_LIST: return f->payload[0];
    case FM_MAV_ID_PING: return f->payload[12];
    default: return 0;
    }
}

static void answer_ping(mav_system *s, const fm_mav_frame *f, fm_mav_mail *mail)
{
    fm_mav_ping ping;
    fm_mav_ping_read(f, &ping);
    if (ping.target_system != 0)
        return; /* an answer itself */
    ping.target_system = f->system;
    ping.target_component = f->component;
    mail->size += fm_mav_ping_write(&s->sender, &ping, mail->bytes + mail->size);
}

static void answer(fm_mav_ground *g, mav_system *s, const fm_mav_frame *f, fm_mav_mail *mail)
{
    union {
        fm_mav_param_request_read read;
        fm_mav_param_set set;
        fm_mav_command_long command;
        fm_mav_mission_request_list mission;
    } m;
    switch (f->id) {
    case FM_MAV_ID_PARAM_REQUEST_LIST:
        for (size_t i = 0; i < PARAMETERS; i++)
            add_parameter(g, s, i, mail);
        break;
    case FM_MAV_ID_PARAM_REQUEST_READ:
        fm_mav_param_request_read_read(f, &m.read);
        answer_parameter(g, s, m.read.param_id, m.read.param_index, mail);
        break;
    case FM_MAV_ID_PARAM_SET: /* answered with the unchanged value */
        fm_mav_param_set_read(f, &m.set);
        answer_parameter(g, s, m.set.param_id, -1, mail);
        break;
    case FM_MAV_ID_COMMAND_LONG:
        fm_mav_command_long_read(f, &m.command);
        answer_command(g, s, f, &m.command, mail);
        break;
    case FM_MAV_ID_MISSION_REQUEST_LIST:
        fm_mav_mission_request_list_read(f, &m.mission);
        FM_MAV_ADD(
            mail, &s->sender, mission_count,
            {.target_system = f->system, .target_component = f->component, .mission_type = m.mission.mission_type});
        break;
    case FM_MAV_ID_PING: answer_ping(s, f, mail); break;
    default: break;
    }
}

static void take_pong(fm_mav_ground *g, const fm_mav_frame *f, const fm_address *from)
{
    fm_mav_ping ping;
    fm_mav_ping_read(f, &ping);
    if (ping.target_system == g->systems[0].sender.system && ping.seq == (uint32_t)(ping.time_usec >> 32))
        fm_mav_station_verify(&g->station, from, ping.time_usec);
}

static void take_frame(fm_mav_ground *g, const fm_mav_frame *f, const fm_address *from)
{
    unsigned target = target_of(f);
    if (f->id == FM_MAV_ID_PING)
        take_pong(g, f, from);
    for (size_t i = 0; i < g->count; i++) {
        mav_system *s = &g->systems[i];
        fm_mav_mail mail = {.size = 0};
        if ((target != 0 && target != s->sender.system) || !type_of(g, s))
            continue;
        answer(g, s, f, &mail);
        send_answer(g, &mail, from);
    }
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
    status = fm_socket_open_udp(fm_host_loop(g->host), &g->socket, &own, FM_SOCKET_UDP, error);
    g->socket.data = g->heart.data = g;
    g->open = 1;
    if (status != FM_OK)
        return status;
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
        g->systems[i] = (mav_system){
            .sender = {(uint8_t)(config->system + (int64_t)i), 1, 0}, .slot = (int)(first + i), .slow = -HUGE_VAL};
    return FM_OK;
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
    fm_mav_counters_find(&g->counters, host);
    g->strangers = fm_host_count(host, "mavlink/drop/stranger");
    g->unverified = fm_host_count(host, "mavlink/drop/unverified");
    g->rate = fm_host_count(host, "mavlink/drop/rate");
    fm_status status = make_systems(g, model, config, error);
    if (status == FM_OK)
        status = fm_seal_prepare(error);
    return status == FM_OK ? open_socket(g, config, error) : status;
}

void fm_mav_ground_close(fm_mav_ground *g)
{
    if (!g->open)
        return;
    uv_close((uv_handle_t *)&g->socket, NULL);
    uv_close((uv_handle_t *)&g->heart, NULL);
}

void fm_mav_ground_free(fm_mav_ground *g)
{
    if (!g)
        return;
    pthread_mutex_destroy(&g->lock);
    fm_free(g->systems);
    fm_free(g);
}
