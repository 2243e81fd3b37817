/* Surfaces of shapes as triangles. Surfaces of revolution are rings around the local axis: a profile of
 * (radius, height) points from one pole to the other, turned. */
#ifndef TESTS_GEOMETRY_MESH_SHAPES_H
#define TESTS_GEOMETRY_MESH_SHAPES_H

#include "base/memory.h"
#include "geometry/mesh.h"
#include "physics/real.h"

enum { MAX_SEGMENTS = 1024 };

typedef struct ring {
    double radius, height; /* m, about and along the axis */
} ring;

typedef struct turning {
    fm_mesh_builder builder;
    int segments, axis;
    fm_error *error;
    fm_status status;
} turning;

static void add_point(turning *t, double radius, double height, double angle)
{
    double p[3];
    p[t->axis] = height;
    p[(t->axis + 1) % 3] = radius * fm_cos(angle);
    p[(t->axis + 2) % 3] = radius * fm_sin(angle);
    if (t->status == FM_OK)
        t->status = fm_mesh_add_vertex(&t->builder, p, t->error);
}

static void add_triangle(turning *t, uint32_t a, uint32_t b, uint32_t c)
{
    if (t->status == FM_OK)
        t->status = fm_mesh_add_triangle(&t->builder, a, b, c, t->error);
}

/* rings[0] and rings[count − 1] are poles (radius 0, one vertex each); heights rise. */
static void turn_profile(turning *t, const ring *rings, int count)
{
    uint32_t n = (uint32_t)t->segments, last = 1 + (uint32_t)(count - 2) * n;
    add_point(t, 0, rings[0].height, 0);
    for (int i = 1; i < count - 1; i++)
        for (uint32_t k = 0; k < n; k++)
            add_point(t, rings[i].radius, rings[i].height, 2 * M_PI * k / n);
    add_point(t, 0, rings[count - 1].height, 0);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t next = (k + 1) % n;
        add_triangle(t, 0, 1 + next, 1 + k);
        for (uint32_t i = 0; i + 3 < (uint32_t)count; i++) {
            uint32_t low = 1 + i * n, high = low + n;
            add_triangle(t, low + k, low + next, high + next);
            add_triangle(t, low + k, high + next, high + k);
        }
        add_triangle(t, last, last - n + k, last - n + next);
    }
}

/* Two half circles of `radius`, `half` apart from the middle each. */
static void turn_capsule(turning *t, double radius, double half)
{
    ring rings[MAX_SEGMENTS + 4];
    int steps = t->segments / 4 > 1 ? t->segments / 4 : 2, count = 0;
    for (int end = 0; end < (half > 0 ? 2 : 1); end++)
        for (int i = 0; i <= (half > 0 ? steps : 2 * steps); i++) {
            double angle = M_PI / 2 * (i / (double)steps - 1 + end);
            rings[count++] = (ring){radius * fm_cos(angle), radius * fm_sin(angle) + (end ? half : -half)};
        }
    turn_profile(t, rings, count);
}

static void turn_cylinder(turning *t, double radius, double half)
{
    const ring rings[4] = {{0, -half}, {radius, -half}, {radius, half}, {0, half}};
    turn_profile(t, rings, 4);
}

static void make_box(turning *t, const double half[3])
{
    /* corner i has the signs of its bits; each face anticlockwise from outside */
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (i >> k & 1) ? half[k] : -half[k];
        if (t->status == FM_OK)
            t->status = fm_mesh_add_vertex(&t->builder, p, t->error);
    }
    for (int i = 0; i < 6; i++) {
        add_triangle(t, faces[i][0], faces[i][1], faces[i][2]);
        add_triangle(t, faces[i][0], faces[i][2], faces[i][3]);
    }
}

static void make_ellipsoid(turning *t, const double axes[3])
{
    turn_capsule(t, 1, 0);
    for (size_t i = 0; i < t->builder.mesh.vertex_count; i++)
        for (int k = 0; k < 3; k++)
            t->builder.mesh.vertices[i][k] *= axes[k];
}

/* The surface of a sphere, box, cylinder, capsule or ellipsoid in its local frame; `segments` (3 … 1024) around. */
static fm_status mesh_from_shape(const fm_shape *shape, int segments, fm_mesh *mesh, fm_error *error)
{
    *mesh = (fm_mesh){0};
    if (segments < 3 || segments > MAX_SEGMENTS)
        return fm_fail(error, FM_ERR_RANGE, "%d segments around a shape: must be 3 to %d", segments, MAX_SEGMENTS);
    fm_status status = fm_shape_check(shape, error);
    if (status != FM_OK)
        return status;
    turning t = {.segments = segments, .axis = shape->axis, .error = error, .status = FM_OK};
    switch (shape->kind) {
    case FM_SHAPE_SPHERE: turn_capsule(&t, shape->size[0], 0); break;
    case FM_SHAPE_BOX: make_box(&t, shape->size); break;
    case FM_SHAPE_CYLINDER: turn_cylinder(&t, shape->size[0], shape->size[1]); break;
    case FM_SHAPE_CAPSULE: turn_capsule(&t, shape->size[0], shape->size[1]); break;
    case FM_SHAPE_ELLIPSOID: make_ellipsoid(&t, shape->size); break;
    default: return fm_fail(error, FM_ERR_ARGUMENT, "planes and hulls have no surface of triangles here");
    }
    if (t.status == FM_OK)
        t.status = fm_mesh_finish(&t.builder, "shape", mesh, error);
    if (t.status != FM_OK)
        fm_mesh_free(&t.builder.mesh);
    return t.status;
}

#endif
