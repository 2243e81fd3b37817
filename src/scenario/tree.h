/* A checked tree of a user's file, according to a table of elements (base/describe.h).
 *
 * Processing of a scenario: read → overlay (models merged into their instances) → set (--set) → complete → walk and
 * fill.
 *
 *     fm_tree tree = {0};
 *     fm_report report = {0};
 *     if (fm_tree_read(&tree, "dive.xml", &fathom_element, &registry, FM_READ_PARTIAL, &report) == FM_OK)
 *         for (fm_node *vehicle = NULL; (vehicle = fm_node_next(tree.root, "vehicle", vehicle));) …
 *
 * Tables and registry must outlive the tree; everything else lives in the tree's arena. */
#ifndef FM_SCENARIO_TREE_H
#define FM_SCENARIO_TREE_H

#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "scenario/value.h"

/* An extra attribute of an element that is FM_ELEMENT_OPEN, as written. */
typedef struct fm_extra {
    const char *name, *written, *file;
    int line;
    struct fm_extra *next;
} fm_extra;

typedef struct fm_node {
    const fm_element *element;
    const fm_registered *part; /* its registry entry if it was accepted through a group, otherwise NULL */
    const char *file;          /* where its start tag stands */
    int line;
    struct fm_node *parent, *first, *last, *next; /* children and siblings in document order */
    fm_value *values;                             /* one per attribute of the element, in the table's order */
    fm_extra *extras;                             /* attributes that the table does not know, in document order */
    bool broken; /* something was reported that leaves a gap in what it says: an element, a value without a default */
    /* Vehicles that are written alike share one set of children (alike.c): */
    struct fm_node *like; /* the earlier sibling whose children are its own too; NULL: its own are below it */
    bool shared;          /* it is the `like` of another */
    size_t made;          /* of one that is shared: the number of the first thing made of it */
    unsigned char news;   /* of a copy of another tree: FM_NEWS_… */
} fm_node;

enum {
    FM_NEWS_OWN = 1,  /* some attribute differs from that of the other tree */
    FM_NEWS_BELOW = 2 /* some below it does */
};

/* A file that was read. */
typedef struct fm_tree_file {
    const char *path;
    const char *data; /* its bytes; NULL if only the name is known (a file named by an attribute) */
    size_t size;
    struct fm_tree_file *next;
} fm_tree_file;

/* Called for an attribute plugin="PATH" on any element, before the element is looked up: it must add the plugin's parts
 * to the registry (without moving its entries: fm_registry_reserve). */
typedef fm_status fm_plugin_loader(void *user, const char *path, fm_error *error);

/* Starts as {0}; to support plugins, set the last two. */
typedef struct fm_tree {
    fm_arena arena;
    fm_node *root;
    const fm_registry *registry;
    size_t node_count;
    fm_plugin_loader *load_plugin; /* NULL: plugins are refused */
    void *plugin_user;
    struct fm_tree_defaults *defaults; /* values of attributes that are not written, by element */
    fm_tree_file *files, *last_file;   /* in the order of reading, each once */
    bool cut;                          /* the text ended early: what follows is not known */
} fm_tree;

enum {
    FM_READ_PARTIAL = 1u << 0, /* REQUIRED values may come later, by overlay or --set: see fm_node_complete */
    FM_READ_ALONE = 1u << 1    /* refuse <include>: no other file is opened */
};

/* Limits against hostile files. */
enum {
    FM_TREE_FILE_SIZE = 64 << 20, /* bytes per file */
    FM_TREE_DEPTH = 64,           /* nested elements, including those of included files */
    FM_TREE_INCLUDE_DEPTH = 8,    /* files that include files */
    FM_TREE_INCLUDES = 1000,      /* included files in all */
    FM_TREE_NODES = 200000
};

/* Reads a file whose root is `root`. All errors go to the report; returns the status of the first. The tree must be
 * freed in any case. `<include file="…"/>` may occur wherever an element may have children: it is replaced by the
 * children of that file's `<fragment>` root. */
fm_status fm_tree_read(fm_tree *tree, const char *path, const fm_element *root, const fm_registry *registry,
                       unsigned flags, fm_report *report);
/* The same from memory; `name` is the file in messages and gives the folder of relative paths. */
fm_status fm_tree_read_memory(fm_tree *tree, const char *data, size_t size, const char *name, const fm_element *root,
                              const fm_registry *registry, unsigned flags, fm_report *report);
void fm_tree_free(fm_tree *tree);

/* ---- walking ---- */

