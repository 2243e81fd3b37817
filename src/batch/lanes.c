/* The builds of the kernel, and those that this processor can run. */
#include "batch/lanes.h"

#include <string.h>

#include "physics/lane_sets.h"

#define FM_LANES_ROW(build) extern const fm_lanes_build build;
FM_LANES_BUILDS /* of cmake/Lanes.cmake: the widest first */
#undef FM_LANES_ROW
#define FM_LANES_ROW(build) &build,
    static const fm_lanes_build *const builds[] = {FM_LANES_BUILDS};

const char *fm_lanes_sets(void)
{
    return fm_lane_sets_running();
}

const fm_lanes_build *fm_lanes_find(const char *set, int single, int one_type, enum fm_lanes_kernel kernel)
{
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        const fm_lanes_build *b = builds[i];
        if (b->single == !!single && b->kernel == kernel && (one_type || !b->one_type) &&
            (!set || !strcmp(set, b->set)) && fm_lane_set_runs(b->set))
            return b;
    }
    return NULL;
}
