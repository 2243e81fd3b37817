/* Descriptions of what a user can write: elements and their attributes, in one table per element.
 *
 * The same table drives the XML reader, its checks and "did you mean" suggestions, the parameter tree, the reference
 * page of the manual and the generated RELAX NG schema. A part (force term, actuator, sensor, controller, flow model)
 * has its own fm_element; built-in parts and plugins register through the same fm_registry.
 *
 * All tables are constant, must live as long as the models loaded with them, and may be read by any thread. */
#ifndef FATHOM_DESCRIBE_H
#define FATHOM_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

/* Type of an attribute, and of the struct member that takes its value. */
typedef enum fm_attr_type {
    FM_ATTR_REAL,   /* one number with a unit          -> double */
    FM_ATTR_VECTOR, /* exactly `count` numbers followed by one unit ("0 0 10 m") -> double[count] */
    FM_ATTR_LIST,   /* 1 … `count` numbers followed by one unit -> fm_list */
    FM_ATTR_INT,    /* a whole number                  -> int64_t */
    FM_ATTR_BOOL,   /* "true" or "false" (also yes/no, 1/0) -> int64_t 0 or 1 */
    FM_ATTR_CHOICE, /* one of `choices`                -> int64_t, the index */
    FM_ATTR_TEXT,   /* any text                        -> const char * */
    FM_ATTR_NAME,   /* an identifier [A-Za-z_][A-Za-z0-9_.-]* -> const char * */
    FM_ATTR_FILE    /* a path, relative to the file it is written in -> const char *, resolved */
} fm_attr_type;

enum {
    FM_ATTR_REQUIRED = 1u << 0, /* must be written; otherwise `fallback` applies (NULL: left unset, zero bytes) */
    FM_ATTR_LIVE = 1u << 1      /* may change in a running world; only REAL, VECTOR, INT, BOOL, CHOICE */
};

/* The numbers of a LIST attribute; they belong to the model. */
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
    size_t count;               /* numbers in a VECTOR; maximum number in a LIST */
    const char *const *choices; /* NULL-terminated, for CHOICE */
} fm_attr;

enum {
    FM_ELEMENT_ONCE = 1u << 0,     /* at most once below its parent */
    FM_ELEMENT_REQUIRED = 1u << 1, /* at least once below its parent */
    FM_ELEMENT_OPEN = 1u << 2, /* accepts more attributes, with names unknown to the table (actuators of a vehicle) */
    FM_ELEMENT_TRANSPARENT = 1u << 3, /* not part of the parameter paths below it: /water/density, but /world/dt */
    FM_ELEMENT_LAID = 1u << 4         /* overrides a model: what is required inside may be given by the model */
};

/* One element: its attributes, children and config struct. */
typedef struct fm_element {
    const char *name; /* "autopilot" */
    const char *text; /* one or two sentences for the manual */
    const fm_attr *attrs;
    size_t attr_count;
    const struct fm_element *const *children; /* NULL-terminated, or NULL */
    const char *const *groups; /* names of registry groups accepted as children, NULL-terminated, or NULL */
    size_t config_size;        /* bytes of the config struct the offsets refer to */
    size_t parent_offset;      /* of a ONCE child: offset of its struct in its parent's; 0: none */
    unsigned flags;
    /* Where several elements share a name, the attribute `kind` selects one: <bridge kind="dis">. It is not among
     * `attrs`. NULL: the name alone selects the element. */
    const char *kind;
} fm_element;

/* Number of elements of an array. */
#define FM_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- rows of an attribute table, arguments always in this order ---
 *
 * 1. the struct and the member that takes the value
 * 2. for vectors the number of values, for lists the maximum number, for choices their names
 * 3. the name in the file
 * 4. unit, minimum and maximum (0, 0: no limits)
 * 5. the default as a user would write it, or NULL
 * 6. flags, or 0
 * 7. one sentence for the manual */
