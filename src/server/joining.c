/* Joining: HELLO, CONNECT, the world's answer, and resuming with a token. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "server/seal.h"
#include "server/sessions.h"
#include "server/world_command.h"
#include "world/admission.h"

#define HELLO_RATE 20000.0

/* --- HELLO --- */

void fm_server_take_hello(fm_server *server, const fm_address *from, fm_wire_in *payload)
{
    fm_wire_hello hello;
    uint8_t room[FM_WIRE_SIZE_challenge];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    if (!fm_bucket_take(&server->hellos, server->now, HELLO_RATE)) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_RATE);
        return;
    }
    fm_wire_get_hello(payload, &hello);
    if (hello.least > FM_WIRE_MAJOR || hello.most < FM_WIRE_MAJOR) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_VERSION);
        fm_session_answer_rejection(server, from, hello.nonce, FM_WIRE_BAD_VERSION, "this server speaks version 1");
        return;
    }
    fm_wire_challenge challenge = {.nonce = hello.nonce};
    fm_cookie_make(server, from, hello.nonce, challenge.cookie);
    fm_wire_put_challenge(&out, &challenge);
    fm_server_answer(server, from, FM_WIRE_CHALLENGE, room, out.size);
}

/* --- CONNECT --- */

uint64_t fm_session_period(const fm_server *server, uint32_t us)
{
    double dt = server->model->settings.dt;
    double period = us == 0 ? server->settings->state_period : us * 1e-6;
    if (us == FM_WIRE_NONE)
        return 0;
    double ticks = ceil(period / dt - 1e-6);
    return ticks < 1 ? 1 : (uint64_t)ticks;
}

static double sensor_period(const fm_server *server, uint32_t us)
{
    return us == FM_WIRE_NONE ? -1 : us == 0 ? server->settings->sensor_period : us * 1e-6;
}

static uint32_t in_us(double seconds)
{
    return seconds < 0 ? FM_WIRE_NONE : seconds > 4000 ? 4000000000u : (uint32_t)(seconds * 1e6 + 0.5);
}

static uint32_t capabilities(const fm_server *server)
{
    int sound = fm_subsystem_config(server->model, FM_SUBSYSTEM_SOUND) != NULL;
    int room = server->model->settings.capacity > server->model->vehicle_count;
    return (uint32_t)((sound ? FM_WIRE_CAN_ACOUSTICS : 0) | (server->pace.lockstep ? FM_WIRE_CAN_LOCKSTEP : 0) |
                      (room ? FM_WIRE_CAN_SPAWN : 0));
}

/* The highest command id that the session has received. */
static uint32_t last_kept(const fm_kept_answer kept[FM_NET_KEPT])
{
    uint32_t last = 0;
    for (size_t i = 0; i < FM_NET_KEPT; i++)
        last = kept[i].id > last ? kept[i].id : last;
    return last;
}

static void send_welcome(fm_server *server, fm_session *s, int resumed)
{
    double dt = server->model->settings.dt;
    uint8_t room[FM_WIRE_SIZE_welcome];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_welcome welcome = {.id = s->id,
                               .dt = (uint64_t)(dt * 1e9 + 0.5),
                               .state_period = s->state_ticks ? in_us((double)s->state_ticks * dt) : FM_WIRE_NONE,
                               .sensor_period = in_us(s->sensor_period),
                               .keep_alive = (uint32_t)(server->settings->keep_alive * 1e3 + 0.5),
                               .timeout = (uint32_t)(server->settings->timeout * 1e3 + 0.5),
                               .capabilities = capabilities(server),
                               .latitude = server->model->settings.latitude,
                               .longitude = server->model->settings.longitude,
                               .state = (uint8_t)fm_server_how(server),
                               .vehicle = (uint16_t)(s->slot + 1),
                               .flags = (uint16_t)((resumed ? FM_WIRE_WELCOME_RESUMED : 0) |
                                                   (s->participant ? FM_WIRE_WELCOME_LOCKSTEP : 0) |
                                                   (s->vehicle[0] && s->slot < 0 ? FM_WIRE_WELCOME_WAITS : 0)),
                               .nonce = s->asked.nonce,
                               .commands = last_kept(s->commands),
                               .sounds = last_kept(s->sends)};
    fm_wire_put_welcome(&out, &welcome);
    uint32_t before = s->sequence;
    s->sequence = 0; /* WELCOME is 1, also when it is repeated */
    fm_session_send(server, s, FM_WIRE_WELCOME, 0, server->time, room, out.size);
    s->sequence = before > 1 ? before : 1;
}

/* The world has taken it. */
static void welcome_session(fm_server *server, fm_session *s)
{
    s->life = FM_SESSION_LIVE;
    s->token = fm_seal_random();
    s->window = (fm_wire_window){0};
    s->sequence = 0;
    s->heard = s->pinged = server->now;
    s->reply = NAN;
    if ((s->asked.flags & FM_WIRE_CONNECT_LOCKSTEP) && server->pace.lockstep && s->vehicle[0])
        fm_session_take_part(server, s);
    s->repeats = s->participant > 0;
    s->told = server->now;
    send_welcome(server, s, 0);
    fm_session_note_arrival(server, s, "joined");
}

