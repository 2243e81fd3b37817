/* What clients with a session say. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/sessions.h"
#include "server/voices.h"
#include "server/wire_command.h"

enum { UNDERWAY, KNOWN, NEW, OLD };

void fm_session_send_error(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_code code)
{
    uint8_t room[FM_WIRE_SIZE_error];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_put_error(&out, &(fm_wire_error){.code = (uint16_t)code, .sequence = h->sequence, .type = h->type});
    fm_session_send(server, s, FM_WIRE_ERROR, 0, server->time, room, out.size);
}

/* --- requests that are executed once --- */

static int find_kept(fm_kept_answer kept[FM_NET_KEPT], uint32_t id, fm_kept_answer **found)
{
    *found = &kept[id % FM_NET_KEPT];
    if ((*found)->id == id)
        return (*found)->done ? KNOWN : UNDERWAY;
    if ((*found)->id > id)
        return OLD;
    **found = (fm_kept_answer){.id = id};
    return NEW;
}

/* The recipient of an answer: a client that was lost meanwhile asks again when it returns. */
static fm_session *find_answered(fm_server *server, uint16_t id, uint32_t generation)
{
    fm_session *s = fm_session_at(server, id);
    int there = s && (s->life == FM_SESSION_LIVE || s->life == FM_SESSION_LOST);
    return there && s->generation == generation ? s : NULL;
}

static void send_result(fm_server *server, fm_session *s, const fm_wire_result *result)
{
    uint8_t room[FM_WIRE_SIZE_result];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_put_result(&out, result);
    fm_session_send(server, s, FM_WIRE_RESULT, 0, server->time, room, out.size);
}

static void send_status(fm_server *server, fm_session *s, const fm_wire_acoustic_status *status)
{
    uint8_t room[FM_WIRE_SIZE_acoustic_status];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_put_acoustic_status(&out, status);
    fm_session_send(server, s, FM_WIRE_ACOUSTIC_STATUS, (uint16_t)(s->slot + 1), server->time, room, out.size);
}

/* --- COMMAND --- */

/* A client of a vehicle may change only its own vehicle and the parameters of it. */
static int may_command(const fm_session *s, const fm_command *c)
{
    const fm_command_row *row = fm_command_row_of(c->kind);
    const fm_argument *vehicle = fm_command_argument(row, FM_ARGUMENT_VEHICLE);
    const fm_argument *path = fm_command_argument(row, FM_ARGUMENT_PATH);
    const char *name = path ? fm_argument_in(path, c) : "";
    const size_t length = strlen(s->vehicle);
    if (s->role == FM_WIRE_COMMANDER)
        return 1;
    if (!s->vehicle[0] || s->role == FM_WIRE_EMULATOR || row->who != FM_COMMAND_WHO_ALL)
        return 0;
    if (vehicle)
        return strcmp(fm_argument_in(vehicle, c), s->vehicle) == 0;
    return name[0] == '/' && strncmp(name + 1, s->vehicle, length) == 0 && name[1 + length] == '/';
}

void fm_session_finish_command(fm_server *server, uint16_t id, uint32_t generation, const fm_wire_result *result)
{
    fm_session *s = find_answered(server, id, generation);
    fm_kept_answer *kept = s ? &s->commands[result->id % FM_NET_KEPT] : NULL;
    if (!kept || kept->id != result->id)
        return;
    kept->done = 1;
    kept->as.result = *result;
    if (s->life == FM_SESSION_LIVE)
        send_result(server, s, result);
}

/* Why it cannot be done; FM_WIRE_DONE: no reason. */
static fm_wire_code check_command(const fm_session *s, int fine, const fm_command *command, fm_wire_result *result)
{
    const fm_command_row *row = fm_command_row_of(command->kind);
    const char *refused = row ? row->refused[FM_COMMAND_DOOR_WIRE] : NULL;
    if (!row)
        snprintf(result->text, sizeof result->text, "unknown command %u", result->verb);
    else if (refused)
        snprintf(result->text, sizeof result->text, "%s: %s", row->word, refused);
    return !row || !fine || refused  ? FM_WIRE_BAD_VALUE
           : may_command(s, command) ? FM_WIRE_DONE
                                     : FM_WIRE_NOT_PERMITTED;
}

