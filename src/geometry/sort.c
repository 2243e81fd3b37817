#include "geometry/sort.h"

#include <stdbool.h>
#include <string.h>

/* 11 bits a pass; passes in which all digits agree are skipped. */
enum { DIGITS = 11, BUCKETS = 1 << DIGITS, PASSES = 6 };

static bool pass_offsets(const uint32_t counts[BUCKETS], uint32_t offsets[BUCKETS], size_t count)
{
    uint32_t sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        if (counts[i] == count)
            return false;
        offsets[i] = sum;
        sum += counts[i];
    }
    return true;
}

/* Comparison is faster for a few keys than clearing the buckets. */
enum { FEW = 64 };

static void sort_few(fm_keyed *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        fm_keyed next = list[i];
        size_t k = i;
        for (; k > 0 && list[k - 1].key > next.key; k--)
            list[k] = list[k - 1];
        list[k] = next;
    }
}

fm_keyed *fm_keyed_sort(fm_keyed *from, fm_keyed *to, size_t count)
{
    uint32_t counts[BUCKETS], offsets[BUCKETS];
    if (count <= FEW) {
        sort_few(from, count);
        return from;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        int shift = pass * DIGITS;
        memset(counts, 0, sizeof counts);
        for (size_t i = 0; i < count; i++)
            counts[from[i].key >> shift & (BUCKETS - 1)]++;
        if (!pass_offsets(counts, offsets, count))
            continue;
        for (size_t i = 0; i < count; i++)
            to[offsets[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
        fm_keyed *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Shell's sort. */
void fm_numbers_sort(uint32_t *numbers, size_t count)
{
    size_t gap = 1;
    while (gap < count / 9)
        gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            uint32_t next = numbers[i];
            size_t k = i;
            for (; k >= gap && numbers[k - gap] > next; k -= gap)
                numbers[k] = numbers[k - gap];
            numbers[k] = next;
        }
}
