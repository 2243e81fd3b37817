/* XML of other programs as a tree. Every element and attribute remembers whether an importer has read it, so that what
 * was not read can be listed. No document types, no external entities, no network. */
#ifndef FM_IMPORTS_FOREIGN_XML_H
#define FM_IMPORTS_FOREIGN_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    FM_FOREIGN_BYTES_MOST = 32 << 20, /* of a file */
    FM_FOREIGN_ELEMENTS_MOST = 50000, /* of a file */
    FM_FOREIGN_DEPTH_MOST = 200,      /* elements inside each other */
};

typedef struct fm_foreign_attr {
    const char *name, *value;
    bool read;
    struct fm_foreign_attr *next;
} fm_foreign_attr;

typedef struct fm_foreign {
    const char *name; /* with its prefix: "gz:dvl" */
    const char *text; /* without spaces at both ends; "" if none */
    const char *file;
    int line;
    bool read;
    fm_foreign_attr *attrs;
    struct fm_foreign *parent, *first, *last, *next;
} fm_foreign;

/* The root of an XML text; `file` is its name in messages and is copied. NULL and *error on failure. */
fm_foreign *fm_foreign_parse(fm_arena *arena, const char *file, const char *text, size_t size, fm_error *error);

/* Finding marks as read. A name is compared without its prefix. */
fm_foreign *fm_foreign_child(fm_foreign *parent, const char *name); /* the first; NULL: none */
/* The next child of that name; `previous` NULL: the first. */
fm_foreign *fm_foreign_next(fm_foreign *parent, const char *name, fm_foreign *previous);
const char *fm_foreign_attr_get(fm_foreign *element, const char *name); /* NULL: none */
/* Whether an element's name without its prefix is this. */
bool fm_foreign_is(const fm_foreign *element, const char *name);
/* Marks an element with all that is inside as read. */
void fm_foreign_accept(fm_foreign *element);

#endif