/* A repeated CONNECT gets the same answer, whatever has changed since. */
static void refuse(fm_server *server, const fm_address *to, const fm_wire_connect *asked, fm_wire_code code,
                   const char *text)
{
    fm_cookie_use(server, asked->cookie, code, text);
    fm_session_answer_rejection(server, to, asked->nonce, code, text);
}

/* --- asking the world --- */

/* From now on a reset restores it. */
static void note_brought(fm_server *server, const fm_errand *e)
{
    fm_server_lock(server);
    fm_session *s = fm_session_at(server, e->session);
    if (s && s->generation == e->generation)
        s->brought = 1;
    fm_server_unlock(server);
}

static void join_work(fm_server *server, fm_run *run, fm_errand *e)
{
    fm_wire_connect asked;
    fm_wire_in in = {.bytes = e->bytes, .size = e->size};
    fm_error error = {0};
    fm_wire_get_connect(&in, &asked);
    fm_world *world = fm_run_world(run);
    if (!run) {
        e->result.code = FM_WIRE_CLOSING;
    } else if (fm_role_brings((fm_wire_role)asked.role)) {
        if (fm_world_spawn_addressed(world, asked.name, asked.model, asked.pose, asked.pose + 3, asked.address,
                                     &error) != FM_OK)
            e->result.code = (uint16_t)fm_spawn_code(world, asked.name, asked.model, error.status);
        else
            note_brought(server, e);
    } else if (fm_world_find(world, asked.model) < 0) {
        e->result.code = FM_WIRE_UNKNOWN_NAME;
        snprintf(error.text, sizeof error.text, "no vehicle '%.32s' in the world", asked.model);
    }
    e->result.value = run ? fm_world_find(world, fm_role_brings((fm_wire_role)asked.role) ? "" : asked.model) : -1;
    fm_text_shorten(e->result.text, sizeof e->result.text, error.text);
}

static void join_done(fm_server *server, fm_errand *e)
{
    fm_session *s = fm_session_at(server, e->session);
    if (!s || s->life != FM_SESSION_JOINING || s->generation != e->generation)
        return;
    if (e->result.code != FM_WIRE_DONE) {
        refuse(server, &s->address, &s->asked, (fm_wire_code)e->result.code, e->result.text);
        fm_session_free(server, s);
        return;
    }
    s->slot = (int)e->result.value;
    welcome_session(server, s);
    if (s->slot >= 0)
        fm_server_publish_soon(server);
}

/* --- who may --- */

/* The name of a client is also the name of its vehicle and follows the same rule. */
static fm_wire_code judge_connect(fm_server *server, const fm_wire_connect *asked, char *text, size_t size)
{
    fm_error error = {0};
    fm_session *s;
    int steers = asked->role == FM_WIRE_CONTROLLER;
    snprintf(text, size, "role: %u is out of range: must be 1 … 7", asked->role);
    if (asked->role < FM_WIRE_SURFACE || asked->role > FM_WIRE_EMULATOR)
        return FM_WIRE_BAD_VALUE;
    if (fm_entrant_check_name(server->model, asked->name, &error) != FM_OK) {
        snprintf(text, size, "name: %.200s", error.text);
        return FM_WIRE_BAD_VALUE;
    }
    for (size_t i = 0; (s = fm_session_next(server, &i));) {
        snprintf(text, size, "name: another client is called '%s'", asked->name);
        if (strcmp(s->asked.name, asked->name) == 0)
            return FM_WIRE_NAME_TAKEN;
        snprintf(text, size, "model: another client steers '%s'", asked->model);
        if (steers && strcmp(s->vehicle, asked->model) == 0 && s->role != FM_WIRE_EMULATOR)
            return FM_WIRE_NAME_TAKEN;
    }
    return FM_WIRE_DONE;
}

static fm_session *make_session(fm_server *server)
{
    for (size_t i = 0; i < server->session_count; i++)
        if (server->sessions[i]->life == FM_SESSION_FREE)
            return server->sessions[i];
    if (server->session_count == server->session_room)
        return NULL;
    fm_session *s = fm_alloc(sizeof *s);
    if (s)
        server->sessions[server->session_count++] = s;
    if (s)
        s->id = (uint16_t)server->session_count;
    return s;
}

/* The slot of a session is reused; its generation distinguishes sessions. */
static void fill_session(fm_server *server, fm_session *s, const fm_wire_connect *asked, const fm_address *from)
{
    uint16_t id = s->id;
    uint32_t generation = s->generation + 1;
    memset(s, 0, sizeof *s);
    s->id = id;
    s->generation = generation;
    s->role = (fm_wire_role)asked->role;
    s->asked = *asked;
    s->address = *from;
    s->life = FM_SESSION_JOINING;
    s->heard = server->now;
    s->mask = asked->role == FM_WIRE_OBSERVER || asked->role == FM_WIRE_COMMANDER ? FM_WIRE_WANT_EVENTS : 15;
    if (asked->role == FM_WIRE_EMULATOR)
        s->mask = 0;
    s->state_ticks = fm_session_period(server, asked->state_period);
    s->sensor_period = sensor_period(server, asked->sensor_period);
    s->listens = fm_role_brings(s->role);
    fm_session_restart(s);
    if (fm_role_brings(s->role))
        snprintf(s->vehicle, sizeof s->vehicle, "%s", asked->name);
    else if (s->role == FM_WIRE_CONTROLLER || s->role == FM_WIRE_EMULATOR)
        snprintf(s->vehicle, sizeof s->vehicle, "%s", asked->model);
}

