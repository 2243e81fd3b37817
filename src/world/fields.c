#include "world/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "world/owners.h"
#include "world/world.h"

/* --- the fields of every vehicle --- */

#define FIELD(its_name, its_unit, its_count, its_source, its_at, its_lanes)                                            \
    {                                                                                                                  \
        {.name = its_name,                                                                                             \
         .vehicle = "",                                                                                                \
         .unit = its_unit,                                                                                             \
         .min = -HUGE_VAL,                                                                                             \
         .max = HUGE_VAL,                                                                                              \
         .count = its_count,                                                                                           \
         .dimensions = (its_count) > 1,                                                                                \
         .shape = {(its_count) > 1 ? (its_count) : 0},                                                                 \
         .lanes = its_lanes},                                                                                          \
            its_source, its_at, 1, 0                                                                                   \
    }

static const fm_record_field time_field = FIELD("time", "s", 1, FM_FIELD_TIME, 0, 1);
static const fm_record_field common[] = {FIELD("x", "m", 1, FM_FIELD_POSE, 0, 1),
                                         FIELD("y", "m", 1, FM_FIELD_POSE, 1, 1),
                                         FIELD("z", "m", 1, FM_FIELD_POSE, 2, 1),
                                         FIELD("phi", "rad", 1, FM_FIELD_POSE, 3, 1),
                                         FIELD("theta", "rad", 1, FM_FIELD_POSE, 4, 1),
                                         FIELD("psi", "rad", 1, FM_FIELD_POSE, 5, 1),
                                         FIELD("u", "m/s", 1, FM_FIELD_POSE, 6, 1),
                                         FIELD("v", "m/s", 1, FM_FIELD_POSE, 7, 1),
                                         FIELD("w", "m/s", 1, FM_FIELD_POSE, 8, 1),
                                         FIELD("p", "rad/s", 1, FM_FIELD_POSE, 9, 1),
                                         FIELD("q", "rad/s", 1, FM_FIELD_POSE, 10, 1),
                                         FIELD("r", "rad/s", 1, FM_FIELD_POSE, 11, 1),
                                         FIELD("position", "m", 3, FM_FIELD_POSE, 0, 1),
                                         FIELD("euler", "rad", 3, FM_FIELD_POSE, 3, 1),
                                         FIELD("velocity", "m/s, rad/s", 6, FM_FIELD_POSE, 6, 1),
                                         FIELD("attitude", "", 4, FM_FIELD_ATTITUDE, 0, 1),
                                         FIELD("speed", "m/s", 1, FM_FIELD_SPEED, 0, 1),
                                         FIELD("charge", "J", 1, FM_FIELD_CHARGE, 0, 1),
                                         FIELD("contact", "", 1, FM_FIELD_CONTACT, 0, 0)};

/* --- of a type --- */

static size_t count_fields(const fm_type *type)
{
    size_t count = FM_COUNT(common) + type->actuator_count + type->joint_count + type->kind->column_count;
    for (size_t i = 0; i < type->part_count; i++)
        count += type->parts[i].output_count;
    return count;
}

/* An image has the shape that its neighbours say, which differs from run to run: what is known is its size. */
static void set_count(fm_record_field *field, size_t count)
{
    field->info.count = count;
    field->info.dimensions = count > 1;
    field->info.shape[0] = count > 1 ? count : 0;
}

static void add_actuators(const fm_type *type, fm_record_field **at)
{
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_actuator *a = &type->actuators[i];
        fm_record_field *field = (*at)++;
        *field = time_field;
        field->source = FM_FIELD_ACTUATOR;
        field->at = i;
        field->info.name = type->actuator_names[i];
        field->info.unit = type->actuator_units[i];
        if (a->low < a->high) {
            field->info.min = a->low;
            field->info.max = a->high;
        }
    }
}

static fm_record_field *add_word(fm_record_field **at, const char *name, const char *unit, size_t bytes)
{
    fm_record_field *field = (*at)++;
    *field = time_field;
    field->source = FM_FIELD_RECORD;
    field->at = bytes;
    field->info.name = name;
    field->info.unit = unit ? unit : "";
    field->info.lanes = 0;
    return field;
}

