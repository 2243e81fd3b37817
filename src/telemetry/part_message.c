#include "telemetry/part_message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "physics/real.h"
#include "telemetry/camera_info.h"
#include "telemetry/frames.h"

/* Where a path leads. */
typedef struct node_path {
    const fm_message *parent; /* the message that has the field */
    const fm_field *field;
    char *address;    /* of the field in the struct */
    const char *unit; /* its own, or inherited from the nearest field above it */
    size_t count;     /* values that follow from here: 1, or those of an array */
} node_path;

typedef struct maker {
    const fm_part *part;
    const fm_output *output;
    fm_arena *arena;
    fm_part_message *out;
    fm_error *error;
} maker;

static fm_status out_of_memory(const maker *m)
{
    return fm_fail(m->error, FM_ERR_MEMORY, "out of memory for the message of '%s'", m->part->name);
}

static const fm_field *find_field(const fm_message *type, const char *name, size_t length)
{
    for (size_t i = 0; i < type->field_count; i++)
        if (type->fields[i].shape != FM_SHAPE_CONSTANT && strlen(type->fields[i].name) == length &&
            memcmp(type->fields[i].name, name, length) == 0)
            return &type->fields[i];
    return NULL;
}

static fm_status no_such_field(const maker *m, const fm_message *type, const char *name, size_t length)
{
    char word[64], near[160];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    fm_nearest nearest = {.wanted = word};
    for (size_t i = 0; i < type->field_count; i++)
        fm_nearest_offer(&nearest, type->fields[i].name);
    return fm_fail(m->error, FM_ERR_NAME, "'%s': its output '%s' is no field of %s: %s has no '%s'%s", m->part->name,
                   m->output->field, m->part->part_class->message, type->name, word,
                   fm_nearest_write(&nearest, near, sizeof near));
}

/* Bytes of one item in the C struct. */
static size_t item_size(const fm_field *field)
{
    if (field->type == FM_FIELD_MESSAGE)
        return field->message->struct_size;
    return field->type == FM_FIELD_string ? sizeof(char *) : fm_field_size(field->type);
}

static fm_status follow_index(const maker *m, const char **path, node_path *at)
{
    char *end;
    at->count = at->field->shape == FM_SHAPE_ARRAY ? at->field->count : 1;
    if (**path != '[')
        return FM_OK;
    unsigned long index = strtoul(*path + 1, &end, 10);
    if (*end != ']' || at->field->shape != FM_SHAPE_ARRAY || index >= at->field->count)
        return fm_fail(m->error, FM_ERR_NAME, "'%s': bad index in its output '%s'", m->part->name, m->output->field);
    at->address += index * item_size(at->field);
    at->count = 1;
    *path = end + 1;
    return FM_OK;
}

static fm_status follow(const maker *m, node_path *at)
{
    const char *path = m->output->field;
    const fm_message *type = m->out->type;
    at->address = m->out->message;
    at->unit = "";
    for (;;) {
        size_t length = strcspn(path, ".[");
        at->parent = type;
        at->field = find_field(type, path, length);
        if (!at->field)
            return no_such_field(m, type, path, length);
        at->address += at->field->offset;
        at->unit = at->field->unit[0] ? at->field->unit : at->unit;
        path += length;
        fm_status status = follow_index(m, &path, at);
        if (status != FM_OK || !*path)
            return status;
        if (*path != '.' || at->field->type != FM_FIELD_MESSAGE || at->count != 1)
            return no_such_field(m, type, path, strlen(path));
        type = at->field->message;
        path++;
    }
}

static fm_status unit_line(const maker *m, const char *unit, double *scale, double *shift)
{
    fm_unit from, to;
    *scale = 1;
    *shift = 0;
    if (!m->output->unit || !m->output->unit[0] || !unit[0] || strcmp(m->output->unit, unit) == 0)
        return FM_OK;
    fm_status status = fm_unit_parse(m->output->unit, &from, m->error);
    if (status == FM_OK)
        status = fm_unit_parse(unit, &to, m->error);
    if (status != FM_OK)
        return status;
    if (!fm_unit_compatible(&from, &to))
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': its output '%s' is in %s, the message has %s", m->part->name,
                       m->output->field, m->output->unit, unit);
    *shift = fm_unit_convert(0, &from, &to);
    *scale = fm_unit_convert(1, &from, &to) - *shift;
    return FM_OK;
}

