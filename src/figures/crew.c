#include "figures/crew.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/memory.h"

typedef struct batch {
    struct batch *below;
    void (*work)(void *user, size_t i);
    void *user;
    size_t count, taken, done;
} batch;

struct fm_crew {
    pthread_t *threads;
    int count;             /* beside the caller */
    pthread_mutex_t lock;  /* of all that follows */
    pthread_cond_t change; /* a batch came, or its last piece was done */
    batch *top;            /* the youngest first: what arose within work keeps somebody waiting */
    bool stop;
};

/* Does one piece of the batch; the lock is held at the start and at the end. */
static void do_piece(fm_crew *crew, batch *b)
{
    size_t i = b->taken++;
    pthread_mutex_unlock(&crew->lock);
    b->work(b->user, i);
    pthread_mutex_lock(&crew->lock);
    if (++b->done == b->count)
        pthread_cond_broadcast(&crew->change);
}

static batch *open_batch(const fm_crew *crew)
{
    batch *b = crew->top;
    while (b && b->taken == b->count)
        b = b->below;
    return b;
}

static void *help(void *argument)
{
    fm_crew *crew = argument;
    pthread_mutex_lock(&crew->lock);
    while (!crew->stop) {
        batch *b = open_batch(crew);
        if (b)
            do_piece(crew, b);
        else
            pthread_cond_wait(&crew->change, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

fm_crew *fm_crew_create(int threads)
{
    fm_crew *crew = fm_alloc(sizeof *crew);
    if (!crew)
        return NULL;
    crew->threads = fm_alloc((size_t)(threads > 1 ? threads : 1) * sizeof *crew->threads);
    if (!crew->threads) {
        fm_free(crew);
        return NULL;
    }
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->change, NULL);
    while (crew->count < threads - 1 && pthread_create(&crew->threads[crew->count], NULL, help, crew) == 0)
        crew->count++;
    return crew;
}

void fm_crew_free(fm_crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->stop = true;
    pthread_cond_broadcast(&crew->change);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->count; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_cond_destroy(&crew->change);
    pthread_mutex_destroy(&crew->lock);
    fm_free(crew->threads);
    fm_free(crew);
}

static void forget(fm_crew *crew, const batch *b)
{
    batch **link = &crew->top;
    while (*link != b)
        link = &(*link)->below;
    *link = b->below;
}

void fm_crew_share(fm_crew *crew, size_t count, void (*work)(void *user, size_t i), void *user)
{
    if (count == 0)
        return;
    batch own = {.work = work, .user = user, .count = count};
    pthread_mutex_lock(&crew->lock);
    own.below = crew->top;
    crew->top = &own;
    pthread_cond_broadcast(&crew->change);
    while (own.taken < own.count)
        do_piece(crew, &own);
    while (own.done < own.count)
        pthread_cond_wait(&crew->change, &crew->lock);
    forget(crew, &own);
    pthread_mutex_unlock(&crew->lock);
}
