#include "fish/body.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "physics/real.h"

enum { FIN_ALONG = 12, FIN_ACROSS = 4, AROUND_MOST = 512 };

/* Sections of the default fish as ellipses: x behind the nose, height, width; m. */
static const double SECTION[FM_FISH_SECTIONS][3] = {
    {0.000, 0.01430, 0.01127}, {0.025, 0.03911, 0.03624}, {0.080, 0.08000, 0.04870}, {0.160, 0.07306, 0.05500},
    {0.220, 0.05527, 0.04162}, {0.280, 0.03092, 0.02985}, {0.330, 0.03794, 0.01103}, {0.400, 0.10000, 0.00150},
};

/* Fins of the default fish: leading and trailing edge; x behind the nose, y, z; m. The port pectoral is mirrored. */
static const fm_fish_fin DORSAL = {{{{0.105, 0, -0.036}, {0.116, 0, -0.046}, {0.130, 0, -0.054}, {0.148, 0, -0.058}},
                                    {{0.165, 0, -0.035}, {0.163, 0, -0.043}, {0.163, 0, -0.051}, {0.165, 0, -0.057}}}};
static const fm_fish_fin PECTORAL = {
    {{{0.070, 0.022, 0.012}, {0.077, 0.036, 0.015}, {0.087, 0.049, 0.018}, {0.100, 0.058, 0.020}},
     {{0.100, 0.022, 0.012}, {0.105, 0.035, 0.015}, {0.110, 0.047, 0.018}, {0.114, 0.057, 0.020}}}};

fm_fish_section fm_fish_section_ellipse(double x, double height, double width)
{
    fm_fish_section s = {.x = x};
    for (int i = 0; i < FM_FISH_SECTION_POINTS; i++) {
        s.point[i][0] = 0.5 * width * fm_sin(i * FM_PI / 3);
        s.point[i][1] = -0.5 * height * fm_cos(i * FM_PI / 3);
    }
    return s;
}

fm_fish_shape fm_fish_shape_preset(void)
{
    fm_fish_shape shape = {.head_length = 0.16,
                           .tail = {.joints = 4, .link = {0.060, 0.060, 0.050, 0.070}},
                           .fin = {DORSAL, PECTORAL, PECTORAL}};
    for (int i = 0; i < FM_FISH_SECTIONS; i++)
        shape.section[i] = fm_fish_section_ellipse(SECTION[i][0], SECTION[i][1], SECTION[i][2]);
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 4; i++)
            shape.fin[2].spline[s][i][1] *= -1;
    return shape;
}

void fm_fish_shape_scale(fm_fish_shape *shape, double factor)
{
    shape->head_length *= factor;
    for (int j = 0; j < shape->tail.joints; j++)
        shape->tail.link[j] *= factor;
    for (int i = 0; i < FM_FISH_SECTIONS; i++) {
        shape->section[i].x *= factor;
        for (int k = 0; k < FM_FISH_SECTION_POINTS; k++) {
            shape->section[i].point[k][0] *= factor;
            shape->section[i].point[k][1] *= factor;
        }
    }
    for (int f = 0; f < FM_FISH_FINS; f++)
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 4; i++)
                for (int c = 0; c < 3; c++)
                    shape->fin[f].spline[s][i][c] *= factor;
}

static int shape_is_finite(const fm_fish_shape *shape)
{
    double sum = shape->head_length;
    for (int i = 0; i < FM_FISH_SECTIONS; i++)
        for (int k = 0; k < FM_FISH_SECTION_POINTS; k++)
            sum +=
                fabs(shape->section[i].x) + fabs(shape->section[i].point[k][0]) + fabs(shape->section[i].point[k][1]);
    for (int f = 0; f < FM_FISH_FINS; f++)
        for (int i = 0; i < 24; i++)
            sum += fabs(shape->fin[f].spline[i / 12][i / 3 % 4][i % 3]);
    return isfinite(sum);
}

