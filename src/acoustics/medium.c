#include "acoustics/medium.h"

#include <math.h>
#include <string.h>

#include "acoustics/ray_ways.h"
#include "physics/posture.h"
#include "physics/real.h"

static const double ln10 = 2.302585092994045684;

static double decibels(double ratio)
{
    return 10 / ln10 * fm_log(ratio);
}

/* --- speed --- */

/* Travel time of a vertical path through each layer: ∫ dz/c = ln(c₂/c₁)/g, by a series if the speeds are almost
 * equal. */
static double layer_delay(double z1, double z2, double c1, double c2)
{
    double mean = 0.5 * (c1 + c2), x = (c2 - c1) / (c1 + c2);
    if (fabs(x) < 1e-3) /* atanh(x)/x */
        return (z2 - z1) / mean * (1 + x * x / 3 * (1 + 0.6 * x * x));
    return (z2 - z1) / (c2 - c1) * fm_log(c2 / c1);
}

fm_status fm_medium_layer(fm_medium *medium, const fm_sound_profile *profile, fm_arena *arena, fm_error *error)
{
    static const double deepest = 12000; /* m, of any sea */
    fm_bottom_line bottom = {1, (const double[]){0}, &deepest};
    fm_status status =
        fm_waveguide_make(&medium->layers, profile, &bottom, &medium->seabed, medium->roughness, arena, error);
    if (status != FM_OK)
        return status;
    const fm_waveguide *g = &medium->layers;
    double *delay = fm_arena_alloc(arena, (g->layers + 1) * sizeof *delay);
    if (!delay)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a sound profile");
    medium->slowest = g->speed[0];
    for (size_t i = 0; i < g->layers; i++) {
        delay[i + 1] = delay[i] + layer_delay(g->depth[i], g->depth[i + 1], g->speed[i], g->speed[i + 1]);
        medium->slowest = fmin(medium->slowest, g->speed[i + 1]);
    }
    medium->delay = delay;
    medium->speed = 0;
    return FM_OK;
}

/* For a water column at a place: linear segments that stay within `close` (m/s) of it. */
typedef struct column_line {
    const fm_water_column *column;
    double x, y, deepest; /* m */
    double close;         /* m/s */
} column_line;

static double speed_at(const column_line *line, double z)
{
    return fm_water_column_sound_speed(line->column, line->x, line->y, z);
}

/* Longest steps (m) whose midpoint a straight line approximates. */
static double next_node(const column_line *line, double z)
{
    double c = speed_at(line, z), step = 256;
    for (; step > 0.25; step /= 2) {
        double below = fmin(z + step, line->deepest), h = below - z, worst = 0, there = speed_at(line, below);
        for (int i = 1; i < 8; i++)
            worst = fmax(worst, fabs(speed_at(line, z + h * i / 8) - c - (there - c) * i / 8));
        if (worst < line->close)
            break;
    }
    return fmin(z + step, line->deepest);
}

/* Number of nodes; `most` if there are more. */
static size_t count_nodes(const column_line *line, size_t most)
{
    size_t count = 1;
    for (double z = 0; z < line->deepest && count < most; count++)
        z = next_node(line, z);
    return count;
}

static fm_status lay_nodes(const column_line *line, size_t count, fm_sound_profile *profile, fm_arena *arena,
                           fm_error *error)
{
    double *depth = fm_arena_alloc(arena, count * sizeof *depth), *speed = fm_arena_alloc(arena, count * sizeof *speed);
    if (!depth || !speed)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a sound profile");
    for (size_t i = 0; i < count; i++) {
        depth[i] = i ? next_node(line, depth[i - 1]) : 0;
        speed[i] = speed_at(line, depth[i]);
    }
    *profile = (fm_sound_profile){count, depth, speed};
    return FM_OK;
}

static const double profile_close = 1e-3; /* m/s */

fm_status fm_sound_profile_from_column(fm_sound_profile *profile, const fm_water_column *column, double x, double y,
                                       double deepest, fm_arena *arena, fm_error *error)
{
    const column_line line = {column, x, y, deepest, profile_close};
    return lay_nodes(&line, count_nodes(&line, FM_SOUND_PROFILE_MOST), profile, arena, error);
}

fm_status fm_medium_follow_column(fm_medium *medium, size_t most, fm_arena *arena, fm_error *error)
{
    column_line line = {&medium->water->column, 0, 0, 12000, profile_close};
    fm_sound_profile profile;
    size_t count = count_nodes(&line, most);
    for (; count >= most && line.close < 1e4; count = count_nodes(&line, most))
        line.close *= 2;
    fm_status status = lay_nodes(&line, count, &profile, arena, error);
    if (status == FM_OK)
        status = fm_medium_layer(medium, &profile, arena, error);
    return status == FM_OK ? fm_medium_guide(medium, arena, error) : status;
}