static void add_kind(const fm_type *type, fm_record_field **at)
{
    const size_t block = (size_t)type->kind_block.offset * 8;
    for (size_t i = 0; i < type->joint_count; i++)
        add_word(at, type->kind->joint_names[i], "rad", block + type->kind->joint_offset + i * 8);
    for (size_t i = 0; i < type->kind->column_count; i++)
        add_word(at, type->kind->columns[i].field, type->kind->columns[i].unit, block + type->kind->columns[i].offset);
}

/* Its unit as SI. */
static int convert(fm_arena *arena, fm_record_field *field)
{
    fm_unit unit;
    fm_error ignored;
    char text[64];
    if (!field->info.unit[0] || fm_unit_parse(field->info.unit, &unit, &ignored) != FM_OK)
        return 1;
    field->scale = unit.num / unit.den;
    field->shift = unit.offset;
    if (field->scale == 1 && field->shift == 0)
        return 1;
    fm_unit_write(&unit, text, sizeof text);
    return (field->info.unit = fm_arena_text(arena, text)) != NULL;
}

static int add_output(fm_arena *arena, const fm_part *part, const fm_output *output, fm_record_field **at)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s", part->name, output->field);
    const char *kept = fm_arena_text(arena, name);
    if (!kept)
        return 0;
    fm_record_field *field = add_word(at, kept, output->unit, (size_t)part->output.offset * 8 + output->offset);
    field->info.type = output->type;
    set_count(field, output->count);
    return convert(arena, field);
}

int fm_fields_list(fm_arena *arena, fm_type *type)
{
    fm_record_field *fields = fm_arena_alloc(arena, count_fields(type) * sizeof *fields),
                    *at = fields + FM_COUNT(common);
    int complete = fields != NULL;
    if (!complete)
        return 0;
    memcpy(fields, common, sizeof common);
    add_actuators(type, &at);
    add_kind(type, &at);
    for (size_t i = 0; i < type->part_count; i++)
        for (size_t k = 0; k < type->parts[i].output_count && complete; k++) {
            const fm_output *output = &type->parts[i].outputs[k];
            if (output->reach != FM_OUTPUT_INNER && output->type != FM_OUTPUT_TEXT)
                complete = add_output(arena, &type->parts[i], output, &at);
        }
    type->fields = fields;
    type->field_count = (size_t)(at - fields);
    return complete;
}

/* --- of a model --- */

static const fm_type *type_of(const fm_model *model, size_t vehicle)
{
    return &model->types[model->vehicles[vehicle].type];
}

size_t fm_model_field_count(const fm_model *model)
{
    size_t count = model ? 1 : 0;
    for (size_t v = 0; model && v < model->vehicle_count; v++)
        count += type_of(model, v)->field_count;
    return count;
}

const fm_record_field *fm_record_field_find(const fm_model *model, size_t i, int *vehicle)
{
    *vehicle = -1;
    if (!model || i == 0)
        return model ? &time_field : NULL;
    i--;
    for (size_t v = 0; v < model->vehicle_count; v++) {
        const fm_type *type = type_of(model, v);
        if (i < type->field_count) {
            *vehicle = (int)v;
            return &type->fields[i];
        }
        i -= type->field_count;
    }
    return NULL;
}

fm_field_info fm_model_field(const fm_model *model, size_t i)
{
    int vehicle;
    const fm_record_field *field = fm_record_field_find(model, i, &vehicle);
    fm_field_info info = {.vehicle = "", .unit = ""};
    if (field)
        info = field->info;
    if (vehicle >= 0)
        info.vehicle = model->vehicles[vehicle].name;
    return info;
}

/* The field of vehicle `v` with this name; or its number there. */
static int find_in(const fm_model *model, size_t v, const char *name, size_t *number)
{
    const fm_type *type = type_of(model, v);
    for (size_t i = 0; i < type->field_count; i++)
        if (fm_text_name_equal(type->fields[i].info.name, name)) {
            *number = i;
            return 1;
        }
    return 0;
}

static fm_status unknown_field(const fm_model *model, const char *name, fm_error *error)
{
    char near[400], text[224];
    fm_arena arena = {0};
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < fm_model_field_count(model); i++) {
        fm_field_info info = fm_model_field(model, i);
        snprintf(text, sizeof text, "%s%s%s", info.vehicle, info.vehicle[0] ? "." : "", info.name);
        const char *kept = fm_arena_text(&arena, strchr(name, '.') ? text : info.name);
        if (kept)
            fm_nearest_offer(&nearest, kept);
    }
    fm_fail(error, FM_ERR_NAME, "no field '%.100s'%s", name, fm_nearest_write(&nearest, near, sizeof near));
    fm_arena_free(&arena);
    return FM_ERR_NAME;
}

