/* What the reader says about names that it does not know: what is wrong, then what would be right. Each writes into
 * `text` and returns it. */
#ifndef FM_SCENARIO_UNKNOWN_H
#define FM_SCENARIO_UNKNOWN_H

#include "scenario/tree.h"

const char *fm_unknown_attribute_write(const fm_element *element, const char *name, char *text, size_t size);
/* Of an element inside `parent`; root: of the file, for the elements that accept it elsewhere. */
const char *fm_unknown_element_write(const fm_element *root, const fm_registry *registry, const fm_element *parent,
                                     const char *name, char *text, size_t size);
/* Of an element that has several kinds; kind NULL: none is written. */
const char *fm_unknown_kind_write(const fm_element *parent, const fm_registry *registry, const char *name,
                                  const char *kind, char *text, size_t size);

#endif
