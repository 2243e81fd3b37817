#include "scenario/tree.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

bool fm_accepted_next(const fm_element *parent, const fm_registry *registry, fm_accepted *accepted)
{
    if (parent->children && parent->children[accepted->child]) {
        accepted->element = parent->children[accepted->child++];
        return true;
    }
    while (parent->groups && parent->groups[accepted->group]) {
        accepted->part = fm_registry_next(registry, parent->groups[accepted->group], accepted->part);
        if (accepted->part) {
            accepted->element = accepted->part->element;
            return true;
        }
        accepted->group++;
    }
    accepted->element = NULL;
    return false;
}

bool fm_accepted_find(const fm_element *parent, const fm_registry *registry, const char *name, const char *kind,
                      fm_accepted *accepted)
{
    *accepted = (fm_accepted){0};
    while (fm_accepted_next(parent, registry, accepted)) {
        const char *own = accepted->element->kind;
        if (strcmp(accepted->element->name, name) == 0 && (!own || !kind || strcmp(own, kind) == 0))
            return true;
    }
    return false;
}

size_t fm_attr_index(const fm_element *element, const char *name)
{
    size_t i = 0;
    while (i < element->attr_count && strcmp(element->attrs[i].name, name) != 0)
        i++;
    return i;
}

/* ---- walking ---- */

fm_node *fm_node_next(const fm_node *parent, const char *element, const fm_node *previous)
{
    fm_node *node = previous ? previous->next : fm_node_first(parent);
    while (node && element && strcmp(node->element->name, element) != 0)
        node = node->next;
    return node;
}

fm_node *fm_node_child(const fm_node *parent, const char *element)
{
    return fm_node_next(parent, element, NULL);
}

fm_node *fm_node_next_part(const fm_node *parent, const char *group, const fm_node *previous)
{
    fm_node *node = previous ? previous->next : fm_node_first(parent);
    while (node && (!node->part || strcmp(node->part->group, group) != 0))
        node = node->next;
    return node;
}

const fm_value *fm_node_value(const fm_node *node, const char *attr)
{
    size_t i = fm_attr_index(node->element, attr);
    return i < node->element->attr_count ? &node->values[i] : NULL;
}

bool fm_node_written(const fm_node *node, const char *attr)
{
    const fm_value *value = fm_node_value(node, attr);
    return value && value->source == FM_VALUE_WRITTEN;
}

const char *fm_node_name(const fm_node *node)
{
    size_t i = fm_attr_index(node->element, "name");
    if (i >= node->element->attr_count || node->element->attrs[i].type != FM_ATTR_NAME)
        return NULL;
    return node->values[i].text;
}

void fm_node_fill(const fm_node *node, void *config)
{
    for (size_t i = 0; i < node->element->attr_count; i++)
        fm_value_store(&node->element->attrs[i], &node->values[i], config);
}

static fm_status fill_embedded(fm_tree *tree, const fm_node *node, const fm_element *child, void *config,
                               fm_error *error)
{
    const fm_node *written = fm_node_child(node, child->name);
    if (!written)
        written = fm_node_add(tree, NULL, child, NULL, node->file, node->line, error);
    return written ? fm_node_fill_all(tree, written, (char *)config + child->parent_offset, error) : error->status;
}

fm_status fm_node_fill_all(fm_tree *tree, const fm_node *node, void *config, fm_error *error)
{
    fm_status status = FM_OK;
    fm_error local = {0};
    fm_node_fill(node, config);
    for (size_t i = 0; node->element->children && node->element->children[i] && status == FM_OK; i++) {
        const fm_element *child = node->element->children[i];
        if ((child->flags & FM_ELEMENT_ONCE) && child->parent_offset > 0)
            status = fill_embedded(tree, node, child, config, error ? error : &local);
    }
    return status;
}

void *fm_node_config(fm_tree *tree, const fm_node *node, fm_error *error)
{
    void *config = fm_arena_alloc(&tree->arena, node->element->config_size);
    if (!config) {
        fm_fail_at(error, FM_ERR_MEMORY, node->file, node->line, "out of memory");
        return NULL;
    }
    return fm_node_fill_all(tree, node, config, error) == FM_OK ? config : NULL;
}

fm_status fm_node_error(const fm_node *node, const char *attr, fm_error *error, fm_status status, const char *text)
{
    const char *name = fm_node_name(node);
    char label[160];
    snprintf(label, sizeof label, "<%s%s%.60s%s>", node->element->name, name ? " name=\"" : "", name ? name : "",
             name ? "\"" : "");
    const fm_value *value = attr ? fm_node_value(node, attr) : NULL;
    if (value && value->source == FM_VALUE_WRITTEN)
        return fm_fail_at(error, status, value->file, value->line, "%s of %s: %s", attr, label, text);
    return fm_fail_at(error, status, node->file, node->line, "%s%s%s: %s", attr ? attr : "", attr ? " of " : "", label,
                      text);
}