static void take_command(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_command head;
    fm_command command;
    fm_kept_answer *kept;
    fm_wire_get_command(payload, &head);
    int fine = fm_wire_get_arguments(payload, (fm_command_kind)head.verb, &command);
    if (head.id == 0) {
        fm_drop_count(server, s, FM_WIRE_FAULT_VALUE);
        fm_session_send_error(server, s, h, FM_WIRE_BAD_VALUE);
        return;
    }
    int known = find_kept(s->commands, head.id, &kept);
    fm_wire_result result = {.id = head.id, .verb = head.verb, .time = server->time};
    if (known == UNDERWAY)
        return;
    if (known == KNOWN) {
        send_result(server, s, &kept->as.result);
        return;
    }
    result.code = (uint16_t)(known == OLD ? FM_WIRE_TOO_OLD : check_command(s, fine, &command, &result));
    if (result.code == FM_WIRE_DONE) {
        fm_server_do(server, &command, fm_session_holder(s), s, head.id, NULL, NULL);
        return;
    }
    if (result.code == FM_WIRE_NOT_PERMITTED)
        fm_drop_count(server, s, FM_WIRE_FAULT_ROLE);
    if (known == OLD)
        send_result(server, s, &result);
    else
        fm_session_finish_command(server, s->id, s->generation, &result);
}

/* --- sound --- */

static void speak_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)server;
    double ready = 0;
    fm_error error = {0};
    e->status.id = e->send.id;
    e->status.code = run ? (uint16_t)fm_voice_send(run, e, &ready, &error) : FM_WIRE_CLOSING;
    e->status.emitted = run ? fm_stamp_of(fm_world_time(fm_run_world(run))) : 0;
    e->status.ready_at = (uint64_t)ceil(ready * 1e4 - 1e-6);
    if (e->status.code != FM_WIRE_DONE)
        fm_text_shorten(e->status.text, sizeof e->status.text, error.text);
}

static void speak_done(fm_server *server, fm_errand *e)
{
    fm_session *s = find_answered(server, e->session, e->generation);
    fm_kept_answer *kept = s ? &s->sends[e->status.id % FM_NET_KEPT] : NULL;
    if (!kept || kept->id != e->status.id)
        return;
    kept->done = 1;
    kept->as.status = e->status;
    if (s->life == FM_SESSION_LIVE)
        send_status(server, s, &e->status);
}

/* Kind and length are valid; the world checks the rest. */
static int read_send(fm_wire_in *payload, fm_wire_acoustic_send *send, fm_wire_acoustic_send_tail *tail,
                     const uint8_t **bytes)
{
    int fine = fm_wire_get_acoustic_send(payload, send);
    *bytes = fm_wire_get_bytes(payload, send->length);
    fine &= fm_wire_get_acoustic_send_tail(payload, tail);
    return fine && *bytes && payload->at == payload->size && send->kind <= FM_WIRE_SOUND_MODEM &&
           send->frequency >= 0 && send->level >= 0;
}

