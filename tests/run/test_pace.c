/* How fast a run goes: the clock is ours, so that every moment is known. */
#include "run/run_case.h"

#include <pthread.h>
#include <unistd.h>

static uint64_t ticks(const fm_run *run)
{
    return fm_world_tick(fm_run_world(run));
}

static void steps_come_when_the_clock_says_so(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 2}}); /* a step every 25 ms */
    assert_well(fm_run_advance(run, 1000, &wait, e));
    assert_int_equal(ticks(run), 0);
    assert_nearer(wait, 0.025, 1e-9);
    assert_well(fm_run_advance(run, 1000.02, &wait, e));
    assert_int_equal(ticks(run), 0);
    assert_nearer(wait, 0.005, 1e-9);
    assert_well(fm_run_advance(run, 1000.0251, &wait, e));
    assert_int_equal(ticks(run), 1);
    assert_well(fm_run_advance(run, 1001.0001, &wait, e));
    assert_int_equal(ticks(run), 40);
    fm_run_free(run);
}

/* 10 s at 3 times real time, looked at every 7 ms: after any time t there are floor(60 t) steps, without drift. */
static void the_schedule_does_not_drift(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 3}});
    assert_well(fm_run_advance(run, 5, &wait, e));
    for (int i = 1; !fm_run_over(run); i++) {
        double t = 0.007 * i;
        assert_well(fm_run_advance(run, 5 + t, &wait, e));
        double due = fmin(floor(60 * t + 1e-6), 200);
        assert_nearer((double)ticks(run), due, 0.5);
    }
    assert_same(wait, HUGE_VAL);
    assert_int_equal(fm_run_get_counts(run).late, 0);
    fm_run_free(run);
}

static void steps_that_come_late_are_counted_and_made_up_for(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 1}});
    assert_well(fm_run_advance(run, 0, &wait, e));
    assert_well(fm_run_advance(run, 0.0999, &wait, e)); /* due at 0.05: not yet a period late */
    assert_int_equal(fm_run_get_counts(run).late, 0);
    assert_well(fm_run_advance(run, 0.501, &wait, e)); /* the steps of 0.1 … 0.5 s; late are those up to 0.45 s */
    assert_int_equal(ticks(run), 10);
    fm_run_counts counts = fm_run_get_counts(run);
    assert_int_equal(counts.late, 8);
    assert_nearer(counts.latest, 0.401, 1e-9);
    fm_run_free(run);
}

static void one_call_makes_no_more_steps_than_a_burst(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.burst = 7});
    assert_well(fm_run_advance(run, 0, &wait, e));
    assert_same(ticks(run), 7);
    assert_same(wait, 0);
    assert_well(fm_run_set_pace(run, &(fm_run_pace){.speed = 1}, e));
    assert_well(fm_run_advance(run, 0, &wait, e));
    assert_well(fm_run_advance(run, 100, &wait, e));
    assert_same(ticks(run), 14);
    assert_same(wait, 0);
    fm_run_free(run);
}

static void pausing_stops_the_schedule_and_resuming_begins_it_anew(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 1}});
    for (int i = 0; i < 5; i++)
        assert_well(fm_run_advance(run, 0.0501 * i, &wait, e));
    fm_run_pause(run);
    assert_well(fm_run_advance(run, 50, &wait, e));
    assert_same(ticks(run), 4);
    assert_same(wait, HUGE_VAL);
    fm_run_single(run, 3);
    assert_well(fm_run_advance(run, 50, &wait, e));
    assert_same(ticks(run), 7);
    assert_same(wait, HUGE_VAL);
    fm_run_resume(run);
    for (int i = 0; i < 3; i++)
        assert_well(fm_run_advance(run, 60 + 0.0505 * i, &wait, e));
    assert_int_equal(ticks(run), 9);
    assert_int_equal(fm_run_get_counts(run).late, 0);
    assert_well(fm_run_set_pace(run, &(fm_run_pace){.speed = 10}, e)); /* no jump */
    assert_well(fm_run_advance(run, 60.102, &wait, e));
    assert_well(fm_run_advance(run, 60.1521, &wait, e));
    assert_int_equal(ticks(run), 19);
    fm_run_free(run);
}

static void the_pace_does_not_change_the_result(void **state)
{
    (void)state;
    fm_run *fast = case_run(model, NULL), *slow = case_run(model, &(fm_run_options){.pace = {.speed = 0.5}});
    assert_well(fm_run_go(fast, NULL, e));
    for (double t = 0; !fm_run_over(slow); t += 0.013)
        assert_well(fm_run_advance(slow, t, NULL, e));
    assert_int_equal(fm_world_hash(fm_run_world(slow)), fm_world_hash(fm_run_world(fast)));
    fm_run_free(fast);
    fm_run_free(slow);
}

