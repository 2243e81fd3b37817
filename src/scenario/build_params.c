/* The list of a model's parameters: those of the tree, then live ones whose elements are not in the file. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "scenario/build_environment.h"
#include "scenario/params.h"

/* Of a vehicle whose nodes others share: where its parameters are in the list. */
typedef struct shared_params {
    const fm_node *node;
    size_t first, count;           /* as they are written */
    size_t live_first, live_count; /* live ones that are not */
    size_t cut;                    /* letters of its path */
} shared_params;

typedef struct param_list {
    fm_builder *builder;
    fm_param_info *infos;
    size_t count;  /* of infos */
    size_t listed; /* parameters in all ranges that are closed */
    size_t open;   /* info with which the range begins that is open */
    shared_params *shared;
    size_t shared_count, last; /* last: the one that was looked up */
    fm_name_set names;         /* of those in the tree */
    int failed;
} param_list;

static fm_param_info describe_param(const fm_attr *attr)
{
    return (fm_param_info){.unit = attr->unit ? attr->unit : "",
                           .text = attr->text,
                           .fallback = attr->fallback,
                           .min = attr->min,
                           .max = attr->max,
                           .live = (attr->flags & FM_ATTR_LIVE) != 0};
}

/* Parameters that only affect drawing can be set like all others, but are not listed. */
static bool is_drawn(const fm_node *node)
{
    while (node && !fm_node_is(node, "look"))
        node = node->parent;
    return node != NULL;
}

/* Whether the world has a word for a live attribute: a plane has one for its depth, a bottom from a file has none.
 * Attributes of vehicles always have one. */
static bool is_held(const fm_model *model, const fm_param *param)
{
    const fm_node *node = param->node;
    const size_t length = strlen(param->path);
    while (node && !fm_node_is(node, "world"))
        node = node->parent;
    for (size_t i = 0; node && i < model->live_count; i++) {
        const char *path = model->live[i].path;
        if (strncmp(path, param->path, length) == 0 && (!path[length] || path[length] == '/'))
            return true;
    }
    return !node;
}

static bool keep_param(void *user, const fm_param *param)
{
    param_list *list = user;
    if (is_drawn(param->node))
        return true;
    fm_arena *arena = &list->builder->model->arena;
    fm_param_info *info = &list->infos[list->count++];
    *info = describe_param(param->attr);
    info->live = info->live && is_held(list->builder->model, param);
    info->path = fm_arena_text(arena, param->path);
    info->value = fm_arena_text(arena, param->value);
    info->set = param->written->source == FM_VALUE_WRITTEN;
    info->written = param->written->written ? fm_arena_text(arena, param->written->written) : "";
    list->failed |= !info->path || !info->value || !info->written;
    if (!list->failed)
        fm_name_set_at(&list->names, info->path)->count++;
    return !list->failed;
}

/* --- live parameters of elements that are not in the file: they have their defaults --- */

static void add_default(param_list *list, const char *path, const fm_attr *attr)
{
    fm_arena *arena = &list->builder->model->arena;
    fm_value value = {0};
    char text[512];
    fm_param_info *info = &list->infos[list->count++];
    *info = describe_param(attr);
    list->failed |= fm_value_parse(arena, attr, attr->fallback, "", 0, &value, NULL) != FM_OK;
    info->path = fm_arena_text(arena, path);
    info->value = fm_arena_text(arena, fm_value_write(attr, &value, text, sizeof text));
    info->written = attr->fallback;
    list->failed |= !info->path || !info->value;
}

/* Adds each live parameter once: a vector by its first component, under the name of the whole. */
static void offer_live(param_list *list, const char *prefix, const fm_live_param *live, size_t count)
{
    for (size_t i = 0; i < count && !list->failed; i++) {
        char path[FM_PATH_SIZE];
        if (live[i].component || !live[i].attr->fallback)
            continue;
        snprintf(path, sizeof path, "%s%s", prefix, live[i].path);
        if (live[i].attr->type == FM_ATTR_VECTOR)
            *strrchr(path, '/') = 0;
        if (!fm_name_set_find(&list->names, path))
            add_default(list, path, live[i].attr);
    }
}

