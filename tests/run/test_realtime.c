/* Runs in step with a clock: how late steps are, how soon an input is answered, and what a step does not do. */
#include "run/run_case.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/priority.h"
#include "base/random.h"
#include "run/delays.h"
#include "support/scenario_names.h"

/* --- the distribution --- */

static int order_of_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 10,000 delays over seven powers of ten, sorted by hand. */
static void quantiles_are_at_most_a_sixteenth_too_large(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static double all[COUNT];
    static fm_delays delays;
    for (uint64_t i = 0; i < COUNT; i++) {
        all[i] = 2e-7 * pow(10, 7 * fm_random_uniform((fm_random_key){5, 0, 0}, i, 0));
        fm_delays_add(&delays, all[i]);
    }
    qsort(all, COUNT, sizeof *all, order_of_numbers);
    fm_run_delays d = fm_delays_read(&delays);
    const double found[] = {d.p50, d.p99, d.p999}, right[] = {all[4999], all[9899], all[9989]};
    assert_int_equal(d.count, COUNT);
    assert_same(d.worst, all[COUNT - 1]);
    for (int i = 0; i < 3; i++) {
        assert_at_least(found[i], right[i]);
        assert_at_most(found[i], right[i] * 17 / 16);
    }
}

static void delays_of_any_size_are_counted(void **state)
{
    (void)state;
    static fm_delays none, some;
    fm_run_delays d = fm_delays_read(&none);
    assert_int_equal(d.count, 0);
    assert_same(d.p50 + d.p999 + d.worst, 0);
    fm_delays_add(&some, -1);
    fm_delays_add(&some, 0);
    fm_delays_add(&some, 1e9);
    d = fm_delays_read(&some);
    assert_int_equal(d.count, 3);
    assert_at_most(d.p50, 1.0625e-7);
    assert_same(d.worst, 1e9);
}

/* --- with a clock of ours --- */

typedef struct own_clock {
    double time;
    double oversleeps; /* s that each sleep is too long */
    double ahead;      /* s before the end of a sleep at which an order comes; 0: none */
    fm_run *run;
    int pauses; /* after this number of orders the run pauses for 5 s */
} own_clock;

static double own_now(void *user)
{
    return ((own_clock *)user)->time;
}

static void own_sleep(void *user, double moment)
{
    own_clock *c = user;
    if (c->ahead > 0) {
        c->time = moment - c->ahead;
        assert_well(fm_run_order(c->run, "a", "stern-planes", 0.1, e));
        if (c->pauses > 0) {
            c->pauses--;
            fm_run_pause(c->run);
            c->time += 5;
            fm_run_resume(c->run);
        }
    }
    c->time = fmax(c->time, moment) + c->oversleeps;
}

static fm_run_counts counts_of_run(own_clock *c)
{
    const fm_run_clock clock = {.now = own_now, .sleep_until = own_sleep, .user = c};
    c->run = case_run(model, &(fm_run_options){.pace = {.speed = 1}});
    assert_well(fm_run_go(c->run, &clock, e));
    fm_run_counts counts = fm_run_get_counts(c->run);
    fm_run_free(c->run);
    return counts;
}

static void a_step_is_as_late_as_its_sleep_is_too_long(void **state)
{
    (void)state;
    fm_run_counts counts = counts_of_run(&(own_clock){.time = 3, .oversleeps = 0.004});
    assert_int_equal(counts.lateness.count, 200);
    assert_nearer(counts.lateness.worst, 0.004, 1e-9);
    assert_between(0.004 * (1 - 1e-6), counts.lateness.p50, 0.00426);
    assert_int_equal(counts.late, 0); /* none by a whole period */
    assert_int_equal(counts.response.count, 0);
}

static void an_input_is_answered_by_the_next_step(void **state)
{
    (void)state;
    fm_run_counts counts = counts_of_run(&(own_clock){.time = 3, .ahead = 0.03, .oversleeps = 0.002});
    assert_int_equal(counts.response.count, 200);
    assert_nearer(counts.response.worst, 0.032, 1e-9);
    assert_between(0.032 * (1 - 1e-6), counts.response.p50, 0.0341);
}

static void the_time_of_a_pause_is_no_response(void **state)
{
    (void)state;
    fm_run_counts counts = counts_of_run(&(own_clock){.time = 3, .ahead = 0.03, .pauses = 1});
    assert_int_equal(counts.response.count, 200); /* of 201 */
    assert_nearer(counts.response.worst, 0.03, 1e-9);
}

/* --- what a step does not do --- */

static _Atomic int watching; /* the stepping thread is in a paced step */
static pthread_t stepping;
static _Atomic int allocations, files, waits;

static int watched(void)
{
    return atomic_load(&watching) && pthread_equal(pthread_self(), stepping);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

#if OWN_ALLOCATOR
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *memory);

static void note_allocation(void)
{
    if (!watched())
        return;
    atomic_fetch_add(&allocations, 1);
    if (getenv("FATHOM_ABORT_ON_MALLOC"))
        abort();
}

void *malloc(size_t size)
{
    note_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note_allocation();
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    note_allocation();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    note_allocation();
    return __libc_memalign(align, size);
}

int posix_memalign(void **memory, size_t align, size_t size)
{
    note_allocation();
    *memory = __libc_memalign(align, size);
    return *memory ? 0 : 12;
}

void free(void *memory)
{
    if (memory)
        note_allocation();
    __libc_free(memory);
}
#endif

