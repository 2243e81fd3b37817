/* Sensors, controllers and force terms of a vehicle, and the loader functions that they call. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "scenario/params.h"
#include "sensors/imperfect.h"
#include "world/fields.h"
#include "world/world.h"

enum {
    METRICS_MOST = 64,
    COLUMN_LENGTH_MOST = 16,
    BLOCK_MOST = 256 << 20 /* maximum bytes of state or output of a
                            * part */
};

/* --- requests of parts at load time --- */

int fm_load_actuator(fm_part_load *load, const char *name, fm_error *error)
{
    fm_nearest nearest = {.wanted = name ? name : ""};
    char near[160];
    for (size_t i = 0; load && name && i < load->type->actuator_count; i++)
        if (fm_text_name_equal(load->type->actuator_names[i], name))
            return (int)i;
    for (size_t i = 0; load && name && i < load->type->actuator_count; i++)
        fm_nearest_offer(&nearest, load->type->actuator_names[i]);
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no actuator '%s'%s", name ? name : "",
                 fm_nearest_write(&nearest, near, sizeof near));
    return -1;
}

size_t fm_load_actuators(fm_part_load *load, const char *name, int *indices, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; load && name && i < load->type->actuator_count; i++) {
        const char *group = load->type->actuator_groups[i];
        if (!fm_text_name_equal(load->type->actuator_names[i], name) && !(group && fm_text_name_equal(group, name)))
            continue;
        if (count < most && indices)
            indices[count] = (int)i;
        count++;
    }
    return count;
}

int fm_load_sensor(fm_part_load *load, const char *name, fm_error *error)
{
    fm_nearest nearest = {.wanted = name ? name : ""};
    char near[160];
    for (size_t i = 0; load && name && i < load->type->sensor_count; i++)
        if (fm_text_name_equal(load->type->parts[i].name, name))
            return (int)i;
    for (size_t i = 0; load && name && i < load->type->sensor_count; i++)
        fm_nearest_offer(&nearest, load->type->parts[i].name);
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no sensor '%s'%s", name ? name : "",
                 fm_nearest_write(&nearest, near, sizeof near));
    return -1;
}

int fm_load_has_metric(fm_part_load *load, const char *name)
{
    for (size_t i = 0; load && name && i < load->type->metric_count; i++)
        if (strcmp(load->type->metrics[i].name, name) == 0)
            return 1;
    return 0;
}

