/* A run: its steps, what its sinks receive, and what comes in from outside. */
#include "run/run_case.h"

#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"

/* --- steps --- */

static void a_run_is_the_world_stepped_to_the_end_of_the_scenario(void **state)
{
    (void)state;
    fm_world *world = create(model, 1);
    step(world, 200);
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_go(run, NULL, e));
    assert_true(fm_run_over(run));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 200);
    assert_int_equal(fm_world_hash(fm_run_world(run)), fm_world_hash(world));
    assert_int_equal(fm_run_get_counts(run).steps, 200);
    fm_run_free(run);
    fm_world_free(world);
}

static void a_run_ends_where_it_is_told_to(void **state)
{
    (void)state;
    fm_run *run = case_run(model, &(fm_run_options){.duration = 3});
    assert_nearer(fm_run_end(run), 3, 1e-12);
    assert_well(fm_run_until(run, 1.02, e)); /* the nearest tick is the 20th */
    assert_int_equal(fm_world_tick(fm_run_world(run)), 20);
    assert_well(fm_run_until(run, 100, e));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 60);
    assert_well(fm_run_set_end(run, HUGE_VAL, e));
    assert_false(fm_run_over(run));
    assert_well(fm_run_until(run, 4, e));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 80);
    fm_run_stop(run);
    assert_well(fm_run_until(run, 5, e));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 80);
    fm_run_free(run);
    run = case_run(model, NULL);
    assert_well(fm_run_set_end(run, 0, e));
    assert_well(fm_run_go(run, NULL, e));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 0);
    fm_run_free(run);
}

static void a_world_that_was_stepped_before_runs_on(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = create(model, 1);
    run_until(world, 4);
    fm_run *run = fm_run_create_on(world, NULL, &error), *whole = case_run(model, NULL);
    assert_well(fm_run_go(run, NULL, e));
    assert_well(fm_run_go(whole, NULL, e));
    assert_int_equal(fm_world_hash(world), fm_world_hash(fm_run_world(whole)));
    fm_run_free(run);
    fm_run_free(whole);
    fm_world_free(world); /* still the caller's */
}

/* --- sinks --- */

typedef struct diary {
    char text[4096];
    int steps, events, errors, ends, released, fail_at, silent;
    fm_run_ending ending;
    char ended[256];
    uint64_t last_tick;
} diary;

static fm_status note_start(void *user, fm_sink *sink, fm_error *error)
{
    (void)sink;
    diary *d = user;
    if (d->fail_at == -1) {
        snprintf(error->text, sizeof error->text, "no ink");
        return error->status = FM_ERR_FILE;
    }
    return FM_OK;
}

static fm_status note_step(void *user, fm_sink *sink, fm_error *error)
{
    diary *d = user;
    d->last_tick = fm_world_tick(fm_run_world(fm_sink_run(sink)));
    assert_int_equal(d->last_tick, d->steps);
    d->steps++;
    if (d->fail_at > 0 && d->steps > d->fail_at && d->silent)
        return FM_ERR_FILE;
    if (d->fail_at > 0 && d->steps > d->fail_at) {
        snprintf(error->text, sizeof error->text, "the page is full");
        return error->status = FM_ERR_FULL;
    }
    return FM_OK;
}

static void note_event(void *user, fm_sink *sink, const fm_event *event)
{
    (void)sink;
    diary *d = user;
    d->events++;
    assert_non_null(event->kind);
}

static void note_error(void *user, fm_sink *sink, const fm_error *error)
{
    (void)sink;
    (void)error;
    ((diary *)user)->errors++;
}

static fm_status note_end(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    (void)sink;
    (void)error;
    diary *d = user;
    assert_int_equal(d->released, 0);
    d->ends++;
    d->ending = *ending;
    snprintf(d->ended, sizeof d->ended, "%s", ending->text);
    return FM_OK;
}

static void note_release(void *user)
{
    ((diary *)user)->released++;
}

static fm_sink_config keep(diary *d)
{
    return (fm_sink_config){.start = note_start,
                            .step = note_step,
                            .event = note_event,
                            .error = note_error,
                            .end = note_end,
                            .release = note_release,
                            .user = d};
}

