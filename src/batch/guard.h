/* What a caller wrote into the arrays of a batch that no vehicle can be moved by. */
#ifndef FM_BATCH_GUARD_H
#define FM_BATCH_GUARD_H

#include "batch/lanes.h"
#include "physics/real.h"

/* fm_batch_bad (fathom/batch.h), which the compiler of a GPU does not read. */
enum { FM_GUARD_ORDER = 2, FM_GUARD_VARIANT = 3 };

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
