/* Datagrams to clients: collected, sealed and sent in batches. */
#include <string.h>

#include "base/text.h"
#include "server/seal.h"
#include "server/sessions.h"

static fm_datagram *next_datagram(fm_server *server)
{
    if (server->batch_count == FM_SOCKET_BATCH)
        fm_batch_flush(server);
    return &server->batch[server->batch_count];
}

void fm_batch_flush(fm_server *server)
{
    size_t count = server->batch_count;
    server->batch_count = 0;
    if (count == 0)
        return;
    fm_server_unlock(server); /* only the loop's thread uses the batch */
    size_t taken = server->send(server->outside, server->batch, count);
    fm_server_lock(server);
    server->sent += taken;
    server->drops[FM_WIRE_FAULT_SEND] += count - taken;
}

static uint8_t flags_of(const fm_server *server, fm_wire_type type)
{
    int reply = type == FM_WIRE_CHALLENGE || type == FM_WIRE_WELCOME || type == FM_WIRE_REJECT ||
                type == FM_WIRE_PONG || type == FM_WIRE_RESULT || type == FM_WIRE_ACOUSTIC_STATUS ||
                type == FM_WIRE_DESCRIPTION;
    int stopped = fm_server_how(server) != FM_WIRE_RUNNING;
    return (uint8_t)(FM_WIRE_FROM_SERVER | (reply ? FM_WIRE_REPLY : 0) | (stopped ? FM_WIRE_SIM_STOPPED : 0));
}

static void send_datagram(fm_server *server, const fm_address *to, fm_wire_header *header, const void *payload,
                          size_t size)
{
    fm_datagram *d = next_datagram(server);
    fm_wire_out out = fm_wire_begin(d->bytes);
    header->flags = flags_of(server, header->type);
    fm_wire_put_bytes(&out, payload, size);
    d->address = *to;
    d->size = fm_wire_finish(&out, header, server->keyed ? server->key : NULL, fm_seal_hash);
    server->batch_count += d->size > 0;
}

void fm_session_send(fm_server *server, fm_session *s, fm_wire_type type, uint16_t source, uint64_t time,
                     const void *payload, size_t size)
{
    fm_wire_header header = {.type = (uint16_t)type,
                             .sequence = ++s->sequence,
                             .token = s->token,
                             .time = time,
                             .source = source,
                             .destination = s->id};
    s->sent++;
    send_datagram(server, &s->address, &header, payload, size);
}

/* Without a session. */
void fm_server_answer(fm_server *server, const fm_address *to, fm_wire_type type, const void *payload, size_t size)
{
    fm_wire_header header = {.type = (uint16_t)type, .time = server->time};
    send_datagram(server, to, &header, payload, size);
}

void fm_session_answer_rejection(fm_server *server, const fm_address *to, uint64_t nonce, fm_wire_code code,
                                 const char *text)
{
    uint8_t room[FM_WIRE_SIZE_reject];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_reject reject = {.code = (uint16_t)code, .nonce = nonce};
    fm_text_shorten(reject.text, sizeof reject.text, text);
    fm_wire_put_reject(&out, &reject);
    fm_server_answer(server, to, FM_WIRE_REJECT, room, out.size);
}

void fm_sessions_tell(fm_server *server, int kind, uint16_t vehicle, double value, const char *text)
{
    fm_session *s;
    for (size_t i = 0; (s = fm_session_next(server, &i));) {
        if (s->life != FM_SESSION_LIVE || !(s->mask & FM_WIRE_WANT_EVENTS))
            continue;
        fm_wire_event event = {
            .kind = (uint16_t)kind, .vehicle = vehicle, .number = ++s->events, .time = server->time, .value = value};
        fm_text_shorten(event.text, sizeof event.text, text);
        FM_SEND(server, s, FM_WIRE_EVENT, event, &event);
    }
}

/* --- what steps have brought --- */

static void send_outbox(fm_server *server, const fm_outbox *box)
{
    fm_outgoing head;
    for (size_t at = 0; at + sizeof head <= box->size; at += sizeof head + head.size) {
        memcpy(&head, box->bytes + at, sizeof head);
        fm_session *s = fm_session_find(server, head.session, head.generation);
        if (s)
            fm_session_send(server, s, (fm_wire_type)head.type, head.source, head.time, box->bytes + at + sizeof head,
                            head.size);
    }
}

void fm_server_turn(fm_server *server)
{
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    fm_outbox full = server->boxes[0];
    server->boxes[0] = server->boxes[1];
    server->boxes[0].size = 0;
    server->boxes[1] = full;
    fm_errands_finish(server);
    send_outbox(server, &full);
    fm_batch_flush(server);
    fm_server_unlock(server);
}
