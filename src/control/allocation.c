#include "control/allocation.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"

#define RANK_LIMIT 1e-10 /* eigenvalues of B W^-1 B^T below this part of the largest count as zero */

static fm_status check(size_t count, const double *effect, const double *weights, const double *low, const double *high,
                       double length, fm_error *error)
{
    if (count == 0 || count > FM_ALLOCATION_MAX)
        return fm_fail(error, FM_ERR_RANGE, "allocation to %zu thrusters: must be 1 to %d", count, FM_ALLOCATION_MAX);
    if (!(length > 0) || !isfinite(length))
        return fm_fail(error, FM_ERR_RANGE, "allocation with length %g m: must be more than 0", length);
    for (size_t i = 0; i < count; i++) {
        if (weights && !(weights[i] > 0 && isfinite(weights[i])))
            return fm_fail(error, FM_ERR_RANGE, "weight %g of thruster %zu: must be more than 0", weights[i], i);
        if (!(low[i] <= 0 && high[i] >= 0))
            return fm_fail(error, FM_ERR_RANGE, "thruster %zu has limits %g to %g N: must be limits around 0", i,
                           low[i], high[i]);
    }
    for (size_t i = 0; i < 6 * count; i++)
        if (!isfinite(effect[i]))
            return fm_fail(error, FM_ERR_RANGE, "the effect of thruster %zu is not a finite number", i % count);
    return FM_OK;
}

/* (C17), (C18): the pseudo-inverse through the eigenvectors of G, without directions that have no authority. */
static void derive_inverse(fm_allocation *a)
{
    double g[36], values[6], v[36], most = 0;
    fm_allocation_gram(a, NULL, g);
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

double fm_allocation_solve(const fm_allocation *allocation, const double wrench[6], fm_saturation saturation,
                           double *thrust)
{
    return fm_allocation_share(allocation, wrench, saturation, thrust);
}
