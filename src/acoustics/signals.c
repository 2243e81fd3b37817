#include "acoustics/signals.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(fm_signal) % 8 == 0 && sizeof(fm_moment) % 8 == 0 && sizeof(fm_signals) % 8 == 0,
               "the block is made of words");

/* --- the block: head, wheel, heap, events, table --- */

enum { WHEEL = 1024, BRANCHES = 4 }; /* ticks of the wheel, a power of 2; of the heap */

static size_t signal_words(const fm_signals_size *size)
{
    return sizeof(fm_signal) / 8 + size->payload;
}

/* First moment of each tick, + 1. */
static int64_t *wheel_of(fm_signals *signals)
{
    return (int64_t *)(void *)(signals + 1);
}

/* A moment that is due. */
typedef struct due_moment {
    double guess; /* s */
    int64_t index;
} due_moment;

static due_moment *heap_of(fm_signals *signals)
{
    return (due_moment *)(void *)(wheel_of(signals) + WHEEL);
}

static fm_moment *moments_of(const fm_signals_size *size, fm_signals *signals)
{
    return (fm_moment *)(void *)(heap_of(signals) + size->moments);
}

size_t fm_signals_words(const fm_signals_size *size)
{
    return sizeof(fm_signals) / 8 + WHEEL + size->moments * ((sizeof(due_moment) + sizeof(fm_moment)) / 8) +
           size->signals * signal_words(size);
}

/* --- due events: a heap --- */

static int is_before(const fm_moment *moments, const due_moment *a, const due_moment *b)
{
    return a->guess < b->guess || (a->guess == b->guess && moments[a->index].order < moments[b->index].order);
}

static void add_due(const fm_signals_size *size, fm_signals *signals, int64_t index)
{
    const fm_moment *moments = moments_of(size, signals);
    due_moment *heap = heap_of(signals), fresh = {moments[index].guess, index};
    size_t at = (size_t)signals->due++;
    while (at > 0 && is_before(moments, &fresh, &heap[(at - 1) / BRANCHES])) {
        heap[at] = heap[(at - 1) / BRANCHES];
        at = (at - 1) / BRANCHES;
    }
    heap[at] = fresh;
}

double fm_signals_first(fm_signals *signals)
{
    return signals->due ? heap_of(signals)[0].guess : HUGE_VAL;
}

void fm_signals_take(const fm_signals_size *size, fm_signals *signals, fm_moment *moment)
{
    fm_moment *moments = moments_of(size, signals);
    due_moment *heap = heap_of(signals);
    int64_t taken = heap[0].index;
    size_t count = (size_t)--signals->due, at = 0;
    due_moment last = heap[count];
    heap[count] = (due_moment){0, 0}; /* what is hashed does not remember */
    for (size_t first = 1; first < count; first = BRANCHES * at + 1) {
        size_t best = first, end = first + BRANCHES < count ? first + BRANCHES : count;
        for (size_t i = first + 1; i < end; i++)
            best = is_before(moments, &heap[i], &heap[best]) ? i : best;
        if (!is_before(moments, &heap[best], &last))
            break;
        heap[at] = heap[best];
        at = best;
    }
    if (count)
        heap[at] = last;
    __builtin_prefetch(&moments[heap[0].index]); /* the next one lies anywhere */
    *moment = moments[taken];
    memset(&moments[taken], 0, sizeof moments[taken]);
    moments[taken].next = signals->free_moment;
    signals->free_moment = taken + 1;
}

/* --- the wheel --- */

/* The first tick whose time, tick × dt, is not before a given time. */
static int64_t tick_of(const fm_signals_size *size, double time)
{
    double tick = ceil(fmax(time, 0) / size->dt);
    if ((tick - 1) * size->dt >= time) /* the division may have rounded up or down */
        tick -= 1;
    if (tick * size->dt < time)
        tick += 1;
    return (int64_t)fmin(tick, 9e15);
}

void fm_signals_turn(const fm_signals_size *size, fm_signals *signals, uint64_t tick)
{
    fm_moment *moments = moments_of(size, signals);
    for (; signals->turned <= (int64_t)tick; signals->turned++) {
        int64_t *link = &wheel_of(signals)[signals->turned % WHEEL];
        while (*link) {
            fm_moment *m = &moments[*link - 1];
            if (tick_of(size, m->time) > signals->turned) { /* of a later turn of the wheel */
                link = &m->next;
                continue;
            }
            int64_t index = *link - 1;
            *link = m->next;
            m->next = 0;
            add_due(size, signals, index);
        }
    }
}

void fm_signals_hasten(const fm_signals_size *size, fm_signals *signals)
{
    fm_moment *moments = moments_of(size, signals);
    for (int i = 0; i < WHEEL; i++) {
        int64_t *link = &wheel_of(signals)[i];
        while (*link) {
            fm_moment *m = &moments[*link - 1];
            if (m->kind != FM_MOMENT_ARRIVE) {
                link = &m->next;
                continue;
            }
            int64_t index = *link - 1;
            *link = m->next;
            m->next = 0;
            add_due(size, signals, index);
        }
    }
}

int fm_signals_add(const fm_signals_size *size, fm_signals *signals, fm_moment moment)
{
    fm_moment *moments = moments_of(size, signals);
    int64_t index = signals->free_moment - 1;
    if (index >= 0)
        signals->free_moment = moments[index].next;
    else if ((size_t)signals->used_moments < size->moments)
        index = signals->used_moments++;
    else {
        signals->lost++;
        return 0;
    }
    moment.order = signals->orders++;
    moment.next = 0;
    moments[index] = moment;
    fm_signals_at(size, signals, moment.signal)->uses++;
    int64_t tick = tick_of(size, moment.time);
    if (tick < signals->turned) {
        add_due(size, signals, index);
        return 1;
    }
    int64_t *link = &wheel_of(signals)[tick % WHEEL];
    moments[index].next = *link;
    *link = index + 1;
    return 1;
}

/* --- the table --- */

fm_signal *fm_signals_at(const fm_signals_size *size, fm_signals *signals, int64_t index)
{
    uint64_t *table = (uint64_t *)(void *)(moments_of(size, signals) + size->moments);
    return (fm_signal *)(void *)(table + (size_t)index * signal_words(size));
}

void *fm_signals_data(const fm_signals_size *size, fm_signals *signals, int64_t index)
{
    return fm_signals_at(size, signals, index) + 1;
}

int64_t fm_signals_reserve(const fm_signals_size *size, fm_signals *signals)
{
    int64_t index = signals->free - 1;
    if (index >= 0)
        signals->free = fm_signals_at(size, signals, index)->next;
    else if ((size_t)signals->used < size->signals)
        index = signals->used++;
    else
        signals->lost++;
    if (index >= 0)
        memset(fm_signals_at(size, signals, index), 0, 8 * signal_words(size));
    return index;
}

void fm_signals_leave(const fm_signals_size *size, fm_signals *signals, int64_t index)
{
    fm_signal *signal = fm_signals_at(size, signals, index);
    if (--signal->uses > 0)
        return;
    memset(signal, 0, 8 * signal_words(size));
    signal->next = signals->free;
    signals->free = index + 1;
}
