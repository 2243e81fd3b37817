#include "studies/front.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "physics/real.h"

enum { FRONT = 0x6e736732u };                     /* entity of its random numbers */
static const double crossing = 15, mutation = 20; /* distribution indices of (G12) */
#define CROSSED 0.9                               /* of the pairs */

bool fm_front_begin(fm_front *f, size_t n, size_t m, size_t k, const double *start, size_t size, uint64_t seed)
{
    *f = (fm_front){.n = n, .m = m, .k = k, .size = size + size % 2, .seed = seed};
    size_t all = 2 * f->size;
    f->points = fm_arena_alloc(&f->arena, all * n * sizeof(double));
    f->values = fm_arena_alloc(&f->arena, all * (m + k) * sizeof(double));
    f->violation = fm_arena_alloc(&f->arena, all * sizeof(double));
    f->crowding = fm_arena_alloc(&f->arena, all * sizeof(double));
    f->layer = fm_arena_alloc(&f->arena, all * sizeof(size_t));
    f->order = fm_arena_alloc(&f->arena, all * sizeof(size_t));
    f->kept = fm_arena_alloc(&f->arena, f->size * (n + m + k) * sizeof(double));
    if (!f->points || !f->values || !f->violation || !f->crowding || !f->layer || !f->order || !f->kept)
        return false;
    memcpy(f->points, start, n * sizeof *start);
    return true;
}

void fm_front_free(fm_front *f)
{
    fm_arena_free(&f->arena);
    *f = (fm_front){0};
}

/* --- random numbers --- */

typedef struct dice {
    fm_random_key key;
    uint64_t generation;
    uint32_t drawn;
} dice;

static double draw(dice *d)
{
    return fm_random_uniform(d->key, d->generation, d->drawn++);
}

static size_t draw_below(dice *d, size_t count)
{
    size_t i = (size_t)(draw(d) * (double)count);
    return i < count ? i : count - 1;
}

/* --- the first generation --- */

static void spread(const fm_front *f, double *points)
{
    memcpy(points, f->points, f->n * sizeof *points);
    for (size_t i = 0; i < f->n; i++) {
        dice d = {{f->seed, FRONT, (uint32_t)i}, 0, 0};
        for (size_t j = 1; j < f->size; j++) {
            size_t other = 1 + draw_below(&d, j);
            if (other != j)
                points[j * f->n + i] = points[other * f->n + i];
            points[other * f->n + i] = (double)(j - 1);
        }
        for (size_t j = 1; j < f->size; j++)
            points[j * f->n + i] = (points[j * f->n + i] + draw(&d)) / (double)(f->size - 1);
    }
}

/* --- offspring --- */

/* Which of two is better: by layer, then by distance from its neighbours. */
static size_t choose(const fm_front *f, dice *d)
{
    size_t a = draw_below(d, f->size), b = draw_below(d, f->size);
    if (f->layer[a] != f->layer[b])
        return f->layer[a] < f->layer[b] ? a : b;
    return f->crowding[a] >= f->crowding[b] ? a : b;
}

/* Simulated binary crossover within 0 … 1: (G12). */
static void cross(double a, double b, dice *d, double *left, double *right)
{
    double low = fmin(a, b), high = fmax(a, b), u = draw(d);
    bool swap = draw(d) < 0.5;
    if (high - low < 1e-14) {
        *left = a, *right = b;
        return;
    }
    double ends[2];
    for (int side = 0; side < 2; side++) {
        double room = side ? 1 - high : low, alpha = 2 - fm_pow(1 + 2 * room / (high - low), -(crossing + 1)),
               beta = u <= 1 / alpha ? fm_pow(u * alpha, 1 / (crossing + 1))
                                     : fm_pow(1 / (2 - u * alpha), 1 / (crossing + 1));
        ends[side] = fmax(0, fmin(0.5 * (low + high + (side ? beta : -beta) * (high - low)), 1));
    }
    *left = ends[swap];
    *right = ends[!swap];
}

/* Polynomial mutation: (G12). */
static double mutate(double x, dice *d)
{
    double u = draw(d), power = 1 / (mutation + 1);
    double by = u < 0.5 ? fm_pow(2 * u + (1 - 2 * u) * fm_pow(1 - x, mutation + 1), power) - 1
                        : 1 - fm_pow(2 * (1 - u) + (2 * u - 1) * fm_pow(x, mutation + 1), power);
    return fmax(0, fmin(x + by, 1));
}

static void breed(const fm_front *f, size_t pair, double *left, double *right)
{
    dice d = {{f->seed, FRONT, 0x10000u + (uint32_t)pair}, f->generation, 0};
    const double *a = f->points + choose(f, &d) * f->n, *b = f->points + choose(f, &d) * f->n;
    bool crosses = draw(&d) < CROSSED;
    for (size_t i = 0; i < f->n; i++) {
        left[i] = a[i], right[i] = b[i];
        if (crosses && draw(&d) < 0.5)
            cross(a[i], b[i], &d, &left[i], &right[i]);
    }
    for (size_t i = 0; i < f->n; i++) {
        if (draw(&d) * (double)f->n < 1)
            left[i] = mutate(left[i], &d);
        if (draw(&d) * (double)f->n < 1)
            right[i] = mutate(right[i], &d);
    }
}

