/* A set of names with two counters each: lookup takes constant time. */
#ifndef FM_BASE_NAMES_H
#define FM_BASE_NAMES_H

#include <stddef.h>

#include "base/error.h"

typedef struct fm_name_entry {
    const char *name;    /* held by the caller; NULL: free */
    size_t count, index; /* the caller's; 0 at first */
} fm_name_entry;

/* Starts as {0}. */
typedef struct fm_name_set {
    fm_name_entry *entries;
    size_t room; /* a power of two */
} fm_name_set;

/* Room for `most` names. */
fm_status fm_name_set_create(fm_name_set *set, size_t most, fm_error *error);
void fm_name_set_free(fm_name_set *set);
/* The entry of a name, added if it is new; '-' and '_' are the same. No more names than there is space for. */
fm_name_entry *fm_name_set_at(fm_name_set *set, const char *name);

#endif
