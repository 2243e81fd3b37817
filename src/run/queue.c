/* Each cell counts its turns: turn == position: free for the producer that gets this position; position + 1: filled,
 * for the consumer. A producer gets its position by advancing `in`, fills the cell and then advances its turn (D.
 * Vyukov's bounded queue). A producer that is delayed in between delays those after it, but no thread blocks. */
#include "run/queue.h"

#include <stdatomic.h>

#include "base/memory.h"

typedef struct cell {
    _Atomic size_t turn;
    fm_input input;
    double moment;
} cell;

struct fm_input_queue {
    cell *cells;
    size_t mask;
    char apart[64]; /* producers and the consumer do not share a cache line */
    _Atomic size_t in;
    _Atomic uint64_t overflowed;
    char apart_too[64];
    size_t out;
};

fm_input_queue *fm_input_queue_create(size_t room)
{
    size_t size = 2; /* with a single cell a filled one would look free */
    while (size < room)
        size *= 2;
    fm_input_queue *queue = fm_alloc(sizeof *queue);
    if (!queue)
        return NULL;
    queue->mask = size - 1;
    queue->cells = fm_alloc(size * sizeof *queue->cells);
    if (!queue->cells) {
        fm_free(queue);
        return NULL;
    }
    for (size_t i = 0; i < size; i++)
        atomic_init(&queue->cells[i].turn, i);
    return queue;
}

void fm_input_queue_free(fm_input_queue *queue)
{
    if (!queue)
        return;
    fm_free(queue->cells);
    fm_free(queue);
}

int fm_input_queue_put(fm_input_queue *queue, const fm_input *input, double moment)
{
    size_t at = atomic_load_explicit(&queue->in, memory_order_relaxed);
    for (;;) {
        cell *c = &queue->cells[at & queue->mask];
        size_t turn = atomic_load_explicit(&c->turn, memory_order_acquire);
        if (turn == at) {
            if (!atomic_compare_exchange_weak_explicit(&queue->in, &at, at + 1, memory_order_relaxed,
                                                       memory_order_relaxed))
                continue;
            c->input = *input;
            c->moment = moment;
            atomic_store_explicit(&c->turn, at + 1, memory_order_release);
            return 1;
        }
        if ((ptrdiff_t)(turn - at) < 0) {
            atomic_fetch_add_explicit(&queue->overflowed, 1, memory_order_relaxed);
            return 0;
        }
        at = atomic_load_explicit(&queue->in, memory_order_relaxed);
    }
}

uint64_t fm_input_queue_overflowed(const fm_input_queue *queue)
{
    return atomic_load_explicit(&((fm_input_queue *)(uintptr_t)queue)->overflowed, memory_order_relaxed);
}

const fm_input *fm_input_queue_at(const fm_input_queue *queue, size_t i)
{
    cell *c = &queue->cells[(queue->out + i) & queue->mask];
    if (i > queue->mask || atomic_load_explicit(&c->turn, memory_order_acquire) != queue->out + i + 1)
        return NULL;
    return &c->input;
}

double fm_input_queue_moment(const fm_input_queue *queue, size_t i)
{
    return queue->cells[(queue->out + i) & queue->mask].moment;
}

void fm_input_queue_take(fm_input_queue *queue, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cell *c = &queue->cells[queue->out & queue->mask];
        atomic_store_explicit(&c->turn, queue->out + queue->mask + 1, memory_order_release);
        queue->out++;
    }
}

size_t fm_input_queue_room(const fm_input_queue *queue)
{
    return queue->mask + 1;
}
