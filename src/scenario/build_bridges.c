/* <bridge>: other software that a run exchanges data with. The class of each kind (fathom/bridge.h) provides its table
 * of attributes; this file knows no protocol. */
#include <fathom/bridge.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"

/* --- from an option: "KIND attribute=value …", and plugin=FILE for a kind from a plugin --- */

static fm_status set_attr(fm_tree *tree, fm_node *node, const char *name, const char *text, fm_error *error)
{
    const fm_element *element = node->element;
    size_t i = fm_attr_index(element, name);
    fm_error inner = {0};
    if (i == element->attr_count) {
        fm_nearest nearest = {.wanted = name};
        char near[160];
        for (size_t k = 0; k < element->attr_count; k++)
            fm_nearest_offer(&nearest, element->attrs[k].name);
        return fm_fail_at(error, FM_ERR_NAME, "--bridge", 0, "a bridge of kind '%s' has no attribute '%.60s'%s",
                          element->kind, name, fm_nearest_write(&nearest, near, sizeof near));
    }
    fm_value value = {0};
    const char *copy = fm_arena_text(&tree->arena, text);
    fm_status status =
        copy ? fm_value_parse(&tree->arena, &element->attrs[i], copy, "--bridge", 0, &value, &inner) : FM_ERR_MEMORY;
    if (status != FM_OK)
        return fm_fail_at(error, status, "--bridge", 0, "%.60s: %s", name, inner.text);
    node->values[i] = value;
    return FM_OK;
}

/* A value with spaces is in single quotes: rate='10 Hz'. */
static fm_status next_word(const char **at, char *word, size_t size, fm_error *error)
{
    size_t length = 0;
    int quoted = 0;
    for (*at += strspn(*at, " \t"); **at && (quoted || !strchr(" \t", **at)); ++*at)
        if (**at == '\'')
            quoted = !quoted;
        else if (length + 1 < size)
            word[length++] = **at;
        else
            return fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0, "a word is longer than %zu characters", size - 1);
    word[length] = 0;
    return quoted ? fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0, "a ' is missing") : FM_OK;
}

/* The next word, cut into attribute and value; *value is NULL after the last. */
static fm_status next_attr(const char **at, char *word, size_t size, char **value, fm_error *error)
{
    fm_status status = next_word(at, word, size, error);
    *value = status == FM_OK ? strchr(word, '=') : NULL;
    if (*value)
        *(*value)++ = 0;
    else if (status == FM_OK && word[0])
        return fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0,
                          "'%.60s' is not attribute=value, as in \"dis port=3000 rate='10 Hz'\"", word);
    return status;
}

/* The plugin that provides the kind, if one is named. */
static fm_status load_plugin(const fm_tree *tree, const char *text, fm_error *error)
{
    char word[512], *value;
    fm_status status = FM_OK;
    while (status == FM_OK && (status = next_attr(&text, word, sizeof word, &value, error)) == FM_OK && value)
        if (strcmp(word, "plugin") == 0)
            status = tree->load_plugin(tree->plugin_user, value, error);
    return status;
}

static fm_status unknown_kind(const fm_tree *tree, const char *kind, fm_error *error)
{
    fm_nearest nearest = {.wanted = kind};
    char near[160];
    for (const fm_registered *r = NULL; (r = fm_registry_next(tree->registry, "bridge", r));)
        fm_nearest_offer(&nearest, r->element->kind);
    return fm_fail_at(error, FM_ERR_NAME, "--bridge", 0, "unknown kind '%.60s'%s", kind,
                      fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status add_bridge(fm_tree *tree, const char *text, fm_error *error)
{
    char kind[64], word[512], *value;
    fm_accepted found = {0};
    fm_status status = next_word(&text, kind, sizeof kind, error);
    if (status == FM_OK)
        status = load_plugin(tree, text, error);
    if (status == FM_OK && !fm_accepted_find(tree->root->element, tree->registry, "bridge", kind, &found))
        status = unknown_kind(tree, kind, error);
    if (status != FM_OK)
        return status;
    fm_node *node = fm_node_add(tree, tree->root, found.element, found.part, "--bridge", 0, error);
    status = node ? FM_OK : FM_ERR_MEMORY;
    while (status == FM_OK && (status = next_attr(&text, word, sizeof word, &value, error)) == FM_OK && value)
        if (strcmp(word, "plugin") != 0)
            status = set_attr(tree, node, word, value, error);
    if (node)
        node->broken = status != FM_OK;
    return status;
}

fm_status fm_build_add_bridges(fm_tree *tree, const fm_load_options *options, fm_report *report)
{
    fm_status first = FM_OK;
    for (fm_node *node; options->no_bridges && (node = fm_node_child(tree->root, "bridge"));)
        fm_node_remove(tree->root, node);
    for (size_t i = 0; i < options->bridge_count; i++) {
        fm_error error = {0};
        fm_status status = add_bridge(tree, options->bridges[i], &error);
        if (status != FM_OK)
            fm_report_add_error(report, &error);
        first = first ? first : status;
    }
    return first;
}

/* --- the model's --- */

/* An attribute `vehicle` names a vehicle of the scenario. */
static fm_status check_vehicle(fm_builder *b, const fm_node *node)
{
    const fm_value *value = fm_node_value(node, "vehicle");
    const char *wanted = value ? value->text : NULL;
    fm_nearest nearest = {.wanted = wanted ? wanted : ""};
    char near[160];
    if (!wanted)
        return FM_OK;
    for (size_t i = 0; i < b->model->vehicle_count; i++) {
        if (strcmp(b->model->vehicles[i].name, wanted) == 0)
            return FM_OK;
        fm_nearest_offer(&nearest, b->model->vehicles[i].name);
    }
    return fm_node_fail(node, "vehicle", b->report, FM_ERR_NAME, "no vehicle '%s'%s", wanted,
                        fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status build_bridge(fm_builder *b, const fm_node *node, fm_bridge_config *bridge)
{
    const fm_bridge_class *class = node->part->class_table;
    const char *attribute = NULL;
    fm_error error = {0};
    if (!fm_node_sound(b->tree, node))
        return FM_OK; /* what it lacks is reported */
    void *config = fm_build_alloc(b, node->element->config_size + 1);
    if (!config)
        return FM_ERR_MEMORY;
    fm_status status = fm_node_fill_all(b->tree, node, config, &error);
    if (status != FM_OK)
        return fm_report_add_error(b->report, &error), status;
    *bridge = (fm_bridge_config){.kind = node->element->kind, .class = class, .config = config};
    status = check_vehicle(b, node);
    fm_status checked = class->check ? class->check(b->model, config, &attribute, &error) : FM_OK;
    if (checked != FM_OK)
        fm_node_fail(node, attribute, b->report, checked, "%s", error.text);
    return status ? status : checked;
}

fm_status fm_build_bridges(fm_builder *b)
{
    size_t count = 0;
    fm_status first = FM_OK;
    for (fm_node *node = NULL; (node = fm_node_next(b->tree->root, "bridge", node));)
        count++;
    fm_bridge_config *all = fm_build_alloc(b, (count + 1) * sizeof *all);
    if (!all)
        return FM_ERR_MEMORY;
    b->model->bridges = all;
    b->model->bridge_count = count;
    for (fm_node *node = NULL; (node = fm_node_next(b->tree->root, "bridge", node));) {
        fm_status status = build_bridge(b, node, all++);
        first = first ? first : status;
    }
    return first;
}
