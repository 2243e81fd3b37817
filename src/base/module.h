/* Modules: parts of the library in shared objects of their own (libfathom-netcdf.so, libfathom-mpi.so …), loaded on
 * first use. */
#ifndef FM_BASE_MODULE_H
#define FM_BASE_MODULE_H

#include "base/error.h"

/* Opens a shared object: next to the library or program that contains this code, or in its lib folder; otherwise by
 * name, where the system searches. `flags` as for dlopen. NULL: not found. */
void *fm_module_open(const char *name, int flags);

/* A module whose table begins with the version of its build. */
typedef struct fm_module {
    const char *file, *table;   /* "libfathom-netcdf.so", the symbol of its table */
    const char *work, *package; /* "reading and writing NetCDF"; the Debian package that a build needs for it */
    _Atomic(const void *) found;
} fm_module;

/* The module's table; it stays loaded. NULL: not found or of another version; `error` (may be NULL) has the reason. Any
 * thread. */
const void *fm_module_find(fm_module *module, fm_error *error);

#endif
