/* Copies of what a caller passes in the options of a search or a fit. */
#ifndef FM_STUDIES_OPTIONS_H
#define FM_STUDIES_OPTIONS_H

#include <fathom/model.h>
#include <stdbool.h>

#include "base/memory.h"

/* Copies a list of texts into the arena; false: no memory. */
bool fm_options_copy_texts(fm_arena *arena, const char *const **list, size_t count);
/* Copies what a scenario was loaded with; `from` NULL: no options. `report` and `warn` are left out. */
bool fm_options_copy_load(fm_arena *arena, const fm_load_options *from, fm_load_options *to);
/* Adds to a hash, FNV-1a. */
void fm_options_hash(uint64_t *hash, const void *bytes, size_t size);
void fm_options_hash_text(uint64_t *hash, const char *text);

#endif
