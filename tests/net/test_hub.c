/* What viewers are given: every message in order while they keep up, the newest of each channel when they do not. */
#include "page/hub.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/cmocka_all.h"

static fm_hub *hub_with(size_t bytes, int channels)
{
    fm_hub *hub = fm_hub_create(bytes);
    assert_non_null(hub);
    for (int i = 0; i < channels; i++)
        assert_int_equal(fm_hub_add(hub, &(fm_hub_channel){"/a", "json", "t", "s", "jsonschema", i == 1}), i);
    return hub;
}

static void put(fm_hub *hub, uint32_t channel, uint64_t time, size_t size)
{
    uint8_t data[512];
    memset(data, (int)(time & 0xff), sizeof data);
    fm_hub_publish(hub, &(fm_hub_message){channel, time, data, size});
}

typedef struct buffer {
    uint8_t *data;
    size_t room;
} buffer;

static void messages_come_in_order_and_whole(void **state)
{
    (void)state;
    fm_hub *hub = hub_with(4096, 2);
    const uint8_t wish[2] = {1, 1};
    fm_hub_reader reader = {.lag = 1 << 20, .wish = wish, .wish_count = 2};
    buffer b = {0};
    fm_hub_message m;
    uint64_t next = 1, given = 0;
    for (uint64_t t = 1; t <= 5000; t++) {
        put(hub, t % 2, t, 1 + t * 7 % 300);
        while (fm_hub_read(hub, &reader, 16, &b.data, &b.room, &m) == 1) {
            assert_int_equal(m.time, next);
            assert_int_equal(m.channel, next % 2);
            assert_int_equal(m.size, 1 + next * 7 % 300);
            assert_int_equal(((const uint8_t *)m.data)[m.size - 1], next & 0xff);
            next++;
            given++;
        }
    }
    assert_int_equal(given, 5000);
    assert_int_equal(reader.overtaken, 0);
    fm_free(b.data);
    fm_hub_free(hub);
}

static void who_is_behind_gets_the_newest_of_each_channel_and_every_event(void **state)
{
    (void)state;
    fm_hub *hub = hub_with(1 << 20, 2); /* channel 1 is sparse: its messages are never passed over */
    const uint8_t wish[2] = {1, 1};
    fm_hub_reader reader = {.lag = 1024, .wish = wish, .wish_count = 2};
    buffer b = {0};
    fm_hub_message m;
    for (uint64_t t = 1; t <= 1000; t++)
        put(hub, t % 100 == 0, t, 100);
    int events = 0, others = 0;
    uint64_t last = 0;
    while (fm_hub_read(hub, &reader, 0, &b.data, &b.room, &m) == 1) {
        events += m.channel == 1;
        others += m.channel == 0;
        last = m.time;
    }
    assert_int_equal(events, 10);
    assert_at_least(others, 1);
    assert_less(others, 20);
    assert_int_equal(reader.passed, 990 - others);
    assert_int_equal(last, 1000);
    fm_free(b.data);
    fm_hub_free(hub);
}

static void a_ring_that_overtakes_a_reader_leaves_it_at_its_oldest_message(void **state)
{
    (void)state;
    fm_hub *hub = hub_with(2048, 1);
    const uint8_t wish[1] = {1};
    fm_hub_reader reader = {.lag = 1 << 20, .wish = wish, .wish_count = 1};
    buffer b = {0};
    fm_hub_message m;
    for (uint64_t t = 1; t <= 100; t++)
        put(hub, 0, t, 104); /* 128 bytes an entry: 16 fit */
    assert_int_equal(fm_hub_read(hub, &reader, 0, &b.data, &b.room, &m), 1);
    assert_int_equal(m.time, 85);
    assert_int_equal(reader.overtaken, 1);
    fm_free(b.data);
    fm_hub_free(hub);
}

static void the_last_message_is_kept_for_those_who_come_later(void **state)
{
    (void)state;
    fm_hub *hub = hub_with(2048, 2);
    buffer b = {0};
    fm_hub_message m;
    assert_int_equal(fm_hub_last(hub, 0, 0, &b.data, &b.room, &m), 0);
    put(hub, 0, 7, 30);
    for (uint64_t t = 8; t < 100; t++)
        put(hub, 1, t, 100);
    assert_int_equal(fm_hub_last(hub, 0, 0, &b.data, &b.room, &m), 1);
    assert_int_equal(m.time, 7);
    fm_free(b.data);
    fm_hub_free(hub);
}

static void note_topic(void *user, uint32_t id, const fm_hub_channel *channel)
{
    char *text = user;
    snprintf(text, 64, "%u %s", id, channel->topic);
}

/* What the ring still holds of the old channel would else be taken for the new one's. */
static void the_number_of_a_channel_that_has_ended_is_used_again_once_its_messages_are_gone(void **state)
{
    (void)state;
    fm_hub *hub = hub_with(2048, 2);
    const fm_hub_channel next = {"/next/odom", "json", "t", "s", "jsonschema", 0};
    const uint8_t wish[3] = {1, 1, 1};
    fm_hub_reader reader = {.lag = 1 << 20, .wish = wish, .wish_count = 3};
    char text[64];
    buffer b = {0};
    fm_hub_message m;
    put(hub, 0, 7, 30);
    fm_hub_remove(hub, 0);
    put(hub, 0, 8, 30); /* without an owner */
    assert_false(fm_hub_get_channel(hub, 0, note_topic, text));
    assert_int_equal(fm_hub_last(hub, 0, 0, &b.data, &b.room, &m), 0);
    assert_int_equal(fm_hub_read(hub, &reader, 0, &b.data, &b.room, &m), 0); /* it does not know of the end yet */
    reader.removals = fm_hub_removals(hub);
    assert_int_equal(fm_hub_add(hub, &next), 2); /* the ring has a message of the first */
    for (uint64_t t = 9; t < 100; t++)
        put(hub, 1, t, 100);
    assert_int_equal(fm_hub_add(hub, &next), 0);
    assert_true(fm_hub_get_channel(hub, 0, note_topic, text));
    assert_string_equal(text, "3 /next/odom"); /* under an id that no channel has had */
    for (int i = 0; i < 1000; i++) {
        fm_hub_remove(hub, 0);
        for (uint64_t t = 0; t < 30; t++)
            put(hub, 1, 100 + t, 100);
        assert_int_equal(fm_hub_add(hub, &next), 0);
    }
    assert_int_equal(fm_hub_channel_count(hub), 3);
    fm_free(b.data);
    fm_hub_free(hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_in_order_and_whole),
        cmocka_unit_test(who_is_behind_gets_the_newest_of_each_channel_and_every_event),
        cmocka_unit_test(a_ring_that_overtakes_a_reader_leaves_it_at_its_oldest_message),
        cmocka_unit_test(the_last_message_is_kept_for_those_who_come_later),
        cmocka_unit_test(the_number_of_a_channel_that_has_ended_is_used_again_once_its_messages_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
