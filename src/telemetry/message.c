#include "telemetry/message.h"

#include <string.h>

#include "base/describe.h"

/* --- descriptors ---------------------------------------------------------------------------------------------------
 */

#define MESSAGE(self, package, title) static const fm_field fields_##self[] = {
#define FIELD(self, type, name, unit)                                                                                  \
    {#name, FM_FIELD_##type, FM_SHAPE_ONE, 1, offsetof(fm_msg_##self, name), NULL, unit, NULL},
#define ARRAY(self, type, name, count, unit)                                                                           \
    {#name, FM_FIELD_##type, FM_SHAPE_ARRAY, count, offsetof(fm_msg_##self, name), NULL, unit, NULL},
#define SEQUENCE(self, type, name, unit)                                                                               \
    {#name, FM_FIELD_##type, FM_SHAPE_SEQUENCE, 0, offsetof(fm_msg_##self, name), NULL, unit, NULL},
#define NESTED(self, type, name, unit)                                                                                 \
    {#name, FM_FIELD_MESSAGE, FM_SHAPE_ONE, 1, offsetof(fm_msg_##self, name), &fm_msg_##type##_type, unit, NULL},
#define NESTED_ARRAY(self, type, name, count, unit)                                                                    \
    {#name, FM_FIELD_MESSAGE, FM_SHAPE_ARRAY, count, offsetof(fm_msg_##self, name), &fm_msg_##type##_type, unit, NULL},
#define NESTED_SEQUENCE(self, type, name, unit)                                                                        \
    {#name, FM_FIELD_MESSAGE, FM_SHAPE_SEQUENCE, 0, offsetof(fm_msg_##self, name), &fm_msg_##type##_type, unit, NULL},
#define CONSTANT(self, type, name, value) {#name, FM_FIELD_##type, FM_SHAPE_CONSTANT, 0, 0, NULL, "", #value},
#define END(self)                                                                                                      \
    }                                                                                                                  \
    ;
#include "telemetry/message_table.h"
#include "telemetry/message_undef.h"

#define MESSAGE(self, package, title)                                                                                  \
    const fm_message fm_msg_##self##_type = {#package, #title, fields_##self, FM_COUNT(fields_##self),                 \
                                             sizeof(fm_msg_##self)};
#define FIELD(self, type, name, unit)
#define ARRAY(self, type, name, count, unit)
#define SEQUENCE(self, type, name, unit)
#define NESTED(self, type, name, unit)
#define NESTED_ARRAY(self, type, name, count, unit)
#define NESTED_SEQUENCE(self, type, name, unit)
#define CONSTANT(self, type, name, value)
#define END(self)
#include "telemetry/message_table.h"
#undef MESSAGE
#define MESSAGE(self, package, title) &fm_msg_##self##_type,
const fm_message *const fm_messages[] = {
#include "telemetry/message_table.h"
};
#include "telemetry/message_undef.h"

const size_t fm_message_count = FM_COUNT(fm_messages);

const fm_message *fm_message_find(const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return NULL;
    const char *title = strncmp(slash, "/msg/", 5) == 0 ? slash + 5 : slash + 1;
    size_t package = (size_t)(slash - name);
    for (size_t i = 0; i < fm_message_count; i++) {
        const fm_message *m = fm_messages[i];
        if (strlen(m->package) == package && memcmp(m->package, name, package) == 0 && strcmp(m->name, title) == 0)
            return m;
    }
    return NULL;
}

size_t fm_field_size(fm_field_type type)
{
    static const uint8_t sizes[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0};
    return sizes[type];
}

const char *fm_field_type_name(fm_field_type type)
{
    static const char *const names[] = {"bool",   "byte",  "int8",   "uint8",   "int16",   "uint16", "int32",
                                        "uint32", "int64", "uint64", "float32", "float64", "string", "message"};
    return names[type];
}

/* Bytes from one item to the next in a C array. */
static size_t item_stride(const fm_field *field)
{
    if (field->type == FM_FIELD_MESSAGE)
        return field->message->struct_size;
    return field->type == FM_FIELD_string ? sizeof(char *) : fm_field_size(field->type);
}

/* --- encoding ------------------------------------------------------------------------------------------------------
 */

/* Writes at `at`; with body == NULL it only counts. `capacity` limits `at`. Positions are relative to the start of the
 * body. */
typedef struct writer {
    uint8_t *body;
    size_t at, capacity;
    int full;
} writer;

static uint8_t *reserve(writer *w, size_t align, size_t bytes)
{
    size_t start = (w->at + align - 1) / align * align;
    if (w->body && (start > w->capacity || bytes > w->capacity - start))
        w->full = 1;
    if (w->body && !w->full) {
        memset(w->body + w->at, 0, start - w->at);
        w->at = start + bytes;
        return w->body + start;
    }
    w->at = start + bytes;
    return NULL;
}

static void put_u32(writer *w, size_t value)
{
    uint32_t v = (uint32_t)value;
    uint8_t *to = reserve(w, 4, 4);
    if (to)
        memcpy(to, &v, 4);
}

static void put_string(writer *w, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    put_u32(w, length + 1);
    uint8_t *to = reserve(w, 1, length + 1);
    if (!to)
        return;
    if (length > 0)
        memcpy(to, text, length);
    to[length] = 0;
}

static void put_message(writer *w, const fm_message *type, const uint8_t *message);

/* The host is little-endian (checked below), so that numbers are copied unchanged. */
static void put_items(writer *w, const fm_field *field, const uint8_t *items, size_t count)
{
    size_t size = fm_field_size(field->type);
    if (size > 0 && count > 0) {
        uint8_t *to = reserve(w, size, size * count);
        if (to)
            memcpy(to, items, size * count);
        return;
    }
    for (size_t i = 0; i < count && !w->full; i++) {
        const uint8_t *item = items + i * item_stride(field);
        if (field->type == FM_FIELD_string) {
            const char *text;
            memcpy(&text, item, sizeof text);
            put_string(w, text);
        } else {
            put_message(w, field->message, item);
        }
    }
}

static void put_field(writer *w, const fm_field *field, const uint8_t *at)
{
    fm_sequence sequence;
    switch (field->shape) {
    case FM_SHAPE_ONE:
    case FM_SHAPE_ARRAY: put_items(w, field, at, field->count); break;
    case FM_SHAPE_SEQUENCE:
        memcpy(&sequence, at, sizeof sequence);
        put_u32(w, sequence.count);
        put_items(w, field, sequence.items, sequence.count);
        break;
    case FM_SHAPE_CONSTANT: break;
    }
}

static void put_message(writer *w, const fm_message *type, const uint8_t *message)
{
    for (size_t i = 0; i < type->field_count && !w->full; i++)
        put_field(w, &type->fields[i], message + type->fields[i].offset);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "CDR is written by copying: the host must be little endian");
_Static_assert(sizeof(((fm_msg_joint_state *)0)->position) == sizeof(fm_sequence), "sequences have one layout");

size_t fm_message_size(const fm_message *type, const void *message)
{
    writer w = {0};
    put_message(&w, type, message);
    return w.at + 4;
}

size_t fm_message_encode(const fm_message *type, const void *message, void *buffer, size_t capacity)
{
    static const uint8_t encapsulation[4] = {0, 1, 0, 0};
    if (capacity < 4)
        return 0;
    memcpy(buffer, encapsulation, 4);
    writer w = {(uint8_t *)buffer + 4, 0, capacity - 4, 0};
    put_message(&w, type, message);
    return w.full ? 0 : w.at + 4;
}

/* --- largest size --------------------------------------------------------------------------------------------------
 */

typedef struct measure {
    const fm_message_limit *limits;
    size_t count;
    char path[256];
    fm_error *error;
} measure;

static int find_limit(const measure *m, const char *path, const char *suffix, size_t *max)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < m->count; i++)
        if (strncmp(m->limits[i].path, path, length) == 0 && strcmp(m->limits[i].path + length, suffix) == 0) {
            *max = m->limits[i].max;
            return 1;
        }
    return 0;
}

/* Limit of a sequence or string; `within` a sequence whose items may have a limit of their own. */
static fm_status limit_of(const measure *m, int within, size_t *max)
{
    if ((within && find_limit(m, m->path, "[]", max)) || find_limit(m, m->path, "", max) || find_limit(m, "*", "", max))
        return FM_OK;
    return fm_fail(m->error, FM_ERR_ARGUMENT, "the field '%s' has no largest length", m->path);
}

static fm_status measure_message(measure *m, const fm_message *type, size_t *bytes);

/* Largest size of one item, with the worst padding before it. */
static fm_status measure_item(measure *m, const fm_field *field, size_t *bytes)
{
    if (field->type == FM_FIELD_MESSAGE)
        return measure_message(m, field->message, bytes);
    *bytes = 2 * fm_field_size(field->type) - 1;
    if (field->type != FM_FIELD_string)
        return FM_OK;
    size_t length;
    fm_status status = limit_of(m, field->shape == FM_SHAPE_SEQUENCE, &length);
    *bytes = status == FM_OK ? 3 + 4 + length + 1 : 0;
    return status;
}

static fm_status measure_field(measure *m, const fm_field *field, size_t *bytes)
{
    size_t item = 0, count = field->count, size = fm_field_size(field->type);
    fm_status status = field->shape == FM_SHAPE_SEQUENCE ? limit_of(m, 0, &count) : FM_OK;
    if (status != FM_OK)
        return status;
    status = measure_item(m, field, &item);
    *bytes = (field->shape == FM_SHAPE_SEQUENCE ? 7 : 0) + (size > 0 ? size - 1 + size * count : item * count);
    return status;
}

static fm_status measure_message(measure *m, const fm_message *type, size_t *bytes)
{
    size_t length = strlen(m->path);
    fm_status status = FM_OK;
    *bytes = 0;
    for (size_t i = 0; i < type->field_count && status == FM_OK; i++) {
        const fm_field *field = &type->fields[i];
        if (field->shape == FM_SHAPE_CONSTANT)
            continue;
        if (length + strlen(field->name) + 2 > sizeof m->path)
            return fm_fail(m->error, FM_ERR_RANGE, "field names below '%s' are too long", m->path);
        size_t added = 0;
        strcpy(m->path + length, length > 0 ? "." : "");
        strcat(m->path, field->name);
        status = measure_field(m, field, &added);
        *bytes += added;
        m->path[length] = 0;
    }
    return status;
}

fm_status fm_message_max_size(const fm_message *type, const fm_message_limit *limits, size_t limit_count, size_t *size,
                              fm_error *error)
{
    measure m = {limits, limit_count, "", error};
    fm_status status = measure_message(&m, type, size);
    *size += 4;
    return status;
}

/* --- decoding into the C struct ------------------------------------------------------------------------------------
 */

typedef struct reader {
    const uint8_t *body;
    size_t at, size;
    fm_arena *arena;
    const char *message;
    fm_error *error;
} reader;

static fm_status cut_short(const reader *r, const fm_field *field)
{
    return fm_fail(r->error, FM_ERR_SYNTAX, "%s: the message ends within the field '%s' (%zu bytes)", r->message,
                   field->name, r->size + 4);
}

/* Aligns and consumes `bytes`; NULL if there are fewer. */
static const uint8_t *take(reader *r, size_t align, size_t bytes)
{
    size_t start = (r->at + align - 1) / align * align;
    if (start > r->size || bytes > r->size - start)
        return NULL;
    r->at = start + bytes;
    return r->body + start;
}

static fm_status get_message(reader *r, const fm_message *type, uint8_t *message);

static fm_status get_string(reader *r, const fm_field *field, uint8_t *at)
{
    uint32_t length;
    const uint8_t *from = take(r, 4, 4);
    if (!from)
        return cut_short(r, field);
    memcpy(&length, from, 4);
    from = take(r, 1, length);
    if (!from || (length > 0 && from[length - 1] != 0))
        return cut_short(r, field);
    char *text = fm_arena_alloc(r->arena, length + 1u);
    if (!text)
        return fm_fail(r->error, FM_ERR_MEMORY, "out of memory in a message");
    memcpy(text, from, length);
    memcpy(at, &text, sizeof text);
    return FM_OK;
}

static fm_status get_items(reader *r, const fm_field *field, uint8_t *at, size_t count)
{
    size_t size = fm_field_size(field->type);
    if (size > 0 && count > 0) {
        const uint8_t *from = count <= r->size ? take(r, size, size * count) : NULL;
        if (!from)
            return cut_short(r, field);
        memcpy(at, from, size * count);
        return FM_OK;
    }
    fm_status status = FM_OK;
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        uint8_t *item = at + i * item_stride(field);
        status = field->type == FM_FIELD_string ? get_string(r, field, item) : get_message(r, field->message, item);
    }
    return status;
}

static fm_status get_sequence(reader *r, const fm_field *field, uint8_t *at)
{
    uint32_t count;
    const uint8_t *from = take(r, 4, 4);
    if (!from)
        return cut_short(r, field);
    memcpy(&count, from, 4);
    if (count > r->size - r->at) /* every item takes a byte or more */
        return cut_short(r, field);
    void *items = fm_arena_alloc(r->arena, count * item_stride(field) + 1);
    if (!items)
        return fm_fail(r->error, FM_ERR_MEMORY, "out of memory in a message");
    fm_sequence sequence = {items, count};
    memcpy(at, &sequence, sizeof sequence);
    return get_items(r, field, items, count);
}

static fm_status get_message(reader *r, const fm_message *type, uint8_t *message)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < type->field_count && status == FM_OK; i++) {
        const fm_field *field = &type->fields[i];
        uint8_t *at = message + field->offset;
        if (field->shape == FM_SHAPE_SEQUENCE)
            status = get_sequence(r, field, at);
        else if (field->shape != FM_SHAPE_CONSTANT)
            status = get_items(r, field, at, field->count);
    }
    return status;
}

fm_status fm_message_decode(const fm_message *type, const void *data, size_t size, void *message, fm_arena *arena,
                            fm_error *error)
{
    static const uint8_t encapsulation[2] = {0, 1};
    if (type->struct_size == 0)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s has no C struct", type->name);
    if (size < 4 || memcmp(data, encapsulation, 2) != 0)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: not little-endian CDR (it starts with 00 01)", type->name);
    reader r = {(const uint8_t *)data + 4, 0, size - 4, arena, type->name, error};
    return get_message(&r, type, message);
}
