#include "physics/flatten.h"

#include "world/flatten.h"
#include "world/model.h"

struct fm_flat *flatten(const fm_model *model, size_t type, fm_error *error)
{
    return model->types[type].kind->rigid ? fm_type_flatten(&model->types[type], error) : NULL;
}
