/* Identity of part classes: the name of their element, unique among all parts of a registry (scenario/built_ins.c). The
 * address of a table is no identity: a process may have several copies of it. */
#ifndef FM_BASE_PART_CLASS_H
#define FM_BASE_PART_CLASS_H

#include <fathom/part.h>
#include <string.h>

/* For load time; in a step use fm_part.role (world/model.h). */
static inline int fm_class_is(const fm_part_class *part_class, const char *name)
{
    return strcmp(part_class->element->name, name) == 0;
}

#endif
