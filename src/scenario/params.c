#include "scenario/params.h"

#include "base/names.h"
#include "base/text.h"
#include "scenario/alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPONENT = 128, MAX_COMPONENTS = FM_TREE_DEPTH };

/* ---- writing paths ---- */

static const char *plain_component(const fm_node *node)
{
    const char *name = fm_node_name(node);
    return name ? name : node->element->name;
}

/* Siblings with the same component, and the index of this one among them (from 1). */
static size_t count_twins(const fm_node *node, size_t *index)
{
    size_t count = 0;
    *index = 1;
    for (const fm_node *other = node->parent ? node->parent->first : NULL; other; other = other->next) {
        count += fm_text_name_equal(plain_component(other), plain_component(node));
        if (other == node)
            *index = count;
    }
    return count;
}

/* The component of the node that is number `place` of `twins` equal ones. */
static void write_numbered(const fm_node *node, size_t twins, size_t index, char *buffer, size_t size)
{
    const char *name = fm_node_name(node);
    if (twins < 2)
        snprintf(buffer, size, "%s", plain_component(node));
    else if (name)
        snprintf(buffer, size, "%s:%s", node->element->name, name);
    else
        snprintf(buffer, size, "%s[%zu]", node->element->name, index);
    for (char *c = buffer; *c; c++)
        if (*c == '-')
            *c = '_';
}

static void write_component(const fm_node *node, char *buffer, size_t size)
{
    size_t index, twins = count_twins(node, &index);
    write_numbered(node, twins, index, buffer, size);
}

static bool transparent(const fm_node *node)
{
    return (node->element->flags & FM_ELEMENT_TRANSPARENT) != 0;
}

static size_t write_path(const fm_node *node, bool last, char *buffer, size_t size)
{
    size_t used = node->parent ? write_path(node->parent, false, buffer, size) : 0;
    char component[MAX_COMPONENT];
    if ((!last && transparent(node)) || used >= size)
        return used;
    write_component(node, component, sizeof component);
    return used + (size_t)snprintf(buffer + used, size - used, "/%s", component);
}

const char *fm_node_path(const fm_node *node, const char *attr, char *buffer, size_t size)
{
    buffer[0] = 0;
    size_t used = write_path(node, true, buffer, size);
    if (attr && used < size) {
        snprintf(buffer + used, size - used, "/%s", attr);
        for (char *c = buffer + used; *c; c++)
            if (*c == '-')
                *c = '_';
    }
    return buffer;
}

/* ---- finding ---- */

static bool matches(const fm_node *node, const char *component)
{
    char canonical[MAX_COMPONENT];
    if (fm_text_name_equal(plain_component(node), component))
        return true;
    if (!strpbrk(component, ":[") && !fm_text_name_equal(node->element->name, component))
        return false;
    write_component(node, canonical, sizeof canonical);
    return fm_text_name_equal(canonical, component) || fm_text_name_equal(node->element->name, component);
}

typedef struct search {
    const char *component;
    fm_node *found;
    size_t count;    /* of nodes that match */
    bool exact_name; /* the match is by name rather than by element */
} search;

static void consider(search *s, fm_node *node)
{
    if (!matches(node, s->component))
        return;
    bool exact = !fm_text_name_equal(node->element->name, s->component) || !fm_node_name(node);
    if (s->count > 0 && s->exact_name && !exact)
        return;
    if (exact && !s->exact_name)
        s->count = 0;
    s->exact_name = exact;
    s->found = node;
    s->count++;
}

static void search_children(search *s, const fm_node *parent)
{
    for (fm_node *child = fm_node_first(parent); child; child = child->next) {
        consider(s, child);
        if (transparent(child))
            search_children(s, child);
    }
}

static void search_root(search *s, fm_node *root)
{
    consider(s, root);
    if (transparent(root))
        search_children(s, root);
}

/* An element of the table that can be added below `parent` on the path to `component`; chain[] gets the transparent
 * elements in between and the element itself. Returns the length of the chain, 0 if there is none. */
