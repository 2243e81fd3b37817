/* Each thread has a range of runs and takes the first; a thread without runs takes the upper half of another's. */
#include "studies/sweep.h"

static uint64_t pack(uint64_t first, uint64_t end)
{
    return first << 32 | end;
}

void fm_steal_deal(fm_steal *shares, size_t count, size_t runs)
{
    for (size_t i = 0; i < count; i++)
        atomic_store(&shares[i].range, pack(runs * i / count, runs * (i + 1) / count));
}

void fm_steal_give(fm_steal *share, size_t first, size_t end)
{
    atomic_store(&share->range, pack(first, end));
}

static bool take_first(fm_steal *share, size_t *run)
{
    uint64_t now = atomic_load(&share->range);
    do {
        if (now >> 32 >= (uint32_t)now)
            return false;
        *run = (size_t)(now >> 32);
    } while (!atomic_compare_exchange_weak(&share->range, &now, now + (UINT64_C(1) << 32)));
    return true;
}

/* Moves the upper half, at least one, of the runs waiting there to this range. */
static bool take_half(fm_steal *from, fm_steal *to)
{
    uint64_t now = atomic_load(&from->range), first, end, middle;
    do {
        first = now >> 32;
        end = (uint32_t)now;
        if (first >= end)
            return false;
        middle = first + (end - first) / 2;
    } while (!atomic_compare_exchange_weak(&from->range, &now, pack(first, middle)));
    atomic_store(&to->range, pack(middle, end));
    return true;
}

bool fm_steal_next(fm_steal *shares, size_t count, size_t own, size_t *run)
{
    while (!take_first(&shares[own], run)) {
        bool found = false;
        for (size_t i = 1; i < count && !found; i++)
            found = take_half(&shares[(own + i) % count], &shares[own]);
        if (!found)
            return false;
    }
    return true;
}
