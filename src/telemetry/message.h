/* Messages: C structs, their descriptors, and CDR. All come from message_table.h.
 *
 * Encoding is XCDR1, little endian: the encapsulation 00 01 00 00, then the fields in order, each aligned to its size
 * relative to the end of the encapsulation. Those bytes go unchanged into logs, to browsers and to DDS. */
#ifndef FM_TELEMETRY_MESSAGE_H
#define FM_TELEMETRY_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

typedef enum fm_field_type {
    FM_FIELD_bool,
    FM_FIELD_byte,
    FM_FIELD_int8,
    FM_FIELD_uint8,
    FM_FIELD_int16,
    FM_FIELD_uint16,
    FM_FIELD_int32,
    FM_FIELD_uint32,
    FM_FIELD_int64,
    FM_FIELD_uint64,
    FM_FIELD_float32,
    FM_FIELD_float64,
    FM_FIELD_string,
    FM_FIELD_MESSAGE
} fm_field_type;

typedef enum fm_field_shape {
    FM_SHAPE_ONE,
    FM_SHAPE_ARRAY,    /* exactly `count` */
    FM_SHAPE_SEQUENCE, /* any number */
    FM_SHAPE_CONSTANT  /* not on the wire; `value` */
} fm_field_shape;

struct fm_message;

typedef struct fm_field {
    const char *name;
    fm_field_type type;
    fm_field_shape shape;
    size_t count;                     /* of an ARRAY */
    size_t offset;                    /* in the C struct; unused in a parsed schema */
    const struct fm_message *message; /* the nested message of FM_FIELD_MESSAGE */
    const char *unit;                 /* "m/s"; "" if the field has none of its own */
    const char *value;                /* of a CONSTANT */
} fm_field;

typedef struct fm_message {
    const char *package; /* "nav_msgs" */
    const char *name;    /* "Odometry" */
    const fm_field *fields;
    size_t field_count;
    size_t struct_size; /* bytes of the C struct; 0 in a parsed schema */
} fm_message;

/* Every sequence field of a message struct has this layout, with a typed `items`. */
typedef struct fm_sequence {
    const void *items;
    size_t count;
} fm_sequence;

typedef uint8_t fm_c_bool;
typedef uint8_t fm_c_byte;
typedef int8_t fm_c_int8;
typedef uint8_t fm_c_uint8;
typedef int16_t fm_c_int16;
typedef uint16_t fm_c_uint16;
typedef int32_t fm_c_int32;
typedef uint32_t fm_c_uint32;
typedef int64_t fm_c_int64;
typedef uint64_t fm_c_uint64;
typedef float fm_c_float32;
typedef double fm_c_float64;
typedef const char *fm_c_string;

/* fm_msg_odometry and its like */
#define MESSAGE(self, package, title) typedef struct fm_msg_##self {
#define FIELD(self, type, name, unit) fm_c_##type name;
#define ARRAY(self, type, name, count, unit) fm_c_##type name[count];
#define SEQUENCE(self, type, name, unit)                                                                               \
    struct {                                                                                                           \
        const fm_c_##type *items;                                                                                      \
        size_t count;                                                                                                  \
    } name;
#define NESTED(self, type, name, unit) fm_msg_##type name;
#define NESTED_ARRAY(self, type, name, count, unit) fm_msg_##type name[count];
#define NESTED_SEQUENCE(self, type, name, unit)                                                                        \
    struct {                                                                                                           \
        const fm_msg_##type *items;                                                                                    \
        size_t count;                                                                                                  \
    } name;
#define CONSTANT(self, type, name, value)
#define END(self)                                                                                                      \
    }                                                                                                                  \
    fm_msg_##self;
#include "telemetry/message_table.h"
#include "telemetry/message_undef.h"

/* FM_MSG_range_ULTRASOUND and its like */
#define MESSAGE(self, package, title)
#define FIELD(self, type, name, unit)
#define ARRAY(self, type, name, count, unit)
#define SEQUENCE(self, type, name, unit)
#define NESTED(self, type, name, unit)
#define NESTED_ARRAY(self, type, name, count, unit)
#define NESTED_SEQUENCE(self, type, name, unit)
#define CONSTANT(self, type, name, value) FM_MSG_##self##_##name = value,
#define END(self)
enum {
#include "telemetry/message_table.h"
};
#include "telemetry/message_undef.h"

/* fm_msg_odometry_type and its like: the descriptors */
#define MESSAGE(self, package, title) extern const fm_message fm_msg_##self##_type;
#define FIELD(self, type, name, unit)
#define ARRAY(self, type, name, count, unit)
#define SEQUENCE(self, type, name, unit)
#define NESTED(self, type, name, unit)
#define NESTED_ARRAY(self, type, name, count, unit)
#define NESTED_SEQUENCE(self, type, name, unit)
#define CONSTANT(self, type, name, value)
#define END(self)
#include "telemetry/message_table.h"
#include "telemetry/message_undef.h"

/* All messages of the table, in its order. */
extern const fm_message *const fm_messages[];
extern const size_t fm_message_count;

/* By "nav_msgs/msg/Odometry" or "nav_msgs/Odometry"; NULL when unknown. */
const fm_message *fm_message_find(const char *name);

/* Bytes and alignment of one value on the wire; 0 for string and message. */
size_t fm_field_size(fm_field_type type);
const char *fm_field_type_name(fm_field_type type);

/* Bytes that fm_message_encode will write for this message, encapsulation included. */
size_t fm_message_size(const fm_message *type, const void *message);

/* The longest that a string (bytes without NUL) or a sequence (items) at a path can be; an item of a nested sequence
 * has no index ("transforms.child_frame_id"). "names[]" applies to the strings of the sequence "names", if they have
 * their own limit. The path "*" applies to all strings and sequences not listed. */
typedef struct fm_message_limit {
    const char *path;
    size_t max;
} fm_message_limit;

/* A size that no message within the limits exceeds. FM_ERR_ARGUMENT if a string or sequence has no limit. */
fm_status fm_message_max_size(const fm_message *type, const fm_message_limit *limits, size_t limit_count, size_t *size,
                              fm_error *error);

/* Writes CDR into buffer and returns its size, or 0 if capacity is too small. Never allocates. */
size_t fm_message_encode(const fm_message *type, const void *message, void *buffer, size_t capacity);

/* The inverse, for a type of the table: fills the C struct; strings and sequences live in the arena. */
fm_status fm_message_decode(const fm_message *type, const void *data, size_t size, void *message, fm_arena *arena,
                            fm_error *error);

/* A ROS time from nanoseconds. */
static inline fm_msg_time fm_msg_time_from_ns(uint64_t ns)
{
    return (fm_msg_time){(int32_t)(ns / 1000000000u), (uint32_t)(ns % 1000000000u)};
}

#endif