static void a_sink_sees_the_start_every_step_and_the_end(void **state)
{
    (void)state;
    diary d = {0};
    fm_sink_config sink = keep(&d);
    fm_run *run = case_run(model, &(fm_run_options){.duration = 1});
    assert_well(fm_run_attach(run, &sink, NULL, e));
    assert_int_equal(d.steps, 0);
    assert_well(fm_run_go(run, NULL, e));
    assert_int_equal(d.steps, 21);
    assert_int_equal(d.ends, 0);
    assert_well(fm_run_finish(run, e));
    assert_same(d.ends, 1);
    assert_same(d.released, 1);
    assert_same(d.errors, 0);
    assert_same(d.ending.status, FM_OK);
    assert_string_equal(d.ended, "finished");
    fm_error error = {0};
    assert_int_equal(fm_run_step(run, &error), FM_ERR_STATE);
    fm_run_free(run);
    assert_int_equal(d.ends, 1);
}

static void a_run_that_is_freed_half_way_was_interrupted(void **state)
{
    (void)state;
    diary d = {0};
    fm_sink_config sink = keep(&d);
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &sink, NULL, e));
    assert_well(fm_run_until(run, 1, e));
    fm_run_free(run);
    assert_string_equal(d.ended, "interrupted");
}

static void a_sink_that_fails_ends_the_run_and_all_are_told(void **state)
{
    (void)state;
    diary a = {0}, b = {.fail_at = 10};
    fm_sink_config first = keep(&a), second = keep(&b);
    fm_error error = {0};
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &first, NULL, e));
    assert_well(fm_run_attach(run, &second, NULL, e));
    assert_int_equal(fm_run_go(run, NULL, &error), FM_ERR_FULL);
    assert_string_equal(error.text, "the page is full");
    assert_int_equal(fm_world_tick(fm_run_world(run)), 10);
    assert_same(a.errors, 1);
    assert_same(b.errors, 1);
    error = (fm_error){0};
    assert_int_equal(fm_run_step(run, &error), FM_ERR_FULL);
    assert_string_equal(error.text, "the page is full");
    fm_run_free(run);
    assert_string_equal(a.ended, "the page is full");
    assert_int_equal(a.ending.status, FM_ERR_FULL);
}

static void a_sink_that_fails_without_a_word_is_told_by_its_status(void **state)
{
    (void)state;
    diary d = {.fail_at = 5, .silent = 1};
    fm_sink_config sink = keep(&d);
    fm_error error = {0};
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &sink, NULL, e));
    assert_int_equal(fm_run_go(run, NULL, &error), FM_ERR_FILE);
    assert_string_equal(error.text, "file error");
    assert_int_equal(fm_world_tick(fm_run_world(run)), 5);
    fm_run_free(run);
}

static void a_sink_that_cannot_start_is_released_and_not_attached(void **state)
{
    (void)state;
    diary d = {.fail_at = -1};
    fm_sink_config sink = keep(&d);
    fm_error error = {0};
    fm_run *run = case_run(model, NULL);
    assert_int_equal(fm_run_attach(run, &sink, NULL, &error), FM_ERR_FILE);
    assert_string_equal(error.text, "no ink");
    assert_well(fm_run_until(run, 1, e));
    fm_run_free(run);
    assert_same(d.released, 1);
    assert_same(d.steps, 0);
    assert_same(d.ends, 0);
}

static void a_state_that_is_not_finite_is_told_as_the_end(void **state)
{
    (void)state;
    diary d = {0};
    fm_sink_config sink = keep(&d);
    fm_error error = {0};
    static const char bad[] =
        "<fathom version='1'><world dt='5 s' duration='1000 s'><water density='1000 kg/m3'/></world>"
        "<vehicle name='a' model='nps-auv-ii' position='0 0 10 m' velocity='30 0 5 m/s' "
        "rates='3 3 3 rad/s'/></fathom>";
    fm_model *wild = load(bad);
    fm_run *run = case_run(wild, NULL);
    assert_well(fm_run_attach(run, &sink, NULL, e));
    assert_int_equal(fm_run_go(run, NULL, &error), FM_ERR_STATE);
    assert_non_null(strstr(error.text, "vehicle 'a'"));
    fm_run_finish(run, NULL);
    assert_same(d.errors, 1);
    assert_string_equal(d.ended, error.text);
    fm_run_free(run);
    fm_model_free(wild);
}

