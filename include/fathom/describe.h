/* Descriptions of what a user can write: elements and their attributes, in one table.
 *
 * The same table drives the XML reader, its checks and "did you mean" answers, the parameter tree, the manual's
 * reference page and the generated RELAX NG schema. A part (force term, actuator, sensor, controller, flow model)
 * brings its own fm_element; built-ins and plugins register through the same fm_registry. */
#ifndef FATHOM_DESCRIBE_H
#define FATHOM_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

typedef enum fm_attr_type {
    FM_ATTR_REAL,   /* one number with a unit          -> double */
    FM_ATTR_VECTOR, /* exactly `count` numbers, one unit behind them ("0 0 10 m") -> double[count] */
    FM_ATTR_LIST,   /* 1 … `count` numbers, one unit behind them -> fm_list */
    FM_ATTR_INT,    /* a whole number                  -> int64_t */
    FM_ATTR_BOOL,   /* "true" or "false" (also yes/no, 1/0) -> int64_t 0 or 1 */
    FM_ATTR_CHOICE, /* one of `choices`                -> int64_t, the index */
    FM_ATTR_TEXT,   /* any text                        -> const char * */
    FM_ATTR_NAME,   /* an identifier [A-Za-z_][A-Za-z0-9_.-]* -> const char * */
    FM_ATTR_FILE    /* a path, relative to the file it stands in -> const char *, resolved */
} fm_attr_type;

enum {
    FM_ATTR_REQUIRED = 1u << 0, /* must be written; otherwise `fallback` (NULL: left unset, zero bytes) holds */
    FM_ATTR_LIVE = 1u << 1      /* may change in a running world; only REAL, VECTOR, INT, BOOL, CHOICE */
};

typedef struct fm_list {
    const double *values;
    size_t count;
} fm_list;

/* One attribute. min and max are in `unit` and apply to each number; min == max == 0 means no limits. */
typedef struct fm_attr {
    const char *name;
    fm_attr_type type;
    size_t offset;    /* of the value in the element's config struct */
    const char *unit; /* the unit the value is delivered in ("m/s", "rad"); "" has no dimension */
    double min, max;
    const char *fallback; /* the default, as a user would write it ("0.5 m"); NULL: none */
    const char *text;     /* one sentence for the manual */
    unsigned flags;
    size_t count;               /* of numbers in a VECTOR, at most in a LIST */
    const char *const *choices; /* NULL-terminated, for CHOICE */
} fm_attr;

enum {
    FM_ELEMENT_ONCE = 1u << 0,     /* at most once below its parent */
    FM_ELEMENT_REQUIRED = 1u << 1, /* at least once below its parent */
    FM_ELEMENT_OPEN = 1u << 2, /* takes further attributes whose names the table cannot know (actuators of a vehicle) */
    FM_ELEMENT_TRANSPARENT = 1u << 3 /* parameter paths of what is inside leave it out: /water/density, but /world/dt */
};

typedef struct fm_element {
    const char *name; /* "autopilot" */
    const char *text; /* one or two sentences for the manual */
    const fm_attr *attrs;
    size_t attr_count;
    const struct fm_element *const *children; /* NULL-terminated, or NULL */
    const char *const *groups; /* names of registry groups accepted as children, NULL-terminated, or NULL */
    size_t config_size;        /* bytes of the config struct the offsets refer to */
    size_t parent_offset;      /* of a ONCE child: where its struct lies inside its parent's; 0: nowhere */
    unsigned flags;
} fm_element;

#define FM_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