static size_t source_size(fm_output_type type)
{
    return type == FM_OUTPUT_UINT8 ? 1 : type == FM_OUTPUT_FLOAT32 ? 4 : 8;
}

static fm_part_copy *add_copy(maker *m, size_t value, void *target, fm_field_type type, double scale, double shift)
{
    fm_part_copy *copy = &m->out->copies[m->out->copy_count++];
    *copy = (fm_part_copy){.source = (uint32_t)(m->output->offset + value * source_size(m->output->type)),
                           .from = m->output->type,
                           .target = target,
                           .type = type,
                           .scale = scale,
                           .shift = shift};
    return copy;
}

static int is_geometry(const fm_message *type, const char *name)
{
    return strcmp(type->package, "geometry_msgs") == 0 && strcmp(type->name, name) == 0;
}

static fm_status wrong_type(const maker *m, const fm_message *type)
{
    return fm_fail(m->error, FM_ERR_MODEL,
                   "'%s': its output '%s' is a %s; an output is a number, an array or sequence of numbers, a vector, a "
                   "point or a quaternion",
                   m->part->name, m->output->field, type->name);
}

/* Three numbers with a frame are a vector: source of its i-th component, and its sign. */
static size_t turned(const maker *m, size_t i, double *sign)
{
    static const size_t north[3] = {1, 0, 2}; /* ENU from NED */
    fm_output_frame frame = m->output->frame;
    *sign = (frame == FM_OUTPUT_BODY && i > 0) || (frame == FM_OUTPUT_WORLD && i == 2) ? -1 : 1;
    return frame == FM_OUTPUT_WORLD ? north[i] : i;
}

/* Copies a whole vector, point or quaternion from the output's frame; advances *value. */
static fm_status add_geometry(maker *m, const fm_message *type, char *address, const char *unit, size_t *value)
{
    double scale, shift;
    if (is_geometry(type, "Quaternion")) {
        if (m->output->type != FM_OUTPUT_REAL)
            return wrong_type(m, type);
        add_copy(m, *value, address, FM_FIELD_float64, 1, 0)->quaternion = 1 + (uint32_t)m->output->frame;
        *value += 4;
        return FM_OK;
    }
    if (!is_geometry(type, "Vector3") && !is_geometry(type, "Point"))
        return wrong_type(m, type);
    fm_status status = unit_line(m, unit, &scale, &shift);
    for (size_t i = 0; i < 3; i++) {
        double sign;
        size_t from = *value + turned(m, i, &sign);
        add_copy(m, from, address + type->fields[i].offset, FM_FIELD_float64, sign * scale, sign * shift);
    }
    *value += 3;
    return status;
}

/* Numbers that leave unchanged are copied as a block. */
static int as_it_stands(const maker *m, fm_field_type type, double scale, double shift)
{
    fm_output_type from = m->output->type;
    return scale == 1 && shift == 0 &&
           ((from == FM_OUTPUT_UINT8 && (type == FM_FIELD_uint8 || type == FM_FIELD_byte)) ||
            (from == FM_OUTPUT_FLOAT32 && type == FM_FIELD_float32) ||
            (from == FM_OUTPUT_REAL && type == FM_FIELD_float64));
}

static fm_status add_vector(maker *m, const node_path *at, char *address)
{
    double scale, shift, sign;
    fm_status status = unit_line(m, at->unit, &scale, &shift);
    for (size_t i = 0; i < 3; i++) {
        size_t from = turned(m, i, &sign);
        add_copy(m, from, address + i * fm_field_size(at->field->type), at->field->type, sign * scale, sign * shift);
    }
    return status;
}

