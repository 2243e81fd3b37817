/* What force terms share. */
#include "forces/forces.h"

fm_push_moment fm_push_now(const fm_part_context *context)
{
    const fm_vehicle_view *view = context->vehicle;
    return (fm_push_moment){view->position[2], view->rotation, view->velocity,
                            view->water,       view->density,  view->acceleration};
}
