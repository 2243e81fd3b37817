/* Rays against the triangles in Embree.
 *
 * Embree finds in single precision which triangle a ray meets; the distance is then solved in double with the
 * triangle's plane. Where the ray passes closer to an edge than single precision resolves, all triangles near the
 * hit are tried in double with their own vertices and the nearest wins (the lowest number among equals), so that the
 * result does not depend on which of two neighbours Embree named. If none contains the ray, the search continues
 * after it. */
#include <float.h>
#include <string.h>

#include "geometry/ray_scene.h"

enum { MAX_PASSES = 16 };

static const double FLOAT_ERROR = 3e-7; /* of coordinates and distance: five float roundings */
static const double EDGE = 1e-13;       /* weights: a ray through an edge belongs to both triangles */

bool fm_ray_triangle(fm_d3 origin, fm_d3 direction, fm_d3 a, fm_d3 b, fm_d3 c, fm_triangle_hit *out)
{
    fm_d3 e1 = fm_d3_sub(b, a), e2 = fm_d3_sub(c, a), s = fm_d3_sub(origin, a);
    fm_d3 n = fm_d3_cross(e1, e2), r = fm_d3_cross(s, direction);
    double inverse = -1 / fm_d3_dot(direction, n);
    out->t = fm_d3_dot(s, n) * inverse;
    out->v = fm_d3_dot(e2, r) * inverse;
    out->w = fm_d3_dot(e1, r) * -inverse;
    out->u = 1 - out->v - out->w;
    return fabs(out->t) <= DBL_MAX; /* a ray along the triangle's plane divides by 0 */
}

static bool meet(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle, const fm_ready_ray *ray,
                 fm_triangle_hit *out)
{
    const fm_mesh *m = scene->meshes[mesh].mesh;
    const uint32_t *t = m->triangles[triangle];
    return fm_ray_triangle(ray->origin, ray->direction, fm_d3_of(m->vertices[t[0]]), fm_d3_of(m->vertices[t[1]]),
                           fm_d3_of(m->vertices[t[2]]), out);
}

static double least_weight(const fm_triangle_hit *h)
{
    double least = h->u < h->v ? h->u : h->v;
    return least < h->w ? least : h->w;
}

/* Size of float errors in space at t along this ray, m. */
static double float_blur(const fm_ready_ray *ray, double t)
{
    return FLOAT_ERROR * (ray->bulk + t);
}

/* What Embree named for a ray. */
typedef struct found {
    uint32_t mesh, triangle;
    float t, v, w; /* along the float ray; weights of the second and third corner */
} found;

/* Distance to the plane of a triangle, and its normal's part along the ray (m: height times cosine). */
static inline double plane_distance(const fm_ray_plane *plane, const fm_ready_ray *ray, double *along)
{
    fm_d3 n = fm_d3_of(plane->normal);
    *along = fm_d3_dot(n, ray->direction);
    return (plane->offset - fm_d3_dot(n, ray->local)) / *along;
}

/* 1 / |n| of a plane's normal, whose length is a power of two: from the exponent of its square, without root and
 * division. */
static inline double inverse_length(fm_d3 n)
{
    double square = fm_d3_dot(n, n) * 1.0000001, inverse; /* never a rounding below the power of four */
    uint64_t bits;
    memcpy(&bits, &square, sizeof bits);
    bits = (uint64_t)(1023 - ((int64_t)(bits >> 52) - 1023) / 2) << 52;
    memcpy(&inverse, &bits, sizeof inverse);
    return inverse;
}

/* t, along: as plane_distance gives them. */
static inline void write_hit(const fm_ray_scene *scene, uint32_t mesh, uint32_t triangle, const fm_ready_ray *ray,
                             double t, double along, fm_ray_hit *hit)
{
    fm_d3 n = fm_d3_of(scene->planes[mesh][triangle].normal);
    double scale = (along > 0 ? -1 : 1) * inverse_length(n), cosine = fabs(along * scale);
    t = t > 0 ? t : 0; /* within rounding of the origin */
    if (t > ray->limit)
        return;
    hit->distance = t;
    fm_d3_store(fm_d3_scale(n, scale), hit->normal);
    hit->cosine = cosine < 1 ? cosine : 1;
    hit->material = scene->meshes[mesh].material;
    hit->body = scene->meshes[mesh].body;
    hit->triangle = triangle;
    hit->inside = 0;
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
    fm_d3 p = fm_d3_add_scaled(ray->local, t, ray->direction);
    struct RTCPointQuery query = {(float)p.x, (float)p.y, (float)p.z, 0, (float)radius};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene->scene, &query, &context, on_nearby, &q);
    if (q.found) {
        double along, distance = plane_distance(&scene->planes[q.mesh][q.triangle], ray, &along);
        write_hit(scene, q.mesh, q.triangle, ray, distance, along, hit);
    }
    return q.found;
}

