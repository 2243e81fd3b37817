/* How `fathom serve` ends on a signal: clients are informed, the log is closed, and it is quick. */
#include "net/served.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.01 s' seed='3' capacity='51'><water density='1025 kg/m3'/></world>"              \
    "<server clients='60'/><vehicle name='phoenix' model='nps-auv-ii' position='0 90 5 m'><depth/></vehicle></fathom>"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MOST 10.0
#else
#define MOST 1.0 /* s */
#endif

enum { CLIENTS = 50 };

static served server;
static program_run r;

static fm_caller *bring(int i)
{
    fm_error error = {0};
    fm_caller_options options = {
        .port = server.port,
        .patience = 20,
        .connect = {
            .role = FM_WIRE_UNDERWATER, .model = "nps-auv-ii", .state_period = 50000, .pose = {20.0 * i, -30, 5}}};
    snprintf(options.connect.name, sizeof options.connect.name, "rover%d", i);
    fm_caller *caller = fm_caller_open(&options, NULL, &error);
    if (!caller)
        fail_msg("rover%d: %s", i, error.text);
    return caller;
}

/* Reads all that has come for it; the reason of the BYE. */
static int farewell(fm_caller *caller)
{
    fm_wire_header header;
    fm_wire_in payload;
    for (double end = seconds_now() + 5; fm_caller_ended(caller) < 0 && seconds_now() < end;)
        fm_caller_receive(caller, 0.1, &header, &payload);
    return fm_caller_ended(caller);
}

/* --timed: within a second. Needs an idle machine: make test-timed. */
static int timed;

/* How long it took, s. */
static double end_by(int number)
{
    fm_caller *callers[CLIENTS];
    unlink("net_ending.mcap");
    serve(&server, "--log net_ending.mcap net_ending.xml");
    for (int i = 0; i < CLIENTS; i++)
        callers[i] = bring(i);
    for (int i = 0; i < CLIENTS; i++) {
        fm_wire_header header;
        uint32_t flags;
        expect_state(callers[i], &header, &flags);
        actuate(callers[i], 12, 100, 0);
    }
    usleep(200000);
    double since = seconds_now();
    kill(server.pid, number);
    assert_int_equal(end_of(&server), 0);
    double took = seconds_now() - since;
    for (int i = 0; i < CLIENTS; i++) {
        assert_int_equal(farewell(callers[i]), FM_WIRE_CLOSING);
        fm_caller_drop(callers[i]);
    }
    run_fathom(&r, "replay net_ending.mcap --verify");
    expect_run(&r, 0, "the same");
    return took;
}

static void a_signal_ends_a_server_of_fifty_clients(void **state)
{
    (void)state;
    write_file("net_ending.xml", SEA);
    double first = end_by(SIGINT), second = end_by(SIGTERM);
    if (timed && fmin(first, second) > MOST) /* one of them may have met a busy computer */
        fail_msg("the ends took %.2f s and %.2f s", first, second);
}

int main(int argc, char **argv)
{
    timed = argc > 1 && strcmp(argv[1], "--timed") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_a_server_of_fifty_clients),
    };
    return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
