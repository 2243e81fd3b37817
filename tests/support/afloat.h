/* Weight and buoyancy of a type that floats on a calm sea. */
#ifndef TESTS_SUPPORT_AFLOAT_H
#define TESTS_SUPPORT_AFLOAT_H

#include "physics/floating.h"
#include "world/model.h"

/* Adds them to f; z: depth of the origin, m; down: third row of R. */
static inline void add_afloat(const fm_type *type, double z, const double down[3], double f[6])
{
    const fm_submersion cut = fm_submersion_at(&type->body.hull, z, down);
    fm_floating_add_cut(&type->body.hull, &type->mass, z, 1, &cut, down, f);
}

#endif
