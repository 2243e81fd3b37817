#include "scenario/unknown.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Appends to a list that is separated by commas; returns its new length. */
static size_t append(char *list, size_t size, size_t used, const char *name)
{
    return used < size ? used + (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", name) : used;
}

const char *fm_unknown_attribute_write(const fm_element *element, const char *name, char *text, size_t size)
{
    char hint[700], accepted[300] = "";
    size_t used = 0;
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < element->attr_count; i++) {
        fm_nearest_offer(&nearest, element->attrs[i].name);
        used = append(accepted, sizeof accepted, used, element->attrs[i].name);
    }
    snprintf(text, size, "<%s> has no attribute '%.60s'%s%s%s", element->name, name,
             nearest.count ? ""
             : *accepted   ? "; it has "
                           : "; it has none",
             nearest.count ? "" : accepted, fm_nearest_write(&nearest, hint, sizeof hint));
    return text;
}

/* The elements that accept one of this name: "; it belongs inside <vehicle>, <type>"; "": none. */
static const char *write_homes(const fm_element *root, const fm_registry *registry, const char *name, char *buffer,
                               size_t size)
{
    enum { ELEMENTS = 1024 };
    const fm_element **list = fm_alloc(ELEMENTS * sizeof *list);
    size_t count = 0, used = 0;
    buffer[0] = 0;
    if (list)
        list[count++] = root;
    for (size_t i = 0; i < count && used < size; i++) {
        fm_accepted a = {0}, home;
        if (fm_accepted_find(list[i], registry, name, NULL, &home))
            used += (size_t)snprintf(buffer + used, size - used, "%s<%s>", used ? ", " : "; it belongs inside ",
                                     list[i]->name);
        while (fm_accepted_next(list[i], registry, &a)) {
            size_t k = 0;
            while (k < count && list[k] != a.element)
                k++;
            if (k == count && count < ELEMENTS)
                list[count++] = a.element;
        }
    }
    fm_free(list);
    return buffer;
}

const char *fm_unknown_element_write(const fm_element *root, const fm_registry *registry, const fm_element *parent,
                                     const char *name, char *text, size_t size)
{
    char hint[700], accepted[400] = "";
    if (*write_homes(root, registry, name, hint, sizeof hint)) {
        snprintf(text, size, "<%.60s> is not known inside <%s>%.400s", name, parent->name, hint);
        return text;
    }
    size_t used = 0;
    fm_nearest nearest = {.wanted = name};
    fm_accepted a = {0};
    while (fm_accepted_next(parent, registry, &a)) {
        fm_nearest_offer(&nearest, a.element->name);
        used = append(accepted, sizeof accepted, used, a.element->name);
    }
    snprintf(text, size, "<%.60s> is not known inside <%s>%s%s%s", name, parent->name,
             nearest.count ? ""
             : *accepted   ? "; it takes "
                           : "; it takes no elements",
             nearest.count ? "" : accepted, fm_nearest_write(&nearest, hint, sizeof hint));
    return text;
}

const char *fm_unknown_kind_write(const fm_element *parent, const fm_registry *registry, const char *name,
                                  const char *kind, char *text, size_t size)
{
    char hint[160], accepted[300] = "";
    size_t used = 0;
    fm_nearest nearest = {.wanted = kind ? kind : ""};
    fm_accepted a = {0};
    while (fm_accepted_next(parent, registry, &a)) {
        if (strcmp(a.element->name, name) != 0)
            continue;
        fm_nearest_offer(&nearest, a.element->kind);
        used = append(accepted, sizeof accepted, used, a.element->kind);
    }
    if (kind)
        snprintf(text, size, "kind of <%s>: unknown kind '%.60s'; must be %s, or one of a plugin%s", name, kind,
                 accepted, fm_nearest_write(&nearest, hint, sizeof hint));
    else
        snprintf(text, size, "<%s>: attribute 'kind' is missing: must be %s, or one of a plugin", name, accepted);
    return text;
}
