/* The flat form of a vehicle's type, made in a file that is compiled in double: a test in lanes sees other sizes of a
 * type. */
#ifndef TESTS_PHYSICS_FLATTEN_H
#define TESTS_PHYSICS_FLATTEN_H

#include <fathom/model.h>

/* NULL: of another kind than the rigid body. */
struct fm_flat *flatten(const fm_model *model, size_t vehicle, fm_error *error);

#endif
