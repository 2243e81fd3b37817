#include "environment/sight.h"

#include <math.h>
#include <string.h>

#include "environment/bodies.h"
#include "physics/real.h"

/* The bottom if it is a formula instead of triangles. */
static void meet_bottom(const fm_bottom *bottom, size_t rays, const double origin[][3], const double direction[][3],
                        double range, fm_ray_hit *hits)
{
    for (size_t i = 0; i < rays; i++) {
        double distance, normal[3], limit = fmin(range, hits[i].distance);
        if (!fm_bottom_ray(bottom, origin[i], direction[i], limit, &distance, normal) || !(distance < hits[i].distance))
            continue;
        const double *d = direction[i];
        double cosine = -(d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]);
        hits[i] = (fm_ray_hit){.distance = distance,
                               .cosine = fmin(fmax(cosine, 0), 1),
                               .body = FM_BODY_BOTTOM,
                               .triangle = UINT32_MAX,
                               .inside = distance == 0};
        memcpy(hits[i].normal, normal, sizeof normal);
    }
}

enum { NEAR_MOST = 48 };

/* The bodies that rays of this range from these origins may meet, in their order; all if too many are near. */
static const fm_ray_body *sift_bodies(const fm_bodies *all, size_t rays, const double origin[][3], double range,
                                      fm_ray_body near[NEAR_MOST], size_t *count)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    uint32_t numbers[NEAR_MOST];
    for (size_t i = 0; i < rays; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], origin[i][k] - range);
            high[k] = fmax(high[k], origin[i][k] + range);
        }
    *count = fm_bodies_near(all, low, high, numbers, NEAR_MOST);
    if (*count > NEAR_MOST) {
        *count = all->count;
        return all->list;
    }
    for (size_t i = 0; i < *count; i++)
        near[i] = all->list[numbers[i]];
    return near;
}

void fm_sight_cast(const fm_part_context *context, size_t rays, const double origin[][3], const double direction[][3],
                   double range, fm_ray_hit *hits)
{
    const fm_environment *e = context->environment;
    fm_ray_body near[NEAR_MOST];
    const fm_ray_body *bodies = context->bodies->list;
    size_t count = context->bodies->count;
    if (context->bodies->order)
        bodies = sift_bodies(context->bodies, rays, origin, range, near, &count);
    fm_rays_cast(e->scene, bodies, count, rays, origin, direction, range, (uint32_t)context->slot, hits);
    if (e->bottom && e->bottom->kind != FM_BOTTOM_SAMPLED)
        meet_bottom(e->bottom, rays, origin, direction, range, hits);
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
