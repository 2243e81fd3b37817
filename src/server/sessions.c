/* Connected clients: finding, arriving, keep-alive, leaving. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/seal.h"
#include "server/sessions.h"
#include "world/inputs.h"

#define REPEAT 0.1 /* s: a state that lock-step waits for an answer to */

/* --- counting and finding --- */

void fm_drop_count(fm_server *server, fm_session *session, fm_wire_fault fault)
{
    server->drops[fault]++;
    if (session)
        session->dropped++;
}

fm_session *fm_session_at(fm_server *server, size_t id)
{
    return id >= 1 && id <= server->session_count ? server->sessions[id - 1] : NULL;
}

fm_session *fm_session_find(fm_server *server, uint16_t id, uint32_t generation)
{
    fm_session *s = fm_session_at(server, id);
    return s && s->life == FM_SESSION_LIVE && s->generation == generation ? s : NULL;
}

/* The next used session; NULL: no more. */
fm_session *fm_session_next(fm_server *server, size_t *i)
{
    while (*i < server->session_count) {
        fm_session *s = server->sessions[(*i)++];
        if (s && s->life != FM_SESSION_FREE)
            return s;
    }
    return NULL;
}

int fm_role_brings(fm_wire_role role)
{
    return role == FM_WIRE_SURFACE || role == FM_WIRE_UNDERWATER || role == FM_WIRE_BUOY;
}

int fm_server_how(const fm_server *server)
{
    if (server->over)
        return FM_WIRE_OVER;
    return server->waiting ? FM_WIRE_WAITING : server->stopped ? FM_WIRE_STOPPED : FM_WIRE_RUNNING;
}

/* --- arriving --- */

/* Clients that a run in lock-step waits for before it begins. */
static int all_named_are_here(fm_server *server)
{
    const char *names = server->settings->lockstep ? server->settings->lockstep : "";
    while (*names) {
        size_t length = strcspn(names, " ");
        int here = length == 0;
        fm_session *s;
        for (size_t i = 0; !here && (s = fm_session_next(server, &i));)
            here = s->life == FM_SESSION_LIVE && strlen(s->asked.name) == length &&
                   strncmp(s->asked.name, names, length) == 0;
        if (!here)
            return 0;
        names += length;
        names += strspn(names, " ");
    }
    return 1;
}

void fm_spawns_sort(fm_world *world)
{
    for (size_t i = world->input_first + 1; i < world->input_count; i++)
        for (size_t k = i; k > world->input_first; k--) {
            fm_input *a = &world->inputs[k - 1], *b = &world->inputs[k], held = *b;
            if (a->command.kind != FM_COMMAND_SPAWN || b->command.kind != FM_COMMAND_SPAWN ||
                strcmp(a->command.spawn.name, b->command.spawn.name) <= 0)
                break;
            *b = *a;
            *a = held;
        }
}

static void sort_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)server;
    (void)e;
    if (run)
        fm_spawns_sort(fm_run_world(run));
}

static void sort_spawns(fm_server *server)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    e->work = sort_work;
    fm_errand_post(server, e);
}

void fm_session_note_arrival(fm_server *server, fm_session *s, const char *how)
{
    char text[128], address[48];
    uint16_t port;
    fm_address_write(&s->address, address, &port);
    snprintf(text, sizeof text, "%s %s", s->asked.name, how);
    fm_sessions_tell(server, FM_WIRE_EVENT_JOINED, (uint16_t)(s->slot + 1), s->id, text);
    fm_host_tell(&server->host, "client %u: %s %s from %s port %u", s->id, s->asked.name, how, address, port);
    if (server->waiting && all_named_are_here(server)) {
        server->waiting = 0;
        sort_spawns(server);
        if (!server->stopped)
            fm_run_resume(server->run);
        fm_sessions_tell(server, FM_WIRE_EVENT_STATE, 0, fm_server_how(server), "all clients are here");
    }
}

void fm_session_restart(fm_session *s)
{
    s->slot = -1;
    s->touches = 0;
    s->zeroed = s->silenced = 0;
    memset(s->actuations, 0, sizeof s->actuations);
    memset(s->samples, 0, sizeof s->samples);
    memset(s->heard_sounds, 0, sizeof s->heard_sounds);
    memset(s->heard_messages, 0, sizeof s->heard_messages);
    for (size_t i = 0; i < FM_NET_INSTRUMENTS; i++)
        s->sampled[i] = -HUGE_VAL;
    s->next_state = 0;
}

/* A vehicle that is not in the water has no state to answer: the step that adds it does not wait for its client. */
void fm_session_take_part(fm_server *server, fm_session *s)
{
    int number = fm_run_join(server->run, NULL);
    s->participant = number > 0 ? number : 0;
    if (s->participant && s->slot < 0)
        fm_run_ready(server->run, s->participant);
}

void fm_session_free(fm_server *server, fm_session *s)
{
    if (s->participant)
        fm_run_leave(server->run, s->participant);
    s->participant = 0;
    s->life = FM_SESSION_FREE;
    s->generation++;
}