int fm_load_metric(fm_part_load *load, const char *name, const char *unit, const char *text, fm_metric_kind kind)
{
    if (!load || !name)
        return -1;
    fm_metric_def *metrics = (fm_metric_def *)(void *)(uintptr_t)load->type->metrics;
    for (size_t i = 0; i < load->type->metric_count; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return (int)i;
    if (load->type->metric_count == METRICS_MOST)
        return -1;
    metrics[load->type->metric_count] = (fm_metric_def){name, unit ? unit : "", text ? text : "", kind};
    return (int)load->type->metric_count++;
}

/* The words of a block; more than BLOCK_MOST is refused after the part has loaded. */
static void size_block(fm_part_load *load, fm_block *block, size_t bytes)
{
    load->oversize |= bytes > BLOCK_MOST;
    block->words = bytes > BLOCK_MOST ? 0 : (uint32_t)((bytes + 7) / 8);
}

void fm_load_state_size(fm_part_load *load, size_t bytes)
{
    if (load && load->part)
        size_block(load, &load->part->state, bytes);
}

void fm_load_output_size(fm_part_load *load, size_t bytes)
{
    if (load && load->part)
        size_block(load, &load->part->output, bytes);
}

void fm_load_outputs(fm_part_load *load, const fm_output *outputs, size_t count)
{
    if (!load || !load->part)
        return;
    load->part->outputs = outputs;
    load->part->output_count = outputs ? count : 0;
}

double fm_load_period(const fm_part_load *load)
{
    return !load || !load->part ? 0 : (double)load->part->period * load->builder->model->settings.dt;
}

const char *fm_load_name(const fm_part_load *load)
{
    return load && load->part ? load->part->name : "";
}

const fm_environment *fm_load_environment(const fm_part_load *load)
{
    return load ? load->builder->model->environment : NULL;
}

void *fm_load_alloc(fm_part_load *load, size_t bytes)
{
    return load ? fm_build_alloc(load->builder, bytes) : NULL;
}

int fm_load_on_free(fm_part_load *load, void (*release)(void *thing), void *thing)
{
    fm_release *r = load && release ? fm_build_alloc(load->builder, sizeof *r) : NULL;
    if (!r)
        return 0;
    *r = (fm_release){release, thing, load->builder->model->releases};
    load->builder->model->releases = r;
    return 1;
}

/* --- one part --- */

static const char *const groups[] = {"sensor", "controller", "force"};

/* The part's period: its `period` attribute, or the vehicle's step. */
static fm_status find_period(fm_builder *b, const fm_node *node, const fm_type *type, fm_part *part)
{
    const fm_value *value = fm_node_value(node, "period");
    part->period = type->period;
    if (!value || value->source == FM_VALUE_UNSET || value->count == 0 || value->numbers[0] == 0)
        return FM_OK;
    uint64_t ticks = fm_build_ticks(b, node, "period", value->numbers[0]);
    if (!ticks)
        return FM_ERR_RANGE;
    part->period = ticks;
    if (ticks % type->period != 0)
        return fm_node_fail(node, "period", b->report, FM_ERR_RANGE,
                            "%g s is out of range: must be whole multiples of the vehicle's step of %g s",
                            value->numbers[0], type->step_s);
    return FM_OK;
}

static fm_status check_part_name(fm_builder *b, const fm_node *node, const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (fm_text_name_equal(type->parts[i].name, name))
            return fm_node_fail(node, NULL, b->report, FM_ERR_NAME,
                                "another part of the vehicle is called '%s'; give each a name of its own", name);
    return FM_OK;
}

static fm_status load_part(fm_part_load *load, const fm_part_class *class, void *config, fm_error *error)
{
    fm_build_mount(class, config);
    const fm_status status = class->load ? class->load(load, config, error) : FM_OK;
    if (status == FM_OK && load->oversize)
        return fm_load_fail(load, error, FM_ERR_RANGE, "it wants over %d MiB of state or output", BLOCK_MOST >> 20);
    return status == FM_OK ? fm_build_check_quantities(load->part, error) : status;
}

/* Its config is made even if it has errors: parts after it may read it, and their errors are reported too. */
static fm_status build_part(fm_builder *b, const fm_node *vehicle, const fm_node *node, fm_type *type, fm_part *part)
{
    fm_error error = {0};
    const fm_part_class *class = node->part->class_table;
    part->part_class = class;
    part->role = fm_part_role_of(class);
    part->name = fm_node_name(node) ? fm_node_name(node) : node->element->name;
    part->channel = (uint32_t)type->part_count;
    part->live.words = (uint32_t)(class->live_size / 8);
    part->state.words = (uint32_t)((class->state_size + 7) / 8);
    part->output.words = (uint32_t)((class->output_size + 7) / 8);
    part->outputs = class->outputs;
    part->output_count = class->output_count;
    fm_status named = check_part_name(b, node, type, part->name), timed = find_period(b, node, type, part);
    void *config = fm_node_config(b->tree, node, &error);
    part->config = config;
    fm_part_load load = {.builder = b, .vehicle = vehicle, .node = node, .type = type, .part = part};
    fm_status status = config ? load_part(&load, class, config, &error) : error.status;
    status = fm_build_report(b, node, status, &error);
    return named ? named : timed ? timed : status;
}

static size_t count_parts(const fm_node *vehicle, const char *group)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next_part(vehicle, group, node));)
        count++;
    return count;
}

fm_status fm_build_parts(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    size_t total = 0;
    fm_status first = FM_OK;
    for (int g = 0; g < 3; g++)
        total += count_parts(vehicle, groups[g]);
    type->parts = fm_build_alloc(b, (total + 1) * sizeof *type->parts);
    type->metrics = fm_build_alloc(b, METRICS_MOST * sizeof *type->metrics);
    if (!type->parts || !type->metrics)
        return FM_ERR_MEMORY;
    size_t *counts[3] = {&type->sensor_count, &type->controller_count, &type->force_count};
    for (int g = 0; g < 3; g++) {
        type->force_first = type->part_count; /* after the last turn: the force terms */
        for (const fm_node *node = NULL; (node = fm_node_next_part(vehicle, groups[g], node));) {
            fm_status status = build_part(b, vehicle, node, type, &type->parts[type->part_count]);
            if (status == FM_ERR_MEMORY)
                return status;
            first = first == FM_OK ? status : first;
            type->part_count++;
            (*counts[g])++;
        }
    }
    return first;
}

/* --- live parameters and columns, after the record is laid out --- */

