/* The feature of a shape that faces a direction is a point, a segment or a convex polygon. Projected along the normal,
 * one is clipped at the sides of the other (Sutherland and Hodgman 1974); the remaining part is the contact patch. */
#include "geometry/manifold.h"

#include <string.h>

typedef struct feature {
    int count;
    fm_d3 point[FM_MANIFOLD]; /* in order around */
} feature;

static fm_d3 column_of(const fm_shape *s, int i)
{
    return (fm_d3){s->rotation[i], s->rotation[3 + i], s->rotation[6 + i]};
}

static void add(feature *f, fm_d3 p)
{
    if (f->count < FM_MANIFOLD)
        f->point[f->count++] = p;
}

/* --- features --- */

static void box_face(const fm_shape *s, fm_d3 towards, feature *f)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(fm_d3_dot(column_of(s, i), towards)) > fabs(fm_d3_dot(column_of(s, axis), towards)))
            axis = i;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double side = fm_d3_dot(column_of(s, axis), towards) < 0 ? -1 : 1;
    fm_d3 middle = fm_d3_add_scaled(fm_d3_of(s->position), side * s->size[axis], column_of(s, axis));
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++)
        add(f, fm_d3_add_scaled(fm_d3_add_scaled(middle, corner[i][0] * s->size[u], column_of(s, u)),
                                corner[i][1] * s->size[v], column_of(s, v)));
}

/* The line of a capsule or cylinder that faces the direction. */
static void side_line(const fm_shape *s, fm_d3 towards, double half, feature *f)
{
    fm_d3 axis = column_of(s, s->axis);
    fm_d3 across = fm_d3_add_scaled(towards, -fm_d3_dot(towards, axis), axis);
    fm_d3 middle = fm_d3_add_scaled(fm_d3_of(s->position), s->size[0], fm_d3_unit(across, towards));
    add(f, fm_d3_add_scaled(middle, -half, axis));
    add(f, fm_d3_add_scaled(middle, half, axis));
}

static void cylinder_end(const fm_shape *s, fm_d3 towards, feature *f)
{
    static const double c = 0.70710678118654752440;
    static const double rim[8][2] = {{1, 0}, {c, c}, {0, 1}, {-c, c}, {-1, 0}, {-c, -c}, {0, -1}, {c, -c}};
    fm_d3 axis = column_of(s, s->axis), u = column_of(s, (s->axis + 1) % 3), v = column_of(s, (s->axis + 2) % 3);
    double side = fm_d3_dot(axis, towards) < 0 ? -1 : 1, r = s->size[0];
    fm_d3 middle = fm_d3_add_scaled(fm_d3_of(s->position), side * s->size[1], axis);
    for (int i = 0; i < 8; i++)
        add(f, fm_d3_add_scaled(fm_d3_add_scaled(middle, r * rim[i][0], u), r * rim[i][1], v));
}

/* No feature if the shape is round or pointed in that direction. */
static void find_feature(const fm_shape *s, fm_d3 towards, feature *f)
{
    double along = s->axis >= 0 && s->axis < 3 ? fabs(fm_d3_dot(column_of(s, s->axis), towards)) : 0;
    f->count = 0;
    if (s->kind == FM_SHAPE_BOX)
        box_face(s, towards, f);
    else if (s->kind == FM_SHAPE_CAPSULE && along < 0.1)
        side_line(s, towards, s->size[1], f);
    else if (s->kind == FM_SHAPE_CYLINDER && along < 0.1)
        side_line(s, towards, s->size[1], f);
    else if (s->kind == FM_SHAPE_CYLINDER && along > 0.9)
        cylinder_end(s, towards, f);
    else if (s->kind == FM_SHAPE_HULL && s->point_count <= 5) /* a flat piece: its points in order */
        for (uint32_t i = 0; i < s->point_count; i++)
            add(f, fm_d3_add(fm_d3_of(s->position), fm_d3_rotate(s->rotation, fm_d3_of(s->points[i]))));
}

/* --- cutting --- */

/* Keeps what lies on the inner side of the plane through `at` with the normal `inward`. */
static void cut(feature *f, fm_d3 at, fm_d3 inward)
{
    feature out = {.count = 0};
    int last = f->count == 2 ? 1 : f->count; /* a segment has one side */
    for (int i = 0; i < f->count; i++) {
        fm_d3 p = f->point[i], q = f->point[(i + 1) % f->count];
        double dp = fm_d3_dot(fm_d3_sub(p, at), inward), dq = fm_d3_dot(fm_d3_sub(q, at), inward);
        if (dp >= 0)
            add(&out, p);
        if (i < last && ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)))
            add(&out, fm_d3_add_scaled(p, dp / (dp - dq), fm_d3_sub(q, p)));
    }
    *f = out;
}

