/* Channels and rings: nothing is lost, nothing blocks, nothing is allocated while publishing. */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/channel.h"

static fm_channels *make_channels(uint32_t *clock, uint32_t *scene, double rate)
{
    fm_error error;
    fm_channels *c = fm_channels_create();
    fm_channel_options a = {.topic = "/clock", .type = &fm_msg_clock_type, .max_size = 12, .rate = rate};
    fm_channel_options b = {
        .topic = "/scene", .type = &fm_msg_temperature_type, .max_size = 64, .rate = 0.1, .latched = 1};
    assert_int_equal(fm_channel_add(c, &a, clock, &error), FM_OK);
    assert_int_equal(fm_channel_add(c, &b, scene, &error), FM_OK);
    assert_int_equal(fm_channels_seal(c, &error), FM_OK);
    return c;
}

static void topics_are_checked(void **state)
{
    (void)state;
    fm_error error;
    uint32_t number;
    fm_channels *c = fm_channels_create();
    fm_channel_options a = {.topic = "clock", .type = &fm_msg_clock_type, .max_size = 12, .rate = 1};
    assert_int_equal(fm_channel_add(c, &a, &number, &error), FM_ERR_NAME);
    a.topic = "/clock";
    assert_int_equal(fm_channel_add(c, &a, &number, &error), FM_OK);
    assert_int_equal(fm_channel_add(c, &a, &number, &error), FM_ERR_NAME);
    a.topic = "/other";
    a.rate = 0;
    assert_int_equal(fm_channel_add(c, &a, &number, &error), FM_ERR_RANGE);
    a.rate = 1;
    assert_int_equal(fm_channels_seal(c, &error), FM_OK);
    assert_int_equal(fm_channel_add(c, &a, &number, &error), FM_ERR_STATE);
    fm_channels_destroy(c);
}

static void a_full_ring_drops_and_counts(void **state)
{
    (void)state;
    uint32_t clock, scene;
    fm_error error;
    fm_ring *ring;
    fm_ring_item item;
    fm_channels *c = make_channels(&clock, &scene, 10);
    assert_int_equal(fm_channels_attach(c, 0, FM_RING_DROP, &ring, &error), FM_OK);
    size_t fits = 0;
    fm_msg_clock message = {{1, 2}};
    while (fm_channel_publish(c, clock, fits, &message) == FM_OK)
        fits++;
    assert_int_equal(fits, (2 * (fm_ring_bytes(12) + fm_ring_bytes(64)) + fm_ring_bytes(64)) /
                               fm_ring_bytes(12)); /* two steps and the longest message */
    assert_int_equal(fm_channel_publish(c, clock, 99, &message), FM_ERR_FULL);
    assert_int_equal(fm_ring_dropped(ring), 2);
    assert_true(fm_ring_peek(ring, &item));
    assert_int_equal(item.size, 12);
    fm_ring_pop(ring);
    assert_int_equal(fm_channel_publish(c, clock, 100, &message), FM_OK);
    for (size_t i = 1; i < fits; i++, fm_ring_pop(ring)) {
        assert_true(fm_ring_peek(ring, &item));
        assert_int_equal(item.time, i);
    }
    assert_true(fm_ring_peek(ring, &item));
    assert_int_equal(item.sequence, fits + 2); /* the dropped ones leave a gap */
    fm_channels_detach(c, ring);
    fm_ring_destroy(ring);
    fm_channels_destroy(c);
}

static void a_latched_message_reaches_a_late_consumer(void **state)
{
    (void)state;
    uint32_t clock, scene;
    fm_error error;
    fm_ring *ring;
    fm_ring_item item;
    fm_channels *c = make_channels(&clock, &scene, 10);
    fm_msg_temperature t = {.temperature = 4};
    assert_int_equal(fm_channel_publish(c, scene, 5, &t), FM_OK);
    assert_int_equal(fm_channels_attach(c, 1, FM_RING_DROP, &ring, &error), FM_OK);
    assert_true(fm_ring_peek(ring, &item));
    assert_int_equal(item.channel, scene);
    assert_int_equal(item.time, 5);
    fm_channels_detach(c, ring);
    fm_ring_destroy(ring);
    fm_channels_destroy(c);
}

static void a_message_longer_than_registered_is_refused_and_counted(void **state)
{
    (void)state;
    uint32_t clock, scene;
    fm_channels *c = make_channels(&clock, &scene, 10);
    fm_msg_temperature t = {.header.frame_id =
                                "a name that is far longer than the sixty-four bytes that were registered"};
    assert_int_equal(fm_channel_publish(c, scene, 5, &t), FM_ERR_RANGE);
    assert_int_equal(fm_channels_oversize(c), 1);
    fm_channels_destroy(c);
}

static void publishing_does_not_allocate(void **state)
{
    (void)state;
    uint32_t clock, scene;
    fm_error error;
    fm_ring *ring;
    fm_channels *c = make_channels(&clock, &scene, 100);
    assert_int_equal(fm_channels_attach(c, 1, FM_RING_DROP, &ring, &error), FM_OK);
    fm_alloc_fail_after(0);
    fm_msg_clock message = {{1, 2}};
    for (uint64_t i = 0; i < 50; i++)
        assert_int_equal(fm_channel_publish(c, clock, i, &message), FM_OK);
    fm_alloc_fail_after(-1);
    fm_channels_detach(c, ring);
    fm_ring_destroy(ring);
    fm_channels_destroy(c);
}

enum { MANY = 200000 };

