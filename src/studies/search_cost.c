/* Constraints of a search with one objective: penalties whose size follows the search, (G8). */
#include <math.h>
#include <string.h>

#include "physics/real.h"
#include "studies/search.h"

#define FLEXIBLE 5.0 /* generations over which a multiplier follows */
#define GROWS 1.15
#define SETTLED 0.02
#define LEAST 1e-6 /* of the first weight */
#define MOST 1e12

double fm_search_violation(const fm_search *s, const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < s->objectives + s->limits; i++)
        if (isnan(values[i]))
            return HUGE_VAL;
    for (size_t i = 0; i < s->limits; i++)
        sum += fmax(0, values[s->objectives + i]);
    return sum;
}

/* The range of the middle half of a column; 0: no valid number. */
static double spread_of(const fm_search *s, const double *values, size_t count, size_t column)
{
    double sorted[FM_SEARCH_POINTS];
    size_t n = 0, width = s->objectives + s->limits;
    for (size_t k = 0; k < count && n < FM_SEARCH_POINTS; k++) {
        double value = values[k * width + column];
        size_t at = n;
        if (!isfinite(value))
            continue;
        for (; at > 0 && value < sorted[at - 1]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = value;
        n++;
    }
    return n ? sorted[(3 * n - 1) / 4] - sorted[n / 4] : 0;
}

static void begin_penalties(fm_search *s, const double *values, size_t count)
{
    const double cost = spread_of(s, values, count, 0);
    for (size_t i = 0; i < s->limits; i++) {
        const double limit = spread_of(s, values, count, s->objectives + i);
        fm_search_penalty *p = &s->penalties[i];
        *p = (fm_search_penalty){.weight = 2 * (cost > 0 ? cost : 1) /
                                           (5 * (double)s->axis_count * (limit > 0 ? limit * limit : 1))};
        p->first = p->weight;
    }
}

/* The cost of a constraint: nearly none where it holds by far. */
static double penalty_of(const fm_search_penalty *p, double g)
{
    return p->multiplier + p->weight * g >= 0 ? (p->multiplier + 0.5 * p->weight * g) * g
                                              : -0.5 * p->multiplier * p->multiplier / p->weight;
}

static void add_penalties(const fm_search *s, const double *values, size_t count, double *costs)
{
    for (size_t k = 0; k < count; k++) {
        const double *row = values + k * (s->objectives + s->limits);
        costs[k] = row[0];
        for (size_t i = 0; i < s->limits; i++)
            costs[k] += penalty_of(&s->penalties[i], row[s->objectives + i]);
    }
}

/* The cost that the better half does not exceed. */
static double middle_of(const double *costs, size_t count)
{
    double sorted[FM_SEARCH_POINTS];
    size_t n = 0;
    for (size_t k = 0; k < count && n < FM_SEARCH_POINTS; k++) {
        double value = isnan(costs[k]) ? HUGE_VAL : costs[k];
        size_t at = n++;
        for (; at > 0 && value < sorted[at - 1]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = value;
    }
    return n ? sorted[(n - 1) / 2] : HUGE_VAL;
}

/* The multiplier follows the mean of the better points. The weight grows while they stay on one side of the boundary
 * without coming nearer, and shrinks where they swing across it. */
static void adapt_penalty(fm_search_penalty *p, double mean)
{
    const double before = p->mean, multiplier = p->multiplier;
    p->mean = mean;
    p->multiplier = fmax(0, p->multiplier + p->weight * mean / FLEXIBLE);
    p->moved = p->multiplier > 0 ? fabs(p->multiplier / multiplier - 1) : 0;
    if (mean < 0 && !(p->multiplier > 0))
        return;
    if (mean * before < 0)
        p->weight /= sqrt(GROWS);
    else if (fabs(mean) > 0.5 * fabs(before))
        p->weight *= GROWS;
    p->weight = fmax(LEAST * p->first, fmin(p->weight, MOST * p->first));
}

static void adapt_penalties(fm_search *s, const double *values, size_t count, const double *costs)
{
    const size_t width = s->objectives + s->limits;
    const double middle = middle_of(costs, count);
    for (size_t i = 0; i < s->limits; i++) {
        double better = 0, sum = 0;
        for (size_t k = 0; k < count; k++)
            if (costs[k] <= middle && isfinite(costs[k])) {
                better++;
                sum += values[k * width + s->objectives + i];
            }
        if (better > 0)
            adapt_penalty(&s->penalties[i], sum / better);
    }
}

void fm_search_costs(fm_search *s, const double *values, size_t count, double *costs)
{
    if (s->limits && s->since == 0)
        begin_penalties(s, values, count);
    add_penalties(s, values, count, costs);
    if (!s->limits)
        return;
    adapt_penalties(s, values, count, costs);
    add_penalties(s, values, count, costs);
}

bool fm_search_settled(const fm_search *s)
{
    const fm_search_generation *last = s->generation_count ? &s->generations[s->generation_count - 1] : NULL;
    bool feasible = !s->limits;
    for (size_t i = 0; i < s->limits; i++)
        if (s->penalties[i].moved > SETTLED)
            return false;
    for (size_t k = 0; last && k < last->count && !feasible; k++)
        feasible = fm_search_feasible(s, last->first + k);
    return feasible;
}