static void a_sink_may_come_late_and_go_early(void **state)
{
    (void)state;
    diary d = {.steps = 20};
    fm_sink_config sink = keep(&d);
    fm_sink *attached;
    fm_error error = {0};
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_until(run, 1, e));
    assert_well(fm_run_attach(run, &sink, &attached, e));
    assert_well(fm_run_until(run, 2, e));
    assert_int_equal(d.steps, 41);
    assert_well(fm_run_detach(run, attached, e));
    assert_string_equal(d.ended, "detached");
    assert_int_equal(fm_run_detach(run, attached, &error), FM_ERR_ARGUMENT);
    assert_well(fm_run_until(run, 3, e));
    assert_int_equal(d.steps, 41);
    fm_run_free(run);
}

/* --- messages --- */

typedef struct heap {
    uint64_t messages, hash, last_time;
    unsigned slow_us;
    pthread_mutex_t *gate; /* held by who wants it to stand still */
    char first_topic[64];
    fm_run_ending ending;
    pthread_t thread;
    fm_sink *sink;
} heap;

static fm_status open_heap(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    heap *h = user;
    h->sink = sink;
    snprintf(h->first_topic, sizeof h->first_topic, "%s", fm_sink_channel(sink, 0).topic);
    return FM_OK;
}

static void pile_up(void *user, const fm_sink_message *m)
{
    heap *h = user;
    const unsigned char *bytes = m->data;
    assert_at_least(m->time, h->last_time);
    assert_greater(m->size, 4);
    h->last_time = m->time;
    h->thread = pthread_self();
    h->messages++;
    for (size_t i = 0; i < m->size; i++)
        h->hash = (h->hash ^ bytes[i] ^ m->sequence) * 0x100000001b3u;
    if (h->slow_us && h->messages % 100 == 0)
        usleep(h->slow_us);
    if (h->gate) {
        pthread_mutex_lock(h->gate);
        pthread_mutex_unlock(h->gate);
    }
}

static fm_status end_heap(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    (void)sink;
    (void)error;
    ((heap *)user)->ending = *ending;
    return FM_OK;
}

static fm_sink_config gather(heap *h, fm_sink_delivery delivery)
{
    return (fm_sink_config){.delivery = delivery, .start = open_heap, .message = pile_up, .end = end_heap, .user = h};
}

static void every_way_of_delivery_gives_the_same_bytes(void **state)
{
    (void)state;
    static const fm_sink_delivery ways[] = {FM_SINK_PACED, FM_SINK_WAIT, FM_SINK_DIRECT};
    heap heaps[3] = {0};
    fm_run *run = case_run(model, &(fm_run_options){.duration = 2});
    for (int i = 0; i < 3; i++) {
        fm_sink_config sink = gather(&heaps[i], ways[i]);
        assert_well(fm_run_attach(run, &sink, NULL, e));
    }
    assert_greater(fm_sink_channel_count(heaps[0].sink), 8);
    fm_channel_info odom = fm_sink_channel(heaps[0].sink, 0);
    assert_string_equal(odom.topic, "/a/odom");
    assert_string_equal(odom.type, "nav_msgs/msg/Odometry");
    char *schema = fm_sink_schema(heaps[0].sink, 0);
    assert_non_null(strstr(schema, "geometry_msgs/PoseWithCovariance pose"));
    fm_free(schema);
    assert_well(fm_run_go(run, NULL, e));
    assert_well(fm_run_finish(run, e));
    assert_greater(heaps[0].messages, 40 * 8);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(heaps[i].messages, heaps[0].messages);
        assert_int_equal(heaps[i].hash, heaps[0].hash);
        assert_int_equal(heaps[i].ending.dropped, 0);
    }
    assert_true(pthread_equal(heaps[2].thread, pthread_self()));
    assert_false(pthread_equal(heaps[0].thread, pthread_self()));
    fm_run_free(run);
}

static void gather_run(heap *h, fm_sink_delivery delivery)
{
    fm_run *run = case_run(model, &(fm_run_options){.duration = 200});
    fm_sink_config sink = gather(h, delivery);
    sink.buffer = 1e-3;
    assert_well(fm_run_attach(run, &sink, NULL, e));
    assert_well(fm_run_go(run, NULL, e));
    assert_int_equal(fm_world_tick(fm_run_world(run)), 4000);
    if (h->gate)
        pthread_mutex_unlock(h->gate);
    fm_run_free(run);
}

