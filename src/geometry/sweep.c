#include "geometry/sweep.h"

#include <string.h>

#include "geometry/gjk.h"

fm_shape fm_sweep_shape(const fm_sweep_side *side, double s)
{
    if (!side->motion)
        return *side->shape;
    double pose[FM_POSE];
    fm_motion_at(side->motion, s, pose);
    return fm_shape_carried(side->shape, pose, pose + 3);
}

/* --- gaps --- */

/* The greatest n·p of a shape. */
static double extent_along(const fm_shape *shape, fm_d3 n)
{
    if (shape->kind == FM_SHAPE_PLANE)
        return fm_d3_dot(n, fm_shape_plane_normal(shape)) > 1 - 1e-12 ? fm_d3_dot(n, fm_d3_of(shape->position))
                                                                      : INFINITY;
    return fm_d3_dot(n, fm_shape_core_support(shape, n)) + fm_shape_margin(shape);
}

double fm_shape_gap(const fm_shape *a, const fm_shape *b, const double normal[3])
{
    fm_d3 n = fm_d3_of(normal);
    return -extent_along(a, fm_d3_scale(n, -1)) - extent_along(b, n);
}

/* Does the foot of a perpendicular on a flat piece fall inside it? */
static bool foot_inside(const fm_shape *flat, fm_d3 n, fm_d3 p)
{
    bool left = true, right = true;
    for (uint32_t i = 0; i < flat->point_count; i++) {
        fm_d3 a = fm_d3_of(flat->points[i]), b = fm_d3_of(flat->points[(i + 1) % flat->point_count]);
        double side = fm_d3_dot(n, fm_d3_cross(fm_d3_sub(b, a), fm_d3_sub(p, a)));
        left = left && side >= 0;
        right = right && side <= 0;
    }
    return left || right;
}

static void along_face(const fm_shape *a, fm_d3 n, double gap, fm_separation *out)
{
    double down[3], point[3];
    fm_d3_store(fm_d3_scale(n, -1), down);
    fm_shape_support(a, down, point);
    out->distance = gap;
    fm_d3_store(n, out->normal);
    memcpy(out->point_a, point, sizeof point);
    fm_d3_store(fm_d3_add_scaled(fm_d3_of(point), -gap, n), out->point_b);
}

/* Over the face of a flat piece its normal is used, at its rim GJK; if they intersect, out through the face, on the
 * side of a's centre (for ground: up). */
static void separation_from_flat(const fm_shape *a, const fm_sweep_side *b, fm_separation *out)
{
    const fm_shape *flat = b->shape;
    fm_d3 n = fm_d3_of(b->face);
    if (!b->ground && fm_d3_dot(n, fm_d3_sub(fm_d3_of(a->position), fm_d3_of(flat->points[0]))) < 0)
        n = fm_d3_scale(n, -1);
    double normal[3], gap;
    fm_d3_store(n, normal);
    gap = fm_shape_gap(a, flat, normal);
    along_face(a, n, gap, out);
    if (gap > 0 && foot_inside(flat, n, fm_d3_of(out->point_a)))
        return;
    fm_gjk_result gjk;
    fm_gjk(a, flat, &gjk);
    if (!(gjk.distance > 0))
        return;
    fm_d3 direct = fm_d3_scale(gjk.difference, 1 / gjk.distance);
    double margin = fm_shape_margin(a);
    out->distance = gjk.distance - margin;
    fm_d3_store(direct, out->normal);
    fm_d3_store(fm_d3_add_scaled(gjk.point_a, -margin, direct), out->point_a);
    fm_d3_store(gjk.point_b, out->point_b);
}

/* Close to round shapes GJK's normal loses digits, and the gap along it is smaller than the distance. Separated along
 * the normal, their nearest points stay the same, and GJK finds them more accurately. Returns the gap along the best
 * normal. */
static double sharpen_normal(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    double gap = fm_shape_gap(a, b, out->normal), clear = 0.1 * fm_shape_bounding_radius(a);
    for (int i = 0; i < 4 && out->distance > 0 && gap < 0.99 * out->distance && b->kind != FM_SHAPE_PLANE; i++) {
        fm_shape moved = *a;
        fm_gjk_result apart;
        double normal[3];
        for (int k = 0; k < 3; k++)
            moved.position[k] += clear * out->normal[k];
        fm_gjk(&moved, b, &apart);
        if (!(apart.distance > 0))
            break;
        fm_d3_store(fm_d3_scale(apart.difference, 1 / apart.distance), normal);
        double better = fm_shape_gap(a, b, normal);
        if (!(better > gap))
            break;
        gap = better;
        memcpy(out->normal, normal, sizeof normal);
    }
    return gap;
}

