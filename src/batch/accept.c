/* Which vehicles a batch can move. */
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"
#include "batch/surroundings.h"
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

/* Why only a world moves it; NULL: a batch does too. */
static const char *foreign_motion(const fm_model *model, const fm_type *type, int whole)
{
    const fm_kind_lanes *lanes = type->kind->lanes;
    const char *why = lanes && lanes->verdict ? lanes->verdict(model->environment, type) : NULL;
    if (!lanes)
        return "vehicles of its kind are moved by worlds alone";
    if (type->body.appendages)
        return "fins and propellers that meet their inflow are moved by worlds";
    if (type->delays)
        return "orders with a delay are moved by worlds";
    return why ? why : fm_surroundings_foreign(model, type, whole);
}

fm_status fm_batch_accept(const fm_model *model, int vehicle, int whole, fm_error *error)
{
    const fm_placement *p = &model->vehicles[vehicle];
    const char *why = foreign_motion(model, &model->types[p->type], whole);
    return why ? refuse(p->name, why, error) : FM_OK;
}