/* --- a clock that is lent --- */

typedef struct still_clock {
    double time;
    int sleeps;
} still_clock;

static double still_now(void *user)
{
    return ((still_clock *)user)->time;
}

static void still_sleep(void *user, double moment)
{
    still_clock *c = user;
    assert_greater(moment, c->time);
    c->time = moment;
    c->sleeps++;
}

static void a_lent_clock_paces_the_whole_run(void **state)
{
    (void)state;
    still_clock c = {.time = 77};
    fm_run_clock clock = {.now = still_now, .sleep_until = still_sleep, .user = &c};
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 4}});
    assert_well(fm_run_go(run, &clock, e));
    assert_int_equal(ticks(run), 200);
    assert_nearer(c.time - 77, 10.0 / 4, 1e-9);
    assert_at_least(c.sleeps, 200);
    assert_less(c.sleeps, 420); /* one a step; where rounding lets one end early, two */
    assert_int_equal(fm_run_get_counts(run).late, 0);
    fm_run_free(run);
    run = case_run(model, &(fm_run_options){.pace = {.speed = 4}});
    fm_error error = {0};
    assert_int_equal(fm_run_go(run, NULL, &error), FM_ERR_ARGUMENT);
    fm_run_free(run);
}

static void *command(void *user)
{
    fm_run *run = user;
    usleep(20000);
    fm_run_single(run, 5);
    usleep(20000);
    fm_run_resume(run);
    return NULL;
}

static void a_paused_run_waits_for_a_command_of_another_thread(void **state)
{
    (void)state;
    pthread_t thread;
    fm_run *run = case_run(model, NULL);
    fm_run_pause(run);
    assert_int_equal(pthread_create(&thread, NULL, command, run), 0);
    assert_well(fm_run_go(run, NULL, e));
    pthread_join(thread, NULL);
    assert_int_equal(ticks(run), 200);
    fm_run_free(run);
}

static void *stop(void *user)
{
    usleep(20000);
    fm_run_stop(user);
    return NULL;
}

static void a_run_without_an_end_is_stopped(void **state)
{
    (void)state;
    pthread_t thread;
    for (int paused = 0; paused < 2; paused++) {
        fm_run *run = case_run(model, &(fm_run_options){.duration = HUGE_VAL});
        if (paused)
            fm_run_pause(run);
        assert_int_equal(pthread_create(&thread, NULL, stop, run), 0);
        assert_well(fm_run_go(run, NULL, e));
        pthread_join(thread, NULL);
        assert_true(fm_run_over(run));
        if (paused)
            assert_same(ticks(run), 0);
        else
            assert_greater(ticks(run), 10);
        fm_run_free(run);
    }
}

/* --- lock-step --- */

static void a_lockstep_waits_for_everyone_who_has_joined(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.lockstep = 1}});
    assert_well(fm_run_advance(run, 0, &wait, e));
    assert_same(ticks(run), 0);
    assert_same(wait, HUGE_VAL); /* no participant yet */
    int one = fm_run_join(run, NULL), two = fm_run_join(run, NULL);
    assert_same(one, 1);
    assert_same(two, 2);
    assert_int_equal(fm_run_ready(run, one), FM_OK);
    assert_well(fm_run_advance(run, 1, &wait, e));
    assert_int_equal(ticks(run), 0);
    assert_int_equal(fm_run_ready(run, two), FM_OK);
    assert_well(fm_run_advance(run, 2, &wait, e));
    assert_int_equal(ticks(run), 1); /* one step, then they are waited for again */
    fm_run_leave(run, two);
    assert_int_equal(fm_run_ready(run, two), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_ready(run, one), FM_OK);
    assert_well(fm_run_advance(run, 3, &wait, e));
    assert_int_equal(ticks(run), 2);
    assert_int_equal(fm_run_join(run, NULL), two); /* a number that is free again */
    fm_run_free(run);
}

/* A run that goes by itself waits for someone who joins on its way, and goes on by itself when he leaves. */
static void whoever_joins_a_free_run_is_waited_for(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.burst = 5});
    assert_well(fm_run_advance(run, 0, &wait, e));
    assert_int_equal(ticks(run), 5);
    int one = fm_run_join(run, NULL);
    assert_well(fm_run_advance(run, 1, &wait, e));
    assert_same(ticks(run), 5);
    assert_same(wait, HUGE_VAL);
    fm_run_ready(run, one);
    assert_well(fm_run_advance(run, 2, &wait, e));
    assert_int_equal(ticks(run), 6);
    fm_run_leave(run, one);
    assert_well(fm_run_advance(run, 3, &wait, e));
    assert_int_equal(ticks(run), 11);
    fm_run_free(run);
}

