/* Option structs of callers whose headers may be older or newer than the library. Each begins with `size`. */
#ifndef FM_BASE_OPTIONS_H
#define FM_BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/* Fills `copy` (`room` bytes) with the caller's options; NULL: zeros, the defaults. Members that an older header lacks
 * are 0. Refuses set members of a newer header, since they would have no effect. `first` is the size of the struct in
 * version 0.1, which a `size` of 0 stands for. */
fm_status fm_options_read(void *copy, size_t room, const void *given, size_t first, const char *name, fm_error *error);

#define FM_READ_OPTIONS(copy, given, type, error) fm_options_read(copy, sizeof(type), given, sizeof(type), #type, error)

#endif
