/* Threads that share work, including work created within work. */
#ifndef FM_BASE_THREADS_H
#define FM_BASE_THREADS_H

#include <stddef.h>

typedef struct fm_threads fm_threads;

/* `threads` of them, including the caller; fewer if the system allows no more. NULL when out of memory. */
fm_threads *fm_threads_create(int threads);
int fm_threads_count(const fm_threads *pool); /* how many there are */
void fm_threads_free(fm_threads *pool);
/* Calls work(user, i) for i = 0 … count - 1, on whichever thread is free, and returns when all are done. Pieces are
 * taken in order; each one takes a lock, so that short ones should be combined. May be called from within work. */
void fm_threads_share(fm_threads *pool, size_t count, void (*work)(void *user, size_t i), void *user);

#endif
