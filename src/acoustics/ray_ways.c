#include "acoustics/ray_ways.h"

#include <math.h>
#include <string.h>

#include "acoustics/eigenray.h"
#include "physics/posture.h"
#include "physics/real.h"

_Static_assert(sizeof(fm_ray_memory) % 8 == 0, "memories are words of the state");

enum { BOTTOM_POINTS = 33, NUMBER_BASE = 256 }; /* along an uneven bottom; of surface reflections in a number */

static const double deepest = 12000; /* m, of any sea */

static int is_level(const fm_bottom *bottom)
{
    return bottom->kind == FM_BOTTOM_PLANE && bottom->slope_x == 0 && bottom->slope_y == 0 && !bottom->mound_count;
}

fm_status fm_medium_guide(fm_medium *medium, fm_arena *arena, fm_error *error)
{
    if (medium->ways != FM_WAYS_RAYS)
        return FM_OK;
    const fm_bottom *bottom = medium->water->bottom;
    medium->even = !bottom || is_level(bottom);
    double depth = bottom && medium->even ? fmin(bottom->depth, deepest) : deepest;
    fm_bottom_line line = {1, (const double[]){0}, &depth};
    fm_sound_profile profile = {medium->layers.layers + 1, medium->layers.depth, medium->layers.speed};
    return fm_waveguide_make(&medium->guide, &profile, &line, &medium->seabed, medium->roughness, arena, error);
}

/* --- the plane of a pair --- */

/* The vertical plane through both ends, and the water in it. */
typedef struct ray_plane {
    fm_waveguide guide;
    double range, along[2];                                /* m; unit, towards the receiver */
    double line_range[BOTTOM_POINTS], line[BOTTOM_POINTS]; /* m: an uneven bottom */
} ray_plane;

static void cut_bottom(const fm_medium *medium, const double from[3], ray_plane *plane)
{
    double low = 0;
    for (int i = 0; i < BOTTOM_POINTS; i++) {
        double x = plane->range * i / (BOTTOM_POINTS - 1);
        plane->line_range[i] = x;
        plane->line[i] =
            fmin(fmax(fm_environment_depth(medium->water, from[0] + x * plane->along[0], from[1] + x * plane->along[1]),
                      1e-3),
                 deepest);
        low = fmax(low, plane->line[i]);
    }
    plane->guide.layers = fm_waveguide_layer(&medium->guide, low) + 1;
    plane->guide.bottom_count = BOTTOM_POINTS;
    plane->guide.bottom_range = plane->line_range;
    plane->guide.bottom_depth = plane->line;
}

static void lay_plane(const fm_medium *medium, const double from[3], const double to[3], ray_plane *plane)
{
    double x = to[0] - from[0], y = to[1] - from[1];
    plane->range = sqrt(x * x + y * y);
    plane->along[0] = x / plane->range;
    plane->along[1] = y / plane->range;
    plane->guide = medium->guide;
    if (!medium->even)
        cut_bottom(medium, from, plane);
}

/* Almost vertical rays are straight: to 1e-8 of their travel time. */
static int is_upright(const double from[3], const double to[3])
{
    double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
    return x * x + y * y < 4e-4 * z * z || x * x + y * y < 1e-6;
}

/* --- one ray --- */

static fm_ray trace(const ray_plane *plane, double depth, double angle, int reflections, double frequency)
{
    fm_ray ray = fm_ray_launch(&plane->guide, depth, angle);
    fm_ray_advance(&plane->guide, &ray, plane->range, reflections, frequency, NULL, NULL);
    return ray;
}

/* Near a caustic, from two neighbouring rays. (A4.10) */
static double loss_of(const ray_plane *plane, const fm_ray *ray, double depth, double launch, double frequency)
{
    static const double aside = 1e-3; /* rad */
    int reflections = ray->surface + ray->bottom;
    if (!fm_ray_is_focused(ray) || !(frequency > 0))
        return fm_ray_loss_capped(ray, NULL, 0);
    fm_ray_pair beside = {trace(plane, depth, launch - aside, reflections, frequency),
                          trace(plane, depth, launch + aside, reflections, frequency), aside};
    return fm_ray_loss_capped(ray, &beside, frequency);
}

