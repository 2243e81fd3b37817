/* Memory that other processes can take away: a mapping of a shared file that one of them truncates. An access to what
 * is gone raises SIGBUS. With the guard installed, such an access within guarded memory gets an empty page instead; the
 * owner asks fm_guard_faults and maps its file again.
 *
 * Signals belong to the program: the library never installs the guard itself. A handler gets no pointer from its
 * installer, so what it needs is kept here, for the whole process. */
#ifndef FM_BASE_GUARD_H
#define FM_BASE_GUARD_H

#include <stddef.h>

/* For the program, once. A SIGBUS elsewhere ends the process as before. */
void fm_guard_install(void);
/* Up to 16 ranges at once; 0: no room is left. Any thread. */
int fm_guard_add(const void *data, size_t size);
void fm_guard_remove(const void *data);
/* Accesses that found nothing, since the process began. */
unsigned long fm_guard_faults(void);

#endif
