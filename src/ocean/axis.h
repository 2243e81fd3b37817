/* Where a value lies on an increasing axis of nodes, for linear interpolation. */
#ifndef FM_OCEAN_AXIS_H
#define FM_OCEAN_AXIS_H

#include <stddef.h>

typedef struct fm_axis_place {
    size_t low, high; /* the nodes on either side; the same one beyond the ends */
    double fraction;  /* 0 … 1 from low to high */
} fm_axis_place;

/* Beyond the ends the value of the end node holds. count ≥ 1. */
static inline fm_axis_place fm_axis_find(const double *nodes, size_t count, double value)
{
    if (!(value > nodes[0]))
        return (fm_axis_place){0, 0, 0};
    if (value >= nodes[count - 1])
        return (fm_axis_place){count - 1, count - 1, 0};
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (nodes[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return (fm_axis_place){low, high, (value - nodes[low]) / (nodes[high] - nodes[low])};
}

static inline double fm_axis_mix(fm_axis_place place, const double *values)
{
    return values[place.low] + place.fraction * (values[place.high] - values[place.low]);
}

#endif
