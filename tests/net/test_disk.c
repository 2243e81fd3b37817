/* The log of `fathom serve` on disks that are slow or full: no step waits for them; what is missing is counted. */
#include "net/served.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.01 s' seed='1' capacity='2'><water density='1025 kg/m3'/><bottom depth='40 m'/>"
    "</world><vehicle name='auv' model='wavesim-auv' position='0 0 10 m'><ctd/><depth/></vehicle></fathom>";

static served server;
static program_run r;

#define SLOW 0.8   /* s that a chunk takes to be written */
#define SPEED 20.0 /* times real time */

static void expect_told(const char *words)
{
    char *told = read_file("disk.err", NULL);
    assert_non_null(strstr(told, words));
    free(told);
}

/* --timed: steps are also held to the clock. Needs an idle machine with two cores: make test-timed. */
static int timed;

static void no_step_waits_for_a_slow_disk(void **state)
{
    (void)state;
    write_file("disk.xml", sea);
    unlink("disk_slow.mcap");
    setenv("LD_PRELOAD", SLOW_DISK_FILE, 1);
    setenv("SLOW_DISK", "0.8", 1);
    serve(&server, "--speed 20 --log disk_slow.mcap disk.xml 2>disk.err");
    unsetenv("LD_PRELOAD");
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", FM_WIRE_NONE);
    double began = seconds_now(), first = counter_of(watch, "time");
    while (!(counter_of(watch, "log/dropped") > 0)) { /* reported during the run */
        if (seconds_now() > began + 30)
            fail_msg("nothing was dropped: the disk is not slow");
        usleep(20000);
    }
    double passed = seconds_now() - began, time = counter_of(watch, "time") - first;
    assert_greater(time, 0);
    if (timed) {
        assert_less(counter_of(watch, "steps/latest"), 0.75 * SLOW); /* one that waited for a chunk would be later */
        assert_greater(time, 0.5 * SPEED * passed);
    }
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 0);
    expect_told("messages were not written to disk in time and are missing");
    run_fathom(&r, "info disk_slow.mcap");
    expect_run(&r, 0, "dropped = ");
    assert_null(strstr(r.out, "dropped = 0\n"));
}

static void a_full_disk_is_told_and_the_simulation_goes_on(void **state)
{
    (void)state;
    struct rlimit before, small;
    unlink("disk_full.mcap");
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){150000, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN); /* what a full disk says, but without a signal */
    setrlimit(RLIMIT_FSIZE, &small);
    serve(&server, "--speed 20 --log disk_full.mcap disk.xml 2>disk.err");
    setrlimit(RLIMIT_FSIZE, &before);
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", FM_WIRE_NONE);
    double end = seconds_now() + 60;
    while (!(counter_of(watch, "log/lost") > 0)) {
        if (seconds_now() > end)
            fail_msg("the disk is not full");
        usleep(20000);
    }
    double then = counter_of(watch, "time");
    while (counter_of(watch, "time") < then + 1) /* it goes on */
        usleep(20000);
    assert_same(counter_of(watch, "log/dropped"), 0);
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 1);
    expect_told("File too large");
    run_fathom(&r, "replay disk_full.mcap --verify"); /* what is there is right */
    expect_run(&r, 0, "the same");
}

int main(int argc, char **argv)
{
    timed = argc > 1 && strcmp(argv[1], "--timed") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_waits_for_a_slow_disk),
        cmocka_unit_test(a_full_disk_is_told_and_the_simulation_goes_on),
    };
    return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
