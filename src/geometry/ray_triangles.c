/* Rays against the triangles in Embree.
 *
 * Embree says in single precision which triangle a ray meets; the hit is then solved in double with the triangle's own
 * vertices. Where the double ray passes closer to an edge than single precision resolves, or misses the triangle, all
 * triangles near the hit are tried in double and the nearest wins (the lowest number among equals), so that the result
 * does not depend on which of two neighbours Embree named. Where none holds the ray, it goes on behind. */
#include "geometry/ray_scene.h"

enum { MAX_PASSES = 16 };

static const double FLOAT_ERROR = 4e-7; /* of coordinates and distance: a few float roundings */
static const double EDGE = 1e-13;       /* weights: a ray through an edge belongs to both triangles */

bool fm_ray_triangle(fm_d3 origin, fm_d3 direction, fm_d3 a, fm_d3 b, fm_d3 c, fm_triangle_hit *out)
{
    fm_d3 e1 = fm_d3_sub(b, a), e2 = fm_d3_sub(c, a), s = fm_d3_sub(origin, a);
    fm_d3 p = fm_d3_cross(direction, e2), q = fm_d3_cross(s, e1);
    double det = fm_d3_dot(e1, p);
    if (det == 0)
        return false;
    double inverse = 1 / det;
    out->v = fm_d3_dot(s, p) * inverse;
    out->w = fm_d3_dot(direction, q) * inverse;
    out->u = 1 - out->v - out->w;
    out->normal = fm_d3_cross(e1, e2);
    /* s·n / −d·n rather than e2·q / det: the same, without the cancellation of a long s */
    out->t = -fm_d3_dot(s, out->normal) / fm_d3_dot(direction, out->normal);
    return isfinite(out->t);
}

static bool meet(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle, const fm_ready_ray *ray, fm_triangle_hit *out)
{
    const fm_mesh *m = scene->meshes[mesh].mesh;
    const uint32_t *t = m->triangles[triangle];
    return fm_ray_triangle(ray->origin, ray->direction, fm_d3_of(m->vertices[t[0]]), fm_d3_of(m->vertices[t[1]]),
                           fm_d3_of(m->vertices[t[2]]), out);
}

static double least_weight(const fm_triangle_hit *h)
{
    return fmin(h->u, fmin(h->v, h->w));
}

/* Size of float errors in space for this ray, m. */
static double float_blur(const fm_ray_scene *scene, const fm_ready_ray *ray, double t)
{
    fm_d3 o = fm_d3_sub(ray->origin, fm_d3_of(scene->centre));
    return FLOAT_ERROR * (fabs(o.x) + fabs(o.y) + fabs(o.z) + t + scene->extent);
}

static void write_hit(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle, const fm_ready_ray *ray,
                      const fm_triangle_hit *h, fm_ray_hit *hit)
{
    fm_d3 n = fm_d3_scale(h->normal, 1 / fm_d3_norm(h->normal));
    double along = fm_d3_dot(n, ray->direction);
    if (along > 0)
        n = fm_d3_scale(n, -1);
    hit->distance = h->t;
    fm_d3_store(n, hit->normal);
    hit->cosine = fmin(fabs(along), 1);
    hit->material = scene->meshes[mesh].material;
    hit->body = scene->meshes[mesh].body;
    hit->triangle = triangle;
    hit->inside = 0;
}

/* Inside by more than the blur can change. Weights are heights over heights: the least height is 2 A / longest edge. */
static bool is_clear(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle, const fm_ready_ray *ray,
                     const fm_triangle_hit *h)
{
    const fm_mesh *m = scene->meshes[mesh].mesh;
    const uint32_t *t = m->triangles[triangle];
    fm_d3 a = fm_d3_of(m->vertices[t[0]]), b = fm_d3_of(m->vertices[t[1]]), c = fm_d3_of(m->vertices[t[2]]);
    fm_d3 ab = fm_d3_sub(b, a), ac = fm_d3_sub(c, a), bc = fm_d3_sub(c, b);
    double longest = fmax(fm_d3_dot(ab, ab), fmax(fm_d3_dot(ac, ac), fm_d3_dot(bc, bc)));
    double along = fabs(fm_d3_dot(h->normal, ray->direction)), area = fm_d3_dot(h->normal, h->normal);
    double blur = float_blur(scene, ray, fabs(h->t));
    /* weight · height · cosine > blur, squared: cosine = along / 2A, height = 2A / longest */
    double weight = least_weight(h);
    return area > 0 && weight > 0 && weight * weight * along * along > blur * blur * longest;
}