typedef struct live_list {
    fm_builder *builder;
    fm_live_param *params; /* NULL while counting */
    size_t count;
    int failed;
} live_list;

static const char *component_name(const fm_attr *attr, size_t i, char *buffer, size_t size)
{
    if (attr->type != FM_ATTR_VECTOR)
        return "";
    if (attr->count <= 3)
        snprintf(buffer, size, "/%c", "xyz"[i]);
    else
        snprintf(buffer, size, "/%zu", i);
    return buffer;
}

static void add_live(live_list *list, const char *prefix, const fm_attr *attr, size_t word)
{
    size_t components = attr->type == FM_ATTR_VECTOR ? attr->count : 1;
    for (size_t i = 0; i < components; i++, list->count++) {
        char path[256], component[24];
        if (!list->params)
            continue;
        snprintf(path, sizeof path, "%s%s%s%s", prefix, *prefix ? "/" : "", attr->name,
                 component_name(attr, i, component, sizeof component));
        for (char *c = path; *c; c++)
            *c = *c == '-' ? '_' : *c;
        char *kept = fm_arena_text(&list->builder->model->arena, path);
        list->failed |= !kept;
        list->params[list->count] = (fm_live_param){kept, attr, (uint32_t)(word + i), (uint32_t)i};
    }
}

/* Live attributes of an element and of the ONCE children whose structs are inside its own. */
static void add_live_of(live_list *list, const char *prefix, const fm_element *element, size_t byte, size_t live_size,
                        size_t first_word)
{
    for (size_t i = 0; i < element->attr_count; i++)
        if ((element->attrs[i].flags & FM_ATTR_LIVE) && byte + element->attrs[i].offset < live_size)
            add_live(list, prefix, &element->attrs[i], first_word + (byte + element->attrs[i].offset) / 8);
    for (size_t k = 0; element->children && element->children[k]; k++) {
        const fm_element *child = element->children[k];
        char below[200];
        if (!child->parent_offset)
            continue;
        snprintf(below, sizeof below, "%s/%s", prefix, child->name);
        add_live_of(list, below, child, byte + child->parent_offset, live_size, first_word);
    }
}

static const fm_attr *const *fault_attrs(const fm_node *vehicle, const char *name)
{
    static const char *const names[3] = {"efficiency", "stuck", "reversed"};
    static _Thread_local const fm_attr *found[3];
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        if (!fm_node_name(node) || strcmp(fm_node_name(node), name) != 0 || !fm_node_value(node, "efficiency"))
            continue;
        for (int k = 0; k < 3; k++)
            found[k] = &node->element->attrs[fm_attr_index(node->element, names[k])];
        return found;
    }
    return NULL;
}

static void add_kind_live(live_list *list, const fm_type *type)
{
    fm_kind_live own[FM_KIND_LIVE_MOST];
    size_t count = type->kind->live ? type->kind->live(type, own) : 0;
    for (size_t i = 0; i < count; i++)
        add_live(list, own[i].prefix, own[i].attr, own[i].word);
}

static void collect_live(live_list *list, const fm_node *vehicle, const fm_type *type)
{
    list->count = 0;
    add_kind_live(list, type);
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_attr *const *attrs = fault_attrs(vehicle, type->actuator_names[i]);
        for (size_t k = 0; attrs && k < 3; k++)
            add_live(list, type->actuator_names[i], attrs[k], type->fault_block.offset + 3 * i + k);
    }
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        add_live_of(list, part->name, part->part_class->element, 0, part->part_class->live_size, part->live.offset);
    }
}

/* Long outputs, images and constant texts have no columns. */
static int has_columns(const fm_output *output)
{
    return output->type == FM_OUTPUT_REAL && output->reach != FM_OUTPUT_INNER && output->count <= COLUMN_LENGTH_MOST;
}

static size_t count_columns(const fm_type *type)
{
    size_t count = type->actuator_count + type->joint_count + type->kind->column_count;
    for (size_t i = 0; i < type->part_count; i++)
        for (size_t k = 0; k < type->parts[i].output_count; k++)
            if (has_columns(&type->parts[i].outputs[k]))
                count += type->parts[i].outputs[k].count;
    return count;
}

