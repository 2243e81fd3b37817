/* Memory that other processes can remove: a mapping of a shared file that one of them truncates. An access to the
 * removed part raises SIGBUS. With the guard installed, such an access within guarded memory reads an empty page
 * instead; the owner checks fm_guard_faults and maps its file again.
 *
 * Signals belong to the program: the library never installs the guard itself. A signal handler gets no user pointer,
 * so its data is global to the process. */
#ifndef FM_BASE_GUARD_H
#define FM_BASE_GUARD_H

#include <stddef.h>

/* Called by the program, once. A SIGBUS elsewhere ends the process as before. */
void fm_guard_install(void);
/* Up to 16 ranges at once; 0: no entry is free. Any thread. */
int fm_guard_add(const void *data, size_t size);
void fm_guard_remove(const void *data);
/* Number of accesses to removed memory since the process began. */
unsigned long fm_guard_faults(void);

#endif
