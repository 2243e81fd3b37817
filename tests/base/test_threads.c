/* Threads that share work: everything is done, once, also what arises within work. */
#include "support/cmocka_all.h"

#include <stdatomic.h>
#include <time.h>

#include "base/threads.h"

typedef struct nest {
    fm_threads *pool;
    double sums[20];
    double parts[20][30];
} nest;

typedef struct inner {
    nest *n;
    size_t i;
} inner;

static void fill(void *user, size_t k)
{
    inner *in = user;
    in->n->parts[in->i][k] = (double)(in->i * 100 + k);
}

static void sum(void *user, size_t i)
{
    nest *n = user;
    fm_threads_share(n->pool, 30, fill, &(inner){n, i});
    for (size_t k = 0; k < 30; k++)
        n->sums[i] += n->parts[i][k];
}

static void work_that_arises_within_work_is_all_done(void **state)
{
    (void)state;
    for (int threads = 1; threads < 6; threads++) {
        nest n = {.pool = fm_threads_create(threads)};
        fm_threads_share(n.pool, 20, sum, &n);
        for (size_t i = 0; i < 20; i++)
            assert_same(n.sums[i], (double)(3000 * i + 435));
        fm_threads_free(n.pool);
    }
}

/* --- once --- */

enum { PIECES = 5000 };

typedef struct tally {
    atomic_int times[PIECES];
} tally;

static void count(void *user, size_t i)
{
    atomic_fetch_add(&((tally *)user)->times[i], 1);
}

static void every_piece_is_done_once_in_each_of_many_rounds(void **state)
{
    (void)state;
    static tally t;
    fm_threads *pool = fm_threads_create(4);
    assert_int_equal(fm_threads_count(pool), 4);
    for (int round = 1; round <= 50; round++) {
        fm_threads_share(pool, PIECES, count, &t);
        for (size_t i = 0; i < PIECES; i++)
            assert_int_equal(atomic_load(&t.times[i]), round);
    }
    fm_threads_share(pool, 0, count, &t);
    assert_int_equal(atomic_load(&t.times[0]), 50);
    fm_threads_free(pool);
    fm_threads_free(NULL);
}

/* --- together --- */

typedef struct meeting {
    atomic_int present;
    int wanted;
} meeting;

/* Two pieces that wait for each other end only where two threads work at the same time. */
static void meet(void *user, size_t i)
{
    (void)i;
    meeting *m = user;
    atomic_fetch_add(&m->present, 1);
    while (atomic_load(&m->present) < m->wanted)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void as_many_pieces_run_at_once_as_there_are_threads(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        fm_threads *pool = fm_threads_create(threads);
        meeting m = {.wanted = threads};
        fm_threads_share(pool, (size_t)threads, meet, &m);
        assert_int_equal(atomic_load(&m.present), threads);
        fm_threads_free(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_that_arises_within_work_is_all_done),
        cmocka_unit_test(every_piece_is_done_once_in_each_of_many_rounds),
        cmocka_unit_test(as_many_pieces_run_at_once_as_there_are_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
