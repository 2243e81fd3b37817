/* Threads of a world: each stage hands out slots in fixed chunks; results do not depend on who takes which. */
#include "world/pool.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "world/world.h"

struct fm_pool {
    pthread_t *threads;
    int count; /* helpers, beside the caller */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t round; /* counts the jobs */
    int stop;
    fm_world *world;
    void (*work)(fm_world *world, int slot);
    atomic_int next;     /* first slot not yet taken */
    atomic_int finished; /* slots that are done */
};

enum { CHUNK = 64 };

/* A thread that got slots may read world and work: the caller waits for these slots before it changes them. A helper
 * that wakes late gets none, and nobody waits for it. */
static void take_chunks(fm_pool *pool, int slots)
{
    for (;;) {
        int first = atomic_fetch_add(&pool->next, CHUNK);
        if (first >= slots)
            return;
        int end = first + CHUNK < slots ? first + CHUNK : slots;
        for (int slot = first; slot < end; slot++)
            pool->work(pool->world, slot);
        if (atomic_fetch_add(&pool->finished, end - first) + end - first == slots) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

static void *helper(void *argument)
{
    fm_pool *pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->round;
        int slots = pool->world->slot_count;
        pthread_mutex_unlock(&pool->lock);
        take_chunks(pool, slots);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

fm_pool *fm_pool_create(int threads)
{
    fm_pool *pool = fm_alloc(sizeof *pool);
    if (!pool)
        return NULL;
    pool->threads = fm_alloc((size_t)(threads - 1) * sizeof *pool->threads);
    if (!pool->threads) {
        fm_free(pool);
        return NULL;
    }
    atomic_store(&pool->next, INT_MAX / 2); /* nothing to take before the first job */
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->count < threads - 1) {
        if (pthread_create(&pool->threads[pool->count], NULL, helper, pool) != 0) {
            fm_pool_free(pool);
            return NULL;
        }
        pool->count++;
    }
    return pool;
}

void fm_pool_free(fm_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = 1;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    fm_free(pool->threads);
    fm_free(pool);
}

void fm_pool_run(fm_pool *pool, fm_world *world, void (*work)(fm_world *world, int slot))
{
    int slots = world->slot_count;
    if (slots <= CHUNK) { /* not worth waking anybody */
        for (int slot = 0; slot < slots; slot++)
            work(world, slot);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->world = world;
    pool->work = work;
    atomic_store(&pool->finished, 0);
    atomic_store(&pool->next, 0);
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    take_chunks(pool, slots);
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->finished) < slots)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
