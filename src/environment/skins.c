/* Skins of vehicles as cameras see them: triangles instead of the shapes that contact and sonars use. */
#include <math.h>
#include <string.h>

#include "environment/bodies.h"
#include "environment/sight.h"

enum { BEHIND_MOST = 16 };

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static int has_skin(const fm_bodies *bodies, uint32_t body)
{
    double centre[3];
    return body < FM_BODY_OBSTACLE && bodies->skin_radius(bodies->world, body, centre) > 0;
}

/* Distance at which the ray has left all shapes of a body, m. */
static double way_out(const fm_bodies *bodies, uint32_t body, const double origin[3], const double direction[3])
{
    fm_ray_body shapes[FM_BODIES_SHAPES];
    fm_ray_span span;
    double out = 0;
    size_t count = fm_bodies_shapes(bodies, body, shapes);
    for (size_t i = 0; i < count; i++)
        if (fm_shape_ray(&shapes[i].shape, origin, direction, &span))
            out = fmax(out, span.leave);
    return out + 1e-6;
}

/* The ray continues through the shapes of bodies that have a skin. */
static void see_behind(const fm_part_context *context, const double origin[3], const double direction[3], double range,
                       fm_ray_hit *hit)
{
    for (int i = 0; i < BEHIND_MOST && has_skin(context->bodies, hit->body); i++) {
        double start = way_out(context->bodies, hit->body, origin, direction), from[1][3], along[1][3];
        for (int k = 0; k < 3; k++) {
            from[0][k] = origin[k] + start * direction[k];
            along[0][k] = direction[k];
        }
        fm_sight_cast(context, 1, (const double(*)[3])from, (const double(*)[3])along, range - start, hit);
        hit->distance += start;
    }
}

/* Whether the ray meets the ball before its present hit. */
static int meets_ball(const double centre[3], double radius, const double origin[3], const double direction[3],
                      double limit)
{
    double to[3] = {centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]};
    double along = dot(to, direction), square = dot(to, to);
    return along > -radius && along - radius < limit && square - along * along <= radius * radius;
}

/* Distance along the ray to a triangle and the weights of its second and third corner; infinite: missed. */
static double meet_triangle(const double a[3], const double b[3], const double c[3], const double origin[3],
                            const double direction[3], double *u, double *v)
{
    double ab[3], ac[3], to[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        to[k] = origin[k] - a[k];
    }
    cross(direction, ac, p);
    double det = dot(ab, p);
    if (fabs(det) < 1e-18)
        return HUGE_VAL;
    *u = dot(to, p) / det;
    cross(to, ab, q);
    *v = dot(direction, q) / det;
    double t = dot(ac, q) / det;
    return *u >= 0 && *v >= 0 && *u + *v <= 1 && t >= 0 ? t : HUGE_VAL;
}

/* Normal and colour between the three corners. The normal is that of the visible side, which the triangle itself
 * decides: near the outline the interpolated one may point away from the eye. */
static void blend(const fm_skin *skin, const uint32_t corner[3], double u, double v, const double direction[3],
                  fm_ray_hit *hit, double colour[3])
{
    double weight[3] = {1 - u - v, u, v}, n[3] = {0}, c[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            n[k] += weight[i] * skin->normal[corner[i]][k];
            c[k] += weight[i] * skin->colour[corner[i]][k];
        }
    double ab[3], ac[3], face[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = skin->point[corner[1]][k] - skin->point[corner[0]][k];
        ac[k] = skin->point[corner[2]][k] - skin->point[corner[0]][k];
    }
    cross(ab, ac, face);
    double length = sqrt(dot(n, n)), side = dot(face, n) * dot(face, direction) > 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        hit->normal[k] = length > 0 ? side * n[k] / length : -direction[k];
    hit->cosine = fmin(fmax(-dot(hit->normal, direction), 0), 1);
    memcpy(colour, c, sizeof c);
}

static void meet_skin(const fm_skin *skin, uint32_t body, const double origin[3], const double direction[3],
                      double range, fm_ray_hit *hit, int *skinned, double colour[3])
{
    double best = fmin(range, hit->distance), u, v, best_u = 0, best_v = 0;
    size_t found = skin->triangles;
    for (size_t i = 0; i < skin->triangles; i++) {
        const uint32_t *corner = skin->index + 3 * i;
        double t = meet_triangle(skin->point[corner[0]], skin->point[corner[1]], skin->point[corner[2]], origin,
                                 direction, &u, &v);
        if (t < best) {
            best = t;
            best_u = u;
            best_v = v;
            found = i;
        }
    }
    if (found == skin->triangles)
        return;
    *hit = (fm_ray_hit){.distance = best, .body = body, .triangle = (uint32_t)found};
    blend(skin, skin->index + 3 * found, best_u, best_v, direction, hit, colour);
    *skinned = 1;
}

/* Rays that look for skins. */
typedef struct search {
    const fm_part_context *context;
    size_t rays;
    const double (*origin)[3], (*direction)[3];
    double range;
    fm_ray_hit *hits;
    int *skinned;
    double (*colour)[3];
    uint32_t last; /* body that was looked at */
} search;

static void offer_skin(void *user, const fm_ray_body *found)
{
    search *s = user;
    const fm_bodies *bodies = s->context->bodies;
    uint32_t body = found->body;
    double centre[3], radius;
    if (body == s->last || body == (uint32_t)s->context->slot || body >= FM_BODY_OBSTACLE)
        return;
    s->last = body;
    if (!((radius = bodies->skin_radius(bodies->world, body, centre)) > 0))
        return;
    fm_skin skin; /* made for the first ray that may meet it */
    skin.triangles = 0;
    for (size_t i = 0; i < s->rays; i++) {
        if (!meets_ball(centre, radius, s->origin[i], s->direction[i], fmin(s->hits[i].distance, s->range)))
            continue;
        if (!skin.triangles)
            bodies->skin(bodies->world, body, &skin);
        meet_skin(&skin, body, s->origin[i], s->direction[i], s->range, &s->hits[i], &s->skinned[i], s->colour[i]);
    }
}

/* The box of all rays, wider by the largest skin: it may stand out of the shapes by which it is found. */
static void seek_skins(search *s)
{
    const double beyond = 2 * s->context->bodies->widest_skin;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < s->rays; i++)
        for (int k = 0; k < 3; k++) {
            double end = s->origin[i][k] + fmin(s->hits[i].distance, s->range) * s->direction[i][k];
            low[k] = fmin(low[k], fmin(s->origin[i][k], end) - beyond);
            high[k] = fmax(high[k], fmax(s->origin[i][k], end) + beyond);
        }
    fm_bodies_visit_box(s->context->bodies, low, high, offer_skin, s);
}

void fm_sight_cast_skins(const fm_part_context *context, size_t rays, const double origin[][3],
                         const double direction[][3], double range, fm_ray_hit *hits, int *skinned, double colour[][3])
{
    const fm_bodies *bodies = context->bodies;
    memset(skinned, 0, rays * sizeof *skinned);
    if (!bodies->skin)
        return;
    for (size_t i = 0; i < rays; i++)
        see_behind(context, origin[i], direction[i], range, &hits[i]);
    search s = {context, rays, origin, direction, range, hits, skinned, colour, (uint32_t)context->slot};
    seek_skins(&s);
}
