/* Joining over the wire: a recorded CONNECT brings nothing, and a resumed session does nothing twice. */
#include <sys/stat.h>

#include "net/wire_tap.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.02 s' seed='1' capacity='3'><water density='1025 kg/m3'/><bottom depth='40 m'/>"
    "</world><server timeout='60 s' keep='60 s'/><vehicle name='auv' model='wavesim-auv' position='0 0 10 m'/>"
    "</fathom>";
static const uint8_t key[FM_WIRE_KEY] = "0123456789abcdef0123456789abcde";

static served server;

/* --- a wire that is listened to --- */

static void open_tap(wire_tap *t)
{
    t->connects = 1;
    t->socket = open_socket(server.port);
}

static fm_caller *join(wire_tap *t, int sealed, fm_wire_role role, const char *name, uint64_t resume, int *code)
{
    fm_error error = {0};
    fm_caller_options options = {.patience = 10,
                                 .key = sealed ? key : NULL,
                                 .connect = {.role = (uint8_t)role,
                                             .model = "wavesim-auv",
                                             .pose = {20, 0, 5},
                                             .state_period = FM_WIRE_NONE,
                                             .resume = resume},
                                 .way = {tap_send, tap_receive, tap_clock, t}};
    snprintf(options.connect.name, sizeof options.connect.name, "%s", name);
    fm_caller *caller = fm_caller_open(&options, code, &error);
    if (!caller && !code)
        fail_msg("%s: %s", name, error.text);
    return caller;
}

static void expect_counter(fm_caller *watch, const char *name, double wanted)
{
    double now = NAN;
    for (double end = seconds_now() + 20; seconds_now() < end; usleep(10000))
        if ((now = counter_of(watch, name)) == wanted)
            return;
    fail_msg("%s is %g, not %g", name, now, wanted);
}

/* What a client brought is in the water, and what it left is out of it. */
static void let_steps_pass(fm_caller *watch)
{
    double first = counter_of(watch, "steps"), end = seconds_now() + 20;
    while (counter_of(watch, "steps") < first + 3)
        assert_less(seconds_now(), end);
}

static void begin(int sealed, const char *more)
{
    write_file("net_handshake.xml", sea);
    FILE *file = fopen("net_handshake.key", "w");
    assert_non_null(file);
    fwrite(key, 1, sizeof key, file);
    fclose(file);
    chmod("net_handshake.key", 0600);
    serve(&server, "%s %s net_handshake.xml", sealed ? "--key net_handshake.key" : "", more);
}

/* --- facts --- */