/* If it passes above or below the receiver, time and length are those of the nearest point. */
static void describe_ray(const ray_plane *plane, const fm_ray *ray, double miss, double loss, double launch,
                         fm_sound_way *way)
{
    double out = fm_cos(launch);
    *way = (fm_sound_way){.time = ray->time - miss * ray->sine / ray->speed,
                          .length = ray->length - miss * ray->sine,
                          .loss = loss,
                          .out = {out * plane->along[0], out * plane->along[1], fm_sin(launch)},
                          .in = {ray->cosine * plane->along[0], ray->cosine * plane->along[1], ray->sine},
                          .speed_out = ray->launch_speed,
                          .speed_in = ray->speed,
                          .launch = launch,
                          .surface = ray->surface,
                          .bottom = ray->bottom,
                          .tube = 1};
}

/* Newton steps on the launch angle, shortened if they jump to other rays. */
static int follow_ray(const ray_plane *plane, const double from[3], const double to[3], int surface, int bottom,
                      double frequency, fm_sound_way *way)
{
    double angle = way->launch, step = 0;
    for (int i = 0; i < 24; i++) {
        fm_ray ray = trace(plane, from[2], angle, surface + bottom, frequency);
        double miss = ray.depth - to[2], slope = fm_ray_sensitivity(&ray);
        if (ray.lost || ray.surface != surface || ray.bottom != bottom || !(fabs(slope) > 0)) {
            if (i == 0)
                return 0;
            step *= 0.5;
            angle -= step;
            continue;
        }
        if (fabs(miss) < 1e-6) {
            describe_ray(plane, &ray, miss, loss_of(plane, &ray, from[2], angle, frequency), angle, way);
            return 1;
        }
        step = -miss / slope;
        step = fmin(fmax(step, -0.05), 0.05);
        angle += step;
    }
    return 0;
}

int fm_medium_ray(const fm_medium *medium, int64_t number, const double from[3], const double to[3], double frequency,
                  fm_sound_way *way)
{
    if (is_upright(from, to))
        return number == 0 && fm_medium_straight(medium, from, to, way);
    ray_plane plane;
    lay_plane(medium, from, to, &plane);
    return follow_ray(&plane, from, to, (int)(number / NUMBER_BASE), (int)(number % NUMBER_BASE), frequency, way);
}

void fm_medium_ray_points(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way,
                          int count, double (*point)[3], double *share)
{
    ray_plane plane;
    lay_plane(medium, from, to, &plane);
    fm_ray ray = fm_ray_launch(&plane.guide, from[2], way->launch);
    double before = 0;
    for (int i = 0; i < count; i++) { /* to the midpoint of each segment, then to its end */
        fm_ray_advance(&plane.guide, &ray, plane.range * (i + 0.5) / count, way->surface + way->bottom, 0, NULL, NULL);
        for (int k = 0; k < 2; k++)
            point[i][k] = from[k] + ray.range * plane.along[k];
        point[i][2] = ray.depth;
        fm_ray_advance(&plane.guide, &ray, plane.range * (i + 1) / count, way->surface + way->bottom, 0, NULL, NULL);
        share[i] = ray.time - before;
        before = ray.time;
    }
    for (int i = 0; i < count; i++)
        share[i] /= before;
}

/* Newton steps on its range, until its travel time is used up. */
int fm_medium_trace(const fm_medium *medium, double depth, double elevation, double slant, double point[2])
{
    const double time = slant / fm_medium_speed(medium, depth);
    double range = slant * fm_cos(elevation);
    point[0] = range;
    point[1] = depth + slant * fm_sin(elevation);
    if (medium->ways != FM_WAYS_RAYS)
        return 1;
    if (!(depth >= 0 && slant > 0 && slant < 1e6 && range > 0))
        return 0;
    for (int i = 0; i < 16; i++) {
        fm_ray ray = fm_ray_launch(&medium->guide, depth, elevation);
        fm_ray_advance(&medium->guide, &ray, range, 0, 0, NULL, NULL);
        if (ray.lost)
            return 0;
        const double left = time - ray.time;
        point[0] = ray.range + left * ray.speed * ray.cosine;
        point[1] = ray.depth + left * ray.speed * ray.sine;
        if (fabs(left) < 1e-7)
            return 1;
        range = fmax(point[0], 0.1 * range);
    }
    return 0;
}