fm_status fm_model_field_find(const fm_model *model, const char *name, size_t *field, fm_error *error)
{
    if (!model || !name || !field)
        return fm_fail(error, FM_ERR_ARGUMENT, "model, name and field must not be NULL");
    *field = 0;
    if (fm_text_name_equal(name, "time"))
        return FM_OK;
    const char *dot = strchr(name, '.');
    size_t first = 1, number;
    for (size_t v = 0; v < model->vehicle_count; first += type_of(model, v)->field_count, v++) {
        const size_t length = strlen(model->vehicles[v].name);
        const int named = dot && (size_t)(dot - name) == length && !strncmp(name, model->vehicles[v].name, length);
        if ((named && find_in(model, v, dot + 1, &number)) || (v == 0 && find_in(model, v, name, &number))) {
            *field = first + number;
            return FM_OK;
        }
    }
    return unknown_field(model, name, error);
}

/* --- actuators --- */

size_t fm_model_actuator_count(const fm_model *model, size_t vehicle)
{
    return model && vehicle < model->vehicle_count ? type_of(model, vehicle)->actuator_count : 0;
}

fm_model_actuator_info fm_model_actuator(const fm_model *model, size_t vehicle, size_t i)
{
    fm_model_actuator_info info = {.vehicle = "", .group = "", .element = "", .unit = ""};
    if (i >= fm_model_actuator_count(model, vehicle))
        return info;
    const fm_type *type = type_of(model, vehicle);
    info.name = type->actuator_names[i];
    info.vehicle = model->vehicles[vehicle].name;
    info.group = type->actuator_groups[i] ? type->actuator_groups[i] : "";
    info.element = type->fittings[i].element;
    info.unit = type->actuator_units[i];
    info.min = type->actuators[i].low;
    info.max = type->actuators[i].high;
    info.rate = type->actuators[i].rate_limit;
    return info;
}

fm_status fm_model_actuator_find(const fm_model *model, size_t vehicle, const char *name, size_t *actuator,
                                 fm_error *error)
{
    if (!model || !name || !actuator || vehicle >= model->vehicle_count)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       model && name && actuator ? "no vehicle %zu in the scenario"
                                                 : "model, name and actuator must not be NULL",
                       vehicle);
    char near[256];
    fm_nearest nearest = {.wanted = name};
    const fm_type *type = type_of(model, vehicle);
    for (*actuator = 0; *actuator < type->actuator_count; ++*actuator) {
        if (fm_text_name_equal(type->actuator_names[*actuator], name))
            return FM_OK;
        fm_nearest_offer(&nearest, type->actuator_names[*actuator]);
    }
    return fm_fail(error, FM_ERR_NAME, "'%s' has no actuator '%.60s'%s", model->vehicles[vehicle].name, name,
                   fm_nearest_write(&nearest, near, sizeof near));
}

/* --- reading --- */

static double record_number(const void *record, const fm_record_field *field, size_t i)
{
    const char *at = (const char *)record + field->at;
    double real;
    float single;
    int64_t whole;
    switch (field->info.type) {
    case FM_OUTPUT_UINT8: return (double)((const uint8_t *)at)[i];
    case FM_OUTPUT_FLOAT32: return memcpy(&single, at + 4 * i, sizeof single), (double)single;
    case FM_OUTPUT_INT64: return memcpy(&whole, at + 8 * i, sizeof whole), (double)whole;
    case FM_OUTPUT_NAME:
    case FM_OUTPUT_REAL: return memcpy(&real, at + 8 * i, sizeof real), real;
    case FM_OUTPUT_TEXT: break;
    }
    return NAN;
}

static int touches(const fm_slot *slot)
{
    const fm_block *blocks[] = {&slot->type->touch_block, &slot->type->partner_block};
    int found = 0;
    for (size_t i = 0; i < FM_COUNT(blocks); i++)
        found |= blocks[i]->words && fm_vehicle_words(slot->vehicle, *blocks[i])[0] != 0;
    return found;
}