/* Files and sockets: whatever a thread may have to wait for. */
static void *next_of(const char *name)
{
    if (watched())
        atomic_fetch_add(&files, 1);
    return dlsym(RTLD_NEXT, name);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);
    void *found = next_of("write");
    memcpy(&next, &found, sizeof next);
    return next(file, bytes, size);
}

ssize_t read(int file, void *bytes, size_t size)
{
    ssize_t (*next)(int, void *, size_t);
    void *found = next_of("read");
    memcpy(&next, &found, sizeof next);
    return next(file, bytes, size);
}

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, int);
    void *found = next_of("open");
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    memcpy(&next, &found, sizeof next);
    return next(path, flags, mode);
}

/* Locks: a step takes only those that raise the priority of the thread that holds them, and never waits for a word of
 * another thread. */
#if OWN_ALLOCATOR /* a thread sanitizer has its own locks */
static int inherits_priority(const pthread_mutex_t *lock)
{
    enum { PRIORITY_INHERITED = 32 }; /* of glibc: PTHREAD_MUTEX_PRIO_INHERIT_NP */
    return (lock->__data.__kind & PRIORITY_INHERITED) != 0;
}

int pthread_mutex_lock(pthread_mutex_t *lock)
{
    static int (*next)(pthread_mutex_t *);
    if (!next) {
        void *found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        memcpy(&next, &found, sizeof next);
    }
    if (watched() && !inherits_priority(lock))
        atomic_fetch_add(&waits, 1);
    return next(lock);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    static int (*next)(pthread_cond_t *, pthread_mutex_t *);
    if (!next) {
        void *found = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
        if (!found)
            found = dlsym(RTLD_NEXT, "pthread_cond_wait");
        memcpy(&next, &found, sizeof next);
    }
    if (watched())
        atomic_fetch_add(&waits, 1);
    return next(condition, lock);
}
#endif

/* A clock that never sleeps long: steps are watched, sleeps are not. */
static void watch_sleep(void *user, double moment)
{
    ((own_clock *)user)->time = moment;
    atomic_store(&watching, 1);
}

static void run_watched(const char *name)
{
    own_clock c = {.time = 3};
    const fm_run_clock clock = {.now = own_now, .sleep_until = watch_sleep, .user = &c};
    fm_error error = {0};
    fm_model *of = loaded(try_load_scenario(name, NULL, &error), &error);
    double step = fm_model_dt(of);
    fm_run *run = case_run(of, &(fm_run_options){.pace = {.speed = 1}, .duration = fmin(60, 300 * step)});
    assert_well(fm_run_record(run, "realtime.mcap", NULL, e));
    stepping = pthread_self();
    atomic_store(&allocations, 0);
    atomic_store(&files, 0);
    atomic_store(&waits, 0);
    fm_status status = fm_run_go(run, &clock, &error);
    atomic_store(&watching, 0);
    if (status != FM_OK)
        fail_msg("%s: %s", name, error.text);
    if (atomic_load(&allocations) || atomic_load(&files) || atomic_load(&waits))
        fail_msg("%s: %d allocations, %d files and %d waits in %g steps", name, atomic_load(&allocations),
                 atomic_load(&files), atomic_load(&waits), fm_world_time(fm_run_world(run)) / step);
    fm_run_free(run);
    fm_model_free(of);
}

/* Of every shipped scenario, while it is recorded. */
static void a_paced_step_allocates_nothing_touches_no_file_and_waits_for_no_thread(void **state)
{
    (void)state;
    static scenario_name names[SCENARIOS_MOST];
    int count = list_scenarios(names);
    assert_greater(count, 40);
    for (int i = 0; i < count; i++)
        run_watched(names[i]);
}

static void the_watch_sees_a_plain_lock(void **state)
{
    (void)state;
    if (!OWN_ALLOCATOR)
        skip();
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, raising;
    fm_lock_create(&raising);
    stepping = pthread_self();
    atomic_store(&waits, 0);
    atomic_store(&watching, 1);
    pthread_mutex_lock(&raising);
    pthread_mutex_unlock(&raising);
    int of_raising = atomic_load(&waits);
    pthread_mutex_lock(&plain);
    pthread_mutex_unlock(&plain);
    atomic_store(&watching, 0);
    assert_int_equal(of_raising, 0);
    assert_int_equal(atomic_load(&waits), 1);
    pthread_mutex_destroy(&raising);
}

static void the_watch_sees_an_allocation(void **state)
{
    (void)state;
    if (!OWN_ALLOCATOR)
        skip();
    stepping = pthread_self();
    atomic_store(&allocations, 0);
    atomic_store(&watching, 1);
    void *volatile memory = malloc(100);
    free(memory);
    atomic_store(&watching, 0);
    assert_int_equal(atomic_load(&allocations), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_at_most_a_sixteenth_too_large),
        cmocka_unit_test(delays_of_any_size_are_counted),
        cmocka_unit_test(a_step_is_as_late_as_its_sleep_is_too_long),
        cmocka_unit_test(an_input_is_answered_by_the_next_step),
        cmocka_unit_test(the_time_of_a_pause_is_no_response),
        cmocka_unit_test(the_watch_sees_an_allocation),
        cmocka_unit_test(the_watch_sees_a_plain_lock),
        cmocka_unit_test(a_paced_step_allocates_nothing_touches_no_file_and_waits_for_no_thread),
    };
    return cmocka_run_group_tests(tests, load_case, free_case);
}
