/* The DVL of a vehicle. Part of libfathom. */
#ifndef FM_BRIDGES_ODOMETRY_ODOMETRY_SOURCE_H
#define FM_BRIDGES_ODOMETRY_ODOMETRY_SOURCE_H

#include <string.h>

#include "world/model.h"

/* Of this name, or (NULL) the first; NULL: none. */
static inline const fm_part *fm_odometry_part_find(const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->sensor_count; i++)
        if (strcmp(type->parts[i].part_class->element->name, "dvl") == 0 &&
            (!name || strcmp(type->parts[i].name, name) == 0))
            return &type->parts[i];
    return NULL;
}

#endif
