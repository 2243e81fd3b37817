/* The program's commands about logs: run --log, info, export, compare, replay, plot, report; and a run that is killed.
 */
#include "support/files.h"
#include "support/program.h"

#include <glob.h>
#include <signal.h>
#include <time.h>

#define SCENARIO FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"

static program_run r;

static void expect(const char *part)
{
    if (!said(&r, part))
        fail_msg("'%s' is not in what %s said: %.3000s%.3000s", part, r.line, r.out, r.err);
}

static void shell(const char *line)
{
    if (run_shell(&r, "%s", line) != 0)
        fail_msg("%s: %s%s", line, r.out, r.err);
}

static int record_once(void **state)
{
    (void)state;
    return run_fathom(&r, "run " SCENARIO
                          " --fast --duration 20 --seed 5 --set '/phoenix/velocity=1 0 0 m/s' --log cli.mcap");
}

static void a_log_tells_what_it_holds(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "info cli.mcap /phoenix/odom"), 0);
    expect("nav_msgs/msg/Odometry");
    expect("seed = 5");
    expect("set.0 = /phoenix/velocity=1 0 0 m/s");
    expect("attachment scenarios/phoenix-turn.xml");
    expect("attachment models/nps-auv-ii.xml");
    expect("pose.pose.position.down");
    expect("ending = finished");
    assert_int_equal(run_fathom(&r, "info cli.mcap /phoenix/odm"), 2);
    expect("did you mean '/phoenix/odom'");
}

static void a_run_is_repeated_from_its_log_alone(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "replay cli.mcap --verify"), 0);
    expect("the same");
    shell("mkdir -p elsewhere && cp cli.mcap elsewhere/");
    shell("cd elsewhere && FATHOM_MODELS=/nonexistent ../" FATHOM_PROGRAM " replay cli.mcap --verify >replay.txt");
    assert_int_equal(run_fathom(&r, "replay cli.mcap"), 2);
    assert_int_equal(run_fathom(&r, "replay missing.mcap --verify"), 1);
    expect("No such file");
}

static void every_scenario_of_the_tree_is_recorded_and_repeated(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(FATHOM_SOURCE_DIR "/scenarios/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (run_fathom(&r, "run '%s' --fast --quiet --no-bridges --duration 1 --log each.mcap", found.gl_pathv[i]) !=
                0 ||
            run_fathom(&r, "replay each.mcap --verify") != 0)
            fail_msg("%s: %s%s", found.gl_pathv[i], r.out, r.err);
        expect("the same");
    }
    globfree(&found);
}

static void the_same_run_gives_the_same_file_and_another_seed_is_told(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r,
                                "run " SCENARIO
                                " --fast --duration 20 --seed 5 --set '/phoenix/velocity=1 0 0 m/s' --log same.mcap"),
                     0);
    shell("cmp cli.mcap same.mcap");
    assert_int_equal(run_fathom(&r, "compare cli.mcap same.mcap"), 0);
    assert_int_equal(
        run_fathom(&r, "run " SCENARIO
                       " --fast --duration 20 --seed 5 --set '/phoenix/velocity=1.001 0 0 m/s' --log other.mcap"),
        0);
    assert_int_equal(run_fathom(&r, "compare cli.mcap other.mcap"), 1);
    expect("/phoenix/odom");
}

static void rates_and_compressions_are_chosen(void **state)
{
    (void)state;
    static const char *const ways[] = {"zstd", "lz4", "none"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            run_fathom(&r, "run " SCENARIO " --fast --duration 5 --log way.mcap --log-rate 2 --log-compression %s",
                       ways[i]),
            0);
        assert_int_equal(run_fathom(&r, "info way.mcap"), 0);
        expect(i == 2 ? "not compressed" : ways[i]);
        expect("     11       2 Hz"); /* 0, 0.5 … 5 s */
        assert_int_equal(run_fathom(&r, "replay way.mcap --verify"), 0);
    }
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --log x.mcap --log-compression gzip"), 2);
    expect("must be zstd, lz4 or none");
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --fast --log /nonexistent/x.mcap"), 1);
    expect("No such file");
}

/* A chunk for every sample would cost more than the samples. */
static void a_log_of_one_hertz_costs_what_one_hertz_should(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --log whole.mcap --log-rate 1 --log-chunk 1000"), 0);
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --log slow.mcap --log-rate 1"), 0);
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --log often.mcap --log-rate 1 --log-chunk 1"), 0);
    assert_less((double)size_of("slow.mcap"), 1.1 * (double)size_of("whole.mcap"));
    assert_greater((double)size_of("often.mcap"), 1.5 * (double)size_of("whole.mcap")); /* asked for, given */
}

static void numbers_leave_as_csv(void **state)
{
    (void)state;
    char line[4096];
    assert_int_equal(run_fathom(&r, "export cli.mcap --csv cli_csv /phoenix/odom"), 0);
    FILE *file = fopen("cli_csv/phoenix.odom.csv", "r");
    assert_non_null(file);
    int rows = 0;
    while (fgets(line, sizeof line, file))
        rows++;
    fclose(file);
    assert_int_equal(rows, 1 + 401);
}

