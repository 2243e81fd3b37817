/* Sorting by 64-bit keys: stable, in time proportional to the count, in memory that the caller provides. */
#ifndef FM_GEOMETRY_SORT_H
#define FM_GEOMETRY_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct fm_keyed {
    uint64_t key;
    uint32_t index;
} fm_keyed;

/* Sorts `from`; `space` is as large. Returns whichever of the two holds the result. */
fm_keyed *fm_keyed_sort(fm_keyed *from, fm_keyed *space, size_t count);

/* Numbers that are all different, in place. */
void fm_numbers_sort(uint32_t *numbers, size_t count);

#endif