static size_t find_described(const fm_tree *tree, const fm_element *parent, const char *component, fm_accepted *chain,
                             size_t room)
{
    fm_accepted accepted = {0};
    while (room > 0 && fm_accepted_next(parent, tree->registry, &accepted)) {
        if (!(accepted.element->flags & FM_ELEMENT_ONCE))
            continue;
        chain[0] = accepted;
        if (fm_text_name_equal(accepted.element->name, component))
            return 1;
        if (accepted.element->flags & FM_ELEMENT_TRANSPARENT) {
            size_t length = find_described(tree, accepted.element, component, chain + 1, room - 1);
            if (length)
                return length + 1;
        }
    }
    return 0;
}

/* The target of a path: `node`, and from there elements that still have to be added. */
typedef struct target {
    fm_node *node, *through; /* through: the last one on the way that shares its children with another */
    fm_accepted missing[MAX_COMPONENTS];
    size_t missing_count;
} target;

static const fm_element *end_element(const target *p)
{
    return p->missing_count ? p->missing[p->missing_count - 1].element : p->node ? p->node->element : NULL;
}

/* A node that already exists below p->node comes first in the chain (an existing <world> before an absent <water>). */
static void use_existing(target *p)
{
    size_t used = 0;
    fm_node *child;
    while (used < p->missing_count && (child = fm_node_child(p->node, p->missing[used].element->name))) {
        p->node = child;
        used++;
    }
    p->missing_count -= used;
    memmove(p->missing, p->missing + used, p->missing_count * sizeof p->missing[0]);
}

static fm_status step_into(const fm_tree *tree, target *p, const char *component, fm_error *error)
{
    search s = {.component = component};
    if (p->missing_count == 0 && !p->node)
        search_root(&s, tree->root);
    else if (p->missing_count == 0)
        search_children(&s, p->node);
    if (s.count > 1)
        return fm_fail(error, FM_ERR_NAME, "'%.100s' is not unique here; write its name, ELEMENT:NAME or ELEMENT[1]",
                       component);
    if (s.count == 1) {
        p->node = s.found;
        if (s.found->like || s.found->shared)
            p->through = s.found;
        return FM_OK;
    }
    const fm_element *from = end_element(p);
    size_t before = p->missing_count;
    if (!from)
        p->node = tree->root;
    size_t added = find_described(tree, from ? from : tree->root->element, component, p->missing + before,
                                  MAX_COMPONENTS - before);
    p->missing_count += added;
    if (before == 0 && added)
        use_existing(p);
    return added ? FM_OK : FM_ERR_NAME;
}

/* Splits "/a/b/c" in place into "a/b" and "c": the last '/' becomes the end. */
static fm_status find_target(const fm_tree *tree, char *path, target *p, const char **attr, fm_error *error)
{
    char *last = strrchr(path, '/');
    *p = (target){0};
    if (path[0] != '/' || last == path || last[1] == 0)
        return FM_ERR_NAME;
    *attr = last + 1;
    *last = 0;
    char *rest = path + 1, *component;
    fm_status status = FM_OK;
    while (status == FM_OK && (component = strsep(&rest, "/"))) {
        fm_error ambiguous = {0};
        status = step_into(tree, p, component, &ambiguous);
        if (ambiguous.status)
            fm_fail(error, ambiguous.status, "%s", ambiguous.text);
    }
    return status;
}

bool fm_attr_is_param(const fm_attr *attr)
{
    return attr->type != FM_ATTR_NAME || strcmp(attr->name, "name") != 0;
}

static const fm_attr *find_attr(const fm_element *element, const char *name)
{
    for (size_t i = 0; i < element->attr_count; i++)
        if (fm_text_name_equal(element->attrs[i].name, name) && fm_attr_is_param(&element->attrs[i]))
            return &element->attrs[i];
    return NULL;
}

/* ---- nearest paths ---- */

static bool list_params(const fm_tree *tree, fm_param_visitor *visitor, void *user, char *value);

typedef struct neighbours {
    fm_nearest nearest;
    fm_arena arena;
} neighbours;

static bool offer_path(void *user, const fm_param *param)
{
    neighbours *n = user;
    fm_nearest trial = n->nearest;
    fm_nearest_offer(&trial, param->path);
    if (memcmp(&trial, &n->nearest, sizeof trial) == 0)
        return true;
    char *kept = fm_arena_text(&n->arena, param->path);
    if (kept)
        fm_nearest_offer(&n->nearest, kept);
    return kept != NULL;
}

