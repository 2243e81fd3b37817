/* Parts of the library that are loaded when they are asked for: libfathom-cuda.so, libfathom-mpi.so. */
#ifndef FM_BASE_MODULE_H
#define FM_BASE_MODULE_H

/* Beside the library or program that this code is in; else by its name, where the system looks. `flags` as for dlopen.
 * NULL: it is not there. */
void *fm_module_open(const char *name, int flags);

#endif