fm_status fm_fish_shape_check(const fm_fish_shape *shape, fm_error *error)
{
    double length = shape->head_length;
    if (shape->tail.joints < 1 || shape->tail.joints > FM_FISH_JOINTS_MOST)
        return fm_fail(error, FM_ERR_RANGE, "the fish has %d joints: must be 1 to %d", shape->tail.joints,
                       FM_FISH_JOINTS_MOST);
    for (int j = 0; j < shape->tail.joints; j++) {
        if (!(shape->tail.link[j] > 0))
            return fm_fail(error, FM_ERR_RANGE, "link %d of the fish is %g m long, but must be longer than 0", j + 1,
                           shape->tail.link[j]);
        length += shape->tail.link[j];
    }
    if (!shape_is_finite(shape) || !(shape->head_length > 0))
        return fm_fail(error, FM_ERR_RANGE,
                       "the fish's traverse points and lengths must be finite, the head longer than 0");
    const fm_fish_section *s = shape->section;
    for (int i = 1; i < FM_FISH_SECTIONS; i++)
        if (!(s[i].x > s[i - 1].x))
            return fm_fail(error, FM_ERR_MODEL, "section %d of the fish lies at %g m, not after section %d (%g m)",
                           i + 1, s[i].x, i, s[i - 1].x);
    if (fabs(s[0].x) > 1e-6 * length || fabs(s[FM_FISH_SECTIONS - 1].x - length) > 1e-6 * length)
        return fm_fail(error, FM_ERR_MODEL,
                       "the fish's sections run from %g to %g m, but head and links from 0 to %g m", s[0].x,
                       s[FM_FISH_SECTIONS - 1].x, length);
    for (int i = 0; i < FM_FISH_SECTIONS; i++)
        if (!(s[i].point[3][1] > s[i].point[0][1]))
            return fm_fail(error, FM_ERR_MODEL, "section %d of the fish: point D (belly) must lie below point A (back)",
                           i + 1);
    return FM_OK;
}

/* Slope of a monotone cubic at node i (Fritsch and Carlson's weighted harmonic mean). */
static double monotone_slope(const fm_fish_shape *shape, int point, int axis, int i)
{
    const fm_fish_section *s = shape->section;
    int last = FM_FISH_SECTIONS - 1, a = i == last ? last - 1 : i, b = i == 0 ? 0 : i - 1;
    double h1 = s[a + 1].x - s[a].x, d1 = (s[a + 1].point[point][axis] - s[a].point[point][axis]) / h1;
    double h0 = s[b + 1].x - s[b].x, d0 = (s[b + 1].point[point][axis] - s[b].point[point][axis]) / h0;
    if (i == 0 || i == last)
        return i == 0 ? d1 : d0;
    if (d0 * d1 <= 0)
        return 0;
    double w1 = 2 * h1 + h0, w2 = h1 + 2 * h0;
    return (w1 + w2) / (w1 / d0 + w2 / d1);
}

/* The six points of the section at x. */
static void section_at(const fm_fish_shape *shape, double x, double point[FM_FISH_SECTION_POINTS][2])
{
    const fm_fish_section *s = shape->section;
    int i = 0;
    while (i < FM_FISH_SECTIONS - 2 && x > s[i + 1].x)
        i++;
    double h = s[i + 1].x - s[i].x, t = fmin(fmax((x - s[i].x) / h, 0), 1), r = 1 - t;
    for (int k = 0; k < FM_FISH_SECTION_POINTS; k++)
        for (int c = 0; c < 2; c++)
            point[k][c] = s[i].point[k][c] * (1 + 2 * t) * r * r + h * monotone_slope(shape, k, c, i) * t * r * r +
                          s[i + 1].point[k][c] * t * t * (3 - 2 * t) -
                          h * monotone_slope(shape, k, c, i + 1) * t * t * r;
}

