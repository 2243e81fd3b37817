#include "base/registry.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

fm_status fm_registry_reserve(fm_registry *registry, size_t capacity, fm_error *error)
{
    if (capacity <= registry->capacity)
        return FM_OK;
    fm_registered *entries = fm_realloc(registry->entries, capacity * sizeof *entries);
    if (!entries)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu registered parts", capacity);
    registry->entries = entries;
    registry->capacity = capacity;
    return FM_OK;
}

static fm_status make_room(fm_registry *registry, fm_error *error)
{
    if (registry->count < registry->capacity)
        return FM_OK;
    return fm_registry_reserve(registry, registry->capacity ? registry->capacity * 2 : 32, error);
}

static bool is_taken(const fm_registry *registry, const char *group, const fm_element *element)
{
    for (const fm_registered *r = NULL; (r = fm_registry_next(registry, group, r));)
        if (strcmp(r->element->name, element->name) == 0 &&
            (!r->element->kind || !element->kind || strcmp(r->element->kind, element->kind) == 0))
            return true;
    return false;
}

fm_status fm_registry_add(fm_registry *registry, const char *group, const fm_element *element, const void *class_table,
                          fm_error *error)
{
    if (is_taken(registry, group, element))
        return fm_fail(error, FM_ERR_ARGUMENT, "the name '%s' is already taken among the parts of kind '%s'",
                       element->kind ? element->kind : element->name, group);
    fm_status status = make_room(registry, error);
    if (status == FM_OK)
        registry->entries[registry->count++] = (fm_registered){group, element, class_table};
    return status;
}

const fm_registered *fm_registry_find(const fm_registry *registry, const char *group, const char *name)
{
    const fm_registered *entry = NULL;
    while ((entry = fm_registry_next(registry, group, entry)))
        if (strcmp(entry->element->name, name) == 0)
            return entry;
    return NULL;
}

const fm_registered *fm_registry_next(const fm_registry *registry, const char *group, const fm_registered *previous)
{
    if (!registry)
        return NULL;
    size_t i = previous ? (size_t)(previous - registry->entries) + 1 : 0;
    for (; i < registry->count; i++)
        if (strcmp(registry->entries[i].group, group) == 0)
            return &registry->entries[i];
    return NULL;
}

void fm_registry_free(fm_registry *registry)
{
    fm_free(registry->entries);
    *registry = (fm_registry){0};
}
