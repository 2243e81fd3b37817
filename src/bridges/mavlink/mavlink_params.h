/* Parameters of a vehicle for ground stations: its live parameters and those of the world, by names of up to 16
 * characters. docs/mavlink.md, "Parameters". */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_PARAMS_H
#define FM_BRIDGES_MAVLINK_MAVLINK_PARAMS_H

#include "base/error.h"
#include "world/model.h"

enum { FM_MAV_PARAM_NAME = 17 };

typedef struct fm_mav_param {
    char name[FM_MAV_PARAM_NAME];
    const char *path; /* below the vehicle, or of the world; NULL: read-only, of the bridge */
    int of_world;
} fm_mav_param;

/* Of one type of vehicle. */
typedef struct fm_mav_params {
    const fm_type *type;
    fm_mav_param *list;
    size_t count;
} fm_mav_params;

/* A name for a path that none of the first `count` parameters has. */
void fm_mav_param_name(const char *path, const fm_mav_param *list, size_t count, char name[FM_MAV_PARAM_NAME]);
fm_status fm_mav_params_create(fm_mav_params *params, const fm_model *model, const fm_type *type, fm_error *error);
void fm_mav_params_free(fm_mav_params *params);
/* Index of the parameter with this name; -1: unknown. */
int fm_mav_params_find(const fm_mav_params *params, const char *name);
/* NaN: it has no value. `system` is that of the vehicle. */
double fm_mav_params_get(const fm_mav_params *params, size_t i, const fm_world *world, const char *vehicle, int system);
fm_status fm_mav_params_set(const fm_mav_params *params, size_t i, fm_world *world, const char *vehicle, double value,
                            fm_error *error);

#endif
