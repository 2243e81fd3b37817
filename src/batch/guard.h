/* What a caller wrote into the arrays of a batch that no vehicle can be moved by. */
#ifndef FM_BATCH_GUARD_H
#define FM_BATCH_GUARD_H

#include "batch/lanes.h"
#include "physics/real.h"

/* What is looked at, in the memory of the device. */
typedef struct fm_guard {
    const uint64_t *seeds;
    const uint32_t *episodes;
    uint64_t *streams;  /* fm_guard_seed of both */
    uint32_t *variants; /* NULL: there are none */
    size_t variant_count;
} fm_guard;

/* fm_batch_bad (fathom/batch.h), which the compiler of a GPU does not read. */
enum { FM_GUARD_ORDER = 2, FM_GUARD_VARIANT = 3 };

/* The seed of an episode of a vehicle: the vehicle's own in the first one. Each has its own noise so. */
FM_FN uint64_t fm_guard_seed(uint64_t seed, uint32_t episode)
{
    if (!episode)
        return seed;
    uint64_t mixed = seed + episode * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* Orders of the vehicles `first` … `end` − 1 that are NaN become 0, and their vehicles bad. */
#define FM_GUARD_ORDERS(name, number)                                                                                  \
    FM_FN void name(number *numbers, size_t stride, const fm_batch_rows *rows, size_t first, size_t end)               \
    {                                                                                                                  \
        for (uint32_t a = 0; a < rows->actuators; a++) {                                                               \
            number *orders = numbers + (rows->orders + a) * stride, *bad = numbers + rows->bad * stride;               \
            int found = 0;                                                                                             \
            for (size_t i = first; i < end; i++)                                                                       \
                found |= !(orders[i] == orders[i]);                                                                    \
            for (size_t i = first; found && i < end; i++)                                                              \
                if (!(orders[i] == orders[i])) {                                                                       \
                    orders[i] = 0;                                                                                     \
                    bad[i] = FM_GUARD_ORDER;                                                                           \
                }                                                                                                      \
        }                                                                                                              \
    }
FM_GUARD_ORDERS(fm_guard_orders, fm_par)
#if !defined(__CUDACC__) && !defined(FM_LANES)
FM_GUARD_ORDERS(fm_guard_orders_float, float)
#endif

#endif
