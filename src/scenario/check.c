/* Checks a table of elements before any file is read. */
#include "base/text.h"
#include "base/units.h"
#include "scenario/tree.h"

#include <string.h>

enum { MAX_ELEMENTS = 1024 };

typedef struct checker {
    const fm_registry *registry;
    const fm_element **seen; /* elements already checked: tables may be recursive */
    size_t count;
    fm_error *error;
} checker;

static size_t stored_size(const fm_attr *attr)
{
    switch (attr->type) {
    case FM_ATTR_REAL: return sizeof(double);
    case FM_ATTR_VECTOR: return attr->count * sizeof(double);
    case FM_ATTR_LIST: return sizeof(fm_list);
    case FM_ATTR_INT:
    case FM_ATTR_BOOL:
    case FM_ATTR_CHOICE: return sizeof(int64_t);
    case FM_ATTR_TEXT:
    case FM_ATTR_NAME:
    case FM_ATTR_FILE: return sizeof(const char *);
    }
    return SIZE_MAX;
}

/* The error in the simple fields of an attribute, or NULL. */
static const char *fault_of(const fm_element *element, const fm_attr *attr)
{
    bool numbers = attr->type == FM_ATTR_REAL || attr->type == FM_ATTR_VECTOR || attr->type == FM_ATTR_LIST;
    bool text = attr->type == FM_ATTR_TEXT || attr->type == FM_ATTR_NAME || attr->type == FM_ATTR_FILE;
    size_t size = stored_size(attr);
    if (!attr->name || !fm_text_name_valid(attr->name))
        return "has no valid name";
    if (!attr->text || !*attr->text)
        return "has no text";
    if (numbers && !attr->unit)
        return "has no unit (\"\" for plain numbers)";
    if (!numbers && attr->unit && *attr->unit)
        return "cannot have a unit";
    if (size > element->config_size || attr->offset > element->config_size - size)
        return "lies outside the config struct";
    if ((attr->type == FM_ATTR_VECTOR || attr->type == FM_ATTR_LIST) && attr->count == 0)
        return "has no count";
    if (attr->type == FM_ATTR_CHOICE && (!attr->choices || !attr->choices[0]))
        return "has no choices";
    if (!(attr->min < attr->max) && !(attr->min == attr->max && attr->min == 0) && attr->type != FM_ATTR_INT)
        return "has min above max";
    if ((attr->flags & FM_ATTR_REQUIRED) && attr->fallback)
        return "is required and has a fallback";
    if ((attr->flags & FM_ATTR_LIVE) && (text || attr->type == FM_ATTR_LIST))
        return "cannot be live";
    return NULL;
}

static fm_status check_attribute(const checker *c, const fm_element *element, const fm_attr *attr)
{
    fm_unit unit;
    fm_value value;
    fm_error inner = {0};
    const char *fault = fault_of(element, attr);
    if (fault)
        return fm_fail(c->error, FM_ERR_ARGUMENT, "table of <%s>: attribute '%s' %s", element->name,
                       attr->name ? attr->name : "", fault);
    if (attr->unit && fm_unit_parse(attr->unit, &unit, &inner) != FM_OK)
        return fm_fail(c->error, FM_ERR_ARGUMENT, "table of <%s>: attribute '%s': %s", element->name, attr->name,
                       inner.text);
    if (!attr->fallback)
        return FM_OK;
    fm_arena arena = {0};
    fm_status status = fm_value_parse(&arena, attr, attr->fallback, NULL, 0, &value, &inner);
    fm_arena_free(&arena);
    if (status != FM_OK)
        return fm_fail(c->error, status == FM_ERR_MEMORY ? status : FM_ERR_ARGUMENT,
                       "table of <%s>: fallback of '%s': %s", element->name, attr->name, inner.text);
    return FM_OK;
}

static fm_status check_children(checker *c, const fm_element *element);

static fm_status check_element(checker *c, const fm_element *element)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->seen[i] == element)
            return FM_OK;
    if (!element->name || !fm_text_name_valid(element->name) || !element->text)
        return fm_fail(c->error, FM_ERR_ARGUMENT, "table: an element has no valid name, or no text");
    if (c->count >= MAX_ELEMENTS)
        return fm_fail(c->error, FM_ERR_FULL, "table: more than %d elements", MAX_ELEMENTS);
    c->seen[c->count++] = element;
    fm_status status = FM_OK;
    for (size_t i = 0; i < element->attr_count && status == FM_OK; i++) {
        status = check_attribute(c, element, &element->attrs[i]);
        if (status == FM_OK && fm_attr_index(element, element->attrs[i].name) != i)
            status = fm_fail(c->error, FM_ERR_ARGUMENT, "table of <%s>: attribute '%s' is described twice",
                             element->name, element->attrs[i].name);
    }
    return status == FM_OK ? check_children(c, element) : status;
}

static fm_status check_children(checker *c, const fm_element *element)
{
    fm_status status = FM_OK;
    fm_accepted accepted = {0}, first;
    while (status == FM_OK && fm_accepted_next(element, c->registry, &accepted)) {
        status = check_element(c, accepted.element);
        if (status != FM_OK)
            break;
        if (accepted.element->parent_offset + accepted.element->config_size > element->config_size &&
            accepted.element->parent_offset > 0 && !accepted.part)
            status = fm_fail(c->error, FM_ERR_ARGUMENT, "table of <%s>: the struct of <%s> does not lie inside its own",
                             element->name, accepted.element->name);
        if (status != FM_OK)
            break;
        fm_accepted_find(element, c->registry, accepted.element->name, accepted.element->kind, &first);
        if (first.element != accepted.element || strcmp(accepted.element->name, "include") == 0)
            status = fm_fail(c->error, FM_ERR_ARGUMENT, "table of <%s>: the name <%s> is taken twice", element->name,
                             accepted.element->name);
    }
    return status;
}

fm_status fm_element_check(const fm_element *element, const fm_registry *registry, fm_error *error)
{
    checker c = {.registry = registry, .error = error};
    c.seen = fm_alloc(MAX_ELEMENTS * sizeof *c.seen);
    if (!c.seen)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    fm_status status = check_element(&c, element);
    fm_free(c.seen);
    return status;
}
