#include "environment/sight.h"

#include <math.h>
#include <string.h>

#include "environment/bodies.h"
#include "physics/real.h"

/* The bottom where it is a formula and not triangles. */
static void meet_bottom(const fm_bottom *bottom, const double origin[3], const double direction[3], double range,
                        fm_ray_hit *hit)
{
    double distance, normal[3], limit = fmin(range, hit->distance);
    if (!fm_bottom_ray(bottom, origin, direction, limit, &distance, normal) || !(distance < hit->distance))
        return;
    const double *d = direction;
    double cosine = -(d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]);
    *hit = (fm_ray_hit){.distance = distance,
                        .cosine = fmin(fmax(cosine, 0), 1),
                        .body = FM_BODY_BOTTOM,
                        .triangle = UINT32_MAX,
                        .inside = distance == 0};
    memcpy(hit->normal, normal, sizeof normal);
}

enum { RAYS_AT_ONCE = 64, BODIES_AT_ONCE = 32 };

/* Rays that wait for the bodies near them. */
typedef struct cast {
    const fm_part_context *context;
    size_t rays;
    const double (*origin)[3], (*direction)[3];
    double range;
    fm_ray_hit *hits;
    fm_ray_body bodies[BODIES_AT_ONCE];
    size_t count;
} cast;

static void meet_gathered(cast *c)
{
    if (c->count)
        fm_rays_meet(c->context->environment->scene, c->bodies, c->count, c->rays, c->origin, c->direction, c->range,
                     (uint32_t)c->context->slot, c->hits);
    c->count = 0;
}

static void gather_body(void *user, const fm_ray_body *body)
{
    cast *c = user;
    if (body->body == (uint32_t)c->context->slot)
        return;
    if (c->count == BODIES_AT_ONCE)
        meet_gathered(c);
    c->bodies[c->count++] = *body;
}

/* What moves, as far as the rays reach. */
static void meet_others(cast *c, const double *reach)
{
    fm_region region;
    fm_region_set_rays(&region, c->rays, c->origin, c->direction, reach);
    fm_bodies_visit(c->context->bodies, c->context->slot, &region, gather_body, c);
    meet_gathered(c);
}

/* What moves and the bottom, after what stands. The bottom comes last, but bounds how far bodies are sought. */
static void meet_moving(cast *c, const fm_bottom *bottom)
{
    double reach[RAYS_AT_ONCE], standing[RAYS_AT_ONCE];
    fm_ray_hit below[RAYS_AT_ONCE];
    for (size_t i = 0; i < c->rays; i++) {
        standing[i] = reach[i] = c->hits[i].distance;
        if (bottom) {
            below[i] = c->hits[i];
            meet_bottom(bottom, c->origin[i], c->direction[i], c->range, &below[i]);
            reach[i] = below[i].distance;
        }
        reach[i] = reach[i] < c->range ? reach[i] : c->range;
    }
    meet_others(c, reach);
    for (size_t i = 0; bottom && i < c->rays; i++)
        if (c->hits[i].distance == standing[i])
            c->hits[i] = below[i];
        else
            meet_bottom(bottom, c->origin[i], c->direction[i], c->range, &c->hits[i]);
}

static void cast_all(const fm_part_context *context, const fm_bottom *bottom, size_t rays, const double origin[][3],
                     const double direction[][3], double range, fm_ray_hit *hits)
{
    fm_rays_cast(context->environment->scene, NULL, 0, rays, origin, direction, range, (uint32_t)context->slot, hits);
    if (!fm_bodies_others(context->bodies, context->slot)) {
        for (size_t i = 0; bottom && i < rays; i++)
            meet_bottom(bottom, origin[i], direction[i], range, &hits[i]);
        return;
    }
    for (size_t at = 0; at < rays; at += RAYS_AT_ONCE) {
        cast c;
        c.context = context;
        c.rays = rays - at < RAYS_AT_ONCE ? rays - at : RAYS_AT_ONCE;
        c.origin = origin + at;
        c.direction = direction + at;
        c.range = range;
        c.hits = hits + at;
        c.count = 0;
        meet_moving(&c, bottom);
    }
}

void fm_sight_cast(const fm_part_context *context, size_t rays, const double origin[][3], const double direction[][3],
                   double range, fm_ray_hit *hits)
{
    const fm_bottom *bottom = context->environment->bottom;
    cast_all(context, bottom && bottom->kind != FM_BOTTOM_SAMPLED ? bottom : NULL, rays, origin, direction, range,
             hits);
}

void fm_sight_cast_solids(const fm_part_context *context, size_t rays, const double origin[][3],
                          const double direction[][3], double range, fm_ray_hit *hits)
{
    cast_all(context, NULL, rays, origin, direction, range, hits);
}

typedef struct fan_search {
    const fm_part_context *context;
    const fm_ray_fan *fan;
    bool fits;
} fan_search;

static void look_at_body(void *user, const fm_ray_body *body)
{
    fan_search *s = user;
    s->fits = s->fits && fm_ray_fan_fits(s->context->environment->scene, s->fan, body, 1);
}

bool fm_sight_fan_fits(const fm_part_context *context, const fm_ray_fan *fan)
{
    const fm_environment *e = context->environment;
    fan_search search = {context, fan, true};
    double low[3], high[3];
    if ((e->bottom && e->bottom->kind != FM_BOTTOM_SAMPLED) || !fm_ray_fan_fits(e->scene, fan, NULL, 0))
        return false;
    if (!fm_bodies_others(context->bodies, context->slot))
        return true;
    for (int k = 0; k < 3; k++) {
        low[k] = fan->origin[k] - fan->range;
        high[k] = fan->origin[k] + fan->range;
    }
    fm_bodies_visit_box(context->bodies, low, high, look_at_body, &search);
    return search.fits;
}

const fm_material *fm_sight_material(const fm_part_context *context, const fm_ray_hit *hit)
{
    const fm_environment *e = context->environment;
    return &e->materials[hit->material < e->material_count ? hit->material : 0];
}

void fm_sight_direction(double azimuth, double elevation, double out[3])
{
    double level = fm_cos(elevation);
    out[0] = level * fm_cos(azimuth);
    out[1] = level * fm_sin(azimuth);
    out[2] = fm_sin(elevation);
}
