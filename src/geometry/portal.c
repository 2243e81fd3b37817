/* Minkowski portal refinement: the origin lies in the set {p_b − p_a} of two overlapping shapes. A ray from the set's
 * middle v0 through the origin leaves it by a triangle of support points, the portal, which is moved outwards until it
 * lies on the surface. Its normal is a way out, and the origin's weights among the four points give a common point. */
#include "geometry/portal.h"

enum { MOST_STEPS = 200 };
static const double TOLERANCE = 1e-10; /* m */

typedef struct vertex {
    fm_d3 v, on_a, on_b; /* v = on_b − on_a */
} vertex;

/* v0 in [0], the portal in [1] to [3]. */
typedef struct simplex {
    const fm_shape *a, *b;
    vertex p[4];
} simplex;

static fm_d3 middle_of(const fm_shape *shape)
{
    fm_d3 sum = {0, 0, 0}, centre = fm_d3_of(shape->position);
    if (shape->kind != FM_SHAPE_HULL)
        return centre;
    for (uint32_t i = 0; i < shape->point_count; i++) /* a hull's local origin may lie outside of it */
        sum = fm_d3_add(sum, fm_d3_of(shape->points[i]));
    return fm_d3_add(centre, fm_d3_rotate(shape->rotation, fm_d3_scale(sum, 1.0 / shape->point_count)));
}

static vertex vertex_of(fm_d3 on_a, fm_d3 on_b)
{
    return (vertex){fm_d3_sub(on_b, on_a), on_a, on_b};
}

/* The farthest point along d. */
static vertex support(const simplex *s, fm_d3 d)
{
    double along[3], against[3], on_a[3], on_b[3];
    fm_d3_store(d, along);
    fm_d3_store(fm_d3_scale(d, -1), against);
    fm_shape_support(s->a, against, on_a);
    fm_shape_support(s->b, along, on_b);
    return vertex_of(fm_d3_of(on_a), fm_d3_of(on_b));
}

static double triple(fm_d3 a, fm_d3 b, fm_d3 c)
{
    return fm_d3_dot(fm_d3_cross(a, b), c);
}

/* Normal of the plane through three points; not a unit. */
static fm_d3 plane_normal(fm_d3 a, fm_d3 b, fm_d3 c)
{
    return fm_d3_cross(fm_d3_sub(b, a), fm_d3_sub(c, a));
}

/* Support points such that the ray passes between the planes through v0 and two of them. False: the origin is outside;
 * *straight: v0, the origin and p[1] lie on a line, which is a way out itself. */
static bool open_portal(simplex *s, bool *straight)
{
    vertex *p = s->p;
    fm_d3 d = fm_d3_scale(p[0].v, -1);
    p[1] = support(s, d);
    if (!(fm_d3_dot(p[1].v, d) > 0))
        return false;
    d = fm_d3_cross(p[1].v, p[0].v);
    *straight = fm_d3_norm(d) <= 1e-12 * fm_d3_norm(p[1].v) * fm_d3_norm(p[0].v);
    if (*straight)
        return true;
    p[2] = support(s, d);
    if (!(fm_d3_dot(p[2].v, d) > 0))
        return false;
    d = plane_normal(p[0].v, p[1].v, p[2].v);
    if (fm_d3_dot(d, p[0].v) > 0) {
        const vertex keep = p[1];
        p[1] = p[2];
        p[2] = keep;
        d = fm_d3_scale(d, -1);
    }
    for (int step = 0; step < MOST_STEPS; step++) {
        p[3] = support(s, d);
        if (!(fm_d3_dot(p[3].v, d) > 0))
            return false;
        if (triple(p[1].v, p[3].v, p[0].v) < 0)
            p[2] = p[3];
        else if (triple(p[3].v, p[2].v, p[0].v) < 0)
            p[1] = p[3];
        else
            break;
        d = plane_normal(p[0].v, p[1].v, p[2].v);
    }
    return true;
}

/* Which of the three the new point p replaces, so that the ray still passes through the portal. */
static void move_portal(simplex *s, vertex new)
{
    const fm_d3 side = fm_d3_cross(new.v, s->p[0].v);
    int replaced;
    if (fm_d3_dot(s->p[1].v, side) > 0)
        replaced = fm_d3_dot(s->p[2].v, side) > 0 ? 1 : 3;
    else
        replaced = fm_d3_dot(s->p[3].v, side) > 0 ? 2 : 1;
    s->p[replaced] = new;
}

/* Moves the portal to the surface; its unit normal. False: the origin is outside of it. */
static bool refine_portal(simplex *s, fm_d3 *normal)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        *normal = fm_d3_unit(plane_normal(s->p[1].v, s->p[2].v, s->p[3].v), (fm_d3){0, 0, -1});
        const vertex farthest = support(s, *normal);
        if (fm_d3_dot(farthest.v, *normal) < 0)
            return false;
        if (!(fm_d3_dot(fm_d3_sub(farthest.v, s->p[3].v), *normal) > TOLERANCE))
            return true;
        move_portal(s, farthest);
    }
    return true;
}

/* The point of both shapes that has the origin's weights among the four vertices, or among the portal's where they lie
 * in one plane. */
static fm_d3 common_point(const simplex *s, fm_d3 normal)
{
    const vertex *p = s->p;
    double w[4] = {triple(p[1].v, p[2].v, p[3].v), -triple(p[0].v, p[2].v, p[3].v), triple(p[0].v, p[1].v, p[3].v),
                   -triple(p[0].v, p[1].v, p[2].v)};
    double sum = w[0] + w[1] + w[2] + w[3];
    if (!(sum > 0)) {
        w[0] = 0;
        w[1] = triple(p[2].v, p[3].v, normal);
        w[2] = triple(p[3].v, p[1].v, normal);
        w[3] = triple(p[1].v, p[2].v, normal);
        sum = w[1] + w[2] + w[3];
    }
    fm_d3 point = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        point = fm_d3_add_scaled(point, 0.5 * w[i] / sum, fm_d3_add(p[i].on_a, p[i].on_b));
    return point;
}

bool fm_portal_find(const fm_shape *a, const fm_shape *b, fm_portal *out)
{
    simplex s = {.a = a, .b = b};
    bool straight = false;
    s.p[0] = vertex_of(middle_of(a), middle_of(b));
    if (!(fm_d3_norm(s.p[0].v) > 1e-12)) /* one in the middle of the other: any way out */
        s.p[0].v.x += 1e-9;
    if (!open_portal(&s, &straight))
        return false;
    if (straight) {
        out->normal = fm_d3_unit(fm_d3_sub(s.p[1].v, s.p[0].v), (fm_d3){0, 0, -1});
        out->point = fm_d3_scale(fm_d3_add(s.p[1].on_a, s.p[1].on_b), 0.5);
        return true;
    }
    if (!refine_portal(&s, &out->normal))
        return false;
    out->point = common_point(&s, out->normal);
    return isfinite(out->point.x) && isfinite(out->point.y) && isfinite(out->point.z);
}
