/* Threads that share work, also work that arises within work. */
#ifndef FM_FIGURES_CREW_H
#define FM_FIGURES_CREW_H

#include <stddef.h>

typedef struct fm_crew fm_crew;

/* `threads` of them, the caller included; fewer where no more can be had. NULL when out of memory. */
fm_crew *fm_crew_create(int threads);
void fm_crew_free(fm_crew *crew);
/* Calls work(user, i) for i = 0 … count - 1, on whichever thread is free, and returns when all are done. May be called
 * from within work. */
void fm_crew_share(fm_crew *crew, size_t count, void (*work)(void *user, size_t i), void *user);

#endif
