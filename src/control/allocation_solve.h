/* Thrust allocation in a step (C17), (C19): for the live engine and, a vehicle at a time, for batches; always in
 * double. control/allocation.h builds what it reads. */
#ifndef FM_CONTROL_ALLOCATION_SOLVE_H
#define FM_CONTROL_ALLOCATION_SOLVE_H

#include <stdbool.h>

#include "base/positive.h"

enum { FM_ALLOCATION_MAX = 16 };

typedef struct fm_allocation {
    size_t count;                         /* of thrusters */
    double effect[6][FM_ALLOCATION_MAX];  /* B: N, N m per N */
    double inverse[FM_ALLOCATION_MAX][6]; /* the weighted pseudo-inverse */
    double ease[FM_ALLOCATION_MAX];       /* 1/weight */
    double low[FM_ALLOCATION_MAX];        /* N, limits of every thruster */
    double high[FM_ALLOCATION_MAX];       /* N */
    double scale[6];                      /* 1/m for moments, 1 for forces: makes rows comparable */
    size_t rank;                          /* of B: the number of independent motions that can be ordered */
} fm_allocation;

typedef enum fm_saturation {
    FM_SATURATION_SCALE,       /* all thrusts by one factor: direction kept, cheap */
    FM_SATURATION_REDISTRIBUTE /* others take over what a limited thruster cannot give; then one factor for the wrench
                                  (C19) */
} fm_saturation;

/* G = S B W^-1 B^T S over the thrusters in use (all where `used` is NULL), S the scale of the rows. */
FM_LONE void fm_allocation_gram(const fm_allocation *a, const bool *used, double g[36])
{
    for (size_t r = 0; r < 6; r++) {
        for (size_t c = 0; c < 6; c++) {
            double sum = 0;
            for (size_t i = 0; i < a->count; i++)
                if (!used || used[i])
                    sum += a->effect[r][i] * a->ease[i] * a->effect[c][i];
            g[6 * r + c] = a->scale[r] * sum * a->scale[c];
        }
    }
}

FM_LONE void fm_allocation_give(const fm_allocation *allocation, const double *thrust, double wrench[6])
{
    for (size_t r = 0; r < 6; r++) {
        wrench[r] = 0;
        for (size_t i = 0; i < allocation->count; i++)
            wrench[r] += allocation->effect[r][i] * thrust[i];
    }
}

FM_LONE void fm_allocation_unlimited(const fm_allocation *a, const double wrench[6], double *thrust)
{
    for (size_t i = 0; i < a->count; i++) {
        thrust[i] = 0;
        for (size_t r = 0; r < 6; r++)
            thrust[i] += a->inverse[i][r] * wrench[r];
    }
}

/* The largest factor (at most 1) that brings every thrust within its limits. */
FM_LONE double fm_allocation_fit(const fm_allocation *a, const double *thrust)
{
    double factor = 1;
    for (size_t i = 0; i < a->count; i++) {
        if (thrust[i] > a->high[i])
            factor = fmin(factor, a->high[i] / thrust[i]);
        else if (thrust[i] < a->low[i])
            factor = fmin(factor, a->low[i] / thrust[i]);
    }
    return factor;
}

/* Thrusts times the factor that fits them; the last bit of rounding is cut off. */
FM_LONE void fm_allocation_scale(const fm_allocation *a, const double *free_thrust, double factor, double *thrust)
{
    for (size_t i = 0; i < a->count; i++)
        thrust[i] = fmin(fmax(factor * free_thrust[i], a->low[i]), a->high[i]);
}

/* Adds to the thrusts in use the best approximation of the missing wrench: Cholesky of the damped G; repeated calls
 * with the remainder remove the damping's bias. */