static size_t count_live(const fm_builder *b)
{
    size_t count = b->model->live_count;
    for (size_t i = 0; i < b->model->type_count; i++)
        count += b->model->types[i].live_count;
    return count;
}

/* --- ranges --- */

static fm_param_range *add_range(param_list *list, size_t count)
{
    fm_model *model = list->builder->model;
    fm_param_range *range = &model->params[model->param_range_count++];
    range->first = list->listed;
    range->count = count;
    list->listed += count;
    return range;
}

/* What was listed since the last range was closed. */
static void close_range(param_list *list)
{
    if (list->count > list->open)
        add_range(list, list->count - list->open)->infos = list->infos + list->open;
    list->open = list->count;
}

static shared_params *find_shared(param_list *list, const fm_node *node)
{
    for (size_t i = 0; i < list->shared_count; i++) {
        shared_params *found = &list->shared[(list->last + i) % list->shared_count];
        if (found->node == node) {
            list->last = (size_t)(found - list->shared);
            return found;
        }
    }
    return NULL;
}

/* The same parameters under the path of another vehicle. */
static fm_param_range *add_like(param_list *list, const shared_params *like, size_t first, size_t count,
                                const char *path)
{
    close_range(list);
    fm_param_range *range = add_range(list, count);
    range->infos = list->infos + first;
    range->cut = like->cut;
    range->path = path;
    return range;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *c = bytes; size > 0; c++, size--)
        hash = (hash ^ *c) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_values(const fm_node *node)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const fm_value *v = &node->values[i];
        hash = hash_bytes(hash, &v->integer, sizeof v->integer);
        hash = hash_bytes(hash, v->numbers, v->count * sizeof *v->numbers);
        hash = v->text ? hash_bytes(hash, v->text, strlen(v->text) + 1) : hash;
    }
    return hash;
}

static bool keep_twin(void *user, const fm_node *node, const char *path, bool left)
{
    param_list *list = user;
    if (node->shared && !left)
        list->shared[list->shared_count++] = (shared_params){.node = node, .first = list->count, .cut = strlen(path)};
    if (node->shared && left)
        find_shared(list, node)->count = list->count - find_shared(list, node)->first;
    if (!node->like)
        return true;
    const shared_params *like = find_shared(list, node->like);
    const char *kept = fm_arena_text(&list->builder->model->arena, path);
    if (!like || !kept)
        return false;
    fm_param_range *range = add_like(list, like, like->first, like->count, kept);
    range->node = node;
    range->hash = hash_values(node);
    return true;
}

/* Live parameters of the world and of each vehicle that are not written. */
static bool list_live(param_list *list)
{
    const fm_builder *b = list->builder;
    const fm_model *model = b->model;
    offer_live(list, "", model->live, model->live_count);
    size_t vehicle = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node));) {
        char prefix[FM_PATH_SIZE];
        const fm_type *type = &model->types[model->vehicles[vehicle].type];
        vehicle += (size_t)fm_node_value(node, "count")->integer;
        shared_params *shared = node->like || node->shared ? find_shared(list, node->like ? node->like : node) : NULL;
        if (node->like && shared->live_count == 0)
            continue;
        fm_node_path(node, NULL, prefix, sizeof prefix - 1);
        const char *path = node->like ? fm_arena_text(&list->builder->model->arena, prefix) : NULL;
        list->failed |= node->like && !path;
        if (path)
            add_like(list, shared, shared->live_first, shared->live_count, path);
        if (node->like)
            continue;
        const size_t first = list->count;
        strcat(prefix, "/");
        offer_live(list, prefix, type->live, type->live_count);
        if (shared)
            shared->live_first = first, shared->live_count = list->count - first;
    }
    return !list->failed;
}

