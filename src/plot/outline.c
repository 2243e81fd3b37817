/* Outlines of obstacles: the surface of a shape seen along an axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/overview.h"

enum { ROUND = 48, POINTS_MOST = 4096 };

typedef struct outline {
    double points[POINTS_MOST][2];
    size_t count;
    const fm_msg_scene_shape *shape;
    int across, up;
} outline;

/* v turned by a quaternion. */
static void rotate(const fm_msg_quaternion *q, const double v[3], double out[3])
{
    const double u[3] = {q->x, q->y, q->z};
    const double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]),
                         2 * (u[0] * v[1] - u[1] * v[0])};
    out[0] = v[0] + q->w * t[0] + u[1] * t[2] - u[2] * t[1];
    out[1] = v[1] + q->w * t[1] + u[2] * t[0] - u[0] * t[2];
    out[2] = v[2] + q->w * t[2] + u[0] * t[1] - u[1] * t[0];
}

/* A local point into the view: north, east, depth. */
static void add_point(outline *o, double x, double y, double z)
{
    double turned[3];
    const fm_msg_point *p = &o->shape->pose.position;
    if (o->count == POINTS_MOST)
        return;
    rotate(&o->shape->pose.orientation, (const double[3]){x, y, z}, turned);
    const double point[3] = {p->y + turned[1], p->x + turned[0], -(p->z + turned[2])};
    o->points[o->count][0] = point[o->across];
    o->points[o->count++][1] = point[o->up];
}

static void add_ellipsoid(outline *o, double a, double b, double c, double shift)
{
    for (int j = 0; j <= ROUND / 2; j++)
        for (int i = 0; i < ROUND; i++) {
            double u = 6.283185307179586 * i / ROUND, w = 3.141592653589793 * (2.0 * j / ROUND - 0.5);
            add_point(o, a * cos(u) * cos(w), b * sin(u) * cos(w), c * sin(w) + shift);
        }
}

static void add_ring(outline *o, double radius, double z)
{
    for (int i = 0; i < ROUND; i++)
        add_point(o, radius * cos(6.283185307179586 * i / ROUND), radius * sin(6.283185307179586 * i / ROUND), z);
}

static void add_shape(outline *o, const fm_msg_scene *scene)
{
    const double *s = o->shape->size;
    switch (o->shape->kind) {
    case FM_MSG_scene_shape_SPHERE: add_ellipsoid(o, s[0], s[0], s[0], 0); break;
    case FM_MSG_scene_shape_ELLIPSOID: add_ellipsoid(o, s[0], s[1], s[2], 0); break;
    case FM_MSG_scene_shape_CAPSULE:
        add_ellipsoid(o, s[0], s[0], s[0], s[1] / 2), add_ellipsoid(o, s[0], s[0], s[0], -s[1] / 2);
        break;
    case FM_MSG_scene_shape_CYLINDER: add_ring(o, s[0], s[1] / 2), add_ring(o, s[0], -s[1] / 2); break;
    case FM_MSG_scene_shape_CONE: add_ring(o, s[0], -s[1] / 2), add_point(o, 0, 0, s[1] / 2); break;
    case FM_MSG_scene_shape_BOX:
        for (int i = 0; i < 8; i++)
            add_point(o, (i & 1 ? 0.5 : -0.5) * s[0], (i & 2 ? 0.5 : -0.5) * s[1], (i & 4 ? 0.5 : -0.5) * s[2]);
        break;
    case FM_MSG_scene_shape_MESH:
        if (o->shape->mesh >= 0 && (size_t)o->shape->mesh < scene->meshes.count) {
            const fm_msg_scene_mesh *mesh = &scene->meshes.items[o->shape->mesh];
            for (size_t i = 0; i + 2 < mesh->vertices.count; i += 3)
                add_point(o, s[0] * (double)mesh->vertices.items[i], s[1] * (double)mesh->vertices.items[i + 1],
                          s[2] * (double)mesh->vertices.items[i + 2]);
        }
        break;
    default: break;
    }
}

