/* Which instruments the ping bridge shows as which device. Part of libfathom. */
#ifndef FM_BRIDGES_PING_PING_SOURCE_H
#define FM_BRIDGES_PING_PING_SOURCE_H

#include <string.h>

#include "world/model.h"

typedef enum fm_ping_device_kind { FM_PING_NO_DEVICE, FM_PING_DEVICE_1D, FM_PING_DEVICE_360 } fm_ping_device_kind;

/* The output with the one range of an instrument; NULL: it has none. */
static inline const fm_output *fm_ping_range_output(const fm_part *part)
{
    for (size_t i = 0; i < part->output_count; i++)
        if (part->outputs[i].quantity == FM_QUANTITY_RANGE && part->outputs[i].type == FM_OUTPUT_REAL)
            return &part->outputs[i];
    return NULL;
}

static inline fm_ping_device_kind fm_ping_device_of(const fm_part *part)
{
    if (strcmp(part->part_class->element->name, "scanning-sonar") == 0)
        return FM_PING_DEVICE_360;
    return fm_ping_range_output(part) ? FM_PING_DEVICE_1D : FM_PING_NO_DEVICE;
}

/* The instrument of this name, or (NULL) the first that fits; NULL: none. */
static inline const fm_part *fm_ping_part_find(const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->sensor_count; i++)
        if (fm_ping_device_of(&type->parts[i]) != FM_PING_NO_DEVICE &&
            (!name || strcmp(type->parts[i].name, name) == 0))
            return &type->parts[i];
    return NULL;
}

#endif
