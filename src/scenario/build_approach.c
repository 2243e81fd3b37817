/* <approach>: a vehicle placed relative to an object of the scenario, moving towards it. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "environment/environment.h"
#include "geometry/distance.h"
#include "physics/real.h"
#include "scenario/build.h"

static const fm_obstacle *find_obstacle(fm_builder *b, const fm_node *node, const char *name)
{
    const fm_environment *e = b->model->environment;
    fm_nearest nearest = {.wanted = name};
    char near[160];
    for (size_t i = 0; i < e->obstacle_count; i++) {
        if (strcmp(e->obstacles[i].name, name) == 0)
            return &e->obstacles[i];
        fm_nearest_offer(&nearest, e->obstacles[i].name);
    }
    if (!b->gaps)
        fm_node_fail(node, "to", b->report, FM_ERR_NAME, "the scenario has no obstacle '%s'%s", name,
                     fm_nearest_write(&nearest, near, sizeof near));
    return NULL;
}

/* The point of the obstacle nearest to the written position, and the direction from it into the water. */
static fm_status find_foot(fm_builder *b, const fm_node *node, const fm_obstacle *o, const double position[3],
                           double foot[3], double normal[3])
{
    static const double level[4] = {1, 0, 0, 0};
    fm_shape probe = fm_shape_sphere(1e-9);
    fm_separation s;
    fm_shape_place(&probe, position, level);
    fm_shape_separation(&probe, &o->shape, &s);
    if (o->shape.kind == FM_SHAPE_PLANE) { /* a wall has only one side: the position may be on it or on its far side */
        fm_d3 n = fm_shape_plane_normal(&o->shape);
        double outward[3] = {n.x, n.y, n.z}, away = 0;
        for (int k = 0; k < 3; k++)
            away += (position[k] - o->shape.position[k]) * outward[k];
        for (int k = 0; k < 3; k++) {
            foot[k] = position[k] - away * outward[k];
            normal[k] = outward[k];
        }
    } else if (s.distance > 0) {
        memcpy(foot, s.point_b, 3 * sizeof *foot);
        memcpy(normal, s.normal, 3 * sizeof *normal);
    } else {
        return fm_node_fail(
            node, "to", b->report, FM_ERR_MODEL,
            "the vehicle's position lies inside '%s'; it must tell the side from which it is approached", o->name);
    }
    if (normal[0] * normal[0] + normal[1] * normal[1] < 0.25)
        return fm_node_fail(node, "to", b->report, FM_ERR_MODEL,
                            "'%s' faces up or down at the vehicle's position: must be an upright object", o->name);
    return FM_OK;
}

fm_status fm_build_approach(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config,
                            fm_placement *placement)
{
    const fm_node *node = fm_node_child(vehicle, "approach");
    if (!node)
        return FM_OK;
    fm_approach_config c;
    double foot[3], normal[3];
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    if (!(config->length > 0) || !(config->width > 0) || !(config->height > 0))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                            "the vehicle needs length, width and height, so that its nose is known");
    const fm_obstacle *o = find_obstacle(b, node, c.to);
    if (!o)
        return FM_ERR_NAME;
    fm_status status = find_foot(b, node, o, config->position, foot, normal);
    if (status != FM_OK)
        return status;
    double radius = fmin(fmin(config->width, config->height), config->length) / 2, lever = config->length / 2 - radius;
    double side = c.side == 0 ? 1 : -1, heading = fm_atan2(-normal[1], -normal[0]) - side * (FM_PI / 2 - c.angle);
    for (int k = 0; k < 3; k++)
        placement->position[k] = foot[k] + (c.gap + radius) * normal[k];
    placement->position[0] -= lever * fm_cos(heading);
    placement->position[1] -= lever * fm_sin(heading);
    placement->euler[0] = placement->euler[1] = 0;
    placement->euler[2] = remainder(heading, 2 * FM_PI);
    memset(placement->velocity, 0, sizeof placement->velocity);
    placement->velocity[0] = c.speed;
    return FM_OK;
}
