/* `fathom serve` and clients of it, each server in a process of its own. */
#include "net/served.h"

#include <sys/stat.h>

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.01 s' seed='3' capacity='4'><water density='1025 kg/m3'/>"                       \
    "<bottom depth='60 m'/></world>%s<vehicle name='phoenix' model='nps-auv-ii' position='0 0 5 m'><depth/><compass/>" \
    "</vehicle></fathom>"

static served server;
static program_run r;

enum { ACTUATORS = 12 };

static const char *write_sea(const char *settings)
{
    char text[2048];
    snprintf(text, sizeof text, SEA, settings);
    write_file("net_sea.xml", text);
    return "net_sea.xml";
}

/* --- joining --- */

static void a_client_brings_a_vehicle_and_steers_it(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea(""));
    fm_caller *caller = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 20000);
    fm_wire_header header;
    uint32_t flags;
    fm_wire_state first = expect_state(caller, &header, &flags);
    assert_int_equal(first.count, ACTUATORS);
    assert_nearer(first.position[0], 20, 0.5);
    assert_nearer(first.position[2], 5, 0.5);
    uint64_t before = header.time;
    for (int i = 0; i < 40; i++) {
        actuate(caller, ACTUATORS, 120, 0);
        first = expect_state(caller, &header, &flags);
    }
    assert_at_least(header.time, before + 40 * 200); /* 20 ms are 200 tenths of a ms */
    assert_greater(first.velocity[0], 0.01f);
    assert_true(flags & FM_WIRE_STATE_ALIVE);
    fm_caller_close(caller);
    assert_int_equal(stop_serving(&server), 0);
}

static void a_controller_takes_over_a_vehicle_and_reads_its_sensors(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea(""));
    fm_caller *caller = call_as(&server, FM_WIRE_CONTROLLER, "pilot", "phoenix", FM_WIRE_NONE);
    fm_wire_in payload;
    fm_wire_sensor head;
    fm_wire_sample sample;
    expect_message(caller, FM_WIRE_SENSORS, &payload);
    assert_true(fm_wire_get_sensor(&payload, &head) && fm_wire_get_sample(&payload, &sample));
    assert_int_equal(head.id, 0); /* the depth sensor */
    assert_int_equal(head.length, FM_WIRE_SIZE_sample + 16);
    assert_same(sample.flags, FM_WIRE_SAMPLE_VALID);
    assert_same(sample.parts, 1);
    double depth = fm_wire_get_f64(&payload);
    assert_nearer(depth, 5, 0.5);
    fm_caller_close(caller);
    assert_int_equal(stop_serving(&server), 0);
}

static int refusal(fm_wire_role role, const char *name, const char *model)
{
    fm_error error = {0};
    int code = -1;
    fm_caller_options options = {.port = server.port, .patience = 10, .connect = {.role = (uint8_t)role}};
    snprintf(options.connect.name, sizeof options.connect.name, "%s", name);
    snprintf(options.connect.model, sizeof options.connect.model, "%s", model);
    fm_caller *caller = fm_caller_open(&options, &code, &error);
    if (caller)
        fm_caller_close(caller);
    return code;
}

static void who_is_not_wanted_is_told_why(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea("<server clients='5'/>"));
    fm_caller *first = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 0);
    assert_int_equal(refusal(FM_WIRE_UNDERWATER, "rover", "nps-auv-ii"), FM_WIRE_NAME_TAKEN);
    assert_int_equal(refusal(FM_WIRE_UNDERWATER, "phoenix", "nps-auv-ii"), FM_WIRE_NAME_TAKEN);
    assert_int_equal(refusal(FM_WIRE_UNDERWATER, "other", "submarine"), FM_WIRE_UNKNOWN_MODEL);
    assert_int_equal(refusal(FM_WIRE_CONTROLLER, "pilot", "nobody"), FM_WIRE_UNKNOWN_NAME);
    assert_int_equal(refusal(FM_WIRE_OBSERVER, "two words", ""), FM_WIRE_BAD_VALUE);
    assert_int_equal(refusal((fm_wire_role)9, "other", ""), FM_WIRE_BAD_VALUE);
    fm_caller *more[4];
    for (int i = 0; i < 2; i++) {
        char name[8];
        snprintf(name, sizeof name, "v%d", i);
        more[i] = call_as(&server, FM_WIRE_UNDERWATER, name, "nps-auv-ii", 0);
    }
    assert_int_equal(refusal(FM_WIRE_UNDERWATER, "v2", "nps-auv-ii"), FM_WIRE_FULL); /* of vehicles */
    more[2] = call_as(&server, FM_WIRE_OBSERVER, "o1", "", 0);
    more[3] = call_as(&server, FM_WIRE_OBSERVER, "o2", "", 0);
    assert_int_equal(refusal(FM_WIRE_OBSERVER, "o3", ""), FM_WIRE_FULL); /* of clients */
    for (int i = 0; i < 4; i++)
        fm_caller_close(more[i]);
    fm_caller_close(first);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- keep-alive --- */