fm_status fm_node_fail(const fm_node *node, const char *attr, fm_report *report, fm_status status, const char *format,
                       ...)
{
    char text[640];
    fm_error error = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fm_node_error(node, attr, &error, status, text);
    fm_report_add_error(report, &error);
    return status;
}

void fm_tree_free(fm_tree *tree)
{
    fm_arena_free(&tree->arena);
    *tree = (fm_tree){0};
}

/* ---- making nodes ---- */

/* The values of an element before anything is written, parsed once for all nodes of a tree. */
typedef struct defaults {
    const fm_element *element;
    fm_value *values;
    struct defaults *next;
} defaults;

enum { DEFAULT_LISTS = 64 };
struct fm_tree_defaults {
    defaults *lists[DEFAULT_LISTS]; /* by the address of the element */
};

static fm_status parse_defaults(fm_tree *tree, const fm_element *element, fm_value *values, const char *file, int line,
                                fm_error *error)
{
    for (size_t i = 0; i < element->attr_count; i++) {
        const fm_attr *attr = &element->attrs[i];
        if (!attr->fallback)
            continue;
        fm_status status = fm_value_parse(&tree->arena, attr, attr->fallback, file, line, &values[i], error);
        if (status != FM_OK)
            return status;
        values[i].source = FM_VALUE_DEFAULT;
    }
    return FM_OK;
}

static const fm_value *find_defaults(fm_tree *tree, const fm_element *element, const char *file, int line,
                                     fm_error *error)
{
    if (!tree->defaults && !(tree->defaults = fm_arena_alloc(&tree->arena, sizeof *tree->defaults)))
        return fm_fail_at(error, FM_ERR_MEMORY, file, line, "out of memory"), NULL;
    defaults **list = &tree->defaults->lists[((uintptr_t)element >> 4) % DEFAULT_LISTS], *found = *list;
    while (found && found->element != element)
        found = found->next;
    if (found)
        return found->values;
    found = fm_arena_alloc(&tree->arena, sizeof *found);
    if (!found || !(found->values = fm_arena_alloc(&tree->arena, element->attr_count * sizeof *found->values)))
        return fm_fail_at(error, FM_ERR_MEMORY, file, line, "out of memory"), NULL;
    if (parse_defaults(tree, element, found->values, file, line, error) != FM_OK)
        return NULL;
    found->element = element;
    found->next = *list;
    *list = found;
    return found->values;
}

static fm_status set_defaults(fm_tree *tree, fm_node *node, fm_error *error)
{
    const fm_value *values = find_defaults(tree, node->element, node->file, node->line, error);
    if (!values)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < node->element->attr_count; i++) {
        node->values[i] = values[i];
        node->values[i].file = node->file;
        node->values[i].line = node->line;
    }
    return FM_OK;
}

static void append(fm_node *parent, fm_node *node)
{
    node->parent = parent;
    node->next = NULL;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
}

void fm_node_remove(fm_node *parent, fm_node *child)
{
    fm_node **list = &parent->first;
    parent->last = NULL;
    while (*list) {
        if (*list == child)
            *list = child->next;
        else {
            parent->last = *list;
            list = &(*list)->next;
        }
    }
}

fm_node *fm_node_add(fm_tree *tree, fm_node *parent, const fm_element *element, const fm_registered *part,
                     const char *file, int line, fm_error *error)
{
    fm_node *node = fm_arena_alloc(&tree->arena, sizeof *node);
    fm_value *values = fm_arena_alloc(&tree->arena, element->attr_count * sizeof *values);
    if (!node || !values) {
        fm_fail_at(error, FM_ERR_MEMORY, file, line, "out of memory");
        return NULL;
    }
    *node = (fm_node){.element = element, .part = part, .file = file, .line = line, .values = values};
    if (set_defaults(tree, node, error) != FM_OK)
        return NULL;
    if (parent)
        append(parent, node);
    tree->node_count++;
    return node;
}

fm_status fm_node_set_extra(fm_tree *tree, fm_node *node, const char *name, const char *written, const char *file,
                            int line, fm_error *error)
{
    fm_extra **link = &node->extras;
    while (*link && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    fm_extra *extra = *link ? *link : fm_arena_alloc(&tree->arena, sizeof *extra);
    const char *kept_name = fm_arena_text(&tree->arena, name), *kept = fm_arena_text(&tree->arena, written);
    if (!extra || !kept_name || !kept)
        return fm_fail_at(error, FM_ERR_MEMORY, file, line, "out of memory");
    *extra = (fm_extra){.name = kept_name, .written = kept, .file = file, .line = line, .next = extra->next};
    *link = extra;
    return FM_OK;
}

/* ---- completeness ---- */

static void complete_attributes(const fm_node *node, fm_report *report)
{
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const fm_attr *attr = &node->element->attrs[i];
        if (!(attr->flags & FM_ATTR_REQUIRED) || node->values[i].source != FM_VALUE_UNSET)
            continue;
        char type[64];
        fm_node_fail(node, NULL, report, FM_ERR_SYNTAX, "attribute '%s' is missing (%s%s%s): %s", attr->name,
                     fm_attr_type_write(attr, type, sizeof type), attr->unit && *attr->unit ? " in " : "",
                     attr->unit ? attr->unit : "", attr->text ? attr->text : "");
    }
}

