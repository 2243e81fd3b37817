/* libfathom-client against a server that loses, repeats and falls silent on request. */
#include "support/cmocka_all.h"

#include <fathom/client.h>
#include <math.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"

static fm_client_options rover(void)
{
    return (fm_client_options){.name = "rover", .role = FM_CLIENT_CONTROLLER, .model = "rover"};
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Polls until the condition holds; fails after 5 s. */
#define UNTIL(client, condition)                                                                                       \
    do {                                                                                                               \
        double end_ = seconds_now() + 5;                                                                               \
        while (!(condition)) {                                                                                         \
            if (seconds_now() > end_)                                                                                  \
                fail_msg("not within 5 s: %s", #condition);                                                            \
            fm_client_poll(client, 0.01);                                                                              \
        }                                                                                                              \
    } while (0)

static fm_client *open_rover(fake *f, const fm_client_options *options)
{
    fm_error error = {0};
    fm_client *client = fm_client_open(f->address, options, &error);
    if (!client)
        fail_msg("%s", error.text);
    return client;
}

static void a_client_knows_its_vehicle(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    fm_client_actuator actuator;
    fm_client_instrument instrument;
    fm_client_voice voice;
    fm_client_state s;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    fm_client_status status = fm_client_status_get(client);
    assert_same(status.link, FM_CLIENT_CONNECTED);
    assert_same(status.id, 3);
    assert_same(status.vehicle, 7);
    assert_same(status.dt, 0.01);
    assert_same(status.latitude, 0.5);
    assert_same(status.simulation, FM_CLIENT_RUNNING);
    assert_true(!status.lockstep);
    assert_int_equal(fm_client_actuator_count(client), 2);
    assert_int_equal(fm_client_actuator_find(client, "rudder"), 1);
    assert_true(fm_client_actuator_get(client, 0, &actuator));
    assert_same(actuator.high, 10);
    assert_string_equal(actuator.unit, "rad/s");
    assert_true(fm_client_instrument_get(client, 1, &instrument));
    assert_same(instrument.size, FAKE_SAMPLE);
    assert_true(fm_client_voice_get(client, 0, &voice));
    assert_true(voice.modem);
    assert_same(voice.address, 12);
    assert_false(fm_client_state_read(client, &s));
    fake_state(&f);
    UNTIL(client, fm_client_state_read(client, &s));
    assert_same(s.stamp, 1000);
    assert_same(s.vehicle, 7);
    assert_same(s.position[0], 1000);
    assert_same(s.velocity[0], 0.5);
    assert_same(s.actuator_count, 2);
    assert_same(s.actuators[1], -0.25);
    assert_same(s.flags, FM_CLIENT_ALIVE);
    fm_client_close(client);
    fake_stop(&f);
    assert_at_least(f.disconnects, 1);
}

static void orders_arrive_as_they_were_meant(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    fm_error error;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    const double values[] = {0.5, -1};
    assert_int_equal(fm_client_actuate(client, FM_CLIENT_NORMALISED, values, 2, 0.25, &error), FM_OK);
    UNTIL(client, FAKE_GET(&f, actuate.count) == 2);
    fm_wire_actuate head = FAKE_GET(&f, actuate);
    assert_same(head.mode, 1);
    assert_same(head.hold, 250);
    assert_same(FAKE_GET(&f, values[0]), 0.5f);
    assert_same(FAKE_GET(&f, values[1]), -1);
    assert_int_equal(fm_client_order(client, "rudder", 0.125, &error), FM_OK);
    assert_int_equal(fm_client_orders_send(client, 0, &error), FM_OK);
    UNTIL(client, FAKE_GET(&f, actuate.mode) == 4);
    assert_same(FAKE_GET(&f, values[0]), 0);
    assert_same(FAKE_GET(&f, values[1]), 0.125f);
    assert_same(FAKE_GET(&f, actuate.hold), 0);
    const double nonsense[] = {NAN};
    assert_int_equal(fm_client_actuate(client, FM_CLIENT_FORCE, nonsense, 1, 0, &error), FM_ERR_RANGE);
    assert_int_equal(fm_client_order(client, "keel", 1, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "keel"));
    assert_int_equal(fm_client_ready(client, &error), FM_ERR_STATE);
    fm_client_close(client);
    fake_stop(&f);
}

/* 30 % of what goes either way is lost, and what is not comes twice. */
static void commands_are_done_once_on_a_bad_network(void **state)
{
    (void)state;
    enum { COMMANDS = 30 };
    fake f = {.loss = 0.3, .twice = 1};
    fm_client_options options = rover();
    fm_client_result result;
    fm_error error;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    uint32_t id = 0;
    for (int i = 1; i < COMMANDS; i++) { /* all at once: each waits for its own answer */
        const fm_command set = {.kind = FM_COMMAND_SET, .set = {.path = "/world/current", .value = i}};
        assert_int_equal(fm_client_command_send(client, &set, &id, &error), FM_OK);
        assert_int_equal(id, i);
    }
    const fm_command last = {.kind = FM_COMMAND_SET, .set = {.path = "/world/current", .value = 99}};
    assert_int_equal(fm_client_command_do(client, &last, 20, &result, &error), FM_OK);
    assert_same(result.id, COMMANDS);
    assert_same(result.value, 99);
    const fm_client_emission sound = {.kind = FM_CLIENT_DATA, .bytes = "hello", .size = 5, .to = 4};
    assert_int_equal(fm_client_sound_send(client, &sound, NULL, &error), FM_OK);
    UNTIL(client, FAKE_GET(&f, last_sound) == 1);
    fm_client_close(client);
    fake_stop(&f);
    assert_string_equal(f.sound, "hello");
    assert_same(f.last_command, COMMANDS);
    assert_greater(f.repeated, 0);
}

static void an_answer_of_no_is_an_error_with_its_words(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    fm_client_parameter parameter;
    fm_error error;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    assert_int_equal(fm_client_parameter_set(client, "/world/current", 2.5, &error), FM_OK);
    assert_int_equal(fm_client_parameters_read(client, "current", &parameter, 1, &error), 1);
    assert_same(parameter.value, 2.5);
    assert_same(parameter.most, 5);
    assert_true(parameter.live);
    assert_int_equal(fm_client_parameter_set(client, "/world/current", -1, &error), FM_ERR_STATE);
    assert_non_null(strstr(error.text, "below 0"));
    assert_int_equal(fm_client_subscribe(client, FM_CLIENT_WANT_STATE, 1, "nobody", &error), FM_ERR_NAME);
    assert_int_equal(fm_client_subscribe(client, FM_CLIENT_WANT_STATE, 1, "rover", &error), FM_OK);
    UNTIL(client, FAKE_GET(&f, subscribes) > 0);
    fm_client_close(client);
    FAKE_SET(&f, refuse, FM_WIRE_NAME_TAKEN);
    assert_null(fm_client_open(f.address, &options, &error));
    assert_non_null(strstr(error.text, "the name is taken"));
    fake_stop(&f);
}

static void addresses_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "localhost", "127.0.0.1:", "127.0.0.1:x", "::1:4040", "unix:", "a:b:4040"};
    fm_client_options options = rover();
    fm_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(fm_client_open(wrong[i], &options, &error));
        assert_same(error.status, FM_ERR_FILE);
        assert_greater(strlen(error.text), 0);
    }
    options.timeout = 0.3;
    assert_null(fm_client_open("127.0.0.1:9", &options, &error)); /* no server */
    assert_non_null(strstr(error.text, "no answer"));
    options.name = "a name that is much too long for anybody";
    assert_null(fm_client_open("127.0.0.1:9", &options, &error));
    assert_int_equal(error.status, FM_ERR_RANGE);
}

