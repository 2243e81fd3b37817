#include "telemetry/ring.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"

/* Header of every message, 8-byte aligned. A size of SKIP fills the end of the buffer. */
typedef struct entry {
    uint32_t size;
    uint32_t sequence;
    uint64_t time;
    uint32_t channel;
    uint32_t news;
    uint64_t length; /* bytes to the next entry */
} entry;

_Static_assert(sizeof(entry) == 32, "fm_ring_bytes and the documentation say 32");
#define SKIP UINT32_MAX

/* head and tail count bytes since the start; their difference is what is in use. */
struct fm_ring {
    _Alignas(64) _Atomic uint64_t head; /* written by the producer */
    _Atomic uint64_t dropped, overrun;
    _Alignas(64) _Atomic uint64_t tail; /* written by the consumer */
    _Alignas(64) _Atomic int consumer_sleeps, producer_sleeps, closed;
    sem_t data, room;
    fm_ring_policy policy;
    size_t capacity;
    size_t anew; /* offset from which an empty ring wraps to its start */
    uint8_t *bytes;
    void *memory;
};

size_t fm_ring_bytes(size_t size)
{
    return sizeof(entry) + ((size + 7) & ~(size_t)7);
}

fm_ring *fm_ring_create(size_t capacity, fm_ring_policy policy)
{
    capacity = (capacity + 63) & ~(size_t)63;
    uint8_t *memory = fm_alloc(sizeof(fm_ring) + 64 + capacity);
    if (!memory)
        return NULL;
    fm_ring *ring = (fm_ring *)(memory + (64 - (uintptr_t)memory % 64) % 64);
    ring->memory = memory;
    ring->policy = policy;
    ring->capacity = capacity;
    ring->anew = capacity;
    ring->bytes = (uint8_t *)(ring + 1);
    sem_init(&ring->data, 0, 0);
    sem_init(&ring->room, 0, 0);
    return ring;
}

void fm_ring_destroy(fm_ring *ring)
{
    if (!ring)
        return;
    sem_destroy(&ring->data);
    sem_destroy(&ring->room);
    fm_free(ring->memory);
}

void fm_ring_begin_anew(fm_ring *ring, size_t reserve)
{
    ring->anew = reserve > ring->capacity / 8 ? reserve : ring->capacity / 8;
}

static size_t used(fm_ring *ring)
{
    return (size_t)(atomic_load(&ring->head) - atomic_load(&ring->tail));
}

/* A message must be contiguous: if it does not fit at the end of the buffer, the rest is skipped, so that up to twice
 * its size (less one entry) can be needed. An empty ring starts again at offset 0. */
static size_t bytes_to_skip(const fm_ring *ring, size_t at, size_t bytes, size_t in_use)
{
    int anew = in_use == 0 && at >= ring->anew && bytes <= at;
    return bytes > ring->capacity - at || anew ? ring->capacity - at : 0;
}

void fm_ring_count_drop(fm_ring *ring)
{
    atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
    if (ring->policy == FM_RING_WAIT)
        atomic_fetch_add_explicit(&ring->overrun, 1, memory_order_relaxed);
}

int fm_ring_put(fm_ring *ring, const fm_ring_item *item)
{
    size_t bytes = fm_ring_bytes(item->size);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    size_t at = (size_t)(head % ring->capacity), in_use = used(ring), skip = bytes_to_skip(ring, at, bytes, in_use);
    if (bytes + skip > ring->capacity - in_use) {
        if (!item->news)
            fm_ring_count_drop(ring);
        return 0;
    }
    if (skip > 0) {
        entry filler = {.size = SKIP, .length = skip};
        memcpy(ring->bytes + at, &filler, skip < sizeof filler ? skip : sizeof filler);
        at = 0;
    }
    entry e = {.size = item->size,
               .sequence = item->sequence,
               .time = item->time,
               .channel = item->channel,
               .news = item->news != 0,
               .length = bytes};
    memcpy(ring->bytes + at, &e, sizeof e);
    memcpy(ring->bytes + at + sizeof e, item->data, item->size);
    atomic_store_explicit(&ring->head, head + skip + bytes, memory_order_release);
    return 1;
}

void fm_ring_flush(fm_ring *ring)
{
    atomic_thread_fence(memory_order_seq_cst); /* the new head, stored before the sleeper is checked */
    if (atomic_load(&ring->consumer_sleeps) && atomic_exchange(&ring->consumer_sleeps, 0))
        sem_post(&ring->data);
}

int fm_ring_has_room(fm_ring *ring, size_t bytes)
{
    return ring->capacity - used(ring) >= bytes;
}

void fm_ring_wait_room(fm_ring *ring, size_t bytes)
{
    if (bytes > ring->capacity)
        bytes = ring->capacity;
    while (!fm_ring_has_room(ring, bytes)) {
        fm_ring_flush(ring);
        atomic_store(&ring->producer_sleeps, 1);
        if (fm_ring_has_room(ring, bytes))
            break;
        while (sem_wait(&ring->room) != 0 && errno == EINTR) {
        }
    }
    atomic_store(&ring->producer_sleeps, 0);
}

void fm_ring_close(fm_ring *ring)
{
    atomic_store(&ring->closed, 1);
    sem_post(&ring->data);
}

/* The filler is shorter than an entry when fewer than 32 bytes are left: its size is always there, its length is not.
 */
int fm_ring_peek(fm_ring *ring, fm_ring_item *item)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
        return 0;
    size_t at = (size_t)(tail % ring->capacity);
    uint32_t size;
    memcpy(&size, ring->bytes + at, sizeof size);
    if (size == SKIP) {
        tail += ring->capacity - at;
        atomic_store_explicit(&ring->tail, tail, memory_order_release);
        at = 0;
    }
    entry e;
    memcpy(&e, ring->bytes + at, sizeof e);
    *item = (fm_ring_item){e.channel, e.sequence, e.time, e.size, ring->bytes + at + sizeof e, (int)e.news};
    return 1;
}

void fm_ring_pop(fm_ring *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    entry e;
    memcpy(&e, ring->bytes + tail % ring->capacity, sizeof e);
    atomic_store(&ring->tail, tail + e.length);
    if (atomic_load(&ring->producer_sleeps) && atomic_exchange(&ring->producer_sleeps, 0))
        sem_post(&ring->room);
}

/* A post meant for an earlier sleep only ends this one early; the caller checks again. */
void fm_ring_wait(fm_ring *ring)
{
    fm_ring_item item;
    atomic_store(&ring->consumer_sleeps, 1);
    atomic_thread_fence(memory_order_seq_cst);
    if (!fm_ring_peek(ring, &item) && !atomic_load(&ring->closed))
        sem_wait(&ring->data);
    atomic_store(&ring->consumer_sleeps, 0);
}

int fm_ring_closed(fm_ring *ring)
{
    return atomic_load(&ring->closed);
}

void fm_ring_set_policy(fm_ring *ring, fm_ring_policy policy)
{
    ring->policy = policy;
}
fm_ring_policy fm_ring_get_policy(const fm_ring *ring)
{
    return ring->policy;
}
uint64_t fm_ring_dropped(const fm_ring *ring)
{
    return atomic_load(&((fm_ring *)(uintptr_t)ring)->dropped);
}
uint64_t fm_ring_overrun(const fm_ring *ring)
{
    return atomic_load(&((fm_ring *)(uintptr_t)ring)->overrun);
}
