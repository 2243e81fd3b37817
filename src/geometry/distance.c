#include "geometry/distance.h"

#include "geometry/gjk.h"

static const fm_d3 UP = {0, 0, -1};

/* Fills in the answer from the nearest points of the cores: n from b to a, the margins taken off along it. */
static void from_cores(fm_d3 core_a, fm_d3 core_b, fm_d3 normal, double core_distance, double margin_a, double margin_b,
                       fm_separation *out)
{
    out->distance = core_distance - margin_a - margin_b;
    fm_d3_store(normal, out->normal);
    fm_d3_store(fm_d3_add_scaled(core_a, -margin_a, normal), out->point_a);
    fm_d3_store(fm_d3_add_scaled(core_b, margin_b, normal), out->point_b);
}

static void swap_sides(fm_separation *s)
{
    for (int i = 0; i < 3; i++) {
        double p = s->point_a[i];
        s->point_a[i] = s->point_b[i];
        s->point_b[i] = p;
        s->normal[i] = -s->normal[i];
    }
}

/* Any convex shape against a half-space: its deepest point decides. */
static void against_plane(const fm_shape *a, const fm_shape *plane, fm_separation *out)
{
    fm_d3 n = fm_shape_plane_normal(plane), p;
    double down[3], point[3];
    fm_d3_store(fm_d3_scale(n, -1), down);
    fm_shape_support(a, down, point);
    p = fm_d3_of(point);
    out->distance = fm_d3_dot(fm_d3_sub(p, fm_d3_of(plane->position)), n);
    fm_d3_store(n, out->normal);
    fm_d3_store(p, out->point_a);
    fm_d3_store(fm_d3_add_scaled(p, -out->distance, n), out->point_b);
}

static bool is_round(const fm_shape *s)
{
    return s->kind == FM_SHAPE_SPHERE || s->kind == FM_SHAPE_CAPSULE;
}

/* Half of the core segment, world; zero for a sphere. */
static fm_d3 half_segment(const fm_shape *s)
{
    if (s->kind == FM_SHAPE_SPHERE)
        return (fm_d3){0, 0, 0};
    return (fm_d3){s->rotation[s->axis] * s->size[1], s->rotation[3 + s->axis] * s->size[1],
                   s->rotation[6 + s->axis] * s->size[1]};
}

static double clamp_unit(double t)
{
    return t < -1 ? -1 : t > 1 ? 1 : t;
}

/* Nearest points ca + s u and cb + t v of two segments, s, t in −1 … 1, either of which may be a point. */
static void nearest_on_segments(fm_d3 ca, fm_d3 u, fm_d3 cb, fm_d3 v, fm_d3 *pa, fm_d3 *pb)
{
    fm_d3 r = fm_d3_sub(ca, cb);
    double uu = fm_d3_dot(u, u), vv = fm_d3_dot(v, v), uv = fm_d3_dot(u, v), ur = fm_d3_dot(u, r), vr = fm_d3_dot(v, r);
    double s = 0, t = 0, det = uu * vv - uv * uv;
    if (uu > 0)
        s = det > 1e-14 * uu * vv ? clamp_unit((uv * vr - vv * ur) / det) : clamp_unit(-ur / uu);
    if (vv > 0) {
        t = clamp_unit((uv * s + vr) / vv);
        if (uu > 0)
            s = clamp_unit((uv * t - ur) / uu);
        t = clamp_unit((uv * s + vr) / vv);
    }
    *pa = fm_d3_add_scaled(ca, s, u);
    *pb = fm_d3_add_scaled(cb, t, v);
}

/* A direction across both of two crossing segments, or any across one, or up. */
static fm_d3 across(fm_d3 u, fm_d3 v)
{
    fm_d3 n = fm_d3_cross(u, v), longest = fm_d3_dot(u, u) > fm_d3_dot(v, v) ? u : v;
    if (fm_d3_dot(n, n) > 1e-20 * fm_d3_dot(u, u) * fm_d3_dot(v, v))
        return fm_d3_unit(n, UP);
    if (fm_d3_dot(longest, longest) == 0)
        return UP;
    fm_d3 axis = fabs(longest.z) > 0.9 * fm_d3_norm(longest) ? (fm_d3){1, 0, 0} : UP;
    fm_d3 side = fm_d3_cross(longest, fm_d3_cross(axis, longest)); /* axis less its part along the segment */
    return fm_d3_unit(side, UP);
}