static void figures_and_reports_are_written(void **state)
{
    (void)state;
    static const char *const ends[] = {"png", "svg", "pdf"};
    for (int i = 0; i < 3; i++) {
        char path[32];
        snprintf(path, sizeof path, "cli.%s", ends[i]);
        assert_int_equal(run_fathom(&r, "plot cli.mcap -o %s", path), 0);
        assert_greater(size_of(path), 5000);
    }
    assert_int_equal(
        run_fathom(
            &r,
            "plot cli.mcap /phoenix/odom.pose.pose.position /phoenix/odom.twist.twist.linear.x --dark -o fields.svg"),
        0);
    assert_int_equal(run_fathom(&r, "plot cli.mcap /phoenix/odom.pose.pose.positon.x -o x.svg"), 2);
    expect("did you mean 'pose.pose.position.x'");
    assert_int_equal(run_fathom(&r, "plot cli.mcap /phoenix/odom.header.frame_id -o x.svg"), 2);
    expect("/phoenix/odom.header.frame_id is text");
    assert_int_equal(run_fathom(&r, "plot cli.mcap -o x.gif"), 1);
    assert_int_equal(run_fathom(&r, "plot cli.mcap --dpi 100 -o x.svg"), 2);
    expect("--dpi has no effect");
    assert_int_equal(run_fathom(&r, "plot cli.mcap --frame enu -o x.svg"), 2);
    expect("--frame without a field has no effect");
    assert_int_equal(run_fathom(&r, "report cli.mcap -o cli.html"), 0);
    shell("grep -q '<svg' cli.html && grep -q '>distance<' cli.html && grep -q 'bow-rudder' cli.html");
    shell("! grep -E '(src|href)=\"http' cli.html");
}

static void a_log_that_is_cut_or_bent_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "head -c %ld cli.mcap >cut.mcap", size_of("cli.mcap") * 2 / 3);
    shell(command);
    assert_int_equal(run_fathom(&r, "info cut.mcap"), 0);
    expect("warning");
    expect("recovered");
    assert_int_equal(run_fathom(&r, "replay cut.mcap --verify"), 0);
    assert_int_equal(run_fathom(&r, "plot cut.mcap -o cut.svg"), 0);
    shell("head -c 100 cli.mcap >short.mcap && echo hello >hello.mcap");
    assert_int_equal(run_fathom(&r, "plot short.mcap -o x.svg"), 1);
    assert_int_equal(run_fathom(&r, "info hello.mcap"), 1);
    expect("MCAP");
    snprintf(command, sizeof command,
             "cp cli.mcap bent.mcap && printf 'XXXX' | dd of=bent.mcap bs=1 seek=%ld conv=notrunc 2>/dev/null",
             size_of("cli.mcap") / 2);
    shell(command);
    int code = run_fathom(&r, "replay bent.mcap --verify");
    assert_int_equal(code, 1);
}

/* Starts a long run, kills it some milliseconds after its log has begun (sanitised builds take seconds to get there).
 */
static void kill_after(long ms)
{
    pid_t child = fork();
    if (child == 0) {
        execl(FATHOM_PROGRAM, "fathom", "run", SCENARIO, "--fast", "--quiet", "--duration", "1e6", "--log",
              "killed.mcap", "--log-chunk", "0.5", (char *)NULL);
        _exit(127);
    }
    assert_greater(child, 0);
    for (int i = 0; i < 3000 && size_of("killed.mcap") < 4096; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void a_killed_run_leaves_a_log_up_to_its_last_chunk(void **state)
{
    (void)state;
    static const long moments[] = {10, 47, 140, 211, 333};
    int whole = 0;
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        unlink("killed.mcap");
        kill_after(moments[i]);
        if (size_of("killed.mcap") < 4096)
            continue; /* it had not begun */
        if (run_fathom(&r, "info killed.mcap /phoenix/odom") != 0)
            continue; /* killed before the first chunk: no messages, no fields */
        whole++;
        expect("recovered");
        expect("attachment scenarios/phoenix-turn.xml");
        if (i == 2) {
            assert_int_equal(run_fathom(&r, "replay killed.mcap --verify"), 0);
            expect("the same");
        }
    }
    assert_at_least(whole, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_tells_what_it_holds),
        cmocka_unit_test(a_run_is_repeated_from_its_log_alone),
        cmocka_unit_test(every_scenario_of_the_tree_is_recorded_and_repeated),
        cmocka_unit_test(the_same_run_gives_the_same_file_and_another_seed_is_told),
        cmocka_unit_test(rates_and_compressions_are_chosen),
        cmocka_unit_test(a_log_of_one_hertz_costs_what_one_hertz_should),
        cmocka_unit_test(numbers_leave_as_csv),
        cmocka_unit_test(figures_and_reports_are_written),
        cmocka_unit_test(a_log_that_is_cut_or_bent_is_read_as_far_as_it_goes),
        cmocka_unit_test(a_killed_run_leaves_a_log_up_to_its_last_chunk),
    };
    return cmocka_run_group_tests(tests, record_once, NULL);
}
