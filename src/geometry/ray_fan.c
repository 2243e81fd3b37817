#include "geometry/ray_fan.h"

#include <math.h>
#include <string.h>

#include "geometry/ray_scene.h"

enum { PACKET = 16, PACKETS = FM_FAN_BLOCK / PACKET };

static fm_fan_place place_of(const fm_ray_scene *scene, const fm_ray_fan *fan)
{
    fm_d3 local = fm_d3_sub(fm_d3_of(fan->origin), fm_d3_of(scene->centre));
    fm_fan_place p = {.bulk = fabs(local.x) + fabs(local.y) + fabs(local.z), .limit = fan->range};
    fm_d3_store(local, p.local);
    p.back = fm_ray_head_start(p.bulk);
    return p;
}

static bool is_within(const fm_ray_fan *fan, const fm_ray_body *bodies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double reach = fan->range + fm_shape_bounding_radius(&bodies[i].shape);
        const fm_d3 apart = fm_d3_sub(fm_d3_of(bodies[i].shape.position), fm_d3_of(fan->origin));
        if (bodies[i].body != fan->exclude && !(fm_d3_dot(apart, apart) > reach * reach))
            return true;
    }
    return false;
}

bool fm_ray_fan_fits(const fm_ray_scene *scene, const fm_ray_fan *fan, const fm_ray_body *moving, size_t moving_count)
{
    double sum = place_of(scene, fan).bulk;
    for (int i = 0; i < 9; i++)
        sum += fabs(fan->rotation[i]);
    return scene->scene && scene->packet == PACKET && fan->range >= 0 && sum < INFINITY &&
           !is_within(fan, scene->shapes, scene->shape_count) && !is_within(fan, moving, moving_count);
}

/* Packets pay where the rays go much the same way. */
static bool is_bundle(const fm_fan_block *b, size_t first, size_t count)
{
    for (size_t i = first + count - 1; i > first; i = i - first > 5 ? i - 5 : first)
        if (!(b->x[i] * b->x[first] + b->y[i] * b->y[first] + b->z[i] * b->z[first] > 0.9))
            return false;
    return true;
}

typedef struct packet {
    struct RTCRayHit16 r;
    _Alignas(64) int valid[PACKET];
    struct RTCIntersectContext context;
} packet;

static void prepare(packet *p)
{
    rtcInitIntersectContext(&p->context);
    p->context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    memset(p->r.ray.tnear, 0, sizeof p->r.ray.tnear);
    memset(p->r.ray.time, 0, sizeof p->r.ray.time);
    memset(p->r.ray.mask, 0xff, sizeof p->r.ray.mask);
    memset(p->r.hit.instID, 0xff, sizeof p->r.hit.instID);
}

/* Casts one packet and notes what it named. */
static void cast_packet(const fm_ray_scene *scene, size_t first, size_t count, float far, packet *p, fm_fan_block *b)
{
    memset(p->r.hit.geomID, 0xff, sizeof p->r.hit.geomID);
    memcpy(p->r.ray.org_x, b->ox + first, sizeof p->r.ray.org_x);
    memcpy(p->r.ray.org_y, b->oy + first, sizeof p->r.ray.org_y);
    memcpy(p->r.ray.org_z, b->oz + first, sizeof p->r.ray.org_z);
    memcpy(p->r.ray.dir_x, b->fx + first, sizeof p->r.ray.dir_x);
    memcpy(p->r.ray.dir_y, b->fy + first, sizeof p->r.ray.dir_y);
    memcpy(p->r.ray.dir_z, b->fz + first, sizeof p->r.ray.dir_z);
    for (int i = 0; i < PACKET; i++) {
        p->r.ray.tfar[i] = far;
        p->valid[i] = i < (int)count ? -1 : 0;
    }
    rtcIntersect16(p->valid, scene->scene, &p->context, &p->r);
    memcpy(b->mesh + first, p->r.hit.geomID, sizeof p->r.hit.geomID);
    memcpy(b->triangle + first, p->r.hit.primID, sizeof p->r.hit.primID);
    memcpy(b->t + first, p->r.ray.tfar, sizeof p->r.ray.tfar);
    memcpy(b->v + first, p->r.hit.u, sizeof p->r.hit.u);
    memcpy(b->w + first, p->r.hit.v, sizeof p->r.hit.v);
    for (size_t i = first; i < first + count; i++)
        if (b->mesh[i] != RTC_INVALID_GEOMETRY_ID) /* on its way into the cache while others are cast */
            __builtin_prefetch(&scene->planes[b->mesh[i]][b->triangle[i]]);
}

