#include "geometry/rays.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/ray_scene.h"

enum { CHUNK = 256 }; /* bodies sifted together */

static inline fm_ready_ray make_ready(const fm_ray_scene *scene, const double origin[3], const double direction[3],
                                      double max_range)
{
    fm_ready_ray ray = {
        .origin = fm_d3_of(origin), .direction = fm_d3_of(direction), .limit = max_range >= 0 ? max_range : -1};
    ray.local = fm_d3_sub(ray.origin, fm_d3_of(scene->centre));
    ray.bulk = fabs(ray.local.x) + fabs(ray.local.y) + fabs(ray.local.z);
    double square = fm_d3_dot(ray.direction, ray.direction);
    if (!(square > 0 && square < INFINITY && ray.bulk < INFINITY))
        ray.limit = -1;
    else
        ray.direction = fm_d3_scale(ray.direction, 1 / sqrt(square));
    return ray;
}

static void miss(fm_ray_hit *hit)
{
    *hit = (fm_ray_hit){.distance = INFINITY, .material = UINT32_MAX, .body = FM_RAY_NOBODY, .triangle = UINT32_MAX};
}

static void meet_shape(const fm_ready_ray *ray, const fm_ray_body *body, fm_ray_hit *hit)
{
    double origin[3], direction[3], limit = fmin(ray->limit, hit->distance);
    fm_d3_store(ray->origin, origin);
    fm_d3_store(ray->direction, direction);
    fm_ray_span span;
    if (!fm_shape_ray(&body->shape, origin, direction, &span) || !(span.leave > 0))
        return;
    bool inside = span.enter < 0;
    double distance = inside ? 0 : span.enter;
    if (!(distance < hit->distance) || distance > limit)
        return;
    fm_d3 normal = inside ? fm_d3_scale(ray->direction, -1) : span.normal;
    hit->distance = distance;
    fm_d3_store(normal, hit->normal);
    hit->cosine = fmin(fmax(-fm_d3_dot(normal, ray->direction), 0), 1);
    hit->material = body->shape.material;
    hit->body = body->body;
    hit->triangle = UINT32_MAX;
    hit->inside = inside;
}

/* Where the ray ends; not a number changes nothing. */
static inline void join_point(fm_aabb *box, fm_d3 p)
{
    box->low[0] = p.x < box->low[0] ? p.x : box->low[0];
    box->low[1] = p.y < box->low[1] ? p.y : box->low[1];
    box->low[2] = p.z < box->low[2] ? p.z : box->low[2];
    box->high[0] = p.x > box->high[0] ? p.x : box->high[0];
    box->high[1] = p.y > box->high[1] ? p.y : box->high[1];
    box->high[2] = p.z > box->high[2] ? p.z : box->high[2];
}

/* Bounding box of the rays of a block. An origin that is the last ray's is joined already. */
static fm_aabb block_box(size_t count, const fm_ready_ray *rays, const fm_ray_hit *hits)
{
    fm_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    fm_d3 last = {NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        const fm_d3 o = rays[i].origin, d = rays[i].direction;
        const double reach = hits[i].distance < rays[i].limit ? hits[i].distance : rays[i].limit;
        if (rays[i].limit < 0)
            continue;
        if (o.x != last.x || o.y != last.y || o.z != last.z)
            join_point(&box, o);
        last = o;
        join_point(&box, (fm_d3){o.x + reach * d.x, o.y + reach * d.y, o.z + reach * d.z});
    }
    return box;
}

static bool ball_meets_box(const double centre[3], double radius, const fm_aabb *box)
{
    for (int k = 0; k < 3; k++)
        if (centre[k] - radius > box->high[k] || centre[k] + radius < box->low[k])
            return false;
    return true;
}

/* Whether the whole box is above the plane, by more than rounding. */
static bool box_clears_plane(const fm_aabb *box, const fm_shape *plane)
{
    double normal[3], above = 0, scale = 1;
    fm_d3_store(fm_shape_plane_normal(plane), normal);
    for (int k = 0; k < 3; k++) {
        double least = normal[k] > 0 ? box->low[k] : box->high[k];
        above += normal[k] != 0 ? normal[k] * (least - plane->position[k]) : 0;
        scale += fabs(least) + fabs(plane->position[k]);
    }
    return above > 1e-9 * scale;
}

static bool ray_misses_ball(const fm_ready_ray *ray, fm_d3 centre, double radius)
{
    fm_d3 to = fm_d3_sub(centre, ray->origin);
    double along = fm_d3_dot(to, ray->direction), square = fm_d3_dot(to, to);
    return square - along * along > radius * radius * (1 + 1e-9) + 1e-12 * square;
}

