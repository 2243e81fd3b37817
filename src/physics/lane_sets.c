#include "physics/lane_sets.h"

#include <string.h>

#if defined(__x86_64__)
static int has_instructions(const char *set)
{
    if (!strcmp(set, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
    return !strcmp(set, "avx2") ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") : 1;
}

#ifdef FM_LANES_ONLY /* FATHOM_LANES of CMake: one set of instructions alone, so that the suite can be run with each   \
                      */
int fm_lane_set_runs(const char *set)
{
    return !strcmp(set, FM_LANES_ONLY) && has_instructions(set);
}

const char *fm_lane_sets_running(void)
{
    return fm_lane_set_runs(FM_LANES_ONLY) ? FM_LANES_ONLY : "none";
}
#else
int fm_lane_set_runs(const char *set)
{
    return has_instructions(set);
}

const char *fm_lane_sets_running(void)
{
    return fm_lane_set_runs("avx512") ? "avx512, avx2, sse2" : fm_lane_set_runs("avx2") ? "avx2, sse2" : "sse2";
}
#endif
#elif defined(__aarch64__)
int fm_lane_set_runs(const char *set)
{
    return !strcmp(set, "neon");
}

const char *fm_lane_sets_running(void)
{
    return "neon";
}
#endif
