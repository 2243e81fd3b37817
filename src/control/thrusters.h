/* The thrusters of an autopilot: their thrusts for a wrench, and the orders that produce them. docs/theory/control.md
 * (C17), (C19) */
#ifndef FM_CONTROL_THRUSTERS_H
#define FM_CONTROL_THRUSTERS_H

#include "control/allocation_solve.h"
#include "control/autopilot.h"

/* A record of physics/flat.h. */
typedef struct fm_piloted_thruster {
    int32_t actuator, square;  /* the law: N per unit, or per unit² */
    fm_var gain, gain_reverse; /* N per unit or unit² */
    fm_var low, high;          /* N */
    fm_var inverse[6];         /* of fm_allocation: N per N, N m of the wrench */
    fm_var effect[6];          /* N, N m per N */
    fm_var efficiency;         /* that the autopilot knows of: 1 healthy … 0 dead */
} fm_piloted_thruster;
enum { FM_THRUSTER_NUMBERS = 17 };

/* Solves for thrusters of which some are at their limits (C19): control/allocation.h, one vehicle at a time. */
typedef double fm_thrusters_solver(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation,
                                   double *thrust);

typedef struct fm_thrusters {
    const fm_piloted_thruster *each;
    int count;
    fm_thrusters_solver *solve; /* not on a GPU */
} fm_thrusters;

/* One lane of numbers and masks. */
#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN double fm_lane_get(fm_real x, int lane)
{
    return (double)x[lane];
}
FM_FN void fm_lane_put(fm_real *x, int lane, double value)
{
    (*x)[lane] = (fm_par)value;
}
FM_FN int fm_lane_holds(fm_mask m, int lane)
{
    return m[lane] != 0;
}
enum { FM_LANE_COUNT = FM_LANES };
#else
FM_FN double fm_lane_get(fm_real x, int lane)
{
    (void)lane;
    return (double)x;
}
FM_FN void fm_lane_put(fm_real *x, int lane, double value)
{
    (void)lane;
    *x = (fm_real)value;
}
FM_FN int fm_lane_holds(fm_mask m, int lane)
{
    (void)lane;
    return m;
}
enum { FM_LANE_COUNT = 1 };
#endif

/* (C19) of one vehicle whose thrusters are limited. */
FM_WHOLE void fm_thrusters_limit(const fm_thrusters *t, int lane, const fm_real wrench[6], fm_real *thrust)
{
    fm_allocation a;
    double goal[6], given[FM_ALLOCATION_MAX];
    a.count = (size_t)t->count;
    a.rank = 0;
    for (int r = 0; r < 6; r++) {
        a.scale[r] = 1;
        goal[r] = fm_lane_get(wrench[r], lane);
    }
    for (int i = 0; i < t->count; i++) {
        const fm_piloted_thruster *one = &t->each[i];
        a.ease[i] = 1;
        a.low[i] = fm_lane_get(fm_real_wide(one->low), lane);
        a.high[i] = fm_lane_get(fm_real_wide(one->high), lane);
        for (int r = 0; r < 6; r++) {
            a.effect[r][i] = fm_lane_get(fm_real_wide(one->effect[r]), lane);
            a.inverse[i][r] = fm_lane_get(fm_real_wide(one->inverse[r]), lane);
        }
    }
#ifdef __CUDACC__
    fm_allocation_share(&a, goal, FM_SATURATION_REDISTRIBUTE, given);
#else
    t->solve(&a, goal, FM_SATURATION_REDISTRIBUTE, given);
#endif
    for (int i = 0; i < t->count; i++)
        fm_lane_put(&thrust[i], lane, given[i]);
}

/* (C17) The thrusts [N] for a wrench [N, N m], within limits; if some reach one, the rest is redistributed. */
FM_FN void fm_thrusters_share(const fm_thrusters *t, const fm_real wrench[6], fm_real *thrust)
{
    fm_mask limited = fm_const(0) > fm_const(0);
    for (int i = 0; i < t->count; i++) {
        const fm_piloted_thruster *one = &t->each[i];
        fm_real sum = fm_const(0);
        for (int r = 0; r < 6; r++)
            sum += one->inverse[r] * wrench[r];
        limited = limited | (sum > fm_real_wide(one->high)) | (sum < fm_real_wide(one->low));
        thrust[i] = fm_clamp(sum, fm_real_wide(one->low), fm_real_wide(one->high));
    }
    if (fm_any(limited))
        for (int lane = 0; lane < FM_LANE_COUNT; lane++)
            if (fm_lane_holds(limited, lane))
                fm_thrusters_limit(t, lane, wrench, thrust);
}

/* The order that produces a thrust [N]; 0 to a dead thruster. */
FM_FN fm_real fm_piloted_thruster_order(const fm_piloted_thruster *t, fm_real thrust)
{
    const fm_real left = fm_real_wide(t->efficiency);
    const fm_mask works = left > fm_const(0);
    const fm_real order = fm_thruster_order(t->square, fm_real_wide(t->gain), fm_real_wide(t->gain_reverse),
                                            thrust / fm_select(works, left, fm_const(1)));
    return fm_select(works, order, fm_const(0));
}

#endif
