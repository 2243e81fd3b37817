#include "flow/sources.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "flow/source_block.h"
#include "physics/real.h"

enum { LEVELS = 5, HEADER = 8, MOST_OBSTACLES = 256 };

/* Blocks from coarse to fine; a level serves gaps (in the radius of the nose) down to `gap`. */
typedef struct sphere_level {
    double gap;
    int sources, points;
    double depth;
} sphere_level;

static const sphere_level SPHERE_LEVELS[LEVELS] = {
    {1.6, 60, 140, 0.5}, {0.8, 110, 260, 0.62}, {0.4, 220, 500, 0.7}, {0.28, 400, 920, 0.78}, {0.0, 640, 1440, 0.83}};
static const double CYLINDER_GAPS[LEVELS] = {1.6, 0.8, 0.4, 0.28, 0.04}; /* smallest gap served, in nose radii */

static const double CUT = 1e-4;           /* relative to the speed: smaller effects are left out */
static const double REFERENCE_CARE = 30;  /* the reference mode leaves out that many times less */
static const double REFERENCE_REACH = 60; /* nose radii */
static const double LIVE_TOLERANCE = 1e-4, REFERENCE_TOLERANCE = 1e-6; /* of the speed */
static const double FAR = 5; /* radii beyond which a sphere acts through its moments */

typedef struct cylinder_family {
    double radius;
    fm_source_block level[LEVELS];
} cylinder_family;

typedef struct obstacle {
    fm_flow_obstacle shape;
    int family;  /* of cylinders */
    double room; /* m, gap to the nearest wall or other obstacle */
} obstacle;

struct fm_sources {
    fm_arena arena;
    double radius;
    int reference, levels;
    fm_flow_plane *walls;
    int wall_count;
    obstacle *obstacles;
    int obstacle_count;
    fm_image_lattice lattice;
    fm_source_block sphere[LEVELS];
    cylinder_family *families;
    int family_count;
    int most_sources, most_points;
};

/* A body as it stands now. */
typedef struct body {
    const fm_source_block *block;
    double *q;
    double origin[3], axes[9]; /* world; rows of axes are the local x, y, z */
    double radius;
    int is_sphere;
    double weight;      /* 0 … 1: fading of negligible bodies */
    double distance;    /* m, from the nose's centre to the origin */
    fm_moments own;     /* of the nose: the dipole of its motion, exact; the sources only answer the others */
    fm_moments moments; /* of own and sources together */
} body;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double apart(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

/* ---- geometry ---- */

/* From a point to the nearest point of an obstacle's centre or axis: `away` points from the obstacle, returns length.
 */
static double offset_from(const fm_flow_obstacle *o, const double x[3], double away[3])
{
    for (int k = 0; k < 3; k++)
        away[k] = x[k] - o->centre[k];
    if (o->kind == FM_OBSTACLE_CYLINDER) {
        double along = dot(away, o->axis);
        for (int k = 0; k < 3; k++)
            away[k] -= along * o->axis[k];
    }
    return sqrt(dot(away, away));
}

static double wall_distance(const fm_flow_plane *wall, const double x[3])
{
    double d[3] = {x[0] - wall->point[0], x[1] - wall->point[1], x[2] - wall->point[2]};
    return dot(d, wall->normal);
}

double fm_sources_gap(const fm_sources *s, const double centre[3])
{
    double gap = 1e300, away[3];
    for (int i = 0; i < s->wall_count; i++)
        gap = fmin(gap, wall_distance(&s->walls[i], centre) - s->radius);
    for (int i = 0; i < s->obstacle_count; i++) {
        const fm_flow_obstacle *o = &s->obstacles[i].shape;
        gap = fmin(gap, offset_from(o, centre, away) - o->radius - s->radius);
    }
    return gap;
}

/* Moves the centre so that it keeps the smallest gap to everything, as far as three rounds can; returns 1 if it moved.
 */
static int keep_clear(const fm_sources *s, const double wanted[3], double centre[3])
{
    double least = s->radius * (1 + FM_SOURCES_GAP_MIN), away[3];
    int moved = 0;
    for (int k = 0; k < 3; k++)
        centre[k] = isfinite(wanted[k]) ? fmax(fmin(wanted[k], 1e9), -1e9) : 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < s->obstacle_count; i++) {
            const fm_flow_obstacle *o = &s->obstacles[i].shape;
            double length = offset_from(o, centre, away), missing = least + o->radius - length;
            for (int k = 0; k < 3 && missing > 0; k++)
                centre[k] += length > 1e-9 ? away[k] / length * missing : (k == 0) * missing;
            moved |= missing > 0;
        }
        for (int i = 0; i < s->wall_count; i++) {
            double missing = least - wall_distance(&s->walls[i], centre);
            for (int k = 0; k < 3 && missing > 0; k++)
                centre[k] += s->walls[i].normal[k] * missing;
            moved |= missing > 0;
        }
    }
    return moved;
}