static void a_silent_client_is_removed_and_gets_its_vehicle_back_by_its_token(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea("<server keep-alive='0.1 s' timeout='0.3 s' keep='20 s'/>"));
    fm_caller *watch = call_as(&server, FM_WIRE_COMMANDER, "watch", "", 0);
    fm_caller *rover = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 20000);
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_event event;
    uint32_t flags;
    expect_state(rover, &header, &flags);
    uint16_t number = header.source;
    fm_caller_options again = {.port = server.port,
                               .patience = 10,
                               .connect = {.role = FM_WIRE_UNDERWATER,
                                           .name = "rover",
                                           .model = "nps-auv-ii",
                                           .state_period = 20000,
                                           .resume = fm_caller_token(rover)}};
    fm_caller_drop(rover); /* as if it died */
    do {
        expect_message(watch, FM_WIRE_EVENT, &payload);
        assert_true(fm_wire_get_event(&payload, &event));
    } while (event.kind != FM_WIRE_EVENT_LEFT);
    assert_non_null(strstr(event.text, "rover"));
    fm_error error = {0};
    rover = fm_caller_open(&again, NULL, &error);
    if (!rover)
        fail_msg("%s", error.text);
    assert_true(fm_caller_welcome(rover)->flags & FM_WIRE_WELCOME_RESUMED);
    assert_int_not_equal(fm_caller_token(rover), again.connect.resume);
    expect_state(rover, &header, &flags);
    assert_int_equal(header.source, number);
    assert_int_equal(refusal(FM_WIRE_UNDERWATER, "rover", "nps-auv-ii"), FM_WIRE_NAME_TAKEN);
    fm_caller_close(rover);
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- actuation --- */

static void an_actuation_that_is_not_renewed_ends_with_its_hold(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea(""));
    fm_caller *caller = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 10000);
    fm_wire_header header;
    uint32_t flags = 0;
    expect_state(caller, &header, &flags);
    actuate(caller, ACTUATORS, 60, 200);
    do
        expect_state(caller, &header, &flags);
    while (!(flags & FM_WIRE_STATE_ZEROED));
    actuate(caller, ACTUATORS, 60, 0); /* for ever */
    for (int i = 0; i < 40; i++)
        expect_state(caller, &header, &flags);
    assert_false(flags & FM_WIRE_STATE_ZEROED);
    fm_caller_close(caller);
    assert_int_equal(stop_serving(&server), 0);
}

