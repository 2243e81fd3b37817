/* Force terms as kernels of physics/push.h: for the parts themselves, and for batches. */
#include "base/part_class.h"
#include "forces/forces.h"

#include "flow/flow_part.h"

fm_push_moment fm_push_now(const fm_part_context *context)
{
    const fm_vehicle_view *view = context->vehicle;
    return (fm_push_moment){view->position[2], view->rotation, view->velocity,
                            view->water,       view->density,  view->acceleration};
}

int fm_push_describe(const fm_part_class *part_class, const void *config, const double wind[2], fm_push *push,
                     double *levels, int32_t first)
{
    *push = (fm_push){0};
    if (fm_class_is(part_class, "reynolds-drag"))
        fm_reynolds_describe(config, push, levels, first);
    else if (fm_class_is(part_class, "wind-area"))
        fm_wind_describe(config, wind, push);
    else if (fm_class_is(part_class, "mmg-hull") || fm_class_is(part_class, "mmg-propeller") ||
             fm_class_is(part_class, "mmg-rudder"))
        fm_mmg_describe(part_class, config, push);
    else if (fm_class_is(part_class, "near-wall"))
        (void)fm_near_wall_describe(config, push);
    else
        return 0;
    return 1;
}