static void a_lost_session_is_taken_up_with_its_token(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    fm_client_state s;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    FAKE_SET(&f, deaf, 1);
    UNTIL(client, fm_client_status_get(client).link == FM_CLIENT_LOST); /* after the 0.4 s of WELCOME */
    FAKE_SET(&f, deaf, 0);
    UNTIL(client, fm_client_status_get(client).link == FM_CLIENT_CONNECTED);
    assert_same(FAKE_GET(&f, resumed), 1);
    assert_same(fm_client_status_get(client).reconnected, 1);
    assert_int_equal(fm_client_actuator_count(client), 2);
    fake_state(&f);
    UNTIL(client, fm_client_state_read(client, &s));
    fm_client_close(client);
    options.patience = -1;
    client = open_rover(&f, &options);
    FAKE_SET(&f, deaf, 1);
    UNTIL(client, fm_client_poll(client, 0.05) < 0);
    assert_int_equal(fm_client_status_get(client).link, FM_CLIENT_OVER);
    fm_client_close(client);
    fake_stop(&f);
}

static void pings_are_answered_while_polling(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    pthread_mutex_lock(&f.lock);
    fm_wire_ping ping = {42, 43};
    FAKE_SEND(&f, FM_WIRE_PING, ping, &ping);
    pthread_mutex_unlock(&f.lock);
    struct pollfd ready = {fm_client_fd(client), POLLIN, 0}; /* a loop of one's own */
    while (FAKE_GET(&f, pongs) == 0) {
        assert_greater(poll(&ready, 1, 2000), 0);
        fm_client_poll(client, 0);
    }
    fm_client_close(client);
    fake_stop(&f);
}

