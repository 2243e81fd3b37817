/* Lock-step: clients in their own processes, at any speed; the run is the same every time, and replays. */
#include <sys/mman.h>

#include "net/served.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.05 s' seed='3' capacity='4'><water density='1025 kg/m3'/></world>"               \
    "<server lockstep='left right'/><vehicle name='still' model='nps-auv-ii' position='0 90 5 m'><depth/></vehicle>"   \
    "</fathom>"

enum { LATE = 29000 }; /* 0.1 ms: when clients note where they are */

static program_run r;

/* What the clients of one run have seen. */
typedef struct seen {
    double late[2][3]; /* m: where each was at LATE */
    int resets[2];     /* how often time went back, and its vehicle began where it came in */
} seen;

/* Answers each state with an order that depends on it, after a while; ends when the server does. */
static void play_client(const served *s, const char *name, double north, unsigned haste, double late[3], int *resets)
{
    uint64_t last = 0;
    fm_error error = {0};
    fm_caller_options options = {.port = s->port,
                                 .patience = 20,
                                 .connect = {.role = FM_WIRE_UNDERWATER,
                                             .model = "nps-auv-ii",
                                             .pose = {north, 0, 5},
                                             .flags = FM_WIRE_CONNECT_LOCKSTEP}};
    snprintf(options.connect.name, sizeof options.connect.name, "%s", name);
    usleep(haste % 7 * 10000);
    fm_caller *caller = fm_caller_open(&options, NULL, &error);
    if (!caller)
        _exit(3);
    fm_wire_header h;
    fm_wire_in in;
    for (double end = seconds_now() + 60; fm_caller_ended(caller) < 0 && seconds_now() < end;) {
        fm_wire_state state;
        uint8_t bytes[FM_WIRE_MOST];
        fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
        if (!fm_caller_receive(caller, 0.1, &h, &in) || h.type != FM_WIRE_STATE || !fm_wire_get_state(&in, &state))
            continue;
        *resets += h.time < last && fabs(state.position[0] - north) < 0.01;
        last = h.time;
        if (h.time == LATE)
            memcpy(late, state.position, sizeof state.position);
        haste = haste * 1103515245u + 12345u;
        usleep((haste >> 16) % 3000);
        fm_wire_put_ready(&out, &(fm_wire_ready){.time = h.time, .count = 1});
        fm_wire_put_actuate(&out, &(fm_wire_actuate){.mode = FM_WIRE_RPM, .count = 2, .hold = 300});
        fm_wire_put_f32(&out, 400 - 100 * state.velocity[0]);
        fm_wire_put_f32(&out, (float)(300 + 10 * state.position[0]));
        fm_caller_send(caller, FM_WIRE_READY, bytes, out.size);
    }
    int told = fm_caller_ended(caller);
    fm_caller_drop(caller);
    _exit(told == FM_WIRE_CLOSING ? 0 : 4);
}

static double time_of(fm_caller *commander)
{
    return counter_of(commander, "time");
}

/* `resets`: how often the scenario begins again on the way. */
static seen run_once(const char *log, unsigned haste, int resets)
{
    static served server;
    pid_t clients[2];
    seen *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    unlink(log);
    serve(&server, "--lockstep --duration 3 --log %s net_lockstep.xml", log);
    for (int i = 0; i < 2; i++) {
        int first = (int)(haste + (unsigned)i) % 2;
        clients[i] = fork();
        if (clients[i] == 0)
            play_client(&server, first ? "left" : "right", first ? -20 : 20, haste * 31 + (unsigned)i * 17,
                        shared->late[first], &shared->resets[first]);
    }
    for (int i = 0; i < resets; i++) {
        fm_caller *commander = call_as(&server, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
        while (!(time_of(commander) > 0.4))
            usleep(5000);
        assert_int_equal(command(commander, FM_COMMAND_RESET, "", "", 0), FM_WIRE_DONE);
        fm_caller_close(commander);
    }
    for (int i = 0; i < 2; i++) {
        int status;
        assert_int_equal(waitpid(clients[i], &status, 0), clients[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(end_of(&server), 0);
    seen found = *shared;
    munmap(shared, sizeof *shared);
    return found;
}

static void a_run_with_clients_is_the_same_every_time_and_replays(void **state)
{
    (void)state;
    write_file("net_lockstep.xml", SEA);
    run_once("net_lockstep_0.mcap", 1, 0);
    run_once("net_lockstep_1.mcap", 2, 0);
    run_fathom(&r, "compare net_lockstep_0.mcap net_lockstep_1.mcap");
    if (r.status != 0)
        fail_msg("%s%s", r.out, r.err);
    run_fathom(&r, "replay net_lockstep_1.mcap --verify");
    expect_run(&r, 0, "the same");
    run_fathom(&r, "info net_lockstep_1.mcap");
    expect_run(&r, 0, "/right/odom");
}

/* One run and one log, whatever is reset; what follows is what would have been. */
static void a_run_that_is_reset_goes_on_as_a_new_one_and_replays(void **state)
{
    (void)state;
    write_file("net_lockstep.xml", SEA);
    unlink("net_lockstep_r-2.mcap");
    seen plain = run_once("net_lockstep_0.mcap", 3, 0), reset = run_once("net_lockstep_r.mcap", 4, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(reset.resets[i], 2);
        assert_greater(plain.late[i][0], (i ? -20 : 20) + 0.01);
        assert_memory_equal(reset.late[i], plain.late[i], sizeof plain.late[i]);
    }
    assert_different(access("net_lockstep_r-2.mcap", F_OK), 0);
    run_fathom(&r, "replay net_lockstep_r.mcap --verify");
    expect_run(&r, 0, "the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_clients_is_the_same_every_time_and_replays),
        cmocka_unit_test(a_run_that_is_reset_goes_on_as_a_new_one_and_replays),
    };
    return cmocka_run_group_tests_name("lockstep", tests, NULL, NULL);
}
