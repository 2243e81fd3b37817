#include "scenario/alike.h"

#include <string.h>

#include "scenario/vehicle_elements.h"

bool fm_attr_is_placement(const fm_attr *attr)
{
    if (strcmp(attr->name, "model") == 0)
        return false;
    return strcmp(attr->name, "name") == 0 ||
           fm_attr_index(&fm_model_element, attr->name) == fm_model_element.attr_count;
}

/* ---- what is written ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *c = bytes; size > 0; c++, size--)
        hash = (hash ^ *c) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? hash_bytes(hash, text, strlen(text) + 1) : hash;
}

/* The text of an attribute that belongs to the type; NULL: it has none. A default is as good as the same text written:
 * a scenario that is written out has it so. Files are the same if they are found at the same path. */
static const char *text_of(const fm_node *node, size_t i, bool vehicle)
{
    const fm_attr *attr = &node->element->attrs[i];
    if (vehicle && fm_attr_is_placement(attr))
        return NULL;
    return attr->type == FM_ATTR_FILE ? node->values[i].text : node->values[i].written;
}

static uint64_t hash_node(uint64_t hash, const fm_node *node, bool vehicle)
{
    hash = hash_bytes(hash, &node->element, sizeof node->element);
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const char *text = text_of(node, i, vehicle);
        hash = text ? hash_text(hash ^ i, text) : hash;
    }
    for (const fm_extra *extra = node->extras; extra; extra = extra->next)
        hash = hash_text(hash_text(hash, extra->name), extra->written);
    for (const fm_node *child = node->first; child; child = child->next)
        hash = hash_node(hash, child, false);
    return hash_bytes(hash, "", 1);
}

static bool same_extras(const fm_extra *a, const fm_extra *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (strcmp(a->name, b->name) != 0 || strcmp(a->written, b->written) != 0)
            return false;
    return !a && !b;
}

static bool same_nodes(const fm_node *a, const fm_node *b, bool vehicle)
{
    if (a->element != b->element || a->broken || b->broken || !same_extras(a->extras, b->extras))
        return false;
    for (size_t i = 0; i < a->element->attr_count; i++) {
        const char *x = text_of(a, i, vehicle), *y = text_of(b, i, vehicle);
        if (x != y && (!x || !y || strcmp(x, y) != 0))
            return false;
    }
    const fm_node *x = a->first, *y = b->first;
    while (x && y && same_nodes(x, y, false))
        x = x->next, y = y->next;
    return !x && !y;
}

/* ---- finding ---- */

fm_status fm_alikes_create(fm_alikes *set, size_t most)
{
    for (set->room = 16; set->room < 2 * most; set->room *= 2)
        ;
    set->entries = fm_alloc(set->room * sizeof *set->entries);
    return set->entries ? FM_OK : FM_ERR_MEMORY;
}

void fm_alikes_free(fm_alikes *set)
{
    fm_free(set->entries);
    *set = (fm_alikes){0};
}

fm_node *fm_alikes_at(fm_alikes *set, fm_node *vehicle)
{
    const uint64_t hash = hash_node(0xcbf29ce484222325u, vehicle, true);
    size_t at = (size_t)(hash ^ (hash >> 32)) & (set->room - 1);
    for (; set->entries[at].node; at = (at + 1) & (set->room - 1))
        if (set->entries[at].hash == hash && same_nodes(set->entries[at].node, vehicle, true))
            return set->entries[at].node;
    set->entries[at] = (fm_alike_entry){vehicle, hash};
    return vehicle;
}

/* ---- sharing ---- */

void fm_node_share(fm_node *vehicle, fm_node *earlier)
{
    for (fm_node *other = vehicle->shared ? vehicle->next : NULL; other; other = other->next)
        if (other->like == vehicle)
            other->like = earlier;
    vehicle->shared = false;
    vehicle->first = vehicle->last = NULL;
    vehicle->like = earlier;
    earlier->shared = true;
    for (size_t i = 0; i < vehicle->element->attr_count; i++)
        if (!fm_attr_is_placement(&vehicle->element->attrs[i]))
            vehicle->values[i] = earlier->values[i];
}

static fm_status take_own(fm_tree *tree, fm_node *vehicle, const fm_node *from)
{
    fm_report report = {0};
    vehicle->like = NULL;
    fm_status status = fm_node_copy_children(tree, vehicle, from, &report);
    fm_report_free(&report);
    return status;
}

/* The next sibling that shares the nodes of this vehicle. */
static fm_node *next_sharer(const fm_node *vehicle, fm_node *sharer)
{
    sharer = sharer ? sharer->next : vehicle->next;
    while (sharer && sharer->like != vehicle)
        sharer = sharer->next;
    return sharer;
}

fm_status fm_node_part(fm_tree *tree, fm_node *vehicle)
{
    if (vehicle->like)
        return take_own(tree, vehicle, vehicle->like);
    fm_node *heir = vehicle->shared ? next_sharer(vehicle, NULL) : NULL;
    vehicle->shared = false;
    if (!heir)
        return FM_OK;
    for (fm_node *other = heir; (other = next_sharer(vehicle, other));) {
        other->like = heir;
        heir->shared = true;
    }
    return take_own(tree, heir, vehicle);
}
