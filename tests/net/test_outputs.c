/* An output never destroys an input, or a file that is not a log, however it is named; and no file is waited for. */
#include <sys/stat.h>

#include "net/outside.h"
#include "net/viewer.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' duration='0.2 s' seed='3'><water density='1025 kg/m3'/></world>"           \
    "<vehicle name='still' model='nps-auv-ii' position='0 0 5 m'/></fathom>"
#define WORDS "words that someone needs\n"
#define NO_LOG "it exists and is not a log: must be a new file, an empty one or a log"

static served server;
static viewer v;
static program_run r;

/* Names that no log may have, each with its error; made again before each use. */
static const char *const bad[][2] = {
    {"out_sea.xml", "would overwrite"},      {"out_link_to_sea.mcap", ""},    {"out_words.mcap", NO_LOG},
    {"out_pipe.mcap", "not a regular file"}, {"out_folder.mcap", "irectory"},
};
enum { BAD = sizeof bad / sizeof *bad };

static void remove_all(void)
{
    for (int i = 0; i < BAD; i++) {
        remove(bad[i][0]);
        rmdir(bad[i][0]);
    }
    remove("out_log.mcap");
    remove("out_second.mcap");
}

static void make_all(void)
{
    remove_all();
    write_file("out_sea.xml", SEA);
    write_file("out_words.mcap", WORDS);
    assert_int_equal(symlink("out_sea.xml", "out_link_to_sea.mcap"), 0);
    assert_int_equal(mkfifo("out_pipe.mcap", 0600), 0);
    assert_int_equal(mkdir("out_folder.mcap", 0700), 0);
}

static void expect_text(const char *path, const char *text)
{
    char *found = read_file(path, NULL);
    assert_string_equal(found, text);
    free(found);
}

static void expect_all_as_they_were(void)
{
    struct stat found;
    expect_text("out_sea.xml", SEA);
    expect_text("out_words.mcap", WORDS);
    assert_same(stat("out_pipe.mcap", &found), 0);
    assert_true(S_ISFIFO(found.st_mode));
    assert_same(stat("out_folder.mcap", &found), 0);
    assert_true(S_ISDIR(found.st_mode));
}

static void run_log_destroys_nothing_and_waits_for_nobody(void **state)
{
    (void)state;
    make_all();
    for (int i = 0; i < BAD; i++) {
        run_shell(&r, "timeout 30 %s run out_sea.xml --log %s", FATHOM_PROGRAM, bad[i][0]);
        if (r.status == 0 || r.status == 124 || !said(&r, bad[i][1]))
            fail_msg("%s: exit status %d, said '%s'", bad[i][0], r.status, r.err);
    }
    expect_all_as_they_were();
    run_shell(&r, "timeout 30 %s run out_sea.xml --log /dev/full", FATHOM_PROGRAM);
    expect_run(&r, 1, "No space left on device");
    run_shell(&r, "timeout 30 %s run out_sea.xml --log /dev/null", FATHOM_PROGRAM);
    assert_int_equal(r.status, 0);
    for (int i = 0; i < 2; i++) /* a log is written over by the next */
        assert_int_equal(run_fathom(&r, "run out_sea.xml --log out_log.mcap"), 0);
    remove_all();
}

static void tables_wait_for_nobody(void **state)
{
    (void)state;
    make_all();
    mkdir("out_tables", 0700);
    remove("out_tables/still.csv");
    assert_int_equal(mkfifo("out_tables/still.csv", 0600), 0);
    run_shell(&r, "timeout 30 %s run out_sea.xml --csv out_tables", FATHOM_PROGRAM);
    assert_different(r.status, 0);
    assert_different(r.status, 124);
    assert_int_equal(run_fathom(&r, "run out_sea.xml --log out_log.mcap"), 0);
    run_shell(&r, "timeout 30 %s export out_log.mcap --netcdf out_pipe.mcap", FATHOM_PROGRAM);
    assert_different(r.status, 0);
    assert_different(r.status, 124);
    run_shell(&r, "timeout 30 %s run out_sea.xml --summary out_pipe.mcap", FATHOM_PROGRAM);
    assert_different(r.status, 0);
    assert_different(r.status, 124);
    remove("out_tables/still.csv");
    rmdir("out_tables");
    remove_all();
}