/* ---- creation ---- */

static fm_status check_obstacle(const fm_flow_obstacle *o, int index, fm_error *error)
{
    double size = sqrt(dot(o->axis, o->axis));
    if (!(o->radius > 0) || !isfinite(o->radius) || !isfinite(dot(o->centre, o->centre)))
        return fm_fail(error, FM_ERR_RANGE, "obstacle %d: radius %g m: must be above 0, with a finite centre", index,
                       o->radius);
    if (o->kind == FM_OBSTACLE_CYLINDER && !(fabs(size - 1) < 1e-6))
        return fm_fail(error, FM_ERR_RANGE, "obstacle %d: axis of length %g: must be a unit vector", index, size);
    return FM_OK;
}

/* Gap between obstacles; only parallel cylinders are supported as neighbours (others would intersect or be skew). */
static double obstacle_gap(const fm_flow_obstacle *a, const fm_flow_obstacle *b)
{
    double away[3], length = offset_from(a, b->centre, away);
    if (b->kind == FM_OBSTACLE_CYLINDER && a->kind == FM_OBSTACLE_CYLINDER) {
        double n[3] = {a->axis[1] * b->axis[2] - a->axis[2] * b->axis[1],
                       a->axis[2] * b->axis[0] - a->axis[0] * b->axis[2],
                       a->axis[0] * b->axis[1] - a->axis[1] * b->axis[0]};
        double sine = sqrt(dot(n, n));
        if (sine > 1e-9)
            length = fabs(dot(away, n)) / sine;
    } else if (b->kind == FM_OBSTACLE_CYLINDER) {
        length = offset_from(b, a->centre, away);
    }
    return length - a->radius - b->radius;
}

static fm_status measure_room(const fm_sources *s, int index, double *room, fm_error *error)
{
    const fm_flow_obstacle *o = &s->obstacles[index].shape;
    *room = 1e300;
    for (int i = 0; i < s->wall_count; i++) {
        double cosine = o->kind == FM_OBSTACLE_CYLINDER ? fabs(dot(o->axis, s->walls[i].normal)) : 0;
        if (cosine > 1 - 1e-9)
            continue; /* a column that stands on the wall */
        if (cosine > 1e-6)
            return fm_fail(error, FM_ERR_MODEL,
                           "obstacle %d: its axis is oblique to wall %d: must be along or across it", index + 1, i + 1);
        *room = fmin(*room, wall_distance(&s->walls[i], o->centre) - o->radius);
    }
    for (int i = 0; i < s->obstacle_count; i++)
        if (i != index)
            *room = fmin(*room, obstacle_gap(o, &s->obstacles[i].shape));
    if (!(*room > 0))
        return fm_fail(error, FM_ERR_MODEL, "obstacle %d overlaps a wall or another obstacle by %g m: must be a gap",
                       index + 1, -*room);
    return FM_OK;
}