double fm_medium_speed(const fm_medium *medium, double depth)
{
    return medium->speed > 0 ? medium->speed : fm_waveguide_speed(&medium->layers, depth);
}

/* Speed (m/s) at a depth, and the travel time (s) straight down to it from the surface. */
static double look_up(const fm_medium *medium, double depth, double *delay)
{
    const fm_waveguide *g = &medium->layers;
    size_t i = fm_waveguide_layer(g, depth);
    double speed = g->speed[i] + g->gradient[i] * (depth - g->depth[i]);
    *delay = medium->delay[i] + layer_delay(g->depth[i], depth, g->speed[i], speed);
    return speed;
}

/* --- loss --- */

double fm_medium_absorption(const fm_medium *medium, double frequency, const double point[3])
{
    if (medium->law == FM_LAW_WAVESIM || medium->absorption == FM_ABSORPTION_CONSTANT)
        return medium->attenuation;
    if (medium->absorption == FM_ABSORPTION_NONE)
        return 0;
    if (medium->absorption == FM_ABSORPTION_THORP)
        return fm_absorption_thorp(frequency);
    fm_water w = fm_water_column_sample(&medium->water->column, point[0], point[1], point[2]);
    fm_sound_water water = {w.temperature, w.salinity, fmax(point[2], 0), medium->acidity};
    return medium->absorption == FM_ABSORPTION_AINSLIE_MCCOLM ? fm_absorption_ainslie_mccolm(frequency, &water)
                                                              : fm_absorption_francois_garrison(frequency, &water);
}

double fm_medium_noise(const fm_medium *medium, double frequency)
{
    return medium->fixed_noise ? medium->noise_level : fm_ambient_noise(frequency, medium->shipping, medium->wind);
}

double fm_medium_spreading(const fm_medium *medium, double length)
{
    double r = fmax(length, 1), near = fmin(r, medium->transition);
    if (medium->spreading == FM_SPREADING_PRACTICAL)
        return 1.5 * decibels(r);
    if (medium->spreading == FM_SPREADING_SPHERICAL || r <= medium->transition)
        return 2 * decibels(r);
    return 2 * decibels(near) + decibels(r / near);
}

double fm_medium_loss(const fm_medium *medium, const fm_sound_way *way)
{
    return way->tube ? way->loss : way->loss + fm_medium_spreading(medium, way->length);
}

double fm_medium_reach(const fm_medium *medium, double loss, double absorption)
{
    /* Rays may be focused: they lose at least cylindrical spreading, less 10 dB. */
    int rays = medium->ways == FM_WAYS_RAYS;
    double low = 0, high = 1e7;
    for (int i = 0; i < 60 && high - low > 1e-3 * high; i++) {
        double r = i < 12 && low < 1e3 ? high / 10 : 0.5 * (low + high);
        double spent = rays ? decibels(fmax(r, 1)) - 10 : fm_medium_spreading(medium, r);
        if (spent + absorption * r < loss)
            low = r;
        else
            high = r;
    }
    return high;
}

/* --- ways --- */

int fm_medium_wet(const fm_medium *medium, const double point[3])
{
    return point[2] >= 0 && point[2] <= fm_environment_depth(medium->water, point[0], point[1]) + 0.1;
}

int fm_medium_straight(const fm_medium *medium, const double from[3], const double to[3], fm_sound_way *way)
{
    double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = sqrt(fm_dot(d, d));
    double c1 = medium->speed, c2 = c1, t1 = 0, t2 = 0;
    if (!(medium->speed > 0)) {
        c1 = look_up(medium, from[2], &t1);
        c2 = look_up(medium, to[2], &t2);
    }
    *way = (fm_sound_way){.length = length, .speed_out = c1, .speed_in = c2, .time = 2 * length / (c1 + c2)};
    if (!(medium->speed > 0) && fabs(d[2]) >= 1e-3)
        way->time = length * ((t2 - t1) / d[2]);
    for (int i = 0; i < 3; i++)
        way->out[i] = way->in[i] = length > 0 ? d[i] / length : 0;
    return 1;
}