static void cut_by_polygon(feature *f, const feature *by, fm_d3 n)
{
    fm_d3 around = {0, 0, 0};
    for (int i = 1; i + 1 < by->count; i++)
        around = fm_d3_add(
            around, fm_d3_cross(fm_d3_sub(by->point[i], by->point[0]), fm_d3_sub(by->point[i + 1], by->point[0])));
    double turn = fm_d3_dot(around, n) < 0 ? -1 : 1;
    for (int i = 0; i < by->count && f->count > 0; i++) {
        fm_d3 side = fm_d3_sub(by->point[(i + 1) % by->count], by->point[i]);
        cut(f, by->point[i], fm_d3_scale(fm_d3_cross(n, side), turn));
    }
}

/* Two segments that lie along each other: the part they share. */
static void cut_by_segment(feature *f, const feature *by)
{
    fm_d3 along = fm_d3_sub(by->point[1], by->point[0]), own = fm_d3_sub(f->point[1], f->point[0]);
    double product = fm_d3_norm(along) * fm_d3_norm(own);
    if (!(fabs(fm_d3_dot(along, own)) > 0.999999 * product)) {
        f->count = 0;
        return;
    }
    cut(f, by->point[0], along);
    cut(f, by->point[1], fm_d3_scale(along, -1));
}

/* Height along n over the plane of a feature, or of its segment; false if it is edge-on. */
static bool height_over(const feature *base, fm_d3 n, fm_d3 p, double *height)
{
    fm_d3 e = fm_d3_sub(base->point[1], base->point[0]), face;
    if (base->count > 2)
        face = fm_d3_cross(e, fm_d3_sub(base->point[2], base->point[0]));
    else
        face =
            fm_d3_add_scaled(n, -fm_d3_dot(n, e) / fm_d3_dot(e, e), e); /* across the segment, as near to n as can be */
    double lean = fm_d3_dot(face, n), size = fm_d3_norm(face);
    if (!(fabs(lean) > 0.5 * size))
        return false;
    *height = fm_d3_dot(face, fm_d3_sub(p, base->point[0])) / lean;
    return true;
}

static size_t on_plane(const fm_shape *a, const fm_shape *plane, fm_d3 n, double reach, fm_manifold_point *out)
{
    feature f;
    size_t count = 0;
    find_feature(a, fm_d3_scale(n, -1), &f);
    for (int i = 0; i < f.count; i++) {
        double gap = fm_d3_dot(fm_d3_sub(f.point[i], fm_d3_of(plane->position)), n);
        if (gap > reach)
            continue;
        fm_d3_store(fm_d3_add_scaled(f.point[i], -gap, n), out[count].point);
        out[count++].gap = gap;
    }
    return count;
}

size_t fm_shape_manifold(const fm_shape *a, const fm_shape *b, const double normal[3], double reach,
                         fm_manifold_point out[FM_MANIFOLD])
{
    fm_d3 n = fm_d3_of(normal);
    feature fa, fb;
    size_t count = 0;
    if (b->kind == FM_SHAPE_PLANE)
        return on_plane(a, b, n, reach, out);
    find_feature(a, fm_d3_scale(n, -1), &fa);
    find_feature(b, n, &fb);
    if (fa.count < 2 || fb.count < 2)
        return 0;
    bool from_a = fb.count > 2; /* cut the one by the sides of the other */
    feature shared = from_a ? fa : fb;
    if (from_a || fa.count > 2)
        cut_by_polygon(&shared, from_a ? &fb : &fa, n);
    else
        cut_by_segment(&shared, &fa);
    for (int i = 0; i < shared.count; i++) {
        double above_a, above_b;
        if (!height_over(&fa, n, shared.point[i], &above_a) || !height_over(&fb, n, shared.point[i], &above_b))
            return 0;
        double gap = above_b - above_a;
        if (gap > reach)
            continue;
        fm_d3_store(fm_d3_add_scaled(shared.point[i], -above_b, n), out[count].point);
        out[count++].gap = gap;
    }
    return count;
}