static fm_status copy_options(fm_sources *s, const fm_sources_options *c, fm_error *error)
{
    if (!(c->radius > 0) || !isfinite(c->radius))
        return fm_fail(error, FM_ERR_RANGE, "flow: nose radius %g m: must be above 0", c->radius);
    if (c->obstacle_count < 0 || c->obstacle_count > MOST_OBSTACLES || c->wall_count < 0 || c->wall_count > 6)
        return fm_fail(error, FM_ERR_RANGE, "flow: %d obstacles, %d walls: must be up to %d and 6", c->obstacle_count,
                       c->wall_count, (int)MOST_OBSTACLES);
    s->radius = c->radius, s->reference = c->reference, s->levels = c->reference ? 1 : LEVELS;
    s->wall_count = c->wall_count, s->obstacle_count = c->obstacle_count;
    s->walls = fm_arena_alloc(&s->arena, (size_t)(c->wall_count + 1) * sizeof *s->walls);
    s->obstacles = fm_arena_alloc(&s->arena, (size_t)(c->obstacle_count + 1) * sizeof *s->obstacles);
    s->families = fm_arena_alloc(&s->arena, (size_t)(c->obstacle_count + 1) * sizeof *s->families);
    if (!s->walls || !s->obstacles || !s->families)
        return fm_fail(error, FM_ERR_MEMORY, "flow: no memory for %d obstacles", c->obstacle_count);
    for (int i = 0; i < c->wall_count; i++)
        s->walls[i] = c->walls[i];
    fm_status status = FM_OK;
    for (int i = 0; status == FM_OK && i < c->obstacle_count; i++) {
        s->obstacles[i].shape = c->obstacles[i];
        status = check_obstacle(&c->obstacles[i], i + 1, error);
    }
    for (int i = 0; status == FM_OK && i < c->obstacle_count; i++)
        status = measure_room(s, i, &s->obstacles[i].room, error);
    return status;
}

static void note_size(fm_sources *s, const fm_source_block *b)
{
    s->most_sources = b->sources > s->most_sources ? b->sources : s->most_sources;
    s->most_points = b->padded > s->most_points ? b->padded : s->most_points;
}

static fm_status make_spheres(fm_sources *s, fm_error *error)
{
    fm_status status = FM_OK;
    for (int i = 0; status == FM_OK && i < s->levels; i++) {
        sphere_level level = s->reference ? (sphere_level){0, 600, 1500, 0.8} : SPHERE_LEVELS[i];
        status = fm_sphere_block(level.sources, level.points, level.depth, &s->arena, &s->sphere[i], error);
        note_size(s, &s->sphere[i]);
    }
    return status;
}

static int clamp_int(double x, int low, int high)
{
    return x < low ? low : x > high ? high : (int)ceil(x);
}

/* Crowding of azimuths towards the nose: none around a cylinder that is slim against its distance. */
static double crowd(double gap, double nose)
{
    return fmin(fmax(1 - (gap + nose) / 2, 0), 0.75);
}

/* The grid for gaps down to `gap` [m], in units of the cylinder's radius. Sources sit no deeper than the images of
 * what they answer to, and their spacing follows their depth. */
static fm_cylinder_grid live_grid(double gap, double nose, double radius)
{
    double g = gap / radius, a = nose / radius;
    double below = fmin(0.4, 0.8 * (g + 0.25 * a)), spacing = 0.9 * below;
    double reach = fmax(4 * (g + a), 3);
    double bunching = crowd(g, a);
    double around = 2 * 3.14159265358979 * (1 - bunching) / spacing;
    fm_cylinder_grid grid = {.depth = 1 - below, .spacing = spacing, .reach = reach, .bunching = bunching};
    grid.around = clamp_int(around, 10, 36);
    /* sinh spacing: the number of steps grows with the logarithm of the reach */
    double steps = reach / (3 * spacing);
    grid.along = clamp_int(8 * fm_log(steps + sqrt(steps * steps + 1)), 8, 36);
    grid.points_around = grid.around + grid.around / 2;
    grid.points_along = grid.along + grid.along / 2;
    return grid;
}

static fm_cylinder_grid reference_grid(double gap, double nose, double radius)
{
    double g = gap / radius, a = nose / radius;
    return (fm_cylinder_grid){.around = 16,
                              .along = 60,
                              .points_around = 24,
                              .points_along = 90,
                              .depth = 0.6,
                              .bunching = crowd(g, a),
                              .spacing = 0.2 * (g + 0.3),
                              .reach = 8 * a};
}