static fm_status add_numbers(maker *m, const node_path *at, char *address, size_t count)
{
    double scale, shift;
    size_t size = fm_field_size(at->field->type);
    if (!size)
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': '%s' is a text; this output is a number", m->part->name,
                       m->output->field);
    if (m->output->frame != FM_OUTPUT_PLAIN && count == 3)
        return add_vector(m, at, address);
    fm_status status = unit_line(m, at->unit, &scale, &shift);
    if (as_it_stands(m, at->field->type, scale, shift)) {
        add_copy(m, 0, address, at->field->type, 1, 0)->bytes = (uint32_t)(count * size);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        add_copy(m, i, address + i * size, at->field->type, scale, shift);
    return status;
}

/* A sequence gets a buffer of its own. */
static fm_status add_sequence(maker *m, const node_path *at)
{
    int nested = at->field->type == FM_FIELD_MESSAGE;
    size_t count = m->output->count, items = nested ? count / 3 : count, value = 0;
    char *buffer = fm_arena_alloc(m->arena, items * item_size(at->field) + 8);
    fm_status status = buffer ? FM_OK : out_of_memory(m);
    if (status != FM_OK)
        return status;
    *(fm_sequence *)(void *)at->address = (fm_sequence){buffer, items};
    if (!nested)
        return add_numbers(m, at, buffer, count);
    if (count % 3)
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': its output '%s' has %zu values, no whole number of vectors",
                       m->part->name, m->output->field, count);
    for (size_t i = 0; i < items && status == FM_OK; i++)
        status = add_geometry(m, at->field->message, buffer + i * item_size(at->field), at->unit, &value);
    return status;
}

/* A text, or a sequence of this one text. */
static fm_status add_text(const maker *m, const node_path *at)
{
    const char *text = m->output->text ? m->output->text : "";
    if (at->field->type != FM_FIELD_string || at->field->shape == FM_SHAPE_ARRAY)
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': '%s' is no text", m->part->name, m->output->field);
    if (at->field->shape == FM_SHAPE_ONE) {
        *(const char **)(void *)at->address = text;
        return FM_OK;
    }
    const char **items = fm_arena_alloc(m->arena, sizeof *items);
    if (!items)
        return out_of_memory(m);
    *items = text;
    *(fm_sequence *)(void *)at->address = (fm_sequence){items, 1};
    return FM_OK;
}

/* The names of a NAME, split; for now the message holds the longest, so that its size is measured with them. */
static fm_status add_name(maker *m, const node_path *at)
{
    if (at->field->type != FM_FIELD_string || at->field->shape != FM_SHAPE_ONE || m->output->count != 1)
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': its output '%s' is a name; the field takes no single text",
                       m->part->name, m->output->field);
    size_t count = 1;
    for (const char *c = m->output->text; *c; c++)
        count += *c == '|';
    const char **names = fm_arena_alloc(m->arena, count * sizeof *names),
               **longest = (const char **)(void *)at->address;
    char *copy = fm_arena_text(m->arena, m->output->text);
    if (!names || !copy)
        return out_of_memory(m);
    *longest = "unknown";
    for (size_t i = 0; i < count; i++) {
        names[i] = copy;
        copy += strcspn(copy, "|");
        *copy++ = '\0';
        *longest = strlen(names[i]) > strlen(*longest) ? names[i] : *longest;
    }
    fm_part_copy *made = add_copy(m, 0, at->address, FM_FIELD_string, 1, 0);
    made->names = names;
    made->name_count = count;
    return FM_OK;
}

static fm_status add_output(maker *m)
{
    node_path at;
    size_t value = 0, count = m->output->count;
    fm_status status = follow(m, &at);
    if (status != FM_OK)
        return status;
    if (m->output->type == FM_OUTPUT_TEXT)
        return add_text(m, &at);
    if (m->output->type == FM_OUTPUT_NAME)
        return add_name(m, &at);
    if (at.field->shape == FM_SHAPE_SEQUENCE)
        return add_sequence(m, &at);
    if (at.field->type == FM_FIELD_MESSAGE) {
        for (size_t i = 0; i < at.count && status == FM_OK; i++)
            status = add_geometry(m, at.field->message, at.address + i * item_size(at.field), at.unit, &value);
    } else {
        value = at.count;
        if (value == count)
            status = add_numbers(m, &at, at.address, count);
    }
    if (status == FM_OK && value != count)
        return fm_fail(m->error, FM_ERR_MODEL, "'%s': its output '%s' has %zu values, the field takes %zu",
                       m->part->name, m->output->field, count, value);
    return status;
}