static void bad_actuations_are_refused_and_counted(void **state)
{
    (void)state;
    serve(&server, "%s", write_sea(""));
    fm_caller *caller = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", FM_WIRE_NONE);
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", 0);
    fm_wire_in payload;
    fm_wire_error error;
    actuate(caller, ACTUATORS, NAN, 0);
    expect_message(caller, FM_WIRE_ERROR, &payload);
    assert_true(fm_wire_get_error(&payload, &error));
    assert_same(error.code, FM_WIRE_BAD_VALUE);
    assert_int_equal(error.type, FM_WIRE_ACTUATE);
    actuate(caller, ACTUATORS - 1, 1, 0); /* too few */
    expect_message(caller, FM_WIRE_ERROR, &payload);
    actuate(watch, ACTUATORS, 1, 0); /* not its part */
    expect_message(watch, FM_WIRE_ERROR, &payload);
    assert_true(fm_wire_get_error(&payload, &error));
    assert_same(error.code, FM_WIRE_NOT_PERMITTED);
    assert_same(counter_of(watch, "drop/value"), 2);
    assert_same(counter_of(watch, "drop/role"), 1);
    fm_caller_close(caller);
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- commands --- */

static void while_it_is_stopped_clients_join_ping_and_set_parameters(void **state)
{
    (void)state;
    serve(&server, "--stopped %s", write_sea(""));
    fm_caller *chief = call_as(&server, FM_WIRE_COMMANDER, "chief", "", 0);
    assert_int_equal(fm_caller_welcome(chief)->state, FM_WIRE_STOPPED);
    fm_caller *rover = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 10000);
    assert_true(fm_caller_welcome(rover)->flags & FM_WIRE_WELCOME_WAITS);
    fm_wire_in payload;
    fm_wire_header header;
    uint32_t flags;
    fm_caller_send(rover, FM_WIRE_PING, "0123456789abcdef", 16);
    expect_message(rover, FM_WIRE_PONG, &payload);
    assert_memory_equal(payload.bytes, "0123456789abcdef", 16);
    assert_int_equal(command(chief, FM_COMMAND_SET, "", "/water/density", 1030), FM_WIRE_DONE);
    assert_int_equal(command(chief, FM_COMMAND_SET, "", "/water/density", -1), FM_WIRE_BAD_VALUE);
    assert_int_equal(command(chief, FM_COMMAND_SET, "", "/no/such", 1), FM_WIRE_UNKNOWN_NAME);
    assert_same(counter_of(chief, "time"), 0);
    assert_int_equal(run_fathom(&r, "ctl params /water/density --json --port %d", server.port), 0);
    expect_run(&r, 0, "\"value\": 1030");
    assert_int_equal(command(chief, FM_COMMAND_STEP, "", "", 3), FM_WIRE_DONE);
    do
        expect_state(rover, &header, &flags);
    while (header.time < 300); /* three steps of 10 ms */
    assert_int_equal(command(rover, FM_COMMAND_START, "", "", 0), FM_WIRE_NOT_PERMITTED);
    assert_int_equal(command(rover, FM_COMMAND_ORDER, "rover", "bow-rudder", 0.1), FM_WIRE_DONE);
    assert_int_equal(command(rover, FM_COMMAND_ORDER, "phoenix", "bow-rudder", 0.1), FM_WIRE_NOT_PERMITTED);
    assert_int_equal(command(chief, FM_COMMAND_START, "", "", 0), FM_WIRE_DONE);
    do
        expect_state(rover, &header, &flags);
    while (header.time < 600);
    fm_caller_close(rover);
    fm_caller_close(chief);
    assert_int_equal(stop_serving(&server), 0);
}

/* In the air v = ∫ g dt: 20 steps of 10 ms under each. */
static void gravity_that_the_shell_sets_is_felt_and_recorded(void **state)
{
    (void)state;
    write_file("net_gravity.xml", "<fathom version='1'><world dt='0.01 s'><bottom depth='50 m'/></world><vehicle "
                                  "name='ball' model='wavesim-buoy' position='0 0 -9 m'/></fathom>");
    serve(&server, "--stopped --log net_gravity.mcap net_gravity.xml");
    fm_caller *ball = call_as(&server, FM_WIRE_CONTROLLER, "ball", "", 10000);
    run_fathom(&r, "ctl step 20 --port %d", server.port);
    run_fathom(&r, "ctl set /world/gravity 1.62 --port %d", server.port);
    expect_run(&r, 0, "");
    run_fathom(&r, "ctl set /bottom/depth 30 --port %d", server.port);
    expect_run(&r, 0, "");
    run_fathom(&r, "ctl step 20 --port %d", server.port);
    fm_wire_header header;
    uint32_t flags;
    fm_wire_state seen;
    do
        seen = expect_state(ball, &header, &flags);
    while (header.time < 4000);
    assert_nearer(seen.velocity[2], 0.2 * (9.80665 + 1.62), 1e-5);
    run_fathom(&r, "ctl params /world/gravity --json --port %d", server.port);
    expect_run(&r, 0, "\"value\": 1.62");
    fm_caller_close(ball);
    assert_int_equal(stop_serving(&server), 0);
    run_fathom(&r, "replay net_gravity.mcap --verify");
    expect_run(&r, 0, "the same");
}