static fm_status make_family(fm_sources *s, double radius, double reference_gap, fm_error *error)
{
    cylinder_family *f = &s->families[s->family_count++];
    fm_status status = FM_OK;
    f->radius = radius;
    for (int i = 0; status == FM_OK && i < s->levels; i++) {
        fm_cylinder_grid grid = s->reference ? reference_grid(reference_gap, s->radius, radius)
                                             : live_grid(CYLINDER_GAPS[i] * s->radius, s->radius, radius);
        status = fm_cylinder_block(&grid, &s->arena, &f->level[i], error);
        note_size(s, &f->level[i]);
    }
    return status;
}

static fm_status make_families(fm_sources *s, double reference_gap, fm_error *error)
{
    fm_status status = FM_OK;
    double gap = reference_gap > 0 ? reference_gap : 0.1 * s->radius;
    for (int i = 0; status == FM_OK && i < s->obstacle_count; i++) {
        obstacle *o = &s->obstacles[i];
        if (o->shape.kind != FM_OBSTACLE_CYLINDER)
            continue;
        o->family = -1;
        for (int f = 0; f < s->family_count; f++)
            if (s->families[f].radius == o->shape.radius)
                o->family = f;
        if (o->family < 0) {
            o->family = s->family_count;
            status = make_family(s, o->shape.radius, gap, error);
        }
    }
    return status;
}

fm_status fm_sources_create(const fm_sources_options *options, fm_sources **out, fm_error *error)
{
    *out = NULL;
    fm_sources *s = fm_alloc(sizeof *s);
    if (!s)
        return fm_fail(error, FM_ERR_MEMORY, "flow: no memory");
    fm_status status = copy_options(s, options, error);
    double reach = options->radius * (options->reference ? REFERENCE_REACH : fm_pow(1.5 / CUT, 1.0 / 3));
    if (status == FM_OK)
        status = fm_image_lattice_make(s->walls, s->wall_count, reach, &s->arena, &s->lattice, error);
    if (status == FM_OK)
        status = make_spheres(s, error);
    if (status == FM_OK)
        status = make_families(s, options->reference_gap, error);
    if (status != FM_OK) {
        fm_sources_free(s);
        return status;
    }
    *out = s;
    return FM_OK;
}

void fm_sources_free(fm_sources *s)
{
    if (s)
        fm_arena_free(&s->arena);
    fm_free(s);
}

/* ---- state ----
 * For each body a header (level + 1, origin, local x axis or the nose's velocity, weight) and its strengths; then the
 * normal velocity that fell on the nose. */

static size_t body_stride(const fm_sources *s)
{
    return HEADER + (size_t)s->most_sources;
}

size_t fm_sources_state_count(const fm_sources *s)
{
    return (size_t)(s->obstacle_count + 1) * body_stride(s) + (size_t)s->most_points;
}

size_t fm_sources_scratch_count(const fm_sources *s)
{
    return 2 * (size_t)s->most_points;
}

void fm_sources_reset(const fm_sources *s, double *state)
{
    memset(state, 0, fm_sources_state_count(s) * sizeof *state);
}

static double *incident_of(const fm_sources *s, double *state)
{
    return state + (size_t)(s->obstacle_count + 1) * body_stride(s);
}

static void set_axes(body *b, const double x[3], const double z[3])
{
    for (int k = 0; k < 3; k++) {
        b->axes[k] = x[k];
        b->axes[6 + k] = z[k];
        b->axes[3 + k] = z[(k + 1) % 3] * x[(k + 2) % 3] - z[(k + 2) % 3] * x[(k + 1) % 3];
    }
}

/* A body from the state's header; index 0 is the nose. */
static void read_body(const fm_sources *s, const double *state, int index, const double nose[3], body *b)
{
    const double *header = state + (size_t)index * body_stride(s);
    int level = (int)header[0] - 1;
    level = level < 0 ? 0 : level;
    const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    memset(b, 0, sizeof *b);
    memcpy(b->origin, header + 1, sizeof b->origin);
    b->weight = header[7];
    const fm_flow_obstacle *o = index > 0 ? &s->obstacles[index - 1].shape : NULL;
    b->is_sphere = !o || o->kind == FM_OBSTACLE_SPHERE;
    b->radius = o ? o->radius : s->radius;
    b->distance = apart(b->origin, nose);
    if (b->is_sphere)
        set_axes(b, x, z);
    else
        set_axes(b, header + 4, o->axis);
    for (int k = 0; k < 3 && !o; k++)
        b->own.p[k] = 0.5 * header[4 + k];
    b->block = b->is_sphere ? &s->sphere[level] : &s->families[s->obstacles[index - 1].family].level[level];
}