void fm_sweep_separation(const fm_shape *a, const fm_sweep_side *b, fm_separation *out)
{
    if (b->face)
        separation_from_flat(a, b, out);
    else
        fm_shape_separation(a, b->shape, out);
}

void fm_sweep_gap(const fm_shape *a, const fm_sweep_side *b, fm_separation *out)
{
    fm_sweep_separation(a, b, out);
    if (isfinite(out->distance))
        out->distance = sharpen_normal(a, b->shape, out);
}

/* --- the search --- */

/* Both shapes at one point of their motions. */
typedef struct scene {
    double s;
    bool known;
    fm_shape a, b;
} scene;

enum { SCENES = 3 };          /* that are remembered: start, end and where the search is */
enum { TRIES_MOST = 100000 }; /* of a search; one that needs more ends with a touch at its present place */

typedef struct search {
    const fm_sweep_side *a, *b;
    double touch, lever_a, lever_b;
    scene scenes[SCENES];
    int oldest;
    int tries; /* of strides so far; after TRIES_MOST no stride is worth making */
} search;

static const scene *scene_at(search *p, double s)
{
    for (int i = 0; i < SCENES; i++)
        if (p->scenes[i].known && p->scenes[i].s == s)
            return &p->scenes[i];
    scene *out = &p->scenes[p->oldest];
    p->oldest = (p->oldest + 1) % SCENES;
    out->s = s;
    out->known = true;
    out->a = fm_sweep_shape(p->a, s);
    out->b = fm_sweep_shape(p->b, s);
    return out;
}

static double gap_at(search *p, const double normal[3], double s)
{
    const scene *at = scene_at(p, s);
    return fm_shape_gap(&at->a, &at->b, normal);
}

static double bend_along(const search *p, const double normal[3])
{
    fm_d3 n = fm_d3_of(normal);
    double bend = p->a->motion ? fm_motion_bend(p->a->motion, p->lever_a, n) : 0;
    return p->b->motion ? bend + fm_motion_bend(p->b->motion, p->lever_b, n) : bend;
}

/* What the gap may come down to: `touch`; where it is less already it may not shrink, but for rounding while there is
 * room for that. */
static double least_allowed(double gap, double touch)
{
    return gap > 0.5 * touch ? fmin(touch, fmax(gap - 1e-3 * touch, 0.5 * touch)) : gap;
}

/* Limit within a stride: half of that, so that a motion that ends there, interrupted by others, ends outside. */
static double least_between(double allowed, double touch)
{
    return allowed > 0 ? 0.5 * allowed : allowed - 0.5 * touch;
}

/* Whether the pair is open along one of the axes for the whole motion. */
static bool is_open(search *p, const fm_sweep_axes *axes, double start, double end, double *first_gap)
{
    for (int i = 0; axes && i < axes->count; i++) {
        const double *n = axes->normal[i];
        double before = gap_at(p, n, start);
        if (!(before > 0.5 * p->touch))
            continue;
        double after = gap_at(p, n, end), allowed = least_allowed(before, p->touch);
        double lost = bend_along(p, n) * (end - start) * (end - start);
        *first_gap = before;
        if (after >= allowed && fmin(before, after) - lost >= least_between(allowed, p->touch))
            return true;
    }
    return false;
}

static void keep_axis(fm_sweep_axes *axes, const double normal[3])
{
    if (!axes)
        return;
    int index = axes->count < FM_SWEEP_AXES ? axes->count++ : FM_SWEEP_AXES - 1;
    memcpy(axes->normal[index], normal, sizeof axes->normal[index]);
}

/* The interval from s on, h or less, over which the gap along the normal stays open; 0: none worth making. */
static double open_interval(search *p, const double normal[3], double gap, double s, double h)
{
    double bend = bend_along(p, normal), allowed = least_allowed(gap, p->touch);
    double between = least_between(allowed, p->touch);
    for (int tries = 0; p->tries++ < TRIES_MOST; tries++) {
        double after = gap_at(p, normal, s + h), lost = bend * h * h, least = fmin(gap, after), shorter = h;
        if (after >= allowed && least - lost >= between)
            return h;
        if (after < allowed) {
            if (gap <= 1.05 * p->touch)
                return 0;
            shorter = tries < 8 ? h * (gap - 1.02 * p->touch) / (gap - after) : 0.5 * h;
        }
        double room = 0.98 * (fmax(least, allowed) - between);
        if (lost > room)
            shorter = fmin(shorter, h * sqrt(room / lost));
        h = fmin(shorter, 0.999 * h);
        if (s + h <= s)
            return 0;
    }
    return 0;
}

/* Speeds and accelerations of the points of a side, per unit of s. */
static void add_rates(const fm_sweep_side *side, double lever, double *turn, double *speed, double *curve)
{
    if (!side->motion)
        return;
    double angle = side->motion->angle;
    *turn += angle;
    *speed += fm_d3_norm(fm_d3_of(side->motion->way)) + angle * lever;
    *curve += angle * angle * lever;
}

