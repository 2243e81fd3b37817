/* What a robotic fish pursues (<pursuit>): a vehicle or an obstacle that the task knows the place of. */
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

/* It is no obstacle: echoes from where it is (seen from x, y, heading) count as none. */
void fm_fish_target_forget(const fm_part_context *context, const fm_fish_target *target,
                           const fm_anticipate_params *sight, double x, double y, double heading, double *range);

#endif
