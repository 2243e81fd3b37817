/* When a part of a vehicle of a batch runs. */
#ifndef FM_CONTROL_DUE_H
#define FM_CONTROL_DUE_H

#include "base/random.h"
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

/* Two normal numbers: those with the indices 2 pair and 2 pair + 1. */
FM_FN void fm_step_draw(const fm_step_moment *now, uint32_t entity, uint32_t channel, uint32_t pair, fm_real out[2])
{
    fm_real u = fm_const(0), v = fm_const(0);
#if defined(FM_LANES) && !defined(__CUDACC__)
    for (int i = 0; i < FM_LANES; i++) {
        fm_random_key key = {now->seeds[i], entity, channel};
        uint32_t bits[4];
        fm_random_block_at(key, now->ages[i], pair, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
#else
    fm_random_key key = {now->seeds[0], entity, channel};
    uint32_t bits[4];
    fm_random_block_at(key, now->ages[0], pair, bits);
    u = fm_random_part(bits[0], bits[1]);
    v = fm_random_part(bits[2], bits[3]);
#endif
    out[0] = fm_random_normal_of(u, v, 0);
    out[1] = fm_random_normal_of(u, v, 1);
}

#endif
