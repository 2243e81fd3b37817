/* Constraints of a search with one objective: penalties whose size follows the search, (G8). */
#include <math.h>
#include <string.h>

#include "physics/real.h"
#include "studies/search.h"

#define WANTED 0.35 /* part of the better points that violate a constraint which holds the optimum back */
#define GROWS 1.0
#define SHRINKS 0.25
#define LEAST 1e-3 /* of the first penalty */
#define MOST 1e9

double fm_search_violation(const fm_search *s, const double *values, const double *weights)
{
    double sum = 0;
    for (size_t i = 0; i < s->objectives + s->limits; i++)
        if (isnan(values[i]))
            return HUGE_VAL;
    for (size_t i = 0; i < s->limits; i++)
        sum += (weights ? weights[i] : 1) * fmax(0, values[s->objectives + i]);
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
    double cost = spread_of(s, values, count, 0);
    for (size_t i = 0; i < s->limits; i++) {
        double limit = spread_of(s, values, count, s->objectives + i);
        s->penalties[i] = 2 * (cost > 0 ? cost : 1) / (limit > 0 ? limit : 1);
        s->first_penalties[i] = s->penalties[i];
    }
}

static void add_penalties(const fm_search *s, const double *values, size_t count, double *costs)
{
    for (size_t k = 0; k < count; k++) {
        const double *row = values + k * (s->objectives + s->limits);
        const double violation = fm_search_violation(s, row, s->penalties);
        costs[k] = violation < HUGE_VAL ? row[0] + violation : NAN;
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

/* Where more of the better points violate a constraint than is wanted, its penalty grows. */
static void adapt_penalties(fm_search *s, const double *values, size_t count, const double *costs)
{
    const size_t width = s->objectives + s->limits;
    const double middle = middle_of(costs, count);
    for (size_t i = 0; i < s->limits; i++) {
        double better = 0, violated = 0;
        for (size_t k = 0; k < count; k++)
            if (costs[k] <= middle) {
                better++;
                violated += values[k * width + s->objectives + i] > 0;
            }
        double off = better > 0 ? violated / better - WANTED : 0;
        s->penalties[i] *= fm_exp((off > 0 ? GROWS : SHRINKS) * off);
        s->penalties[i] = fmax(LEAST * s->first_penalties[i], fmin(s->penalties[i], MOST * s->first_penalties[i]));
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
