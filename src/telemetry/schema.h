/* Schema texts ("ros2msg"): written from descriptors into every log and parsed back into descriptors, so that a log is
 * decoded by the definitions in it, not by those of the program that reads it. */
#ifndef FM_TELEMETRY_SCHEMA_H
#define FM_TELEMETRY_SCHEMA_H

#include "telemetry/message.h"

/* The definition of a type, followed by those of all nested types. Units are written as "# [m/s]" after a field.
 * Allocated with fm_alloc, NULL when out of memory; the caller frees it. */
char *fm_schema_text(const fm_message *type);

/* The definition of a type alone, as in a .msg file. */
char *fm_schema_definition(const fm_message *type);

/* "nav_msgs/msg/Odometry", the name of a schema. */
void fm_schema_name(const fm_message *type, char *name, size_t capacity);

/* Parses such a text (any ros2msg text). `name` is the schema's name. The result lives in the arena; it has no C
 * struct. */
fm_status fm_schema_parse(const char *name, const char *text, size_t length, fm_arena *arena, const fm_message **type,
                          fm_error *error);

#endif