static void check_recorded_connect(int sealed)
{
    wire_tap own = {0}, rover_tap = {0};
    uint8_t bytes[FM_WIRE_MOST];
    begin(sealed, "");
    open_tap(&own);
    open_tap(&rover_tap);
    fm_caller *watch = join(&own, sealed, FM_WIRE_COMMANDER, "watch", 0, NULL);
    double replays = counter_of(watch, "drop/replay"), clients = counter_of(watch, "clients");
    fm_caller *rover = join(&rover_tap, sealed, FM_WIRE_UNDERWATER, "rover", 0, NULL);
    expect_counter(watch, "clients", clients + 1);
    let_steps_pass(watch);
    fm_caller_close(rover);
    expect_counter(watch, "clients", clients);
    for (int i = 0; i < 20; i++)
        assert_int_equal(send(rover_tap.socket, rover_tap.last, rover_tap.size, 0), rover_tap.size);
    expect_counter(watch, "drop/replay", replays + 20);
    assert_int_equal((int)counter_of(watch, "clients"), (int)clients);
    while (recv(rover_tap.socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        if (bytes[6] == FM_WIRE_WELCOME)
            assert_different(bytes[7], 0);
    let_steps_pass(watch);
    rover = join(&rover_tap, sealed, FM_WIRE_UNDERWATER, "rover", 0, NULL); /* the name is free: no ghost has it */
    fm_caller_close(rover);
    fm_caller_close(watch);
    close(own.socket);
    close(rover_tap.socket);
    assert_int_equal(stop_serving(&server), 0);
}

static void a_recorded_connect_with_the_key_creates_no_session(void **state)
{
    (void)state;
    check_recorded_connect(1);
}

static void a_recorded_connect_without_a_key_creates_no_session(void **state)
{
    (void)state;
    check_recorded_connect(0);
}

static void a_refused_connect_is_refused_again_when_the_name_is_free(void **state)
{
    (void)state;
    wire_tap own = {0}, first = {0}, second = {0};
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_reject reject;
    int code = 0;
    begin(1, "");
    open_tap(&own);
    open_tap(&first);
    open_tap(&second);
    fm_caller *watch = join(&own, 1, FM_WIRE_COMMANDER, "watch", 0, NULL);
    double clients = counter_of(watch, "clients");
    fm_caller *rover = join(&first, 1, FM_WIRE_UNDERWATER, "rover", 0, NULL);
    assert_null(join(&second, 1, FM_WIRE_UNDERWATER, "rover", 0, &code));
    assert_int_equal(code, FM_WIRE_NAME_TAKEN);
    fm_caller_close(rover);
    expect_counter(watch, "clients", clients);
    while (recv(second.socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
    assert_int_equal(send(second.socket, second.last, second.size, 0), second.size);
    size_t size = tap_receive(&second, bytes, sizeof bytes, 20);
    assert_int_equal(fm_wire_open(bytes, size, 1, &header, &payload), FM_WIRE_FINE);
    assert_int_equal(header.type, FM_WIRE_REJECT);
    assert_true(fm_wire_get_reject(&payload, &reject));
    assert_same(reject.code, FM_WIRE_NAME_TAKEN);
    assert_int_equal((int)counter_of(watch, "clients"), (int)clients);
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- a refusal that is longer than its room --- */

#define LONG_NAME "a-vehicle-with-a-very-long-name"
#define OTHER_NAME "another-vehicle-with-a-long-nam"
static const char long_sea[] =
    "<fathom version='1'><world dt='0.02 s' seed='1' capacity='2'><water density='1025 kg/m3'/><bottom depth='40 m'/>"
    "</world><vehicle name='" LONG_NAME "' model='wavesim-auv' position='20 0 5 m'/></fathom>";

/* The next REJECT. */
static void take_reject(wire_tap *t, fm_wire_reject *reject)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header header;
    fm_wire_in payload;
    const size_t size = tap_receive(t, bytes, sizeof bytes, 20);
    assert_int_equal(fm_wire_open(bytes, size, 1, &header, &payload), FM_WIRE_FINE);
    assert_int_equal(header.type, FM_WIRE_REJECT);
    assert_true(fm_wire_get_reject(&payload, reject));
}

static void a_long_refusal_ends_after_a_whole_word(void **state)
{
    (void)state;
    static const char begins[] = "position: the hull of '" OTHER_NAME "' begins ";
    static const char ends[] = " m inside that of '" LONG_NAME "': move it to a free …"; /* without "position" */
    wire_tap t = {0};
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_reject reject;
    int code = 0;
    write_file("net_refusal.xml", long_sea);
    serve(&server, "net_refusal.xml");
    open_tap(&t);
    assert_null(join(&t, 0, FM_WIRE_UNDERWATER, OTHER_NAME, 0, &code)); /* where the other one is */
    assert_different(code, 0);
    while (recv(t.socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
    for (int i = 0; i < 2; i++) { /* a repeated CONNECT gets the whole answer again */
        assert_int_equal(send(t.socket, t.last, t.size, 0), t.size);
        take_reject(&t, &reject);
        assert_int_equal(reject.code, code);
        assert_memory_equal(reject.text, begins, sizeof begins - 1);
        assert_at_least(strlen(reject.text), sizeof ends - 1);
        assert_string_equal(reject.text + strlen(reject.text) - (sizeof ends - 1), ends);
    }
    close(t.socket);
    assert_int_equal(stop_serving(&server), 0);
}

static fm_wire_result say_step(fm_caller *caller, uint32_t id)
{
    uint8_t bytes[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_in payload;
    fm_wire_result result;
    fm_wire_put_command(&out, &(fm_wire_command){.verb = FM_COMMAND_STEP, .id = id});
    fm_wire_put_arguments(&out, &(fm_command){.kind = FM_COMMAND_STEP, .step.steps = 10});
    fm_caller_send(caller, FM_WIRE_COMMAND, bytes, out.size);
    expect_message(caller, FM_WIRE_RESULT, &payload);
    assert_true(fm_wire_get_result(&payload, &result));
    return result;
}

static void a_resumed_session_does_no_command_twice(void **state)
{
    (void)state;
    wire_tap before = {0}, after = {0};
    begin(1, "--stopped");
    open_tap(&before);
    open_tap(&after);
    fm_caller *boss = join(&before, 1, FM_WIRE_COMMANDER, "boss", 0, NULL);
    assert_int_equal(fm_caller_welcome(boss)->commands, 0);
    assert_int_equal(say_step(boss, 1).code, FM_WIRE_DONE);
    expect_counter(boss, "steps", 10);
    uint64_t token = fm_caller_token(boss);
    fm_caller_drop(boss); /* as if it died before it read the answer */
    boss = join(&after, 1, FM_WIRE_COMMANDER, "boss", token, NULL);
    assert_true(fm_caller_welcome(boss)->flags & FM_WIRE_WELCOME_RESUMED);
    assert_int_equal(fm_caller_welcome(boss)->commands, 1);
    fm_wire_result again = say_step(boss, 1); /* said again: answered, not done */
    assert_same(again.id, 1);
    assert_same(again.code, FM_WIRE_DONE);
    assert_int_equal(command(boss, FM_COMMAND_STEP, "", "", 10), FM_WIRE_DONE); /* a new one, with the next id */
    expect_counter(boss, "steps", 20);
    fm_caller_close(boss);
    close(before.socket);
    close(after.socket);
    assert_int_equal(stop_serving(&server), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_connect_with_the_key_creates_no_session),
        cmocka_unit_test(a_recorded_connect_without_a_key_creates_no_session),
        cmocka_unit_test(a_refused_connect_is_refused_again_when_the_name_is_free),
        cmocka_unit_test(a_long_refusal_ends_after_a_whole_word),
        cmocka_unit_test(a_resumed_session_does_no_command_twice),
    };
    return cmocka_run_group_tests_name("handshake", tests, NULL, NULL);
}