/* --- those of a vehicle that is like another, when they are asked for --- */

enum { VALUE_ROOM = 65536 };

/* Its own attributes, which come first, with their values. */
static bool describe_own(const fm_node *node, fm_param_info *infos, fm_text *text, size_t *starts)
{
    char *value = fm_alloc(VALUE_ROOM);
    size_t at = 0;
    for (size_t i = 0; value && i < node->element->attr_count; i++) {
        const fm_value *v = &node->values[i];
        if (!fm_attr_is_param(&node->element->attrs[i]))
            continue;
        infos[at].set = v->source == FM_VALUE_WRITTEN;
        infos[at].written = v->written ? v->written : "";
        starts[at++] = text->length;
        fm_text_add(text, "%s%c", fm_value_write(&node->element->attrs[i], v, value, VALUE_ROOM), 0);
    }
    fm_free(value);
    return value != NULL;
}

static size_t count_own(const fm_node *node)
{
    size_t count = 0;
    for (size_t i = 0; node && i < node->element->attr_count; i++)
        count += fm_attr_is_param(&node->element->attrs[i]);
    return count;
}

/* The infos, then the texts that they refer to. */
static fm_param_info *join(const fm_param_range *range, fm_param_info *infos, const fm_text *text, const size_t *starts,
                           size_t own)
{
    const size_t head = range->count * sizeof *infos;
    char *block = fm_alloc(head + text->length);
    if (!block)
        return NULL;
    char *texts = block + head;
    for (size_t i = 0; i < own; i++)
        infos[i].value = texts + starts[i];
    for (size_t i = 0; i < range->count; i++)
        infos[i].path = texts + starts[own + i];
    memcpy(block, infos, head);
    memcpy(texts, text->data, text->length);
    return (fm_param_info *)(void *)block;
}

static fm_param_info *describe_range(const fm_param_range *range)
{
    const size_t own = count_own(range->node);
    fm_param_info *infos = fm_alloc(range->count * sizeof *infos), *made = NULL;
    size_t *starts = fm_alloc((own + range->count) * sizeof *starts);
    fm_text text = {0};
    bool complete = infos && starts;
    if (complete)
        memcpy(infos, range->infos, range->count * sizeof *infos);
    if (complete && own)
        complete = describe_own(range->node, infos, &text, starts);
    for (size_t i = 0; complete && i < range->count; i++) {
        starts[own + i] = text.length;
        fm_text_add(&text, "%s%s%c", range->path, infos[i].path + range->cut, 0);
    }
    if (complete && !text.failed)
        made = join(range, infos, &text, starts, own);
    fm_text_free(&text);
    fm_free(infos);
    fm_free(starts);
    return made;
}

/* --- all --- */

static size_t count_nodes(const fm_node *root, bool shared)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(root, "vehicle", node));)
        count += shared ? node->shared : node->like != NULL;
    return count;
}

/* --- of a variant, of a scenario in which no vehicle is written like another --- */

/* What they are described from. */
typedef struct fm_param_renewal {
    const fm_model *base;
    const fm_node *root, *base_root;
} fm_param_renewal;

/* The parameters of a node and below, in the order of the list; those that are new are written again. */
typedef struct renewing {
    fm_param_info *infos;
    size_t *starts; /* of the values that are written again, in the text; SIZE_MAX: not */
    size_t at;
    fm_text text;
    char *value; /* VALUE_ROOM */
} renewing;

static void renew_value(renewing *r, const fm_attr *attr, const fm_value *value)
{
    r->starts[r->at] = r->text.length;
    fm_text_add(&r->text, "%s%c", fm_value_write(attr, value, r->value, VALUE_ROOM), 0);
    r->infos[r->at].set = value->source == FM_VALUE_WRITTEN;
    r->infos[r->at].written = value->written ? value->written : "";
}