static void a_sink_that_stands_still_loses_messages_and_holds_up_nobody_unless_it_says_so(void **state)
{
    (void)state;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    heap still = {.gate = &gate}, slow = {.slow_us = 500}, direct = {0};
    pthread_mutex_lock(&gate);
    gather_run(&still, FM_SINK_DROP); /* comes to its end all the same */
    gather_run(&slow, FM_SINK_WAIT);
    gather_run(&direct, FM_SINK_DIRECT);
    assert_greater(still.ending.dropped, 0);
    assert_same(still.ending.overrun, 0);
    assert_int_equal(still.messages + still.ending.dropped, direct.messages);
    assert_int_equal(slow.ending.dropped, 0);
    assert_int_equal(slow.messages, direct.messages);
    assert_int_equal(slow.hash, direct.hash);
}

static void sinks_of_two_rates_do_not_disturb_each_other(void **state)
{
    (void)state;
    heap all = {0}, few = {0}, alone = {0};
    fm_sink_config every = gather(&all, FM_SINK_DIRECT), some = gather(&few, FM_SINK_DIRECT);
    some.rate = 2;
    fm_run *run = case_run(model, &(fm_run_options){.duration = 2});
    assert_well(fm_run_attach(run, &every, NULL, e));
    assert_well(fm_run_attach(run, &some, NULL, e));
    assert_well(fm_run_go(run, NULL, e));
    fm_run_free(run);
    every.user = &alone;
    run = case_run(model, &(fm_run_options){.duration = 2});
    assert_well(fm_run_attach(run, &every, NULL, e));
    assert_well(fm_run_go(run, NULL, e));
    fm_run_free(run);
    assert_same(all.messages, alone.messages);
    assert_same(all.hash, alone.hash);
    assert_between(10, few.messages, all.messages / 4);
}

static void a_late_sink_gets_the_scene_first(void **state)
{
    (void)state;
    heap early = {0}, late = {0};
    fm_sink_config first = gather(&early, FM_SINK_DIRECT), second = gather(&late, FM_SINK_DIRECT);
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &first, NULL, e));
    assert_well(fm_run_until(run, 1, e));
    assert_well(fm_run_attach(run, &second, NULL, e));
    assert_int_equal(late.messages, 4); /* /scene, /tf_static and the two of /markers are latched */
    fm_run_free(run);
}

/* --- inputs --- */

typedef struct pusher {
    fm_run *run;
    const char *vehicle;
    int count;
    uint64_t tag;
    int full;
} pusher;

static void *submit_orders(void *user)
{
    pusher *p = user;
    for (int i = 0; i < p->count; i++) {
        fm_input input = {.command = {.kind = FM_COMMAND_ORDER, .order = {.actuator = "propellers", .value = i}},
                          .tag = p->tag};
        snprintf(input.command.order.vehicle, sizeof input.command.order.vehicle, "%s", p->vehicle);
        while (fm_run_submit(p->run, &input, NULL) != FM_OK) {
            p->full++;
            usleep(100);
        }
    }
    return NULL;
}

/* Orders as the world took them, by tag. */
typedef struct taken {
    double next[3];
    int count;
} taken;

static fm_status watch_inputs(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    taken *t = user;
    const fm_input *inputs;
    size_t count = fm_world_inputs(fm_run_world(fm_sink_run(sink)), &inputs);
    for (size_t i = 0; i < count; i++) {
        assert_same(inputs[i].command.order.value, t->next[inputs[i].tag]);
        assert_int_equal(inputs[i].tick, fm_world_tick(fm_run_world(fm_sink_run(sink))) - 1);
        t->next[inputs[i].tag]++;
        t->count++;
    }
    return FM_OK;
}

static void inputs_of_two_threads_all_arrive_each_in_its_order(void **state)
{
    (void)state;
    enum { EACH = 20000 };
    taken t = {0};
    fm_run *run = case_run(model, &(fm_run_options){.duration = HUGE_VAL, .inputs = 64});
    assert_well(fm_run_attach(run, &(fm_sink_config){.step = watch_inputs, .user = &t}, NULL, e));
    pusher pushers[2] = {{run, "a", EACH, 1, 0}, {run, "b", EACH, 2, 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, submit_orders, &pushers[i]), 0);
    while (t.count < 2 * EACH)
        assert_well(fm_run_step(run, e));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fm_run_counts counts = fm_run_get_counts(run);
    assert_same(t.next[1], EACH);
    assert_same(t.next[2], EACH);
    assert_same(counts.inputs, 2 * EACH);
    assert_int_equal(counts.overflowed, pushers[0].full + pushers[1].full);
    fm_run_free(run);
}

