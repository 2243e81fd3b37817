/* Checks of a received datagram before a session handles it, and rate limits. */
#include <math.h>
#include <string.h>

#include "server/seal.h"
#include "server/sessions.h"

#define SOURCE_RATE 2000.0

/* --- rates --- */

int fm_bucket_take(fm_bucket *bucket, double now, double rate)
{
    bucket->tokens = fmin(bucket->tokens + (now - bucket->since) * rate, rate);
    bucket->since = now;
    if (bucket->tokens < 1)
        return 0;
    bucket->tokens -= 1;
    return 1;
}

/* Sources that share a slot replace each other: a new source gets a full bucket, never the empty one of another
 * source. */
static int source_may(fm_server *server, const fm_address *from)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const uint8_t *bytes = (const uint8_t *)&from->at;
    for (size_t i = 0; i < from->size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    fm_bucket *bucket = &server->buckets[hash % FM_NET_BUCKETS];
    if (bucket->source != hash)
        *bucket = (fm_bucket){.source = hash, .tokens = SOURCE_RATE, .since = server->now};
    return fm_bucket_take(bucket, server->now, SOURCE_RATE);
}

/* --- what comes --- */

/* The session of a datagram, or why it is rejected. */
static fm_wire_fault find_sender(fm_server *server, const fm_datagram *d, const fm_wire_header *h, fm_session **found)
{
    static const uint64_t nobody = 0;
    fm_session *s = fm_session_at(server, h->source);
    int live = s && s->life == FM_SESSION_LIVE;
    int same = fm_seal_equal(live ? &s->token : &nobody, &h->token, sizeof h->token);
    if (!live || !same)
        return FM_WIRE_FAULT_SESSION;
    *found = s;
    if (!fm_address_equal(&s->address, &d->address))
        return FM_WIRE_FAULT_ADDRESS;
    return FM_WIRE_FINE;
}

static fm_wire_fault check_seal(const fm_server *server, const fm_datagram *d, const fm_wire_header *h)
{
    if (!server->keyed)
        return h->flags & FM_WIRE_SEALED ? FM_WIRE_FAULT_MAC : FM_WIRE_FINE;
    return fm_wire_is_sealed(d->bytes, h, server->key, fm_seal_hash) ? FM_WIRE_FINE : FM_WIRE_FAULT_MAC;
}

static void take_datagram(fm_server *server, const fm_datagram *d)
{
    fm_wire_header h;
    fm_wire_in payload;
    fm_session *s = NULL;
    fm_wire_fault fault = fm_wire_open(d->bytes, d->size, 0, &h, &payload);
    int stranger = h.type == FM_WIRE_HELLO || h.type == FM_WIRE_CONNECT;
    if (fault == FM_WIRE_FINE)
        fault = !stranger                         ? find_sender(server, d, &h, &s)
                : source_may(server, &d->address) ? FM_WIRE_FINE
                                                  : FM_WIRE_FAULT_RATE;
    if (fault == FM_WIRE_FINE)
        fault = check_seal(server, d, &h);
    if (fault == FM_WIRE_FINE && s && !fm_wire_window_take(&s->window, h.sequence))
        fault = FM_WIRE_FAULT_REPLAY;
    if (fault == FM_WIRE_FINE && s && !fm_bucket_take(&s->rate, server->now, SOURCE_RATE))
        fault = FM_WIRE_FAULT_RATE; /* a bucket of its own: a sender that forges its address cannot use it up */
    if (fault != FM_WIRE_FINE) {
        fm_drop_count(server, s, fault);
        return;
    }
    server->taken++;
    if (h.type == FM_WIRE_HELLO) {
        fm_server_take_hello(server, &d->address, &payload);
    } else if (h.type == FM_WIRE_CONNECT) {
        fm_server_take_connect(server, &d->address, &payload);
    } else {
        s->heard = server->now;
        s->received++;
        fm_session_take(server, s, &h, &payload);
    }
}

void fm_server_receive(fm_server *server, const fm_datagram *datagrams, size_t count)
{
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    for (size_t i = 0; i < count; i++)
        take_datagram(server, &datagrams[i]);
    fm_batch_flush(server);
    fm_server_unlock(server);
}