static void *consume(void *context)
{
    fm_ring *ring = context;
    fm_ring_item item;
    uintptr_t count = 0, good = 1;
    for (;;) {
        int closed = fm_ring_closed(ring);
        if (fm_ring_peek(ring, &item)) {
            uint32_t nanosec;
            memcpy(&nanosec, item.data + 8, 4);
            good &= item.time == count && nanosec == count && item.sequence == count;
            count++;
            fm_ring_pop(ring);
        } else if (closed) {
            return (void *)(good ? count : 0);
        } else {
            fm_ring_wait(ring);
        }
    }
}

static void a_waiting_producer_loses_nothing(void **state)
{
    (void)state;
    uint32_t clock, scene;
    fm_error error;
    fm_ring *ring;
    pthread_t thread;
    void *count;
    fm_channels *c = make_channels(&clock, &scene, 10);
    assert_int_equal(fm_channels_attach(c, 0, FM_RING_WAIT, &ring, &error), FM_OK);
    assert_int_equal(pthread_create(&thread, NULL, consume, ring), 0);
    for (uint32_t i = 0; i < MANY; i++) {
        fm_channels_wait(c);
        fm_msg_clock message = {{0, i}};
        assert_int_equal(fm_channel_publish(c, clock, i, &message), FM_OK);
        fm_channels_flush(c);
    }
    fm_channels_detach(c, ring);
    pthread_join(thread, &count);
    assert_int_equal((uintptr_t)count, MANY);
    assert_int_equal(fm_ring_dropped(ring), 0);
    fm_ring_destroy(ring);
    fm_channels_destroy(c);
}

/* --- channels that come and go --- */

/* Who the messages are of, as a consumer of a ring understands them. */
typedef struct understood {
    char topic[32];
    size_t messages, news, wrong;
} understood;

static void take_all(fm_ring *ring, understood *u)
{
    fm_ring_item item;
    for (; fm_ring_peek(ring, &item); fm_ring_pop(ring)) {
        fm_msg_clock clock;
        fm_arena arena = {0};
        if (item.news) {
            snprintf(u->topic, sizeof u->topic, "%.31s", ((const fm_channel_news *)(const void *)item.data)->topic);
            u->news++;
            continue;
        }
        assert_int_equal(fm_message_decode(&fm_msg_clock_type, item.data, item.size, &clock, &arena, NULL), FM_OK);
        u->messages++;
        u->wrong += u->topic[0] != '/' || (int)clock.clock.sec != u->topic[1]; /* it says whose it is */
        fm_arena_free(&arena);
    }
}

static void publish_as(fm_channels *c, uint32_t number, char who, int count)
{
    fm_msg_clock message = {{who, 0}};
    for (int i = 0; i < count; i++)
        fm_channel_publish(c, number, 1, &message);
    fm_channels_flush(c);
}

/* A ring that drops messages drops no news: it would give the messages of one vehicle to another. */
static void a_full_ring_never_mistakes_one_vehicle_for_another(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_ring *ring;
    uint32_t number;
    fm_channels *c = fm_channels_create();
    fm_channel_options options = {.topic_size = 32, .type = &fm_msg_clock_type, .max_size = 12, .rate = 1};
    fm_channel_load load = fm_channels_load(&options, 1);
    fm_channels_reserve(c, &load);
    assert_int_equal(fm_channels_seal(c, &error), FM_OK);
    assert_int_equal(fm_channels_attach(c, 0, FM_RING_DROP, &ring, &error), FM_OK);
    assert_int_equal(fm_channel_add(c, &options, &number, &error),
                     FM_OK); /* after the seal, within what was reserved */
    understood u = {{0}, 0, 0, 0};
    assert_int_equal(fm_channel_open(c, number, 0, "/a", &error), FM_OK);
    publish_as(c, number, 'a', 1000); /* the ring is full */
    assert_greater(fm_ring_dropped(ring), 900);
    fm_channel_close(c, number, 1);
    assert_int_equal(fm_channel_open(c, number, 2, "/b", &error), FM_OK);
    publish_as(c, number, 'b', 10);
    take_all(ring, &u);
    assert_greater(u.messages, 0);
    assert_same(u.wrong, 0);
    assert_same(u.news, 1);
    publish_as(c, number, 'b', 2);
    take_all(ring, &u);
    assert_same(u.wrong, 0);
    assert_same(u.news, 2);
    assert_string_equal(u.topic, "/b");
    assert_int_equal(fm_channel_at(c, number)->sequence, 12);
    publish_as(c, number, 'b', 1000);
    fm_channel_close(c, number, 3);
    take_all(ring, &u);
    fm_channels_flush(c); /* the end comes when there is room */
    take_all(ring, &u);
    assert_same(u.wrong, 0);
    assert_same(u.news, 3);
    assert_same(u.topic[0], 0);
    assert_int_equal(fm_channel_open(c, number, 4, "/a-name-that-is-longer-than-reserved", &error), FM_ERR_RANGE);
    fm_channels_detach(c, ring);
    fm_ring_destroy(ring);
    fm_channels_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_are_checked),
        cmocka_unit_test(a_full_ring_drops_and_counts),
        cmocka_unit_test(a_latched_message_reaches_a_late_consumer),
        cmocka_unit_test(a_message_longer_than_registered_is_refused_and_counted),
        cmocka_unit_test(publishing_does_not_allocate),
        cmocka_unit_test(a_waiting_producer_loses_nothing),
        cmocka_unit_test(a_full_ring_never_mistakes_one_vehicle_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
