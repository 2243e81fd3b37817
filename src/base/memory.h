/* Allocation. All of Fathom's own allocations at load and create time go through fm_alloc and fm_realloc, so that a
 * test can fail the N-th of them; most use an arena that is freed as a whole. */
#ifndef FM_BASE_MEMORY_H
#define FM_BASE_MEMORY_H

#include <fathom/status.h>
#include <stddef.h>

/* Zeroed memory, NULL when out of memory; free with fm_free (fathom/status.h). */
void *fm_alloc(size_t size);
void *fm_realloc(void *old, size_t size);

/* For tests: the next `count` allocations of this thread succeed, the one after fails; -1: never fail (the default). */
void fm_alloc_fail_after(long count);
/* For tests: allocations of this thread that are not freed yet. */
long fm_alloc_live(void);
/* For tests: across all threads, the allocation after `count` others fails, and later ones succeed again; -1: none.
 * Whether it has failed; and the number of allocations of all threads not freed yet. */
void fm_alloc_fail_once(long count);
int fm_alloc_failed_once(void);
long fm_alloc_live_everywhere(void);

/* A growing arena: many small pieces, 16-byte aligned and zeroed, freed together. */
typedef struct fm_arena {
    struct fm_arena_block *blocks;
    size_t used; /* bytes handed out */
} fm_arena;

void *fm_arena_alloc(fm_arena *arena, size_t size);     /* NULL when out of memory */
char *fm_arena_text(fm_arena *arena, const char *text); /* a copy of a string */
/* Resets the arena but keeps the newest block, so that pieces that fit into it need no allocation. */
void fm_arena_rewind(fm_arena *arena);
void fm_arena_free(fm_arena *arena);

#endif