static void what_was_seen_or_is_of_others_is_dropped(void **state)
{
    (void)state;
    fake f = {.twice = 1};
    fm_client_options options = rover();
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    unsigned long dropped = fm_client_status_get(client).dropped;
    fake_state(&f);
    UNTIL(client, fm_client_status_get(client).dropped > dropped); /* the second of the two */
    dropped = fm_client_status_get(client).dropped;
    uint8_t bytes[FM_WIRE_MOST];
    static const uint8_t ping[FM_WIRE_SIZE_ping];
    pthread_mutex_lock(&f.lock);
    f.twice = 0;
    f.token += 5;
    size_t size = fake_make(&f, FM_WIRE_PING, ping, sizeof ping, bytes); /* of another session */
    fake_send_raw(&f, bytes, size);
    f.token -= 5;
    size = fake_make(&f, FM_WIRE_PING, ping, sizeof ping, bytes);
    bytes[50] ^= 1; /* spoilt on the way */
    fake_send_raw(&f, bytes, size);
    fake_send_raw(&f, "nonsense", 8);
    pthread_mutex_unlock(&f.lock);
    UNTIL(client, fm_client_status_get(client).dropped >= dropped + 3);
    assert_int_equal(FAKE_GET(&f, pongs), 0);
    fm_client_close(client);
    fake_stop(&f);
}

static void lock_step_says_ready_until_it_is_heard(void **state)
{
    (void)state;
    fake f = {.lockstep = 1};
    fm_client_options options = rover();
    fm_client_state s;
    fm_error error;
    options.lockstep = 1;
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    assert_int_equal(fm_client_ready(client, &error), FM_ERR_STATE);
    fake_state(&f);
    UNTIL(client, fm_client_state_read(client, &s));
    const double values[] = {1, 2};
    assert_int_equal(fm_client_actuate(client, FM_CLIENT_NATIVE, values, 2, 0, &error), FM_OK);
    assert_int_equal(fm_client_ready(client, &error), FM_OK);
    UNTIL(client, FAKE_GET(&f, readies) >= 3);
    FAKE_SET(&f, time, 1100);
    fake_state(&f);
    UNTIL(client, fm_client_state_read(client, &s) && s.stamp == 1100);
    unsigned readies = FAKE_GET(&f, readies);
    for (int i = 0; i < 15; i++)
        fm_client_poll(client, 0.02);
    assert_at_most(FAKE_GET(&f, readies), readies + 1); /* one may have been on its way */
    fm_client_close(client);
    fake_stop(&f);
}

static void send_sample(fake *f, uint16_t id, unsigned part, unsigned parts, const void *values, size_t size)
{
    uint8_t payload[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = payload, .room = sizeof payload};
    fm_wire_sensor head = {.id = id, .length = (uint16_t)(size + FM_WIRE_SIZE_sample), .time = 777};
    fm_wire_sample piece = {.flags = FM_WIRE_SAMPLE_VALID, .part = (uint8_t)part, .parts = (uint8_t)parts};
    fm_wire_put_sensor(&out, &head);
    fm_wire_put_sample(&out, &piece);
    fm_wire_put_bytes(&out, values, size);
    pthread_mutex_lock(&f->lock);
    fake_send(f, FM_WIRE_SENSORS, payload, out.size);
    pthread_mutex_unlock(&f->lock);
}