/* Float rays start slightly before the origin, so that a surface right at the origin is not lost. */
static double head_start(const fm_ready_ray *ray)
{
    return 2 * float_blur(ray, 0);
}

static struct RTCRayHit single_ray(const fm_ready_ray *ray, double start)
{
    double back = head_start(ray);
    fm_d3 o = fm_d3_add_scaled(ray->local, -back, ray->direction);
    struct RTCRayHit r = {.ray = {.org_x = (float)o.x,
                                  .org_y = (float)o.y,
                                  .org_z = (float)o.z,
                                  .tnear = (float)(start + back),
                                  .dir_x = (float)ray->direction.x,
                                  .dir_y = (float)ray->direction.y,
                                  .dir_z = (float)ray->direction.z,
                                  .tfar = (float)((ray->limit + back) * 1.000001),
                                  .mask = UINT32_MAX},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID,
                                  .primID = RTC_INVALID_GEOMETRY_ID,
                                  .instID = {RTC_INVALID_GEOMETRY_ID}}};
    return r;
}

/* Resolves a hit of Embree in double; false: no hit in double, the search continues after it. The hit is clear if each
 * weight times height times cosine is more than the blur. */
static bool settle(const fm_ray_scene *scene, const fm_ready_ray *ray, const found *f, fm_ray_hit *hit)
{
    double along, t = plane_distance(&scene->planes[f->mesh][f->triangle], ray, &along);
    double u = 1 - (double)f->v - (double)f->w, least = (double)(f->v < f->w ? f->v : f->w),
           blur = float_blur(ray, fabs(t));
    least = least < u ? least : u;
    if (least * fabs(along) > blur && fabs(t) > blur) {
        if (t > 0)
            write_hit(scene, f->mesh, f->triangle, ray, t, along, hit);
        return t > 0; /* or behind the origin */
    }
    fm_d3 n = fm_d3_of(scene->planes[f->mesh][f->triangle].normal);
    double near = (double)f->t - head_start(ray), cosine = fabs(along) * inverse_length(n);
    return try_nearby(scene, ray, near, 2 * float_blur(ray, fabs(near)) / fmax(cosine, 1e-3), hit);
}

static void cast_one(const fm_ray_scene *scene, const fm_ready_ray *ray, double start, found *out)
{
    out->mesh = RTC_INVALID_GEOMETRY_ID;
    if (ray->limit < 0)
        return;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit r = single_ray(ray, start);
    rtcIntersect1(scene->scene, &context, &r);
    *out = (found){r.hit.geomID, r.hit.primID, r.ray.tfar, r.hit.u, r.hit.v};
}

static void finish(const fm_ray_scene *scene, const fm_ready_ray *ray, found f, fm_ray_hit *hit)
{
    for (int pass = 0; pass < MAX_PASSES && f.mesh != RTC_INVALID_GEOMETRY_ID; pass++) {
        if (settle(scene, ray, &f, hit))
            return;
        double t = (double)f.t - head_start(ray);
        cast_one(scene, ray, t + float_blur(ray, fabs(t)), &f);
    }
}

/* Packets pay off when the rays have similar origins and directions: every fifth is checked, which is enough for
 * choosing the faster method and affects nothing else. */
static bool is_bundle(const fm_ready_ray *rays, size_t count, double extent)
{
    for (size_t i = count < 6 ? 1 : 5; i < count; i += count < 6 ? 1 : 5) {
        fm_d3 apart = fm_d3_sub(rays[i].origin, rays[0].origin);
        if (!(fm_d3_dot(rays[i].direction, rays[0].direction) > 0.9) ||
            fm_d3_dot(apart, apart) > 1e-4 * extent * extent)
            return false;
    }
    return true;
}

/* A packet of rays that is reused: Embree changes only tfar and the hits of its lanes. Parts that a call does not fill
 * are filled once, whole arrays at a time. */
