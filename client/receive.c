/* Converts messages of a session to the structs of the public header. */
#include <stdio.h>
#include <string.h>

#include "client.h"

static void widen(double *to, const float *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}

/* 1: a state that was read whole. */
static int read_state(const fm_wire_header *header, fm_wire_in *in, fm_client_state *s)
{
    fm_wire_state state;
    memset(s, 0, sizeof *s);
    if (!fm_wire_get_state(in, &state))
        return 0;
    s->stamp = header->time;
    s->vehicle = header->source;
    memcpy(s->position, state.position, sizeof s->position);
    memcpy(s->attitude, state.attitude, sizeof s->attitude);
    widen(s->velocity, state.velocity, 3);
    widen(s->rates, state.rates, 3);
    widen(s->acceleration, state.acceleration, 3);
    widen(s->flow, state.flow, 3);
    s->actuator_count = state.count;
    for (size_t i = 0; i < s->actuator_count; i++)
        s->actuators[i] = (double)fm_wire_get_f32(in);
    s->flags = fm_wire_get_u32(in);
    for (size_t i = 0; i < s->actuator_count; i++)
        s->owners[i] = fm_wire_get_u8(in);
    return !in->fault;
}

/* The client's own vehicle, or the watched one: for observers of all, the first that arrives. */
static int is_watched(const fm_client *client, uint16_t vehicle)
{
    uint16_t wanted = client->watched ? client->watched : client->welcome.vehicle;
    return wanted ? vehicle == wanted : !client->have_state || client->state.vehicle == vehicle;
}

static void note_vehicle(fm_client *client, uint16_t vehicle)
{
    int brings = client->options.role <= FM_CLIENT_BUOY || client->options.role == FM_CLIENT_CONTROLLER;
    if (brings && !client->watched && !client->welcome.vehicle) { /* now it is in the water */
        client->welcome.vehicle = vehicle;
        fm_client_lists_begin(client, 0);
    }
}

static void take_state(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    fm_mail mail = {.kind = FM_MAIL_STATE};
    fm_client_state *s = &mail.is.state;
    if (!read_state(header, in, s))
        return;
    note_vehicle(client, s->vehicle);
    if (is_watched(client, s->vehicle)) {
        if (header->sequence <= client->state_sequence)
            return;
        client->state_sequence = header->sequence;
        if (client->have_state && client->state.stamp == s->stamp && client->state.vehicle == s->vehicle) {
            if (client->ready_next) /* the server repeats itself: it did not receive our answer */
                client->ready_next = fm_client_now();
            return;
        }
        client->state = *s;
        client->have_state = 1;
        client->ready_next = 0;
    }
    fm_client_mail(client, &mail);
    if (client->options.callbacks.state)
        client->options.callbacks.state(client->options.callbacks.user, s);
}

static void take_sound(fm_client *client, fm_wire_in *in)
{
    fm_wire_acoustic_recv recv;
    fm_wire_acoustic_recv_tail tail;
    fm_mail mail = {.kind = FM_MAIL_SOUND};
    fm_client_sound *s = &mail.is.sound;
    fm_wire_get_acoustic_recv(in, &recv);
    size_t left = in->size - in->at;
    if (in->fault || left < FM_WIRE_SIZE_acoustic_recv_tail || left - FM_WIRE_SIZE_acoustic_recv_tail > FM_CLIENT_BYTES)
        return;
    s->size = left - FM_WIRE_SIZE_acoustic_recv_tail;
    memcpy(s->bytes, fm_wire_get_bytes(in, s->size), s->size);
    if (!fm_wire_get_acoustic_recv_tail(in, &tail))
        return;
    s->stamp = recv.time;
    s->nanoseconds = recv.sub;
    s->number = tail.number;
    s->signal = recv.id;
    s->transducer = tail.transducer;
    s->kind = tail.kind;
    s->path = recv.path;
    s->from = recv.from;
    s->to = tail.to;
    s->code = tail.code;
    s->frequency = (double)recv.frequency;
    s->level = (double)recv.level;
    s->snr = (double)recv.snr;
    s->azimuth = (double)recv.azimuth;
    s->elevation = (double)recv.elevation;
    fm_client_mail(client, &mail);
    if (client->options.callbacks.sound)
        client->options.callbacks.sound(client->options.callbacks.user, s);
}