/* Cardinal function of trigonometric interpolation on six nodes: 1 at angle 0, 0 at the other nodes. */
static double trigonometric_cardinal(double angle)
{
    return (1 + 2 * fm_cos(angle) + 2 * fm_cos(2 * angle) + fm_cos(3 * angle)) / 6;
}

static void curve_weights(double angle, double weight[FM_FISH_SECTION_POINTS])
{
    for (int k = 0; k < FM_FISH_SECTION_POINTS; k++)
        weight[k] = trigonometric_cardinal(angle - k * FM_PI / 3);
}

static void weigh_points(const double point[FM_FISH_SECTION_POINTS][2], const double weight[FM_FISH_SECTION_POINTS],
                         double out[2])
{
    out[0] = out[1] = 0;
    for (int k = 0; k < FM_FISH_SECTION_POINTS; k++) {
        out[0] += weight[k] * point[k][0];
        out[1] += weight[k] * point[k][1];
    }
}

void fm_fish_shape_stations(const fm_fish_shape *shape, fm_fish_station *stations, int count)
{
    double length = shape->section[FM_FISH_SECTIONS - 1].x, weight[72][FM_FISH_SECTION_POINTS];
    for (int k = 0; k < 72; k++)
        curve_weights(k * FM_PI / 36, weight[k]);
    for (int i = 0; i < count; i++) {
        double point[FM_FISH_SECTION_POINTS][2], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, q[2];
        section_at(shape, length * i / (count - 1), point);
        for (int k = 0; k < 72; k++) {
            weigh_points(point, weight[k], q);
            for (int c = 0; c < 2; c++) {
                low[c] = fmin(low[c], q[c]);
                high[c] = fmax(high[c], q[c]);
            }
        }
        stations[i] = (fm_fish_station){length * i / (count - 1), high[1] - low[1], high[0] - low[0]};
    }
}

static uint32_t add_vertex(fm_fish_mesh *m, double x, double y, double z, double u, double v)
{
    uint32_t i = m->vertices++;
    m->position[3 * i] = x;
    m->position[3 * i + 1] = y;
    m->position[3 * i + 2] = z;
    m->uv[2 * i] = u;
    m->uv[2 * i + 1] = v;
    return i;
}

