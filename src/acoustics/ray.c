#include "acoustics/ray.h"

#include <math.h>

#include "acoustics/loss.h"
#include "physics/real.h"

enum { STEPS_MOST = 4000000 };

static const double pi = 3.14159265358979323846;

/* asinh without a library function whose last bit differs between machines. */
static double asinh_of(double x)
{
    double xx = x * x;
    if (xx < 1e-4) /* to x¹¹ */
        return x *
               (1 + xx * (-1.0 / 6 + xx * (3.0 / 40 + xx * (-15.0 / 336 + xx * (105.0 / 3456 - xx * 945.0 / 42240)))));
    double size = fabs(x), sum = fm_log(size + sqrt(xx + 1));
    return x < 0 ? -sum : sum;
}

fm_ray fm_ray_launch(const fm_waveguide *guide, double depth, double angle)
{
    fm_ray ray = {.depth = depth, .layer = fm_waveguide_layer(guide, depth), .speed = fm_waveguide_speed(guide, depth)};
    ray.sine = fm_sin(angle);
    ray.cosine = fmax(fm_cos(angle), 1e-9);
    ray.launch_cosine = ray.cosine;
    ray.launch_speed = ray.speed;
    ray.p = 1 / ray.speed;
    return ray;
}

/* --- one arc --- */

/* An arc from the ray's position; the reason it ends. */
typedef struct arc {
    double dx, dz, sine, speed;
    double spread; /* ∫ c ds, m²/s */
} arc;

/* Time on an arc between two points with sound speeds c1 and c2: (2/g) asinh(g d / (2 √(c1 c2))). (A4.3) */
static double arc_time(double g, double c1, double c2, double d)
{
    double x = g * d / (2 * sqrt(c1 * c2));
    if (fabs(x) < 1e-9)
        return d / sqrt(c1 * c2);
    return 2 / g * asinh_of(x);
}

static void follow(fm_ray *ray, double g, double a, const arc *way)
{
    double d = sqrt(way->dx * way->dx + way->dz * way->dz);
    double time = arc_time(g, ray->speed, way->speed, d);
    ray->time += time;
    ray->length += time * 0.5 * (ray->speed + way->speed); /* for absorption: to second order */
    double before = ray->q;
    ray->q += ray->p * way->spread;
    if (before * ray->q < 0) {
        ray->caustics++;
        ray->phase -= pi / 2;
    }
    ray->range += way->dx;
    ray->depth += way->dz;
    ray->sine = way->sine;
    ray->speed = way->speed;
    ray->cosine = a * way->speed;
}

/* To a depth that the ray reaches without turning; `squared`: square of its sine there. (A4.2) */
static arc arc_to_depth(const fm_ray *ray, double a, double depth, double speed, double squared, int down)
{
    double s = down ? sqrt(squared) : -sqrt(squared), dz = depth - ray->depth;
    double sum = ray->sine + s;
    arc way = {.dz = dz, .sine = s, .speed = speed};
    way.spread = dz * (ray->speed + speed) / sum;
    way.dx = a * way.spread;
    return way;
}

/* Through the vertex and back to the same depth. */
static arc arc_around(const fm_ray *ray, double g, double a)
{
    arc way = {.dx = 2 * ray->sine / (a * g), .sine = -ray->sine, .speed = ray->speed};
    way.spread = way.dx / a;
    return way;
}

/* Part of an arc, up to dx. */
static arc arc_to_range(const fm_ray *ray, double g, double a, double dx)
{
    double s = ray->sine - a * g * dx, cosine = sqrt(fmax(1 - s * s, 0));
    arc way = {.dx = dx, .sine = s, .spread = dx / a};
    way.dz = dx * (ray->sine + s) / (ray->cosine + cosine);
    way.speed = ray->speed + g * way.dz;
    return way;
}

/* --- boundaries --- */

/* A reflection at a boundary with the outward normal (nx, nz): direction, tube and counts. (A4.5) (A4.6) */
static void reflect(fm_ray *ray, double g, double nx, double nz)
{
    double along = ray->cosine * nx + ray->sine * nz;   /* sine of the grazing angle */
    double across = -ray->sine * nx + ray->cosine * nz; /* direction of the ray relative to the normal of the
                                                         * boundary */
    double jump = -2 * g * nz, c = ray->speed;
    ray->p -= jump / (c * c) * across * across / fmax(fabs(along), 1e-12) * ray->q;
    ray->cosine -= 2 * along * nx;
    ray->sine -= 2 * along * nz;
}

