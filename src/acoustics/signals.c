#include "acoustics/signals.h"

#include <string.h>

_Static_assert(sizeof(fm_signal) % 8 == 0 && sizeof(fm_moment) % 8 == 0 && sizeof(fm_signals) % 8 == 0,
               "the block is made of words");

static size_t signal_words(const fm_signals_size *size)
{
    return sizeof(fm_signal) / 8 + size->payload;
}

size_t fm_signals_words(const fm_signals_size *size)
{
    return sizeof(fm_signals) / 8 + size->moments * (sizeof(fm_moment) / 8) + size->signals * signal_words(size);
}

static fm_moment *heap_of(fm_signals *signals)
{
    return (fm_moment *)(void *)(signals + 1);
}

/* --- moments: a heap of four branches --- */

enum { BRANCHES = 4 };

static int is_before(const fm_moment *a, const fm_moment *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

fm_moment *fm_signals_first(const fm_signals_size *size, fm_signals *signals)
{
    (void)size;
    return signals->waiting ? heap_of(signals) : NULL;
}

void fm_signals_take(const fm_signals_size *size, fm_signals *signals, fm_moment *moment)
{
    (void)size;
    fm_moment *heap = heap_of(signals);
    *moment = heap[0];
    size_t count = (size_t)--signals->waiting, at = 0;
    fm_moment last = heap[count];
    memset(&heap[count], 0, sizeof last); /* what is hashed does not remember */
    for (size_t first = 1; first < count; first = BRANCHES * at + 1) {
        size_t best = first, end = first + BRANCHES < count ? first + BRANCHES : count;
        for (size_t i = first + 1; i < end; i++)
            best = is_before(&heap[i], &heap[best]) ? i : best;
        if (!is_before(&heap[best], &last))
            break;
        heap[at] = heap[best];
        at = best;
    }
    if (count)
        heap[at] = last;
}

int fm_signals_add(const fm_signals_size *size, fm_signals *signals, fm_moment moment)
{
    if ((size_t)signals->waiting >= size->moments) {
        signals->lost++;
        return 0;
    }
    fm_moment *heap = heap_of(signals);
    size_t at = (size_t)signals->waiting++;
    moment.order = signals->orders++;
    while (at > 0 && is_before(&moment, &heap[(at - 1) / BRANCHES])) {
        heap[at] = heap[(at - 1) / BRANCHES];
        at = (at - 1) / BRANCHES;
    }
    heap[at] = moment;
    fm_signals_at(size, signals, moment.signal)->uses++;
    return 1;
}

/* --- the table --- */

fm_signal *fm_signals_at(const fm_signals_size *size, fm_signals *signals, int64_t place)
{
    uint64_t *table = (uint64_t *)(void *)(heap_of(signals) + size->moments);
    return (fm_signal *)(void *)(table + (size_t)place * signal_words(size));
}

void *fm_signals_data(const fm_signals_size *size, fm_signals *signals, int64_t place)
{
    return fm_signals_at(size, signals, place) + 1;
}

int64_t fm_signals_place(const fm_signals_size *size, fm_signals *signals)
{
    int64_t place = signals->free - 1;
    if (place >= 0)
        signals->free = fm_signals_at(size, signals, place)->next;
    else if ((size_t)signals->used < size->signals)
        place = signals->used++;
    else
        signals->lost++;
    if (place >= 0)
        memset(fm_signals_at(size, signals, place), 0, 8 * signal_words(size));
    return place;
}

void fm_signals_leave(const fm_signals_size *size, fm_signals *signals, int64_t place)
{
    fm_signal *signal = fm_signals_at(size, signals, place);
    if (--signal->uses > 0)
        return;
    memset(signal, 0, 8 * signal_words(size));
    signal->next = signals->free;
    signals->free = place + 1;
}