/* --- all rays of a pair --- */

/* Steep enough for every requested reflection. */
static void search_for_rays(const fm_medium *medium, const double from[3], const double to[3], double frequency,
                            fm_ray_memory *memory)
{
    ray_plane plane;
    fm_arrival found[FM_WAYS_MOST];
    lay_plane(medium, from, to, &plane);
    double tall = plane.guide.depth[plane.guide.layers] * (medium->reflections + 1);
    double steep = fmin(fm_atan2(1.2 * tall, plane.range), 1.56);
    fm_eigenray_options options = {
        .lowest = -steep, .highest = steep, .reflections = medium->reflections, .frequency = frequency, .rays = 4000};
    size_t count = fm_eigenrays_find(&plane.guide, from[2], to[2], plane.range, &options, found, FM_WAYS_MOST);
    for (size_t i = 0; i < count; i++) {
        if (found[i].surface + found[i].bottom > medium->reflections || (found[i].bottom && !medium->water->bottom))
            continue;
        memory->ways[memory->count].launch = found[i].launch;
        memory->ways[memory->count++].number = found[i].surface * NUMBER_BASE + found[i].bottom;
    }
}

static double moved(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(fm_dot(d, d));
}

/* Half of the displacement after which the set of rays may differ: a hundredth of the path, at most 10 m. */
static int still_holds(const fm_ray_memory *memory, int64_t pair, const double from[3], const double to[3])
{
    double most = fmin(0.01 * moved(from, to), 10);
    return memory->pair == pair + 1 && moved(memory->from, from) < most && moved(memory->to, to) < most;
}

/* Rays lost on the way are left out until the next full search. */
static void follow_rays(const fm_medium *medium, const double from[3], const double to[3], double frequency,
                        fm_ray_memory *memory)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < memory->count; i++) {
        fm_sound_way way = {.launch = memory->ways[i].launch};
        if (!fm_medium_ray(medium, memory->ways[i].number, from, to, frequency, &way))
            continue;
        memory->ways[kept].number = memory->ways[i].number;
        memory->ways[kept++].launch = way.launch;
    }
    memory->count = kept;
}

void fm_medium_rays(const fm_medium *medium, int64_t pair, const double from[3], const double to[3], double frequency,
                    fm_ray_memory *memory)
{
    if (still_holds(memory, pair, from, to)) {
        follow_rays(medium, from, to, frequency, memory);
        return;
    }
    memset(memory, 0, sizeof *memory);
    memory->pair = pair + 1;
    memcpy(memory->from, from, sizeof memory->from);
    memcpy(memory->to, to, sizeof memory->to);
    if (is_upright(from, to))
        memory->count = 1; /* number 0 */
    else
        search_for_rays(medium, from, to, frequency, memory);
}

/* --- obstacles --- */

typedef struct blocked_call {
    const fm_medium *medium;
    const ray_plane *plane;
    const double *from;
    double last[3];
    int blocked;
} blocked_call;

static void cast_piece(void *user, const fm_ray *ray)
{
    blocked_call *c = user;
    double next[3] = {c->from[0] + ray->range * c->plane->along[0], c->from[1] + ray->range * c->plane->along[1],
                      ray->depth};
    c->blocked = c->blocked || fm_medium_obstructed(c->medium, c->last, next);
    memcpy(c->last, next, sizeof next);
}

int fm_medium_ray_blocked(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way)
{
    if (is_upright(from, to))
        return fm_medium_obstructed(medium, from, to);
    ray_plane plane;
    lay_plane(medium, from, to, &plane);
    blocked_call call = {medium, &plane, from, {from[0], from[1], from[2]}, 0};
    fm_ray ray = fm_ray_launch(&plane.guide, from[2], way->launch);
    fm_ray_advance(&plane.guide, &ray, plane.range, way->surface + way->bottom, 0, cast_piece, &call);
    return call.blocked;
}
