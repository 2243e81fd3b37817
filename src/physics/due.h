/* When a part of a vehicle of a batch runs. */
#ifndef FM_PHYSICS_DUE_H
#define FM_PHYSICS_DUE_H

#include "physics/real.h"

/* Whose noise is drawn, and when. */
typedef struct fm_step_moment {
    const uint64_t *seeds, *ages; /* a vehicle each: of the lanes, or of the thread */
    uint64_t tick;                /* for periods: all vehicles of a group are at one */
} fm_step_moment;

/* Whether a part with this period (steps) runs at this tick. */
FM_FN int fm_part_is_due(int32_t period, uint64_t tick)
{
    return period == 1 || tick % (uint64_t)period == 0;
}

#endif
