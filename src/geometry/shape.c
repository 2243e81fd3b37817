#include "geometry/shape.h"

static const fm_d3 AXIS_Z = {0, 0, 1};

static fm_shape shape_of(fm_shape_kind kind, double a, double b, double c)
{
    return (fm_shape){.kind = kind,
                      .axis = 2,
                      .size = {a, b, c},
                      .quaternion = {1, 0, 0, 0},
                      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

fm_shape fm_shape_sphere(double radius)
{
    return shape_of(FM_SHAPE_SPHERE, radius, 0, 0);
}

fm_shape fm_shape_box(double half_x, double half_y, double half_z)
{
    return shape_of(FM_SHAPE_BOX, half_x, half_y, half_z);
}

fm_shape fm_shape_cylinder(double radius, double half_length, int axis)
{
    fm_shape shape = shape_of(FM_SHAPE_CYLINDER, radius, half_length, 0);
    shape.axis = axis;
    return shape;
}

fm_shape fm_shape_capsule(double radius, double half_length, int axis)
{
    fm_shape shape = shape_of(FM_SHAPE_CAPSULE, radius, half_length, 0);
    shape.axis = axis;
    return shape;
}

fm_shape fm_shape_ellipsoid(double a, double b, double c)
{
    return shape_of(FM_SHAPE_ELLIPSOID, a, b, c);
}

fm_shape fm_shape_hull(const double (*points)[3], size_t count)
{
    fm_shape shape = shape_of(FM_SHAPE_HULL, 0, 0, 0);
    shape.points = points;
    shape.point_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        shape.size[0] = fmax(shape.size[0], fm_d3_norm(fm_d3_of(points[i])));
    return shape;
}

fm_shape fm_shape_plane(void)
{
    return shape_of(FM_SHAPE_PLANE, 0, 0, 0);
}

fm_shape fm_shape_wall(const double point[3], const double outward[3])
{
    /* The shortest turn that takes local −z to the outward normal n: q = (1 + c, −z × n), c = −n_z. */
    fm_d3 n = fm_d3_unit(fm_d3_of(outward), (fm_d3){0, 0, -1});
    double q[4] = {1 - n.z, n.y, -n.x, 0};
    if (1 - n.z < 1e-12) {
        q[0] = 0;
        q[1] = 1;
        q[2] = 0;
    }
    fm_shape shape = fm_shape_plane();
    fm_shape_place(&shape, point, q);
    return shape;
}

static int used_sizes(fm_shape_kind kind)
{
    switch (kind) {
    case FM_SHAPE_SPHERE: return 1;
    case FM_SHAPE_CYLINDER: return 2;
    case FM_SHAPE_BOX:
    case FM_SHAPE_ELLIPSOID: return 3;
    case FM_SHAPE_CAPSULE: return 1; /* the half length may be zero */
    default: return 0;
    }
}

static fm_status check_hull(const fm_shape *shape, fm_error *error)
{
    if (!shape->points || shape->point_count < 1)
        return fm_fail(error, FM_ERR_MODEL, "a convex hull needs 1 or more points, given: none");
    for (uint32_t i = 0; i < shape->point_count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(shape->points[i][k]))
                return fm_fail(error, FM_ERR_RANGE, "point %u of a convex hull is not finite (%g)", i + 1,
                               shape->points[i][k]);
    return FM_OK;
}

fm_status fm_shape_check(const fm_shape *shape, fm_error *error)
{
    if (shape->kind < FM_SHAPE_SPHERE || shape->kind > FM_SHAPE_PLANE)
        return fm_fail(error, FM_ERR_ARGUMENT, "unknown shape kind %d: must be 0 to %d", (int)shape->kind,
                       FM_SHAPE_PLANE);
    for (int i = 0; i < used_sizes(shape->kind); i++)
        if (!(shape->size[i] > 0) || !isfinite(shape->size[i]))
            return fm_fail(error, FM_ERR_RANGE, "size %d of a shape is %g m: must be finite sizes above 0", i + 1,
                           shape->size[i]);
    if (shape->kind == FM_SHAPE_CAPSULE && (!(shape->size[1] >= 0) || !isfinite(shape->size[1])))
        return fm_fail(error, FM_ERR_RANGE, "half length of a capsule is %g m: must be finite lengths from 0",
                       shape->size[1]);
    if (shape->axis < 0 || shape->axis > 2)
        return fm_fail(error, FM_ERR_RANGE, "axis of a shape is %d: must be 0 (x), 1 (y) and 2 (z)", shape->axis);
    for (int i = 0; i < 3; i++)
        if (!isfinite(shape->position[i]))
            return fm_fail(error, FM_ERR_RANGE, "position of a shape is not finite (%g)", shape->position[i]);
    return shape->kind == FM_SHAPE_HULL ? check_hull(shape, error) : FM_OK;
}

/* A quaternion made a unit, and its matrix. */
static void rotation_of(const double quaternion[4], double unit[4], double r[9])
{
    double n = sqrt(quaternion[0] * quaternion[0] + quaternion[1] * quaternion[1] + quaternion[2] * quaternion[2] +
                    quaternion[3] * quaternion[3]);
    double w = n > 0 ? quaternion[0] / n : 1, x = n > 0 ? quaternion[1] / n : 0;
    double y = n > 0 ? quaternion[2] / n : 0, z = n > 0 ? quaternion[3] / n : 0;
    unit[0] = w;
    unit[1] = x;
    unit[2] = y;
    unit[3] = z;
    r[0] = 1 - 2 * (y * y + z * z);
    r[1] = 2 * (x * y - w * z);
    r[2] = 2 * (x * z + w * y);
    r[3] = 2 * (x * y + w * z);
    r[4] = 1 - 2 * (x * x + z * z);
    r[5] = 2 * (y * z - w * x);
    r[6] = 2 * (x * z - w * y);
    r[7] = 2 * (y * z + w * x);
    r[8] = 1 - 2 * (x * x + y * y);
}

void fm_shape_place(fm_shape *shape, const double position[3], const double quaternion[4])
{
    for (int i = 0; i < 3; i++)
        shape->position[i] = position[i];
    rotation_of(quaternion, shape->quaternion, shape->rotation);
}

/* a ⊗ b is a, bit for bit: b turns nothing, and no zero of a may change its sign. */
static bool product_is_first(const double a[4], const double b[4])
{
    return b[0] == 1 && b[1] == 0 && b[2] == 0 && b[3] == 0 && a[0] != 0 && a[1] != 0 && a[2] != 0 && a[3] != 0;
}

fm_shape fm_shape_carried(const fm_shape *local, const double position[3], const double quaternion[4])
{
    const double *a = quaternion, *b = local->quaternion;
    fm_shape shape = *local;
    rotation_of(a, shape.quaternion, shape.rotation);
    fm_d3 p = fm_d3_add(fm_d3_of(position), fm_d3_rotate(shape.rotation, fm_d3_of(local->position)));
    fm_d3_store(p, shape.position);
    if (product_is_first(a, b))
        return shape;
    double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    rotation_of(q, shape.quaternion, shape.rotation);
    return shape;
}

fm_d3 fm_shape_plane_normal(const fm_shape *plane)
{
    return (fm_d3){-plane->rotation[2], -plane->rotation[5], -plane->rotation[8]};
}

double fm_shape_margin(const fm_shape *shape)
{
    return shape->kind == FM_SHAPE_SPHERE || shape->kind == FM_SHAPE_CAPSULE ? shape->size[0] : 0;
}

static fm_d3 hull_support(const fm_shape *shape, fm_d3 d)
{
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t i = 0; i < shape->point_count; i++) {
        double along = fm_d3_dot(fm_d3_of(shape->points[i]), d);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return fm_d3_of(shape->points[best]);
}

static fm_d3 axis_support(int axis, double half_length, const double d[3])
{
    double p[3] = {0, 0, 0};
    p[axis] = copysign(half_length, d[axis]);
    return fm_d3_of(p);
}

static fm_d3 cylinder_support(const fm_shape *shape, fm_d3 direction)
{
    double d[3], p[3];
    fm_d3_store(direction, d);
    int axis = shape->axis, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double rim = sqrt(d[u] * d[u] + d[v] * d[v]);
    p[axis] = copysign(shape->size[1], d[axis]);
    p[u] = rim > 0 ? shape->size[0] * d[u] / rim : 0;
    p[v] = rim > 0 ? shape->size[0] * d[v] / rim : 0;
    return fm_d3_of(p);
}

static fm_d3 ellipsoid_support(const double s[3], fm_d3 d)
{
    /* p = S² d / |S d|, S = diag(semi-axes) */
    fm_d3 sd = {s[0] * d.x, s[1] * d.y, s[2] * d.z};
    double n = fm_d3_norm(sd);
    return n > 0 ? (fm_d3){s[0] * sd.x / n, s[1] * sd.y / n, s[2] * sd.z / n} : (fm_d3){s[0], 0, 0};
}

static fm_d3 local_core_support(const fm_shape *shape, fm_d3 d)
{
    const double *s = shape->size;
    double a[3];
    fm_d3_store(d, a);
    switch (shape->kind) {
    case FM_SHAPE_BOX: return (fm_d3){copysign(s[0], d.x), copysign(s[1], d.y), copysign(s[2], d.z)};
    case FM_SHAPE_CYLINDER: return cylinder_support(shape, d);
    case FM_SHAPE_CAPSULE: return axis_support(shape->axis, s[1], a);
    case FM_SHAPE_ELLIPSOID: return ellipsoid_support(s, d);
    case FM_SHAPE_HULL: return hull_support(shape, d);
    default: return (fm_d3){0, 0, 0};
    }
}

fm_d3 fm_shape_core_support(const fm_shape *shape, fm_d3 direction)
{
    fm_d3 p = local_core_support(shape, fm_d3_rotate_back(shape->rotation, direction));
    return fm_d3_add(fm_d3_of(shape->position), fm_d3_rotate(shape->rotation, p));
}

void fm_shape_support(const fm_shape *shape, const double direction[3], double out[3])
{
    fm_d3 d = fm_d3_of(direction), p = fm_shape_core_support(shape, d);
    double margin = fm_shape_margin(shape);
    if (margin > 0)
        p = fm_d3_add_scaled(p, margin, fm_d3_unit(d, AXIS_Z));
    fm_d3_store(p, out);
}

double fm_shape_bounding_radius(const fm_shape *shape)
{
    const double *s = shape->size;
    switch (shape->kind) {
    case FM_SHAPE_SPHERE:
    case FM_SHAPE_HULL: return s[0];
    case FM_SHAPE_BOX: return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    case FM_SHAPE_CYLINDER: return sqrt(s[0] * s[0] + s[1] * s[1]);
    case FM_SHAPE_CAPSULE: return s[0] + s[1];
    case FM_SHAPE_ELLIPSOID: return fmax(s[0], fmax(s[1], s[2]));
    default: return INFINITY;
    }
}

void fm_shape_aabb(const fm_shape *shape, fm_aabb *out)
{
    for (int i = 0; i < 3; i++) {
        if (shape->kind == FM_SHAPE_PLANE) {
            out->low[i] = -INFINITY;
            out->high[i] = INFINITY;
            continue;
        }
        double d[3] = {0, 0, 0}, p[3];
        d[i] = 1;
        fm_shape_support(shape, d, p);
        out->high[i] = p[i];
        d[i] = -1;
        fm_shape_support(shape, d, p);
        out->low[i] = p[i];
    }
}
