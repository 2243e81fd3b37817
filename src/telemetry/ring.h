/* A ring of messages between the stepping thread (one producer) and one consumer thread. Bounded, allocated once;
 * pushing never blocks. */
#ifndef FM_TELEMETRY_RING_H
#define FM_TELEMETRY_RING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum fm_ring_policy {
    FM_RING_DROP, /* a full ring drops the new message and counts it: a real-time run is never delayed */
    FM_RING_WAIT  /* the producer waits for space between steps: the log of a fast run is complete */
} fm_ring_policy;

typedef struct fm_ring_item {
    uint32_t channel;
    uint32_t sequence; /* of the channel */
    uint64_t time;     /* ns since the start of the run */
    uint32_t size;
    const uint8_t *data; /* within the ring, until fm_ring_pop */
    int news;            /* not a message of the channel, but about it: fm_channel_news */
} fm_ring_item;

typedef struct fm_ring fm_ring;

/* NULL when out of memory. `capacity` in bytes, headers (32 a message) included. */
fm_ring *fm_ring_create(size_t capacity, fm_ring_policy policy);
void fm_ring_destroy(fm_ring *ring);
/* Lets an empty ring start again at offset 0 once an eighth of it was used and `reserve` bytes or more are then
 * contiguous: the run touches no more memory than the consumer lags by. Called by the ring's creator, before the first
 * message. */
void fm_ring_begin_anew(fm_ring *ring, size_t reserve);

/* Producer. Push returns 0 if the message was dropped (and counted, unless it is news). Flush wakes the consumer, at
 * most once per step. */
int fm_ring_put(fm_ring *ring, const fm_ring_item *item);
void fm_ring_count_drop(fm_ring *ring); /* of a message that is not pushed at all */
void fm_ring_flush(fm_ring *ring);
/* Whether there is space for `bytes` (headers included). wait_room sleeps until there is, and is called only between
 * steps. */
int fm_ring_has_room(fm_ring *ring, size_t bytes);
void fm_ring_wait_room(fm_ring *ring, size_t bytes);
/* No more messages will come: the consumer reads the remaining ones and sees the end. */
void fm_ring_close(fm_ring *ring);

/* Consumer. Peek returns the oldest message without removing it; 0 if there is none. */
int fm_ring_peek(fm_ring *ring, fm_ring_item *item);
void fm_ring_pop(fm_ring *ring);
/* Sleeps until a flush or a close; may return early. */
void fm_ring_wait(fm_ring *ring);
int fm_ring_closed(fm_ring *ring);

/* Producer: the policy from the next step on. */
void fm_ring_set_policy(fm_ring *ring, fm_ring_policy policy);
fm_ring_policy fm_ring_get_policy(const fm_ring *ring);
uint64_t fm_ring_dropped(const fm_ring *ring);
/* Of those, under FM_RING_WAIT: one step brought more than the ring holds. */
uint64_t fm_ring_overrun(const fm_ring *ring);
/* Bytes that a message of `size` bytes takes in a ring. */
size_t fm_ring_bytes(size_t size);

#endif