static void samples_are_read_by_name_and_put_together(void **state)
{
    (void)state;
    fake f = {0};
    fm_client_options options = rover();
    struct __attribute__((packed)) {
        double depth;
        float temperature;
    } sample = {12.5, 5};
    static uint8_t picture[FAKE_SAMPLE];
    static double values[FAKE_SAMPLE];
    uint64_t stamp;
    unsigned flags;
    for (size_t i = 0; i < sizeof picture; i++)
        picture[i] = (uint8_t)(i * 7);
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    assert_int_equal(fm_client_read(client, "depth", NULL, values, 1, NULL, NULL), 0);
    send_sample(&f, 4, 0, 1, &sample, sizeof sample);
    UNTIL(client, fm_client_read(client, "depth", NULL, values, 1, &stamp, &flags) == 1);
    assert_same(values[0], 12.5);
    assert_same(stamp, 777);
    assert_same(flags, FM_CLIENT_VALID);
    assert_int_equal(fm_client_read(client, "depth", "temperature", values, 1, NULL, NULL), 1);
    assert_same(values[0], 283.15);
    assert_int_equal(fm_client_read(client, "depth", "colour", values, 1, NULL, NULL), 0);
    send_sample(&f, 9, 2, 3, picture + 2048, sizeof picture - 2048); /* the last piece first */
    send_sample(&f, 9, 0, 3, picture, 1024);
    send_sample(&f, 9, 1, 3, picture + 1024, 1024);
    UNTIL(client, fm_client_read(client, "eye", "data", values, FAKE_SAMPLE, NULL, NULL) == FAKE_SAMPLE);
    for (size_t i = 0; i < sizeof picture; i++)
        assert_same(values[i], picture[i]);
    fm_client_close(client);
    fake_stop(&f);
}

static volatile sig_atomic_t signals;
static fm_mailbox mailbox;
static volatile sig_atomic_t letters, newest, links;

/* As a user may write it: everything in the handler. */
static void on_signal(int number)
{
    fm_mail mail;
    (void)number;
    signals++;
    while (fm_mailbox_next(&mailbox, &mail)) {
        letters++;
        if (mail.kind == FM_MAIL_STATE)
            newest = (sig_atomic_t)mail.is.state.stamp;
        links += mail.kind == FM_MAIL_EVENT;
    }
}

static void mail_comes_with_the_signal_each_time(void **state)
{
    (void)state;
    enum { STATES = 40 };
    fake f = {0};
    fm_client_options options = rover();
    char name[64];
    fm_error error;
    snprintf(name, sizeof name, "/fathom-test-%d", (int)getpid());
    fake_start(&f);
    fm_client *client = open_rover(&f, &options);
    signal(SIGUSR2, on_signal);
    assert_int_equal(fm_mailbox_open(&mailbox, name, SIGUSR2, &error), FM_OK);
    assert_int_equal(fm_client_deliver(client, name, &error), FM_OK);
    assert_int_equal(fm_client_deliver(client, name, &error), FM_ERR_STATE);
    for (int i = 1; i <= STATES; i++) {
        FAKE_SET(&f, time, (uint64_t)(5000 + i));
        fake_state(&f);
        double end = seconds_now() + 5;
        while (newest != 5000 + i && seconds_now() < end)
            usleep(500); /* no poll */
        assert_int_equal(newest, 5000 + i);
    }
    assert_at_least(signals, STATES / 2);
    assert_at_least(letters, STATES);
    assert_int_equal(fm_client_status_get(client).mail_lost, 0);
    signal(SIGUSR2, SIG_IGN);
    for (int i = 1; i <= 30; i++) { /* no reader: states are lost, events are kept */
        FAKE_SET(&f, time, (uint64_t)(6000 + i));
        fake_state(&f);
    }
    fm_wire_event event = {.kind = 4, .number = 1, .text = "rock"};
    pthread_mutex_lock(&f.lock);
    FAKE_SEND(&f, FM_WIRE_EVENT, event, &event);
    pthread_mutex_unlock(&f.lock);
    double end = seconds_now() + 5;
    while (fm_client_status_get(client).mail_lost == 0 && seconds_now() < end)
        usleep(500);
    assert_greater(fm_client_status_get(client).mail_lost, 0);
    links = 0;
    while (links == 0 && seconds_now() < end) {
        on_signal(0);
        usleep(500);
    }
    assert_int_equal(links, 1);
    fm_client_close(client);
    fm_mailbox_close(&mailbox);
    mq_unlink(name);
    signal(SIGUSR2, SIG_DFL);
    fake_stop(&f);
}

