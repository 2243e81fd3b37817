/* Work for the stepping thread from others, and sources that steer before each step. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "run/run_case.h"

typedef struct errand {
    fm_run_task task; /* first: the call finds its errand */
    _Atomic int calls;
    int turn; /* which of all calls it was */
    int over; /* the run was over then */
    uint64_t tick;
} errand;

static _Atomic int turns;

static void note_call(fm_run *run, fm_run_task *task)
{
    errand *e = (errand *)(void *)task;
    e->over = fm_run_over(run);
    e->tick = fm_world_tick(fm_run_world(run));
    e->turn = atomic_fetch_add(&turns, 1);
    atomic_fetch_add(&e->calls, 1);
}

static void tasks_are_done_once_in_order_before_the_next_step(void **state)
{
    (void)state;
    fm_run *run = case_run(model, NULL);
    errand errands[5] = {0};
    turns = 0;
    assert_well(fm_run_step(run, e));
    for (int i = 0; i < 5; i++) {
        errands[i].task.call = note_call;
        assert_int_equal(fm_run_post(run, &errands[i].task), FM_OK);
    }
    for (int i = 0; i < 3; i++)
        assert_well(fm_run_step(run, e));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(errands[i].calls, 1);
        assert_int_equal(errands[i].turn, i);
        assert_int_equal(errands[i].tick, 1);
    }
    fm_run_free(run);
}

static void what_waits_at_the_end_is_done_then_and_nothing_later(void **state)
{
    (void)state;
    fm_run *run = case_run(model, NULL);
    errand early = {.task.call = note_call}, late = {.task.call = note_call};
    assert_int_equal(fm_run_post(run, &early.task), FM_OK);
    fm_run_stop(run);
    assert_well(fm_run_finish(run, e));
    assert_int_equal(early.calls, 1);
    assert_true(early.over);
    assert_int_equal(fm_run_post(run, &late.task), FM_ERR_STATE);
    fm_run_free(run);
    assert_int_equal(late.calls, 0);
}

static void *go(void *run)
{
    fm_run_go(run, NULL, NULL);
    return NULL;
}

/* A parameter is read and set while nothing moves. */
static void set_density(fm_run *run, fm_run_task *task)
{
    note_call(run, task);
    assert_well(fm_world_set(fm_run_world(run), "/b/stern-rudder/stuck", 1, e));
}

static void a_paused_run_does_tasks_too(void **state)
{
    (void)state;
    fm_run *run = case_run(model, NULL);
    errand one = {.task.call = set_density};
    pthread_t thread;
    fm_run_pause(run);
    assert_int_equal(pthread_create(&thread, NULL, go, run), 0);
    assert_int_equal(fm_run_post(run, &one.task), FM_OK);
    for (int i = 0; !one.calls && i < 5000; i++)
        usleep(1000);
    assert_int_equal(one.calls, 1);
    assert_int_equal(one.tick, 0);
    fm_run_stop(run);
    pthread_join(thread, NULL);
    assert_int_equal(fm_world_tick(fm_run_world(run)), 0);
    fm_run_free(run);
}

/* --- sources --- */

static void order_by_tick(void *user, fm_sink *sink)
{
    uint64_t *told = user;
    fm_world *world = fm_run_world(fm_sink_run(sink));
    told[fm_world_tick(world)]++;
    assert_well(fm_world_order(world, "b", "propellers", 10 + (double)fm_world_tick(world), e));
}

static void a_source_steers_the_step_that_follows(void **state)
{
    (void)state;
    fm_run *run = case_run(model, NULL);
    uint64_t told[8] = {0};
    fm_sink_config source = {.steer = order_by_tick, .user = told};
    assert_well(fm_run_attach(run, &source, NULL, e));
    for (uint64_t k = 0; k < 4; k++) {
        const fm_input *inputs;
        assert_well(fm_run_step(run, e));
        assert_int_equal(told[k], 1);
        assert_int_equal(fm_world_inputs(fm_run_world(run), &inputs), 1);
        assert_same(inputs[0].tick, k);
        assert_same(inputs[0].command.order.value, 10 + (double)k);
    }
    fm_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_done_once_in_order_before_the_next_step),
        cmocka_unit_test(what_waits_at_the_end_is_done_then_and_nothing_later),
        cmocka_unit_test(a_paused_run_does_tasks_too),
        cmocka_unit_test(a_source_steers_the_step_that_follows),
    };
    return cmocka_run_group_tests_name("tasks", tests, load_case, free_case);
}