/* Suggestions cost a walk over all paths, so they are made only when needed. */
static fm_status unknown_path(const fm_tree *tree, const char *path, fm_error *error)
{
    if (!error)
        return FM_ERR_NAME;
    char hint[700];
    neighbours n = {.nearest = {.wanted = path}};
    list_params(tree, offer_path, &n, NULL);
    fm_fail(error, FM_ERR_NAME, "no parameter '%.200s'%s", path, fm_nearest_write(&n.nearest, hint, sizeof hint));
    fm_arena_free(&n.arena);
    return FM_ERR_NAME;
}

/* A path without its first slash, or with dots: what it would be as a path. */
static fm_status not_a_path(const fm_tree *tree, const char *path, fm_error *error)
{
    if (!error)
        return FM_ERR_NAME;
    char meant[FM_PATH_SIZE + 1], hint[700];
    snprintf(meant, sizeof meant, "%s%.*s", path[0] == '/' ? "" : "/", FM_PATH_SIZE - 1, path);
    for (char *at = meant; *at; at++)
        if (*at == '.')
            *at = '/';
    neighbours n = {.nearest = {.wanted = meant}};
    list_params(tree, offer_path, &n, NULL);
    fm_fail(error, FM_ERR_NAME, "'%.200s' is not a parameter path: must be like /world/dt%s", path,
            fm_nearest_write(&n.nearest, hint, sizeof hint));
    fm_arena_free(&n.arena);
    return FM_ERR_NAME;
}

/* ---- setting ---- */

static fm_status add_missing(fm_tree *tree, target *p, fm_error *error)
{
    for (size_t i = 0; i < p->missing_count; i++) {
        fm_node *node = fm_node_add(tree, p->node, p->missing[i].element, p->missing[i].part, "--set", 0, error);
        if (!node)
            return FM_ERR_MEMORY;
        p->node = node;
    }
    return FM_OK;
}

/* Resolves a path. *attr is NULL if the element is OPEN and has no such attribute: *name is it then. */
static fm_status resolve(const fm_tree *tree, const char *path, char *buffer, target *p, const fm_attr **attr,
                         const char **name, fm_error *error)
{
    fm_error local = {0};
    if (!tree->root)
        return fm_fail(error, FM_ERR_ARGUMENT, "tree must not be NULL");
    if (strlen(path) >= FM_PATH_SIZE)
        return fm_fail(error, FM_ERR_NAME, "a path is longer than %d bytes", FM_PATH_SIZE);
    strcpy(buffer, path);
    fm_status status = find_target(tree, buffer, p, name, &local);
    if (path[0] != '/' || !path[1] || path[strlen(path) - 1] == '/' || !strchr(path + 1, '/'))
        return not_a_path(tree, path, error);
    if (status != FM_OK && local.status)
        return fm_fail(error, local.status, "%s", local.text);
    const fm_element *element = status == FM_OK ? end_element(p) : NULL;
    *attr = element ? find_attr(element, *name) : NULL;
    if (*attr || (element && (element->flags & FM_ELEMENT_OPEN) && fm_text_name_valid(*name)))
        return FM_OK;
    return unknown_path(tree, path, error);
}

/* The index in a vector that the last component of a path means: x, y, z, or its number; -1: none. */
static int component_index(const fm_attr *attr, const char *component)
{
    char *end;
    if (attr->type != FM_ATTR_VECTOR)
        return -1;
    if (attr->count <= 3 && component[0] >= 'x' && component[0] <= 'z' && !component[1])
        return (size_t)(component[0] - 'x') < attr->count ? component[0] - 'x' : -1;
    long number = component[0] >= '0' && component[0] <= '9' ? strtol(component, &end, 10) : -1;
    return number >= 0 && !*end && (size_t)number < attr->count ? (int)number : -1;
}