static void a_full_queue_refuses_and_counts(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_run *run = case_run(model, &(fm_run_options){.inputs = 4});
    for (int i = 0; i < 4; i++)
        assert_well(fm_run_order(run, "a", "propellers", i, e));
    assert_int_equal(fm_run_order(run, "a", "propellers", 4, &error), FM_ERR_FULL);
    assert_non_null(strstr(error.text, "4 inputs wait"));
    assert_int_equal(fm_run_get_counts(run).overflowed, 1);
    assert_well(fm_run_step(run, e));
    assert_well(fm_run_order(run, "a", "propellers", 5, e));
    assert_int_equal(fm_run_get_counts(run).inputs, 4);
    fm_run_free(run);
}

typedef struct refusals {
    int count;
    uint64_t tag;
    char text[768];
} refusals;

static void note_refusal(void *user, fm_sink *sink, const fm_input *input, const fm_error *error)
{
    (void)sink;
    refusals *r = user;
    r->count++;
    r->tag = input->tag;
    snprintf(r->text, sizeof r->text, "%s", error->text);
}

static void an_input_that_does_not_fit_the_world_is_told_with_its_tag(void **state)
{
    (void)state;
    refusals r = {0};
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &(fm_sink_config){.refused = note_refusal, .user = &r}, NULL, e));
    fm_input wings = {.command = {.kind = FM_COMMAND_ORDER, .order = {.vehicle = "a", .actuator = "wings", .value = 1}},
                      .tag = 42};
    assert_well(fm_run_submit(run, &wings, e));
    assert_well(fm_run_step(run, e));
    assert_same(r.count, 1);
    assert_same(r.tag, 42);
    assert_string_equal(r.text, "vehicle 'a' has no actuator 'wings'");
    fm_input endless = {.command.kind = FM_COMMAND_ORDER};
    memset(endless.command.order.vehicle, 'x', sizeof endless.command.order.vehicle);
    assert_well(fm_run_submit(run, &endless, e));
    assert_well(fm_run_set(run, "/a/nonsense", 1, e));
    assert_well(fm_run_submit(run, &(fm_input){.command.kind = (fm_command_kind)77}, e));
    assert_well(fm_run_step(run, e));
    assert_same(r.count, 4);
    assert_same(fm_run_get_counts(run).refused, 4);
    assert_same(fm_run_get_counts(run).inputs, 0);
    fm_run_free(run);
}

/* --- memory and nonsense --- */

static void a_step_of_a_run_takes_no_memory(void **state)
{
    (void)state;
    heap h = {0};
    diary d = {0};
    fm_sink_config messages = gather(&h, FM_SINK_DIRECT), steps = keep(&d);
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_attach(run, &messages, NULL, e));
    assert_well(fm_run_attach(run, &steps, NULL, e));
    fm_alloc_fail_after(0);
    for (int i = 0; i < 50; i++) {
        assert_well(fm_run_order(run, "b", "propellers", i, e));
        assert_well(fm_run_step(run, e));
    }
    fm_alloc_fail_after(-1);
    fm_run_free(run);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    long live = fm_alloc_live();
    int made = 0;
    for (long n = 0; n < 400 && !made; n++) {
        fm_error error = {0};
        heap h = {0};
        fm_sink_config sink = gather(&h, FM_SINK_WAIT);
        fm_alloc_fail_after(n);
        fm_run *run = fm_run_create(model, NULL, &error);
        if (run && fm_run_attach(run, &sink, NULL, &error) == FM_OK)
            made = fm_run_record(run, "run_memory.mcap", NULL, &error) == FM_OK;
        fm_alloc_fail_after(-1);
        if (!made && error.status != FM_ERR_MEMORY)
            assert_same(error.status, FM_ERR_FILE);
        fm_run_free(run);
        if (!made) /* a log's own thread takes memory that is given back here */
            assert_int_equal(fm_alloc_live(), live);
    }
    assert_true(made);
}

