/* What force terms share. */
#include "forces/forces.h"

fm_force_moment fm_force_now(const fm_part_context *context)
{
    const fm_vehicle_view *view = context->vehicle;
    return (fm_force_moment){view->position[2], view->rotation, view->velocity,
                             view->water,       view->density,  view->acceleration};
}
