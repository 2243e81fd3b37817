/* One part of a vehicle's type: force term, sensor or controller. */
#ifndef FM_BASE_PART_H
#define FM_BASE_PART_H

#include <fathom/part.h>

/* A block of 8-byte words inside a vehicle's record. */
typedef struct fm_block {
    uint32_t offset; /* words from the start of the record */
    uint32_t words;
} fm_block;

/* Parts that others search for in a step; found by the name of their class at load. */
typedef enum fm_part_role {
    FM_ROLE_NONE,
    FM_ROLE_GPS,
    FM_ROLE_LATERAL_LINE,
    FM_ROLE_MODEM,
    FM_ROLE_TRANSDUCER
} fm_part_role;
fm_part_role fm_part_role_of(const fm_part_class *part_class); /* world/model.c */

typedef struct fm_part {
    const fm_part_class *part_class;
    fm_part_role role;
    const char *name; /* unique among the vehicle's parts; default: the element's name */
    const void *config;
    fm_block live, state, output;
    const fm_output *outputs; /* the class's, or this instance's own */
    size_t output_count;
    uint64_t period;  /* ticks */
    uint32_t channel; /* for random numbers and telemetry */
    uint32_t fault;   /* word of the record with its live parameter `fault`: it can show values from outside; 0: none */
} fm_part;

/* Where it sits; NULL: nowhere. */
static inline const fm_mount *fm_part_mount(const fm_part *part)
{
    const char *config = (const char *)part->config;
    return part->part_class->mount ? (const fm_mount *)(const void *)(config + part->part_class->mount - 1) : NULL;
}

#endif