const fm_output *fm_part_message_heading(const fm_part *part, const fm_message *type)
{
    const fm_output *heading = NULL;
    if (strcmp(type->package, "sensor_msgs") != 0 || strcmp(type->name, "Imu") != 0)
        return NULL;
    for (size_t k = 0; k < part->output_count; k++) {
        if (strcmp(part->outputs[k].field, "orientation") == 0)
            return NULL;
        if (part->outputs[k].quantity == FM_QUANTITY_HEADING)
            heading = &part->outputs[k];
    }
    return heading;
}

static void add_heading(maker *m)
{
    m->output = fm_part_message_heading(m->part, m->out->type);
    if (m->output)
        add_copy(m, 0, &((fm_msg_imu *)m->out->message)->orientation, FM_FIELD_MESSAGE, 1, 0)->heading = 1;
}

/* --- parts without a message of their own --- */

/* Numbers of a part without a message of its own stay in our axes; the names of a vector show it. */
static void name_value(const fm_output *output, size_t i, char *name, size_t size)
{
    static const char *const axes[][3] = {
        [FM_OUTPUT_BODY] = {"forward", "starboard", "down"}, [FM_OUTPUT_WORLD] = {"north", "east", "down"}};
    if (output->count == 3 && output->frame != FM_OUTPUT_PLAIN)
        snprintf(name, size, "%.100s.%s", output->field, axes[output->frame][i]);
    else
        snprintf(name, size, output->count > 1 ? "%.100s[%zu]" : "%.100s", output->field, i);
}

static fm_status add_value(maker *m, fm_msg_values *values, const char **names, const char **units, double *items)
{
    for (size_t i = 0; i < m->output->count; i++) {
        char name[128];
        size_t at = values->values.count++;
        name_value(m->output, i, name, sizeof name);
        add_copy(m, i, &items[at], FM_FIELD_float64, 1, 0);
        units[at] = m->output->unit ? m->output->unit : "";
        if (!(names[at] = fm_arena_text(m->arena, name)))
            return out_of_memory(m);
    }
    return FM_OK;
}

static int is_value(const fm_output *output)
{
    return output->type != FM_OUTPUT_TEXT && output->reach != FM_OUTPUT_INNER;
}

static fm_status make_values(maker *m, size_t total)
{
    fm_msg_values *values = m->out->message;
    const char **names = fm_arena_alloc(m->arena, (total + 1) * sizeof *names);
    const char **units = fm_arena_alloc(m->arena, (total + 1) * sizeof *units);
    double *items = fm_arena_alloc(m->arena, (total + 1) * sizeof *items);
    fm_status status = names && units && items ? FM_OK : out_of_memory(m);
    for (size_t k = 0; k < m->part->output_count && status == FM_OK; k++) {
        m->output = &m->part->outputs[k];
        if (is_value(m->output))
            status = add_value(m, values, names, units, items);
    }
    values->names.items = names;
    values->units.items = units;
    values->values.items = items;
    values->names.count = values->units.count = values->values.count;
    return status;
}

/* --- making --- */

static size_t count_values(const fm_part *part)
{
    size_t total = 0;
    for (size_t k = 0; k < part->output_count; k++)
        total += is_value(&part->outputs[k]) ? part->outputs[k].count : 0;
    return total;
}

static int has_open_outputs(const fm_part *part)
{
    for (size_t k = 0; k < part->output_count; k++)
        if (part->outputs[k].reach != FM_OUTPUT_INNER)
            return 1;
    return 0;
}