static void take_acoustic_send(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_acoustic_send send;
    fm_wire_acoustic_send_tail tail;
    const uint8_t *bytes;
    fm_kept_answer *kept;
    int fine = read_send(payload, &send, &tail, &bytes);
    if (send.id == 0) {
        fm_drop_count(server, s, FM_WIRE_FAULT_VALUE);
        fm_session_send_error(server, s, h, FM_WIRE_BAD_VALUE);
        return;
    }
    int known = find_kept(s->sends, send.id, &kept);
    int fits = send.length <= FM_SOUND_BYTES_MOST;
    fm_errand *e = known == NEW && fine && fits ? fm_errand_create(server, s) : NULL;
    if (known == UNDERWAY)
        return;
    if (known == KNOWN) {
        send_status(server, s, &kept->as.status);
    } else if (!e) {
        fm_wire_code code = known == OLD ? FM_WIRE_TOO_OLD
                            : !fine      ? FM_WIRE_BAD_VALUE
                            : !fits      ? FM_WIRE_TOO_MANY_BYTES
                                         : FM_WIRE_FULL;
        fm_wire_acoustic_status status = {.id = send.id, .code = (uint16_t)code};
        if (code == FM_WIRE_TOO_MANY_BYTES)
            snprintf(status.text, sizeof status.text, "%u bytes are too many: a sound carries at most %d", send.length,
                     FM_SOUND_BYTES_MOST);
        if (known == NEW)
            *kept = (fm_kept_answer){.id = send.id, .done = 1, .as.status = status};
        send_status(server, s, &status);
    } else {
        e->send = send;
        e->send_tail = tail;
        e->size = send.length;
        memcpy(e->bytes, bytes, send.length);
        memcpy(e->vehicle, s->vehicle, sizeof e->vehicle);
        e->work = speak_work;
        e->done = speak_done;
        fm_errand_post(server, e);
    }
}

/* --- lists --- */

static void describe_work(fm_server *server, fm_run *run, fm_errand *e)
{
    fm_wire_out out = {.bytes = e->bytes, .room = FM_WIRE_PAYLOAD};
    fm_server_lock(server);
    const fm_session *s = fm_session_find(server, e->session, e->generation);
    if (s)
        fm_list_write(server, run, s, &e->describe, &out);
    fm_server_unlock(server);
    e->size = out.size;
}

static void describe_done(fm_server *server, fm_errand *e)
{
    fm_session *s = fm_session_find(server, e->session, e->generation);
    if (s && e->size > 0)
        fm_session_send(server, s, FM_WIRE_DESCRIPTION, 0, server->time, e->bytes, e->size);
}

static void take_describe(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_describe ask;
    if (!fm_wire_get_describe(payload, &ask) || ask.what < FM_WIRE_ACTUATORS || ask.what >= FM_WIRE_LISTS) {
        fm_drop_count(server, s, FM_WIRE_FAULT_VALUE);
        fm_session_send_error(server, s, h, FM_WIRE_BAD_VALUE);
        return;
    }
    fm_errand *e = s->errands < FM_NET_ERRANDS ? fm_errand_create(server, s) : NULL;
    if (!e) {
        fm_drop_count(server, s, FM_WIRE_FAULT_RATE);
        fm_session_send_error(server, s, h, FM_WIRE_RATE_LIMIT);
        return;
    }
    s->errands++;
    e->describe = ask;
    e->work = describe_work;
    e->done = describe_done;
    fm_errand_post(server, e);
}

/* --- the rest --- */

static void take_ping(fm_server *server, fm_session *s, fm_wire_in *payload)
{
    const uint8_t *bytes = fm_wire_get_bytes(payload, FM_WIRE_SIZE_ping);
    fm_session_send(server, s, FM_WIRE_PONG, 0, server->time, bytes, FM_WIRE_SIZE_ping);
}

static void take_pong(fm_server *server, fm_session *s, fm_wire_in *payload)
{
    fm_wire_ping pong;
    fm_wire_get_ping(payload, &pong);
    if (pong.nonce != s->ping || s->ping == 0) {
        fm_drop_count(server, s, FM_WIRE_FAULT_STALE);
        return;
    }
    s->ping = 0;
    s->pongs++;
    s->reply = server->clock(server->outside) - s->pinged;
}

