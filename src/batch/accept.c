/* Which vehicles a batch can move. */
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"
#include "environment/environment.h"

int fm_batch_find_vehicle(const fm_model *model, const char *name)
{
    if (!name)
        return model->vehicle_count > 0 ? 0 : -1;
    for (size_t i = 0; i < model->vehicle_count; i++)
        if (!strcmp(model->vehicles[i].name, name))
            return (int)i;
    return -1;
}

static fm_status refuse(const char *vehicle, const char *why, fm_error *error)
{
    return fm_fail(error, FM_ERR_MODEL, "a batch cannot move '%s': %s", vehicle, why);
}

/* What acts on its motion beside the kernel. */
static const char *foreign_motion(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    if (!type->kind->rigid)
        return "its kind is not a rigid body";
    if (type->force_count)
        return "it has force terms that only a world has (drag by Reynolds number, wind, a wall nearby, plugins)";
    if (e->current.count)
        return "the current differs from place to place or in time";
    if (e->sea.count || e->drawn_count)
        return "the sea has waves";
    if (e->stratified)
        return "the water is stratified";
    return e->noise ? "the water is noisy" : NULL;
}

static const char *foreign_run(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    if (model->vehicle_count != 1 || model->settings.capacity > 1)
        return "the scenario has more than one vehicle";
    if (type->controller_count)
        return "it has controllers or measures of its own, which only a world runs";
    if (model->change_count)
        return "parameters change on the way (<faults>)";
    if (model->subsystem_count)
        return "tethers, sound or random currents act in the scenario";
    if (e->obstacle_count || e->bottom || e->floor.triangle_count || e->map.columns)
        return "it may touch obstacles or the bottom";
    if (type->period != 1)
        return "its step is not the world's tick";
    return type->crush_depth > 0 || model->settings.energy_check > 0 ? "it may end early" : NULL;
}

fm_status fm_batch_accept(const fm_model *model, int vehicle, int whole, fm_error *error)
{
    const fm_placement *p = &model->vehicles[vehicle];
    const fm_type *type = &model->types[p->type];
    const char *why = foreign_motion(model, type);
    if (!why && whole)
        why = foreign_run(model, type);
    return why ? refuse(p->name, why, error) : FM_OK;
}