static void a_lockstep_with_a_deadline_goes_on_without_the_missing(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.lockstep = 1, .deadline = 0.3}});
    int one = fm_run_join(run, NULL);
    fm_run_join(run, NULL);
    fm_run_ready(run, one);
    assert_well(fm_run_advance(run, 10, &wait, e));
    assert_same(ticks(run), 0);
    assert_nearer(wait, 0.3, 1e-9);
    assert_well(fm_run_advance(run, 10.2, &wait, e));
    assert_same(ticks(run), 0);
    assert_nearer(wait, 0.1, 1e-9);
    assert_well(fm_run_advance(run, 10.31, &wait, e));
    assert_int_equal(ticks(run), 1);
    assert_int_equal(fm_run_get_counts(run).missed, 1);
    assert_well(fm_run_advance(run, 10.4, &wait, e)); /* the next one waits its own time */
    assert_same(ticks(run), 1);
    assert_greater(wait, 0.15);
    fm_run_free(run);
}

/* Each client turns the rudder of the same vehicle by what it sees of the tick: who comes last counts. */
typedef struct client {
    fm_run *run;
    int number;
    unsigned pace_us;
    pthread_mutex_t *lock;
    pthread_cond_t *stepped;
    uint64_t *tick;
} client;

static void *take_part(void *user)
{
    client *c = user;
    for (uint64_t next = 0; next < 200; next++) {
        pthread_mutex_lock(c->lock);
        while (*c->tick < next)
            pthread_cond_wait(c->stepped, c->lock);
        pthread_mutex_unlock(c->lock);
        if (c->pace_us && next % 10 == 0)
            usleep(c->pace_us);
        for (int i = 0; i < 3; i++) {
            fm_input input = {.command = {.kind = FM_COMMAND_ORDER,
                                          .order = {.vehicle = "a",
                                                    .actuator = "stern-rudder",
                                                    .value = 0.01 * (double)((next + (uint64_t)i) % 7) * c->number}},
                              .tag = (uint64_t)c->number};
            assert_int_equal(fm_run_submit(c->run, &input, NULL), FM_OK);
        }
        assert_int_equal(fm_run_ready(c->run, c->number), FM_OK);
    }
    return NULL;
}

typedef struct ticker {
    pthread_mutex_t lock;
    pthread_cond_t stepped;
    uint64_t tick;
} ticker;

static fm_status tell_tick(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    ticker *t = user;
    pthread_mutex_lock(&t->lock);
    t->tick = fm_world_tick(fm_run_world(fm_sink_run(sink)));
    pthread_cond_broadcast(&t->stepped);
    pthread_mutex_unlock(&t->lock);
    return FM_OK;
}

static uint64_t hash_of_lockstep(unsigned first_us, unsigned second_us)
{
    ticker t = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.lockstep = 1}});
    assert_well(fm_run_attach(run, &(fm_sink_config){.step = tell_tick, .user = &t}, NULL, e));
    client clients[2] = {{run, fm_run_join(run, NULL), first_us, &t.lock, &t.stepped, &t.tick},
                         {run, fm_run_join(run, NULL), second_us, &t.lock, &t.stepped, &t.tick}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_part, &clients[i]), 0);
    assert_well(fm_run_go(run, NULL, e));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(fm_run_get_counts(run).inputs, 2 * 3 * 200);
    uint64_t hash = fm_world_hash(fm_run_world(run));
    fm_run_free(run);
    return hash;
}

static void in_lockstep_it_does_not_matter_who_is_faster(void **state)
{
    (void)state;
    uint64_t hash = hash_of_lockstep(0, 0);
    assert_int_equal(hash_of_lockstep(500, 0), hash);
    assert_int_equal(hash_of_lockstep(0, 500), hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_come_when_the_clock_says_so),
        cmocka_unit_test(the_schedule_does_not_drift),
        cmocka_unit_test(steps_that_come_late_are_counted_and_made_up_for),
        cmocka_unit_test(one_call_makes_no_more_steps_than_a_burst),
        cmocka_unit_test(pausing_stops_the_schedule_and_resuming_begins_it_anew),
        cmocka_unit_test(the_pace_does_not_change_the_result),
        cmocka_unit_test(a_lent_clock_paces_the_whole_run),
        cmocka_unit_test(a_paused_run_waits_for_a_command_of_another_thread),
        cmocka_unit_test(a_run_without_an_end_is_stopped),
        cmocka_unit_test(a_lockstep_waits_for_everyone_who_has_joined),
        cmocka_unit_test(whoever_joins_a_free_run_is_waited_for),
        cmocka_unit_test(a_lockstep_with_a_deadline_goes_on_without_the_missing),
        cmocka_unit_test(in_lockstep_it_does_not_matter_who_is_faster),
    };
    return cmocka_run_group_tests(tests, load_case, free_case);
}