static void the_shell_commands_a_server_and_lists_it(void **state)
{
    (void)state;
    unlink("net.sock");
    serve(&server, "--socket net.sock %s", write_sea(""));
    fm_caller *rover = call_as(&server, FM_WIRE_SURFACE, "rover", "nps-auv-ii", 50000);
    fm_wire_header header;
    uint32_t flags;
    expect_state(rover, &header, &flags);
    run_fathom(&r, "ctl clients --port %d", server.port);
    expect_run(&r, 0, "rover            surface");
    run_fathom(&r, "ctl vehicles --socket net.sock");
    expect_run(&r, 0, "phoenix");
    expect_run(&r, 0, "rover");
    run_fathom(&r, "ctl stats --json --socket net.sock");
    expect_run(&r, 0, "\"drop/crc\"");
    run_fathom(&r, "ctl instruments phoenix --socket net.sock");
    expect_run(&r, 0, "compass");
    run_fathom(&r, "ctl set /water/density abc --socket net.sock");
    expect_run(&r, 2, "'abc' is invalid: must be a number");
    run_fathom(&r, "ctl set /water/density 0 --socket net.sock");
    expect_run(&r, 1, "/water/density");
    run_fathom(&r, "ctl jump --socket net.sock");
    expect_run(&r, 2, "unknown command 'jump'");
    run_fathom(&r, "ctl quit --socket net.sock");
    expect_run(&r, 0, "quit");
    assert_int_equal(end_of(&server), 0);
    assert_int_equal(size_of("net.sock"), -1);
    run_fathom(&r, "ctl stats --timeout 0.3 --port %d", server.port);
    expect_run(&r, 1, "no server answers");
    fm_caller_drop(rover);
}

/* --- punctuality --- */

static double stat_of(const char *name)
{
    char quoted[80];
    run_fathom(&r, "ctl stats --json --port %d", server.port);
    snprintf(quoted, sizeof quoted, "\"%s\", \"value\":", name);
    const char *at = strstr(r.out, quoted);
    if (r.status != 0 || !at)
        fail_msg("ctl stats has no %s: %s%s", name, r.out, r.err);
    return strtod(at + strlen(quoted), NULL);
}

static void a_server_reports_how_late_steps_are_and_how_soon_orders_are_answered(void **state)
{
    (void)state;
    static const char *const quantiles[] = {"p50", "p99", "p99.9", "worst"};
    serve(&server, "%s", write_sea(""));
    assert_same(stat_of("response/worst"), 0);
    for (int i = 0; i < 3; i++) {
        run_fathom(&r, "ctl order phoenix stern-rudder %d --port %d", i, server.port);
        expect_run(&r, 0, "");
    }
    double begun = seconds_now();
    while (stat_of("response/worst") == 0 && seconds_now() < begun + 30)
        usleep(20000);
    assert_between(0, stat_of("response/p50"), 10);
    for (int what = 0; what < 2; what++)
        for (int i = 1; i < 4; i++) {
            char smaller[32], larger[32];
            const char *kind = what ? "response" : "lateness";
            snprintf(smaller, sizeof smaller, "%s/%s", kind, quantiles[i - 1]);
            snprintf(larger, sizeof larger, "%s/%s", kind, quantiles[i]);
            double value = stat_of(smaller);
            assert_greater(value, 0);
            assert_at_least(stat_of(larger), value); /* asked later: it only grows */
        }
    assert_int_equal(stop_serving(&server), 0);
}

static void a_priority_that_is_not_permitted_is_reported_and_the_run_goes_on(void **state)
{
    (void)state;
    const char *as_user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all " : "";
    run_shell(&r, "ulimit -r 0; %s" FATHOM_PROGRAM " run --priority 80 --speed 50 --duration 1 %s", as_user,
              write_sea(""));
    assert_int_equal(r.status, 0);
    if (!strstr(r.err, "--priority: real-time priority 80 is not permitted"))
        fail_msg("nothing was said: %s", r.err);
    assert_non_null(strstr(r.err, "lateness of steps: 50 % up to "));
}

/* The number of threads of the server with that real-time priority; 0: none. */
static int threads_of_priority(int priority)
{
    enum { STATE = 3, PRIORITY = 40 }; /* fields of /proc/PID/stat */
    run_shell(&r, "cat /proc/%d/task/*/stat", (int)server.pid);
    int count = 0;
    for (char *line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n")) {
        char *at = strrchr(line, ')') + 2; /* the state */
        for (int i = STATE; i < PRIORITY; i++)
            at = strchr(at, ' ') + 1;
        count += atoi(at) == priority;
    }
    return count;
}