#define PACKET(WIDTH)                                                                                                  \
    typedef struct packet_##WIDTH {                                                                                    \
        struct RTCRayHit##WIDTH r;                                                                                     \
        _Alignas(64) int valid[WIDTH];                                                                                 \
        struct RTCIntersectContext context;                                                                            \
    } packet_##WIDTH;                                                                                                  \
                                                                                                                       \
    static void prepare_##WIDTH(packet_##WIDTH *p)                                                                     \
    {                                                                                                                  \
        rtcInitIntersectContext(&p->context);                                                                          \
        p->context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;                                                        \
        memset(p->r.ray.tnear, 0, sizeof p->r.ray.tnear);                                                              \
        memset(p->r.ray.time, 0, sizeof p->r.ray.time);                                                                \
        memset(p->r.ray.mask, 0xff, sizeof p->r.ray.mask);                                                             \
        memset(p->r.hit.instID, 0xff, sizeof p->r.hit.instID); /* RTC_INVALID_GEOMETRY_ID */                           \
    }                                                                                                                  \
                                                                                                                       \
    static void cast_##WIDTH(packet_##WIDTH *p, const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays,     \
                             found *out)                                                                               \
    {                                                                                                                  \
        struct RTCRay##WIDTH *r = &p->r.ray;                                                                           \
        memset(p->r.hit.geomID, 0xff, sizeof p->r.hit.geomID);                                                         \
        for (size_t i = 0; i < WIDTH; i++) {                                                                           \
            const fm_ready_ray *ray = &rays[i < count ? i : 0];                                                        \
            double back = head_start(ray);                                                                             \
            r->org_x[i] = (float)(ray->local.x + -back * ray->direction.x);                                            \
            r->org_y[i] = (float)(ray->local.y + -back * ray->direction.y);                                            \
            r->org_z[i] = (float)(ray->local.z + -back * ray->direction.z);                                            \
            r->dir_x[i] = (float)ray->direction.x;                                                                     \
            r->dir_y[i] = (float)ray->direction.y;                                                                     \
            r->dir_z[i] = (float)ray->direction.z;                                                                     \
            r->tfar[i] = (float)((ray->limit + back) * 1.000001);                                                      \
            p->valid[i] = i < count && ray->limit >= 0 ? -1 : 0;                                                       \
        }                                                                                                              \
        rtcIntersect##WIDTH(p->valid, scene->scene, &p->context, &p->r);                                               \
        for (size_t i = 0; i < count; i++) {                                                                           \
            out[i] = (found){p->r.hit.geomID[i], p->r.hit.primID[i], r->tfar[i], p->r.hit.u[i], p->r.hit.v[i]};        \
            if (out[i].mesh != RTC_INVALID_GEOMETRY_ID) /* on its way into the cache while others are cast */          \
                __builtin_prefetch(&scene->planes[out[i].mesh][out[i].triangle]);                                      \
        }                                                                                                              \
    }

PACKET(8)
PACKET(16)

#define CAST_ALL(WIDTH)                                                                                                \
    static void cast_all_##WIDTH(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, found *out)        \
    {                                                                                                                  \
        packet_##WIDTH packet;                                                                                         \
        bool prepared = false;                                                                                         \
        for (size_t at = 0; at < count; at += WIDTH) {                                                                 \
            size_t some = count - at < WIDTH ? count - at : WIDTH;                                                     \
            if (some <= 2 || !is_bundle(rays + at, some, scene->extent)) {                                             \
                cast_each(scene, some, rays + at, out + at);                                                           \
                continue;                                                                                              \
            }                                                                                                          \
            if (!prepared)                                                                                             \
                prepare_##WIDTH(&packet);                                                                              \
            prepared = true;                                                                                           \
            cast_##WIDTH(&packet, scene, some, rays + at, out + at);                                                   \
        }                                                                                                              \
    }

static void cast_each(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, found *out)
{
    for (size_t i = 0; i < count; i++)
        cast_one(scene, &rays[i], -head_start(&rays[i]), &out[i]);
}

CAST_ALL(8)
CAST_ALL(16)

void fm_rays_meet_meshes(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, fm_ray_hit *hits)
{
    found named[FM_RAY_BLOCK];
    if (!scene->scene)
        return;
    if (scene->packet == 16)
        cast_all_16(scene, count, rays, named);
    else if (scene->packet == 8)
        cast_all_8(scene, count, rays, named);
    else
        cast_each(scene, count, rays, named);
    for (size_t i = 0; i < count; i++)
        finish(scene, &rays[i], named[i], &hits[i]);
}
