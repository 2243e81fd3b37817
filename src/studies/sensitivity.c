#include "studies/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "studies/plan.h"

enum { RESAMPLINGS = 1000, RESAMPLINGS_LEAST = 200, STREAM = 0x73656e73u };
#define WORK_MOST 1e9 /* terms that are summed for intervals; then fewer resamplings */

/* --- Sobol indices ---
 * Of a pair of points A, B and of A with number i of B: the first-order index is the mean of (f(B) − m)·(f(ABi) − f(A))
 * over the variance (Saltelli et al. 2010, table 2, b), the total one that of (f(A) − f(ABi))²/2 (Jansen 1999). */

typedef struct pairs {
    size_t count, inputs;
    double *sum, *square; /* f(A) + f(B), f(A)² + f(B)², from the mean; [pair] */
    double *alone, *all;  /* the terms; [pair][input] */
    double *totals;       /* room for one sum per index */
} pairs;

static int is_complete(const double *f, size_t inputs)
{
    for (size_t i = 0; i < inputs + 2; i++)
        if (!isfinite(f[i]))
            return 0;
    return 1;
}

static double mean_of(const double *answers, size_t count, size_t inputs)
{
    double sum = 0;
    size_t used = 0;
    for (size_t p = 0; p < count; p++, answers += inputs + 2)
        if (is_complete(answers, inputs)) {
            sum += answers[0] + answers[1];
            used += 2;
        }
    return used ? sum / (double)used : 0;
}

static void fill(pairs *p, const double *answers, size_t count)
{
    const double mean = mean_of(answers, count, p->inputs);
    for (size_t n = 0; n < count; n++, answers += p->inputs + 2) {
        if (!is_complete(answers, p->inputs))
            continue;
        const double a = answers[0] - mean, b = answers[1] - mean;
        p->sum[p->count] = a + b;
        p->square[p->count] = a * a + b * b;
        for (size_t i = 0; i < p->inputs; i++) {
            const double moved = answers[2 + i] - mean;
            p->alone[p->count * p->inputs + i] = b * (moved - a);
            p->all[p->count * p->inputs + i] = 0.5 * (a - moved) * (a - moved);
        }
        p->count++;
    }
}

