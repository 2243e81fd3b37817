/* Lists of pairs in an attribute: "otter=opposing ghost=neutral". */
#ifndef FM_BASE_NAMED_VALUES_H
#define FM_BASE_NAMED_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum { FM_NAMED_VALUE_SIZE = 64 }; /* bytes of a name and of a value, NUL included */

typedef struct fm_named_value {
    char name[FM_NAMED_VALUE_SIZE], value[FM_NAMED_VALUE_SIZE];
} fm_named_value;

/* Reads the pair at *text and moves *text past it. 1: there was one; 0: the end; -1: not NAME=VALUE, or longer than
 * 63 characters. */
int fm_named_value_next(const char **text, fm_named_value *pair);
/* The value of a name in a list that was checked before; NULL: it has none, or the list is NULL. */
const char *fm_named_value_find(const char *list, const char *name, fm_named_value *pair);

#endif
