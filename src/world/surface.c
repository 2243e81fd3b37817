#include "world/surface.h"

#include <math.h>

#include "environment/environment.h"
#include "geometry/shape.h"
#include "physics/posture.h"
#include "sensors/parts.h"

int fm_type_floats(const fm_type *type)
{
    const fm_floating_hull *hull = &type->body.hull;
    return hull->count > 0 && hull->holds < FM_HULL_DIVES * hull->volume;
}

void fm_type_extent(const fm_type *type, double *top, double *bottom)
{
    static const double up[3] = {0, 0, -1}, down[3] = {0, 0, 1};
    const fm_floating_hull *hull = &type->body.hull;
    double least = HUGE_VAL, most = -HUGE_VAL, at[3];
    for (int i = 0; i < hull->count; i++) {
        least = fmin(least, hull->columns[i].top);
        most = fmax(most, hull->columns[i].bottom);
    }
    for (size_t i = 0; i < type->shape_count; i++) {
        fm_shape_support(&type->shapes[i], up, at);
        least = fmin(least, at[2]);
        fm_shape_support(&type->shapes[i], down, at);
        most = fmax(most, at[2]);
    }
    *top = isfinite(least) ? least : 0;
    *bottom = isfinite(most) ? most : 0;
}

void fm_type_antenna(const fm_type *type, double point[3])
{
    double top, bottom;
    fm_type_extent(type, &top, &bottom);
    point[0] = point[1] = 0;
    point[2] = top - FM_ANTENNA_MAST;
}

double fm_slot_wet(const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    const fm_floating_hull *hull = &s->type->body.hull;
    const double *p = s->vehicle->body.position;
    double R[9];
    if (hull->count == 0)
        return 1;
    fm_body_matrix(&s->type->body, s->vehicle->body.attitude, R); /* the slot's own may not be made yet */
    double surface = fm_environment_surface(world->environment, fm_world_time(world), p[0], p[1]);
    return fm_submersion_at(hull, p[2] - surface, R + 6).volume / hull->volume;
}

/* Where the antenna is, body axes, and the depth (m) down to which it works. */
static double find_antenna(const fm_type *type, double point[3])
{
    for (size_t i = 0; i < type->sensor_count; i++)
        if (type->parts[i].role == FM_ROLE_GPS) {
            const fm_mount *mount = fm_part_mount(&type->parts[i]);
            for (int k = 0; k < 3; k++)
                point[k] = mount->position[k];
            return fm_gps_antenna_depth(type->parts[i].config);
        }
    fm_type_antenna(type, point);
    return 0;
}

int fm_slot_antenna_dry(const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    double point[3], arm[3], at[3], depth = find_antenna(s->type, point);
    fm_vector_to_world(fm_slot_rotation(world, slot), point, arm);
    for (int i = 0; i < 3; i++)
        at[i] = s->vehicle->body.position[i] + arm[i];
    return at[2] - fm_environment_surface(world->environment, fm_world_time(world), at[0], at[1]) <= depth;
}