static void begin_session(fm_server *server, const fm_wire_connect *asked, const fm_address *from)
{
    char text[256];
    fm_wire_code code = judge_connect(server, asked, text, sizeof text);
    fm_session *s = code == FM_WIRE_DONE ? make_session(server) : NULL;
    fm_errand *e = NULL;
    if (code == FM_WIRE_DONE && !s) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_FULL);
        code = FM_WIRE_FULL;
        snprintf(text, sizeof text, "%zu clients are here, as many as <server clients=\"…\"> allows",
                 server->session_room);
    }
    if (code != FM_WIRE_DONE) {
        refuse(server, from, asked, code, text);
        return;
    }
    fill_session(server, s, asked, from);
    fm_cookie_use(server, asked->cookie, FM_WIRE_DONE, "");
    if (!s->vehicle[0]) {
        welcome_session(server, s);
        return;
    }
    if (!(e = fm_errand_create(server, s))) {
        fm_session_free(server, s);
        return;
    }
    fm_wire_out out = {.bytes = e->bytes, .room = sizeof e->bytes};
    fm_wire_put_connect(&out, asked);
    e->size = out.size;
    e->work = join_work;
    e->done = join_done;
    fm_errand_post(server, e);
}

/* --- coming back --- */

static void resume_session(fm_server *server, fm_session *s, const fm_wire_connect *asked, const fm_address *from)
{
    if (s->life == FM_SESSION_LIVE) {
        fm_wire_leave leave = {.reason = FM_WIRE_REPLACED};
        FM_SEND(server, s, FM_WIRE_BYE, leave, &leave);
    }
    int was_lost = s->life == FM_SESSION_LOST;
    fm_cookie_use(server, asked->cookie, FM_WIRE_DONE, "");
    s->asked.nonce = asked->nonce;
    s->asked.resume = asked->resume;
    memcpy(s->asked.cookie, asked->cookie, sizeof s->asked.cookie);
    s->address = *from;
    s->life = FM_SESSION_LIVE;
    s->token = fm_seal_random();
    s->sequence = 0;
    s->window = (fm_wire_window){0};
    s->heard = s->pinged = s->told = server->now;
    s->silenced = 0;
    s->next_state = 0;
    if (was_lost && (s->asked.flags & FM_WIRE_CONNECT_LOCKSTEP) && server->pace.lockstep)
        fm_session_take_part(server, s);
    send_welcome(server, s, 1);
    fm_session_note_arrival(server, s, "came back");
    fm_server_publish_soon(server);
}

/* The session of a token; compares with all sessions, each in constant time. */
static fm_session *find_resumed(fm_server *server, const fm_wire_connect *asked)
{
    fm_session *s, *found = NULL;
    for (size_t i = 0; asked->resume && (s = fm_session_next(server, &i));)
        if (s->life != FM_SESSION_JOINING && fm_seal_equal(&s->token, &asked->resume, sizeof s->token))
            found = s;
    int same = found && found->role == (fm_wire_role)asked->role && strcmp(found->asked.name, asked->name) == 0;
    return same ? found : NULL;
}

void fm_server_take_connect(fm_server *server, const fm_address *from, fm_wire_in *payload)
{
    fm_wire_connect asked;
    fm_session *s;
    int fine = fm_wire_get_connect(payload, &asked);
    if (!fm_cookie_holds(server, from, asked.nonce, asked.cookie)) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_COOKIE);
        return;
    }
    if (!fine) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_VALUE);
        fm_session_answer_rejection(server, from, asked.nonce, FM_WIRE_BAD_VALUE,
                                    "a number is not finite, or a text does not end");
        return;
    }
    for (size_t i = 0; (s = fm_session_next(server, &i));)
        if (s->asked.nonce == asked.nonce && fm_address_equal(&s->address, from)) { /* said again */
            if (s->life == FM_SESSION_LIVE)
                send_welcome(server, s, s->asked.resume != 0);
            return;
        }
    const fm_used_cookie *used = fm_cookie_find(server, asked.cookie);
    if (used && used->code == FM_WIRE_DONE) /* its session is over */
        fm_drop_count(server, NULL, FM_WIRE_FAULT_REPLAY);
    else if (used)
        fm_session_answer_rejection(server, from, asked.nonce, used->code, used->text);
    else if ((s = find_resumed(server, &asked)))
        resume_session(server, s, &asked, from);
    else if (asked.resume)
        refuse(server, from, &asked, FM_WIRE_NOT_CONNECTED, "this session is over");
    else
        begin_session(server, &asked, from);
}