static double steps_of_server(fm_caller *caller)
{
    return counter_of(caller, "steps");
}

static void the_command_log_destroys_nothing_and_waits_for_nobody(void **state)
{
    (void)state;
    make_all();
    serve(&server, "out_sea.xml --log out_log.mcap");
    for (int i = 0; i < BAD; i++) {
        run_fathom(&r, "ctl --port %d --timeout 20 log %s", server.port, bad[i][0]);
        if (r.status == 0 || !(said(&r, bad[i][1]) || said(&r, "not a regular file")))
            fail_msg("%s: exit status %d, said '%s'", bad[i][0], r.status, r.err);
    }
    run_fathom(&r, "ctl --port %d --timeout 20 log out_log.mcap", server.port);
    expect_run(&r, 1, "another run is writing this log");
    run_fathom(&r, "ctl --port %d --timeout 20 log ../out_log.mcap", server.port);
    expect_run(&r, 1, "must be a file name without '/'");
    expect_all_as_they_were();
    fm_caller *boss = call_as(&server, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
    double before = steps_of_server(boss);
    for (double end = seconds_now() + 20; !(steps_of_server(boss) > before) && seconds_now() < end;)
        usleep(10000);
    assert_greater(steps_of_server(boss), before);
    fm_caller_close(boss);
    assert_int_equal(run_fathom(&r, "ctl --port %d --timeout 20 log out_second.mcap", server.port), 0);
    assert_int_equal(stop_serving(&server), 0);
    for (int i = 0; i < 2; i++) {
        run_fathom(&r, "info %s", i ? "out_second.mcap" : "out_log.mcap");
        assert_int_equal(r.status, 0);
    }
    remove_all();
}

/* The page of a recording, asked to open a pipe next to it. */
static void comparing_with_what_is_no_log_is_refused_and_the_page_goes_on(void **state)
{
    (void)state;
    outside o;
    static char answer[1 << 17]; /* all recordings of this folder, where other tests write too */
    make_all();
    assert_int_equal(run_fathom(&r, "run out_sea.xml --log out_log.mcap"), 0);
    assert_int_equal(run_fathom(&r, "run out_sea.xml --log out_second.mcap"), 0);
    int port = free_http_port();
    begin_fathom(&o, "out_view", "view out_log.mcap --http 127.0.0.1:%d", port);
    greet(&v, port);
    for (int i = 1; i < BAD; i++) {
        char request[256];
        snprintf(request, sizeof request, "{\"name\":\"%s\"}", bad[i][0]);
        assert_false(call_page(&v, "/compare", request, answer, sizeof answer));
        assert_true(call_page(&v, "/recordings", "{}", answer, sizeof answer));
        assert_non_null(strstr(answer, "out_second.mcap"));
    }
    assert_false(call_page(&v, "/compare", "{\"name\":17}", answer, sizeof answer));
    assert_non_null(strstr(answer, "name: a number is invalid: must be a text"));
    assert_true(call_page(&v, "/compare", "{\"name\":\"out_second.mcap\"}", answer, sizeof answer));
    close(v.fd);
    kill(o.child, SIGTERM);
    int status;
    assert_int_equal(waitpid(o.child, &status, 0), o.child);
    assert_true(WIFEXITED(status));
    assert_same(WEXITSTATUS(status), 128 + SIGTERM);
    remove_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_log_destroys_nothing_and_waits_for_nobody),
        cmocka_unit_test(tables_wait_for_nobody),
        cmocka_unit_test(the_command_log_destroys_nothing_and_waits_for_nobody),
        cmocka_unit_test(comparing_with_what_is_no_log_is_refused_and_the_page_goes_on),
    };
    return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
