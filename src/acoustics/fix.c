#include "acoustics/fix.h"

#include <math.h>
#include <string.h>

/* --- one least-squares problem --- */

typedef struct problem {
    const fm_fix_range *ranges;
    const int *out; /* those left out */
    size_t count;
    double depth;
} problem;

/* Horizontal direction from a beacon divided by the slant range: the row of the range's derivatives. */
static double predict(const problem *p, size_t i, const double at[2], double row[2])
{
    const double *b = p->ranges[i].beacon;
    double x = at[0] - b[0], y = at[1] - b[1], z = p->depth - b[2], r = sqrt(x * x + y * y + z * z);
    row[0] = r > 0 ? x / r : 1;
    row[1] = r > 0 ? y / r : 0;
    return r;
}

/* Normal matrix (3: symmetric), gradient and sum of squares at a position. */
static double gather(const problem *p, const double at[2], double normal[3], double gradient[2])
{
    double cost = 0, row[2];
    memset(normal, 0, 3 * sizeof *normal);
    memset(gradient, 0, 2 * sizeof *gradient);
    for (size_t i = 0; i < p->count; i++) {
        if (p->out[i])
            continue;
        double e = p->ranges[i].range - predict(p, i, at, row);
        normal[0] += row[0] * row[0];
        normal[1] += row[0] * row[1];
        normal[2] += row[1] * row[1];
        gradient[0] += row[0] * e;
        gradient[1] += row[1] * e;
        cost += e * e;
    }
    return cost;
}

/* (A8.1) Gauss–Newton, with Levenberg damping if it would not descend. Returns the sum of squares. */
static double descend(const problem *p, double at[2])
{
    double normal[3], gradient[2], damping = 1e-9, cost = gather(p, at, normal, gradient);
    for (int i = 0; i < 60; i++) {
        double a = normal[0] + damping, c = normal[2] + damping, det = a * c - normal[1] * normal[1];
        if (!(det > 0))
            return cost;
        double step[2] = {(c * gradient[0] - normal[1] * gradient[1]) / det,
                          (a * gradient[1] - normal[1] * gradient[0]) / det};
        double next[2] = {at[0] + step[0], at[1] + step[1]}, n[3], g[2], there = gather(p, next, n, g);
        if (there <= cost) {
            memcpy(at, next, sizeof next);
            memcpy(normal, n, sizeof n);
            memcpy(gradient, g, sizeof g);
            cost = there;
            damping *= 0.1;
            if (step[0] * step[0] + step[1] * step[1] < 1e-18)
                return cost;
        } else {
            damping = damping * 10 + 1e-9;
        }
    }
    return cost;
}

/* Starts from the guess and from all directions around the beacons; among equally good positions returns the one near
 * the guess. */
static double search(const problem *p, const double *guess, double deviation, fm_fix *fix)
{
    static const double around[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    double centre[2] = {0, 0}, reach = 0, best = HUGE_VAL, number = 0, away = HUGE_VAL;
    for (size_t i = 0; i < p->count; i++) {
        centre[0] += p->ranges[i].beacon[0];
        centre[1] += p->ranges[i].beacon[1];
        reach = fmax(reach, p->ranges[i].range);
        number += 1;
    }
    for (int i = guess ? -1 : 0; i < 5; i++) {
        double at[2];
        for (int k = 0; k < 2; k++) /* slightly offset: on the line of the beacons it would not move */
            at[k] = i < 0 ? guess[k] : centre[k] / number + reach * (around[i][k] + 0.01 * (1 + k));
        double cost = descend(p, at);
        double far = guess ? (at[0] - guess[0]) * (at[0] - guess[0]) + (at[1] - guess[1]) * (at[1] - guess[1]) : 0;
        double dx = at[0] - fix->position[0], dy = at[1] - fix->position[1], alike = 9 * deviation * deviation;
        int elsewhere = best < HUGE_VAL && dx * dx + dy * dy > 1e-2 + 25 * alike;
        if (elsewhere && fabs(cost - best) <= alike)
            fix->mirrored = 1;
        if (cost < best - alike || (cost <= best + alike && (far < away || (far == away && cost < best)))) {
            if (cost < best - alike)
                fix->mirrored = 0;
            memcpy(fix->position, at, sizeof at);
            best = cost;
            away = far;
        }
    }
    return best;
}

/* --- outliers --- */

/* (A8.2) The range with the largest residual relative to its standard deviation, √(1 − h) σ; -1: all are within the
 * gate. */
static int find_outlier(const problem *p, const fm_fix *fix, const double inverse[3], double deviation, double gate)
{
    double worst = gate, row[2];
    int found = -1;
    for (size_t i = 0; i < p->count; i++) {
        if (p->out[i])
            continue;
        double e = p->ranges[i].range - predict(p, i, fix->position, row);
        double held = inverse[0] * row[0] * row[0] + 2 * inverse[1] * row[0] * row[1] + inverse[2] * row[1] * row[1];
        double ratio = fabs(e) / (deviation * sqrt(fmax(1 - held, 1e-6)));
        if (ratio > worst) {
            worst = ratio;
            found = (int)i;
        }
    }
    return found;
}

static int invert(const double n[3], double out[3])
{
    double det = n[0] * n[2] - n[1] * n[1];
    if (!(det > 1e-9 * (n[0] + n[2]) * (n[0] + n[2])))
        return 0;
    out[0] = n[2] / det;
    out[1] = -n[1] / det;
    out[2] = n[0] / det;
    return 1;
}

int fm_fix_solve(const fm_fix_range *ranges, size_t count, double depth, double deviation, double gate,
                 const double guess[2], fm_fix *fix)
{
    int out[FM_FIX_RANGES_MOST] = {0};
    problem p = {ranges, out, count, depth};
    double normal[3], gradient[2], inverse[3], cost;
    *fix = (fm_fix){.used = count};
    for (;;) {
        if (fix->used < 2 || count > FM_FIX_RANGES_MOST)
            return 0;
        cost = search(&p, guess, deviation, fix);
        gather(&p, fix->position, normal, gradient);
        if (!invert(normal, inverse))
            return 0;
        int bad = fix->used >= 4 ? find_outlier(&p, fix, inverse, deviation, gate) : -1;
        if (bad < 0)
            break;
        out[bad] = 1;
        fix->used--;
        fix->rejected++;
    }
    for (int i = 0; i < 3; i++)
        fix->covariance[i] = deviation * deviation * inverse[i];
    fix->gdop = sqrt(inverse[0] + inverse[2]);
    fix->residual = sqrt(cost / (double)fix->used);
    return 1;
}
