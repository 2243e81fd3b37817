/* Which bodies might touch: pairs of overlapping boxes, by sorting along one axis and sweeping.
 *
 * Keeps no state between calls, so the pairs depend only on the boxes; they come sorted by (first, second) with
 * first < second. Boxes that just touch overlap. All memory is taken at creation. */
#ifndef FM_GEOMETRY_BROADPHASE_H
#define FM_GEOMETRY_BROADPHASE_H

#include "geometry/shape.h"

typedef struct fm_broadphase_pair {
    uint32_t first, second; /* indices of boxes, first < second */
} fm_broadphase_pair;

typedef struct fm_broadphase fm_broadphase;

/* Space for `bodies` boxes and `pairs` pairs. NULL and *error without memory or if a count is 0 or above 2³¹. */
fm_broadphase *fm_broadphase_create(size_t bodies, size_t pairs, fm_error *error);
void fm_broadphase_free(fm_broadphase *broadphase);

/* Finds the overlapping pairs of boxes[0 … count). Pairs within one group (groups[i] == groups[j]) are left out: the
 * shapes of one vehicle, or all fixed ones; groups may be NULL. A box with a NaN or low > high overlaps nothing. *pairs
 * stays valid until the next call. FM_ERR_FULL if there are more than fit (none are returned then). */
fm_status fm_broadphase_pairs(fm_broadphase *broadphase, size_t count, const fm_aabb *boxes, const uint32_t *groups,
                              const fm_broadphase_pair **pairs, size_t *pair_count, fm_error *error);

#endif