/* (A5.3) The images of m = 0, 1, …: four each, by number of reflections. */
static int image_way(const fm_medium *medium, int number, const double from[3], const double to[3], double frequency,
                     fm_sound_way *way)
{
    int m = number / 4, k = number % 4, surface = m + (k >= 2), bottom = m + (k % 2);
    double depth = fm_environment_depth(medium->water, from[0], from[1]), zs = from[2], zr = to[2];
    if (surface + bottom > medium->reflections || (bottom && !isfinite(depth)) || fmax(zs, zr) > depth)
        return 0;
    double whole = bottom ? 2 * depth * bottom : 0;
    if (k == 0 && m == 0)
        return fm_medium_straight(medium, from, to, way);
    double down = k == 0 ? whole - zs + zr : k == 1 ? whole - zs - zr : k == 2 ? whole + zs + zr : whole + zs - zr;
    double x = to[0] - from[0], y = to[1] - from[1], length = sqrt(x * x + y * y + down * down);
    double grazing = down / length, turn, launch = k < 2 ? 1 : -1, arrival = k == 0 || k == 2 ? 1 : -1;
    *way = (fm_sound_way){.time = length / medium->speed,
                          .length = length,
                          .out = {x / length, y / length, launch * grazing},
                          .in = {x / length, y / length, arrival * grazing},
                          .speed_out = medium->speed,
                          .speed_in = medium->speed,
                          .surface = surface,
                          .bottom = bottom};
    way->loss = -surface * fm_surface_loss(medium->roughness, frequency, medium->speed, grazing) -
                bottom * fm_bottom_loss(&medium->seabed, medium->speed, grazing, &turn);
    return 1;
}

int fm_medium_way_count(const fm_medium *medium)
{
    int count = medium->ways == FM_WAYS_IMAGES ? 4 * (medium->reflections / 2 + 1) : 1;
    return medium->ways == FM_WAYS_RAYS || count > FM_WAYS_MOST ? FM_WAYS_MOST : count;
}

int fm_medium_way(const fm_medium *medium, int64_t number, const double from[3], const double to[3], double frequency,
                  fm_sound_way *way)
{
    if (medium->ways == FM_WAYS_IMAGES)
        return image_way(medium, (int)number, from, to, frequency, way);
    if (medium->ways == FM_WAYS_RAYS)
        return fm_medium_ray(medium, number, from, to, frequency, way);
    return number == 0 && fm_medium_straight(medium, from, to, way);
}

/* --- obstructions --- */

/* A segment without its ends: objects this close to them (m) do not count. 0: nothing remains. */
static const double margin = 0.1;
typedef struct way_piece {
    double start[1][3], along[1][3]; /* m, NED; unit */
    double range;                    /* m */
} way_piece;

static int cut_piece(const double from[3], const double to[3], way_piece *p)
{
    double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = sqrt(fm_dot(d, d));
    p->range = length - 2 * margin;
    for (int i = 0; i < 3 && p->range > 0; i++) {
        p->along[0][i] = d[i] / length;
        p->start[0][i] = from[i] + margin * p->along[0][i];
    }
    return p->range > 0;
}

static int meets_scene(const fm_environment *e, const way_piece *p)
{
    fm_ray_hit hit;
    fm_rays_cast(e->scene, NULL, 0, 1, (const double(*)[3])p->start, (const double(*)[3])p->along, p->range,
                 FM_RAY_NOBODY, &hit);
    return hit.distance <= p->range;
}

int fm_medium_obstructed(const fm_medium *medium, const double from[3], const double to[3])
{
    way_piece p;
    return medium->water->obstacle_count && cut_piece(from, to, &p) && meets_scene(medium->water, &p);
}

/* Whether a straight segment meets the bottom or an obstacle. */
static int piece_blocked(const fm_medium *medium, const double from[3], const double to[3])
{
    const fm_environment *e = medium->water;
    way_piece p;
    double distance, normal[3];
    if (!cut_piece(from, to, &p))
        return 0;
    int sampled = e->bottom && e->bottom->kind == FM_BOTTOM_SAMPLED;
    if (e->bottom && !sampled && fm_bottom_ray(e->bottom, p.start[0], p.along[0], p.range, &distance, normal))
        return 1;
    return (e->obstacle_count || sampled) && meets_scene(e, &p);
}

int fm_medium_blocked(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way)
{
    if (!medium->occlusion || (!medium->water->bottom && !medium->water->obstacle_count))
        return 0;
    if (medium->ways == FM_WAYS_RAYS)
        return medium->water->obstacle_count && fm_medium_ray_blocked(medium, from, to, way);
    if (way->surface + way->bottom == 0)
        return piece_blocked(medium, from, to);
    double depth = fm_environment_depth(medium->water, from[0], from[1]), at[3], next[3], left = way->length, down;
    memcpy(at, from, sizeof at);
    down = way->out[2];
    for (int i = 0; i < way->surface + way->bottom; i++) { /* from mirror to mirror */
        double part = down > 0 ? (depth - at[2]) / down : -at[2] / down;
        if (!(part >= 0 && part <= left))
            return 0;
        for (int k = 0; k < 3; k++)
            next[k] = at[k] + part * (k == 2 ? down : way->out[k]);
        if (piece_blocked(medium, at, next))
            return 1;
        memcpy(at, next, sizeof at);
        left -= part;
        down = -down;
    }
    return piece_blocked(medium, at, to);
}