static void round_round(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    fm_d3 u = half_segment(a), v = half_segment(b), pa, pb;
    nearest_on_segments(fm_d3_of(a->position), u, fm_d3_of(b->position), v, &pa, &pb);
    fm_d3 difference = fm_d3_sub(pa, pb);
    double distance = fm_d3_norm(difference);
    fm_d3 n = distance > 0 ? fm_d3_scale(difference, 1 / distance) : across(u, v);
    from_cores(pa, pb, n, distance, a->size[0], b->size[0], out);
}

/* The centre of the sphere inside the box: out through the nearest face. */
static void sphere_in_box(const double c[3], const double half[3], double out[3], double *distance, double normal[3])
{
    int face = 0;
    for (int i = 1; i < 3; i++)
        if (half[i] - fabs(c[i]) < half[face] - fabs(c[face]))
            face = i;
    for (int i = 0; i < 3; i++) {
        out[i] = c[i];
        normal[i] = 0;
    }
    normal[face] = c[face] < 0 ? -1 : 1;
    out[face] = normal[face] * half[face];
    *distance = fabs(c[face]) - half[face];
}

static void sphere_box(const fm_shape *sphere, const fm_shape *box, fm_separation *out)
{
    fm_d3 centre = fm_d3_of(sphere->position), origin = fm_d3_of(box->position);
    double c[3], p[3], normal[3], distance = 0;
    fm_d3_store(fm_d3_rotate_back(box->rotation, fm_d3_sub(centre, origin)), c);
    for (int i = 0; i < 3; i++) {
        p[i] = fmin(fmax(c[i], -box->size[i]), box->size[i]);
        normal[i] = c[i] - p[i];
        distance += normal[i] * normal[i];
    }
    distance = sqrt(distance);
    if (distance == 0)
        sphere_in_box(c, box->size, p, &distance, normal);
    fm_d3 n = fm_d3_unit(fm_d3_rotate(box->rotation, fm_d3_of(normal)), UP);
    fm_d3 on_box = fm_d3_add(origin, fm_d3_rotate(box->rotation, fm_d3_of(p)));
    from_cores(centre, on_box, n, distance, sphere->size[0], 0, out);
}

/* True where a closed form answered. */
static bool closed_form(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    if (a->kind == FM_SHAPE_PLANE && b->kind == FM_SHAPE_PLANE) {
        *out = (fm_separation){.distance = INFINITY, .normal = {0, 0, -1}};
    } else if (b->kind == FM_SHAPE_PLANE) {
        against_plane(a, b, out);
    } else if (a->kind == FM_SHAPE_PLANE) {
        against_plane(b, a, out);
        swap_sides(out);
    } else if (is_round(a) && is_round(b)) {
        round_round(a, b, out);
    } else if (a->kind == FM_SHAPE_SPHERE && b->kind == FM_SHAPE_BOX) {
        sphere_box(a, b, out);
    } else if (a->kind == FM_SHAPE_BOX && b->kind == FM_SHAPE_SPHERE) {
        sphere_box(b, a, out);
        swap_sides(out);
    } else {
        return false;
    }
    return true;
}

void fm_shape_separation(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    if (closed_form(a, b, out))
        return;
    fm_gjk_result gjk;
    fm_gjk(a, b, &gjk);
    if (gjk.distance > 0)
        from_cores(gjk.point_a, gjk.point_b, fm_d3_scale(gjk.difference, 1 / gjk.distance), gjk.distance,
                   fm_shape_margin(a), fm_shape_margin(b), out);
    else
        fm_shape_penetration(a, b, out);
}

double fm_shape_distance(const fm_shape *a, const fm_shape *b)
{
    fm_separation exact;
    if (closed_form(a, b, &exact))
        return exact.distance > 0 ? exact.distance : 0;
    fm_gjk_result gjk;
    fm_gjk(a, b, &gjk);
    double distance = gjk.distance - fm_shape_margin(a) - fm_shape_margin(b);
    return distance > 0 ? distance : 0;
}
