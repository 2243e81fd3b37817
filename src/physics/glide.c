#include "physics/glide.h"

#include "physics/lane_sets.h"

#define FM_GLIDE_ROW(build) extern const fm_glide_build build;
FM_GLIDE_BUILDS /* of cmake/Lanes.cmake: the widest first */
#undef FM_GLIDE_ROW
#define FM_GLIDE_ROW(build) &build,
    static const fm_glide_build *const builds[] = {FM_GLIDE_BUILDS};

const fm_glide_build *fm_glide_find(void)
{
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
        if (fm_lane_set_runs(builds[i]->set))
            return builds[i];
    return NULL;
}
