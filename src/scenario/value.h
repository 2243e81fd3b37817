/* The value of one attribute: parsed from the user's text, checked against the attribute's description. */
#ifndef FM_SCENARIO_VALUE_H
#define FM_SCENARIO_VALUE_H

#include "base/describe.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/registry.h"

typedef enum fm_value_source {
    FM_VALUE_UNSET,   /* neither written nor a default */
    FM_VALUE_DEFAULT, /* the attribute's fallback */
    FM_VALUE_WRITTEN  /* in a file or by --set */
} fm_value_source;

typedef struct fm_value {
    fm_value_source source;
    const char *written; /* as written by the user (or the fallback); NULL if unset */
    const char *file;    /* its location; for a default, that of its element */
    int line;
    const double *numbers; /* REAL, VECTOR, LIST: in the attribute's unit */
    size_t count;          /* of numbers */
    int64_t integer;       /* INT, BOOL, CHOICE */
    const char *text;      /* TEXT, NAME, FILE (resolved against the folder of `file`); the name of a CHOICE */
} fm_value;

enum { FM_VALUE_LENGTH = 1 << 20 }; /* longest attribute accepted, bytes */

/* Parses `written` into *value; all memory comes from the arena, `file` is kept as a pointer. On failure the error has
 * the value and the accepted range, without the name of the attribute. */
fm_status fm_value_parse(fm_arena *arena, const fm_attr *attr, const char *written, const char *file, int line,
                         fm_value *value, fm_error *error);

/* Writes the value to its place in a config struct; an unset value becomes zero bytes. */
void fm_value_store(const fm_attr *attr, const fm_value *value, void *config);

/* Writes the value in the attribute's unit as a user would write it ("0 0 10 m", "true", "heun"). Returns buffer. */
const char *fm_value_write(const fm_attr *attr, const fm_value *value, char *buffer, size_t size);

/* Writes the accepted range ("0 … 100 m", "0 m or more", "" without limits). Returns buffer. */
const char *fm_range_write(const fm_attr *attr, char *buffer, size_t size);

/* "number", "3 numbers", "choice" … for manuals. Returns buffer. */
const char *fm_attr_type_write(const fm_attr *attr, char *buffer, size_t size);

/* Checks a table, with all elements below it: names, units, limits, fallbacks, offsets. For tests and plugins. */
fm_status fm_element_check(const fm_element *element, const fm_registry *registry, fm_error *error);

#endif