static void complete_children(const fm_tree *tree, const fm_node *node, fm_report *report)
{
    fm_accepted accepted = {0};
    while (fm_accepted_next(node->element, tree->registry, &accepted)) {
        const char *name = accepted.element->name;
        if ((accepted.element->flags & FM_ELEMENT_REQUIRED) && !fm_node_child(node, name))
            fm_node_fail(node, NULL, report, FM_ERR_SYNTAX, "element <%s> is missing: %s", name,
                         accepted.element->text ? accepted.element->text : "");
    }
}

static bool is_complete(const fm_tree *tree, const fm_node *node)
{
    fm_accepted accepted = {0};
    for (size_t i = 0; i < node->element->attr_count; i++)
        if ((node->element->attrs[i].flags & FM_ATTR_REQUIRED) && node->values[i].source == FM_VALUE_UNSET)
            return false;
    if (node->like)
        return true; /* its children are looked at where they are */
    while (fm_accepted_next(node->element, tree->registry, &accepted))
        if ((accepted.element->flags & FM_ELEMENT_REQUIRED) && !fm_node_child(node, accepted.element->name))
            return false;
    return true;
}

bool fm_node_sound(const fm_tree *tree, const fm_node *node)
{
    bool sound = !node->broken && (!node->like || !node->like->broken) && is_complete(tree, node);
    for (const fm_node *child = node->first; child && sound; child = child->next)
        sound = fm_node_sound(tree, child);
    return sound;
}

fm_status fm_node_complete(const fm_tree *tree, const fm_node *node, fm_report *report)
{
    if (fm_report_full(report))
        return fm_report_status(report);
    size_t before = report->count;
    complete_attributes(node, report);
    if (!node->like)
        complete_children(tree, node, report);
    for (const fm_node *child = node->first; child && !fm_report_full(report); child = child->next)
        fm_node_complete(tree, child, report);
    return report->count > before ? fm_report_get(report, before)->status : FM_OK;
}

/* ---- copies ---- */

static fm_extra *copy_extras(fm_tree *tree, const fm_extra *from, bool *failed)
{
    fm_extra *first = NULL, **at = &first;
    for (; from && !*failed; from = from->next, at = &(*at)->next) {
        *at = fm_arena_alloc(&tree->arena, sizeof **at);
        *failed = !*at;
        if (*failed)
            return first;
        **at = *from;
        (*at)->next = NULL;
    }
    return first;
}

static fm_node *copy_node(fm_tree *tree, const fm_node *from, fm_node *parent, bool *failed)
{
    const size_t values = from->element->attr_count * sizeof *from->values;
    fm_node *node = fm_arena_alloc(&tree->arena, sizeof *node);
    fm_value *copied = fm_arena_alloc(&tree->arena, values + 1);
    *failed |= !node || !copied;
    if (*failed)
        return NULL;
    *node = *from;
    node->parent = parent;
    node->first = node->last = node->next = NULL;
    node->values = copied;
    node->news = 0;
    if (values)
        memcpy(copied, from->values, values);
    node->extras = copy_extras(tree, from->extras, failed);
    for (const fm_node *child = from->first; child && !*failed; child = child->next) {
        fm_node *copy = copy_node(tree, child, node, failed);
        if (node->last)
            node->last->next = copy;
        else
            node->first = copy;
        node->last = copy;
    }
    return node;
}

fm_status fm_tree_copy(fm_tree *tree, const fm_tree *from, fm_error *error)
{
    bool failed = false;
    tree->registry = from->registry;
    tree->node_count = from->node_count;
    tree->root = copy_node(tree, from->root, NULL, &failed);
    return failed ? fm_fail(error, FM_ERR_MEMORY, "no memory for a copy of the scenario") : FM_OK;
}

static bool is_number(const fm_attr *attr)
{
    return attr->type == FM_ATTR_REAL || attr->type == FM_ATTR_VECTOR || attr->type == FM_ATTR_LIST;
}

bool fm_tree_note_news(fm_node *node, const fm_node *from)
{
    for (size_t i = 0; i < node->element->attr_count; i++) {
        if (memcmp(&node->values[i], &from->values[i], sizeof node->values[i]) == 0)
            continue;
        if (!is_number(&node->element->attrs[i]) || from->values[i].source == FM_VALUE_UNSET ||
            node->values[i].count != from->values[i].count)
            return false;
        node->news |= FM_NEWS_OWN;
    }
    const fm_node *other = from->first;
    for (fm_node *child = node->first; child; child = child->next, other = other->next) {
        if (!other || !fm_tree_note_news(child, other))
            return false;
        node->news |= child->news ? FM_NEWS_BELOW : 0;
    }
    return !other;
}
