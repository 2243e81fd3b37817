/* Files of a tree: which were read, which are named by attributes; and the tree as text. */
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
    for (const char *c = written; *c; c++)
        switch (*c) {
        case '&': fm_text_add(text, "&amp;"); break;
        case '<': fm_text_add(text, "&lt;"); break;
        case '"': fm_text_add(text, "&quot;"); break;
        case '\n': fm_text_add(text, "&#10;"); break;
        default: fm_text_add(text, "%c", *c);
        }
}

static void write_attribute(const char *name, const char *written, fm_text *text)
{
    fm_text_add(text, " %s=\"", name);
    write_escaped(written, text);
    fm_text_add(text, "\"");
}

void fm_node_write(const fm_node *node, int depth, fm_text *text)
{
    fm_text_add(text, "%*s<%s", 2 * depth, "", node->element->name);
    for (size_t i = 0; i < node->element->attr_count; i++)
        if (node->values[i].written)
            write_attribute(node->element->attrs[i].name, node->values[i].written, text);
    for (const fm_extra *extra = node->extras; extra; extra = extra->next)
        write_attribute(extra->name, extra->written, text);
    fm_text_add(text, node->first ? ">\n" : "/>\n");
    for (const fm_node *child = node->first; child; child = child->next)
        fm_node_write(child, depth + 1, text);
    if (node->first)
        fm_text_add(text, "%*s</%s>\n", 2 * depth, "", node->element->name);
}