/* 1: it was waited for. */
static int finish_request(fm_client *client, uint16_t type, uint32_t id)
{
    for (int i = 0; i < FM_CLIENT_REQUESTS; i++)
        if (client->requests[i].type == type && client->requests[i].id == id) {
            client->requests[i].type = 0;
            return 1;
        }
    return 0;
}

static void take_sent(fm_client *client, fm_wire_in *in)
{
    fm_wire_acoustic_status status;
    if (!fm_wire_get_acoustic_status(in, &status) || !finish_request(client, FM_WIRE_ACOUSTIC_SEND, status.id))
        return;
    fm_mail mail = {
        .kind = FM_MAIL_SENT,
        .is.sent = {.id = status.id, .code = status.code, .emitted = status.emitted, .ready_at = status.ready_at}};
    memcpy(mail.is.sent.text, status.text, sizeof mail.is.sent.text);
    fm_client_mail(client, &mail);
    if (client->options.callbacks.sent)
        client->options.callbacks.sent(client->options.callbacks.user, &mail.is.sent);
}

static void take_result(fm_client *client, fm_wire_in *in)
{
    fm_wire_result result;
    fm_mail mail = {.kind = FM_MAIL_RESULT};
    fm_client_result *r = &mail.is.result;
    if (!fm_wire_get_result(in, &result) || !finish_request(client, FM_WIRE_COMMAND, result.id))
        return;
    *r = (fm_client_result){
        .id = result.id, .code = result.code, .verb = result.verb, .stamp = result.time, .value = result.value};
    memcpy(r->text, result.text, sizeof r->text);
    if (client->waited_id == r->id) {
        client->waited = *r;
        client->waited_done = 1;
    }
    fm_client_mail(client, &mail);
    if (client->options.callbacks.result)
        client->options.callbacks.result(client->options.callbacks.user, r);
}

static void take_event(fm_client *client, fm_wire_in *in)
{
    fm_wire_event event;
    fm_mail mail = {.kind = FM_MAIL_EVENT};
    fm_client_event *e = &mail.is.event;
    if (!fm_wire_get_event(in, &event))
        return;
    *e = (fm_client_event){.stamp = event.time,
                           .kind = event.kind,
                           .vehicle = event.vehicle,
                           .number = event.number,
                           .value = event.value};
    memcpy(e->text, event.text, sizeof e->text);
    if (event.kind == FM_WIRE_EVENT_STATE && event.value >= FM_WIRE_STOPPED && event.value <= FM_WIRE_WAITING)
        client->simulation = (int)event.value;
    fm_client_mail(client, &mail);
    if (client->options.callbacks.event)
        client->options.callbacks.event(client->options.callbacks.user, e);
}

/* A refusal without an answer of its own: reported as an event. */
static void take_error(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    fm_wire_error refused;
    fm_mail mail = {.kind = FM_MAIL_EVENT};
    if (!fm_wire_get_error(in, &refused))
        return;
    mail.is.event = (fm_client_event){.stamp = header->time, .kind = FM_WIRE_EVENT_REFUSED, .value = refused.code};
    snprintf(mail.is.event.text, sizeof mail.is.event.text, "type 0x%04x was refused with code %d", refused.type,
             refused.code);
    fm_client_mail(client, &mail);
    if (client->options.callbacks.event)
        client->options.callbacks.event(client->options.callbacks.user, &mail.is.event);
}

void fm_client_message_take(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    switch (header->type) {
    case FM_WIRE_STATE: take_state(client, header, in); break;
    case FM_WIRE_SENSORS: fm_client_sensors_take(client, header, in); break;
    case FM_WIRE_ACOUSTIC_RECV: take_sound(client, in); break;
    case FM_WIRE_ACOUSTIC_STATUS: take_sent(client, in); break;
    case FM_WIRE_RESULT: take_result(client, in); break;
    case FM_WIRE_EVENT: take_event(client, in); break;
    case FM_WIRE_DESCRIPTION: fm_client_description_take(client, in); break;
    case FM_WIRE_ERROR: take_error(client, header, in); break;
    }
}

int fm_client_state_read(const fm_client *client, fm_client_state *state)
{
    if (!client || !state)
        return 0;
    fm_client_lock(client);
    int have = client->have_state;
    *state = client->state;
    fm_client_unlock(client);
    return have;
}