/* The indices of some pairs, as often as `chosen` names each; first, then total of each input. */
static void estimate(const pairs *p, const uint32_t *chosen, double *first, double *total)
{
    const double n = (double)p->count;
    double sum = 0, square = 0;
    memset(p->totals, 0, 2 * p->inputs * sizeof *p->totals);
    for (size_t k = 0; k < p->count; k++) {
        const size_t pair = chosen ? chosen[k] : k;
        const double *alone = p->alone + pair * p->inputs, *all = p->all + pair * p->inputs;
        sum += p->sum[pair];
        square += p->square[pair];
        for (size_t i = 0; i < p->inputs; i++) {
            p->totals[2 * i] += alone[i];
            p->totals[2 * i + 1] += all[i];
        }
    }
    const double variance = square / (2 * n) - sum / (2 * n) * (sum / (2 * n));
    for (size_t i = 0; i < p->inputs; i++) {
        first[i] = variance > 0 ? p->totals[2 * i] / n / variance : NAN;
        total[i] = variance > 0 ? p->totals[2 * i + 1] / n / variance : NAN;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle 95 % of some numbers, which are sorted. */
static void take_interval(fm_index_estimate *e, double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    e->low = numbers[(size_t)(0.025 * (double)(count - 1) + 0.5)];
    e->high = numbers[(size_t)(0.975 * (double)(count - 1) + 0.5)];
}

static size_t count_resamplings(double terms)
{
    const double most = terms > 0 ? WORK_MOST / terms : RESAMPLINGS;
    return most >= RESAMPLINGS ? RESAMPLINGS : most <= RESAMPLINGS_LEAST ? RESAMPLINGS_LEAST : (size_t)most;
}

static void choose(uint32_t *chosen, size_t count, size_t resampling)
{
    for (size_t k = 0; k < count; k++) {
        const double u = fm_random_uniform((fm_random_key){0, STREAM, (uint32_t)resampling}, k, 0);
        chosen[k] = (uint32_t)(u * (double)count);
    }
}

/* Estimates of resamplings, [index][resampling], and the intervals from them. */
static fm_status find_intervals(const pairs *p, fm_sobol_index *indices, fm_error *error)
{
    const size_t n = count_resamplings((double)p->count * (double)p->inputs);
    uint32_t *chosen = fm_alloc((p->count + 1) * sizeof *chosen);
    double *found = fm_alloc(2 * p->inputs * n * sizeof *found), *row = fm_alloc(2 * p->inputs * sizeof *row);
    if (chosen && found && row)
        for (size_t r = 0; r < n; r++) {
            choose(chosen, p->count, r);
            estimate(p, chosen, row, row + p->inputs);
            for (size_t i = 0; i < 2 * p->inputs; i++)
                found[i * n + r] = row[i];
        }
    for (size_t i = 0; found && chosen && row && i < p->inputs; i++) {
        take_interval(&indices[i].first, found + i * n, n);
        take_interval(&indices[i].total, found + (p->inputs + i) * n, n);
    }
    fm_status status = chosen && found && row ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for intervals");
    fm_free(chosen);
    fm_free(found);
    fm_free(row);
    return status;
}

fm_status fm_sobol_indices(const double *answers, size_t count, size_t inputs, fm_sobol_index *indices, size_t *used,
                           fm_error *error)
{
    pairs p = {.inputs = inputs,
               .sum = fm_alloc((count + 1) * sizeof(double)),
               .square = fm_alloc((count + 1) * sizeof(double)),
               .alone = fm_alloc((count * inputs + 1) * sizeof(double)),
               .all = fm_alloc((count * inputs + 1) * sizeof(double)),
               .totals = fm_alloc(2 * inputs * sizeof(double) + 1)};
    double *values = fm_alloc(2 * inputs * sizeof *values + 1);
    fm_status status = p.sum && p.square && p.alone && p.all && p.totals && values
                           ? FM_OK
                           : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu pairs", count);
    if (status == FM_OK) {
        fill(&p, answers, count);
        estimate(&p, NULL, values, values + inputs);
        for (size_t i = 0; i < inputs; i++) {
            indices[i].first = (fm_index_estimate){values[i], NAN, NAN};
            indices[i].total = (fm_index_estimate){values[inputs + i], NAN, NAN};
        }
        *used = p.count;
    }
    if (status == FM_OK && p.count > 1 && isfinite(values[0]))
        status = find_intervals(&p, indices, error);
    fm_free(p.sum);
    fm_free(p.square);
    fm_free(p.alone);
    fm_free(p.all);
    fm_free(p.totals);
    fm_free(values);
    return status;
}

/* --- elementary effects (Morris 1991, Campolongo et al. 2007) --- */

/* The input that moved into a run, and its direction in *sign; `inputs`: none, where two levels have one value. */
static size_t find_moved(const double *const *values, size_t inputs, size_t run, double *sign)
{
    size_t i = 0;
    while (i < inputs && values[i][run] == values[i][run - 1])
        i++;
    *sign = i < inputs && values[i][run] < values[i][run - 1] ? -1 : 1;
    return i;
}

static void sum_up(fm_morris_effect *e, const double *effects)
{
    double sum = 0, magnitudes = 0, squares = 0, deviations = 0;
    const double n = (double)e->count;
    for (size_t k = 0; k < e->count; k++) {
        sum += effects[k];
        magnitudes += fabs(effects[k]);
    }
    e->mean = e->count ? sum / n : NAN;
    e->magnitude.value = e->count ? magnitudes / n : NAN;
    for (size_t k = 0; k < e->count; k++) {
        squares += (effects[k] - e->mean) * (effects[k] - e->mean);
        deviations += (fabs(effects[k]) - e->magnitude.value) * (fabs(effects[k]) - e->magnitude.value);
    }
    e->deviation = e->count > 1 ? sqrt(squares / (n - 1)) : NAN;
    const double half = e->count > 1 ? 1.959963984540054 * sqrt(deviations / (n - 1) / n) : NAN;
    e->magnitude.low = fmax(0, e->magnitude.value - half);
    e->magnitude.high = e->magnitude.value + half;
}

fm_status fm_morris_effects(const double *answers, const double *const *values, size_t paths, size_t inputs,
                            fm_morris_effect *effects, fm_error *error)
{
    double *all = fm_alloc((inputs * paths + 1) * sizeof *all);
    if (!all)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu paths", paths);
    memset(effects, 0, inputs * sizeof *effects);
    for (size_t path = 0; path < paths; path++)
        for (size_t step = 1; step <= inputs; step++) {
            const size_t run = path * (inputs + 1) + step;
            double sign;
            const size_t i = find_moved(values, inputs, run, &sign);
            const double effect = sign * (answers[run] - answers[run - 1]) / FM_MORRIS_STEP;
            if (i < inputs && isfinite(effect))
                all[i * paths + effects[i].count++] = effect;
        }
    for (size_t i = 0; i < inputs; i++)
        sum_up(&effects[i], all + i * paths);
    fm_free(all);
    return FM_OK;
}

/* --- ranks --- */

/* Insertion: equal ones stay in the order of the inputs. */
static void place(size_t *order, size_t count, size_t input, double (*key)(const void *list, size_t i),
                  const void *list)
{
    const double own = key(list, input);
    size_t at = count;
    for (; at > 0 && (own > key(list, order[at - 1]) || (isnan(key(list, order[at - 1])) && !isnan(own))); at--)
        order[at] = order[at - 1];
    order[at] = input;
}

static double key_of_index(const void *list, size_t i)
{
    return ((const fm_sobol_index *)list)[i].total.value;
}

static double key_of_effect(const void *list, size_t i)
{
    return ((const fm_morris_effect *)list)[i].magnitude.value;
}

void fm_sobol_rank(const fm_sobol_index *indices, size_t inputs, size_t *order)
{
    for (size_t i = 0; i < inputs; i++)
        place(order, i, i, key_of_index, indices);
}

void fm_morris_rank(const fm_morris_effect *effects, size_t inputs, size_t *order)
{
    for (size_t i = 0; i < inputs; i++)
        place(order, i, i, key_of_effect, effects);
}