static void meet_chunk(size_t count, const fm_ready_ray *rays, const fm_ray_body *bodies, size_t body_count,
                       uint32_t exclude, fm_ray_hit *hits)
{
    uint32_t near[CHUNK];
    double radius[CHUNK];
    size_t found = 0;
    fm_aabb box = block_box(count, rays, hits);
    for (size_t i = 0; i < body_count; i++) {
        radius[found] = fm_shape_bounding_radius(&bodies[i].shape);
        if (bodies[i].body == exclude || !ball_meets_box(bodies[i].shape.position, radius[found], &box) ||
            (bodies[i].shape.kind == FM_SHAPE_PLANE && box_clears_plane(&box, &bodies[i].shape)))
            continue;
        near[found++] = (uint32_t)i;
    }
    for (size_t i = 0; i < count && found > 0; i++) {
        if (rays[i].limit < 0)
            continue;
        for (size_t k = 0; k < found; k++)
            if (!ray_misses_ball(&rays[i], fm_d3_of(bodies[near[k]].shape.position), radius[k]))
                meet_shape(&rays[i], &bodies[near[k]], &hits[i]);
    }
}

static void meet_bodies(size_t count, const fm_ready_ray *rays, const fm_ray_body *bodies, size_t body_count,
                        uint32_t exclude, fm_ray_hit *hits)
{
    for (size_t at = 0; at < body_count; at += CHUNK)
        meet_chunk(count, rays, bodies + at, body_count - at < CHUNK ? body_count - at : CHUNK, exclude, hits);
}

void fm_rays_cast(const fm_ray_scene *scene, const fm_ray_body *moving, size_t moving_count, size_t rays,
                  const double origin[][3], const double direction[][3], double max_range, uint32_t exclude,
                  fm_ray_hit *hits)
{
    fm_ready_ray ready[FM_RAY_BLOCK];
    for (size_t at = 0; at < rays; at += FM_RAY_BLOCK) {
        size_t count = rays - at < FM_RAY_BLOCK ? rays - at : FM_RAY_BLOCK;
        for (size_t i = 0; i < count; i++) {
            ready[i] = make_ready(scene, origin[at + i], direction[at + i], max_range);
            miss(&hits[at + i]);
        }
        fm_rays_meet_meshes(scene, count, ready, hits + at);
        meet_bodies(count, ready, scene->shapes, scene->shape_count, exclude, hits + at);
        meet_bodies(count, ready, moving, moving_count, exclude, hits + at);
    }
}

void fm_rays_meet(const fm_ray_scene *scene, const fm_ray_body *moving, size_t moving_count, size_t rays,
                  const double origin[][3], const double direction[][3], double max_range, uint32_t exclude,
                  fm_ray_hit *hits)
{
    fm_ready_ray ready[FM_RAY_BLOCK];
    for (size_t at = 0; at < rays; at += FM_RAY_BLOCK) {
        size_t count = rays - at < FM_RAY_BLOCK ? rays - at : FM_RAY_BLOCK;
        for (size_t i = 0; i < count; i++)
            ready[i] = make_ready(scene, origin[at + i], direction[at + i], max_range);
        meet_bodies(count, ready, moving, moving_count, exclude, hits + at);
    }
}

/* ---- bare Embree ---- */

struct fm_rays_bare {
    RTCScene scene;
    size_t rays, packets;
    void *memory;               /* as allocated */
    struct RTCRayHit16 *packet; /* aligned to 64 bytes */
};

fm_rays_bare *fm_rays_bare_create(const fm_ray_scene *scene, size_t rays, const double origin[][3],
                                  const double direction[][3], fm_error *error)
{
    fm_rays_bare *b = fm_alloc(sizeof *b);
    size_t packets = (rays + 15) / 16;
    void *memory = fm_alloc(packets * sizeof *b->packet + 64);
    if (!b || !memory || !scene->scene || scene->packet != 16) {
        fm_free(b);
        fm_free(memory);
        fm_fail(error, FM_ERR_MISSING, "bare rays need memory, a scene with meshes and a processor with packets of 16");
        return NULL;
    }
    *b = (fm_rays_bare){scene->scene, rays, packets, memory, (void *)(((uintptr_t)memory + 63) / 64 * 64)};
    for (size_t i = 0; i < packets * 16; i++) {
        fm_ready_ray ray = make_ready(scene, origin[i < rays ? i : 0], direction[i < rays ? i : 0], 0);
        struct RTCRay16 *r = &b->packet[i / 16].ray;
        size_t k = i % 16;
        r->org_x[k] = (float)(ray.origin.x - scene->centre[0]);
        r->org_y[k] = (float)(ray.origin.y - scene->centre[1]);
        r->org_z[k] = (float)(ray.origin.z - scene->centre[2]);
        r->dir_x[k] = (float)ray.direction.x;
        r->dir_y[k] = (float)ray.direction.y;
        r->dir_z[k] = (float)ray.direction.z;
        r->mask[k] = UINT32_MAX;
    }
    return b;
}

size_t fm_rays_bare_cast(fm_rays_bare *b)
{
    size_t hits = 0;
    _Alignas(64) int valid[16];
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (size_t i = 0; i < b->packets; i++) {
        struct RTCRayHit16 *p = &b->packet[i];
        for (size_t k = 0; k < 16; k++) {
            valid[k] = i * 16 + k < b->rays ? -1 : 0;
            p->ray.tfar[k] = INFINITY;
            p->hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
            p->hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
        }
        rtcIntersect16(valid, b->scene, &context, p);
        for (size_t k = 0; k < 16; k++)
            hits += p->hit.geomID[k] != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
}

void fm_rays_bare_free(fm_rays_bare *b)
{
    if (!b)
        return;
    fm_free(b->memory);
    fm_free(b);
}