/* --- asking the world --- */

static void publish_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)e;
    if (run)
        fm_server_publish(server, run);
}

/* States are due though no step is. */
void fm_server_publish_soon(fm_server *server)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    e->work = publish_work;
    fm_errand_post(server, e);
}

static void remove_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)server;
    if (run)
        fm_world_remove(fm_run_world(run), e->vehicle, NULL);
}

static void remove_vehicle(fm_server *server, const fm_session *s)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    snprintf(e->vehicle, sizeof e->vehicle, "%s", s->vehicle);
    e->work = remove_work;
    fm_errand_post(server, e);
}

static void release_work(fm_server *server, fm_run *run, fm_errand *e)
{
    fm_input input = {.command.kind = FM_COMMAND_RELEASE};
    (void)server;
    fm_input_set_holder(&input, e->holder);
    if (run)
        fm_world_input(fm_run_world(run), &input, NULL);
}

/* All that it holds, wherever. */
static void release_actuators(fm_server *server, const fm_session *s)
{
    fm_errand *e = s->asked.flags & FM_WIRE_CONNECT_STAYS ? NULL : fm_errand_create(server, NULL);
    if (!e)
        return;
    snprintf(e->holder, sizeof e->holder, "%s", fm_session_holder(s));
    e->work = release_work;
    fm_errand_post(server, e);
}

/* --- leaving --- */

static void say_bye(fm_server *server, fm_session *s, fm_wire_code reason)
{
    fm_wire_leave leave = {.reason = (uint16_t)reason};
    FM_SEND(server, s, FM_WIRE_BYE, leave, &leave);
}

static void end_session(fm_server *server, fm_session *s, const char *how)
{
    char text[128];
    snprintf(text, sizeof text, "%s %s", s->asked.name, how);
    uint16_t vehicle = (uint16_t)(s->slot + 1), id = s->id;
    if (fm_role_brings(s->role))
        remove_vehicle(server, s);
    else if (s->role == FM_WIRE_CONTROLLER || s->role == FM_WIRE_COMMANDER)
        release_actuators(server, s);
    if (s->role == FM_WIRE_EMULATOR)
        fm_session_give_back(server, s);
    fm_session_free(server, s);
    fm_sessions_tell(server, FM_WIRE_EVENT_LEFT, vehicle, id, text);
    fm_host_tell(&server->host, "client %u: %s", id, text);
}

void fm_session_leave(fm_server *server, fm_session *s, fm_wire_code reason)
{
    say_bye(server, s, reason);
    end_session(server, s, "left");
}

static void lose_session(fm_server *server, fm_session *s)
{
    say_bye(server, s, FM_WIRE_TIMED_OUT);
    if (server->settings->keep <= 0 || !s->vehicle[0]) {
        end_session(server, s, "was not heard any more");
        return;
    }
    if (s->participant)
        fm_run_leave(server->run, s->participant);
    s->participant = 0;
    s->life = FM_SESSION_LOST;
    s->lost = server->now;
    s->silenced = 1;
    char text[128];
    snprintf(text, sizeof text, "%s was not heard any more", s->asked.name);
    fm_sessions_tell(server, FM_WIRE_EVENT_LEFT, (uint16_t)(s->slot + 1), s->id, text);
    fm_host_tell(&server->host, "client %u: %s", s->id, text);
}

void fm_server_close_sessions(fm_server *server)
{
    fm_session *s;
    fm_server_lock(server);
    for (size_t i = 0; (s = fm_session_next(server, &i));)
        if (s->life == FM_SESSION_LIVE)
            say_bye(server, s, FM_WIRE_CLOSING);
    fm_batch_flush(server);
    fm_server_unlock(server);
}

/* --- time --- */

static void ping_session(fm_server *server, fm_session *s)
{
    fm_wire_ping ping = {.nonce = fm_seal_random(), .sent = (uint64_t)(server->now * 1e9)};
    s->ping = ping.nonce;
    s->pinged = server->now;
    s->pings++;
    FM_SEND(server, s, FM_WIRE_PING, ping, &ping);
}

static void repeat_state(fm_server *server, fm_session *s)
{
    if (!s->participant || server->now - s->told < REPEAT)
        return;
    s->told = server->now;
    s->repeats = 1;
    fm_server_publish_soon(server);
}

void fm_server_tick(fm_server *server)
{
    fm_session *s;
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    for (size_t i = 0; (s = fm_session_next(server, &i));) {
        if (s->life == FM_SESSION_LIVE && server->now - s->heard > server->settings->timeout)
            lose_session(server, s);
        else if (s->life == FM_SESSION_LOST && server->now - s->lost > server->settings->keep)
            end_session(server, s, "did not come back");
        else if (s->life == FM_SESSION_LIVE && server->now - s->pinged >= server->settings->keep_alive)
            ping_session(server, s);
        if (s->life == FM_SESSION_LIVE)
            repeat_state(server, s);
    }
    fm_batch_flush(server);
    fm_server_unlock(server);
}
