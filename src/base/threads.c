/* The pieces of a batch are taken one at a time under one lock; the result does not depend on which thread takes
 * which. */
#include "base/threads.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/memory.h"

typedef struct batch {
    struct batch *below;
    void (*work)(void *user, size_t i);
    void *user;
    size_t count, taken, done;
} batch;

struct fm_threads {
    pthread_t *threads;
    int count;            /* beside the caller */
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t come;  /* a batch came: helpers wait for it */
    pthread_cond_t done;  /* the last piece of a batch is done: wakes the thread that shared it */
    batch *top;           /* the newest batch first: a thread waits for work created within work */
    bool stop;
};

/* Executes one piece of the batch; the lock is held at the start and at the end. */
static void do_piece(fm_threads *pool, batch *b)
{
    size_t i = b->taken++;
    pthread_mutex_unlock(&pool->lock);
    b->work(b->user, i);
    pthread_mutex_lock(&pool->lock);
    if (++b->done == b->count)
        pthread_cond_broadcast(&pool->done);
}

static batch *open_batch(const fm_threads *pool)
{
    batch *b = pool->top;
    while (b && b->taken == b->count)
        b = b->below;
    return b;
}

static void *help(void *argument)
{
    fm_threads *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop) {
        batch *b = open_batch(pool);
        if (b)
            do_piece(pool, b);
        else
            pthread_cond_wait(&pool->come, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

fm_threads *fm_threads_create(int threads)
{
    fm_threads *pool = fm_alloc(sizeof *pool);
    if (!pool)
        return NULL;
    pool->threads = fm_alloc((size_t)(threads > 1 ? threads : 1) * sizeof *pool->threads);
    if (!pool->threads) {
        fm_free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->come, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->count < threads - 1 && pthread_create(&pool->threads[pool->count], NULL, help, pool) == 0)
        pool->count++;
    return pool;
}

int fm_threads_count(const fm_threads *pool)
{
    return pool->count + 1;
}

void fm_threads_free(fm_threads *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->come);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->come);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    fm_free(pool->threads);
    fm_free(pool);
}

static void forget(fm_threads *pool, const batch *b)
{
    batch **link = &pool->top;
    while (*link != b)
        link = &(*link)->below;
    *link = b->below;
}

void fm_threads_share(fm_threads *pool, size_t count, void (*work)(void *user, size_t i), void *user)
{
    if (count == 0)
        return;
    batch own = {.work = work, .user = user, .count = count};
    pthread_mutex_lock(&pool->lock);
    own.below = pool->top;
    pool->top = &own;
    pthread_cond_broadcast(&pool->come);
    while (own.taken < own.count)
        do_piece(pool, &own);
    while (own.done < own.count)
        pthread_cond_wait(&pool->done, &pool->lock);
    forget(pool, &own);
    pthread_mutex_unlock(&pool->lock);
}
