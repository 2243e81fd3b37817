/* Bridges of a run without a server. */
#include "server/run_host.h"

#include <pthread.h>
#include <string.h>

#include "support/cmocka_all.h"

static const char scenario[] =
    "<fathom version='1'><world dt='0.01 s'/><vehicle name='auv' model='nps-auv-ii'/></fathom>";

/* What the callbacks of a door have seen; each number belongs to one thread. */
typedef struct watched {
    fm_host *host;
    pthread_t opener, stepper;
    int opened, begun, steers, steps, events, ended, closed, released, turns;
    _Atomic int wrong_thread;
    _Atomic int answers;
    fm_wire_result results[4];
} watched;

static fm_status open_it(void *user, fm_host *host, fm_error *error)
{
    watched *w = user;
    (void)error;
    w->host = host;
    w->opener = pthread_self();
    w->opened++;
    return FM_OK;
}

static void begin_it(void *user, fm_run *run)
{
    watched *w = user;
    (void)run;
    w->stepper = pthread_self();
    w->begun++;
}

static void steer_it(void *user, fm_run *run)
{
    watched *w = user;
    (void)run;
    w->wrong_thread += !pthread_equal(w->stepper, pthread_self());
    w->steers++;
}

static void step_it(void *user, fm_run *run)
{
    watched *w = user;
    (void)run;
    w->steps++;
    atomic_fetch_add(fm_host_count(w->host, "test/drop/steps"), 1);
}

static void turn_it(void *user)
{
    watched *w = user;
    w->wrong_thread += pthread_equal(w->stepper, pthread_self()) != 0;
    w->turns++;
}

static void end_it(void *user, fm_run *run)
{
    watched *w = user;
    (void)run;
    w->ended++;
}

static void close_it(void *user)
{
    watched *w = user;
    w->closed++;
}

static void release_it(void *user)
{
    watched *w = user;
    w->released++;
}

static const fm_door plain = {.name = "test",
                              .open = open_it,
                              .turn = turn_it,
                              .close = close_it,
                              .release = release_it,
                              .begin = begin_it,
                              .steer = steer_it,
                              .step = step_it,
                              .end = end_it};

static fm_run_host *put_beside(fm_run *run, watched *w)
{
    fm_error error = {0};
    fm_door door = plain;
    door.user = w;
    fm_run_host *run_host = fm_run_host_create(run, NULL, &error);
    assert_non_null(run_host);
    assert_int_equal(fm_host_add(fm_run_host_base(run_host), &door, &error), FM_OK);
    return run_host;
}

