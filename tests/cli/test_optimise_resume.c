/* `fathom optimise` that is killed, interrupted or spread over ranks: the result is that of one uninterrupted process,
 * byte for byte. */
#include <math.h>

#include "support/program.h"

static program_run r;

#define MPIRUN                                                                                                         \
    "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
#define SEARCH                                                                                                         \
    " optimise lauv-survey --vary '/lauv/position/x=0:20 m' --vary '/lauv/position/z=1:20 m' --maximise lauv.x "       \
    "--minimise lauv.track_error_rms --constraint 'lauv.z < 8 m' --duration 200 --seed 1 --generations 5 "             \
    "--population 8 --backend worlds --json "
#define LENGTH "/lauv/position/x=0:20 m"

/* Starts a search on NAME.csv and strikes it with a signal once its journal has some runs. */
static void strike(const char *name, const char *options, const char *signal)
{
    run_shell(&r,
              "rm -f %s.csv %s.csv.journal; " FATHOM_PROGRAM SEARCH "%s --threads 1 --csv %s.csv >%s.said 2>&1 & "
              "pid=$!; until [ $(stat -c %%s %s.csv.journal 2>/dev/null || echo 0) -gt 500 ] || ! kill -0 $pid; do "
              "sleep 0.01; done; kill -%s $pid; wait $pid; echo $?; cat %s.said >&2",
              name, name, options, name, name, name, signal, name);
}

static void expect_same(const char *name, const char *options)
{
    run_fathom(&r, SEARCH "%s --csv whole_%s.csv", options, name);
    expect_run(&r, 0, "\"failed\": 0");
    char *whole = strdup(r.out);
    run_fathom(&r, SEARCH "%s --csv %s.csv", options, name);
    expect_run(&r, 1, "was interrupted. --resume continues it");
    run_fathom(&r, SEARCH "%s --csv %s.csv --resume", options, name);
    expect_run(&r, 0, "");
    assert_string_equal(r.out, whole);
    free(whole);
    run_shell(&r, "cmp whole_%s.csv %s.csv && test ! -e %s.csv.journal", name, name, name);
    expect_run(&r, 0, "");
}

static void a_killed_search_continues_to_the_same_table(void **unused)
{
    (void)unused;
    strike("killed", "--restarts 1", "KILL");
    expect_run(&r, 0, "137");
    run_shell(&r, "test ! -e killed.csv");
    expect_run(&r, 0, "");
    run_shell(&r, "printf half >>killed.csv.journal"); /* a record that was cut off */
    expect_same("killed", "--restarts 1");
    strike("front", "--pareto", "KILL");
    expect_run(&r, 0, "137");
    expect_same("front", "--pareto");
}

/* Ctrl-C prints the best so far; the journal stays. */
static void an_interrupted_search_continues_to_the_same_table(void **unused)
{
    (void)unused;
    strike("struck", "", "TERM");
    expect_run(&r, 0, "143");
    expect_same("struck", "");
}

static void a_journal_of_another_search_is_refused(void **unused)
{
    (void)unused;
    strike("other", "", "KILL");
    expect_run(&r, 0, "137");
    run_fathom(&r, SEARCH "--step 0.3 --csv other.csv --resume");
    expect_run(&r, 1, "other.csv.journal belongs to another search");
    run_shell(&r, "printf '%%0100d' 0 >other.csv.journal");
    run_fathom(&r, SEARCH "--csv other.csv --resume");
    expect_run(&r, 1, "not the journal of a search");
    run_shell(&r, "rm other.csv.journal");
    run_fathom(&r, "optimise lauv-survey --vary '" LENGTH "' --minimise lauv.x --resume");
    expect_run(&r, 2, "--resume needs the --csv or --output");
}

static void need_mpirun(void)
{
    if (run_shell(&r, "command -v mpirun && ls ../libfathom-mpi.so") != 0) {
        print_message("no mpirun here, or a build without MPI (packages.txt: openmpi-bin, libopenmpi-dev)\n");
        skip();
    }
}

/* One of three ranks is killed; two others make the rest. */
static void a_search_that_lost_a_rank_continues_to_the_same_table(void **unused)
{
    (void)unused;
    need_mpirun();
    run_shell(&r, "rm -f lost.csv lost.csv.journal; " MPIRUN "-n 3 " FATHOM_PROGRAM SEARCH "--threads 1 --csv lost.csv "
                  ">/dev/null 2>&1 & pid=$!; "
                  "until [ $(stat -c %%s lost.csv.journal 2>/dev/null || echo 0) -gt 250 ] || ! kill -0 $pid; do "
                  "sleep 0.01; done; set -- $(cat /proc/$pid/task/$pid/children); kill -9 $2; wait $pid; echo $?");
    expect_run(&r, 0, "137");
    run_fathom(&r, SEARCH "--csv whole_lost.csv");
    expect_run(&r, 0, "");
    run_shell(&r, MPIRUN "-n 2 " FATHOM_PROGRAM SEARCH "--threads 1 --csv lost.csv --resume >/dev/null");
    expect_run(&r, 0, "");
    run_shell(&r, "cmp whole_lost.csv lost.csv && test ! -e lost.csv.journal");
    expect_run(&r, 0, "");
}

static void ranks_do_not_change_a_search(void **unused)
{
    (void)unused;
    need_mpirun();
    run_fathom(&r, SEARCH "--csv alone.csv --threads 1");
    expect_run(&r, 0, "\"failed\": 0");
    char *alone = strdup(r.out);
    run_shell(&r, MPIRUN "-n 3 " FATHOM_PROGRAM SEARCH "--csv ranks.csv --threads 1");
    expect_run(&r, 0, "");
    assert_string_equal(r.out, alone);
    free(alone);
    run_shell(&r, "cmp alone.csv ranks.csv");
    expect_run(&r, 0, "");
    /* into a file: mpirun ends all ranks with the first that fails, and may lose what it said */
    run_shell(&r, "rm -f ranks.err; " MPIRUN "-n 2 sh -c 'exec \"$0\" \"$@\" 2>>ranks.err' " FATHOM_PROGRAM SEARCH
                  "--minimise lauv.nothing");
    assert_int_not_equal(r.status, 0);
    run_shell(&r, "cat ranks.err");
    assert_non_null(strstr(r.out, "lauv.nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_search_continues_to_the_same_table),
        cmocka_unit_test(an_interrupted_search_continues_to_the_same_table),
        cmocka_unit_test(a_journal_of_another_search_is_refused),
        cmocka_unit_test(ranks_do_not_change_a_search),
        cmocka_unit_test(a_search_that_lost_a_rank_continues_to_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
