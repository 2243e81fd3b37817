/* The local interfaces of a server: commands by message queue, shared memory with its clients. */
#include <fathom/emulator.h>
#include <math.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/local_doors.h"
#include "server/command_text.h"
#include "support/program.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.02 s' duration='600 s' seed='1' capacity='4'><water density='1025 kg/m3'/>"
    "<bottom depth='40 m'/></world>"
    "<vehicle name='auv' model='wavesim-auv' position='0 0 10 m'><ctd/></vehicle></fathom>";

static char instance[32], answer[256];
static program_run r;

/* --- text --- */

static void commands_are_read_from_text(void **state)
{
    (void)state;
    fm_command c;
    fm_error error = {0};
    assert_int_equal(fm_command_read("step 10", 7, &c, &error), FM_OK);
    assert_same(c.kind, FM_COMMAND_STEP);
    assert_same(c.step.steps, 10);
    assert_int_equal(fm_command_read(" start\n", 7, &c, &error), FM_OK);
    assert_same(c.kind, FM_COMMAND_START);
    static const char spawn[] = "spawn b wavesim-auv 1 2 3";
    assert_int_equal(fm_command_read(spawn, strlen(spawn), &c, &error), FM_OK);
    assert_true(!strcmp(c.spawn.name, "b"));
    assert_true(!strcmp(c.spawn.like, "wavesim-auv"));
    assert_same(c.spawn.position[2], 3);
    assert_same(c.spawn.euler[0], 0);
    static const char *const wrong[] = {
        "",          "fly",       "step ten",    "speed",   "set /a",   "remove",
        "start now", "speed nan", "speed 1e999", "spawn b", "step 1 2", "order auv port",
        "step 1.5",  "step 0",    "push a 1 2 3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (fm_command_read(wrong[i], strlen(wrong[i]), &c, &error) == FM_OK)
            fail_msg("'%s' was taken", wrong[i]);
}

/* --- a server --- */

static pid_t serve(const char *more)
{
    pid_t child = fork();
    assert_at_least(child, 0);
    if (child == 0) {
        snprintf(r.line, sizeof r.line,
                 "exec %s serve doors_sea.xml --port 0 --quiet --shared %s %s >doors.out 2>doors.err", FATHOM_PROGRAM,
                 instance, more);
        execl("/bin/sh", "sh", "-c", r.line, (char *)NULL);
        _exit(127);
    }
    fm_shared_map map;
    for (int i = 0; i < 400; i++, usleep(25000)) {
        fm_error error = {0};
        if (fm_shared_open(&map, "clients", instance, 0) == 0) {
            fm_shared_close(&map);
            if (fm_queue_ask(instance, "speed 1", 1, answer, sizeof answer, &error) == FM_OK)
                return child;
        }
    }
    fail_msg("the server does not come");
    return 0;
}

static void ask(const char *command)
{
    fm_error error = {0};
    if (fm_queue_ask(instance, command, 5, answer, sizeof answer, &error) != FM_OK)
        fail_msg("%s: %s", command, error.text);
}

static void refuse(const char *command, const char *words)
{
    fm_error error = {0};
    assert_different(fm_queue_ask(instance, command, 5, answer, sizeof answer, &error), FM_OK);
    if (!strstr(error.text, words))
        fail_msg("%s: '%s' does not say '%s'", command, error.text, words);
}

static fm_shared_simulation simulation(void)
{
    fm_shared_map map;
    fm_shared_simulation s = {0};
    assert_int_equal(fm_shared_open(&map, "simulation", instance, 0), 0);
    assert_true(fm_shared_copy(&s, fm_shared_simulation_of(&map), sizeof s, 1000));
    fm_shared_close(&map);
    return s;
}

static int has_vehicle(const char *name)
{
    static fm_shared_client client;
    fm_shared_map map;
    assert_int_equal(fm_shared_open(&map, "clients", instance, 0), 0);
    int found = fm_shared_client_find(&map, name, &client);
    fm_shared_close(&map);
    return found;
}

#define eventually(fact)                                                                                               \
    do {                                                                                                               \
        int tries_ = 0;                                                                                                \
        while (!(fact) && tries_++ < 400)                                                                              \
            usleep(10000);                                                                                             \
        if (!(fact))                                                                                                   \
            fail_msg("never: %s", #fact);                                                                              \
    } while (0)

static void expect_end(pid_t child)
{
    int status = 0;
    for (int i = 0; i < 300 && waitpid(child, &status, WNOHANG) == 0; i++)
        usleep(10000);
    assert_true(WIFEXITED(status));
    assert_same(WEXITSTATUS(status), 0);
    fm_shared_map map;
    assert_different(fm_shared_open(&map, "clients", instance, 0), 0);
    assert_same(errno, ENOENT);
    char name[64];
    snprintf(name, sizeof name, "/fathom-commands-%s", instance);
    assert_same(mq_open(name, O_WRONLY), (mqd_t)-1);
    assert_same(errno, ENOENT);
}

static void the_commander_does_what_its_queue_says_in_order(void **state)
{
    (void)state;
    pid_t child = serve("--stopped");
    uint64_t before = simulation().tick;
    ask("step 10");
    eventually(simulation().tick == before + 10);
    assert_int_equal(simulation().state, FM_SHARED_STOPPED);
    assert_int_equal(run_fathom(&r, "ctl --queue %s step 5", instance), 0);
    eventually(simulation().tick == before + 15);
    ask("spawn guest wavesim-auv 5 6 7");
    ask("step");
    eventually(has_vehicle("guest"));
    ask("set /water/density 1020");
    ask("remove guest");
    ask("step");
    eventually(!has_vehicle("guest"));
    eventually(fabs(simulation().density - 1020) < 1e-9);
    refuse("jump", "unknown command 'jump'");
    refuse("remove ghost", "ghost");
    refuse("set /nothing 1", "nothing");
    ask("speed 5");
    ask("start");
    eventually(simulation().state == FM_SHARED_RUNNING && simulation().tick > before + 60);
    assert_same(simulation().speed, 5);
    ask("stop");
    eventually(simulation().state == FM_SHARED_STOPPED);
    ask("reset");
    eventually(simulation().tick == 0);
    ask("step");
    eventually(simulation().tick == 1);
    ask("quit");
    expect_end(child);
}

/* More than a queue holds; a writer that floods it waits, and none is lost or out of order. */
static void a_flood_of_commands_is_done_one_after_the_other(void **state)
{
    (void)state;
    pid_t child = serve("--stopped");
    char name[64];
    snprintf(name, sizeof name, "/fathom-commands-%s", instance);
    mqd_t queue = mq_open(name, O_WRONLY);
    assert_different(queue, (mqd_t)-1);
    uint64_t before = simulation().tick;
    for (int i = 0; i < 200; i++)
        assert_int_equal(mq_send(queue, "step 2", 6, 0), 0);
    mq_close(queue);
    eventually(simulation().tick == before + 400);
    kill(child, SIGTERM);
    expect_end(child);
}

static void an_emulator_writes_into_a_served_world(void **state)
{
    (void)state;
    fm_emulator emulator;
    pid_t child = serve("--log doors.mcap");
    assert_int_equal(fm_emulator_open(&emulator, instance, "auv", "ctd/temperature", 1), 0);
    for (int i = 0; i < 100 && emulator.slot->taken < 5; i++, usleep(10000))
        assert_int_equal(fm_emulator_put(&emulator, 277.5, 0, 1), 0);
    assert_at_least(emulator.slot->taken, 5);
    fm_emulator_close(&emulator);
    usleep(100000);
    kill(child, SIGTERM);
    expect_end(child);
    assert_int_equal(run_fathom(&r, "replay doors.mcap --verify"), 0);
    assert_true(said(&r, "the same"));
}

static void a_killed_server_leaves_nothing_that_stops_the_next(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        pid_t child = serve("");
        usleep((unsigned)(rand() % 30000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    pid_t child = serve("");
    ask("quit");
    expect_end(child);
}

static int begin_all(void **state)
{
    (void)state;
    FILE *out = fopen("doors_sea.xml", "w");
    snprintf(instance, sizeof instance, "doors-%d", (int)getpid());
    return !out || fputs(sea, out) < 0 || fclose(out) != 0;
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(commands_are_read_from_text),
        cmocka_unit_test(the_commander_does_what_its_queue_says_in_order),
        cmocka_unit_test(a_flood_of_commands_is_done_one_after_the_other),
        cmocka_unit_test(an_emulator_writes_into_a_served_world),
        cmocka_unit_test(a_killed_server_leaves_nothing_that_stops_the_next),
    };
    return cmocka_run_group_tests(facts, begin_all, NULL);
}
