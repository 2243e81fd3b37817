/* Files of a tree: those read, and those named by attributes; and the tree as text. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenario/tree.h"

static fm_tree_file *find_file(const fm_tree *tree, const char *path)
{
    fm_tree_file *file = tree->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    return file;
}

fm_status fm_tree_note_file(fm_tree *tree, const char *path, const void *data, size_t size)
{
    if (find_file(tree, path))
        return FM_OK;
    fm_tree_file *file = fm_arena_alloc(&tree->arena, sizeof *file);
    char *copy = data ? fm_arena_alloc(&tree->arena, size + 1) : NULL;
    if (!file || (data && !copy) || !(file->path = fm_arena_text(&tree->arena, path)))
        return FM_ERR_MEMORY;
    if (data)
        memcpy(copy, data, size);
    file->data = copy;
    file->size = size;
    if (tree->last_file)
        tree->last_file->next = file;
    else
        tree->files = file;
    tree->last_file = file;
    return FM_OK;
}

fm_status fm_tree_note_files(fm_tree *tree, const fm_tree *other)
{
    fm_status status = FM_OK;
    for (const fm_tree_file *file = other->files; file && status == FM_OK; file = file->next)
        status = fm_tree_note_file(tree, file->path, file->data, file->size);
    return status;
}

fm_status fm_tree_note_named(fm_tree *tree, const fm_node *node)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < node->element->attr_count && status == FM_OK; i++)
        if (node->element->attrs[i].type == FM_ATTR_FILE && node->values[i].text)
            status = fm_tree_note_file(tree, node->values[i].text, NULL, 0);
    for (const fm_node *child = node->first; child && status == FM_OK; child = child->next)
        status = fm_tree_note_named(tree, child);
    return status;
}

/* --- as text --- */

static void write_escaped(const char *written, fm_text *text)
{
    for (size_t line; *written; written += line) {
        line = strcspn(written, "\n");
        fm_text_add_escaped_part(text, written, line);
        if (written[line] == '\n')
            fm_text_add(text, "&#10;"), line++;
    }
}

static void write_attribute(const char *name, const char *written, fm_text *text)
{
    fm_text_add(text, " %s=\"", name);
    write_escaped(written, text);
    fm_text_add(text, "\"");
}

/* Number of letters that the folders of two paths have in common, including the last slash. */
static size_t common_folder(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        common = a[i] == '/' ? i + 1 : common;
    return common;
}

/* Converts a file name relative to another file to one relative to the root file. */
static void write_path(const char *name, const char *path, const char *beside, fm_text *text)
{
    char whole[PATH_MAX], base[PATH_MAX];
    fm_text relative = {0};
    if (realpath(path, whole) && realpath(beside, base)) {
        size_t common = common_folder(whole, base);
        for (const char *c = base + common; (c = strchr(c, '/')); c++)
            fm_text_add(&relative, "../");
        fm_text_add(&relative, "%s", whole + common);
    }
    text->failed |= relative.failed;
    write_attribute(name, relative.data ? relative.data : path, text);
    fm_text_free(&relative);
}

/* The base of a vehicle is already merged and written with it; named again, it would be merged twice. */
static int is_laid_model(const fm_node *node, size_t i)
{
    return (node->element->flags & FM_ELEMENT_LAID) && strcmp(node->element->attrs[i].name, "model") == 0;
}

static void write_value(const fm_node *node, size_t i, const char *root, fm_text *text)
{
    const fm_attr *attr = &node->element->attrs[i];
    const fm_value *value = &node->values[i];
    if (attr->type == FM_ATTR_FILE && value->text && value->file && strcmp(value->file, root) != 0)
        write_path(attr->name, value->text, root, text);
    else
        write_attribute(attr->name, value->written, text);
}

static void write_node(const fm_node *node, const char *root, int depth, fm_text *text)
{
    for (size_t i = 0; i < node->element->attr_count; i++)
        if (node->values[i].written && is_laid_model(node, i) && !strstr(node->values[i].written, "--"))
            fm_text_add(text, "%*s<!-- model %s, written out -->\n", 2 * depth, "", node->values[i].written);
    fm_text_add(text, "%*s<%s", 2 * depth, "", node->element->name);
    if (node->element->kind)
        write_attribute("kind", node->element->kind, text);
    for (size_t i = 0; i < node->element->attr_count; i++)
        if (node->values[i].written && !is_laid_model(node, i))
            write_value(node, i, root, text);
    for (const fm_extra *extra = node->extras; extra; extra = extra->next)
        write_attribute(extra->name, extra->written, text);
    const fm_node *first = fm_node_first(node);
    fm_text_add(text, first ? ">\n" : "/>\n");
    for (const fm_node *child = first; child; child = child->next)
        write_node(child, root, depth + 1, text);
    if (first)
        fm_text_add(text, "%*s</%s>\n", 2 * depth, "", node->element->name);
}

void fm_node_write(const fm_node *node, int depth, fm_text *text)
{
    write_node(node, node->file, depth, text);
}
