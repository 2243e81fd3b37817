#include "fish/senses.h"

#include "environment/environment.h"

enum { NEAR_MOST = 48 };

/* Fans open 30° up and down. */
static const double opening = 0.57735026918962576; /* tan 30° */

/* Shapes that the fans may meet at all. */
typedef struct around {
    fm_shape shape[NEAR_MOST];
    double aside[NEAR_MOST]; /* m, down from the fan's level to where the shape is met; 0: at the level itself */
    int count;
} around;

/* How far below (or above, negative) the level z a ray must run to meet the shape, m. */
static double way_to(const fm_shape *shape, double z)
{
    fm_aabb box;
    if (shape->kind == FM_SHAPE_PLANE)
        return 0;
    fm_shape_aabb(shape, &box);
    double middle = 0.5 * (box.low[2] + box.high[2]), half = 0.5 * (box.high[2] - box.low[2]);
    if (fm_abs(z - middle) <= half)
        return 0;
    return (z < middle ? middle - 0.9 * half : middle + 0.9 * half) - z; /* within, so that slanted edges are met too */
}

static void add_near(around *list, const fm_shape *shape, const double at[3], double range)
{
    if (list->count == NEAR_MOST)
        return;
    if (shape->kind == FM_SHAPE_PLANE) {
        fm_d3 n = fm_shape_plane_normal(shape);
        double height = (at[0] - shape->position[0]) * n.x + (at[1] - shape->position[1]) * n.y +
                        (at[2] - shape->position[2]) * n.z;
        if (height > range || fm_abs(n.z) > 0.999)
            return; /* level fans do not meet a level floor */
    } else {
        double d2 = 0, reach = range + fm_shape_bounding_radius(shape);
        for (int i = 0; i < 3; i++)
            d2 += (shape->position[i] - at[i]) * (shape->position[i] - at[i]);
        if (d2 > reach * reach)
            return;
    }
    list->aside[list->count] = way_to(shape, at[2]);
    list->shape[list->count++] = *shape;
}

static void look_around(const fm_part_context *context, uint32_t ignored, double range, around *list)
{
    const double *at = context->vehicle->position;
    const fm_environment *e = context->environment;
    list->count = 0;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (!e->obstacles[i].track_count)
            add_near(list, &e->obstacles[i].shape, at, range);
    for (size_t i = 0; i < context->bodies->count; i++) {
        const fm_ray_body *body = &context->bodies->list[i];
        const double *p = body->shape.position;
        double dx = p[0] - at[0], dy = p[1] - at[1], far = range + 2;
        if (body->body != (uint32_t)context->slot && body->body != ignored && dx * dx + dy * dy < far * far)
            add_near(list, &body->shape, at, range);
    }
}

/* Slant range of the nearest shape in the vertical slice of the cone along a level direction, m. */
static double cast(const around *list, const double origin[3], const double direction[3], double range)
{
    fm_ray_span span;
    for (int i = 0; i < list->count; i++) {
        double aside = list->aside[i], from[3] = {origin[0], origin[1], origin[2] + aside};
        if (!fm_shape_ray(&list->shape[i], from, direction, &span) || span.leave < 0)
            continue;
        double level = fm_max(span.enter, fm_abs(aside) / opening); /* what lies nearer is above or below the cone */
        if (level <= span.leave || aside == 0)
            range = fm_min(range, aside == 0 ? fm_max(span.enter, 0) : fm_sqrt(level * level + aside * aside));
    }
    return range;
}

void fm_fish_sense(const fm_part_context *context, const fm_anticipate_params *p, uint32_t ignored,
                   double range[FM_SONAR_FANS][FM_SONAR_RAYS])
{
    around list;
    const double *R = context->vehicle->rotation, *at = context->vehicle->position;
    look_around(context, ignored, p->range + p->nose + p->tail, &list);
    double level = fm_max(fm_sqrt(R[0] * R[0] + R[3] * R[3]), 1e-9), c = R[0] / level, w = R[3] / level; /* heading */
    for (int fan = 0; fan < FM_SONAR_FANS; fan++) {
        double side = fan == 0 ? -p->eye : p->eye;
        double origin[3] = {at[0] + c * p->nose - w * side, at[1] + w * p->nose + c * side, at[2]};
        for (int i = 0; i < FM_SONAR_RAYS; i++) {
            double bc = p->cosine[fan][i], bs = p->sine[fan][i];
            double direction[3] = {c * bc - w * bs, w * bc + c * bs, 0};
            range[fan][i] = list.count ? cast(&list, origin, direction, p->range) : p->range;
        }
    }
}