static void nonsense_is_answered_with_an_error_or_nothing(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_run *run = case_run(model, NULL);
    assert_null(fm_run_create(NULL, NULL, &error));
    assert_null(fm_run_create(NULL, NULL, NULL));
    assert_null(fm_run_create_on(NULL, NULL, &error));
    assert_null(fm_run_create(model, &(fm_run_options){.duration = -1}, &error));
    assert_null(fm_run_create(model, &(fm_run_options){.duration = NAN}, &error));
    assert_null(fm_run_create(model, &(fm_run_options){.inputs = 5000}, &error));
    assert_null(fm_run_create(model, &(fm_run_options){.pace = {.speed = -1}}, &error));
    fm_run_free(NULL);
    assert_null(fm_run_world(NULL));
    assert_same(fm_run_end(NULL), 0);
    assert_true(fm_run_over(NULL));
    assert_int_equal(fm_run_set_end(NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_set_end(run, NAN, &error), FM_ERR_RANGE);
    assert_int_equal(fm_run_step(NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_until(NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_advance(NULL, 0, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_go(NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_go(run, &(fm_run_clock){0}, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_set_pace(NULL, &(fm_run_pace){0}, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_set_pace(run, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_set_pace(run, &(fm_run_pace){.speed = NAN}, &error), FM_ERR_RANGE);
    fm_run_pause(NULL), fm_run_resume(NULL), fm_run_single(NULL, 1), fm_run_stop(NULL), fm_run_leave(NULL, 1);
    assert_int_equal(fm_run_join(NULL, &error), -1);
    assert_int_equal(fm_run_ready(NULL, 1), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_ready(run, 1), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_submit(NULL, &(fm_input){0}, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_submit(run, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_order(run, NULL, "x", 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_order(run, "a", NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_set(run, NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_get_counts(NULL).steps, 0);
    assert_int_equal(fm_run_attach(run, NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_attach(NULL, &(fm_sink_config){0}, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_attach(run, &(fm_sink_config){.rate = -1}, NULL, &error), FM_ERR_RANGE);
    assert_int_equal(fm_run_detach(run, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_finish(NULL, &error), FM_ERR_ARGUMENT);
    assert_null(fm_sink_run(NULL));
    assert_int_equal(fm_sink_channel_count(NULL), 0);
    assert_string_equal(fm_sink_channel(NULL, 3).topic, "");
    assert_null(fm_sink_schema(NULL, 0));
    assert_int_equal(fm_run_record(NULL, "x.mcap", NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_record(run, NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_run_record(run, "x.mcap", &(fm_log_options){.rate = -1}, &error), FM_ERR_RANGE);
    assert_int_equal(fm_run_record(run, "no/such/folder/x.mcap", NULL, &error), FM_ERR_FILE);
    assert_int_equal(fm_world_run_until(NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_model_ticks(model, NAN), 0);
    assert_int_equal(fm_model_ticks(model, -1), 0);
    assert_same(fm_model_ticks(model, HUGE_VAL), UINT64_MAX);
    assert_same(fm_model_ticks(NULL, 1), 0);
    assert_well(fm_run_go(run, NULL, e)); /* unharmed */
    fm_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_the_world_stepped_to_the_end_of_the_scenario),
        cmocka_unit_test(a_run_ends_where_it_is_told_to),
        cmocka_unit_test(a_world_that_was_stepped_before_runs_on),
        cmocka_unit_test(a_sink_sees_the_start_every_step_and_the_end),
        cmocka_unit_test(a_run_that_is_freed_half_way_was_interrupted),
        cmocka_unit_test(a_sink_that_fails_ends_the_run_and_all_are_told),
        cmocka_unit_test(a_sink_that_fails_without_a_word_is_told_by_its_status),
        cmocka_unit_test(a_sink_that_cannot_start_is_released_and_not_attached),
        cmocka_unit_test(a_state_that_is_not_finite_is_told_as_the_end),
        cmocka_unit_test(a_sink_may_come_late_and_go_early),
        cmocka_unit_test(every_way_of_delivery_gives_the_same_bytes),
        cmocka_unit_test(a_sink_that_stands_still_loses_messages_and_holds_up_nobody_unless_it_says_so),
        cmocka_unit_test(sinks_of_two_rates_do_not_disturb_each_other),
        cmocka_unit_test(a_late_sink_gets_the_scene_first),
        cmocka_unit_test(inputs_of_two_threads_all_arrive_each_in_its_order),
        cmocka_unit_test(a_full_queue_refuses_and_counts),
        cmocka_unit_test(an_input_that_does_not_fit_the_world_is_told_with_its_tag),
        cmocka_unit_test(a_step_of_a_run_takes_no_memory),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(nonsense_is_answered_with_an_error_or_nothing),
    };
    return cmocka_run_group_tests(tests, load_case, free_case);
}
