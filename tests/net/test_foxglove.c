/* A viewer's connection: what it receives, and what it may request. */
#include "page/foxglove.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka_all.h"

typedef struct stand {
    fm_show show;
    fm_foxglove *viewer;
    double set_value;
    char set_path[64], called[32];
    fm_play wanted;
} stand;

static fm_status set_param(fm_show *show, const char *path, double value, fm_error *error)
{
    stand *s = show->user;
    if (value > 10)
        return fm_fail(error, FM_ERR_RANGE, "%s: %g: must be 0 … 10", path, value);
    snprintf(s->set_path, sizeof s->set_path, "%s", path);
    s->set_value = value;
    return FM_OK;
}

static fm_status call(fm_show *show, const char *service, const json_t *request, json_t *reply, fm_error *error)
{
    stand *s = show->user;
    snprintf(s->called, sizeof s->called, "%s %g", service, json_number_value(json_object_get(request, "steps")));
    json_object_set_new(reply, "done", json_integer(3));
    return json_object_get(request, "bad") ? fm_fail(error, FM_ERR_RANGE, "that is bad") : FM_OK;
}

static void play(fm_show *show, const fm_play *wanted, fm_play *now)
{
    ((stand *)show->user)->wanted = *wanted;
    *now = *wanted;
}

static const fm_show_service services[] = {{"/step", "steps", "{}"}};

static stand *open_stand(void)
{
    static stand s;
    s = (stand){0};
    assert_int_equal(fm_show_open(&s.show, "Fathom", NULL), FM_OK);
    s.show.user = &s;
    s.show.set = set_param;
    s.show.call = call;
    s.show.services = services;
    s.show.service_count = 1;
    assert_int_equal(fm_show_reserve(&s.show, 1, NULL), FM_OK);
    s.show.params[0] = (fm_show_param){.path = "/a/gain", .unit = "", .text = "", .live = 1, .numeric = 1, .value = 2};
    fm_hub_add(s.show.hub, &(fm_hub_channel){"/clock", "cdr", "rosgraph_msgs/msg/Clock", "x", "ros2msg", 0});
    fm_hub_add(s.show.hub, &(fm_hub_channel){"/events", "cdr", "fathom_msgs/msg/Event", "y", "ros2msg", 1});
    s.viewer = fm_foxglove_open(&s.show);
    assert_non_null(s.viewer);
    return &s;
}

static void close_stand(stand *s)
{
    fm_foxglove_close(s->viewer);
    fm_show_close(&s->show);
}

/* The next text frame as JSON; NULL: something else came, or nothing. */
static json_t *next_text(stand *s)
{
    fm_foxglove_frame f;
    if (fm_foxglove_next(s->viewer, &f) != 1 || f.binary)
        return NULL;
    return json_loadb((const char *)f.data, f.size, 0, NULL);
}

static void expect_op(stand *s, const char *op)
{
    json_t *m = next_text(s);
    assert_string_equal(json_string_value(json_object_get(m, "op")), op);
    json_decref(m);
}

static void drain(stand *s)
{
    fm_foxglove_frame f;
    while (fm_foxglove_next(s->viewer, &f) == 1)
        ;
}

static void say(stand *s, const char *text)
{
    assert_int_equal(fm_foxglove_take(s->viewer, 0, text, strlen(text), NULL), FM_OK);
}

static void a_viewer_is_greeted_with_server_channels_and_services(void **state)
{
    (void)state;
    stand *s = open_stand();
    json_t *info = next_text(s);
    assert_string_equal(json_string_value(json_object_get(info, "op")), "serverInfo");
    assert_string_equal(json_string_value(json_object_get(info, "name")), "Fathom");
    json_decref(info);
    json_t *channels = next_text(s);
    assert_int_equal(json_array_size(json_object_get(channels, "channels")), 2);
    json_decref(channels);
    expect_op(s, "advertiseServices");
    close_stand(s);
}

static void a_subscriber_gets_the_last_message_at_once_and_then_each(void **state)
{
    (void)state;
    stand *s = open_stand();
    fm_foxglove_frame f;
    drain(s);
    fm_hub_publish(s->show.hub, &(fm_hub_message){0, 5000, "abc", 3});
    drain(s);
    say(s, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":77,\"channelId\":0}]}");
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 1);
    uint32_t id;
    uint64_t time;
    memcpy(&id, f.data + 1, 4);
    memcpy(&time, f.data + 5, 8);
    assert_int_equal(f.data[0], 1);
    assert_int_equal(id, 77);
    assert_int_equal(time, 5000);
    assert_memory_equal(f.data + 13, "abc", 3);
    fm_hub_publish(s->show.hub, &(fm_hub_message){1, 6000, "no", 2});
    fm_hub_publish(s->show.hub, &(fm_hub_message){0, 6000, "de", 2});
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 1);
    assert_int_equal(f.data[0], 2); /* the time */
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 1);
    assert_memory_equal(f.data + 13, "de", 2);
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 0);
    close_stand(s);
}