static int add_columns(fm_builder *b, const fm_part *part, const char **names, const char **units, uint32_t *words,
                       size_t *at)
{
    for (size_t k = 0; k < part->output_count; k++) {
        const fm_output *output = &part->outputs[k];
        if (!has_columns(output))
            continue;
        for (size_t i = 0; i < output->count; i++) {
            char name[160], index[24] = "";
            if (output->count > 1)
                snprintf(index, sizeof index, "[%zu]", i);
            snprintf(name, sizeof name, "%s.%s%s", part->name, output->field, index);
            if (!(names[*at] = fm_arena_text(&b->model->arena, name)))
                return 0;
            units[*at] = output->unit ? output->unit : "";
            words[(*at)++] = part->output.offset + (uint32_t)(output->offset / 8 + i);
        }
    }
    return 1;
}

static fm_status build_columns(fm_builder *b, fm_type *type)
{
    size_t count = count_columns(type), at = type->actuator_count;
    const char **names = fm_build_alloc(b, (count + 1) * sizeof *names);
    const char **units = fm_build_alloc(b, (count + 1) * sizeof *units);
    uint32_t *words = fm_build_alloc(b, (count + 1) * sizeof *words);
    if (!names || !units || !words)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < type->actuator_count; i++) {
        names[i] = type->actuator_names[i];
        units[i] = type->actuator_units[i];
    }
    for (size_t i = 0; i < type->joint_count; i++) {
        names[at] = type->kind->joint_names[i];
        units[at] = "rad";
        words[at++] = type->kind_block.offset + (uint32_t)(type->kind->joint_offset / 8 + i);
    }
    for (size_t i = 0; i < type->kind->column_count; i++) {
        names[at] = type->kind->columns[i].field;
        units[at] = type->kind->columns[i].unit ? type->kind->columns[i].unit : "";
        words[at++] = type->kind_block.offset + (uint32_t)(type->kind->columns[i].offset / 8);
    }
    for (size_t i = 0; i < type->part_count; i++)
        if (!add_columns(b, &type->parts[i], names, units, words, &at))
            return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    type->columns = names;
    type->column_units = units;
    type->column_words = words;
    type->column_count = count;
    return FM_OK;
}

/* The word of the live parameter NAME/fault; a path has '_' for '-'. */
static uint32_t find_fault(const fm_type *type, const fm_part *part)
{
    char path[128];
    snprintf(path, sizeof path, "%.100s/fault", part->name);
    for (char *at = path; *at; at++)
        *at = *at == '-' ? '_' : *at;
    for (size_t i = 0; i < type->live_count; i++)
        if (strcmp(type->live[i].path, path) == 0 && type->live[i].attr->choices == fm_fault_names)
            return type->live[i].offset;
    return 0;
}

/* Names and places in the record of a variant: those of its model, whose record has the same layout. */
static int share_names(const fm_builder *b, fm_type *type)
{
    const fm_type *base = fm_build_base_type(b, type);
    if (!base || base->record_words != type->record_words || base->part_count != type->part_count ||
        base->actuator_count != type->actuator_count || base->joint_count != type->joint_count ||
        memcmp(&base->fault_block, &type->fault_block, sizeof type->fault_block) != 0 ||
        memcmp(&base->kind_block, &type->kind_block, sizeof type->kind_block) != 0)
        return 0;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *own = &type->parts[i], *its = &base->parts[i];
        if (own->live.offset != its->live.offset || own->output.offset != its->output.offset ||
            own->output_count != its->output_count)
            return 0;
    }
    for (size_t i = 0; i < type->actuator_count; i++)
        if (type->actuators[i].low != base->actuators[i].low || type->actuators[i].high != base->actuators[i].high)
            return 0;
    for (size_t i = 0; i < type->part_count; i++)
        type->parts[i].fault = base->parts[i].fault;
    type->live = base->live;
    type->live_count = base->live_count;
    type->columns = base->columns;
    type->column_units = base->column_units;
    type->column_words = base->column_words;
    type->column_count = base->column_count;
    type->fields = base->fields;
    type->field_count = base->field_count;
    return 1;
}

fm_status fm_build_live(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    if (share_names(b, type))
        return FM_OK;
    live_list list = {.builder = b};
    collect_live(&list, vehicle, type);
    list.params = fm_build_alloc(b, (list.count + 1) * sizeof *list.params);
    if (!list.params)
        return FM_ERR_MEMORY;
    collect_live(&list, vehicle, type);
    if (list.failed)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    type->live = list.params;
    type->live_count = list.count;
    for (size_t i = 0; i < type->part_count; i++)
        type->parts[i].fault =
            type->parts[i].part_class->counts == FM_COUNTS_READING ? find_fault(type, &type->parts[i]) : 0;
    if (!fm_fields_list(&b->model->arena, type))
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    return build_columns(b, type);
}
