/* The 6-DOF body: the kind of vehicles that name none. */
#ifndef FM_KINDS_BODY_H
#define FM_KINDS_BODY_H

#include "world/kind.h"

extern const fm_kind fm_kind_body;

/* body_build.c */
fm_status fm_body_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error);
/* body_hull.c; when mass and buoyancy are known. */
fm_status fm_body_build_hull(fm_part_load *load, fm_type *type, fm_error *error);

#endif
