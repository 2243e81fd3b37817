/* Output never destroys input, and what cannot be written whole leaves what was there. */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "support/files.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"
#define DIR "outputs_test"

static program_run r;

static void shell(const char *line)
{
    if (run_shell(&r, "%s", line) != 0)
        fail_msg("%s: %s%s", line, r.out, r.err);
}

static int record_once(void **state)
{
    (void)state;
    shell("rm -rf " DIR " && mkdir " DIR " && cp " TURN " " DIR "/phoenix.xml");
    return run_fathom(&r, "run " TURN " --duration 20 --log " DIR "/run.mcap");
}

/* `fathom` with these arguments refuses, and `file` has the same bytes as before. */
static void refuses(const char *file, const char *arguments)
{
    size_t before, after;
    char *old = read_file(file, &before);
    run_fathom(&r, "%s", arguments);
    if (r.status == 0 || !said(&r, "which it reads"))
        fail_msg("fathom %s: exit status %d, said %s%s", arguments, r.status, r.out, r.err);
    char *now = read_file(file, &after);
    assert_same(before, after);
    assert_memory_equal(old, now, before);
    free(old);
    free(now);
}

static void no_command_writes_over_what_it_reads(void **unused)
{
    (void)unused;
    shell("ln -sf run.mcap " DIR "/link.png && ln -f " DIR "/run.mcap " DIR "/hard.html && ln -f " DIR
          "/phoenix.xml " DIR "/same.json && mkdir -p " DIR "/tables && ln -f " DIR "/phoenix.xml " DIR
          "/tables/phoenix.csv");
    refuses(DIR "/run.mcap", "plot " DIR "/run.mcap -o " DIR "/link.png");
    refuses(DIR "/run.mcap", "report " DIR "/run.mcap -o " DIR "/hard.html");
    refuses(DIR "/run.mcap", "export " DIR "/run.mcap --netcdf " DIR "/../" DIR "/run.mcap");
    refuses(DIR "/phoenix.xml", "run " DIR "/phoenix.xml --duration 1 --log " DIR "/phoenix.xml");
    refuses(DIR "/phoenix.xml", "run " DIR "/phoenix.xml --duration 1 --summary " DIR "/same.json");
    refuses(DIR "/phoenix.xml", "run " DIR "/phoenix.xml --duration 1 --csv " DIR "/tables");
    shell("cp " FATHOM_SOURCE_DIR "/models/lauv.xml " DIR "/boat.xml && ln -f " DIR "/boat.xml " DIR "/boat.m");
    refuses(DIR "/boat.xml", "stability " DIR "/boat.xml --octave " DIR "/boat.m");
    run_fathom(&r, "run " TURN " --duration 1 --log " DIR "/one --summary " DIR "/one");
    expect_run(&r, 2, "the same file");
}

static size_t count_files(const char *pattern)
{
    glob_t found;
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* A file that would grow over 2 KB cannot be written; the old file stays, and no temporary file is left. */
static void what_cannot_be_written_leaves_what_was_there(void **unused)
{
    (void)unused;
    static const char *const commands[] = {"plot " DIR "/run.mcap -o " DIR "/keep.png",
                                           "report " DIR "/run.mcap -o " DIR "/keep.html",
                                           "export " DIR "/run.mcap --netcdf " DIR "/keep.nc",
                                           "export " DIR "/run.mcap --csv " DIR "/keep /phoenix/odom",
                                           "fish --mesh " DIR "/keep.obj",
                                           "completion bash -o " DIR "/keep.bash"};
    static const char *const files[] = {DIR "/keep.png", DIR "/keep.html", DIR "/keep.nc", DIR "/keep/phoenix.odom.csv",
                                        DIR "/keep.obj", DIR "/keep.bash"};
    shell("mkdir -p " DIR "/keep");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_file(files[i], "what was there\n");
        run_shell(&r, "trap '' XFSZ; ulimit -f 4; " FATHOM_PROGRAM " %s", commands[i]);
        expect_run(&r, 1, "File too large");
        char *text = read_file(files[i], NULL);
        assert_string_equal(text, "what was there\n");
        free(text);
        if (run_fathom(&r, "%s", commands[i]) != 0)
            fail_msg("%s: %s", r.line, r.err);
        assert_greater(size_of(files[i]), 2048);
    }
    assert_int_equal(count_files(DIR "/.keep*") + count_files(DIR "/keep/.phoenix*"), 0);
}

