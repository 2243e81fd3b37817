/* How a run ends before its time: signals, and what the program reports about them. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "support/files.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"

static program_run r;

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double number_behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at)
        fail_msg("no '%s' in %s", key, text);
    return strtod(at + strlen(key), NULL);
}

/* --- signals --- */

/* A run in real time that is sent a signal when its log has begun; its output goes to files. Returns its status. */
static int interrupt_run(int number)
{
    unlink("ended.mcap");
    pid_t child = fork();
    if (child == 0) {
        signal(number, SIG_DFL); /* the shell that runs the tests may ignore it */
        if (!freopen("ended.txt", "w", stderr))
            _exit(126);
        execl(FATHOM_PROGRAM, "fathom", "run", TURN, "--realtime", "--quiet", "--log", "ended.mcap", "--log-chunk",
              "0.1", "--summary", "ended.json", (char *)NULL);
        _exit(127);
    }
    assert_greater(child, 0);
    for (int i = 0; i < 6000 && size_of("ended.mcap") < 4096; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    nanosleep(&(struct timespec){0, 500000000}, NULL);
    kill(child, number);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void a_signal_ends_a_run_with_its_status_its_time_and_its_ending(void **unused)
{
    (void)unused;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(interrupt_run(numbers[i]), 128 + numbers[i]);
        char *told = read_file("ended.txt", NULL), *summary = read_file("ended.json", NULL);
        double time = number_behind(told, "interrupted at ");
        assert_between(0, time, 120);
        assert_non_null(strstr(told, " s of 120 s\n"));
        assert_non_null(strstr(summary, "\"ending\": \"interrupted\""));
        assert_nearer(time, number_behind(summary, "\"duration\": "), 0.051);
        free(told);
        free(summary);
        assert_int_equal(run_fathom(&r, "info ended.mcap"), 0);
        expect_run(&r, 0, "ending = interrupted");
        assert_null(strstr(r.err, "warning")); /* it was closed in good order */
    }
}

static void a_run_that_reaches_its_end_says_so(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r, "run " TURN " --duration 1 --summary -"), 0);
    expect_run(&r, 0, "\"ending\": \"finished\"");
}

static void a_run_that_fails_says_why_in_its_summary(void **unused)
{
    (void)unused;
    mkdir("ended-full", 0777);
    unlink("ended-full/phoenix.csv");
    assert_int_equal(symlink("/dev/full", "ended-full/phoenix.csv"), 0);
    run_fathom(&r, "run " TURN " --duration 100000 --csv ended-full --summary -");
    expect_run(&r, 1, "\"ending\": \"failed\"");
    expect_run(&r, 1, "\"error\": \"--csv: ended-full/phoenix.csv: No space left on device\"");
}

/* How many files and folders are in a folder. */
static int entries_of(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));)
        count += e->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void a_replay_that_is_interrupted_leaves_no_files_behind(void **unused)
{
    (void)unused;
    assert_int_equal(run_shell(&r, "rm -rf ended-tmp && mkdir ended-tmp"), 0);
    assert_int_equal(run_fathom(&r, "run " TURN " --duration 20000 --log ended-long.mcap --log-rate 0.1"), 0);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        pid_t child = fork();
        if (child == 0) {
            signal(numbers[i], SIG_DFL);
            if (!freopen("ended.txt", "w", stderr) || setenv("TMPDIR", "ended-tmp", 1) != 0)
                _exit(126);
            execl(FATHOM_PROGRAM, "fathom", "replay", "--verify", "ended-long.mcap", (char *)NULL);
            _exit(127);
        }
        assert_greater(child, 0);
        for (int k = 0; k < 60000 && entries_of("ended-tmp") == 0; k++)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        assert_int_equal(entries_of("ended-tmp"), 1);
        kill(child, numbers[i]);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 128 + numbers[i]);
        assert_int_equal(entries_of("ended-tmp"), 0);
    }
    unlink("ended-long.mcap");
}

/* --- pace --- */

static void a_run_goes_as_fast_as_it_can_on_a_terminal_too_unless_asked(void **unused)
{
    (void)unused;
    double start = wall_clock();
    assert_int_equal(run_shell(&r, "script -qec '" FATHOM_PROGRAM " run " TURN " --duration 60' /dev/null"), 0);
    assert_less(wall_clock() - start, 30);
    start = wall_clock();
    assert_int_equal(run_fathom(&r, "run " TURN " --duration 1.5 --realtime"), 0);
    assert_greater(wall_clock() - start, 1.4);
    assert_int_equal(run_fathom(&r, "run " TURN " --realtime --speed 2"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_a_run_with_its_status_its_time_and_its_ending),
        cmocka_unit_test(a_run_that_reaches_its_end_says_so),
        cmocka_unit_test(a_run_that_fails_says_why_in_its_summary),
        cmocka_unit_test(a_replay_that_is_interrupted_leaves_no_files_behind),
        cmocka_unit_test(a_run_goes_as_fast_as_it_can_on_a_terminal_too_unless_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
