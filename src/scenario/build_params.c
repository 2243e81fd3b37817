/* The list of a model's parameters: those of the tree, then live ones whose elements are not in the file. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "scenario/build_environment.h"
#include "scenario/params.h"

typedef struct param_list {
    fm_builder *builder;
    fm_param_info *infos; /* NULL while counting */
    size_t count;
    fm_name_set names; /* of those in the tree */
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
        if (!list->infos)
            list->count++;
        else if (!fm_name_set_at(&list->names, path)->count)
            add_default(list, path, live[i].attr);
    }
}

/* Of the world and of each vehicle in the file; identical ones are listed once. */
static void offer_all_live(param_list *list)
{
    const fm_builder *b = list->builder;
    const fm_model *model = b->model;
    size_t vehicle = 0;
    offer_live(list, "", model->live, model->live_count);
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node));) {
        char prefix[FM_PATH_SIZE];
        const fm_type *type = &model->types[model->vehicles[vehicle].type];
        fm_node_path(node, NULL, prefix, sizeof prefix - 1);
        strcat(prefix, "/");
        offer_live(list, prefix, type->live, type->live_count);
        vehicle += (size_t)fm_node_value(node, "count")->integer;
    }
}

/* --- of a variant --- */

/* The parameters of a node and below, in the order of the list; those that are new are written again. */
typedef struct renewal {
    fm_builder *builder;
    fm_param_info *infos;
    size_t at;
    int failed;
} renewal;

static void renew_value(renewal *r, const fm_attr *attr, const fm_value *value)
{
    enum { ROOM = 65536 };
    fm_param_info *info = &r->infos[r->at];
    char *text = fm_alloc(ROOM);
    info->value = text ? fm_arena_text(&r->builder->model->arena, fm_value_write(attr, value, text, ROOM)) : NULL;
    info->set = value->source == FM_VALUE_WRITTEN;
    info->written = value->written ? value->written : "";
    r->failed |= !info->value;
    fm_free(text);
}

static void renew_node(renewal *r, const fm_node *node, const fm_node *from)
{
    if (fm_node_is(node, "look"))
        return;
    for (size_t i = 0; i < node->element->attr_count; i++) {
        const fm_attr *attr = &node->element->attrs[i];
        if (attr->type == FM_ATTR_NAME && strcmp(attr->name, "name") == 0)
            continue;
        if ((node->news & FM_NEWS_OWN) && memcmp(&node->values[i], &from->values[i], sizeof from->values[i]) != 0)
            renew_value(r, attr, &node->values[i]);
        r->at++;
    }
    from = from->first;
    for (const fm_node *child = node->first; child; child = child->next, from = from->next)
        renew_node(r, child, from);
}

static fm_status renew_params(fm_builder *b)
{
    const fm_model *base = b->base;
    renewal r = {.builder = b, .infos = fm_build_alloc(b, (base->param_count + 1) * sizeof *r.infos)};
    if (!r.infos)
        return FM_ERR_MEMORY;
    memcpy(r.infos, base->params, base->param_count * sizeof *r.infos);
    renew_node(&r, b->tree->root, b->base_root);
    if (r.failed)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the parameters");
    b->model->params = r.infos;
    b->model->param_count = base->param_count;
    return FM_OK;
}

fm_status fm_build_params(fm_builder *b)
{
    if (b->base)
        return renew_params(b);
    param_list list = {.builder = b};
    fm_error error = {0};
    offer_all_live(&list);
    size_t most = list.count + fm_tree_param_count(b->tree);
    list.count = 0;
    list.infos = fm_build_alloc(b, (most + 1) * sizeof *list.infos);
    if (!list.infos)
        return FM_ERR_MEMORY;
    list.failed = fm_name_set_create(&list.names, most, &error) != FM_OK || !fm_tree_params(b->tree, keep_param, &list);
    offer_all_live(&list);
    fm_name_set_free(&list.names);
    if (list.failed)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the parameters");
    b->model->params = list.infos;
    b->model->param_count = list.count;
    return FM_OK;
}
