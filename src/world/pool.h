/* A pool of threads that works on the slots of a world. */
#ifndef FM_WORLD_POOL_H
#define FM_WORLD_POOL_H

#include <fathom/world.h>

typedef struct fm_pool fm_pool;

fm_pool *fm_pool_create(int threads); /* threads >= 2, the caller included; NULL: no memory or no thread */
void fm_pool_free(fm_pool *pool);
/* Calls work once for every slot and returns when all are done. */
void fm_pool_run(fm_pool *pool, fm_world *world, void (*work)(fm_world *world, int slot));

#endif