static void add_triangle(fm_fish_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->index + 3 * (size_t)m->triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* Rings of the trunk; the seam along the back has its points twice, for the texture. */
static void add_trunk(fm_fish_mesh *m, const fm_fish_shape *shape, int rings, int around)
{
    double length = shape->section[FM_FISH_SECTIONS - 1].x, weight[AROUND_MOST][FM_FISH_SECTION_POINTS];
    for (int k = 0; k < around; k++)
        curve_weights(2 * FM_PI * k / around, weight[k]);
    for (int i = 0; i < rings; i++) {
        double point[FM_FISH_SECTION_POINTS][2], q[2], x = length * i / (rings - 1);
        section_at(shape, x, point);
        for (int k = 0; k <= around; k++) {
            weigh_points(point, weight[k % around], q);
            add_vertex(m, shape->head_length - x, q[0], q[1], x / length, (double)k / around);
        }
    }
    uint32_t row = (uint32_t)around + 1;
    for (uint32_t i = 0; i + 1 < (uint32_t)rings; i++)
        for (uint32_t k = 0; k < (uint32_t)around; k++) {
            uint32_t a = i * row + k, b = a + row;
            add_triangle(m, a, b, b + 1);
            add_triangle(m, a, b + 1, a + 1);
        }
}

/* Closes the trunk at the first (nose) and last ring. */
static void add_caps(fm_fish_mesh *m, int rings, int around)
{
    for (int end = 0; end < 2; end++) {
        uint32_t first = end ? (uint32_t)(rings - 1) * ((uint32_t)around + 1) : 0;
        double y = 0, z = 0, x = m->position[3 * first];
        for (uint32_t k = 0; k < (uint32_t)around; k++) {
            y += m->position[3 * (first + k) + 1] / around;
            z += m->position[3 * (first + k) + 2] / around;
        }
        uint32_t centre = add_vertex(m, x, y, z, end, 0.5);
        for (uint32_t k = 0; k < (uint32_t)around; k++)
            add_triangle(m, centre, first + (end ? k + 1 : k), first + (end ? k : k + 1));
    }
}

/* The cubic through four points at t = 0, 1/3, 2/3, 1. */
static void spline_point(const double p[4][3], double t, double out[3])
{
    double w[4] = {-4.5 * (t - 1.0 / 3) * (t - 2.0 / 3) * (t - 1), 13.5 * t * (t - 2.0 / 3) * (t - 1),
                   -13.5 * t * (t - 1.0 / 3) * (t - 1), 4.5 * t * (t - 1.0 / 3) * (t - 2.0 / 3)};
    for (int c = 0; c < 3; c++)
        out[c] = w[0] * p[0][c] + w[1] * p[1][c] + w[2] * p[2][c] + w[3] * p[3][c];
}

/* Both sides of one fin, with vertices of their own so that normals differ. */
static void add_fin(fm_fish_mesh *m, const fm_fish_shape *shape, const fm_fish_fin *fin)
{
    for (int side = 0; side < 2; side++) {
        uint32_t first = m->vertices;
        for (int i = 0; i <= FIN_ALONG; i++) {
            double a[3], b[3];
            spline_point(fin->spline[0], (double)i / FIN_ALONG, a);
            spline_point(fin->spline[1], (double)i / FIN_ALONG, b);
            for (int k = 0; k <= FIN_ACROSS; k++) {
                double s = (double)k / FIN_ACROSS;
                add_vertex(m, shape->head_length - (a[0] + s * (b[0] - a[0])), a[1] + s * (b[1] - a[1]),
                           a[2] + s * (b[2] - a[2]), 0.5 + 0.1 * s, 0.02 + 0.1 * i / FIN_ALONG);
            }
        }
        for (uint32_t i = 0; i < FIN_ALONG; i++)
            for (uint32_t k = 0; k < FIN_ACROSS; k++) {
                uint32_t a = first + i * (FIN_ACROSS + 1) + k, b = a + FIN_ACROSS + 1;
                add_triangle(m, a, side ? b + 1 : b, side ? b : b + 1);
                add_triangle(m, a, side ? a + 1 : b + 1, side ? b + 1 : a + 1);
            }
    }
}

static void cross(const double *a, const double *b, const double *c, double out[3])
{
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

/* Area-weighted normals; the two copies of a seam's point get their sum. */
static void mesh_normals(fm_fish_mesh *m, int rings, int around)
{
    for (uint32_t t = 0; t < m->triangles; t++) {
        const uint32_t *i = m->index + 3 * (size_t)t;
        double n[3];
        cross(m->position + 3 * i[0], m->position + 3 * i[1], m->position + 3 * i[2], n);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                m->normal[3 * (size_t)i[k] + (size_t)c] += n[c];
    }
    for (int r = 0; r < rings; r++)
        for (int c = 0; c < 3; c++) {
            double *a = &m->normal[3 * ((size_t)r * ((size_t)around + 1)) + (size_t)c], *b = a + 3 * (size_t)around;
            *a = *b = *a + *b;
        }
    for (uint32_t i = 0; i < m->vertices; i++) {
        double *n = m->normal + 3 * (size_t)i, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3 && length > 0; c++)
            n[c] /= length;
    }
}

fm_status fm_fish_mesh_build(fm_fish_mesh *mesh, const fm_fish_shape *shape, int rings, int around, fm_error *error)
{
    *mesh = (fm_fish_mesh){0};
    if (rings < 8 || rings > 1024 || around < 6 || around > AROUND_MOST)
        return fm_fail(error, FM_ERR_RANGE, "a fish mesh of %d rings of %d points: must be 8-1024 of 6-512", rings,
                       around);
    fm_status status = fm_fish_shape_check(shape, error);
    if (status != FM_OK)
        return status;
    size_t vertices = (size_t)rings * ((size_t)around + 1) + 2 + FM_FISH_FINS * 2 * (FIN_ALONG + 1) * (FIN_ACROSS + 1);
    size_t triangles = 2 * (size_t)rings * (size_t)around + FM_FISH_FINS * 4 * FIN_ALONG * FIN_ACROSS;
    mesh->position = fm_alloc(vertices * 3 * sizeof(double));
    mesh->normal = fm_alloc(vertices * 3 * sizeof(double));
    mesh->uv = fm_alloc(vertices * 2 * sizeof(double));
    mesh->index = fm_alloc(triangles * 3 * sizeof(uint32_t));
    if (!mesh->position || !mesh->normal || !mesh->uv || !mesh->index) {
        fm_fish_mesh_free(mesh);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a fish mesh of %zu vertices", vertices);
    }
    add_trunk(mesh, shape, rings, around);
    add_caps(mesh, rings, around);
    mesh->trunk_triangles = mesh->triangles;
    for (int f = 0; f < FM_FISH_FINS; f++)
        add_fin(mesh, shape, &shape->fin[f]);
    mesh_normals(mesh, rings, around);
    return FM_OK;
}

void fm_fish_mesh_free(fm_fish_mesh *mesh)
{
    fm_free(mesh->position);
    fm_free(mesh->normal);
    fm_free(mesh->uv);
    fm_free(mesh->index);
    *mesh = (fm_fish_mesh){0};
}

void fm_fish_mesh_measure(const fm_fish_mesh *mesh, double *volume, double *area, double centroid[3])
{
    double v6 = 0, moment[3] = {0};
    *area = 0;
    for (uint32_t t = 0; t < mesh->trunk_triangles; t++) {
        const uint32_t *i = mesh->index + 3 * (size_t)t;
        const double *a = mesh->position + 3 * i[0], *b = mesh->position + 3 * i[1], *c = mesh->position + 3 * i[2];
        double n[3];
        cross(a, b, c, n);
        double d = a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
        *area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        v6 += d;
        for (int k = 0; k < 3; k++)
            moment[k] += 0.25 * d * (a[k] + b[k] + c[k]);
    }
    *volume = v6 / 6;
    for (int k = 0; k < 3; k++)
        centroid[k] = moment[k] / v6;
}

static double fin_area(const fm_fish_mesh *mesh, int fin)
{
    uint32_t count = 2 * FIN_ALONG * FIN_ACROSS, first = mesh->trunk_triangles + (uint32_t)fin * 2 * count;
    double area = 0;
    for (uint32_t t = first; t < first + count; t++) {
        const uint32_t *i = mesh->index + 3 * (size_t)t;
        double n[3];
        cross(mesh->position + 3 * i[0], mesh->position + 3 * i[1], mesh->position + 3 * i[2], n);
        area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return area;
}

fm_status fm_fish_shape_measure(const fm_fish_shape *shape, fm_fish_measures *measures, fm_error *error)
{
    fm_fish_mesh mesh;
    fm_status status = fm_fish_mesh_build(&mesh, shape, 401, 128, error);
    if (status != FM_OK)
        return status;
    double centroid[3];
    *measures = (fm_fish_measures){.head_box[0] = shape->head_length};
    fm_fish_mesh_measure(&mesh, &measures->volume, &measures->wetted_area, centroid);
    measures->centre = shape->head_length - centroid[0];
    for (int f = 0; f < FM_FISH_FINS; f++)
        measures->fin_area[f] = fin_area(&mesh, f);
    fm_fish_mesh_free(&mesh);
    fm_fish_station s[101];
    fm_fish_shape_stations(shape, s, 101);
    for (int i = 0; i < 101; i++) {
        double *box = s[i].x <= shape->head_length ? measures->head_box + 1 : measures->tail_box;
        box[0] = fmax(box[0], s[i].width);
        box[1] = fmax(box[1], s[i].height);
    }
    return FM_OK;
}
