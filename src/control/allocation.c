#include "control/allocation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"

#define RANK_LIMIT 1e-10 /* eigenvalues of B W^-1 B^T below this part of the largest count as zero */

void fm_allocation_column(const double position[3], const double direction[3], double column[6])
{
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        column[i] = direction[i];
        column[3 + i] = position[j] * direction[k] - position[k] * direction[j];
    }
}

static fm_status check(size_t count, const double *effect, const double *weights, const double *low, const double *high,
                       double length, fm_error *error)
{
    if (count == 0 || count > FM_ALLOCATION_MAX)
        return fm_fail(error, FM_ERR_RANGE, "allocation to %zu thrusters, accepted are 1 to %d", count,
                       FM_ALLOCATION_MAX);
    if (!(length > 0) || !isfinite(length))
        return fm_fail(error, FM_ERR_RANGE, "allocation with length %g m, accepted is more than 0", length);
    for (size_t i = 0; i < count; i++) {
        if (weights && !(weights[i] > 0 && isfinite(weights[i])))
            return fm_fail(error, FM_ERR_RANGE, "weight %g of thruster %zu, accepted is more than 0", weights[i], i);
        if (!(low[i] <= 0 && high[i] >= 0))
            return fm_fail(error, FM_ERR_RANGE, "thruster %zu has limits %g to %g N, accepted are limits around 0", i,
                           low[i], high[i]);
    }
    for (size_t i = 0; i < 6 * count; i++)
        if (!isfinite(effect[i]))
            return fm_fail(error, FM_ERR_RANGE, "the effect of thruster %zu is not a finite number", i % count);
    return FM_OK;
}

/* G = S B W^-1 B^T S over the thrusters in use (all where `used` is NULL), S the scale of the rows. */
static void gram(const fm_allocation *a, const bool *used, double g[36])
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

/* (C17), (C18): the pseudo-inverse through the eigenvectors of G, leaving out directions without authority. */
static void derive_inverse(fm_allocation *a)
{
    double g[36], values[6], v[36], most = 0;
    gram(a, NULL, g);
    fm_dense_eigen_symmetric(6, g, values, v);
    for (size_t e = 0; e < 6; e++)
        most = fmax(most, values[e]);
    a->rank = 0;
    for (size_t e = 0; e < 6; e++) {
        if (!(values[e] > RANK_LIMIT * most))
            continue;
        a->rank++;
        for (size_t i = 0; i < a->count; i++) {
            double along = 0;
            for (size_t r = 0; r < 6; r++)
                along += v[6 * r + e] * a->scale[r] * a->effect[r][i];
            for (size_t r = 0; r < 6; r++)
                a->inverse[i][r] += a->ease[i] * along * v[6 * r + e] * a->scale[r] / values[e];
        }
    }
}

fm_status fm_allocation_build(fm_allocation *allocation, size_t count, const double *effect, const double *weights,
                              const double *low, const double *high, double length, fm_error *error)
{
    const fm_status status = check(count, effect, weights, low, high, length, error);
    if (status != FM_OK)
        return status;
    memset(allocation, 0, sizeof *allocation);
    allocation->count = count;
    for (size_t r = 0; r < 6; r++) {
        allocation->scale[r] = r < 3 ? 1 : 1 / length;
        for (size_t i = 0; i < count; i++)
            allocation->effect[r][i] = effect[r * count + i];
    }
    for (size_t i = 0; i < count; i++) {
        allocation->ease[i] = weights ? 1 / weights[i] : 1;
        allocation->low[i] = low[i];
        allocation->high[i] = high[i];
    }
    derive_inverse(allocation);
    return FM_OK;
}

void fm_allocation_wrench(const fm_allocation *allocation, const double *thrust, double wrench[6])
{
    for (size_t r = 0; r < 6; r++) {
        wrench[r] = 0;
        for (size_t i = 0; i < allocation->count; i++)
            wrench[r] += allocation->effect[r][i] * thrust[i];
    }
}