static void a_parameter_is_read_set_and_followed(void **state)
{
    (void)state;
    stand *s = open_stand();
    drain(s);
    say(s, "{\"op\":\"getParameters\",\"parameterNames\":[],\"id\":\"x\"}");
    json_t *m = next_text(s);
    const json_t *first = json_array_get(json_object_get(m, "parameters"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "/a/gain");
    assert_same(json_number_value(json_object_get(first, "value")), 2);
    assert_string_equal(json_string_value(json_object_get(m, "id")), "x");
    json_decref(m);
    say(s, "{\"op\":\"subscribeParameterUpdates\",\"parameterNames\":[]}");
    say(s, "{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"/a/gain\",\"value\":3.5}]}");
    assert_string_equal(s->set_path, "/a/gain");
    assert_same(s->set_value, 3.5);
    expect_op(s, "parameterValues");
    fm_show_param_changed(&s->show, "/a/gain", 3.5);
    m = next_text(s);
    first = json_array_get(json_object_get(m, "parameters"), 0);
    assert_same(json_number_value(json_object_get(first, "value")), 3.5);
    json_decref(m);
    say(s, "{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"/a/gain\",\"value\":99}]}");
    m = next_text(s);
    assert_string_equal(json_string_value(json_object_get(m, "op")), "status");
    assert_non_null(strstr(json_string_value(json_object_get(m, "message")), "must be 0 … 10"));
    json_decref(m);
    close_stand(s);
}

static void call_with(stand *s, uint32_t service, const char *json)
{
    uint8_t bytes[256] = {2};
    uint32_t head[3] = {service, 9, 4};
    memcpy(bytes + 1, head, 12);
    memcpy(bytes + 13, "json", 4);
    memcpy(bytes + 17, json, strlen(json));
    assert_int_equal(fm_foxglove_take(s->viewer, 1, bytes, 17 + strlen(json), NULL), FM_OK);
}

static void a_service_is_called_and_its_failure_told(void **state)
{
    (void)state;
    stand *s = open_stand();
    fm_foxglove_frame f;
    drain(s);
    call_with(s, 1, "{\"steps\":4}");
    assert_string_equal(s->called, "/step 4");
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 1);
    assert_int_equal(f.data[0], 3);
    assert_memory_equal(f.data + 13, "json{\"ok\":true,\"done\":3}", 24);
    call_with(s, 1, "{\"bad\":1}");
    json_t *m = next_text(s);
    assert_string_equal(json_string_value(json_object_get(m, "message")), "that is bad");
    assert_int_equal(json_integer_value(json_object_get(m, "callId")), 9);
    json_decref(m);
    call_with(s, 2, "{}");
    expect_op(s, "serviceCallFailure");
    call_with(s, 1, "[not json");
    expect_op(s, "serviceCallFailure");
    close_stand(s);
}

static void a_recording_is_played_and_sought(void **state)
{
    (void)state;
    stand *s = open_stand();
    fm_foxglove_frame f;
    s->show.play = play;
    drain(s);
    uint8_t request[21] = {3, 1};
    float speed = 2.5f;
    uint64_t time = 123456789;
    uint32_t length = 2;
    memcpy(request + 2, &speed, 4);
    request[6] = 1;
    memcpy(request + 7, &time, 8);
    memcpy(request + 15, &length, 4);
    memcpy(request + 19, "id", 2);
    assert_int_equal(fm_foxglove_take(s->viewer, 1, request, sizeof request, NULL), FM_OK);
    assert_int_equal(s->wanted.state, FM_PLAY_PAUSED);
    assert_true(s->wanted.seek);
    assert_same(s->wanted.time, time);
    assert_same(s->wanted.speed, speed);
    assert_int_equal(fm_foxglove_next(s->viewer, &f), 1);
    assert_int_equal(f.size, 21);
    assert_int_equal(f.data[0], 5);
    assert_memory_equal(f.data + 2, &time, 8);
    assert_memory_equal(f.data + 19, "id", 2);
    close_stand(s);
}

static void nonsense_is_answered_and_harms_nobody(void **state)
{
    (void)state;
    stand *s = open_stand();
    drain(s);
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{\"op\":7}",
                                        "{\"op\":\"dance\"}",
                                        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":99}]}",
                                        "{\"op\":\"setParameters\",\"parameters\":[{\"name\":3}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        say(s, texts[i]);
        expect_op(s, "status");
    }
    for (size_t size = 0; size < 40; size++)
        for (int op = 0; op < 8; op++) {
            uint8_t bytes[40];
            memset(bytes, 0xff, sizeof bytes);
            bytes[0] = (uint8_t)op;
            assert_int_equal(fm_foxglove_take(s->viewer, 1, bytes, size, NULL), FM_OK);
            drain(s);
        }
    close_stand(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_viewer_is_greeted_with_server_channels_and_services),
        cmocka_unit_test(a_subscriber_gets_the_last_message_at_once_and_then_each),
        cmocka_unit_test(a_parameter_is_read_set_and_followed),
        cmocka_unit_test(a_service_is_called_and_its_failure_told),
        cmocka_unit_test(a_recording_is_played_and_sought),
        cmocka_unit_test(nonsense_is_answered_and_harms_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