#define FM_REAL_ATTR(its_type, member, its_name, its_unit, low, high, its_default, its_flags, its_text)                \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_REAL, .offset = offsetof(its_type, member), .unit = its_unit, .min = low,    \
        .max = high, .fallback = its_default, .text = its_text, .flags = its_flags                                     \
    }
#define FM_VECTOR_ATTR(its_type, member, its_count, its_name, its_unit, low, high, its_default, its_flags, its_text)   \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_VECTOR, .offset = offsetof(its_type, member), .unit = its_unit, .min = low,  \
        .max = high, .fallback = its_default, .text = its_text, .flags = its_flags, .count = its_count                 \
    }
#define FM_LIST_ATTR(its_type, member, most, its_name, its_unit, low, high, its_flags, its_text)                       \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_LIST, .offset = offsetof(its_type, member), .unit = its_unit, .min = low,    \
        .max = high, .text = its_text, .flags = its_flags, .count = most                                               \
    }
#define FM_INT_ATTR(its_type, member, its_name, low, high, its_default, its_flags, its_text)                           \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_INT, .offset = offsetof(its_type, member), .min = low, .max = high,          \
        .fallback = its_default, .text = its_text, .flags = its_flags                                                  \
    }
#define FM_CHOICE_ATTR(its_type, member, its_choices, its_name, its_default, its_flags, its_text)                      \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_CHOICE, .offset = offsetof(its_type, member), .fallback = its_default,       \
        .text = its_text, .flags = its_flags, .choices = its_choices                                                   \
    }
/* Without a unit: BOOL, TEXT, NAME, FILE. */
#define FM_WORD_ATTR(which, its_type, member, its_name, its_default, its_flags, its_text)                              \
    {                                                                                                                  \
        .name = its_name, .type = which, .offset = offsetof(its_type, member), .fallback = its_default,                \
        .text = its_text, .flags = its_flags                                                                           \
    }
#define FM_BOOL_ATTR(its_type, member, its_name, its_default, its_flags, its_text)                                     \
    FM_WORD_ATTR(FM_ATTR_BOOL, its_type, member, its_name, its_default, its_flags, its_text)
#define FM_TEXT_ATTR(its_type, member, its_name, its_default, its_flags, its_text)                                     \
    FM_WORD_ATTR(FM_ATTR_TEXT, its_type, member, its_name, its_default, its_flags, its_text)
#define FM_NAME_ATTR(its_type, member, its_name, its_default, its_flags, its_text)                                     \
    FM_WORD_ATTR(FM_ATTR_NAME, its_type, member, its_name, its_default, its_flags, its_text)
#define FM_FILE_ATTR(its_type, member, its_name, its_default, its_flags, its_text)                                     \
    FM_WORD_ATTR(FM_ATTR_FILE, its_type, member, its_name, its_default, its_flags, its_text)

/* An element whose values go into its_type; the children are a NULL-terminated list, or NULL. */
#define FM_TABLE_ELEMENT(its_type, its_name, its_attrs, its_children, its_flags, its_text)                             \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .children = its_children, .config_size = sizeof(its_type), .flags = its_flags                                  \
    }
/* The same for an element that accepts parts of registered groups; their names, NULL-terminated. */
#define FM_GROUPS_ELEMENT(its_type, its_name, its_attrs, its_children, its_groups, its_flags, its_text)                \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .children = its_children, .groups = its_groups, .config_size = sizeof(its_type), .flags = its_flags            \
    }
/* An element without attributes. */
#define FM_BARE_ELEMENT(its_name, its_children, its_flags, its_text)                                                   \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .children = its_children, .flags = its_flags                               \
    }
/* A child that may occur once; its values go into a member of its parent's struct. */
#define FM_CHILD_ELEMENT(parent_type, member, its_type, its_name, its_attrs, its_children, its_text)                   \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .children = its_children, .config_size = sizeof(its_type), .parent_offset = offsetof(parent_type, member),     \
        .flags = FM_ELEMENT_ONCE                                                                                       \
    }

#endif
