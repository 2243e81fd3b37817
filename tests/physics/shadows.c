/* What rounding to float does to a trajectory, seen in double: each lane is the same vehicle, whose state is changed
 * after each step by up to one unit in the last place of a float. Half of the lanes are pushed in one direction all the
 * time, as by a coefficient that is rounded; the others to and fro, as by the rounding of a sum. Linked to the builds
 * in float alone, whose kernel this must not be. */
#include <float.h>

#if defined(FM_LANES) && FM_LANES == 16 /* as many vehicles as the build in float has */
#define TEST_VEHICLES 16
#elif !defined(FM_LANES) || FM_LANES == 8
#define TEST_VEHICLES 8
#else
#error "a number of lanes that shadows.c does not know"
#endif
#undef FM_FLOAT
#undef FM_LANES
#undef TEST_ALONE
#define FM_LANES 8
#include "physics/shadows.h"

/* A number of −1 … 1 for a lane, a variable and a step. */
static double push(int lane, int variable, int step)
{
    uint64_t x = (uint64_t)(lane + 1) * 0x9e3779b97f4a7c15u + (uint64_t)(variable + 1) * 0xbf58476d1ce4e5b9u +
                 (uint64_t)(lane < SHADOWS / 2 ? 0 : step + 1) * 0x94d049bb133111ebu;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) / (double)(1ull << 52) - 1;
}

static void disturb(fm_real *numbers, int count, int variable, int step)
{
    for (int i = 0; i < count; i++)
        for (int lane = 0; lane < SHADOWS; lane++)
            LANE(numbers[i], lane) *= 1 + (double)FLT_EPSILON * push(lane, variable + i, step);
}

static void disturb_group(group *g, int step)
{
    disturb(g->body.position, 3, 0, step);
    disturb(g->body.attitude, 4, 3, step);
    disturb(g->body.velocity, 6, 7, step);
    disturb(&g->charge, 1, 13, step);
    for (int a = 0; a < g->craft.actuator_count; a++)
        disturb(&g->actuators[a].value, 1, 14 + a, step);
}

void fly_shadows(fm_flat *const *flats, int v, double depth, const orders_seen *steered, shadow_sample *out)
{
    static group g;
    const int vehicles[SHADOWS] = {v, v, v, v, v, v, v, v};
    fm_flat *block = make_block(flats, vehicles);
    begin_group(&g, block, vehicles, depth);
    disturb_group(&g, -1);
    for (int k = 0; k < STEPS; k++) {
        step_group(&g, flats, vehicles, steered, k);
        disturb_group(&g, k);
        for (int lane = 0; lane < SHADOWS && (k + 1) % SAMPLE == 0; lane++)
            out[k / SAMPLE].of[lane] = sample_group(&g, lane);
    }
    free(block);
}