static fm_status check_outputs(const maker *m)
{
    for (size_t k = 0; k < m->part->output_count; k++) {
        const fm_output *output = &m->part->outputs[k];
        size_t size = source_size(output->type);
        if (output->type != FM_OUTPUT_TEXT &&
            (output->offset % size || output->offset + output->count * size > (size_t)m->part->output.words * 8))
            return fm_fail(m->error, FM_ERR_MODEL, "'%s': its output '%s' lies outside of its output block",
                           m->part->name, output->field);
    }
    return FM_OK;
}

static bool is_message(const fm_message *type, const char *package, const char *name)
{
    return strcmp(type->package, package) == 0 && strcmp(type->name, name) == 0;
}

static void find_header(fm_part_message *out)
{
    const fm_field *first = &out->type->fields[0];
    for (size_t i = 0; i < out->type->field_count && first->shape == FM_SHAPE_CONSTANT; i++)
        first = &out->type->fields[i];
    if (first->message && is_message(first->message, "std_msgs", "Header"))
        out->header = (fm_msg_header *)(void *)((char *)out->message + first->offset);
}

/* Numbers in world axes are in the map frame; for an Imu this applies only to the orientation, which ROS gives for the
 * frame of the instrument. A Bearing is in the axes of the vehicle, however its array is mounted. */
static void find_frames(const fm_part *part, fm_part_message *out)
{
    const fm_field *child = find_field(out->type, "child_frame_id", strlen("child_frame_id"));
    if (child && child->type == FM_FIELD_string)
        out->child = (const char **)(void *)((char *)out->message + child->offset);
    out->frame = is_message(out->type, "fathom_msgs", "Bearing") ? FM_FRAME_VEHICLE
                 : fm_part_is_camera(part)                       ? FM_FRAME_OPTICAL
                                                                 : FM_FRAME_MOUNT;
    for (size_t k = 0; k < part->output_count; k++)
        if (part->outputs[k].frame == FM_OUTPUT_WORLD && part->outputs[k].reach == FM_OUTPUT_OPEN &&
            !is_message(out->type, "sensor_msgs", "Imu"))
            out->frame = FM_FRAME_MAP;
}

static void measure(fm_part_message *out)
{
    char longest[FM_FRAME_SIZE];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    if (out->header)
        out->header->frame_id = longest;
    if (out->child)
        *out->child = longest;
    out->max_size = fm_message_size(out->type, out->message) + 8;
    if (out->header)
        out->header->frame_id = "";
    if (out->child)
        *out->child = "";
}

static fm_status add_outputs(maker *m)
{
    fm_status status = FM_OK;
    for (size_t k = 0; k < m->part->output_count && status == FM_OK; k++) {
        m->output = &m->part->outputs[k];
        if (m->output->reach == FM_OUTPUT_OPEN)
            status = add_output(m);
    }
    return status;
}

fm_status fm_part_message_make(const fm_part *part, fm_arena *arena, fm_part_message *out, fm_error *error)
{
    maker m = {.part = part, .arena = arena, .out = out, .error = error};
    const char *name = part->part_class->message;
    *out = (fm_part_message){0};
    if (!has_open_outputs(part) || !part->output.words)
        return FM_OK;
    const fm_message *type = name ? fm_message_find(name) : &fm_msg_values_type;
    if (!type)
        return fm_fail(error, FM_ERR_NAME, "'%s': unknown message '%s' in the table of messages", part->name, name);
    size_t total = count_values(part);
    out->type = type;
    out->message = fm_arena_alloc(arena, type->struct_size);
    out->copies = fm_arena_alloc(arena, (total + 2) * sizeof *out->copies);
    if (!out->message || !out->copies)
        return out_of_memory(&m);
    fm_status status = check_outputs(&m);
    if (status == FM_OK)
        status = name ? add_outputs(&m) : make_values(&m, total);
    if (status == FM_OK) {
        add_heading(&m);
        out->covariance_count = fm_covariances_make(part, type, out->message, out->covariances);
        find_header(out);
        find_frames(part, out);
        measure(out);
    }
    return status;
}

