#include "physics/flatten.h"

#include "world/flatten.h"
#include "world/model.h"

struct fm_flat *flatten(const fm_model *model, size_t vehicle, fm_error *error)
{
    const fm_type *type = &model->types[model->vehicles[vehicle].type];
    return type->kind->rigid ? fm_type_flatten(type, error) : NULL;
}
