/* Merges a model into an instance: the instance's values win, the rest comes from the model. */
#include "scenario/tree.h"

#include <string.h>

typedef struct overlay {
    fm_tree *tree;
    fm_report *report;
    const char *base_file, *copied_file; /* the last file name copied into the tree */
} overlay;

static fm_status merge_node(overlay *o, fm_node *over, const fm_node *base);

static fm_status out_of_memory(const overlay *o, const fm_node *at)
{
    return fm_report_add(o->report, FM_ERR_MEMORY, at->file, at->line, "out of memory");
}

/* The file name in our own arena; the base tree may be freed before ours. */
static const char *keep_file(overlay *o, const char *file)
{
    if (!file)
        return NULL;
    if (o->base_file != file) {
        o->copied_file = fm_arena_text(&o->tree->arena, file);
        o->base_file = o->copied_file ? file : NULL;
    }
    return o->copied_file;
}

/* Copies the value of `base` for an attribute that is not written in `over`. */
static fm_status merge_value(overlay *o, fm_node *over, size_t index, const fm_node *base, const fm_value *value)
{
    const fm_attr *attr = &over->element->attrs[index];
    const char *file = keep_file(o, value->file);
    fm_value parsed;
    fm_error error = {0};
    if (!file)
        return out_of_memory(o, over);
    fm_status status = fm_value_parse(&o->tree->arena, attr, value->written, file, value->line, &parsed, &error);
    if (status != FM_OK)
        return fm_report_add(o->report, status, file, value->line, "%s of <%s>, taken over by <%s>: %s", attr->name,
                             base->element->name, over->element->name, error.text);
    over->values[index] = parsed;
    return FM_OK;
}

static fm_status merge_values(overlay *o, fm_node *over, const fm_node *base)
{
    fm_status first = FM_OK;
    for (size_t i = 0; i < over->element->attr_count; i++) {
        const fm_value *value = fm_node_value(base, over->element->attrs[i].name);
        if (!value || value->source != FM_VALUE_WRITTEN || !value->written ||
            over->values[i].source == FM_VALUE_WRITTEN)
            continue;
        fm_status status = merge_value(o, over, i, base, value);
        first = first ? first : status;
    }
    return first;
}

static fm_status merge_extras(overlay *o, fm_node *over, const fm_node *base)
{
    if (!(over->element->flags & FM_ELEMENT_OPEN))
        return FM_OK;
    for (const fm_extra *extra = base->extras; extra; extra = extra->next) {
        const fm_extra *own = over->extras;
        while (own && strcmp(own->name, extra->name) != 0)
            own = own->next;
        if (own)
            continue;
        const char *file = keep_file(o, extra->file);
        if (!file || fm_node_set_extra(o->tree, over, extra->name, extra->written, file, extra->line, NULL) != FM_OK)
            return out_of_memory(o, over);
    }
    return FM_OK;
}

/* The child of the instance that changes this child of the base, or NULL. */
static fm_node *counterpart(const fm_node *over, const fm_node *child)
{
    const char *name = fm_node_name(child);
    fm_node *other = NULL;
    while ((other = fm_node_next(over, child->element->name, other))) {
        if (child->element->flags & FM_ELEMENT_ONCE)
            return other;
        const char *other_name = fm_node_name(other);
        if (name && other_name && strcmp(name, other_name) == 0)
            return other;
    }
    return NULL;
}

/* A copy of a base child, with all below it, as the last child of `over`. */
static fm_node *copy_child(overlay *o, fm_node *over, const fm_node *child)
{
    fm_accepted accepted;
    if (!fm_accepted_find(over->element, o->tree->registry, child->element->name, child->element->kind, &accepted)) {
        fm_report_add(o->report, FM_ERR_NAME, child->file, child->line, "<%s> is not known inside <%s>",
                      child->element->name, over->element->name);
        return NULL;
    }
    fm_error error = {0};
    const char *file = keep_file(o, child->file);
    fm_node *copy = NULL;
    if (file)
        copy = fm_node_add(o->tree, over, accepted.element, accepted.part, file, child->line, &error);
    if (!copy)
        fm_report_add(o->report, file ? error.status : FM_ERR_MEMORY, child->file, child->line, "<%s>: %s",
                      child->element->name, file ? error.text : "out of memory");
    return copy;
}

/* Unlinks all children and returns the first of them. */
static fm_node *take_children(fm_node *node)
{
    fm_node *first = node->first;
    node->first = node->last = NULL;
    return first;
}

static void append_child(fm_node *parent, fm_node *child)
{
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

static void remove_from(fm_node **list, const fm_node *node)
{
    while (*list && *list != node)
        list = &(*list)->next;
    if (*list)
        *list = node->next;
}

static fm_status merge_children(overlay *o, fm_node *over, const fm_node *base)
{
    fm_status first = FM_OK;
    fm_node own = {.first = take_children(over)}; /* the instance's children that are not placed yet */
    for (const fm_node *child = base->first; child && first != FM_ERR_MEMORY; child = child->next) {
        fm_node *target = counterpart(&own, child);
        if (target) {
            remove_from(&own.first, target);
            append_child(over, target);
        } else
            target = copy_child(o, over, child);
        fm_status status = target ? merge_node(o, target, child) : fm_report_status(o->report);
        first = first ? first : status;
    }
    while (own.first) {
        fm_node *next = own.first->next;
        append_child(over, own.first);
        own.first = next;
    }
    return first;
}

static fm_status merge_node(overlay *o, fm_node *over, const fm_node *base)
{
    fm_status values = merge_values(o, over, base);
    if (values == FM_OK)
        values = merge_extras(o, over, base);
    fm_status children = merge_children(o, over, base);
    over->broken |= base->broken;
    return values ? values : children;
}

fm_status fm_node_overlay(fm_tree *tree, fm_node *over, const fm_node *base, fm_report *report)
{
    overlay o = {.tree = tree, .report = report};
    return merge_node(&o, over, base);
}