/* Whether the element has this name. */
static inline bool fm_node_is(const fm_node *node, const char *element)
{
    return strcmp(node->element->name, element) == 0;
}
/* The first of its children, its own or those that it shares. */
static inline fm_node *fm_node_first(const fm_node *node)
{
    return node->like ? node->like->first : node->first;
}
/* The child after `previous` (NULL: the first) with this element name (NULL: any); NULL behind the last. */
fm_node *fm_node_next(const fm_node *parent, const char *element, const fm_node *previous);
/* The first child with this element name, or NULL. */
fm_node *fm_node_child(const fm_node *parent, const char *element);
/* The child after `previous` that was accepted through this registry group. */
fm_node *fm_node_next_part(const fm_node *parent, const char *group, const fm_node *previous);
/* The attribute "name" (of type NAME), or NULL. */
const char *fm_node_name(const fm_node *node);
/* The value of an attribute, by name; NULL if the element has no such attribute. */
const fm_value *fm_node_value(const fm_node *node, const char *attr);
/* Whether the user (or a model file) wrote the attribute, as opposed to a default. */
bool fm_node_written(const fm_node *node, const char *attr);

/* Writes all attribute values into the element's config struct; unset values become zero. Lists and texts point into
 * the tree. Other fields of the struct are unchanged. */
void fm_node_fill(const fm_node *node, void *config);
/* The same, including the structs of ONCE children inside it (fm_element.parent_offset), at any depth. A missing child
 * gives its defaults. */
fm_status fm_node_fill_all(fm_tree *tree, const fm_node *node, void *config, fm_error *error);
/* The same into element->config_size zeroed bytes of the tree's arena; NULL on failure. */
void *fm_node_config(fm_tree *tree, const fm_node *node, fm_error *error);

/* An error at the location of a node, or of one of its attributes, for checks after reading. */
fm_status fm_node_fail(const fm_node *node, const char *attr, fm_report *report, fm_status status, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));
/* The same into *error. */
fm_status fm_node_error(const fm_node *node, const char *attr, fm_error *error, fm_status status, const char *text);

/* ---- changing ---- */

/* Reports required attributes and children that are missing at a node and below. */
fm_status fm_node_complete(const fm_tree *tree, const fm_node *node, fm_report *report);

/* Whether a node and everything below it is complete and free of reported errors, so that it can be built. */
bool fm_node_sound(const fm_tree *tree, const fm_node *node);

/* Merges a copy of `base`, a node of any tree that uses the same registry, into `over`, a node of `tree`. Attributes
 * written in `over` win. Children of the same element merge if they have the same name, or if the element can occur
 * only once; other children of `over` follow those of `base`. The two elements may differ: then attributes are matched
 * by name, and those of `base` that `over` does not have are left out. */
fm_status fm_node_overlay(fm_tree *tree, fm_node *over, const fm_node *base, fm_report *report);

/* Copies the children of `base` below `over`, after those that it has. */
fm_status fm_node_copy_children(fm_tree *tree, fm_node *over, const fm_node *base, fm_report *report);
/* A copy of a node of any tree that uses the same registry, with all below it, as the root of an empty tree. It shares
 * texts and numbers with the other tree, which must outlive it. */
fm_status fm_tree_copy(fm_tree *tree, const fm_tree *from, fm_error *error);
/* Notes the news of each node of a copy. False where more than numbers differ: then nothing can be shared. */
bool fm_tree_note_news(fm_node *node, const fm_node *from);

/* Takes a child out of its parent. */
void fm_node_remove(fm_node *parent, fm_node *child);

/* Adds an attribute that is not in the table to an OPEN element, replacing one with the same name. */
fm_status fm_node_set_extra(fm_tree *tree, fm_node *node, const char *name, const char *written, const char *file,
                            int line, fm_error *error);

/* A new last child with default values (without a parent: a separate node); NULL on failure. */
fm_node *fm_node_add(fm_tree *tree, fm_node *parent, const fm_element *element, const fm_registered *part,
                     const char *file, int line, fm_error *error);

/* Records a file that belongs to the tree, with a copy of its bytes if `data` is given; a recorded file stays. */
fm_status fm_tree_note_file(fm_tree *tree, const char *path, const void *data, size_t size);
/* The same for all files of another tree, and for all files named by FILE attributes at a node and below. */
fm_status fm_tree_note_files(fm_tree *tree, const fm_tree *other);
fm_status fm_tree_note_named(fm_tree *tree, const fm_node *node);

/* ---- writing ---- */

/* The tree as XML, with every effective value: written, merged from a model, set, or a default. A model is written in
 * full and not named again; files are named relative to the folder of the root's file. Reading the result there gives
 * the same tree. */

void fm_node_write(const fm_node *node, int depth, fm_text *text);

/* ---- tables ---- */

/* Goes through all elements accepted below `parent`: its own children first, then registered parts. Start with {0}. */
typedef struct fm_accepted {
    const fm_element *element; /* NULL behind the last */
    const fm_registered *part;
    size_t child, group;
} fm_accepted;

bool fm_accepted_next(const fm_element *parent, const fm_registry *registry, fm_accepted *accepted);
/* The element of this name; among those that differ in their kind, the one of this `kind` (NULL: the first of them). */
bool fm_accepted_find(const fm_element *parent, const fm_registry *registry, const char *name, const char *kind,
                      fm_accepted *accepted);

/* The index of an attribute, or attr_count. */
size_t fm_attr_index(const fm_element *element, const char *name);

#endif
