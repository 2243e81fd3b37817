/* Parts by group and name: "actuator"/"thruster", "sensor"/"dvl" … Built-ins and plugins register in the same way. The
 * loader owns the registry; elements, classes and group names must outlive it. */
#ifndef FM_BASE_REGISTRY_H
#define FM_BASE_REGISTRY_H

#include "base/describe.h"
#include "base/error.h"

typedef struct fm_registered {
    const char *group;
    const fm_element *element;
    const void *class_table; /* the functions of the part; users of the group know its type */
} fm_registered;

/* Starts as {0}. */
typedef struct fm_registry {
    fm_registered *entries; /* in the order of registration */
    size_t count, capacity;
} fm_registry;

/* A name, or a name with a kind, can be used once in a group. */
fm_status fm_registry_add(fm_registry *registry, const char *group, const fm_element *element, const void *class_table,
                          fm_error *error);
/* Space for `count` entries in total, so that pointers to entries stay valid up to that number. */
fm_status fm_registry_reserve(fm_registry *registry, size_t count, fm_error *error);
/* NULL if there is none. */
const fm_registered *fm_registry_find(const fm_registry *registry, const char *group, const char *name);
/* The entry after `previous` (NULL: the first) in this group, NULL after the last. registry may be NULL. */
const fm_registered *fm_registry_next(const fm_registry *registry, const char *group, const fm_registered *previous);
void fm_registry_free(fm_registry *registry);

#endif