/* The normal of bodies that rotate relative to each other rotates with them. Let it rotate uniformly from that of s to
 * that of s + h, by φ, and let x be a point about the place of contact: f = n·x has f″ = −φ² f + 2 n′·x′ + n·x″. The
 * first term lifts points of a, for which f ≥ 0, from the chord, and lowers points of b, for which f ≤ 0; the others
 * bend it by at most ⅛ (2 φ h speed + h² curve). Returns a stride like open_interval, if it is longer than `least`. */
static double turning_interval(search *p, const fm_separation *at, double s, double end, double least)
{
    double turn = 0, speed = 0, curve = 0, allowed = least_allowed(at->distance, p->touch);
    add_rates(p->a, p->lever_a, &turn, &speed, &curve);
    add_rates(p->b, p->lever_b, &turn, &speed, &curve);
    if (turn == 0 || p->b->shape->kind == FM_SHAPE_PLANE)
        return 0;
    double h = fmin(end - s, sqrt(3.6 * p->touch / (2 * turn * speed + curve)));
    for (; h > least && h * speed > 1e-3 * p->touch && s + h > s && p->tries++ < TRIES_MOST; h *= 0.5) {
        fm_separation after;
        const scene *there = scene_at(p, s + h);
        fm_sweep_gap(&there->a, &(fm_sweep_side){.shape = &there->b, .face = p->b->face, .ground = p->b->ground},
                     &after);
        double chord = fm_d3_norm(fm_d3_sub(fm_d3_of(after.normal), fm_d3_of(at->normal))), angle = 1.05 * chord;
        double lost = 0.125 * (2 * angle * h * speed + h * h * curve + angle * angle * h * speed);
        if (after.distance < allowed && at->distance <= 1.05 * p->touch)
            return 0;
        if (chord < 0.5 && after.distance >= allowed &&
            fmin(at->distance, after.distance) - lost >= least_between(allowed, p->touch))
            return h;
    }
    return 0;
}

/* The longest stride that one of the axes proves open if the nearest features do not. */
static double stride_along_axes(search *p, const fm_sweep_axes *axes, double s, double h)
{
    double longest = 0;
    for (int i = 0; axes && i < axes->count && longest < h; i++) {
        double gap = gap_at(p, axes->normal[i], s);
        if (gap > 0.5 * p->touch)
            longest = fmax(longest, open_interval(p, axes->normal[i], gap, s, h));
    }
    return longest;
}

bool fm_sweep_touch(const fm_sweep_side *a, const fm_sweep_side *b, double touch, fm_sweep_axes *axes, double start,
                    double end, fm_sweep_result *out)
{
    search p;
    p.a = a;
    p.b = b;
    p.touch = touch;
    p.oldest = p.tries = 0;
    for (int i = 0; i < SCENES; i++)
        p.scenes[i].known = false;
    p.lever_a = a->motion ? fm_motion_lever(a->motion, a->shape) : 0;
    p.lever_b = b->motion ? fm_motion_lever(b->motion, b->shape) : 0;
    out->s = end;
    if (is_open(&p, axes, start, end, &out->first_gap))
        return false;
    for (double s = start; s < end;) {
        const scene *now = scene_at(&p, s);
        fm_sweep_side other = {.shape = &now->b, .face = b->face, .ground = b->ground};
        fm_sweep_gap(&now->a, &other, &out->at);
        if (s == start) {
            out->first_gap = out->at.distance;
            keep_axis(axes, out->at.normal);
        }
        double h = open_interval(&p, out->at.normal, out->at.distance, s, end - s);
        if (h < 0.2 * (end - s))
            h = fmax(h, turning_interval(&p, &out->at, s, end, 2 * h));
        if (h == 0)
            h = stride_along_axes(&p, axes, s, end - s);
        out->s = s;
        if (h == 0)
            return true;
        out->s = s = h >= end - s ? end : s + h;
    }
    return false;
}

void fm_sweep_aabb(const fm_sweep_side *side, double end, fm_aabb *out)
{
    fm_shape shape = fm_sweep_shape(side, 0);
    fm_aabb last;
    fm_shape_aabb(&shape, out);
    if (!side->motion)
        return;
    shape = fm_sweep_shape(side, end);
    fm_shape_aabb(&shape, &last);
    double lever = fm_motion_lever(side->motion, side->shape);
    for (int k = 0; k < 3; k++) {
        double bend = fm_motion_bend(side->motion, lever, (fm_d3){k == 0, k == 1, k == 2}) * end * end;
        out->low[k] = fmin(out->low[k], last.low[k]) - bend;
        out->high[k] = fmax(out->high[k], last.high[k]) + bend;
    }
}