/* The hash of a test that needs no library: no BLAKE2b, but keyed. */
static void weak_hash(const uint8_t key[FM_WIRE_KEY], const uint8_t *bytes, size_t size, uint8_t mac[FM_WIRE_MAC])
{
    uint32_t crc = fm_wire_crc32c(fm_wire_crc32c(0, key, FM_WIRE_KEY), bytes, size);
    for (int i = 0; i < FM_WIRE_MAC; i++)
        mac[i] = (uint8_t)(crc >> (i % 4 * 8));
}

static void a_key_is_needed_where_the_server_has_one(void **state)
{
    (void)state;
    static const uint8_t key[FM_WIRE_KEY] = {1, 2, 3}, other[FM_WIRE_KEY] = {3, 2, 1};
    fake f = {.key = key, .hash = weak_hash};
    fm_client_options options = rover();
    fm_error error;
    fake_start(&f);
    options.timeout = 0.3;
    assert_null(fm_client_open(f.address, &options, &error));
    options.key = other;
    options.hash = weak_hash;
    assert_null(fm_client_open(f.address, &options, &error));
    options.key = key;
    options.timeout = 0;
    fm_client_close(open_rover(&f, &options));
    fake_stop(&f);
    char text[80];
    FILE *file = fopen("client.key", "w");
    for (int i = 0; i < 32; i++)
        fprintf(file, "%02x", i);
    fclose(file);
    uint8_t read[FM_CLIENT_KEY];
    assert_int_equal(fm_client_key_read("client.key", read, &error), FM_OK);
    assert_same(read[31], 31);
    snprintf(text, sizeof text, "too short");
    file = fopen("client.key", "w");
    fputs(text, file);
    fclose(file);
    assert_int_equal(fm_client_key_read("client.key", read, &error), FM_ERR_SYNTAX);
    unlink("client.key");
}

static void a_client_that_is_not_there_does_nothing(void **state)
{
    (void)state;
    fm_error error;
    fm_client_state s;
    fm_mail mail;
    double value = 1;
    assert_null(fm_client_open(NULL, NULL, &error));
    assert_int_equal(fm_client_poll(NULL, 0), -1);
    assert_int_equal(fm_client_fd(NULL), -1);
    assert_int_equal(fm_client_status_get(NULL).link, FM_CLIENT_OVER);
    assert_int_equal(fm_client_state_read(NULL, &s), 0);
    assert_int_equal(fm_client_actuator_count(NULL) + fm_client_instrument_count(NULL) + fm_client_voice_count(NULL),
                     0);
    assert_int_equal(fm_client_actuate(NULL, FM_CLIENT_FORCE, &value, 1, 0, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_client_order(NULL, "x", 1, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_client_command_send(NULL, NULL, NULL, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_client_sound_send(NULL, NULL, NULL, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_client_deliver(NULL, "/x", NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_client_subscribe(NULL, 0, 0, NULL, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_mailbox_next(NULL, &mail), 0);
    assert_int_equal(fm_mailbox_open(NULL, "/x", 0, NULL), FM_ERR_ARGUMENT);
    fm_client_close(NULL);
    fm_mailbox_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_knows_its_vehicle),
        cmocka_unit_test(orders_arrive_as_they_were_meant),
        cmocka_unit_test(commands_are_done_once_on_a_bad_network),
        cmocka_unit_test(an_answer_of_no_is_an_error_with_its_words),
        cmocka_unit_test(addresses_that_are_none_are_refused),
        cmocka_unit_test(a_lost_session_is_taken_up_with_its_token),
        cmocka_unit_test(pings_are_answered_while_polling),
        cmocka_unit_test(what_was_seen_or_is_of_others_is_dropped),
        cmocka_unit_test(lock_step_says_ready_until_it_is_heard),
        cmocka_unit_test(samples_are_read_by_name_and_put_together),
        cmocka_unit_test(mail_comes_with_the_signal_each_time),
        cmocka_unit_test(a_key_is_needed_where_the_server_has_one),
        cmocka_unit_test(a_client_that_is_not_there_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
