/* The builds of the kernel, and those that this processor can run. */
#include "batch/lanes.h"

#include <string.h>

#define FM_LANES_ROW(build) extern const fm_lanes_build build;
FM_LANES_BUILDS /* of cmake/Lanes.cmake: the widest first */
#undef FM_LANES_ROW
#define FM_LANES_ROW(build) &build,
    static const fm_lanes_build *const builds[] = {FM_LANES_BUILDS};

#if defined(__x86_64__)
static int has_instructions(const char *set)
{
    if (!strcmp(set, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
    return !strcmp(set, "avx2") ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") : 1;
}

#ifdef FM_LANES_ONLY /* FATHOM_LANES of CMake: one set of instructions alone, so that the suite can be run with each   \
                      */
static int can_run(const char *set)
{
    return !strcmp(set, FM_LANES_ONLY) && has_instructions(set);
}

const char *fm_lanes_sets(void)
{
    return can_run(FM_LANES_ONLY) ? FM_LANES_ONLY : "none";
}
#else
static int can_run(const char *set)
{
    return has_instructions(set);
}

const char *fm_lanes_sets(void)
{
    return can_run("avx512") ? "avx512, avx2, sse2" : can_run("avx2") ? "avx2, sse2" : "sse2";
}
#endif
#elif defined(__aarch64__)
static int can_run(const char *set)
{
    (void)set;
    return 1;
}

const char *fm_lanes_sets(void)
{
    return "neon";
}
#endif

const fm_lanes_build *fm_lanes_find(const char *set, int single, int one_type, enum fm_lanes_kernel kernel)
{
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        const fm_lanes_build *b = builds[i];
        if (b->single == !!single && b->kernel == kernel && (one_type || !b->one_type) &&
            (!set || !strcmp(set, b->set)) && can_run(b->set))
            return b;
    }
    return NULL;
}
