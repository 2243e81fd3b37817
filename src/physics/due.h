/* When a part of a vehicle runs. */
#ifndef FM_PHYSICS_DUE_H
#define FM_PHYSICS_DUE_H

#include "physics/real.h"

/* Whether a part with this period (steps) runs at this tick. */
FM_FN int fm_part_is_due(int32_t period, uint64_t tick)
{
    return period == 1 || tick % (uint64_t)period == 0;
}

#endif