/* "/current/velocity/y": one number of a vector, the others unchanged. FM_ERR_NAME without an error: it is not one. */
static fm_status set_component(fm_tree *tree, const char *path, const char *value, fm_error *error)
{
    target p;
    const fm_attr *attr;
    const char *name, *last = strrchr(path, '/');
    char buffer[FM_PATH_SIZE], vector[FM_PATH_SIZE], written[64 * 40];
    fm_value parsed = {0};
    snprintf(vector, sizeof vector, "%.*s", last && last - path < FM_PATH_SIZE ? (int)(last - path) : 0, path);
    int at =
        resolve(tree, vector, buffer, &p, &attr, &name, NULL) == FM_OK && attr ? component_index(attr, last + 1) : -1;
    if (at < 0 || attr->count > 64)
        return FM_ERR_NAME;
    fm_attr single = *attr;
    single.type = FM_ATTR_REAL;
    fm_error inner = {0};
    fm_status status = fm_value_parse(&tree->arena, &single, value, "--set", 0, &parsed, &inner);
    if (status != FM_OK)
        return fm_fail_at(error, status, "--set", 0, "%.200s: %s", path, inner.text);
    fm_value fallback = {0};
    const fm_value *now = p.missing_count ? &fallback : &p.node->values[attr - p.node->element->attrs];
    if (p.missing_count && attr->fallback)
        fm_value_parse(&tree->arena, attr, attr->fallback, "--set", 0, &fallback, NULL);
    size_t used = 0;
    for (size_t i = 0; i < attr->count; i++) {
        char number[40];
        double x = (int)i == at ? parsed.numbers[0] : now->numbers ? now->numbers[i] : 0;
        used += (size_t)snprintf(written + used, sizeof written - used, "%s ",
                                 fm_text_number_write(number, sizeof number, x));
    }
    snprintf(written + used, sizeof written - used, "%s", attr->unit);
    return fm_tree_set(tree, vector, written, error);
}

fm_status fm_tree_set(fm_tree *tree, const char *path, const char *value, fm_error *error)
{
    target p;
    const fm_attr *attr;
    const char *name;
    char buffer[FM_PATH_SIZE];
    fm_error inner = {0};
    fm_status status = resolve(tree, path, buffer, &p, &attr, &name, NULL);
    if (p.through) {
        if ((status = fm_node_part(tree, p.through)) != FM_OK)
            return fm_fail_at(error, status, "--set", 0, "out of memory");
        status = resolve(tree, path, buffer, &p, &attr, &name, NULL);
    }
    if (status != FM_OK) {
        fm_status set = status == FM_ERR_NAME ? set_component(tree, path, value, &inner) : status;
        if (set != FM_OK && !inner.status && error)
            resolve(tree, path, buffer, &p, &attr, &name, &inner);
        return set == FM_OK ? FM_OK : fm_fail_at(error, status, "--set", 0, "%s", inner.text);
    }
    fm_value parsed = {0};
    if (attr)
        status = fm_value_parse(&tree->arena, attr, value, "--set", 0, &parsed, &inner);
    if (status == FM_OK)
        status = add_missing(tree, &p, &inner);
    if (status == FM_OK && attr)
        p.node->values[attr - p.node->element->attrs] = parsed;
    else if (status == FM_OK)
        status = fm_node_set_extra(tree, p.node, name, value, "--set", 0, &inner);
    if (status != FM_OK)
        return fm_fail_at(error, status, "--set", 0, "%.200s: %s", path, inner.text);
    return FM_OK;
}

fm_status fm_tree_assign(fm_tree *tree, const char *assignment, fm_error *error)
{
    const char *equals = strchr(assignment, '=');
    char path[FM_PATH_SIZE];
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof path)
        return fm_fail(error, FM_ERR_SYNTAX, "'%.200s' is invalid: must be PATH=VALUE, e.g. '/world/dt=0.01 s'",
                       assignment);
    memcpy(path, assignment, (size_t)(equals - assignment));
    path[equals - assignment] = 0;
    return fm_tree_set(tree, path, equals + 1, error);
}

fm_status fm_tree_find(fm_tree *tree, const char *path, fm_node **node, const fm_attr **attr, fm_error *error)
{
    target p;
    const char *name;
    char buffer[FM_PATH_SIZE];
    fm_status status = resolve(tree, path, buffer, &p, attr, &name, error);
    if (status != FM_OK)
        return status;
    if (p.missing_count || !*attr)
        return unknown_path(tree, path, error);
    *node = p.node;
    return FM_OK;
}

