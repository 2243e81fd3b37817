#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local long fail_after = -1; /* test hook, see fm_alloc_fail_after */
static _Thread_local long live_count;
static _Atomic long fail_once = -1; /* test hook, see fm_alloc_fail_once */
static _Atomic long live_everywhere;

void fm_alloc_fail_after(long count)
{
    fail_after = count;
}

long fm_alloc_live(void)
{
    return live_count;
}

void fm_alloc_fail_once(long count)
{
    fail_once = count;
}

int fm_alloc_failed_once(void)
{
    return fail_once < 0;
}

long fm_alloc_live_everywhere(void)
{
    return live_everywhere;
}

static void count_live(long change)
{
    live_count += change;
    atomic_fetch_add_explicit(&live_everywhere, change, memory_order_relaxed);
}

static int refused(void)
{
    if (atomic_load_explicit(&fail_once, memory_order_relaxed) >= 0 && atomic_fetch_sub(&fail_once, 1) == 0)
        return 1;
    if (fail_after < 0)
        return 0;
    if (fail_after == 0)
        return 1;
    fail_after--;
    return 0;
}

void *fm_alloc(size_t size)
{
    if (refused())
        return NULL;
    void *memory = calloc(1, size ? size : 1);
    if (memory)
        count_live(1);
    return memory;
}

void *fm_realloc(void *old, size_t size)
{
    if (refused())
        return NULL;
    void *memory = realloc(old, size ? size : 1);
    if (memory && !old)
        count_live(1);
    return memory;
}

void fm_free(void *memory)
{
    if (!memory)
        return;
    count_live(-1);
    free(memory);
}

struct fm_arena_block {
    struct fm_arena_block *next;
    size_t size, used;
    size_t padding; /* keeps the data 16-byte aligned */
};

enum { BLOCK_SIZE = 16384, ALIGNMENT = 16 };

static struct fm_arena_block *add_block(fm_arena *arena, size_t need)
{
    size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
    struct fm_arena_block *block = fm_alloc(sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *fm_arena_alloc(fm_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t need = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct fm_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < need)
        block = add_block(arena, need);
    if (!block)
        return NULL;
    void *memory = (char *)(block + 1) + block->used;
    block->used += need;
    arena->used += need;
    return memory;
}

char *fm_arena_text(fm_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = fm_arena_alloc(arena, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void fm_arena_rewind(fm_arena *arena)
{
    struct fm_arena_block *newest = arena->blocks;
    if (!newest)
        return;
    fm_arena older = {.blocks = newest->next};
    fm_arena_free(&older);
    memset(newest + 1, 0, newest->used);
    newest->next = NULL;
    newest->used = arena->used = 0;
}

void fm_arena_free(fm_arena *arena)
{
    struct fm_arena_block *block = arena->blocks;
    while (block) {
        struct fm_arena_block *next = block->next;
        fm_free(block);
        block = next;
    }
    *arena = (fm_arena){0};
}