static void a_link_stays_a_link_and_a_mode_stays_a_mode(void **unused)
{
    (void)unused;
    struct stat found;
    shell("echo old >" DIR "/target.svg && chmod 640 " DIR "/target.svg && ln -sf target.svg " DIR "/to.svg");
    assert_int_equal(run_fathom(&r, "plot " DIR "/run.mcap -o " DIR "/to.svg"), 0);
    assert_same(lstat(DIR "/to.svg", &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_same(stat(DIR "/target.svg", &found), 0);
    assert_same(found.st_mode & 0777, 0640);
    assert_greater(found.st_size, 5000);
}

/* --- logs --- */

static void a_log_that_is_being_written_refuses_a_second_writer(void **unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0) {
        execl(FATHOM_PROGRAM, "fathom", "run", TURN, "--quiet", "--realtime", "--log", DIR "/busy.mcap", "--log-chunk",
              "0.1", (char *)NULL);
        _exit(127);
    }
    assert_greater(child, 0);
    for (int i = 0; i < 3000 && size_of(DIR "/busy.mcap") < 4096; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    run_fathom(&r, "run " TURN " --duration 1 --log " DIR "/busy.mcap");
    expect_run(&r, 1, "another run is writing this log");
    kill(child, SIGTERM);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 143);
    assert_int_equal(run_fathom(&r, "replay " DIR "/busy.mcap --verify"), 0);
    assert_int_equal(run_fathom(&r, "run " TURN " --duration 1 --log " DIR "/busy.mcap"), 0);
}

static void a_full_disk_stops_a_fast_run_at_once(void **unused)
{
    (void)unused;
    run_shell(&r, "trap '' XFSZ; ulimit -f 512; " FATHOM_PROGRAM " run " TURN " --duration 1e6 --log " DIR
                  "/full.mcap --summary -");
    expect_run(&r, 1, "the log cannot be written, and the run stops");
    expect_run(&r, 1, "File too large");
    expect_run(&r, 1, "\"ending\": \"failed\"");
    const char *duration = strstr(r.out, "\"duration\": ");
    assert_true(duration);
    assert_less(strtod(duration + 12, NULL), 2e5);
    assert_int_equal(run_fathom(&r, "info " DIR "/full.mcap"), 0); /* what fitted is there */
}

static void a_full_disk_is_told_when_it_happens_and_a_paced_run_goes_on(void **unused)
{
    (void)unused;
    run_shell(&r, "trap '' XFSZ; ulimit -f 400; " FATHOM_PROGRAM " run " TURN
                  " --quiet --speed 60 --duration 120 --log " DIR "/full.mcap --log-chunk 0.5 --summary -");
    expect_run(&r, 1, "\"ending\": \"finished\"");
    const char *first = strstr(r.err, "File too large");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "File too large")); /* again at the end, with what is missing */
}

static void a_log_that_shrinks_under_its_reader_is_told(void **unused)
{
    (void)unused;
    write_file(DIR "/many.xml",
               "<fathom version='1'><world dt='0.1 s' duration='0.2 s'/>"
               "<vehicle name='ball' count='1500'><mass mass='1 kg' inertia='1 1 1 kg*m2'/></vehicle></fathom>");
    assert_int_equal(run_fathom(&r, "run " DIR "/many.xml --quiet --log " DIR "/many.mcap"), 0);
    /* It prints more than a pipe holds before it comes to the CRC of the whole file. */
    run_shell(&r, "(" FATHOM_PROGRAM " info --channels " DIR "/many.mcap; echo $? >" DIR "/status) | "
                  "(head -c 1000 >/dev/null; truncate -s 4096 " DIR "/many.mcap; cat >/dev/null); cat " DIR "/status");
    expect_run(&r, 0, "the file is shorter than when it was opened");
    assert_string_equal(r.out, "1\n");
}

static void a_text_of_four_gigabytes_is_refused(void **unused)
{
    (void)unused;
    shell("printf '\\211MCAP0\\r\\n\\001\\0\\0\\0\\040\\001\\0\\0\\0\\377\\377\\377\\377' >" DIR
          "/long.mcap && truncate -s 4900M " DIR "/long.mcap");
    run_fathom(&r, "info " DIR "/long.mcap");
    expect_run(&r, 1, "the MCAP header is malformed");
    unlink(DIR "/long.mcap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_writes_over_what_it_reads),
        cmocka_unit_test(what_cannot_be_written_leaves_what_was_there),
        cmocka_unit_test(a_link_stays_a_link_and_a_mode_stays_a_mode),
        cmocka_unit_test(a_log_that_is_being_written_refuses_a_second_writer),
        cmocka_unit_test(a_full_disk_stops_a_fast_run_at_once),
        cmocka_unit_test(a_full_disk_is_told_when_it_happens_and_a_paced_run_goes_on),
        cmocka_unit_test(a_log_that_shrinks_under_its_reader_is_told),
        cmocka_unit_test(a_text_of_four_gigabytes_is_refused),
    };
    return cmocka_run_group_tests(tests, record_once, NULL);
}