/* The thread that steps, and the one that carries orders to it; the others, which write and draw, have none. */
static void two_threads_of_a_server_have_its_priority(void **state)
{
    (void)state;
    run_shell(&r, FATHOM_PROGRAM " run --priority 30 --speed 50 --duration 0.5 %s", write_sea(""));
    if (strstr(r.err, "not permitted"))
        skip();
    serve(&server, "--priority 30 --log net_priority.mcap %s", write_sea(""));
    double begun = seconds_now();
    while (threads_of_priority(29) == 0 && seconds_now() < begun + 10)
        usleep(20000);
    assert_int_equal(threads_of_priority(30), 1);
    assert_int_equal(threads_of_priority(29), 1);
    assert_at_least(threads_of_priority(0), 1);
    assert_int_equal(stop_serving(&server), 0);
    unlink("net_priority.mcap");
}

/* --- the end --- */

static void a_signal_ends_it_within_a_second_and_the_log_replays(void **state)
{
    (void)state;
    unlink("net_end.mcap");
    serve(&server, "--log net_end.mcap %s", write_sea(""));
    fm_caller *rover = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 10000);
    fm_wire_header header;
    uint32_t flags;
    for (int i = 0; i < 20; i++) {
        actuate(rover, ACTUATORS, (float)(10 + i), 100);
        expect_state(rover, &header, &flags);
    }
    kill(server.pid, SIGTERM);
    fm_wire_in payload;
    expect_message(rover, FM_WIRE_BYE, &payload);
    assert_int_equal(fm_caller_ended(rover), FM_WIRE_CLOSING);
    assert_int_equal(end_of(&server), 0);
    fm_caller_drop(rover);
    run_fathom(&r, "replay net_end.mcap --verify");
    expect_run(&r, 0, "the same");
}

/* --- keys --- */

static void without_its_key_nobody_is_heard(void **state)
{
    (void)state;
    uint8_t key[FM_WIRE_KEY], other[FM_WIRE_KEY];
    memset(key, 7, sizeof key);
    memset(other, 8, sizeof other);
    write_file("net.key", "0707070707070707070707070707070707070707070707070707070707070707\n");
    chmod("net.key", 0600);
    run_fathom(&r, "serve --bind 0.0.0.0 --port 0 %s", write_sea(""));
    expect_run(&r, 1, "must have a key");
    serve(&server, "--key net.key %s", write_sea(""));
    fm_error error = {0};
    fm_caller_options options = {.port = server.port,
                                 .patience = 0.3,
                                 .connect = {.role = FM_WIRE_OBSERVER, .name = "watch", .state_period = FM_WIRE_NONE}};
    assert_null(fm_caller_open(&options, NULL, &error));
    options.key = other;
    assert_null(fm_caller_open(&options, NULL, &error));
    options.key = key;
    options.patience = 10;
    fm_caller *caller = fm_caller_open(&options, NULL, &error);
    if (!caller)
        fail_msg("%s", error.text);
    assert_at_least(counter_of(caller, "drop/mac"), 2);
    fm_caller_close(caller);
    run_fathom(&r, "ctl stats --key net.key --port %d", server.port);
    expect_run(&r, 0, "drop/mac");
    assert_int_equal(stop_serving(&server), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_brings_a_vehicle_and_steers_it),
        cmocka_unit_test(a_controller_takes_over_a_vehicle_and_reads_its_sensors),
        cmocka_unit_test(who_is_not_wanted_is_told_why),
        cmocka_unit_test(a_silent_client_is_removed_and_gets_its_vehicle_back_by_its_token),
        cmocka_unit_test(an_actuation_that_is_not_renewed_ends_with_its_hold),
        cmocka_unit_test(bad_actuations_are_refused_and_counted),
        cmocka_unit_test(while_it_is_stopped_clients_join_ping_and_set_parameters),
        cmocka_unit_test(gravity_that_the_shell_sets_is_felt_and_recorded),
        cmocka_unit_test(the_shell_commands_a_server_and_lists_it),
        cmocka_unit_test(a_server_reports_how_late_steps_are_and_how_soon_orders_are_answered),
        cmocka_unit_test(two_threads_of_a_server_have_its_priority),
        cmocka_unit_test(a_priority_that_is_not_permitted_is_reported_and_the_run_goes_on),
        cmocka_unit_test(a_signal_ends_it_within_a_second_and_the_log_replays),
        cmocka_unit_test(without_its_key_nobody_is_heard),
    };
    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