void fm_front_ask(fm_front *f, double *points)
{
    if (f->generation == 0)
        spread(f, points);
    for (size_t pair = 0; f->generation > 0 && pair < f->size / 2; pair++)
        breed(f, pair, points + 2 * pair * f->n, points + (2 * pair + 1) * f->n);
}

/* --- selection --- */

bool fm_front_dominates(const double *a, const double *b, size_t m)
{
    bool less = false;
    for (size_t i = 0; i < m; i++) {
        if (!(a[i] <= b[i]))
            return false;
        less |= a[i] < b[i];
    }
    return less;
}

/* Each constraint counts in parts of its largest violation among the points. (G11) */
static void sum_violations(fm_front *f, size_t count)
{
    const size_t width = f->m + f->k;
    for (size_t j = 0; j < count; j++) {
        f->violation[j] = 0;
        for (size_t i = 0; i < width; i++)
            if (isnan(f->values[j * width + i]))
                f->violation[j] = HUGE_VAL;
    }
    for (size_t i = f->m; i < width; i++) {
        double most = 0;
        for (size_t j = 0; j < count; j++)
            most = fmax(most, f->violation[j] < HUGE_VAL ? f->values[j * width + i] : 0);
        for (size_t j = 0; most > 0 && j < count; j++)
            if (f->violation[j] < HUGE_VAL)
                f->violation[j] += fmax(0, f->values[j * width + i]) / most;
    }
}

/* A feasible point is better than others; of others that with less violation. (G11) */
static bool is_better(const fm_front *f, size_t a, size_t b)
{
    if (f->violation[a] > 0 || f->violation[b] > 0)
        return f->violation[a] < f->violation[b];
    return fm_front_dominates(f->values + a * (f->m + f->k), f->values + b * (f->m + f->k), f->m);
}

/* Layers: 0 is not dominated, 1 only by layer 0 … (G10) */
static void find_layers(fm_front *f, size_t count)
{
    const size_t none = (size_t)-1;
    for (size_t j = 0; j < count; j++)
        f->layer[j] = none;
    size_t left = count;
    for (size_t layer = 0; left > 0; layer++)
        for (size_t pass = 0; pass < 2; pass++) /* first finds the layer, then takes it away */
            for (size_t j = 0; j < count; j++) {
                if (pass == 1 && f->layer[j] == none - 1)
                    f->layer[j] = layer, left--;
                if (pass == 1 || f->layer[j] != none)
                    continue;
                bool beaten = false;
                for (size_t other = 0; other < count && !beaten; other++)
                    beaten = f->layer[other] >= none - 1 && is_better(f, other, j);
                f->layer[j] = beaten ? none : none - 1;
            }
}

/* Distances from the neighbours in the same layer, summed over the objectives. (G10) */
static void find_crowding(fm_front *f, size_t count, size_t layer)
{
    const size_t width = f->m + f->k;
    for (size_t i = 0; i < f->m; i++) {
        size_t members = 0;
        for (size_t j = 0; j < count; j++) {
            if (f->layer[j] != layer)
                continue;
            size_t at = members++;
            for (; at > 0 && f->values[j * width + i] < f->values[f->order[at - 1] * width + i]; at--)
                f->order[at] = f->order[at - 1];
            f->order[at] = j;
        }
        if (!members)
            return;
        const double *low = &f->values[f->order[0] * width + i], *high = &f->values[f->order[members - 1] * width + i];
        double range = *high - *low;
        f->crowding[f->order[0]] = f->crowding[f->order[members - 1]] = HUGE_VAL;
        for (size_t at = 1; at + 1 < members && range > 0; at++)
            f->crowding[f->order[at]] +=
                (f->values[f->order[at + 1] * width + i] - f->values[f->order[at - 1] * width + i]) / range;
    }
}

/* The better half: whole layers, and of the last one the points with the most distant neighbours. */
static void keep_better(fm_front *f, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        size_t at = j;
        for (; at > 0; at--) {
            size_t other = f->order[at - 1];
            if (f->layer[other] < f->layer[j] ||
                (f->layer[other] == f->layer[j] && f->crowding[other] >= f->crowding[j]))
                break;
            f->order[at] = other;
        }
        f->order[at] = j;
    }
    const size_t width = f->m + f->k, words = f->n + width;
    size_t keep = count < f->size ? count : f->size;
    for (size_t at = 0; at < keep; at++) {
        memcpy(f->kept + at * words, f->points + f->order[at] * f->n, f->n * sizeof(double));
        memcpy(f->kept + at * words + f->n, f->values + f->order[at] * width, width * sizeof(double));
    }
    for (size_t at = 0; at < keep; at++) {
        memcpy(f->points + at * f->n, f->kept + at * words, f->n * sizeof(double));
        memcpy(f->values + at * width, f->kept + at * words + f->n, width * sizeof(double));
    }
}

static void rank(fm_front *f, size_t count)
{
    sum_violations(f, count);
    find_layers(f, count);
    for (size_t j = 0; j < count; j++)
        f->crowding[j] = 0;
    for (size_t layer = 0; layer < count; layer++)
        find_crowding(f, count, layer);
}

void fm_front_tell(fm_front *f, const double *points, const double *values)
{
    const size_t width = f->m + f->k, before = f->generation ? f->size : 0, count = before + f->size;
    memcpy(f->points + before * f->n, points, f->size * f->n * sizeof *points);
    memcpy(f->values + before * width, values, f->size * width * sizeof *values);
    rank(f, count);
    keep_better(f, count);
    rank(f, f->size);
    f->generation++;
}
