#include "telemetry/scene_hull.h"

#include <math.h>
#include <string.h>

#include "physics/real.h"

enum { POINTS_MOST = 96 };

/* Selects the points that are farthest in directions spread over the sphere: the drawn hull then errs by less than a
 * hundredth of its size. */
static size_t choose_points(const fm_shape *shape, double out[POINTS_MOST][3])
{
    size_t count = 0;
    if (shape->point_count <= POINTS_MOST) {
        memcpy(out, shape->points, shape->point_count * sizeof *out);
        return shape->point_count;
    }
    for (int i = 0; i < POINTS_MOST; i++) {
        double z = 1 - (2 * i + 1.0) / POINTS_MOST, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
        const double d[3] = {r * fm_cos(turn), r * fm_sin(turn), z};
        size_t best = 0;
        double far = -HUGE_VAL;
        for (size_t k = 0; k < shape->point_count; k++) {
            const double *p = shape->points[k];
            double along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
            if (along > far) {
                far = along;
                best = k;
            }
        }
        int known = 0;
        for (size_t k = 0; k < count; k++)
            known |= memcmp(out[k], shape->points[best], sizeof out[k]) == 0;
        if (!known)
            memcpy(out[count++], shape->points[best], sizeof *out);
    }
    return count;
}

/* +1: all points are below the plane of a b c; -1: all above it; 0: the plane cuts the hull (or the points are
 * collinear). */
static int side_of(double (*points)[3], size_t count, const size_t corner[3], double tolerance)
{
    double u[3], v[3];
    const double *a = points[corner[0]];
    for (int i = 0; i < 3; i++) {
        u[i] = points[corner[1]][i] - a[i];
        v[i] = points[corner[2]][i] - a[i];
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    int before = 0, behind = 0;
    if (length < tolerance * tolerance)
        return 0;
    for (size_t i = 0; i < count && !(before && behind); i++) {
        double h =
            ((points[i][0] - a[0]) * n[0] + (points[i][1] - a[1]) * n[1] + (points[i][2] - a[2]) * n[2]) / length;
        before |= h > tolerance;
        behind |= h < -tolerance;
    }
    return before && behind ? 0 : before ? -1 : 1;
}

static size_t find_faces(double (*points)[3], size_t count, double tolerance, uint32_t *out)
{
    size_t faces = 0;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            for (size_t c = b + 1; c < count; c++) {
                const size_t corner[3] = {a, b, c};
                int side = side_of(points, count, corner, tolerance);
                if (!side)
                    continue;
                if (out) { /* y and z change sign on output, which keeps the orientation of the triangles */
                    out[3 * faces] = (uint32_t)a;
                    out[3 * faces + 1] = (uint32_t)(side > 0 ? b : c);
                    out[3 * faces + 2] = (uint32_t)(side > 0 ? c : b);
                }
                faces++;
            }
    return faces;
}

int fm_scene_hull(const fm_shape *shape, fm_arena *arena, fm_msg_scene_mesh *mesh)
{
    double points[POINTS_MOST][3];
    size_t count = choose_points(shape, points);
    double tolerance = 1e-9 * (shape->size[0] > 0 ? shape->size[0] : 1);
    size_t faces = find_faces(points, count, tolerance, NULL);
    float *vertices = fm_arena_alloc(arena, 3 * count * sizeof *vertices + 1);
    uint32_t *triangles = fm_arena_alloc(arena, 3 * faces * sizeof *triangles + 1);
    if (!vertices || !triangles)
        return 0;
    find_faces(points, count, tolerance, triangles);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            vertices[3 * i + (size_t)k] = (float)(k ? -points[i][k] : points[i][k]);
    *mesh = (fm_msg_scene_mesh){.name = "hull", .vertices = {vertices, 3 * count}, .triangles = {triangles, 3 * faces}};
    return 1;
}