typedef struct nearby {
    const fm_ray_scene *scene;
    const fm_ready_ray *ray;
    fm_triangle_hit best;
    uint32_t mesh, triangle;
    bool found;
} nearby;

static bool on_nearby(struct RTCPointQueryFunctionArguments *arguments)
{
    nearby *q = arguments->userPtr;
    fm_triangle_hit h;
    if (!meet(q->scene, arguments->geomID, arguments->primID, q->ray, &h) || least_weight(&h) < -EDGE || h.t < 0)
        return false;
    double tie = 1e-12 * (1 + h.t);
    bool lower = arguments->geomID < q->mesh || (arguments->geomID == q->mesh && arguments->primID < q->triangle);
    if (!q->found || h.t < q->best.t - tie || (h.t <= q->best.t + tie && lower)) {
        q->best = h;
        q->mesh = arguments->geomID;
        q->triangle = arguments->primID;
        q->found = true;
    }
    return false;
}

static bool try_nearby(const fm_ray_scene *scene, const fm_ready_ray *ray, double t, double radius, fm_ray_hit *hit)
{
    nearby q = {.scene = scene, .ray = ray};
    fm_d3 p = fm_d3_sub(fm_d3_add_scaled(ray->origin, t, ray->direction), fm_d3_of(scene->centre));
    struct RTCPointQuery query = {(float)p.x, (float)p.y, (float)p.z, 0, (float)radius};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene->scene, &query, &context, on_nearby, &q);
    if (q.found && q.best.t <= ray->limit)
        write_hit(scene, q.mesh, q.triangle, ray, &q.best, hit);
    return q.found;
}

/* Float rays start a little behind the origin, so that a surface right at the origin is not lost. */
static double head_start(const fm_ray_scene *scene, const fm_ready_ray *ray)
{
    return 2 * float_blur(scene, ray, 0);
}

static struct RTCRayHit single_ray(const fm_ray_scene *scene, const fm_ready_ray *ray, double start)
{
    double back = head_start(scene, ray);
    fm_d3 o = fm_d3_sub(fm_d3_add_scaled(ray->origin, -back, ray->direction), fm_d3_of(scene->centre));
    struct RTCRayHit r = {.ray = {.org_x = (float)o.x, .org_y = (float)o.y, .org_z = (float)o.z, .tnear = (float)(start + back),
                                  .dir_x = (float)ray->direction.x, .dir_y = (float)ray->direction.y,
                                  .dir_z = (float)ray->direction.z, .tfar = (float)((ray->limit + back) * 1.000001), .mask = UINT32_MAX},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID,
                                  .instID = {RTC_INVALID_GEOMETRY_ID}}};
    return r;
}

/* Settles what Embree's float hit (mesh, triangle at t) really is; false: nothing here in double, go on behind. */
static bool settle(const fm_ray_scene *scene, const fm_ready_ray *ray, uint32_t mesh, uint32_t triangle, double t,
                   fm_ray_hit *hit)
{
    fm_triangle_hit h;
    bool met = meet(scene, mesh, triangle, ray, &h);
    if (met && h.t >= 0 && is_clear(scene, mesh, triangle, ray, &h)) {
        if (h.t <= ray->limit)
            write_hit(scene, mesh, triangle, ray, &h, hit);
        return true;
    }
    double cosine = met ? fabs(fm_d3_dot(h.normal, ray->direction)) / fm_d3_norm(h.normal) : 0;
    if (met && h.t < 0 && least_weight(&h) > 0 && is_clear(scene, mesh, triangle, ray, &h))
        return false; /* behind the origin */
    return try_nearby(scene, ray, t, 2 * float_blur(scene, ray, t) / fmax(cosine, 1e-3), hit);
}

static void go_on(const fm_ray_scene *scene, const fm_ready_ray *ray, double t, fm_ray_hit *hit)
{
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        struct RTCRayHit r = single_ray(scene, ray, t + float_blur(scene, ray, fabs(t)));
        rtcIntersect1(scene->scene, &context, &r);
        if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID)
            return;
        t = (double)r.ray.tfar - head_start(scene, ray);
        if (settle(scene, ray, r.hit.geomID, r.hit.primID, t, hit))
            return;
    }
}

static void finish(const fm_ray_scene *scene, const fm_ready_ray *ray, uint32_t mesh, uint32_t triangle, float t_float,
                   fm_ray_hit *hit)
{
    double t = (double)t_float - head_start(scene, ray);
    if (!settle(scene, ray, mesh, triangle, t, hit))
        go_on(scene, ray, t, hit);
}

