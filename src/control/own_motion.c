#include "control/own_motion.h"

static int gives_all(fm_part_load *load, size_t part, fm_own_motion_view *view)
{
    return fm_load_quantity(load, part, FM_QUANTITY_DEPTH, &view->depth) &&
           fm_load_quantity(load, part, FM_QUANTITY_EULER, &view->euler) &&
           fm_load_quantity(load, part, FM_QUANTITY_RATES, &view->rates) &&
           fm_load_quantity(load, part, FM_QUANTITY_FORWARD_SPEED, &view->forward);
}

fm_status fm_load_own_motion(fm_part_load *load, fm_own_motion_view *view, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (gives_all(load, i, view))
            return FM_OK;
    if (fm_load_find_quantity(load, FM_QUANTITY_DEPTH, NULL, &view->depth, error) < 0 ||
        fm_load_find_quantity(load, FM_QUANTITY_EULER, NULL, &view->euler, error) < 0 ||
        fm_load_find_quantity(load, FM_QUANTITY_RATES, NULL, &view->rates, error) < 0 ||
        fm_load_find_quantity(load, FM_QUANTITY_FORWARD_SPEED, NULL, &view->forward, error) < 0)
        return error->status;
    return FM_OK;
}

int fm_own_motion_is_of(const fm_own_motion_view *view, int part)
{
    return (int)view->depth.part == part && (int)view->euler.part == part && (int)view->rates.part == part &&
           (int)view->forward.part == part;
}

fm_own_motion fm_own_motion_read(const fm_part_context *context, const fm_own_motion_view *view)
{
    fm_own_motion m = {.depth = fm_quantity_value(context, &view->depth, 0),
                       .forward = fm_quantity_value(context, &view->forward, 0)};
    fm_quantity_values(context, &view->euler, 3, m.euler);
    fm_quantity_values(context, &view->rates, 3, m.rates);
    return m;
}