static void meet_surface(fm_ray *ray, const fm_waveguide *guide, double frequency)
{
    double grazing = fabs(ray->sine);
    ray->depth = 0;
    reflect(ray, guide->gradient[0], 0, -1);
    ray->surface++;
    ray->phase += pi;
    if (guide->roughness > 0 && frequency > 0)
        ray->level += fm_surface_loss(guide->roughness, frequency, ray->speed, grazing);
}

static void meet_bottom(fm_ray *ray, const fm_waveguide *guide, double slope)
{
    double n = 1 / sqrt(1 + slope * slope);
    double grazing = fabs(-slope * n * ray->cosine + n * ray->sine);
    reflect(ray, guide->gradient[ray->layer], -slope * n, n);
    ray->bottom++;
    double turn;
    ray->level += fm_bottom_loss(&guide->seabed, ray->speed, grazing, &turn);
    ray->phase += turn;
    ray->lost = !(ray->cosine > 1e-9);
}

/* Position along an arc of dx where the ray meets a bottom that is not level; dx itself: it does not. */
static double bottom_within(const fm_ray *ray, const fm_waveguide *guide, double g, double a, double dx)
{
    enum { PIECES = 16 };
    double slope, before = 0;
    for (int i = 1; i <= PIECES; i++) {
        double at = dx * i / PIECES;
        arc way = arc_to_range(ray, g, a, at);
        if (ray->depth + way.dz <= fm_waveguide_bottom(guide, ray->range + at, &slope)) {
            before = at;
            continue;
        }
        for (int k = 0; k < 60; k++) {
            double middle = 0.5 * (before + at);
            way = arc_to_range(ray, g, a, middle);
            if (ray->depth + way.dz <= fm_waveguide_bottom(guide, ray->range + middle, &slope))
                before = middle;
            else
                at = middle;
        }
        return before;
    }
    return dx;
}

/* --- from layer to layer --- */

/* Through a node into the next layer: the tube depends on the change of the gradient. (A4.4) */
static void cross_node(fm_ray *ray, const fm_waveguide *guide, double a, int down)
{
    double above = guide->gradient[down ? ray->layer : ray->layer - 1];
    double below = guide->gradient[down ? ray->layer + 1 : ray->layer];
    ray->p -= a * a * (below - above) / fmax(fabs(ray->sine), 1e-12) * ray->q;
    ray->layer = down ? ray->layer + 1 : ray->layer - 1;
}

/* A ray along the axis of a channel at a node: it would cross the node forever. */
static int in_channel(const fm_ray *ray, const fm_waveguide *guide)
{
    size_t i = ray->layer;
    if (fabs(ray->sine) > 1e-6)
        return 0;
    if (ray->depth == guide->depth[i])
        return i > 0 && guide->gradient[i - 1] < 0 && guide->gradient[i] > 0;
    return ray->depth == guide->depth[i + 1] && i + 1 < guide->layers && guide->gradient[i] < 0 &&
           guide->gradient[i + 1] > 0;
}

/* The next arc within the ray's layer, at most to `range`. 1: it ends at a node. */
static int next_arc(const fm_ray *ray, const fm_waveguide *guide, double g, double a, double range, arc *way)
{
    int down = ray->sine > 0 || (ray->sine == 0 && g < 0);
    size_t node = ray->layer + (size_t)down;
    double c = guide->speed[node], rest = range - ray->range;
    double squared = ray->sine * ray->sine - a * a * (c - ray->speed) * (c + ray->speed);
    int reaches = squared > 0 && (ray->sine != 0 || g != 0);
    if (reaches)
        *way = arc_to_depth(ray, a, guide->depth[node], c, squared, down);
    else if (g != 0 && ray->sine != 0)
        *way = arc_around(ray, g, a);
    if ((!reaches && (g == 0 || ray->sine == 0)) || way->dx > rest) {
        *way = arc_to_range(ray, g, a, rest);
        return 0;
    }
    return reaches;
}