static void read_pose(const fm_world *world, int slot, size_t at, size_t count, double *values)
{
    fm_pose pose;
    double all[12];
    const fm_body_state *body = &world->slots[slot].vehicle->body;
    if (at >= 3 && at < 6) {
        fm_world_pose(world, slot, &pose);
        memcpy(all + 3, pose.euler, sizeof pose.euler);
    }
    memcpy(all, body->position, sizeof body->position);
    memcpy(all + 6, body->velocity, sizeof body->velocity);
    memcpy(values, all + at, count * sizeof *values);
}

void fm_record_field_read(const fm_world *world, int index, const fm_record_field *field, double *values)
{
    const fm_slot *slot = index >= 0 ? &world->slots[index] : NULL;
    const double *velocity = slot ? slot->vehicle->body.velocity : NULL;
    fm_pose pose;
    switch (field->source) {
    case FM_FIELD_TIME: *values = fm_world_time(world); return;
    case FM_FIELD_POSE: read_pose(world, index, field->at, field->info.count, values); return;
    case FM_FIELD_ATTITUDE:
        fm_world_pose(world, index, &pose);
        memcpy(values, pose.attitude, sizeof pose.attitude);
        return;
    case FM_FIELD_SPEED:
        *values = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
        return;
    case FM_FIELD_CHARGE: *values = slot->vehicle->charge; return;
    case FM_FIELD_CONTACT: *values = touches(slot); return;
    case FM_FIELD_ACTUATOR: *values = fm_actuator_states(slot->type, slot->vehicle)[field->at].value; return;
    case FM_FIELD_RECORD: break;
    }
    for (size_t i = 0; i < field->info.count; i++) {
        double number = record_number(slot->vehicle, field, i);
        values[i] = field->scale == 1 && field->shift == 0 ? number : field->scale * number + field->shift;
    }
}

double fm_record_field_number(const fm_world *world, int index, const fm_record_field *field, size_t element)
{
    double values[12];
    if (field->source != FM_FIELD_RECORD) {
        fm_record_field_read(world, index, field, values);
        return values[element];
    }
    const double number = record_number(world->slots[index].vehicle, field, element);
    return field->scale == 1 && field->shift == 0 ? number : field->scale * number + field->shift;
}

int fm_record_field_slot(const fm_world *world, int v)
{
    const fm_slot *slot = fm_slot_occupied(world, v);
    return slot && slot->vehicle->placement == v ? v : fm_world_find(world, world->model->vehicles[v].name);
}

fm_status fm_world_read(const fm_world *world, const size_t *fields, size_t count, double *values, size_t room,
                        fm_error *error)
{
    if (!world || (count && (!fields || !values)))
        return fm_fail(error, FM_ERR_ARGUMENT, "world, fields and values must not be NULL");
    for (size_t i = 0, at = 0; i < count; i++) {
        int vehicle, slot = -1;
        const fm_record_field *field = fm_record_field_find(world->model, fields[i], &vehicle);
        if (!field)
            return fm_fail(error, FM_ERR_ARGUMENT, "no field %zu: the model has %zu", fields[i],
                           fm_model_field_count(world->model));
        if (at + field->info.count > room)
            return fm_fail(error, FM_ERR_FULL, "the fields have more than %zu numbers", room);
        if (vehicle >= 0)
            slot = fm_record_field_slot(world, vehicle);
        if (vehicle >= 0 && slot < 0)
            for (size_t k = 0; k < field->info.count; k++)
                values[at + k] = NAN;
        else
            fm_record_field_read(world, slot, field, values + at);
        at += field->info.count;
    }
    return FM_OK;
}

/* --- ordering --- */

fm_status fm_world_order_all(fm_world *world, int slot, const double *values, size_t count, fm_error *error)
{
    const fm_slot *s = world && values ? fm_slot_occupied(world, slot) : NULL;
    if (!s || count != s->type->actuator_count)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       !world || !values ? "world and values must not be NULL"
                       : !s              ? "no vehicle in slot %d"
                                         : "slot %d: %zu values for %zu actuators",
                       slot, count, s ? s->type->actuator_count : 0);
    const size_t waiting = world->input_count;
    fm_status status = FM_OK;
    for (size_t i = 0; i < count && status == FM_OK; i++)
        if (!isnan(values[i]))
            status = fm_world_order(world, s->vehicle->name, s->type->actuator_names[i], values[i], error);
    if (status != FM_OK)
        world->input_count = waiting;
    return status;
}