/* ---- listing ---- */

/* The path of a node grows in one buffer, and children with equal names are counted once: a listing takes time
 * proportional to the tree. */
typedef struct listing {
    fm_param_visitor *visitor;
    fm_twin_visitor *twin; /* NULL: children are visited below each that shares them */
    void *user;
    char *value; /* space for FM_VALUE_ROOM bytes; NULL: values are not written */
    char path[FM_PATH_SIZE];
} listing;

enum { FM_VALUE_ROOM = 65536 };

/* Appends "/text", '_' for '-', to the path of length `used`; returns its length. */
static size_t extend_path(listing *l, size_t used, const char *text)
{
    size_t room = sizeof l->path;
    if (used + 1 < room)
        l->path[used++] = '/';
    while (*text && used + 1 < room) {
        l->path[used++] = *text == '-' ? '_' : *text;
        text++;
    }
    l->path[used] = 0;
    return used;
}

static bool visit_attributes(listing *l, const fm_node *node, size_t used)
{
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const fm_attr *attr = &node->element->attrs[i];
        if (!fm_attr_is_param(attr))
            continue;
        fm_param param = {.attr = attr, .node = node, .written = &node->values[i], .path = l->path};
        extend_path(l, used, attr->name);
        param.value = l->value ? fm_value_write(attr, param.written, l->value, FM_VALUE_ROOM) : "";
        if (!l->visitor(l->user, &param))
            return false;
    }
    return true;
}

static bool visit_children(listing *l, const fm_node *node, size_t used);

/* used: length of the path that children of the node's parent share. */
static bool visit_node(listing *l, const fm_node *node, size_t used, size_t twins, size_t number)
{
    char component[MAX_COMPONENT];
    write_numbered(node, twins, number, component, sizeof component);
    size_t own = extend_path(l, used, component);
    if (l->twin && (node->like || node->shared) && !l->twin(l->user, node, l->path, false))
        return false;
    if (l->twin && node->like)
        return true;
    if (!visit_attributes(l, node, own))
        return false;
    if (fm_node_first(node) && !visit_children(l, node, transparent(node) ? used : own))
        return false;
    return !l->twin || !node->shared || l->twin(l->user, node, l->path, true);
}

static bool visit_children(listing *l, const fm_node *node, size_t used)
{
    size_t count = 0;
    fm_name_set names = {0};
    const fm_node *first = fm_node_first(node);
    for (const fm_node *child = first; child; child = child->next)
        count++;
    bool complete = fm_name_set_create(&names, count, NULL) == FM_OK;
    for (const fm_node *child = first; child && complete; child = child->next)
        fm_name_set_at(&names, plain_component(child))->count++;
    for (const fm_node *child = first; child && complete; child = child->next) {
        fm_name_entry *entry = fm_name_set_at(&names, plain_component(child));
        complete = visit_node(l, child, used, entry->count, ++entry->index);
    }
    fm_name_set_free(&names);
    return complete;
}

static bool list_params(const fm_tree *tree, fm_param_visitor *visitor, void *user, char *value)
{
    listing l = {.visitor = visitor, .user = user, .value = value};
    return tree->root && visit_node(&l, tree->root, 0, 1, 1);
}

bool fm_tree_params(const fm_tree *tree, fm_param_visitor *visitor, fm_twin_visitor *twin, void *user)
{
    listing l = {.visitor = visitor, .twin = twin, .user = user, .value = fm_alloc(FM_VALUE_ROOM)};
    bool complete = l.value && tree->root && visit_node(&l, tree->root, 0, 1, 1);
    fm_free(l.value);
    return complete;
}

static size_t count_params(const fm_node *node)
{
    size_t count = 0;
    for (size_t i = 0; i < node->element->attr_count && !node->like; i++)
        count += fm_attr_is_param(&node->element->attrs[i]);
    for (const fm_node *child = node->first; child; child = child->next)
        count += count_params(child);
    return count;
}

size_t fm_tree_param_count(const fm_tree *tree)
{
    return tree->root ? count_params(tree->root) : 0;
}
