/* The target of a robotic fish (<pursuit>): a vehicle or an obstacle whose position is known to the task. */
#ifndef FM_FISH_TARGET_H
#define FM_FISH_TARGET_H

#include <fathom/part.h>

#include "fish/anticipate.h"

typedef struct fm_fish_target {
    const char *name;
    int obstacle; /* its index; -1: a vehicle */
} fm_fish_target;

/* Where it is and how fast, m, m/s; 0: it is gone. */
int fm_fish_target_find(const fm_part_context *context, const fm_fish_target *target, double at[3], double *speed);

/* It is not an obstacle: echoes from its position (seen from x, y, heading) are ignored. */
void fm_fish_target_forget(const fm_part_context *context, const fm_fish_target *target,
                           const fm_anticipate_params *sight, double x, double y, double heading, double *range);

#endif