static void take_subscribe(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_subscribe ask;
    fm_wire_get_subscribe(payload, &ask);
    int own = s->vehicle[0] != 0;
    if (ask.mask > 15 || (own && ask.vehicle != 0 && ask.vehicle != s->slot + 1)) {
        fm_drop_count(server, s, ask.mask > 15 ? FM_WIRE_FAULT_VALUE : FM_WIRE_FAULT_ROLE);
        fm_session_send_error(server, s, h, ask.mask > 15 ? FM_WIRE_BAD_VALUE : FM_WIRE_NOT_PERMITTED);
        return;
    }
    s->mask = ask.mask;
    s->state_ticks = fm_session_period(server, ask.period);
    s->watched = own ? 0 : ask.vehicle;
    s->next_state = 0;
}

static void take_actuate(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_fault fault = fm_session_actuate(server, s, h->sequence, payload);
    if (fault == FM_WIRE_FINE && payload->at != payload->size)
        fault = FM_WIRE_FAULT_PAYLOAD;
    if (fault == FM_WIRE_FINE)
        return;
    fm_drop_count(server, s, fault);
    if (fault != FM_WIRE_FAULT_STALE)
        fm_session_send_error(server, s, h, FM_WIRE_BAD_VALUE);
}

static void take_ready(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    fm_wire_ready ready;
    fm_wire_fault fault = FM_WIRE_FINE;
    fm_wire_get_ready(payload, &ready);
    if (!s->participant) {
        fm_drop_count(server, s, FM_WIRE_FAULT_ROLE);
        fm_session_send_error(server, s, h, FM_WIRE_NOT_PERMITTED);
        return;
    }
    if (ready.time != server->time) {
        fm_drop_count(server, s, FM_WIRE_FAULT_STALE);
        return;
    }
    for (unsigned i = 0; i < ready.count && fault == FM_WIRE_FINE; i++)
        fault = fm_session_actuate(server, s, h->sequence, payload);
    if (fault != FM_WIRE_FINE || payload->at != payload->size) {
        fm_drop_count(server, s, fault != FM_WIRE_FINE ? fault : FM_WIRE_FAULT_PAYLOAD);
        fm_session_send_error(server, s, h, FM_WIRE_BAD_VALUE);
        return;
    }
    fm_run_ready(server->run, s->participant);
}

static int may_send(const fm_session *s, uint16_t type)
{
    int steers = s->role == FM_WIRE_CONTROLLER || (s->role >= FM_WIRE_SURFACE && s->role <= FM_WIRE_BUOY);
    switch (type) {
    case FM_WIRE_ACTUATE:
    case FM_WIRE_READY:
    case FM_WIRE_ACOUSTIC_SEND: return steers;
    case FM_WIRE_SENSOR_PUT: return s->role == FM_WIRE_EMULATOR;
    default: return 1;
    }
}

void fm_session_take(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    if (!may_send(s, h->type)) {
        fm_drop_count(server, s, FM_WIRE_FAULT_ROLE);
        fm_session_send_error(server, s, h, FM_WIRE_NOT_PERMITTED);
        return;
    }
    switch (h->type) {
    case FM_WIRE_PING: take_ping(server, s, payload); break;
    case FM_WIRE_PONG: take_pong(server, s, payload); break;
    case FM_WIRE_ACTUATE: take_actuate(server, s, h, payload); break;
    case FM_WIRE_READY: take_ready(server, s, h, payload); break;
    case FM_WIRE_SENSOR_PUT: fm_session_put_samples(server, s, h, payload); break;
    case FM_WIRE_ACOUSTIC_SEND: take_acoustic_send(server, s, h, payload); break;
    case FM_WIRE_COMMAND: take_command(server, s, h, payload); break;
    case FM_WIRE_SUBSCRIBE: take_subscribe(server, s, h, payload); break;
    case FM_WIRE_DESCRIBE: take_describe(server, s, h, payload); break;
    case FM_WIRE_DISCONNECT:
    case FM_WIRE_BYE: fm_session_leave(server, s, FM_WIRE_DONE); break;
    default: break;
    }
}