FM_LONE void fm_allocation_add(const fm_allocation *a, const bool *used, const double missing[6], double *thrust)
{
    double g[36], y[6], trace = 0;
    fm_allocation_gram(a, used, g);
    for (size_t r = 0; r < 6; r++) {
        y[r] = a->scale[r] * missing[r];
        trace += g[7 * r];
    }
    if (!(trace > 0))
        return;
    for (size_t r = 0; r < 6; r++)
        g[7 * r] += 1e-9 * trace;
    if (fm_positive_solve(6, g, y) != 0)
        return;
    for (size_t i = 0; i < a->count; i++)
        for (size_t r = 0; used[i] && r < 6; r++)
            thrust[i] += a->ease[i] * a->effect[r][i] * a->scale[r] * y[r];
}

FM_LONE double fm_allocation_missing(const fm_allocation *a, const double goal[6], const double *thrust,
                                     double missing[6])
{
    double given[6], size = 0;
    fm_allocation_give(a, thrust, given);
    for (size_t r = 0; r < 6; r++) {
        missing[r] = goal[r] - given[r];
        size += missing[r] * a->scale[r] * missing[r] * a->scale[r];
    }
    return sqrt(size);
}

/* Sets thrusts beyond their limits to the limit and takes them out of use; returns whether there were any. */
FM_LONE bool fm_allocation_pin(const fm_allocation *a, bool *used, double *thrust)
{
    bool any = false;
    for (size_t i = 0; i < a->count; i++) {
        const double within = fmin(fmax(thrust[i], a->low[i]), a->high[i]);
        if (within != thrust[i]) {
            any = any || used[i];
            used[i] = false;
            thrust[i] = within;
        }
    }
    return any;
}

/* (C19) Tries to produce the goal (a reachable wrench) with every thrust within its limits, starting from the unlimited
 * solution times `part`; returns whether it could. */
FM_LONE bool fm_allocation_redistribute(const fm_allocation *a, const double goal[6], const double *free_thrust,
                                        double part, double *thrust)
{
    bool used[FM_ALLOCATION_MAX];
    double target[6], missing[6], size = 0;
    for (size_t r = 0; r < 6; r++) {
        target[r] = part * goal[r];
        size += goal[r] * a->scale[r] * goal[r] * a->scale[r];
    }
    for (size_t i = 0; i < a->count; i++) {
        used[i] = true;
        thrust[i] = part * free_thrust[i];
    }
    for (size_t round = 0; round < a->count && fm_allocation_pin(a, used, thrust); round++)
        for (int refinement = 0; refinement < 3; refinement++)
            if (fm_allocation_missing(a, target, thrust, missing) > 0)
                fm_allocation_add(a, used, missing, thrust);
    fm_allocation_pin(a, used, thrust);
    return fm_allocation_missing(a, target, thrust, missing) <= 1e-9 * sqrt(size);
}

/* The largest part of the goal that redistribution reaches, to 1/256 between what scaling gives and 1. */
FM_LONE double fm_allocation_largest(const fm_allocation *a, const double goal[6], const double *free_thrust,
                                     double surely, double *thrust)
{
    double tried[FM_ALLOCATION_MAX], low = surely, high = 1;
    fm_allocation_scale(a, free_thrust, surely, thrust);
    for (int i = 0; i < 9; i++) {
        const double part = i == 0 ? 1 : 0.5 * (low + high);
        if (fm_allocation_redistribute(a, goal, free_thrust, part, tried)) {
            for (size_t k = 0; k < a->count; k++)
                thrust[k] = tried[k];
            low = part;
            if (i == 0)
                return 1;
        } else {
            high = part;
        }
    }
    return low;
}

FM_LONE double fm_allocation_share(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation,
                                   double *thrust)
{
    double free_thrust[FM_ALLOCATION_MAX], goal[6];
    fm_allocation_unlimited(allocation, wrench, free_thrust);
    const double factor = fm_allocation_fit(allocation, free_thrust);
    if (factor < 1 && saturation == FM_SATURATION_REDISTRIBUTE) {
        fm_allocation_give(allocation, free_thrust, goal); /* the reachable component */
        return fm_allocation_largest(allocation, goal, free_thrust, factor, thrust);
    }
    fm_allocation_scale(allocation, free_thrust, factor, thrust);
    return factor;
}

#endif
