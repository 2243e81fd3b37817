/* `fathom ctl reset` in the middle of a run: the program goes on as from a fresh start, and its log replays. */
#include "net/served.h"

enum { STEPS = 25, BEFORE = 40 };

static program_run r;

static fm_caller *commander_of(const served *s)
{
    return call_as(s, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
}

/* Makes `count` steps and waits until they are made. */
static void make_steps(const served *s, fm_caller *boss, int count)
{
    double before = counter_of(boss, "steps"), end = seconds_now() + 60;
    run_fathom(&r, "ctl --port %d step %d", s->port, count);
    expect_run(&r, 0, "step at");
    while (counter_of(boss, "steps") < before + count)
        if (seconds_now() > end)
            fail_msg("%g of %d steps within a minute", counter_of(boss, "steps") - before, count);
        else
            usleep(2000);
}

/* The hash of the state that the log ends with; it replays to the same. */
static void read_hash(const char *log, char hash[17])
{
    run_fathom(&r, "replay %s --verify", log);
    expect_run(&r, 0, "the same");
    run_fathom(&r, "info %s", log);
    expect_run(&r, 0, "state_hash = ");
    snprintf(hash, 17, "%s", strstr(r.out, "state_hash = ") + strlen("state_hash = "));
}

static void serve_once(const char *scenario, int reset, char hash[17])
{
    static served s;
    const char *log = "net_reset.mcap";
    unlink(log);
    serve(&s, "--stopped --log %s %s/scenarios/%s.xml", log, FATHOM_SOURCE_DIR, scenario);
    fm_caller *boss = commander_of(&s);
    if (reset) {
        make_steps(&s, boss, BEFORE);
        run_fathom(&r, "ctl --port %d reset", s.port);
        expect_run(&r, 0, "reset at");
    }
    make_steps(&s, boss, STEPS);
    fm_caller_close(boss);
    run_fathom(&r, "ctl --port %d quit", s.port);
    expect_run(&r, 0, "quit at");
    assert_int_equal(end_of(&s), 0);
    read_hash(log, hash);
    unlink(log);
}

static void a_server_that_is_reset_goes_on_as_from_a_fresh_start(void **state)
{
    (void)state;
    static const char *const scenarios[] = {"showcase", "snookie-meeting", "fish-school"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        char fresh[17], again[17];
        serve_once(scenarios[i], 0, fresh);
        serve_once(scenarios[i], 1, again);
        assert_string_equal(again, fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_is_reset_goes_on_as_from_a_fresh_start),
    };
    return cmocka_run_group_tests_name("reset", tests, NULL, NULL);
}
