#include "bridges/ros2/ros2_names.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/describe.h"
#include "base/memory.h"

static const fm_field no_fields[] = {
    {"structure_needs_at_least_one_member", FM_FIELD_uint8, FM_SHAPE_ONE, 1, 0, NULL, "", NULL}};
const fm_message fm_ros2_empty = {"std_msgs", "Empty", no_fields, 1, 1};
const fm_message fm_ros2_trigger_request = {"std_srvs", "Trigger_Request", no_fields, 1, 1};

/* --- names --- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void fm_ros2_plain_name(const char *name, char *plain, size_t room)
{
    size_t n = 0;
    for (char before = '/'; *name && n + 1 < room; before = *name++) {
        if (is_digit(*name) && before == '/')
            plain[n++] = 'n';
        if (n + 1 < room)
            plain[n++] = is_letter(*name) || is_digit(*name) || *name == '/' ? *name : '_';
    }
    plain[n] = 0;
}

void fm_ros2_topic_name(const char *name, char *topic, size_t room)
{
    snprintf(topic, room, "rt");
    fm_ros2_plain_name(name, topic + 2, room - 2);
}

void fm_ros2_service_names(const char *name, char *request, char *reply, size_t room)
{
    char plain[FM_ROS2_NAME - 16];
    fm_ros2_plain_name(name, plain, sizeof plain);
    snprintf(request, room, "rq%sRequest", plain);
    snprintf(reply, room, "rr%sReply", plain);
}

/* Requests and responses belong to a service, all other types are messages. */
static const char *family_of(const fm_message *type)
{
    const char *end = strrchr(type->name, '_');
    return end && (strcmp(end, "_Request") == 0 || strcmp(end, "_Response") == 0) ? "srv" : "msg";
}

void fm_ros2_type_name(const fm_message *type, char *name, size_t room)
{
    snprintf(name, room, "%s::%s::dds_::%s_", type->package, family_of(type), type->name);
}

/* --- hashes --- */

/* Texts are hashed as they are written. */
typedef struct hasher {
    crypto_hash_sha256_state state;
} hasher;

static void hash_text(hasher *h, const char *text)
{
    crypto_hash_sha256_update(&h->state, (const unsigned char *)text, strlen(text));
}

/* Numbers of type_description_interfaces/FieldType. */
static unsigned type_number(const fm_field *field)
{
    static const uint8_t numbers[] = {
        [FM_FIELD_bool] = 15,   [FM_FIELD_byte] = 16,  [FM_FIELD_int8] = 2,     [FM_FIELD_uint8] = 3,
        [FM_FIELD_int16] = 4,   [FM_FIELD_uint16] = 5, [FM_FIELD_int32] = 6,    [FM_FIELD_uint32] = 7,
        [FM_FIELD_int64] = 8,   [FM_FIELD_uint64] = 9, [FM_FIELD_float32] = 10, [FM_FIELD_float64] = 11,
        [FM_FIELD_string] = 17, [FM_FIELD_MESSAGE] = 1};
    enum { ARRAY = 48, SEQUENCE = 144 };
    unsigned shape = field->shape == FM_SHAPE_ARRAY ? ARRAY : field->shape == FM_SHAPE_SEQUENCE ? SEQUENCE : 0;
    return numbers[field->type] + shape;
}

static void full_name(const fm_message *type, char *name, size_t room)
{
    snprintf(name, room, "%s/%s/%s", type->package, family_of(type), type->name);
}

static void hash_field(hasher *h, const fm_field *field)
{
    char number[64], nested[FM_ROS2_NAME] = "";
    if (field->message)
        full_name(field->message, nested, sizeof nested);
    hash_text(h, "{\"name\": \"");
    hash_text(h, field->name);
    snprintf(number, sizeof number, "\", \"type\": {\"type_id\": %u, \"capacity\": %zu", type_number(field),
             field->shape == FM_SHAPE_ARRAY ? field->count : 0);
    hash_text(h, number);
    hash_text(h, ", \"string_capacity\": 0, \"nested_type_name\": \"");
    hash_text(h, nested);
    hash_text(h, "\"}}");
}

static void hash_type(hasher *h, const fm_message *type)
{
    char name[FM_ROS2_NAME];
    const char *comma = "";
    full_name(type, name, sizeof name);
    hash_text(h, "{\"type_name\": \"");
    hash_text(h, name);
    hash_text(h, "\", \"fields\": [");
    for (size_t i = 0; i < type->field_count; i++)
        if (type->fields[i].shape != FM_SHAPE_CONSTANT) {
            hash_text(h, comma);
            hash_field(h, &type->fields[i]);
            comma = ", ";
        }
    hash_text(h, "]}");
}

enum { REFERENCES = 32 }; /* types that one type uses; the scene uses 12 */

typedef struct references {
    const fm_message *types[REFERENCES]; /* in the order of their names */
    char names[REFERENCES][FM_ROS2_NAME];
    size_t count;
    int full;
} references;

static void collect_references(references *r, const fm_message *type);

static void add_reference(references *r, const fm_message *type)
{
    char name[FM_ROS2_NAME];
    size_t at = 0;
    full_name(type, name, sizeof name);
    while (at < r->count && strcmp(r->names[at], name) < 0)
        at++;
    if (at < r->count && strcmp(r->names[at], name) == 0)
        return;
    if (r->count == REFERENCES) {
        r->full = 1;
        return;
    }
    memmove(&r->types[at + 1], &r->types[at], (r->count - at) * sizeof r->types[0]);
    memmove(&r->names[at + 1], &r->names[at], (r->count - at) * sizeof r->names[0]);
    r->types[at] = type;
    memcpy(r->names[at], name, sizeof name);
    r->count++;
    collect_references(r, type);
}

static void collect_references(references *r, const fm_message *type)
{
    for (size_t i = 0; i < type->field_count; i++)
        if (type->fields[i].message)
            add_reference(r, type->fields[i].message);
}

static void write_hash(const unsigned char digest[crypto_hash_sha256_BYTES], char hash[FM_ROS2_HASH])
{
    static const char digits[] = "0123456789abcdef";
    memcpy(hash, "RIHS01_", 7);
    for (size_t i = 0; i < crypto_hash_sha256_BYTES; i++) {
        hash[7 + 2 * i] = digits[digest[i] >> 4];
        hash[8 + 2 * i] = digits[digest[i] & 15];
    }
    hash[FM_ROS2_HASH - 1] = 0;
}

fm_status fm_ros2_type_hash(const fm_message *type, char hash[FM_ROS2_HASH], fm_error *error)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    references *r = fm_alloc(sizeof *r);
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the hash of a type");
    hasher h;
    crypto_hash_sha256_init(&h.state);
    hash_text(&h, "{\"type_description\": ");
    hash_type(&h, type);
    hash_text(&h, ", \"referenced_type_descriptions\": [");
    collect_references(r, type);
    for (size_t i = 0; i < r->count; i++) {
        hash_text(&h, i ? ", " : "");
        hash_type(&h, r->types[i]);
    }
    hash_text(&h, "]}");
    crypto_hash_sha256_final(&h.state, digest);
    write_hash(digest, hash);
    int full = r->full;
    fm_free(r);
    return full ? fm_fail(error, FM_ERR_RANGE, "%s uses more than %d types", type->name, REFERENCES) : FM_OK;
}