/* ---- what matters ---- */

static double fade_between(double effect)
{
    double t = (effect - CUT) / CUT; /* 0 at the cut, 1 at twice the cut */
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

static double cube(double x)
{
    return x * x * x;
}

/* Response of a body at distance d, as a fraction of the incident flow. */
static double answer(const body *b, double d)
{
    double ratio = fmin(b->radius / fmax(d, 1e-9), 1);
    return b->is_sphere ? ratio * ratio * ratio : ratio * ratio;
}

/* Estimated effect on the nose, over the speed, of the field of `from` (through an image) on `to`. */
static double pair_effect(const fm_sources *s, const body *from, const body *to, const double image_origin[3])
{
    double d = apart(image_origin, to->origin), nose = s->radius;
    double emitted = from->distance == 0 ? cube(nose / fmax(d - (to->distance > 0 ? to->radius : 0), nose))
                                         : cube(nose / from->distance) * answer(from, d) * 2;
    return 1.5 * emitted * (to->distance == 0 ? 1 : answer(to, to->distance));
}

static double obstacle_effect(const fm_sources *s, const body *b)
{
    double wall = cube(s->radius / (2 * fmax(b->distance - b->radius, s->radius))) * 2;
    return fmin(wall, 3 * cube(s->radius / b->distance) * answer(b, b->distance));
}

/* ---- influence of one body on another ---- */

/* From local coordinates of `to` to those of `from`, seen through the image. */
static void place_pair(const body *from, const body *to, const fm_image *image, fm_source_pose *p)
{
    double there[3], column[3], scale = to->radius / from->radius;
    fm_image_unmap(image, to->origin, there);
    for (int k = 0; k < 3; k++)
        there[k] -= from->origin[k];
    for (int i = 0; i < 3; i++)
        p->t[i] = dot(from->axes + 3 * (size_t)i, there) / from->radius;
    for (int j = 0; j < 3; j++) {
        const double *axis = to->axes + 3 * (size_t)j;
        for (int k = 0; k < 3; k++)
            column[k] = image->g[k] * axis[0] + image->g[3 + k] * axis[1] + image->g[6 + k] * axis[2];
        for (int i = 0; i < 3; i++) {
            p->turn[3 * i + j] = dot(from->axes + 3 * (size_t)i, column);
            p->m[3 * i + j] = scale * p->turn[3 * i + j];
        }
    }
}

static double image_weight(const fm_sources *s, const body *from, const body *to, const fm_image *image, double *d)
{
    double origin[3];
    fm_image_map(image, from->origin, origin);
    *d = apart(origin, to->origin);
    return fade_between((s->reference ? REFERENCE_CARE : 1) * pair_effect(s, from, to, origin));
}

/* out += normal velocity on `to` from `from` and all its images; `self`: without the identity. */
static void add_influence(const fm_sources *s, const body *from, const body *to, int self, double *out)
{
    for (int i = self ? 1 : 0; i < s->lattice.count; i++) {
        double distance, weight = image_weight(s, from, to, &s->lattice.images[i], &distance);
        if (weight * from->weight <= 0)
            continue;
        fm_source_pose p;
        place_pair(from, to, &s->lattice.images[i], &p);
        int far = from->is_sphere && (distance - to->radius) > FAR * from->radius;
        if (far || from->distance == 0)
            fm_moments_flux(far ? &from->moments : &from->own, &p, to->block, weight * from->weight, out);
        if (!far)
            fm_block_flux(from->block, from->q, &p, to->block, weight * from->weight, out);
    }
}

static void sum_moments(body *b)
{
    if (!b->is_sphere)
        return;
    fm_block_moments(b->block, b->q, &b->moments);
    for (int k = 0; k < 3; k++)
        b->moments.p[k] += b->own.p[k];
}

static void settle(body *b, const double *wanted)
{
    fm_block_strengths(b->block, wanted, b->q);
    sum_moments(b);
}

/* ---- a step ---- */

static int pick_level(const fm_sources *s, double gap_in_nose_radii)
{
    int level = 0;
    while (level + 1 < s->levels && gap_in_nose_radii < SPHERE_LEVELS[level].gap)
        level++;
    return level;
}

/* Writes a header; strengths are forgotten when the block changes. */
static void write_header(const fm_sources *s, double *header, int level, const double origin[3], const double x[3],
                         double weight)
{
    if ((int)header[0] != level + 1)
        memset(header + HEADER, 0, (size_t)s->most_sources * sizeof *header);
    header[0] = level + 1;
    memcpy(header + 1, origin, 3 * sizeof *header);
    memcpy(header + 4, x, 3 * sizeof *header);
    header[7] = weight;
}

/* Places an obstacle's block opposite the nose; a cylinder's slides along and turns about its axis. */
static void place_obstacle(const fm_sources *s, int index, const double nose[3], double *state)
{
    const obstacle *o = &s->obstacles[index];
    double away[3], origin[3], length = offset_from(&o->shape, nose, away), x[3] = {1, 0, 0};
    for (int k = 0; k < 3; k++)
        origin[k] = o->shape.kind == FM_OBSTACLE_SPHERE ? o->shape.centre[k] : nose[k] - away[k];
    for (int k = 0; k < 3 && o->shape.kind == FM_OBSTACLE_CYLINDER; k++)
        x[k] = away[k] / fmax(length, 1e-9);
    double gap = length - o->shape.radius - s->radius, unit = s->radius;
    if (o->shape.kind == FM_OBSTACLE_SPHERE)
        unit = o->shape.radius;
    int level = pick_level(s, fmin(gap, fmax(o->room, 0.5 * gap)) / unit);
    double *header = state + (size_t)(index + 1) * body_stride(s);
    body probe = {.radius = o->shape.radius, .is_sphere = o->shape.kind == FM_OBSTACLE_SPHERE, .distance = length};
    write_header(s, header, level, origin, x, s->reference ? 1 : fade_between(obstacle_effect(s, &probe)));
}

static void read_bodies(const fm_sources *s, double *state, body *bodies)
{
    for (int i = 0; i <= s->obstacle_count; i++) {
        read_body(s, state, i, state + 1, &bodies[i]);
        bodies[i].q = state + (size_t)i * body_stride(s) + HEADER;
        sum_moments(&bodies[i]);
    }
}

/* Every active obstacle cancels the normal velocity of the others at its surface. */
static void settle_obstacles(const fm_sources *s, body *bodies, double *flux)
{
    for (int i = 1; i <= s->obstacle_count; i++) {
        if (bodies[i].weight <= 0)
            continue;
        memset(flux, 0, (size_t)bodies[i].block->padded * sizeof *flux);
        for (int j = 0; j <= s->obstacle_count; j++)
            if (bodies[j].weight > 0)
                add_influence(s, &bodies[j], &bodies[i], i == j, flux);
        for (int n = 0; n < bodies[i].block->points; n++)
            flux[n] = -flux[n];
        settle(&bodies[i], flux);
    }
}

/* The nose cancels its incident normal velocity; returns the largest change of that [m/s]. */
static double settle_nose(const fm_sources *s, body *bodies, double *incident, double *flux, double *wanted)
{
    body *nose = &bodies[0];
    const fm_source_block *b = nose->block;
    double change = 0;
    memset(flux, 0, (size_t)b->padded * sizeof *flux);
    for (int j = 0; j <= s->obstacle_count; j++)
        if (bodies[j].weight > 0)
            add_influence(s, &bodies[j], nose, j == 0, flux);
    for (int n = 0; n < b->points; n++) {
        change = fmax(change, fabs(flux[n] - incident[n]));
        incident[n] = flux[n];
        wanted[n] = -flux[n];
    }
    settle(nose, wanted);
    return change;
}

fm_sources_report fm_sources_solve(const fm_sources *s, const double centre[3], const double velocity[3], double *state,
                                   double *scratch)
{
    fm_sources_report report = {0};
    body bodies[MOST_OBSTACLES + 1];
    double nose[3], *flux = scratch, *wanted = scratch + s->most_points;
    double *incident = incident_of(s, state), speed = sqrt(dot(velocity, velocity));
    double tolerance = s->reference ? REFERENCE_TOLERANCE : LIVE_TOLERANCE;
    report.clamped = keep_clear(s, centre, nose);
    int level = pick_level(s, fm_sources_gap(s, nose) / s->radius), cold = (int)state[0] != level + 1;
    write_header(s, state, level, nose, velocity, 1);
    for (int i = 0; i < s->obstacle_count; i++)
        place_obstacle(s, i, nose, state);
    read_bodies(s, state, bodies);
    for (int i = 1; i <= s->obstacle_count; i++)
        report.active += bodies[i].weight > 0;
    if (cold) /* a first guess: from the obstacles' previous solution */
        settle_nose(s, bodies, incident, flux, wanted);
    int most = s->reference ? 60 : 15;
    do {
        settle_obstacles(s, bodies, flux);
        report.change = settle_nose(s, bodies, incident, flux, wanted) / fmax(speed, 1e-9);
        report.iterations++;
    } while (report.change > tolerance && report.iterations < most);
    return report;
}

/* ---- reading the flow ---- */

static void add_point_velocity(const fm_sources *s, const body *from, const body *nose, const double x[3], double v[3])
{
    for (int i = 0; i < s->lattice.count; i++) {
        const fm_image *image = &s->lattice.images[i];
        double distance, there[3], local[3], found[3], weight = image_weight(s, from, nose, image, &distance);
        weight = (from == nose && i == 0) ? 1 : weight * from->weight;
        if (weight <= 0)
            continue;
        fm_image_unmap(image, x, there);
        for (int k = 0; k < 3; k++)
            there[k] -= from->origin[k];
        for (int k = 0; k < 3; k++)
            local[k] = dot(from->axes + 3 * (size_t)k, there) / from->radius;
        int far = from->is_sphere && sqrt(dot(local, local)) > FAR;
        fm_moments_velocity(far ? &from->moments : &from->own, local, there);
        fm_block_velocity(from->block, from->q, local, found);
        for (int k = 0; k < 3; k++)
            found[k] = far ? there[k] : found[k] + there[k];
        for (int k = 0; k < 3; k++)
            there[k] = from->axes[k] * found[0] + from->axes[3 + k] * found[1] + from->axes[6 + k] * found[2];
        for (int k = 0; k < 3; k++)
            v[k] += weight * dot(image->g + 3 * (size_t)k, there);
    }
}

static void load_body(const fm_sources *s, const double *state, int index, body *b)
{
    read_body(s, state, index, state + 1, b);
    b->q = (double *)(state + (size_t)index * body_stride(s) + HEADER); /* read only here */
    sum_moments(b);
}

void fm_sources_velocity(const fm_sources *s, const double *state, int count, const double (*x)[3], double (*v)[3])
{
    body nose, other;
    load_body(s, state, 0, &nose);
    memset(v, 0, (size_t)count * sizeof *v);
    for (int i = 0; i <= s->obstacle_count; i++) {
        if (i > 0)
            load_body(s, state, i, &other);
        if (i > 0 && other.weight <= 0)
            continue;
        for (int n = 0; n < count; n++)
            add_point_velocity(s, i == 0 ? &nose : &other, &nose, x[n], v[n]);
    }
}

void fm_sources_surface(const fm_sources *s, const double *state, int count, const double (*u)[3], double (*v)[3])
{
    enum { PORTION = 32 };
    double x[PORTION][3];
    for (int first = 0; first < count; first += PORTION) {
        int portion = count - first < PORTION ? count - first : PORTION;
        for (int n = 0; n < portion; n++)
            for (int k = 0; k < 3; k++)
                x[n][k] = state[1 + k] + s->radius * u[first + n][k];
        fm_sources_velocity(s, state, portion, (const double(*)[3])x, v + first);
    }
}