static void renew_node(renewing *r, const fm_node *node, const fm_node *from)
{
    if (fm_node_is(node, "look"))
        return;
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const fm_attr *attr = &node->element->attrs[i];
        if (attr->type == FM_ATTR_NAME && strcmp(attr->name, "name") == 0)
            continue;
        r->starts[r->at] = SIZE_MAX;
        if ((node->news & FM_NEWS_OWN) && memcmp(&node->values[i], &from->values[i], sizeof from->values[i]) != 0)
            renew_value(r, attr, &node->values[i]);
        r->at++;
    }
    from = from->first;
    for (const fm_node *child = node->first; child; child = child->next, from = from->next)
        renew_node(r, child, from);
}

/* One block: the infos, then the texts that are new. */
static fm_param_info *join_renewed(const renewing *r, size_t count)
{
    const size_t head = count * sizeof *r->infos;
    char *block = r->text.failed ? NULL : fm_alloc(head + r->text.length + 1);
    if (!block)
        return NULL;
    for (size_t i = 0; i < r->at; i++)
        if (r->starts[i] != SIZE_MAX)
            r->infos[i].value = block + head + r->starts[i];
    memcpy(block, r->infos, head);
    if (r->text.length)
        memcpy(block + head, r->text.data, r->text.length);
    return (fm_param_info *)(void *)block;
}

static fm_param_info *describe_renewed(const fm_param_range *range)
{
    const fm_param_renewal *renewal = range->renewal;
    renewing r = {.infos = fm_alloc((range->count + 1) * sizeof *r.infos),
                  .starts = fm_alloc((range->count + 1) * sizeof *r.starts),
                  .value = fm_alloc(VALUE_ROOM)};
    fm_param_info *made = NULL;
    if (r.infos && r.starts && r.value) {
        for (size_t i = 0; i < range->count; i++)
            r.infos[i] = fm_model_param(renewal->base, i);
        renew_node(&r, renewal->root, renewal->base_root);
        made = join_renewed(&r, range->count);
    }
    fm_text_free(&r.text);
    fm_free(r.infos);
    fm_free(r.starts);
    fm_free(r.value);
    return made;
}

static fm_status renew_params(fm_builder *b)
{
    fm_param_range *range = fm_build_alloc(b, sizeof *range);
    fm_param_renewal *renewal = fm_build_alloc(b, sizeof *renewal);
    if (!range || !renewal)
        return FM_ERR_MEMORY;
    *renewal = (fm_param_renewal){b->base, b->tree->root, b->base_root};
    *range = (fm_param_range){.count = b->base->param_count, .renewal = renewal};
    b->model->describe_params = describe_renewed;
    b->model->params = range;
    b->model->param_range_count = 1;
    b->model->param_count = b->base->param_count;
    return FM_OK;
}

fm_status fm_build_params(fm_builder *b)
{
    if (b->base)
        return renew_params(b);
    param_list list = {.builder = b};
    fm_error error = {0};
    fm_model *model = b->model;
    size_t most = count_live(b) + fm_tree_param_count(b->tree), like = count_nodes(b->tree->root, false),
           shared = count_nodes(b->tree->root, true);
    list.infos = fm_build_alloc(b, (most + 1) * sizeof *list.infos);
    model->params = fm_build_alloc(b, (4 * like + 2) * sizeof *model->params);
    list.shared = fm_alloc((shared + 1) * sizeof *list.shared);
    model->describe_params = describe_range;
    list.failed = !list.infos || !model->params || !list.shared ||
                  fm_name_set_create(&list.names, most, &error) != FM_OK ||
                  !fm_tree_params_once(b->tree, keep_param, keep_twin, &list) || !list_live(&list);
    fm_name_set_free(&list.names);
    fm_free(list.shared);
    if (list.failed)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the parameters");
    close_range(&list);
    model->param_count = list.listed;
    return FM_OK;
}
