/* Where a ray enters and leaves a solid. Every solid here is convex, so that the ray inside it is one span; the spans
 * of slabs, cylinders and spheres are intersected or joined. A span needs enter ≤ leave: a tangent ray has a span of
 * no length. Formulas: docs/theory/geometry.md, "Rays". */
#include "geometry/gjk.h"
#include "geometry/shape.h"

/* Sphere about c: with t0 the parameter of closest approach q, t = t0 ± √(r² − |q|²). Taking q first keeps the digits
 * of a distant origin out of the square root. */
static bool sphere_span(fm_d3 o, fm_d3 d, double radius, fm_ray_span *span)
{
    double t0 = -fm_d3_dot(o, d) / fm_d3_dot(d, d);
    fm_d3 q = fm_d3_add_scaled(o, t0, d);
    t0 -= fm_d3_dot(q, d) / fm_d3_dot(d, d); /* once more: q is not exactly perpendicular to d */
    q = fm_d3_add_scaled(o, t0, d);
    double h = (radius * radius - fm_d3_dot(q, q)) / fm_d3_dot(d, d);
    if (!(h >= 0))
        return false;
    h = sqrt(h);
    span->enter = t0 - h;
    span->leave = t0 + h;
    span->normal = fm_d3_scale(fm_d3_add_scaled(q, -h, d), 1 / radius);
    return true;
}

/* |p_i| ≤ half along local axis i */
static bool slab_span(double o, double d, double half, int axis, fm_ray_span *span)
{
    if (d == 0) {
        *span = (fm_ray_span){-INFINITY, INFINITY, {0, 0, 0}};
        return fabs(o) <= half;
    }
    double normal[3] = {0, 0, 0};
    normal[axis] = d > 0 ? -1 : 1;
    span->enter = ((d > 0 ? -half : half) - o) / d;
    span->leave = ((d > 0 ? half : -half) - o) / d;
    span->normal = fm_d3_of(normal);
    return true;
}

static bool intersect_spans(const fm_ray_span *other, fm_ray_span *span)
{
    if (other->enter > span->enter) {
        span->enter = other->enter;
        span->normal = other->normal;
    }
    if (other->leave < span->leave)
        span->leave = other->leave;
    return span->enter <= span->leave;
}

/* The convex hull of two overlapping spans of one convex body. */
static void join_spans(const fm_ray_span *other, fm_ray_span *span)
{
    if (other->enter < span->enter) {
        span->enter = other->enter;
        span->normal = other->normal;
    }
    if (other->leave > span->leave)
        span->leave = other->leave;
}

static bool box_span(const double half[3], fm_d3 origin, fm_d3 direction, fm_ray_span *span)
{
    double o[3], d[3];
    fm_d3_store(origin, o);
    fm_d3_store(direction, d);
    *span = (fm_ray_span){-INFINITY, INFINITY, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        fm_ray_span slab;
        if (!slab_span(o[i], d[i], half[i], i, &slab) || !intersect_spans(&slab, span))
            return false;
    }
    return true;
}

/* The finite cylinder |p_axis| ≤ half, radius r: the span of the infinite one (a circle across the axis) and a slab. */
static bool cylinder_span(double radius, double half, int axis, fm_d3 origin, fm_d3 direction, fm_ray_span *span)
{
    double o[3], d[3];
    fm_d3_store(origin, o);
    fm_d3_store(direction, d);
    double along = o[axis], rate = d[axis];
    o[axis] = d[axis] = 0;
    fm_d3 across = fm_d3_of(d);
    if (fm_d3_dot(across, across) > 0) {
        if (!sphere_span(fm_d3_of(o), across, radius, span))
            return false;
    } else {
        if (fm_d3_norm(fm_d3_of(o)) > radius)
            return false;
        *span = (fm_ray_span){-INFINITY, INFINITY, {0, 0, 0}};
    }
    fm_ray_span slab;
    return slab_span(along, rate, half, axis, &slab) && intersect_spans(&slab, span);
}

static bool capsule_span(const fm_shape *shape, fm_d3 o, fm_d3 d, fm_ray_span *span)
{
    double radius = shape->size[0], half = shape->size[1];
    bool found = cylinder_span(radius, half, shape->axis, o, d, span);
    for (int end = -1; end <= 1; end += 2) {
        double c[3] = {0, 0, 0};
        c[shape->axis] = end * half;
        fm_ray_span cap;
        if (!sphere_span(fm_d3_sub(o, fm_d3_of(c)), d, radius, &cap))
            continue;
        if (found)
            join_spans(&cap, span);
        else
            *span = cap;
        found = true;
    }
    return found;
}