static fm_run *make_run(fm_model **model)
{
    fm_error error = {0};
    *model = fm_model_load_memory(scenario, strlen(scenario), "test.xml", NULL, &error);
    fm_run *run = *model ? fm_run_create(*model, NULL, &error) : NULL;
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

static void a_door_sees_every_step_and_is_closed_and_released_once(void **state)
{
    (void)state;
    fm_model *model;
    fm_run *run = make_run(&model);
    watched w = {0};
    fm_run_host *run_host = put_beside(run, &w);
    assert_int_equal(fm_run_host_start(run_host, NULL), FM_OK);
    assert_int_equal(fm_run_until(run, 1, NULL), FM_OK);
    assert_int_equal(fm_run_finish(run, NULL), FM_OK);
    fm_wire_counter counter;
    assert_int_equal(fm_host_counters(fm_run_host_base(run_host), &counter, 1), 1);
    assert_string_equal(counter.name, "test/drop/steps");
    assert_same(counter.value, 101); /* one before the first */
    fm_run_host_free(run_host);
    assert_int_equal(w.opened, 1);
    assert_int_equal(w.begun, 1);
    assert_int_equal(w.steers, 100);
    assert_int_equal(w.steps, 101);
    assert_at_least(w.turns, 1);
    assert_int_equal(w.ended, 1);
    assert_int_equal(w.closed, 1);
    assert_int_equal(w.released, 1);
    assert_int_equal(w.wrong_thread, 0);
    fm_run_free(run);
    fm_model_free(model);
}

typedef struct asked {
    watched *of;
    int number;
} asked;

static void keep_answer(void *user, const fm_wire_result *result)
{
    const asked *a = user;
    a->of->results[a->number] = *result;
    atomic_fetch_add(&a->of->answers, 1);
}

static void commands_beside_a_run_are_done_and_answered(void **state)
{
    (void)state;
    fm_model *model;
    fm_run *run = make_run(&model);
    watched w = {0};
    fm_run_host *run_host = put_beside(run, &w);
    assert_int_equal(fm_run_host_start(run_host, NULL), FM_OK);
    asked each[] = {{&w, 0}, {&w, 1}, {&w, 2}, {&w, 3}};
    const fm_command commands[] = {
        {.kind = FM_COMMAND_SPAWN, .spawn = {.name = "second", .like = "auv"}},
        {.kind = FM_COMMAND_ORDER, .order = {.vehicle = "nobody", .actuator = "rudder", .value = 0.1}},
        {.kind = FM_COMMAND_SPEED, .speed.speed = -1},
        {.kind = FM_COMMAND_LOG, .log.file = "x.mcap"},
    };
    for (int i = 0; i < 4; i++)
        fm_host_execute(w.host, &commands[i], "test", keep_answer, &each[i]);
    assert_int_equal(fm_run_until(run, 0.1, NULL), FM_OK);
    fm_run_finish(run, NULL);
    fm_run_host_free(run_host);
    assert_int_equal(w.answers, 4);
    assert_int_equal(w.results[1].code, FM_WIRE_UNKNOWN_NAME);
    assert_non_null(strstr(w.results[1].text, "nobody"));
    assert_int_equal(w.results[2].code, FM_WIRE_BAD_VALUE);
    assert_int_equal(w.results[3].code, FM_WIRE_BAD_VALUE);
    fm_run_free(run);
    fm_model_free(model);
}

static fm_status refuse_to_open(void *user, fm_host *host, fm_error *error)
{
    (void)user;
    (void)host;
    error->status = FM_ERR_FILE;
    snprintf(error->text, sizeof error->text, "the port is taken");
    return FM_ERR_FILE;
}

static void a_door_that_cannot_open_is_told_and_released(void **state)
{
    (void)state;
    fm_model *model;
    fm_run *run = make_run(&model);
    watched w = {0};
    fm_error error = {0};
    fm_run_host *run_host = fm_run_host_create(run, NULL, &error);
    fm_door door = {.open = refuse_to_open, .close = close_it, .release = release_it, .user = &w};
    assert_int_equal(fm_host_add(fm_run_host_base(run_host), &door, &error), FM_OK);
    assert_int_equal(fm_run_host_start(run_host, &error), FM_ERR_FILE);
    assert_string_equal(error.text, "the port is taken");
    fm_run_host_free(run_host);
    assert_int_equal(w.closed, 1);
    assert_int_equal(w.released, 1);
    fm_run_free(run);
    fm_model_free(model);
}

static void load_with(const char *bridge, fm_status expected, const char *words)
{
    fm_error error = {0};
    fm_load_options options = {.bridges = &bridge, .bridge_count = 1};
    fm_model *model = fm_model_load_memory(scenario, strlen(scenario), "test.xml", &options, &error);
    assert_int_equal(error.status, expected);
    assert_int_equal(model != NULL, expected == FM_OK);
    if (words && !strstr(error.text, words))
        fail_msg("'%s' lacks '%s'", error.text, words);
    fm_model_free(model);
}

static void a_bridge_from_an_option_is_checked_as_one_of_a_scenario(void **state)
{
    (void)state;
    load_with("dis vehicle=auv port=3001 rate='10 Hz'", FM_OK, NULL);
    load_with("dsi", FM_ERR_NAME, "dis");
    load_with("dis prot=3001", FM_ERR_NAME, "port");
    load_with("dis port=70000", FM_ERR_RANGE, "65535");
    load_with("dis vehicle=auw", FM_ERR_NAME, "auv");
    load_with("dis port", FM_ERR_SYNTAX, "attribute=value");
    load_with("dis rate='10 Hz", FM_ERR_SYNTAX, "missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_sees_every_step_and_is_closed_and_released_once),
        cmocka_unit_test(commands_beside_a_run_are_done_and_answered),
        cmocka_unit_test(a_door_that_cannot_open_is_told_and_released),
        cmocka_unit_test(a_bridge_from_an_option_is_checked_as_one_of_a_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
