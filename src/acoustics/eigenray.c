#include "acoustics/eigenray.h"

#include <math.h>
#include <string.h>

#include "physics/real.h"

enum { SOLVED_MOST = 512, DEEPEST = 24 };

static const double pi = 3.14159265358979323846;
/* m: rays at neighbouring angles that still differ by this were split at a peak of the sound speed between two layers;
 * no ray reaches a receiver in the gap. */
static const double jump = 0.01;
static const double layers_a_shot = 20000;
static const double aside = 1e-3; /* rad: offset to neighbouring rays; a smaller offset would resolve the layers, not
                                   * the water */
/* m: a receiver this close to surface or bottom counts as on it */
static const double on_wall = 1e-6;

/* A ray at the receiver's range: its depth below the receiver, and the derivative by its launch angle. */
typedef struct shot {
    double angle, miss, slope;
    int signature; /* of its reflections: rays with the same signature form a smooth family */
    int alive;
} shot;

typedef struct hunt {
    const fm_waveguide *guide;
    double source, receiver, range, frequency;
    double water;              /* m, depth of the water: the scale of misses */
    int at_surface, at_bottom; /* the receiver lies there */
    int reflections, left;
    double found[SOLVED_MOST]; /* rad, launch angles */
    size_t count;
} hunt;

static fm_ray trace(const hunt *h, double angle)
{
    fm_ray ray = fm_ray_launch(h->guide, h->source, angle);
    fm_ray_advance(h->guide, &ray, h->range, h->reflections, h->frequency, NULL, NULL);
    return ray;
}

static shot shoot(hunt *h, double angle)
{
    fm_ray ray = trace(h, angle);
    /* long rays, which cross all layers repeatedly, count as several */
    h->left -= 1 + (int)((double)h->guide->layers * (ray.surface + ray.bottom + ray.turns) / layers_a_shot);
    /* rays only touch a receiver on a boundary: their misses change sign with each reflection there */
    double side = (h->at_surface && ray.surface % 2) || (h->at_bottom && ray.bottom % 2) ? -1 : 1;
    return (shot){.angle = angle,
                  .miss = side * (ray.depth - h->receiver),
                  .slope = side * fm_ray_sensitivity(&ray),
                  .signature = ray.surface * 4096 + ray.bottom,
                  .alive = !ray.lost};
}

/* --- one crossing --- */

/* Newton steps within an interval whose ends differ in sign; halves the interval if a step leaves it. */
static void solve(hunt *h, shot a, shot b)
{
    for (int i = 0; i < 80 && fabs(b.angle - a.angle) > 1e-15; i++) {
        const shot *best = fabs(a.miss) < fabs(b.miss) ? &a : &b;
        double guess = best->angle - best->miss / best->slope;
        double low = fmin(a.angle, b.angle), high = fmax(a.angle, b.angle);
        if (i % 4 == 3 || !(guess > low && guess < high))
            guess = 0.5 * (low + high);
        shot m = shoot(h, guess);
        if (!m.alive)
            return;
        if (m.miss == 0 || fabs(m.miss) < 1e-9) {
            a = b = m;
            break;
        }
        if ((m.miss > 0) == (a.miss > 0))
            a = m;
        else
            b = m;
    }
    if (fmin(fabs(a.miss), fabs(b.miss)) > jump)
        return;
    double angle = fabs(a.miss) < fabs(b.miss) ? a.angle : b.angle;
    for (size_t i = 0; i < h->count; i++)
        if (fabs(h->found[i] - angle) < 1e-12)
            return;
    if (h->count < SOLVED_MOST)
        h->found[h->count++] = angle;
}

/* Smallest distance between two rays of a family on one side of the receiver: two crossings if it is passed. */
static void search_between(hunt *h, shot a, shot b)
{
    if (a.slope * b.slope >= 0 || (a.slope * (b.angle - a.angle) > 0) == (a.miss > 0))
        return; /* no extremum, or it is outside the interval */
    shot low = a, high = b;
    for (int i = 0; i < 60 && high.angle - low.angle > 1e-12 && h->left > 0; i++) {
        double part = low.slope / (low.slope - high.slope);
        shot m = shoot(h, low.angle + (i % 2 ? 0.5 : fmin(fmax(part, 0.05), 0.95)) * (high.angle - low.angle));
        if (!m.alive || m.signature != a.signature)
            return;
        if (m.miss == 0 || (m.miss > 0) != (a.miss > 0)) {
            solve(h, a, m);
            solve(h, m, b);
            return;
        }
        if ((m.slope > 0) == (low.slope > 0))
            low = m;
        else
            high = m;
    }
}

static void search_within(hunt *h, shot a, shot b)
{
    if (a.miss == 0 || (a.miss > 0) != (b.miss > 0))
        solve(h, a, b);
    else
        search_between(h, a, b);
}

/* --- the whole fan --- */