/* --- filling --- */

static int64_t whole(double value, double low, double high)
{
    if (!(value > low))
        return (int64_t)low;
    return value < high ? (int64_t)floor(value + 0.5) : (int64_t)high;
}

static void store_name(const fm_part_copy *copy, double value)
{
    int64_t i = whole(value, 0, (double)copy->name_count);
    *(const char **)copy->target = i < (int64_t)copy->name_count ? copy->names[i] : "unknown";
}

static void store(const fm_part_copy *copy, double value)
{
    switch (copy->type) {
    case FM_FIELD_float64: *(double *)copy->target = value; break;
    case FM_FIELD_float32: *(float *)copy->target = (float)value; break;
    case FM_FIELD_bool: *(uint8_t *)copy->target = value != 0; break;
    case FM_FIELD_byte:
    case FM_FIELD_uint8: *(uint8_t *)copy->target = (uint8_t)whole(value, 0, UINT8_MAX); break;
    case FM_FIELD_int8: *(int8_t *)copy->target = (int8_t)whole(value, INT8_MIN, INT8_MAX); break;
    case FM_FIELD_int16: *(int16_t *)copy->target = (int16_t)whole(value, INT16_MIN, INT16_MAX); break;
    case FM_FIELD_uint16: *(uint16_t *)copy->target = (uint16_t)whole(value, 0, UINT16_MAX); break;
    case FM_FIELD_int32: *(int32_t *)copy->target = (int32_t)whole(value, INT32_MIN, INT32_MAX); break;
    case FM_FIELD_uint32: *(uint32_t *)copy->target = (uint32_t)whole(value, 0, UINT32_MAX); break;
    case FM_FIELD_int64: *(int64_t *)copy->target = whole(value, -9007199254740992.0, 9007199254740992.0); break;
    case FM_FIELD_uint64: *(uint64_t *)copy->target = (uint64_t)whole(value, 0, 9007199254740992.0); break;
    case FM_FIELD_string:
    case FM_FIELD_MESSAGE: break; /* refused when made */
    }
}

static double take(const fm_part_copy *copy, const char *from)
{
    float single;
    double real;
    if (copy->from == FM_OUTPUT_UINT8)
        return *(const uint8_t *)from;
    if (copy->from == FM_OUTPUT_FLOAT32)
        return memcpy(&single, from, sizeof single), single;
    if (copy->from == FM_OUTPUT_INT64)
        return (double)*(const int64_t *)(const void *)from;
    return memcpy(&real, from, sizeof real), real;
}

static fm_msg_quaternion turn(const double q[4], fm_output_frame frame)
{
    if (frame == FM_OUTPUT_WORLD)
        return fm_enu_attitude_from_ned(q);
    if (frame == FM_OUTPUT_BODY)
        return fm_flu_attitude_from_frd(q);
    return (fm_msg_quaternion){q[1], q[2], q[3], q[0]};
}

/* Level, with this heading: the yaw from east over north is π/2 − heading. */
static fm_msg_quaternion level_at(double heading)
{
    const double half = 0.5 * (1.57079632679489661923 - heading);
    return (fm_msg_quaternion){.z = fm_sin(half), .w = fm_cos(half)};
}

void fm_part_message_fill(fm_part_message *message, const void *output, const void *live)
{
    for (size_t i = 0; i < message->copy_count; i++) {
        const fm_part_copy *copy = &message->copies[i];
        const char *from = (const char *)output + copy->source;
        if (copy->bytes)
            memcpy(copy->target, from, copy->bytes);
        else if (copy->quaternion)
            *(fm_msg_quaternion *)copy->target =
                turn((const double *)(const void *)from, (fm_output_frame)(copy->quaternion - 1));
        else if (copy->heading)
            *(fm_msg_quaternion *)copy->target = level_at(take(copy, from));
        else if (copy->names)
            store_name(copy, take(copy, from));
        else
            store(copy, copy->scale * take(copy, from) + copy->shift);
    }
    fm_covariances_fill(message->covariances, message->covariance_count, live);
}