static void meet_one(const fm_ray_scene *scene, const fm_ready_ray *ray, fm_ray_hit *hit)
{
    if (ray->limit < 0)
        return;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit r = single_ray(scene, ray, -head_start(scene, ray));
    rtcIntersect1(scene->scene, &context, &r);
    if (r.hit.geomID != RTC_INVALID_GEOMETRY_ID)
        finish(scene, ray, r.hit.geomID, r.hit.primID, r.ray.tfar, hit);
}

/* Packets pay when the rays go much the same way from much the same place. */
static bool is_bundle(const fm_ready_ray *rays, size_t count, double extent)
{
    for (size_t i = 1; i < count; i++) {
        fm_d3 apart = fm_d3_sub(rays[i].origin, rays[0].origin);
        if (!(fm_d3_dot(rays[i].direction, rays[0].direction) > 0.9) || fm_d3_dot(apart, apart) > 1e-4 * extent * extent)
            return false;
    }
    return true;
}

#define FILL_LANE(r, i, ray)                                                                                          \
    do {                                                                                                               \
        struct RTCRayHit one = single_ray(scene, ray, -head_start(scene, ray));                                       \
        (r).ray.org_x[i] = one.ray.org_x;                                                                              \
        (r).ray.org_y[i] = one.ray.org_y;                                                                              \
        (r).ray.org_z[i] = one.ray.org_z;                                                                              \
        (r).ray.dir_x[i] = one.ray.dir_x;                                                                              \
        (r).ray.dir_y[i] = one.ray.dir_y;                                                                              \
        (r).ray.dir_z[i] = one.ray.dir_z;                                                                              \
        (r).ray.tnear[i] = one.ray.tnear;                                                                              \
        (r).ray.tfar[i] = one.ray.tfar;                                                                                \
        (r).ray.time[i] = 0;                                                                                           \
        (r).ray.mask[i] = UINT32_MAX;                                                                                  \
        (r).hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;                                                                   \
        (r).hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;                                                                \
    } while (0)

/* The triangles' corners are on their way while other lanes are worked on. */
static void fetch(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle)
{
    const fm_mesh *m = scene->meshes[mesh].mesh;
    for (int k = 0; k < 3; k++)
        __builtin_prefetch(m->vertices[m->triangles[triangle][k]]);
}

#define MEET_PACKET(WIDTH)                                                                                            \
    static void meet_##WIDTH(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, fm_ray_hit *hits)     \
    {                                                                                                                  \
        struct RTCRayHit##WIDTH r;                                                                                     \
        _Alignas(64) int valid[WIDTH];                                                                                 \
        struct RTCIntersectContext context;                                                                            \
        rtcInitIntersectContext(&context);                                                                             \
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;                                                           \
        for (size_t i = 0; i < WIDTH; i++) {                                                                           \
            const fm_ready_ray *ray = &rays[i < count ? i : 0];                                                        \
            FILL_LANE(r, i, ray);                                                                                      \
            valid[i] = i < count && ray->limit >= 0 ? -1 : 0;                                                          \
        }                                                                                                              \
        rtcIntersect##WIDTH(valid, scene->scene, &context, &r);                                                        \
        for (size_t i = 0; i < count; i++)                                                                             \
            if (r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID)                                                            \
                __builtin_prefetch(scene->meshes[r.hit.geomID[i]].mesh->triangles[r.hit.primID[i]]);                   \
        for (size_t i = 0; i < count; i++)                                                                             \
            if (r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID)                                                            \
                fetch(scene, r.hit.geomID[i], r.hit.primID[i]);                                                        \
        for (size_t i = 0; i < count; i++)                                                                             \
            if (r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID)                                                            \
                finish(scene, &rays[i], r.hit.geomID[i], r.hit.primID[i], r.ray.tfar[i], &hits[i]);                    \
    }

MEET_PACKET(8)
MEET_PACKET(16)

void fm_rays_meet_meshes(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, fm_ray_hit *hits)
{
    if (!scene->scene)
        return;
    size_t width = (size_t)scene->packet;
    for (size_t at = 0; at < count; at += width) {
        size_t n = count - at < width ? count - at : width;
        if (n <= 2 || !is_bundle(rays + at, n, scene->extent))
            for (size_t i = 0; i < n; i++)
                meet_one(scene, &rays[at + i], &hits[at + i]);
        else if (width == 16)
            meet_16(scene, n, rays + at, hits + at);
        else
            meet_8(scene, n, rays + at, hits + at);
    }
}