static void unlimited(const fm_allocation *a, const double wrench[6], double *thrust)
{
    for (size_t i = 0; i < a->count; i++) {
        thrust[i] = 0;
        for (size_t r = 0; r < 6; r++)
            thrust[i] += a->inverse[i][r] * wrench[r];
    }
}

/* The largest factor (at most 1) that brings every thrust within its limits. */
static double fitting_factor(const fm_allocation *a, const double *thrust)
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
static void scale_within(const fm_allocation *a, const double *free_thrust, double factor, double *thrust)
{
    for (size_t i = 0; i < a->count; i++)
        thrust[i] = fmin(fmax(factor * free_thrust[i], a->low[i]), a->high[i]);
}

/* Adds to the thrusts in use what best gives the missing wrench: Cholesky of the damped G; the damping's bias is taken
 * out by calling it again with what is still missing. */
static void add_missing(const fm_allocation *a, const bool *used, const double missing[6], double *thrust)
{
    double g[36], y[6], trace = 0;
    gram(a, used, g);
    for (size_t r = 0; r < 6; r++) {
        y[r] = a->scale[r] * missing[r];
        trace += g[7 * r];
    }
    if (!(trace > 0))
        return;
    for (size_t r = 0; r < 6; r++)
        g[7 * r] += 1e-9 * trace;
    if (fm_dense_solve_positive(6, g, y) != 0)
        return;
    for (size_t i = 0; i < a->count; i++)
        for (size_t r = 0; used[i] && r < 6; r++)
            thrust[i] += a->ease[i] * a->effect[r][i] * a->scale[r] * y[r];
}

static double missing_wrench(const fm_allocation *a, const double goal[6], const double *thrust, double missing[6])
{
    double given[6], size = 0;
    fm_allocation_wrench(a, thrust, given);
    for (size_t r = 0; r < 6; r++) {
        missing[r] = goal[r] - given[r];
        size += missing[r] * a->scale[r] * missing[r] * a->scale[r];
    }
    return sqrt(size);
}

/* Sets thrusts beyond their limits to the limit and takes them out of use; returns whether there were any. */
static bool pin_limited(const fm_allocation *a, bool *used, double *thrust)
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

/* (C19) Tries to give the goal (a reachable wrench) with every thrust within its limits, starting from the unlimited
 * solution times `part`; returns whether it could. */
static bool redistribute(const fm_allocation *a, const double goal[6], const double *free_thrust, double part,
                         double *thrust)
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
    for (size_t round = 0; round < a->count && pin_limited(a, used, thrust); round++)
        for (int refinement = 0; refinement < 3; refinement++)
            if (missing_wrench(a, target, thrust, missing) > 0)
                add_missing(a, used, missing, thrust);
    pin_limited(a, used, thrust);
    return missing_wrench(a, target, thrust, missing) <= 1e-9 * sqrt(size);
}

/* The largest part of the goal that redistribution reaches, to 1/256 between what scaling gives and 1. */
static double largest_part(const fm_allocation *a, const double goal[6], const double *free_thrust, double surely,
                           double *thrust)
{
    double try[FM_ALLOCATION_MAX], low = surely, high = 1;
    scale_within(a, free_thrust, surely, thrust);
    for (int i = 0; i < 9; i++) {
        const double part = i == 0 ? 1 : 0.5 * (low + high);
        if (redistribute(a, goal, free_thrust, part, try)) {
            memcpy(thrust, try, a->count * sizeof *thrust);
            low = part;
            if (i == 0)
                return 1;
        } else {
            high = part;
        }
    }
    return low;
}

double fm_allocation_solve(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation,
                           double *thrust)
{
    double free_thrust[FM_ALLOCATION_MAX], goal[6];
    unlimited(allocation, wrench, free_thrust);
    const double factor = fitting_factor(allocation, free_thrust);
    if (factor < 1 && saturation == FM_SATURATION_REDISTRIBUTE) {
        fm_allocation_wrench(allocation, free_thrust, goal); /* the reachable component */
        return largest_part(allocation, goal, free_thrust, factor, thrust);
    }
    scale_within(allocation, free_thrust, factor, thrust);
    return factor;
}