/* In the frame scaled by the semi-axes the ellipsoid is a unit sphere; t keeps its meaning, the normal scales back. */
static bool ellipsoid_span(const double s[3], fm_d3 o, fm_d3 d, fm_ray_span *span)
{
    fm_d3 os = {o.x / s[0], o.y / s[1], o.z / s[2]}, ds = {d.x / s[0], d.y / s[1], d.z / s[2]};
    if (!sphere_span(os, ds, 1, span))
        return false;
    fm_d3 n = {span->normal.x / s[0], span->normal.y / s[1], span->normal.z / s[2]};
    span->normal = fm_d3_unit(n, (fm_d3){0, 0, 0});
    return true;
}

static bool plane_span(fm_d3 o, fm_d3 d, fm_ray_span *span)
{
    *span = (fm_ray_span){-INFINITY, INFINITY, {0, 0, -1}};
    if (d.z == 0)
        return o.z >= 0;
    if (d.z > 0)
        span->enter = -o.z / d.z;
    else
        span->leave = -o.z / d.z;
    return true;
}

/* Advances from outside, each time to the plane through the closest point of the hull, which the hull is entirely
 * below. Ends on a facet after a few steps; converged when the gap is below 1e-13 of the reach. */
static bool hull_advance(const fm_shape *hull, fm_d3 start, fm_d3 d, double reach, double *t, fm_d3 *normal)
{
    fm_shape point = fm_shape_sphere(0);
    *t = 0;
    for (int i = 0; i < 200; i++) {
        fm_d3_store(fm_d3_add_scaled(start, *t, d), point.position);
        fm_gjk_result gap;
        fm_gjk(&point, hull, &gap);
        if (gap.distance <= 1e-13 * reach)
            return true;
        fm_d3 n = fm_d3_scale(gap.difference, 1 / gap.distance);
        double approach = -fm_d3_dot(n, d);
        if (approach <= 0 || *t > 2 * reach)
            return false;
        double step = gap.distance / approach;
        *t += step;
        *normal = n;
        if (step <= 1e-15 * reach)
            return true;
    }
    return true;
}

static bool hull_span(const fm_shape *shape, fm_d3 o, fm_d3 d, fm_ray_span *span)
{
    fm_shape local = fm_shape_hull(shape->points, shape->point_count);
    double near = -fm_d3_dot(o, d), reach = 2 * local.size[0], t;
    fm_d3 middle = fm_d3_add_scaled(o, near, d), back = fm_d3_scale(d, -1), unused = {0, 0, 0};
    if (fm_d3_norm(middle) > local.size[0])
        return false;
    span->normal = back;
    if (!hull_advance(&local, fm_d3_add_scaled(middle, -reach, d), d, reach, &t, &span->normal))
        return false;
    span->enter = near - reach + t;
    if (!hull_advance(&local, fm_d3_add_scaled(middle, reach, d), back, reach, &t, &unused))
        return false;
    span->leave = fmax(near + reach - t, span->enter);
    return true;
}

bool fm_shape_ray(const fm_shape *shape, const double origin[3], const double direction[3], fm_ray_span *span)
{
    fm_d3 o = fm_d3_sub(fm_d3_of(origin), fm_d3_of(shape->position)), d = fm_d3_of(direction);
    if (shape->kind == FM_SHAPE_SPHERE)
        return sphere_span(o, d, shape->size[0], span);
    o = fm_d3_rotate_back(shape->rotation, o);
    d = fm_d3_rotate_back(shape->rotation, d);
    bool hit = false;
    switch (shape->kind) {
    case FM_SHAPE_BOX: hit = box_span(shape->size, o, d, span); break;
    case FM_SHAPE_CYLINDER: hit = cylinder_span(shape->size[0], shape->size[1], shape->axis, o, d, span); break;
    case FM_SHAPE_CAPSULE: hit = capsule_span(shape, o, d, span); break;
    case FM_SHAPE_ELLIPSOID: hit = ellipsoid_span(shape->size, o, d, span); break;
    case FM_SHAPE_HULL: hit = hull_span(shape, o, d, span); break;
    case FM_SHAPE_PLANE: hit = plane_span(o, d, span); break;
    default: break;
    }
    if (hit)
        span->normal = fm_d3_rotate(shape->rotation, span->normal);
    return hit;
}

bool fm_shape_contains(const fm_shape *shape, const double point[3])
{
    fm_ray_span span;
    const double east[3] = {0, 1, 0};
    return fm_shape_ray(shape, point, east, &span) && span.enter < 0 && span.leave > 0;
}
