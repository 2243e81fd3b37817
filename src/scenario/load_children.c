/* Queries of parts and kinds to their piece of the file: children, attributes, and locations of errors. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scenario/build.h"

/* The parent of the element at a path ("fish-body/section"); *element is its last component. NULL: it does not
 * exist. */
static const fm_node *parent_of(const fm_node *node, const char *path, const char **element)
{
    const char *slash;
    for (*element = path; node && (slash = strchr(*element, '/')); *element = slash + 1) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(slash - *element), *element);
        node = fm_node_child(node, name);
    }
    return node;
}

/* The i-th child at this path; NULL: there is none. */
static const fm_node *find_child(const fm_part_load *load, const char *path, size_t i)
{
    const char *element;
    const fm_node *parent = load && path ? parent_of(load->node, path, &element) : NULL, *node = NULL;
    for (size_t k = 0; parent && k <= i; k++)
        if (!(node = fm_node_next(parent, element, node)))
            return NULL;
    return node;
}

int fm_load_has_child(fm_part_load *load, const char *element)
{
    return find_child(load, element, 0) != NULL;
}

size_t fm_load_child_count(fm_part_load *load, const char *element)
{
    size_t count = 0;
    const fm_node *parent = load && element ? parent_of(load->node, element, &element) : NULL;
    for (const fm_node *node = NULL; parent && (node = fm_node_next(parent, element, node));)
        count++;
    return count;
}

fm_status fm_load_child(fm_part_load *load, const char *element, size_t i, void *config, fm_error *error)
{
    const fm_node *node = find_child(load, element, i);
    if (!node || !config)
        return fm_load_fail(load, error, FM_ERR_ARGUMENT, "no <%s> number %zu, or no place for it",
                            element ? element : "", i + 1);
    return fm_node_fill_all(load->builder->tree, node, config, error);
}

const char *fm_load_child_name(fm_part_load *load, size_t i)
{
    const fm_node *node = load && load->node ? fm_node_first(load->node) : NULL;
    while (node && i-- > 0)
        node = node->next;
    return node ? node->element->name : NULL;
}

int fm_load_has_attribute(fm_part_load *load, const char *attribute)
{
    return load && attribute && fm_node_written(load->node, attribute);
}

int fm_load_child_has(fm_part_load *load, const char *element, size_t i, const char *attribute)
{
    const fm_node *node = find_child(load, element, i);
    return node && attribute && fm_node_written(node, attribute);
}

/* --- errors --- */

fm_status fm_load_fail(fm_part_load *load, fm_error *error, fm_status status, const char *format, ...)
{
    char text[512] = "";
    va_list args;
    va_start(args, format);
    if (format)
        vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!load)
        return fm_fail(error, status, "%s", text);
    return fm_fail_at(error, status, load->node->file, load->node->line, "<%s>: %s", load->node->element->name, text);
}

fm_status fm_load_fail_at(fm_part_load *load, const char *element, size_t i, const char *attribute, fm_error *error,
                          fm_status status, const char *format, ...)
{
    char text[512] = "";
    va_list args;
    va_start(args, format);
    if (format)
        vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!load)
        return fm_fail(error, status, "%s", text);
    const fm_node *node = element ? find_child(load, element, i) : NULL;
    return fm_node_error(node ? node : load->node, attribute, error, status, text);
}

fm_status fm_build_report(fm_builder *b, const fm_node *node, fm_status status, const fm_error *error)
{
    if (status == FM_OK || error->status == FM_OK) /* out of memory is reported where it happens */
        return status;
    if (error->file[0])
        fm_report_add_error(b->report, error);
    else
        fm_node_fail(node, NULL, b->report, status, "%s", error->text);
    return status;
}
