/* <faults>: live parameters that the scenario changes at given times. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "scenario/params.h"

typedef struct fault_config {
    double t; /* s */
    const char *path, *value;
} fault_config;

static const fm_attr fault_attrs[] = {
    FM_REAL_ATTR(fault_config, t, "t", "s", 0, 1e9, NULL, FM_ATTR_REQUIRED, "when"),
    FM_TEXT_ATTR(fault_config, path, "path", NULL, FM_ATTR_REQUIRED,
                 "of a live parameter: /phoenix/stern-lateral/efficiency, /phoenix/dvl/fault, /current/velocity/y"),
    FM_TEXT_ATTR(fault_config, value, "value", NULL, FM_ATTR_REQUIRED, "from then on, with its unit"),
};
static const fm_element fault_element =
    FM_TABLE_ELEMENT(fault_config, "at", fault_attrs, NULL, 0, "A change of one live parameter.");
static const fm_element *const children[] = {&fault_element, NULL};
const fm_element fm_faults_element =
    FM_BARE_ELEMENT("faults", children, FM_ELEMENT_ONCE,
                    "Live parameters that change at given times: thrusters that die, sensors that fail, a current that "
                    "turns. They are recorded as inputs of the run.");

/* The description of a live parameter by its path; *found receives the path as the world knows it. */
static const fm_attr *find_live(fm_builder *b, const char *path, fm_nearest *nearest, char *found, size_t size)
{
    const fm_model *model = b->model;
    for (size_t i = 0; i < model->live_count; i++) {
        snprintf(found, size, "%s", model->live[i].path);
        if (fm_text_name_equal(found, path))
            return model->live[i].attr;
        fm_nearest_offer(nearest, model->live[i].path);
    }
    for (size_t k = 0; k < model->vehicle_count; k++) {
        const fm_type *type = &model->types[model->vehicles[k].type];
        for (size_t i = 0; i < type->live_count; i++) {
            snprintf(found, size, "/%s/%s", model->vehicles[k].name, type->live[i].path);
            if (fm_text_name_equal(found, path))
                return type->live[i].attr;
        }
    }
    return NULL;
}

/* "did you mean", over the parameters of all vehicles. */
static fm_status unknown_path(fm_builder *b, const fm_node *at, const char *path, fm_nearest *nearest)
{
    const fm_model *model = b->model;
    char near[400];
    fm_node *node;
    const fm_attr *attr;
    if (fm_tree_find(b->tree, path, &node, &attr, NULL) == FM_OK && !(attr->flags & FM_ATTR_LIVE))
        return fm_node_fail(at, "path", b->report, FM_ERR_NAME,
                            "'%s' is fixed when the scenario is loaded and cannot change in a run; `fathom params "
                            "--live` lists those that can",
                            path);
    for (size_t k = 0; k < model->vehicle_count; k++) {
        const fm_type *type = &model->types[model->vehicles[k].type];
        for (size_t i = 0; i < type->live_count; i++) {
            char candidate[256];
            snprintf(candidate, sizeof candidate, "/%s/%s", model->vehicles[k].name, type->live[i].path);
            const char *kept = fm_arena_text(&b->model->arena, candidate);
            if (kept)
                fm_nearest_offer(nearest, kept);
        }
    }
    return fm_node_fail(at, "path", b->report, FM_ERR_NAME, "unknown live parameter '%s'%s", path,
                        fm_nearest_write(nearest, near, sizeof near));
}

/* The value for the world: the addressed component of a vector; for a choice its index in the list. */
static fm_status parse_value(fm_builder *b, const fm_node *at, const fm_attr *attr, const char *written, double *value)
{
    fm_attr single = *attr;
    fm_value parsed = {0};
    fm_error error = {0};
    if (single.type == FM_ATTR_VECTOR) {
        single.type = FM_ATTR_REAL;
        single.count = 0;
    }
    fm_status status = fm_value_parse(&b->model->arena, &single, written, at->file, at->line, &parsed, &error);
    if (status != FM_OK)
        return fm_node_fail(at, "value", b->report, status, "%s", error.text);
    *value = single.type == FM_ATTR_REAL ? parsed.numbers[0] : (double)parsed.integer;
    return FM_OK;
}

static fm_status build_change(fm_builder *b, const fm_node *at, fm_timed_change *change)
{
    fault_config c;
    fm_nearest nearest = {0};
    char found[256], text[FM_EVENT_TEXT_SIZE];
    fm_node_fill(at, &c);
    nearest.wanted = c.path;
    const fm_attr *attr = find_live(b, c.path, &nearest, found, sizeof found);
    if (!attr)
        return unknown_path(b, at, c.path, &nearest);
    if (strlen(found) >= sizeof((fm_command_set *)0)->path)
        return fm_node_fail(at, "path", b->report, FM_ERR_RANGE, "%zu characters given: must be at most %zu",
                            strlen(found), sizeof((fm_command_set *)0)->path - 1);
    snprintf(text, sizeof text, "set %.90s to %.24s", found, c.value);
    change->tick = fm_model_ticks(b->model, c.t);
    change->path = fm_arena_text(&b->model->arena, found);
    change->text = fm_arena_text(&b->model->arena, text);
    if (!change->path || !change->text)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    return parse_value(b, at, attr, c.value, &change->value);
}

/* In order of time; those of the same time stay in file order. */
static void insert_change(fm_timed_change *changes, size_t count, fm_timed_change change)
{
    for (; count > 0 && changes[count - 1].tick > change.tick; count--)
        changes[count] = changes[count - 1];
    changes[count] = change;
}

fm_status fm_build_faults(fm_builder *b)
{
    const fm_node *list = fm_node_child(b->tree->root, "faults");
    size_t most = 0, count = 0;
    for (const fm_node *at = NULL; list && (at = fm_node_next(list, "at", at));)
        most++;
    if (!most)
        return FM_OK;
    fm_timed_change *changes = fm_build_alloc(b, most * sizeof *changes);
    if (!changes)
        return FM_ERR_MEMORY;
    fm_status first = FM_OK;
    for (const fm_node *at = NULL; (at = fm_node_next(list, "at", at));) {
        fm_timed_change change = {0};
        fm_status status = build_change(b, at, &change);
        if (status == FM_OK)
            insert_change(changes, count++, change);
        first = first == FM_OK ? status : first;
    }
    b->model->changes = changes;
    b->model->change_count = count;
    return first;
}
