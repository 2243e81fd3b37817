/* Vehicles that come into a running world are known by their own names: in the log, in its exports, and to viewers. */
#include "net/viewer.h"
#include "support/memory.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.05 s' seed='3' capacity='6'><water density='1025 kg/m3'/><bottom depth='60 m'/>" \
    "</world><vehicle name='still' model='nps-auv-ii' position='0 90 5 m'/>"                                           \
    "<type name='plain' model='nps-auv-ii'/>"                                                                          \
    "<type name='seeing' model='nps-auv-ii'><sonar name='nose' range='30 m' period='0.1 s'/></type></fathom>"

static served server;
static viewer v;
static program_run r;

static void begin_server(const char *options)
{
    write_file("net_names.xml", SEA);
    serve(&server, "%s net_names.xml", options);
}

/* Joins, and stays for some states: its channels have messages. */
static fm_caller *join(const char *name, const char *type)
{
    fm_caller *caller = call_as(&server, FM_WIRE_UNDERWATER, name, type, 50000);
    fm_wire_header header;
    uint32_t flags;
    for (int i = 0; i < 8; i++)
        expect_state(caller, &header, &flags);
    return caller;
}

/* Until a vehicle of this name is there, or is there no more. */
static void wait_until(const char *name, int there)
{
    char needle[64];
    snprintf(needle, sizeof needle, "\"name\": \"%s\"", name);
    for (double end = seconds_now() + 30;; usleep(20000)) {
        run_fathom(&r, "ctl vehicles --json --port %d --timeout 20", server.port);
        if (said(&r, needle) == there)
            return;
        assert_less(seconds_now(), end);
    }
}

static int times_said(const char *words)
{
    int count = 0;
    for (const char *at = r.out; (at = strstr(at, words)); at++)
        count++;
    return count;
}

static void clients_are_in_the_log_by_their_names_with_the_instruments_they_have(void **state)
{
    (void)state;
    unlink("net_names.mcap");
    begin_server("--log net_names.mcap");
    fm_caller *alice = join("alice", "seeing"), *bob = join("bob", "plain");
    fm_caller_close(alice);
    wait_until("alice", 0);
    alice = join("alice", "seeing"); /* goes on in the channels it had */
    fm_caller_close(alice);
    wait_until("alice", 0);
    fm_caller *carol = join("carol", "plain"); /* in the slot that alice has left, and with another type */
    run_fathom(&r, "ctl spawn dora seeing 0 40 5 --port %d --timeout 20", server.port);
    expect_run(&r, 0, "");
    wait_until("dora", 1);
    fm_caller_close(carol);
    fm_caller_close(bob);
    assert_int_equal(stop_serving(&server), 0);

    run_fathom(&r, "info --channels net_names.mcap");
    expect_run(&r, 0, "/alice/odom");
    assert_int_equal(times_said("/alice/odom"), 1);
    assert_int_equal(times_said("/alice/nose"), 1);
    assert_true(said(&r, "/bob/odom") && said(&r, "/bob/actuators") && !said(&r, "/bob/nose"));
    assert_true(said(&r, "/carol/odom") && !said(&r, "/carol/nose"));
    assert_true(said(&r, "/dora/odom") && said(&r, "/dora/nose"));
    assert_false(said(&r, "spawned"));
    run_fathom(&r, "replay net_names.mcap --verify");
    expect_run(&r, 0, "the same");
    run_shell(&r, "rm -rf net_names_out && %s export net_names.mcap --csv net_names_out && ls -R net_names_out",
              FATHOM_PROGRAM);
    expect_run(&r, 0, "alice");
    assert_false(said(&r, "spawned"));
    run_shell(&r, "grep -q alice net_names_out/alice.odom.csv && ! grep -E 'bob|carol|dora' net_names_out/alice.*");
    expect_run(&r, 0, "");
}

/* Waits for a frame of text with both. */
static void expect_frame(const char *first, const char *second)
{
    for (double end = seconds_now() + 30; seconds_now() < end;) {
        next_frame(&v);
        if (!v.binary && strstr((const char *)v.frame, first) && strstr((const char *)v.frame, second))
            return;
    }
    fail_msg("no frame has %s and %s", first, second);
}

static void viewers_are_offered_the_channels_of_a_client_while_it_is_there(void **state)
{
    (void)state;
    char options[64], gone[64], request[128];
    int port = free_http_port();
    snprintf(options, sizeof options, "--http 127.0.0.1:%d", port);
    begin_server(options);
    greet(&v, port);
    fm_caller *alice = join("alice", "seeing");
    long nose = number_of(&v, "topic", "/alice/nose");
    snprintf(request, sizeof request, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":77,\"channelId\":%ld}]}", nose);
    say(&v, 0, request, strlen(request));
    uint32_t id = 0;
    do {
        next_frame(&v);
        memcpy(&id, v.frame + 1, sizeof id);
    } while (!v.binary || v.frame[0] != 1 || id != 77);
    assert_non_null(memmem(v.frame, v.size, "alice", 5)); /* in the frame of its header */
    fm_caller_close(alice);
    snprintf(gone, sizeof gone, "%ld", nose);
    expect_frame("\"unadvertise\"", gone);
    wait_until("alice", 0);
    alice = join("alice", "plain");
    expect_frame("\"/alice/odom\"", "\"advertise\"");
    assert_null(strstr((const char *)v.frame, "/alice/nose"));
    say(&v, 0, request, strlen(request)); /* of a channel that has ended: nothing comes, and nothing is wrong */
    assert_at_least(number_of(&v, "name", "/pause"), 0);
    fm_caller_close(alice);
    close(v.fd);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- many names --- */

static void come_and_go(int first, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "guest%d", first + i);
        fm_caller *guest = call_as(&server, FM_WIRE_UNDERWATER, name, i % 2 ? "plain" : "seeing", 20000);
        fm_wire_header header;
        uint32_t flags;
        expect_state(guest, &header, &flags); /* it was in a step */
        fm_caller_close(guest);
    }
}

static void memory_does_not_grow_with_the_names_that_have_been(void **state)
{
    (void)state;
    unlink("net_names_many.mcap");
    begin_server("--speed 20 --log net_names_many.mcap");
    come_and_go(0, 150);
    long before = kilobytes_of(server.pid);
    come_and_go(150, 500);
    long after = kilobytes_of(server.pid);
    print_message("%ld kB after 150 names, %ld kB after 650\n", before, after);
    assert_greater(before, 0);
    if (measures_memory())
        assert_less(after - before, 6144);
    assert_int_equal(stop_serving(&server), 0);
    run_shell(&r, "%s info --channels net_names_many.mcap | grep -c ^/guest.*/odom", FATHOM_PROGRAM);
    expect_run(&r, 0, "650");
    remove("net_names_many.mcap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_are_in_the_log_by_their_names_with_the_instruments_they_have),
        cmocka_unit_test(viewers_are_offered_the_channels_of_a_client_while_it_is_there),
        cmocka_unit_test(memory_does_not_grow_with_the_names_that_have_been),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