/* Subdivides an interval until its rays form one family whose depth is approximated by a cubic. */
static void divide(hunt *h, shot a, shot b, int depth)
{
    if (h->left <= 0 || (!a.alive && !b.alive && depth > 3))
        return;
    double width = b.angle - a.angle;
    if (depth == 0 || width < 1e-9) {
        if (a.alive && b.alive && (a.miss > 0) != (b.miss > 0))
            solve(h, a, b);
        return;
    }
    shot m = shoot(h, 0.5 * (a.angle + b.angle));
    int family = a.alive && m.alive && b.alive && a.signature == m.signature && m.signature == b.signature;
    double cubic = 0.5 * (a.miss + b.miss) + width / 8 * (a.slope - b.slope);
    double slope = 1.5 * (b.miss - a.miss) / width - 0.25 * (a.slope + b.slope);
    double reach = fmin(fmin(fabs(a.miss), fabs(b.miss)), fabs(m.miss));
    double error = fabs(cubic - m.miss), bend = fabs(slope - m.slope) * width;
    if (family && error < 0.01 * h->water + 0.05 * reach && bend < 0.1 * h->water + 0.5 * reach) {
        search_within(h, a, m);
        search_within(h, m, b);
        return;
    }
    divide(h, a, m, depth - 1);
    divide(h, m, b, depth - 1);
}

/* Starts with a fan uniform in tan θ, whose neighbours differ by at most half the water depth in still water. */
static void hunt_all(hunt *h, double lowest, double highest)
{
    double steep = fmax(fabs(fm_sin(lowest) / fm_cos(lowest)), fabs(fm_sin(highest) / fm_cos(highest)));
    int fan = (int)fmin(2000, fmax(60, 4 * steep * h->range / h->water));
    if (fan > h->left / 4)
        fan = h->left / 4 > 8 ? h->left / 4 : 8;
    /* from the most level rays outwards: if the number of rays is exceeded, the steep ones are missing */
    double step = (highest - lowest) / fan, middle = fmin(fmax(-lowest / step, 0), fan);
    int down = (int)middle, up = down;
    shot above = shoot(h, lowest + step * down), below = above;
    while (h->left > 0 && (down > 0 || up < fan)) {
        int rises = down > 0 && (up == fan || middle - (down - 1) < up + 1 - middle);
        shot next = shoot(h, lowest + step * (rises ? --down : ++up));
        if (rises)
            divide(h, next, above, DEEPEST), above = next;
        else
            divide(h, below, next, DEEPEST), below = next;
    }
}

/* Near a caustic, from two neighbouring rays. */
static double loss_of(const hunt *h, const fm_ray *ray, double angle)
{
    if (!fm_ray_is_focused(ray) || !(h->frequency > 0))
        return fm_ray_loss_capped(ray, NULL, 0);
    fm_ray_pair beside = {trace(h, angle - aside), trace(h, angle + aside), aside};
    return fm_ray_loss_capped(ray, &beside, h->frequency);
}

static fm_arrival arrival_of(const hunt *h, double angle)
{
    fm_ray ray = trace(h, angle);
    return (fm_arrival){.time = ray.time,
                        .launch = angle,
                        .arrival = fm_ray_angle(&ray),
                        .loss = loss_of(h, &ray, angle),
                        .phase = remainder(ray.phase, 2 * pi),
                        .length = ray.length,
                        .surface = ray.surface,
                        .bottom = ray.bottom,
                        .caustics = ray.caustics};
}

size_t fm_eigenrays_find(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                         const fm_eigenray_options *options, fm_arrival *arrivals, size_t most)
{
    int shots;
    return fm_eigenrays_count(guide, source_depth, receiver_depth, range, options, arrivals, most, &shots);
}

size_t fm_eigenrays_count(const fm_waveguide *guide, double source_depth, double receiver_depth, double range,
                          const fm_eigenray_options *options, fm_arrival *arrivals, size_t most, int *shots)
{
    *shots = 0;
    double slope, at_source = fm_waveguide_bottom(guide, 0, &slope), there = fm_waveguide_bottom(guide, range, &slope);
    if (!(source_depth >= 0 && source_depth <= at_source && receiver_depth >= 0 && receiver_depth <= there &&
          range > 0))
        return 0;
    hunt h = {.guide = guide,
              .source = source_depth,
              .receiver = receiver_depth,
              .range = range,
              .frequency = options->frequency,
              .water = guide->depth[guide->layers],
              .at_surface = receiver_depth<on_wall, .at_bottom = receiver_depth> there - on_wall,
              .reflections = options->reflections > 0 ? options->reflections : 20,
              .left = options->rays > 0 ? options->rays : 20000};
    int given = options->lowest != 0 || options->highest != 0;
    hunt_all(&h, given ? options->lowest : -80 * pi / 180, given ? options->highest : 80 * pi / 180);
    size_t count = 0;
    *shots = (options->rays > 0 ? options->rays : 20000) - h.left;
    for (size_t i = 0; i < h.count; i++) {
        fm_arrival next = arrival_of(&h, h.found[i]);
        size_t at = count < most ? count++ : most - 1;
        if (at + 1 == most && count == most && i >= most && next.time >= arrivals[at].time)
            continue;
        while (at > 0 && arrivals[at - 1].time > next.time) {
            arrivals[at] = arrivals[at - 1];
            at--;
        }
        arrivals[at] = next;
    }
    return count;
}
