/* Names of the items of a message: where a message lists names ("names" or "name") beside sequences of numbers, each
 * number is called by its name. Names may come and go from message to message. Inside of a layout. */
#ifndef FM_TELEMETRY_LAYOUT_NAMES_H
#define FM_TELEMETRY_LAYOUT_NAMES_H

#include "base/memory.h"

enum { FM_LAYOUT_NAMES_MOST = 4096 }; /* items of a log with more names than this are numbered */

typedef struct fm_layout_name {
    const char *name;
    const char *unit; /* as given by the first message that has it; "" */
    size_t again;     /* number of earlier items with this name in the same message */
    size_t seen;      /* the last message that contained it */
} fm_layout_name;

typedef struct fm_layout_names {
    fm_layout_name *items; /* in order of first appearance */
    size_t count, room;
    size_t *index; /* for each item of the current message: the index of its name */
    size_t index_count, index_room;
    size_t message; /* number of the message at hand */
    size_t unnamed; /* the most numbers after the last name in any message */
    int off;        /* too many names: items are numbered */
} fm_layout_names;

/* A message begins. */
void fm_layout_names_begin(fm_layout_names *names);
/* The next name of the message. An unknown name is added if `add`; otherwise it has no index. 0: no memory. */
int fm_layout_names_next(fm_layout_names *names, fm_arena *arena, const char *text, size_t length, int add);
/* The unit of item i of the message. */
int fm_layout_names_unit(fm_layout_names *names, fm_arena *arena, size_t i, const char *text, size_t length);
/* Column of item i of the message within its sequence; -1: none. */
long fm_layout_names_index(const fm_layout_names *names, size_t i);

#endif