static int by_point(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] < q[0] ? -1 : p[0] > q[0] ? 1 : p[1] < q[1] ? -1 : p[1] > q[1];
}

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Convex hull by monotone chains; returns the number of its corners. */
static size_t hull_of(outline *o, double *x, double *y)
{
    double(*h)[2] = malloc((2 * o->count + 2) * sizeof *h);
    size_t n = 0;
    if (!h)
        return 0;
    qsort(o->points, o->count, sizeof *o->points, by_point);
    for (size_t i = 0; i < o->count; i++) {
        while (n >= 2 && turn(h[n - 2], h[n - 1], o->points[i]) <= 0)
            n--;
        memcpy(h[n++], o->points[i], sizeof *h);
    }
    for (size_t i = o->count, low = n + 1; i-- > 1;) {
        while (n >= low && turn(h[n - 2], h[n - 1], o->points[i - 1]) <= 0)
            n--;
        memcpy(h[n++], o->points[i - 1], sizeof *h);
    }
    n = n > 1 ? n - 1 : n;
    for (size_t i = 0; i < n; i++) {
        x[i] = h[i][0];
        y[i] = h[i][1];
    }
    free(h);
    return n;
}

/* A wall fills the part of the box on its far side: the rectangle cut by the half-plane. */
static size_t cut_by_plane(const outline *o, const double box[4], double level, double *x, double *y)
{
    double n[3];
    const fm_msg_point *p = &o->shape->pose.position;
    rotate(&o->shape->pose.orientation, (const double[3]){0, 0, 1}, n);
    const double normal[3] = {n[1], n[0], -n[2]}, point[3] = {p->y, p->x, -p->z};
    const double corners[4][2] = {{box[0], box[2]}, {box[1], box[2]}, {box[1], box[3]}, {box[0], box[3]}};
    int third = 3 - o->across - o->up;
    double side[4];
    size_t count = 0;
    for (int i = 0; i < 4; i++) /* over 0: in the water */
        side[i] = normal[o->across] * (corners[i][0] - point[o->across]) +
                  normal[o->up] * (corners[i][1] - point[o->up]) + normal[third] * (level - point[third]);
    for (int i = 0; i < 4; i++) {
        int k = (i + 1) % 4;
        if (side[i] <= 0)
            x[count] = corners[i][0], y[count++] = corners[i][1];
        if ((side[i] <= 0) != (side[k] <= 0)) {
            double f = side[i] / (side[i] - side[k]);
            x[count] = corners[i][0] + f * (corners[k][0] - corners[i][0]);
            y[count++] = corners[i][1] + f * (corners[k][1] - corners[i][1]);
        }
    }
    return count;
}

static int in_box(const double *x, const double *y, size_t count, const double box[4])
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        low[0] = fmin(low[0], x[i]), high[0] = fmax(high[0], x[i]);
        low[1] = fmin(low[1], y[i]), high[1] = fmax(high[1], y[i]);
    }
    return count > 2 && low[0] < box[1] && high[0] > box[0] && low[1] < box[3] && high[1] > box[2];
}

void fm_overview_obstacles(fm_axes *axes, const fm_run_data *run, int across, int up, const double box[4], double level,
                           fm_theme theme)
{
    fm_colour ink = fm_theme_colours_of(theme).soft_ink;
    static _Thread_local outline o;
    static _Thread_local double x[POINTS_MOST + 8], y[POINTS_MOST + 8];
    for (size_t i = 0; run->has_scene && i < run->scene.shapes.count; i++) {
        o.shape = &run->scene.shapes.items[i];
        o.count = 0;
        o.across = across;
        o.up = up;
        if (strcmp(o.shape->frame, "map") != 0)
            continue;
        size_t count;
        if (o.shape->kind == FM_MSG_scene_shape_PLANE)
            count = cut_by_plane(&o, box, level, x, y);
        else {
            add_shape(&o, &run->scene);
            count = o.count > 2 ? hull_of(&o, x, y) : 0;
        }
        if (in_box(x, y, count, box))
            fm_axes_polygon(axes, x, y, count, &(fm_area_style){.colour = ink, .opacity = 0.3, .line = ink});
    }
}
