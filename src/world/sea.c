/* Queries of programs to the sea (fathom/sea.h); its water: surroundings.c. */
#include <fathom/sea.h>
#include <math.h>
#include <string.h>

#include "acoustics/ray.h"
#include "acoustics/sound.h"

/* --- obstacles --- */

size_t fm_world_obstacle_count(const fm_world *world)
{
    return world ? world->environment->obstacle_count : 0;
}

fm_obstacle_info fm_world_obstacle(const fm_world *world, size_t i)
{
    static const char *const shapes[] = {[FM_SHAPE_SPHERE] = "sphere",       [FM_SHAPE_BOX] = "box",
                                         [FM_SHAPE_CYLINDER] = "cylinder",   [FM_SHAPE_CAPSULE] = "capsule",
                                         [FM_SHAPE_ELLIPSOID] = "ellipsoid", [FM_SHAPE_HULL] = "hull",
                                         [FM_SHAPE_PLANE] = "plane"};
    fm_obstacle_info info = {0};
    if (i >= fm_world_obstacle_count(world))
        return info;
    const fm_obstacle *obstacle = &world->environment->obstacles[i];
    const fm_shape shape = obstacle->track_time ? fm_obstacle_at(obstacle, fm_world_time(world)) : obstacle->shape;
    info.name = obstacle->name ? obstacle->name : "";
    info.shape = shapes[shape.kind];
    info.axis = shape.axis;
    info.moves = obstacle->track_time != NULL;
    memcpy(info.size, shape.size, sizeof info.size);
    memcpy(info.position, shape.position, sizeof info.position);
    memcpy(info.rotation, shape.rotation, sizeof info.rotation);
    return info;
}

/* --- sound --- */

size_t fm_world_sound_ray(const fm_world *world, double depth, double elevation, double spacing, double (*points)[2],
                          size_t room)
{
    if (!world || !world->sound || !points || !isfinite(depth) || !isfinite(elevation) || !(spacing > 0))
        return 0;
    const fm_waveguide *guide = &world->sound->medium.guide;
    size_t count = 0;
    if (!guide->layers)
        return 0;
    for (fm_ray ray = fm_ray_launch(guide, depth, elevation); count < room; count++) {
        if (count > 0 && !ray.lost)
            fm_ray_advance(guide, &ray, spacing * (double)count, 0, 0, NULL, NULL);
        points[count][0] = ray.range;
        points[count][1] = ray.depth;
        if (ray.lost)
            return count + 1;
    }
    return count;
}

const char *fm_world_transducer(const fm_world *world, int slot, int part)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (!s || part < 0 || (size_t)part >= s->type->part_count ||
        strcmp(s->type->parts[part].part_class->element->name, "transducer") != 0)
        return NULL;
    return s->type->parts[part].name;
}