static void pass_node(fm_ray *ray, const fm_waveguide *guide, double a, double frequency)
{
    int down = ray->sine > 0;
    size_t node = ray->layer + (size_t)down;
    ray->depth = guide->depth[node];
    if (node == 0)
        meet_surface(ray, guide, frequency);
    else if (node == guide->layers) {
        double slope;
        (void)fm_waveguide_bottom(guide, ray->range, &slope);
        meet_bottom(ray, guide, slope);
    } else
        cross_node(ray, guide, a, down);
}

/* One arc; afterwards the ray is at a node, at the bottom, beyond a vertex or at the range. */
static void step(fm_ray *ray, const fm_waveguide *guide, double range, double frequency)
{
    double a = ray->cosine / ray->speed, g = guide->gradient[ray->layer];
    arc way = {0};
    int at_node = 0;
    if (in_channel(ray, guide)) {
        g = 0;
        way = arc_to_range(ray, g, a, range - ray->range);
    } else
        at_node = next_arc(ray, guide, g, a, range, &way);
    if (guide->bottom_count > 1) {
        double slope, free = bottom_within(ray, guide, g, a, way.dx);
        if (free < way.dx) {
            way = arc_to_range(ray, g, a, free);
            follow(ray, g, a, &way);
            (void)fm_waveguide_bottom(guide, ray->range + 1e-9, &slope);
            meet_bottom(ray, guide, slope);
            return;
        }
    }
    ray->turns += way.sine * ray->sine < 0;
    int there = way.dx >= range - ray->range;
    follow(ray, g, a, &way);
    if (there)
        ray->range = range;
    if (at_node)
        pass_node(ray, guide, a, frequency);
}

void fm_ray_advance(const fm_waveguide *guide, fm_ray *ray, double range, int reflections, double frequency,
                    fm_ray_visit *visit, void *user)
{
    if (visit)
        visit(user, ray);
    for (int i = 0; ray->range < range && !ray->lost; i++) {
        step(ray, guide, range, frequency);
        if (visit)
            visit(user, ray);
        ray->lost |= ray->surface + ray->bottom > reflections || i >= STEPS_MOST || !isfinite(ray->range);
    }
}

double fm_ray_angle(const fm_ray *ray)
{
    return fm_atan2(ray->sine, ray->cosine);
}

/* I = c cosθ0 / (c0 r |q|) against 1 m. (A4.7) */
static double loss_of_tube(const fm_ray *ray, double q)
{
    double intensity = ray->speed * ray->launch_cosine / (ray->launch_speed * fmax(ray->range, 1e-9) * q);
    return -10 * fm_log(intensity) / 2.302585092994045684 - ray->level;
}

int fm_ray_is_focused(const fm_ray *ray)
{
    return fabs(ray->q) < 0.999 * ray->length;
}

/* Where the depth z over the launch angle has an extremum, two rays meet, and the pressure follows Airy's function: as
 * if |z′| of each were at least 2π/(π Ai)² ω^−1/3 (|z″|/2)^2/3 |η′|^−1/3, η = sin θ/c, Ai = 0.5357 its maximum. */
static double least_tube(const fm_ray *ray, const fm_ray_pair *beside, double frequency)
{
    const fm_ray *a = &beside->above, *b = &beside->below;
    double bend = fabs(fm_ray_sensitivity(b) - fm_ray_sensitivity(a)) / (2 * beside->apart);
    double turn = fabs(b->sine / b->speed - a->sine / a->speed) / (2 * beside->apart);
    if (!(bend > 0 && turn > 0))
        return 0;
    double third = (2 * fm_log(0.5 * bend) - fm_log(turn) - fm_log(2 * pi * frequency)) / 3;
    return 2.2186 * fm_exp(third) * ray->cosine;
}

static int is_of_family(const fm_ray *ray, const fm_ray *other)
{
    return !other->lost && other->surface == ray->surface && other->bottom == ray->bottom;
}

double fm_ray_loss_capped(const fm_ray *ray, const fm_ray_pair *beside, double frequency)
{
    double least = 10 / 2.302585092994045684 * fm_log(ray->length) - 10 - ray->level, q = fabs(ray->q);
    if (beside && is_of_family(ray, &beside->above) && is_of_family(ray, &beside->below))
        q = fmax(q, least_tube(ray, beside, frequency));
    return fmax(loss_of_tube(ray, q), least);
}

double fm_ray_sensitivity(const fm_ray *ray)
{
    double q = (ray->surface + ray->bottom) % 2 ? -ray->q : ray->q;
    return q / ray->cosine;
}
