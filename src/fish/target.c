#include "fish/target.h"

#include <fathom/world.h>
#include <math.h>
#include <string.h>

#include "environment/bodies.h"
#include "geometry/distance.h"

int fm_fish_target_find(const fm_part_context *context, const fm_fish_target *target, double at[3], double *speed)
{
    if (target->obstacle >= 0) {
        const fm_obstacle *o = &context->environment->obstacles[target->obstacle];
        fm_shape now = fm_obstacle_at(o, context->time), before = fm_obstacle_at(o, fmax(context->time - 1, 0));
        double dx = now.position[0] - before.position[0], dy = now.position[1] - before.position[1];
        memcpy(at, now.position, sizeof now.position);
        *speed = fm_sqrt(dx * dx + dy * dy) / fmax(fmin(context->time, 1), context->period);
        return 1;
    }
    fm_pose pose;
    if (fm_world_pose(context->world, fm_world_find(context->world, target->name), &pose) != FM_OK)
        return 0;
    memcpy(at, pose.position, sizeof pose.position);
    *speed = fm_sqrt(pose.velocity[0] * pose.velocity[0] + pose.velocity[1] * pose.velocity[1]);
    return 1;
}

/* Its shapes; returns how many, at most `most`. */
static size_t shapes_of(const fm_part_context *context, const fm_fish_target *target, fm_shape *shapes, size_t most)
{
    fm_ray_body found[FM_BODIES_SHAPES];
    if (target->obstacle >= 0) {
        shapes[0] = fm_obstacle_at(&context->environment->obstacles[target->obstacle], context->time);
        return 1;
    }
    int slot = fm_world_find(context->world, target->name);
    size_t count = slot >= 0 && context->bodies->items ? fm_bodies_shapes(context->bodies, (uint32_t)slot, found) : 0;
    count = count < most ? count : most;
    for (size_t i = 0; i < count; i++)
        shapes[i] = found[i].shape;
    return count;
}

void fm_fish_target_forget(const fm_part_context *context, const fm_fish_target *target,
                           const fm_anticipate_params *sight, double x, double y, double heading, double *range)
{
    enum { SHAPES = 4 };
    static const double level[4] = {1, 0, 0, 0}, about = 0.12; /* m */
    fm_shape shapes[SHAPES], echo = fm_shape_sphere(1e-3);
    size_t count = shapes_of(context, target, shapes, SHAPES);
    double cosine = fm_cos(heading), sine = fm_sin(heading);
    for (int i = 0; i < sight->beams; i++) {
        const fm_anticipate_beam *b = &sight->beam[i];
        double ahead = b->x + range[i] * b->cosine, aside = b->y + range[i] * b->sine;
        for (size_t k = 0; k < count && range[i] < sight->range; k++) {
            double at[3] = {x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside,
                            shapes[k].position[2]};
            fm_shape_place(&echo, at, level);
            if (fm_shape_distance(&echo, &shapes[k]) < about)
                range[i] = sight->range;
        }
    }
}