static void take_planes(const fm_ray_scene *scene, size_t count, fm_fan_block *b)
{
    static const fm_ray_plane none = {{1, 0, 0}, 0};
    for (size_t i = 0; i < count; i++) {
        const fm_ray_plane *plane =
            b->mesh[i] != RTC_INVALID_GEOMETRY_ID ? &scene->planes[b->mesh[i]][b->triangle[i]] : &none;
        b->nx[i] = plane->normal[0], b->ny[i] = plane->normal[1], b->nz[i] = plane->normal[2];
        b->at[i] = plane->offset;
    }
}

/* A ray whose hit is not clear in single precision, by itself. */
static void finish_one(const fm_ray_scene *scene, const fm_ray_fan *fan, const fm_fan_place *place,
                       const fm_fan_block *b, size_t i, fm_fan_echoes *out)
{
    const fm_ready_ray ray = {.origin = fm_d3_of(fan->origin),
                              .direction = {b->x[i], b->y[i], b->z[i]},
                              .limit = place->limit,
                              .local = fm_d3_of(place->local),
                              .bulk = place->bulk};
    fm_ray_hit hit = {.distance = INFINITY};
    fm_ray_finish(scene, &ray, (fm_ray_found){b->mesh[i], b->triangle[i], b->t[i], b->v[i], b->w[i]}, &hit);
    out->distance[i] = hit.distance;
    out->cosine[i] = hit.cosine;
    out->material[i] = hit.material;
}

static void give(const fm_ray_scene *scene, const fm_ray_fan *fan, const fm_fan_place *place, const fm_fan_block *b,
                 size_t count, fm_fan_echoes *out)
{
    for (size_t i = 0; i < count; i++) {
        out->material[i] = 0;
        if (b->mesh[i] == RTC_INVALID_GEOMETRY_ID)
            out->distance[i] = INFINITY;
        else if (!(b->clear[i] > 0))
            finish_one(scene, fan, place, b, i, out);
        else
            out->material[i] = scene->meshes[b->mesh[i]].material;
    }
}

bool fm_ray_fan_cast(const fm_ray_scene *scene, const fm_ray_fan *fan, size_t first, size_t count, fm_fan_echoes *out)
{
    fm_fan_block b;
    packet p;
    const fm_fan_place place = place_of(scene, fan);
    const float far = (float)((place.limit + place.back) * 1.000001);
    fm_fan_aimer *aim = fm_fan_aim_narrow;
    fm_fan_settler *settle = fm_fan_settle_narrow;
#if defined(__x86_64__)
    const int widest = __builtin_cpu_supports("avx512f"), wide = __builtin_cpu_supports("avx2");
    aim = widest ? fm_fan_aim_widest : wide ? fm_fan_aim_wide : aim;
    settle = widest ? fm_fan_settle_widest : wide ? fm_fan_settle_wide : settle;
#endif
    aim(fan, &place, first, &b);
    for (size_t at = 0; at < count; at += PACKET)
        if (!is_bundle(&b, at, count - at < PACKET ? count - at : PACKET))
            return false;
    prepare(&p);
    for (size_t at = 0; at < count; at += PACKET)
        cast_packet(scene, at, count - at < PACKET ? count - at : PACKET, far, &p, &b);
    take_planes(scene, count, &b);
    settle(&place, FM_RAY_FLOAT_ERROR, &b, out->distance, out->cosine);
    give(scene, fan, &place, &b, count, out);
    return true;
}
