/* The vertical-plane diving model as a vehicle kind. */
#ifndef FM_KINDS_DIVING_H
#define FM_KINDS_DIVING_H

#include "world/kind.h"

/* kind_config: <diving>, and what is derived from it. */
typedef struct fm_diving_type {
    fm_diving_params params;
    int64_t scaled, large_angle, trimmed; /* trimmed: begins in level flight */
    double trim_w, trim_theta;            /* derived, m/s, rad */
} fm_diving_type;

extern const fm_kind fm_kind_diving;

/* diving_build.c */
extern const fm_element fm_diving_element;
fm_status fm_diving_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error);

#endif
